"""What the words of a question have to do with each column of a table: its header, what it is about, and how near they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from memnet.memory.columns import GRAMMAR, cosine, is_only_a_noun, lemmas, plain
from memnet.memory.tables.cells import TEXT
from memnet.memory.tables.degrees import Degree, degree_of
from memnet.memory.tables.ranked.column_reader import ColumnReader
from memnet.memory.tables.ranked.concepts import about, phrases_in
from memnet.memory.tables.ranked.derived import derived
from memnet.memory.tables.ranked.linking import says
from memnet.memory.tables.ranked.matching import NAMED, Matcher, Rows, row_of
from memnet.memory.tables.ranked.naming import label_of, people_of
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import PERSONS, Question, Token, is_word, words_of_cell
from memnet.reading.words import Words
from memnet.tasks.text.english import AUXILIARIES, QUESTION_WORDS, in_dictionary, of_class, singular

Array = NDArray[np.float32]
LOOKED_AT, FEWEST = 24, 4  # cells of a column whose words are looked at, and words of them that have a vector
A_NAME = "PJ-03"  # any without a meaning
HARDLY = 1e-3  # the least probability of a column that is asked for
NAME, DIGITS, NOUN, OTHER = range(4)  # what a word that says something is
SORTS = of_class("kind sort type kinds sorts types")
IS = of_class("is are was were")
HUMAN = PERSONS | of_class("guest guests customer customers client clients owner owners colleague colleagues staff folk")


@dataclass(frozen=True)
class Heard:
    """How a question speaks of a column."""

    header: dict[int, frozenset[int]]  # place of a word -> which words of the header it is
    concept: dict[frozenset[int], float]  # places of a phrase -> how much it asks for what the column is about
    near: dict[int, float]  # place of a word -> cosine to the nearest word of the header
    words: int  # of the header that say something
    cells: dict[int, float]  # place of a word -> cosine to what stands in the cells

    @cached_property
    def places(self) -> frozenset[int]:
        """The words of the header and the phrases."""
        return frozenset(self.header).union(*self.concept)


class Asked:
    """A question beside a table."""

    def __init__(self, table: Table, question: Question) -> None:
        self.table, self.question, self.low = table, question, question.low
        self.label, self.people = label_of(table), people_of(table)
        self.content = [one.place for one in question.tokens if says(one) and one.low not in QUESTION_WORDS]
        phrases = phrases_in(self.low)
        self.heard = {one: heard(one, self, phrases) for one in table.columns}
        self.derived = derived(table.columns, self.low)
        self.heard |= {one: heard(one, self, phrases) for one in self.derived}
        self.degree: Degree | None = degree_of(question)
        self.was_read: dict[frozenset[int], Array] = {}  # the chances of columns, by the places that are read as names

    def rows(self, named: frozenset[int]) -> Rows:
        """The rows of the words' vectors (words,), of names and of the words at some places :data:`NAMED`."""
        found = self.word_rows.copy()
        found[[*named]] = NAMED
        return found

    @cached_property
    def word_rows(self) -> Rows:
        """The rows of the words' vectors (words,), of names :data:`NAMED`."""
        names = {at for at, kind in self.classes.items() if kind == NAME}
        return np.array([NAMED if at in names else row_of(word) for at, word in enumerate(self.low)], np.int64)

    @cached_property
    def most_asked(self) -> list[Column]:
        """The columns, that which the whole question asks for most first."""
        match = Matcher.load().asked(self.rows(frozenset())[None], self.table.columns)[0]
        return [self.table.columns[at] for at in np.argsort(-match, kind="stable").tolist()]

    def read(self, named: Sequence[frozenset[int]]) -> Array:
        """log p of each column that the question asks for it, (len(named), columns), as a reader of headers and cells sees it.

        The words in some places are read as a name each time.
        """
        words = [one.text for one in self.question.tokens]
        if new := [one for one in dict.fromkeys(named) if one not in self.was_read]:
            chances = ColumnReader.load().asked([named_in(words, places) for places in new], self.table.columns)
            self.was_read.update(zip(new, chances, strict=True))
        return np.log(np.maximum([self.was_read[places] for places in named], np.float32(HARDLY)))

    @cached_property
    def none_read(self) -> float:
        """log p that the question asks for none of the columns, as the same reader sees it."""
        self.read([frozenset()])
        return math.log(max(HARDLY, 1.0 - float(self.was_read[frozenset()].sum())))

    @cached_property
    def classes(self) -> dict[int, int]:
        """What each word that says something is: a name, a number, a noun, or anything else."""
        return {at: class_of(self.question.tokens[at]) for at in self.content}

    @cached_property
    def most_heard(self) -> float:
        """How much the question asks for what one of the columns is about."""
        return max((value for one in self.heard.values() for value in one.concept.values()), default=0.0)

    @cached_property
    def noun(self) -> int:
        """The place of the noun behind "which", "what" and "whose"; -1 for none."""
        low = self.low
        for place, word in enumerate(low[:-1]):
            if word in ("which", "what", "whose"):
                at = place + 1
                if low[at] in SORTS and low[at + 1 : at + 2] == ("of",) and at + 2 < len(low):
                    at += 2
                while at < len(low) - 1 and low[at] in ("of", "the", "our", "my", "other", "different", "all"):
                    at += 1
                if low[at].isalpha() and low[at] not in AUXILIARIES:
                    return at
        return -1

    @cached_property
    def several(self) -> bool:
        """Whether it asks for several: "which boats", "who are", "all the", "list"."""
        noun = self.low[self.noun] if self.noun >= 0 else ""
        plural = bool(noun) and singular(noun) != noun
        return plural or not {"are", "were", "all", "list", "names", "everyone", "everything", "haven't"}.isdisjoint(
            self.low[:4]
        )


def named_in(words: Sequence[str], places: frozenset[int]) -> list[str]:
    """The words of a question, with a name in place of each run of words in some places.

    >>> named_in("what size shirt does Brendan Keogh need".split(), frozenset((4, 5)))
    ['what', 'size', 'shirt', 'does', 'PJ-03', 'need']
    """
    return [A_NAME if at in places else word for at, word in enumerate(words) if at not in places or at - 1 not in places]


def heard(column: Column, asked: Asked, phrases: dict[str, dict[frozenset[int], float]]) -> Heard:
    """How a question speaks of one column."""
    low = asked.low
    words = [one for one in column.words if one not in GRAMMAR] or [*column.words]
    header = {
        at: frozenset(number for number, one in enumerate(words) if is_word(word, one))
        for at, word in enumerate(low)
        if len(word) > 1 and word.isalnum() and word not in QUESTION_WORDS and word != "not"
    }
    concept: dict[frozenset[int], float] = {}
    for name, fit in about(column).items():
        for places, value in phrases.get(name, {}).items():
            concept[places] = max(concept.get(places, 0.0), fit * value)
    long = [one for one in words if one.isalpha() and len(one) > 2]
    near = {at: max((cosine(low[at], one) for one in long), default=0.0) for at in asked.content if low[at].isalpha() and long}
    mean = mean_of_cells(column)
    cells = {at: float(unit(low[at]) @ mean) for at in near} if mean is not None else {}
    return Heard({at: found for at, found in header.items() if found}, concept, near, max(1, len(words)), cells)


def mean_of_cells(column: Column) -> Array | None:
    """The mean of the vectors of what stands in the cells (100,), of length 1; None of cells that are no words."""
    if column.kind != TEXT:
        return None
    words = [
        word.lower() for cell in column.distinct[:LOOKED_AT] for word in words_of_cell(cell) if word.isalpha() and len(word) > 2
    ]
    rows = [row for word in words if (row := Words.load().find(word).row)]
    if len(rows) < FEWEST:
        return None
    mean: Array = Words.load().units[rows].mean(0)
    return mean / max(float(np.linalg.norm(mean)), 1e-6)


@lru_cache(maxsize=1 << 14)
def unit(word: str) -> Array:
    """The vector of a word (100,), of length 1."""
    found: Array = Words.load().units[Words.load().find(plain(word)).row]
    return found


@lru_cache(maxsize=1 << 14)
def is_known(word: str) -> bool:
    """Whether a word is in the dictionary, in any form."""
    return in_dictionary(word) or any(in_dictionary(one) for one in lemmas(word))


def class_of(token: Token) -> int:
    """What a word is."""
    if any(map(str.isdigit, token.text)):
        return DIGITS
    if token.is_name or not is_known(token.low):
        return NAME
    return NOUN if is_only_a_noun(token.low) else OTHER


__all__ = ["DIGITS", "HUMAN", "IS", "NAME", "NOUN", "OTHER", "Asked", "Heard"]

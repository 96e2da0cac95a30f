"""The entries of a log as arrays of words, and how much each says of the words of a question.

A word of a question is found in an entry by its lemma, by its stem, or by a word near in meaning: the cosine of their
vectors. Rare words count more: the weight of a word is the log of how few entries have it (Spärck Jones 1972).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.facts.names import lemma_of
from memnet.memory.entrywise.content import LIGHT, stem
from memnet.memory.entrywise.reader import without_labels
from memnet.memory.values import Held
from memnet.reading.words import Words
from memnet.tasks.text.english import QUESTION_WORDS, function_words, kinds_of_word
from memnet.tasks.text.tokens import split

Array = NDArray[np.float32]
Rows = NDArray[np.int64]
UNSEEN = 3.0  # how many entries a word counts as being in that is in none: it tells little
MOST_WORDS = 40  # of an entry
FLAGS = ("digit", "capital", "unknown", "function word", "question word")


class Told(NamedTuple):
    """The words of a text: lemmas, stems, rows of vectors, and what they look like."""

    lemmas: tuple[str, ...]
    stems: tuple[str, ...]
    rows: tuple[int, ...]
    flags: tuple[tuple[bool, ...], ...]  # FLAGS of each


@lru_cache(maxsize=1 << 14)
def told_of(text: str) -> Told:
    """The words of a text, without its marks.

    >>> told_of("Ann cleaned PJ-03.").lemmas
    ('ann', 'clean', 'pj-03')
    """
    words = [word for word in split(text)[:MOST_WORDS] if word[0].isalnum() or len(word) > 1]
    rows = tuple(Words.load().find(word).row for word in words)
    lemmas = tuple((lemma_of(word) if word[0].isalpha() else word).lower() for word in words)
    flags = (
        (
            any(map(str.isdigit, word)),
            word[0].isupper(),
            not row,
            word.lower() in function_words(),
            word.lower() in QUESTION_WORDS,
        )
        for word, row in zip(words, rows, strict=True)
    )
    return Told(lemmas, tuple(map(stem, words)), rows, tuple(flags))


class AskedWord(NamedTuple):
    """A word of a question that says something."""

    lemma: str
    stem: str
    row: int
    is_name: bool
    is_verb: bool
    has_digit: bool


@lru_cache(maxsize=1 << 12)
def asked_words(question: str) -> tuple[AskedWord, ...]:
    """The words of a question that say something, each once.

    >>> [one.lemma for one in asked_words("Who cleaned the big saw last?")]
    ['clean', 'big', 'saw']
    """
    found, find = dict[str, AskedWord](), Words.load().find
    for at, word in enumerate(split(question)):
        low = word.lower()
        if not word[0].isalnum() or low in function_words() | QUESTION_WORDS or lemma_of(word) in LIGHT:
            continue
        kinds = kinds_of_word(lemma_of(low))
        is_name = at > 0 and word[0].isupper() and word.isalpha()
        is_verb = not is_name and "VERB" in kinds and (low != lemma_of(low) or "NOUN" not in kinds)
        lemma = (lemma_of(word) if word[0].isalpha() else word).lower()
        one = AskedWord(lemma, stem(word), find(word).row, is_name, is_verb, any(map(str.isdigit, word)))
        found.setdefault(one.lemma, one)
    return tuple(found.values())


@dataclass
class Log:
    """Some entries, in the order of time, as they are read for a question."""

    held: Sequence[Held]
    texts: Sequence[str]  # without labels

    @classmethod
    def of(cls, held: Sequence[Held]) -> Log:
        """Entries, the oldest first."""
        return cls(held, without_labels([one.text for one in held]))

    @cached_property
    def told(self) -> list[Told]:
        """The words of each entry."""
        return [told_of(text) for text in self.texts]

    @cached_property
    def counts(self) -> Counter[str]:
        """How many entries have each stem."""
        return Counter(one for told in self.told for one in {*told.stems})

    @cached_property
    def rows(self) -> tuple[Rows, Rows]:
        """The rows of words that the log has (V,), and of each entry the places of its words among them (L, W); V is none."""
        every = sorted({row for told in self.told for row in told.rows if row})
        place = {row: at for at, row in enumerate(every)}
        width = max((len(told.rows) for told in self.told), default=1)
        places = np.full((len(self.told), max(1, width)), len(every))
        for at, told in enumerate(self.told):
            places[at, : len(told.rows)] = [place.get(row, len(every)) for row in told.rows]
        return np.array(every, np.int64), places

    def weight(self, stem: str) -> float:
        """How much a stem tells: the log of how few entries have it."""
        return math.log((len(self.texts) + 1.0) / (self.counts[stem] or min(UNSEEN, len(self.texts))))

    def exact(self, words: Sequence[AskedWord]) -> Array:
        """Whether each entry has a word of a question: (words, L)."""
        found = np.zeros((len(words), len(self.texts)), np.float32)
        for at, told in enumerate(self.told):
            lemmas, stems = {*told.lemmas}, {*told.stems}
            for number, word in enumerate(words):
                found[number, at] = word.lemma in lemmas or word.stem in stems
        return found

    def near(self, words: Sequence[AskedWord]) -> Array:
        """The greatest cosine of a word of a question to a word of each entry: (words, L)."""
        every, places = self.rows
        units = Words.load().units_of(every)
        asked = Words.load().units_of(np.array([word.row for word in words], np.int64))
        cosines = np.concatenate([asked @ units.T, np.zeros((len(words), 1), np.float32)], axis=1)
        found: Array = np.maximum(cosines[:, places].max(-1), 0.0) if len(words) else np.zeros((0, len(self.texts)), np.float32)
        return found

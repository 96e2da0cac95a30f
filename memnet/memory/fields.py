"""Answers of a memory from the fields of its tables: each says one value of one row.

"The condition of bed scale 3 is worn."   "What condition is bed scale 3 in?"   ->   worn

A row is a key with values: the question's words name the row, and what is left of them names the column, or asks for its kind
(where, who, when, how many). A column that is named twice has the newest value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from memnet.ask.answer import listed
from memnet.facts.names import Key, key_of
from memnet.memory.entries.when import stamp
from memnet.memory.relations import Hop, RelationAnswer, Superseded
from memnet.memory.sentences import Sentences
from memnet.memory.values import Held
from memnet.reading.words import Words
from memnet.tasks.text.english import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    QUESTION_WORDS,
    SPEAKERS,
    kinds_of_word,
    of_class,
)
from memnet.tasks.text.tokens import split
from memnet.tasks.world.lexicon import names, nouns

FIELD = re.compile(r"The (?P<column>[^.?!]{1,60}?) of (?P<row>.{1,120}?) is (?P<value>.+?)\.?")
NUMBER = re.compile(r"[\d.,]+")
LONGEST_NAME = 8  # words of a row's name
EARLIER = of_class("before first ago formerly previously earlier after often times not")  # ask for more than a value
GRAMMAR = AUXILIARIES | DETERMINERS | PREPOSITIONS | PRONOUNS | SPEAKERS | QUESTION_WORDS | of_class("of for by on to with")
PLACES = "room+building+city+country+container in+container on+storage+shop+street"
PLACE_LIKE = ("location", "place", "room", "building", "city", "site", "office", "area")
PEOPLE = "role"
PERSON_LIKE = ("person", "employee", "owner", "manager", "friend", "teacher")
LIKE = 0.5  # cosine of a column's name to the words above


class Field(NamedTuple):
    """A sentence that says a field, the column as it stands there, and the value."""

    held: Held
    column: str
    value: str


def from_fields(sentences: Sentences, question: str) -> RelationAnswer | None:
    """The answer from a table's fields; None where the question names no row of it.

    It is refused where no field is what is asked for, and nothing but fields speaks of the row.
    """
    asked = split(question)
    low = [word.lower() for word in asked]
    if not EARLIER.isdisjoint(low):
        return None
    for first, last in spans(low):
        row = " ".join(asked[first:last])
        columns = columns_of(sentences, row)
        if columns and (column := chosen(columns, [*low[:first], *low[last:]])) is not None:
            *older, newest = columns[column]
            earlier = tuple(Superseded(one.value, one.held) for one in older)
            return RelationAnswer(newest.value, False, (Hop(row, newest.value, newest.held, earlier, 1.0),), 1.0)
        if columns and all(FIELD.fullmatch(one.text) for one in sentences.holding(split(row))):
            has = listed([fields[-1].column for fields in columns.values()])
            return RelationAnswer(f"nothing says that of {row}; there is its {has}", True, (), 0.0)
    return None


def spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where a question may name a row, the longest name first: it neither begins nor ends with a word of grammar."""
    places = [place for place, word in enumerate(words) if word not in GRAMMAR and any(map(str.isalnum, word))]
    found = [(first, last + 1) for first in places for last in places if first <= last < first + LONGEST_NAME]
    yield from sorted(found, key=lambda span: (span[0] - span[1], -span[1]))


def columns_of(sentences: Sentences, row: str) -> Mapping[Key, list[Field]]:
    """The fields of a row by their columns, oldest first."""
    columns = dict[Key, list[Field]]()
    for held in sentences.saying(f"of {row} is"):
        found = FIELD.fullmatch(held.text)
        if found and key_of(found["row"]) == key_of(row):
            columns.setdefault(key_of(found["column"]), []).append(Field(held, found["column"], found["value"]))
    return columns


def chosen(columns: Mapping[Key, list[Field]], rest: Sequence[str]) -> Key | None:
    """The column that the rest of a question names, or asks for by its kind; None where it names anything else."""
    words = {word: key_of(word) for word in rest if word not in GRAMMAR and word.isalnum()}
    said = {word for key in words.values() for word in key}
    best: Key | None
    if named := [column for column in columns if content(column)[-1] in said]:
        best = max(named, key=lambda column: (len(said & {*content(column)}), -len(column)))
        words = {word: key for word, key in words.items() if not {*key} <= {*best}}
    else:
        best = by_kind(columns, rest)
        words.pop("many", None)
        words.pop("much", None)
    return None if any(is_only_a_noun(word) for word in words) else best


def content(column: Key) -> Key:
    """The words of a column's name that say something, the noun that it is last."""
    return tuple(word for word in column if word not in GRAMMAR) or column


def by_kind(columns: Mapping[Key, list[Field]], rest: Sequence[str]) -> Key | None:
    """The one column, or the likest, of the kind that a question's first words ask for."""
    if "where" in rest:
        likest = {column: max(likeness(column, PLACE_LIKE), called(PLACES, column)) for column in columns}
    elif "who" in rest:
        likest = {
            column: max(likeness(column, PERSON_LIKE), called(PEOPLE, column), done_by(column), is_person(found[-1].value))
            for column, found in columns.items()
        }
    elif "when" in rest:
        likest = {column: 1.0 * bool(stamp(found[-1].value)) for column, found in columns.items()}
    elif "many" in rest or "much" in rest:
        likest = {
            column: 1.0 * found[-1].value.replace(",", "").replace(".", "").isdigit() for column, found in columns.items()
        }
    else:
        return None
    fit = [column for column, like in likest.items() if like >= LIKE]
    several = len(fit) > 1 and not {"where", "who"} & {*rest}
    return max(fit, key=lambda column: likest[column]) if fit and not several else None


@cache
def heads(classes: str) -> frozenset[str]:
    """The last words of the nouns of these classes."""
    return frozenset(word for noun in nouns(classes) for word in key_of(noun)[-1:])


def called(classes: str, column: Key) -> float:
    """Whether a column is called by a noun of these classes."""
    return 1.0 * (content(column)[-1] in heads(classes))


def done_by(column: Key) -> float:
    """Whether a column is called after what somebody does: "assigned to", "checked by"."""
    return 1.0 * (len(column) > 1 and column[-1] in ("to", "by"))


@cache
def first_names() -> frozenset[str]:
    """Of people, of many cultures."""
    return frozenset(name for kind in ("woman", "man") for culture in names(kind) for name in culture)


def is_person(value: str) -> float:
    """Whether a value begins with somebody's name."""
    return 1.0 * (value.split()[0] in first_names())


def likeness(column: Key, words: Sequence[str]) -> float:
    """The cosine of what a column is called to the mean of some words."""
    units, find = Words.load().units, Words.load().find
    mean = np.mean([units[find(word).row] for word in words], axis=0)
    return float(units[find(content(column)[-1]).row] @ mean) / float(np.linalg.norm(mean))


def is_only_a_noun(word: str) -> bool:
    """Whether a word names a thing and can be no verb, or is in no dictionary."""
    kinds = kinds_of_word(word) or {"NOUN"}
    return "NOUN" in kinds and "VERB" not in kinds

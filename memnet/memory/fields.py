"""Answers of a memory from the fields of its tables: each says one value of one row.

"The condition of bed scale 3 is worn."   "What condition is bed scale 3 in?"   ->   worn
                                          "Is bed scale 3 worn?"                ->   yes

A row is a key with values: the question's words name the row, and what is left of them names the column, or asks for its kind
(:mod:`~memnet.memory.columns`), or is a value of it. A column that is named twice has the newest value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnet.ask.answer import listed
from memnet.facts.names import Key, key_of
from memnet.facts.reader import FactReader
from memnet.memory.columns import GRAMMAR, LIKE, OTHER, chosen, content_words, kind_of_value, of_the_kind, similarity
from memnet.memory.relations import Hop, RelationAnswer, Superseded
from memnet.memory.sentences import Sentences
from memnet.memory.values import Held
from memnet.memory.wanted import WHETHER, kind_of, without_request
from memnet.tasks.text.english import AUXILIARIES, of_class
from memnet.tasks.text.tokens import split

FIELD = re.compile(r"The (?P<column>[^.?!]{1,60}?) of (?P<row>.{1,120}?) is (?P<value>.+?)\.?")
YEAR = re.compile(r"\b[12]\d{3}\b")
LONGEST_NAME = 8  # words of a row's name
EARLIER = of_class(
    "before first ago formerly previously previous former earlier after often times not never"
)  # more than a value
FEW = 2  # rows that have a value, of a column whose values are few


class Field(NamedTuple):
    """A sentence that says a field, the column and the row as they stand there, and the value."""

    held: Held
    column: str
    row: str
    value: str


Columns = Mapping[Key, list[Field]]  # of a row, the fields of each, oldest first


def field_of(held: Held) -> Field | None:
    """What a sentence says of a row; None where it is no field."""
    found = FIELD.fullmatch(held.text)
    return Field(held, found["column"], found["row"], found["value"]) if found else None


def from_fields(sentences: Sentences, question: str) -> RelationAnswer | None:
    """The answer from a table's fields; None where the question names no row of it.

    It is refused where no field is what is asked for, and nothing but fields speaks of the row.
    """
    row, columns, rest = row_of(sentences, question)
    if not columns:
        return None
    if kind_of(question) == WHETHER:
        found = whether(sentences, columns, rest)
    else:
        column = chosen({one: fields[-1].value for one, fields in columns.items()}, rest, asks_where(question))
        found = None if column is None else (columns[column][-1].value, columns[column])
    if found is not None and "year" in rest and (year := YEAR.search(found[0])):
        found = year[0], found[1]
    if found is not None:
        text, (*older, newest) = found
        earlier = tuple(Superseded(one.value, one.held) for one in older)
        return RelationAnswer(text, False, (Hop(row, newest.value, newest.held, earlier, 1.0),), 1.0)
    if all(FIELD.fullmatch(one.text) for one in sentences.holding(split(row))):
        has = listed([fields[-1].column for fields in columns.values()])
        return RelationAnswer(f"nothing says that of {row}; there is its {has}", True, (), 0.0)
    return None


def row_of(sentences: Sentences, question: str) -> tuple[str, Columns, list[str]]:
    """The row that a question names, with its columns and what is left of the question; no columns where it names none."""
    asked = split(without_request(question))
    low = [word.lower() for word in asked]
    if EARLIER.isdisjoint(low):
        for first, last in spans(low):
            row = " ".join(asked[first:last])
            rest = [*low[:first], *low[last:]]
            if rest and (columns := columns_of(sentences, row)):
                return row, columns, rest
    return "", {}, low


def spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where a question may name a row, the longest name first: it neither begins nor ends with a word of grammar."""
    places = [place for place, word in enumerate(words) if word not in GRAMMAR and any(map(str.isalnum, word))]
    found = [(first, last + 1) for first in places for last in places if first <= last < first + LONGEST_NAME]
    yield from sorted(found, key=lambda span: (span[0] - span[1], -span[1]))


def columns_of(sentences: Sentences, row: str) -> dict[Key, list[Field]]:
    """The fields of a row by their columns, oldest first."""
    columns = dict[Key, list[Field]]()
    for held in sentences.saying(f"of {row} is"):
        found = field_of(held)
        if found and key_of(found.row) == key_of(row):
            columns.setdefault(key_of(found.column), []).append(found)
    return columns


def having(sentences: Sentences, value: str) -> list[Field]:
    """The fields that have a value, oldest first."""
    found = map(field_of, sentences.saying(f"is {value}"))
    return [one for one in found if one is not None and key_of(one.value) == key_of(value)]


def asks_where(question: str) -> bool:
    """Whether a question is of whereabouts: "Where is the saw kept?", not "Where was the saw made?"."""
    asked, _ = FactReader.load().question(question)
    return asked.kind == "where"


def whether(sentences: Sentences, columns: Columns, rest: Sequence[str]) -> tuple[str, list[Field]] | None:
    """Yes where a row has the value that the rest of a question names, no where it has another of a column of few values.

    None where the rest says anything else than the value and its column.
    """
    for first, last in spans(rest):
        value, others = " ".join(rest[first:last]), content_words([*rest[:first], *rest[last:]])
        told = having(sentences, value)
        for column, fields in columns.items():
            same = [one for one in told if key_of(one.column) == column]
            if not same or not is_asked(column, others, rest[:first]) or kind_of_value(value) != OTHER:
                continue
            if key_of(fields[-1].value) == key_of(value):
                return "yes", fields
            shared = [one for one in having(sentences, fields[-1].value) if key_of(one.column) == column]
            return ("no", fields) if min(len(rows_of(same)), len(rows_of(shared))) >= FEW else None
    return None


def is_asked(column: Key, others: Sequence[str], before: Sequence[str]) -> bool:
    """Whether what a question says beside a value asks for its column: nothing behind "is" or "in", or words like its name."""
    if others:
        return all(similarity(word, column) >= LIKE for word in others)
    return not AUXILIARIES.isdisjoint(before) and "by" not in before


def rows_of(fields: Sequence[Field]) -> dict[Key, str]:
    """The rows of fields, by their keys."""
    return {key_of(one.row): one.row for one in fields}


def in_table(sentences: Sentences, row: str) -> bool:
    """Whether a row is one of a table: several of its fields stand in one line of a source, and are no sentences of a text."""
    lines = [(one.held.source, one.held.line) for fields in columns_of(sentences, row).values() for one in fields]
    return any(line and lines.count((source, line)) > 1 for source, line in lines)


def is_sound(sentences: Sentences, related: RelationAnswer, question: str) -> bool:
    """Whether an answer that the reader of relations found in a table may be one.

    Its row must be named, and its column of the kind that is asked for and like what is asked: it takes a buyer for a seller.
    """
    told = [found for hop in related.hops if (found := FIELD.fullmatch(hop.held.text))]
    if not told or len(told) < len(related.hops) or not in_table(sentences, told[-1]["row"]):
        return True
    asked, row = key_of(question), key_of(told[0]["row"])
    named = any(asked[at : at + len(row)] == row for at in range(len(asked)))
    column, rest = key_of(told[-1]["column"]), [word.lower() for word in split(question) if word.lower() not in row]
    value = {column: told[-1]["value"]}
    fits = bool(of_the_kind(value, rest)) if len(told) > 1 else chosen(value, rest, asks_where(question)) is not None
    return named and fits and kind_of(question) != WHETHER

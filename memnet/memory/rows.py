"""Which rows of a table have a value: "What is in the garage?", "Which cars does Ann own?", "How many cars are red?"

All rows of the value answer, or none: where they are too many to be listed, or where nothing says that they are what is asked
for, the refusal says how many there are. What the rows are is not noted of a table; the last words of their names may say it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memnet.ask.answer import Answer, Read, listed
from memnet.facts.names import Key, key_of
from memnet.memory.columns import LIKE, content_words, is_place, similarity
from memnet.memory.fields import EARLIER, FIELD, Field, columns_of, field_of, having, in_table, rows_of, spans
from memnet.memory.sentences import Sentences
from memnet.reading.words import Words
from memnet.tasks.text.english import AUXILIARIES, of_class
from memnet.tasks.text.tokens import split

LISTED = 40  # rows that are listed
LOOKED_AT = 2000  # fields of one value that are looked at
SHOWN = 3  # rows that a refusal names
KIND = 0.4  # cosine of what rows are to the mean of the last words of their names
AT = of_class("in on at inside")
ASKING = of_class("what which who how")


def from_rows(sentences: Sentences, question: str) -> Answer | None:
    """The rows that have the value which a question names, or how many they are; None where it names none, or asks for else.

    It is refused where nothing but fields speaks of the value.
    """
    asked = split(question)
    low = [word.lower() for word in asked]
    for first, last in spans(low) if EARLIER.isdisjoint(low) else ():
        value = " ".join(asked[first:last])
        told = having(sentences, value)
        if (
            not told
            or not in_table(sentences, told[-1].row)
            or not all(FIELD.fullmatch(one.text) for one in sentences.holding(split(value)))
        ):
            continue
        before, after = low[:first], low[last:]
        by_column = dict[Key, list[Field]]()
        for one in told[-LOOKED_AT:]:
            by_column.setdefault(key_of(one.column), []).append(one)
        noun, rest = noun_of([*before, "", *after])
        columns = [column for column in by_column if is_column(column, rest, before)] if low[0] in ASKING else []
        if len(columns) == 1:
            return listed_rows(sentences, question, value, by_column[columns[0]], noun)
        counts = [f"the {fields[-1].column} of {counted(len(rows_of(fields)))}" for fields in by_column.values()]
        return refused(question, f"nothing says that of {value}; it is {' and '.join(counts)}")
    return several_rows(sentences, question)


def several_rows(sentences: Sentences, question: str) -> Answer | None:
    """That a question names part of the names of several rows; None where it does not."""
    asked = split(question)
    for first, last in spans([word.lower() for word in asked]):
        name = asked[first:last]
        told = sentences.holding(name) if name[0][0].isupper() else []
        fields = [found for one in told if (found := field_of(one)) and {*key_of(" ".join(name))} <= {*key_of(found.row)}]
        if told and len(fields) == len(told) and in_table(sentences, fields[0].row) and len(rows := rows_of(fields)) > 1:
            some = listed([*rows.values()][:SHOWN])
            return refused(question, f"{counted(len(rows))} have {' '.join(name)} in their name, such as {some}")
    return None


def noun_of(words: Sequence[str]) -> tuple[str, list[str]]:
    """What a question asks for behind "which" and "how many", in the singular, and its other words; "" stands for the value."""
    at = 2 if words[:2] == ["how", "many"] else 1 if words[0] in ("which", "what") else 0
    is_noun = at > 0 and words[at : at + 1] != [""] and words[at : at + 1] and words[at] not in AUXILIARIES | AT
    return (key_of(words[at])[0], list(words[at + 1 :])) if is_noun and key_of(words[at]) else ("", list(words[at:]))


def is_column(column: Key, rest: Sequence[str], before: Sequence[str]) -> bool:
    """Whether what a question says beside a value asks for its column: "in" for a place, "are" for how a thing is."""
    if words := content_words(rest):
        return all(similarity(word, column) >= LIKE for word in words)
    return is_place(column) if before[-1] in AT or (before[-1] == "the" and before[-2] in AT) else before[-1] in AUXILIARIES


def listed_rows(sentences: Sentences, question: str, value: str, fields: Sequence[Field], noun: str) -> Answer:
    """The rows whose newest field has the value, or how many they are."""
    names, column = rows_of(fields), key_of(fields[-1].column)
    newest = {key: columns_of(sentences, row)[column][-1] for key, row in names.items()}
    now = [one for one in newest.values() if key_of(one.value) == key_of(value)]
    by_name = [one for one in now if noun and noun in key_of(one.row)[-1:]]
    number = counted(len(now))
    if noun and not by_name and not are_of_kind(now, noun):
        return refused(question, f"{value} is the {fields[-1].column} of {number}, and nothing says what they are")
    others = [one for one in now if one not in by_name]
    if by_name and others and are_of_kind(others, noun):  # "barn" may be another, or the cottage that is called so
        why = f"{value} is the {fields[-1].column} of {number}, of which {len(by_name)} {'is' if len(by_name) == 1 else 'are'}"
        return refused(question, f"{why} called {noun}; the others may be such, too")
    told = by_name or now
    if question.lower().startswith("how many"):
        return from_read(question, str(len(told)), told)
    if len(told) > LISTED or any("," in one.row for one in told):
        return refused(question, f"{value} is the {fields[-1].column} of {number}, too many to list")
    return from_read(question, ",".join(one.row for one in told), told)


def are_of_kind(fields: Sequence[Field], noun: str) -> bool:
    """Whether rows may be what a noun says, by the vectors of the last words of their names."""
    units, find = Words.load().units, Words.load().find
    mean = np.sum([units[find(key_of(one.row)[-1]).row] for one in fields if key_of(one.row)], axis=0)
    length = float(np.linalg.norm(mean))
    return length > 0 and float(units[find(noun).row] @ mean) / length >= KIND


def counted(rows: int) -> str:
    """So many rows, in words."""
    return f"{rows:,} row{'s' if rows != 1 else ''}"


def from_read(question: str, text: str, told: Sequence[Field]) -> Answer:
    """An answer from fields, which one hop reads."""
    held = [one.held for one in told]
    reads = [Read(place, one.text, 1.0, one.when or "", one.source, one.line) for place, one in enumerate(held, 1)]
    return Answer(text, 1.0, [], [reads], [0.0], {}, 0, question=question, story=[one.text for one in held])


def refused(question: str, why: str) -> Answer:
    """That there is no answer, and why."""
    return Answer("", 0.0, [], [], [], {}, 0, unanswerable=1.0, reason=why, question=question)

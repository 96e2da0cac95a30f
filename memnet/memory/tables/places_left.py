"""How many a thing holds, and how many places are left on it: "a party of four", "is it full?", "is there room on it?".

Boat | Carries | Berths left     Which boats could take a party of ten?   Carries >= 10
Heron | 12 | 0                   Is the Heron full?                       Berths left = 0
"""

from __future__ import annotations

from collections.abc import Iterator

from memnet.memory.columns import cosine
from memnet.memory.tables.cells import NUMBER, number_of
from memnet.memory.tables.degrees import is_cost
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import NUMBER_WORDS

LEFT = of_class("left free available remaining spare vacant unsold")
SPACE, BEFORE_SPACE = of_class("room space spaces places seats"), of_class("there still any enough more got have has")
ROOMY, BED_LIKE = 0.3, 0.6  # cosine of a verb of a header to these, where a thing has room
GROUPS = of_class("party group family team class gang bunch")
FAR = 3  # words between "room" and how many it is for
FITTING = of_class("big large roomy enough")


def capacity(table: Table) -> Column | None:
    """The column that says how many a thing holds: its header is a verb, "seats", or "capacity"; None where there is none."""
    numbers = [one for one in table.of_kind((NUMBER,)) if not is_cost(one) and not one.unit]
    found = [one for one in numbers if "capacity" in one.words] or [
        one for one in numbers if len(one.words) == 1 and is_third_person(one.words[0]) and has_room(one.words[0])
    ]
    return found[0] if len(found) == 1 else None


def has_room(verb: str) -> bool:
    """Whether a verb is near to having room or beds for people: "carries", and not "plays"."""
    return cosine(verb, "accommodate") >= ROOMY or cosine(verb, "bed") >= BED_LIKE


def is_third_person(word: str) -> bool:
    """Whether a word is what a thing does: "carries"."""
    from lemminflect import getAllLemmas

    return word.endswith("s") and word not in getAllLemmas(word).get("VERB", (word,))


def remaining(table: Table) -> Column | None:
    """The column that says how many places are left; None where there is none, or several."""
    found = [one for one in table.of_kind((NUMBER,)) if not LEFT.isdisjoint(one.words) and not one.unit]
    return found[0] if len(found) == 1 else None


def spaces(question: Question) -> set[int]:
    """The places of words for space: "still room", not "a room"."""
    low = question.low
    return {at for at in range(1, len(low)) if low[at] in SPACE and low[at - 1] in BEFORE_SPACE}


def rows_with_room(table: Table, question: Question) -> Iterator[tuple[tuple[int, ...], frozenset[int], Column]]:
    """The conditions of a question on places that are left: their words, the rows, and the column."""
    column = remaining(table)
    if column is None:
        return
    numbers = {row: value for row, cell in enumerate(column.cells) if (value := number_of(cell)) is not None}
    for place in sorted(spaces(question)):
        needed = next((value for at, value in numbers_said(question) if place < at <= place + FAR), 1.0)  # "room for six"
        yield (place,), frozenset(row for row, value in numbers.items() if value >= needed), column
    for place, word in enumerate(question.low):
        if word == "full" and place:
            yield (place,), frozenset(row for row, value in numbers.items() if value <= 0), column


def numbers_said(question: Question) -> Iterator[tuple[int, float]]:
    """The numbers of a question, in words or digits, and where they stand."""
    for place, word in enumerate(question.low):
        value = float(NUMBER_WORDS.index(word)) if word in NUMBER_WORDS else number_of(word) if word.isdigit() else None
        if value is not None and place:
            yield place, value


def group_of(question: Question, used: set[int]) -> tuple[float, tuple[int, ...]] | None:
    """How many are to fit: "a party of four", "for four people", "the four of us"; None where none is said."""
    low = question.low
    for place, value in numbers_said(question):
        if place in used:
            continue
        before, after = low[place - 1], low[place + 1 : place + 3]
        fitting = {at for at, one in enumerate(low) if one in FITTING and low[at - 1 : at] != ("how",)}
        if before == "of" and place > 1 and low[place - 2] in GROUPS:
            return value, tuple(sorted({place - 2, place - 1, place, *fitting}))
        if after == ("of", "us") or (before == "for" and (after[:1] in (("people",), ("persons",)) or fitting)):
            return value, tuple(sorted({place, *fitting}))
    return None

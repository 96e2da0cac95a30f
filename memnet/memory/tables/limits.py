"""Conditions on numbers and dates in a question: "more than 50", "before 2020", "in October", "between 10 and 20".

limits_of(table, "Which rooms are larger than 20 square metres?")   ->   size > 20
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memnet.memory.columns import is_of
from memnet.memory.tables.cells import DATE, MONEY, NUMBER, ORDERED, Moment, date_of, number_of
from memnet.memory.tables.degrees import ATTRIBUTES, bases, costs_are_asked, costs_of, is_cost
from memnet.memory.tables.places_left import capacity, group_of
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question, is_unit, is_word
from memnet.tasks.text.english import PREPOSITIONS, TIMES, of_class, singular
from memnet.tasks.text.tokens import NUMBER_WORDS

ABOVE, BELOW = of_class("over above exceeding"), of_class("under below beneath")
BEFORE, AFTER, SAME = of_class("before until till by"), of_class("after since from"), of_class("in on during for at of")
MORE_OR_LESS = {
    **dict.fromkeys(("more", "over", "above", "higher"), 1),
    **dict.fromkeys(("less", "fewer", "under", "below", "lower"), -1),
}
LONGEST_DATE = 4  # words
CLAUSES = of_class("and or , ;")
LINKING = of_class("of is no nr number exactly just")  # words between a header and its number
CURRENCIES = of_class("£ $ € pounds pound euros euro eur dollars dollar gbp usd")


class Limit(NamedTuple):
    """A condition on a column: what its cell must be, and the places of the words that say it.

    With a column ``versus``, what the cell must be beside that of the same row: 1 more than it, -1 less, or 0 as much.
    """

    column: Column
    fits: Callable[[float | Moment], bool]
    places: tuple[int, ...]
    is_date: bool
    versus: Column | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that it is on."""
        return (self.column,) if self.versus is None else (self.column, self.versus)

    def value_of(self, row: int) -> float | Moment | None:
        """What must fit of a row; None where the table leaves a cell of it empty."""
        first = self.column.order_of(row)
        return first if self.versus is None or first is None else more(first, self.versus.order_of(row))

    def rows(self, fitting: bool = True) -> frozenset[int]:
        """The rows whose cells fit, or those whose cells do not."""
        told = ((row, self.value_of(row)) for row in range(len(self.column.cells)))
        return frozenset(row for row, value in told if value is not None and self.fits(value) == fitting)


def more(first: float | Moment, second: float | Moment | None) -> float | None:
    """1 where the first of two is more than the second, -1 where it is less, 0 of as much; None where that is not clear.

    >>> more(2.0, 3.0), more((2026, 3, 1, 0, 0), (2026, 3, 1, 9, 30)), more((2026, 3, 0, 0, 0), (2026, 3, 1, 0, 0))
    (-1.0, 0.0, None)
    """
    if isinstance(first, tuple) and isinstance(second, tuple):
        if [bool(part) for part in first[:3]] != [bool(part) for part in second[:3]]:
            return None
        size = 5 if any(first[3:]) == any(second[3:]) else 3
        one, other = first[:size], second[:size]
        return float((one > other) - (one < other))
    if isinstance(first, tuple) or isinstance(second, tuple) or second is None:
        return None
    return float((first > second) - (first < second))


def limits_of(table: Table, question: Question, used: set[int]) -> tuple[list[Limit], list[tuple[int, ...]]]:
    """The conditions of a question on numbers and dates, and the places of those that are of no column, or of several."""
    found, lost = list[Limit](), list[tuple[int, ...]]()
    for how, value, places in dates_in(question, used):
        dates = [one for one in table.of_kind((DATE,)) if has_such(one, value)]
        column = column_for(table, question, dates, places)
        if column is None and how in SAME:
            fitting = [one for one in dates if Limit(one, fits_date(how, value), places, True).rows()]
            column = fitting[0] if len(fitting) == 1 else None
        if column is None:
            lost.append(places)
        else:
            found.append(Limit(column, fits_date(how, value), places, True))
    used = used | {place for one in found for place in one.places}
    most, group = capacity(table), group_of(question, used)
    if most is not None and group is not None:
        found.append(Limit(most, between(group[0], float("inf")), group[1], False))
        used = used | {*group[1]}
    for column, number, places in stated(table, question, used):
        found.append(Limit(column, between(number, number), places, False))
        used = used | {*places}
    for low, high, places in numbers_in(question, used):
        near = {question.low[at] for at in range(max(0, places[0] - 2), min(len(question.low), places[-1] + 3))}
        columns = table.of_kind((NUMBER, MONEY))
        if not CURRENCIES.isdisjoint(near):
            columns = costs_of(columns)
        column = column_for(table, question, columns, places)
        if column is None:
            lost.append(places)
        else:
            found.append(Limit(column, between(low, high), places, False))
    return found, lost


def has_such(column: Column, value: Moment) -> bool:
    """Whether the dates of a column say as much as a date does: a year, a month, a day of the week."""
    told = [moment for cell in column.told[:50] if (moment := date_of(cell, column.day_first))]
    if value[2] and not value[1]:
        told = [moment for moment in told if not moment[1]]  # a day of the week
    if any(value[3:]) and not any(value[:3]) and not any(any(moment[3:]) for moment in told):
        return False  # a time of day
    return any(all(part or not asked for part, asked in zip(moment[:3], value[:3], strict=True)) for moment in told)


def column_for(table: Table, question: Question, columns: Sequence[Column], places: Sequence[int]) -> Column | None:
    """The column that a condition is on: that which the question names, in its header or its unit, or the only one."""
    words = [word for place, word in enumerate(question.low) if place not in places]
    clause = [word for place, word in enumerate(question.low) if place in clause_of(question, places) and place not in places]
    near = [word for place, word in enumerate(question.low) if places[-1] < place <= places[-1] + 2]

    def score(column: Column, words: Sequence[str] = words) -> int:
        unit = [one for one in column.unit.lower().split() if any(is_unit(one, word) for word in near)]
        of_degree = [*words, *(question.low[place] for place in places)]
        degrees = [ATTRIBUTES[base][0] for word in of_degree for base in bases(word, "er") if base in ATTRIBUTES]
        if "age" in column.words and "old" in question.low:
            return 5
        if any(is_of(word, degree) for degree in degrees for word in column.words):
            return 5
        called = {*column.words} if column.kind == DATE else {*column.words} - PREPOSITIONS or {*column.words}
        return sum(any(is_word(word, one) for word in words) for one in called) + 2 * bool(unit)

    if {"or", "and"} & {*question.low} and len(alone := [one for one in columns if score(one, clause)]) == 1:
        return alone[0]  # "more than 18 stops or longer than 20 km"
    if CLAUSES & {*question.low} and any(
        costs_are_asked(question.tokens[at]) for at in clause_of(question, places) if at not in places
    ):
        columns = costs_of(columns) or columns
    best = max(map(score, columns), default=0)
    if not best and any(map(costs_are_asked, question.tokens)):
        columns = costs_of(columns)  # "cost more than 50", of a fee
    chosen = [one for one in columns if score(one) == best]
    if len(chosen) > 1:  # "25 seats", of "Seats" and "Booked seats"
        chosen = [one for one in chosen if all(any(is_word(word, part) for word in words) for part in one.words)]
    return chosen[0] if len(chosen) == 1 else None


def clause_of(question: Question, places: Sequence[int]) -> range:
    """The places of the words around a condition up to "and", "or" or a comma."""
    first, last = min(places), max(places) + 1
    while first and question.low[first - 1] not in CLAUSES:
        first -= 1
    while last < len(question.low) and question.low[last] not in CLAUSES:
        last += 1
    return range(first, last)


def dates_in(question: Question, used: set[int]) -> Iterator[tuple[str, Moment, tuple[int, ...]]]:
    """The dates of a question behind "before", "in" and the like."""
    tokens, last = question.tokens, ("", 0)
    for place in range(1, len(tokens)):
        how = tokens[place - 1].low
        if how == "or" and last[1] == place - 1:
            how = last[0]  # "on Monday or Friday"
        if how in ("the", "a", "an") and place > 1:
            how = tokens[place - 2].low
        if how not in BEFORE | AFTER | SAME or place in used:
            continue
        for end in range(min(len(tokens), place + LONGEST_DATE), place, -1):
            words = [one.text for one in tokens[place:end] if one.low not in ("the", ",")]
            text = " ".join(words)
            value = date_of(text)
            if value is not None and (not text.isdigit() or how in BEFORE | AFTER | {"in", "during", "from"}):
                yield how, value, tuple(range(place - (tokens[place - 1].low != "or"), end))
                last = how, end
                break


def fits_date(how: str, value: Moment) -> Callable[[float | Moment], bool]:
    """Whether a moment is before or after a date, or in it: zeros are what the date leaves open."""
    size = max((place for place, part in enumerate(value) if part), default=0) + 1

    def fits(moment: float | Moment) -> bool:
        assert isinstance(moment, tuple)
        end = (moment[0], *value[1:]) if not value[0] else value  # a day without a year is of any
        if how in BEFORE:
            return moment[:size] < end[:size] if how != "by" else moment[:size] <= end[:size]
        if how in AFTER:
            return moment[:size] > end[:size] if how == "after" else moment[:size] >= end[:size]
        return all(part == asked for part, asked in zip(moment, value, strict=True) if asked)

    return fits


def numbers_in(question: Question, used: set[int]) -> Iterator[tuple[float, float, tuple[int, ...]]]:
    """The numbers of a question as ends of a range, with the words that say which: not included where they are just "more"."""
    low, never = question.low, float("inf")
    for place, word in enumerate(low):
        value = float(NUMBER_WORDS.index(word)) if word in NUMBER_WORDS else number_of(word) if word[0].isdigit() else None
        if word in ("a", "an") and singular(" ".join(low[place + 1 : place + 2])) in TIMES:
            value = 1.0  # "under a year old"
        if value is None or place in used or place == 0:
            continue
        if low[place - 1] in ("yet", "not") and "not" in low[max(0, place - 2) : place]:
            old = tuple(at for at in range(place + 1, min(len(low), place + 3)) if low[at] in ("old", "of"))
            yield -never, value - 1e-9, (*old, *range(low.index("not"), place + 1))
            continue
        at = place - 1
        while at > 0 and low[at] in CURRENCIES:
            at -= 1
        two = (low[at - 1], low[at]) if at else ("", low[at])
        if (more := or_more(low, place)) is not None:
            yield *((value, never) if MORE_OR_LESS[low[more + 1]] > 0 else (-never, value)), (place, more, more + 1)
            continue
        end = (place + 1,) if place + 1 < len(low) and low[place + 1] in CURRENCIES else ()
        if (
            low[at] == "than"
            and at
            and (two[0] in ("less", "fewer", "lower", "smaller", "shorter", "cheaper", "lighter", "younger"))
        ):
            yield -never, value - 1e-9, (at - 1, at, *range(at + 1, place + 1), *end)
        elif low[at] == "than" and at:
            yield value + 1e-9, never, (at - 1, at, *range(at + 1, place + 1), *end)
        elif low[at] in ABOVE:
            yield value + 1e-9, never, (*range(at, place + 1), *end)
        elif low[at] in BELOW:
            yield -never, value - 1e-9, (*range(at, place + 1), *end)
        elif two == ("at", "least"):
            yield value, never, (*range(at - 1, place + 1), *end)
        elif two in (("at", "most"), ("up", "to")):
            yield -never, value, (*range(at - 1, place + 1), *end)
        elif low[at] == "between" and low[place + 1 : place + 2] == ("and",) and place + 2 < len(low):
            last = number_of(low[place + 2])
            yield value, never if last is None else last, (at, place, place + 1, place + 2)


def or_more(low: Sequence[str], place: int) -> int | None:
    """Where "or" stands in "10 or more" and "10 stops or fewer"; None where no such words are behind a number."""
    for at in (place + 1, place + 2):
        is_or = low[at : at + 1] == ("or",) and low[at + 2 : at + 3] != ("than",)
        if is_or and low[at + 1 : at + 2] and low[at + 1] in MORE_OR_LESS:
            return at
    return None


def stated(table: Table, question: Question, used: set[int]) -> Iterator[tuple[Column, float, tuple[int, ...]]]:
    """The numbers of a question beside the header of a column or its unit: "folder 9", "16 seats", "45 euros"."""
    columns = [one for one in table.columns if one.kind in (NUMBER, MONEY) and one.place]
    low, last = question.low, dict[int, Column]()
    for place, word in enumerate(low):
        value = float(NUMBER_WORDS.index(word)) if word in NUMBER_WORDS else number_of(word) if word[0].isdigit() else None
        if value is not None and place not in used and place - 2 in last and low[place - 1] == "or":
            last[place] = last[place - 2]
            yield last[place], value, (place,)  # "rack 1 or 3"
            continue
        if (
            value is None
            or place in used
            or {*low[max(0, place - 2) : place]} & (ABOVE | BELOW | {"than", "least", "most", "between"})
            or "between" in low[max(0, place - 3) : place]
            or or_more(low, place) is not None
        ):
            continue
        at = place
        while at > 1 and low[at - 1] in LINKING:
            at -= 1
        before, after = low[at - 1 : at], low[place + 1 : place + 2]
        for column in columns:
            calls = [word for word in column.words if len(word) > 2]
            units = column.unit.lower().split()
            if any(is_word(before[0], one) for one in calls if before) or any(
                is_word(after[0], one) for one in [*calls, *units] if after
            ):
                last[place] = column
                yield column, value, (place,)
                break
            is_paid = bool({*before, *after} & CURRENCIES) or (
                len(word) > 1 and any(map(costs_are_asked, question.tokens[at - 1 : at]))
            )
            if is_paid and is_cost(column):
                yield column, value, (place, *((place + 1,) if after and after[0] in CURRENCIES else ()))
                break


def between(low: float, high: float) -> Callable[[float | Moment], bool]:
    """Whether a number is in a range."""
    return lambda value: isinstance(value, float) and low <= value <= high


__all__ = ["ORDERED", "Limit", "limits_of"]

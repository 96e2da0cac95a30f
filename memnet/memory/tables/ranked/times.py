"""Conditions of times: "after 10pm", "at twenty past three", "in the morning", "between 26 and 31 May", "at the weekend"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memnet.memory.clocks import minute_of
from memnet.memory.tables.cells import DATE, Moment
from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.condition import DAY, Condition
from memnet.memory.tables.ranked.days import Day, day_number, days, is_beyond, weekday_of
from memnet.memory.tables.table import Column
from memnet.tasks.text.english import of_class
from memnet.tasks.text.tokens import NUMBER_WORDS

NOON, HOUR, WEEK = 720, 60, 5  # minutes to noon, of an hour; days before a weekend
PARTS_OF_A_DAY = {
    **dict.fromkeys(("morning", "mornings", "forenoon"), (0, NOON)),
    **dict.fromkeys(("afternoon", "afternoons"), (NOON, 18 * HOUR)),
    **dict.fromkeys(("evening", "evenings"), (17 * HOUR, 24 * HOUR)),
    **dict.fromkeys(("night", "nights", "overnight"), (21 * HOUR, 24 * HOUR)),
}
PAST = {"quarter": 15, "half": 30, "twenty": 20, "ten": 10, "five": 5}
WRITTEN = re.compile(r"\d{1,2}[:.]\d\d(?:[ap]m)?|\d{1,2}[ap]m|noon|midday|midnight")
EARLIER = of_class("before until till by earlier sooner")
LATER = of_class("after from since later past")
ENDS = of_class("than at is not the of")
WEEKENDS, WEEKDAYS = of_class("weekend weekends"), of_class("weekday weekdays")
TWELVE = 12
RANGES = {("between", "and"), ("from", "to"), ("from", "until"), ("from", "till")}
SPOKEN, UNSPOKEN = 1.0, 0.7  # strength of a condition of a column that is named, and of another


class Time(NamedTuple):
    """Minutes of a day that a question names, and the places of the words; two where it leaves open which half is meant."""

    minutes: tuple[int, ...]
    places: frozenset[int]


def of_times(asked: Asked) -> Iterator[Condition]:
    """All conditions of times of a day, of ranges of days and of weekends."""
    columns = [one for one in asked.table.columns if one.kind == DATE and one.told]
    yield from of_clocks(asked, columns)
    yield from of_ranges(asked, columns)
    for at, word in enumerate(asked.low):
        if word in WEEKENDS | WEEKDAYS:
            for column in columns:
                rows = [row for row in range(len(column.cells)) if is_weekend(moment(column, row)) == (word in WEEKENDS)]
                if rows:
                    yield Condition(DAY, column, frozenset(rows), frozenset((at,)), strength(asked, column))


def strength(asked: Asked, column: Column) -> float:
    """How much a question speaks of a column."""
    return SPOKEN if asked.heard[column].places else UNSPOKEN


def moment(column: Column, row: int) -> Moment | None:
    """When a cell is."""
    return column.moments[row]


def minute(when: Moment | None) -> int:
    """The minute of the day of a moment; -1 where it has none."""
    if when is None or not (any(when[3:]) or not any(when[:3])):
        return -1
    return HOUR * when[3] + when[4]


def is_weekend(when: Moment | None) -> bool | None:
    """Whether a moment is of a weekend; None where it says no weekday."""
    if when is None or not when[2]:
        return None
    if not when[0] and not when[1]:
        return when[2] > WEEK
    return weekday_of(*when[:3]) > WEEK or (None if not weekday_of(*when[:3]) else False)


def of_clocks(asked: Asked, columns: Sequence[Column]) -> Iterator[Condition]:
    """The rows at, before or after each time of a day that the question names, or in a part of a day."""
    low = asked.low
    for at, word in enumerate(low):
        if word in PARTS_OF_A_DAY:
            first, end = PARTS_OF_A_DAY[word]
            for column in columns:
                yield from within(asked, column, first, end, frozenset((at,)))
    for time in times(low):
        how, used = bound(low, time.places)
        for column in columns:
            for one in time.minutes:
                first, end = {"before": (0, one), "until": (0, one + 1), "after": (one + 1, 1440), "from": (one, 1440)}.get(
                    how, (one, one + 1)
                )
                yield from within(asked, column, first, end, time.places | used)


def within(asked: Asked, column: Column, first: int, end: int, places: frozenset[int]) -> Iterator[Condition]:
    """The rows of a column whose time of day is from one minute to before another."""
    rows = [row for row in range(len(column.cells)) if first <= minute(moment(column, row)) < end]
    if rows:
        yield Condition(DAY, column, frozenset(rows), places, strength(asked, column))


def bound(low: Sequence[str], places: frozenset[int]) -> tuple[str, frozenset[int]]:
    """Whether a time is a bound, by the words before it: "later than", "not before"."""
    at = min(places) - 1
    used = set[int]()
    while at >= 0 and low[at] in ENDS:
        used.add(at)
        at -= 1
    if at < 0 or low[at] not in EARLIER | LATER:
        return "", frozenset()
    word = low[at]
    used = {one for one in used if low[one] == "than"} | {at}
    negated = at > 0 and low[at - 1] in ("not", "no")
    if negated:
        used.add(at - 1)
    if word in EARLIER:
        how = "until" if word in ("until", "till", "by") else "before"
        return ("from" if negated else how), frozenset(used)
    return ("until" if negated else "from" if word in ("from", "since") else "after"), frozenset(used)


def times(low: Sequence[str]) -> list[Time]:
    """The times of a day that a question names.

    >>> [one.minutes for one in times("before 10pm or at twenty past three".split())]
    [(1320,), (200, 920)]
    >>> [one.minutes for one in times("at 16:15 , half past 8 or 9 o'clock".split())]
    [(975,), (510, 1230), (540, 1260)]
    >>> [one.minutes for one in times("from twenty five past eight to midnight".split())]
    [(505, 1225), (0,)]
    """
    found, used = list[Time](), set[int]()
    for at, word in enumerate(low):
        if at in used:
            continue
        one = spoken(low, at) or figures(low, at, word)
        if one is not None:
            found.append(one)
            used |= one.places
    return found


def spoken(low: Sequence[str], at: int) -> Time | None:
    """ "quarter past four", "twenty to nine", "half past eight", "five o'clock"."""
    if low[at] == "twenty" and low[at + 1 : at + 2] and low[at + 1] == "five" and (later := spoken(low, at + 1)) is not None:
        sign = 1 if low[at + 2] == "past" else -1
        return either(later.minutes[0] + sign * PAST["twenty"], later.places | {at})
    if low[at] in PAST and at + 2 < len(low) and low[at + 1] in ("past", "to"):
        hour = hour_of(low[at + 2])
        if hour:
            sign = 1 if low[at + 1] == "past" else -1
            return either(HOUR * hour + sign * PAST[low[at]], frozenset(range(at, at + 3)))
    if at + 1 < len(low) and low[at + 1] in ("o'clock", "oclock", "o’clock") and (hour := hour_of(low[at])):
        return either(HOUR * hour, frozenset((at, at + 1)))
    return None


def hour_of(word: str) -> int:
    """The hour that a word says; 0 for none."""
    number = int(word) if word.isdecimal() else NUMBER_WORDS.index(word) if word in NUMBER_WORDS else 0
    return number if 1 <= number <= TWELVE else 0


def either(minutes: int, places: frozenset[int]) -> Time:
    """A time of which the half of the day is open."""
    first = minutes % NOON
    return Time((first, first + NOON), places)


def figures(low: Sequence[str], at: int, word: str) -> Time | None:
    """ "16:15", "8.30", "10pm", "6:35 pm", "noon"."""
    half = low[at + 1] if at + 1 < len(low) and low[at + 1] in ("am", "pm") else ""
    if not WRITTEN.fullmatch(word) and not (half and word.isdecimal()):
        return None
    told = minute_of(f"{word.replace('.', ':')} {half}".strip() if half else re.sub("([ap]m)$", r" \1", word.replace(".", ":")))
    return None if told is None else Time((told,), frozenset((at, at + 1)) if half else frozenset((at,)))


def of_ranges(asked: Asked, columns: Sequence[Column]) -> Iterator[Condition]:
    """The rows between two days: "between 3 and 9 June", "from March to May"."""
    for first, last, places in ranges(asked.low, days(asked.question)):
        for column in columns:
            rows = [
                row
                for row in range(len(column.cells))
                if is_beyond(column, row, first.of(column), "from") and is_beyond(column, row, last.of(column), "until")
            ]
            if rows:
                yield Condition(DAY, column, frozenset(rows), places, strength(asked, column))


def ranges(low: Sequence[str], every: Sequence[Day]) -> Iterator[tuple[Day, Day, frozenset[int]]]:
    """The first and the last day of each range that a question names, and the places of its words."""
    for last in every:
        at = before(low, min(last.places))
        if at < 1 or low[at] not in ("and", "to", "until", "till"):
            continue
        first = next((one for one in every if at - 1 in one.places or (at in one.places and one is not last)), None)
        begin = min(first.places) if first else at - 1
        number = 0 if first else day_number(low[at - 1])
        opens = before(low, begin)
        if opens < 0 or (low[opens], low[at]) not in RANGES or not (first or number):
            continue
        day = first or Day(0, 0, number, 0, frozenset())
        if last.weekday or day.weekday:
            continue
        whole = bool(day.year) and not day.month and not day.day  # "between 2019 and 2021"
        begins = day if whole else Day(day.year or last.year, day.month or last.month, day.day, 0, frozenset())
        yield begins, last, frozenset(range(opens, max(last.places) + 1))


def before(low: Sequence[str], at: int) -> int:
    """The place before another, small words passed over; -1 where there is none."""
    at -= 1
    while at >= 0 and low[at] in ("the", "of"):
        at -= 1
    return at


__all__ = ["of_times"]

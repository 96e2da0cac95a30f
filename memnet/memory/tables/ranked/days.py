"""The days, months, years and weekdays that a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from memnet.memory.dates import MONTHS
from memnet.memory.tables.cells import DAYS, Moment, date_of
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import Question, Token
from memnet.tasks.text.english import of_class

BEFORE_MAY = frozenset(("in", "during", "of", "the", "this", "last", "since", "until", "before", "after"))
ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?", re.IGNORECASE)
UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TEENS = ("tenth", "eleventh", "twelfth", *(f"{one}teenth" for one in ("thir", "four", "fif", "six", "seven", "eigh", "nine")))
TENTHS = ("twentieth", *(f"twenty-{one}" for one in UNITS), "thirtieth", "thirty-first")
IN_WORDS = {word: day for day, word in enumerate((*UNITS, *TEENS, *TENTHS), 1)}
BEHIND_A_DAY = of_class("of in at with by for from is are was were did do does that which who ?")
A_YEAR = re.compile(r"(?:19|20)\d\d")
WEEKDAYS = {short: number for number, day in enumerate(DAYS, 1) for short in (day, day[:3], day[:4], day[:5])}

MONTHS_OF_A_YEAR = 12
ANY_YEAR = 2001  # of a date without one
LOOKED_AT = 5  # cells by which it is known whether dates have months
EARLIER, LATER = of_class("before until till by"), of_class("after since from")


@dataclass(frozen=True)
class Day:
    """A day, a month, a year or a weekday that a question names; 0 and None for what it leaves open."""

    year: int
    month: int
    day: int
    weekday: int  # from 1 for Monday
    places: frozenset[int]
    in_figures: bool = False  # "03/05/2024", of which the month may stand first

    def of(self, column: Column) -> Day:
        """As a column writes its dates: with the month first where it does."""
        turns = self.in_figures and not column.day_first and self.day <= MONTHS_OF_A_YEAR
        return replace(self, month=self.day, day=self.month) if turns else self

    def fits(self, moment: Moment | None) -> bool:
        """Whether a moment is of it."""
        if moment is None:
            return False
        year, month, day = moment[:3]
        if not year and not month:  # a weekday
            return bool(self.weekday) and day == self.weekday
        if self.weekday and not self.day and day:
            return bool(year) and weekday_of(year, month, day) == self.weekday
        named = ((self.year, year), (self.month, month), (self.day, day))
        return all(not asked or asked == told for asked, told in named)


def weekday_of(year: int, month: int, day: int) -> int:
    """The weekday of a day, from 1 for Monday; 0 of 31 February."""
    try:
        return date(year, month, day).isoweekday()
    except ValueError:
        return 0


def days(question: Question) -> list[Day]:
    """The days that a question names."""
    found, used = list[Day](), set[int]()
    for place, token in enumerate(question.tokens):
        if place in used:
            continue
        at = question.tokens, place
        one = written(token) or slashed(question, place) or of_month(*at) or of_weekday(*at) or of_year(token)
        one = one or of_the_month(*at)
        if one is not None:
            found.append(one)
            used |= one.places
            if (other := beside(question.tokens, one)) is not None:
                found.append(other)
    return found


def beside(tokens: Sequence[Token], one: Day) -> Day | None:
    """The first day of "the 5th or 6 May"."""
    at = min(one.places) - 1
    while at > 0 and tokens[at].low == "the":
        at -= 1
    if not one.day or at < 1 or tokens[at].low not in ("or", "and"):
        return None
    found = ORDINAL.fullmatch(tokens[at - 1].low)
    return None if found is None else Day(one.year, one.month, int(found[1]), 0, frozenset((at - 1, at)))


def written(token: Token) -> Day | None:
    """A date in numbers: 2024-06-03, 03/06/2024."""
    moment = date_of(token.text) if re.fullmatch(r"\d+([-/.])\d+\1\d+", token.text) else None
    return None if moment is None else Day(*moment[:3], 0, frozenset((token.place,)), not re.match(r"\d{4}", token.text))


def slashed(question: Question, place: int) -> Day | None:
    """A date with slashes, of which each number is a word: "11/3", "18/03/2025"."""
    for size in (3, 2):
        parts = [one.text for one in question.tokens[place : place + size]]
        if len(parts) == size and all(map(str.isdecimal, parts)) and "/".join(parts) in question.text:
            moment = date_of("/".join(parts if size == 3 else [*parts, str(ANY_YEAR)]))
            if moment is not None and all(moment[1:3]):
                year = moment[0] if size == 3 else 0
                return Day(year, moment[1], moment[2], 0, frozenset(range(place, place + size)), True)
    return None


def day_number(word: str) -> int:
    """The day of a month that a word says; 0 for none.

    >>> day_number("6th"), day_number("twenty-first"), day_number("sixty")
    (6, 21, 0)
    """
    found = ORDINAL.fullmatch(word)
    return int(found[1]) if found else IN_WORDS.get(word, 0)


def of_the_month(tokens: Sequence[Token], place: int) -> Day | None:
    """A day without a month: "on the sixth", "the 16th?"; none of "the third floor"."""
    word, before = tokens[place].low, tokens[place - 1].low if place else ""
    if before not in ("the", "on") or not day_number(word) or word.isdecimal():
        return None
    behind = tokens[place + 1].low if place + 1 < len(tokens) else "?"
    return Day(0, 0, day_number(word), 0, frozenset((place,))) if behind in BEHIND_A_DAY or not behind[0].isalnum() else None


def of_month(tokens: Sequence[Token], place: int) -> Day | None:
    """A month with the day and the year beside it: "4 June 2024", "June the 4th", "in May"."""
    month = MONTHS.get(tokens[place].low.rstrip("."), 0)
    if not month or (tokens[place].low in ("may", "march", "mar") and tokens[place].text[0].islower() and not place):
        return None
    used, day, year = {place}, 0, 0
    before = next((at for at in range(place - 1, -1, -1) if tokens[at].low not in ("of", "the")), -1)
    if before >= 0 and day_number(tokens[before].low):
        day = day_number(tokens[before].low)
        used |= {*range(before, place)}
        if before and tokens[before - 1].low.rstrip(".") in WEEKDAYS:
            used.add(before - 1)
    after = place + 1 + (tokens[place + 1 : place + 2] != () and tokens[place + 1 : place + 2][0].low == "the")
    if not day and after < len(tokens) and day_number(tokens[after].low):
        day = day_number(tokens[after].low)
        used |= {*range(place, after + 1)}
    rest = max(used) + 1
    rest += rest < len(tokens) and tokens[rest].low == ","
    if rest < len(tokens) and A_YEAR.fullmatch(tokens[rest].text):
        year = int(tokens[rest].text)
        used |= {rest}
    if tokens[place].low == "may" and not day and not year and (not place or tokens[place - 1].low not in BEFORE_MAY):
        return None
    return Day(year, month, day, 0, frozenset(used))


def of_weekday(tokens: Sequence[Token], place: int) -> Day | None:
    """A weekday, with the day of the month where it is said: "Sunday 16th", "Friday the 7th"."""
    weekday = WEEKDAYS.get(
        tokens[place].low.rstrip(".").removesuffix("s") if len(tokens[place].low) > 4 else tokens[place].low, 0
    )
    if not weekday:
        return None
    after = place + 1 + (place + 1 < len(tokens) and tokens[place + 1].low == "the")
    found = ORDINAL.fullmatch(tokens[after].low) if after < len(tokens) else None
    if found is None:
        return Day(0, 0, 0, weekday, frozenset((place,)))
    month = of_month(tokens, after + 1) if after + 1 < len(tokens) and tokens[after + 1].low.rstrip(".") in MONTHS else None
    used = {*range(place, after + 1)}
    return Day(
        month.year if month else 0,
        month.month if month else 0,
        int(found[1]),
        weekday,
        frozenset(used | (month.places if month else set())),
    )


def of_year(token: Token) -> Day | None:
    """A year."""
    return Day(int(token.text), 0, 0, 0, frozenset((token.place,))) if A_YEAR.fullmatch(token.text) else None


def has_months(column: Column) -> bool:
    """Whether dates of a column have months."""
    moments = (date_of(cell, column.day_first) for cell in column.distinct[:LOOKED_AT])
    return any(moment is not None and moment[1] for moment in moments)


def is_beyond(column: Column, row: int, day: Day, how: str) -> bool:
    """Whether a cell is before or after a day."""
    moment = column.moments[row]
    if moment is None or any(one and not other for one, other in zip((day.year, day.month, day.day), moment[:3], strict=True)):
        return False
    both = [(one, other) for one, other in zip((day.year, day.month, day.day), moment[:3], strict=True) if one]
    wanted, told = [one for one, _ in both], [other for _, other in both]
    if how in EARLIER:
        return told < wanted or (how in ("until", "by", "till") and told == wanted)
    return told > wanted or (how in ("since", "from") and told == wanted)

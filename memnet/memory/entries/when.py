"""Dates and times at the beginning of a line: found, taken off, and written as ISO 8601 where they are clear."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NAMED = frozenset((*MONTHS, "mon", "tue", "wed", "thu", "fri", "sat", "sun"))
MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
MONTH += r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[.,]?\s+)?"
NAME = re.compile(MONTH + r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b", re.IGNORECASE)
DAY, YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})(?!\d)"
CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<part>\d{1,9}))?)?(?!\d)"
CLOCK += r"(?:[\s\u202f]?(?P<half>[ap])\.?m\b\.?)?"
SHORT_CLOCK = re.compile(r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d))?(?!\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?", re.IGNORECASE)
ZONE = r"(?:\s?(?P<zone>Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d\b))?"
FORMS = {  # of dates, by what they begin with: a digit, or a letter
    True: (
        rf"{YEAR}[-/.](?P<month>\d{{1,2}})[-/.]{DAY}(?!\d)",
        r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)(?!\d)",
        rf"{DAY}(?:\s+of\s+|[\s/-]+){MONTH},?[\s/-]+{YEAR}",
        rf"{DAY}-{MONTH}-(?P<year>\d\d)(?!\d)",
        r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)(?=T\d{6}|\s+\d\d:)",
    ),
    False: (
        rf"{WEEKDAY}{MONTH}\s+{DAY},?\s+{YEAR}",
        rf"{WEEKDAY}{MONTH}\s+{DAY}\s+{CLOCK}\s+(?:(?P<zone>UTC|GMT)\s+|[A-Z]{{3,4}}\s+)?{YEAR}",
        rf"{WEEKDAY}{MONTH}\s+{DAY}(?=,?\s+\d{{1,2}}:\d\d)",
        rf"{WEEKDAY}{DAY}(?:\s+of)?\s+{MONTH},?\s+{YEAR}",
        rf"{WEEKDAY}(?P<first>\d{{1,2}})(?P<mark>[-/.])(?P<second>\d{{1,2}})(?P=mark)(?P<year>\d{{4}}|\d\d)(?!\d)",
        rf"{WEEKDAY}{YEAR}[-/.](?P<month>\d{{1,2}})[-/.]{DAY}(?!\d)",
    ),
}
SHORT_DATES = tuple(  # without a year, as in a diary; of numbers alone with two digits each, a full stop or a time behind them
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{WEEKDAY}{DAY}(?:\s+of\s+|[\s-]+){MONTH}",
        rf"{WEEKDAY}{MONTH}\s+{DAY}(?!\d)",
        rf"{WEEKDAY}(?P<first>\d\d)(?P<mark>/)(?P<second>\d\d)(?![\d/])",
        rf"{WEEKDAY}(?P<first>\d{{1,2}})(?P<mark>\.)(?P<second>\d{{1,2}})\.(?!\d)",
        rf"{WEEKDAY}(?P<first>\d{{1,2}})(?P<mark>[/.])(?P<second>\d{{1,2}})(?=,?\s+\d{{1,2}}[:.]\d\d\b)",
    )
)
DAY_OF_WEEK = re.compile(
    r"(?:mon|tue|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:s?day)?\b\.?(?=,?\s+\d{1,2}[:.]\d\d\b|:\s|$)", re.IGNORECASE
)
DATES = {kind: tuple(re.compile(form, re.IGNORECASE) for form in forms) for kind, forms in FORMS.items()}
TIME = re.compile(CLOCK + ZONE, re.IGNORECASE)
BASIC_TIME = re.compile(r"T(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)(?:[.,](?P<part>\d{1,9}))?(?P<half>(?!))?" + ZONE)
EPOCH = re.compile(r"(?P<seconds>1\d{9})(?:\.(?P<part>\d{1,9})|(?P<thousandths>\d{3}))?(?=[\s\])>|,;:]|$)")
OPEN = re.compile(r"[\s\u200e\ufeff]*[\[(<]?\s*")
BEFORE_TIME = re.compile(r",?\s*(?:T|:|at\s+|-\s+)?", re.IGNORECASE)
BEFORE_DATE = re.compile(r",?\s+(?:on\s+)?", re.IGNORECASE)
AFTER = re.compile(r"\s*[\])>]+(?:\s*[|,;:–—-](?=\s|$))?\s*|\s*[|,;:–—-](?:\s+|$)|\s+|$")


class Stamp(NamedTuple):
    """What stands at a line's beginning; numbers of a date of two small numbers are in the order in which they stand."""

    text: str  # what stood there
    end: int  # where the rest of the line begins
    year: int | None = None
    month: int | None = None
    day: int | None = None
    clock: str = ""  # ISO 8601, with its zone
    mark: str = ""  # between two numbers of which one is the day and one the month


def clock(match: re.Match[str]) -> str | None:
    """A time as ISO 8601; None where there is no such time."""
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (match["half"].lower() == "p")
    if hour > 23 or minute > 59 or second > 60:
        return None
    zone = match["zone"] or ""
    zone = "+00:00" if zone.upper() in ("Z", "UTC", "GMT") else zone if ":" in zone or not zone else f"{zone[:3]}:{zone[3:]}"
    part = f".{match['part']}" if match["part"] else ""
    return f"{hour:02}:{minute:02}" + (f":{second:02}{part}" if match["second"] else "") + zone


def found_date(line: str, start: int) -> re.Match[str] | None:
    """The date that begins there."""
    for form in DATES[line[start : start + 1].isdigit()]:
        if match := form.match(line, start):
            return match
    return None


def stamp(line: str) -> Stamp | None:
    """The date or the time, or both, at the beginning of a line; None where there is none."""
    if line[:1].isalpha() and (line[:3].lower() not in NAMED or not NAME.match(line)):  # as most do
        return None
    start = OPEN.match(line).end()  # type: ignore[union-attr]
    if not line[start : start + 1].isdigit() and line[start : start + 3].lower() not in NAMED:
        return None
    if epoch := EPOCH.match(line, start):
        return of_epoch(line, epoch)
    time, day = TIME.match(line, start), None
    if time:
        day = found_date(line, BEFORE_DATE.match(line, time.end()).end()) if BEFORE_DATE.match(line, time.end()) else None  # type: ignore[union-attr]
        end = day.end() if day else time.end()
    else:
        day = found_date(line, start)
        if day is None:
            return None
        time = day if "hour" in day.groupdict() else BASIC_TIME.match(line, day.end())
        time = time or TIME.match(line, BEFORE_TIME.match(line, day.end()).end())  # type: ignore[union-attr]
        end = max(day.end(), time.end() if time else 0)
    after = AFTER.match(line, end)
    at = clock(time) if time else ""
    if after is None or at is None:
        return None
    text = " ".join(line[start:end].split())
    if day is None:
        return Stamp(text, after.end(), clock=at)
    dated = numbers(day)
    return dated and Stamp(text, after.end(), dated[0], dated[1], dated[2], at, dated[3])


def short_stamp(line: str) -> Stamp | None:
    """The same of what has no year, or of a weekday: "2 Mar 10:52", "Fri 1 March:", "03/05", "Mon 14:00".

    >>> short_stamp("2 Mar 10:52 Ann came.").text, short_stamp("2 pumps came."), short_stamp("Mon 9.15 Ann came.").clock
    ('2 Mar 10:52', None, '09:15')
    """
    start = OPEN.match(line).end()  # type: ignore[union-attr]
    day = next((match for form in SHORT_DATES if (match := form.match(line, start))), None)
    first = day or DAY_OF_WEEK.match(line, start)
    found = numbers(day) if day is not None else None
    if first is None or (day is not None and found is None) or (day is not None and day.groupdict().get("month") == "may"):
        return None  # "12 may come"
    time = SHORT_CLOCK.match(line, BEFORE_TIME.match(line, first.end()).end())  # type: ignore[union-attr]
    if time is not None and not time["minute"] and not time["half"]:
        time = None  # a number of something else
    end = time.end() if time else first.end()
    at, after = short_clock(time) if time else "", AFTER.match(line, end)
    if after is None or at is None:
        return None
    text = " ".join(line[start:end].split())
    return Stamp(text, after.end(), None, found[1], found[2], at, found[3]) if found else Stamp(text, after.end(), clock=at)


def short_clock(match: re.Match[str]) -> str | None:
    """A time such as "9.15" or "9 am" as ISO 8601; None where there is no such time."""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"].lower() == "p") if 1 <= hour <= 12 else 24
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else None


def numbers(match: re.Match[str]) -> tuple[int | None, int, int, str] | None:
    """Year, month, day of a date, and the mark between day and month where it is not clear which is which."""
    found = match.groupdict()
    year = int(found["year"]) if found.get("year") else None
    if year is not None and len(found["year"]) == 2:
        year += 2000 if year < 70 else 1900
    if found.get("mark"):
        first, second = int(found["first"]), int(found["second"])
        if not (1 <= first <= 31 and 1 <= second <= 31 and min(first, second) <= 12):
            return None
        return year, first, second, found["mark"]
    month = found["month"]
    number = int(month) if month.isdigit() else MONTHS.index(month[:3].lower()) + 1
    return (year, number, int(found["day"]), "") if is_day(year or 2000, number, int(found["day"])) else None


def is_day(year: int, month: int, day: int) -> bool:
    """Whether there is such a day."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def of_epoch(line: str, match: re.Match[str]) -> Stamp | None:
    """Seconds or thousandths since 1970, in UTC."""
    after = AFTER.match(line, match.end())
    if after is None:
        return None
    at = datetime.fromtimestamp(int(match["seconds"]), UTC)
    part = match["part"] or match["thousandths"]
    return Stamp(match[0], after.end(), at.year, at.month, at.day, f"{at:%H:%M:%S}{'.' + part if part else ''}+00:00")


def days(date: tuple[int, int, int]) -> int:
    """About how many days a year, a month and a day are after the year 0.

    >>> days((2024, 3, 5)) - days((2024, 3, 4)), days((2024, 5, 3)) - days((2024, 4, 3))
    (1, 31)
    """
    year, month, day = date
    return (12 * year + month) * 31 + day


class Order:
    """Whether the day comes first in dates such as 03/04/2024.

    It is known by days above 12, then by which order goes forward in time, then by which has less time between its dates.
    """

    def __init__(self, day_first: bool | None = None) -> None:
        self.given, self.over, self.backward, self.between, self.seen = day_first, [0, 0], [0, 0], [0, 0], 0
        self.last: list[tuple[int, int, int] | None] = [None, None]
        self.mark = self.example = ""  # of the last one

    def learn(self, found: Stamp) -> None:
        """Count what a date says of it."""
        if not found.mark or found.month is None or found.day is None:
            return
        self.seen, self.mark, self.example = self.seen + 1, found.mark, found.text
        self.over[0] += found.month > 12
        self.over[1] += found.day > 12
        for place, (month, day) in enumerate(((found.day, found.month), (found.month, found.day))):
            now, last = (found.year or 0, month, day), self.last[place]
            if last is not None:
                self.backward[place] += now < last
                self.between[place] += abs(days(now) - days(last))
            self.last[place] = now

    def day_first(self, mark: str) -> bool:
        """The decision for dates with this mark between their numbers; where nothing says it, the day before full stops."""
        if self.given is not None:
            return self.given
        if self.over[0] != self.over[1]:
            return self.over[0] > self.over[1]
        if self.backward[0] != self.backward[1]:
            return self.backward[0] < self.backward[1]
        if self.between[0] != self.between[1]:
            return self.between[0] < self.between[1]
        return mark == "."

    @property
    def clear(self) -> bool:
        """Whether the dates seen leave no doubt."""
        return self.given is not None or not self.seen or (self.over[0] > 0) != (self.over[1] > 0)


class Clock:
    """Makes times of stamps: what a stamp lacks is that of the date before it, or of the time of what has none."""

    def __init__(self, order: Order, when: str | None = None) -> None:
        self.order, self.current = order, when  # the time of what has none: the given one, or that of a heading before it
        self.date: date | None = None  # of what has a time alone
        known = stamp(when) if when else None
        self.date = self.day_of(known) if known else None

    def day_of(self, found: Stamp) -> date | None:
        """The day of a stamp; None where it lacks one, or a year that nothing says."""
        if found.month is None or found.day is None:
            return None
        month, day = found.month, found.day
        if found.mark and (month > 12 or (self.order.day_first(found.mark) and day <= 12)):
            month, day = day, month
        year = found.year
        if year is None:
            if (known := self.date) is None:
                return None
            year = known.year + (month == 1 and known.month == 12)
        return date(year, month, day) if is_day(year, month, day) else None

    def heading(self, found: Stamp, length: int) -> bool:
        """Whether a line of this length is a date and nothing else; what follows then has its time."""
        if found.end < length or found.month is None:
            return False
        self.date = self.day_of(found) or self.date
        self.current = self.when(found)
        return True

    def when(self, found: Stamp) -> str:
        """ISO 8601, or what stood there where a part of the date is not known."""
        day = self.day_of(found)
        named = found.text[:1].isalpha()  # a weekday alone is of a date that nothing says
        if found.month is None and not named:
            day = self.date
        elif day is not None and self.date is not None and found.year is None:
            self.date = day  # the next year begins behind December
        if day is None:
            return found.text if found.month is not None or named else found.clock
        return f"{day.isoformat()}T{found.clock}" if found.clock else day.isoformat()


def iso_of(value: object, clock_of: Clock) -> str | None:
    """The time of a record's field: a text, or seconds since 1970; what stood there where it is not clear."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        seconds = value / 1000 if value > 1e11 else value
        try:
            return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).isoformat().removesuffix("+00:00") + "+00:00"
        except (OverflowError, ValueError):
            return str(value)
    text = " ".join(str(value).split())
    found = stamp(text)
    return (clock_of.when(found) if found and found.end >= len(text) else text) or None

"""The date of a question: "Who had it on 4 March?" asks what was so then, "Who fixed it on 4 March?" for a deed of that day.

A weekday is the latest up to the memory's last sentence: "Who fixed it on Monday?". Of the present it names none: "Who is in on
Monday?". A time of day without a date is of any day (:mod:`~memnet.memory.clocks`).
"""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from memnet.memory.clocks import AT, OF_DAY, WHOLE_DAY, Clock, clocked, is_of_the_past, minute_of, without
from memnet.tasks.text.english import AUXILIARIES, PREPOSITIONS, QUESTION_WORDS, of_class

MONTHS = {
    **{name.lower(): number for number, name in enumerate(calendar.month_name) if name},
    **{name.lower(): number for number, name in enumerate(calendar.month_abbr) if name},
    "sept": 9,
}
MONTH, DAY = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?", r"(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
NOW = {"was": "is", "were": "are", "had": "has"}
PAST = re.compile(r"^\s*(where|who|what)\s+(was|were|had)\b", re.IGNORECASE)
WEEKDAYS = {
    **{name.lower(): number for number, name in enumerate(calendar.day_name)},
    **{name.lower(): number for number, name in enumerate(calendar.day_abbr)},
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
WEEKDAY = rf"(?:{'|'.join(sorted(WEEKDAYS, key=len, reverse=True))})\b"
A_WEEKDAY = re.compile(WEEKDAY, re.IGNORECASE)
HOW = r"(?P<how>on|before|until|till|by|since|after)"
TIME = rf"(?:\s+(?P<part>morning|afternoon|evening)|(?:,?[\sT]+(?:at\s+)?(?P<clock>{AT}))?)(?=[\s,?!.]|$)(?!\s+night)"
A_DATE = re.compile(
    rf"(?:^|(?<!\s)\s+){HOW}\s+(?:the\s+)?(?:{WEEKDAY}\.?,?\s+)?(?:the\s+)?(?:(?P<iso>\d{{4}}-\d\d-\d\d)"
    rf"|(?P<dots>\d{{1,2}}\.\d{{1,2}}\.)|(?P<slashes>\d{{1,2}}/\d{{1,2}}/\d{{4}})|{DAY.format('day')}\s+(?:of\s+)?(?P<month>{MONTH})"
    rf"|(?P<first>{MONTH})\s+{DAY.format('number')})(?:(?:,?\s+|(?<=\.))(?P<year>\d{{4}}))?"
    rf"{TIME}",
    re.IGNORECASE,
)
BETWEEN = re.compile(  # "from 3 to 9 February", "between 28 Jan and 2 Feb 2025"
    rf"(?:^|(?<!\s)\s+)(?:from|between)\s+(?:the\s+)?(?:(?P<iso>\d{{4}}-\d\d-\d\d)|{DAY.format('day')}(?:\s+(?:of\s+)?(?P<month>{MONTH}))?)"
    rf"\s+(?:and|to|till|until|through)\s+(?:the\s+)?(?:(?P<last_iso>\d{{4}}-\d\d-\d\d)"
    rf"|{DAY.format('last_day')}\s+(?:of\s+)?(?P<last_month>{MONTH})(?:,?\s+(?P<year>\d{{4}}))?)(?=[\s,?!.]|$)",
    re.IGNORECASE,
)
ON_A_WEEKDAY = re.compile(
    rf"(?:^|(?<!\s)\s+)(?:{HOW}\s+(?:(?:the\s+)?(?:last|past)\s+|this\s+)?|(?:(?:the\s+)?(?:last|past)|this)\s+)"
    rf"(?P<weekday>{WEEKDAY}\.?){TIME}",
    re.IGNORECASE,
)
YEAR = r"(?P<year>(?:19|20)\d\d)"
IN_A_MONTH = re.compile(
    rf"(?:^|(?<!\s)\s+)(?:(?P<how>before|since|after|until|till|by)\s+(?:the\s+end\s+of\s+)?(?:(?P<of>{MONTH}),?\s+)?{YEAR}"
    rf"|(?:in|during)\s+(?:(?P<month>{MONTH})(?:,?\s+(?P<in_year>\d{{4}}))?|(?P<whole>(?:19|20)\d\d)))(?=[\s,?!.]|$)",
    re.IGNORECASE,
)
BEHIND = QUESTION_WORDS | AUXILIARIES | (PREPOSITIONS - of_class("to")) | of_class("on of with by for about")  # a weekday
MOST_YEARS = 1  # before the year of the memory's last sentence in which a day without a year may be


class Dated(NamedTuple):
    """A question without its date, also as asked of that time, and the day or the time from which and until which it asks."""

    question: str
    then: str
    since: str | None
    until: str | None
    day: str | None = None  # that it asks of; None where it asks of more
    clock: Clock | None = None  # the time of day, of any day
    name: str = ""  # of the weekday or the month
    month: str = ""  # "February 2026"

    def words(self) -> list[str]:
        """The words for its time that an entry may have as they are: a weekday or a month, the hour of a time of day."""
        return [self.name] if self.name else [self.clock.words.split()[-1].lower()] if self.clock else []

    def said(self) -> str:
        """The day, the month or the time of day, as a refusal says it: "of 2026-03-04 before noon"; empty where it is none."""
        day = f"of {self.day}" if self.day else f"in {self.month}" if self.month else ""
        return " ".join(filter(None, (day, self.clock.words if self.clock else "")))

    def until_then(self, last: date | None) -> str | None:
        """Until when counts what it says of a state; of a time of day without a date, that of the ``last`` day."""
        day = self.day or (self.until or "")[:10] or ("" if last is None or self.since else last.isoformat())
        return self.clock.last_of(day) if self.clock and day else self.until


def dated(question: str, last: date | None, has_clocks: bool = False, has_weekdays: bool = False) -> Dated | None:
    """A question and the date that it names; None where it names none. A day without a year is the latest up to ``last``.

    A time of day without a date is one only where entries have such, as ``has_clocks`` says. Where they have weekdays and no
    dates, as ``has_weekdays`` says, a weekday is every such day.

    >>> dated("Where was pump 7 on 4 March at noon?", date(2026, 3, 9))[1:5]
    ('Where is pump 7?', '2026-03-04', '2026-03-04T12:00', '2026-03-04')
    >>> dated("Who had it before 2026-03-04?", date(2026, 3, 9))[1:4], dated("Who left after 30 Dec?", date(2026, 1, 9))[2:4]
    (('Who has it?', None, '2026-03-03T23:59:59'), ('2025-12-31', None))
    >>> dated("Where is pump 7?", date(2026, 3, 9)), dated("Where was it on 31 February?", date(2026, 3, 9))
    (None, None)
    >>> dated("Who fixed it on Monday?", date(2026, 3, 11))[2:5], dated("Who is in on Monday?", date(2026, 3, 11))
    (('2026-03-09', '2026-03-09', '2026-03-09'), None)
    >>> dated("On Monday morning, who came?", date(2026, 3, 9))[:4:3], dated("Who came before noon?", None, True)[0]
    (('Who came?', '2026-03-09T11:59:59'), 'Who came?')
    >>> dated("Who had it in February?", date(2026, 3, 9))[1:4], dated("When does it end in May?", date(2026, 3, 9))
    (('Who has it?', '2026-02-01', '2026-02-28'), None)
    >>> dated("How many came from 3 to 9 February?", date(2026, 3, 9))[:4:2], dated("Who came on 3/2/2026?", date.max)[2]
    (('How many came?', '2026-02-03'), '2026-02-03')
    >>> dated("Who came in 2024?", date(2026, 3, 9))[2:4], dated("Where was it before May 2024?", date(2026, 3, 9))[2:4]
    (('2024-01-01', '2024-12-31'), (None, '2024-04-30'))
    """
    clock = clocked(question) if has_clocks and is_of_the_past(question) else None
    asked, of_day = clock or (question, None)
    if last is not None and (span := BETWEEN.search(asked)) and (days := days_between(span, last)):
        asked = without(asked, span)
        return Dated(asked, as_of_then(asked), days[0].isoformat(), days[1].isoformat(), None, of_day)
    found = next(reversed([*A_DATE.finditer(asked)]), None) or weekday_in(asked)
    if found is None and last is not None and (month := next(IN_A_MONTH.finditer(asked), None)):
        without_it = without(asked, month)
        if is_of_the_past(without_it):
            return Dated(without_it, as_of_then(without_it), *span_of_month(month, last), None, of_day, *names_of(month, last))
    if found is None or last is None:
        if found is not None and has_weekdays and (of_days := on_weekdays(found, of_day)) is not None:
            asked, of_day = without(asked, found), of_days
        return Dated(asked, as_of_then(asked), None, None, None, of_day) if of_day else None
    minute = None if found["clock"] is None else minute_of(found["clock"])
    day, how = day_of(found, last), (found["how"] or "on").lower()
    if day is None or (found["clock"] and minute is None):
        return None
    at, part = None if minute is None else time(*divmod(minute, 60)), (found["part"] or "").lower()
    since, until = span_of(how, day, at, OF_DAY[part] if part else None)
    weekday = found.groupdict().get("weekday") or ""
    asked = without(asked, found)
    only = day.isoformat() if how == "on" else None
    return Dated(asked, as_of_then(asked), since, until, only, of_day, weekday.lower().rstrip("."))


def on_weekdays(found: re.Match[str], of_day: Clock | None) -> Clock | None:
    """The weekday that was found, of any week, with its time of day; None of a date, and of what is before or after it."""
    weekday, minute = found.groupdict().get("weekday"), minute_of(found["clock"]) if found["clock"] else None
    if not weekday or (found["how"] or "on").lower() != "on":
        return None
    span = OF_DAY[found["part"].lower()] if found["part"] else WHOLE_DAY if minute is None else (0, minute + 1)
    first, end = span if of_day is None else of_day[:2]
    return Clock(first, end, found[0].strip(), WEEKDAYS[weekday.lower().rstrip(".")])


def span_of(how: str, day: date, at: time | None, part: tuple[int, int] | None) -> tuple[str | None, str | None]:
    """From when and until when a question asks that names a day, with a time or a ``part`` of it, from a minute to another."""
    end = day.isoformat() if at is None else f"{day}T{at:%H:%M}"
    first = datetime.combine(day, at or time())
    if part is not None:
        first, end = first + timedelta(minutes=part[0]), Clock(*part).last_of(day.isoformat())
    begin = day.isoformat() if part is None else f"{first:%Y-%m-%dT%H:%M}"
    behind = (day + timedelta(days=1)).isoformat() if at is None and part is None else end
    spans = {
        "on": (begin, end),
        "before": (None, (first - timedelta(seconds=1)).isoformat()),
        "since": (end if part is None else begin, None),
        "after": (behind, None),
    }
    return spans.get(how, (None, end))


def as_of_then(question: str) -> str:
    """A question as it is asked of the time that it names."""
    return PAST.sub(lambda verb: f"{verb[1]} {NOW[verb[2].lower()]}", question)


def weekday_in(question: str) -> re.Match[str] | None:
    """The last weekday of a question of the past, which names one day; None where there is none, or it is of something else.

    >>> [weekday_in(text) is None for text in ("Who came on Monday?", "Who came on Sat or on Sunday?", "Who had Monday duty?")]
    [False, True, True]
    """
    found = next(reversed([*ON_A_WEEKDAY.finditer(question)]), None)
    if found is None or len(A_WEEKDAY.findall(question)) > 1 or not is_of_the_past(question):
        return None
    after, is_short = question[found.end() :].split(), len(found["weekday"].rstrip(".")) < len("Friday")
    word = after[0].lower().strip(",?!.") if after else ""
    if is_short and not found["weekday"][0].isupper():  # "after sun"
        return None
    return found if not word or word in BEHIND or question[found.end()] == "," else None


def month_of(found: re.Match[str], last: date) -> tuple[int | None, int]:
    """The month that was found, None for a whole year, and its year; without one the latest year in which it began."""
    name, year = found["month"] or found["of"], found["year"] or found["in_year"] or found["whole"]
    month = MONTHS[name.lower().rstrip(".")] if name else None
    return month, int(year or last.year - ((month or 1) > last.month))


def span_of_month(found: re.Match[str], last: date) -> tuple[str | None, str | None]:
    """From when and until when a question asks that names a month or a year, in ISO 8601."""
    month, year = month_of(found, last)
    first = date(year, month or 1, 1)
    end = date(year, month or 12, calendar.monthrange(year, month or 12)[1])
    spans = {
        "": (first.isoformat(), end.isoformat()),
        "before": (None, (first - timedelta(days=1)).isoformat()),
        "since": (first.isoformat(), None),
        "after": ((end + timedelta(days=1)).isoformat(), None),
    }
    return spans.get((found["how"] or "").lower(), (None, end.isoformat()))


def names_of(found: re.Match[str], last: date) -> tuple[str, str]:
    """The word that an entry may have for a month or a year, and how a refusal says it: "february", "February 2026"."""
    month, year = month_of(found, last)
    name = found["month"] or found["of"] or str(year)
    return name.lower().rstrip("."), str(year) if month is None else f"{date(year, month, 1):%B %Y}"


def days_between(found: re.Match[str], last: date) -> tuple[date, date] | None:
    """The first and the last day of a span that was found, the last without a year the latest up to ``last``; None of none.

    >>> days_between(BETWEEN.search("Who came between 28 Dec and 2 Jan?"), date(2026, 3, 9))
    (datetime.date(2025, 12, 28), datetime.date(2026, 1, 2))
    """
    try:
        if found["last_iso"]:
            end = date.fromisoformat(found["last_iso"])
        else:
            of_month = MONTHS[found["last_month"].lower().rstrip(".")], int(found["last_day"])
            years = [int(found["year"])] if found["year"] else [last.year - back for back in range(MOST_YEARS + 1)]
            end = next((day for year in years if (day := date(year, *of_month)) <= last), date(years[-1], *of_month))
        if found["iso"]:
            first = date.fromisoformat(found["iso"])
        else:
            month = MONTHS[found["month"].lower().rstrip(".")] if found["month"] else end.month
            first = date(end.year - ((month, int(found["day"])) > (end.month, end.day)), month, int(found["day"]))
    except ValueError:
        return None
    return (first, end) if first <= end else None


def day_of(found: re.Match[str], last: date) -> date | None:
    """The day that was found; None where there is no such day."""
    if weekday := found.groupdict().get("weekday"):
        return last - timedelta(days=(last.weekday() - WEEKDAYS[weekday.lower().rstrip(".")]) % 7)
    if found["iso"]:
        number, month, year = int(found["iso"][8:]), int(found["iso"][5:7]), found["iso"][:4]
    elif found["slashes"]:  # the day first, unless there is no such month
        number, month, year = map(int, found["slashes"].split("/"))
        number, month = (number, month) if month <= len(calendar.month_name) - 1 else (month, number)
    elif found["dots"]:
        number, month, year = *map(int, found["dots"].split(".")[:2]), found["year"]
    else:
        name = (found["month"] or found["first"]).lower().rstrip(".")
        number, month, year = int(found["day"] or found["number"]), MONTHS[name], found["year"]
    try:
        if year:
            return date(int(year), month, number)
        return next((day for back in range(MOST_YEARS + 1) if (day := date(last.year - back, month, number)) <= last), None)
    except ValueError:
        return None

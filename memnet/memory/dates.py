"""The date of a question: "Who had it on 4 March?" asks what was so then, "Who fixed it on 4 March?" for a deed of that day."""

from __future__ import annotations

import calendar
import re
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

MONTHS = {
    **{name.lower(): number for number, name in enumerate(calendar.month_name) if name},
    **{name.lower(): number for number, name in enumerate(calendar.month_abbr) if name},
    "sept": 9,
}
MONTH, DAY = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?", r"(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
NOW = {"was": "is", "were": "are", "had": "has"}
PAST = re.compile(r"^\s*(where|who|what)\s+(was|were|had)\b", re.IGNORECASE)
A_DATE = re.compile(
    r"(?:^|(?<!\s)\s+)(?P<how>on|before|until|by|since|after)\s+(?:the\s+)?(?:(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?P<dots>\d{{1,2}}\.\d{{1,2}}\.)|{DAY.format('day')}\s+(?:of\s+)?(?P<month>{MONTH})"
    rf"|(?P<first>{MONTH})\s+{DAY.format('number')})(?:(?:,?\s+|(?<=\.))(?P<year>\d{{4}}))?"
    r"(?:,?[\sT]+(?:at\s+)?(?P<clock>noon|midnight|\d{1,2}:\d\d))?(?=[\s,?!.]|$)",
    re.IGNORECASE,
)
MOST_YEARS = 1  # before the year of the memory's last sentence in which a day without a year may be


class Dated(NamedTuple):
    """A question without its date, also as asked of that time, and the day or the time from which and until which it asks."""

    question: str
    then: str
    since: str | None
    until: str | None

    @property
    def day(self) -> str | None:
        """The day that it asks of; None where it asks of more."""
        return self.since if self.until else None


def dated(question: str, last: date) -> Dated | None:
    """A question and the date that it names; None where it names none. A day without a year is the latest up to ``last``.

    >>> dated("Where was pump 7 on 4 March at noon?", date(2026, 3, 9))[1:]
    ('Where is pump 7?', '2026-03-04', '2026-03-04T12:00')
    >>> dated("Who had it before 2026-03-04?", date(2026, 3, 9))[1:], dated("Who fixed it after 30 Dec?", date(2026, 1, 9))[2:]
    (('Who has it?', None, '2026-03-03T23:59:59'), ('2025-12-31', None))
    >>> dated("Where is pump 7?", date(2026, 3, 9)), dated("Where was it on 31 February?", date(2026, 3, 9))
    (None, None)
    """
    found = next(reversed([*A_DATE.finditer(question)]), None)
    if found is None:
        return None
    clock = {"noon": "12:00", "midnight": "00:00", None: None}.get(found["clock"], found["clock"])
    day, how = day_of(found, last), found["how"].lower()
    try:
        at = None if clock is None else time.fromisoformat(clock.zfill(5))
    except ValueError:
        return None
    if day is None:
        return None
    end = day.isoformat() if at is None else f"{day}T{at:%H:%M}"
    since, until = {
        "on": (day.isoformat(), end),
        "before": (None, (datetime.combine(day, at or time()) - timedelta(seconds=1)).isoformat()),
        "since": (end, None),
        "after": ((day + timedelta(days=at is None)).isoformat() if at is None else end, None),
    }.get(how, (None, end))
    rest = question[found.end() :].rstrip(" ?").lstrip(", ")
    asked = f"{question[: found.start()].rstrip(' ,')} {rest}".strip()
    asked = f"{asked[:1].upper()}{asked[1:]}?"
    return Dated(asked, PAST.sub(lambda verb: f"{verb[1]} {NOW[verb[2].lower()]}", asked), since, until)


def day_of(found: re.Match[str], last: date) -> date | None:
    """The day that was found; None where there is no such day."""
    if found["iso"]:
        number, month, year = int(found["iso"][8:]), int(found["iso"][5:7]), found["iso"][:4]
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

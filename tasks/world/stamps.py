"""When each entry of a log book was written, told before it: "16 February: heat gun -> Tomasz"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from random import Random

from ..text.days import ASKS_WHEN, day_and_month
from .slots import UNTOLD, Template

YEARS, DAYS_APART = (2015, 2030), (0, 1, 1, 1, 2, 3, 5)
STYLES: tuple[Callable[[date], str], ...] = (
    day_and_month,
    day_and_month,
    day_and_month,
    lambda day: f"{day:%B} {day.day}",
    lambda day: day.isoformat(),
    lambda day: f"{day:%d/%m}",
    lambda day: f"{day:%a} {day.day} {day:%b}",
)


def stamps(random: Random) -> Iterator[str]:
    """The days of the entries of one book in one style, without end."""
    style = random.choice(STYLES)
    day = date(random.randint(*YEARS), 1, 1) + timedelta(random.randrange(365))
    while True:
        yield style(day)
        day += timedelta(random.choice(DAYS_APART))


def stamped(template: Template, random: Random) -> Template:
    """A written log book with a day before each entry, without the questions that this would answer."""
    days = stamps(random)
    lines = []
    for line in template.lines:
        if line.answer is None:
            lines.append(replace(line, text=f"{next(days)}: {line.text}"))
        elif line.answer != UNTOLD or not ASKS_WHEN.search(line.text):
            lines.append(line)
    return replace(template, lines=tuple(lines))

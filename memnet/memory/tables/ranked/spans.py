"""How far two cells are apart: days between dates, minutes between times of a day, what one number is more than another.

"How long was it out?"      days between two columns of a row        "How much more is A than B?"    a column of two rows
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memnet.memory.tables.cells import Moment
from memnet.tasks.text.english import of_class

MINUTES = {  # of the units that a question may ask for
    **dict.fromkeys(("minute", "minutes", "mins", "min"), 1),
    **dict.fromkeys(("hour", "hours", "hrs"), 60),
    **dict.fromkeys(("day", "days", "nights"), 1440),
    **dict.fromkeys(("week", "weeks"), 10080),
    **dict.fromkeys(("month", "months"), 43800),
    **dict.fromkeys(("year", "years"), 525600),
}
DAY, HOUR, YEAR = 1440, 60, 365 * 1440
ANY_YEAR = 2001  # of dates without one; it has no leap day
APART = of_class("difference differ gap apart between than by minus more less ahead margin lead")
LASTING = of_class(
    "long longer longest short shorter shortest quick quicker quickest fast faster fastest slow slower slowest duration length "
    "interval overdue late wait waited waits waiting took takes taken take lasted lasts last time turnaround stay stayed"
)


def unit_in(low: Sequence[str]) -> str:
    """The unit of time that a question asks for, behind "how many" or "in"; empty for none.

    >>> [unit_in(one.split()) for one in ("how many weeks was it out", "how long was it out in hours", "on which day")]
    ['weeks', 'hours', '']
    """
    found = (word for at, word in enumerate(low) if word in MINUTES and at and low[at - 1] in ("many", "in"))
    return next(found, "")


def lasts(low: Sequence[str]) -> bool:
    """Whether a question may ask how long something takes.

    >>> lasts("how long was it out".split()), lasts("who has it".split())
    (True, False)
    """
    return not MINUTES.keys().isdisjoint(low) or not LASTING.isdisjoint(low)


def minutes_between(first: Moment, second: Moment) -> tuple[int, bool] | None:
    """The minutes from one moment to another, and whether both say the time of day; None of weekdays, and where a part lacks.

    >>> minutes_between((0, 0, 0, 22, 30), (0, 0, 0, 1, 0)), minutes_between((2024, 2, 28, 0, 0), (2024, 3, 1, 0, 0))
    ((-1290, True), (2880, False))
    >>> minutes_between((0, 0, 2, 0, 0), (0, 0, 3, 0, 0)) is None
    True
    """
    clocks = [HOUR * one[3] + one[4] for one in (first, second)]
    if not any(first[:3]) and not any(second[:3]):
        return clocks[1] - clocks[0], True
    if not (all(first[1:3]) and all(second[1:3])) or bool(first[0]) != bool(second[0]):
        return None
    try:
        days = [datetime(one[0] or ANY_YEAR, one[1], one[2]) for one in (first, second)]
    except ValueError:
        return None
    told = any(first[3:]) and any(second[3:])
    return (days[1] - days[0]).days * DAY + (clocks[1] - clocks[0] if told else 0), told


def lasting(first: Moment, second: Moment) -> tuple[int, bool] | None:
    """The same of something that begins and ends: it goes on to the next day or the next year, where none is said.

    >>> lasting((0, 0, 0, 22, 30), (0, 0, 0, 1, 0)), lasting((0, 12, 30, 0, 0), (0, 1, 2, 0, 0))
    ((150, True), (4320, False))
    """
    found = minutes_between(first, second)
    if found is None or found[0] >= 0 or first[0]:
        return found
    return found[0] + (DAY if not any(first[:3]) else YEAR), found[1]


def written(minutes: int, clocked: bool, unit: str) -> str:
    """A span in the unit that is asked for; else in days, or in minutes where both ends say the time of day.

    >>> written(150, True, ""), written(150, True, "hours"), written(2880, False, ""), written(43200, False, "weeks")
    ('150 minutes', '2.5 hours', '2 days', '4.29 weeks')
    """
    if not (unit and (clocked or MINUTES[unit] >= DAY)):
        unit = "minutes" if clocked else "days"
    amount = f"{minutes / MINUTES[unit]:.2f}".rstrip("0").rstrip(".")
    return f"{amount} {unit.removesuffix('s') if amount == '1' else unit}"


__all__ = ["APART", "MINUTES", "lasting", "lasts", "minutes_between", "unit_in", "written"]

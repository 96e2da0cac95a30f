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
    **dict.fromkeys(("month", "months"), 43830),
    **dict.fromkeys(("year", "years"), 525960),
}
DAY, HOUR = 1440, 60
ANY_YEAR = 2001  # of dates without one; it has no leap day
APART = of_class("difference differ gap apart between than by minus more less ahead margin lead")
LASTING = of_class(
    "long longer longest short shorter shortest quick quicker quickest fast faster fastest slow slower slowest duration length "
    "interval overdue late wait waited waits waiting took takes taken take lasted lasts last time turnaround stay stayed"
)


def unit_in(low: Sequence[str]) -> str:
    """The unit of time that a question asks for; empty for none.

    >>> unit_in("how many weeks was it out".split()), unit_in("how long was it out for in hours".split()), unit_in(("who",))
    ('weeks', 'hours', '')
    """
    return next((word for word in low if word in MINUTES), "")


def lasts(low: Sequence[str]) -> bool:
    """Whether a question may ask how long something takes.

    >>> lasts("how long was it out".split()), lasts("who has it".split())
    (True, False)
    """
    return bool(unit_in(low)) or not LASTING.isdisjoint(low)


def minutes_between(first: Moment, second: Moment) -> tuple[int, bool] | None:
    """The minutes from one moment to another, and whether both say the time of day; None of weekdays, and where a part lacks.

    Of two times of a day the second is the later one, on the next day if it has to be.

    >>> minutes_between((0, 0, 0, 22, 30), (0, 0, 0, 1, 0)), minutes_between((2024, 2, 28, 0, 0), (2024, 3, 1, 0, 0))
    ((150, True), (2880, False))
    >>> minutes_between((0, 0, 2, 0, 0), (0, 0, 3, 0, 0)) is None
    True
    """
    clocks = [HOUR * one[3] + one[4] for one in (first, second)]
    if not any(first[:3]) and not any(second[:3]):
        return (clocks[1] - clocks[0]) % DAY, True
    if not (all(first[1:3]) and all(second[1:3])) or bool(first[0]) != bool(second[0]):
        return None
    try:
        days = [datetime(one[0] or ANY_YEAR, one[1], one[2]) for one in (first, second)]
    except ValueError:
        return None
    told = any(first[3:]) and any(second[3:])
    return (days[1] - days[0]).days * DAY + (clocks[1] - clocks[0] if told else 0), told


def written(minutes: int, clocked: bool, unit: str) -> str:
    """A span in the unit that is asked for; else in days, or in minutes where both ends say the time of day.

    >>> written(150, True, ""), written(150, True, "hours"), written(2880, False, ""), written(43200, False, "weeks")
    ('150 minutes (2 h 30 min)', '2.5 hours', '2 days', '4.3 weeks')
    """
    if unit and (clocked or MINUTES[unit] >= DAY):
        amount = f"{minutes / MINUTES[unit]:.1f}".removesuffix(".0")
        return f"{amount} {unit.removesuffix('s') if amount == '1' else unit}"
    if not clocked or minutes % DAY == 0:
        return f"{minutes // DAY} day{'s' * (minutes != DAY)}"
    plain = f"{minutes} minute{'s' * (minutes != 1)}"
    return f"{plain} ({minutes // HOUR} h {minutes % HOUR} min)" if minutes >= HOUR else plain


__all__ = ["APART", "MINUTES", "lasts", "minutes_between", "unit_in", "written"]

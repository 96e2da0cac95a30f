"""Times as people write them in ISO 8601, whole or in part."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from memnet.errors import ConfigError

PARTS = re.compile(r"\d{4}(?:-\d\d)?")
SMALLEST = timedelta(microseconds=1)
FIRST, LAST = datetime.min.replace(tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)  # what is beyond counts so
END = datetime.max.replace(tzinfo=UTC)  # after all of them
LENGTHS = {10: timedelta(days=1), 13: timedelta(hours=1), 16: timedelta(minutes=1), 19: timedelta(seconds=1)}  # by letters


def moment(when: str | date) -> datetime | None:
    """A time, the first moment of it where it is a day, a month or a year; none where it is no ISO 8601.

    A time without a zone is taken for one in UTC.

    >>> moment("2026-03"), moment("2026-03-01T12:30").hour, moment("last Monday")
    (datetime.datetime(2026, 3, 1, 0, 0, tzinfo=datetime.timezone.utc), 12, None)
    """
    text = when.isoformat() if isinstance(when, date) else when.strip()
    if PARTS.fullmatch(text):
        text = f"{text}-01-01"[:10]
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        return min(found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC), LAST)
    except OverflowError:  # "9999-12-31T23:00-05:00" is of the year 10000
        return FIRST if found.year == 1 else LAST


def moment_after(when: str) -> datetime | None:
    """The first moment after a time: after the day, month or year that it is, or the minute; none where it is no ISO 8601.

    >>> moment_after("2026-12").isoformat(), moment_after("2026-03-01 11:30").isoformat(), moment_after("soon")
    ('2027-01-01T00:00:00+00:00', '2026-03-01T11:31:00+00:00', None)
    """
    text, first = when.strip(), moment(when)
    if first is None:
        return None
    if PARTS.fullmatch(text):
        months = first.year * 12 + (first.month if "-" in text else 12)
        if months // 12 > LAST.year:
            return END
        return first.replace(year=months // 12, month=months % 12 + 1)
    written = re.sub(r"(?:Z|[+-]\d\d(?::?\d\d)?)$", "", text) if ":" in text else text
    length = LENGTHS.get(len(written), SMALLEST)
    return first + length if first <= LAST - length else END


def known_moment(when: str | date) -> datetime:
    """The same of what somebody gives for a time. Raises :class:`~memnet.errors.ConfigError` where it is none."""
    found = moment(when) if isinstance(when, str | date) else None
    if found is None:
        raise ConfigError(f"{when!r} is no time; expected ISO 8601, such as 2026-03-01 or 2026-03-01T12:00")
    return found


def as_time(when: str | date | None) -> str | None:
    """A time as ISO 8601. Raises :class:`~memnet.errors.ConfigError` where it is none."""
    if when is None:
        return None
    known_moment(when)
    return when.isoformat() if isinstance(when, date) else when.strip()

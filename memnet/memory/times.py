"""Times as people write them in ISO 8601, whole or in part."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from memnet.errors import ConfigError

PARTS = re.compile(r"\d{4}(?:-\d\d)?")


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
    return found if found.tzinfo else found.replace(tzinfo=UTC)


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

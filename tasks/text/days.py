"""Days as a reader of log books has them before entries, and the questions that they answer."""

from __future__ import annotations

import re
from datetime import date

ASKS_WHEN = re.compile(r"(?i)\b(?:when|since|what (?:day|date|time)|which (?:day|date)|on what|date|how long)\b")


def day_and_month(day: date) -> str:
    """A day without its year.

    >>> day_and_month(date(2024, 2, 16))
    '16 February'
    """
    return f"{day.day} {day:%B}"

"""The time of day of a question: "Who took the van before noon?" asks of entries with an earlier time of day, of any day."""

from __future__ import annotations

import re
from typing import NamedTuple

from memnet.ask.joined import is_verb
from memnet.memory.verbs import verbs_of
from memnet.tasks.text.english import AUXILIARIES, of_class
from memnet.tasks.text.tokens import NUMBER_WORDS, split

HOURS = NUMBER_WORDS[1:13]
AT = (
    r"(?:noon|midday|midnight|\d{1,2}:\d\d(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?|"
    rf"(?:\d{{1,2}}|{'|'.join(HOURS)})\s+o['’]?clock(?:\s+in\s+the\s+(?:morning|afternoon|evening))?)"
)
NAMED = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}
WRITTEN = re.compile(r"(?P<hour>\d+|[a-z]+)(?::(?P<minute>\d\d))?\s*(?P<clock>o['’]?clock)?", re.IGNORECASE)
FIRST_OF_A_DAY = 7  # "5 o'clock" without more is in the afternoon
A_CLOCK = re.compile(
    rf"(?:^|(?<!\s)\s+)(?:between\s+(?P<first>{AT})\s+and\s+(?P<last>{AT})"
    rf"|(?P<how>before|until|till|by|since|after|at)\s+(?P<at>{AT})|in\s+the\s+(?P<part>morning|afternoon|evening))(?=[\s,?!.]|$)",
    re.IGNORECASE,
)
WHOLE_DAY = (0, 24 * 60)
SHORT_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
OF_DAY = {"morning": (0, 12 * 60), "afternoon": (12 * 60, 18 * 60), "evening": (18 * 60, 24 * 60)}
OF_A_LABEL = re.compile(r"(?:^|[T\s,])(\d{1,2}):(\d\d)")
PRESENT = of_class("is are am do does will shall can may must should would could might")
RELATIVE = of_class("that which who whom whose where")


class Clock(NamedTuple):
    """A time of day that a question names: from which minute of a day to before which, and the words for it.

    Of entries that have weekdays and no dates, also a ``weekday``, 0 for Monday.
    """

    first: int
    end: int
    words: str = ""
    weekday: int | None = None

    def holds(self, when: str | None) -> bool:
        """Whether a time, as an entry has it, is of these minutes; not where it names none.

        >>> [Clock(0, 720).holds(when) for when in ("2026-03-04T11:59", "09:30", "2026-03-04T12:00+01:00", "2026-03-04", None)]
        [True, True, False, False, False]
        >>> [Clock(0, 1440, weekday=0).holds(when) for when in ("Mon 9:30", "Monday", "Tue 9:30", "2026-03-02")]
        [True, True, False, False]
        """
        if self.weekday is not None and weekday_of(when) != self.weekday:
            return False
        if self.weekday is not None and (self.first, self.end) == WHOLE_DAY:
            return True
        found = OF_A_LABEL.search(when or "")
        return found is not None and self.first <= int(found[1]) * 60 + int(found[2]) < self.end

    def last_of(self, day: str) -> str:
        """The last second of these minutes on a day, of ISO 8601."""
        minute = max(self.end - 1, 0)
        return f"{day}T{minute // 60:02}:{minute % 60:02}:59"


def weekday_of(when: str | None) -> int | None:
    """The weekday with which a time begins, as an entry has it, 0 for Monday; None where it begins with none."""
    low = (when or "")[:3].lower()
    return SHORT_DAYS.index(low) if low in SHORT_DAYS else None


def minute_of(text: str) -> int | None:
    """The minute of a day that words say; None where there is none.

    >>> [minute_of(text) for text in ("noon", "5 o'clock", "5:00", "nine o'clock", "5 o'clock in the morning", "12 am")]
    [720, 1020, 300, 540, 300, 0]
    """
    found, low = WRITTEN.match(NAMED.get(text.lower(), text)), text.lower()
    if found is None:
        return None
    named = found["hour"].lower()
    hour, minute = int(named) if named.isdigit() else NUMBER_WORDS.index(named), int(found["minute"] or 0)
    half = re.search(r"(?<=[\d\s])([ap])\.?m\b|(morning|afternoon|evening)$", low)
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + 12 * (half[0][0] in "p" or half[2] in ("afternoon", "evening"))
    elif found["clock"] and hour < FIRST_OF_A_DAY:
        hour += 12
    return hour * 60 + minute if hour < 24 and minute < 60 else None


def clocked(question: str) -> tuple[str, Clock] | None:
    """A question without the time of day that it names, and that time; None where it names none.

    >>> clocked("Who took the van before noon on Monday?")
    ('Who took the van on Monday?', Clock(first=0, end=720, words='before noon', weekday=None))
    >>> clocked("When did it break down after 17:00?")[1][:2], clocked("Who came between 8:00 and 9:30?")[1][:2]
    ((1021, 1440), (480, 571))
    >>> clocked("Where was Ann at 9:15?")
    ('Where was Ann?', Clock(first=555, end=556, words='at 9:15', weekday=None))
    >>> clocked("Who took the van?"), clocked("Who leaves after midnight?")
    (None, None)
    """
    found = next(reversed([*A_CLOCK.finditer(question)]), None)
    if found is None:
        return None
    if found["part"]:
        span: tuple[int, int] | None = OF_DAY[found["part"].lower()]
    elif found["first"]:
        first, last = minute_of(found["first"]), minute_of(found["last"])
        span = None if first is None or last is None else (first, last + 1)
    else:
        span = span_of(found["how"].lower(), minute_of(found["at"]))
    if span is None or span[0] >= span[1]:
        return None
    return without(question, found), Clock(*span, found[0].strip())


def no_time(question: str) -> str:
    """What a question names as a time of day that there is not; empty where there is none.

    >>> no_time("Who had it at 25:99?"), no_time("Who had it at 9:15?")
    ('25:99', '')
    """
    named = (one for found in A_CLOCK.finditer(question) for one in (found["at"], found["first"], found["last"]) if one)
    return next((one for one in named if minute_of(one) is None), "")


def span_of(how: str, minute: int | None) -> tuple[int, int] | None:
    """The minutes of a day before or after one of them; None for midnight, of which nobody knows which is meant."""
    if not minute:
        return None
    spans = {"at": (minute, minute + 1), "before": (0, minute), "since": (minute, 24 * 60), "after": (minute + 1, 24 * 60)}
    return spans.get(how, (0, minute + 1))


def without(question: str, found: re.Match[str]) -> str:
    """A question without a part of it."""
    rest = question[found.end() :].rstrip(" ?").lstrip(", ")
    asked = f"{question[: found.start()].rstrip(' ,')} {rest}".strip()
    return f"{asked[:1].upper()}{asked[1:]}?"


def is_of_the_past(text: str) -> bool:
    """Whether a question or a sentence is of what was so: it has no auxiliary of the present, and "who" does nothing now.

    >>> [is_of_the_past(text) for text in ("Who took it on Monday?", "What is due on Monday?", "Who took the van that is red?")]
    [True, False, True]
    >>> [is_of_the_past(text) for text in ("Who opens on Monday?", "What trains left on Monday?", "Which bus leaves at 9?")]
    [False, True, False]
    """
    words = [word.lower() for word in split(text)]
    for place, word in enumerate(words):
        if word in AUXILIARIES | PRESENT or (place and word in RELATIVE):
            return word not in PRESENT
    at = 2 if words[:1] == ["which"] else 1 if words[:1] in (["who"], ["what"]) else len(words)
    verb, after = [*words[at : at + 2], "", ""][:2]
    return bool(after and verbs_of(after)) or not (verb.endswith("s") and is_verb(verb))

"""How a log says what happened: a form of one half, its slots filled, with who and what and where as ranges of words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from random import Random

from ..text.lists import read_lists
from ..text.tokens import WORD
from .names import Named

FORMS = read_lists(__package__, "forms.txt")
SLOT = re.compile(r"\{(\w+)\}")
ROLES = ("who", "what", "from", "to", "receiver")
KINDS = ("go", "leave", "at", "take", "drop", "move", "give", "none")
STAMPS = {  # how the time stands before a line; the plain one is of both halves
    "plain": ("%Y-%m-%d %H:%M ",),
    "train": ("%d/%m/%Y, %H:%M - ", "[%Y-%m-%d %H:%M:%S] ", "%Y-%m-%d %H:%M:%S INFO ", "%d %b %Y %H:%M | "),
    "test": ("%Y-%m-%dT%H:%M:%S ", "%d %B %Y, %H:%M: ", "[%d.%m.%Y %H:%M] ", "%a %d %b %Y %H:%M ", "(%Y/%m/%d %H:%M) NOTE "),
    "develop": (),
    "others": (),
}
EMBELLISHED = 0.2  # share of the lines with an opening, and of those with an end


@dataclass(frozen=True)
class Fact:
    """What a line says; a role that it does not name is None. ``none`` says nothing of where anybody or anything is."""

    kind: str
    who: str | None = None
    what: str | None = None
    from_: str | None = None
    to: str | None = None
    receiver: str | None = None


@dataclass(frozen=True)
class Line:
    """A line of a log: ``stamp`` as it stands before the sentence ("" without dates), and what the sentence says."""

    stamp: str
    when: datetime | None
    text: str
    fact: Fact
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # role -> words of the text, first and after the last

    def __str__(self) -> str:
        return self.stamp + self.text


@dataclass(frozen=True)
class Manner:
    """How one log is written."""

    half: str
    stamp: str  # a format of the time, or ""
    capitals: bool  # whether sentences begin with one
    stops: bool  # whether they end with one
    embellished: float = EMBELLISHED

    @classmethod
    def drawn(cls, draw: Random, half: str, dates: bool) -> Manner:
        """Of one half."""
        stamp = draw.choice(STAMPS["plain"] + STAMPS[half]) if dates else ""
        return cls(half, stamp, draw.random() < 0.6, draw.random() < 0.6)


@cache
def forms(half: str, kind: str, given: frozenset[str]) -> list[str]:
    """The forms of a kind whose slots are all given."""
    return [form for form in FORMS[f"{half} {kind}"] if set(SLOT.findall(form)) <= given]


def told(draw: Random, manner: Manner, kind: str, given: Mapping[str, Named], when: datetime | None) -> Line:
    """A line that says something in one of the half's forms; ``kind`` is a list's name, such as ``at thing``."""
    form = draw.choice(forms(manner.half, kind, frozenset(given)))
    plain = ":" not in form and "(" not in form
    opening = draw.choice(FORMS[f"{manner.half} openings"]) + " " if plain and draw.random() < manner.embellished else ""
    end = " " + draw.choice(FORMS[f"{manner.half} ends"]) if plain and draw.random() < manner.embellished else ""
    text, places = opening, dict[str, tuple[int, int]]()
    for number, part in enumerate(SLOT.split(form + end)):
        if not number % 2:
            text += part
            continue
        named = given[part]
        text += named.text
        places[part] = len(text) - len(named.name), len(text)
    text = text[:1].upper() + text[1:] if manner.capitals else text
    if manner.stops:
        text += "."
    sort = kind.partition(",")[0].split()[0]
    fact = Fact("none") if sort == "none" else Fact(sort, *(value_of(given, places, role) for role in ROLES))
    spans = {} if sort == "none" else words_of(text, places)
    return Line(when.strftime(manner.stamp) if when and manner.stamp else "", when, text, fact, spans)


def value_of(given: Mapping[str, Named], places: Mapping[str, object], role: str) -> str | None:
    """The name in a role that a form names."""
    return given[role].name if role in places else None


def words_of(text: str, places: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Ranges of characters as ranges of the words of :func:`memnet.tasks.text.tokens.split`."""
    words = [word.span() for word in WORD.finditer(text)]
    begins, ends = (
        {begin: number for number, (begin, _) in enumerate(words)},
        {end: number + 1 for number, (_, end) in enumerate(words)},
    )
    return {role: (begins[first], ends[last]) for role, (first, last) in places.items()}


def read_when(text: str) -> datetime | None:
    """A time as some log writes it before a line, None where it is none of these ways; seconds may be left out."""
    wanted = " ".join(text.strip(" -|:").split())
    forms = [form.strip(" -|:") for listed in STAMPS.values() for form in listed]
    for form in (*forms, "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%d %B %Y %H:%M"):
        try:
            return datetime.strptime(wanted, form)
        except ValueError:
            continue
    return None

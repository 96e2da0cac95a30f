"""What is taken in: an entry is one sentence; a passage is what a format yields before its sentences are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memnet.memory.values import Entry

__all__ = ["Count", "Entry", "Passage", "Reading", "single_spaced"]


class Passage(NamedTuple):
    """Sentences that belong together: a paragraph, a message, a line of a log; ``text`` has single spaces only."""

    text: str
    line: int
    when: str | None = None
    speaker: str = ""
    breaks: Sequence[int] = ()  # offsets at which the source's further lines begin
    whole: bool = False  # a field of a table, which is one sentence whatever stands in it


@dataclass
class Count:
    """What was understood so far: of every format how many entries, how many of them have a time, and what was left out."""

    entries: Counter[str] = field(default_factory=Counter)
    timed: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)  # why -> how many
    undated: Counter[str] = field(default_factory=Counter)  # of every format: of how many the time is no date
    empty: Counter[str] = field(default_factory=Counter)  # what was missing -> how often
    notes: list[str] = field(default_factory=list)  # what was decided and may be wrong
    file: str = ""  # the one that is read now
    first: dict[str, str] = field(default_factory=dict)  # where something was met first

    def note(self, text: str) -> None:
        """Say something once."""
        if text not in self.notes:
            self.notes.append(text)

    def met(self, counter: Counter[str], what: str, line: int, said: str = "") -> None:
        """Count something, and keep where it was met first, and what stood there."""
        counter[what] += 1
        self.first.setdefault(what, f"{self.file}:{line}" + (f" {said}" if said else ""))

    def lines(self) -> list[str]:
        """Of each format a line, then what was left out or taken as empty, then the notes."""
        found = [
            f"{kind}: {count:,} entr{'y' if count == 1 else 'ies'}, {self.timed[kind]:,} with a time"
            + (f", {self.undated[kind]:,} with one that is no date (first {self.first[kind]})" if self.undated[kind] else "")
            for kind, count in self.entries.items()
        ]
        for title, counter in (("left out", self.left_out), ("taken as empty", self.empty)):
            if met := +counter:
                places = ((why, count, f", first {self.first[why]}" if why in self.first else "") for why, count in met.items())
                found.append(f"{title}: " + ", ".join(f"{why} ({count:,}{place})" for why, count, place in places))
        return found + self.notes


@dataclass
class Reading:
    """How something is to be read; ``count`` gets what was understood."""

    kind: str = "auto"
    template: str | None = None  # of a record's sentence, such as "{item} is in the {place}."
    when: str | None = None  # the time of what has none; its date completes a time without one
    source: str = ""
    day_first: bool | None = None  # whether 03/04/2024 is the third of April; None: decided by the other dates
    count: Count = field(default_factory=Count)


def single_spaced(text: str) -> str:
    """A text on one line, with single spaces, without characters that no text has."""
    return " ".join((text.replace("\0", " ") if "\0" in text else text).split())

"""In which order the sentences of a memory were said: by their times, and as they were added where times do not tell.

    added        when                 place in time
    A            2026-03-05 10:00     1
    B            2026-03-02           0          before A, though it was added later
    C                                 2          no time: after all that were added before it
    D            2026-03-05           3          the day of A: nothing says that it was earlier

A time is a span: a day, a minute. A sentence comes after everything that was added before it, but for what was said after the
end of its span. That of a sentence without a time has no end.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from pathlib import Path

import numpy as np

from memnet.memory.files import NOTE, NOTES, TIMES, Extent, mapped, plain_file
from memnet.memory.notes import labels
from memnet.memory.times import LENGTHS, moment, moment_after
from memnet.memory.values import Held

Span = tuple[float, float]  # seconds since 1970, from the first up to the second
ALWAYS: Span = (-inf, inf)


class Order:
    """The places in time of the sentences of a memory, which has some in its files and others after them."""

    def __init__(self, numbers: np.ndarray | None = None, last: datetime | None = None) -> None:
        """``numbers`` are those of the sentences (N,), the first said first; None where they were added in that order.

        ``last`` is the latest time of any of them.
        """
        self.numbers, self.last = numbers, last
        self.places: np.ndarray | None = None
        if numbers is not None:
            self.places = np.empty_like(numbers)
            self.places[numbers] = np.arange(len(numbers))

    @classmethod
    def of(cls, folder: Path, extent: Extent, alive: np.ndarray | None = None) -> Order:
        """From the files of a memory; sentences that are not ``alive``, a mask (N,), move no others."""
        if not extent.times:
            return cls()
        if (last := in_order(folder, extent.times)) is not None:
            return cls(None, last)
        spans = {place: span_of(text) for place, text in labels(folder, TIMES, extent.times)}
        when = mapped(folder / NOTES, NOTE, extent.sentences)["when"]
        lives = np.ones(len(when), bool) if alive is None else alive
        starts = np.flatnonzero(np.r_[True, (when[1:] != when[:-1]) | (lives[1:] != lives[:-1])])
        runs = [spans.get(place, ALWAYS) for place in when[starts].tolist()]
        seconds = placed(runs, lives[starts].tolist())
        order = np.argsort(np.repeat(seconds, np.diff([*starts, len(when)])), kind="stable")
        latest = max((first for (first, _), lives in zip(runs, lives[starts], strict=True) if lives), default=-inf)
        last = datetime.fromtimestamp(latest, UTC) if latest > -inf else None
        return cls(None if np.array_equal(order, np.arange(len(order))) else order, last)

    def place(self, number: int) -> int:
        """Where in time a sentence stands."""
        return number if self.places is None or number >= len(self.places) else int(self.places[number])

    def number(self, place: int) -> int:
        """Which sentence stands there."""
        return place if self.numbers is None or place >= len(self.numbers) else int(self.numbers[place])

    def places_of(self, numbers: np.ndarray) -> np.ndarray:
        """The places of sentences of the memory."""
        return numbers if self.places is None else self.places[numbers]

    def numbers_of(self, places: Iterable[int]) -> np.ndarray:
        """The sentences at places of the memory."""
        found = np.fromiter(places, np.int64)
        return found if self.numbers is None else self.numbers[found]


def in_order(folder: Path, size: int) -> datetime | None:
    """The last of the times, where all are written in one way, without a zone, and none is before another; else None."""
    with plain_file(folder / TIMES) as file:
        told = file.read(size)
    length = told.find(b"\n") + 1
    last = moment(told[-length:].decode(errors="replace"))
    if last is None or length - 1 not in LENGTHS or len(told) % length:
        return None
    letters = np.frombuffer(told, np.uint8).reshape(-1, length)
    marks = (letters[0] < ord("0")) | (letters[0] > ord("9"))
    if not (letters[:, marks] == letters[0, marks]).all():
        return None
    times = np.frombuffer(told, f"S{length}")
    return last if (times[1:] >= times[:-1]).all() else None


@lru_cache(maxsize=1 << 16)
def span_of(when: str) -> Span:
    """What a time is, from its first moment up to that after its last; always where it is no time that can be read.

    >>> span_of("1970-01-02"), span_of("last Monday")
    ((86400.0, 172800.0), (-inf, inf))
    """
    first, end = moment(when), moment_after(when)
    return ALWAYS if first is None or end is None else (first.timestamp(), end.timestamp())


def placed(spans: Sequence[Span], alive: Sequence[bool]) -> list[float]:
    """By which second to sort what was said in each of these spans: not before what came before, if it can be later.

    >>> placed([(5, 6), (2, 3), (float("-inf"), float("inf")), (4, 9)], [True] * 4)
    [5, 2, 5, 5]
    """
    known, found = list[float](), list[float]()
    for (first, end), lives in zip(spans, alive, strict=True):
        before = bisect_left(known, end)
        found.append(max(first, known[before - 1] if before else first))
        at = bisect_left(known, found[-1])
        if lives and found[-1] > -inf and known[at : at + 1] != found[-1:]:
            known.insert(at, found[-1])
    return found


def parted(newest: Held, earlier: Iterable[tuple[Held, bool]]) -> tuple[list[Held], list[Held]]:
    """What the newest statement supersedes, and what contradicts it.

    ``earlier`` is what was said before, the newest first, each with whether it says otherwise. The newest word of another
    source contradicts it where no time says which of both is later; what a source said before that counts no more.
    """
    superseded, contradicting, heard = list[Held](), list[Held](), {newest.source, ""}
    for one, otherwise in earlier:
        unsettled = newest.source and not is_later(newest.when, one.when) and not is_later(one.when, newest.when)
        if otherwise:
            (contradicting if unsettled and one.source not in heard else superseded).append(one)
        heard.add(one.source)
    return superseded, contradicting


def is_later(one: str | None, other: str | None) -> bool:
    """Whether one time is after the other.

    >>> is_later("2026-03-02", "2026-03-01T10:00"), is_later("2026-03-01", "2026-03-01T10:00"), is_later("2026-03-01", None)
    (True, False, False)
    """
    return span_of(one or "")[0] >= span_of(other or "")[1]

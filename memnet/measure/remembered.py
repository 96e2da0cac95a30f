"""What memories take in, answer and find, counted: the same for every benchmark."""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memnet.measure.memories import Maker, share, size_of
from memnet.record.measurements import MemoryScore
from memnet.tasks.movements import plain

ALL = "all"
FEW, MANY = 5, 10  # entries that are found
MEGABYTE = 1e6


@dataclass(frozen=True)
class Asked:
    """A question about what a memory holds; ``right`` judges an answer, None where it was refused."""

    text: str
    kind: str
    right: Callable[[str | None], bool]
    told: bool = True  # whether there is an answer
    evidence: tuple[int, ...] = ()  # numbers of entries
    answers: tuple[str, ...] = ()  # one of which a reader of the right entry sees there


@dataclass(frozen=True)
class Outcome:
    """What became of a question."""

    asked: Asked
    answered: bool
    right: bool
    found: tuple[float, float] | None  # of the evidence, in the first five and ten entries; None where there is none
    milliseconds: float
    seen: bool | None  # whether the first entry that is found has the answer; None where no entry need have it


@dataclass
class Tally:
    """Outcomes of one memory in one set, of one text or of several."""

    benchmark: str
    set: str
    system: str
    answers: bool = True
    outcomes: list[Outcome] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)

    def add(self, entries: Iterable[str], questions: Sequence[Asked], maker: Maker, finds: bool = True) -> None:
        """Take in a text and ask about it, in a folder that is thrown away."""
        entries = list(entries) if finds else entries
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "memory"
            memory, started = maker(folder), time.perf_counter()
            memory.remember(entries)
            self.seconds.append(time.perf_counter() - started)
            self.bytes.append(size_of(folder))
            self.answers = memory.answers
            for asked in questions:
                begin = time.perf_counter()
                answer = memory.ask(asked.text) if memory.answers else None
                middle = time.perf_counter()
                numbers = memory.search(asked.text, MANY) if finds else []
                took = middle - begin if memory.answers else time.perf_counter() - middle
                found = (share(numbers[:FEW], asked.evidence), share(numbers, asked.evidence))
                has = found if finds and asked.evidence else None
                first = entries[numbers[0]] if isinstance(entries, list) and numbers else ""
                seen = any(plain(one) in plain(first) for one in asked.answers) if finds and asked.answers else None
                self.outcomes.append(Outcome(asked, answer is not None, asked.right(answer), has, 1000 * took, seen))

    def rows(self, kinds: bool = True) -> Iterator[MemoryScore]:
        """One for all questions, and one for each kind."""
        yield self.row(ALL, self.outcomes)
        for kind in dict.fromkeys(one.asked.kind for one in self.outcomes) if kinds else ():
            yield self.row(kind, [one for one in self.outcomes if one.asked.kind == kind])

    def row(self, kind: str, outcomes: Sequence[Outcome]) -> MemoryScore:
        """Of these outcomes."""
        told = [one for one in outcomes if one.asked.told and self.answers]
        untold = [one for one in outcomes if not one.asked.told and self.answers]
        found = [one.found for one in outcomes if one.found is not None]
        return MemoryScore(
            self.benchmark,
            self.set,
            self.system,
            kind,
            len(outcomes),
            percent([one.right for one in told]),
            percent([one.answered and not one.right for one in told]),
            percent([not one.answered and not one.right for one in told]),
            percent([one.right for one in untold]),
            percent([one.seen for one in outcomes if one.seen is not None]),
            percent([few for few, _ in found]),
            percent([many for _, many in found]),
            statistics.fmean(self.seconds),
            statistics.median(one.milliseconds for one in outcomes),
            statistics.fmean(self.bytes) / MEGABYTE,
        )


def percent(values: Sequence[float]) -> float:
    """The mean in percent, not a number where there is none."""
    return round(100 * statistics.fmean(values), 2) if values else math.nan

"""Runs made again beside those on record: equal to the bit, or within what restarts differ by and not all to one side."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnet.record.provenance import APART
from memnet.record.runs import run_of

ERRORS = ("train_error", "validation_error", "test_error", "epochs", "chosen")  # what must come out again
TOLERANCE = 1.0  # points by which the mean over restarts may differ where a run is made again elsewhere ...
SPREADS = 2.0  # ... or this times the spread of the restarts on record, whichever is more
SMALL, SMALL_TOLERANCE = 1.0, 0.75  # of a mean error on record below SMALL percent by so many points, whatever the spread
BOUND = f"{TOLERANCE:g} point or {SPREADS:g} times the spread on record; below {SMALL:g} % {SMALL_TOLERANCE:g} points"
SHARE = 0.99  # of the interval over cells of what they differ by, which must have zero in it: a check in 100 fails by chance
DECIDE = ("code", "torch", "numpy", "python", "machine")  # what a result depends on besides its settings


class Comparison(NamedTuple):
    """A run made again beside the one on record."""

    what: str
    equal: bool  # every error of every restart, bit for bit
    ours: float  # mean test error over restarts, percent
    recorded: float
    spread: float | None = None  # standard deviation of the restarts on record; one restart has none
    elsewhere: tuple[str, ...] = ()  # what is not as on record: code, versions, processor; empty where all are the same
    chosen: tuple[float, ...] = ()  # test error of the restart that was chosen, ours and the recorded

    @property
    def holds(self) -> bool:
        """Whether it is what the record says.

        By the same code, versions and processor: bit for bit. Made elsewhere: within :attr:`bound`. That is lenient, so that
        few of many cells fail by chance; small differences to one side are what :func:`shift` finds.
        """
        return self.equal or (bool(self.elsewhere) and abs(self.ours - self.recorded) <= self.bound)

    @property
    def bound(self) -> float:
        """Points that it may differ by: what restarts differ by, too, but not where the error on record is small."""
        return SMALL_TOLERANCE if self.recorded < SMALL else max(TOLERANCE, SPREADS * (self.spread or 0.0))

    def __str__(self) -> str:
        difference = self.ours - self.recorded
        means = f"mean test error over restarts {self.ours:.2f} %, on record {self.recorded:.2f} %: {difference:+.2f} points"
        if self.chosen and self.spread is not None:
            means += "; chosen {:.2f} %, on record {:.2f} %".format(*self.chosen)
        if self.spread is None:
            return f"{self.what}: {means}; one restart on record, so no spread to hold it against"
        if self.spread == 0:
            return f"{self.what}: {means}; the restarts on record do not differ"
        times = abs(difference) / self.spread
        return f"{self.what}: {means}, {times:.1f} times the spread of the restarts on record ({self.spread:.2f})"


def compare(rows: Sequence[Mapping[str, str]], recorded: Sequence[Mapping[str, str]]) -> list[Comparison]:
    """Every run in ``rows`` that ``recorded`` has too."""

    def grouped(some: Sequence[Mapping[str, str]]) -> dict[tuple[str, ...], list[Mapping[str, str]]]:
        found: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
        for row in some:
            found.setdefault(run_of(row), []).append(row)
        return found

    known = grouped(recorded)
    return [compared(run, known[key]) for key, run in grouped(rows).items() if key in known]


def compared(run: Sequence[Mapping[str, str]], recorded: Sequence[Mapping[str, str]]) -> Comparison:
    """One run."""
    row = run[0]
    data = row["data"] if " " not in row["data"] else "joint"
    what = " ".join(part for part in (data, row["preset"], row["settings"]) if part)
    ours, on_record = ([tuple(row[name] for name in ERRORS) for row in part] for part in (run, recorded))
    again, before = ([mean_error(row) for row in part if row["test_error"]] for part in (run, recorded))
    spread = statistics.stdev(before) if len(before) > 1 else None
    means = statistics.mean(again), statistics.mean(before)
    chosen = tuple(mean_error(row) for part in (run, recorded) for row in part if row["chosen"] == "1")
    return Comparison(what, sorted(ours) == sorted(on_record), *means, spread, tuple(differences(run, recorded)), chosen)


def mean_error(row: Mapping[str, str]) -> float:
    """The test error of a restart, the mean over its tasks."""
    return statistics.mean(float(error) for error in row["test_error"].split())


def differences(run: Sequence[Mapping[str, str]], recorded: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Of what a result depends on, what is not the same, or is not known to be."""
    for name in DECIDE:
        here, there = (", ".join(sorted({row[name] for row in part})) for part in (run, recorded))
        what = "processor" if name == "machine" else name
        if here != there:
            yield f"{what} {here}, on record {there or 'none'}"
        elif name == "machine" and APART not in here:
            yield f"{what} {here or 'none'}, on record without its instruction sets"


def reproduced(found: Sequence[Comparison]) -> bool:
    """Whether there are runs made again, each holds, and they do not all differ to one side."""
    return bool(found) and all(one.holds for one in found) and not shift(found)


def shift(found: Sequence[Comparison]) -> str:
    """What cells differ by in the mean, where the interval of :data:`SHARE` over them leaves out zero; else nothing.

    So a point more on every cell does not pass, though each alone would.
    """
    by = [one.ours - one.recorded for one in found]
    if len(by) < 2 or abs(mean := statistics.mean(by)) <= (half := half_interval(by, SHARE)):
        return ""
    return f"{mean:+.2f} ± {half:.2f} points ({SHARE:.0%} interval over {len(by)} cells)"


def why_not(found: Sequence[Comparison]) -> str:
    """What a check that failed says."""
    if not found:
        return "not reproduced: no run of these is on record"
    broken = [one.what for one in found if not one.holds and not one.elsewhere]
    if broken:
        return f"not reproduced: the same code, versions and processor gave other errors: {', '.join(broken)}"
    reasons, far = list[str](), [one for one in found if not one.holds]
    if far:
        reasons.append(f"differs by more than its bound ({BOUND}): {', '.join(one.what for one in far)}")
    if alone := [one.what for one in far if one.spread is None]:
        reasons.append(f"of one restart there is no spread, so this may be chance: {', '.join(alone)}")
    if said := shift(found):
        reasons.append(f"all cells together differ to one side: {said}")
    return "; ".join(reasons)


def apart(by: Sequence[float]) -> str:
    """What cells differ by in the mean, and half its 95 % interval as in a paired t test over them; nothing of one cell."""
    if len(by) < 2:
        return ""
    return f": {statistics.mean(by):+.2f} ± {half_interval(by):.2f} points (95 % interval over cells)"


def describe(found: Sequence[Comparison]) -> list[str]:
    """What a comparison comes to, in lines: those that differ, where they were made, then the whole."""
    if not found:
        return ["no run of these is on record"]
    others = [one for one in found if not one.equal]
    lines = [str(one) for one in others]
    elsewhere = dict.fromkeys(what for one in others for what in one.elsewhere)
    if elsewhere:
        lines += ["made elsewhere, so equal bits are not to be expected:", *(f"  {what}" for what in elsewhere)]
    whole = f"{len(found) - len(others)} of {len(found)} cells are those on record, error for error of every restart"
    if others:
        ours, on_record = (statistics.mean(getattr(one, name) for one in found) for name in ("ours", "recorded"))
        near = sum(one.holds for one in others)
        whole += (
            f"; of the other {len(others)}, {near} are within their bound ({BOUND}); "
            f"mean over cells {ours:.2f} %, on record {on_record:.2f} %{apart([one.ours - one.recorded for one in found])}"
        )
    return [*lines, whole]


def half_interval(differences: Sequence[float], share: float = 0.95) -> float:
    """Half the interval of their mean, by default the 95 % one, as in a paired t test."""
    from scipy.stats import t as student

    number = len(differences)
    return float(student.ppf((1 + share) / 2, number - 1) * statistics.stdev(differences) / number**0.5)

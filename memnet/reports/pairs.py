"""Differences of errors over tasks, and which of those on one page are sure: their p-values are corrected together."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence

from memnet.record.compare import half_interval
from memnet.reports.pivot import Networks
from memnet.tasks.families.fidelity import holm

ALPHA = 0.05  # of Holm's corrected p, below which a difference is sure


def p_value(found: Sequence[float]) -> float:
    """Of a paired t test, two-sided: that differences over tasks so far from zero are chance."""
    from scipy.stats import t as student

    mean, spread = statistics.mean(found), statistics.stdev(found)
    if spread == 0:
        return float(mean == 0)
    return float(2 * student.sf(abs(mean) / (spread / len(found) ** 0.5), len(found) - 1))


def sign_p_value(found: Sequence[float]) -> float:
    """Of a sign test, two-sided: it asks only which of two has less error in how many tasks, equal ones left out."""
    from scipy.stats import binomtest

    less, more = (sum(sign * one > 0 for one in found) for sign in (-1, 1))
    return float(binomtest(less, less + more).pvalue) if less + more else 1.0


class Pairs:
    """The comparisons of one page, each counted once; in bold those that are sure once all of them are known."""

    def __init__(self, sure: frozenset[tuple[float, ...]] = frozenset()) -> None:
        self.p: dict[tuple[float, ...], float] = {}
        self.sure = sure

    def corrected(self) -> Pairs:
        """The same, empty, that knows which are sure (Holm 1979)."""
        values = holm(list(self.p.values()))
        return Pairs(frozenset(found for found, p in zip(self.p, values, strict=True) if p < ALPHA))

    def interval(self, one: Mapping[str, float], other: Mapping[str, float]) -> str:
        """The mean difference of errors over data sets and half its 95 % interval; bold where it is sure."""
        found = tuple(one[label] - other[label] for label in one)
        self.p[found] = p_value(found)
        mark = "**" if found in self.sure else ""
        return f"{mark}{statistics.mean(found):+.1f} ± {half_interval(found):.1f}{mark}"

    def difference(self, one: Networks, other: Networks) -> str:
        """The :meth:`interval` of the chosen networks, in brackets that of the means of all restarts."""
        return f"{self.interval(one.chosen, other.chosen)} ({self.interval(one.means, other.means)})"

    def difference_of_all(self, one: Networks, other: Networks) -> str:
        """The :meth:`interval` of the means of all restarts."""
        return self.interval(one.means, other.means)


def in_pairs(make: Callable[[Pairs], str]) -> str:
    """A page that is made twice: once to know its comparisons, then with those in bold that are sure."""
    known = Pairs()
    make(known)
    return make(known.corrected())

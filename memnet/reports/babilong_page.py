"""``results/babilong.md`` and its picture: what the network of the package makes of long texts, beside published figures."""

from __future__ import annotations

import statistics
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.markdown import markdown_table
from memnet.measure.babilong import Cell, read_cells
from memnet.measure.reading import Reading
from memnet.record.measurements import read_csv
from memnet.reports.pivot import one_decimal
from memnet.tasks.babilong import LENGTHS

FIRST = tuple(f"qa{number}" for number in range(1, 6))  # those that others print
REST = tuple(f"qa{number}" for number in range(6, 21))
LONG = ("128k", "1M", "10M")
OURS = "memnet, 0.6M parameters"  # of the retriever and the reader


class Printed(NamedTuple):
    """A figure of somebody else: percent right in a task, or the mean of tasks 1 to 5."""

    system: str
    trained: str
    task: str
    length: str
    right: float
    source: str


class Files(NamedTuple):
    """Where the figures are."""

    cells: Path
    published: Path
    reading: Path

    @classmethod
    def of(cls, results: Path) -> Files:
        """In a folder of results."""
        return cls(*(results / f"babilong{name}.csv" for name in ("", "_published", "_reading")))

    def ours(self, names: str = "published", confusing: float = 0.0) -> dict[tuple[str, str], Cell]:
        """Ours by task and length."""
        found = read_cells(self.cells)
        return {(one.task, one.length): one for one in found if (one.names, one.confusing) == (names, confusing)}

    def printed(self) -> list[Printed]:
        """Those of others."""
        return read_csv(self.published, Printed, "the papers' figures")


def mean_right(cells: dict[tuple[str, str], Cell], tasks: Sequence[str], length: str) -> float | None:
    """The mean over tasks, where all of them were measured."""
    found = [cells[task, length].right for task in tasks if (task, length) in cells]
    return statistics.fmean(found) if len(found) == len(tasks) else None


def means_of(printed: Sequence[Printed]) -> dict[str, dict[str, float]]:
    """By system and length the mean of tasks 1 to 5: the printed one, else that of the printed tasks."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for one in printed:
        found.setdefault(one.system, {}).setdefault(one.length, {})[one.task] = one.right
    return {
        system: {length: parts.get("mean", statistics.fmean(parts.values())) for length, parts in of.items()}
        for system, of in found.items()
    }


def beside_others(results: Path) -> str:
    """Tasks 1 to 5, and their mean, at the lengths that others print."""
    files = Files.of(results)
    cells, printed = files.ours(), files.printed()
    rows = []
    for length in LONG:
        ours = [one_decimal(cells[task, length].right) if (task, length) in cells else "" for task in FIRST]
        rows.append([length, f"**{OURS}**", *ours, one_decimal(mean_right(cells, FIRST, length))])
        for system, means in means_of(printed).items():
            if length in means:
                own = {one.task: one.right for one in printed if (one.system, one.length) == (system, length)}
                rows.append(
                    [length, system, *(f"{own[task]:.0f}" if task in own else "" for task in FIRST), one_decimal(means[length])]
                )
    return markdown_table(["tokens", "system", *(task[2:] for task in FIRST), "mean"], rows, "llrrrrrr")


def by_length(results: Path, tasks: Sequence[str]) -> str:
    """Every length that was measured: percent right in each of these tasks, their mean, facts found, other sentences found."""
    cells, rows = Files.of(results).ours(), []
    for length in LENGTHS:
        here = [cells[task, length] for task in tasks if (task, length) in cells]
        if here:
            mine = {one.task: one_decimal(one.right) for one in here}
            facts, others = statistics.fmean(one.facts_kept for one in here), statistics.fmean(one.others_kept for one in here)
            mean = one_decimal(mean_right(cells, tasks, length))
            rows.append([length, *(mine.get(task, "") for task in tasks), mean, f"{facts:.2f}", f"{others:.2f}"])
    return markdown_table(["tokens", *(task[2:] for task in tasks), "mean", "facts", "others"], rows)


def harder(results: Path) -> str:
    """Means with unseen names and with confusing lines, wherever all of tasks 1 to 5 were measured."""
    files, rows = Files.of(results), []
    kinds = sorted({(one.names, one.confusing) for one in read_cells(files.cells)}, key=lambda kind: (kind[1], kind[0]))
    for names, confusing in kinds:
        cells = files.ours(names, confusing)
        share = f"{confusing:.0%} of the background" if confusing else "none"
        for length in LONG:
            if (mean := mean_right(cells, FIRST, length)) is not None:
                least = min(cells[task, length].right for task in FIRST)
                rest = one_decimal(mean_right(cells, REST, length))
                rows.append([names, share, length, one_decimal(mean), one_decimal(least), rest])
    head = ["names", "confusing lines", "tokens", "tasks 1 to 5: mean", "the least of them", "tasks 6 to 20: mean"]
    return markdown_table(head, rows, "lllrrr")


def cost_of_reading(results: Path) -> str:
    """Seconds, milliseconds and memory by length."""
    found = read_csv(Files.of(results).reading, Reading, "'memnet bench reading'")
    rows = [
        [one.length, f"{one.sentences:,}", f"{one.seconds:.1f}", f"{one.milliseconds:.0f}", f"{one.peak:,.0f}"] for one in found
    ]
    return markdown_table(["tokens", "sentences", "seconds to take in", "ms an answer", "peak MiB"], rows)


def in_short(results: Path) -> str:
    """The longest texts, in two sentences."""
    files, longest = Files.of(results), LONG[-1]
    ours = mean_right(files.ours(), FIRST, longest)
    best = max((means[longest], system) for system, means in means_of(files.printed()).items() if longest in means)
    costs = {one.length: one for one in read_csv(files.reading, Reading, "'memnet bench reading'")}
    parts = (
        f"A story may be scattered through a text of ten million tokens: {one_decimal(ours)} % of the questions of tasks 1 to",
        f"5 of BABILong are answered right there, the best printed figure is {one_decimal(best[0])} ({best[1]}). The text is",
        f"taken in within {costs[longest].seconds:.0f} seconds of one core, and a question is answered in",
        f"{costs[longest].milliseconds:.0f} ms ([all figures](results/babilong.md)):",
        "`memnet remember book.txt`, then `memnet ask --memory memory`.",
    )
    said = " ".join(parts)
    return textwrap.fill(said, 98, break_long_words=False, break_on_hyphens=False)


def lines(results: Path) -> dict[str, list[tuple[float, float]]]:
    """The mean of tasks 1 to 5 by length, of ours and of others."""
    files = Files.of(results)
    cells = files.ours()
    ours = [(float(LENGTHS[length]), mean_right(cells, FIRST, length)) for length in LENGTHS if LENGTHS[length]]
    found = {OURS: [(tokens, mean) for tokens, mean in ours if mean is not None]}
    for system, means in means_of(files.printed()).items():
        found[system] = [(float(LENGTHS[length]), mean) for length, mean in means.items() if LENGTHS[length]]
    return found

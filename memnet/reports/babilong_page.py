"""Tables and the picture of ``results/babilong.md``: what the network of the package makes of long texts, beside others."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from memnet.markdown import grid, markdown_table, one_decimal
from memnet.record.measurements import LongTextCell, PrintedFigure, ReadingCost, read_csv
from memnet.reports.templates import render
from memnet.tasks.babilong import LENGTHS
from memnet.tasks.families import number_of
from memnet.tasks.families.babilong import PRINTED, UNPRINTED

LONG = ("128k", "1M", "10M")
OURS = "memnet, 0.6M parameters"  # of the retriever and the reader
TAUGHT = "by simulated stories: which sentences are statements, and which facts answer a question"

Cells = Mapping[tuple[str, str], LongTextCell]  # by task and length


class Figures:
    """What the files in a folder of results hold. Raises :class:`~memnet.errors.NetworkError` where one is missing."""

    def __init__(self, results: Path) -> None:
        self.results = results

    @cached_property
    def cells(self) -> list[LongTextCell]:
        """Ours."""
        return read_csv(self.results / "babilong.csv", LongTextCell)

    @cached_property
    def printed(self) -> list[PrintedFigure]:
        """Those of others."""
        return read_csv(self.results / "babilong_published.csv", PrintedFigure)

    @cached_property
    def reading(self) -> list[ReadingCost]:
        """Seconds, milliseconds and memory by length."""
        return read_csv(self.results / "babilong_reading.csv", ReadingCost)

    def ours(self, names: str = "published", confusing: float = 0.0) -> Cells:
        """Ours by task and length."""
        return {(one.task, one.length): one for one in self.cells if (one.names, one.confusing) == (names, confusing)}

    @cached_property
    def means(self) -> dict[str, dict[str, float]]:
        """Others' by system and length the mean of tasks 1 to 5: the printed one, else that of the printed tasks."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for one in self.printed:
            found.setdefault(one.system, {}).setdefault(one.length, {})[one.task] = one.right
        return {
            system: {length: tasks.get("mean", statistics.fmean(tasks.values())) for length, tasks in lengths.items()}
            for system, lengths in found.items()
        }


def mean_right(cells: Cells, tasks: Sequence[str], length: str) -> float | None:
    """The mean over tasks, where all of them were measured."""
    found = [cells[task, length].right for task in tasks if (task, length) in cells]
    return statistics.fmean(found) if len(found) == len(tasks) else None


def beside_others(results: Path) -> str:
    """Tasks 1 to 5, and their mean, at the lengths that others print."""
    figures, rows = Figures(results), []
    cells = figures.ours()
    for length in LONG:
        right = {task: one_decimal(cells[task, length].right) for task in PRINTED if (task, length) in cells}
        lines = [(f"**{OURS}**", TAUGHT, right, mean_right(cells, PRINTED, length))]
        for system, means in figures.means.items():
            if length in means:
                found = [one for one in figures.printed if (one.system, one.length) == (system, length)]
                lines.append((system, found[0].trained, {one.task: f"{one.right:.0f}" for one in found}, means[length]))
        rows += [
            [length, name, taught, *(tasks.get(task, "") for task in PRINTED), one_decimal(mean)]
            for name, taught, tasks, mean in lines
        ]
    return markdown_table(["tokens", "system", "taught", *map(number_of, PRINTED), "mean"], rows, "lllrrrrrr")


def by_length(results: Path, tasks: Sequence[str]) -> str:
    """Every length that was measured: percent right in each of these tasks, their mean, facts found, other sentences found."""
    figures, columns = Figures(results), {head: dict[str, str]() for head in (*tasks, "mean", "facts", "others")}
    cells = figures.ours()
    for length in LENGTHS:
        if here := [cells[task, length] for task in tasks if (task, length) in cells]:
            columns["mean"][length] = one_decimal(mean_right(cells, tasks, length))
            columns["facts"][length] = f"{statistics.fmean(one.facts_kept for one in here):.2f}"
            columns["others"][length] = f"{statistics.fmean(one.others_kept for one in here):.2f}"
            for one in here:
                columns[one.task][length] = one_decimal(one.right)
    heads = [(number_of(head), column) for head, column in columns.items()]
    return grid(heads, "tokens", rows=columns["mean"])


def harder(results: Path) -> str:
    """Means with unseen names and with confusing lines, wherever all of tasks 1 to 5 were measured; what measured all cells."""
    figures, rows = Figures(results), []
    for confusing, names in sorted({(one.confusing, one.names) for one in figures.cells}):
        cells = figures.ours(names, confusing)
        share = f"{confusing:.0%} of the background" if confusing else "none"
        for length in LONG:
            if (mean := mean_right(cells, PRINTED, length)) is not None:
                least = min(cells[task, length].right for task in PRINTED)
                rows.append([names, share, length, *map(one_decimal, (mean, least, mean_right(cells, UNPRINTED, length)))])
    head = ["names", "confusing lines", "tokens", "tasks 1 to 5: mean", "the least of them", "tasks 6 to 20: mean"]
    return render("babilong-harder", table=markdown_table(head, rows, "lllrrr"), lines=figures.cells)


def in_short(results: Path) -> str:
    """The longest texts, in two sentences."""
    figures, longest = Figures(results), LONG[-1]
    ours, [cost] = mean_right(figures.ours(), PRINTED, longest), [one for one in figures.reading if one.length == longest]
    return render("babilong-in-short", ours=ours, cost=cost)


def lines(results: Path) -> dict[str, list[tuple[float, float]]]:
    """The mean of tasks 1 to 5 by length, of ours and of others."""
    figures = Figures(results)
    cells = figures.ours()
    ours = {length: mean for length in LENGTHS if (mean := mean_right(cells, PRINTED, length)) is not None}
    return {
        name: [(float(LENGTHS[length]), mean) for length, mean in means.items() if LENGTHS[length]]
        for name, means in {OURS: ours, **figures.means}.items()
    }

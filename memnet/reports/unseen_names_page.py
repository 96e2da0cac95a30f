"""Tables of ``results/open.csv``: what a network makes of names that it has never met, beside the papers."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import bold, decimals, grid, in_order, markdown_table, one_decimal, two_decimals
from memnet.papers.ours import UNSEEN_NAMES_BESIDE
from memnet.record.measurements import NetworkNumber, read_csv
from memnet.record.published import published_figures, published_rows
from memnet.reports.pivot import failed_row, failing
from memnet.reports.templates import render
from memnet.tasks.families import EXAMPLES
from memnet.tasks.families.renaming import IN_THE_PAPERS, REVERSED_TASKS, SYSTEMATIC_TASKS

ERRORS = {"people": "people renamed", "everything": "everything renamed", "sys-babi": "sys-bAbI"}
OTHERS = {
    "refused": "answerable refused",
    "refused without evidence": "unanswerable refused",
    "refused without one fact": "one fact missing, refused",
    "calibration": "calibration error",
}
AS_PUBLISHED, AS_RENAMED = "sys_babi_as_published", "sys_babi_renamed"  # metrics in results/published.csv
BELOW = ("mean", failed_row(EXAMPLES.name))
SETS = {  # tasks that a mean of sys-bAbI is over
    "the 12 of the papers": IN_THE_PAPERS,
    "the 13 that change": (*SYSTEMATIC_TASKS, *REVERSED_TASKS),
    "all 20": tuple(EXAMPLES.members),
}


@dataclass(frozen=True)
class Numbers:
    """What was measured of one network."""

    lines: Sequence[NetworkNumber]

    def values(self, measure: str) -> dict[str, float]:
        """The values of a measure, by task or kind."""
        return {line.subject: line.value for line in self.lines if line.measure == measure}

    def mean(self, measure: str, tasks: Sequence[str] | None = None) -> float | None:
        """The mean over tasks of those that have it, None where none has."""
        found = [value for task, value in self.values(measure).items() if tasks is None or task in tasks]
        return statistics.fmean(found) if found else None

    def failed(self, measure: str) -> int:
        """Tasks with an error above that of a failed one."""
        return failing(self.values(measure).values(), EXAMPLES.name)


def by_task(numbers: Numbers, published: Path) -> str:
    """Everything that is measured task by task, the papers' errors beside it."""

    def ours(measure: str) -> dict[str, str]:
        failed = "" if measure in OTHERS else str(numbers.failed(measure))
        return column(numbers.values(measure), bold(two_decimals(numbers.mean(measure))), failed)

    columns = {"as published": ours("published")}
    for head, row in UNSEEN_NAMES_BESIDE.items():
        paper = published_figures(published, *row)
        failed = str(failing(paper.errors.values(), EXAMPLES.name)) if paper.errors else ""
        columns[head] = column(paper.errors, two_decimals(paper.mean), failed)
    columns |= {head: ours(measure) for measure, head in (ERRORS | OTHERS).items()}
    return grid([*columns.items()], below=BELOW, rows=in_order(numbers.values("published")))


def column(values: Mapping[str, float], mean: str, failed: str) -> dict[str, str]:
    """Cells by task, and those below."""
    return decimals(values) | dict(zip(BELOW, (mean, failed), strict=True))


def systematic(numbers: Numbers, published: Path) -> str:
    """The mean errors over sets of tasks that were all asked about, with names as published and changed, beside the papers'."""
    ours, papers = f"ours, `{numbers.lines[0].preset}`", dict[str, dict[str, float]]()
    found = [
        (ours, name, numbers.mean("published", tasks), numbers.mean("sys-babi", tasks))
        for name, tasks in SETS.items()
        if numbers.values("sys-babi").keys() >= set(tasks)
    ]
    for row in published_rows(published):
        if row["metric"] in (AS_PUBLISHED, AS_RENAMED):
            papers.setdefault(row["model"], {})[row["metric"]] = float(row["value"])
    first = next(iter(SETS))
    found += [(model, first, values.get(AS_PUBLISHED), values.get(AS_RENAMED)) for model, values in papers.items()]
    table = []
    for network, tasks, before, after in found:
        gap = None if before is None or after is None else after - before
        table.append([network, tasks, *map(two_decimals, (before, after, gap))])
    return markdown_table(["network", "tasks", "as published", "sys-bAbI", "gap"], table, "llrrr")


def everyday(numbers: Numbers, _: Path) -> str:
    """Stories in everyday words by their kind, where they were asked about."""
    columns = []
    for measure, head in (("everyday", "answered right"), ("everyday refused", "refused")):
        columns.append((head, decimals(numbers.values(measure)) | {"all": bold(one_decimal(numbers.mean(measure)))}))
    asked = sum(line.questions for line in numbers.lines if line.measure == "everyday")
    return f"{grid(columns, 'kind', ['all'])}\n\nIn percent, of {asked} stories." if asked else ""


PARTS: dict[str, Callable[[Numbers, Path], str]] = {  # of the page
    "network": lambda numbers, _: render("network-about", lines=numbers.lines),
    "tasks": by_task,
    "sys-bAbI": systematic,
    "everyday": everyday,
    "size": lambda numbers, _: render("network-size", numbers=numbers),
}


def part_of(name: str, lines: Sequence[NetworkNumber], published: Path) -> str:
    """A part of the page. Raises :class:`~memnet.errors.NetworkError` where the papers' figures are missing."""
    return PARTS[name](Numbers(lines), published)


def tables(lines: Sequence[NetworkNumber], published: Path) -> list[str]:
    """Every part of the page that has something."""
    return [part for name in PARTS if (part := part_of(name, lines, published))]


def in_the_package(path: Path) -> str:
    """What the network in the package reaches, in a sentence. Raises :class:`~memnet.errors.NetworkError`."""
    numbers = Numbers(read_csv(path, NetworkNumber))
    if numbers.mean("published") is None:
        raise NetworkError(f"{path} has no errors on the published test sets; '{NetworkNumber.written_by}' measures them")
    return render("network", numbers=numbers)

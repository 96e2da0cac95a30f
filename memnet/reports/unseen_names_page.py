"""Tables of ``results/open.csv``: what a network makes of names that it has never met, beside the papers."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import markdown_table, table_of_columns
from memnet.record.measurements import NetworkNumber, measured_by, read_csv
from memnet.reports.columns import one_decimal, task_number
from memnet.reports.published import published_errors, published_rows
from memnet.tasks.text.renaming import REVERSED_TASKS, SYSTEMATIC_TASKS
from memnet.training.evaluate import FAILED

PAPERS = {  # heads of columns -> model, size and regime of a row in results/published.csv
    "UT, best seed of each task": ("UT w/ dynamic halting, best seed per task of 10", "10k", "joint"),
    "UT, mean of 10 seeds": ("UT w/ dynamic halting, mean over 10 seeds", "10k", "joint"),
    "MemN2N": ("MemN2N PE LS RN joint 3 hops", "10k", "joint"),
}
ERRORS = {"people": "people renamed", "everything": "everything renamed", "sys-babi": "sys-bAbI"}
OTHERS = {
    "refused": "answerable refused",
    "refused without evidence": "unanswerable refused",
    "refused without one fact": "one fact missing, refused",
    "calibration": "calibration error",
}
AS_PUBLISHED, AS_RENAMED = "sys_babi_as_published", "sys_babi_renamed"  # metrics in results/published.csv
CHANGED = (*SYSTEMATIC_TASKS, *REVERSED_TASKS)
SETS = {  # tasks that a mean of sys-bAbI is over; task 5 is not in the papers', by their code
    "the 12 of the papers": tuple(task for task in CHANGED if task != "qa5"),
    "the 13 that change": CHANGED,
    "all 20": tuple(f"qa{number}" for number in range(1, 21)),
}
SIZE_AND_SPEED = {  # measure -> its line, and its form
    "parameters": ("parameters", ",.0f"),
    "bytes": ("file of weights, bytes", ",.0f"),
    "ms story": ("a story of 50 statements and a question, ms", ".2f"),
    "ms question": ("a question about 50 statements that are known, ms", ".2f"),
    "s start": ("`memnet ask`, start to answer, without importing torch, s", ".2f"),
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
        """Tasks with an error above 5 %."""
        return sum(value > FAILED for value in self.values(measure).values())


def two_decimals(value: float | None) -> str:
    """Two decimals, or nothing."""
    return "" if value is None else f"{value:.2f}"


def bold(text: str) -> str:
    """Bold, where there is anything."""
    return f"**{text}**" if text else ""


def about(numbers: Numbers) -> str:
    """Which network was measured, and what measured it."""
    first = numbers.lines[0]
    trained = f"the published {first.size} text" if first.source == "published" else "simulated stories alone"
    return (
        f"Preset `{first.preset}`, one network for the twenty tasks, trained on {trained}; weights `{first.weights}`; "
        f"{measured_by(numbers.lines)}."
    )


def by_task(numbers: Numbers, published: Path) -> str:
    """Everything that is measured task by task, the papers' errors beside it."""
    tasks = sorted(numbers.values("published"), key=task_number)

    def column(values: dict[str, float], mean: str, failed: str) -> dict[str, str]:
        cells = {task: one_decimal(values.get(task)) for task in tasks}
        return {**cells, "mean": mean, f"failed (> {FAILED:.0f} %)": failed}

    def ours(measure: str) -> dict[str, str]:
        failed = "" if measure in OTHERS else str(numbers.failed(measure))
        return column(numbers.values(measure), bold(two_decimals(numbers.mean(measure))), failed)

    columns = {"as published": ours("published")}
    for head, row in PAPERS.items():
        errors, mean = published_errors(published, *row)
        failed = str(sum(error > FAILED for error in errors.values())) if errors else ""
        columns[head] = column({f"qa{number}": error for number, error in errors.items()}, two_decimals(mean), failed)
    return table_of_columns("task", columns | {head: ours(measure) for measure, head in (ERRORS | OTHERS).items()})


def systematic(numbers: Numbers, published: Path) -> str:
    """The mean errors over sets of tasks that were all asked about, with names as published and changed, beside the papers'."""
    ours, papers = f"ours, `{numbers.lines[0].preset}`", dict[str, dict[str, float]]()
    found = [
        (ours, name, numbers.mean("published", tasks), numbers.mean("sys-babi", tasks))
        for name, tasks in SETS.items()
        if numbers.values("sys-babi").keys() >= set(tasks)
    ]
    with published_rows(published) as rows:
        for row in rows:
            if row["metric"] in (AS_PUBLISHED, AS_RENAMED):
                papers.setdefault(row["model"], {})[row["metric"]] = float(row["value"])
    first = next(iter(SETS))
    found += [(model, first, values.get(AS_PUBLISHED), values.get(AS_RENAMED)) for model, values in papers.items()]
    table = []
    for network, tasks, before, after in found:
        gap = None if before is None or after is None else after - before
        table.append([network, tasks, *map(two_decimals, (before, after, gap))])
    return markdown_table(["network", "tasks", "as published", "sys-bAbI", "gap"], table, "llrrr")


def everyday(numbers: Numbers) -> str:
    """Stories in everyday words by their kind, where they were asked about."""
    columns = {}
    for measure, head in (("everyday", "answered right"), ("everyday refused", "refused")):
        values = numbers.values(measure)
        cells = {kind: one_decimal(values[kind]) for kind in sorted(values, key=int)}
        columns[head] = {**cells, "all": bold(one_decimal(numbers.mean(measure)))}
    asked = sum(line.questions for line in numbers.lines if line.measure == "everyday")
    return f"{table_of_columns('kind', columns)}\n\nIn percent, of {asked} stories." if asked else ""


def size_and_speed(numbers: Numbers) -> str:
    """A table of two columns."""
    values = {name: numbers.values(name).get("network") for name in SIZE_AND_SPEED}
    rows = [[line, "" if values[name] is None else f"{values[name]:{form}}"] for name, (line, form) in SIZE_AND_SPEED.items()]
    return markdown_table(["of the network", ""], rows)


def tables(lines: Sequence[NetworkNumber], published: Path) -> dict[str, str]:
    """Every part of the page. Raises :class:`~memnet.errors.NetworkError` where the papers' figures are missing."""
    numbers = Numbers(lines)
    parts = {
        "network": about(numbers),
        "tasks": by_task(numbers, published),
        "sys-bAbI": systematic(numbers, published),
        "everyday": everyday(numbers),
        "size": size_and_speed(numbers),
    }
    return {name: part for name, part in parts.items() if part}


def in_the_package(path: Path) -> str:
    """What the network in the package reaches, in a sentence. Raises :class:`~memnet.errors.NetworkError`."""
    numbers = Numbers(read_csv(path, NetworkNumber))
    if numbers.mean("published") is None:
        raise NetworkError(f"{path} has no errors on the published test sets; '{NetworkNumber.written_by}' measures them")
    return (
        "The network in the package learned from simulated stories alone. On the published test sets it\n"
        f"has {numbers.mean('published'):.1f} % error, {numbers.failed('published')} of 20 tasks failed "
        "([all figures](results/open.md))."
    )

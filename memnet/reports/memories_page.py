"""Tables of ``results/memories.md``: what memories answer and find, ours and what one would pick instead."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.record.measurements import MemoryScore, PrintedFigure, read_csv
from memnet.reports.templates import render
from memnet.tasks.families import number_of

FILE, PRINTED_FILE = "memories.csv", "memories_published.csv"
ALL, OURS = "all", "memnet"
COLUMNS = {  # heads of the columns of figures, and the attributes
    "right %": "right",
    "wrong %": "wrong",
    "refused %": "refused",
    "rightly refused %": "rightly_refused",
    "in the first, %": "in_first",
    "found in 5, %": "found_5",
    "found in 10, %": "found_10",
}


def cell(value: float, spec: str = ".1f") -> str:
    """A figure; nothing where there is none."""
    return "" if math.isnan(value) else format(value, spec)


def scores_of(results: Path, benchmark: str) -> list[MemoryScore]:
    """The scores of a benchmark; none before it was run. Raises :class:`~memnet.errors.NetworkError`."""
    path = results / FILE
    return [one for one in read_csv(path, MemoryScore) if one.benchmark == benchmark] if path.exists() else []


def with_makers(table: str, lines: Sequence[MemoryScore]) -> str:
    """A table, and below it what measured it."""
    return render("memories", table=table, lines=lines)


def side_by_side(results: Path, benchmark: str) -> str:
    """A row for each set and memory, all kinds of question together."""
    lines = scores_of(results, benchmark)
    rows = [
        [
            one.set,
            one.system,
            f"{one.questions:,}",
            *(cell(getattr(one, name)) for name in COLUMNS.values()),
            cell(one.seconds, ".2f"),
            cell(one.milliseconds, ".2f"),
            cell(one.megabytes, ".2f"),
        ]
        for one in lines
        if one.kind == ALL
    ]
    head = ["set", "memory", "questions", *COLUMNS, "s to take in", "ms an answer", "MB"]
    return with_makers(markdown_table(head, rows, "ll" + "r" * (len(head) - 2)), lines)


def by_kind(results: Path, benchmark: str, names: Sequence[str] = ("right", "rightly_refused")) -> str:
    """A row for each kind of question, a column for each set that our memory was asked: the first of these figures there is."""
    lines = [one for one in scores_of(results, benchmark) if one.system == OURS and one.kind != ALL]
    sets, kinds = (list(dict.fromkeys(getattr(one, name) for one in lines)) for name in ("set", "kind"))
    found = {
        (one.set, one.kind): next((cell(value) for name in names if not math.isnan(value := getattr(one, name))), "")
        for one in lines
    }
    return markdown_table(["kind", *sets], [[kind, *(found.get((one, kind), "") for one in sets)] for kind in kinds])


def found_by_kind(results: Path, benchmark: str) -> str:
    """A row for each kind of question, two columns for each memory: of the evidence, what is in five and in ten entries."""
    lines = scores_of(results, benchmark)
    systems, kinds = (list(dict.fromkeys(getattr(one, name) for one in lines)) for name in ("system", "kind"))
    found = {(one.system, one.kind): f"{cell(one.found_5)}, {cell(one.found_10)}" for one in lines}
    return markdown_table(["kind", *systems], [[kind, *(found.get((one, kind), "") for one in systems)] for kind in kinds])


def by_task(results: Path, benchmark: str) -> str:
    """A row for each length and style, a column for each task, and the mean."""
    lines = scores_of(results, benchmark)
    sets, tasks = (list(dict.fromkeys(getattr(one, name) for one in lines)) for name in ("set", "kind"))
    rows = []
    for name in sets:
        here = {one.kind: one for one in lines if one.set == name}
        mean = sum(one.right for one in here.values()) / len(here)
        costs = [max(getattr(one, cost) for one in here.values()) for cost in ("seconds", "milliseconds")]
        asked = sorted({one.questions for one in here.values()})
        of_each = " to ".join(f"{one:,}" for one in dict.fromkeys((asked[0], asked[-1])))
        shown = (cell(here[task].right) if task in here else "" for task in tasks)
        rows.append([name, of_each, *shown, cell(mean), *map(cell, costs)])
    head = ["set", "questions of each task", *map(number_of, tasks), "mean", "s to take in, at most", "ms an answer, at most"]
    return with_makers(markdown_table(head, rows), lines)


def printed(results: Path) -> str:
    """What others print, with where."""
    lines = read_csv(results / PRINTED_FILE, PrintedFigure)
    rows = [[one.task, one.length, one.system, one.trained, f"{one.right:g}", one.source] for one in lines]
    return markdown_table(["asked", "set", "system", "how", "%", "source"], rows, "llllrl")

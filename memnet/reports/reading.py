"""How much of a result is the network's and how much the reading's: parts of it changed, and what needs no network."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from pathlib import Path

from memnet.markdown import bold, decimals, grid, two_decimals
from memnet.papers.declare import TASKS, Runs, number_of
from memnet.papers.thousand import (
    ABLATION,
    AS_READ,
    NOT_TRAINED,
    ORDERED,
    ORDERED_TASKS,
    ORDERS,
    PARTS,
    PARTS_SEED,
    PARTS_TASKS,
    READINGS,
)
from memnet.record.runs import Row, labels, read_rows
from memnet.reports.pivot import failed_row, failing
from memnet.reports.select import select, with_changes
from memnet.reports.templates import render

FAMILY = "babi"
CONSTANT, LINEAR = NOT_TRAINED
SOLVED = 1.0  # percent of error, below which a task is said to be solved by a constant answer
BELOW = ("mean", "mean, validation", failed_row(FAMILY))


def reading_ablation(runs: Path) -> str:
    """A network with one part of its reading changed; and what a constant answer and a linear classifier make of them."""
    rows = read_rows(runs)
    return render(
        "reading-ablation",
        preset=ABLATION.presets[0],
        seed=PARTS_SEED,
        parts=PARTS,
        table=of_parts(rows),
        orders=[(name, of_orders(rows, name)) for name in ORDERED],
        ordered_tasks=len(ORDERED_TASKS),
        linear=LINEAR,
        readings=READINGS,
        without=without_a_network(rows),
    )


def of_parts(rows: Iterable[Row]) -> str:
    """The network task by task, a column a part that is changed."""
    return changed(rows, Runs(ABLATION.presets[:1], tasks=PARTS_TASKS, seed=PARTS_SEED, restarts=1), PARTS)


def of_orders(rows: Iterable[Row], preset: str) -> str:
    """A network task by task, a column an order in which names are given."""
    return changed(rows, Runs((preset,), tasks=ORDERED_TASKS, seed=PARTS_SEED, restarts=1), ORDERS)


def changed(rows: Iterable[Row], part: Runs, changes: Mapping[str, tuple[str, ...]]) -> str:
    """Test errors, a column a change, with the mean validation errors below."""
    found, columns = with_changes(rows, part, changes, ABLATION.name), []
    for name in changes:
        errors, held_out = (
            {task: float(found[name, task][kind]) for task in part.all_tasks} for kind in ("test_error", "validation_error")
        )
        columns.append((name, column(errors) | {BELOW[1]: two_decimals(statistics.mean(held_out.values()))}))
    return grid(columns, below=BELOW)


def without_a_network(rows: Iterable[Row]) -> str:
    """The most frequent training answer and a linear classifier of all twenty tasks, a column a reading."""
    rows, columns = list(rows), []
    for preset in NOT_TRAINED:
        part = Runs((preset,), restarts=1)
        found = with_changes(rows, part, READINGS, ABLATION.name)
        for name in READINGS:
            errors = {task: float(found[name, task]["test_error"]) for task in TASKS[FAMILY]}
            columns.append((f"{'most frequent answer' if preset == CONSTANT else 'n-grams'}, {name}", column(errors)))
    return grid(columns, below=(BELOW[0], BELOW[2]))


def column(errors: Mapping[str, float]) -> dict[str, str]:
    """Cells by task, their mean, and how many fail."""
    ends = {BELOW[0]: bold(two_decimals(statistics.mean(errors.values()))), BELOW[2]: str(failing(errors.values(), FAMILY))}
    return decimals(errors) | ends


def constant_errors(rows: Iterable[Row]) -> dict[str, float]:
    """Of the tasks that one constant answer solves, the most frequent of training, once the words are renamed: its errors.

    Where these runs are not on record there are none.
    """
    found = select(rows, Runs((CONSTANT,), settings=AS_READ, restarts=1))
    errors = {labels(row)[0]: float(row["test_error"]) for row in found}
    return {task: errors[task] for task in TASKS[FAMILY] if errors.get(task, SOLVED) < SOLVED}


def in_words(errors: Mapping[str, float]) -> str:
    """Which tasks a constant answer solves, as ``0.0, 0.5 % on tasks 1, 16``."""
    numbers = ", ".join(number_of(task) for task in errors)
    return f"{', '.join(decimals(errors).values())} % on tasks {numbers}"

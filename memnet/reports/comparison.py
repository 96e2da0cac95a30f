"""The models beside each other: errors, facts read, training time, cost of an answer, and what a growing memory does."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from memnet.markdown import markdown_table, one_decimal
from memnet.papers import PRESETS, STANDS_FOR
from memnet.papers.declare import QUESTIONS, SIZES
from memnet.papers.ours import COMPARED, WITH_FACTS
from memnet.record.measurements import DISTRACTORS, ScalingPoint, measured_by, read_costs, read_csv
from memnet.record.runs import families, is_joint, labels, read_rows
from memnet.reports.pivot import Networks
from memnet.reports.tables import collect, protocol
from memnet.reports.templates import render

RETRIEVED = "memory_retrieved.csv"  # beside the file of all statements
FIRST = "babi"  # what all models learned from
MOST = 10  # tasks that a line of errors against questions has at least


def comparison(runs: Path, published: Path, costs: Path, scaling: Path) -> str:
    """The comparison table: every model at the same data, below it as the memory grows, and how the numbers came to be.

    Raises :class:`~memnet.errors.NetworkError` where a file is missing.
    """
    below = [
        protocol(collect(runs, published, family, 0, [preset])[0])
        for presets in (COMPARED | WITH_FACTS).values()
        for family, preset in presets.items()
    ]
    memory = growing_memory(scaling, scaling.with_name(RETRIEVED))
    return "\n\n".join([models_compared(runs, published, costs), memory, "\n".join(below)])


def models_compared(runs: Path, published: Path, costs: Path) -> str:
    """Every model at the same data: what it learned from and its errors; then what it reads, and what that costs."""
    measured = read_costs(costs)
    errors, others = [], []
    for model, presets in (COMPARED | WITH_FACTS).items():
        parts = {family: collect(runs, published, family, 0, [preset])[0] for family, preset in presets.items()}
        config = PRESETS[presets[FIRST]]
        learns = "answers, facts" if config.supervision == "facts" else "answers"
        errors.append([model, learns, *(cell for family in SIZES for cell in error_cells(parts.get(family)))])
        seconds = (f"{part.seconds / len(part.chosen):.0f}" if (part := parts.get(family)) else "" for family in SIZES)
        cost = measured.get((presets[FIRST], config.dim))
        others.append([model, parts[FIRST].facts_read, *seconds, *(cost.figures if cost else ["", "", ""])])
    few, many = SIZES.values()
    head = ["model", "learns from", f"{few}: restarts", "epochs", "training error", "error", "all restarts"]
    head += [f"{many}: restarts", *head[3:]]
    costs_head = ["model", "facts read", f"training s a task, {few}", many, "parameters", "ms an answer", "Mflop an answer"]
    table = markdown_table(head, errors, "ll" + "r" * 10)
    return render("models", measured=measured_by(measured.values()), table=table, costs=markdown_table(costs_head, others))


def error_cells(part: Networks | None) -> list[str]:
    """Of one size: restarts, epochs, the errors of those that were chosen and of all; nothing where there is no such run."""
    if part is None:
        return [""] * 5
    epochs = max(int(row["epochs"]) for row in part.rows)
    chosen = f"{part.mean:.1f} ({part.failed} of {len(part.chosen)})"
    return [part.restarts, str(epochs), one_decimal(part.mean_of("train_error")), chosen, part.all_restarts]


def growing_memory(scaling: Path, retrieved: Path) -> str:
    """What every model makes of more and more statements, of all of them and of those that a retriever finds."""
    values = {
        name: {"asked": questions_asked(points), "measured": measured_by(points), "table": scaling_table(points)}
        for name, points in (("all", read_csv(scaling, ScalingPoint)), ("retrieved", read_csv(retrieved, ScalingPoint)))
    }
    return render("memory", distractors=DISTRACTORS, **values)


def scaling_table(points: Sequence[ScalingPoint]) -> str:
    """Error, time and memory of each model that is compared, by statements in the memory."""
    sizes = sorted({point.statements for point in points})
    rows = []
    for model, presets in COMPARED.items():
        mine = {point.statements: point for point in points if point.preset == presets[FIRST]}
        if mine:
            found = (mine.get(size) for size in sizes)
            rows.append([model, *(f"{p.error:.1f} %, {p.milliseconds:,.1f} ms, {p.peak:,.0f}" if p else "" for p in found)])
    return markdown_table(["model", *(f"{size:,}" for size in sizes)], rows)


def questions_asked(points: Sequence[ScalingPoint]) -> str:
    """How many questions were asked, by statements in the memory."""
    numbers: dict[str, list[str]] = {}
    for size in sorted({point.statements for point in points}):
        few, many = (f(point.questions for point in points if point.statements == size) for f in (min, max))
        numbers.setdefault(str(few) if few == many else f"{few} to {many}", []).append(f"{size:,}")
    return "; ".join(f"{number} questions about {', '.join(sizes)}" for number, sizes in numbers.items())


def by_questions(runs: Path) -> dict[str, list[tuple[float, float]]]:
    """Mean test error of the chosen networks by training questions, of every preset that was run on several numbers of them.

    Over the tasks that have all of its numbers. A preset for more questions stands for the one that its paper declares.
    """
    found: dict[str, dict[int, dict[str, float]]] = {}
    for row in read_rows(runs):
        changed = dict(pair.split("=", 1) for pair in row["settings"].split())
        [family, *others] = families(row)
        if others or is_joint(row) or family not in QUESTIONS or (row["seed"], row["chosen"]) != ("0", "1"):
            continue
        if not changed.keys() - {"questions"}:
            number, preset = int(changed.get("questions", QUESTIONS[family])), STANDS_FOR.get(row["preset"], row["preset"])
            found.setdefault(preset, {}).setdefault(number, {})[labels(row)[0]] = float(row["test_error"])
    lines: dict[str, list[tuple[float, float]]] = {}
    for preset, sizes in found.items():
        tasks = set.intersection(*(set(errors) for errors in sizes.values()))
        if len(sizes) > 1 and len(tasks) >= MOST:
            lines[f"{preset} ({len(tasks)} tasks)"] = [
                (number, statistics.mean(errors[task] for task in tasks)) for number, errors in sizes.items()
            ]
    return lines

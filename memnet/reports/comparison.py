"""The models beside each other: errors, facts read, training time, cost of an answer, and what a growing memory does."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.papers import PRESET_1K
from memnet.papers.ours import COMPARED
from memnet.reports.columns import collect, means, protocol
from memnet.reports.scaling import DISTRACTORS, ScalingPoint, read_costs, read_scaling
from memnet.training.records import read_rows

RETRIEVED = "memory_retrieved.csv"  # beside the file of all statements
SIZES = {"1k": 1000, "10k": 10_000}  # training questions a task


def comparison(runs: Path, published: Path, costs: Path, scaling: Path) -> str:
    """The comparison table: every model at the same data, below it as the memory grows, and how the numbers came to be.

    Raises :class:`~memnet.checkpoint.NetworkError` where a file is missing.
    """
    below = [
        protocol(collect(runs, published, size, 0, [preset])[0])
        for presets in COMPARED.values()
        for size, preset in presets.items()
    ]
    memory = growing_memory(scaling, scaling.with_name(RETRIEVED))
    return "\n\n".join([models_compared(runs, published, costs), memory, "\n".join(below)])


def models_compared(runs: Path, published: Path, costs: Path) -> str:
    """Every model at the same data: errors, facts read, and what training and an answer cost."""
    measured = read_costs(costs)
    rows = []
    for model, presets in COMPARED.items():
        errors, seconds, facts = {}, {}, ""
        for size, preset in presets.items():
            part = collect(runs, published, size, 0, [preset])[0]
            ours, _, _ = means(part)
            errors[size] = f"{ours:.1f} ({part.failed} of {len(part.chosen)})"
            seconds[size] = f"{part.seconds / len(part.chosen):.0f}"
            if size == "1k":
                found = [
                    [float(row[name]) for row in part.rows if row["chosen"] == "1" and row[name] not in ("", "-")]
                    for name in ("fact_precision", "fact_recall")
                ]
                facts = ", ".join(f"{100 * statistics.mean(shares):.0f} %" for shares in found if shares)
        its = measured.get(presets["1k"])
        numbers = [f"{its.parameters:,}", f"{its.milliseconds:.2f}"] if its else ["", ""]
        rows.append(
            [model, *(errors.get(size, "") for size in SIZES), facts, *(seconds.get(size, "") for size in SIZES), *numbers]
        )
    head = ["model", "1k error", "10k error", "facts read", "training s a task, 1k", "10k", "parameters", "ms an answer"]
    return f"{MODELS_READ}\n\n{markdown_table(head, rows)}"


MODELS_READ = """\
Published bAbI v1.2 text (en), one network a task.

- *error*: mean test error in percent of the networks that were chosen; in brackets how many of them fail (error above 5 %).
- *facts read*: of the sentences read, the share that are supporting facts; of the facts, the share that were read (precision
  and recall, mean over tasks, 1k).
- *training*: seconds of one core for all restarts that a network was chosen from, mean over tasks.
- *parameters*, *ms an answer*: of a network for task 2 at 1k; the median time of an answer, one thread."""


def growing_memory(scaling: Path, retrieved: Path) -> str:
    """What every model makes of more and more statements, of all of them and of those that a retriever finds."""
    points, found = read_scaling(scaling), read_scaling(retrieved)
    text = (
        "Simulated stories of task 1 with distractor sentences, by the number of statements in the memory. A cell has the "
        "error in percent, milliseconds an answer, and the process's peak of memory in MiB. The networks were trained with "
        f"{DISTRACTORS} distractor sentences in a story (1,000 questions, chosen by their own rule). Asked were "
        f"{questions_asked(points)}."
    )
    after = (
        "The same where a network reads only what the retriever finds (`--retrieve`); the time is of both. Asked were "
        f"{questions_asked(found)}."
    )
    return "\n\n".join([text, scaling_table(points), after, scaling_table(found)])


def scaling_table(points: Sequence[ScalingPoint]) -> str:
    """Error, time and memory of each model that is compared, by statements in the memory."""
    sizes = sorted({point.statements for point in points})
    rows = []
    for model, presets in COMPARED.items():
        mine = {point.statements: point for point in points if point.preset == presets["1k"]}
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
    """Mean test error of the chosen networks by training questions, of every preset that was run on several sizes.

    Over the tasks that have all its sizes; 1k and 10k are 1,000 and 10,000 questions. A preset for 10,000 stands for the
    one for 1,000 that its paper declares.
    """
    found: dict[str, dict[int, dict[str, float]]] = {}
    for row in read_rows(runs):
        own = (row["variant"], row["source"], row["seed"], row["chosen"]) == ("en", "published", "0", "1")
        changed = dict(pair.split("=", 1) for pair in row["settings"].split())
        if own and not changed.keys() - {"questions"} and " " not in row["tasks"] and row["size"] in SIZES:
            number = int(changed.get("questions", SIZES[row["size"]]))
            preset = PRESET_1K.get(row["preset"], row["preset"])
            found.setdefault(preset, {}).setdefault(number, {})[row["tasks"]] = float(row["test_error"])
    lines: dict[str, list[tuple[float, float]]] = {}
    for preset, sizes in found.items():
        tasks = set.intersection(*(set(errors) for errors in sizes.values()))
        if len(sizes) > 1 and len(tasks) >= 10:
            lines[f"{preset} ({len(tasks)} tasks)"] = [
                (number, statistics.mean(errors[task] for task in tasks)) for number, errors in sizes.items()
            ]
    return lines

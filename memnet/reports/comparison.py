"""The models beside each other: errors, facts read, training time, cost of an answer, and what a growing memory does."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.papers import PRESET_1K, PRESETS
from memnet.papers.ours import COMPARED, WITH_FACTS
from memnet.record.measurements import DISTRACTORS, ScalingPoint, measured_by, read_costs, read_scaling
from memnet.reports.columns import Results, all_restarts, collect, means, protocol
from memnet.reports.legacy import read_rows

RETRIEVED = "memory_retrieved.csv"  # beside the file of all statements
SIZES = {"1k": 1000, "10k": 10_000}  # training questions a task


def comparison(runs: Path, published: Path, costs: Path, scaling: Path) -> str:
    """The comparison table: every model at the same data, below it as the memory grows, and how the numbers came to be.

    Raises :class:`~memnet.errors.NetworkError` where a file is missing.
    """
    below = [
        protocol(collect(runs, published, size, 0, [preset])[0])
        for presets in (COMPARED | WITH_FACTS).values()
        for size, preset in presets.items()
    ]
    memory = growing_memory(scaling, scaling.with_name(RETRIEVED))
    return "\n\n".join([models_compared(runs, published, costs), memory, "\n".join(below)])


def models_compared(runs: Path, published: Path, costs: Path) -> str:
    """Every model at the same data: what it learned from and its errors; then what it reads, and what that costs."""
    measured = read_costs(costs)
    errors, others = [], []
    for model, presets in (COMPARED | WITH_FACTS).items():
        parts = {size: collect(runs, published, size, 0, [preset])[0] for size, preset in presets.items()}
        learns = "answers, facts" if PRESETS[presets["1k"]].supervision == "facts" else "answers"
        errors.append([model, learns, *(cell for size in SIZES for cell in error_cells(parts.get(size)))])
        seconds = (f"{part.seconds / len(part.chosen):.0f}" if (part := parts.get(size)) else "" for size in SIZES)
        its = measured.get((presets["1k"], PRESETS[presets["1k"]].dim))
        numbers = its.figures if its else ["", "", ""]
        others.append([model, facts_read(parts["1k"]), *seconds, *numbers])
    head = ["model", "learns from", "1k: restarts", "epochs", "training error", "error", "all restarts"]
    head += ["10k: restarts", *head[3:]]
    costs_head = ["model", "facts read", "training s a task, 1k", "10k", "parameters", "ms an answer", "Mflop an answer"]
    text = f"{MODELS_READ}; {measured_by(measured.values())}."
    return "\n\n".join([text, markdown_table(head, errors, "ll" + "r" * 10), markdown_table(costs_head, others)])


def error_cells(part: Results | None) -> list[str]:
    """Of one size: restarts, epochs, the errors of those that were chosen and of all; nothing where there is no such run."""
    if part is None:
        return [""] * 5
    epochs = max(int(row["epochs"]) for row in part.rows)
    training = statistics.mean(float(row["train_error"]) for row in part.rows if row["chosen"] == "1")
    chosen = f"{means(part)[0]:.1f} ({part.failed} of {len(part.chosen)})"
    return [part.rows[0]["restarts"], str(epochs), f"{training:.1f}", chosen, all_restarts(part)]


def facts_read(part: Results) -> str:
    """Precision and recall of the chosen networks, means over tasks."""
    found = [
        [float(row[name]) for row in part.rows if row["chosen"] == "1" and row[name] not in ("", "-")]
        for name in ("fact_precision", "fact_recall")
    ]
    return ", ".join(f"{100 * statistics.mean(shares):.0f} %" for shares in found if shares)


MODELS_READ = """\
Published bAbI v1.2 text (en), one network a task. **Not on equal ground**: restarts, epochs and what is learned from differ, as
the columns say; a difference between two rows may be theirs.

- *learns from*: the answers of the training questions alone, or their supporting facts too.
- *restarts*: how many networks each was chosen from; *epochs*: the most that one of them was trained (after a linear start).
- *training error*, *error*: of the networks that were chosen, on the training and on the test questions, in percent, means over
  tasks; in brackets how many of them fail on the test questions (error above 5 %).
- *all restarts*: of all networks; ± their sample standard deviation, the mean over tasks. One restart has none.
- *facts read*: of the sentences read, the share that are supporting facts; of the facts, the share that were read (precision
  and recall, mean over tasks, 1k).
- *training*: seconds of one core for all restarts that a network was chosen from, mean over tasks.
- *parameters*, *ms an answer*, *Mflop an answer*: of a network for task 2 at 1k; the median time of an answer, one thread,
  and of its matrix products' multiplications and additions in millions"""


def growing_memory(scaling: Path, retrieved: Path) -> str:
    """What every model makes of more and more statements, of all of them and of those that a retriever finds."""
    points, found = read_scaling(scaling), read_scaling(retrieved)
    text = (
        "Simulated stories of task 1 with distractor sentences, by the number of statements in the memory. A cell has the "
        "error in percent, milliseconds an answer, and the process's peak of memory in MiB. The networks were trained with "
        f"{DISTRACTORS} distractor sentences in a story (1,000 questions, chosen by their own rule). Asked were "
        f"{questions_asked(points)}; {measured_by(points)}."
    )
    after = (
        "The same where a network reads only what the retriever finds (`--retrieve`); the time is of both. Asked were "
        f"{questions_asked(found)}; {measured_by(found)}."
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

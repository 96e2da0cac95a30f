"""bAbI from 1,000 questions a task: networks tried in turn, chosen by validation, of several seeds, with printed figures."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers.declare import TASKS
from memnet.papers.thousand import CANDIDATES, SEEDS
from memnet.reports.columns import one_decimal
from memnet.reports.in_turn import Cell, Row, choice, next_candidate, tried
from memnet.reports.published import published_errors
from memnet.training.evaluate import FAILED
from memnet.training.records import read_rows

MEAN_OF_SEEDS = "UT w/ dynamic halting, mean over 10 seeds"
OVER_SEEDS = {"Universal Transformer, mean of ten seeds": MEAN_OF_SEEDS}
CHOSEN_ONCE = {
    "Universal Transformer, of ten seeds the best for each task": "UT w/ dynamic halting, best seed per task of 10",
    "Universal Transformer, fixed depth": "Universal Transformer (fixed depth)",
    "QRN, two layers": "QRN 2r",
}
NUMBERS = ("no", "one", "two", "three", "four", "five")
BEST = CHOSEN_ONCE["Universal Transformer, of ten seeds the best for each task"]


class Chosen(NamedTuple):
    """The network that is chosen for each task and seed, its test error, and of each seed the mean and the failed tasks."""

    network: dict[Cell, Row]
    error: dict[Cell, float]
    means: list[float]
    failed: list[int]


def chosen_networks(rows: Sequence[Row]) -> Chosen:
    """Of the runs of ``memnet reproduce thousand``. Raises :class:`~memnet.errors.NetworkError` where one is lacking."""
    found = tried(rows, CANDIDATES)
    cells = [(task, seed) for task in TASKS["1k"] for seed in SEEDS]
    if lacking := [cell for cell in cells if next_candidate(CANDIDATES, found.get(cell, [])) is not None]:
        names = ", ".join(f"{task} seed {seed}" for task, seed in lacking[:5])
        raise NetworkError(
            f"runs of {len(lacking)} tasks and seeds are lacking ({names} ...); 'memnet reproduce thousand' makes them"
        )
    chosen = {cell: choice(CANDIDATES, found[cell]) for cell in cells}
    error = {cell: float(row["test_error"]) for cell, row in chosen.items()}
    means = [statistics.mean(error[task, seed] for task in TASKS["1k"]) for seed in SEEDS]
    failed = [sum(error[task, seed] > FAILED for task in TASKS["1k"]) for seed in SEEDS]
    return Chosen(chosen, error, means, failed)


def thousand(runs: Path, published: Path) -> str:
    """The table of ``memnet reproduce thousand``. Raises :class:`~memnet.errors.NetworkError` where a run is lacking."""
    tasks, seeds, rows = TASKS["1k"], SEEDS, read_rows(runs)
    chosen, error, means, failed = chosen_networks(rows)
    theirs, _ = published_errors(published, BEST, "1k", "single")
    head = ["task", "mean", "± sd", *(f"seed {seed}" for seed in seeds), "networks chosen", "validation", "paper, best of ten"]
    lines = []
    for task in tasks:
        own = [error[task, seed] for seed in seeds]
        presets = Counter(chosen[task, seed]["preset"] for seed in seeds)
        said = ", ".join(f"{name}{f' x {count}' if count > 1 else ''}" for name, count in presets.most_common())
        held_out = statistics.mean(float(chosen[task, seed]["validation_error"]) for seed in seeds)
        line = [task, f"**{one_decimal(statistics.mean(own))}**", one_decimal(statistics.stdev(own)), *map(one_decimal, own)]
        lines.append([*line, said, one_decimal(held_out), one_decimal(theirs.get(int(task[2:])))])
    mean_of_theirs = one_decimal(statistics.mean(theirs.values())) if theirs else ""
    spread = one_decimal(statistics.stdev(means))
    lines.append(
        ["mean", f"**{statistics.mean(means):.2f}**", spread, *(f"{mean:.2f}" for mean in means), "", "", mean_of_theirs]
    )
    failing = [statistics.mean(failed), statistics.stdev(failed)]
    lines.append(
        ["failed (> 5 %)", *map(one_decimal, failing), *map(str, failed), "", "", str(sum(e > FAILED for e in theirs.values()))]
    )
    return "\n\n".join(
        [
            "Test error in percent, published bAbI v1.2 text (en): 1,000 questions a task, of which 900 are learned from and "
            "100 choose; answers alone, no supporting facts, no other text, nothing known of the tasks. One procedure for all "
            f"twenty, again from every seed: {sentence(CANDIDATES)} are tried in this order, until one makes no validation "
            "error; else the one with the fewest is chosen.",
            markdown_table(head, lines, "lrr" + "r" * len(seeds) + "lrr"),
            "Means that are printed for 1,000 questions a task, one network a task, answers alone, and ours:",
            with_printed(chosen, means, failed, published),
            cost(rows),
        ]
    )


def sentence(names: Sequence[str]) -> str:
    """Names of presets as a list in a sentence."""
    marked = [f"`{name}`" for name in names]
    return " and ".join(filter(None, (", ".join(marked[:-1]), marked[-1])))


def with_printed(chosen: dict[tuple[str, int], Row], means: Sequence[float], failed: Sequence[int], published: Path) -> str:
    """Our mean over seeds and printed ones; apart, our best seed for each task by validation, and such."""
    by_task: dict[str, list[Row]] = {}
    for (task, _), row in chosen.items():
        by_task.setdefault(task, []).append(row)
    best = [float(min(rows, key=lambda row: float(row["validation_error"]))["test_error"]) for rows in by_task.values()]
    lines = [
        [
            "mean over seeds",
            f"ours, {NUMBERS[len(means)]} seeds",
            f"**{statistics.mean(means):.2f}**",
            one_decimal(statistics.mean(failed)),
        ]
    ]
    lines += [["", name, *printed_means(published, model)] for name, model in OVER_SEEDS.items()]
    lines.append(["one network a task", "ours, of the seeds the best by validation", f"**{statistics.mean(best):.2f}**"])
    lines[-1].append(str(sum(error > FAILED for error in best)))
    lines += [["", name, *printed_means(published, model)] for name, model in CHOSEN_ONCE.items()]
    return markdown_table(["", "", "mean error", "failed"], lines, "llrr")


def printed_means(published: Path, model: str) -> list[str]:
    """The mean that a paper prints, and its failed tasks where it prints the tasks."""
    errors, mean = published_errors(published, model, "1k", "single")
    return ["" if mean is None else f"{mean:.2f}", str(sum(error > FAILED for error in errors.values())) if errors else ""]


def cost(rows: Sequence[dict[str, str]]) -> str:
    """The hours that all networks took that were tried."""
    kept = {cell: found for cell, found in tried(rows, CANDIDATES).items() if cell[1] in SEEDS}
    seconds = sum(float(row["seconds"]) * int(row["restarts"]) for found in kept.values() for row in found)
    number = sum(len(found) for found in kept.values())
    hours = seconds / 3600
    return f"{number} networks were tried, in {hours:.1f} hours of one core: {hours / len(SEEDS):.1f} a seed."

"""Networks chosen by validation from presets tried in turn, or joint: task by task and seed by seed, with printed figures."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers.declare import SIZES, Printed, Study
from memnet.papers.thousand import SHOWN
from memnet.record.runs import read_rows
from memnet.reports.cascade import Place, choice, next_candidate, tried
from memnet.reports.pivot import bold, failed_row, failing, grid, one_decimal, two_decimals
from memnet.reports.published import Figures, published_figures
from memnet.reports.select import Row
from memnet.reports.tables import values
from memnet.reports.templates import render


class Chosen(NamedTuple):
    """The network that is chosen for each task and seed, its test error, and of each seed the mean and the failed tasks."""

    network: dict[Place, Row]
    error: dict[Place, float]
    means: list[float]
    failed: list[int]
    first: dict[Place, float]  # test errors of the first candidate, had it been chosen everywhere


def chosen_networks(rows: Sequence[Row], study: Study) -> Chosen:
    """Of a study's runs. Raises :class:`~memnet.errors.NetworkError` where one is lacking."""
    found, presets, tasks = tried(rows, study), study.presets, study.tasks
    places = [(task, seed) for task in tasks for seed in study.seeds]
    if lacking := [place for place in places if next_candidate(presets, found.get(place, [])) is not None]:
        names = ", ".join([*(f"{task} seed {seed}" for task, seed in lacking[:5]), *["..."] * (len(lacking) > 5)])
        raise NetworkError(
            f"runs of {len(lacking)} tasks and seeds are lacking ({names}); 'memnet reproduce {study.name}' makes them"
        )
    chosen = {place: choice(presets, found[place]) for place in places}
    error = {place: float(row["test_error"]) for place, row in chosen.items()}
    by_seed = [[error[task, seed] for task in tasks] for seed in study.seeds]
    first = {place: float(found[place][0]["test_error"]) for place in places}
    return Chosen(chosen, error, [*map(statistics.mean, by_seed)], [failing(errors, study.family) for errors in by_seed], first)


def failed_on_average(errors: Mapping[Place, float], family: str) -> int:
    """How many tasks of a family have a mean error over seeds above that of a failed task."""
    by_task: dict[str, list[float]] = {}
    for (task, _), error in errors.items():
        by_task.setdefault(task, []).append(error)
    return failing(map(statistics.mean, by_task.values()), family)


def of_seeds(study: Study, runs: Path, published: Path) -> str:
    """The study's table: every seed's errors, their mean, the presets chosen, validation errors, a printed column."""
    rows, shown, tasks = read_rows(runs), SHOWN[study.name], study.tasks
    found, printed = chosen_networks(rows, study), figures_of(published, study, shown.column).errors
    several, failed = len(study.seeds) > 1, failed_row(study.family)
    theirs = {task: printed[task] for task in printed if task in tasks}

    def over_seeds(numbers: Sequence[float], written: Callable[[float], str]) -> list[str]:
        mean = bold(written(statistics.mean(numbers)))
        return [mean, written(statistics.stdev(numbers)), *map(written, numbers)] if several else [mean]

    heads = ["mean", "± sd", *(f"seed {seed}" for seed in study.seeds)] if several else ["error"]
    lines = {task: over_seeds([found.error[task, seed] for seed in study.seeds], one_decimal) for task in tasks}
    lines["mean"] = over_seeds(found.means, two_decimals)
    lines[failed] = [*([str(failed_on_average(found.error, study.family)), ""] if several else []), *map(str, found.failed)]
    columns: list[tuple[str, Mapping[str, str]]] = [
        (head, {label: cells[place] for label, cells in lines.items()}) for place, head in enumerate(heads)
    ]
    if study.in_turn:
        counts = {task: Counter(found.network[task, seed]["preset"] for seed in study.seeds) for task in tasks}
        names = {
            task: ", ".join(f"{name}{f' x {number}' if number > 1 else ''}" for name, number in count.most_common())
            for task, count in counts.items()
        }
        columns.append(("networks chosen", names))
    held_out = {
        task: statistics.mean(float(found.network[task, seed]["validation_error"]) for seed in study.seeds) for task in tasks
    }
    columns.append(("validation", {task: one_decimal(error) for task, error in held_out.items()}))
    ends = {
        "mean": one_decimal(statistics.mean(theirs.values())) if theirs else "",
        failed: str(failing(theirs.values(), study.family)),
    }
    columns.append((shown.heading, {task: one_decimal(error) for task, error in theirs.items()} | ends))
    align = "l" + "r" * len(heads) + "l" * study.in_turn + "rr"
    return render(
        "procedure",
        study=study,
        shown=shown,
        table=grid(columns, rows=tasks, below=("mean", failed), align=align),
        means=with_printed(study, found, published),
        cost=cost(rows, study),
    )


def with_printed(study: Study, chosen: Chosen, published: Path) -> str:
    """Our mean over seeds and printed ones; apart, our best seed by validation, and such."""
    shown, seeds = SHOWN[study.name], study.seeds
    several = len(seeds) > 1

    def line(label: str, mean: str, failed: object) -> list[str]:
        return ["", label, mean, str(failed)]

    first = statistics.mean(chosen.first.values())
    alone = [
        line(f"ours, {study.presets[0]} alone", two_decimals(first), failed_on_average(chosen.first, study.family))
    ] * study.in_turn
    mean = bold(two_decimals(statistics.mean(chosen.means)))
    over_seeds = (
        [line(f"ours, {len(seeds)} seeds", mean, failed_on_average(chosen.error, study.family)), *alone] if several else []
    )
    over_seeds += [line(one.label, *mean_in_print(published, study, one)) for one in shown.over_seeds]
    errors = best_by_validation(study, chosen)
    ours = "ours, of the seeds the best by validation, of equal ones the first" if several else "ours"
    once = [line(ours, bold(two_decimals(statistics.mean(errors))), failing(errors, study.family)), *([] if several else alone)]
    once += [line(one.label, *mean_in_print(published, study, one)) for one in shown.once]
    for part, head in ((over_seeds, "mean over seeds"), (once, "chosen once" if several else "")):
        for place, cells in enumerate(part):
            cells[0] = head if place == 0 or (part is over_seeds and not several) else ""
    return markdown_table(["", "", "mean error", "failed"], [*over_seeds, *once] if several else [*once, *over_seeds], "llrr")


def best_by_validation(study: Study, chosen: Chosen) -> list[float]:
    """The test errors of the seed that is best by validation: for each task, or for all where one network knows all."""

    def held_out(task: str, seed: int) -> float:
        return float(chosen.network[task, seed]["validation_error"])

    if study.joint:
        seed = min(study.seeds, key=lambda seed: sum(held_out(task, seed) for task in study.tasks))
        return [chosen.error[task, seed] for task in study.tasks]
    return [chosen.error[task, min(study.seeds, key=lambda seed: held_out(task, seed))] for task in study.tasks]


def beside(study: Study) -> Printed:
    """What our mean stands beside: a mean over seeds beside one over seeds, a single network beside single ones."""
    shown = SHOWN[study.name]
    return shown.over_seeds[0] if len(study.seeds) > 1 and shown.over_seeds else shown.column


def figures_of(published: Path, study: Study, line: Printed) -> Figures:
    """What a paper prints for as many questions, for one network a task or for all."""
    regime = "joint" if study.joint else "single"
    return published_figures(published, line.model, SIZES[study.family], regime, line.paper, line.supervision)


def mean_in_print(published: Path, study: Study, line: Printed) -> list[str]:
    """The mean that a paper prints, of the tasks that the study has where it prints them, and how many tasks fail."""
    figures = figures_of(published, study, line)
    printed, mean, failed = figures.errors, figures.mean, figures.failed
    errors = [error for task, error in printed.items() if task in study.tasks]
    if len(errors) == len(study.tasks) < len(printed):
        mean = statistics.mean(errors)
    return [two_decimals(mean), str(failing(errors, study.family)) if errors else failed]


def cost(rows: Sequence[Row], study: Study) -> str:
    """The hours that all networks took that were tried, and the code that trained them."""
    found = [row for (_, seed), networks in tried(rows, study).items() if seed in study.seeds for row in networks]
    networks = len(study.tasks) if study.joint else 1  # rows of a network
    hours = sum(float(row["seconds"]) for row in found) / networks / 3600
    each = f", {hours / len(study.seeds):.1f} a seed" if len(study.seeds) > 1 else ""
    machines = ", ".join(sorted({row["machine"].partition(";")[0] for row in found}))
    torch, code = (", ".join(values(found, name)) for name in ("torch", "code"))
    return (
        f"Number of networks {'tried' if study.in_turn else 'trained'}: {len(found) // networks}, in {hours:.1f} hours of one "
        f"core{each}; torch {torch}, on {machines}, code {code}."
    )

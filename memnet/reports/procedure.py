"""Networks chosen by validation from presets tried in turn, or joint: task by task and seed by seed, with printed figures."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import bold, decimals, grid, markdown_table, one_decimal, two_decimals
from memnet.papers.declare import FIRST_THOUSAND, SIZES, Printed, Study
from memnet.papers.thousand import SHOWN
from memnet.record.published import Figures, published_figures
from memnet.record.runs import Row, read_rows
from memnet.reports.cascade import Place, choice, next_candidate, tried
from memnet.reports.pivot import failed_row, failing
from memnet.reports.reading import constant_errors, in_words
from memnet.reports.tables import values
from memnet.reports.templates import render


@dataclass(frozen=True)
class Chosen:
    """The network that a study chooses for each task and seed, and the first candidate, had it been chosen everywhere."""

    study: Study
    network: Mapping[Place, Row]
    first: Mapping[Place, Row]

    def errors(self, by: int, kind: str = "test_error", first: bool = False) -> list[list[float]]:
        """Of each task (``by`` 0) those of all seeds, or of each seed (1) those of all tasks."""
        found: dict[str | int, list[float]] = {}
        for place, row in (self.first if first else self.network).items():
            found.setdefault(place[by], []).append(float(row[kind]))
        return [*found.values()]

    def means(self, first: bool = False) -> list[float]:
        """Of each seed."""
        return [statistics.mean(errors) for errors in self.errors(1, first=first)]

    def failed_on_average(self, first: bool = False) -> int:
        """How many tasks have a mean error over seeds above that of a failed task."""
        return failing(map(statistics.mean, self.errors(0, first=first)), self.study.family)


def chosen_networks(rows: Sequence[Row], study: Study) -> Chosen:
    """Of a study's runs. Raises :class:`~memnet.errors.NetworkError` where one is lacking."""
    found, presets = tried(rows, study), study.presets
    labels = list(dict.fromkeys(label for part in study.runs for label in part.labels))
    places = [(label, seed) for label in labels for seed in study.seeds]
    if lacking := [place for place in places if next_candidate(presets, found.get(place, [])) is not None]:
        names = ", ".join([*(f"{task} seed {seed}" for task, seed in lacking[:5]), *["..."] * (len(lacking) > 5)])
        raise NetworkError(
            f"runs of {len(lacking)} tasks and seeds are lacking ({names}); 'memnet reproduce {study.name}' makes them"
        )
    chosen = {place: choice(presets, found[place]) for place in places}
    return Chosen(study, chosen, {place: found[place][0] for place in places})


def of_seeds(study: Study, runs: Path, published: Path) -> str:
    """The study's table: every seed's errors, their mean, the presets chosen, validation errors, a printed column."""
    rows, shown, tasks, failed = read_rows(runs), SHOWN[study.name], study.tasks, failed_row(study.family)
    found, printed = chosen_networks(rows, study), figures_of(published, study, shown.column).errors
    several = len(study.seeds) > 1
    papers = {task: printed[task] for task in printed if task in tasks}

    def over_seeds(numbers: Sequence[float], written: Callable[[float], str]) -> list[str]:
        mean = bold(written(statistics.mean(numbers)))
        return [mean, written(statistics.stdev(numbers)), *map(written, numbers)] if several else [mean]

    heads = ["mean", "± sd", *(f"seed {seed}" for seed in study.seeds)] if several else ["error"]
    lines = {task: over_seeds(errors, one_decimal) for task, errors in zip(tasks, found.errors(0), strict=True)}
    lines["mean"] = over_seeds(found.means(), two_decimals)
    each = [str(failing(errors, study.family)) for errors in found.errors(1)]
    lines[failed] = [*([str(found.failed_on_average()), ""] if several else []), *each]
    columns = [(head, {label: cells[place] for label, cells in lines.items()}) for place, head in enumerate(heads)]
    if study.in_turn:
        columns.append(("networks chosen", {task: presets_of(found, task) for task in tasks}))
    held_out = map(statistics.mean, found.errors(0, "validation_error"))
    columns.append(("validation", decimals(dict(zip(tasks, held_out, strict=True)))))
    ends = [one_decimal(statistics.mean(papers.values())) if papers else "", str(failing(papers.values(), study.family))]
    columns.append((shown.heading, decimals(papers) | dict(zip(("mean", failed), ends, strict=True))))
    return render(
        "procedure",
        study=study,
        shown=shown,
        table=grid(columns, rows=tasks, below=("mean", failed), align="l" + "r" * len(heads) + "l" * study.in_turn + "rr"),
        means=with_printed(found, published),
        constant=constant_errors(rows) if study.family == FIRST_THOUSAND and shown.renamed else {},
        in_words=in_words,
        **cost(rows, study),
    )


def presets_of(chosen: Chosen, task: str) -> str:
    """Whose networks are chosen for a task, the most frequent first."""
    count = Counter(chosen.network[task, seed]["preset"] for seed in chosen.study.seeds)
    return ", ".join(f"{name}{f' x {number}' if number > 1 else ''}" for name, number in count.most_common())


def with_printed(chosen: Chosen, published: Path) -> str:
    """Our mean over seeds and printed ones; apart, our best seed by validation, and such."""
    study, shown = chosen.study, SHOWN[chosen.study.name]
    ours = "ours, words renamed by rules" if shown.renamed else "ours"
    over_seeds, once = (
        [[one.label, *mean_in_print(published, study, one)] for one in printed] for printed in (shown.over_seeds, shown.once)
    )
    first = two_decimals(statistics.mean(chosen.means(first=True)))
    alone = [[f"{ours}, {study.presets[0]} alone", first, str(chosen.failed_on_average(first=True))]] * study.in_turn
    errors = best_by_validation(chosen)
    best = [bold(two_decimals(statistics.mean(errors))), str(failing(errors, study.family))]
    if len(study.seeds) > 1:
        mean = [bold(two_decimals(statistics.mean(chosen.means()))), str(chosen.failed_on_average())]
        over_seeds = [[f"{ours}, {len(study.seeds)} seeds", *mean], *alone, *over_seeds]
        once = [[f"{ours}, of the seeds the best by validation, of equal ones the first", *best], *once]
        heads = ["mean over seeds", *[""] * (len(over_seeds) - 1), "chosen once", *[""] * (len(once) - 1)]
        lines = [*over_seeds, *once]
    else:
        lines = [[ours, *best], *alone, *once, *over_seeds]
        heads = [""] * (len(lines) - len(over_seeds)) + ["mean over seeds"] * len(over_seeds)
    rows = [[head, *cells] for head, cells in zip(heads, lines, strict=True)]
    return markdown_table(["", "", "mean error", "failed"], rows, "llrr")


def best_by_validation(chosen: Chosen) -> list[float]:
    """The test errors of the seed that is best by validation: for each task, or for all where one network knows all."""
    study, found = chosen.study, list[float]()
    for tasks in [study.tasks] if study.joint else [[task] for task in study.tasks]:
        held_out = [sum(float(chosen.network[task, seed]["validation_error"]) for task in tasks) for seed in study.seeds]
        best = study.seeds[held_out.index(min(held_out))]
        found += [float(chosen.network[task, best]["test_error"]) for task in tasks]
    return found


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


def cost(rows: Sequence[Row], study: Study) -> dict[str, object]:
    """How many networks were tried, the hours that all of them took, and what trained them."""
    found = [row for (_, seed), networks in tried(rows, study).items() if seed in study.seeds for row in networks]
    networks = len(study.tasks) if study.joint else 1  # rows of a network
    return {
        "networks": len(found) // networks,
        "hours": sum(float(row["seconds"]) for row in found) / networks / 3600,
        "machines": sorted({row["machine"].partition(";")[0] for row in found}),
        "torch": values(found, "torch"),
        "code": values(found, "code"),
    }

"""bAbI from so many questions a task: networks chosen by validation, task by task and seed by seed, with printed figures."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers.declare import Study
from memnet.papers.thousand import FACTS, JOINT, TEN_THOUSAND, THOUSAND
from memnet.reports.columns import one_decimal
from memnet.reports.in_turn import Cell, Row, choice, next_candidate, tried
from memnet.reports.legacy import read_rows
from memnet.reports.published import published_errors, published_failed
from memnet.training.evaluate import FAILED


class Printed(NamedTuple):
    """A line of results/published.csv that a table is held against."""

    label: str
    model: str
    paper: str | None = None  # as that file begins its name, where several print such a line
    supervision: str | None = None  # where the model is printed with facts and without


class Shown(NamedTuple):
    """How a study is shown."""

    what: str  # what its networks learn from
    column: Printed  # its errors stand in the table
    heading: str  # of that column
    over_seeds: tuple[Printed, ...] = ()  # means over seeds
    once: tuple[Printed, ...] = ()  # one network a task, or of several the best


UNIVERSAL = "Universal Transformer"
MEAN_OF_SEEDS = Printed(f"{UNIVERSAL}, mean of ten seeds", "UT w/ dynamic halting, mean over 10 seeds")
BEST_OF_TASK = Printed(f"{UNIVERSAL}, of ten seeds the best for each task", "UT w/ dynamic halting, best seed per task of 10")
FIXED_DEPTH = Printed(f"{UNIVERSAL}, fixed depth", "Universal Transformer (fixed depth)")
OF_A_THOUSAND = "1,000 questions a task, of which 900 are learned from and 100 choose"
NOTHING_ELSE = "no other text, no list of names, no grammar"
SHOWN = {
    THOUSAND.name: Shown(
        f"{OF_A_THOUSAND}; answers alone, no supporting facts, {NOTHING_ELSE}.",
        BEST_OF_TASK,
        "paper, best of ten",
        (MEAN_OF_SEEDS,),
        (
            BEST_OF_TASK,
            FIXED_DEPTH,
            Printed("GA+MAGE, which has coreferences from elsewhere", "GA+MAGE (uses external coreference annotations)"),
            Printed("QRN, two layers", "QRN 2r"),
            Printed("QRN, three layers", "QRN 3r"),
            Printed("GMemN2N", "GMemN2N"),
            Printed("MemN2N", "MemN2N PE LS RN 3 hops", "Sukhbaatar"),
            Printed("QDREN", "QDREN"),
            Printed("UMN, one invariant", "UMN 1 invariant", supervision="weak"),
            Printed("EntNet", "EntNet"),
        ),
    ),
    FACTS.name: Shown(
        f"{OF_A_THOUSAND}; answers and the supporting facts of the same questions, {NOTHING_ELSE}.",
        Printed("UMN, one invariant", "UMN 1 invariant", supervision="strong"),
        "paper, UMN",
        once=(
            Printed("GGT-NN, which is also taught the state after each statement", "GGT-NN direct reference"),
            Printed("UMN, one invariant", "UMN 1 invariant", supervision="strong"),
            Printed("DMN, which does not say how many questions it had", "DMN", "Kumar"),
            Printed("MemNN", "MemNN strongly supervised (AM+NG+NL)", "Sukhbaatar"),
            Printed("logic programs, partly written by hand (Mitra and Baral)", "ASP + ILP + statistical NLP"),
        ),
    ),
    JOINT.name: Shown(
        f"one network for all twenty tasks, {OF_A_THOUSAND}; answers alone, no supporting facts, no other text, no list "
        "of names, no grammar; of what is learned from it is known which story is from which task.",
        BEST_OF_TASK,
        "paper, best of ten",
        (MEAN_OF_SEEDS,),
        (
            BEST_OF_TASK,
            FIXED_DEPTH,
            Printed("MemN2N", "MemN2N PE LS RN joint 3 hops", "Sukhbaatar"),
            Printed("match-memory network", "DMRNN-3"),
        ),
    ),
    TEN_THOUSAND.name: Shown(
        "10,000 questions a task, of which 9,000 are learned from and 1,000 choose; answers alone, no supporting facts, "
        f"{NOTHING_ELSE}. Task 3's text could not be had.",
        BEST_OF_TASK,
        "paper, best of ten",
        (MEAN_OF_SEEDS,),
        (
            BEST_OF_TASK,
            FIXED_DEPTH,
            Printed("EntNet", "EntNet", "Henaff"),
            Printed("QRN, its later figure, all twenty tasks", "QRN (as cited by Universal Transformers)"),
            Printed("QRN, six layers, all twenty tasks", "QRN 6r200"),
        ),
    ),
}


def beside(study: Study) -> Printed:
    """What our mean stands beside: a mean over seeds beside one over seeds, a single network beside single ones."""
    shown = SHOWN[study.name]
    return shown.over_seeds[0] if len(study.seeds) > 1 and shown.over_seeds else shown.column


class Chosen(NamedTuple):
    """The network that is chosen for each task and seed, its test error, and of each seed the mean and the failed tasks."""

    network: dict[Cell, Row]
    error: dict[Cell, float]
    means: list[float]
    failed: list[int]
    first: dict[Cell, float]  # test errors of the first candidate, had it been chosen everywhere


def chosen_networks(rows: Sequence[Row], study: Study) -> Chosen:
    """Of a study's runs. Raises :class:`~memnet.errors.NetworkError` where one is lacking."""
    found, presets, tasks = tried(rows, study), study.presets, study.tasks
    cells = [(task, seed) for task in tasks for seed in study.seeds]
    if lacking := [cell for cell in cells if next_candidate(presets, found.get(cell, [])) is not None]:
        names = ", ".join([*(f"{task} seed {seed}" for task, seed in lacking[:5]), *["..."] * (len(lacking) > 5)])
        raise NetworkError(
            f"runs of {len(lacking)} tasks and seeds are lacking ({names}); 'memnet reproduce {study.name}' makes them"
        )
    chosen = {cell: choice(presets, found[cell]) for cell in cells}
    error = {cell: float(row["test_error"]) for cell, row in chosen.items()}
    means = [statistics.mean(error[task, seed] for task in tasks) for seed in study.seeds]
    failed = [sum(error[task, seed] > FAILED for task in tasks) for seed in study.seeds]
    first = {cell: float(found[cell][0]["test_error"]) for cell in cells}
    return Chosen(chosen, error, means, failed, first)


def failing(errors: Mapping[Cell, float]) -> int:
    """How many tasks have a mean error over seeds above that of a failed task."""
    of_task: dict[str, list[float]] = {}
    for (task, _), error in errors.items():
        of_task.setdefault(task, []).append(error)
    return sum(statistics.mean(of) > FAILED for of in of_task.values())


def of_seeds(study: Study, runs: Path, published: Path) -> str:
    """A study's table. Raises :class:`~memnet.errors.NetworkError` where a run is lacking."""
    tasks, seeds, rows, shown = study.tasks, study.seeds, read_rows(runs), SHOWN[study.name]
    found = chosen_networks(rows, study)
    chosen, error, means, failed, _ = found
    theirs = printed_errors(published, study, shown.column)[0]
    theirs = {task: value for task, value in theirs.items() if f"qa{task}" in tasks}
    in_turn = ["networks chosen"] if study.in_turn else []
    columns = ["mean", "± sd", *(f"seed {seed}" for seed in seeds)] if len(seeds) > 1 else ["error"]
    head = ["task", *columns, *in_turn, "validation", shown.heading]
    lines = []
    for task in tasks:
        own = [error[task, seed] for seed in seeds]
        presets = Counter(chosen[task, seed]["preset"] for seed in seeds)
        said = ", ".join(f"{name}{f' x {count}' if count > 1 else ''}" for name, count in presets.most_common())
        held_out = statistics.mean(float(chosen[task, seed]["validation_error"]) for seed in seeds)
        lines.append(
            [
                task,
                *over_seeds(own, one_decimal),
                *[said for _ in in_turn],
                one_decimal(held_out),
                one_decimal(theirs.get(int(task[2:]))),
            ]
        )
    empty = ["" for _ in (*in_turn, "validation")]
    lines.append(
        ["mean", *over_seeds(means, two_decimals), *empty, one_decimal(statistics.mean(theirs.values())) if theirs else ""]
    )
    over_all = [str(failing(error)), ""] if len(seeds) > 1 else []
    lines.append(
        ["failed (> 5 %)", *over_all, *map(str, failed), *empty, str(sum(value > FAILED for value in theirs.values()))]
    )
    what = "one network for all tasks" if study.joint else "one network a task"
    parts = [
        f"Test error in percent, published bAbI v1.2 text (en): {shown.what} {procedure(study)}",
        markdown_table(head, lines, "l" + "r" * len(columns) + "l" * len(in_turn) + "rr"),
        f"Means that are printed for {what}, and ours. *Failed*, of means over seeds, are the tasks whose mean fails:",
        with_printed(study, found, published),
        cost(rows, study),
    ]
    return "\n\n".join(parts)


def two_decimals(value: float) -> str:
    """A mean over tasks."""
    return f"{value:.2f}"


def over_seeds(values: Sequence[float], written: Callable[[float], str]) -> list[str]:
    """The mean, the standard deviation and each seed's; of one seed its value."""
    mean = f"**{written(statistics.mean(values))}**"
    return [mean, written(statistics.stdev(values)), *map(written, values)] if len(values) > 1 else [mean]


def procedure(study: Study) -> str:
    """How a network is come by, in a sentence."""
    names = [f"`{name}`" for name in study.presets]
    again = ", again from every seed" if len(study.seeds) > 1 else f", from seed {study.seeds[0]}"
    if not study.in_turn:
        return f"The network is {names[0]}{again}."
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return (
        f"One procedure for all tasks{again}: {listed} are tried in this order, until one makes no validation error; "
        "else the one with the fewest is chosen."
    )


def with_printed(study: Study, chosen: Chosen, published: Path) -> str:
    """Our mean over seeds and printed ones; apart, our best seed by validation, and such."""
    shown, tasks, seeds = SHOWN[study.name], study.tasks, study.seeds
    mean = two_decimals(statistics.mean(chosen.means))
    first = [two_decimals(statistics.mean(chosen.first.values())), str(failing(chosen.first))]
    alone = [["", f"ours, {study.presets[0]} alone", *first]] if study.in_turn else []
    lines = []
    if len(seeds) > 1:
        lines = [["mean over seeds", f"ours, {len(seeds)} seeds", f"**{mean}**", str(failing(chosen.error))], *alone]
        lines += [["", one.label, *mean_in_print(published, study, one)] for one in shown.over_seeds]

    def held_out(task: str, seed: int) -> float:
        return float(chosen.network[task, seed]["validation_error"])

    if study.joint:  # one network knows all tasks, so one seed is the best
        seed = min(seeds, key=lambda seed: sum(held_out(task, seed) for task in tasks))
        best = [chosen.error[task, seed] for task in tasks]
    else:
        best = [chosen.error[task, min(seeds, key=lambda seed: held_out(task, seed))] for task in tasks]
    failed = str(sum(error > FAILED for error in best))
    ours = "ours, of the seeds the best by validation, of equal ones the first" if len(seeds) > 1 else "ours"
    lines.append(["chosen once" if lines else "", ours, f"**{two_decimals(statistics.mean(best))}**", failed])
    if len(seeds) == 1:
        lines += alone
    lines += [["", one.label, *mean_in_print(published, study, one)] for one in shown.once]
    if len(seeds) == 1:
        lines += [["mean over seeds", one.label, *mean_in_print(published, study, one)] for one in shown.over_seeds]
    return markdown_table(["", "", "mean error", "failed"], lines, "llrr")


def printed_errors(published: Path, study: Study, line: Printed) -> tuple[dict[int, float], float | None]:
    """What a paper prints for as many questions, for one network a task or for all: errors by task, and their mean."""
    size, regime = study.size, "joint" if study.joint else "single"
    return published_errors(published, line.model, size, regime, line.paper, line.supervision)


def mean_in_print(published: Path, study: Study, line: Printed) -> list[str]:
    """The mean that a paper prints, of the tasks that the study has where it prints them, and how many tasks fail."""
    printed, mean = printed_errors(published, study, line)
    errors = [error for task, error in printed.items() if f"qa{task}" in study.tasks]
    if len(errors) == len(study.tasks) < len(printed):
        mean = statistics.mean(errors)
    failed = str(sum(error > FAILED for error in errors)) if errors else printed_failed(published, study, line)
    return ["" if mean is None else f"{mean:.2f}", failed]


def printed_failed(published: Path, study: Study, line: Printed) -> str:
    """How many tasks fail, as a paper prints it; nothing where it does not."""
    return published_failed(
        published, line.model, study.size, "joint" if study.joint else "single", line.paper, line.supervision
    )


def cost(rows: Sequence[Row], study: Study) -> str:
    """The hours that all networks took that were tried, and the code that trained them."""
    found = [row for (_, seed), of in tried(rows, study).items() if seed in study.seeds for row in of]
    networks = len(study.tasks) if study.joint else 1  # rows of a network
    number = len(found) // networks
    hours = sum(float(row["seconds"]) for row in found) / networks / 3600
    what = "networks tried" if study.in_turn else "networks trained"
    each = f", {hours / len(study.seeds):.1f} a seed" if len(study.seeds) > 1 else ""
    machines = ", ".join(sorted({row["machine"].partition(";")[0] for row in found}))
    made = [", ".join(sorted({row[name] for row in found})) for name in ("torch", "code")]
    return (
        f"Number of {what}: {number}, in {hours:.1f} hours of one core{each}; torch {made[0]}, on {machines}, code {made[1]}."
    )

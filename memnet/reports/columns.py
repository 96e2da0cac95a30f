"""A preset's results as a column: its errors from ``results/runs.csv``, and the paper's beside them."""

from __future__ import annotations

import hashlib
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.config import RULES, Training, override, parse_settings
from memnet.errors import NetworkError
from memnet.models import MODELS, model_of
from memnet.papers import COLUMNS, JOINT_PRESETS, PRESETS
from memnet.reports.legacy import read_rows
from memnet.reports.published import published_errors
from memnet.training.evaluate import FAILED
from memnet.training.spec import config_hash


class Results(NamedTuple):
    """A preset's results on the twenty tasks; errors in percent, by the task's number."""

    preset: str
    chosen: dict[int, float]  # test error of the chosen network
    every: dict[int, list[float]]  # of all restarts
    published: dict[int, float]
    published_mean: float | None  # as the paper prints it
    rows: list[dict[str, str]]
    seconds: float

    @property
    def beside_paper(self) -> bool:
        """Whether a paper has numbers for these."""
        return bool(self.published or self.published_mean)

    @property
    def failed(self) -> int:
        """Tasks that the chosen networks fail."""
        return sum(error > FAILED for error in self.chosen.values())

    @property
    def regime(self) -> str:
        """Joint or single, see :func:`regime_of`."""
        return regime_of(self.rows[0])


def regime_of(row: dict[str, str]) -> str:
    """Whether a network learned one task (single) or several (joint)."""
    return "joint" if len(row["tasks"].split()) > 1 else "single"


def task_number(name: str) -> int:
    """3 of qa3."""
    return int(name.removeprefix("qa"))


def with_changes(
    rows: Iterable[Mapping[str, str]], preset: str, changes: Mapping[str, Sequence[str]], seed: int = 0
) -> dict[tuple[str, str], Mapping[str, str]]:
    """The chosen network of a preset with each of some changes of its settings, by the change's name and the task.

    Of 1,000 published questions, one restart.
    """
    config = PRESETS[preset]
    hashes = {config_hash(override(config, parse_settings(changed, type(config)))): name for name, changed in changes.items()}
    own = (preset, "1k", "published", "en", "1", str(seed), "1")
    columns = ("preset", "size", "source", "variant", "restarts", "seed", "chosen")
    return {
        (hashes[row["config"]], row["tasks"]): row
        for row in rows
        if row["config"] in hashes and tuple(row[name] for name in columns) == own
    }


def has_config(row: dict[str, str], config: Training) -> bool:
    """Whether a run had this configuration and as many restarts as is usual for it."""
    return (row["config"], row["restarts"]) == (config_hash(config), str(config.default_restarts))


def paper_errors(published: Path, preset: str, size: str) -> tuple[dict[int, float], float | None]:
    """The errors that the paper of a preset's column prints, and their mean; nothing where no row is declared."""
    declared = COLUMNS.get((preset, size))
    if declared is None or declared.published is None:
        return {}, None
    return published_errors(published, declared.published, declared.published_size or size, declared.regime, declared.paper)


def results_of(runs: Sequence[dict[str, str]], published: Path, preset: str, size: str) -> Results:
    """One preset's results from rows of one size, seed, regime and number of restarts.

    Raises :class:`~memnet.errors.NetworkError` where a task has not a row for each restart, or none is chosen.
    """
    chosen: dict[int, float] = {}
    every: dict[int, list[float]] = {}
    count: dict[str, int] = {}
    for row in runs:
        count[row["tasks"]] = count.get(row["tasks"], 0) + 1
        errors = row["test_error"].split()  # none where the network was stopped
        for task, error in zip(row["tasks"].split(), errors, strict=bool(errors)):
            number = task_number(task)
            every.setdefault(number, []).append(float(error))
            if row["chosen"] == "1":
                chosen[number] = float(error)
    for tasks, rows in count.items():
        if rows != int(runs[0]["restarts"]):
            raise NetworkError(f"{preset}, {tasks}: expected {runs[0]['restarts']} rows, one a restart, found {rows}")
    if runs[0]["selection"] not in RULES or not chosen:
        raise NetworkError(f"{preset}: no row is chosen by a rule that is known ({', '.join(RULES)})")
    declared = COLUMNS.get((preset, size))
    same = declared is not None and declared.regime == regime_of(runs[0])
    theirs, mean = paper_errors(published, preset, size) if same else ({}, None)
    return Results(preset, chosen, every, theirs, mean, list(runs), sum(float(row["seconds"]) for row in runs))


def collect(
    runs: Path, published: Path, size: str, seed: int, presets: Sequence[str] | None, none: bool = False
) -> list[Results]:
    """The results of every preset, or of those named in their order, on the published English text.

    One for each regime and number of restarts. Only runs with the preset as it stands, no setting changed; joint runs of
    different sets of tasks stay apart. Of ``presets`` that are named, runs of some tasks with other restarts than those of
    more tasks are left out. That there is no run is an error, unless ``none`` allows it.
    """
    wanted = (size, str(seed), "published", "en", "")
    names = ("size", "seed", "source", "variant", "settings")
    found = [row for row in read_rows(runs) if tuple(row[name] for name in names) == wanted]
    result = []
    for preset in (name for name in presets or PRESETS if name in PRESETS):
        groups: dict[tuple[str, str], list[dict[str, str]]] = {}
        for row in found:
            if row["preset"] == preset and row["config"] == config_hash(PRESETS[preset]):
                tasks = row["tasks"] if regime_of(row) == "joint" else ""
                groups.setdefault((tasks, row["restarts"]), []).append(row)
        covered = {key: {row["tasks"] for row in group} for key, group in groups.items()}
        single = [tasks for (joint, _), tasks in covered.items() if not joint]
        less = {key for key, tasks in covered.items() if presets and not key[0] and any(tasks < more for more in single)}
        whole = [group for key, group in groups.items() if key not in less]
        try:
            result += [results_of(group, published, preset, size) for group in whole]
        except ValueError as error:
            if isinstance(error, NetworkError):
                raise
            raise NetworkError(f"{runs}: a row of {preset} is not as it was written: {error}") from error
    if not result and not none:
        raise NetworkError(no_run(runs, found, size, seed, presets or ()))
    return result


def no_run(runs: Path, found: Sequence[dict[str, str]], size: str, seed: int, presets: Sequence[str]) -> str:
    """Why there is no column: of the rows ``found``, which are of this size and seed, none is of a preset that is known."""
    needs = "one of a plugin needs memnet --plugin FILE"
    if unknown := [preset for preset in presets if preset not in PRESETS]:
        return f"there is no preset {unknown[0]!r}; 'memnet presets' lists them, and {needs}"
    if not presets and (foreign := sorted({row["preset"] for row in found} - PRESETS.keys())):
        return f"{runs} has runs of {', '.join(foreign)} alone, a preset that is not known here: {needs}"
    what = f" of {', '.join(presets)}" if presets else ""
    return (
        f"{runs} has no run{what}, no setting changed, on the published {size} text with seed {seed}; "
        "'memnet sweep' makes them where the published text is at hand ('memnet data fetch')"
    )


def restarts_in_words(part: Results) -> str:
    """That there is nothing to choose from: one restart, or none drawn at all; empty where there are several."""
    if MODELS[model_of(PRESETS[part.preset])].fitted:
        return "fitted once"
    return "one restart" if part.rows[0]["restarts"] == "1" else ""


def column_head(part: Results, name: str = "") -> str:
    """What stands above a column: its preset or another ``name``, joint where the preset does not say so, and one restart."""
    joint = "joint" if part.regime == "joint" and part.preset not in JOINT_PRESETS else ""
    return ", ".join(word for word in (name or part.preset, joint, restarts_in_words(part)) if word)


def means(part: Results) -> tuple[float, float, float | None]:
    """Of the chosen networks, of all restarts, and of the paper over the same tasks."""
    same = [part.published[task] for task in part.chosen if task in part.published]
    every = statistics.mean([statistics.mean(errors) for errors in part.every.values()])
    return statistics.mean(part.chosen.values()), every, statistics.mean(same) if same else part.published_mean


def is_of_port(part: Results) -> bool:
    """Whether the figures beside it are of a re-implementation, and none of its paper."""
    declared = COLUMNS.get((part.preset, part.rows[0]["size"]))
    return declared is not None and declared.reimplemented


def printed_mean(part: Results) -> str:
    """The mean over the same tasks that is printed for its network, with "(port)" if of a re-implementation, or nothing."""
    theirs = one_decimal(means(part)[2])
    return f"{theirs} (port)" if theirs and is_of_port(part) else theirs


def one_decimal(value: float | None) -> str:
    """One decimal, or nothing."""
    return "" if value is None else f"{value:.1f}"


def all_restarts(part: Results) -> str:
    """The mean over tasks of all restarts, ± their sample standard deviation, the mean over tasks, where there are several."""
    over_all = one_decimal(means(part)[1])
    spreads = [statistics.stdev(errors) for errors in part.every.values() if len(errors) > 1]
    return f"{over_all} ± {statistics.mean(spreads):.1f}" if spreads else over_all


def mean_and_deviation(errors: Sequence[float]) -> str:
    """Mean and standard deviation, which one restart has none of, or nothing."""
    if len(errors) < 2:
        return one_decimal(errors[0] if errors else None)
    return f"{statistics.mean(errors):.1f} ± {statistics.stdev(errors):.1f}"


def protocol(part: Results) -> str:
    """How a column came to be, in one line."""
    first = part.rows[0]
    rule = RULES[first["selection"]]
    count = len(part.chosen)
    scope = "one network for all tasks" if part.regime == "joint" else "one network a task"
    codes = sorted({row["code"] for row in part.rows})
    declared = COLUMNS.get((part.preset, first["size"]))
    whose = "A re-implementation has" if is_of_port(part) else "The paper prints"
    printed = "" if part.published_mean is None else f" {whose} a mean of {part.published_mean:g}."
    if declared is not None and declared.published_size is not None:
        printed += " It does not say how many questions that was learned from."
    config = PRESETS[part.preset]
    fewest, most = (pick(int(row["epochs"]) for row in part.rows) for pick in (min, max))
    epochs = f"{most} epochs" if fewest == most else f"{fewest} to {most} epochs"
    epochs += " after the linear start" if config.linear_epochs else ""
    count_of = restarts_in_words(part) or f"{first['restarts']} restarts, chosen by the lowest {rule} error"
    trained = f"{count_of}; {epochs}" + (", permutation augmentation" if config.permute else "")
    if MODELS[model_of(config)].fitted:
        trained = count_of
    data = hashlib.sha256("\n".join(sorted({row["data"] for row in part.rows})).encode()).hexdigest()[:12]
    made = [f"{name} {', '.join(sorted({row[name] for row in part.rows}))}" for name in ("torch", "numpy", "python")]
    machines = sorted({row["machine"] for row in part.rows} - {""})
    made += [f"on {', '.join(machines)}"] if machines else []
    return (
        f"- `{part.preset}`: {scope}, {count} task(s), {trained}, seed {first['seed']}; {first['source']} data {data}; "
        f"{part.seconds:,.0f} s of one core; {', '.join(made)}, code {', '.join(codes)}.{printed}{head_similarity(part)}"
    )


def head_similarity(part: Results) -> str:
    """The head similarity of each layer of the chosen networks, in a sentence; nothing where there are no heads."""
    cells = [cell for row in part.rows if row["chosen"] == "1" for cell in row["head_similarity"].split()]
    found = [[float(value) for value in cell.split("/")] for cell in cells if cell != "-"]
    if not found:
        return ""
    layers = ", ".join(f"{statistics.mean(values):.2f}" for values in zip(*found, strict=True))
    lowest, highest = min(map(min, found)), max(map(max, found))
    return (
        f" Head similarity {layers} (layer by layer, the last reading last: the mean cosine between two heads' "
        f"weights for the question, mean over tasks; {lowest:.2f} to {highest:.2f})."
    )

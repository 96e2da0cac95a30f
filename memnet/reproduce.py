"""Which runs each result table stands on, so that one command makes it from nothing."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.compare import COMPARED
from memnet.config import Training, override, parse_settings
from memnet.presets import PRESETS
from memnet.records import read_rows
from memnet.runs import setting_changes
from memnet.studies import ATTENTION_TASKS, EXCHANGED, LEFT, LEFT_CHANGES, LEFT_TASKS, PLAIN, SEEDED, SEEDS
from memnet.sweep import Job, plan
from memnet.table import ON_SIMULATED, RESTARTS, SIMULATED, TABLES
from memnet.tasks.published import NUMBERS, find

TWENTY = tuple(f"qa{number}" for number in NUMBERS)
WITH_10K = tuple(task for task in TWENTY if task != "qa3")  # the 10k text of task 3 is not at hand

ERRORS = ("train_error", "validation_error", "test_error", "epochs", "chosen")  # what must come out again


class Runs(NamedTuple):
    """Runs of presets with the same changes, one network a task or a joint one."""

    presets: tuple[str, ...]
    size: str = "1k"
    tasks: tuple[str, ...] = TWENTY
    joint: bool = False
    settings: tuple[str, ...] = ()  # as --set takes them
    source: str = "published"
    story_seed: int = 0
    restarts: int | None = None
    seed: int = 0

    def configs(self) -> dict[str, Training]:
        """Each preset with the changes."""
        return {name: override(PRESETS[name], parse_settings(self.settings, type(PRESETS[name]))) for name in self.presets}


class Report(NamedTuple):
    """A result table: what it shows and the runs that it is made from."""

    title: str
    runs: tuple[Runs, ...]


def of_table(name: str, title: str) -> Report:
    """The runs of a table of :data:`~memnet.table.TABLES`: each preset as it stands, joint ones on all at once."""
    size, presets = TABLES[name]
    groups: dict[tuple[bool, int | None], list[str]] = {}
    for preset in presets:
        groups.setdefault((joint(preset), RESTARTS.get(preset)), []).append(preset)
    tasks = TWENTY if size == "1k" else WITH_10K
    parts = (
        Runs(tuple(names), size, tasks, joint=together, restarts=restarts) for (together, restarts), names in groups.items()
    )
    told = (
        Runs((preset,), size, SIMULATED, settings=ON_SIMULATED[preset], source="simulated", restarts=RESTARTS.get(preset))
        for preset in presets
        if preset in ON_SIMULATED
    )
    return Report(title, (*parts, *told))


def joint(preset: str) -> bool:
    """Whether a preset is for one network of all tasks."""
    return "joint" in preset.split("-")


def plain(**changes: object) -> tuple[str, ...]:
    """Settings of the attention table's rows."""
    return tuple(f"{name}={value}" for name, value in (PLAIN | changes).items())


HARD: dict[str, object] = {"align": "hard", "samples": 5, "warm_start": 20}
ATTENTION_ROWS: tuple[dict[str, object], ...] = (
    {},
    {"align": "sparsemax"},
    {"align": "local_m", "window": 5},
    {"align": "local_p", "window": 5},
    HARD,
    HARD | {"baseline": "mean"},
    HARD | {"baseline": "loo"},
)
ATTENTION = (
    *(
        Runs(("pe-ls-rn",), tasks=ATTENTION_TASKS, settings=plain(**({} if score == "dot" else {"score": score}), **row))
        for score in ("dot", "general", "concat")
        for row in ATTENTION_ROWS
    ),
    Runs(("pe-ls-rn",), tasks=("qa4",), settings=plain(**HARD | {"baseline": "loo", "warm_start": 0})),
    Runs(("pe-ls-rn",), tasks=("qa4",), settings=plain(score="concat", **HARD | {"baseline": "loo", "warm_start": 60})),
)
TITLES = {
    "memn2n-1k": "MemN2N, 1,000 questions: the PE LS RN column (Sukhbaatar et al. 2015, table 1)",
    "memn2n-rows-1k": "MemN2N, 1,000 questions: BoW, PE, PE LS, and masked padding",
    "memn2n-joint-1k": "MemN2N, 1,000 questions, one network for the twenty tasks",
    "memn2n-10k": "MemN2N, 10,000 questions (table 3)",
    "memn2n-facts-1k": "MemN2N that learns from supporting facts too",
    "memnn-1k": "MemNN, strongly supervised (Weston et al. 2015, table 3)",
    "dmn-1k": "DMN+ with supporting facts, beside DMN (Kumar et al. 2016), and without (Xiong et al. 2016), 1,000 questions",
    "dmn-steps-1k": "DMN with supporting facts, and the steps from it to DMN+: ODMN, DMN2, DMN3, 1,000 questions",
    "dmn-10k": "DMN with supporting facts and DMN+ (Xiong et al. 2016, table 2), 10,000 questions",
    "transformer-1k": "Transformer and Universal Transformer (Dehghani et al. 2019), 1,000 questions",
    "transformer-10k": "Transformer and Universal Transformer (Dehghani et al. 2019), 10,000 questions",
    "lstm-1k": "LSTM without and with attention, 1,000 questions",
    "baselines-1k": "Linear classifiers and the most frequent answer, 1,000 questions",
}
REPORTS: dict[str, Report] = {name: of_table(name, TITLES[name]) for name in TABLES} | {
    "attention": Report("Scores and alignments of the attention core beside each other", ATTENTION),
    "comparison": Report(
        "The models beside each other, 1,000 and 10,000 questions",
        tuple(
            Runs((preset,), size, TWENTY if size == "1k" else WITH_10K, restarts=RESTARTS.get(preset))
            for presets in COMPARED.values()
            for size, preset in presets.items()
        ),
    ),
    "questions": Report(
        "How many questions a task needs (Weston et al. 2015, table 3)",
        tuple(Runs(("memnn-am-ng-nl",), settings=changes) for changes in ((), *((f"questions={n}",) for n in (100, 250, 500)))),
    ),
    "retrieval": Report(
        "Whether the networks read the supporting facts", (Runs(("pe-ls-rn", "pe-ls-rn-facts", "memnn-am-ng-nl")),)
    ),
    "left": Report(
        "What the Universal Transformer does not learn from 1,000 questions, task by task",
        tuple(
            Runs((preset,), size, TWENTY if size == "1k" else WITH_10K, restarts=RESTARTS.get(preset)) for preset, size in LEFT
        )
        + tuple(Runs((LEFT[1][0],), tasks=LEFT_TASKS, settings=settings, restarts=1) for settings in LEFT_CHANGES.values()),
    ),
    "seeds": Report(
        "DMN+ with another seed",
        tuple(
            Runs((preset,), size, TWENTY if size == "1k" else WITH_10K, restarts=RESTARTS.get(preset), seed=seed)
            for preset, size in SEEDED
            for seed in SEEDS
        ),
    ),
    "exchange": Report(
        "Words that change places: networks with and without, 1,000 questions",
        tuple(Runs((preset,), restarts=RESTARTS.get(preset)) for pair in EXCHANGED for preset in pair),
    ),
    "transfer": Report(
        "Trained on simulated stories, tested on published ones",
        (
            Runs(("pe-ls-rn",)),
            *(Runs(("pe-ls-rn",), source="transfer", story_seed=seed) for seed in range(3)),
            *(Runs(("pe-ls-rn",), tasks=WITH_10K, source="resampled", story_seed=seed) for seed in range(1, 5)),
        ),
    ),
}


def jobs_of(
    report: Report,
    results: Path,
    work: Path,
    data: Path | None,
    tasks: Sequence[str] = (),
    presets: Sequence[str] = (),
    device: str = "cpu",
) -> tuple[list[Job], int]:
    """The runs that ``results`` lacks for a table, longest first, and how many it has; of some tasks and presets alone.

    Raises what :func:`memnet.tasks.published.find` does where the stories are not at hand.
    """
    todo: dict[Path, Job] = {}
    there = 0
    for part in report.runs:
        chosen = {name: config for name, config in part.configs().items() if not presets or name in presets}
        wanted = [task for task in part.tasks if not tasks or task in tasks or part.joint]
        if not chosen or not wanted:
            continue
        found = find(wanted, part.size, "en", data, part.source, part.story_seed)  # type: ignore[arg-type]
        groups = [found] if part.joint else [[task] for task in found]
        new, known = plan(groups, chosen, [part.seed], part.size, "en", part.restarts, results, work, device)
        todo |= {job.folder: job for job in new}
        there += known
    return sorted(todo.values(), key=lambda job: -job.cost), there


KNOWN = ("preset", "settings", "tasks", "size", "source", "seed", "restarts")


class State(NamedTuple):
    """How many of a table's runs a file of runs has, and the seconds of one core that those took."""

    needed: int
    there: int
    seconds: float


def states(results: Path) -> Iterator[tuple[str, Report, State]]:
    """Every table with its state, without a look at the stories."""
    draws: defaultdict[tuple[str, ...], dict[str, float]] = defaultdict(dict)  # seconds by the stories
    for row in read_rows(results):
        seconds = draws[tuple(row[name] for name in KNOWN)]
        seconds[row["data"]] = seconds.get(row["data"], 0.0) + float(row["seconds"])
    for name, report in REPORTS.items():
        runs = {
            (part.story_seed, preset, setting_changes(preset, config), tasks, part.size, part.source, str(part.seed), restarts)
            for part in report.runs
            for preset, config in part.configs().items()
            for restarts in [str(part.restarts or config.default_restarts)]
            for tasks in ([" ".join(part.tasks)] if part.joint else part.tasks)
        }
        needed = Counter(run[1:] for run in runs)
        there = sum(min(number, len(draws[run])) for run, number in needed.items())
        yield name, report, State(len(runs), there, sum(sum(draws[run].values()) for run in needed))


class Comparison(NamedTuple):
    """A run made again beside the one on record."""

    what: str
    equal: bool  # every error of every restart, bit for bit
    ours: float  # mean test error over restarts, percent
    recorded: float


SAME = ("preset", "settings", "config", "tasks", "size", "variant", "source", "data", "seed", "restarts")


def compare(rows: Sequence[Mapping[str, str]], recorded: Sequence[Mapping[str, str]]) -> list[Comparison]:
    """Every run in ``rows`` that ``recorded`` has too."""

    def grouped(some: Sequence[Mapping[str, str]]) -> dict[tuple[str, ...], list[Mapping[str, str]]]:
        found: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
        for row in some:
            found.setdefault(tuple(row[name] for name in SAME), []).append(row)
        return found

    def errors(run: Sequence[Mapping[str, str]]) -> float:
        return statistics.mean(float(error) for row in run for error in row["test_error"].split())

    known = grouped(recorded)
    result = []
    for key, run in grouped(rows).items():
        if key not in known:
            continue
        ours, theirs = ([tuple(row[name] for name in ERRORS) for row in part] for part in (run, known[key]))
        row = run[0]
        what = " ".join(part for part in (row["preset"], row["settings"], row["size"]) if part)
        tasks = row["tasks"] if len(row["tasks"]) < 20 else "joint"
        result.append(Comparison(f"{tasks} {what}", sorted(ours) == sorted(theirs), errors(run), errors(known[key])))
    return result


def said(found: Sequence[Comparison]) -> list[str]:
    """What a comparison comes to, in lines: those that differ, then the whole."""
    lines = [
        f"{one.what}: mean test error over restarts {one.ours:.2f} %, on record {one.recorded:.2f} %"
        for one in found
        if not one.equal
    ]
    if not found:
        return ["no run of these is on record"]
    equal = sum(one.equal for one in found)
    ours, theirs = (statistics.mean(getattr(one, name) for one in found) for name in ("ours", "recorded"))
    whole = f"{equal} of {len(found)} cells are those on record, error for error of every restart"
    return [*lines, whole + ("" if equal == len(found) else f"; mean over cells {ours:.2f} %, on record {theirs:.2f} %")]

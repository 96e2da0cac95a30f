"""Which runs each result table stands on, so that one command makes it from nothing."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from memnet.config import Training, override, parse_settings
from memnet.papers import COLUMNS, PRESETS, STUDIES, TABLES
from memnet.papers.declare import NOT_AT_HAND, Runs, Study, Table
from memnet.record.provenance import APART
from memnet.reports.in_turn import next_candidate, tried
from memnet.reports.legacy import read_rows
from memnet.tasks.published import find
from memnet.training.spec import setting_changes
from memnet.training.sweep import Job, plan

ERRORS = ("train_error", "validation_error", "test_error", "epochs", "chosen")  # what must come out again
TOLERANCE = 1.0  # points by which the mean over restarts may differ where a run is made again elsewhere ...
SPREADS = 2.0  # ... or this times the spread of the restarts on record, whichever is more
DECIDE = ("code", "torch", "numpy", "python", "machine")  # what a result depends on besides its settings


def reports() -> dict[str, Study]:
    """Every table and study that is declared, with its runs, by name."""
    tables = {name: Study(name, table.title, table_runs(table)) for name, table in TABLES.items()}
    studies = {name: replace(study, runs=tuple(with_restarts(study.runs))) for name, study in STUDIES.items()}
    return tables | studies


def table_runs(table: Table) -> tuple[Runs, ...]:
    """The runs of a table: each preset as it stands, joint ones on all at once; on simulated stories; and variants."""
    groups: dict[tuple[bool, int | None], list[str]] = {}
    for column in table.columns:
        groups.setdefault((column.joint, column.restarts), []).append(column.preset)
    published = (
        Runs(tuple(presets), table.size, table.tasks, joint=joint, restarts=restarts)
        for (joint, restarts), presets in groups.items()
    )
    simulated = (
        Runs(
            (column.preset,),
            table.size,
            NOT_AT_HAND[table.size],
            settings=column.simulated,
            source="simulated",
            restarts=column.restarts,
        )
        for column in table.columns
        if column.simulated is not None
    )
    return (*published, *simulated, *table.variants)


def with_restarts(runs: Sequence[Runs]) -> Iterator[Runs]:
    """Runs with the restarts that their presets' columns declare, where they name none themselves."""
    for part in runs:
        groups: dict[int | None, list[str]] = {}
        for preset in part.presets:
            column = COLUMNS.get((preset, part.size))
            declared = column.restarts if column is not None else None
            groups.setdefault(part.restarts or declared, []).append(preset)
        for restarts, presets in groups.items():
            yield replace(part, presets=tuple(presets), restarts=restarts)


def configs_of(part: Runs) -> dict[str, Training]:
    """Each preset of runs with the changes."""
    return {name: override(PRESETS[name], parse_settings(part.settings, type(PRESETS[name]))) for name in part.presets}


def jobs_of(
    report: Study,
    results: Path,
    work: Path,
    data: Path | None,
    tasks: Sequence[str] = (),
    presets: Sequence[str] = (),
    seeds: Sequence[int] = (),
    device: str = "cpu",
) -> tuple[list[Job], int]:
    """The runs that ``results`` lacks for a table, longest first, and how many it has; of some tasks, presets, seeds alone.

    Where presets are tried in turn, of each task and seed the next, if there is one: again, once these are done. Presets that
    are named are trained whether it is their turn or not; the table takes them where it is.

    Raises what :func:`memnet.tasks.published.find` does where the stories are not at hand.
    """
    todo: dict[Path, Job] = {}
    there = 0
    for part in report.runs:
        chosen = {name: config for name, config in configs_of(part).items() if not presets or name in presets}
        wanted = [task for task in part.all_tasks if not tasks or task in tasks or part.joint]
        if not chosen or not wanted or (seeds and part.seed not in seeds):
            continue
        found = find(wanted, part.size, "en", data, part.source, part.story_seed)  # type: ignore[arg-type]
        groups = [found] if part.joint else [[task] for task in found]
        new, known = plan(groups, chosen.items(), [part.seed], part.size, "en", part.restarts, results, work, device)
        todo |= {job.folder: job for job in new}
        there += known
    if report.in_turn and not presets:
        before = tried(read_rows(results) if results.exists() else [], report)
        following = {cell: next_candidate(report.presets, rows) for cell, rows in before.items()}
        first = report.presets[0]
        todo = {
            folder: job
            for folder, job in todo.items()
            if job.spec.preset == following.get((job.spec.what, job.spec.seed), first)
        }
    return sorted(todo.values(), key=lambda job: -job.cost), there


KNOWN = ("preset", "settings", "tasks", "size", "source", "seed", "restarts")


class State(NamedTuple):
    """How many of a table's runs a file of runs has, and the seconds of one core that those took."""

    needed: int
    there: int
    seconds: float


def states(results: Path) -> Iterator[tuple[str, Study, State]]:
    """Every table with its state, without a look at the stories."""
    draws: defaultdict[tuple[str, ...], dict[str, float]] = defaultdict(dict)  # seconds by the stories
    rows = read_rows(results)
    for row in rows:
        seconds = draws[tuple(row[name] for name in KNOWN)]
        seconds[row["data"]] = seconds.get(row["data"], 0.0) + float(row["seconds"])
    for name, report in reports().items():
        runs = {
            (part.story_seed, preset, setting_changes(preset, config), tasks, part.size, part.source, str(part.seed), restarts)
            for part in report.runs
            for preset, config in configs_of(part).items()
            for restarts in [str(part.restarts or config.default_restarts)]
            for tasks in ([" ".join(part.all_tasks)] if part.joint else part.all_tasks)
        }
        needed = Counter(run[1:] for run in runs)
        there = sum(min(number, len(draws[run])) for run, number in needed.items())
        lacking = len(runs) - there
        if report.in_turn:  # those after the first without a validation error are not needed
            found = tried(rows, report)
            cells = {(task, part.seed) for part in report.runs for task in part.all_tasks}
            lacking = sum(next_candidate(report.presets, found.get(cell, ())) is not None for cell in cells)
        yield name, report, State(there + lacking, there, sum(sum(draws[run].values()) for run in needed))


class Comparison(NamedTuple):
    """A run made again beside the one on record."""

    what: str
    equal: bool  # every error of every restart, bit for bit
    ours: float  # mean test error over restarts, percent
    recorded: float
    spread: float | None = None  # standard deviation of the restarts on record; one restart has none
    elsewhere: tuple[str, ...] = ()  # what is not as on record: code, versions, processor; empty where all are the same
    chosen: tuple[float, ...] = ()  # test error of the restart that was chosen, ours and the recorded

    @property
    def holds(self) -> bool:
        """Whether it is what the record says.

        By the same code, versions and processor: bit for bit. Made elsewhere: nearer than :data:`SPREADS` times what restarts
        differ by, or than :data:`TOLERANCE`. That is lenient, so that few of many cells fail by chance; small differences to
        one side show in the mean over cells and its interval, which :func:`describe` has.
        """
        limit = max(TOLERANCE, SPREADS * (self.spread or 0.0))
        return self.equal or (bool(self.elsewhere) and abs(self.ours - self.recorded) <= limit)

    def __str__(self) -> str:
        difference = self.ours - self.recorded
        means = f"mean test error over restarts {self.ours:.2f} %, on record {self.recorded:.2f} %: {difference:+.2f} points"
        if self.chosen and self.spread is not None:
            means += "; chosen {:.2f} %, on record {:.2f} %".format(*self.chosen)
        if self.spread is None:
            return f"{self.what}: {means}; one restart on record, so no spread to hold it against"
        if self.spread == 0:
            return f"{self.what}: {means}; the restarts on record do not differ"
        times = abs(difference) / self.spread
        return f"{self.what}: {means}, {times:.1f} times the spread of the restarts on record ({self.spread:.2f})"


SAME = ("preset", "settings", "config", "tasks", "size", "variant", "source", "data", "seed", "restarts")


def compare(rows: Sequence[Mapping[str, str]], recorded: Sequence[Mapping[str, str]]) -> list[Comparison]:
    """Every run in ``rows`` that ``recorded`` has too."""

    def grouped(some: Sequence[Mapping[str, str]]) -> dict[tuple[str, ...], list[Mapping[str, str]]]:
        found: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
        for row in some:
            found.setdefault(tuple(row[name] for name in SAME), []).append(row)
        return found

    known = grouped(recorded)
    result = []
    for key, run in grouped(rows).items():
        if key not in known:
            continue
        ours, theirs = ([tuple(row[name] for name in ERRORS) for row in part] for part in (run, known[key]))
        row = run[0]
        what = " ".join(part for part in (row["preset"], row["settings"], row["size"]) if part)
        tasks = row["tasks"] if len(row["tasks"]) < 20 else "joint"
        again, before = ([mean_error(row) for row in part if row["test_error"]] for part in (run, known[key]))
        spread = statistics.stdev(before) if len(before) > 1 else None
        means = statistics.mean(again), statistics.mean(before)
        elsewhere = tuple(differences(run, known[key]))
        chosen = tuple(mean_error(row) for part in (run, known[key]) for row in part if row["chosen"] == "1")
        result.append(Comparison(f"{tasks} {what}", sorted(ours) == sorted(theirs), *means, spread, elsewhere, chosen))
    return result


def mean_error(row: Mapping[str, str]) -> float:
    """The test error of a restart, the mean over its tasks."""
    return statistics.mean(float(error) for error in row["test_error"].split())


def differences(run: Sequence[Mapping[str, str]], recorded: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Of what a result depends on, what is not the same, or is not known to be."""
    for name in DECIDE:
        here, there = (", ".join(sorted({row[name] for row in part})) for part in (run, recorded))
        what = "processor" if name == "machine" else name
        if here != there:
            yield f"{what} {here}, on record {there or 'none'}"
        elif name == "machine" and APART not in here:
            yield f"{what} {here or 'none'}, on record without its instruction sets"


def reproduced(found: Sequence[Comparison]) -> bool:
    """Whether there are runs made again, and each holds."""
    return bool(found) and all(one.holds for one in found)


def why_not(found: Sequence[Comparison]) -> str:
    """What a check that failed says."""
    if not found:
        return "not reproduced: no run of these is on record"
    broken = [one.what for one in found if not one.holds and not one.elsewhere]
    if broken:
        return f"not reproduced: the same code, versions and processor gave other errors: {', '.join(broken)}"
    far = [one for one in found if not one.holds]
    said = f"differs by more than {SPREADS:g} times the spread on record, and than {TOLERANCE:g} point: "
    said += ", ".join(one.what for one in far)
    alone = [one.what for one in far if one.spread is None]
    return said + (f"; of one restart there is no spread, so this may be chance: {', '.join(alone)}" if alone else "")


def apart(by: Sequence[float]) -> str:
    """What cells differ by in the mean, and half its 95 % interval as in a paired t test over them; nothing of one cell."""
    from scipy.stats import t as student

    if len(by) < 2:
        return ""
    half = student.ppf(0.975, len(by) - 1) * statistics.stdev(by) / len(by) ** 0.5
    return f": {statistics.mean(by):+.2f} ± {half:.2f} points (95 % interval over cells)"


def describe(found: Sequence[Comparison]) -> list[str]:
    """What a comparison comes to, in lines: those that differ, where they were made, then the whole."""
    if not found:
        return ["no run of these is on record"]
    others = [one for one in found if not one.equal]
    lines = [str(one) for one in others]
    elsewhere = dict.fromkeys(what for one in others for what in one.elsewhere)
    if elsewhere:
        lines += ["made elsewhere, so equal bits are not to be expected:", *(f"  {what}" for what in elsewhere)]
    whole = f"{len(found) - len(others)} of {len(found)} cells are those on record, error for error of every restart"
    if others:
        ours, theirs = (statistics.mean(getattr(one, name) for one in found) for name in ("ours", "recorded"))
        near = sum(one.holds for one in others)
        whole += (
            f"; of the other {len(others)}, {near} are within {SPREADS:g} times the spread on record or {TOLERANCE:g} point; "
            f"mean over cells {ours:.2f} %, on record {theirs:.2f} %{apart([one.ours - one.recorded for one in found])}"
        )
    return [*lines, whole]

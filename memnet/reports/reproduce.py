"""Which runs each result table stands on, so that one command makes it from nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from memnet.papers import STUDIES, TABLES
from memnet.papers.declare import NOT_AT_HAND, SIMULATED, Runs, Study, Table
from memnet.record.runs import Row, read_rows
from memnet.reports.cascade import next_candidate, tried
from memnet.reports.select import KEY, Key, configs_of, keys_of, with_restarts
from memnet.tasks.families import find
from memnet.training.sweep import Job, plan


def reports() -> dict[str, Study]:
    """Every table and study that is declared, with its runs, by name."""
    tables = {name: Study(name, table.title, table_runs(table)) for name, table in TABLES.items()}
    return tables | {name: all_restarts(study) for name, study in STUDIES.items()}


def all_restarts(study: Study) -> Study:
    """A study whose runs, and those of its parts, name their restarts."""
    return replace(study, runs=tuple(with_restarts(study.runs)), parts=tuple(map(all_restarts, study.parts)))


def table_runs(table: Table) -> tuple[Runs, ...]:
    """The runs of a table: each preset as it stands, joint ones on all at once; on simulated stories; and variants."""
    groups: dict[tuple[bool, int | None], list[str]] = {}
    for column in table.columns:
        groups.setdefault((column.joint, column.restarts), []).append(column.preset)
    published = (
        Runs(tuple(presets), table.family, table.tasks, joint=joint, restarts=restarts)
        for (joint, restarts), presets in groups.items()
    )
    missing = NOT_AT_HAND[table.family]
    simulated = (
        Runs((column.preset,), SIMULATED[table.family], missing, settings=column.simulated, restarts=column.restarts)
        for column in table.columns
        if column.simulated is not None
    )
    return (*published, *simulated, *table.variants)


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

    Raises what :func:`memnet.tasks.families.find` does where the stories are not at hand.
    """
    todo: dict[Path, Job] = {}
    there = 0
    if report.parts:
        for part_of in report.parts:
            new, known = jobs_of(part_of, results, work, data, tasks, presets, seeds, device)
            todo |= {job.folder: job for job in new}
            there += known
        return sorted(todo.values(), key=lambda job: -job.cost), there
    following: dict[tuple[str, int], str | None] = {}
    if report.in_turn and not presets:
        before = tried(read_rows(results), report)
        following = {place: next_candidate(report.presets, rows) for place, rows in before.items()}
    for part in report.runs:
        chosen = {name: config for name, config in configs_of(part).items() if not presets or name in presets}
        names = [
            name for task, name in zip(part.all_tasks, part.data, strict=False) if not tasks or task in tasks or part.joint
        ]
        if not chosen or not names or (seeds and part.seed not in seeds):
            continue
        found = find([word for name in names for word in name.split()], data)
        groups = [found] if part.joint else [[task] for task in found]
        new, known = plan(groups, chosen.items(), [part.seed], part.restarts, results, work, device)
        todo |= {job.folder: job for job in new}
        there += known
    if report.in_turn and not presets:
        first = report.presets[0]
        todo = {
            folder: job
            for folder, job in todo.items()
            if job.spec.preset == following.get((job.spec.data[0].partition("/")[2], job.spec.seed), first)
        }
    return sorted(todo.values(), key=lambda job: -job.cost), there


class State(NamedTuple):
    """How many of a table's runs a file of runs has, and the seconds of one core that those took."""

    needed: int
    there: int
    seconds: float


def states(results: Path) -> Iterator[tuple[str, Study, State]]:
    """Every table with its state, without a look at the stories."""
    rows = read_rows(results)
    seconds: defaultdict[Key, float] = defaultdict(float)
    for row in rows:
        seconds[tuple(row[name] for name in KEY)] += float(row["seconds"])
    for name, report in reports().items():
        keys = {key for part in report.runs for key in keys_of(part)}
        there = sum(key in seconds for key in keys)
        lacking = len(keys) - there
        if report.takes_turns:
            there, lacking = in_turns(rows, report)
        yield name, report, State(there + lacking, there, sum(seconds[key] for key in keys if key in seconds))


def in_turns(rows: Sequence[Row], report: Study) -> tuple[int, int]:
    """How many runs of a study with presets tried in turn are there, and how many follow: none after a perfect network."""
    if report.parts:
        counts = [in_turns(rows, part) for part in report.parts]
        return sum(there for there, _ in counts), sum(lacking for _, lacking in counts)
    keys = {key for part in report.runs for key in keys_of(part)}
    presets = {key[0] for key in keys}
    known = {tuple(row[name] for name in KEY) for row in rows if row["preset"] in presets}
    there = len(keys & known)
    if not report.in_turn:
        return there, len(keys) - there
    found = tried(rows, report)
    places = {(label, part.seed) for part in report.runs for label in part.labels}
    return there, sum(next_candidate(report.presets, found.get(place, ())) is not None for place in places)

"""``memnet reproduce``: the runs that result tables need, the tables, and how both compare with what is on record."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from memnet.cli.common import (
    Address,
    BackendName,
    DataFolder,
    DeviceName,
    DryRun,
    JobCount,
    PublishedFile,
    choice,
    fail,
    plain_errors,
)
from memnet.cli.data import check_simulator
from memnet.cli.results import one_of_tables
from memnet.cli.sweep import carry_out, usable
from memnet.errors import counted

if TYPE_CHECKING:
    from memnet.papers.declare import Study

SIMULATOR = "simulator"  # its fidelity: the one table that no network makes


MADE_ANEW = Path("runs/reproduce/runs.csv")
CheckFlag = Annotated[
    bool,
    typer.Option(
        "--check",
        help="Train anew, compare with what is on record, and keep nothing. The same code, versions and processor must "
        "give the same bits; elsewhere the difference is held against the spread of the restarts on record.",
    ),
]
OutdatedFlag = Annotated[
    bool,
    typer.Option(
        "--outdated",
        help="Take over from the record what today's code made, on any processor, so that only the rest is made again.",
    ),
]


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Result tables; --list names them.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Name every table, its runs, and how long they took.")] = False,
    cell: Annotated[list[str] | None, typer.Option(help="Only this task; may be repeated.")] = None,
    preset: Annotated[list[str] | None, typer.Option(help="Only this preset; may be repeated.")] = None,
    seed: Annotated[list[int] | None, typer.Option(min=0, help="Only this seed; may be repeated.")] = None,
    check: CheckFlag = False,
    outdated: OutdatedFlag = False,
    results: Annotated[Path, typer.Option(help="The file of runs that the table is made from.")] = MADE_ANEW,
    recorded: Annotated[Path | None, typer.Option(help="The runs on record, to compare with.")] = None,
    published: PublishedFile = None,
    jobs: JobCount = None,
    backend: BackendName = "local",
    address: Address = None,
    device: DeviceName = "cpu",
    dry_run: DryRun = False,
    data: DataFolder = None,
) -> None:
    """Make result tables from nothing: do the runs that each needs, write it, and compare it with what is on record.

    A table is written into the folder ``tables`` beside the file of runs. With --results results/runs.csv what is missing
    there is added, and the project's own table is written.
    """
    from memnet.errors import NetworkError
    from memnet.record.published import published_rows
    from memnet.record.recorded import PAPERS_CSV, RUNS_CSV
    from memnet.record.recorded import recorded as on_record
    from memnet.reports.reproduce import reports
    from memnet.training.sweep import BACKENDS

    choice("--backend", backend, BACKENDS)
    with plain_errors(), tempfile.TemporaryDirectory() as scratch:
        recorded, published = recorded or on_record(RUNS_CSV), published or on_record(PAPERS_CSV)
        if not recorded.is_file() and recorded.resolve() != results.resolve():
            raise NetworkError(f"there is no file {recorded}; --recorded names runs to compare with")
        published_rows(published)  # found to be right before anything is trained
        if listed or not names:
            if any((cell, preset, seed, check, outdated, dry_run)):
                fail("name a result table; 'memnet reproduce --list' lists them", 2)
            list_reports(recorded, names)
            return
        part = Part(tuple(cell or ()), tuple(preset or ()), tuple(seed or ()))
        files = Files(results, recorded, published, data)
        workers = Workers(jobs, backend, address, device, dry_run)
        known = reports()
        for name in names:  # all are known to be right before the first is trained
            one_of_tables(name, (*known, SIMULATOR), "memnet reproduce --list")
            refuse(name, known.get(name), part, check)
        if outdated:
            into = Path(scratch, "runs.csv") if dry_run else results
            files = files._replace(results=with_current([known[name] for name in names if name in known], files, into, check))
        broken = []
        for name in names:
            anew = files._replace(results=Path(scratch, name, "runs.csv")) if check else files
            if why := why_broken(name, known.get(name), part, anew, workers, check, alone=len(names) == 1):
                broken.append(f"{name}: {why}")
        if broken:
            fail("; ".join(broken))


class Part(NamedTuple):
    """Which runs of a table: all of what is empty."""

    tasks: tuple[str, ...]
    presets: tuple[str, ...]
    seeds: tuple[int, ...]


class Files(NamedTuple):
    """Where rows are written, where those on record are, the papers' figures, the published stories."""

    results: Path
    recorded: Path
    published: Path
    data: Path | None


class Workers(NamedTuple):
    """What trains."""

    jobs: int | None
    backend: str
    address: str | None
    device: str
    dry: bool


def refuse(name: str, report: Study | None, part: Part, check: bool) -> None:
    """End the command where a table has no such part; the simulator's has no study."""
    from memnet.errors import ConfigError
    from memnet.papers.declare import TASKS

    if report is None:
        if check or part.presets or part.seeds:
            raise ConfigError(
                f"{SIMULATOR} compares stories, it trains nothing: --check, --preset and --seed are for the others"
            )
        for one in part.tasks:
            choice("--cell", one, TASKS["babi"])
        return
    for one in part.presets:
        choice("--preset", one, tuple(sorted(report.presets)))
    for one in part.tasks:
        choice("--cell", one, tuple(report.tasks))
    if part.tasks and report.joint:
        fail(f"{name} is one network for all its tasks; leave --cell out", 2)
    for number in part.seeds:
        choice("--seed", str(number), tuple(map(str, report.seeds)))


def with_current(reports: list[Study], files: Files, into: Path, check: bool) -> Path:
    """A file of runs with those of ``files.results``, if it has any, and the tables' that today's code has put on record."""
    from memnet.errors import ConfigError
    from memnet.record.provenance import code_name
    from memnet.record.runs import append_rows, read_rows
    from memnet.reports.documents import rows_of

    if check or files.results.resolve() == files.recorded.resolve():
        raise ConfigError(
            "--outdated makes runs again beside the record; leave --check out, and name another file by --results"
        )
    there = read_rows(files.results)
    if older := sorted({row["code"] for row in there} - {code_name()}):
        raise ConfigError(f"{files.results} has runs of other code ({', '.join(older)}); name another file by --results")
    if into != files.results:
        append_rows(into, there)
    current = [row for row in read_rows(files.recorded) if row["code"] == code_name()]
    for report in reports:
        append_rows(into, [dict(row) for row in rows_of(report, current)])
    return into


def why_broken(
    name: str, report: Study | None, part: Part, files: Files, workers: Workers, check: bool, alone: bool
) -> str | None:
    """Make a table, and say why that or its check failed; where it is not ``alone`` the others go on."""
    try:
        return one_table(name, report, part, files, workers, check)
    except typer.Exit as ended:  # some of its runs failed, which has been said
        if ended.exit_code != 1 or alone:
            raise
        return "runs failed"


def one_table(name: str, report: Study | None, part: Part, files: Files, workers: Workers, check: bool) -> str | None:
    """Do the runs that a table lacks, say how they compare with those on record, write it; why a check of it failed."""
    from memnet.record.compare import compare, describe, reproduced, why_not
    from memnet.record.runs import read_rows
    from memnet.reports.documents import rows_of, write_report
    from memnet.reports.reproduce import jobs_of
    from memnet.training.sweep import Job

    tables = files.results.parent / "tables"
    if report is None:
        simulator(part, files, workers, tables / f"{name}.md")
        return None

    def carried_out(todo: list[Job]) -> None:
        carry_out(todo, files.results, workers.jobs, workers.backend, workers.address, workers.dry, files.recorded)

    def next_jobs() -> tuple[list[Job], int]:
        device = usable(workers.device, workers.backend)
        return jobs_of(report, files.results, files.results.parent / "sweep", files.data, *part, device=device)

    todo, there = next_jobs()
    typer.echo(f"{name}: {report.title}; {counted(len(todo) + there, 'run')}, {there} of them done already")
    carried_out(todo)
    while report.takes_turns and todo and not workers.dry:  # what is tried next depends on what these came to
        before = {job.folder for job in todo}
        todo, there = next_jobs()
        todo = [job for job in todo if job.folder not in before]
        typer.echo(f"{name}: {counted(len(todo), 'run')} more, of presets that are tried in turn")
        carried_out(todo)
    if workers.dry:
        if report.takes_turns and todo and not part.presets:
            typer.echo("presets are tried in turn: more may follow, where these make errors on the validation questions")
        return None
    if files.results.resolve() == files.recorded.resolve():
        typer.echo("these are the runs on record, there is nothing to compare them with")
    else:
        found = compare(rows_of(replace(report, in_turn=False, parts=()), read_rows(files.results)), read_rows(files.recorded))
        for line in describe(found):
            typer.echo(line)
        if check:
            return None if reproduced(found) else why_not(found)
    if any(part):
        typer.echo(f"{name} is written when all of it is asked for; the runs of this part are in {files.results}")
    else:
        for path in write_report(name, files.results, files.published, tables):
            typer.echo(path)
    return None


def simulator(part: Part, files: Files, workers: Workers, page: Path) -> None:
    """Compare simulated stories with the published ones; of all tasks the table is written, a part is shown."""
    if workers.dry:
        typer.echo(f"{SIMULATOR}: no runs; the simulated stories of {', '.join(part.tasks or ['every task'])} are compared")
        return
    jobs = workers.jobs or os.cpu_count() or 1
    check_simulator(list(part.tasks), 0, jobs, None if part.tasks else page, files.data)


def list_reports(recorded: Path, names: list[str] | None) -> None:
    """Every table, or those named, with the state of its runs on record."""
    from memnet.markdown import duration
    from memnet.reports.reproduce import reports, states

    for name in names or ():
        one_of_tables(name, (*reports(), SIMULATOR), "memnet reproduce --list")
    for name, report, state in states(recorded):
        if names and name not in names:
            continue
        have = "all on record" if state.there == state.needed else f"{state.there} on record"
        typer.echo(
            f"{name:<16} {counted(state.needed, 'run'):>9}, {have}, {duration(state.seconds)} of one core: {report.title}"
        )
    if names and SIMULATOR not in names:
        return
    typer.echo(f"{SIMULATOR:<16} no runs: how close the simulated stories are to the published ones")

"""``memnet table`` and ``memnet reproduce``: what is made from many runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import (
    Address,
    BackendName,
    DataFolder,
    DeviceName,
    DryRun,
    JobCount,
    PublishedFile,
    RunsFile,
    SizeName,
    check_data_options,
    choice,
    fail,
    plain_errors,
)
from memnet.cli.data import check_simulator
from memnet.cli.sweep import carry_out, usable

SIMULATOR = "simulator"  # its fidelity: the one table that no network makes


def table(
    name: Annotated[str | None, typer.Argument(help="A result table; without one, they are listed.")] = None,
    results: RunsFile = None,
    published: PublishedFile = None,
    preset: Annotated[list[str] | None, typer.Option(help="A table of this preset's runs; may be repeated.")] = None,
    size: SizeName = "1k",
    seed: Annotated[int, typer.Option(min=0, help="The seed of the runs.")] = 0,
    write: Annotated[Path | None, typer.Option(help="Write every result table into this folder.")] = None,
) -> None:
    """Our errors beside the papers', task by task; without a NAME, which tables there are.

    A table of --preset is made of your own sweeps, results/runs.csv here, where there is such a file; else of the runs on
    record. With --results alone it has every preset of that file.
    """
    from memnet.papers import PRESETS
    from memnet.reports.documents import makers, titles
    from memnet.reports.recorded import PUBLISHED, RUNS, own_or_recorded, recorded
    from memnet.reports.tables import render

    check_data_options(size, "en")
    with plain_errors():
        if name is not None:
            one_of_tables(name, tuple(titles()), "memnet table")
        elif write is None and preset is None and results is None:
            for each, title in titles().items():
                typer.echo(f"{each:<16} {title}")
            typer.echo("\nmemnet table NAME prints one; memnet reproduce --list says what each takes to make again")
            return
        runs, papers = results or (own_or_recorded() if preset else recorded(RUNS)), published or recorded(PUBLISHED)
        if write is not None:
            write_tables(runs, papers, write, seed)
        elif name is not None:
            typer.echo(makers(runs, papers, seed)[name]())
        else:
            known = [one for one in PRESETS if one in (preset or ())]
            unknown = [one for one in preset or () if one not in PRESETS]
            typer.echo(render(runs, papers, size, seed, [*known, *unknown] or None))


def write_tables(runs: Path, published: Path, folder: Path, seed: int) -> None:
    """Write every result table that the runs are enough for."""
    from memnet.errors import NetworkError
    from memnet.reports.documents import makers, write_report

    made = makers(runs, published, seed)
    for each in made:
        try:
            for path in write_report(each, runs, published, folder, seed):
                typer.echo(path)
        except NetworkError as error:
            typer.echo(f"{each} is left out: {error}", err=True)


def one_of_tables(name: str, known: Sequence[str], listing: str) -> None:
    """Refuse the name of a table that there is not; the command ``listing`` says which there are."""
    from memnet.errors import hint

    if name not in known:
        what = hint(name, known, f"'{listing}' lists them;")
        fail(f"there is no table {name!r}; {what} one of a plugin needs memnet --plugin FILE", 2)


def reproduce(
    name: Annotated[str | None, typer.Argument(help="A result table; --list names them.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="Name every table, its runs, and how long they took.")] = False,
    cell: Annotated[list[str] | None, typer.Option(help="Only this task, such as qa2; may be repeated.")] = None,
    preset: Annotated[list[str] | None, typer.Option(help="Only this preset; may be repeated.")] = None,
    seed: Annotated[list[int] | None, typer.Option(min=0, help="Only this seed; may be repeated.")] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Train anew, compare with what is on record, and keep nothing. The same code, versions and processor must "
            "give the same bits; elsewhere the difference is held against the spread of the restarts on record.",
        ),
    ] = False,
    results: Annotated[Path, typer.Option(help="The file of runs that the table is made from.")] = Path(
        "runs/reproduce/runs.csv"
    ),
    recorded: Annotated[Path | None, typer.Option(help="The runs on record, to compare with.")] = None,
    published: PublishedFile = None,
    jobs: JobCount = None,
    backend: BackendName = "local",
    address: Address = None,
    device: DeviceName = "cpu",
    dry_run: DryRun = False,
    data: DataFolder = None,
) -> None:
    """Make a result table from nothing: do the runs that it needs, write it, and compare it with what is on record.

    A table is written into the folder ``tables`` beside the file of runs. With --results results/runs.csv what is missing
    there is added, and the project's own table is written.
    """
    import tempfile

    from memnet.errors import ConfigError
    from memnet.reports.documents import write_report
    from memnet.reports.recorded import PUBLISHED, RUNS
    from memnet.reports.recorded import recorded as on_record
    from memnet.reports.reproduce import compare, describe, jobs_of, reports, reproduced, why_not
    from memnet.training.records import read_rows
    from memnet.training.sweep import BACKENDS, Job

    choice("--backend", backend, BACKENDS)
    with plain_errors(), tempfile.TemporaryDirectory() as scratch:
        if listed or name is None:
            list_reports(recorded or on_record(RUNS))
            return
        known = reports()
        one_of_tables(name, (*known, SIMULATOR), "memnet reproduce --list")
        if name == SIMULATOR:
            if check or preset:
                raise ConfigError(f"{SIMULATOR} compares stories, it trains nothing: --check and --preset are for the others")
            if dry_run:
                typer.echo(f"{SIMULATOR}: no runs; the simulated stories of {', '.join(cell or ['every task'])} are compared")
                return
            if cell:  # a part is shown, the table is of all
                check_simulator(cell, 0, jobs or os.cpu_count() or 1, None, data)
                return
            check_simulator([], 0, jobs or os.cpu_count() or 1, results.parent / "tables" / f"{name}.md", data)
            return
        report, recorded, published = known[name], recorded or on_record(RUNS), published or on_record(PUBLISHED)
        for one in preset or ():
            choice("--preset", one, tuple(sorted(report.presets)))
        for one in cell or ():
            choice("--cell", one, tuple(report.tasks))
        if cell and report.joint:
            fail(f"{name} is one network for all its tasks; leave --cell out", 2)
        for number in seed or ():
            choice("--seed", str(number), tuple(map(str, report.seeds)))
        if check:
            results = Path(scratch) / "runs.csv"
        work = results.parent / "sweep"

        def next_jobs() -> tuple[list[Job], int]:
            chosen = cell or (), preset or (), seed or ()
            return jobs_of(report, results, work, data, *chosen, device=usable(device, backend))

        todo, there = next_jobs()
        typer.echo(f"{name}: {report.title}; {len(todo) + there} run(s), {there} of them done already")
        carry_out(todo, results, jobs, backend, address, dry_run, recorded)
        while report.in_turn and todo and not dry_run:  # what is tried next depends on what these came to
            before = {job.folder for job in todo}
            todo, there = next_jobs()
            todo = [job for job in todo if job.folder not in before]
            typer.echo(f"{name}: {len(todo)} run(s) more, of presets that are tried in turn")
            carry_out(todo, results, jobs, backend, address, dry_run, recorded)
        if dry_run:
            if report.in_turn and todo and not preset:
                typer.echo("presets are tried in turn: more may follow, where these make errors on the validation questions")
            return
        rows = read_rows(results)
        if results.resolve() == recorded.resolve():
            typer.echo("these are the runs on record, there is nothing to compare them with")
        else:
            found = compare(rows, read_rows(recorded))
            wanted = [one for one in found if not (cell or preset or seed) or check]
            for line in describe(wanted or found):
                typer.echo(line)
            if check and not reproduced(found):
                fail(why_not(found))
        if not (check or cell or preset or seed):
            for path in write_report(name, results, published, results.parent / "tables"):
                typer.echo(path)


def list_reports(recorded: Path) -> None:
    """Every table with the state of its runs on record."""
    from memnet.reports.reproduce import states
    from memnet.training.sweep import duration

    for name, report, state in states(recorded):
        have = "all on record" if state.there == state.needed else f"{state.there} on record"
        typer.echo(f"{name:<16} {state.needed:>4} run(s), {have}, {duration(state.seconds)} of one core: {report.title}")
    typer.echo(f"{SIMULATOR:<16} no runs: how close the simulated stories are to the published ones")

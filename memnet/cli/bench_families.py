"""``memnet bench family``, ``beliefs`` and ``older``: networks of a family, whence answers follow, the age of measurements."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.bench import WriteFile, app
from memnet.cli.common import DataFolder, DryRun, JobCount, choice, plain_errors, show
from memnet.errors import counted


@app.command("family")
def bench_family(
    family: Annotated[
        str, typer.Argument(help="A family whose table is declared: tomi, tom-babi, scone, stepgame, clutrr or dyna.")
    ],
    results: Annotated[
        Path | None, typer.Option(help="The file of runs, which are not run again; else results/families/FAMILY.csv.")
    ] = None,
    member: Annotated[list[str] | None, typer.Option(help="Only this member; may be repeated.")] = None,
    network: Annotated[list[str] | None, typer.Option(help="Only this row of the table; may be repeated.")] = None,
    jobs: JobCount = None,
    dry_run: DryRun = False,
    data: DataFolder = None,
) -> None:
    """The results of a family: trains the networks of its table that a file of runs lacks, and prints percent right by kind."""
    from memnet.cli.sweep import carry_out
    from memnet.reports.family_page import table_of_family
    from memnet.reports.of_family import FAMILY_TABLES

    choice("FAMILY", family, tuple(FAMILY_TABLES))
    results = results or Path("results", "families", f"{family}.csv")
    table = FAMILY_TABLES[family]
    for one in network or ():
        choice("--network", one, tuple(table.rows))
    for one in member or ():
        choice("--member", one, table.members)
    with plain_errors():
        todo, there = table.jobs(results, Path("runs/family"), network or (), member or (), data)
        typer.echo(f"{counted(len(todo) + there, 'run')}, {there} of them done already")
        carry_out(todo, results, jobs, "local", None, dry_run)
        if not dry_run:
            typer.echo(table_of_family(family, results))


@app.command("beliefs")
def bench_beliefs(
    data_sets: Annotated[list[str] | None, typer.Argument(metavar="[DATA]...", help="tomi/order-2 and tom-babi/easy.")] = None,
    write: WriteFile = None,
    data: DataFolder = None,
) -> None:
    """Stories about beliefs: whether their answers follow from them, by two rules and by forms with two answers."""
    from memnet.measure.beliefs import consistency
    from memnet.tasks.families import find

    columns = (
        "data:<14; kind:<28; questions:>9,; forms:>6,; at most %=most:>9.1f; seen %=seen:>7.1f; labelled %=labelled:>10.1f"
    )
    with plain_errors():
        tasks = find(data_sets or ["tomi/order-2", "tom-babi/easy"], data)
        show((line for task in tasks for line in consistency(task)), write, columns)


@app.command("older")
def bench_older() -> None:
    """Which measurements on record are older than the code that makes them, that which answers included."""
    from memnet.record.ages import ages
    from memnet.record.recorded import PAPERS_CSV, recorded

    with plain_errors():
        for name, age in ages(recorded(PAPERS_CSV).parent):
            typer.echo(f"{name:<24} {age}")

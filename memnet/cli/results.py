"""``memnet table``: what is made from many runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import PublishedFile, RunsFile, choice, fail, plain_errors


def table(
    name: Annotated[str | None, typer.Argument(help="A result table; without one, they are listed.")] = None,
    results: RunsFile = None,
    published: PublishedFile = None,
    preset: Annotated[list[str] | None, typer.Option(help="A table of this preset's runs; may be repeated.")] = None,
    family: Annotated[
        str | None, typer.Option(help="Only of this family of data sets; else a table for each of: {families}.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the runs.")] = 0,
    seeds: Annotated[
        bool, typer.Option("--seeds", help="Of your own runs: the mean over all their seeds, and its spread.")
    ] = False,
    by: Annotated[
        str, typer.Option(help="What a row is: a member of the family, or a split or kind of the test questions of one.")
    ] = "member",
    unchanged: Annotated[bool, typer.Option("--unchanged", help="Only presets as they stand, no setting changed.")] = False,
    write: Annotated[Path | None, typer.Option(help="Write every result table, or the one named, into this folder.")] = None,
) -> None:
    """Our errors beside the papers', task by task; without a NAME, which tables there are.

    A table of --preset is made of your own sweeps, results/runs.csv here, where there is such a file; else of the runs on
    record. With --results alone it has every preset of that file. Each family of data sets has a table of its own. What was
    trained with --set has columns of its own, which say what was set.
    """
    from memnet.errors import NetworkError
    from memnet.record.recorded import PAPERS_CSV, RUNS_CSV, own_or_recorded, recorded
    from memnet.record.runs import BY
    from memnet.reports.documents import OF_SEED, text_of, titles
    from memnet.reports.over_seeds import over_seeds
    from memnet.reports.tables import tables_of_families
    from memnet.tasks.families import FAMILIES

    if family is not None:
        choice("--family", family, tuple(FAMILIES))
    choice("--by", by, BY)
    with plain_errors():
        if name is not None:
            one_of_tables(name, tuple(titles()), "memnet table")
        listing = (name, results, preset, write) == (None,) * 4
        chosen = {"--preset": preset, "--family": family, "--by": by != BY[0], "--unchanged": unchanged, "--seeds": seeds}
        what = name or ("all that --write writes" if write else None)
        refuse_unused(what, chosen, 0 if write and not name else seed, listing)
        if listing:
            for each, title in titles().items():
                typer.echo(f"{each:<16} {title}")
            typer.echo("\nmemnet table NAME prints one; memnet reproduce --list says what each takes to make again")
            return
        runs = results or (own_or_recorded() if preset else recorded(RUNS_CSV))
        if not runs.is_file():
            raise NetworkError(f"there is no file {runs}; 'memnet sweep --results {runs}' makes runs in it")
        papers = published or recorded(PAPERS_CSV)
        if write is not None:
            names = titles() if name is None else [name]
            write_tables([each for each in names if not seed or each in OF_SEED], runs, papers, write, seed)
        elif seeds:
            typer.echo(over_seeds(runs, preset or (), family, by, not unchanged) + failed(runs))
        elif name is not None:
            typer.echo(text_of(name, runs, papers, seed))
        else:
            typer.echo(tables_of_families(runs, papers, seed, preset or (), family, by, not unchanged) + failed(runs))


def failed(runs: Path) -> str:
    """How many runs of a file failed and are in no table, in a line of its own; empty where there are none."""
    from memnet.errors import counted
    from memnet.record.runs import failures

    number = len(file.read_text(encoding="utf-8").splitlines()) if (file := failures(runs)).is_file() else 0
    return f"\n\n{counted(number, 'run')} failed and in no table: see {file}; the same sweep tries them again" if number else ""


def refuse_unused(name: str | None, given: Mapping[str, object], seed: int, listing: bool) -> None:
    """End the command where an option would do nothing: a table that is named has presets, a family and mostly seeds."""
    from memnet.errors import ConfigError
    from memnet.reports.documents import OF_SEED

    unused = " and ".join(option for option, value in given.items() if value)
    if name is not None and unused:
        raise ConfigError(f"{name} has its own presets, family and rows; leave {unused} out, or the name")
    if name is not None and seed and name not in OF_SEED:
        raise ConfigError(f"{name} declares the seeds of its runs; leave --seed out")
    if given["--seeds"] and seed:
        raise ConfigError("--seeds is of all seeds; leave --seed out")
    if listing and (seed or unused):
        raise ConfigError(f"{unused or '--seed'} is for a table of --preset or --results")


def write_tables(names: Sequence[str], runs: Path, published: Path, folder: Path, seed: int) -> None:
    """Write those result tables that the runs are enough for."""
    from memnet.errors import NetworkError
    from memnet.reports.documents import write_report

    for each in names:
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

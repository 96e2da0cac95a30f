"""``memnet data``: stories fetched, simulated, shown and checked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import (
    CellQuestions,
    ConfusingShare,
    DataFolder,
    RepeatFlag,
    SampleSeed,
    StoryNames,
    TaskNames,
    choice,
    fail,
    plain_errors,
    try_command,
)
from memnet.cli.data_sets import counts, find_named, groups_of, say_remarks
from memnet.cli.make import data_make
from memnet.cli.reading import data_interchangeable, data_reading
from memnet.errors import counted

if TYPE_CHECKING:
    from memnet.tasks.families import Task

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Stories: fetch and check the published ones, simulate others, show them."
)
app.command("make")(data_make)


@app.command("fetch")
def data_fetch(
    to: Annotated[Path | None, typer.Option(help="Folder to unpack into; the cache by default.")] = None,
    archive: Annotated[Path | None, typer.Option(help="An archive that is here already, in place of a download.")] = None,
) -> None:
    """Get the published bAbI v1.2 text, check every file, and unpack it; nothing to do where it is at hand."""
    from memnet.tasks.families.archive import at_hand, cache_folder, extract, fetch

    with plain_errors():
        if to is None and archive is None and (found := at_hand()):
            typer.echo(f"{found} holds the whole published text already; nothing was fetched")
            return
        target = extract(archive, to or cache_folder()) if archive else fetch(to)
        typer.echo(f"the published text is in {target}, every file as published")


Count = Annotated[int | None, typer.Option(min=0)]
PATH_HELP = "Path finding: steps; positions: statements between the shapes; three facts: rooms before that asked about."


@app.command("simulate")
def data_simulate(
    tasks: Annotated[list[str], typer.Argument(help="Tasks of the simulator: members of sim, or all.")],
    out: Annotated[Path, typer.Option(help="A new folder for the files.")],
    train: Annotated[int, typer.Option(min=1, help="Training questions of each task.")] = 1000,
    test: Annotated[int, typer.Option(min=1, help="Test questions of each task.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same bytes on every machine.")] = 0,
    overlap: Annotated[bool, typer.Option("--overlap/--no-overlap", help="May a test question stand in training?")] = True,
    people: Count = None,
    places: Count = None,
    objects: Count = None,
    statements: Annotated[int | None, typer.Option(min=1, help="Told before the first question, at least.")] = None,
    facts: Annotated[
        int | None, typer.Option(min=1, help="Of one to three facts: supporting facts that a question needs.")
    ] = None,
    chain: Annotated[int | None, typer.Option(min=1, help="Sizes: statements between the two sizes.")] = None,
    path: Annotated[int | None, typer.Option(min=1, help=PATH_HELP)] = None,
    kinds: Annotated[int | None, typer.Option(min=2, help="Deduction: kinds of animals.")] = None,
    at_once: Annotated[
        int | None, typer.Option(min=1, help="Two or three facts, counting: questions one after another.")
    ] = None,
    distractors: Annotated[int, typer.Option(min=0, help="Sentences about nothing, a story.")] = 0,
    phrasing: Annotated[float, typer.Option(min=0, max=1, help="Share of the sentences in everyday words.")] = 0.0,
    background: Annotated[int, typer.Option(min=0, help="Sentences of books, at most, in half of the stories.")] = 0,
    new_names: Annotated[bool, typer.Option("--new-names", help="Test people have names that training never had.")] = False,
) -> None:
    """Write fresh stories in the published format, drawn as the published ones were, or beyond them."""
    from memnet.tasks.simulator import Dials, write_tasks

    dials = Dials(
        people, places, objects, statements, facts, chain, path, kinds, at_once, distractors, phrasing, background, new_names
    )
    with plain_errors():
        for name, questions, shared in write_tasks(tasks, out, train, test, seed, dials, overlap):
            typer.echo(f"{name}: {shared} of {questions} test questions ({shared / questions:.0%}) also stand in training")
        typer.echo(f"written to {out} (simulated); {try_command('train', out)}")


@app.command("export")
def data_export(
    tasks: TaskNames,
    out: Annotated[Path, typer.Option(help="A new folder, with a folder of parquet files for each task.")],
    data: DataFolder = None,
) -> None:
    """Write tasks as parquet files (train, validation, test) that other tools load."""
    from memnet.errors import ConfigError, extra_needed

    with plain_errors():
        try:
            import datasets

            from memnet.tasks.families.dataset import export
        except ModuleNotFoundError as error:
            raise ConfigError(extra_needed("a data set as parquet files", "datasets", "parquet")) from error
        datasets.disable_progress_bars()
        found = [task for group in groups_of(tasks, False, data) for task in group]
        export(found, out)
        typer.echo(f"{counted(len(found), 'task')} written to {out}; try: datasets.load_dataset('{out / found[0].name}')")


@app.command("show")
def data_show(
    task: Annotated[str, typer.Argument(help="Its name, FAMILY/MEMBER, or a folder of your own.")],
    number: Annotated[int, typer.Option("-n", min=1, help="Stories to print.")] = 1,
    data: DataFolder = None,
) -> None:
    """Print training stories, below each question its supporting facts; of your own files also how much there is."""
    with plain_errors():
        for found in find_named([task], data, number):
            for story in found.train[:number]:
                typer.echo(f"-- {found.name}")
                for stated in range(1, len(story.statements) + 1):
                    typer.echo(f"{stated:>4}  {story.statements[stated - 1]}")
                    for question in story.questions:
                        if question.after == stated:
                            typer.echo(f"   ?  {question.text.strip()}  {question.answer}")
                            for fact in question.supporting_facts:
                                typer.echo(f"      because {fact + 1}  {story.statements[fact]}")
            if found.files:
                say_all_of(found)


app.command("interchangeable")(data_interchangeable)
app.command("reading")(data_reading)


@app.command("names")
def data_names(
    tasks: TaskNames,
    data: DataFolder = None,
) -> None:
    """Print the words of training stories that are taken for names, one a line: once corrected, a file for train --names."""
    from memnet.tasks.families import find
    from memnet.tasks.text.names import name_words

    with plain_errors():
        found = find(tasks, data)
        for word in sorted({word for task in found for word in name_words(task.train)}):
            typer.echo(word)


@app.command("check")
def data_check(
    folder: Annotated[Path | None, typer.Argument(help="A folder of the published text, or of your own files.")] = None,
    simulator: Annotated[bool, typer.Option("--simulator", help="Compare simulated stories with published ones.")] = False,
    task: Annotated[list[str] | None, typer.Option(help="With --simulator: only this task; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="With --simulator: of the stories and the draws.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, help="With --simulator: processes; as many as there are cores.")] = None,
    write: Annotated[Path | None, typer.Option(help="With --simulator: a file for the table.")] = None,
    data: DataFolder = None,
) -> None:
    """Compare a folder with the checksums of the published text, or the simulator with the published stories.

    Of a folder of your own files it says how much there is, and what is odd.
    """
    if simulator == (folder is not None):
        fail("name a folder to compare with the checksums, or --simulator", 2)
    if folder is not None and (task or seed or jobs or write or data):
        fail("--task, --seed, --jobs, --write and --data belong to --simulator", 2)
    if folder is not None:
        check_folder(folder)
    else:
        check_simulator(task or [], seed, jobs or os.cpu_count() or 1, write, data)


MOST_NAMED = 5  # files of a folder


def say_all_of(task: Task) -> None:
    """How much a data set of one's own files has, and what a person should know of it."""
    typer.echo(counts(task))
    say_remarks([task])


def check_folder(folder: Path) -> None:
    """Say what is missing or changed, folder by folder; of a folder of one's own files what there is."""
    from memnet.tasks.families import find
    from memnet.tasks.families.archive import check
    from memnet.tasks.families.layout import grouped

    if not folder.is_dir():
        fail(f"{folder} is no folder")
    with plain_errors():
        missing, changed, good = check(folder)
        if not (good or changed) and grouped(folder):
            for task in find([str(folder)]):
                say_all_of(task)
            return
    typer.echo(f"{counted(good, 'file')} as published, {len(changed)} changed, {len(missing)} missing")
    for what, files in (("changed", changed), ("missing", missing)):
        for line in files_by_folder(files):
            typer.echo(f"{what}  {line}")
    if not (good or changed):
        typer.echo(f"{folder} does not hold the published text; 'memnet data fetch' gets it")
    if changed or missing:
        raise typer.Exit(1)


def files_by_folder(files: Sequence[str]) -> list[str]:
    """Files by name where they are few, and the number of those of a folder that has many: a line each.

    >>> files_by_folder(["one/a.txt", *(f"many/{n}.txt" for n in range(1, 21))])
    ['one/a.txt', 'many: 20 files']
    """
    lines: list[str] = []
    for folder, members in groupby(files, key=lambda file: PurePosixPath(file).parent):
        found = list(members)
        lines += found if len(found) <= MOST_NAMED else [f"{folder}: {len(found)} files"]
    return lines


def check_simulator(names: list[str], seed: int, jobs: int, write: Path | None, data: Path | None) -> None:
    """Print the table of differences between simulated and published stories."""
    from memnet.files import write_atomically
    from memnet.markdown import tables_as_csv
    from memnet.tasks.families import find
    from memnet.tasks.families.fidelity import check

    with plain_errors():
        published = find([name if "/" in name else f"babi/{name}" for name in names or ["all"]], data)
        wanted = [task.member for task in published]  # what is not at hand was said before the long part
        table, wrong = check(wanted, data, seed, jobs)
        if write is not None:
            write.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(write, table + "\n")
            if write.suffix == ".md":
                write_atomically(write.with_suffix(".csv"), tables_as_csv(table))
    typer.echo(table)
    for each in wrong:
        typer.echo(f"differs: {each}")
    if wrong:
        raise typer.Exit(1)
    typer.echo("no difference found")


@app.command("babilong")
def data_babilong(
    tasks: TaskNames,
    background: Annotated[Path, typer.Option(help="A folder of books as .txt files.")],
    out: Annotated[Path, typer.Option(help="A new file, JSON lines with input, question and target.")],
    length: Annotated[str, typer.Option(help="GPT-2 tokens: 0k to 512k, doubled each time, 1M or 10M.")] = "4k",
    names: StoryNames = "published",
    confusing: ConfusingShare = 0.0,
    questions: CellQuestions = None,
    seed: SampleSeed = 0,
    repeat: RepeatFlag = False,
    data: DataFolder = None,
) -> None:
    """Write samples of BABILong: test stories scattered through books, sentence by sentence."""
    from memnet.files import whole_file
    from memnet.tasks.babilong import LENGTHS, NAMES, json_line, questions_of, samples, test_stories
    from memnet.tasks.families import find
    from memnet.tasks.text.background import Background

    choice("--length", length, tuple(LENGTHS))
    choice("--names", names, NAMES)
    with plain_errors():
        if out.exists():
            raise FileExistsError(17, "it exists already; choose another --out", str(out))
        books, number = Background.read(background), questions or questions_of(LENGTHS[length])
        chosen = [
            sample
            for task in find(tasks, data)
            for sample in samples(
                task.member, test_stories(task, names, seed), books, LENGTHS[length], number, seed, confusing, repeat
            )
        ]
        with whole_file(out) as file:
            file.writelines(json_line(sample, books) for sample in chosen)
        typer.echo(f"{len(chosen):,} samples of {length} written to {out}")

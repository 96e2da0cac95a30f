"""``memnet bench``: speed, memory and right answers, measured on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memnet.cli.common import (
    BackgroundFolder,
    CellQuestions,
    ConfusingShare,
    DataFolder,
    JointFlag,
    LengthNames,
    ModelName,
    PublishedFile,
    RepeatFlag,
    Restarts,
    RunOrOwn,
    RunOrReader,
    SampleSeed,
    Settings,
    StoryNames,
    books_of,
    check_model,
    choice,
    fail,
    groups_of,
    lengths_of,
    plain_errors,
    trained_on,
)

if TYPE_CHECKING:
    from memnet.record.measurements import Measurement


def folder_is_there(write: Path | None) -> Path | None:
    """A file to be written. Ends where its folder is missing."""
    if write is not None and not write.parent.is_dir():
        fail(f"{write}: there is no folder {write.parent}")
    return write


EVERYDAY = Path("tests/everyday_stories.txt")  # of a checkout
WRITE_HELP = "A file for the numbers and what made them, as CSV."
WriteFile = Annotated[Path | None, typer.Option("--write", callback=folder_is_there, help=WRITE_HELP)]
PresetNames = Annotated[list[str] | None, typer.Option("--preset", help="A preset; may be repeated.")]
OnlyTasks = Annotated[list[str] | None, typer.Option("--task", help="Only this task, such as qa2; may be repeated.")]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Measure speed, memory and right answers on this machine.")


def show(lines: Iterable[Any], write: Path | None, columns: dict[str, str], kept: Sequence[Any] = ()) -> None:
    """Print a table, a line as soon as it is measured, and write the lines so far into a file.

    Columns are by their heads, each a text to format such as ``"{0.error:>8.1f}"``. Lines that were ``kept`` before stay in
    the file, but for those that are measured anew.
    """
    widths = (re.search(r":([<>]\d+)", text) for text in columns.values())
    typer.echo(" ".join(f"{head:{found[1] if found else ''}}" for head, found in zip(columns, widths, strict=True)))
    done = [*kept]
    for line in lines:
        typer.echo(" ".join(columns.values()).format(line))
        done = [*(other for other in done if not kept or other.place != line.place), line]
        keep(write, done)


def keep(write: Path | None, lines: Sequence[Measurement]) -> None:
    """Write measurements, where they are to be kept."""
    from memnet.files import write_atomically
    from memnet.record.measurements import write_csv

    if write is not None and lines:
        write_atomically(write, write_csv(lines))


@app.command("train")
def bench_train(
    tasks: Annotated[list[str] | None, typer.Argument(help="Tasks to train on.")] = None,
    model: ModelName = None,
    preset: PresetNames = None,
    restarts: Restarts = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each task.")] = 5.0,
    joint: JointFlag = False,
    write: WriteFile = None,
    data: DataFolder = None,
) -> None:
    """Training speed on one core, one thread: examples a second over all restarts, ms a step, peak memory."""
    from memnet.api import choose_presets, preset_named
    from memnet.errors import ConfigError
    from memnet.measure.speed import training
    from memnet.models import MODELS, model_of

    check_model(model)
    with plain_errors():
        configs = {name: preset_named(name) for name in choose_presets(model, preset or [], joint)}
        for name, config in configs.items():
            if MODELS[model_of(config)].fitted:
                raise ConfigError(f"{name} is fitted in one piece; there are no training steps to measure")
        groups = groups_of(tasks or [f"babi/qa{number}" for number in (1, 2, 3, 14)], joint, data)
        lines = (
            training(name, config, group, restarts or config.default_restarts, seconds)
            for name, config in configs.items()
            for group in groups
        )
        columns = {"preset": "{0.preset:<20}", "task": "{0.task:<6}", "examples/s": "{0.examples:>11,.0f}"}
        columns |= {"ms/step": "{0.milliseconds:>9.2f}", "peak MiB so far": "{0.peak:>16.0f}"}
        show(lines, write, columns | {"  batch x replicas": "  {0.batch} x {0.restarts}"})


@app.command("answer")
def bench_answer(
    sizes: Annotated[list[int] | None, typer.Argument(min=1, help="Statements; 10 to 1,000,000 by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to ask about each, at least three questions.")] = 1.0,
    write: WriteFile = None,
) -> None:
    """Questions about long stories: an untrained MemN2N of width 20 and three hops that has taken the story in."""
    from memnet.measure.speed import answering

    columns = {"statements": "{0.statements:>10,}", "taken in, s": "{0.encoding:>12.2f}"}
    columns |= {"ms an answer": "{0.milliseconds:>13.2f}", "peak MiB so far": "{0.peak:>16.0f}"}
    with plain_errors():
        show(answering(sizes or [10, 1000, 10_000, 100_000, 1_000_000], seconds), write, columns)


@app.command("serve")
def bench_serve(
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="Networks' folders; else the package's.")] = None,
    clients: Annotated[int, typer.Option(min=1, max=90, help="Who ask at the same time, each without a pause.")] = 20,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long.")] = 60.0,
) -> None:
    """How memnet serve stands up to many at once: questions without an answer, waiting times, the server's memory."""
    from memnet.measure.load import load

    with plain_errors():
        found = load(runs or [], clients, seconds)
    columns = {"asked by": "{0.way:<10}", "questions": "{0.questions:>10,}", "failures": "{0.failures:>9,}"}
    show(found.waits, None, columns | {"p50, ms": "{0.p50:>9,.0f}", "p99, ms": "{0.p99:>9,.0f}"})
    typer.echo(f"memory of the server: {found.before:,.0f} MiB before, {found.after:,.0f} MiB after")


@app.command("attention")
def bench_attention(
    sizes: Annotated[list[int] | None, typer.Argument(min=1, help="Memories; 10 to 100,000 by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to measure each, at least three times.")] = 0.2,
    write: WriteFile = None,
) -> None:
    """Every score, alignment and read forward and backward: ms, and MiB kept for the backward pass."""
    from memnet.measure.attention import attention

    columns = {"score, alignment, read": "{0.parts:<43}", "memories": "{0.memories:>8,}"}
    with plain_errors():
        lines = attention(sizes or [10, 100, 1000, 10_000, 100_000], seconds)
        show(lines, write, columns | {"ms": "{0.milliseconds:>10,.2f}", "MiB kept": "{0.kept:>8,.2f}"})


@app.command("reinforce")
def bench_reinforce(
    number: Annotated[int, typer.Option(min=2, help="Estimates of each kind.")] = 1000,
    write: WriteFile = None,
) -> None:
    """The gradient of hard attention: bias, spread and time by samples, baseline and memories."""
    from memnet.measure.attention import estimates

    columns = {"memories": "{0.memories:>8}", "baseline": "{0.baseline:<8}", "samples T": "{0.samples:>9}"}
    columns |= {"mean error": "{0.bias:>10.3f}", "of an unbiased mean": "{0.chance:>19.3f}"}
    with plain_errors():
        lines = estimates([5, 50, 500], [1, 2, 5, 10, 20], number)
        show(lines, write, columns | {"of one estimate": "{0.deviation:>15.2f}", "ms": "{0.milliseconds:>6.2f}"})


@app.command("memory")
def bench_memory(
    sizes: Annotated[list[int] | None, typer.Argument(min=10, help="Statements; 10 to 10,000 by default.")] = None,
    preset: Annotated[list[str] | None, typer.Option(help="A preset; may be repeated; those compared by default.")] = None,
    questions: Annotated[int, typer.Option(min=1, help="Of each size; a tenth beyond 1,000 statements.")] = 200,
    retrieve: Annotated[bool, typer.Option("--retrieve", help="A network reads what the retriever finds, not all.")] = False,
    settings: Settings = None,
    write: WriteFile = None,
) -> None:
    """Error, time and memory as the memory grows: task 1 simulated, trained with few distractor sentences, asked with many."""
    from memnet.api import change, preset_named
    from memnet.errors import ConfigError
    from memnet.measure.growth import growing_memory, with_memory_size
    from memnet.papers.ours import COMPARED

    columns = {"preset": "{0.preset:<20}", "statements": "{0.statements:>10,}", "error %": "{0.error:>8.1f}"}
    columns |= {"ms an answer": "{0.milliseconds:>13.2f}", "peak MiB": "{0.peak:>9.0f}", "  questions": "  {0.questions}"}
    with plain_errors():
        sizes = sizes or [10, 100, 1000, 10_000]
        few = [next(iter(presets.values())) for presets in COMPARED.values()]
        configs = {name: change(name, settings or [], {}) for name in preset or few}
        for name, config in configs.items():
            if config.memory_size < max(sizes) and config.memory_size != preset_named(name).memory_size:
                raise ConfigError(
                    f"memory_size={config.memory_size} is set, and {max(sizes):,} statements are to be remembered"
                )
        configs = {name: with_memory_size(config, max(sizes)) for name, config in configs.items()}
        show(growing_memory(configs, sizes, questions, retrieve), write, columns)


@app.command("models")
def bench_models(
    runs: Annotated[list[Path], typer.Argument(help="Folders of networks trained on one task.")],
    questions: Annotated[int, typer.Option(min=1, help="Asked one by one.")] = 200,
    write: WriteFile = None,
    data: DataFolder = None,
) -> None:
    """Parameters of trained networks; of an answer to test questions its milliseconds and operations of matrix products."""
    from memnet.errors import NetworkError
    from memnet.measure.growth import cost
    from memnet.models.checkpoint import load_network

    columns = {"preset": "{0.preset:<24}", "width": "{0.width:>5}", "parameters": "{0.figures[0]:>10}"}
    with plain_errors():
        loaded = [(run, load_network(run)[2]) for run in runs]
        tasks = {" ".join(saved["data"]) for _, saved in loaded}
        if len(tasks) > 1 or " " in next(iter(tasks)):
            raise NetworkError(f"expected networks of one task, the same for all; these are of {', '.join(sorted(tasks))}")
        lines = (cost(run, trained_on(run, saved, data=data)[0], questions) for run, saved in loaded)
        show(lines, write, columns | {"ms an answer": "{0.figures[1]:>13}", "Mflop": "{0.figures[2]:>8}"})


@app.command("unseen-names")
def bench_unseen_names(
    run: RunOrOwn = None,
    task: OnlyTasks = None,
    stories: Annotated[Path, typer.Option(help="Stories in everyday words; left out where there is no such file.")] = EVERYDAY,
    seed: Annotated[int, typer.Option(min=0, help="Which new names the stories get.")] = 0,
    write: WriteFile = None,
    published: PublishedFile = None,
    data: DataFolder = None,
) -> None:
    """Names never met: test errors with people and everything renamed, refusals, calibration, everyday stories, speed."""
    import torch

    from memnet.ask.hub import find_network
    from memnet.measure.everyday import read_everyday
    from memnet.measure.unseen_names import unseen_names
    from memnet.reports.recorded import PUBLISHED, recorded
    from memnet.reports.unseen_names_page import tables
    from memnet.tasks.families import find

    torch.set_num_threads(1)
    lines: list[Any] = []
    with plain_errors():
        everyday = read_everyday(stories) if stories.exists() else []
        for new in unseen_names(find_network(run), find(task or ["babi/all"], data), everyday, seed):
            lines += new
            for one in new:
                typer.echo(f"{one.subject}: {one.measure} {one.value:,.1f}", err=True)
            keep(write, lines)
        typer.echo("\n\n".join(tables(lines, published or recorded(PUBLISHED)).values()))


@app.command("babilong")
def bench_babilong(
    run: RunOrReader = None,
    background: BackgroundFolder = None,
    task: OnlyTasks = None,
    length: LengthNames = None,
    names: StoryNames = "published",
    confusing: ConfusingShare = 0.0,
    questions: CellQuestions = None,
    seed: SampleSeed = 0,
    repeat: RepeatFlag = False,
    samples: Annotated[
        list[Path] | None, typer.Option(help="Ask these instead: JSON lines with input, question and target; may be repeated.")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(callback=folder_is_there, help=f"{WRITE_HELP} Cells that it has are kept.")
    ] = None,
    data: DataFolder = None,
) -> None:
    """BABILong: questions about stories that are scattered through books of up to ten million tokens."""
    import torch

    from memnet.ask.hub import find_network
    from memnet.ask.long_memory import READER, RETRIEVER
    from memnet.ask.predictor import Predictor
    from memnet.measure.babilong import babilong, of_samples
    from memnet.models.retriever import Retriever
    from memnet.record.measurements import LongTextCell, read_csv
    from memnet.tasks.babilong import NAMES
    from memnet.tasks.families import find

    columns = {"task": "{0.task:<5}", "length": "{0.length:>6}", "questions": "{0.questions:>9,}"}
    columns |= {"right %": "{0.right:>8.1f}", "facts kept %": "{0.facts_kept:>12.2f}"}
    columns |= {"kept": "{0.sentences_kept:>6.1f}", "others": "{0.others_kept:>6.1f}"}
    torch.set_num_threads(1)
    choice("--names", names, NAMES)
    with plain_errors():
        networks = Retriever.load(RETRIEVER), Predictor.load(find_network(run or READER))
        for path in samples or []:
            number, right = of_samples(*networks, path)
            typer.echo(f"{path}: {right:.1f} % of {number:,} right")
        if samples:
            return
        lengths, books = lengths_of(length), books_of(background)
        tasks = find(task or ["babi/all"], data)
        lines = babilong(*networks, tasks, books, lengths, names, confusing, questions, seed, repeat)
        kept = read_csv(write, LongTextCell) if write is not None and write.exists() else []
        show(lines, write, columns, kept)


@app.command("reading")
def bench_reading(
    run: RunOrReader = None,
    background: BackgroundFolder = None,
    length: LengthNames = None,
    repeat: RepeatFlag = False,
    write: WriteFile = None,
    data: DataFolder = None,
) -> None:
    """Seconds to take in a text of up to ten million tokens, milliseconds to answer from it, and memory."""
    from memnet.ask.hub import find_network
    from memnet.ask.long_memory import READER
    from memnet.measure.reading import reading
    from memnet.tasks.families import find

    columns = {"length": "{0.length:>6}", "sentences": "{0.sentences:>10,}", "seconds": "{0.seconds:>8.1f}"}
    columns |= {"ms an answer": "{0.milliseconds:>13.1f}", "peak MiB": "{0.peak:>9,.0f}"}
    with plain_errors():
        lengths, books = lengths_of(length), books_of(background)
        stories = find(["babi/qa1"], data)[0].test
        show(reading(stories, find_network(run or READER), books, lengths, repeat), write, columns)

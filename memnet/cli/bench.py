"""``memnet bench``: speed, memory and right answers, measured on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import (
    BackgroundFolder,
    CellQuestions,
    ConfusingShare,
    DataFolder,
    JointFlag,
    LengthNames,
    ModelName,
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
    lengths_of,
    one_thread,
    plain_errors,
    show,
)
from memnet.cli.data_sets import groups_of, trained_on


def folder_is_there(write: Path | None) -> Path | None:
    """A file to be written. Ends where its folder is missing."""
    if write is not None and not write.parent.is_dir():
        fail(f"{write}: there is no folder {write.parent}")
    return write


WRITE_HELP = "A file for the numbers and what made them, as CSV."
WriteFile = Annotated[Path | None, typer.Option("--write", callback=folder_is_there, help=WRITE_HELP)]
PresetNames = Annotated[list[str] | None, typer.Option("--preset", help="A preset; may be repeated.")]
OnlyTasks = Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")]

CAPTION = (  # of the table of training
    "floor: the longer of two times, a step's matrix products at {0.gigaflops:,.1f} GFLOP/s and its weights' bytes at "
    "{0.gigabytes:,.1f} GB/s,\nboth measured here just before, on one thread. It leaves out the rest: sums, softmax, picking "
    "rows, what a step\nmakes and reads again. The products are those of the core; a compiled loop may do fewer."
)

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Measure speed, memory and right answers on this machine.")


@app.command("train")
def bench_train(
    tasks: Annotated[list[str] | None, typer.Argument(help="Tasks to train on.")] = None,
    model: ModelName = None,
    preset: PresetNames = None,
    restarts: Restarts = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long to measure each task.")] = 5.0,
    joint: JointFlag = False,
    settings: Settings = None,
    write: WriteFile = None,
    data: DataFolder = None,
) -> None:
    """Training speed on one core, one thread: examples a second over all restarts, ms a step (processor's time), memory.

    And how many times as long a step takes as its arithmetic or its bytes alone would.
    """
    from memnet.api import change, choose_presets
    from memnet.errors import ConfigError
    from memnet.measure.floor import Rates
    from memnet.measure.speed import training
    from memnet.tasks.families import numbered

    check_model(model)
    columns = (
        "preset:<20; task:<8; examples/s=examples:>11,.0f; ms/step=milliseconds:>9.2f; "
        "floor, ms=floor:>9.3f; x floor=times_floor:>7.1f; peak MiB so far=peak:>16.0f; batch x replicas=shape:>16"
    )
    with plain_errors():
        pairs = settings or []
        chosen = choose_presets(model, preset or [], joint)
        configs = {" ".join([name, *pairs]): change(name, pairs, {}) for name in chosen}
        for name, config in configs.items():
            if config.fitted:
                raise ConfigError(f"{name} is fitted in one piece; there are no training steps to measure")
        groups = groups_of(tasks or numbered(1, 2, 3, 14), joint, data)
        rates = Rates.measured(seconds=seconds)
        lines = (
            training(name, config, group, restarts or config.default_restarts, seconds, rates)
            for name, config in configs.items()
            for group in groups
        )
        show(lines, write, columns)
        typer.echo(CAPTION.format(rates))


@app.command("answer")
def bench_answer(
    sizes: Annotated[list[int] | None, typer.Argument(min=1, help="Statements; 10 to 1,000,000 by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to ask about each, at least three questions.")] = 1.0,
    write: WriteFile = None,
) -> None:
    """Questions about long stories: an untrained MemN2N of width 20 and three hops that has taken the story in."""
    from memnet.measure.speed import answering

    columns = "statements:>10,; taken in, s=encoding:>12.2f; ms an answer=milliseconds:>13.2f; peak MiB so far=peak:>16.0f"
    with plain_errors():
        show(answering(sizes or [10, 1000, 10_000, 100_000, 1_000_000], seconds), write, columns)


@app.command("draw")
def bench_draw(
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to draw each kind.")] = 2.0,
) -> None:
    """How fast stories to learn from are drawn: of one world, written templates, log books, a task of the simulator."""
    from memnet.measure.drawing import drawing

    with plain_errors():
        show(drawing(seconds), None, "drawn=what:<20; stories/s=stories:>10,.0f; questions/s=questions:>12,.0f")


@app.command("ask")
def bench_ask(
    run: RunOrOwn = None,
    questions: Annotated[int, typer.Option(min=1, help="That are asked at once.")] = 2000,
) -> None:
    """How long a person waits for an answer: from the start, about a story that is kept or grows, and of many at once."""
    one_thread()
    from memnet.ask.hub import find_network
    from memnet.measure.asking import asking

    with plain_errors():
        show(asking(find_network(run), questions), None, "asked=what:<50; ms=wall:>9,.2f; processor, ms=processor:>13,.2f")


@app.command("serve")
def bench_serve(
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="Networks' folders; else the package's.")] = None,
    clients: Annotated[int, typer.Option(min=1, max=90, help="Who ask at the same time, each without a pause.")] = 20,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long.")] = 60.0,
) -> None:
    """How memnet serve stands up to many at once: questions without an answer, waiting times, the server's memory."""
    from memnet.measure.load import load

    columns = "asked by=way:<10; questions:>10,; failures:>9,; p50, ms=p50:>9,.0f; p99, ms=p99:>9,.0f"
    with plain_errors():
        found = load(runs or [], clients, seconds)
    show(found.waits, None, columns)
    typer.echo(f"memory of the server: {found.before:,.0f} MiB before, {found.after:,.0f} MiB after")


@app.command("attention")
def bench_attention(
    sizes: Annotated[list[int] | None, typer.Argument(min=1, help="Memories; 10 to 100,000 by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to measure each, at least three times.")] = 0.2,
    write: WriteFile = None,
) -> None:
    """Every score, alignment and read forward and backward: ms, and MiB kept for the backward pass."""
    from memnet.measure.attention import attention

    columns = "score, alignment, read=parts:<43; memories:>8,; ms=milliseconds:>10,.2f; MiB kept=kept:>8,.2f"
    with plain_errors():
        lines = attention(sizes or [10, 100, 1000, 10_000, 100_000], seconds)
        show(lines, write, columns)


@app.command("reinforce")
def bench_reinforce(
    number: Annotated[int, typer.Option(min=2, help="Estimates of each kind.")] = 1000,
    write: WriteFile = None,
) -> None:
    """The gradient of hard attention: bias, spread and time by samples, baseline and memories."""
    from memnet.measure.attention import estimates

    columns = (
        "memories:>8; baseline:<8; samples T=samples:>9; mean error=bias:>10.3f; "
        "of an unbiased mean=chance:>19.3f; of one estimate=deviation:>15.2f; ms=milliseconds:>6.2f"
    )
    with plain_errors():
        lines = estimates([5, 50, 500], [1, 2, 5, 10, 20], number)
        show(lines, write, columns)


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

    columns = (
        "preset:<20; statements:>10,; error %=error:>8.1f; ms an answer=milliseconds:>13.2f; peak MiB=peak:>9.0f; questions:>9"
    )
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

    columns = "preset:<24; width:>5; parameters=figures[0]:>10; ms an answer=figures[1]:>13; Mflop=figures[2]:>8"
    with plain_errors():
        loaded = [(run, load_network(run)[2]) for run in runs]
        tasks = {" ".join(saved["data"]) for _, saved in loaded}
        if len(tasks) > 1 or " " in next(iter(tasks)):
            raise NetworkError(f"expected networks of one task, the same for all; these are of {', '.join(sorted(tasks))}")
        lines = (cost(run, trained_on(run, saved, data=data)[0], questions) for run, saved in loaded)
        show(lines, write, columns)


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
    from memnet.ask.predictor import Predictor
    from memnet.measure.babilong import babilong, of_samples
    from memnet.memory.long_memory import READER, RETRIEVER
    from memnet.models.retriever import Retriever
    from memnet.record.measurements import LongTextCell, read_csv
    from memnet.tasks.babilong import NAMES
    from memnet.tasks.families import find

    columns = (
        "task:<5; length:>6; questions:>9,; right %=right:>8.1f; facts kept %=facts_kept:>12.2f; "
        "kept=sentences_kept:>6.1f; others=others_kept:>6.1f"
    )
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
    from memnet.measure.reading import reading
    from memnet.memory.long_memory import READER
    from memnet.tasks.families import find, numbered

    columns = "length:>6; sentences:>10,; seconds:>8.1f; ms an answer=milliseconds:>13.1f; peak MiB=peak:>9,.0f"
    with plain_errors():
        lengths, books = lengths_of(length), books_of(background)
        stories = find(numbered(1), data)[0].test
        show(reading(stories, find_network(run or READER), books, lengths, repeat), write, columns)


@app.command("supervision")
def bench_supervision(
    background: BackgroundFolder = None,
    test: Annotated[Path | None, typer.Option(help="A folder of other books, to ask among.")] = None,
    steps: Annotated[int, typer.Option(min=1, help="Of training.")] = 1200,
    alone: Annotated[int, typer.Option(min=0, help="Of these, in which the reader learns alone.")] = 400,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings of each way.")] = 3,
    write: WriteFile = None,
) -> None:
    """Ways to learn what to read - facts, answers, REINFORCE - among books: a quarter of an hour. The test chooses nothing."""
    import torch

    from memnet.measure.supervision import compare_supervision
    from memnet.training.supervised_retrieval import Course

    columns = (
        "way:<9; seed:>4; seconds:>7.0f; sentences:>9,; right %=right:>7.1f; "
        "facts kept %=facts_kept:>12.1f; others=others_kept:>7.2f"
    )
    torch.set_num_threads(1)
    with plain_errors():
        course, books, others = Course(steps=steps, alone=alone), books_of(background), books_of(test, "--test")
        show(compare_supervision(course, range(seeds), books, others), write, columns)

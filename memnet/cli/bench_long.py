"""``memnet bench babilong`` and ``memnet bench reading``: what networks make of long texts, and what that costs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import (
    BackgroundFolder,
    CellQuestions,
    ConfusingShare,
    DataFolder,
    LengthNames,
    RepeatFlag,
    RunOrReader,
    SampleSeed,
    StoryNames,
    books_of,
    choice,
    lengths_of,
    plain_errors,
)


def check_folder(write: Path | None) -> None:
    """Raise :class:`~memnet.errors.NetworkError` where a file cannot be written for want of a folder."""
    from memnet.errors import NetworkError

    if write is not None and not write.parent.is_dir():
        raise NetworkError(f"{write}: there is no folder {write.parent}")


def bench_babilong(
    run: RunOrReader = None,
    background: BackgroundFolder = None,
    task: Annotated[list[str] | None, typer.Option(help="Only this task, such as qa2; may be repeated.")] = None,
    length: LengthNames = None,
    names: StoryNames = "published",
    confusing: ConfusingShare = 0.0,
    questions: CellQuestions = None,
    seed: SampleSeed = 0,
    repeat: RepeatFlag = False,
    samples: Annotated[
        list[Path] | None, typer.Option(help="Ask these instead: JSON lines with input, question and target; may be repeated.")
    ] = None,
    write: Annotated[Path | None, typer.Option(help="A file for the numbers, as CSV; cells that it has are kept.")] = None,
    data: DataFolder = None,
) -> None:
    """BABILong: questions about stories that are scattered through books of up to ten million tokens."""
    import torch

    from memnet.ask.hub import find_network
    from memnet.ask.long_memory import READER, RETRIEVER
    from memnet.ask.predictor import Predictor
    from memnet.files import write_atomically
    from memnet.measure.babilong import babilong, of_samples, read_cells, same_cell
    from memnet.models.retriever import Retriever
    from memnet.record.measurements import write_csv
    from memnet.tasks.babilong import NAMES
    from memnet.tasks.families import find

    torch.set_num_threads(1)
    choice("--names", names, NAMES)
    with plain_errors():
        check_folder(write)
        if samples:
            retriever, reader = Retriever.load(RETRIEVER), Predictor.load(find_network(run or READER))
            for path in samples:
                number, right = of_samples(retriever, reader, path)
                typer.echo(f"{path}: {right:.1f} % of {number:,} right")
            return
        lengths, books = lengths_of(length), books_of(background)
        cells = read_cells(write) if write is not None and write.exists() else []
        found = babilong(
            Retriever.load(RETRIEVER),
            Predictor.load(find_network(run or READER)),
            find(task or ["babi/all"], data),
            books,
            lengths,
            names,
            confusing,
            questions,
            seed,
            repeat,
        )
        typer.echo(f"{'task':<5} {'length':>6} {'questions':>9} {'right %':>8} {'facts kept %':>12} {'kept':>6} {'others':>6}")
        for one in found:
            typer.echo(
                f"{one.task:<5} {one.length:>6} {one.questions:>9,} {one.right:>8.1f} {one.facts_kept:>12.2f} "
                f"{one.sentences_kept:>6.1f} {one.others_kept:>6.1f}"
            )
            cells = [*(other for other in cells if not same_cell(other, one)), one]
            if write is not None:
                write_atomically(write, write_csv(cells))


def bench_reading(
    run: RunOrReader = None,
    background: BackgroundFolder = None,
    length: LengthNames = None,
    repeat: RepeatFlag = False,
    write: Annotated[Path | None, typer.Option(help="A file for the numbers, as CSV.")] = None,
    data: DataFolder = None,
) -> None:
    """Seconds to take in a text of up to ten million tokens, milliseconds to answer from it, and memory."""
    from memnet.ask.hub import find_network
    from memnet.ask.long_memory import READER
    from memnet.files import write_atomically
    from memnet.measure.reading import reading
    from memnet.record.measurements import write_csv
    from memnet.tasks.families import find

    found = []
    with plain_errors():
        check_folder(write)
        lengths, books = lengths_of(length), books_of(background)
        typer.echo(f"{'length':>6} {'sentences':>10} {'seconds':>8} {'ms an answer':>13} {'peak MiB':>9}")
        for one in reading(find(["babi/qa1"], data)[0].test, find_network(run or READER), books, lengths, repeat):
            found.append(one)
            typer.echo(f"{one.length:>6} {one.sentences:>10,} {one.seconds:>8.1f} {one.milliseconds:>13.1f} {one.peak:>9,.0f}")
        if write is not None:
            write_atomically(write, write_csv(found))

"""``memnet bench memory-...``: logs, facts that change, long texts and conversations, taken in and asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import memnet.cli.bench_dialog
import memnet.cli.bench_english
import memnet.cli.bench_families  # noqa: F401  and its
from memnet.cli.bench import OnlyTasks, app, folder_is_there
from memnet.cli.common import (
    BackgroundFolder,
    CellQuestions,
    DataFolder,
    RepeatFlag,
    SampleSeed,
    books_of,
    choice,
    plain_errors,
    show,
)

KEPT = Annotated[
    Path | None,
    typer.Option(
        "--write", callback=folder_is_there, help="A file for the numbers and what made them, as CSV; others that it has stay."
    ),
]
Systems = Annotated[list[str] | None, typer.Option("--system", help="memnet, bm25, fts5 or grep; may be repeated; all.")]
Drawn = Annotated[int, typer.Option("--seed", min=0, help="Which one is drawn.")]
SCORES = (
    "set:<26; memory=system:<7; asked=kind:<16; questions:>9,; right %=right:>8.1f; wrong %=wrong:>8.1f; "
    "refused %=refused:>10.1f; rightly refused %=rightly_refused:>18.1f; "
)
FOUND = "in first %=in_first:>10.1f; in 5, %=found_5:>8.1f; in 10, %=found_10:>8.1f; "
COST = "s=seconds:>7.2f; ms=milliseconds:>8.2f; MB=megabytes:>8.2f"


def kept_in(write: Path | None) -> list[Any]:
    """The numbers that a file has. Raises :class:`~memnet.errors.NetworkError`."""
    from memnet.record.measurements import MemoryScore, read_csv

    return read_csv(write, MemoryScore) if write is not None and write.exists() else []


def makers(systems: list[str] | None) -> Any:
    """The memories of these names, by name."""
    import torch

    from memnet.measure.memories import SYSTEMS
    from memnet.measure.remembering import makers_of

    torch.set_num_threads(1)
    return makers_of(systems or SYSTEMS)


@app.command("memory-log")
def bench_memory_log(
    lines: Annotated[list[int] | None, typer.Option(min=20, help="Of the log; may be repeated; 200 and 2,000.")] = None,
    dates: Annotated[bool, typer.Option(help="Whether a date and a time stand before each line.")] = True,
    systems: Systems = None,
    questions: Annotated[int, typer.Option(min=1, help="Of each kind and log.")] = 10,
    forms: Annotated[str, typer.Option(help="Of sentences: test, or others, by other writers; or develop.")] = "test",
    seed: Drawn = 0,
    write: KEPT = None,
) -> None:
    """A log of movements in plain English: where, who has it, before, when, how often, by whom; what it never mentions."""
    from memnet.measure.remembering import logs
    from memnet.tasks.movements import PARTS

    choice("--forms", forms, PARTS[1:])
    with plain_errors():
        found = makers(systems)
        every = logs(found, lines or [200, 2000], [dates], seed, questions, forms)
        show(every, write, SCORES + FOUND + COST, kept_in(write))


@app.command("memory-facts")
def bench_memory_facts(
    length: Annotated[list[str] | None, typer.Option(help="6k, 32k, 64k or 262k tokens; may be repeated; all.")] = None,
    published: Annotated[
        Path | None, typer.Option(help="The authors' parquet file of the split Conflict_Resolution, or 'hub': ask it instead.")
    ] = None,
    systems: Systems = None,
    questions: Annotated[int, typer.Option(min=5, help="Of one hop, and of several.")] = 100,
    seed: Drawn = 0,
    write: KEPT = None,
) -> None:
    """FactConsolidation: numbered facts, of which a later one wins; questions of one hop and of two to four."""
    from memnet.measure.remembering import facts, published_facts
    from memnet.tasks.consolidation import LINES
    from memnet.tasks.consolidation.published import published as read_published

    for name in length or []:
        choice("--length", name, tuple(LINES))
    with plain_errors():
        found, kept = makers(systems), kept_in(write)
        if published is not None:
            told = read_published(None if str(published) == "hub" else published)
            told = [one for one in told if length is None or one.length in length]
            show(published_facts(found, told), write, SCORES + COST, kept)
        else:
            show(facts(found, length or list(LINES), seed, questions), write, SCORES + FOUND + COST, kept)


@app.command("memory-texts")
def bench_memory_texts(
    background: BackgroundFolder = None,
    task: OnlyTasks = None,
    length: Annotated[list[str] | None, typer.Option(help="0k to 100M tokens; may be repeated; 128k.")] = None,
    style: Annotated[
        list[str] | None,
        typer.Option(help="plain, small, paraphrased, clause, quoted, dialogue, same-rooms; may be repeated; plain."),
    ] = None,
    others: Annotated[
        int | None, typer.Option(min=0, help="Statements of others in the same rooms; 240 in same-rooms.")
    ] = None,
    questions: CellQuestions = None,
    seed: SampleSeed = 0,
    repeat: RepeatFlag = False,
    write: KEPT = None,
    data: DataFolder = None,
) -> None:
    """BABILong from plain text: the memory splits it, finds what a question needs, and answers; in several styles."""
    from memnet.measure.remembering import texts
    from memnet.tasks.families import find
    from memnet.tasks.plain_texts import ALL_LENGTHS, STYLE_NAMES

    for name in length or []:
        choice("--length", name, tuple(ALL_LENGTHS))
    for name in style or []:
        choice("--style", name, STYLE_NAMES)
    with plain_errors():
        maker, books, tasks = makers(["memnet"])["memnet"], books_of(background), find(task or ["babi/all"], data)
        lengths = {name: ALL_LENGTHS[name] for name in length or ["128k"]}
        lines = texts(maker, tasks, books, lengths, style or ["plain"], others, questions, seed, repeat)
        show(lines, write, SCORES + COST, kept_in(write))


@app.command("memory-conversations")
def bench_memory_conversations(
    conversations: Annotated[
        Path | None, typer.Option(help="LoCoMo's locomo10.json, or its folder; without, families/locomo in MEMNET_DATA.")
    ] = None,
    systems: Systems = None,
    write: KEPT = None,
) -> None:
    """LoCoMo: of the turns that answer questions about long conversations, how many are found; adversarial ones refused."""
    from memnet.measure.remembering import conversations as measure
    from memnet.tasks.families.locomo import conversations as read_conversations

    with plain_errors():
        told = read_conversations(conversations)
        show(measure(makers(systems), told), write, SCORES + FOUND + COST, kept_in(write))


@app.command("memory-files")
def bench_memory_files(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Files, each with questions beside it: stock.csv and stock.questions.jsonl, a line each: "
            '{"question": "Who has it?", "answers": ["Ann"]}.',
            file_okay=False,
        ),
    ],
    missed: Annotated[bool, typer.Option("--missed", help="What was said in place of what, too.")] = False,
) -> None:
    """Tables and logs of your own, each in a memory, asked the questions beside them."""
    from memnet.measure.own_files import FileScore, score_files

    with plain_errors():
        found = []
        typer.echo(f"{'file':20} {'questions':>9} {'right':>6} {'wrong':>6} {'refused':>7}")
        for one in score_files(folder):
            found.append(one)
            typer.echo(f"{one.file:20} {one.questions:9} {one.right:6} {one.wrong:6} {one.refused:7}")
            for line in one.missed if missed else ():
                typer.echo(f"    {line}")
        right, wrong, refused = (sum(getattr(one, name) for one in found) for name in ("right", "wrong", "refused"))
        total = FileScore("all", right, wrong, refused, ())
        typer.echo(f"{total.file:20} {total.questions:9} {total.right:6} {total.wrong:6} {total.refused:7}")

"""``memnet remember``: texts of any length into a memory on disk."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import plain_errors


def remember(
    texts: Annotated[list[Path] | None, typer.Argument(help="Files of text; without any, what is piped in.")] = None,
    out: Annotated[Path, typer.Option(help="The memory's folder; text is added to one that exists.")] = Path("memory"),
) -> None:
    """Take in texts, sentence by sentence, to be asked with 'memnet ask --memory': books, logs, or a stream."""
    import torch

    from memnet.ask.long_memory import LongMemory
    from memnet.errors import NetworkError

    torch.set_num_threads(1)
    with plain_errors():
        for path in texts or []:
            if not path.is_file():
                raise NetworkError(f"{path} is no file")
        memory, count = LongMemory.opened(out), 0
        for count in memory.remember(lines_of(texts or [])):
            if sys.stderr.isatty():
                typer.echo(f"\r{count:,} sentences", nl=False, err=True)
        typer.echo(f"{out} remembers {count:,} sentences; {len(memory.kept()):,} of them are statements to answer from")


def lines_of(texts: Sequence[Path]) -> Iterator[str]:
    """The lines of files, or of the input; a line that is not UTF-8 text is a :class:`~memnet.tasks.text.FormatError`."""
    from memnet.tasks.text import FormatError

    for path in texts:
        with open(path, encoding="utf-8-sig") as file:
            try:
                yield from file
            except UnicodeDecodeError as error:
                raise FormatError(f"{path} is not UTF-8 text: {error.reason}") from error
        yield "\n"
    if not texts:
        yield from sys.stdin

"""``memnet remember``: texts of any length into a memory on disk."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Annotated

import typer

from memnet.cli.common import plain_errors

PART = 1 << 16  # bytes that are read at once


def remember(
    texts: Annotated[list[Path] | None, typer.Argument(help="Files of text; without any, what is piped in.")] = None,
    out: Annotated[Path, typer.Option(help="The memory's folder; text is added to one that exists.")] = Path("memory"),
) -> None:
    """Take in texts, sentence by sentence, to be asked with 'memnet ask --memory': books, logs, or a stream."""
    import torch

    from memnet.errors import NetworkError
    from memnet.memory.files import HEAD
    from memnet.memory.long_memory import LongMemory
    from memnet.tasks.text import FormatError

    torch.set_num_threads(1)
    with plain_errors():
        for path in texts or []:
            if not path.is_file():
                raise NetworkError(f"{path} is no file")
        memory = LongMemory.opened(out, say=partial(typer.echo, err=True))
        before = memory.extent().sentences if (out / HEAD).exists() else 0
        try:
            for count in memory.remember(*parts_of(texts or [])):
                if sys.stderr.isatty():
                    typer.echo(f"\r{count:,} sentences", nl=False, err=True)
        except FormatError as error:
            raise FormatError(f"{error}; {memory.extent().sentences:,} sentences are remembered") from error
        count, kept = (extent := memory.extent()).sentences, extent.statements
        new = f", {count - before:,} of them new" if before else ""
        typer.echo(f"{out} remembers {count:,} sentences{new}; {kept:,} of them are statements to answer from")
        if count and not kept:
            typer.echo('none says in a plain sentence who or what is where, such as "Mary went to the kitchen."', err=True)


def parts_of(texts: Sequence[Path]) -> list[Iterator[str]]:
    """The parts of each file, or of the input."""
    return list(map(parts_of_file, texts)) if texts else [decoded(sys.stdin.buffer, "what is piped in")]


def parts_of_file(path: Path) -> Iterator[str]:
    """The parts of a file, which is opened when the first is asked for."""
    with open(path, "rb") as file:
        yield from decoded(file, str(path))


def decoded(file: IO[bytes], name: str) -> Iterator[str]:
    """The text of a file as it comes, with plain line ends. Raises :class:`~memnet.tasks.text.FormatError` where it is none."""
    from memnet.tasks.text import FormatError

    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
    read = getattr(file, "read1", file.read)
    try:
        while part := read(PART):
            yield decoder.decode(part)
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text: {error.reason}") from error

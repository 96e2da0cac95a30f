"""``memnet remember``: what people have, of any length, into a memory on disk."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memnet.cli.common import PIPED, STOPS, fail_stopped, one_thread, plain_errors

if TYPE_CHECKING:
    from memnet.memory.entries import Entry, Reading

OF_FILE = "file"  # as --when: the date of each file


def remember(
    texts: Annotated[list[Path] | None, typer.Argument(help="Files; without any, what is piped in.")] = None,
    out: Annotated[Path, typer.Option(help="The memory's folder; text is added to one that exists.")] = Path("memory"),
    kind: Annotated[
        str,
        typer.Option("--as", help="auto, text, prose (lines go on), lines, log, jsonl, json, chat, csv, markdown, html, ..."),
    ] = "auto",
    template: Annotated[
        str | None, typer.Option(help='A sentence for each row of a table or record, such as "{item} is in the {place}."')
    ] = None,
    when: Annotated[
        str | None, typer.Option(help="The time of what has none, such as 2024-03-01; 'file': each file's date.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="The source's name; without it, the file's.")] = None,
    day_first: Annotated[
        bool | None, typer.Option("--day-first/--month-first", help="How 03/04/2024 is read; without it, by the other dates.")
    ] = None,
) -> None:
    """Take in texts, sentence by sentence, to be asked with 'memnet ask --memory': books, logs, chats, tables, a stream."""
    one_thread()
    from memnet.errors import ConfigError, NetworkError, no_file
    from memnet.memory.entries import Reading
    from memnet.memory.files import HEAD, remembered
    from memnet.memory.long_memory import LongMemory
    from memnet.tasks.text import FormatError

    with plain_errors():
        if source is not None and not source.strip():
            raise ConfigError("--source is empty; name a source, or leave it out, and it is the file's name")
        for path in texts or []:
            if not path.is_file():
                raise NetworkError(no_file(path))
        reading = Reading(kind_named(kind), template, time_named(when), source or "", day_first)
        memory = LongMemory.opened(out, say=partial(typer.echo, err=True))

        def number() -> int:
            return memory.extent().sentences if (out / HEAD).exists() else 0

        try:
            for count in memory.remember(*told(texts or [], reading), same_notes=True):
                if sys.stderr.isatty():
                    typer.echo(f"\r{count:,} sentences", nl=False, err=True)
        except FormatError as error:
            raise FormatError(f"{error}; {remembered(number())}") from error
        except STOPS as error:
            fail_stopped(error, f"{remembered(number())}; the same command goes on after them")
        finally:
            for line in reading.count.lines():
                typer.echo(line, err=True)
        count = number()
        if not count:
            raise NetworkError("nothing is remembered: the texts have no sentence that could be read")
        new = f", {count - memory.begun:,} of them new" if memory.begun else ""
        typer.echo(f"{out} remembers {count:,} sentence{'s' * (count != 1)}{new}")


def told(texts: Sequence[Path], reading: Reading) -> Iterator[Iterator[Entry]]:
    """The entries of each file, which is opened when the first is asked for, or of the input."""
    from memnet.memory.entries import entries, entries_of_text
    from memnet.memory.entries.decoding import decoded

    if not texts:
        if reading.when == OF_FILE:
            reading = replace(reading, when=None)
        stdin = sys.stdin.buffer
        yield entries_of_text(decoded(getattr(stdin, "read1", stdin.read), PIPED), PIPED, reading)
    for path in texts:
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat() if reading.when == OF_FILE else reading.when
        yield entries(path, replace(reading, when=at))


def kind_named(name: str) -> str:
    """A format by its name. Raises :class:`~memnet.errors.ConfigError`."""
    from memnet.errors import ConfigError, hint
    from memnet.memory.entries.recognise import KINDS

    known = {"tsv": "csv", "md": "markdown", "logfmt": "log", "mbox": "mail", "whatsapp": "chat"}
    name = known.get(name, name)
    if name not in KINDS:
        raise ConfigError(f"--as {name} is no format; {hint(name, KINDS, 'there are ' + ', '.join(KINDS))}")
    return name


def time_named(text: str | None) -> str | None:
    """A time as ISO 8601. Raises :class:`~memnet.errors.ConfigError` where it is none."""
    from memnet.errors import ConfigError
    from memnet.memory.entries.when import Clock, Order, stamp

    if text is None or text == OF_FILE:
        return text
    found = stamp(text.strip())
    if found is None or found.end < len(text.strip()) or found.year is None or (found.mark and not Order().clear):
        raise ConfigError(f"--when {text!r} is no date; expected one such as 2024-03-01 or 2024-03-01T09:12, or 'file'")
    return Clock(Order()).when(found)

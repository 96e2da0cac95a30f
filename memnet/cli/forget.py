"""``memnet forget``: sentences are struck from a memory on disk."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from memnet.cli.common import plain_errors, utf8_text


def forget(
    memory: Annotated[Path, typer.Argument(help="The memory's folder, made by 'memnet remember'.")],
    about: Annotated[str | None, typer.Option(help="Sentences that hold all these words.", callback=utf8_text)] = None,
    source: Annotated[str | None, typer.Option(help="Sentences of this source, as noted.", callback=utf8_text)] = None,
    before: Annotated[str | None, typer.Option(help="Sentences of a time before this one, in ISO 8601.")] = None,
    number: Annotated[list[int] | None, typer.Option(help="The sentence of this number; may be repeated.")] = None,
    wipe: Annotated[bool, typer.Option("--wipe", help="Overwrite their text on the disk, too.")] = False,
) -> None:
    """Strike sentences from a memory, those that fit all that is given, and print them; 1 where there are none."""
    from memnet.cli.common import fail
    from memnet.errors import NetworkError
    from memnet.memory import Memory
    from memnet.memory.files import HEAD, no_memory
    from memnet.tasks.text import visible

    if not number and all(option is None for option in (about, source, before)):
        fail("say what to forget: --about, --source, --before or --number", 2)
    with plain_errors():
        if not (memory / HEAD).is_file():
            raise NetworkError(no_memory(memory))
        with Memory.open(memory, partial(typer.echo, err=True)) as opened:
            struck = opened.forget(number or None, source=source, before=before, about=about, wipe=wipe)
            for one in struck:
                noted = ", ".join(part for part in (one.when, one.source, f"line {one.line}" if one.line else "") if part)
                typer.echo(visible(f"{one.number}: {one.text}" + (f" ({noted})" if noted else "")))
            count = f"{len(struck):,} of {len(opened) + len(struck):,} sentences are struck"
            typer.echo(f"{count}{', and their text is wiped' if wipe and struck else ''}", err=not struck)
            if not struck:
                raise typer.Exit(1)

"""Reading a file that should hold a story: its size, its encoding and its lines are checked before anything is parsed."""

from __future__ import annotations

import os
from pathlib import Path

from memnet.errors import AskError, no_file

MAX_LINE, MAX_FILE = 100_000, 1_000_000  # characters of a line, bytes of a file


def as_path(name: str) -> Path:
    """A path as a person types it, with ~ for the home folder. Raises :class:`~memnet.ask.answer.AskError`."""
    if "\0" in name:
        raise AskError("No file has such a name.")
    return Path(os.path.expanduser(name))


def read_text(path: Path, name: str) -> str:
    """The text of a file that is called ``name`` in errors. Raises :class:`~memnet.ask.answer.AskError` or OSError."""
    if not path.is_file():
        raise AskError(no_file(path, name))
    if (size := path.stat().st_size) > MAX_FILE:
        raise AskError(f"{name} has {size:,} bytes, more than the {MAX_FILE:,} of the longest story.")
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise AskError(f"{name} is not UTF-8 text.") from error
    if "\0" in text:
        raise AskError(f"{name} is no text.")
    return text


def read_lines(path: Path, name: str) -> list[str]:
    """Its lines, none longer than :data:`MAX_LINE`. Raises :class:`~memnet.ask.answer.AskError` or OSError."""
    lines = read_text(path, name).splitlines()
    for line in lines:
        if len(line) > MAX_LINE:
            raise AskError(f"{name} has a line of {len(line):,} characters, more than {MAX_LINE:,}.")
    return lines

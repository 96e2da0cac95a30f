"""A new folder of files, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class DataError(ValueError):
    """Data is missing, changed or ambiguous; the message says what to do."""


def check_is_new(out: Path) -> None:
    """Raise :class:`DataError` where ``out`` is there already: said before what is to be written is made."""
    if os.path.lexists(out):
        raise DataError(f"{out} exists already; name a folder that does not")


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write into, which becomes ``out`` at the end and is removed after an error.

    Raises :class:`DataError` where ``out`` is there already.
    """
    check_is_new(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        yield part
        part.chmod(0o755)
        part.rename(out)
    except BaseException as error:
        shutil.rmtree(part, ignore_errors=True)
        if isinstance(error, OSError) and error.filename is None:  # while a file is written, Python does not say which
            error.filename = str(out)
        raise

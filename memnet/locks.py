"""Locks between processes: a plain file beside what one process at a time may write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from memnet.errors import BusyError, ConfigError


@contextmanager
def locked(path: Path, busy: str = "") -> Iterator[None]:
    """Hold a lock meanwhile: wait for it, or raise :class:`BusyError` with the sentence ``busy`` where another process has it.

    Raises :class:`ConfigError` where a link or a folder stands in its place: through a link, another file would be opened.
    """
    lock = FileLock(path, timeout=0 if busy else -1)
    try:
        if path.is_symlink():
            raise ConfigError(f"{path} is a link, and a lock is a plain file; remove it and give the command again")
        if path.is_dir():
            raise ConfigError(f"{path} is a folder, and a lock is a plain file; remove it and give the command again")
        lock.acquire()
    except Timeout as error:
        raise BusyError(busy) from error
    try:
        yield
    finally:
        lock.release()

"""Changes of a folder's files, counted: a process may die at any of them, or find no space left."""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple
from unittest import mock

CRASHED = 99  # the exit code of a process that died here
BEFORE, TORN, LOST = "before", "torn", "lost"


class Point(NamedTuple):
    """Where a process dies: before change ``at`` (from 1), with half of what it writes written, or what was not synced lost."""

    at: int
    how: str = BEFORE


class Change(NamedTuple):
    """A change that was seen: its kind, and whether a file holds bytes that a power cut would take."""

    kind: str
    unsynced: bool


class File(io.FileIO):
    """A file of the folder, opened to be changed."""

    disk: Disk

    def write(self, data: Any) -> int:  # type: ignore[override]
        """All of it, as a system does with room for it."""
        return self.disk.write(self, bytes(data))

    def truncate(self, size: int | None = None) -> int:
        """To a length."""
        self.disk.change("truncate")
        length = super().truncate(size)
        self.disk.synced[identity(self.fileno())] = min(length, self.disk.synced.get(identity(self.fileno()), 0))
        return length


def identity(file: int | Path) -> tuple[int, int]:
    """What names a file, whatever its path is."""
    found = os.stat(file)
    return found.st_dev, found.st_ino


class Disk:
    """What happens to the files below ``folder``, as :meth:`attached` sees it.

    ``point`` is where the process dies, ``room`` how many bytes there may be below the folder.
    """

    def __init__(self, folder: Path, point: Point | None = None, room: int | None = None) -> None:
        self.folder, self.point, self.room = folder, point, room
        self.changes: list[Change] = []
        self.synced: dict[tuple[int, int], int] = {}  # of each file that was changed, the bytes that are safe
        self.most = 0  # bytes at any time

    def here(self, file: Any) -> bool:
        """Whether a path, or an open file's number, is of the folder."""
        if isinstance(file, int):
            return identity(file) in self.synced
        return str(file).startswith(str(self.folder))

    def used(self) -> int:
        """Bytes below the folder."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())

    def unsynced(self) -> dict[Path, int]:
        """The files with bytes that are not safe, and how many are."""
        files = [path for path in self.folder.rglob("*") if path.is_file()] if self.folder.is_dir() else []
        known = {path: self.synced.get(identity(path)) for path in files}
        return {path: safe for path, safe in known.items() if safe is not None and path.stat().st_size > safe}

    def change(self, kind: str, file: File | None = None, data: bytes = b"") -> None:
        """Count a change, and die at it where this is the one."""
        self.changes.append(Change(kind, self.point is None and bool(self.unsynced())))
        if self.point is None or len(self.changes) != self.point.at:
            return
        if self.point.how == TORN and file is not None:
            io.FileIO.write(file, data[: len(data) // 2])
        if self.point.how == LOST:
            for path, safe in self.unsynced().items():
                os.truncate(path, safe)
        os._exit(CRASHED)

    def write(self, file: File, data: bytes) -> int:
        """Write as much as there is room for. Raises OSError where that is not all."""
        self.change("write", file, data)
        room = len(data) if self.room is None else max(0, self.room - self.used())
        written = io.FileIO.write(file, data[:room])
        self.most = max(self.most, self.used()) if self.point is None else 0
        if written < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written

    @contextmanager
    def attached(self) -> Iterator[Disk]:
        """See, and spoil, every change that this process makes by Python's own files and functions of ``os``."""
        opened, os_open, fsync = io.open, os.open, os.fsync
        disk, kind = self, type("File", (File,), {"disk": self})

        def open_file(
            file: Any,
            mode: str = "r",
            buffering: int = -1,
            encoding: Any = None,
            errors: Any = None,
            newline: Any = None,
            **more: Any,
        ) -> IO[Any]:
            if not set(mode) & set("wax+") or not disk.here(file):
                return opened(file, mode, buffering, encoding, errors, newline, **more)
            if not isinstance(file, int):
                disk.change("open")
            raw = kind(file, mode.replace("b", "").replace("t", ""), **more)
            disk.synced.setdefault(identity(raw.fileno()), os.fstat(raw.fileno()).st_size)
            if buffering == 0:
                return raw
            whole = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return whole if "b" in mode else io.TextIOWrapper(whole, encoding, errors, newline)

        def open_number(path: Any, flags: int, *args: Any, **more: Any) -> int:
            changes = bool(flags & (os.O_CREAT | os.O_TRUNC)) and "dir_fd" not in more and disk.here(path)
            if changes:
                disk.change("open")
            number = os_open(path, flags, *args, **more)
            if changes:
                disk.synced.setdefault(identity(number), 0)
            return number

        def sync(number: Any) -> None:
            number = number if isinstance(number, int) else number.fileno()
            if disk.here(number):
                disk.change("fsync")
                disk.synced[identity(number)] = os.fstat(number).st_size
            else:
                fsync(number)

        def counted(name: str) -> Any:
            real = getattr(os, name)

            def changed(path: Any, *args: Any, **more: Any) -> Any:
                if more.get("dir_fd") is None and more.get("src_dir_fd") is None and disk.here(path):
                    disk.change(name)
                return real(path, *args, **more)

            return changed

        names = ("rename", "replace", "unlink", "remove", "mkdir", "rmdir", "chmod", "truncate")
        patched = {name: counted(name) for name in names} | {"open": open_number, "fsync": sync}
        with ExitStack() as stack:
            stack.enter_context(mock.patch.multiple(os, **patched))
            for module in (io, builtins):
                stack.enter_context(mock.patch.object(module, "open", open_file))
            yield self


def points(changes: list[Change]) -> list[Point]:
    """Every point where a process that makes these changes may die, each another state of the disk."""
    found = [Point(at) for at in range(1, len(changes) + 1)]
    found += [Point(at, TORN) for at, change in enumerate(changes, 1) if change.kind == "write"]
    return found + [Point(at, LOST) for at, change in enumerate(changes, 1) if change.unsynced]

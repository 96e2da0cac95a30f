"""The files of a long memory: how much of them counts, and their checksums.

``sentences.txt`` has a sentence a line, ``ends.u64`` where each ends, ``scores.f32`` what the retriever thought of each.
``memory.json``, the head, says how much of them counts. Data are on the disk before the head that counts them, so a power cut
leaves what counted; what is longer than the head says was not finished and is cut off.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from filelock import FileLock, Timeout

from memnet.errors import BusyError, NetworkError
from memnet.files import leftovers, sync_folder, write_json
from memnet.tasks.text import one_line

FORMAT = 2  # format 1 had no checksums
HEAD, TEXT, ENDS, SCORES, LOCK = "memory.json", "sentences.txt", "ends.u64", "scores.f32", ".lock"
DATA = (TEXT, ENDS, SCORES)
END, SCORE = np.dtype("<u8"), np.dtype("<f4")
BLOCK = 1 << 20  # bytes that are read at once, a multiple of those of an end
LONGEST_HEAD = 1 << 16  # bytes
MOST = 1 << 60  # sentences, or bytes
AGAIN = "take the text in again, into a new folder"


class Extent(NamedTuple):
    """How much of the files counts."""

    sentences: int = 0
    bytes: int = 0  # of the text
    statements: int = 0  # sentences that score above zero
    whole: int = 0  # sentences of the texts that were taken in to their end
    crc32: tuple[int, ...] = (0, 0, 0)  # of the files, in the order of DATA

    def sizes(self) -> dict[str, int]:
        """Of every file, in bytes."""
        return {TEXT: self.bytes, ENDS: self.sentences * END.itemsize, SCORES: self.sentences * SCORE.itemsize}


OLD = ("format", "retriever", "sentences", "bytes")  # what the head of format 1 says


def without_links(name: str, flags: int) -> int:
    """Opens a file that is no link, and waits for nobody where it is a pipe."""
    return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)


@contextmanager
def plain_file(path: Path, mode: str = "rb") -> Iterator[BinaryIO]:
    """A file of a memory, opened. Raises :class:`~memnet.errors.NetworkError` where it is missing or no plain file."""
    try:
        with ExitStack() as stack:
            file: Any = stack.enter_context(open(path, mode, opener=without_links))
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "no plain file")
            opened = stack.pop_all()
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing; 'memnet remember' makes a memory") from error
    except OSError as error:
        why = "is a link, and a memory has plain files" if path.is_symlink() else f"cannot be opened: {error.strerror or error}"
        raise NetworkError(f"{path} {why}; choose another folder") from error
    with opened:
        yield file


def blocks(file: BinaryIO, first: int, last: int) -> Iterator[bytes]:
    """The bytes of a file from ``first`` up to ``last``. Raises EOFError where it ends before."""
    file.seek(first)
    while first < last:
        block = file.read(min(BLOCK, last - first))
        if not block:
            raise EOFError
        first += len(block)
        yield block


def checksum(head: dict[str, Any]) -> int:
    """Of what a head says."""
    return zlib.crc32(json.dumps({name: head[name] for name in sorted(head) if name != "head_crc32"}).encode())


class MemoryFolder:
    """The folder of one retriever's memory; ``say`` is told what somebody should know."""

    def __init__(self, folder: Path, identity: str, say: Callable[[str], object]) -> None:
        self.folder, self.identity, self.say = folder, identity, say
        self.head, self.known = b"", Extent()  # the head that was read last, and what it came to

    def extent(self) -> Extent:
        """How much counts; what came since the last time is checked.

        Raises :class:`~memnet.errors.NetworkError` where the files do not fit each other. Files that end too soon count as far
        as they go, and it is said.
        """
        with plain_file(self.folder / HEAD) as file:
            head = file.read(LONGEST_HEAD)
        claimed, checked = self.parsed(head)
        lengths = self.lengths()
        short = next((name for name, size in claimed.sizes().items() if lengths[name] < size), None)
        if head == self.head and (short is None or self.known.sentences < claimed.sentences):
            return self.known
        if short is not None:
            found = self.measured(Extent(), *self.reach(claimed, lengths))._replace(whole=claimed.whole)
            self.say(
                f"{self.folder / short} lacks its end; {found.sentences:,} of {claimed.sentences:,} sentences are remembered"
            )
        else:
            known = self.known if checked and self.known.sentences <= claimed.sentences else Extent()
            found = self.measured(known, claimed.sentences, claimed.bytes)._replace(whole=claimed.whole)
        if checked and short is None and found != claimed:
            name = next((name for name, *two in zip(DATA, found.crc32, claimed.crc32, strict=True) if len({*two}) > 1), HEAD)
            raise NetworkError(f"{self.folder / name} does not fit {HEAD}, it was changed; {AGAIN}")
        whole = found.whole if checked else found.sentences
        self.head, self.known = head, found._replace(whole=min(whole, found.sentences))
        return self.known

    def parsed(self, head: bytes) -> tuple[Extent, bool]:
        """What a head says, and whether it has checksums. Raises :class:`~memnet.errors.NetworkError`."""
        path = self.folder / HEAD
        try:
            saved = json.loads(head)
            checked = saved["format"] == FORMAT
            if not checked and (saved["format"] != 1 or {*saved} != {*OLD}):
                raise ValueError(f"expected format {FORMAT} or 1")
            if checked and saved["head_crc32"] != checksum(saved):
                raise ValueError(f"it was changed; {AGAIN}")
            if saved["retriever"] != self.identity:
                raise ValueError(f"its sentences were judged by another retriever, {one_line(str(saved['retriever']))}")
            names = Extent._fields[:-1] if checked else OLD[2:]
            numbers = [saved[name] for name in names]
            crc32 = tuple(saved["crc32"]) if checked else Extent().crc32
            if not all(type(number) is int and 0 <= number < MOST for number in (*numbers, *crc32)) or len(crc32) != len(DATA):
                raise ValueError(f"expected numbers of {', '.join(names)}")
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise NetworkError(f"{path} is not the head of a memory: {one_line(str(error), 200)}") from error
        return Extent(*numbers)._replace(crc32=crc32), checked

    def lengths(self) -> dict[str, int]:
        """How long the files are."""
        found = {}
        for name in DATA:
            with plain_file(self.folder / name) as file:
                found[name] = os.fstat(file.fileno()).st_size
        return found

    def reach(self, claimed: Extent, lengths: dict[str, int]) -> tuple[int, int]:
        """How many sentences are there whole in all files, and how many bytes their text has."""
        number = min(claimed.sentences, lengths[ENDS] // END.itemsize, lengths[SCORES] // SCORE.itemsize)
        if not number:
            return 0, 0
        ends = np.memmap(self.folder / ENDS, END, "r", shape=(number,))
        number = int(np.searchsorted(ends, np.uint64(min(claimed.bytes, lengths[TEXT])), "right"))
        return number, int(ends[number - 1]) if number else 0

    def measured(self, known: Extent, sentences: int, size: int) -> Extent:
        """What the files are up to there, read block by block from what is ``known`` on.

        Raises :class:`~memnet.errors.NetworkError` where they do not fit.
        """
        sums, statements, last = [], known.statements, known.bytes
        whole = Extent(sentences, size)
        for name, crc in zip(DATA, known.crc32, strict=True):
            with plain_file(self.folder / name) as file:
                try:
                    for block in blocks(file, known.sizes()[name], whole.sizes()[name]):
                        crc = zlib.crc32(block, crc)
                        if name == SCORES:
                            statements += int((np.frombuffer(block, SCORE) > 0).sum())
                        if name == ENDS:
                            ends = np.frombuffer(block, END)
                            if int(ends[0]) <= last or not (ends[1:] > ends[:-1]).all():
                                raise EOFError
                            last = int(ends[-1])
                except EOFError as error:
                    raise NetworkError(f"{self.folder / name} does not fit {HEAD}; {AGAIN}") from error
            sums.append(crc)
        if last != size:
            raise NetworkError(f"{self.folder / ENDS} does not fit {HEAD}; {AGAIN}")
        return whole._replace(statements=statements, crc32=tuple(sums))

    @contextmanager
    def held(self) -> Iterator[None]:
        """No other process takes in text meanwhile."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / LOCK, timeout=0)
            lock.acquire()
        except Timeout as error:
            raise BusyError(f"another process is writing to {self.folder}") from error
        except OSError as error:
            raise NetworkError(f"{self.folder} cannot be written: {error.strerror}") from error
        try:
            yield
        finally:
            lock.release()

    def entered(self) -> Extent:
        """A new memory, or one that is there with what was not finished cut off. For the process that holds it."""
        try:
            for path in leftovers(self.folder / HEAD):
                path.unlink()
            if not (self.folder / HEAD).exists():
                self.begin()
            extent = self.extent()
            longer = [name for name, size in extent.sizes().items() if self.lengths()[name] > size]
            for name in longer:
                with plain_file(self.folder / name, "r+b") as file:
                    file.truncate(extent.sizes()[name])
            if longer:
                self.say(
                    f"{self.folder}: what was not written to its end is cut off; {extent.sentences:,} sentences are remembered"
                )
            if self.parsed(self.head) != (extent, True):
                self.save(extent)
        except OSError as error:
            raise NetworkError(f"{self.folder} cannot be written ({error.strerror})") from error
        return extent

    def begin(self) -> None:
        """Make the files of a memory in which nothing counts. Raises :class:`~memnet.errors.NetworkError` where others are."""
        there = {path.name: path for path in self.folder.iterdir() if path.name != LOCK}
        for name in DATA:  # a process that was killed may have made some, and nothing in them counts before there is a head
            if name in there and not there[name].is_symlink() and there[name].is_file() and not there[name].stat().st_size:
                del there[name]
        if there:
            raise NetworkError(f"{self.folder} holds other files, such as {one_line(min(there))!r}; choose another folder")
        for name in DATA:
            if not (self.folder / name).exists():
                with plain_file(self.folder / name, "xb"):
                    pass
        self.save(Extent())

    def save(self, extent: Extent) -> None:
        """Let so much count, of files that are on the disk."""
        head = {"format": FORMAT, "retriever": self.identity, **extent._asdict()}
        write_json(self.folder / HEAD, head | {"head_crc32": checksum(head)})
        sync_folder(self.folder)

    def append(self, extent: Extent, piece: Sequence[str], scores: np.ndarray) -> Extent:
        """Write sentences after so many, and let them count."""
        lines = [one.encode() + b"\n" for one in piece]
        ends = extent.bytes + np.cumsum([len(line) for line in lines], dtype=END)
        data = (b"".join(lines), ends.tobytes(), scores.astype(SCORE).tobytes())
        longer = Extent(
            extent.sentences + len(piece),
            int(ends[-1]),
            extent.statements + int((scores > 0).sum()),
            extent.whole,
            tuple(zlib.crc32(new, crc) for new, crc in zip(data, extent.crc32, strict=True)),
        )
        try:
            for (name, size), new in zip(extent.sizes().items(), data, strict=True):
                with plain_file(self.folder / name, "r+b") as file:
                    file.seek(size)
                    file.write(new)
                    file.flush()
                    os.fsync(file.fileno())
            self.save(longer)
        except OSError as error:
            raise NetworkError(
                f"{self.folder} cannot be written ({error.strerror}); {extent.sentences:,} sentences are remembered"
            ) from error
        return longer

    def text(self, first: int, last: int) -> Iterator[list[str]]:
        """The sentences from ``first`` up to ``last``, some at a time."""
        ends = np.memmap(self.folder / ENDS, END, "r", shape=(last,))
        with plain_file(self.folder / TEXT) as file:
            for start in range(first, last, BLOCK >> 7):
                file.seek(int(ends[start - 1]) if start else 0)
                yield [file.readline().decode().rstrip("\n") for _ in range(start, min(last, start + (BLOCK >> 7)))]

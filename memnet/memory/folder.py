"""The files of a long memory: how much of them counts, and their checksums.

``sentences.txt`` has a sentence a line, ``ends.u64`` where each ends, ``scores.f32`` what the retriever thought of each.
``notes.bin`` has a record a sentence: its line in the source, and where in ``times.txt`` and ``sources.txt`` its time and its
source stand. ``struck.u64`` says which sentences are struck. ``memory.json``, the head, says how much of all of them counts.
Data are on the disk before the head that counts them, so a power cut leaves what counted; what is longer than the head says
was not finished and is cut off, and what a file lacks is made again where others have it
(:mod:`~memnet.memory.restored`). The text of a sentence that is wiped is blank to every checksum, whatever its bytes are.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np

from memnet.errors import ConfigError, NetworkError
from memnet.files import leftovers, sync_folder, write_json
from memnet.locks import locked
from memnet.memory.checked import CheckedFolder
from memnet.memory.files import (
    DATA,
    END,
    ENDS,
    FILES,
    FORMAT,
    HEAD,
    INDEX,
    LOCK,
    MARK,
    NOTES,
    SCORE,
    SCORES,
    SOURCES,
    STRUCK,
    TEXT,
    TIMES,
    Extent,
    checksum,
    mapped,
    plain_file,
    remembered,
)
from memnet.memory.notes import Notes
from memnet.memory.restored import Judge, restore
from memnet.memory.struck import Marks, crc_of
from memnet.memory.values import Entry
from memnet.tasks.text import one_line


class MemoryFolder(CheckedFolder):
    """The folder of one retriever's memory, to be read and written."""

    def __init__(self, folder: Path, identity: str, say: Callable[[str], object]) -> None:
        super().__init__(folder, identity, say)
        self.judge: Judge | None = None  # what scores sentences, where their scores are lost
        self.notes: tuple[Extent, Notes] | None = None  # what writes them, after what counted then
        self.blank: np.ndarray | None = None  # the sentences whose text this process made blank

    @contextmanager
    def held(self) -> Iterator[None]:
        """No other process takes in text meanwhile."""
        self.check()
        with ExitStack() as stack:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                stack.enter_context(locked(self.folder / LOCK, f"another process is writing to {self.folder}"))
            except OSError as error:
                raise NetworkError(f"{self.folder} cannot be written: {error.strerror}") from error
            yield

    @contextmanager
    def writing(self, remembered: str = "") -> Iterator[None]:
        """Errors of the system are one sentence. Raises :class:`~memnet.errors.NetworkError`."""
        try:
            yield
        except OSError as error:
            raise NetworkError(f"{self.folder} cannot be written ({error.strerror}){remembered}") from error

    def entered(self) -> Extent:
        """A new memory, or one that is there with what was not finished cut off. For the process that holds it."""
        with self.writing():
            for path in (*leftovers(self.folder / HEAD), *leftovers(self.folder / INDEX)):
                path.unlink()
            if not (self.folder / HEAD).exists():
                self.begin()
            self.restored()
            extent = self.extent()
            if self.form < FORMAT:
                extent = self.upgraded(extent)
            longer = [name for name, size in extent.sizes().items() if self.lengths()[name] > size]
            for name in longer:
                with plain_file(self.folder / name, "r+b") as file:
                    file.truncate(extent.sizes()[name])
            if longer:
                self.say(f"{self.folder}: what was not written to its end is cut off; {remembered(extent.sentences)}")
            if self.claims(self.head) != (extent, FORMAT):
                extent = self.with_marks(extent, self.all_marks(extent).give_back(extent.sentences))
                self.save(extent)
            self.make_blank()
        return extent

    def restored(self) -> None:
        """Make again what files lack and others have, and say it. For the process that holds it."""
        claimed, form = self.claims(self.read_head())
        made = restore(self, claimed, self.judge) if form == FORMAT and self.judge is not None else None
        if made is None:
            return
        self.save(made.extent)
        kept = f"{made.extent.sentences:,} of {claimed.sentences:,} sentences are kept, as {TEXT} has them"
        lost = [f"what was noted of {made.unnoted:,} of them, such as when they were said"] if made.unnoted else []
        if deletions := claimed.struck - made.extent.struck:
            lost.append(f"{deletions:,} of {claimed.struck:,} deletions")
        gone = f"; lost: {', '.join(lost)}" if lost else ""
        self.say(f"{self.folder}: {', '.join(made.lacking)} lacked the end; {kept}{gone}")

    def begin(self) -> None:
        """Make the files of a memory in which nothing counts. Raises :class:`~memnet.errors.NetworkError` where others are."""
        self.check()
        for name in DATA:
            if not (self.folder / name).exists():
                with plain_file(self.folder / name, "xb"):
                    pass
        self.save(Extent())

    def check(self) -> None:
        """Raises :class:`~memnet.errors.NetworkError` where no memory can be made: in a file, or a folder of other files."""
        if self.folder.is_file():
            raise NetworkError(f"{self.folder} is a file, and a memory is a folder; choose another")
        if (self.folder / HEAD).exists() or not self.folder.is_dir():
            return
        there = {path.name: path for path in self.folder.iterdir() if path.name != LOCK}
        unfinished = {path.name for path in (*leftovers(self.folder / HEAD), *leftovers(self.folder / INDEX))}
        for name in DATA:  # a process that was killed may have made some, and nothing in them counts before there is a head
            if name in there and not there[name].is_symlink() and there[name].is_file() and not there[name].stat().st_size:
                unfinished.add(name)
        if others := there.keys() - unfinished:
            raise NetworkError(f"{self.folder} holds other files, such as {one_line(min(others))!r}; choose another folder")

    def upgraded(self, extent: Extent) -> Extent:
        """A memory of an older format, with the files that it lacks: of no sentence is it known when and where it was said."""
        for name in DATA[len(FILES[self.form]) :]:
            with plain_file(self.folder / name, "wb") as file:
                file.truncate(extent.sizes()[name])
                file.flush()
                os.fsync(file.fileno())
        sync_folder(self.folder)
        return self.measured(Extent(), 0, extent, FORMAT, Marks())[0]

    def save(self, extent: Extent) -> None:
        """Let so much count, of files that are on the disk."""
        head = {"format": FORMAT, "retriever": self.identity, **extent._asdict()}
        write_json(self.folder / HEAD, head | {"head_crc32": checksum(head)})
        sync_folder(self.folder)

    def write(self, extent: Extent, new: dict[str, bytes]) -> tuple[int, ...]:
        """Bytes behind what counts in the files, on the disk before this ends; the checksums then."""
        for name, data in new.items():
            if data:
                with plain_file(self.folder / name, "r+b") as file:
                    file.seek(extent.sizes()[name])
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
        return tuple(zlib.crc32(new.get(name, b""), crc) for name, crc in zip(DATA, extent.crc32, strict=True))

    def append(self, extent: Extent, piece: Sequence[Entry], scores: np.ndarray) -> Extent:
        """Write sentences after so many, and let them count."""
        try:
            lines = [text.encode() + b"\n" for text, *_ in piece]
        except UnicodeEncodeError as error:
            raise ConfigError(f"{error.object!r:.60} has characters that are no text ({error.reason})") from error
        ends = extent.bytes + np.cumsum([len(line) for line in lines], dtype=END)
        before, notes = self.notes or (None, None)
        if notes is None or before != extent._replace(whole=0):
            notes = Notes(self.folder, extent)
        self.notes = None
        noted = notes.written(piece, extent.times, extent.sources)
        new = {TEXT: b"".join(lines), ENDS: ends.tobytes(), SCORES: scores.astype(SCORE).tobytes()}
        new |= {NOTES: noted.records, TIMES: noted.times, SOURCES: noted.sources}
        with self.writing(f"; {remembered(extent.sentences)}"):
            longer = extent._replace(
                sentences=extent.sentences + len(piece),
                bytes=int(ends[-1]),
                statements=extent.statements + int((scores > 0).sum()),
                times=extent.times + len(noted.times),
                sources=extent.sources + len(noted.sources),
                crc32=self.write(extent, new),
            )
            self.save(longer)
        self.notes = longer._replace(whole=0), notes
        return longer

    # Deletions

    def all_marks(self, extent: Extent) -> Marks:
        """The marks of a file, also of sentences that are gone."""
        with plain_file(self.folder / STRUCK) as file:
            return Marks.of(file.read(extent.struck * MARK.itemsize))

    def with_marks(self, extent: Extent, marks: np.ndarray) -> Extent:
        """More marks, on the disk."""
        crc32 = self.write(extent, {STRUCK: marks.tobytes()})
        return extent._replace(struck=extent.struck + len(marks), crc32=crc32)

    def strike(self, extent: Extent, numbers: Iterable[int], wipe: bool = False) -> Extent:
        """Strike sentences, and ``wipe`` their text; what is struck already is wiped only. For the process that holds it."""
        marks = self.marks.strike(numbers, wipe)
        if not len(marks):
            return extent
        with self.writing(f"; {remembered(extent.sentences)}"):
            now = self.with_marks(extent, marks)
            after = self.read_marks(now)
            new = np.setdiff1d(after.struck, self.marks.struck)
            scores = mapped(self.folder / SCORES, SCORE, now.sentences)
            now = now._replace(statements=now.statements - int((scores[new] > 0).sum()))
            if wipe:
                crc = crc_of(self.text_blocks(0, now.bytes, after.wiped))
                now = now._replace(crc32=tuple(crc if name == TEXT else old for name, old in zip(DATA, now.crc32, strict=True)))
                (self.folder / INDEX).unlink(missing_ok=True)
            self.save(now)
            found = self.extent()
            self.make_blank()
        return found

    def make_blank(self) -> None:
        """Overwrite the text of what is wiped, where that was not done."""
        wiped = self.marks.wiped
        if not len(wiped) or (self.blank is not None and np.array_equal(wiped, self.blank)):
            return
        with plain_file(self.folder / TEXT, "r+b") as file:
            written = False
            for first, last in self.spans(wiped).tolist():
                file.seek(first)
                if file.read(last - first) != (blank := b" " * (last - first)):
                    file.seek(first)
                    file.write(blank)
                    written = True
            if written:
                file.flush()
                os.fsync(file.fileno())
        self.blank = wiped

"""How much of the files of a memory counts, checked; and what they hold, read."""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import RLock

import numpy as np

from memnet.errors import NetworkError
from memnet.memory.files import (
    AGAIN,
    BLOCK,
    DATA,
    END,
    ENDS,
    FILES,
    FORMAT,
    HEAD,
    MARK,
    NOTE,
    NOTES,
    RECORDS,
    SCORE,
    SCORES,
    SOURCES,
    STRUCK,
    TEXT,
    TIMES,
    Extent,
    OtherRetriever,
    blocks,
    mapped,
    no_memory,
    parsed,
    plain_file,
)
from memnet.memory.notes import label, whole_labels
from memnet.memory.struck import Marks, blanked, crc_of
from memnet.memory.values import Held
from memnet.tasks.text import one_line

LONGEST_HEAD = 1 << 16  # bytes
LABELS_KEPT = 1 << 12  # times and sources that are not read again


class CheckedFolder:
    """The files of one retriever's memory, to be read; ``say`` gets what somebody should know."""

    def __init__(self, folder: Path, identity: str, say: Callable[[str], object]) -> None:
        self.folder, self.identity, self.say = folder, identity, say
        self.head, self.known, self.positive = b"", Extent(), 0  # the head that was read last, and what it came to
        self.marks, self.form, self.lock = Marks(), FORMAT, RLock()
        self.generation = 0  # grows where what was read may not be what is there now

    def extent(self) -> Extent:
        """How much counts; what came since the last time is checked.

        Raises :class:`~memnet.errors.NetworkError` where the files do not fit each other. Files that end too soon count as far
        as they go, and it is said.
        """
        with self.lock:
            while True:
                head = self.read_head()
                try:
                    return self.checked(head)
                except NetworkError:
                    if self.read_head() == head:  # else another process wiped a text meanwhile
                        raise

    def read_head(self) -> bytes:
        """The head as it is now."""
        if not os.path.lexists(self.folder / HEAD):
            raise NetworkError(no_memory(self.folder))
        with plain_file(self.folder / HEAD) as file:
            return file.read(LONGEST_HEAD)

    def checked(self, head: bytes) -> Extent:
        """What a head comes to. Raises :class:`~memnet.errors.NetworkError`."""
        claimed, form = self.claims(head)
        lengths = self.lengths(form)
        short = next((name for name, length in lengths.items() if length < claimed.sizes()[name]), None)
        reached = claimed if short is None else self.reach(claimed, lengths)
        if head == self.head and self.known.sizes() == reached.sizes():
            return self.known
        marks, known, positive = self.read_marks(reached), self.known, self.positive
        goes_on = form == self.form > 1 and known.sentences <= claimed.sentences and known.struck <= claimed.struck
        if short is not None or not goes_on or not np.array_equal(marks.wiped, self.marks.wiped):
            known, positive = Extent(), 0
        try:
            found, positive = self.measured(known, positive, reached, form, marks)
            if short is None and form > 1:
                self.compare(found, claimed)
        except NetworkError:
            if not known.sentences:
                raise
            self.known, self.positive = Extent(), 0  # another process may have cut off what this one knew
            return self.checked(head)
        if short is not None:
            self.say(self.loss(short, found, claimed, form))
        whole = min(claimed.whole if form > 1 else found.sentences, found.sentences)
        self.head, self.form, self.known = head, form, found._replace(whole=whole)
        self.marks, self.positive = marks, positive
        self.generation += not known.sentences  # all was read
        return self.known

    def compare(self, found: Extent, claimed: Extent) -> None:
        """Raises :class:`~memnet.errors.NetworkError` where the files are others than the head says."""
        if found != claimed:
            pairs = zip(DATA, found.crc32, claimed.crc32, strict=True)
            name = next((name for name, *two in pairs if len({*two}) > 1), HEAD)
            raise NetworkError(f"{self.folder / name} does not fit {HEAD}, it was changed; {AGAIN}")

    def claims(self, head: bytes) -> tuple[Extent, int]:
        """What a head says, and its format. Raises :class:`~memnet.errors.NetworkError`."""
        try:
            return parsed(head, self.identity)
        except OtherRetriever as error:
            why = f"its sentences were judged by another retriever, {one_line(str(error))}"
        except KeyError as error:
            why = f"it has no {error}"
        except (TypeError, ValueError, RecursionError) as error:
            why = str(error)
        raise NetworkError(f"{self.folder / HEAD} is not the head of a memory: {one_line(why, 200)}")

    def lengths(self, form: int = FORMAT) -> dict[str, int]:
        """How long the files are that a format has."""
        found = {}
        for name in FILES[form]:
            try:
                status = os.lstat(self.folder / name)
            except OSError:
                status = None
            if status is None or not stat.S_ISREG(status.st_mode):
                with plain_file(self.folder / name) as file:  # which says what is wrong with it
                    status = os.fstat(file.fileno())
            found[name] = status.st_size
        return found

    def loss(self, short: str, found: Extent, claimed: Extent, form: int) -> str:
        """What is missing where a file lacks its end."""
        said = f"{self.folder / short} lacks its end; {found.sentences:,} of {claimed.sentences:,} sentences are remembered"
        lost = claimed.struck - found.struck
        said += f", and {lost:,} of {claimed.struck:,} deletions are lost" if lost else ""
        has_others = short not in (TEXT, STRUCK) and form == FORMAT
        return said + (f"; 'memnet remember' restores what {TEXT} has" if has_others else "")

    def reach(self, claimed: Extent, lengths: dict[str, int]) -> Extent:
        """How far the files go that are whole in all of them; its checksums and statements are not known yet."""
        known = [lengths[name] // record.itemsize for name, record in RECORDS.items() if name in lengths]
        number = min(claimed.sentences, *known)
        sizes = {}
        for name, size, column in ((TIMES, claimed.times, "when"), (SOURCES, claimed.sources, "source")):
            sizes[name] = size if lengths.get(name, 0) >= size else whole_labels(self.folder, name, lengths.get(name, 0))
            if sizes[name] < size:
                beyond = np.flatnonzero(mapped(self.folder / NOTES, NOTE, number)[column] > sizes[name])
                number = int(beyond[0]) if len(beyond) else number
        ends = mapped(self.folder / ENDS, END, number)
        number = int(np.searchsorted(ends, np.uint64(min(claimed.bytes, lengths[TEXT])), "right"))
        struck = min(claimed.struck, lengths.get(STRUCK, 0) // MARK.itemsize)
        size = int(ends[number - 1]) if number else 0
        return Extent(number, size, times=sizes[TIMES], sources=sizes[SOURCES], struck=struck)

    def read_marks(self, claimed: Extent) -> Marks:
        """The sentences that are struck."""
        if not claimed.struck:
            return Marks()
        with plain_file(self.folder / STRUCK) as file:
            return Marks.of(file.read(claimed.struck * MARK.itemsize)).within(claimed.sentences)

    def spans(self, numbers: np.ndarray) -> np.ndarray:
        """Where the texts of sentences stand, (N, 2) in bytes, without the ends of their lines."""
        if not len(numbers):
            return np.zeros((0, 2), np.int64)
        ends = mapped(self.folder / ENDS, END, int(numbers[-1]) + 1)
        first = np.where(numbers > 0, ends[np.maximum(numbers - 1, 0)], 0).astype(np.int64)
        return np.stack([first, np.maximum(first, ends[numbers].astype(np.int64) - 1)], 1)

    def text_blocks(self, first: int, last: int, wiped: np.ndarray) -> Iterator[bytes]:
        """The bytes of the text, in which what is wiped is blank. Raises EOFError where it ends before."""
        spans = self.spans(wiped)
        with plain_file(self.folder / TEXT) as file:
            for block in blocks(file, first, last):
                yield blanked(block, first, spans) if len(spans) else block
                first += len(block)

    def text_crc(self, size: int) -> int:
        """The checksum of the text up to a byte."""
        return crc_of(self.text_blocks(0, size, self.marks.wiped))

    def measured(self, known: Extent, positive: int, claimed: Extent, form: int, marks: Marks) -> tuple[Extent, int]:
        """What the files are up to there, read block by block from what is ``known`` on; how many scores are above zero.

        Raises :class:`~memnet.errors.NetworkError` where they do not fit.
        """
        sums, last = list[int](), known.bytes
        for name, crc in zip(DATA, known.crc32, strict=True):
            try:
                for block in self.new_blocks(name, known, claimed, marks) if name in FILES[form] else ():
                    crc = zlib.crc32(block, crc)
                    if name == SCORES:
                        positive += int((np.frombuffer(block, SCORE) > 0).sum())
                    if name == ENDS:
                        ends = np.frombuffer(block, END)
                        if int(ends[0]) <= last or not (ends[1:] > ends[:-1]).all():
                            raise EOFError
                        last = int(ends[-1])
            except EOFError as error:
                raise NetworkError(f"{self.folder / name} does not fit {HEAD}; {AGAIN}") from error
            sums.append(crc)
        if last != claimed.bytes:
            raise NetworkError(f"{self.folder / ENDS} does not fit {HEAD}; {AGAIN}")
        scores = mapped(self.folder / SCORES, SCORE, claimed.sentences)
        statements = positive - int((scores[marks.struck] > 0).sum())
        return claimed._replace(statements=statements, crc32=tuple(sums)), positive

    def new_blocks(self, name: str, known: Extent, claimed: Extent, marks: Marks) -> Iterator[bytes]:
        """The bytes of a file that came, as checksums see them. Raises EOFError where it ends before."""
        first, last = known.sizes()[name], claimed.sizes()[name]
        if name == TEXT:
            yield from self.text_blocks(first, last, marks.wiped)
            return
        with plain_file(self.folder / name) as file:
            yield from blocks(file, first, last)

    def text(self, first: int, last: int) -> Iterator[list[str]]:
        """The sentences from ``first`` up to ``last``, some at a time; blank where the text is wiped."""
        ends = mapped(self.folder / ENDS, END, last)
        size = BLOCK >> 7
        for start, stop in pairwise([*range(first, last, size), last] if first < last else []):
            begin = int(ends[start - 1]) if start else 0
            data = b"".join(self.text_blocks(begin, int(ends[stop - 1]), self.marks.wiped))
            places = [0, *(ends[start:stop].astype(np.int64) - begin).tolist()]
            yield [data[one : end - 1].decode(errors="replace") for one, end in pairwise(places)]

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """The texts of these sentences."""
        ends, found = mapped(self.folder / ENDS, END, self.known.sentences), list[str]()
        with plain_file(self.folder / TEXT) as file:
            for number in numbers:
                start = int(ends[number - 1]) if number else 0
                file.seek(start)
                found.append(file.read(int(ends[number]) - start).decode(errors="replace").removesuffix("\n"))
        return found

    def sentences(self, numbers: Sequence[int]) -> list[Held]:
        """These sentences, with what is noted of them."""
        texts = self.texts(numbers)
        if self.form < FORMAT:
            return [Held(*each) for each in zip(numbers, texts, strict=True)]
        notes = mapped(self.folder / NOTES, NOTE, self.known.sentences)
        with plain_file(self.folder / TIMES) as times, plain_file(self.folder / SOURCES) as sources:
            read = lru_cache(LABELS_KEPT)(label)
            rows = ((number, text, *notes[number].tolist()) for number, text in zip(numbers, texts, strict=True))
            return [
                Held(number, text, read(times, when) or None, read(sources, place), line)
                for number, text, when, place, line in rows
            ]

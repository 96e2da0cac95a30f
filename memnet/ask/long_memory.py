"""A memory of any length, on disk: sentences in the order in which they were told, with what a retriever thought of each.

A folder holds ``sentences.txt``, a sentence a line, ``ends.u64``, where each ends, ``scores.f32``, and ``memory.json``, which
says how many there are. Text is taken in piece by piece, so that the memory of the process does not grow with it; then
``memory.json`` is replaced. What a process that was killed wrote after it is cut off, and questions may be asked meanwhile.
"""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
from filelock import FileLock, Timeout

from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.errors import AskError, BusyError, NetworkError
from memnet.files import write_json
from memnet.models.retriever import Retriever
from memnet.tasks.text import one_line
from memnet.tasks.text.background import sentences
from memnet.training.start import weights_hash

FORMAT = 1
RETRIEVER = Path(__file__).parent / "retriever"  # the one of the package, made by scripts/make_retriever.py
READER = Path(__file__).parent / "reader"  # a network that passes over what a retriever takes for statements (make_network.py)
HEAD, TEXT, ENDS, SCORES, LOCK = "memory.json", "sentences.txt", "ends.u64", "scores.f32", ".lock"
PIECE = 1 << 20  # characters of text that are taken in at once
PAUSE = 1.0  # seconds after which what came slowly is taken in
EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
UNKEPT_READ = 20  # sentences that are read though their gates are shut, the newest, for a name that nothing kept has
END, SCORE = np.dtype("<u8"), np.dtype("<f4")


class Extent(NamedTuple):
    """How much of the files counts."""

    sentences: int
    bytes: int  # of the text

    def sizes(self) -> dict[str, int]:
        """Of every file, in bytes."""
        return {TEXT: self.bytes, ENDS: self.sentences * END.itemsize, SCORES: self.sentences * SCORE.itemsize}


def pieces(parts: Iterable[str], size: int = PIECE, seconds: float = PAUSE, longest: int = PIECE) -> Iterator[list[str]]:
    """The sentences of a text that comes in parts, some at a time; a sentence that goes on in the next part is not cut.

    They come when there are ``size`` characters, or, where a text comes slowly, every few ``seconds``. An empty line ends a
    sentence, and so do ``longest`` characters without an end.
    """
    held, length, last_time = list[str](), 0, time.monotonic()
    for part in parts:
        held.append(part)
        length += len(part)
        if length >= size or time.monotonic() - last_time > seconds:
            *whole, last = paragraphs("".join(held)) or [""]
            if len(last) >= longest:
                whole, last = [*whole, last], ""
            held, length, last_time = [last, part[-1:] if part[-1:].isspace() else ""], len(last), time.monotonic()
            if whole:
                yield whole
    if rest := paragraphs("".join(held)):
        yield rest


def paragraphs(text: str) -> list[str]:
    """The sentences of a text, in which an empty line ends one."""
    return [one for part in EMPTY_LINE.split(text) for one in sentences(part)]


class LongMemory:
    """A memory in a folder; :meth:`ask` answers from what the retriever keeps of it."""

    def __init__(self, folder: Path, retriever: Retriever, identity: str) -> None:
        """``identity`` names the retriever whose scores these are: one folder has those of one."""
        self.folder, self.retriever, self.identity = folder, retriever, identity

    @classmethod
    def opened(cls, folder: Path, retriever: Path = RETRIEVER) -> LongMemory:
        """The memory in a folder, or a new one, with the retriever of another. Raises :class:`~memnet.errors.NetworkError`."""
        return cls(folder, Retriever.load(retriever), weights_hash(retriever))

    def __repr__(self) -> str:
        return f"<LongMemory of {self.extent().sentences:,} sentences in {self.folder}>"

    def extent(self) -> Extent:
        """How much has been told. Raises :class:`~memnet.errors.NetworkError` where that cannot be known."""
        path = self.folder / HEAD
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            if saved["format"] != FORMAT:
                raise ValueError(f"expected format {FORMAT}")
            if saved["retriever"] != self.identity:
                raise ValueError(f"its sentences were judged by another retriever, {one_line(str(saved['retriever']), 40)}")
            found = Extent(*(saved[name] for name in Extent._fields))
            if not all(type(number) is int and 0 <= number < 1 << 60 for number in found):
                raise ValueError(f"expected numbers of sentences and bytes, not {found.sentences!r} and {found.bytes!r}")
            short = [name for name, size in found.sizes().items() if (self.folder / name).stat().st_size < size]
        except FileNotFoundError as error:
            raise NetworkError(f"{error.filename} is missing; 'memnet remember' makes a memory") from error
        except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise NetworkError(f"{path} is not the head of a memory: {error}") from error
        if short:
            raise NetworkError(f"{self.folder / short[0]} is shorter than {HEAD} says; take the text in again")
        if found.sentences:
            ends = np.memmap(self.folder / ENDS, END, "r", shape=(found.sentences,))
            if int(ends[-1]) != found.bytes or not (ends[1:] > ends[:-1]).all():
                raise NetworkError(f"{self.folder / ENDS} does not fit {HEAD}; take the text in again")
        elif found.bytes:
            raise NetworkError(f"{path} has {found.bytes} bytes of no sentence; take the text in again")
        return found

    def remember(self, lines: Iterable[str]) -> Iterator[int]:
        """Take in a text, after what has been told; how many sentences there are now, after every piece.

        Raises :class:`~memnet.errors.BusyError` where another process does, and :class:`~memnet.errors.NetworkError` where the
        folder holds something else or cannot be written.
        """
        with self.held():
            extent = self.entered()
            for piece in pieces(lines):
                extent = self.append(extent, piece)
                yield extent.sentences

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
        """A new memory, or one that is there with what was not finished cut off."""
        if not (self.folder / HEAD).exists():
            if other := sorted(path.name for path in self.folder.iterdir() if path.name not in (LOCK, TEXT, ENDS, SCORES)):
                raise NetworkError(f"{self.folder} holds other files, such as {other[0]}; choose another folder")
            for name in (TEXT, ENDS, SCORES):
                (self.folder / name).write_bytes(b"")
            self.save(Extent(0, 0))
        extent = self.extent()
        for name, size in extent.sizes().items():
            with open(self.folder / name, "r+b") as file:
                file.truncate(size)
        return extent

    def save(self, extent: Extent) -> None:
        """Let so much count."""
        write_json(self.folder / HEAD, {"format": FORMAT, "retriever": self.identity, **extent._asdict()})

    def append(self, extent: Extent, piece: Sequence[str]) -> Extent:
        """Write a piece, and let it count."""
        lines = [one.encode() + b"\n" for one in piece]
        ends = extent.bytes + np.cumsum([len(line) for line in lines], dtype=END)
        scores = self.retriever.scores(piece).numpy().astype(SCORE)
        try:
            for name, data in ((TEXT, b"".join(lines)), (ENDS, ends.tobytes()), (SCORES, scores.tobytes())):
                with open(self.folder / name, "ab") as file:
                    file.write(data)
            extent = Extent(extent.sentences + len(piece), int(ends[-1]))
            self.save(extent)
        except OSError as error:
            raise NetworkError(
                f"{self.folder} cannot be written ({error.strerror}); {extent.sentences:,} sentences are remembered"
            ) from error
        return extent

    def kept(self) -> list[tuple[int, str]]:
        """The sentences that score above zero, oldest first, with their numbers from 0."""
        extent = self.extent()
        if not extent.sentences:
            return []
        scores = np.memmap(self.folder / SCORES, SCORE, "r", shape=(extent.sentences,))
        ends = np.memmap(self.folder / ENDS, END, "r", shape=(extent.sentences,))
        places = (scores > 0).nonzero()[0].tolist()
        with open(self.folder / TEXT, "rb") as file:
            return [(place, line_of(file, ends, place)) for place in places]

    def about(self, question: str, story: Sequence[str] = ()) -> list[tuple[int, str]]:
        """Of what is kept, what a question leads to, also by way of what a ``story`` tells after it.

        Where nothing kept has a name of the question, the newest sentences that have it are read, though their gates are shut.
        """
        kept = self.kept()
        later = list(enumerate(story, self.extent().sentences))
        missing = self.retriever.names(question).difference(*(self.retriever.names(one) for _, one in (*kept, *later)))
        if missing:
            kept = sorted({*kept, *self.naming(missing)})
        return [kept[place] for place in self.retriever.related(question, [*kept, *later]) if place < len(kept)]

    def naming(self, names: frozenset[str]) -> list[tuple[int, str]]:
        """The newest sentences with one of these names, with their numbers."""
        found = deque[tuple[int, str]](maxlen=UNKEPT_READ)
        with open(self.folder / TEXT, encoding="utf-8", errors="replace", newline="\n") as file:
            for number, line in enumerate(islice(file, self.extent().sentences)):
                small = line.lower()
                if any(name in small for name in names) and not names.isdisjoint(self.retriever.names(line)):
                    found.append((number, line.rstrip("\n")))
        return list(found)

    def before(self, story: Sequence[str], question: str) -> list[str]:
        """What is to be read before a story for a question about it."""
        return [sentence for _, sentence in self.about(question, story)]

    def ask(self, predictor: Predictor, question: str, runners_up: int = 3, reads: int | None = None) -> Answer:
        """Answer a question from what it leads to. Raises :class:`~memnet.errors.AskError` where that is nothing."""
        story = self.before((), question)
        if not story:
            raise AskError("The memory holds no statement to answer from.")
        return predictor.ask(story, question, runners_up, reads)


def line_of(file: BinaryIO, ends: np.ndarray, place: int) -> str:
    """One sentence of the text."""
    start = int(ends[place - 1]) if place else 0
    file.seek(start)
    return file.read(int(ends[place]) - start).decode(errors="replace").rstrip("\n")

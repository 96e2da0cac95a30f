"""A memory of any length, on disk: sentences in the order in which they were told, with what a retriever thought of each.

Text is taken in piece by piece, so that the memory of the process does not grow with it, and questions may be asked meanwhile.
What was taken in counts from then on, whatever happens to the process or the machine (:mod:`~memnet.ask.memory_folder`).
"""

from __future__ import annotations

import re
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from memnet.ask.answer import Answer
from memnet.ask.memory_folder import END, ENDS, SCORE, SCORES, TEXT, Extent, MemoryFolder, plain_file
from memnet.ask.predictor import Predictor
from memnet.errors import AskError
from memnet.models.retriever import Retriever
from memnet.tasks.text import FormatError
from memnet.tasks.text.background import sentences
from memnet.training.start import weights_hash

RETRIEVER = Path(__file__).parent / "retriever"  # the one of the package, made by scripts/make_retriever.py
READER = Path(__file__).parent / "reader"  # a network that passes over what a retriever takes for statements (make_network.py)
PIECE = 1 << 20  # characters of text that are taken in at once
PAUSE = 1.0  # seconds after which what came slowly is taken in
EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
UNKEPT_READ = 20  # sentences that are read though their gates are shut, the newest, for a name that nothing kept has


def pieces(parts: Iterable[str], size: int = PIECE, seconds: float = PAUSE, longest: int = PIECE) -> Iterator[list[str]]:
    """The sentences of a text that comes in parts, some at a time; a sentence that goes on in the next part is not cut.

    They come when there are ``size`` characters, or, where a text comes slowly, every few ``seconds``. An empty line ends a
    sentence, and so do ``longest`` characters without an end.
    """
    held, length, last_time = list[str](), 0, time.monotonic()
    try:
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
    except FormatError:  # what came before it counts
        if rest := paragraphs("".join(held)):
            yield rest
        raise
    if rest := paragraphs("".join(held)):
        yield rest


def paragraphs(text: str) -> list[str]:
    """The sentences of a text, in which an empty line ends one."""
    return [one for part in EMPTY_LINE.split(text) for one in sentences(part)]


class LongMemory:
    """A memory in a folder; :meth:`ask` answers from what the retriever keeps of it."""

    def __init__(self, folder: Path, retriever: Retriever, identity: str, say: Callable[[str], object] = warnings.warn) -> None:
        """``identity`` names the retriever whose scores these are: one folder has those of one.

        ``say`` is told what somebody should know: what was cut off, and how a text is taken in that was interrupted.
        """
        self.folder, self.retriever, self.files = folder, retriever, MemoryFolder(folder, identity, say)

    @classmethod
    def opened(cls, folder: Path, retriever: Path = RETRIEVER, say: Callable[[str], object] = warnings.warn) -> LongMemory:
        """The memory in a folder, or a new one, with the retriever of another. Raises :class:`~memnet.errors.NetworkError`."""
        return cls(folder, Retriever.load(retriever), weights_hash(retriever), say)

    def __repr__(self) -> str:
        return f"<LongMemory of {self.extent().sentences:,} sentences in {self.folder}>"

    def extent(self) -> Extent:
        """How much has been told. Raises :class:`~memnet.errors.NetworkError` where that cannot be known."""
        return self.files.extent()

    def remember(self, *texts: Iterable[str]) -> Iterator[int]:
        """Take in texts, after what has been told; how many sentences there are now, after every piece.

        Where these texts were taken in before, and that was interrupted, it goes on there. Raises
        :class:`~memnet.errors.BusyError` where another process takes in text, and :class:`~memnet.errors.NetworkError` where
        the folder holds something else or cannot be written.
        """
        with self.files.held():
            told: Iterator[list[str]] = chain.from_iterable(map(pieces, texts))
            extent = self.files.entered()
            if (first := next(told, None)) is None:
                return
            told = chain([first], told)
            if extent.whole < extent.sentences:
                extent, told = self.go_on(extent, told)
            for piece in told:
                extent = self.files.append(extent, piece, self.retriever.scores(piece).numpy())
                yield extent.sentences
            self.files.save(extent._replace(whole=extent.sentences))

    def go_on(self, extent: Extent, told: Iterator[list[str]]) -> tuple[Extent, Iterator[list[str]]]:
        """What remains of texts that were interrupted; all of them, where they are others."""
        number, same, part = extent.sentences - extent.whole, 0, list[str]()
        with plain_file(self.folder / TEXT) as file:
            file.seek(int(self.ends(extent)[extent.whole - 1]) if extent.whole else 0)
            for part in told:
                again = "".join(f"{one}\n" for one in part[: number - same]).encode()
                if file.read(len(again)) != again:
                    break
                same, part = min(number, same + len(part)), part[number - same :]
                if same == number:
                    self.files.say(f"goes on after the {number:,} sentences of it that are remembered")
                    return extent, chain([part] if part else [], told)
        self.files.say(f"the last text was not taken in to its end; this one is another, and follows its {number:,} sentences")
        first = self.files.text(extent.whole, extent.whole + same)
        return extent._replace(whole=extent.sentences), chain(first, [part] if part else [], told)

    def ends(self, extent: Extent) -> np.ndarray:
        """Where the sentences end, in bytes."""
        return np.memmap(self.folder / ENDS, END, "r", shape=(extent.sentences,))

    def kept(self) -> list[tuple[int, str]]:
        """The sentences that score above zero, oldest first, with their numbers from 0."""
        extent = self.extent()
        if not extent.sentences:
            return []
        scores = np.memmap(self.folder / SCORES, SCORE, "r", shape=(extent.sentences,))
        ends = self.ends(extent)
        places = (scores > 0).nonzero()[0].tolist()
        with plain_file(self.folder / TEXT) as file:
            return [(place, line_of(file, ends, place)) for place in places]

    def about(self, question: str, story: Sequence[str] = ()) -> list[tuple[int, str]]:
        """Of what is kept, what a question leads to, also by way of what a ``story`` tells after it.

        Where nothing kept has a name of the question, the newest sentences that have it are read, though their gates are shut.
        """
        kept = self.kept()
        later = list(enumerate(story, self.extent().sentences))
        missing = self.retriever.names(question)
        for _, one in reversed([*kept, *later]):
            if not missing:
                break
            missing -= self.retriever.names(one)
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

"""A memory of any length, on disk: sentences in the order in which they were added, with what a retriever thought of each.

Text is taken in piece by piece, so that the memory of the process does not grow with it, and questions may be asked meanwhile.
What was taken in counts from then on, whatever happens to the process or the machine (:mod:`~memnet.memory.folder`).
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.encode.saved import weights_hash
from memnet.errors import AskError, ConfigError
from memnet.infer.retriever import Retriever, RetrieverBase
from memnet.memory.entries.sentences import sentences
from memnet.memory.files import END, ENDS, SCORE, SCORES, TEXT, Extent, mapped, plain_file
from memnet.memory.folder import MemoryFolder
from memnet.memory.hops import LISTED, Statements, holding, related
from memnet.memory.index import LEAST, Index
from memnet.memory.order import Order
from memnet.memory.values import Entry, Held
from memnet.tasks.text import FormatError, one_line
from memnet.tasks.text.english import AUXILIARIES

NETWORKS = Path(__file__).parent.parent / "ask"
RETRIEVER = NETWORKS / "retriever"  # the one of the package, made by scripts/make_retriever.py
READER = NETWORKS / "reader"  # a network that passes over what a retriever takes for statements (make_network.py)
PIECE = 1 << 20  # characters of text that are taken in at once
PAUSE = 1.0  # seconds after which what came slowly is taken in
INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
EMPTY_LINE = re.compile(r"\n[^\S\n]*\n")
AS_THEN = "give the same --when and --source to go on, or strike those sentences first with 'memnet forget'"
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
    except KeyboardInterrupt:  # whole sentences that came count
        if whole := paragraphs("".join(held))[:-1]:
            yield whole
        raise
    except FormatError:  # what came before it counts
        if rest := paragraphs("".join(held)):
            yield rest
        raise
    if rest := paragraphs("".join(held)):
        yield rest


def paragraphs(text: str) -> list[str]:
    """The sentences of a text, in which an empty line ends one."""
    return [one for part in EMPTY_LINE.split(text) for one in sentences(part)]


def entries(text: Iterable[str | Entry], size: int = PIECE, seconds: float = PAUSE) -> Iterator[list[Entry]]:
    """The sentences of a text, some at a time: of its parts, or as they are where they are entries already."""
    parts = iter(text)
    if (first := next(parts, None)) is None:
        return
    if isinstance(first, str):
        yield from ([Entry(visible(one)) for one in piece] for piece in pieces(chain([first], parts), size, seconds))  # type: ignore[arg-type]
        return
    yield from in_pieces(chain([first], parts), size, seconds)  # type: ignore[arg-type]


def visible(text: str) -> str:
    """A text without characters that show nothing and would part a word: zero-width spaces, soft hyphens, marks of direction.

    >>> visible("Mary went to the kit\\u200bchen.")
    'Mary went to the kitchen.'
    """
    return text if text.isascii() else text.translate(INVISIBLE)


def in_pieces(told: Iterable[Entry], size: int, seconds: float) -> Iterator[list[Entry]]:
    """Entries, some at a time; before a fault, or where somebody stops it, those that came before."""
    held, length, last_time = list[Entry](), 0, time.monotonic()
    try:
        for one in told:
            said = " ".join(visible(one.text).split())
            if said:
                held.append(Entry(said, *one[1:]))
                length += len(said)
            if length >= size or time.monotonic() - last_time > seconds:
                if held:
                    yield held
                held, length, last_time = [], 0, time.monotonic()
    except (FormatError, KeyboardInterrupt):
        if held:
            yield held
        raise
    if held:
        yield held


def noted_otherwise(then: Sequence[Held], now: Sequence[Entry]) -> str:
    """How the first sentence differs of which another time or source was noted then than now; nothing where none does."""
    for was, one in zip(then, now, strict=True):
        is_now = Entry(one.text, (one.when or "").replace("\n", " ") or None, one.source.replace("\n", " "))
        if (was.when or None, was.source) != is_now[1:3]:
            with_then, with_now = (f"{each.when or 'no time'} and {each.source or 'no source'}" for each in (was, is_now))
            return f"{one_line(was.text, 60)!r} was noted with {with_then}, and has {with_now} now"
    return ""


class LongMemory:
    """A memory in a folder; :meth:`ask` answers from what the retriever keeps of it."""

    def __init__(
        self, folder: Path, retriever: RetrieverBase, identity: str, say: Callable[[str], object] = warnings.warn
    ) -> None:
        """``identity`` names the retriever whose scores these are: one folder has those of one.

        ``say`` gets what somebody should know: what was cut off, and how a text is taken in that was interrupted.
        """
        self.folder, self.retriever, self.files = folder, retriever, MemoryFolder(folder, identity, say)
        self.files.judge = lambda texts: np.asarray(retriever.scores(texts))
        self.begun = 0  # how many sentences there were before the texts that were taken in last
        self.index = Index(self.files)
        self.corrections: tuple[Extent, object] | None = None  # the same of what is put right in it
        self.ordered: tuple[Extent, Order] | None = None  # of the sentences that were there when it was last asked for
        self.tables: tuple[Extent, object] | None = None  # the tables among them

    @classmethod
    def opened(cls, folder: Path, retriever: Path = RETRIEVER, say: Callable[[str], object] = warnings.warn) -> LongMemory:
        """The memory in a folder, or a new one, with the retriever of another. Raises :class:`~memnet.errors.NetworkError`."""
        return cls(folder, Retriever.load(retriever), weights_hash(retriever), say)

    def __repr__(self) -> str:
        return f"<LongMemory of {self.extent().sentences:,} sentences in {self.folder}>"

    def extent(self) -> Extent:
        """How much has been told. Raises :class:`~memnet.errors.NetworkError` where that cannot be known."""
        return self.files.extent()

    def remember(self, *texts: Iterable[str | Entry], same_notes: bool = False) -> Iterator[int]:
        """Take in texts, after what has been told; how many sentences there are now, after every piece.

        A text comes as parts, which are split into sentences, or as entries, a sentence each. Where these texts were taken in
        before, and that was interrupted, it goes on there. Where other times or sources are noted now, they follow as other
        texts, or with ``same_notes`` are refused by a :class:`~memnet.errors.ConfigError`. Raises
        :class:`~memnet.errors.BusyError` where another process takes in text, and :class:`~memnet.errors.NetworkError` where
        the folder holds something else or cannot be written.
        """
        self.files.check()
        told: Iterator[list[Entry]] = chain.from_iterable(map(entries, texts))
        first = next(told, None)  # before a folder is made: what is no text leaves none
        with self.files.held():
            extent = self.files.entered()
            self.begun = begun = extent.sentences
            if first is None:
                return
            told = chain([first], told)
            if extent.whole < extent.sentences:
                extent, told = self.go_on(extent, told, same_notes)
            for piece in told:
                extent = self.files.append(extent, piece, np.asarray(self.retriever.scores([one.text for one in piece])))
                if extent.sentences - begun >= LEAST:
                    self.index.follow()
                yield extent.sentences
            self.files.save(extent._replace(whole=extent.sentences))
            if extent.sentences - begun >= LEAST:
                self.index.follow(ends=True)

    def go_on(self, extent: Extent, told: Iterator[list[Entry]], same_notes: bool) -> tuple[Extent, Iterator[list[Entry]]]:
        """What remains of texts that were interrupted; all of them, where they are others or those are struck."""
        number, same, read = extent.sentences - extent.whole, list[Entry](), list[Entry]()
        with plain_file(self.folder / TEXT) as file:
            file.seek(int(mapped(self.folder / ENDS, END, extent.whole)[-1]) if extent.whole else 0)
            for part in told:
                now = part[: number - len(same)]
                again = "".join(f"{one.text}\n" for one in now).encode()
                if file.read(len(again)) != again:
                    read = part
                    break
                same, read = same + now, part[len(now) :]
                if len(same) == number:
                    break
        other = "this one is another"
        if len(same) == number:
            numbers = np.arange(extent.whole, extent.sentences)
            if not self.files.marks.alive(numbers).any():
                other = "it is struck, and is taken in again"
            elif changed := noted_otherwise(self.held(numbers.tolist()), same):
                if same_notes:
                    raise ConfigError(f"the last text was interrupted after {number:,} sentences; {changed}; {AS_THEN}")
                other = changed
            else:
                self.files.say(f"goes on after the {number:,} sentences of it that are remembered")
                return extent, chain([read] if read else [], told)
        self.files.say(f"the last text was not taken in to its end; {other}, and follows its {number:,} sentences")
        return extent._replace(whole=extent.sentences), chain(filter(None, [same, read]), told)

    def kept_places(self) -> np.ndarray:
        """The numbers of the sentences that score above zero and are not struck, ascending."""
        extent = self.extent()
        places: np.ndarray = np.flatnonzero(mapped(self.folder / SCORES, SCORE, extent.sentences) > 0)
        alive: np.ndarray = places[self.files.marks.alive(places)]
        return alive

    def kept(self) -> list[tuple[int, str]]:
        """The sentences that score above zero and are not struck, oldest first, with their numbers from 0."""
        return [(one.number, one.text) for one in self.held(self.kept_places().tolist())]

    def held(self, numbers: Sequence[int]) -> list[Held]:
        """These sentences, with what is noted of them."""
        return self.files.sentences(numbers)

    def order(self, extent: Extent) -> Order:
        """In which order so much of it was said."""
        ordered = self.ordered
        if ordered is None or ordered[0] != extent:
            alive = self.files.marks.alive(np.arange(extent.sentences)) if extent.struck else None
            self.ordered = ordered = extent, Order.of(self.folder, extent, alive)
        return ordered[1]

    def about(self, question: str, story: Sequence[str] = ()) -> list[tuple[int, str]]:
        """Of what is kept, what a question leads to, also by way of what a ``story`` tells after it.

        Where nothing kept has a name of the question, the newest sentences that have it are read, though their gates are shut.
        """
        places, names_of = self.kept_places(), self.retriever.names
        question = " ".join(word for word in question.split() if word.lower() not in AUXILIARIES)  # "does" is no name
        asked, keep = names_of(question), self.retriever.config.keep
        told = Statements(self.files, self.index, names_of, places, story)
        if missing := told.missing(asked):
            more = holding(self.files, self.index, names_of, missing, UNKEPT_READ)
            told = Statements(self.files, self.index, names_of, places, story, more)
        found = self.retriever.related(question, told.listed()) if len(told) <= LISTED else related(asked, told, keep)
        told.read(found)
        return [(told.place(one), told.text(one)) for one in found if one < len(told.places)]

    def before(self, story: Sequence[str], question: str) -> list[str]:
        """What is to be read before a story for a question about it."""
        return [sentence for _, sentence in self.about(question, story)]

    def ask(self, predictor: Predictor, question: str, runners_up: int = 3, reads: int | None = None) -> Answer:
        """Answer a question from what it leads to. Raises :class:`~memnet.errors.AskError` where that is nothing."""
        story = self.before((), question)
        if not story:
            raise AskError("The memory holds no statement to answer from.")
        return predictor.ask(story, question, runners_up, reads)

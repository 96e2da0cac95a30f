"""The library's interface to a memory: sentences are added, searched, asked and forgotten."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import count
from numbers import Integral
from pathlib import Path
from reprlib import repr as short
from threading import Lock
from types import TracebackType

import numpy as np

from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError, NetworkError
from memnet.memory.answering import ask_memory
from memnet.memory.entries import Reading, entries_of_text, recognise
from memnet.memory.files import HEAD, NOTE, NOTES, SOURCES, TIMES, mapped
from memnet.memory.finding import ranked
from memnet.memory.long_memory import READER, LongMemory, paragraphs
from memnet.memory.notes import labels
from memnet.memory.sentences import Sentences
from memnet.memory.tables.stored import heads_in_use
from memnet.memory.times import as_time, known_moment, moment
from memnet.memory.values import Entry, Found, Held
from memnet.tasks.text import words

ITERATED = 1000  # sentences that are read at once where all are asked for
HEAD_OF_TEXT = 1 << 16  # characters by which it is known what a text is
TAKEN_APART = ("log", "chat", "csv", "markdown", "text")  # what a text of several lines may be


class Memory:
    """A memory in a folder on disk. Several threads may use it: one writes at a time, others read meanwhile.

    >>> import tempfile
    >>> from memnet import Memory
    >>> with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
    ...     numbers = memory.add("Mary went to the kitchen. John took the milk.", when="2026-03-01", source="log.txt")
    ...     answer = memory.ask("Where is Mary?")
    ...     found = memory.search("Who has the milk?", k=1)
    ...     struck = memory.forget(about="milk")
    ...     numbers, answer.answer, found[0].text, struck[0].number, len(memory)
    ([0, 1], 'kitchen', 'John took the milk.', 1, 1)
    """

    def __init__(self, long: LongMemory) -> None:
        """Of the sentences and the retriever of ``long``; :meth:`open` makes it."""
        self.long, self.writer, self.reader = long, Lock(), Lock()
        self.closed = False

    @classmethod
    def open(cls, folder: str | os.PathLike[str], say: Callable[[str], object] = warnings.warn) -> Memory:
        """The memory in a folder; a new one where there is none.

        ``say`` gets what somebody should know, such as what a power cut took. Raises
        :class:`~memnet.errors.NetworkError` where the folder holds something else, was changed or cannot be written, and
        :class:`~memnet.errors.BusyError` where another process makes it just now.
        """
        try:
            os.lstat(folder)
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:  # a name that is too long, or has a character 0
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise NetworkError(f"{short(os.fspath(folder))} can be no folder: {why}; choose another") from error
        memory = cls(LongMemory.opened(Path(folder), say=say))
        memory.begin()
        return memory

    def begin(self) -> bool:
        """Make a new memory in the folder where there is none; whether one was made. Raises what :meth:`open` raises."""
        is_new = not (self.long.folder / HEAD).exists()
        if is_new:
            with self.long.files.held():
                self.long.files.entered()
        self.long.extent()
        return is_new

    def __repr__(self) -> str:
        return f"<Memory of {len(self):,} sentences in {self.long.folder}>"

    def __len__(self) -> int:
        """How many sentences it holds, without those that are struck."""
        extent = self.opened().extent()
        return extent.sentences - len(self.long.files.marks.struck)

    def __getitem__(self, number: int) -> Held:
        """The sentence of a number. Raises KeyError where there is none, or it is struck."""
        long, key = self.opened(), np.array([number])
        if not 0 <= number < long.extent().sentences or not long.files.marks.alive(key)[0]:
            raise KeyError(number)
        return long.held([number])[0]

    def __iter__(self) -> Iterator[Held]:
        """All sentences, oldest first, without those that are struck."""
        last = self.opened().extent().sentences
        for first in range(0, last, ITERATED):
            numbers = np.arange(first, min(first + ITERATED, last))
            yield from self.opened().held(numbers[self.long.files.marks.alive(numbers)].tolist())

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what it holds in memory; what was added is on the disk since then."""
        self.closed = True
        self.long.index.close()

    def opened(self) -> LongMemory:
        """Its sentences. Raises :class:`~memnet.errors.ConfigError` where it is closed."""
        if self.closed:
            raise ConfigError(f"the memory in {self.long.folder} is closed; open it again")
        return self.long

    # Writing

    def add(self, text: str | Entry | Iterable[str | Entry], when: str | date | None = None, source: str = "") -> list[int]:
        """Take in a sentence, a text of several, or entries; the numbers of the sentences.

        A text of several lines is taken apart as ``memnet remember`` does with a file of it: logs, chats, tables, lists.
        ``when`` (ISO 8601, or a date of Python's) and ``source`` are noted of every sentence that does not say its own. They
        are on the disk when this ends. Raises :class:`~memnet.errors.BusyError` where another process writes,
        :class:`~memnet.errors.NetworkError` where the folder cannot be written, and :class:`~memnet.errors.ConfigError` for
        what is no text, no Entry or no time.
        """
        entries, counted = sentences(text, as_time(when), as_text("the source", source)), count()
        with self.writer:
            told = (one for one, _ in zip(entries, counted, strict=False))
            last = max(self.opened().remember(told), default=0)
        return [*range(last - next(counted), last)]

    def forget(
        self,
        number: int | Iterable[int] | None = None,
        *,
        source: str | None = None,
        before: str | date | None = None,
        about: str | None = None,
        wipe: bool = False,
    ) -> list[Held]:
        """Strike the sentences that fit all that is given, and return them: they are found and read no more.

        Those of a ``number`` or several; of a ``source``; of a time ``before`` another (ISO 8601; sentences without a time that
        can be read stay); that hold all words of ``about``, but not the one that names the columns
        of a table. With ``wipe`` their text is overwritten on the disk, too. Raises :class:`~memnet.errors.ConfigError` where
        nothing is given or there is no such number, else as :meth:`add`.
        """
        with self.writer:
            long = self.opened()
            with long.files.held():
                extent = long.files.entered()
                chosen = self.chosen(number, source, before, about)
                struck = long.held(chosen)
                long.files.strike(extent, chosen, wipe)
        return struck

    def chosen(
        self, number: int | Iterable[int] | None, source: str | None, before: str | date | None, about: str | None
    ) -> list[int]:
        """The numbers of the sentences that fit all that is given. Raises :class:`~memnet.errors.ConfigError`."""
        if number is None and source is None and before is None and about is None:
            raise ConfigError("say what to forget: a number, a source, before which time, or about what")
        sentences = self.long.extent().sentences
        left = np.arange(sentences)
        if number is not None:
            asked = [*number] if isinstance(number, Iterable) else [number]
            if missing := [one for one in asked if not (isinstance(one, Integral) and 0 <= one < sentences)]:
                has = f"has the numbers 0 to {sentences - 1:,}" if sentences else "is empty"
                raise ConfigError(f"there is no sentence {short(missing[0])}; the memory {has}")
            left = np.unique(np.array(asked, np.int64))
        left = left[self.long.files.marks.alive(left)]
        if source is not None:
            named = as_text("the source", source)
            left = left[self.noted("source", left, lambda name: name == named)]
        if before is not None:
            limit = known_moment(before)
            left = left[self.noted("when", left, lambda text: (found := moment(text)) is not None and found < limit)]
        if about is not None:
            left = np.intersect1d(left, np.array(self.long.index.find(words(as_text("about", about))), np.int64))
            left = np.setdiff1d(left, sorted(heads_in_use(self.long, left.tolist())))  # a column is called so, and no row
        return [int(one) for one in left]

    def noted(self, column: str, numbers: np.ndarray, fits: Callable[[str], bool]) -> np.ndarray:
        """Of which of these sentences the time or the source fits, as a mask."""
        extent, folder = self.long.extent(), self.long.folder
        name, size = (TIMES, extent.times) if column == "when" else (SOURCES, extent.sources)
        places = [place for place, label in labels(folder, name, size) if fits(label)]
        places += [0] if column == "source" and fits("") else []
        records = mapped(folder / NOTES, NOTE, extent.sentences)
        found: np.ndarray = np.isin(records[column][numbers], places)
        return found

    # Reading

    def search(self, query: str, k: int = 10) -> list[Found]:
        """The ``k`` sentences that fit a query best, best first; 1 or more are asked for.

        Raises :class:`~memnet.errors.NetworkError`, and :class:`~memnet.errors.ConfigError` for another ``k``.
        """
        return ranked(Sentences(self.opened()), as_text("a query", query), as_count("k", k))

    def ask(self, question: str, since: str | date | None = None, until: str | date | None = None) -> Answer:
        """Answer a question from the sentences that it leads to, or say why there is no answer.

        What was said before ``since`` or after ``until`` (ISO 8601, or a date of Python's) is left out; what has no time stays.
        Raises :class:`~memnet.errors.AskError` where the memory holds nothing to answer from, and for a question without words,
        and :class:`~memnet.errors.ConfigError` for what is no time.
        """
        long = self.opened()
        asked = as_text("a question", question) if isinstance(question, str) else question
        with self.reader:
            return ask_memory(long, network_of_tasks(), asked, since=as_time(since), until=as_time(until))

    def statements(self, words: Sequence[str] = ()) -> list[Held]:
        """The sentences that :meth:`ask` answers from, oldest first; only those that hold all these words, in any case."""
        long = self.opened()
        places = long.kept_places()
        if words:
            places = np.intersect1d(places, np.array(long.index.find(words), np.int64))
        return long.held([int(one) for one in places])


@cache
def network_of_tasks() -> Predictor:
    """The one of the package that reads statements of the twenty tasks and passes over others."""
    return Predictor.load(READER)


def as_text(what: str, value: str) -> str:
    """A text. Raises :class:`~memnet.errors.ConfigError` where it is none."""
    if not isinstance(value, str):
        raise ConfigError(f"{what} is a text, not {short(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ConfigError(f"{what} has half of a character ({value[error.start]!r}); expected whole ones") from error
    return value


def as_count(what: str, value: int, least: int = 1) -> int:
    """A whole number. Raises :class:`~memnet.errors.ConfigError` where it is none, or less than the ``least``."""
    if not isinstance(value, Integral) or value < least:
        raise ConfigError(f"{what} is a whole number from {least}, not {short(value)}")
    return int(value)


def of_text(text: str, when: str | None, source: str) -> Iterator[Entry]:
    """The sentences of a text; of one of several lines its entries, with their times and the numbers of their lines."""
    if "\n" not in text.strip() or recognise.of_text(text[:HEAD_OF_TEXT], "") not in TAKEN_APART:
        return (Entry(one, when, source) for one in paragraphs(text))
    return (one._replace(source=source) for one in entries_of_text([text], source or "the text", Reading(when=when)))


def sentences(told: str | Entry | Iterable[str | Entry], when: str | None, source: str) -> Iterator[Entry]:
    """A sentence each, with what is noted of all that do not say their own. Raises :class:`~memnet.errors.ConfigError`."""
    one = isinstance(told, str | bytes | bytearray | Entry | Mapping) or not isinstance(told, Iterable)
    for part in [told] if one else told:
        if isinstance(part, str):
            yield from of_text(as_text("a text", part), when, source)
        elif isinstance(part, tuple) and len(part) == len(Entry._fields):
            if not as_text("the text of an Entry", part[0]).strip():
                continue
            at = part[1].isoformat() if isinstance(part[1], date) else as_text("the time of an Entry", part[1] or "")
            origin = as_text("the source of an Entry", part[2] or source)
            yield Entry(part[0], at or when, origin, as_count("the line of an Entry", part[3], 0))
        else:
            raise ConfigError(f"expected a text or an Entry to add, not {short(part)}")

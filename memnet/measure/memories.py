"""Memories side by side: what each takes in, answers and finds, behind one small protocol.

    remember(entries)        take in lines, or parts of a running text, each as it stands in a file
    ask(question)            an answer, None where it is refused
    search(question, k)      numbers of entries, the best first

``memnet`` answers; the others, what a user would pick instead, only find: BM25, the full-text index of SQLite, and grep.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from memnet.errors import AskError, ConfigError
from memnet.memory.entries import entries_of_text
from memnet.memory.memory import Memory
from memnet.tasks.text import words

WORDS, LONGER_WORDS = r"(?u)\b\w+\b", r"(?u)\b\w\w+\b"  # what BM25 counts; the latter is the library's own
K1, B = 1.5, 0.75
LIMIT = 10  # entries that are found, unless more are asked for


class Remembering(Protocol):
    """A memory as a benchmark sees it."""

    answers: bool  # whether it answers, or only finds

    def remember(self, entries: Iterable[str]) -> None:
        """Take in entries, after those before."""

    def ask(self, question: str) -> str | None:
        """An answer, None where it is refused."""

    def search(self, question: str, k: int = LIMIT) -> list[int]:
        """The numbers of the entries that have most to do with a question, the best first."""


Maker = Callable[[Path], Remembering]


class OfPackage:
    """The package's memory on disk: text is taken in as 'memnet remember' takes it, and asked as 'memnet ask --memory' asks."""

    answers = True

    def __init__(self, folder: Path) -> None:
        self.memory = Memory.open(folder)

    def remember(self, entries: Iterable[str]) -> None:
        """Take in entries as they stand in a file."""
        self.memory.add(entries_of_text(entries, "text"))

    def ask(self, question: str) -> str | None:
        """Answer from what the question leads to."""
        try:
            answer = self.memory.ask(question)
        except AskError:
            return None
        return answer.answer if answer.answerable else None

    def search(self, question: str, k: int = LIMIT) -> list[int]:
        """The entries of the sentences that fit best."""
        found = dict.fromkeys(one.line - 1 for one in self.memory.search(question, 2 * k))
        return list(found)[:k]


class Bm25:
    """BM25 as bm25s has it (Robertson's, k1 1.5, b 0.75, no stop words)."""

    answers = False

    def __init__(self, folder: Path, pattern: str = WORDS) -> None:
        self.folder, self.pattern = folder, pattern

    def tokens(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each."""
        return [re.findall(self.pattern, text.lower()) for text in texts]

    def remember(self, entries: Iterable[str]) -> None:
        """Count the words of all entries, and keep the counts in the folder."""
        try:
            import bm25s
        except ImportError as error:
            raise ConfigError("BM25 is bm25s's: pip install 'memnet-qa[bench]'") from error
        texts = [entry.strip() for entry in entries]
        self.size = len(texts)
        self.counts = bm25s.BM25(method="robertson", k1=K1, b=B)
        self.counts.index(self.tokens(texts), show_progress=False)
        self.counts.save(str(self.folder))

    def ask(self, question: str) -> str | None:
        """It only finds."""
        return None

    def search(self, question: str, k: int = LIMIT) -> list[int]:
        """By the score, without those of zero."""
        found, scores = self.counts.retrieve(self.tokens([question]), k=min(k, self.size), show_progress=False)
        return [int(number) for number, score in zip(found[0], scores[0], strict=True) if score > 0]


class Fts5:
    """The full-text index of SQLite, ranked by its own bm25()."""

    answers = False

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.base = sqlite3.connect(folder / "index.sqlite")
        self.base.execute("CREATE VIRTUAL TABLE IF NOT EXISTS entries USING fts5(text)")

    def remember(self, entries: Iterable[str]) -> None:
        """A row an entry."""
        with self.base:
            self.base.executemany("INSERT INTO entries (text) VALUES (?)", ((entry.strip(),) for entry in entries))

    def ask(self, question: str) -> str | None:
        """It only finds."""
        return None

    def search(self, question: str, k: int = LIMIT) -> list[int]:
        """Entries with any of the words."""
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(WORDS, question.lower())))
        if not wanted:
            return []
        rows = self.base.execute("SELECT rowid FROM entries WHERE entries MATCH ? ORDER BY rank LIMIT ?", (wanted, k))
        return [number - 1 for (number,) in rows]


class LastLine:
    """grep: the newest entries that have all of a question's words but for those of asking and the articles; no index."""

    answers = False
    ASKING = frozenset(
        words("where what who which when how often is was were did do does has had have the a an in of to it that")
    )
    MORE = frozenset(words("last before now moved move got find times many most recently been taken get at and are there"))

    def __init__(self, folder: Path) -> None:
        self.file = folder / "lines.txt"
        folder.mkdir(parents=True, exist_ok=True)

    def remember(self, entries: Iterable[str]) -> None:
        """Append to a file."""
        with open(self.file, "a", encoding="utf-8") as file:
            file.writelines(f"{entry.strip()}\n" for entry in entries)

    def ask(self, question: str) -> str | None:
        """It only finds."""
        return None

    def search(self, question: str, k: int = LIMIT) -> list[int]:
        """The newest first."""
        wanted = [word for word in words(question) if word not in self.ASKING | self.MORE]
        if not wanted:
            return []
        has = [re.compile(rf"\b{re.escape(word)}\b") for word in wanted]
        with open(self.file, encoding="utf-8") as file:
            lines = ((number, line.lower()) for number, line in enumerate(file))
            some = ((number, line) for number, line in lines if all(word in line for word in wanted))  # faster than the next
            found = [number for number, line in some if all(one.search(line) for one in has)]
        return found[::-1][:k]


BASELINES: dict[str, Maker] = {"bm25": Bm25, "fts5": Fts5, "grep": LastLine}
SYSTEMS = ("memnet", *BASELINES)


def system(name: str) -> Maker:
    """What makes a memory of a name. Raises :class:`~memnet.errors.ConfigError` for another."""
    if name == "memnet":
        return OfPackage
    if name not in BASELINES:
        raise ConfigError(f"there is no memory called {name!r}; expected {', '.join(SYSTEMS)}")
    return BASELINES[name]


def size_of(folder: Path) -> int:
    """Bytes of the files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def share(found: Sequence[int], evidence: Iterable[int]) -> float:
    """Of the evidence, how much was found."""
    wanted = set(evidence)
    return float(np.mean([one in set(found) for one in wanted])) if wanted else 1.0

"""The words of a memory's sentences: which sentences hold them, and which fit a query best, by SQLite's FTS5.

The index is made of the folder's text and can be thrown away at any time: ``index.sqlite`` only saves making it again. It is
in the process's memory while it is used (about 3 MB a million tokens). The file has a checksum in its header, where SQLite
keeps an application's number, and a row that says of which text it is; where one of them does not fit, it is made anew.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from threading import RLock

import numpy as np

from memnet.errors import BusyError, NetworkError
from memnet.files import write_atomically
from memnet.memory.files import END, ENDS, INDEX, SCORE, SCORES, Extent, mapped, plain_file
from memnet.memory.folder import MemoryFolder
from memnet.tasks.text import words as words_of

TOKENIZER = "unicode61 remove_diacritics 2 categories ''L* N* Co So''"  # emoji are words
TABLES = (
    f"CREATE VIRTUAL TABLE told USING fts5(text, content='', tokenize='{TOKENIZER}')",
    f"CREATE VIRTUAL TABLE kept USING fts5(text, content='', tokenize='{TOKENIZER}')",  # those that a retriever keeps
    "INSERT INTO told (told, rank) VALUES ('hashsize', 8388608)",  # bytes of words that are held before they are sorted
    "CREATE TABLE of (sentences INTEGER, bytes INTEGER, crc32 INTEGER)",
)
CRC = slice(68, 72)  # bytes of SQLite's header, of an application's number
LEAST, SHARE = 1024, 64  # sentences that are not in the file: at most LEAST or one of SHARE of them
COMMON = 20  # a word that more than one of COMMON sentences has is left out of a ranking, where it has rarer ones
SEGMENTED = re.compile("[\u0e00-\u109f\u1780-\u17ff\u2600-\u27bf\u2e80-\ud7ff\uf900-\ufaff\U0001f000-\U0003ffff]")
WORD = re.compile(r"\w|[\u2600-\u27bf\U0001f000-\U0001faff]")
FIRST, MORE = 256, 8  # sentences that are looked up at first, and how many times as many then


def spaced(text: str) -> str:
    """A text as the index takes it: words of scripts without spaces, and emoji, stand apart.

    >>> spaced("Mary went home."), spaced("玛丽去了🏠")
    ('Mary went home.', '玛 丽 去 了 🏠')
    """
    return text if text.isascii() or not SEGMENTED.search(text) else " ".join(words_of(text))


def phrase(word: str) -> str:
    r"""A word as FTS5 is asked for it.

    >>> phrase("o'clock"), phrase("No 5")
    ('"o\'clock"', '"No 5"')
    """
    return '"' + spaced(word).replace('"', '""').replace("\0", " ") + '"'


class Index:
    """The index of one memory; for threads, too."""

    def __init__(self, files: MemoryFolder) -> None:
        self.files, self.lock = files, RLock()
        self.base: sqlite3.Connection | None = None
        self.told = self.saved = 0  # sentences in the index, and in its file
        self.generation = 0  # of the text that it is of

    def find(self, words: Sequence[str], newest: int | None = None) -> list[int]:
        """The numbers of the sentences that hold all the words, in any case, ascending; only the ``newest`` of them.

        A word's accents do not count, and its parts stand side by side ("o'clock", "merry-go-round"). What has no letter,
        digit or emoji is no word. Sentences that are struck are left out. Raises :class:`~memnet.errors.NetworkError`.
        """
        asked = [phrase(word) for word in words if WORD.search(word)]
        if not asked or newest == 0:
            return []
        found = list[int]()
        for numbers in self.newest_first(" AND ".join(asked), None if newest is None else max(FIRST, newest)):
            found += numbers.tolist()
            if newest is not None and len(found) >= newest:
                break
        return found[:newest][::-1]

    def newest_first(self, query: str, size: int | None = FIRST, below: int = -1, kept: bool = False) -> Iterator[np.ndarray]:
        """The numbers of live sentences that match a query of FTS5, newest first, some at a time; all without a size.

        Of those ``below`` a number, where one is given; of those alone that are ``kept``, which score above zero.
        """
        table = "kept" if kept else "told"
        before = below
        while True:
            with self.lock:
                base = self.current()
                sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
                rows = base.execute(sql, (query, self.told if before < 0 else before, -1 if size is None else size)).fetchall()
                marks = self.files.marks
            numbers = np.fromiter((row[0] for row in rows), np.int64, len(rows))
            if len(numbers):
                yield numbers[marks.alive(numbers)]
            if size is None or len(rows) < size:
                return
            before, size = int(numbers[-1]), size * MORE

    def is_in_more(self, query: str, number: int) -> bool:
        """Whether more than this ``number`` of sentences match a query of FTS5, struck ones among them."""
        with self.lock:
            sql = "SELECT 1 FROM told WHERE told MATCH ? LIMIT 1 OFFSET ?"
            return self.current().execute(sql, (query, number)).fetchone() is not None

    def rank(self, words: Sequence[str], k: int = 10) -> list[tuple[int, float]]:
        """The numbers of the ``k`` sentences that fit these words best, and how well, by BM25; of equals the newest first.

        A word that is in more than one of :data:`COMMON` sentences counts only where all are. Raises
        :class:`~memnet.errors.NetworkError`.
        """
        asked = list(dict.fromkeys(phrase(word.lower()) for word in words if WORD.search(word)))
        if not asked or k <= 0:
            return []
        with self.lock:
            base, found = self.current(), list[tuple[int, float]]()
            rare = [one for one in asked if not self.is_common(one)]
            sql = "SELECT rowid, rank FROM told WHERE told MATCH ? ORDER BY rank, rowid DESC"
            struck = {*self.files.marks.struck.tolist()}
            with closing(base.execute(sql, (" OR ".join(rare or asked),))) as rows:
                for number, score in rows:
                    if number not in struck:
                        found.append((number, -score))
                    if len(found) == k:
                        break
        return found

    def is_common(self, word: str) -> bool:
        """Whether more than one of :data:`COMMON` sentences has a word."""
        return self.is_in_more(word, max(LEAST, self.told // COMMON))

    # Making it

    def current(self) -> sqlite3.Connection:
        """The index of all that counts now. Raises :class:`~memnet.errors.NetworkError`. For who has the lock."""
        base = self.grown()
        if self.is_much():
            try:
                with self.files.held():
                    self.save(base)
            except (BusyError, NetworkError):
                pass  # somebody else writes, or nobody can: it stays in this process's memory
        return base

    def follow(self, ends: bool = False) -> None:
        """Take in what came, and write the file where it ``ends`` and that is much. For the process that holds the folder."""
        with self.lock:
            base = self.grown()
            if ends and self.is_much():
                with suppress(NetworkError):
                    self.save(base)

    def is_much(self) -> bool:
        """Whether so much is not in the file that it pays to write it."""
        return self.told - self.saved >= max(LEAST, self.saved // SHARE)

    def grown(self) -> sqlite3.Connection:
        """The index with the sentences that came, a transaction in all."""
        extent = self.files.extent()
        if self.base is None or self.generation != self.files.generation or self.told > extent.sentences:
            self.close()
            self.base, self.told = self.loaded(extent)
            self.saved, self.generation = self.told, self.files.generation
        if self.told < extent.sentences:
            with self.base:
                number, scores = self.told, mapped(self.files.folder / SCORES, SCORE, extent.sentences)
                for piece in self.files.text(self.told, extent.sentences):
                    told = list(enumerate(map(spaced, piece), number))
                    self.base.executemany("INSERT INTO told (rowid, text) VALUES (?, ?)", told)
                    kept = (told[place] for place in np.flatnonzero(scores[number : number + len(piece)] > 0).tolist())
                    self.base.executemany("INSERT INTO kept (rowid, text) VALUES (?, ?)", kept)
                    number += len(piece)
            self.told = extent.sentences
        return self.base

    def loaded(self, extent: Extent) -> tuple[sqlite3.Connection, int]:
        """The index of the file, or an empty one, and how many sentences are in it."""
        try:
            base = connection(read_image(self.files.folder / INDEX))
            ((told, size, crc),) = base.execute("SELECT sentences, bytes, crc32 FROM of").fetchall()
            base.execute("SELECT rowid FROM kept LIMIT 1").fetchall()
            if 0 < told <= extent.sentences and size == self.size(told) and crc == self.files.text_crc(size):
                return base, told
            base.close()
        except (sqlite3.Error, ValueError, TypeError):
            pass  # it was changed, is of an older form, or no plain file
        return connection(), 0

    def size(self, sentences: int) -> int:
        """How many bytes of text the first sentences have."""
        return int(mapped(self.files.folder / ENDS, END, sentences)[-1]) if sentences else 0

    def save(self, base: sqlite3.Connection) -> None:
        """Write the file, whole or not at all. Raises :class:`~memnet.errors.NetworkError`."""
        size = self.size(self.told)
        with base:
            base.execute("DELETE FROM of")
            base.execute("INSERT INTO of VALUES (?, ?, ?)", (self.told, size, self.files.text_crc(size)))
        image = bytearray(base.serialize())
        image[CRC] = checksum_of(image)
        with self.files.writing():
            write_atomically(self.files.folder / INDEX, bytes(image))
        self.saved = self.told

    def close(self) -> None:
        """Let it go."""
        with self.lock:
            if self.base is not None:
                self.base.close()
            self.base, self.told, self.saved = None, 0, 0


def checksum_of(image: bytearray | bytes) -> bytes:
    """Of a file of SQLite, but for the number that is this checksum."""
    view = memoryview(image)
    return zlib.crc32(view[CRC.stop :], zlib.crc32(view[: CRC.start])).to_bytes(4, "big")


def read_image(path: Path) -> bytes:
    """The file of an index; nothing where there is none. Raises ValueError where it was changed."""
    if not path.exists() and not path.is_symlink():
        return b""
    with plain_file(path) as file:
        image = file.read()
    if image[CRC] != checksum_of(image):
        raise ValueError
    return image


def connection(image: bytes = b"") -> sqlite3.Connection:
    """An index in memory, as a file holds it or an empty one. Raises :class:`sqlite3.Error`."""
    base = sqlite3.connect(":memory:", check_same_thread=False)
    if image:  # copied, as what is deserialized cannot grow beyond a gigabyte
        with closing(sqlite3.connect(":memory:")) as read:
            read.deserialize(image)
            read.backup(base)
    else:
        for table in TABLES:
            base.execute(table)
    return base

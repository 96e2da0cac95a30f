"""The files of a memory as such: their names, how they are opened and read, and what the head says of them."""

from __future__ import annotations

import errno
import json
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from memnet.errors import NetworkError

FORMAT = 3  # format 2 had neither notes nor deletions, format 1 no checksums either
HEAD, TEXT, ENDS, SCORES, LOCK = "memory.json", "sentences.txt", "ends.u64", "scores.f32", ".lock"
NOTES, TIMES, SOURCES, STRUCK, INDEX = "notes.bin", "times.txt", "sources.txt", "struck.u64", "index.sqlite"
DATA = (TEXT, ENDS, SCORES, NOTES, TIMES, SOURCES, STRUCK)
FILES = {1: DATA[:3], 2: DATA[:3], FORMAT: DATA}  # that a format has
END, SCORE, MARK = np.dtype("<u8"), np.dtype("<f4"), np.dtype("<u8")
NOTE = np.dtype([("when", "<u8"), ("source", "<u4"), ("line", "<u4")])  # places in TIMES and SOURCES plus one; 0 is none
RECORDS: dict[str, np.dtype[Any]] = {ENDS: END, SCORES: SCORE, NOTES: NOTE}  # of which a file has one a sentence
BLOCK = 1 << 20  # bytes that are read at once, a multiple of those of a record
MOST = 1 << 60  # sentences, or bytes
AGAIN = "take the text in again, into a new folder"


class Extent(NamedTuple):
    """How much of the files counts."""

    sentences: int = 0
    bytes: int = 0  # of the text
    statements: int = 0  # sentences that score above zero and are not struck
    whole: int = 0  # sentences of the texts that were taken in to their end
    times: int = 0  # bytes
    sources: int = 0  # bytes
    struck: int = 0  # marks of deletions
    crc32: tuple[int, ...] = (0,) * len(DATA)  # of the files, in the order of DATA

    def sizes(self) -> dict[str, int]:
        """Of every file, in bytes."""
        sizes = {name: self.sentences * record.itemsize for name, record in RECORDS.items()}
        more = {TEXT: self.bytes, TIMES: self.times, SOURCES: self.sources, STRUCK: self.struck * MARK.itemsize}
        return {name: (sizes | more)[name] for name in DATA}


SAID = {1: Extent._fields[:2], 2: Extent._fields[:4], FORMAT: Extent._fields[:-1]}  # numbers in a head, by its format
OLD = ("format", "retriever", *SAID[1])  # what the head of format 1 says


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


def remembered(sentences: int) -> str:
    """How many sentences are remembered, in words."""
    return f"{sentences:,} {'sentence is' if sentences == 1 else 'sentences are'} remembered"


def no_memory(folder: Path) -> str:
    """That a folder holds no memory, in the words of every command."""
    why = "is a file, and a memory is a folder" if folder.is_file() else "holds no memory"
    return f"{folder} {why}; 'memnet remember' makes one"


def blocks(file: BinaryIO, first: int, last: int) -> Iterator[bytes]:
    """The bytes of a file from ``first`` up to ``last``. Raises EOFError where it ends before."""
    file.seek(first)
    while first < last:
        block = file.read(min(BLOCK, last - first))
        if not block:
            raise EOFError
        first += len(block)
        yield block


def mapped(path: Path, record: np.dtype[Any], number: int) -> np.ndarray:
    """The first records of a file, read where they are looked at; none of an empty file."""
    return np.memmap(path, record, "r", shape=(number,)) if number else np.zeros(0, record)


def checksum(head: dict[str, Any]) -> int:
    """Of what a head says."""
    return zlib.crc32(json.dumps({name: head[name] for name in sorted(head) if name != "head_crc32"}).encode())


def parsed(head: bytes, identity: str) -> tuple[Extent, int]:
    """What a head says, and its format. Raises ValueError, KeyError, TypeError or RecursionError."""
    saved = json.loads(head)
    if not isinstance(saved, dict):
        raise ValueError("expected an object of JSON")
    form = saved["format"]
    if form not in SAID or (form == 1 and {*saved} != {*OLD}):
        raise ValueError(f"expected format {', '.join(map(str, reversed(SAID)))}")
    if form > 1 and saved["head_crc32"] != checksum(saved):
        raise ValueError(f"it was changed; {AGAIN}")
    if saved["retriever"] != identity:
        raise OtherRetriever(saved["retriever"])
    numbers = {name: saved[name] for name in SAID[form]}
    crc32 = tuple(saved["crc32"]) if form > 1 else (0,) * len(FILES[1])
    if not all(type(number) is int and 0 <= number < MOST for number in (*numbers.values(), *crc32)):
        raise ValueError(f"expected numbers of {', '.join(numbers)}")
    if len(crc32) != len(FILES[form]):
        raise ValueError(f"expected {len(FILES[form])} checksums")
    return Extent(**numbers, crc32=crc32 + (0,) * (len(DATA) - len(crc32))), form


class OtherRetriever(ValueError):
    """A head says that another retriever judged the sentences."""

"""Which sentences of a memory are struck: marks in the order in which they were made; the last one of a sentence holds.

A mark is a sentence's number and, in its two highest bits, what was done: struck, struck with its text wiped, or given back.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from memnet.memory.files import MARK

WIPED, BACK = 1 << 63, 1 << 62
NUMBER = BACK - 1


class Marks(NamedTuple):
    """The sentences that are struck, and those of them whose text is wiped; ascending."""

    struck: np.ndarray = np.zeros(0, np.int64)
    wiped: np.ndarray = np.zeros(0, np.int64)

    @classmethod
    def of(cls, data: bytes) -> Marks:
        """From a file's bytes."""
        marks = np.frombuffer(data, MARK)
        numbers = (marks & np.uint64(NUMBER)).astype(np.int64)
        found, last = np.unique(numbers[::-1], return_index=True)
        what = marks[::-1][last]
        return cls(found[(what & np.uint64(BACK)) == 0], found[(what & np.uint64(WIPED)) > 0])

    def within(self, sentences: int) -> Marks:
        """Those of the first sentences."""
        return Marks(*(each[each < sentences] for each in self))

    def strike(self, numbers: Iterable[int], wipe: bool) -> np.ndarray:
        """The marks that strike these sentences too; none for what is done already."""
        wanted = np.unique(np.fromiter(numbers, np.int64))
        new = np.setdiff1d(wanted, self.wiped if wipe else self.struck)
        return new.astype(MARK) | MARK.type(WIPED if wipe else 0)

    def give_back(self, sentences: int) -> np.ndarray:
        """The marks that strike no sentence from this number on, for these are gone, and others will have their numbers."""
        return self.struck[self.struck >= sentences].astype(MARK) | MARK.type(BACK)

    def alive(self, numbers: np.ndarray) -> np.ndarray:
        """Of these numbers, which are not struck, as a mask."""
        return ~np.isin(numbers, self.struck) if len(self.struck) else np.ones(len(numbers), bool)


def blanked(block: bytes, start: int, spans: np.ndarray) -> bytes:
    """A piece of the text from byte ``start`` on, in which spans of bytes (N, 2) are blank.

    >>> blanked(b"Mary left.\\nJohn left.\\n", 100, np.array([[90, 111]]))
    b'           John left.\\n'
    """
    inside = spans[(spans[:, 0] < start + len(block)) & (spans[:, 1] > start)] - start
    if not len(inside):
        return block
    changed = bytearray(block)
    for first, last in inside.clip(0, len(block)).tolist():
        changed[first:last] = b" " * (last - first)
    return bytes(changed)


def crc_of(pieces: Iterable[bytes], crc: int = 0) -> int:
    """The checksum of bytes that come in pieces, after what had a checksum."""
    for piece in pieces:
        crc = zlib.crc32(piece, crc)
    return crc

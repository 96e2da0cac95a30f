"""Sentences as the numbers that a network of facts reads, and its sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from memnet.reading.words import ASK, END, UNKNOWN, Word, Words

ROW, EMBEDDING, ENDING, CAPITAL, POSITION = range(5)
LONGEST = 40  # words of a sentence that are read
NEIGHBOURS = 2  # words on each side that a word sees before any attention
NO_WORD = -1


@dataclass(frozen=True)
class FactConfig:
    """Sizes of the network."""

    dim: int = 96
    heads: int = 4
    layers: int = 3
    hidden: int = 192
    hops: int = 2
    pointer_dim: int = 32
    vectors: int = 100

    def as_dict(self) -> dict[str, int]:
        """For config.json."""
        return asdict(self)


@cache
def _words() -> Words:
    return Words.load()


class Numbers:
    """Words as the network's numbers."""

    def __init__(self, hide: float = 0.0, swap: float = 0.0, random: Random | None = None) -> None:
        self.words, self.hide, self.swap, self.random = _words(), hide, swap, random

    def row(self, text: str, position: int, lower: bool) -> list[int]:
        """The five numbers of a word."""
        word: Word = self.words.find(text)
        if self.random is not None and word.embedding == 0 and word.row:
            roll = self.random.random()
            if roll < self.hide:
                word = word._replace(row=0, embedding=UNKNOWN)
            elif roll < self.hide + self.swap:
                word = self.words.find(self.words.texts[self.random.choice(self.words.near(word.row).tolist())])
        return [word.row, word.embedding, word.ending, int(text[0].isupper() and not lower), min(position, LONGEST + 1)]

    def sentence(self, words: Sequence[str], asks: bool, lower: bool = False) -> list[list[int]]:
        """A sentence of at most :data:`LONGEST` words; the first row stands before it."""
        rows = [self.row(text, place, lower) for place, text in enumerate(words[:LONGEST], 1)]
        return [[0, ASK if asks else END, 0, 0, 0], *rows]


def padded(rows: Sequence[Sequence[Sequence[int]]]) -> NDArray[np.int64]:
    """Sentences side by side, (B, L, 5)."""
    found = np.full((len(rows), max(map(len, rows)), 5), NO_WORD, np.int64)
    for number, one in enumerate(rows):
        found[number, : len(one)] = one
    return found

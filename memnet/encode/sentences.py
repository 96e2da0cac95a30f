"""A table of distinct sentences as word numbers, and the sizes of a network, without torch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.encode.vocabulary import Vocabulary

Integers = NDArray[np.int64]
EDGE = -1  # stands before the first and after the last word of a sentence in an n-gram


@dataclass(frozen=True)
class Sentences:
    """Distinct sentences: ``words (U, L)``, padded with 0, and ``lengths (U,)``."""

    words: Integers
    lengths: Integers

    def __repr__(self) -> str:
        return f"<Sentences: {len(self.words):,} distinct ones of at most {self.words.shape[1]} words>"

    @classmethod
    def of(cls, texts: Iterable[tuple[str, ...]], vocabulary: Vocabulary) -> Sentences:
        """A table of tuples of words."""
        numbers = [[vocabulary[word] for word in text] for text in texts] or [[]]
        table = np.zeros((len(numbers), max(1, *map(len, numbers), 1)), np.int64)
        for row, sentence in zip(table, numbers, strict=True):
            row[: len(sentence)] = sentence
        return cls(table, np.array([len(sentence) for sentence in numbers], np.int64))

    def ngrams(self, number: int, longest: int) -> list[tuple[int, ...]]:
        """The n-grams of 2 to ``longest`` words of a sentence, whose edges count as words."""
        told = [EDGE, *self.words[number, : self.lengths[number]].tolist(), EDGE]
        return [tuple(told[i : i + n]) for n in range(2, longest + 1) for i in range(len(told) - n + 1)]


LISTS = ("grams", "answers", "groups", "lists")  # sizes that are no numbers


class Sizes(NamedTuple):
    """What a network must know of the questions that it is trained on (the validation part is not among them)."""

    vocabulary: int  # V, words and answers
    ages: int  # S, the most statements before a question, at most the memory's size
    longest: int  # words of the longest sentence or question
    answer: int = 1  # A, words of the longest answer, 1 where an answer is one entry
    listed: int = 0  # the most supporting facts of a question
    grams: tuple[tuple[int, ...], ...] = ()  # n-grams of word numbers
    entities: int = 0  # the last entries of the vocabulary are so many markers of names
    answers: tuple[int, ...] = ()  # the entries that are answers, for a network that has a part for each
    groups: tuple[tuple[int, ...], ...] = ()  # entries that are interchangeable words, which are named in order
    lists: tuple[tuple[int, ...], ...] = ()  # of each entry those of them that it lists, itself where it is one

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}={size}" for name, size in self._asdict().items() if name not in LISTS)
        return f"<Sizes {sizes}; {len(self.grams):,} n-grams>"

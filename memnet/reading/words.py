"""Words as a reader sees them: a vector, a lemma, and how much it says that two sentences share one.

    word = Words.load().find("Suitcases")
    word.row      a row of ``vectors``, 0 for a word that has none
    word.lemma    "suitcase": what equal words share
    word.weight   0 for "the", 1 for "suitcase": by how common the lemma is

The vectors are GloVe's of the 40,000 most frequent words (Pennington et al. 2014; public domain, see LICENSES.md), a byte a
number with a scale a word. ``scripts/make_words.py`` makes the file.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.tasks.text.tokens import NUMBER_WORDS

FILE = Path(__file__).with_name("words.npz")
FREQUENT = 600  # so many of the most frequent words have an embedding of their own beside their vector
ENDINGS = 256  # a word that is not frequent is also known by a number of its last three letters
NEAR = 9  # words, itself among them
LEAST, MOST = 15, 1500  # ranks of lemmas that say nothing, and all, of what two sentences share
NUMBER, UNKNOWN, END, ASK = FREQUENT + 1, FREQUENT + 2, FREQUENT + 3, FREQUENT + 4
EMBEDDINGS = FREQUENT + 5


class Word(NamedTuple):
    """One word; ``embedding`` and ``ending`` are rows of learned tables."""

    row: int
    embedding: int
    ending: int
    lemma: str
    weight: float


@dataclass(frozen=True, eq=False)
class Words:
    """The words that have vectors; row 0 of ``vectors (1 + words, 100)`` is zeros."""

    vectors: NDArray[np.float32]
    rows: dict[str, int]
    texts: list[str]
    lemmas: NDArray[np.int32]  # of each row: the row of its lemma

    @classmethod
    def load(cls, path: Path = FILE) -> Words:
        """The words of the package, or of another file that ``scripts/make_words.py`` wrote."""
        return _load(path)

    @cached_property
    def units(self) -> NDArray[np.float32]:
        """The vectors at length 1."""
        return self.units_of(slice(None))

    def units_of(self, rows: NDArray[np.integer[Any]] | slice) -> NDArray[np.float32]:
        """The vectors of some rows at length 1."""
        vectors = self.vectors[rows]
        return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6), np.float32)

    @cached_property
    def inflected(self) -> dict[str, frozenset[str]]:
        """The words of each lemma, itself among them: "saw", "seen" and others of "see"."""
        found = dict[str, set[str]]()
        for text, lemma in zip(self.texts, self.lemmas.tolist(), strict=True):
            found.setdefault(self.texts[lemma], set()).add(text)
        return {lemma: frozenset(texts) for lemma, texts in found.items()}

    def near(self, row: int) -> NDArray[np.int64]:
        """The rows of the words whose vectors are nearest to that of a row."""
        return _near(self, row)

    def find(self, text: str) -> Word:
        """A word by its text, in whatever case."""
        return _find(self, text)


@lru_cache(maxsize=2)
def _load(path: Path) -> Words:
    with np.load(path) as file:
        texts = ["", *file["words"].tobytes().decode("utf-8").split("\n")]
        numbers, scales, lemmas = file["vectors"], file["scales"].astype(np.float32), file["lemmas"].astype(np.int32)
    vectors = np.zeros((len(texts), numbers.shape[1]), np.float32)
    np.multiply(numbers, scales[:, None], out=vectors[1:])
    return Words(vectors, {text: row for row, text in enumerate(texts)}, texts, lemmas)


@lru_cache(maxsize=50_000)
def _near(words: Words, row: int) -> NDArray[np.int64]:
    return np.argpartition(-(words.units @ words.units[row]), NEAR)[:NEAR]


@lru_cache(maxsize=200_000)
def _find(words: Words, text: str) -> Word:
    low = text.lower().replace("’", "'")
    if low.isdecimal() and int(low) < len(NUMBER_WORDS):
        low = NUMBER_WORDS[int(low)]
    ending = 1 + zlib.crc32(low[-3:].encode()) % ENDINGS
    row = words.rows.get(low, 0)
    if row == 0:
        embedding = NUMBER if low[:1].isdigit() else UNKNOWN
        return Word(0, embedding, ending if embedding == UNKNOWN else 0, unknown_lemma(low), 1.0)
    lemma = int(words.lemmas[row])
    weight = min(1.0, max(0.0, math.log(lemma / LEAST) / math.log(MOST / LEAST)))
    return Word(row, row if row <= FREQUENT else 0, 0 if row <= FREQUENT else ending, words.texts[lemma], weight)


def unknown_lemma(low: str) -> str:
    """A word that has no vector, without what marks a plural."""
    if len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is")):
        return low[:-1]
    return low

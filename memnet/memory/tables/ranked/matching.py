"""How much the words of a question ask for a column, or mean the rows with one of its cells, in whatever words.

words     each with its two neighbours, by their vectors: a key and a value
a column  its header, its cells and what they are: a query, and what the words are read for
a cell    its column, its words, and whether it is empty, any, yes or no: the same
match     r . w / sqrt(D), r the words' values that the query reads, score x align x read

"What did the urn fetch?" asks for a column called Hammer; "which ones nobody wanted" means the cells "US" of a column called
Result. Learned from how people ask for thousands of columns (`tasks/spreadsheets/columns`), by ``scripts/make_tables.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memnet.errors import NetworkError
from memnet.infer.attention import attend, scaled_dot
from memnet.memory.tables.cells import DATE, MONEY, NO, NUMBER, TEXT, WHETHER, YES
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import words_of_cell
from memnet.packing import read_weights
from memnet.reading.words import Words

Array = NDArray[np.float32]
Rows = NDArray[np.int64]
WEIGHTS = Path(__file__).with_name("matcher.safetensors")  # made by scripts/make_tables.py
NAMES = (
    "words.weight", "words.bias",
    *(f"{side}.{layer}" for side in ("column", "cell") for layer in (
        "first.weight", "first.bias", "second.weight", "second.bias", "straight.weight")),
)  # fmt: skip
NAMED = -1  # the row of a word that names a cell
ANY = "*"  # any cell that is not empty
KINDS = (TEXT, DATE, MONEY, NUMBER, WHETHER)
VECTOR, LENGTH = 100, 8.0  # of a word's vector
COLUMN = 2 * VECTOR + len(KINDS) + 6
CELL = COLUMN + VECTOR + 4
LOOKED_AT = 24  # cells of a column whose words are looked at


@cache
def vectors() -> Array:
    """Of all words, (1 + words, 100), with zeros for what has none."""
    return Words.load().units * np.float32(LENGTH)


def mean_of(words: Iterable[str]) -> Array:
    """The mean of the vectors of words that have one, (100,)."""
    rows = [row for word in words if (row := Words.load().find(word).row)]
    found: Array = vectors()[rows].mean(0) if rows else np.zeros(VECTOR, np.float32)
    return found


@lru_cache(1 << 12)
def column_features(column: Column) -> Array:
    """(COLUMN,) of its header, its cells and what they are."""
    cells = [word for cell in column.distinct[:LOOKED_AT] for word in words_of_cell(cell) if word.isalpha()]
    is_of = [*(column.kind == one for one in KINDS), column.likeness_to_people > 0, column.is_place, column.is_notes]
    is_of += [column.is_ticked, column.is_verdict, column.is_amount]
    return np.concatenate([mean_of(column.words), mean_of(cells), np.array(is_of, np.float32)])


@lru_cache(1 << 14)
def cell_features(column: Column, cell: str) -> Array:
    """(CELL,) of a cell of a column: "" for the empty ones, :data:`ANY` for all others."""
    told = cell not in ("", ANY)
    is_of = [cell == "", cell == ANY, told and cell.lower() in YES, told and cell.lower() in NO]
    words = mean_of(words_of_cell(cell) if told else ())
    return np.concatenate([column_features(column), words, np.array(is_of, np.float32)])


def row_of(word: str) -> int:
    """The row of a word's vector; 0 where it has none."""
    return Words.load().find(word).row


class Matcher:
    """A trained matcher. ``weights`` as :data:`NAMES` has them; D the width of keys and values."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self.dim = len(weights["words.bias"]) // 2

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Matcher:
        """From a file of weights. Raises :class:`~memnet.errors.NetworkError`."""
        return _loaded(path)

    def asked(self, questions: Rows, columns: Sequence[Column]) -> Array:
        """How much each question asks for each column, (Q, words) -> (Q, columns)."""
        return self.match(questions, "column", np.stack([column_features(one) for one in columns]))

    def meant(self, questions: Rows, cells: Sequence[tuple[Column, str]]) -> tuple[Array, Array]:
        """How much each question means each cell, (Q, cells), and how much of that each word says, (Q, cells, words)."""
        return self.trace(questions, "cell", np.stack([cell_features(*one) for one in cells]))

    def match(self, questions: Rows, side: str, features: Array) -> Array:
        """The first of :meth:`trace`."""
        return self.trace(questions, side, features)[0]

    def trace(self, questions: Rows, side: str, features: Array) -> tuple[Array, Array]:
        """``questions (Q, words)``, ``features (C, width)`` -> matches (Q, C) and the weights of the words (Q, C, words)."""
        keys, values = np.split(self.words(questions), 2, -1)
        query, wanted = np.split(self.side(side, features), 2, -1)
        trace = attend(np.broadcast_to(query, (len(questions), *query.shape)), keys, values, scaled_dot)
        return (trace.output * wanted).sum(-1) / np.float32(self.dim**0.5), trace.weights

    def words(self, questions: Rows) -> Array:
        """Keys and values of each word with its neighbours, (Q, words) -> (Q, words, 2 D)."""
        named = (questions == NAMED)[..., None]
        vector = np.where(named, np.float32(0), vectors()[questions])
        beside = np.pad(vector, ((0, 0), (1, 1), (0, 0)))
        every = np.concatenate([beside[:, :-2], vector, beside[:, 2:], named.astype(np.float32)], -1)
        found: Array = np.maximum(every @ self.weights["words.weight"].T + self.weights["words.bias"], 0)
        return found

    def side(self, name: str, features: Array) -> Array:
        """The query of each column or cell, and what it reads words for, (C, width) -> (C, 2 D)."""
        part = {one: self.weights[f"{name}.{one}"] for one in ("first.weight", "first.bias", "second.weight", "second.bias")}
        hidden = np.maximum(features @ part["first.weight"].T + part["first.bias"], 0)
        found: Array = (
            hidden @ part["second.weight"].T + part["second.bias"] + features @ self.weights[f"{name}.straight.weight"].T
        )
        return found


@cache
def _loaded(path: Path) -> Matcher:
    arrays = read_weights(path)
    if {*arrays} != {*NAMES}:
        raise NetworkError(f"{path} holds no matcher: expected the tensors {', '.join(NAMES)}")
    return Matcher({name: arrays[name] for name in NAMES})

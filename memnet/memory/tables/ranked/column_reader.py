"""Which column of a table a question asks for, by a small reader of ordinary English that sees headers and some cells.

    asked(["When does Truffle need the next jab?".split()], columns)   ->   0.97 of "Vacc. due"

It is a :class:`~memnet.reading.in_numpy.Reader` whose statements are columns. It learned from how people ask for thousands of
columns (``scripts/make_column_reader.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memnet.infer.attention import normalized
from memnet.memory.tables.table import Column
from memnet.reading.answers import UNTOLD, TrainedReader
from memnet.reading.arrays import Arrays
from memnet.reading.in_numpy import Story
from memnet.reading.tokens import encode
from memnet.tasks.text.tokens import split

FOLDER = Path(__file__).with_name("network")
SHOWN, LONGEST = 3, 6  # cells of a column that are shown, and words of each
LONGEST_HEADER = 8  # words


def described(column: Column) -> tuple[str, ...]:
    """A column as the words of a statement: its header, then some different cells.

    >>> " ".join(described(Column(1, "Vacc. due", ("19 Jan", "11 Aug"))))
    'vacc due : 19 Jan ; 11 Aug'
    """
    return shown(headed(column), column.distinct[:SHOWN])


def headed(column: Column) -> tuple[str, ...]:
    """The words of a column's header, and of its unit."""
    return (*column.words, *split(column.unit))[:LONGEST_HEADER] or ("column",)


def shown(header: Sequence[str], cells: Sequence[str]) -> tuple[str, ...]:
    """The words of a header and of some cells as those of a statement."""
    found = [word for cell in cells if (told := split(cell)) for word in (";", *told[:LONGEST])]
    return (*header, ":", *found[1:])


class ColumnReader:
    """The reader of the package."""

    def __init__(self, trained: TrainedReader) -> None:
        self.reader, self.words = trained.reader, trained.words
        self.read: dict[tuple[tuple[str, ...], ...], Story] = {}  # the last table

    @staticmethod
    @cache
    def load() -> ColumnReader:
        """From the package's folder. Raises :class:`~memnet.errors.NetworkError`."""
        return ColumnReader(TrainedReader.load(FOLDER))

    def asked(self, questions: Sequence[Sequence[str]], columns: Sequence[Column]) -> NDArray[np.float32]:
        """The probability of each column that a question asks for it, of the words of Q questions, (Q, columns).

        Those of a question add up to the probability that it asks for one of them.
        """
        if not questions or not columns:
            return np.zeros((len(questions), len(columns)), np.float32)
        told = tuple(described(one) for one in columns)
        encoded = encode(told, [(one, len(told)) for one in questions], self.words)
        arrays = Arrays.of([encoded], np.random.default_rng(0), self.reader.config.marker_dim)
        if told not in self.read:  # a table is read once for all questions
            self.read = {told: self.reader.read(arrays)}
        output = self.reader(arrays, self.read[told])
        answerable = 1.0 - normalized(output.answer[0])[:, UNTOLD]
        found = np.zeros((len(questions), len(columns)), np.float32)
        np.add.at(found.T, arrays.statement[0], np.exp(output.evidence[0]).T)
        return answerable[:, None] * found

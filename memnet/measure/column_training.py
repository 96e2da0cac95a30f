"""Train the matcher of a question's words and a table's columns, from how people ask for many columns.

A line of the files is a column: its header, some cells, ways to ask for a cell of it, and to mean the rows with one of these:

{"about": "auction lots", "column": "Hammer", "cells": ["£2,600", ""], "asks": ["what did {row} go for"],
 "filters": [["", ["that didn't sell"]]]}

``{row}`` and ``{who}`` stand for names; "" are empty cells, and "*" all others.

The network learns to choose the column that a question asks for, and the cell that a phrase means, among others (softmax,
cross-entropy). Some questions have a phrase of another column before or behind them: "what did the lots fetch that came late".
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Attention, scaled_dot, softmax, weighted_sum
from memnet.errors import ConfigError
from memnet.files import write_arrays
from memnet.memory.tables.ranked.matching import CELL, COLUMN, NAMED, Matcher, cell_features, column_features, row_of, vectors
from memnet.memory.tables.table import Column
from memnet.memory.tables.wording import Question

SLOT = re.compile(r"\{\w+\}")  # stands for a name
SAME = 4  # other cells of the same column among which one is to be chosen, at most


@dataclass(frozen=True)
class MatcherCourse:
    """How a matcher is trained."""

    dim: int = 64
    hidden: int = 128
    epochs: int = 8
    batch: int = 64
    together: float = 0.4  # share of the questions that have a phrase of another column beside them
    lr: float = 3e-3
    weight_decay: float = 1e-2
    dropout: float = 0.15
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Asking:
    """A column, and how people ask for it: rows of words."""

    features: Tensor  # (COLUMN,)
    asks: list[list[int]]
    cells: list[tuple[Tensor, list[list[int]]]]  # (CELL,), and what means it


def read_columns(path: Path) -> list[Asking]:
    """The columns of a file. Raises :class:`~memnet.errors.ConfigError` for a line that is none."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [asking(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]


def asking(line: str, where: str) -> Asking:
    """One line of a file."""
    try:
        given = json.loads(line)
        column = Column(1, given["column"], tuple(given["cells"]))
        asks, filters = [words(one) for one in given["asks"]], given["filters"]
        cells = [
            (torch.from_numpy(cell_features(column, cell)), [said for one in means if (said := words(one))])
            for cell, means in filters
        ]
        features = torch.from_numpy(column_features(column))
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{where}: expected a column with cells, asks and filters as JSON: {error}") from error
    return Asking(features, [*filter(None, asks)], [one for one in cells if one[1]])


def words(text: str) -> list[int]:
    """The rows of the words of a question.

    >>> words("who has {row}")[2] == NAMED
    True
    """
    found, end = list[int](), 0
    for slot in SLOT.finditer(text):
        found += [*(row_of(one.low) for one in Question.of(text[end : slot.start()]).tokens), NAMED]
        end = slot.end()
    return found + [row_of(one.low) for one in Question.of(text[end:]).tokens]


class Side(nn.Module):
    """Features of a column or a cell -> its query, and what it reads words for, 2 D."""

    def __init__(self, size: int, course: MatcherCourse) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(size, course.hidden), nn.Linear(course.hidden, 2 * course.dim)
        self.straight = nn.Linear(size, 2 * course.dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """(..., size) -> (..., 2 D)."""
        found: Tensor = self.second(torch.relu(self.first(x))) + self.straight(x)
        return found


class Matching(nn.Module):
    """The network of :class:`~memnet.memory.tables.ranked.matching.Matcher`, in training."""

    vectors: Tensor

    def __init__(self, course: MatcherCourse) -> None:
        super().__init__()
        known = torch.from_numpy(vectors())
        self.register_buffer("vectors", torch.cat([known, torch.zeros(1, known.shape[1])]), persistent=False)
        self.words = nn.Linear(3 * known.shape[1] + 1, 2 * course.dim)
        self.column, self.cell = Side(COLUMN, course), Side(CELL, course)
        self.attend, self.drop = Attention(scaled_dot, softmax, weighted_sum), nn.Dropout(course.dropout)

    def forward(self, questions: Sequence[Sequence[int]], side: nn.Module, features: Tensor) -> Tensor:
        """B questions beside the features of C columns or cells ``(C, size)`` -> matches (B, C)."""
        rows = nn.utils.rnn.pad_sequence([torch.tensor(one) for one in questions], True, 0)
        there = torch.arange(rows.shape[1]) < torch.tensor([[len(one)] for one in questions])
        beside = F.pad(self.vectors[rows] * there.unsqueeze(2), (0, 0, 1, 1))
        every = self.drop(torch.cat([beside[:, :-2], beside[:, 1:-1], beside[:, 2:]], 2))
        every = torch.cat([every, (rows == NAMED).unsqueeze(2).float()], 2)
        keys, values = self.drop(torch.relu(self.words(every))).chunk(2, -1)
        query, wanted = side(self.drop(features)).expand(len(rows), -1, -1).chunk(2, -1)
        trace = self.attend(query, keys, values, mask=there.unsqueeze(1))
        found: Tensor = (trace.output * wanted).sum(-1) * query.shape[-1] ** -0.5
        return found


class Teacher:
    """Columns in training: their features, the questions that ask for them and the phrases that mean their cells."""

    def __init__(self, columns: Sequence[Asking], course: MatcherCourse) -> None:
        self.course, self.random = course, Random(course.seed)
        self.columns = torch.stack([one.features for one in columns])
        self.asks = [(at, said) for at, one in enumerate(columns) for said in one.asks]
        self.of_column, self.column_of = list[list[int]](), list[int]()
        features, self.means = list[Tensor](), list[tuple[int, int, list[int]]]()
        for at, one in enumerate(columns):
            self.of_column.append([len(features) + place for place in range(len(one.cells))])
            for cell, means in one.cells:
                self.means += [(at, len(features), said) for said in means]
                self.column_of.append(at)
                features.append(cell)
        self.cells = torch.stack(features)

    def loss(self, net: Matching, some: Sequence[tuple[int, list[int]]]) -> Tensor:
        """Cross-entropy of choosing the column of each question, and the cell of as many phrases, some of them side by side.

        The choice is among the columns of the batch, and among its cells and the others of their columns.
        """
        said, means, cells = [], [], []
        for _, asked in some:
            _, right, meant = self.random.choice(self.means)
            both = self.random.random() < self.course.together
            order = [asked, meant] if self.random.random() < 0.5 else [meant, asked]
            said.append(order[0] + order[1] if both else asked)
            means.append(said[-1] if both else meant)
            cells.append(right)
        columns, column = torch.tensor([right for right, _ in some]).unique(return_inverse=True)
        every = torch.tensor(sorted({other for right in cells for other in self.beside(right)}))
        of_columns = F.cross_entropy(net(said, net.column, self.columns[columns]), column)
        return of_columns + F.cross_entropy(
            net(means, net.cell, self.cells[every]), torch.searchsorted(every, torch.tensor(cells))
        )

    def beside(self, cell: int) -> list[int]:
        """A cell and the others of its column, not all of many."""
        return [cell, *[one for one in self.of_column[self.column_of[cell]] if one != cell][:SAME]]


def train_matcher(columns: Sequence[Asking], course: MatcherCourse) -> Matcher:
    """Train on columns."""
    torch.manual_seed(course.seed)
    net, teacher = Matching(course), Teacher(columns, course)
    adam = torch.optim.AdamW(net.parameters(), course.lr, weight_decay=course.weight_decay)
    starts = range(0, len(teacher.asks), course.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, course.lr, total_steps=course.epochs * len(starts))
    for _ in range(course.epochs):
        teacher.random.shuffle(teacher.asks)
        for start in starts:
            adam.zero_grad()
            teacher.loss(net, teacher.asks[start : start + course.batch]).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            adam.step()
            schedule.step()
    return Matcher({name: value.numpy() for name, value in net.eval().state_dict().items()})


def first_of(matcher: Matcher, columns: Sequence[Asking], others: int, seed: int = 0) -> tuple[float, float]:
    """How often the right column is chosen among so many others, drawn for each question, and the right cell among as many.

    The cells are first those of its column, which are the hardest. The columns should not have been learned from.
    """
    teacher, random = Teacher(columns, MatcherCourse(seed=seed)), Random(seed)

    def share(asked: Sequence[tuple[list[int], list[int]]], side: str, features: Tensor) -> float:
        """Of questions with candidates, of which the first is right, filled up by others that are drawn."""
        right = []
        for first, said in asked:
            drawn = random.sample(range(len(features)), min(len(features), others + 1))
            some = [*first, *(one for one in drawn if one not in first)][: others + 1]
            match = matcher.match(np.array([said]), side, features[some].numpy())[0]
            right.append(bool(match[0] > match[1:].max()))
        return float(np.mean(right)) if right else 0.0

    of_columns = share([([at], said) for at, said in teacher.asks], "column", teacher.columns)
    return of_columns, share([(teacher.beside(at), said) for _, at, said in teacher.means], "cell", teacher.cells)


def save_matcher(matcher: Matcher, path: Path) -> None:
    """Weights in 16 bits."""
    write_arrays(path, {name: np.asarray(value, np.float16) for name, value in matcher.weights.items()})

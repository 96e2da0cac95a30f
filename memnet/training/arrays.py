"""What the compiled loop of :mod:`memnet.training.kernel` computes with: tuples of arrays.

U distinct sentences of L words, N questions about M memories at most, B of them in a batch that has U' distinct statements;
V words, S ages, and matrices of width D, padded by zeros; W is the width of all of them side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class Sentences(NamedTuple):
    """Distinct sentences: word j counts ``first[j] + second[j] * factor``."""

    words: Ints  # (U, L)
    first: Floats  # (U, L)
    second: Floats  # (U, L)
    lengths: Ints  # (U,)


class Data(NamedTuple):
    """What networks learn from."""

    statements: Sentences
    questions: Sentences
    question: Ints  # (N,)
    memory: Ints  # (N, M)
    counts: Ints  # (N,)
    answer: Ints  # (N,)


class Shape(NamedTuple):
    """Of a network, and how it is trained."""

    dim: int
    words: int  # V, the rows before those of ages
    ages: int
    key: Ints  # (hops,)  matrices
    value: Ints  # (hops,)
    asked: int
    answer: int
    factor: Floats  # (W,)
    temporal: bool
    null: bool
    relu: bool
    mapped: bool  # whether the state passes through a matrix between hops
    clip: float
    clip_network: bool


class Room(NamedTuple):
    """Where a step of one network is computed. Between steps the gradients of rows, answers and map are zero."""

    listed: Ints  # (U',)  the statements of the batch
    place: Ints  # (U,)  where one of them stands in the list
    touched: Ints  # (V + S,)  the rows that have a gradient
    at: Ints  # (V + S,)  where one of them stands in the list
    slot: Ints  # (B, M)  of a memory, its place in the list of statements
    age: Ints  # (B, M)
    encoded: Floats  # (U', W)
    of_encoded: Floats  # (U', W)  the gradient, and so below
    asked: Floats  # (B, W)
    of_asked: Floats  # (B, W)
    memory: Floats  # (B, M, W / D, D)
    of_memory: Floats  # (M, W / D, D)
    of_weight: Floats  # (M,)
    weights: Floats  # (B, hops, M)
    state: Floats  # (B, hops + 1, D)
    of_state: Floats  # (B, D)
    scores: Floats  # (B, blocks, V / blocks)
    answers: Floats  # (D before it was padded, blocks, V / blocks)  a block's vectors stay in the nearest cache
    of_answers: Floats  # the same
    of_rows: Floats  # (V + S, W)
    of_map: Floats  # (D, D)

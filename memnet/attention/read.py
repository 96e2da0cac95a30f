"""Reads: what comes back from the memory, (..., Q, M) weights x (..., M, Dv) values -> (..., Q, Dv).

A memory of weight zero changes nothing. ``read.prepare(value)``, where a read has it, does what does not depend on the
weights once and returns the function from weights to output. ``READS[name](value_dim, random)`` makes a read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor, nn

from memnet.attention.rows import Rows, gathered, row_at
from memnet.nn.modules import GRUCell, Linear
from memnet.nn.random import Random
from memnet.nn.recurrence import Cell, by_gate, last

Read = Callable[[Tensor, Tensor | Rows], Tensor]


def weighted_sum(weights: Tensor, value: Tensor | Rows) -> Tensor:
    """The mean of the values under the weights, o = sum_i p_i c_i (Sukhbaatar et al. 2015, eq. 2)."""
    if isinstance(value, Rows):
        return value.mix(weights)
    return weights @ value


def pick_row(value: Tensor | Rows, place: Tensor) -> Tensor:
    """The weighted sum of weights that are one at ``place (..., Q)`` and zero elsewhere: that row, zeros for a place of -1."""
    return row_at(value, place.clamp(min=0)) * (place >= 0).unsqueeze(-1)


class InOrder(nn.Module):
    """A gated recurrent network that reads the memories in order; its weights are gates. Every query has its own state."""

    input: Linear
    hidden: Linear

    def prepare(self, value: Tensor | Rows) -> Callable[[Tensor], Tensor]:
        """The products of the values, once, (..., M, Dv); returns (..., Q, M) -> (..., Q, Dv)."""
        return partial(read_in_order, self, by_gate(gathered(value).movedim(-2, 1), self))

    def forward(self, weights: Tensor, value: Tensor | Rows) -> Tensor:
        """(..., Q, M), (..., M, Dv) -> (..., Q, Dv)."""
        return self.prepare(value)(weights)


def read_in_order(cell: Cell, products: list[Tensor], weights: Tensor) -> Tensor:
    """The last state after M memories, from ``products (R, M, ..., D)`` and gates (R, ..., Q, M): (R, ..., Q, D)."""
    queries = weights.shape[-2]
    steps = [part.unsqueeze(-2).expand(*part.shape[:-1], queries, -1).flatten(2, -2) for part in products]
    state = last(steps, cell.hidden, weights.movedim(-1, 1).flatten(2))
    return state.view(*weights.shape[:-1], state.shape[-1])


class GatedGRU(InOrder):
    """h_i = g_i GRU(c_i, h_{i-1}) + (1 - g_i) h_{i-1}, h_0 = 0, output h_M (Kumar et al. 2016, section 2.3)."""

    def __init__(self, value_dim: int, random: Random) -> None:
        super().__init__()
        cell = GRUCell(value_dim, value_dim, random)
        self.input, self.hidden = cell.input, cell.hidden


class AttentionGRU(InOrder):
    """A GRU whose update gate is the weight of its input, h_0 = 0, output h_M (Xiong et al. 2016, eq. 11).

    r_i = sigmoid(W_r c_i + U_r h_{i-1} + b_r), n_i = tanh(W c_i + r_i * (U h_{i-1} + d) + b)
    h_i = g_i n_i + (1 - g_i) h_{i-1}

    As in :class:`~memnet.nn.modules.GRUCell` the product with the state has biases of its own.
    """

    def __init__(self, value_dim: int, random: Random) -> None:
        super().__init__()
        self.input = Linear(value_dim, 2 * value_dim, random)
        self.hidden = Linear(value_dim, 2 * value_dim, random)


def prepare_read(read: Any, value: Any) -> Callable[[Tensor], Tensor]:
    """``read.prepare(value)``, or the read with its value where it has nothing to prepare."""
    return read.prepare(value) if hasattr(read, "prepare") else lambda weights: read(weights, value)


def plain_sum(value_dim: int, random: Random) -> Read:
    """:func:`weighted_sum`, which has no parameters."""
    return weighted_sum

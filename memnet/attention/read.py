"""Reads: what comes back from the memory, (..., Q, M) weights x (..., M, Dv) values -> (..., Q, Dv).

``READS[name](value_dim, random)`` makes a read. A memory of weight zero changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from memnet.attention.rows import Rows, gathered
from memnet.recurrence import read_in_order
from memnet.replicated import GRUCell, Linear, Random

Read = Callable[[Tensor, Tensor | Rows], Tensor]


def weighted_sum(weights: Tensor, value: Tensor | Rows) -> Tensor:
    """The mean of the values under the weights, o = sum_i p_i c_i (Sukhbaatar et al. 2015, eq. 2)."""
    if isinstance(value, Rows):
        return value.mix(weights)
    return weights @ value


class GatedGRU(nn.Module):
    """h_i = g_i GRU(c_i, h_{i-1}) + (1 - g_i) h_{i-1}, h_0 = 0, output h_M (Kumar et al. 2016, section 2.3).

    The gates g are the weights. Every query reads the memories in order, with its own state.
    """

    def __init__(self, value_dim: int, random: Random) -> None:
        super().__init__()
        cell = GRUCell(value_dim, value_dim, random)
        self.input, self.hidden = cell.input, cell.hidden

    def forward(self, weights: Tensor, value: Tensor | Rows) -> Tensor:
        """(..., Q, M), (..., M, Dv) -> (..., Q, Dv)."""
        return read_in_order(gathered(value), self, weights)


class AttentionGRU(nn.Module):
    """A GRU whose update gate is the weight of its input, h_0 = 0, output h_M (Xiong et al. 2016, eq. 11).

    r_i = sigmoid(W_r c_i + U_r h_{i-1} + b_r), n_i = tanh(W c_i + r_i * (U h_{i-1} + d) + b)
    h_i = g_i n_i + (1 - g_i) h_{i-1}

    As in :class:`~memnet.replicated.GRUCell` the product with the state has biases of its own.
    """

    def __init__(self, value_dim: int, random: Random) -> None:
        super().__init__()
        self.input = Linear(value_dim, 2 * value_dim, random)
        self.hidden = Linear(value_dim, 2 * value_dim, random)

    def forward(self, weights: Tensor, value: Tensor | Rows) -> Tensor:
        """(..., Q, M), (..., M, Dv) -> (..., Q, Dv)."""
        return read_in_order(gathered(value), self, weights)


def plain_sum(value_dim: int, random: Random) -> Read:
    """:func:`weighted_sum`, which has no parameters."""
    return weighted_sum


READS: dict[str, Callable[[int, Random], Read]] = {
    "weighted_sum": plain_sum,
    "gated_gru": GatedGRU,
    "attention_gru": AttentionGRU,
}

"""Reads: what comes back from the memory, (..., Q, M) weights x (..., M, Dv) values -> (..., Q, Dv)."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from memnet.attention.rows import Rows

Read = Callable[[Tensor, Tensor | Rows], Tensor]


def weighted_sum(weights: Tensor, value: Tensor | Rows) -> Tensor:
    """The mean of the values under the weights, o = sum_i p_i c_i (Sukhbaatar et al. 2015, eq. 2)."""
    if isinstance(value, Rows):
        return value.mix(weights)
    return weights @ value


READS: dict[str, Read] = {"weighted_sum": weighted_sum}

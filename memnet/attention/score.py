"""Scores: how well each memory's key answers a query, (..., Q, Dq) x (..., M, Dk) -> (..., Q, M)."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from memnet.attention.rows import Rows

Score = Callable[[Tensor, Tensor | Rows], Tensor]


def dot(query: Tensor, key: Tensor | Rows) -> Tensor:
    """Inner product, q . k (Sukhbaatar et al. 2015, eq. 1; Luong et al. 2015, "dot")."""
    if isinstance(key, Rows):
        return key.inner(query)
    return query @ key.transpose(-1, -2)


SCORES: dict[str, Score] = {"dot": dot}

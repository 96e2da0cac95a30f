"""Scores: how well each memory's key answers a query, (..., Q, Dq) x (..., M, Dk) -> (..., Q, M).

A key's logit depends on that key and the query alone. ``SCORES[name](query_dim, key_dim, random)``
makes a score; its parameters, if it has any, are drawn from ``random`` and start with R.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from memnet.attention.rows import Rows, gathered
from memnet.replicated import Linear, Random

Score = Callable[[Tensor, Tensor | Rows], Tensor]


def dot(query: Tensor, key: Tensor | Rows) -> Tensor:
    """Inner product, q . k (Sukhbaatar et al. 2015, eq. 1; Luong et al. 2015, "dot")."""
    if isinstance(key, Rows):
        return key.inner(query)
    return query @ key.transpose(-1, -2)


def scaled_dot(query: Tensor, key: Tensor | Rows) -> Tensor:
    """q . k / sqrt(D) (Vaswani et al. 2017, eq. 1)."""
    return dot(query / math.sqrt(query.shape[-1]), key)


class General(nn.Module):
    """q^T W k (Luong et al. 2015, eq. 8, "general"), W (R, Dq, Dk)."""

    def __init__(self, query_dim: int, key_dim: int, random: Random) -> None:
        super().__init__()
        self.bilinear = Linear(query_dim, key_dim, random, bias=False)

    def forward(self, query: Tensor, key: Tensor | Rows) -> Tensor:
        """(..., Q, Dq), (..., M, Dk) -> (..., Q, M)."""
        return dot(self.bilinear(query), key)


class Concat(nn.Module):
    """v^T tanh(W q + U k + b), the additive score (Bahdanau et al. 2015, appendix A.1.2; Luong et al. 2015, eq. 8, "concat").

    W (R, Dq, E), U (R, Dk, E), b and v (R, E); E = Dk unless ``hidden`` says otherwise.
    """

    def __init__(self, query_dim: int, key_dim: int, random: Random, hidden: int | None = None) -> None:
        super().__init__()
        width = key_dim if hidden is None else hidden
        self.query = Linear(query_dim, width, random, bias=False)
        self.key = Linear(key_dim, width, random)
        self.out = Linear(width, 1, random, bias=False)

    def forward(self, query: Tensor, key: Tensor | Rows) -> Tensor:
        """(..., Q, Dq), (..., M, Dk) -> (..., Q, M)."""
        hidden = self.query(query).unsqueeze(-2) + self.key(gathered(key)).unsqueeze(-3)  # (..., Q, M, E)
        logits: Tensor = self.out(hidden.tanh())  # (..., Q, M, 1)
        return logits.squeeze(-1)


class Interaction(nn.Module):
    """W2 tanh(W1 z(c, m, q) + b1) + b2, the gate of dynamic memory networks before its sigmoid or softmax.

    The query is [m; q], the episode memory and the question, Dq = 2 Dk; c is the key. ``features``:

        kumar  z = [c, m, q, c*q, c*m, |c-q|, |c-m|, c^T W q, c^T W m]    (Kumar et al. 2016, section 2.3)
        xiong  z = [c*q, c*m, |c-q|, |c-m|]                               (Xiong et al. 2016, eq. 8)

    W1 (R, 7 Dk + 2 or 4 Dk, E), W2 (R, E, 1), W (R, Dk, Dk); E = Dk unless ``hidden`` says otherwise.
    """

    def __init__(
        self, query_dim: int, key_dim: int, random: Random, features: str = "kumar", hidden: int | None = None
    ) -> None:
        super().__init__()
        if query_dim != 2 * key_dim:
            raise ValueError(f"interaction needs a query [m; q] twice as wide as the keys, not {query_dim} for {key_dim}")
        if features not in ("kumar", "xiong"):
            raise ValueError(f"interaction has the features kumar and xiong, not {features}")
        width = key_dim if hidden is None else hidden
        self.bilinear = Linear(key_dim, key_dim, random, bias=False) if features == "kumar" else None
        self.hidden = Linear(7 * key_dim + 2 if features == "kumar" else 4 * key_dim, width, random)
        self.out = Linear(width, 1, random)

    def forward(self, query: Tensor, key: Tensor | Rows) -> Tensor:
        """(..., Q, 2 Dk), (..., M, Dk) -> (..., Q, M)."""
        fact = gathered(key)
        memory, question = query.chunk(2, -1)
        c, m, q = fact.unsqueeze(-3), memory.unsqueeze(-2), question.unsqueeze(-2)  # (..., 1, M, D) and (..., Q, 1, D)
        features = [c * q, c * m, (c - q).abs(), (c - m).abs()]
        if self.bilinear is not None:
            alone = [one.expand_as(features[0]) for one in (c, m, q)]
            products = [dot(self.bilinear(one), fact).unsqueeze(-1) for one in (question, memory)]
            features = [*alone, *features, *products]
        logits: Tensor = self.out(self.hidden(torch.cat(features, -1)).tanh())  # (..., Q, M, 1)
        return logits.squeeze(-1)


def same_width(name: str, score: Score) -> Callable[[int, int, Random], Score]:
    """The factory of a score without parameters that needs queries as wide as keys."""

    def make(query_dim: int, key_dim: int, random: Random) -> Score:
        if query_dim != key_dim:
            raise ValueError(f"{name} needs queries as wide as the keys, not {query_dim} for {key_dim}; general takes any")
        return score

    return make


SCORES: dict[str, Callable[[int, int, Random], Score]] = {
    "dot": same_width("dot", dot),
    "scaled_dot": same_width("scaled_dot", scaled_dot),
    "general": General,
    "concat": Concat,
    "interaction": Interaction,
}

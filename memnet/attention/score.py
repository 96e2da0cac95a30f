"""Scores: how well each memory's key answers a query, (..., Q, Dq) x (..., M, Dk) -> (..., Q, M).

A key's logit depends on that key and the query alone. ``SCORES[name](query_dim, key_dim, random)``
makes a score; its parameters, if it has any, are drawn from ``random`` and start with R.
"""

from __future__ import annotations

import math
from collections.abc import Callable

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
        return self.compared(self.beside(question, fact), memory, fact)

    def beside(self, question: Tensor, fact: Tensor) -> Tensor:
        """The part of W1 z + b1 that has no m in it, the same in every pass: (..., Q, Dk), (..., M, Dk) -> (..., Q, M, E)."""
        part = self.pair(question, fact, 0) + spread(self.hidden.bias, question.dim() + 1)
        return part if self.bilinear is None else part + self.product(fact, 0).unsqueeze(-3)

    def compared(self, part: Tensor, memory: Tensor, fact: Tensor) -> Tensor:
        """The gate, from :meth:`beside` and the memory (..., Q, Dk): (..., Q, M)."""
        logits: Tensor = self.out((part + self.pair(memory, fact, 1)).tanh())  # (..., Q, M, 1)
        return logits.squeeze(-1)

    def pair(self, other: Tensor, fact: Tensor, which: int) -> Tensor:
        """What the question (``which`` 0) or the memory (1), (..., Q, D), beside the facts gives to W1 z: (..., Q, M, E)."""
        c, v = fact.unsqueeze(-3), other.unsqueeze(-2)  # (..., 1, M, D) and (..., Q, 1, D)
        first = 0 if self.bilinear is None else 3
        total = self.product(c * v, first + which) + self.product((c - v).abs(), first + 2 + which)
        if self.bilinear is not None:
            weight = self.hidden.weight[:, 7 * fact.shape[-1] + which]  # (R, E)
            similar = dot(self.bilinear(other), fact).unsqueeze(-1) * spread(weight, total.dim())
            total = total + self.product(other, 2 - which).unsqueeze(-2) + similar
        return total

    def product(self, x: Tensor, block: int) -> Tensor:
        """x with one of the blocks of W1, which follow z: (R, ..., D) -> (R, ..., E)."""
        width = x.shape[-1]
        weight = self.hidden.weight[:, block * width : (block + 1) * width]
        return (x.flatten(1, -2) @ weight).view(*x.shape[:-1], -1)


def spread(weight: Tensor | None, dims: int) -> Tensor:
    """(R, E) -> (R, 1, ..., 1, E), of so many dimensions."""
    assert weight is not None
    return weight.view(len(weight), *[1] * (dims - 2), -1)


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

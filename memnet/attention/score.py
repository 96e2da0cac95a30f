"""Scores: how well each memory's key answers a query, (..., Q, Dq) x (..., M, Dk) -> (..., Q, M).

A key's logit depends on that key and the query alone. ``score.prepare(key, context)``, where a score has it, does what does
not depend on the query once and returns the function from queries to logits. ``SCORES[name](query_dim, key_dim, random)``
makes a score; its parameters, if it has any, are drawn from ``random`` and start with R.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from torch import Tensor, nn

from memnet.attention.rows import Rows, gathered
from memnet.nn.gate import Gate
from memnet.nn.modules import Linear
from memnet.nn.random import Random

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
    """q^T W k (Luong et al. 2015, section 3.1, "general"), W (R, Dq, Dk)."""

    def __init__(self, query_dim: int, key_dim: int, random: Random) -> None:
        super().__init__()
        self.bilinear = Linear(query_dim, key_dim, random, bias=False)

    def forward(self, query: Tensor, key: Tensor | Rows) -> Tensor:
        """(..., Q, Dq), (..., M, Dk) -> (..., Q, M)."""
        return dot(self.bilinear(query), key)


class Concat(nn.Module):
    """v^T tanh(W q + U k + b), the additive score (Bahdanau et al. 2015, appendix A.1.2; Luong et al. 2015, 3.1, "concat").

    W (R, Dq, E), U (R, Dk, E), b and v (R, E); E = Dk unless ``hidden`` says otherwise.
    """

    def __init__(self, query_dim: int, key_dim: int, random: Random, hidden: int | None = None) -> None:
        super().__init__()
        width = key_dim if hidden is None else hidden
        self.query = Linear(query_dim, width, random, bias=False)
        self.key = Linear(key_dim, width, random)
        self.out = Linear(width, 1, random, bias=False)

    def prepare(self, key: Tensor | Rows, context: Tensor | None = None) -> Callable[[Tensor], Tensor]:
        """U k + b, once; returns (..., Q, Dq) -> (..., Q, M)."""
        part = self.key(gathered(key)).unsqueeze(-3)

        def logits(query: Tensor) -> Tensor:
            hidden = self.query(query).unsqueeze(-2) + part  # (..., Q, M, E)
            return self.out(hidden.tanh()).squeeze(-1)  # type: ignore[no-any-return]

        return logits

    def forward(self, query: Tensor, key: Tensor | Rows) -> Tensor:
        """(..., Q, Dq), (..., M, Dk) -> (..., Q, M)."""
        return self.prepare(key)(query)


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

    def prepare(self, key: Tensor | Rows, context: Tensor | None = None) -> Callable[[Tensor], Tensor]:
        """Returns (..., Q, Dq) -> (..., Q, M).

        With a ``context``, the question (..., Q or 1, Dk), what has no memory in it is made once and the query is m alone.
        """
        fact = gathered(key)
        if context is None:
            return lambda query: self.prepare(fact, query.chunk(2, -1)[1])(query.chunk(2, -1)[0])
        part = self.question_part(context, self.beside(fact, context))  # (..., Q or 1, M, E)
        return lambda memory: self.logits(part, memory, self.beside(fact, memory))

    def forward(self, query: Tensor, key: Tensor | Rows) -> Tensor:
        """(..., Q, 2 Dk), (..., M, Dk) -> (..., Q, M)."""
        return self.prepare(key)(query)

    def beside(self, fact: Tensor, query: Tensor) -> Tensor:
        """The facts of every story of the query, (..., M, Dk)."""
        return fact.expand(*np.broadcast_shapes(query.shape[:-2], fact.shape[:-2]), -1, -1)

    def question_part(self, question: Tensor, fact: Tensor) -> Tensor:
        """The part of W1 z + b1 that has no m in it, the same in every pass: (..., Q, Dk), (..., M, Dk) -> (..., Q, M, E)."""
        assert self.hidden.bias is not None
        width = self.hidden.bias.shape[1]
        bias = spread(self.hidden.bias, question.dim() + 1).expand(*question.shape[:-1], fact.shape[-2], width)
        part = self.elementwise_part(bias, question, fact, 0, None)
        if self.bilinear is None:
            return part
        return part + self.linear_part(question, fact, 0) + self.product(fact, 0).unsqueeze(-3)

    def logits(self, part: Tensor, memory: Tensor, fact: Tensor) -> Tensor:
        """The gate, from :meth:`question_part` and the memory (..., Q, Dk): (..., Q, M)."""
        part = part.expand(*memory.shape[:-1], *part.shape[-2:])
        if self.bilinear is not None:
            part = part + self.linear_part(memory, fact, 1)
        return self.elementwise_part(part, memory, fact, 1, self.out.weight) + spread(self.out.bias, part.dim() - 1)

    def elementwise_part(self, part: Tensor, other: Tensor, fact: Tensor, which: int, out: Tensor | None) -> Tensor:
        """:class:`~memnet.nn.gate.Gate` of q (``which`` 0) or m (1), (..., Q, D), with each fact; ``part (..., Q, M, E)``."""
        facts = fact.unsqueeze(-3).expand(*part.shape[:-1], -1)  # every query's own
        flat = part.flatten(1, -3), other.flatten(1, -2), facts.flatten(1, -3)
        total: Tensor = Gate.apply(*flat, *self.elementwise(which, fact.shape[-1]), out)  # type: ignore[no-untyped-call]
        return total.view(part.shape if out is None else part.shape[:-1])

    def elementwise(self, which: int, width: int) -> tuple[Tensor, Tensor]:
        """The blocks of W1 for the product and the difference of a fact with q (``which`` 0) or m (1), (R, D, E) each."""
        first = (0 if self.bilinear is None else 3) + which
        return self.block(first, width), self.block(first + 2, width)

    def linear_part(self, other: Tensor, fact: Tensor, which: int) -> Tensor:
        """Kumar's linear terms: q (``which`` 0) or m itself, and its bilinear product with the fact."""
        assert self.bilinear is not None
        weight = self.hidden.weight[:, 7 * fact.shape[-1] + which]  # (R, E)
        similar = dot(self.bilinear(other), fact).unsqueeze(-1) * spread(weight, other.dim() + 1)
        return similar + self.product(other, 2 - which).unsqueeze(-2)

    def product(self, x: Tensor, block: int) -> Tensor:
        """x with one of the blocks of W1, which follow z: (R, ..., D) -> (R, ..., E)."""
        return (x.flatten(1, -2) @ self.block(block, x.shape[-1])).view(*x.shape[:-1], self.hidden.weight.shape[2])

    def block(self, number: int, width: int) -> Tensor:
        """Of W1, (R, D, E)."""
        return self.hidden.weight[:, number * width : (number + 1) * width]


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


make_dot, make_scaled_dot = same_width("dot", dot), same_width("scaled_dot", scaled_dot)


def prepare_score(score: Any, key: Tensor | Rows, context: Tensor | None) -> Callable[[Tensor], Tensor]:
    """``score.prepare(key, context)``, or the score with its key where it has nothing to prepare."""
    return score.prepare(key, context) if hasattr(score, "prepare") else lambda query: score(query, key)

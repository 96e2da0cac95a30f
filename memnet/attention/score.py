"""Scores: how well each memory's key answers a query, (..., Q, Dq) x (..., M, Dk) -> (..., Q, M).

A key's logit depends on that key and the query alone. ``SCORES[name](query_dim, key_dim, random)``
makes a score; its parameters, if it has any, are drawn from ``random`` and start with R.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

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
        weight = self.elementwise(1, fact.shape[-1])
        if self.bilinear is not None:
            part = part + self.alone(memory, fact, 1)
        facts = fact.flatten(1, -3)  # (R, N, M, D)
        logits: Tensor = Gate.apply(  # type: ignore[no-untyped-call]
            part.flatten(1, -4), memory.flatten(1, -3), facts, weight, self.out.weight
        )
        assert self.out.bias is not None
        return logits.view(part.shape[:-1]) + spread(self.out.bias, part.dim() - 1)

    def pair(self, other: Tensor, fact: Tensor, which: int) -> Tensor:
        """What the question (``which`` 0) or the memory (1), (..., Q, D), beside the facts gives to W1 z: (..., Q, M, E)."""
        c, v = fact.unsqueeze(-3), other.unsqueeze(-2)  # (..., 1, M, D) and (..., Q, 1, D)
        both = torch.cat([c * v, (c - v).abs()], -1)
        total = (both.flatten(1, -2) @ self.elementwise(which, fact.shape[-1])).view(*both.shape[:-1], -1)
        return total if self.bilinear is None else total + self.alone(other, fact, which)

    def elementwise(self, which: int, width: int) -> Tensor:
        """The blocks of W1 for the product and the difference of a fact with q (``which`` 0) or m (1), (R, 2 D, E)."""
        first = (0 if self.bilinear is None else 3) + which
        return torch.cat([self.block(first, width), self.block(first + 2, width)], 1)

    def alone(self, other: Tensor, fact: Tensor, which: int) -> Tensor:
        """Of :meth:`pair` what Kumar et al. have beside: q or m itself, and its bilinear product with the fact."""
        assert self.bilinear is not None
        weight = self.hidden.weight[:, 7 * fact.shape[-1] + which]  # (R, E)
        similar = dot(self.bilinear(other), fact).unsqueeze(-1) * spread(weight, other.dim() + 1)
        return similar + self.product(other, 2 - which).unsqueeze(-2)

    def product(self, x: Tensor, block: int) -> Tensor:
        """x with one of the blocks of W1, which follow z: (R, ..., D) -> (R, ..., E)."""
        return (x.flatten(1, -2) @ self.block(block, x.shape[-1])).view(*x.shape[:-1], -1)

    def block(self, number: int, width: int) -> Tensor:
        """Of W1, (R, D, E)."""
        return self.hidden.weight[:, number * width : (number + 1) * width]


class Gate(torch.autograd.Function):
    """w . tanh(part + [c*m, |c-m|] W): of (R, N, Q, M, E), (R, N, Q, D), (R, N, M, D), W (R, 2 D, E), w (R, E, 1).

    As many questions at a time as stay in the cache; of the intermediate numbers the tanh alone is kept.
    """

    @staticmethod
    def forward(ctx: Any, part: Tensor, memory: Tensor, fact: Tensor, weight: Tensor, out: Tensor) -> Tensor:
        """Logits, (R, N, Q, M)."""
        hidden, row = torch.empty_like(part), out.transpose(1, 2).unsqueeze(1).unsqueeze(1)  # (R, 1, 1, 1, E)
        logits = part.new_empty(part.shape[:-1])
        for some in some_questions(part, weight):
            both, _ = features(fact[:, some], memory[:, some])
            h = torch.baddbmm(part[:, some].flatten(1, 3), both.flatten(1, 3), weight).tanh_().view_as(part[:, some])
            hidden[:, some] = h
            logits[:, some] = (h * row).sum(4)
        ctx.save_for_backward(memory, fact, weight, out, hidden)
        return logits

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        """Of part, memory, fact, W and w."""
        memory, fact, weight, out, hidden = ctx.saved_tensors
        row, back = out.transpose(1, 2).unsqueeze(1).unsqueeze(1), weight.transpose(1, 2).contiguous()
        d_part, d_memory, d_fact = torch.empty_like(hidden), torch.empty_like(memory), torch.empty_like(fact)
        d_weight, d_out = torch.zeros_like(weight), torch.zeros_like(out)
        dim = memory.shape[3]
        for some in some_questions(hidden, weight):
            h, g = hidden[:, some], grad[:, some].unsqueeze(4)
            d_out += (h * g).sum((1, 2, 3)).unsqueeze(2)
            inner = torch.ops.aten.tanh_backward(g * row, h)
            d_part[:, some] = inner
            both, difference = features(fact[:, some], memory[:, some])
            d_weight.baddbmm_(both.flatten(1, 3).transpose(1, 2), inner.flatten(1, 3))
            by_product, by_size = (inner.flatten(1, 3) @ back).view_as(both).split(dim, 4)
            by_difference = by_size * difference.sign_()
            d_fact[:, some] = torch.addcmul(by_difference, by_product, memory[:, some].unsqueeze(3)).sum(2)
            d_memory[:, some] = torch.addcmul(-by_difference, by_product, fact[:, some].unsqueeze(2)).sum(3)
        return d_part, d_memory, d_fact, d_weight, d_out


def some_questions(part: Tensor, weight: Tensor) -> Iterator[slice]:
    """Slices of N, each so small that its features fill about an eighth of a mebibyte in a replica."""
    size = max(1, (1 << 15) // (part.shape[2] * part.shape[3] * weight.shape[1]))
    return (slice(start, start + size) for start in range(0, part.shape[1], size))


def features(fact: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
    """[c*m, |c-m|] and c-m, (R, N, Q, M, 2 D) and (R, N, Q, M, D)."""
    c, m = fact.unsqueeze(2), memory.unsqueeze(3)
    difference = c - m
    return torch.cat([c * m, difference.abs()], 4), difference


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

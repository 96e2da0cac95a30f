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

tanh_backward = torch.ops.aten.tanh_backward

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
        stories = torch.broadcast_shapes(query.shape[:-2], fact.shape[:-2])
        fact = fact.expand(*stories, -1, -1)
        memory, question = query.expand(*stories, -1, -1).chunk(2, -1)
        return self.compared(self.beside(question, fact), memory, fact)

    def beside(self, question: Tensor, fact: Tensor) -> Tensor:
        """The part of W1 z + b1 that has no m in it, the same in every pass: (..., Q, Dk), (..., M, Dk) -> (..., Q, M, E)."""
        assert self.hidden.bias is not None
        width = self.hidden.bias.shape[1]
        bias = spread(self.hidden.bias, question.dim() + 1).expand(*question.shape[:-1], fact.shape[-2], width)
        part = self.paired(bias, question, fact, 0, None)
        return part if self.bilinear is None else part + self.alone(question, fact, 0) + self.product(fact, 0).unsqueeze(-3)

    def compared(self, part: Tensor, memory: Tensor, fact: Tensor) -> Tensor:
        """The gate, from :meth:`beside` and the memory (..., Q, Dk): (..., Q, M)."""
        if self.bilinear is not None:
            part = part + self.alone(memory, fact, 1)
        return self.paired(part, memory, fact, 1, self.out.weight) + spread(self.out.bias, part.dim() - 1)

    def paired(self, part: Tensor, other: Tensor, fact: Tensor, which: int, out: Tensor | None) -> Tensor:
        """:class:`Gate` of q (``which`` 0) or m (1), (..., Q, D), beside each fact; ``part (..., Q, M, E)``."""
        facts = fact.unsqueeze(-3).expand(*part.shape[:-1], -1)  # every query's own
        flat = part.flatten(1, -3), other.flatten(1, -2), facts.flatten(1, -3)
        total: Tensor = Gate.apply(*flat, *self.elementwise(which, fact.shape[-1]), out)  # type: ignore[no-untyped-call]
        return total.view(part.shape if out is None else part.shape[:-1])

    def elementwise(self, which: int, width: int) -> tuple[Tensor, Tensor]:
        """The blocks of W1 for the product and the difference of a fact with q (``which`` 0) or m (1), (R, D, E) each."""
        first = (0 if self.bilinear is None else 3) + which
        return self.block(first, width), self.block(first + 2, width)

    def alone(self, other: Tensor, fact: Tensor, which: int) -> Tensor:
        """What Kumar et al. have beside :meth:`paired`: q (``which`` 0) or m itself, and its bilinear product with the fact."""
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


class Gate(torch.autograd.Function):
    """w . tanh(s) of s = part + (c*v) W + |c-v| W', or s itself where w is not given.

    Of part (R, N, M, E), v (R, N, D), c (R, N, M, D), W and W' (R, D, E) and w (R, E, 1).
    As many questions at a time as stay in the cache; of the intermediate numbers the tanh alone is kept.
    """

    @staticmethod
    def forward(
        ctx: Any, part: Tensor, other: Tensor, fact: Tensor, of_product: Tensor, of_size: Tensor, out: Tensor | None
    ) -> Tensor:
        """Logits, (R, N, M), or (R, N, M, E)."""
        hidden, logits = part.new_empty(part.shape), part.new_empty(part.shape[:-1])
        for some in some_questions(part):
            c, v, h = fact[:, some], other[:, some].unsqueeze(2), hidden[:, some]
            inner = torch.baddbmm(part[:, some].flatten(1, 2), (c * v).flatten(1, 2), of_product)
            inner.baddbmm_((c - v).abs_().flatten(1, 2), of_size)
            if out is None:
                h.copy_(inner.view_as(h))
            else:
                torch.tanh(inner.view_as(h), out=h)
                torch.sum(h * out.transpose(1, 2).unsqueeze(1), 3, out=logits[:, some])
        ctx.save_for_backward(other, fact, of_product, of_size, out, None if out is None else hidden)
        return hidden if out is None else logits

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Of part, v, c, W, W' and w."""
        other, fact, of_product, of_size, out, hidden = ctx.saved_tensors
        back_product, back_size = (weight.transpose(1, 2).contiguous() for weight in (of_product, of_size))
        d_part = grad if out is None else torch.empty_like(hidden)
        d_other, d_fact = torch.empty_like(other), fact.new_empty(fact.shape)
        d_product, d_size = (weight.new_zeros(weight.shape) for weight in (of_product, of_size))
        d_out = None if out is None else torch.zeros_like(out)
        for some in some_questions(d_part):
            c, v, inner = fact[:, some], other[:, some].unsqueeze(2), d_part[:, some]
            if out is not None:
                h, g = hidden[:, some], grad[:, some].unsqueeze(3)
                d_out += (h * g).sum((1, 2)).unsqueeze(2)
                tanh_backward(g * out.transpose(1, 2).unsqueeze(1), h, grad_input=inner)
            inner, difference = inner.flatten(1, 2), c - v
            d_product.baddbmm_((c * v).flatten(1, 2).transpose(1, 2), inner)
            d_size.baddbmm_(difference.abs().flatten(1, 2).transpose(1, 2), inner)
            by_product = (inner @ back_product).view_as(c)
            by_difference = (inner @ back_size).view_as(c).mul_(difference.sign_())
            torch.addcmul(by_difference, by_product, v, out=d_fact[:, some])
            torch.sum(by_product.mul_(c).sub_(by_difference), 2, out=d_other[:, some])
        return d_part, d_other, d_fact, d_product, d_size, d_out


def some_questions(part: Tensor) -> Iterator[slice]:
    """Slices of N, each so small that a tensor of their numbers fills about a sixteenth of a mebibyte in a replica."""
    size = max(1, (1 << 14) // max(1, math.prod(part.shape[2:])))
    return (slice(start, start + size) for start in range(0, part.shape[1], size))


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

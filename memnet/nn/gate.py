"""The gate of dynamic memory networks, forward and backward, without its features in memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

tanh_backward = torch.ops.aten.tanh_backward


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

"""Gated recurrent networks over whole sequences: one pass forward, one pass back, no graph of single steps.

Everything that does not depend on the state before - the products of the inputs - is made for all steps
at once by the caller; what is left of a step is one product with the state and the gates. The backward
pass is written out, so that the weights' gradient too is one product over all steps.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.replicated import Linear

# Numbers that a CPU takes at once. What is left over after the last 32 rounds otherwise, and which numbers these are would
# depend on how many replicas there are: a replica's numbers in a step are a multiple of 32.
REGISTERS = 32


class Scan(torch.autograd.Function):
    """See :func:`scan`."""

    @staticmethod
    def forward(ctx: Any, products: Tensor, gate: Tensor | None, weight: Tensor, bias: Tensor, reverse: bool) -> Tensor:
        """All states, (R, T, N, D)."""
        replicas, steps, number, _ = products.shape
        dim = weight.shape[1]
        update = weight.shape[2] == 3 * dim
        order = range(steps - 1, -1, -1) if reverse else range(steps)
        states = products.new_empty(replicas, steps, number, dim)
        h = products.new_zeros(replicas, number, dim)
        kept: list[tuple[Tensor, ...]] = [()] * steps
        for t in order:
            x, product = products[:, t], torch.baddbmm(bias.unsqueeze(1), h, weight)
            r = (x[..., :dim] + product[..., :dim]).sigmoid_()
            inner = product[..., -dim:]
            new = torch.addcmul(x[..., -dim:], r, inner).tanh_()
            z = (x[..., dim : 2 * dim] + product[..., dim : 2 * dim]).sigmoid_() if update else None
            share = 1 - z if z is not None else None
            if gate is not None:
                step = gate[:, t].unsqueeze(-1)
                share = step.expand_as(h) if share is None else share * step
            assert share is not None
            kept[t] = (h, r, inner, new, share) if z is None else (h, r, inner, new, share, z)
            h = torch.lerp(h, new, share)
            states[:, t] = h
        ctx.save_for_backward(products, gate, weight)
        ctx.kept, ctx.order = kept, order
        return states

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Of products, gate, weight and bias."""
        products, gate, weight = ctx.saved_tensors
        transposed = weight.transpose(1, 2).contiguous()
        d_products, d_hidden = torch.empty_like(products), torch.empty_like(products)
        d_gate = torch.empty_like(gate) if gate is not None else None
        carried = grad.new_zeros(grad[:, 0].shape)
        for t in reversed(ctx.order):
            h, r, inner, new, share, *z = ctx.kept[t]
            d = grad[:, t] + carried
            d_share = d * (new - h)
            d_new = d * share * (1 - new * new)
            parts = [d_new * inner * (r * (1 - r))]
            if z:
                parts.append(d_share * (z[0] * (z[0] - 1)) * (1 if gate is None else gate[:, t].unsqueeze(-1)))
            torch.cat([*parts, d_new], -1, out=d_products[:, t])
            torch.cat([*parts, d_new * r], -1, out=d_hidden[:, t])
            if d_gate is not None:
                d_gate[:, t] = (d_share * (1 - z[0]) if z else d_share).sum(-1)
            carried = torch.baddbmm(d * (1 - share), d_hidden[:, t], transposed)
        before = torch.stack([kept[0] for kept in ctx.kept], 1).flatten(1, 2)  # (R, T N, D)
        flat = d_hidden.flatten(1, 2)
        return d_products, d_gate, before.transpose(1, 2) @ flat, flat.sum(1), None


def scan(products: Tensor, hidden: Linear, gate: Tensor | None = None, reverse: bool = False) -> Tensor:
    """Every state of a gated recurrent network that starts at zero: (R, T, N, 3 D) -> (R, T, N, D).

    ``products`` are W x + b of every step and ``hidden`` is U h + d, both in PyTorch's order r, z, n (see
    :class:`~memnet.replicated.GRUCell`). With a ``gate (R, T, N)`` the state moves by its share only,
    h' = h + g (GRU(x, h) - h); a gate of zero keeps it. Without an update gate (products and ``hidden`` 2 D wide, r and n)
    the gate takes its place: h' = h + g (n - h). ``reverse`` goes from the last step to the first.
    """
    assert hidden.bias is not None
    number, dim = products.shape[2], hidden.weight.shape[1]
    spare = -number % (REGISTERS // math.gcd(REGISTERS, dim))
    if spare:
        products = F.pad(products, (0, 0, 0, spare))
        gate = None if gate is None else F.pad(gate, (0, spare))
    states: Tensor = Scan.apply(products, gate, hidden.weight, hidden.bias, reverse)  # type: ignore[no-untyped-call]
    return states[:, :, :number]


def read_in_order(products: Tensor, hidden: Linear, gate: Tensor) -> Tensor:
    """Each query's last state after M memories with its gates (R, ..., Q, M): (R, ..., M, 2 or 3 D) -> (R, ..., Q, D)."""
    steps = products.unsqueeze(-3).expand(*gate.shape, -1).movedim(-2, 1)  # (R, M, ..., Q, 2 or 3 D)
    states = scan(steps.flatten(2, -2), hidden, gate.movedim(-1, 1).flatten(2))
    return states[:, -1].view(*gate.shape[:-1], -1)

"""Gated recurrent networks over whole sequences: one pass forward, one pass back, no graph of single steps.

Everything that does not depend on the state before - the products of the inputs - is made for all steps
at once by the caller; what is left of a step is one product with the state and the gates. The backward
pass is written out, and adds to the weights' gradient while a step's numbers are still in the cache.
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

sigmoid_backward, tanh_backward = torch.ops.aten.sigmoid_backward, torch.ops.aten.tanh_backward


class Scan(torch.autograd.Function):
    """See :func:`scan` and :func:`last`."""

    @staticmethod
    def forward(
        ctx: Any, products: Tensor, gate: Tensor | None, weight: Tensor, bias: Tensor, reverse: bool, every: bool
    ) -> Tensor:
        """All states, (R, T, N, D), or the last, (R, N, D)."""
        replicas, steps, number, width = products.shape
        dim = weight.shape[1]
        gates = width - dim  # r alone, or r and z
        weights = [part.contiguous() for part in weight.split([gates, dim], 2)]
        biases = bias.unsqueeze(1).split([gates, dim], 2)
        order = range(steps - 1, -1, -1) if reverse else range(steps)
        states = products.new_empty(replicas, steps, number, dim) if every else None
        h = products.new_zeros(replicas, number, dim)
        kept: list[tuple[Tensor, ...]] = [()] * steps
        for t in order:
            to_gates, to_new = products[:, t].split([gates, dim], 2)
            opened = torch.baddbmm(biases[0], h, weights[0]).add_(to_gates).sigmoid_()  # r, z
            inner = torch.baddbmm(biases[1], h, weights[1])
            new = torch.addcmul(to_new, opened[..., :dim], inner).tanh_()
            share = 1 - opened[..., dim:] if gates > dim else None
            if gate is not None:
                step = gate[:, t].unsqueeze(2)
                share = step.expand_as(h) if share is None else share.mul_(step)
            assert share is not None
            kept[t] = (h, opened, inner, new, share)
            h = torch.lerp(h, new, share)
            if states is not None:
                states[:, t] = h
        ctx.save_for_backward(products, gate, weight)
        ctx.kept, ctx.order, ctx.every = kept, order, every
        return h if states is None else states

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Of products, gate, weight and bias."""
        products, gate, weight = ctx.saved_tensors
        dim = weight.shape[1]
        gates = weight.shape[2] - dim
        back = [part.transpose(1, 2).contiguous() for part in weight.split([gates, dim], 2)]
        d_products, d_weight = torch.empty_like(products), torch.zeros_like(weight)
        d_bias = grad.new_zeros(len(weight), gates + dim)
        d_gate = torch.empty_like(gate) if gate is not None else None
        of_gates, of_new = d_weight.split([gates, dim], 2)
        carried = torch.zeros_like(grad[:, 0]) if ctx.every else grad
        for t in reversed(ctx.order):
            h, opened, inner, new, share = ctx.kept[t]
            d = carried.add_(grad[:, t]) if ctx.every else carried
            d_opened, d_new = d_products[:, t].split([gates, dim], 2)
            to_new = d * share
            tanh_backward(to_new, new, grad_input=d_new)
            sigmoid_backward(d_new * inner, opened[..., :dim], grad_input=d_opened[..., :dim])
            if gates > dim or d_gate is not None:
                to_old = d * (h - new)
                if d_gate is not None:
                    step = gate[:, t].unsqueeze(2)
                    d_gate[:, t] = (to_old if gates == dim else to_old * (1 - opened[..., dim:])).sum(2).neg_()
                    to_old = to_old * step
                if gates > dim:
                    sigmoid_backward(to_old, opened[..., dim:], grad_input=d_opened[..., dim:])
            d_inner = d_new * opened[..., :dim]
            carried = torch.baddbmm(d - to_new, d_opened, back[0]).baddbmm_(d_inner, back[1])
            before = h.transpose(1, 2)
            of_gates.baddbmm_(before, d_opened)
            of_new.baddbmm_(before, d_inner)
            d_bias[:, :gates] += d_opened.sum(1)
            d_bias[:, gates:] += d_inner.sum(1)
        return d_products, d_gate, d_weight, d_bias, None, None


def scan(products: Tensor, hidden: Linear, gate: Tensor | None = None, reverse: bool = False) -> Tensor:
    """Every state of a gated recurrent network that starts at zero: (R, T, N, 3 D) -> (R, T, N, D).

    ``products`` are W x + b of every step and ``hidden`` is U h + d, both in PyTorch's order r, z, n (see
    :class:`~memnet.replicated.GRUCell`). With a ``gate (R, T, N)`` the state moves by its share only,
    h' = h + g (GRU(x, h) - h); a gate of zero keeps it. Without an update gate (products and ``hidden`` 2 D wide, r and n)
    the gate takes its place: h' = h + g (n - h). ``reverse`` goes from the last step to the first.
    """
    return scanned(products, hidden, gate, reverse, every=True)


def last(products: Tensor, hidden: Linear, gate: Tensor | None = None) -> Tensor:
    """The last of the states of :func:`scan`: (R, T, N, 2 or 3 D) -> (R, N, D)."""
    return scanned(products, hidden, gate, reverse=False, every=False)


def scanned(products: Tensor, hidden: Linear, gate: Tensor | None, reverse: bool, every: bool) -> Tensor:
    """All states or the last, from as many numbers in a step as registers hold."""
    assert hidden.bias is not None
    number, dim = products.shape[2], hidden.weight.shape[1]
    spare = -number % (REGISTERS // math.gcd(REGISTERS, dim))
    if spare:
        products = F.pad(products, (0, 0, 0, spare))
        gate = None if gate is None else F.pad(gate, (0, spare))
    states: Tensor = Scan.apply(products, gate, hidden.weight, hidden.bias, reverse, every)  # type: ignore[no-untyped-call]
    return states[..., :number, :]


def read_in_order(products: Tensor, hidden: Linear, gate: Tensor) -> Tensor:
    """Each query's last state after M memories with its gates (R, ..., Q, M): (R, ..., M, 2 or 3 D) -> (R, ..., Q, D)."""
    steps = products.unsqueeze(-3).expand(*gate.shape, -1).movedim(-2, 1)  # (R, M, ..., Q, 2 or 3 D)
    return last(steps.flatten(2, -2), hidden, gate.movedim(-1, 1).flatten(2)).view(*gate.shape[:-1], -1)

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
        into_gates, into_new = (part.contiguous() for part in weight.split([gates, dim], 2))
        bias_gates, bias_new = bias.unsqueeze(1).split([gates, dim], 2)
        to_gates, to_new = (part.unbind(1) for part in products.split([gates, dim], 3))
        shares = None if gate is None else gate.unsqueeze(3).unbind(1)
        states = products.new_empty(replicas, steps, number, dim) if every else None
        places = () if states is None else states.unbind(1)
        order = range(steps - 1, -1, -1) if reverse else range(steps)
        h = products.new_zeros(replicas, number, dim)
        kept: list[tuple[Tensor, ...]] = [()] * steps
        for t in order:
            opened = torch.baddbmm(bias_gates, h, into_gates).add_(to_gates[t]).sigmoid_()  # r, z
            inner = torch.baddbmm(bias_new, h, into_new)
            new = torch.addcmul(to_new[t], opened[..., :dim], inner).tanh_()
            kept[t] = (h, opened, inner, new)
            if gates == dim:
                assert shares is not None
                h = torch.lerp(h, new, shares[t].expand_as(h))
            else:
                z = opened[..., dim:]
                h = torch.lerp(new, h, z) if shares is None else torch.lerp(h, new, (1 - z).mul_(shares[t]))
            if places:
                places[t].copy_(h)
        ctx.save_for_backward(gate, weight)
        ctx.kept, ctx.order, ctx.every = kept, order, every
        return h if states is None else states

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Of products, gate, weight and bias."""
        gate, weight = ctx.saved_tensors
        replicas, dim, width = weight.shape
        gates, number = width - dim, grad.shape[-2]
        out_of_gates, out_of_new = (part.transpose(1, 2).contiguous() for part in weight.split([gates, dim], 2))
        d_products = grad.new_empty(replicas, len(ctx.kept), number, width)
        d_opened, d_new = (part.unbind(1) for part in d_products.split([gates, dim], 3))
        d_weight, d_bias = torch.zeros_like(weight), grad.new_zeros(replicas, width)
        of_gates, of_new = d_weight.split([gates, dim], 2)
        shares = None if gate is None else gate.unsqueeze(3).unbind(1)
        d_gate = None if gate is None else torch.empty_like(gate)
        told = grad.unbind(1) if ctx.every else ()
        carried = torch.zeros_like(told[0]) if told else grad
        for t in reversed(ctx.order):
            h, opened, inner, new = ctx.kept[t]
            r, z = opened[..., :dim], opened[..., dim:]
            d = carried.add_(told[t]) if told else carried
            if shares is None:
                to_old = d * z
                to_new = d - to_old
            else:
                to_new = d * shares[t] if gates == dim else d * (1 - z).mul_(shares[t])
                to_old = d - to_new
            tanh_backward(to_new, new, grad_input=d_new[t])
            sigmoid_backward(d_new[t] * inner, r, grad_input=d_opened[t][..., :dim])
            if d_gate is not None or gates > dim:
                kept = (h - new).mul_(d)  # by what share the old state stays
                if d_gate is not None:
                    d_gate[:, t] = (kept if gates == dim else kept * (1 - z)).sum(2).neg_()
                if gates > dim:
                    moved = kept if shares is None else kept.mul_(shares[t])
                    sigmoid_backward(moved, z, grad_input=d_opened[t][..., dim:])
            d_inner = d_new[t] * r
            before = h.transpose(1, 2)
            of_gates.baddbmm_(before, d_opened[t])
            of_new.baddbmm_(before, d_inner)
            d_bias[:, :gates] += d_opened[t].sum(1)
            d_bias[:, gates:] += d_inner.sum(1)
            carried = to_old.baddbmm_(d_opened[t], out_of_gates).baddbmm_(d_inner, out_of_new)
        return d_products, d_gate, d_weight, d_bias, None, None


class LSTM(torch.autograd.Function):
    """See :func:`lstm`."""

    @staticmethod
    def forward(ctx: Any, products: Tensor, there: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        """All states, (R, T, N, D), and the last cell, (R, N, D)."""
        replicas, steps, number, _ = products.shape
        dim = weight.shape[1]
        states = products.new_empty(replicas, steps, number, dim)
        inputs, places, alive = products.unbind(1), states.unbind(1), there.unsqueeze(3).unbind(1)
        h = c = products.new_zeros(replicas, number, dim)
        kept: list[tuple[Tensor, ...]] = []
        for t in range(steps):
            gates = torch.baddbmm(bias.unsqueeze(1), h, weight).add_(inputs[t])
            i, f, g, o = gates.split(dim, 2)
            i.sigmoid_(), f.sigmoid_(), g.tanh_(), o.sigmoid_()
            before = c
            c = torch.addcmul(f * c, i, g).mul_(alive[t])
            size = c.tanh()
            kept.append((h, before, gates, size))
            h = o * size
            places[t].copy_(h)
        ctx.save_for_backward(there, weight)
        ctx.kept = kept
        return states, c

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor, grad_cell: Tensor) -> tuple[Tensor | None, ...]:
        """Of products, weight and bias."""
        there, weight = ctx.saved_tensors
        replicas, dim, width = weight.shape
        back = weight.transpose(1, 2).contiguous()
        d_products = grad.new_empty(replicas, len(ctx.kept), grad.shape[2], width)
        d_weight, told, alive = torch.zeros_like(weight), grad.unbind(1), there.unsqueeze(3).unbind(1)
        carried, d_c = torch.zeros_like(told[0]), grad_cell
        for t in range(len(ctx.kept) - 1, -1, -1):
            h, c, gates, size = ctx.kept[t]
            i, f, g, o = gates.split(dim, 2)
            d_h = carried.add_(told[t])
            d_c = (d_c + tanh_backward(d_h * o, size)).mul_(alive[t])
            of_i, of_f, of_g, of_o = d_products[:, t].split(dim, 2)
            sigmoid_backward(d_c * g, i, grad_input=of_i)
            sigmoid_backward(d_c * c, f, grad_input=of_f)
            tanh_backward(d_c * i, g, grad_input=of_g)
            sigmoid_backward(d_h * size, o, grad_input=of_o)
            d_c = d_c * f
            d_weight.baddbmm_(h.transpose(1, 2), d_products[:, t])
            carried = d_products[:, t] @ back
        return d_products, None, d_weight, d_products.sum((1, 2))


def lstm(products: Tensor, hidden: Linear, there: Tensor) -> tuple[Tensor, Tensor]:
    """Every state of an LSTM (Hochreiter & Schmidhuber 1997) that starts at zero, and its last cell.

    i, f, o = sigmoid(W x + U h), g = tanh(W x + U h), c' = f c + i g, h' = o tanh(c'): ``products (R, T, N, 4 D)`` are W x + b
    of every step and ``hidden`` is U h + d, both in PyTorch's order i, f, g, o. Where ``there (R, T, N)`` is zero the cell and
    the state are zero: a sequence that is shorter stands at the end. -> (R, T, N, D), (R, N, D).
    """
    assert hidden.bias is not None
    number, dim = products.shape[2], hidden.weight.shape[1]
    spare = -number % (REGISTERS // math.gcd(REGISTERS, dim))
    if spare:
        products, there = F.pad(products, (0, 0, 0, spare)), F.pad(there, (0, spare))
    states, cell = LSTM.apply(products, there, hidden.weight, hidden.bias)  # type: ignore[no-untyped-call]
    return states[:, :, :number], cell[:, :number]


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

"""Gated recurrent networks over whole sequences: one pass forward, one pass back, no graph of single steps.

Everything that does not depend on the state before - the products of the inputs - is made for all steps
at once by the caller; what is left of a step is one product with the state and the gates. The backward
pass is written out, and adds to the weights' gradient while a step's numbers are still in the cache.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.nn.modules import Linear

REGISTERS = 32  # numbers that a CPU takes at once


sigmoid_backward, tanh_backward = torch.ops.aten.sigmoid_backward, torch.ops.aten.tanh_backward


def padding(number: int, dim: int) -> int:
    """How many sequences of states so wide to scan besides, for a replica to be the same alone and among others.

    What is left over of a step's numbers after the last whole registers rounds otherwise, and which these are would depend on
    how many replicas there are. So would a product over one sequence.
    """
    whole = REGISTERS // math.gcd(REGISTERS, dim)
    return -(-max(2, number) // whole) * whole - number


class Scan(torch.autograd.Function):
    """See :func:`scan` and :func:`last`. Every gate's numbers stand by themselves; ``bias`` is the d of n alone."""

    @staticmethod
    def forward(
        ctx: Any, gate: Tensor | None, weight: Tensor, bias: Tensor, reverse: bool, every: bool, *products: Tensor
    ) -> Tensor:
        """All states, (R, T, N, D), or the last, (R, N, D)."""
        replicas, steps, number, dim = products[0].shape
        into_r, *into_z, into_n = (part.contiguous() for part in weight.split(dim, 2))
        to_r, *to_z, to_n = (part.unbind(1) for part in products)
        shares = None if gate is None else gate.unsqueeze(3).unbind(1)
        bias = bias.unsqueeze(1)
        states = products[0].new_empty(replicas, steps, number, dim) if every else None
        places = None if states is None else states.unbind(1)
        h = products[0].new_zeros(replicas, number, dim)
        order = range(steps - 1, -1, -1) if reverse else range(steps)
        kept: list[tuple[Tensor, ...]] = [()] * steps
        for t in order:
            r = torch.baddbmm(to_r[t], h, into_r).sigmoid_()
            inner = torch.baddbmm(bias, h, into_n)
            n = torch.addcmul(to_n[t], r, inner).tanh_()
            z = [torch.baddbmm(to_z[0][t], h, into_z[0]).sigmoid_()] if to_z else []
            kept[t] = (h, r, inner, n, *z)
            out = None if places is None else places[t]
            if shares is None:
                h = torch.lerp(n, h, z[0], out=out)
            else:
                share = (1 - z[0]).mul_(shares[t]) if z else shares[t].expand_as(h)
                h = torch.lerp(h, n, share, out=out)
        ctx.save_for_backward(gate, weight)
        ctx.kept, ctx.order, ctx.every = kept, order, every
        return h if states is None else states.detach()  # another tensor than the one that the kept states are parts of

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Of gate, weight, bias and products."""
        gate, weight = ctx.saved_tensors
        replicas, dim, _ = weight.shape
        out_of_r, *out_of_z, out_of_n = (part.transpose(1, 2).contiguous() for part in weight.split(dim, 2))
        d_weights = [torch.zeros_like(part) for part in (out_of_r, *out_of_z, out_of_n)]
        d_products = [grad.new_empty(replicas, len(ctx.kept), grad.shape[-2], dim) for _ in d_weights]
        d_r, *d_z, d_n = (part.unbind(1) for part in d_products)
        d_bias = grad.new_zeros(replicas, dim)
        d_gate = torch.empty_like(gate) if ctx.needs_input_grad[0] else None
        shares = None if gate is None else gate.unsqueeze(3).unbind(1)
        grads = grad.unbind(1) if ctx.every else ()
        d = torch.zeros_like(grads[0]) if grads else grad
        for t in reversed(ctx.order):
            h, r, inner, n, *z = ctx.kept[t]
            d = d.add_(grads[t]) if grads else d
            moves = None if shares is None else shares[t]  # by what share the state moves to n
            if z:
                opened, stays = 1 - z[0], (h - n).mul_(d)
                if d_gate is not None:
                    torch.sum(stays * opened, 2, out=d_gate[:, t])
                if moves is not None:
                    opened, stays = opened.mul_(moves), stays.mul_(moves)
                sigmoid_backward(stays, z[0], grad_input=d_z[0][t])
                moves = opened
            elif d_gate is not None:
                torch.sum((h - n).mul_(d), 2, out=d_gate[:, t])
            assert moves is not None
            d_new = d * moves
            d = d - d_new
            tanh_backward(d_new, n, grad_input=d_n[t])
            sigmoid_backward(d_n[t] * inner, r, grad_input=d_r[t])
            d_inner = d_n[t] * r
            d_bias += d_inner.sum(1)
            before = h.transpose(1, 2)
            d_weights[0].baddbmm_(before, d_r[t])
            d_weights[-1].baddbmm_(before, d_inner)
            d.baddbmm_(d_r[t], out_of_r).baddbmm_(d_inner, out_of_n)
            if z:
                d_weights[1].baddbmm_(before, d_z[0][t])
                d.baddbmm_(d_z[0][t], out_of_z[0])
        if d_gate is not None:
            d_gate.neg_()
        return d_gate, torch.cat(d_weights, 2), d_bias, None, None, *d_products


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
        d_weight, grads, alive = torch.zeros_like(weight), grad.unbind(1), there.unsqueeze(3).unbind(1)
        carried, d_c = torch.zeros_like(grads[0]), grad_cell
        for t in range(len(ctx.kept) - 1, -1, -1):
            h, c, gates, size = ctx.kept[t]
            i, f, g, o = gates.split(dim, 2)
            d_h = carried.add_(grads[t])
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
    if spare := padding(number, dim):
        products, there = F.pad(products, (0, 0, 0, spare)), F.pad(there, (0, spare))
    states, cell = LSTM.apply(products, there, hidden.weight, hidden.bias)  # type: ignore[no-untyped-call]
    return states[:, :, :number], cell[:, :number]


class Cell(Protocol):
    """What a gated recurrent network makes of its inputs, W x + b, and of its state, U h + d, the gates beside each other."""

    input: Linear
    hidden: Linear


def by_gate(x: Tensor, cell: Cell) -> list[Tensor]:
    """What inputs (R, ..., D_in) give to r, z and n (or r and n), one product each: (R, ..., D).

    r and z have W x + b + d, n has W x + b: its d stands inside the product with r, see :class:`~memnet.replicated.GRUCell`.
    """
    into, hidden = cell.input, cell.hidden
    assert into.bias is not None
    assert hidden.bias is not None
    dim, flat = hidden.weight.shape[1], x.flatten(1, -2)
    *of_gates, of_n = zip(into.weight.split(dim, 2), into.bias.split(dim, 1), hidden.bias.split(dim, 1), strict=True)
    biased = [(weight, b + d) for weight, b, d in of_gates] + [of_n[:2]]
    return [torch.baddbmm(bias.unsqueeze(1), flat, weight).view(*x.shape[:-1], dim) for weight, bias in biased]


def scan(products: Sequence[Tensor], hidden: Linear, gate: Tensor | None = None, reverse: bool = False) -> Tensor:
    """Every state of a gated recurrent network that starts at zero, (R, T, N, D).

    ``products`` are those of :func:`by_gate` for every step, (R, T, N, D) each, and ``hidden`` is U h + d in PyTorch's order
    r, z, n (see :class:`~memnet.replicated.GRUCell`). With a ``gate (R, T, N)`` the state moves by its share only,
    h' = h + g (GRU(x, h) - h); a gate of zero keeps it. Without an update gate (products and ``hidden`` of r and n)
    the gate takes its place: h' = h + g (n - h). ``reverse`` goes from the last step to the first.
    """
    return scanned(products, hidden, gate, reverse, every=True)


def last(products: Sequence[Tensor], hidden: Linear, gate: Tensor | None = None) -> Tensor:
    """The last of the states of :func:`scan`, (R, N, D)."""
    return scanned(products, hidden, gate, reverse=False, every=False)


def scanned(products: Sequence[Tensor], hidden: Linear, gate: Tensor | None, reverse: bool, every: bool) -> Tensor:
    """All states or the last, from as many numbers in a step as registers hold."""
    assert hidden.bias is not None
    number, dim = products[0].shape[2:]
    if spare := padding(number, dim):
        products = [F.pad(part, (0, 0, 0, spare)) for part in products]
        gate = None if gate is None else F.pad(gate, (0, spare))
    bias = hidden.bias[:, -dim:]
    states: Tensor = Scan.apply(gate, hidden.weight, bias, reverse, every, *products)  # type: ignore[no-untyped-call]
    return states[..., :number, :]

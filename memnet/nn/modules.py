"""Many networks in one program: parameters and random numbers with a leading replica dimension.

A parameter is ``(R, ...)``; one network is the case R = 1. Replica r draws its initial weights,
data order and noise from its own generators, so that what it becomes does not depend on how many
train beside it.
"""

from __future__ import annotations

import copy
import math
from typing import Self

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.nn.random import Random


class Replicated(nn.Module):
    """A module all of whose parameters have the replica dimension first."""

    def replica(self, number: int) -> Self:
        """One network cut out, R = 1, with its own copy of the weights."""
        one = copy.deepcopy(self)
        for name, parameter in self.named_parameters():
            owner = one.get_submodule(name.rpartition(".")[0])
            cut = parameter.detach()[number : number + 1].clone()
            setattr(owner, name.rpartition(".")[2], nn.Parameter(cut))
        return one


class Linear(nn.Module):
    """x W + b for every replica: (R, ..., D_in) -> (R, ..., D_out)."""

    def __init__(self, d_in: int, d_out: int, random: Random, bias: bool = True, std: float = 0.1) -> None:
        super().__init__()
        self.weight = nn.Parameter(random.normal(d_in, d_out, std=std))
        self.bias = nn.Parameter(torch.zeros(random.replicas, d_out)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        """One product a replica: the middle dimensions are folded.

        To one number it is a sum of products: a product of a matrix and a vector rounds otherwise alone than among others.
        """
        flat = x.flatten(1, -2)  # (R, N, D_in)
        if self.weight.shape[2] == 1:
            total = (flat * self.weight.transpose(1, 2)).sum(2)
            return (total if self.bias is None else total + self.bias).view(*x.shape[:-1], 1)
        out = flat @ self.weight if self.bias is None else torch.baddbmm(self.bias.unsqueeze(1), flat, self.weight)
        return out.view(*x.shape[:-1], self.weight.shape[2])


class LayerNorm(nn.Module):
    """Every vector less its mean and over its standard deviation, times a weight, plus a bias (Ba et al. 2016)."""

    def __init__(self, dim: int, random: Random) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(random.replicas, dim))
        self.bias = nn.Parameter(torch.zeros(random.replicas, dim))

    def forward(self, x: Tensor) -> Tensor:
        """(R, ..., D) -> (R, ..., D)."""
        shape = (len(self.weight), *[1] * (x.dim() - 2), x.shape[-1])
        return torch.addcmul(self.bias.view(shape), F.layer_norm(x, x.shape[-1:]), self.weight.view(shape))


def most(numbers: Tensor, limit: int) -> int:
    """The largest of whole numbers, none of which is above ``limit``; in a graph that is exported, which fits all, that."""
    return limit if torch.compiler.is_exporting() else int(numbers.max())


def gather_rows(table: Tensor, number: Tensor) -> Tensor:
    """Rows of each replica's table: (R, U, D), (R, ...) -> (R, ..., D)."""
    first = torch.arange(len(table), device=number.device).view(-1, *[1] * (number.dim() - 1)) * table.shape[1]
    return table.flatten(0, 1).index_select(0, (number + first).flatten()).view(*number.shape, -1)


def sinusoids(number: Tensor, dim: int, slowest: float) -> Tensor:
    """Sines and cosines of numbers, (...) -> (..., dim), the slowest so many times slower than the fastest.

    Vaswani et al. 2017, section 3.5, where ``slowest`` is 10,000.
    """
    half = dim // 2
    speed = torch.exp(torch.arange(half, device=number.device) * (-math.log(slowest) / max(1, half - 1)))
    angle = number.unsqueeze(-1) * speed
    return F.pad(torch.cat([angle.sin(), angle.cos()], -1), (0, dim - 2 * half))


def dropout(x: Tensor, rate: float, random: Random | None) -> Tensor:
    """Each number is zero with probability ``rate``, others are scaled up (Srivastava et al. 2014); without ``random`` none.

    ``x`` is (R, ...); every replica draws its own.
    """
    if random is None or rate == 0:
        return x
    kept = random.uniform(*x.shape[1:]).to(x.device) >= rate
    return x * kept / (1 - rate)


def sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x)), by a tanh: it rounds a number the same whatever stands beside it, which ``torch.sigmoid`` does not."""
    return (1 + (x / 2).tanh()) / 2


class GRUCell(nn.Module):
    """A gated recurrent unit (Cho et al. 2014), gates in PyTorch's order r, z, n, for every replica.

    r = sigmoid(W_r x + b_r + U_r h + d_r)          z = sigmoid(W_z x + b_z + U_z h + d_z)
    n = tanh(W_n x + b_n + r * (U_n h + d_n))       h' = (1 - z) n + z h

    W (R, D_in, 3 D), b (R, 3 D), U (R, D, 3 D), d (R, 3 D).
    """

    def __init__(self, d_in: int, d_hidden: int, random: Random, std: float = 0.1) -> None:
        super().__init__()
        self.input = Linear(d_in, 3 * d_hidden, random, std=std)
        self.hidden = Linear(d_hidden, 3 * d_hidden, random, std=std)

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        """(R, ..., D_in), (R, ..., D) -> (R, ..., D)."""
        return self.step(self.input(x), h)

    def step(self, products: Tensor, h: Tensor) -> Tensor:
        """The same from W x + b, (R, ..., 3 D), which a sequence can have for all its steps at once."""
        r_in, z_in, n_in = products.chunk(3, -1)
        r_state, z_state, n_state = self.hidden(h).chunk(3, -1)
        r, z = sigmoid(r_in + r_state), sigmoid(z_in + z_state)
        return torch.lerp((n_in + r * n_state).tanh(), h, z)


class LSTMCell(nn.Module):
    """A long short-term memory (Hochreiter & Schmidhuber 1997), gates in PyTorch's order i, f, g, o, for every replica.

    i, f, o = sigmoid(W x + b + U h + d)    g = tanh(W x + b + U h + d)    c' = f c + i g    h' = o tanh(c')

    W (R, D_in, 4 D), b (R, 4 D), U (R, D, 4 D), d (R, 4 D).
    """

    def __init__(self, d_in: int, d_hidden: int, random: Random, std: float = 0.1) -> None:
        super().__init__()
        self.input = Linear(d_in, 4 * d_hidden, random, std=std)
        self.hidden = Linear(d_hidden, 4 * d_hidden, random, std=std)

    def forward(self, x: Tensor, state: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        """(R, ..., D_in), h and c (R, ..., D) -> h' and c'."""
        i, f, g, o = (self.input(x) + self.hidden(state[0])).chunk(4, -1)
        c = sigmoid(f) * state[1] + sigmoid(i) * g.tanh()
        return sigmoid(o) * c.tanh(), c

"""Products, norms and recurrent cells in numpy, as in :mod:`memnet.nn`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.infer.attention import OF_WORDS, Bools, Floats, sigmoid

SMALL = 1e-5  # added to a variance


def part(weights: Mapping[str, Floats], name: str) -> dict[str, Floats]:
    """The weights of a module, by their names in it."""
    return {key.removeprefix(f"{name}."): value for key, value in weights.items() if key.startswith(f"{name}.")}


Shapes = dict[str, tuple[int, ...]]  # of weights, by their names


def linear_shapes(name: str, d_in: int, d_out: int, bias: bool = True) -> Shapes:
    """Of a linear map of :mod:`memnet.nn`."""
    return {f"{name}.weight": (d_in, d_out)} | ({f"{name}.bias": (d_out,)} if bias else {})


def transposed_shapes(name: str, d_in: int, d_out: int, bias: bool = True) -> Shapes:
    """Of a linear map of torch."""
    return linear_shapes(name, d_in, d_out, bias) | {f"{name}.weight": (d_out, d_in)}


def gru_shapes(name: str, d_in: int, dim: int, gates: int = 3) -> Shapes:
    """Of a recurrent cell of :mod:`memnet.nn`."""
    return linear_shapes(f"{name}.input", d_in, gates * dim) | linear_shapes(f"{name}.hidden", dim, gates * dim)


def norm_shapes(name: str, dim: int) -> Shapes:
    """Of a layer norm."""
    return {f"{name}.weight": (dim,), f"{name}.bias": (dim,)}


def below(name: str, shapes: Shapes) -> Shapes:
    """Those of a module that is a part of another."""
    return {f"{name}.{key}": shape for key, shape in shapes.items()}


def check_shapes(weights: Mapping[str, Floats], shapes: Shapes) -> None:
    """Raise ValueError where weights are not those of a network of these shapes."""
    for name in sorted(shapes.keys() | weights.keys()):
        found = weights[name].shape if name in weights else "nothing"
        if found != shapes.get(name):
            raise ValueError(f"{name} is {found}, expected {shapes.get(name, 'nothing')}")


class Linear(NamedTuple):
    """x W + b: (..., D_in) -> (..., D_out); W is (D_in, D_out)."""

    weight: Floats
    bias: Floats | None = None

    @classmethod
    def of(cls, weights: Mapping[str, Floats], name: str, transposed: bool = False) -> Linear:
        """By its name; torch's own linear maps are ``transposed``, (D_out, D_in)."""
        weight = weights[f"{name}.weight"]
        return cls(np.ascontiguousarray(weight.T) if transposed else weight, weights.get(f"{name}.bias"))

    def after(self, norm: Norm) -> Linear:
        """What it makes of ``norm(x)``, made of :func:`standardized` x: (g x + c) W + b = x (g W) + (c W + b)."""
        bias = norm.bias @ self.weight
        return Linear(norm.weight[:, None] * self.weight, bias if self.bias is None else bias + self.bias)

    def __call__(self, x: Floats) -> Floats:
        """One product: the middle dimensions are folded."""
        flat = x.reshape(-1, x.shape[-1]) @ self.weight
        if self.bias is not None:
            flat += self.bias
        return flat.reshape(*x.shape[:-1], -1)


def standardized(x: Floats) -> Floats:
    """Every vector less its mean and over its standard deviation, (..., D)."""
    number = np.float32(x.shape[-1])  # the means are sums over it: np.mean takes longer to begin than to add so few numbers
    x = np.asarray(x - np.add.reduce(x, -1, keepdims=True) / number, np.float32)
    x /= np.sqrt(np.einsum("...d,...d->...", x, x)[..., None] / number + np.float32(SMALL))
    return x


class Norm(NamedTuple):
    """A vector that is :func:`standardized`, times a weight, plus a bias: a layer norm (Ba et al. 2016)."""

    weight: Floats
    bias: Floats

    @classmethod
    def of(cls, weights: Mapping[str, Floats], name: str) -> Norm:
        """By its name."""
        return cls(weights[f"{name}.weight"], weights[f"{name}.bias"])

    def __call__(self, x: Floats) -> Floats:
        """(..., D) -> (..., D)."""
        x = standardized(x)
        x *= self.weight
        x += self.bias
        return x


def relu(x: Floats) -> Floats:
    """The larger of x and zero."""
    return np.maximum(x, np.float32(0))


def heads_after(weights: Mapping[str, Floats], norm: Norm) -> dict[str, Floats]:
    """Weights of :class:`~memnet.infer.attention.Heads` that read what a norm gives, to read what is :func:`standardized`."""
    found = dict(weights)
    for name in OF_WORDS:
        found[f"{name}.weight"], bias = Linear.of(weights, name).after(norm)
        found[f"{name}.bias"] = np.asarray(bias)
    return found


class FeedForward(NamedTuple):
    """x + W relu(V norm x + v) + w: a network of two layers for every vector (Vaswani et al. 2017, section 3.3)."""

    inner: Linear  # of what is standardized, with the norm's weight and bias in its own
    outer: Linear

    @classmethod
    def of(cls, weights: Mapping[str, Floats], norm: str, inner: str, outer: str, transposed: bool = False) -> FeedForward:
        """By the names of its parts."""
        first, second = (Linear.of(weights, name, transposed) for name in (inner, outer))
        return cls(first.after(Norm.of(weights, norm)), second)

    def __call__(self, x: Floats) -> Floats:
        """(..., D) -> (..., D)."""
        hidden = self.inner(standardized(x))
        found = self.outer(np.maximum(hidden, np.float32(0), out=hidden))
        found += x
        return found


def unit(x: Floats) -> Floats:
    """Vectors at length 1, (..., D)."""
    return np.asarray(x / np.maximum(np.sqrt((x * x).sum(-1, keepdims=True)), np.float32(1e-12)))


def sinusoids(number: NDArray[np.int64], dim: int, slowest: float) -> Floats:
    """Sines and cosines of numbers, (...) -> (..., dim) (Vaswani et al. 2017, section 3.5, where ``slowest`` is 10,000)."""
    half = dim // 2
    speed = np.exp(np.arange(half, dtype=np.float32) * np.float32(-math.log(slowest) / max(1, half - 1)))
    angle = number[..., None].astype(np.float32) * speed
    found = np.zeros((*number.shape, dim), np.float32)
    found[..., :half], found[..., half : 2 * half] = np.sin(angle), np.cos(angle)
    return found


class GRU(NamedTuple):
    """A gated recurrent unit (Cho et al. 2014), gates in the order r, z, n.

    r = sigmoid(W_r x + b_r + U_r h + d_r)          z = sigmoid(W_z x + b_z + U_z h + d_z)
    n = tanh(W_n x + b_n + r * (U_n h + d_n))       h' = (1 - z) n + z h

    Without an update gate (an attention GRU) the caller's gate takes its place: h' = h + g (n - h).
    """

    input: Linear
    hidden: Linear

    @classmethod
    def of(cls, weights: Mapping[str, Floats], name: str) -> GRU:
        """By its name."""
        return cls(Linear.of(weights, f"{name}.input"), Linear.of(weights, f"{name}.hidden"))

    def __call__(self, x: Floats, h: Floats) -> Floats:
        """(..., D_in), (..., D) -> (..., D)."""
        return self.step(self.input(x), h)

    def step(self, products: Floats, h: Floats, gate: Floats | None = None) -> Floats:
        """The same from W x + b; with a ``gate (..., 1)`` the state moves by its share only."""
        dim = h.shape[-1]
        state = self.hidden(h)
        gates = sigmoid(products[..., :-dim] + state[..., :-dim])  # r, and z where there is one
        n = np.tanh(products[..., -dim:] + gates[..., :dim] * state[..., -dim:])
        if products.shape[-1] == 2 * dim:
            assert gate is not None
            return np.asarray(h + gate * (n - h))
        share = 1 - gates[..., dim:]
        return np.asarray(h + (share if gate is None else share * gate) * (n - h))

    def scan(self, products: Floats, there: Bools | Floats | None = None, reverse: bool = False) -> Floats:
        """Every state over T steps from zero, (..., T, G D) -> (..., T, D); it stays where not ``there (..., T)``."""
        steps, dim = products.shape[-2], self.hidden.weight.shape[0]
        states = np.zeros((*products.shape[:-1], dim), np.float32)
        h = np.zeros((*products.shape[:-2], dim), np.float32)
        for t in range(steps - 1, -1, -1) if reverse else range(steps):
            gate = None if there is None else there[..., t, None].astype(np.float32)
            h = states[..., t, :] = self.step(products[..., t, :], h, gate)
        return states

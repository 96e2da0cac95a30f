"""The attention core in numpy: address a memory with a query, score x align x read.

Shapes as in :mod:`memnet.attention`: ``...`` any leading dimensions, ``Q`` queries, ``M`` memories, ``D`` width. Masks are
bool and True means *may be read*. Nothing is drawn, and nothing is learned: this is the whole of it.

    l_i = score(q, k_i) + bias_i,   -inf where i may not be read
    p   = align(l, null)            the weights, and that of reading nothing
    o   = sum_i p_i v_i

    >>> key = np.array([[4.0, 0.0], [0.0, 4.0]], np.float32)  # two memories
    >>> trace = attend(np.array([[1.0, 0.0]], np.float32), key, key)
    >>> [round(float(weight), 2) for weight in trace.weights[0]]  # e^4 / (e^4 + e^0) and e^0 / (e^4 + e^0)
    [0.98, 0.02]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]
NEVER = np.float32(-np.inf)
TINY, LOWEST = np.finfo(np.float32).tiny, np.finfo(np.float32).min
MANY, FEW = 1000, 8  # values of a row of which not all are sorted, where fewer than one in so many are wanted
OF_WORDS = ("query", "key", "value")  # what heads make of each


class Trace(NamedTuple):
    """What one attention did."""

    output: Floats  # (..., Q, Dv)
    weights: Floats  # (..., Q, M)
    logits: Floats  # (..., Q, M)
    null: Floats | None = None  # (..., Q) the weight of reading nothing


Score = Callable[[Floats, Floats], Floats]
Align = Callable[..., tuple[Floats, Floats | None]]  # logits (..., Q, M), queries (..., Q, D), null (..., Q) or None


def dot(query: Floats, key: Floats) -> Floats:
    """Inner product, q . k (Sukhbaatar et al. 2015, eq. 1): (..., Q, D), (..., M, D) -> (..., Q, M)."""
    return np.asarray(query @ key.swapaxes(-1, -2))


def scaled_dot(query: Floats, key: Floats) -> Floats:
    """q . k / sqrt(D) (Vaswani et al. 2017, eq. 1)."""
    return dot(query / np.float32(math.sqrt(query.shape[-1])), key)


def exponentials(logits: Floats) -> tuple[Floats, Floats]:
    """exp(l - max l) over the last dimension and max l; zeros where every l is -inf."""
    largest = np.maximum.reduce(logits, -1, keepdims=True, initial=LOWEST)
    parts = np.asarray(logits - largest)
    return np.exp(parts, out=parts), largest


def normalized(logits: Floats) -> Floats:
    """exp(l_i) / sum_j exp(l_j) over the last dimension; zeros where every l is -inf."""
    parts, _ = exponentials(logits)
    parts /= np.maximum(np.add.reduce(parts, -1, keepdims=True), TINY)
    return parts


def log_normalized(logits: Floats) -> Floats:
    """l_i - log sum_j exp(l_j) over the last dimension."""
    parts, largest = exponentials(logits)
    return np.asarray(logits - largest - np.log(np.maximum(np.add.reduce(parts, -1, keepdims=True), TINY)))


def softmax(logits: Floats, query: Floats, null: Floats | None = None) -> tuple[Floats, Floats | None]:
    """p_i = exp(l_i) / (exp(null) + sum_j exp(l_j)), without ``null`` its term is absent (Bahdanau et al. 2015, eq. 6).

    A query that may read nothing (all masked, no null) has weights zero.
    """
    if null is None:
        return normalized(logits), None
    weights = normalized(np.concatenate([logits, np.asarray(null, np.float32)[..., None]], -1))
    return weights[..., :-1], weights[..., -1]


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x))."""
    return np.asarray((1 + np.tanh(x / 2)) / 2)


def argmax(logits: Floats, query: Floats, null: Floats | None = None) -> tuple[Floats, Floats | None]:
    """The one memory with the largest logit, the oldest of several; none where all are -inf or the ``null`` is larger."""
    weights = np.zeros_like(logits)
    place = logits.argmax(-1)[..., None]
    best = np.take_along_axis(logits, place, -1)
    nothing = np.zeros(best.shape, bool) if null is None else null[..., None] > best
    np.put_along_axis(weights, place, np.where((best > NEVER) & ~nothing, np.float32(1), 0), -1)
    return weights, None if null is None else nothing[..., 0].astype(np.float32)


def tempered(temperature: float) -> Align:
    """Softmax of l / T: soft where T is large, nearly one memory where it is small (Hinton et al. 2015, eq. 1)."""

    def align(logits: Floats, query: Floats, null: Floats | None = None) -> tuple[Floats, Floats | None]:
        return softmax(logits / temperature, query, None if null is None else null / temperature)

    return align


@dataclass(frozen=True, eq=False)
class Tournament:
    """The memory that is left of a tournament from the oldest to the newest (Weston et al. 2014, section 3.4).

    A challenger replaces the champion where its logit and v . q exceed the champion's logit. ``order (2, D)`` holds w and v;
    w . q is what being newer than the memory read before is worth, for a bias.
    """

    order: Floats

    def worths(self, query: Floats) -> tuple[Floats, Floats]:
        """w . q and v . q, (..., Q, D) -> (..., Q) each."""
        both = query @ self.order.T
        return both[..., 0], both[..., 1]

    def __call__(self, logits: Floats, query: Floats, null: Floats | None = None) -> tuple[Floats, Floats | None]:
        """One-hot weights; nothing is read where the ``null`` exceeds the champion's logit."""
        newer, best = self.worths(query)[1], logits[..., 0]
        place = np.zeros(best.shape, np.int64)
        for challenger in range(1, logits.shape[-1]):
            score = logits[..., challenger]
            with np.errstate(invalid="ignore"):  # -inf less -inf, which is no challenge
                wins = score - best + newer > 0
            wins |= (best == NEVER) & (score > NEVER)
            best, place = np.where(wins, score, best), np.where(wins, challenger, place)
        there = best > NEVER
        nothing = np.zeros(best.shape, bool) if null is None else null > best
        weights = np.arange(logits.shape[-1]) == np.where(there & ~nothing, place, -1)[..., None]
        return weights.astype(np.float32), None if null is None else (nothing & (null > NEVER)).astype(np.float32)


def attend(
    query: Floats,
    key: Floats,
    value: Floats,
    score: Score = dot,
    align: Align = softmax,
    mask: Bools | None = None,
    null: Floats | None = None,
    bias: Floats | None = None,
) -> Trace:
    """``query (..., Q, Dq)`` reads ``key (..., M, Dk)`` and ``value (..., M, Dv)``; ``null (..., Q)`` is the logit of nothing.

    ``mask`` and ``bias``, which is added to the scores, broadcast to (..., Q, M).
    """
    return read(score(query, key), query, value, align, mask, null, bias)


def read(
    logits: Floats,
    query: Floats,
    value: Floats | Callable[[Floats], Floats],
    align: Align = softmax,
    mask: Bools | None = None,
    null: Floats | None = None,
    bias: Floats | None = None,
) -> Trace:
    """The same from scores (..., Q, M); ``value`` may be what makes the output of the weights, such as a recurrent network."""
    if bias is not None:
        logits = logits + bias
    if mask is not None:
        logits = np.where(mask, logits, NEVER)
    weights, nothing = align(logits, query, null)
    return Trace(value(weights) if callable(value) else weights @ value, weights, logits, nothing)


class Heads:
    """Several attentions side by side, each over its own projection (Vaswani et al. 2017, section 3.2.2).

    head_h = attention(W_h^Q q, W_h^K k, W_h^V v), output W^O [head_1; ...; head_H], every W with a bias. With ``relative
    (2 F + 1, H)`` every head has a learned preference for each distance from the query's place, up to F to each side.
    """

    def __init__(self, weights: Mapping[str, Floats], number: int, relative: Floats | None = None) -> None:
        """``weights``: query, key, value and out, a weight (D, D) and a bias (D,) each; ``number`` H."""
        self.number = number
        self.relative = None if relative is None else np.ascontiguousarray(relative.T)
        every = [np.concatenate([weights[f"{name}.{part}"] for name in OF_WORDS], -1) for part in ("weight", "bias")]
        dim = every[1].size // len(OF_WORDS)
        self.query, self.key_value = (
            tuple(np.ascontiguousarray(each[..., part]) for each in every) for part in (slice(dim), slice(dim, None))
        )
        self.out = weights["out.weight"], weights["out.bias"]

    def split(self, x: Floats, weight: Floats, bias: Floats) -> Floats:
        """Project to P parts of width D and give each head its part of these, (..., N, D) -> (..., H, P, N, D / H)."""
        wide = x @ weight
        wide += bias
        return wide.reshape(*x.shape[:-1], -1, self.number, x.shape[-1] // self.number).swapaxes(-4, -2)

    def prepare(self, memory: Floats) -> tuple[Floats, Floats]:
        """Keys and values of a memory (..., M, D), once for all queries: (..., H, M, D / H) each."""
        both = self.split(memory, *self.key_value)
        return both[..., 0, :, :], both[..., 1, :, :]

    def queries(self, x: Floats) -> Floats:
        """Queries of what reads a memory, (..., N, D) -> (..., H, N, D / H)."""
        return self.split(x, *self.query)[..., 0, :, :]

    def of_itself(self, x: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
        """Queries of what reads itself (..., N, D), and it as a memory, which is kept without them: (..., H, N, D / H) each."""
        return self.queries(x), self.prepare(x)

    def near(self, distance: Integers, mask: Bools) -> Floats:
        """What the heads prefer by distance, (..., Q, M) between queries and memories, which they may read where ``mask``.

        It is a bias, (..., H, Q, M).
        """
        preferred: Floats = np.zeros((self.number, *distance.shape), np.float32)
        if self.relative is not None:
            far = self.relative.shape[1] // 2
            preferred = self.relative.take(np.minimum(np.maximum(distance, -far), far) + far, 1)
        return np.moveaxis(np.where(mask, preferred, NEVER), 0, -3)

    def ask(
        self, query: Floats, memory: tuple[Floats, Floats], mask: Bools, null: Floats | None = None, bias: Floats | None = None
    ) -> Trace:
        """``query (..., Q, D)``, ``mask (..., Q, M)``, ``null (..., Q)``; the weights come back for each head."""
        return self.read(self.queries(query), memory, mask[..., None, :, :], null, bias)

    def read(
        self,
        query: Floats,
        memory: tuple[Floats, Floats],
        mask: Bools | None = None,
        null: Floats | None = None,
        bias: Floats | None = None,
    ) -> Trace:
        """The same of queries (..., H, Q, D / H); ``mask`` and ``bias`` broadcast to (..., H, Q, M)."""
        nothing = None if null is None else null[..., None, :] + np.zeros(query.shape[:-1], np.float32)
        trace = attend(query, *memory, scaled_dot, softmax, mask, nothing, bias)
        together = trace.output.swapaxes(-2, -3)
        output = together.reshape(*together.shape[:-2], -1) @ self.out[0]
        output += self.out[1]
        return trace._replace(output=output)


def over_heads(trace: Trace) -> Trace:
    """What all heads read for every query, the means of their weights: (..., H, Q, M) -> (..., Q, M)."""
    return trace._replace(weights=trace.weights.mean(-3), null=None if trace.null is None else trace.null.mean(-2))


def likeliest(values: NDArray[Any], most: int) -> Integers:
    """The places of the ``most`` greatest values of the last dimension, the greatest first and the first of equals."""
    if values.size < MANY or values.size > values.shape[-1] or most > values.size // FEW:
        return np.argsort(-values, axis=-1, kind="stable")[..., :most]
    flat = values.reshape(-1)  # one long row, of which only those are sorted that are no less than the last wanted
    rest = flat.size - most
    greatest = np.flatnonzero(flat >= np.partition(flat, rest)[rest])
    return greatest[np.argsort(-flat[greatest], kind="stable")][:most].reshape(*values.shape[:-1], most)

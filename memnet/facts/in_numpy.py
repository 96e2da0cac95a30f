"""The network that reads one sentence for facts, in numpy; the formulas are those of :mod:`memnet.facts.network`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from memnet.facts.kinds import KINDS, ROLES, SLOTS
from memnet.facts.numbers import CAPITAL, EMBEDDING, ENDING, LONGEST, NEIGHBOURS, POSITION, ROW, FactConfig
from memnet.infer.attention import Bools, Floats, Integers, attend, scaled_dot
from memnet.infer.layers import (
    FeedForward,
    Linear,
    Norm,
    Shapes,
    below,
    check_shapes,
    norm_shapes,
    part,
    relu,
    standardized,
    transposed_shapes,
)
from memnet.reading.words import EMBEDDINGS, ENDINGS

TABLES = ((EMBEDDING, "embedding"), (ENDING, "ending"), (POSITION, "position"), (CAPITAL, "capital"))  # of words


class Reading(NamedTuple):
    """What the network makes of sentences."""

    kind: Floats  # (B, SLOTS, len(KINDS)) logits
    start: Floats  # (B, SLOTS, len(ROLES), L) logits of the first word of each role; word 0 is none
    end: Floats  # (B, SLOTS, len(ROLES), L) of its last word


class Block:
    """Attention of queries over words, and a network of two layers, both added to what was there."""

    def __init__(self, weights: Mapping[str, Floats], heads: int) -> None:
        self.heads = heads
        self.query, self.key_value = (
            Linear.of(weights, name, transposed=True).after(Norm.of(weights, norm))
            for name, norm in (("query", "before"), ("key_value", "of_words"))
        )
        self.out = Linear.of(weights, "out", transposed=True)
        self.feed = FeedForward.of(weights, "between", "hidden", "again", transposed=True)

    def split(self, x: Floats) -> Floats:
        """(B, N, D) -> (B, H, N, D / H)."""
        return x.reshape(*x.shape[:-1], self.heads, -1).swapaxes(1, 2)

    def __call__(self, x: Floats, words: Floats, there: Bools) -> Floats:
        """``x (B, Q, D)`` reads ``words (B, L, D)`` where ``there (B, L)``."""
        key, value = np.split(self.key_value(standardized(words)), 2, -1)
        query = self.split(self.query(standardized(x)))
        trace = attend(query, self.split(key), self.split(value), scaled_dot, mask=there[:, None, None])
        x = x + self.out(trace.output.swapaxes(1, 2).reshape(*x.shape[:-1], -1))
        return self.feed(x)


class FactNetwork:
    """A trained network of facts; ``weights`` are its parameters by name, ``vectors (rows, 100)`` those of words."""

    def __init__(self, config: FactConfig, vectors: Floats, weights: Mapping[str, Floats]) -> None:
        self.config, self.vectors, self.weights = config, vectors, weights
        check_shapes(weights, shapes(config))
        names = ("from_vector", "near.0", "near.1", "kind", "point_key", "point_query")
        self.linear = {name: Linear.of(weights, name, transposed=True) for name in names}
        self.layers, self.hops = (
            [Block(part(weights, f"{name}.{number}"), config.heads) for number in range(count)]
            for name, count in (("layers", config.layers), ("hops", config.hops))
        )
        self.norm, self.norm_words = Norm.of(weights, "norm"), Norm.of(weights, "norm_words")

    def __call__(self, words: Integers) -> Reading:
        """``words (B, L, 5)``, NO_WORD after a sentence's end."""
        there, number = words[..., EMBEDDING] >= 0, np.maximum(words, 0)
        x = self.linear["from_vector"](self.vectors[number[..., ROW]])
        for column, name in TABLES:
            x = x + self.weights[f"{name}.weight"][number[..., column]]
        x = self.neighbours(x * there[..., None], there)
        for layer in self.layers:
            x = layer(x, x, there)
        slots = self.weights["slots"] + x[:, :1]
        for hop in self.hops:
            slots = hop(slots, x, there)
        slots, x = self.norm(slots), self.norm_words(x)
        count = len(x)
        key = self.linear["point_key"](x).reshape(count, x.shape[1], 2, -1).swapaxes(1, 2)  # (B, 2, L, P)
        query = self.linear["point_query"](slots).reshape(count, SLOTS, 2, len(ROLES), -1).swapaxes(1, 2)
        query = query.reshape(count, 2, SLOTS * len(ROLES), -1)
        points = attend(query, key, key, mask=there[:, None, None]).logits
        start, end = (points[:, which].reshape(count, SLOTS, len(ROLES), -1) for which in range(2))
        return Reading(self.linear["kind"](slots), start, end)

    def neighbours(self, x: Floats, there: Bools) -> Floats:
        """Each word sees the two on each side, twice: (B, L, D)."""
        for name in ("near.0", "near.1"):
            wide = np.pad(x, ((0, 0), (NEIGHBOURS, NEIGHBOURS), (0, 0)))
            window = np.concatenate([wide[:, at : at + x.shape[1]] for at in range(2 * NEIGHBOURS + 1)], -1)
            x = (x + relu(self.linear[name](window))) * there[..., None]
        return x


def shapes(config: FactConfig) -> Shapes:
    """The names and shapes of a network's weights."""
    dim, pointers = config.dim, 2 * config.pointer_dim
    found: Shapes = {"slots": (SLOTS, dim), "embedding.weight": (EMBEDDINGS, dim), "ending.weight": (ENDINGS + 1, dim)}
    found |= {"position.weight": (LONGEST + 2, dim), "capital.weight": (2, dim)}
    found |= transposed_shapes("from_vector", config.vectors, dim, bias=False)
    for number in range(2):
        found |= transposed_shapes(f"near.{number}", (2 * NEIGHBOURS + 1) * dim, dim)
    for name, count in (("layers", config.layers), ("hops", config.hops)):
        for number in range(count):
            found |= below(f"{name}.{number}", block_shapes(dim, config.hidden))
    found |= norm_shapes("norm", dim) | norm_shapes("norm_words", dim) | transposed_shapes("kind", dim, len(KINDS))
    found |= transposed_shapes("point_key", dim, pointers, bias=False)
    return found | transposed_shapes("point_query", dim, len(ROLES) * pointers)


def block_shapes(dim: int, hidden: int) -> Shapes:
    """Of a block."""
    norms = norm_shapes("before", dim) | norm_shapes("of_words", dim) | norm_shapes("between", dim)
    products = transposed_shapes("query", dim, dim, bias=False) | transposed_shapes("key_value", dim, 2 * dim, bias=False)
    again = transposed_shapes("hidden", dim, hidden) | transposed_shapes("again", hidden, dim)
    return norms | products | transposed_shapes("out", dim, dim) | again

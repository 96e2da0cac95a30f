"""The network of relations in numpy; the formulas are those of :mod:`memnet.memory.relations.network`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from memnet.infer.attention import Bools, Floats, Heads, Integers, Tournament, Trace, attend, dot, sigmoid
from memnet.infer.layers import (
    FeedForward,
    Linear,
    Norm,
    Shapes,
    below,
    check_shapes,
    heads_after,
    linear_shapes,
    norm_shapes,
    part,
    relu,
    standardized,
    unit,
)
from memnet.memory.relations.sizes import HOPS, NEIGHBOURS, OBJECT, WINDOW, Sizes
from memnet.memory.relations.words import EMBEDDING, ENDING, ROW, ROWS, SHAPE, SHAPES
from memnet.reading.words import ENDINGS


class Read(NamedTuple):
    """What was read of B sentences of W words (the start among them)."""

    words: Floats  # (B, W, D)
    meaning: Floats  # (B, W, K) b_w c_w
    pointers: Floats  # (B, 2, W) log-odds
    gates: Floats  # (B, 3) log-odds


class Layer:
    """Attention over the words of a sentence and a network of two layers for each, both added to what was there."""

    def __init__(self, weights: Mapping[str, Floats], heads: int) -> None:
        attend = heads_after(part(weights, "attend"), Norm.of(weights, "before"))
        self.attend = Heads(attend, heads, weights["attend.relative_bias"])
        self.feed = FeedForward.of(weights, "between", "hidden", "again")

    def __call__(self, x: Floats, mask: Bools, distance: Integers) -> Floats:
        """(B, W, D) -> (B, W, D); ``mask (B, 1, W)``, ``distance (B, W, W)``."""
        query, memory = self.attend.of_itself(standardized(x))
        x = x + self.attend.read(query, memory, bias=self.attend.near(distance, mask)).output
        return self.feed(x)


class RelationNetwork:
    """A trained network; ``weights`` are its parameters by name, without the dimension of replicas."""

    def __init__(self, sizes: Sizes, vectors: Floats, weights: Mapping[str, Floats]) -> None:
        self.sizes, self.vectors, self.weights = sizes, vectors, weights
        check_shapes(weights, shapes(sizes))
        names = ["from_vector", "near", "gate", "no_slot", "own_meaning", "said_meaning", "weigh"]
        names += ["glance_vector", "glance_hidden", "glance_out"]
        self.linear = {name: Linear.of(weights, name) for name in names}
        self.layers = [Layer(part(weights, f"layers.{number}"), sizes.heads) for number in range(sizes.layers)]
        self.norm, self.newest = Norm.of(weights, "norm"), Tournament(weights["newest.align.order"])
        self.nothing = float(weights["nothing"])

    def read(self, numbers: Integers, there: Bools) -> Read:
        """Sentences as numbers (B, W, 4) of which ``there (B, W)`` says what is no padding."""
        vector = self.vectors[numbers[..., ROW]]
        x = self.linear["from_vector"](vector)
        for column, name in ((EMBEDDING, "embedding"), (ENDING, "ending"), (SHAPE, "shape")):
            x = x + self.weights[name][numbers[..., column]]
        x = x * there[..., None]
        wide = np.pad(x, ((0, 0), (NEIGHBOURS, NEIGHBOURS), (0, 0)))
        window = np.concatenate([wide[:, at : at + x.shape[1]] for at in range(2 * NEIGHBOURS + 1)], -1)
        x = x + relu(self.linear["near"](window))
        place = there.cumsum(1)
        for layer in self.layers:
            x = layer(x, there[:, None], place[:, :, None] - place[:, None])
        x = self.norm(x)
        meaning = self.linear["own_meaning"](vector) + self.weights["word_meaning"][numbers[..., EMBEDDING]]
        meaning = sigmoid(self.linear["weigh"](x)) * (meaning + self.linear["said_meaning"](x)) * there[..., None]
        return Read(x, meaning, dot(self.weights["pointers"][0], x), self.linear["gate"](x[:, 0]))

    def keys(self, read: Read) -> Floats:
        """The keys of facts whose name is one word, (B, W, D) -> (B, K)."""
        return unit((read.meaning * sigmoid(-read.pointers[:, OBJECT])[..., None]).sum(1))

    def alignment(self, read: Read) -> Floats:
        """Which hop each word of questions speaks of, or none: weights (B, W, H)."""
        nothing = self.linear["no_slot"](read.words)[..., 0]
        slots = self.weights["slots"][0]
        return attend(read.words, slots, slots, null=nothing).weights

    def queries(self, read: Read, weights: Floats) -> Floats:
        """What each hop asks, (B, W, H) -> (B, H, K)."""
        return unit(weights.swapaxes(1, 2) @ read.meaning)

    def address(self, query: Floats, key: Floats) -> tuple[Trace, Floats]:
        """Of facts, the oldest first, the newest that answers: (K,), (M, K) -> the core's trace of (1, M), logits (M,).

        A last number of the query, 1, is what the tournament's worth of being newer is multiplied by. What answers less than
        nothing is no choice.
        """
        query = np.append(query * np.exp(self.weights["scale"]), np.float32(1))[None]
        key = np.pad(key, ((0, 0), (0, 1)))
        logits, nothing = dot(query, key), np.array([self.nothing], np.float32)
        return attend(query, key, key, align=self.newest, mask=logits > nothing, null=nothing), logits[0]

    def glance(self, numbers: Integers) -> Floats:
        """By three words before a name and two after it, whether a fact may be about it: (N, 5, 4) -> (N,) log-odds."""
        x = self.linear["glance_vector"](self.vectors[numbers[..., ROW]])
        x = x + self.weights["glance_embedding"][numbers[..., EMBEDDING]]
        return self.linear["glance_out"](relu(self.linear["glance_hidden"](x.reshape(len(x), -1))))[:, 0]


def shapes(sizes: Sizes) -> Shapes:
    """The names and shapes of a network's weights, without the dimension of replicas."""
    dim, meaning, vectors, glance = sizes.dim, sizes.meaning, sizes.vectors, sizes.glance
    found: Shapes = {"embedding": (ROWS, dim), "ending": (ENDINGS + 1, dim), "shape": (SHAPES, dim)}
    found |= {"pointers": (1, 2, dim), "slots": (1, HOPS, dim), "word_meaning": (ROWS, meaning), "scale": (), "nothing": ()}
    found |= {"newest.align.order": (2, meaning + 1), "glance_embedding": (ROWS, glance)}
    found |= linear_shapes("from_vector", vectors, dim, False) | linear_shapes("near", (2 * NEIGHBOURS + 1) * dim, dim)
    for number in range(sizes.layers):
        found |= below(f"layers.{number}", layer_shapes(sizes))
    found |= norm_shapes("norm", dim) | linear_shapes("gate", dim, 3) | linear_shapes("no_slot", dim, 1)
    found |= linear_shapes("own_meaning", vectors, meaning, False) | linear_shapes("said_meaning", dim, meaning)
    found |= linear_shapes("weigh", dim, 1) | linear_shapes("glance_vector", vectors, glance, False)
    return found | linear_shapes("glance_hidden", WINDOW * glance, 32) | linear_shapes("glance_out", 32, 1)


def layer_shapes(sizes: Sizes) -> Shapes:
    """Of a layer."""
    dim = sizes.dim
    found: Shapes = {"attend.relative_bias": (2 * sizes.distance + 1, sizes.heads)}
    for name in ("query", "key", "value", "out"):
        found |= linear_shapes(f"attend.{name}", dim, dim)
    found |= norm_shapes("before", dim) | norm_shapes("between", dim)
    return found | linear_shapes("hidden", dim, sizes.hidden) | linear_shapes("again", sizes.hidden, dim)

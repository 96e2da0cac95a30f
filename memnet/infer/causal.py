"""A causal Universal Transformer that answers; the formulas are those of :mod:`memnet.models.causal`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from memnet.encode.sentences import Sentences, Sizes
from memnet.infer.answers import WordByWord
from memnet.infer.attention import Floats, Heads, Integers, over_heads
from memnet.infer.layers import (
    FeedForward,
    Norm,
    Shapes,
    gru_shapes,
    heads_after,
    linear_shapes,
    norm_shapes,
    part,
    sinusoids,
    standardized,
)
from memnet.infer.network import Hop, Numbers, NumpyNetwork, Output, Settings
from memnet.infer.sentences import chirps, places, slots, there

SLOWEST = 100.0  # the slowest sine of places is so many times slower than the fastest
CODE = 27  # numbers of a marker's code: 26 of its chirp, and one that is the same for all


class Kept(NamedTuple):
    """What each step, and last the evidence, reads of stories: keys and values of every head, (G, H, M, D / H) each."""

    steps: list[tuple[Floats, Floats]]


def after(before: Kept | None, step: int, memory: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The keys and values of a step, with those read before."""
    if before is None:
        return memory
    key, value = (np.concatenate(parts, 2) for parts in zip(before.steps[step], memory, strict=True))
    return key, value


class Causal(NumpyNetwork):
    """One network; a story's statements are read once for all its questions."""

    title = "A causal Universal Transformer"
    keeps_stories = looks_back = True

    def __init__(self, settings: Settings, sizes: Sizes, weights: Mapping[str, Floats]) -> None:
        super().__init__(settings, sizes, weights)
        self.words = weights["embedding"]
        if sizes.entities:
            codes = np.concatenate([chirps(sizes.entities), np.full((sizes.entities, 1), 0.5, np.float32)], 1)
            self.words = np.concatenate([self.words, codes @ weights["name"]])
        attend_norm, norm, self.last_norm = (Norm.of(weights, name) for name in ("attend_norm", "norm", "last_norm"))
        self.attend = Heads(
            heads_after(part(weights, "attend"), attend_norm), settings["heads"], weights["attend.relative_bias"]
        )
        self.evidence = Heads(heads_after(part(weights, "evidence"), norm), 1)
        self.feed = FeedForward.of(weights, "feed_norm", "inner", "outer")
        self.decoder = WordByWord.of(weights, self.words @ weights["out.weight"] * np.float32(settings["dim"] ** -0.5))
        self.or_none = np.concatenate([self.words, np.zeros_like(self.words[:1])])  # zeros where a sentence has no word
        self.times = np.zeros((0, settings["dim"]), np.float32)  # of the places met so far, see sinusoids

    @classmethod
    def takes(cls, settings: Settings, sizes: Sizes) -> bool:
        """Scaled dot products and softmax."""
        usual = {"score": "scaled_dot", "align": "softmax", "decoder": "words"}
        return all(settings[name] == value for name, value in usual.items()) and settings["dim"] % (2 * settings["heads"]) == 0

    @classmethod
    def shapes(cls, settings: Settings, sizes: Sizes) -> Shapes:
        """See :class:`NumpyNetwork`."""
        dim, hidden = settings["dim"], settings["hidden"]
        found: Shapes = {"embedding": (sizes.vocabulary - sizes.entities, dim), "masks": (max(1, sizes.longest), dim)}
        found |= {"asked": (dim,), "step": (settings["steps"], dim)} | ({"name": (CODE, dim)} if sizes.entities else {})
        for name in ("attend", "evidence"):
            for each in ("query", "key", "value", "out"):
                found |= linear_shapes(f"{name}.{each}", dim, dim)
        for name in ("attend_norm", "feed_norm", "norm", "last_norm"):
            found |= norm_shapes(name, dim)
        found |= (
            linear_shapes("inner", dim, hidden) | linear_shapes("outer", hidden, dim) | linear_shapes("out", dim, dim, False)
        )
        relative = (2 * settings["max_relative_distance"] + 1, settings["heads"])
        return found | {"attend.relative_bias": relative} | gru_shapes("decoder.cell", dim, dim)

    def encoded(self, sentences: Sentences) -> Floats:
        """The sum of each sentence's words, each times the mask of its place or slot: (U, D)."""
        longest, entities = max(1, self.sizes.longest), self.sizes.entities
        first = self.sizes.vocabulary - entities
        place = slots(sentences, first, longest) if entities else places(sentences, longest)
        parts = self.or_none[np.where(there(sentences), sentences.words, len(self.words))]
        parts *= self.weights["masks"][place]
        return np.asarray(np.add.reduce(parts, 1))

    def signals(self, place: Integers) -> list[Floats]:
        """Sines and cosines of places (...) and each step's vector, (..., D)."""
        last = int(place.max(initial=0))
        if last >= len(self.times):
            self.times = sinusoids(np.arange(2 * last + 1), self.settings["dim"], SLOWEST)
        times = self.times[place]
        return [times + step for step in self.weights["step"]]

    def read(self, numbers: Numbers, before: Kept | None = None) -> Kept:
        """Each statement reads those before it and itself; (G, M, D)."""
        x = self.encoded(numbers.sentences)[numbers.memory]
        read = 0 if before is None else before.steps[0][0].shape[2]
        every = np.arange(1, read + x.shape[1] + 1)
        place = every[read:]
        distance = place[:, None] - every
        bias = self.attend.near(distance, distance >= 0)
        found = list[tuple[Floats, Floats]]()
        for step, signal in enumerate(self.signals(place)):
            x = x + signal
            query, memory = self.attend.of_itself(standardized(x))
            found.append(after(before, step, memory))
            x = self.feed(x + self.attend.read(query, found[-1], bias=bias).output)
        return Kept([*found, after(before, len(found), self.evidence.prepare(standardized(x)))])

    def answer(self, memory: Kept, numbers: Numbers) -> Output:
        """Each question reads its story, and nobody reads questions: (N, 1, D)."""
        x = (self.encoded(numbers.questions)[numbers.asked] + self.weights["asked"])[:, None]
        count = numbers.told
        story = slice(None) if len(memory.steps[0][0]) == 1 else numbers.story  # one story is everybody's
        place = np.arange(1, memory.steps[0][0].shape[2] + 1)
        mask = (place <= count[:, None])[:, None]  # (N, 1, M)
        nothing = np.zeros((len(x), 1), np.float32)
        bias = self.attend.near((count[:, None] + 1 - np.minimum(place, count[:, None]))[:, None], mask)
        for (key, value), signal in zip(memory.steps[:-1], self.signals(count[:, None] + 1), strict=True):
            x = x + signal
            query = self.attend.queries(standardized(x))
            x = self.feed(x + self.attend.read(query, (key[story], value[story]), None, nothing, bias).output)
        key, value = memory.steps[-1]
        trace = over_heads(self.evidence.ask(standardized(x), (key[story], value[story]), mask, nothing))
        state = self.last_norm(x + trace.output)  # (N, 1, D)
        more = self.decoder(state)
        return Output(more.first(), [Hop(trace.weights[:, 0], None if trace.null is None else trace.null[:, 0])], more)

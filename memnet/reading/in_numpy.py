"""The reader of ordinary English in numpy; the formulas are those of :mod:`memnet.reading.network`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from memnet.infer.attention import Bools, Floats, Integers, log_normalized, scaled_dot
from memnet.infer.attention import read as read_memory
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
from memnet.reading.arrays import Arrays
from memnet.reading.kinds import ANSWERS, FAR, NEIGHBOURS, NEVER, POINTERS, REASONS, WIDEST, ReaderConfig
from memnet.reading.tokens import CAPITAL, EMBEDDING, ENDING, LONGEST, MARKER, OVERLAPS, POSITION, ROW, SUMMARY
from memnet.reading.words import EMBEDDINGS, ENDINGS

TABLES = ((EMBEDDING, "embedding"), (ENDING, "ending"), (POSITION, "position"), (CAPITAL, "capital"))  # of words
Number = TypeVar("Number", bound=np.generic)
Memory = tuple[Floats, Floats]  # keys and values, (B, H, M, D / H) each


class Output(NamedTuple):
    """What a reader makes of questions."""

    answer: Floats  # (B, Q, len(ANSWERS)) logits
    reason: Floats  # (B, Q, len(REASONS)) logits
    spans: Floats  # (B, Q, S, WIDEST) log-probabilities of spans by their first word and how many follow it
    evidence: Floats  # (B, Q, S) log-probabilities of words


class Story(NamedTuple):
    """Stories that were read, which no question changes."""

    words: Floats  # (B, S, D) after the last layer, normed
    layers: list[Memory]  # of each layer
    pointed: Floats  # (B, 3, S, P) keys of what points at words
    phrases: Floats  # (B, S, WIDEST) how much each word and each that follows it are the ends of one phrase


class Layer:
    """Attention over words and a network of two layers for each, both added to what was there."""

    def __init__(self, weights: Mapping[str, Floats], heads: int) -> None:
        self.heads = heads
        before = Norm.of(weights, "before")
        self.query, self.key_value = (
            Linear.of(weights, name, transposed=True).after(before) for name in ("query", "key_value")
        )
        self.out = Linear.of(weights, "out", transposed=True)
        self.feed = FeedForward.of(weights, "between", "hidden", "again", transposed=True)
        self.prefer = weights["prefer"]
        self.prefer_asked = np.concatenate([self.prefer, weights["prefer_overlap"]])

    def split(self, x: Floats) -> Floats:
        """(B, N, D) -> (B, H, N, D / H)."""
        return x.reshape(*x.shape[:-1], self.heads, -1).swapaxes(1, 2)

    def memory(self, x: Floats) -> Memory:
        """Words (B, M, D) as a memory."""
        key, value = np.split(self.key_value(standardized(x)), 2, -1)
        return self.split(key), self.split(value)

    def __call__(self, x: Floats, memories: Sequence[Memory], bias: Floats) -> Floats:
        """Words (B, N, D) read memories side by side as one of M words, without a copy of any; ``bias (B, H, N, M)``."""
        query = self.split(self.query(standardized(x)))
        logits = np.concatenate([scaled_dot(query, key) for key, _ in memories], -1)
        ends = np.cumsum([key.shape[2] for key, _ in memories])[:-1]

        def value(weights: Floats) -> Floats:
            parts = zip(np.split(weights, ends, -1), memories, strict=True)
            return np.asarray(sum(part @ values for part, (_, values) in parts))

        trace = read_memory(logits, query, value, bias=bias)
        x = x + self.out(trace.output.swapaxes(1, 2).reshape(*x.shape[:-1], -1))
        return self.feed(x)


class Reader:
    """A trained reader; ``weights`` are its parameters by name, ``vectors (rows, 100)`` those of words."""

    def __init__(self, config: ReaderConfig, vectors: Floats, weights: Mapping[str, Floats]) -> None:
        self.config, self.vectors, self.weights = config, vectors, weights
        check_shapes(weights, shapes(config))
        names = ["from_vector", "from_marker", "summary", "near.0", "near.1", "point_key", "point_query", "point_overlap"]
        names += ["phrase", "width", "decide.0", "decide.2"]
        self.linear = {name: Linear.of(weights, name, transposed=True) for name in names}
        self.layers = [Layer(part(weights, f"layers.{number}"), config.heads) for number in range(config.layers)]
        self.norm = Norm.of(weights, "norm")

    def embed(self, words: Integers, markers: Floats) -> Floats:
        """Words (B, N, 6) with markers (B, K, M) -> (B, N, D)."""
        marked = np.take_along_axis(markers, words[..., MARKER, None], 1)
        x = self.linear["from_vector"](self.vectors[words[..., ROW]]) + self.linear["from_marker"](marked)
        for column, name in TABLES:
            x = x + self.weights[f"{name}.weight"][words[..., column]]
        return x

    def neighbours(self, x: Floats, sentence: Integers) -> Floats:
        """Each word sees the two on each side in its own sentence, twice: (B, L, D), (B, L) -> (B, L, D)."""
        length, sides = x.shape[1], range(2 * NEIGHBOURS + 1)
        ends = padded(sentence, 1, NEIGHBOURS, NEIGHBOURS, -2)
        same = [(ends[:, at : at + length] == sentence)[..., None] for at in sides]
        for name in ("near.0", "near.1"):
            wide = padded(x, 1, NEIGHBOURS, NEIGHBOURS, 0)
            x = x + relu(self.linear[name](np.concatenate([wide[:, at : at + length] * same[at] for at in sides], -1)))
        return x

    def read(self, arrays: Arrays) -> Story:
        """Each word reads those of its sentence and of those before it, in every layer but those of hops."""
        x = self.neighbours(self.embed(arrays.story, arrays.markers), arrays.statement)
        at = arrays.statement
        distance = at[:, :, None] - at[:, None]  # (B, S, S)
        features = stacked(equal(arrays.story, arrays), distance == 0, np.clip(distance, 0, FAR))
        never = forbidden((distance < 0) | (at < 0)[:, None])
        found, last = [], len(self.layers) - self.config.hops
        for layer in self.layers[:last]:
            found.append(layer.memory(x))
            x = layer(x, found[-1:], biases(layer.prefer, features) + never)
        found += [layer.memory(x) for layer in self.layers[last:]]
        words = self.norm(x)
        return Story(words, found, self.pointers("point_key", words), self.phrases(words))

    def __call__(self, arrays: Arrays, story: Story | None = None) -> Output:
        """Answer the questions of a batch, whose stories may have been read before."""
        story = self.read(arrays) if story is None else story
        words, owner = self.questions(arrays), np.maximum(arrays.owner, 0)  # (B, W, D), (B, W)
        distance = np.clip(arrays.after[:, :, None] - arrays.statement[:, None], 0, FAR)  # (B, Q, S)
        unreadable = (arrays.statement[:, None] >= arrays.after[:, :, None]) | (arrays.statement < 0)[:, None]
        same = equal(arrays.questions, arrays)  # (B, W, S)
        overlap = np.take_along_axis(arrays.overlap, owner[:, None, :, None], 2)  # (B, 8, W, S)
        to_story = np.concatenate([stacked(same, np.zeros_like(same), of_words(distance, owner)), overlap], 1)
        never = forbidden(of_words(unreadable, owner))
        other = forbidden(arrays.owner[:, :, None] != arrays.owner[:, None])  # (B, 1, W, W)
        x, first = words, arrays.begin[..., None]
        for place, (layer, told) in enumerate(zip(self.layers, story.layers, strict=True)):
            understood = place - len(self.layers) + self.config.hops
            if understood == 0:  # from here on only the first word of each question reads
                x = np.take_along_axis(words, first, 1)
                other, to_story, never = (np.take_along_axis(each, first[:, None], 2) for each in (other, to_story, never))
            bias = biases(layer.prefer_asked, to_story) + never
            bias = np.concatenate([bias, np.broadcast_to(other, (*bias.shape[:3], other.shape[3]))], 3)
            x = layer(x, [told, layer.memory(words)], bias)
            words = x if understood < 0 else words
        return self.answer(self.norm(x), story, arrays, unreadable)

    def questions(self, arrays: Arrays) -> Floats:
        """The words of questions before they read anything, (B, W, D)."""
        x = self.embed(arrays.questions, arrays.markers) + self.weights["in_question"]
        x = x + self.weights["present.weight"][arrays.present]
        summary = self.linear["summary"](arrays.summary) * (arrays.after > 0)[..., None]
        np.add.at(x, (np.arange(len(x))[:, None], arrays.begin), summary)
        return self.neighbours(x, arrays.owner)

    def pointers(self, name: str, x: Floats) -> Floats:
        """What each pointer makes of words or questions, (B, N, D) -> (B, 3, N, F), by a layer of that name."""
        return self.linear[name](x).reshape(*x.shape[:2], len(POINTERS), -1).swapaxes(1, 2)

    def answer(self, x: Floats, story: Story, arrays: Arrays, unreadable: Bools) -> Output:
        """Point at words of the story for questions (B, Q, D), and decide."""
        query, prefer = self.pointers("point_query", x), self.pointers("point_overlap", x)
        bias = np.einsum("bpqf,bfqs->bpqs", prefer, arrays.overlap) + forbidden(unreadable)
        trace = read_memory(scaled_dot(query * 2, story.pointed) + bias, query, story.words[:, None])
        said = np.concatenate([x, trace.output[:, -1]], -1)
        said = self.linear["decide.2"](relu(self.linear["decide.0"](said)))
        start, end, evidence = (trace.logits[:, number] for number in range(len(POINTERS)))
        fits = windows(arrays.statement, -2) == arrays.statement[..., None]
        suits = story.phrases[:, None] + self.linear["width"](x)[:, :, None]  # (B, Q, S, WIDEST)
        spans = np.where(fits[:, None], start[..., None] + windows(end, NEVER) + suits, np.float32(2 * NEVER))
        flat = log_normalized(spans.reshape(*spans.shape[:2], -1)).reshape(spans.shape)
        return Output(said[..., : len(ANSWERS)], said[..., -len(REASONS) :], flat, log_normalized(evidence))

    def phrases(self, story: Floats) -> Floats:
        """How much each word and each that follows it are the ends of one phrase, (B, S, D) -> (B, S, WIDEST)."""
        first, last = np.split(self.linear["phrase"](story), 2, -1)
        return np.asarray(np.einsum("bsp,bpsw->bsw", first, windows(last.swapaxes(1, 2), 0.0)))


def windows(x: NDArray[Number], beyond: float) -> NDArray[Number]:
    """Of each word those from it on: (..., S) -> (..., S, WIDEST), with ``beyond`` after the last."""
    wide = padded(x, x.ndim - 1, 0, WIDEST - 1, beyond)
    return np.asarray(np.lib.stride_tricks.sliding_window_view(wide, WIDEST, -1))


def padded(x: NDArray[Number], axis: int, before: int, after: int, value: float) -> NDArray[Number]:
    """With a value so often before and after what stands along an axis, in a fraction of the time that np.pad takes."""
    ends = [np.full((*x.shape[:axis], count, *x.shape[axis + 1 :]), value, x.dtype) for count in (before, after)]
    return np.concatenate([ends[0], x, ends[1]], axis)


def stacked(*features: NDArray[np.generic]) -> Floats:
    """Features (B, N, M) side by side, (B, F, N, M)."""
    return np.stack([each.astype(np.float32) for each in features], 1)


def forbidden(where: Bools) -> Floats:
    """What is added to scores where nothing may be read, (B, N, M) -> (B, 1, N, M)."""
    return (np.float32(NEVER) * where)[:, None].astype(np.float32)


def biases(prefer: Floats, features: Floats) -> Floats:
    """What heads prefer: (F, H), (B, F, N, M) -> (B, H, N, M)."""
    flat = prefer.T @ features.reshape(*features.shape[:2], -1)
    return np.asarray(flat.reshape(len(features), -1, *features.shape[2:]))


def equal(words: Integers, arrays: Arrays) -> Floats:
    """How much it says that words (B, N, 6) are those of the story, (B, N, S)."""
    same = words[..., MARKER][:, :, None] == arrays.story[..., MARKER][:, None]
    return np.asarray(same * arrays.weight[:, None])


def of_words(x: NDArray[Number], owner: Integers) -> NDArray[Number]:
    """Of each question to each of its words, (B, Q, S), (B, W) -> (B, W, S)."""
    return np.take_along_axis(x, owner[..., None], 1)


def shapes(config: ReaderConfig) -> Shapes:
    """The names and shapes of a reader's weights."""
    dim, pointers = config.dim, len(POINTERS)
    rows = {"embedding": EMBEDDINGS, "ending": ENDINGS + 1, "position": LONGEST + 1, "capital": 2, "present": 3}
    found: Shapes = {f"{name}.weight": (count, dim) for name, count in rows.items()} | {"in_question": (dim,)}
    found |= transposed_shapes("from_vector", config.vectors, dim, bias=False)
    found |= transposed_shapes("from_marker", config.marker_dim, dim, bias=False)
    for number in range(2):
        found |= transposed_shapes(f"near.{number}", (2 * NEIGHBOURS + 1) * dim, dim)
    for number in range(config.layers):
        found |= below(f"layers.{number}", layer_shapes(config))
    found |= norm_shapes("norm", dim) | transposed_shapes("summary", len(SUMMARY), dim)
    found |= transposed_shapes("point_key", dim, pointers * config.pointer_dim, bias=False)
    found |= transposed_shapes("point_query", dim, pointers * config.pointer_dim)
    found |= transposed_shapes("point_overlap", dim, pointers * len(OVERLAPS))
    found |= transposed_shapes("phrase", dim, 2 * config.phrase_dim) | transposed_shapes("width", dim, WIDEST)
    return found | transposed_shapes("decide.0", 2 * dim, dim) | transposed_shapes("decide.2", dim, len(ANSWERS) + len(REASONS))


def layer_shapes(config: ReaderConfig) -> Shapes:
    """Of a layer."""
    dim, heads = config.dim, config.heads
    found: Shapes = {"prefer": (3, heads), "prefer_overlap": (len(OVERLAPS), heads)}
    found |= norm_shapes("before", dim) | norm_shapes("between", dim) | transposed_shapes("out", dim, dim)
    found |= transposed_shapes("query", dim, dim, bias=False) | transposed_shapes("key_value", dim, 2 * dim, bias=False)
    return found | transposed_shapes("hidden", dim, config.hidden) | transposed_shapes("again", config.hidden, dim)

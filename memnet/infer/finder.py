"""The network that searches a memory, in numpy; the formulas are those of :mod:`memnet.models.finder`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from memnet.config import Width, check_values
from memnet.config.settings import Range
from memnet.encode.saved import CONFIG, MODEL
from memnet.errors import NetworkError
from memnet.files import read_arrays
from memnet.infer.attention import Floats, Trace, attend, dot
from memnet.infer.layers import Linear, Shapes, check_shapes, relu, transposed_shapes

NAME, FORMAT = "finder", 1
FARTHEST, LEAST = 4.0, 0.05  # deviations from the mean that count, and a deviation's least: other memories have other words
LIKENESS = 6  # numbers a sentence about what the first hop read


@dataclass(frozen=True)
class FinderConfig:
    """The sizes of a finder."""

    hidden: Width = 32
    hops: Annotated[int, Range(1, 2), "how often it asks"] = 2

    def __post_init__(self) -> None:
        check_values(self)


class Found(NamedTuple):
    """What one question found among C sentences."""

    logits: Floats  # (C,) of the last hop
    null: float  # the logit of reading nothing
    nothing: float  # the chance that no sentence answers
    hops: list[Trace]  # weights (1, C)


class Finder:
    """A trained finder; ``features`` names what it sees of a sentence, F of them."""

    def __init__(self, config: FinderConfig, features: Sequence[str], weights: Mapping[str, Floats]) -> None:
        self.config, self.features, self.weights = config, tuple(features), weights
        check_shapes(weights, shapes(config, len(self.features)))
        names = ("key", "null", "key_again", "null_again.0", "null_again.2")[: 2 if config.hops == 1 else None]
        self.linear = {name: Linear.of(weights, name, transposed=True) for name in names}

    def __repr__(self) -> str:
        return f"<Finder of {self.config.hops} hops that sees {len(self.features)} features>"

    @classmethod
    def load(cls, folder: Path) -> tuple[Finder, dict[str, object]]:
        """A saved one and its whole configuration. Raises :class:`~memnet.errors.NetworkError`."""
        path = folder / CONFIG
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            if saved["format"] != FORMAT or saved["model"] != NAME:
                raise ValueError(f"{path} is of something else")
            config = FinderConfig(**{field.name: saved[field.name] for field in fields(FinderConfig)})
            return cls(config, [str(name) for name in saved["features"]], read_arrays(folder / MODEL)), saved
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise NetworkError(f"{folder} holds no network that searches: {error}") from error

    def __call__(self, features: Floats, similarity: Floats) -> Found:
        """``features (C, F)`` of one sentence or more, ``similarity (2, C, C)``; one hop looks at no likeness."""
        x = np.clip((features - self.weights["mean"]) / self.weights["scale"], -FARTHEST, FARTHEST).astype(np.float32)
        null = self.linear["null"](np.concatenate([x.mean(0), x.max(0)]))  # (1,)
        key, query = relu(self.linear["key"](x)), self.weights["query"][None]
        first = attend(query, key, key, null=null)
        if self.config.hops == 1:
            return found([first], null)
        value = np.concatenate([key, x, similarity[0], similarity[1]], -1)  # (C, H + F + 2 C)
        logits = dot(query, key)
        again, state = self.ask_again(x, logits[0], attend(query * self.weights["sharp"], key, value))
        nothing = null + self.linear["null_again.2"](relu(self.linear["null_again.0"](state)))
        return found([first, attend(self.weights["query_again"][None], again, again, null=nothing, bias=logits)], nothing)

    def ask_again(self, x: Floats, logits: Floats, read: Trace) -> tuple[Floats, Floats]:
        """The keys of the second hop (C, H), and what was read as a state (2 H + F,), from the first hop's reading."""
        hidden, wide = self.config.hidden, len(self.features)
        weight, output = read.weights[0], read.output[0]
        words, vectors = np.split(output[hidden + wide :], 2)
        below = logits - weight @ logits  # what was read has nothing above it
        like = np.stack([below, weight, words - weight, vectors - weight, words, vectors], -1)
        again = relu(self.linear["key_again"](np.concatenate([x, like], -1)))
        return again, np.concatenate([output[:hidden], weight @ again, output[hidden : hidden + wide]])


def found(hops: list[Trace], null: Floats) -> Found:
    """What the last hop found."""
    last = hops[-1]
    assert last.null is not None
    return Found(last.logits[0], float(null[0]), float(last.null[0]), hops)


def shapes(config: FinderConfig, wide: int) -> Shapes:
    """The names and shapes of a finder's weights."""
    hidden = config.hidden
    result: Shapes = {"mean": (wide,), "scale": (wide,), "query": (hidden,)} | transposed_shapes("key", wide, hidden)
    result |= transposed_shapes("null", 2 * wide, 1)
    if config.hops == 1:
        return result
    result |= {"query_again": (hidden,), "sharp": (1,)} | transposed_shapes("key_again", wide + LIKENESS, hidden)
    return result | transposed_shapes("null_again.0", 2 * hidden + wide, hidden) | transposed_shapes("null_again.2", hidden, 1)

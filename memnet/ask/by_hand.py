"""A MemN2N taken apart: what each hop computes, and what it would compute with its attention or a word's vector changed.

A change makes a network of its own, which answers as every other does; the one that it is made of stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.ask.engine import NumpyEngine
from memnet.ask.predictor import Predictor
from memnet.errors import AskError
from memnet.infer.attention import Floats, argmax, tempered
from memnet.infer.memn2n import MemN2N, Step, step_read
from memnet.infer.network import Output

DIGITS = 4  # of the numbers that are shown
LIKELIEST = 3  # answers of each hop
Places = Mapping[str, tuple[float, float]]  # of words in a plane


@dataclass(frozen=True)
class Change:
    """What a person changes: the temperature of the attention, or one sentence a hop; and words' vectors.

    ``moved`` holds, for a table of vectors, how far a word is moved in the :class:`Plane` of the words ``among``; with
    ``instead`` a word has the vectors of another in every table.
    """

    temperature: float = 1.0
    hard: bool = False
    moved: Mapping[int, Places] = field(default_factory=dict)
    among: Sequence[str] = ()
    instead: Mapping[str, str] = field(default_factory=dict)


class Plane(NamedTuple):
    """Words of a table in the two directions in which these differ most (principal components)."""

    words: Sequence[str]
    places: NDArray[np.float64]  # (V, 2)
    axes: NDArray[np.float64]  # (2, D) of length 1
    share: float  # of the variance that the two directions have

    def as_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {"words": list(self.words), "places": rounded(self.places), "share": round(self.share, DIGITS)}


def taken(network: Predictor) -> tuple[NumpyEngine, MemN2N]:
    """The parts of a MemN2N. Raises :class:`~memnet.errors.AskError` for another network."""
    engine = network.engine
    inside = engine.network if isinstance(engine, NumpyEngine) else None
    if not isinstance(engine, NumpyEngine) or not isinstance(inside, MemN2N):
        raise AskError(f"A {engine.model} cannot be taken apart here; a MemN2N can.")
    return engine, inside


def plane(network: Predictor, table: int, words: Sequence[str]) -> Plane:
    """Words of a table, of which there is one more than hops; those that it does not have are left out.

    Raises :class:`~memnet.errors.AskError` where there is no such table, or fewer than three of the words.
    """
    _, inside = taken(network)
    number = network.vocabulary.number
    known = [word for word in dict.fromkeys(words) if word in number]
    if len(known) < 3:
        raise AskError("A plane needs three words or more that the network knows.")
    vectors = inside.precise["embedding"][table_checked(inside, table)][[number[word] for word in known]]
    centred = vectors - vectors.mean(0)
    _, lengths, axes = np.linalg.svd(centred, full_matrices=False)
    share = (lengths[:2] ** 2).sum() / (lengths**2).sum()
    return Plane(known, centred @ axes[:2].T, axes[:2], float(share))


def table_checked(inside: MemN2N, table: int) -> int:
    """The table. Raises :class:`~memnet.errors.AskError` where the network has none of that number."""
    tables = len(inside.weights["embedding"])
    if not 0 <= table < tables:
        raise AskError(f"There is no table {table}; this network has {tables}, from 0.")
    return table


def changed(network: Predictor, change: Change) -> Predictor:
    """The network as a person changed it. Raises :class:`~memnet.errors.AskError` for what is none of its words or tables."""
    engine, inside = taken(network)
    if not change.temperature > 0:
        raise AskError("A temperature is more than 0.")
    number = network.vocabulary.number
    for word in [*change.instead, *change.instead.values(), *(word for places in change.moved.values() for word in places)]:
        if word not in number:
            raise AskError(f"The network has no vector for {word!r}.")
    vectors = inside.weights["embedding"].copy()
    for word, other in change.instead.items():
        vectors[:, number[word]] = inside.weights["embedding"][:, number[other]]
    for table, places in change.moved.items():
        axes = plane(network, table, change.among).axes
        for word, place in places.items():
            vectors[table, number[word]] += (np.asarray(place) @ axes).astype(np.float32)
    made = MemN2N(inside.settings, inside.sizes, {**inside.weights, "embedding": vectors})
    made.align = argmax if change.hard else tempered(change.temperature)
    found = NumpyEngine(made, network.vocabulary, engine.settings)
    return Predictor(found, network.vocabulary, network.metadata, network.card, folder=network.folder)


def apart(network: Predictor, story: str | Sequence[str], question: str) -> dict[str, Any]:
    """What each hop computed, as JSON values: u, the rows m of the memory, u . m, the weights, o, the next u, and its answer.

    The last is what the network would answer if this hop were its last. Raises :class:`~memnet.errors.AskError`.
    """
    engine, inside = taken(network)
    encoded, asked = network.read_pair(story, question)
    numbers = engine.numbers([network.as_asked(encoded, asked)])
    logits = inside.null(numbers.told)
    null = -math.inf if logits is None else float(logits[0, 0])
    empty = math.isfinite(null)  # whether the memory has empty places, which can be read

    def hop(step: Step) -> dict[str, Any]:
        read = step_read(step)
        output = Output(inside.scores(step.state), [read])
        [answer] = network.make_answers([(encoded, asked)], output, LIKELIEST - 1, 0)
        nothing = None if read.null is None or not empty else [null, float(read.null[0])]
        return {
            "query": rounded(step.query[0, 0]),
            "memory": rounded(step.key[0]),
            "scores": rounded(step.trace.logits[0, 0]),
            "weights": rounded(read.weights[0]),
            "null": nothing and rounded(np.array(nothing)),
            "output": rounded(step.trace.output[0, 0]),
            "state": rounded(step.state[0, 0]),
            "answers": [[answer.text, answer.probability], *answer.runners_up],
        }

    steps = inside.steps(inside.read(numbers), numbers)
    return {"first": encoded.truncated + 1, "hops": [hop(step) for step in steps]}


def rounded(numbers: Floats | NDArray[np.float64]) -> Any:
    """Numbers as they are shown."""
    return np.round(numbers.astype(np.float64), DIGITS).tolist()

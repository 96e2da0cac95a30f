"""How likely each query is what a question means: small networks score their features, and softmax makes them probabilities.

This is addressing, as everywhere here: score, align, read. What is addressed are queries, and what is read are their answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memnet.infer.attention import normalized
from memnet.packing import read_weights

Array = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("scorer.safetensors")  # made by scripts/make_tables.py
MEMBER = "member {}.{}"
EXACT = ("mean", "scale")  # of features, which are of all sizes
NAMES = (
    "mean",
    "scale",
    "first.weight",
    "first.bias",
    "second.weight",
    "second.bias",
    "last.weight",
    "last.bias",
    "straight.weight",
)


class Scorer:
    """Several networks that were trained apart; the mean of their probabilities (Hansen & Salamon 1990)."""

    def __init__(self, members: Sequence[Mapping[str, Array]]) -> None:
        self.members = members

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Scorer:
        """From a file of weights. Raises :class:`~memnet.errors.NetworkError`."""
        return _loaded(path)

    def probabilities(self, x: Array) -> Array:
        """(candidates, features) -> (candidates,)."""
        found: Array = np.mean([normalized(score(member, x)) for member in self.members], axis=0, dtype=np.float32)
        return found


def score(member: Mapping[str, Array], x: Array) -> Array:
    """The logits of one network: (candidates, features) -> (candidates,)."""
    x = (x - member["mean"]) / member["scale"]
    hidden = np.maximum(x @ member["first.weight"].T + member["first.bias"], 0)
    hidden = np.maximum(hidden @ member["second.weight"].T + member["second.bias"], 0)
    found: Array = (hidden @ member["last.weight"].T + member["last.bias"] + x @ member["straight.weight"].T)[:, 0]
    return found


@cache
def _loaded(path: Path) -> Scorer:
    arrays = read_weights(path)
    count = 1 + max(int(name.split()[1].split(".")[0]) for name in arrays)
    return Scorer([{name: arrays[MEMBER.format(number, name)] for name in NAMES} for number in range(count)])

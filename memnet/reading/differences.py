"""A small reader as what differs from the one that it began with, which the package has anyway.

A reader of columns or of entries begins with some layers of the reader of ordinary English, and most of its weights stay near
theirs. What differs needs few levels, and bytes of few levels are small in a wheel. ``config.json`` names the other folder:

    "base": {"folder": "../../ask/networks/memnet/english", "layers": [0, 1, 7, 8], "crc32": 1234567890}
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memnet.errors import NetworkError
from memnet.files import write_arrays, write_json
from memnet.packing import packed, read_weights
from memnet.reading.kinds import CONFIG, MODEL

LAYER = re.compile(r"layers\.(\d+)\.")
BASE = "base"  # of what is known of a reader: what it is a difference from

Weights = dict[str, NDArray[np.float32]]


def whole_weights(folder: Path, saved: Mapping[str, Any]) -> Weights:
    """The weights of a saved reader, of which ``saved`` is known. Raises :class:`~memnet.errors.NetworkError`.

    So it does where the reader that it began with is another one now.
    """
    weights = read_weights(folder / MODEL)
    if BASE not in saved:
        return weights
    other, layers = folder / saved[BASE]["folder"], saved[BASE]["layers"]
    if checksum(other) != saved[BASE]["crc32"]:
        raise NetworkError(
            f"{folder} holds what differs from a reader that was in {other.resolve()}, where another one is now. "
            "Run 'python scripts/pack_readers.py --whole' before a reader is published there."
        )
    before = begun_with(whole_weights(other, json.loads((other / CONFIG).read_text(encoding="utf-8"))), layers)
    return {name: weight + before[name] if fits(name, weight, before) else weight for name, weight in weights.items()}


def begun_with(weights: Mapping[str, NDArray[np.float32]], layers: Sequence[int]) -> Weights:
    """The weights of a reader with some of its layers, which have the names of a reader of so many.

    >>> list(begun_with({"norm.bias": np.zeros(2), "layers.0.x": np.zeros(1), "layers.7.x": np.ones(1)}, [7]))
    ['norm.bias', 'layers.0.x']
    """
    found = Weights()
    for name, weight in weights.items():
        layer = LAYER.match(name)
        if layer is None:
            found[name] = weight
        elif int(layer[1]) in layers:
            found[f"layers.{layers.index(int(layer[1]))}.{name[layer.end() :]}"] = weight
    return found


def fits(name: str, weight: NDArray[np.float32], before: Mapping[str, NDArray[np.float32]]) -> bool:
    """Whether a weight was there before, of the same shape."""
    return name in before and before[name].shape == weight.shape


def checksum(folder: Path) -> int:
    """Of a reader's weights. Raises :class:`~memnet.errors.NetworkError` without any."""
    try:
        return zlib.crc32((folder / MODEL).read_bytes())
    except OSError as error:
        raise NetworkError(f"{folder / MODEL} cannot be read: {error}") from error


def write_difference(folder: Path, base: str, layers: Sequence[int], levels: int) -> None:
    """Write a saved reader again, as what differs from the one in ``folder / base``, in so many levels either way."""
    saved = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    other = folder / base
    before = begun_with(whole_weights(other, json.loads((other / CONFIG).read_text(encoding="utf-8"))), layers)
    weights = whole_weights(folder, saved)
    differs = {name: weight - before[name] if fits(name, weight, before) else weight for name, weight in weights.items()}
    crc = checksum(other)
    write_arrays(folder / MODEL, packed(differs, levels=levels))
    write_json(folder / CONFIG, {**saved, BASE: {"folder": base, "layers": [*layers], "crc32": crc}})

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

from memnet.errors import ConfigError, NetworkError
from memnet.files import read_arrays, write_arrays, write_json
from memnet.packing import packed, unpacked
from memnet.reading.kinds import CONFIG, MODEL

LAYER = re.compile(r"layers\.(\d+)\.")
PACKAGE = Path(__file__).parents[1]
BASE = "base"  # of what is known of a reader: what it is a difference from

Weights = dict[str, NDArray[np.float32]]


def whole_weights(folder: Path, saved: Mapping[str, Any], layers: Sequence[int] | None = None) -> Weights:
    """The weights of a saved reader, of which ``saved`` is known, or of a reader with some of its ``layers``.

    Raises :class:`~memnet.errors.NetworkError`, also where the reader that it began with is another one now.
    """
    arrays = read_arrays(folder / MODEL)
    weights = unpacked(arrays if layers is None else begun_with(arrays, layers))
    if BASE not in saved:
        return weights
    other, every = folder / saved[BASE]["folder"], saved[BASE]["layers"]
    if checksum(other) != saved[BASE]["crc32"]:
        raise NetworkError(
            f"{folder} holds what differs from a reader that was in {other.resolve()}, where another one is now. Put that one "
            "back, and run 'python scripts/pack_readers.py --whole' before another is published there."
        )
    wanted = every if layers is None else [every[layer] for layer in layers]
    before = whole_weights(other, known_of(other), wanted)
    return {name: weight + before[name] if fits(name, weight, before) else weight for name, weight in weights.items()}


def known_of(folder: Path) -> dict[str, Any]:
    """What is known of a saved reader."""
    found: dict[str, Any] = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    return found


def begun_with(weights: Mapping[str, NDArray[Any]], layers: Sequence[int]) -> dict[str, NDArray[Any]]:
    """The weights of a reader with some of its layers, which have the names of a reader of so many.

    >>> list(begun_with({"norm.bias": np.zeros(2), "layers.0.x": np.zeros(1), "layers.7.x": np.ones(1)}, [7]))
    ['norm.bias', 'layers.0.x']
    """
    found = dict[str, NDArray[Any]]()
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
    saved, other = known_of(folder), folder / base
    before, weights = whole_weights(other, known_of(other), layers), whole_weights(folder, saved)
    differs = {name: weight - before[name] if fits(name, weight, before) else weight for name, weight in weights.items()}
    crc = checksum(other)
    write_arrays(folder / MODEL, packed(differs, levels=levels))
    write_json(folder / CONFIG, {**saved, BASE: {"folder": base, "layers": [*layers], "crc32": crc}})


def write_whole(folder: Path) -> None:
    """Write a saved reader again, all of it, in 16 bits."""
    saved = known_of(folder)
    write_arrays(folder / MODEL, {name: weight.astype(np.float16) for name, weight in whole_weights(folder, saved).items()})
    write_json(folder / CONFIG, {name: value for name, value in saved.items() if name != BASE})


def check_free(folder: Path) -> None:
    """Raise :class:`~memnet.errors.ConfigError` where readers of the package are what differs from the one in a folder."""
    for path in sorted(PACKAGE.rglob(CONFIG)):
        base = known_of(path.parent).get(BASE)
        if base and (path.parent / base["folder"]).resolve() == folder.resolve():
            raise ConfigError(
                f"{path.parent} holds what differs from the reader in {folder}: "
                "run 'python scripts/pack_readers.py --whole' first."
            )

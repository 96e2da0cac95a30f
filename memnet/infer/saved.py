"""A trained network's folder, opened for numpy; None where its model or its settings are for torch.

What cannot be read at all is refused here, in the words of :mod:`memnet.encode.saved` and :mod:`memnet.files`. What is unusual
or wrong between settings and weights is left to torch (:func:`memnet.models.checkpoint.load_network`), which says what it is.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from memnet.config import Training
from memnet.config.settings import settings_of
from memnet.encode.saved import CONFIG, MODEL, check_facts, read_config, saved_sizes
from memnet.encode.sentences import Sizes
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError, NetworkError
from memnet.infer.network import NumpyNetwork
from memnet.packing import read_weights, weight_shapes

NETWORKS = {  # model -> file and class, imported when one is opened
    "causal": ("causal", "Causal"),
    "memn2n": ("memn2n", "MemN2N"),
    "memnn": ("memnn", "MemNN"),
    "dmn": ("dmn", "DMN"),
}


def network_class(name: object) -> type[NumpyNetwork] | None:
    """The class of a model; None where there is none, and where a plugin has put another in its place."""
    if not isinstance(name, str) or name not in NETWORKS:
        return None
    if "memnet.models" in sys.modules and not sys.modules["memnet.models"].MODELS.of_package(name):
        return None
    file, attribute = NETWORKS[name]
    found: type[NumpyNetwork] = getattr(import_module(f"memnet.infer.{file}"), attribute)
    return found


def open_network(folder: Path) -> tuple[NumpyNetwork, Vocabulary, dict[str, Any]] | None:
    """A network, its vocabulary and its whole configuration. Raises :class:`~memnet.errors.NetworkError`."""
    if not folder.is_dir():
        raise NetworkError(f"{folder} is no folder; expected one made by 'memnet train'")
    saved = read_config(folder / CONFIG)
    kind = network_class(saved.get("model"))
    if kind is None:
        return None
    try:
        if "tasks" in saved:  # in the words of earlier versions
            from memnet.tasks.families.old_names import modern

            saved = modern(saved)
        for name, setting in settings_of(Training).items():
            if name in saved:
                setting.check(saved[name])
        vocabulary, sizes = saved_sizes(saved, saved["memory_size"])
        check_facts(saved)
        if not kind.takes(saved, sizes) or not same_shapes(folder, kind, saved, sizes):
            return None
    except (KeyError, ValueError, TypeError, ZeroDivisionError, ConfigError):
        return None
    weights = {name: value[0] for name, value in read_weights(folder / MODEL).items()}
    if not all(bool(np.isfinite(value).all()) for value in weights.values()):
        return None
    return kind(saved, sizes, weights), vocabulary, saved


def same_shapes(folder: Path, kind: type[NumpyNetwork], saved: Mapping[str, Any], sizes: Sizes) -> bool:
    """Whether the weights in a folder are those of the settings, one network (R = 1), packed or of 32-bit numbers."""
    wanted = kind.shapes(saved, sizes)
    found = weight_shapes(folder / MODEL)
    return all(type(size) is int for shape in wanted.values() for size in shape) and found == {
        name: ("F32", (1, *shape)) for name, shape in wanted.items()
    }


def parameters(shapes: Mapping[str, tuple[int, ...]]) -> int:
    """How many numbers weights of these shapes are."""
    return sum(math.prod(shape) for shape in shapes.values())

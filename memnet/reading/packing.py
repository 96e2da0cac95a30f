"""Weights in 8 bits, each row of a matrix with its scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

SCALE = ".scale"  # after the name of a matrix: the scale of each of its rows


def packed(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Matrices as whole numbers of 8 bits, each row with its scale, ``NAME.scale``; vectors in 16 bits."""
    found: dict[str, NDArray[Any]] = {}
    for name, weight in weights.items():
        if weight.ndim < 2:
            found[name] = weight.astype(np.float16)
            continue
        largest = np.abs(weight).max(-1, keepdims=True)
        scale = np.maximum((largest / np.float32(127)).astype(np.float16), np.float16(1e-7))
        found[name] = np.clip((weight / scale.astype(np.float32)).round(), -127, 127).astype(np.int8)
        found[f"{name}{SCALE}"] = scale
    return found


def unpacked(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Weights as :func:`packed` wrote them, or all in 16 bits, as numbers of 32 bits."""
    scales = {name.removesuffix(SCALE): array.astype(np.float32) for name, array in arrays.items() if name.endswith(SCALE)}
    return {
        name: array.astype(np.float32) * scales[name] if name in scales else array.astype(np.float32)
        for name, array in arrays.items()
        if not name.endswith(SCALE)
    }

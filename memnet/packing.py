"""Weights in few bits: whole numbers, each row of a matrix or each part of one with its scale."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memnet.files import read_arrays, read_shapes, write_arrays

SCALE = ".scale"  # after the name of a matrix: its scales, one a row, or one for each part of a row
PART = 64  # numbers of a row that share a scale where they have fewer than 8 bits
LARGEST = 65_000  # of a number in 16 bits
SEVEN_BITS = 63  # levels either way
TOGETHER = 8  # so many numbers of B bits are B bytes


def packed(weights: Mapping[str, NDArray[Any]], bits: int = 8, levels: int = 127) -> dict[str, NDArray[Any]]:
    """Matrices as whole numbers of so many bits with their scales, ``NAME.scale``; vectors and single rows in 16 bits.

    With 8 bits a row has one scale, and up to 127 ``levels`` either way; bytes of few levels are small in a compressed file.
    With fewer bits each :data:`PART` of a row has a scale, and matrices whose rows are of no whole parts stay at 8. Raises
    ValueError for fewer than 2 bits or more than 8, and for weights that do not fit.
    """
    if not 2 <= bits <= 8 or not 1 <= levels <= 127:
        raise ValueError(f"bits={bits}, levels={levels}: weights take 2 to 8 bits, and 1 to 127 levels of these")
    found: dict[str, NDArray[Any]] = {}
    for name, weight in weights.items():
        if weight.size and not np.abs(weight).max() < LARGEST:
            raise ValueError(f"{name} holds numbers of {LARGEST:,} or more, or what is no number: neither fits into 16 bits")
        few = bits < 8 and weight.ndim > 1 and weight.shape[-1] % PART == 0
        if weight.ndim < 2 or weight.size == 0 or (weight.size == weight.shape[-1] and not few):
            found[name] = weight.astype(np.float16)
            continue
        if f"{name}{SCALE}" in weights:
            raise ValueError(f"{name}{SCALE} is a weight, and would be the name of the scales of {name}")
        largest, parts = (2 ** (bits - 1) - 1, PART) if few else (levels, weight.shape[-1])
        parted = weight.reshape(*weight.shape[:-1], -1, parts)
        most = np.abs(parted).max(-1, keepdims=True)
        scale = np.maximum((most / np.float32(largest)).astype(np.float16), np.float16(1e-7))
        whole = np.clip((parted / scale.astype(np.float32)).round(), -largest, largest).reshape(weight.shape)
        found[name] = _joined((whole + largest).astype(np.uint64), bits) if few else whole.astype(np.int8)
        found[f"{name}{SCALE}"] = scale[..., 0]
    return found


def unpacked(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Weights as :func:`packed` wrote them, or all in 16 bits, as numbers of 32 bits."""
    found: dict[str, NDArray[np.float32]] = {}
    whole = {name for name, array in arrays.items() if array.dtype in (np.int8, np.uint8) and f"{name}{SCALE}" in arrays}
    for name, array in arrays.items():
        if name.removesuffix(SCALE) in whole and name not in whole:
            continue
        if name not in whole:
            found[name] = array.astype(np.float32, copy=False)
            continue
        scale = arrays[f"{name}{SCALE}"]
        if array.dtype == np.uint8:
            found[name] = _apart(array, columns=scale.shape[-1] * PART)
            parts = found[name].reshape(*scale.shape, PART)
            parts *= scale.astype(np.float32)[..., None]
        else:
            found[name] = array.astype(np.float32) * scale.astype(np.float32)
    return found


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """The weights of a safetensors file, packed or not, as numbers of 32 bits. Raises :class:`~memnet.errors.NetworkError`."""
    return unpacked(read_arrays(path))


def pack(path: Path, levels: int = 127, exact: tuple[str, ...] = ()) -> None:
    """Write the weights of a safetensors file again, in 8 bits, but for those whose names end with one that is ``exact``.

    Raises :class:`~memnet.errors.NetworkError`.
    """
    weights = read_weights(path)
    kept = {name: weight for name, weight in weights.items() if exact and name.endswith(exact)}
    write_arrays(path, {**packed({name: weights[name] for name in weights.keys() - kept.keys()}, levels=levels), **kept})


def weight_shapes(path: Path) -> dict[str, tuple[str, tuple[int, ...]]]:
    """Their types and shapes, from the file's header alone, "F32" of what 8 or 16 bits stand for.

    Raises :class:`~memnet.errors.NetworkError`.
    """
    found = read_shapes(path)
    fits = {
        name
        for name, (kind, shape) in found.items()
        if found.get(f"{name}{SCALE}") == ("F16", (*shape[:-1], 1)) and kind == "I8"
    }
    scales = {f"{name}{SCALE}" for name in fits}
    return {
        name: ("F32" if name in fits or kind == "F16" else kind, shape)
        for name, (kind, shape) in found.items()
        if name not in scales
    }


def _joined(numbers: NDArray[np.uint64], bits: int) -> NDArray[np.uint8]:
    """Rows of numbers below 2^B -> rows of bytes, eight numbers in B bytes, the first in the lowest bits."""
    eight = numbers.reshape(*numbers.shape[:-1], -1, TOGETHER)
    shifts = np.arange(TOGETHER, dtype=np.uint64) * np.uint64(bits)
    words = np.bitwise_or.reduce(eight << shifts, axis=-1).astype("<u8")
    return np.ascontiguousarray(words[..., None].view(np.uint8)[..., :bits]).reshape(*numbers.shape[:-1], -1)


def _apart(rows: NDArray[np.uint8], columns: int) -> NDArray[np.float32]:
    """The numbers that :func:`_joined` put into bytes, around zero."""
    bits = rows.shape[-1] * TOGETHER // columns
    words = np.zeros((*rows.shape[:-1], columns // TOGETHER, 8), np.uint8)
    words[..., :bits] = rows.reshape(*rows.shape[:-1], -1, bits)
    whole = words.view("<u8")  # (..., columns / 8, 1)
    found = np.empty((*rows.shape[:-1], columns // TOGETHER, TOGETHER), np.float32)
    for place in range(TOGETHER):
        found[..., place] = (whole[..., 0] >> np.uint64(bits * place)) & np.uint64(2**bits - 1)
    found -= np.float32(2 ** (bits - 1) - 1)
    return found.reshape(*rows.shape[:-1], columns)

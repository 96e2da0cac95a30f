"""A larger reader that answers as the first did: training goes on from there (Net2Net, Chen et al. 2016).

:func:`widened`: every feature stands twice. What reads features reads the two copies with weights whose sum is the old weight:
they differ by a random part that cancels as long as the copies are equal, and by which training tells them apart.

:func:`grown`: more layers before the hops and more hidden features. What they add to what was there is zero at first.
:func:`shortened`: fewer layers, which answers in another way, and is where a smaller one begins.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from memnet.reading.answers import TrainedReader
from memnet.reading.kinds import ReaderConfig
from memnet.reading.network import Reader

APART = 0.5  # the random part of a weight, in standard deviations of its matrix


def opened(folder: Path) -> Reader:
    """The published reader of a folder, to be trained on. Raises :class:`~memnet.errors.NetworkError`."""
    found = TrainedReader.load(folder)
    reader = Reader(found.reader.config, found.words.vectors)
    with torch.no_grad():
        for name, weight in reader.named_parameters():
            weight.copy_(torch.from_numpy(np.array(found.reader.weights[name], dtype=np.float32)))
    return reader


def widened(reader: Reader) -> Reader:
    """A reader of twice the width, heads and hidden features, with the same outputs. Draws from torch's generator."""
    old = reader.config
    config: ReaderConfig = replace(old, dim=2 * old.dim, heads=2 * old.heads, hidden=2 * old.hidden)
    wide = Reader(config, reader.vectors.numpy())
    shapes = dict(wide.named_parameters())
    with torch.no_grad():
        for name, weight in reader.named_parameters():
            shapes[name].copy_(_twice(name, weight, shapes[name].shape, old.dim))
    return wide


def grown(reader: Reader, layers: int = 0, hidden: int = 0) -> Reader:
    """A reader of so many layers and hidden features, with the same outputs; 0 as many as it has. Draws from torch's generator.

    Raises ValueError for fewer than it has.
    """
    old = reader.config
    layers, hidden = layers or old.layers, hidden or old.hidden
    if layers < old.layers or hidden < old.hidden:
        raise ValueError(f"a reader of {old.layers} layers and {old.hidden} hidden features cannot shrink")
    large = Reader(replace(old, layers=layers, hidden=hidden), reader.vectors.numpy())
    shapes = dict(large.named_parameters())
    first, more = old.layers - old.hops, layers - old.layers
    with torch.no_grad():
        for layer in large.layers:
            for name in ("out.weight", "out.bias", "again.weight", "again.bias"):
                layer.get_parameter(name).zero_()
        for name, weight in reader.named_parameters():
            found = re.match(r"layers\.(\d+)\.(.*)", name)
            if found and int(found[1]) >= first:
                name = f"layers.{int(found[1]) + more}.{found[2]}"
            shapes[name][tuple(map(slice, weight.shape))] = weight
    return large


def shortened(reader: Reader, layers: int) -> Reader:
    """A reader of fewer layers: the first of another, and its hops. It has to be trained on."""
    old = reader.config
    short = Reader(replace(old, layers=layers), reader.vectors.numpy())
    first, left_out = layers - old.hops, old.layers - layers
    with torch.no_grad():
        known = dict(reader.named_parameters())
        for name, weight in short.named_parameters():
            found = re.match(r"layers\.(\d+)\.(.*)", name)
            if found and int(found[1]) >= first:
                name = f"layers.{int(found[1]) + left_out}.{found[2]}"
            weight.copy_(known[name])
    return short


def _twice(name: str, weight: Tensor, shape: torch.Size, dim: int) -> Tensor:
    """One parameter in its new shape: parts of ``dim`` (or of the hidden features) stand twice one after the other."""
    if (
        weight.dim() == 2
        and not name.startswith(("embedding", "ending", "position", "capital", "present"))
        and "prefer" not in name
    ):
        parts = weight.shape[1] // dim if name.startswith(("near", "decide.0")) else 1
        weight = _read_twice(weight, parts) if shape[1] == 2 * weight.shape[1] else weight
        if shape[0] == 2 * weight.shape[0]:
            parts = 2 if "key_value" in name else 1
            weight = weight.unflatten(0, (parts, -1)).repeat(1, 2, 1).flatten(0, 1)
        return weight
    return weight.repeat(*(new // now for new, now in zip(shape, weight.shape, strict=True)))


def _read_twice(weight: Tensor, parts: int) -> Tensor:
    """A matrix whose inputs stand twice, (O, P I) -> (O, P 2 I); the two halves of each part add up to the old one."""
    half = weight.unflatten(1, (parts, -1)) / 2
    apart = torch.randn_like(half) * half.std() * APART
    return torch.cat([half + apart, half - apart], 2).flatten(1)

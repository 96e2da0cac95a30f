"""A shortcut for training end-to-end memory networks: the steps of an epoch as one compiled loop (the extra ``fast``).

The formulas stay where they are: :mod:`memnet.training.kernel` computes the same within rounding, which tests prove. What it
does not cover, and everything where numba is not installed, goes the ordinary way.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from memnet.config import Training
from memnet.encode.batch import CHUNK, empty_memories
from memnet.encode.examples import Examples
from memnet.models import MemN2N, Network
from memnet.models.encoders import Code, EncodedData
from memnet.nn.random import Random
from memnet.training.arrays import Data, Room, Sentences, Shape

LANES = 32  # numbers that a compiled loop computes at once; of what is left over it computes one after another
BLOCK = 512  # answers whose scores are computed together


@cache
def compiler() -> str:
    """Which numba compiles; empty where it is not installed, or cannot be imported."""
    try:
        import numba
    except ImportError:
        return ""
    return f"numba {numba.__version__}"


def shortcut(config: Training, device: str, permuted: bool) -> str:
    """What computes the steps of networks in place of the core, empty where the core does."""
    return compiler() if config.fusible and device == "cpu" and not permuted else ""


def covers(net: Network, data: Examples, permuted: bool) -> bool:
    """Whether a network's steps are those of the compiled loop; not those of a kind derived from it."""
    device = next(net.parameters()).device.type
    return type(net) is MemN2N and shortcut(net.config, device, permuted) != "" and bool((data.answer >= 0).all())


def padded(size: int, to: int = LANES) -> int:
    """To a multiple."""
    return -(-size // to) * to


def sentences(code: Code, kinds: int) -> tuple[NDArray[Any], ...]:
    """The words (U, L), ``kinds`` coefficients of each, of which two are given, and the lengths (U,)."""
    words, coefficients = code.row.chunk(kinds, 1)[0], code.coefficient.chunk(kinds, 1)
    second = coefficients[1] if kinds > 1 else torch.zeros_like(coefficients[0])
    return tuple(part.contiguous().numpy() for part in (words, coefficients[0], second, code.lengths))


def behind(error: BaseException) -> BaseException:
    """What a signal raised while numba was at work, which hands it on as the cause of errors of its own."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


@torch.no_grad()
def fused_steps(
    net: Network, data: Examples, encoded: EncodedData, picks: Tensor, lr: Tensor, random: Random
) -> tuple[Tensor, Tensor]:
    """Train on the questions ``picks (S, R, B)``: the sum of the losses and how many answers were wrong, (R,) each."""
    from memnet.training.kernel import steps

    net = cast(MemN2N, net)  # of which fusible says so
    config, (replicas, matrices, every, dim) = net.config, net.embedding.shape
    wide = padded(dim)
    batch, longest, statements, words = picks.shape[2], data.memory.shape[1], len(encoded.sentences.row), net.sizes.vocabulary
    tables = (Sentences(*sentences(code, len(net.factors))) for code in encoded)
    parts: list[Any] = [part.contiguous().numpy() for part in (data.question, data.memory, data.count, data.answer[:, 0])]
    table = Data(next(tables), next(tables), *parts)
    shape = Shape(
        wide,
        *(words, net.sizes.ages, np.array(net.key), np.array(net.value), net.asked, net.word),
        F.pad(net.factors[-1], (0, wide - dim)).repeat(matrices).numpy(),
        *(config.temporal, config.null == "unused", config.relu, net.state_map is not None),
        *(config.clip, config.clip_per == "network"),
    )
    most, width, hops, block = min(statements, batch * longest), matrices * wide, len(net.key), min(BLOCK, padded(words))
    blocks = padded(words, block) // block, block
    whole = (most,), (statements,), (every,), (every,), (batch, longest), (batch, longest)
    real: tuple[tuple[int, ...], ...] = (most, width), (most, width), (batch, width), (batch, width)
    real += (batch, longest, matrices, wide), (longest, matrices, wide), (longest,), (batch, hops, longest)
    real += (batch, hops + 1, wide), (batch, wide)
    real += (batch, *blocks), (dim, *blocks), (dim, *blocks), (every, width), (wide, wide)
    arrays: list[Any] = [np.zeros(one, np.int64) for one in whole]
    arrays += [np.zeros(one, np.float32) for one in real]
    room = Room(*arrays)
    rows = F.pad(net.embedding.transpose(1, 2), (0, wide - dim)).reshape(replicas, every, width).contiguous()
    state_map = rows.new_zeros(replicas, wide, wide)
    if net.state_map is not None:
        state_map[:, :dim, :dim] = net.state_map.weight
    losses, wrong = torch.zeros(replicas, dtype=torch.double), torch.zeros(replicas, dtype=torch.long)
    for part in picks.split(CHUNK):
        empty = part.new_zeros(*part.shape, 0)
        if config.noise > 0:
            empty = empty_memories(data.count[part], longest, config.noise, random)
        numbers = (one.contiguous().numpy() for one in (part, empty, net.schedules[0].linear, lr))
        try:
            found = steps(rows.numpy(), state_map.numpy(), table, shape, room, *numbers)
        except SystemError as error:
            raise behind(error) from None
        losses += torch.from_numpy(found[0])
        wrong += torch.from_numpy(found[1])
    net.embedding.copy_(rows.view(replicas, every, matrices, wide).transpose(1, 2)[..., :dim])
    if net.state_map is not None:
        net.state_map.weight.copy_(state_map[:, :dim, :dim])
    return losses, wrong

"""Speed, measured: anyone can run it, nothing is asserted."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import torch

from memnet.config import MemN2NConfig
from memnet.models import MODELS
from memnet.replicated import Random
from memnet.tasks.published import Task
from memnet.train import DataSet, State, one_epoch


class Speed(NamedTuple):
    """Of training: examples a second summed over replicas, milliseconds a step, peak memory of the process in MiB."""

    examples: float
    milliseconds: float
    peak: float


def training(tasks: Sequence[Task], config: MemN2NConfig, restarts: int, seconds: float, model: str = "memn2n") -> Speed:
    """Whole epochs as ``memnet train`` does them - batches, encoding, clipping, update - for about so long.

    The median over slices of at most 28 steps, one thread.
    """
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    data = DataSet.of(tasks, config)
    net = MODELS[model](config, data.train.sizes(data.vocabulary), Random(0, restarts, "weights"))
    state = State.start(net, Random(0, restarts), config)
    codes = net.codes(data.train)
    picks = torch.randperm(len(data.train), generator=torch.Generator().manual_seed(0))
    part = data.train.select(picks[: 28 * config.batch])
    lr = torch.full((restarts,), config.lr)
    one_epoch(state, part, codes, config, lr)
    times: list[float] = []
    while sum(times) < seconds:
        started = time.perf_counter()
        one_epoch(state, part, codes, config, lr)
        times.append(time.perf_counter() - started)
    size = min(config.batch, len(part))
    step = sorted(times)[len(times) // 2] / (len(part) // size)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return Speed(restarts * size / step, 1000 * step, peak)

"""Speed of training and of answering about long stories, measured: anyone can run it, nothing is asserted."""

from __future__ import annotations

import contextlib
import itertools
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import torch

from memnet.ask.encoded import EncodedStory
from memnet.ask.predictor import Predictor
from memnet.config import Training
from memnet.config.memn2n import MemN2NConfig
from memnet.encode.examples import Examples, Sizes
from memnet.encode.vocabulary import UNKNOWN, Vocabulary
from memnet.measure.floor import Counted, Floor, Rates, median_seconds, weight_bytes
from memnet.models import MemN2N, Network, model_of
from memnet.nn.random import Random
from memnet.record.measurements import AnswerSpeed, TrainingSpeed
from memnet.tasks.families import Task
from memnet.training.dataset import DataSet
from memnet.training.loop import make_networks, one_epoch
from memnet.training.process import prepare
from memnet.training.state import State


def training(
    preset: str, config: Training, tasks: Sequence[Task], restarts: int, seconds: float, rates: Rates
) -> TrainingSpeed:
    """Whole epochs as ``memnet train`` does them - batches, encoding, clipping, update - for about so long.

    The median over slices of at most 28 steps, one thread, of the processor's time: other work of the machine is not counted.
    Beside it stands the floor of a step, at the ``rates`` of this machine.
    """
    torch.set_num_threads(1)
    prepare()
    data = DataSet.of(tasks, config)
    picks = torch.randperm(len(data.train), generator=torch.Generator().manual_seed(0))
    part = data.train.select(picks[: 28 * config.batch])
    size = min(config.batch, len(part))
    steps = len(part) // size
    epoch, _ = epochs(config, data, part, restarts)
    epoch()
    step, most = median_seconds(epoch, seconds, 1, time.process_time) / steps, peak()
    floor = floor_of(epochs(by_core(config), data, part, restarts), steps)
    name, shape = tasks[0].name if len(tasks) == 1 else "joint", (config.batch, restarts)
    least = rates.seconds(floor)
    return TrainingSpeed(
        preset, name, *shape, restarts * size / step, 1000 * step, 1000 * least, step / least, *floor, peak=most
    )


def by_core(config: Training) -> Training:
    """Settings by which the core computes the steps, not a compiled loop, whose operations torch does not see."""
    core: dict[str, Any] = {"fused": False} if config.fusible else {}
    return replace(config, **core)


def epochs(config: Training, data: DataSet, part: Examples, restarts: int) -> tuple[Callable[[], object], Network]:
    """What trains new networks on a part of the data for an epoch, and these."""
    net = make_networks(model_of(config), config, data, Random(0, restarts, "weights"))
    state, encoded_data = State.start(net, Random(0, restarts), config), net.encode_data(data.train)
    lr = torch.full((restarts,), config.lr)
    return partial(one_epoch, state, part, encoded_data, config, lr), net


def floor_of(trained: tuple[Callable[[], object], Network], steps: int) -> Floor:
    """What one of the ``steps`` of an epoch needs at least, the mean, of networks as :func:`epochs` makes them."""
    epoch, net = trained
    with Counted() as counted:
        epoch()
    weights = sum(parameter.numel() for parameter in net.parameters())
    return Floor(counted.operations / steps, weight_bytes(weights, net.config.optimizer != "sgd"))


def peak() -> float:
    """The most memory that this process has had, MiB.

    On Linux what ``getrusage`` counts passes on to a program that another starts; what the system notes of its memory does not.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def answering(sizes: Sequence[int], seconds: float, dim: int = 20, hops: int = 3) -> Iterator[AnswerSpeed]:
    """A MemN2N with its first weights asked about stories of distinct statements, one thread; the median over questions."""
    torch.set_num_threads(1)
    people, places = 1000, -(-max(sizes) // 1000)
    who, where = ([f"{kind}{number}" for number in range(many)] for kind, many in (("person", people), ("place", places)))
    vocabulary = Vocabulary([UNKNOWN, *sorted({"went", "to", "where", "is", *who, *where})])
    config = MemN2NConfig(dim=dim, hops=hops, null="none", memory_size=max(sizes))
    predictor = Predictor(MemN2N(config, Sizes(len(vocabulary), 50, 4), Random(0, 1, "weights")), vocabulary)
    questions = itertools.cycle(f"Where is {name}?" for name in who)

    def ask(story: EncodedStory) -> None:
        predictor.ask(story, next(questions), reads=3)

    for size in sizes:
        story = [f"{who[number % people]} went to {where[number // people]}." for number in range(size)]
        started = time.perf_counter()
        encoded = predictor.encode_story(story)
        encoding = time.perf_counter() - started
        step = median_seconds(partial(ask, encoded), seconds, 3)
        yield AnswerSpeed(size, encoding, 1000 * step, peak())

"""The floor of a training step: the time that its arithmetic or its bytes alone would take on this machine.

floor = max(operations / rate of a matrix product, bytes / bandwidth of memory)

It is the roofline of Williams et al. 2009 ("Roofline: an insightful visual performance model for multicore architectures").
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.utils.flop_counter import flop_registry

from memnet.training.memory import Operations

SIDE = 1024  # of the square matrices whose product is timed
COPIED = 1 << 23  # numbers that are copied, 32 MiB: more than most caches hold
SECONDS, AT_LEAST = 1.0, 5  # how long each of the two is measured at most, and how often at least
NUMBER = 4  # bytes of one in float32


def times_of(step: Callable[[], Any], seconds: float, at_least: int, clock: Callable[[], float]) -> list[float]:
    """The times of a step that is done for about so long, and at least so many times."""
    times: list[float] = []
    while sum(times) < seconds or len(times) < at_least:
        started = clock()
        step()
        times.append(clock() - started)
    return times


def median_seconds(
    step: Callable[[], Any], seconds: float, at_least: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The median of these times."""
    return statistics.median_high(times_of(step, seconds, at_least, clock))


class Floor(NamedTuple):
    """What a step needs at least: operations of its matrix products, and bytes of its weights."""

    operations: float
    bytes: float


class Rates(NamedTuple):
    """What one thread of this machine does in a second."""

    operations: float  # of a product of square matrices in float32
    bytes: float  # read and written, of a copy in memory

    @classmethod
    def measured(cls, clock: Callable[[], float] = time.process_time, seconds: float = SECONDS) -> Rates:
        """Measure both, by the shortest of the processor's times: what the machine can do. Sets torch to one thread."""
        torch.set_num_threads(1)
        seconds = min(seconds, SECONDS)
        left, right, product = torch.ones(3, SIDE, SIDE).unbind()
        source, copy = torch.ones(2, COPIED).unbind()
        product_time = min(times_of(lambda: torch.mm(left, right, out=product), seconds, AT_LEAST, clock))
        copy_time = min(times_of(lambda: copy.copy_(source), seconds, AT_LEAST, clock))
        return cls(2 * SIDE**3 / product_time, 2 * NUMBER * COPIED / copy_time)

    @property
    def gigaflops(self) -> float:
        """Operations, 10^9 a second."""
        return self.operations / 1e9

    @property
    def gigabytes(self) -> float:
        """Bytes, 10^9 a second."""
        return self.bytes / 1e9

    def seconds(self, floor: Floor) -> float:
        """The longer of the two times, as both may go on at once.

        >>> Rates(operations=100.0, bytes=10.0).seconds(Floor(operations=300.0, bytes=20.0))
        3.0
        """
        return max(floor.operations / self.operations, floor.bytes / self.bytes)


class Counted(Operations):
    """Counts the floating-point operations of matrix products that torch does meanwhile, forward and backward.

    A product of (N, M) and (M, P) has 2 N M P. :class:`torch.utils.flop_counter.FlopCounterMode` counts by the same rules, but
    follows modules too, which it cannot where gradients are asked of parameters by ``torch.autograd.grad``.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made, kwargs = func(*args, **(kwargs or {})), kwargs or {}
        if rule := flop_registry.get(func._overloadpacket):
            self.operations += rule(*args, **kwargs, out_val=made)
        return made


def weight_bytes(weights: int, adam: bool) -> int:
    """Bytes that a step passes over for so many weights in float32, however fast it computes.

    Each is read, its gradient is written and read, and it is written: 16 bytes. Adam reads and writes two means of each, too.

    >>> weight_bytes(1000, adam=False), weight_bytes(1000, adam=True)
    (16000, 32000)
    """
    return (8 if adam else 4) * NUMBER * weights

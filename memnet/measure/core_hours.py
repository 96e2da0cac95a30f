"""What a training costs: hours of one core."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def processor_seconds() -> float:
    """Seconds that the processor has spent on this process, its threads, and the processes that it started and that ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@contextmanager
def core_hours() -> Iterator[None]:
    """Print the core-hours of what is done within, also where that is cut short."""
    before = processor_seconds()
    try:
        yield
    finally:
        print(f"{(processor_seconds() - before) / 3600:.3f} core-hours", flush=True)

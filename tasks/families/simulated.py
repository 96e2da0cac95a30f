"""Fresh stories, drawn as the published ones were, see :mod:`memnet.tasks.simulator`: any number of them, none published.

``sim/qa1`` is as large as ``babi/qa1``, and ``sim/qa1@3`` are other stories. ``transfer/qa1@3`` is trained on the latter and
tested on the published ones: are the simulated ones worth as much?
"""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path

from ..simulator import FILE_TITLES, VERSION, entity_words, simulate, simulated_task
from ..text import Story, write
from .babi import TITLES, published
from .family import Family, Name, Task

TESTS = 1000  # questions
SEEDS = range(1_000_000)


def stories_hash(train: list[Story], test: list[Story]) -> str:
    """Of stories that come from no file."""
    return hashlib.sha256(f"{VERSION}\n{write(train)}\n{write(test)}".encode()).hexdigest()[:12]


def simulated(family: str, questions: int, member: str, seed: int = 0, data: Path | None = None) -> Task:
    """A task as the simulator draws it, as large as the published one."""
    train, test = simulated_task(member, questions, TESTS, seed)
    return Task(str(Name(family, member, seed)), train, {"test": test}, stories_hash(train, test))


def transferred(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """Simulated training stories and the published test set of a task."""
    train, splits = simulate(member, 1000, 2 * seed), published("babi", member, 0, data).splits
    return Task(str(Name("transfer", member, seed)), train, splits, stories_hash(train, splits["test"]))


SIMULATED = partial(Family, seeds=SEEDS, drawn=True, names=entity_words)

FAMILIES = (
    SIMULATED("sim", "simulated stories", FILE_TITLES, partial(simulated, "sim", 1000), "simulated"),
    SIMULATED(
        "sim-10k", "ten times as many simulated stories", FILE_TITLES, partial(simulated, "sim-10k", 10_000), "simulated"
    ),
    SIMULATED("transfer", "trained on simulated stories, tested on published ones", TITLES, transferred, "transfer"),
)

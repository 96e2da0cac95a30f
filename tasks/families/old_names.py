"""Names of data sets as memnet 0.2 recorded them, in parts: networks, runs and rows of then are read through this mapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .family import Name

PARTS = ("size", "variant", "source", "story_seed")


def full_names(tasks: Sequence[str], size: str, variant: str, source: str, seed: int = 0) -> tuple[str, ...]:
    """Full names of tasks that were named by size, variant, source and the seed of their stories.

    >>> full_names(["qa1"], "10k", "en", "published"), full_names(["qa2"], "1k", "en", "simulated", 3)
    (('babi-10k/qa1',), ('sim/qa2@3',))
    """
    if source == "published":
        family = "-".join(["babi", *(part for part in (variant, size) if part not in ("en", "1k", ""))])
    elif source == "simulated":
        family = "sim-10k" if size == "10k" else "sim"
    else:
        family = source
    return tuple(str(Name(family, task, seed)) for task in tasks)


def modern(saved: Mapping[str, Any]) -> dict[str, Any]:
    """What a saved network or run says of its data, in today's words: ``data`` and ``hash``.

    Raises KeyError for what lacks a part, TypeError or ValueError where one is of another kind.
    """
    if "tasks" not in saved:
        return dict(saved)
    rest = {name: value for name, value in saved.items() if name not in ("tasks", "data_hash", *PARTS)}
    size, variant, source = (str(saved[name]) for name in PARTS[:3])
    seed = saved.get("story_seed", 0)
    if not (isinstance(saved["tasks"], list) and all(isinstance(task, str) for task in saved["tasks"])):
        raise ValueError("tasks must be a list of names")
    if type(seed) is not int or seed < 0:
        raise ValueError("story_seed must be a whole number, 0 or more")
    return {**rest, "data": list(full_names(saved["tasks"], size, variant, source, seed)), "hash": saved.get("data_hash", "")}

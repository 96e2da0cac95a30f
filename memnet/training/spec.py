"""All that decides what a run's result is, as data."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from memnet.config import Training, require
from memnet.errors import ConfigError
from memnet.models import MODELS, model_of
from memnet.papers import PRESETS
from memnet.record.runs import DataName, family_of_old
from memnet.tasks.published import Task
from memnet.tasks.text import one_line
from memnet.training.dataset import one_source

MOST_RESTARTS = 1000


@dataclass(frozen=True)
class Spec:
    """All that decides a run's result."""

    tasks: tuple[str, ...]
    preset: str
    config: Training
    size: str
    variant: str
    source: str
    data_hash: str
    seed: int
    restarts: int
    model: str = "memn2n"
    story_seed: int = 0  # which simulated or resampled stories

    @property
    def what(self) -> str:
        """The task's name, or how many tasks one network learns."""
        return self.tasks[0] if len(self.tasks) == 1 else f"joint{len(self.tasks)}"

    def __repr__(self) -> str:
        changed = f" {settings(self)}" if self.preset in PRESETS and settings(self) else ""
        what = f"{self.what} ({self.source}, {self.size}), seed {self.seed}, restarts: {self.restarts}"
        return one_line(f"<Spec: {self.model} {self.preset} on {what}{changed}>")

    def flat(self) -> dict[str, Any]:
        """As JSON values."""
        return {**dataclasses.asdict(self), "tasks": list(self.tasks)}


def specify(
    tasks: Sequence[Task], preset: str, config: Training, size: str, variant: str, seed: int, restarts: int | None = None
) -> Spec:
    """A run's spec. The size of one's own tasks is their number of training questions.

    Raises :class:`~memnet.errors.ConfigError` for an impossible number of restarts or seed.
    """
    names, hashes = tuple(task.name for task in tasks), "+".join(task.hash for task in tasks)
    source = one_source(tasks)
    if source == "own":
        size, variant = str(sum(len(story.questions) for task in tasks for story in task.train)), "own"
    if restarts is None:
        restarts = config.default_restarts
    require(type(restarts) is int and 1 <= restarts <= MOST_RESTARTS, "restarts", f"1 to {MOST_RESTARTS}", restarts)
    require(type(seed) is int and seed >= 0, "seed", "a whole number, 0 or more", seed)
    if restarts > 1 and MODELS[model_of(config)].fitted:
        raise ConfigError("a baseline draws nothing, so every restart would be the same; leave --restarts out")
    model, story_seed = model_of(config), tasks[0].story_seed
    return Spec(names, preset, config, size, variant, source, hashes, seed, restarts, model, story_seed)


def default_folder(spec: Spec) -> Path:
    """``runs/qa1-pe-ls-rn-1k-seed0`` and the like."""
    parts = [spec.what, spec.preset, *settings(spec).split(), spec.size]
    parts += [spec.variant] if spec.variant not in ("en", "own") else []
    parts += [spec.source] if spec.source not in ("published", "own") else []
    parts += [f"stories{spec.story_seed}"] if spec.story_seed else []
    parts += [f"{spec.restarts}x"] if spec.restarts != spec.config.default_restarts else []
    return Path("runs") / re.sub(r"[^\w.=+-]", "_", "-".join([*parts, f"seed{spec.seed}"]))


def settings(spec: Spec) -> str:
    """How a run's configuration differs from its preset, as ``key=value key=value``."""
    return setting_changes(spec.preset, spec.config)


def setting_changes(preset: str, config: Training) -> str:
    """How a configuration differs from a preset, as ``key=value key=value``, in alphabetical order."""
    ours, theirs = vars(config), vars(PRESETS[preset])
    return " ".join(f"{name}={value}" for name, value in sorted(ours.items()) if theirs[name] != value)


def config_hash(config: Training) -> str:
    """Of every field that is not as the model's configuration has it by default: a new setting changes no old hash."""
    changed = {
        field.name: getattr(config, field.name) for field in fields(config) if getattr(config, field.name) != field.default
    }
    return hashlib.sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()[:8]


def data_of(spec: Spec) -> str:
    """The full names of a run's data sets, with spaces between them."""
    family = family_of_old(spec.source, spec.variant, spec.size)
    return " ".join(str(DataName(family, task, spec.story_seed)) for task in spec.tasks)


def identity(spec: Spec) -> tuple[str, ...]:
    """The values of the :data:`IDENTITY` columns."""
    hashed = hashlib.sha256(spec.data_hash.encode()).hexdigest()[:12] if len(spec.tasks) > 1 else spec.data_hash
    what = (spec.model, spec.preset, settings(spec), config_hash(spec.config))
    return (*what, data_of(spec), hashed, str(spec.seed), str(spec.restarts))

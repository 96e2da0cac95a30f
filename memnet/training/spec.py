"""All that decides what a run's result is, as data."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnet.config import Training
from memnet.config.settings import require
from memnet.errors import ConfigError, TrainingError
from memnet.models import model_of
from memnet.papers import PRESETS
from memnet.tasks.families import FAMILIES, Task
from memnet.tasks.text import one_line
from memnet.training.candidates import check_candidates

if TYPE_CHECKING:
    from memnet.training.inputs import Inputs

MOST_RESTARTS = 1000


@dataclass(frozen=True)
class Spec:
    """All that decides a run's result. It is complete before the run is made, and never changed."""

    data: tuple[str, ...]  # full names of data sets, one network learns them all
    hash: str  # of their stories, and of the files that training takes besides
    preset: str
    config: Training
    seed: int
    restarts: int
    model: str = "memn2n"

    @property
    def what(self) -> str:
        """The data set's name, or how many one network learns."""
        return self.data[0] if len(self.data) == 1 else f"{len(self.data)} of {self.data[0].partition('/')[0]}"

    @property
    def short_hash(self) -> str:
        """Of one data set its hash, of several a hash of theirs."""
        return hashlib.sha256(self.hash.encode()).hexdigest()[:12] if len(self.data) > 1 else self.hash

    def __repr__(self) -> str:
        changed = f" {settings(self)}" if self.preset in PRESETS and settings(self) else ""
        what = f"{self.what}, seed {self.seed}, restarts: {self.restarts}"
        return one_line(f"<Spec: {self.model} {self.preset} on {what}{changed}>")

    def flat(self) -> dict[str, Any]:
        """As JSON values."""
        return {**dataclasses.asdict(self), "data": list(self.data)}


def check_together(tasks: Sequence[Task]) -> None:
    """Refuse data sets that are made in different ways in one network. Raises :class:`TrainingError`."""
    made = sorted({FAMILIES[task.family].made for task in tasks})
    if len(made) > 1:
        raise TrainingError(f"{' and '.join(made)} data sets are not mixed in one network; name the family of each, as sim/...")


def specify(
    tasks: Sequence[Task],
    preset: str,
    config: Training,
    seed: int,
    restarts: int | None = None,
    inputs: Inputs | None = None,
) -> Spec:
    """A run's spec. Raises :class:`~memnet.errors.ConfigError` for an impossible number of restarts or seed."""
    check_together(tasks)
    check_candidates(tasks, config)
    hashes = "+".join([*(task.hash for task in tasks), *(inputs.hashes() if inputs else ())])
    if restarts is None:
        restarts = config.default_restarts
    require(type(restarts) is int and 1 <= restarts <= MOST_RESTARTS, "restarts", f"1 to {MOST_RESTARTS}", restarts)
    require(type(seed) is int and seed >= 0, "seed", "a whole number, 0 or more", seed)
    model = model_of(config)
    if restarts > 1 and config.fitted:
        raise ConfigError("a baseline draws nothing, so every restart would be the same; leave --restarts out")
    return Spec(tuple(task.name for task in tasks), hashes, preset, config, seed, restarts, model)


def default_folder(spec: Spec) -> Path:
    """``runs/DATA-PRESET-seed0``, with the settings that differ from the preset's before the seed."""
    parts = [spec.what, spec.preset, *settings(spec).split()]
    parts += [f"{spec.restarts}x"] if spec.restarts != spec.config.default_restarts else []
    return Path("runs") / re.sub(r"[^\w.=+-]", "_", "-".join([*parts, f"seed{spec.seed}"]).replace("/", "-").replace("@", "-"))


def settings(spec: Spec) -> str:
    """How a run's configuration differs from its preset, as ``key=value key=value``."""
    return setting_changes(spec.preset, spec.config)


def setting_changes(preset: str, config: Training) -> str:
    """How a configuration differs from a preset, as ``key=value key=value``, in alphabetical order."""
    now, before = vars(config), vars(PRESETS[preset])
    return " ".join(f"{name}={value}" for name, value in sorted(now.items()) if before[name] != value)


def config_hash(config: Training) -> str:
    """Of every field that is not as the model's configuration has it by default: a new setting changes no old hash."""
    changed = {
        field.name: getattr(config, field.name) for field in fields(config) if getattr(config, field.name) != field.default
    }
    return hashlib.sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()[:8]


def identity(spec: Spec) -> tuple[str, ...]:
    """The values of the :data:`IDENTITY` columns."""
    what = (spec.model, spec.preset, settings(spec), config_hash(spec.config), " ".join(spec.data), spec.short_hash)
    return (*what, str(spec.seed), str(spec.restarts))

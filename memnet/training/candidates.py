"""Answers to choose among: which networks rank them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memnet.config import Training, override
from memnet.errors import ConfigError
from memnet.models import MODELS
from memnet.papers import PRESETS
from memnet.tasks.families import Task, questions_of

RANKS = {"decoder": "class", "open_vocabulary": False, "canonical": False}  # an answer is one class, as it is written


def needed_to_rank(config: Training) -> Mapping[str, Any] | None:
    """The settings that a network needs to rank candidates: none where it does, None where none would do."""
    needed = {name: value for name, value in RANKS.items() if getattr(config, name) != value}
    try:
        override(config, needed)
    except ConfigError:
        return None
    return needed


def check_candidates(tasks: Sequence[Task], config: Training) -> None:
    """Refuse candidates that a network does not rank. Raises :class:`ConfigError`."""
    needed = needed_to_rank(config)
    if needed == {} or not (task := next(filter(has_candidates, tasks), None)):
        return
    what = f"{task.name}: its questions have candidates"
    if needed is None:
        raise ConfigError(
            f"{what}, and this network ranks none; leave the candidates away, or take a preset that ranks them, such as "
            f"{', '.join(own_presets_that_rank())}"
        )
    settings = " and ".join(f"{name}={str(value).lower()}" for name, value in needed.items())
    raise ConfigError(f"{what}, which are ranked as they are written; set {settings}")


def has_candidates(task: Task) -> bool:
    """Whether a question of a data set has answers to choose among."""
    return any(one.candidates for one in questions_of([*task.train, *(task.valid or ()), *task.test]))


def own_presets_that_rank() -> list[str]:
    """The presets that networks are trained by unless one is named, of those that rank candidates."""
    of_models = [(name, PRESETS[name]) for name in (MODELS[model].presets[0] for model in MODELS)]
    return [name for name, config in of_models if needed_to_rank(config) == {} and not config.fitted]


def ranking() -> dict[str, list[str]]:
    """Every preset by what it takes to rank candidates, in words."""
    found: dict[str, list[str]] = {}
    for name, config in PRESETS.items():
        needed = needed_to_rank(config)
        what = "no: leave the file of candidates away"
        if needed is not None:
            options = " ".join(f"--set {key}={str(value).lower()}" for key, value in needed.items())
            what = f"with `{options}`" if needed else "yes"
        found.setdefault(what, []).append(name)
    return found

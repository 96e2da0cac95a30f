"""A trained network as a folder: config.json, model.safetensors and its card."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from memnet.config import Training, override
from memnet.config.settings import settings_of
from memnet.encode.examples import Sizes
from memnet.encode.saved import (
    CALIBRATION,
    CARD,
    CONFIG,
    FACTS,
    FORMAT,
    MODEL,
    ORIGIN,
    check_facts,
    read_card,
    read_config,
    saved_sizes,
)
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError, NetworkError
from memnet.files import write_atomically, write_json, write_tensors
from memnet.models import MODELS, Network
from memnet.nn.random import MetaInit
from memnet.packing import read_weights, weight_shapes
from memnet.tasks.families.old_names import modern

__all__ = [
    "CALIBRATION",
    "CARD",
    "CONFIG",
    "FACTS",
    "MODEL",
    "ORIGIN",
    "load_network",
    "read_card",
    "save_network",
    "with_weights",
]

LARGEST = 1 << 27  # numbers of a network


def save_network(folder: Path, model: str, net: Network, vocabulary: Vocabulary, card: str, facts: Mapping[str, Any]) -> None:
    """One network (R = 1) as a folder: flat ``config.json``, ``model.safetensors`` and a model card."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "format": FORMAT,
        "model": model,
        **dataclasses.asdict(net.config),
        **{
            name: value
            for name, value in net.sizes._asdict().items()
            if name not in ("vocabulary", "answers", "groups", "lists")
        },
        **({"answers": net.sizes.answers} if net.sizes.answers else {}),
        **facts,
        **vocabulary.saved(),
    }
    write_tensors(folder / MODEL, net.state_dict())
    write_json(folder / CONFIG, config)
    write_atomically(folder / CARD, card)


def load_network(folder: Path) -> tuple[Network, Vocabulary, dict[str, Any]]:
    """A saved network, its vocabulary and its whole configuration. Raises :class:`NetworkError`."""
    path = folder / CONFIG
    if not folder.is_dir():
        raise NetworkError(f"{folder} is no folder; expected one made by 'memnet train'")
    saved = read_config(path)
    if not isinstance(saved.get("model"), str) or saved["model"] not in MODELS:
        raise NetworkError(
            f"{path}: model is {saved.get('model')!r}, expected one of {', '.join(MODELS)}; one of a plugin needs "
            "memnet --plugin FILE"
        )
    model = MODELS[saved["model"]]
    try:
        kind, saved = model.Config, modern(saved)
        config = override(kind(), {field.name: saved[field.name] for field in dataclasses.fields(kind) if field.name in saved})
        vocabulary, sizes = saved_sizes(saved, config.memory_size)
        check_facts(saved)
    except KeyError as error:
        raise NetworkError(f"{path} lacks {error.args[0]!r}") from error
    except (ConfigError, ValueError) as error:
        raise NetworkError(f"{path}: {error}{of_a_plugin(model, saved)}") from error
    return with_weights(folder, model, config, sizes), vocabulary, saved


def with_weights(folder: Path, model: type[Network], config: Training, sizes: Sizes) -> Network:
    """The network with the weights in its folder. Raises :class:`NetworkError`."""
    path, weights = folder / CONFIG, folder / MODEL
    found = weight_shapes(weights)  # what does not fit is refused before memory is taken for it
    if sum(math.prod(shape) for _, shape in found.values()) > LARGEST:
        raise NetworkError(f"{weights} holds more than {LARGEST:,} numbers, the most of a network")
    try:
        net = model(config, sizes, MetaInit())
    except RuntimeError as error:  # sizes whose product is no number any more
        raise NetworkError(f"{path} describes a network that is too large") from error
    if found != {name: ("F32", tuple(value.shape)) for name, value in net.state_dict().items()}:
        raise NetworkError(f"{weights} does not hold the network that {path} describes")
    tensors = {name: torch.from_numpy(value) for name, value in read_weights(weights).items()}
    if not all(bool(torch.stack(value.aminmax()).isfinite().all()) for value in tensors.values() if value.numel()):
        raise NetworkError(f"{weights} holds numbers that are not finite")
    net.load_state_dict(tensors, assign=True)
    return net.eval()


def of_a_plugin(model: type[Network], saved: Mapping[str, Any]) -> str:
    """What to do where a saved score, alignment or read has a name that nobody here knows: a plugin may."""
    rules = {name: setting.rule for name, setting in settings_of(model.Config).items() if name in ("score", "align", "read")}
    unknown = [name for name, rule in rules.items() if name in saved and rule is not None and saved[name] not in rule]
    return "; one of a plugin needs memnet --plugin FILE" if unknown else ""

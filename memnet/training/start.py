"""A trained network as the start of another training, on other stories or for longer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from torch import Tensor

from memnet.config import Training
from memnet.encode.saved import weights_hash
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError
from memnet.models import Network, model_of
from memnet.models.checkpoint import load_network

__all__ = ["Start", "shape_of", "weights_hash"]


class Start(NamedTuple):
    """One network (R = 1) with its words, and the hash of its weights."""

    net: Network
    vocabulary: Vocabulary
    hash: str

    @classmethod
    def read(cls, folder: Path, config: Training) -> Start:
        """From its folder. Raises :class:`NetworkError`, or :class:`ConfigError` where it is of another kind or size."""
        net, vocabulary, saved = load_network(folder)
        model = model_of(config)
        if saved["model"] != model:
            raise ConfigError(f"{folder} holds a {saved['model']}, not a {model}; choose the preset of its training")
        if bool(vocabulary.markers) != config.open_vocabulary:
            raise ConfigError(f"{folder} has open_vocabulary={str(not config.open_vocabulary).lower()}; set the same")
        for name in ("phrases", "consistent", "synonyms", "canonical"):
            if getattr(net.config, name) != getattr(config, name):
                raise ConfigError(
                    f"{folder} was trained with {name}={str(getattr(net.config, name)).lower()}, and reads as it was trained; "
                    "set the same"
                )
        if config.cloze and not net.config.cloze:
            raise ConfigError(f"{folder} was trained without masked words and has no word for them; set cloze=0")
        return cls(net, vocabulary, weights_hash(folder))

    def load_into(self, nets: Network) -> None:
        """Give its weights to each of R networks. Raises :class:`ConfigError` where they have another shape."""
        state = {name: value.expand(nets.replicas, *value.shape[1:]) for name, value in self.net.state_dict().items()}
        wanted = nets.state_dict()
        if differ := sorted(name for name in state.keys() | wanted.keys() if shape_of(state, name) != shape_of(wanted, name)):
            name = differ[0]
            raise ConfigError(
                f"the network to start from has another shape: {name} is {shape_of(state, name)} there and "
                f"{shape_of(wanted, name)} here; train with the settings that it was trained with"
            )
        nets.load_state_dict(state)


def shape_of(state: Mapping[str, Tensor], name: str) -> tuple[int, ...]:
    """Of one network's part, () where there is none."""
    return tuple(state[name].shape[1:]) if name in state else ()

"""The networks, by name: the one registry of them. A new one is one file here, or a plugin (:mod:`memnet.plugins`).

Which networks there are, and their settings, is known without torch: a network is imported when it is asked for.
"""

from __future__ import annotations

from collections import UserDict
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

from memnet.config import Training
from memnet.config.baselines import BaselineConfig
from memnet.config.causal import CausalConfig
from memnet.config.dmn import DMNConfig
from memnet.config.lstm import LSTMConfig
from memnet.config.memn2n import MemN2NConfig
from memnet.config.memnn import MemNNConfig
from memnet.config.mentions import MentionsConfig
from memnet.config.transformer import TransformerConfig
from memnet.config.walk import WalkConfig
from memnet.config.writable import WritableConfig
from memnet.errors import ConfigError

if TYPE_CHECKING:
    from memnet.models.baselines import Baseline as Baseline
    from memnet.models.causal import CausalTransformer as CausalTransformer
    from memnet.models.dmn import DMN as DMN
    from memnet.models.lstm import LSTM as LSTM
    from memnet.models.memn2n import MemN2N as MemN2N
    from memnet.models.memnn import MemNN as MemNN
    from memnet.models.mentions import Mentions as Mentions
    from memnet.models.network import Network as Network
    from memnet.models.network import Output as Output
    from memnet.models.transformer import Transformer as Transformer
    from memnet.models.walk import Walk as Walk
    from memnet.models.writable import WritableMemory as WritableMemory


class Named(NamedTuple):
    """A network of the package that nobody has asked for yet."""

    place: str  # its file here and its class
    Config: type[Training]


class Networks(UserDict[str, Any]):
    """Name -> the class of a network."""

    def __getitem__(self, name: str) -> type[Network]:
        """The class, imported now at the latest. Raises KeyError."""
        if isinstance(kind := self.data[name], Named):
            kind = self.data[name] = resolve_name(f"{__name__}.{kind.place}")
        network: type[Network] = kind
        return network

    @property
    def configs(self) -> dict[str, type[Training]]:
        """Name -> the class of its settings, for which nothing is imported."""
        return {name: kind.Config for name, kind in self.data.items()}

    def of_package(self, name: str) -> bool:
        """Whether this is the package's own, which no plugin has put another in place of."""
        kind = self.data[name]
        return isinstance(kind, Named) or getattr(kind, "__module__", "").startswith(f"{__name__}.")


MODELS = Networks(
    {
        "memn2n": Named("memn2n:MemN2N", MemN2NConfig),
        "memnn": Named("memnn:MemNN", MemNNConfig),
        "dmn": Named("dmn:DMN", DMNConfig),
        "transformer": Named("transformer:Transformer", TransformerConfig),
        "mentions": Named("mentions:Mentions", MentionsConfig),
        "causal": Named("causal:CausalTransformer", CausalConfig),
        "lstm": Named("lstm:LSTM", LSTMConfig),
        "writable": Named("writable:WritableMemory", WritableConfig),
        "walk": Named("walk:Walk", WalkConfig),
        "baseline": Named("baselines:Baseline", BaselineConfig),
    }
)
CLASSES = {kind.place.partition(":")[2]: kind.place for kind in MODELS.data.values()}
CLASSES |= {name: f"network:{name}" for name in ("Network", "Output")}


def __getattr__(name: str) -> Any:
    """A network's class, imported where it is asked for."""
    if name not in CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return resolve_name(f"{__name__}.{CLASSES[name]}")


def model_of(config: Training) -> str:
    """The kind of network that a configuration is of: every kind has a class of its own for its settings.

    Raises :class:`~memnet.errors.ConfigError` where none has, or more than one.
    """
    config_class = type(config).__name__
    names = [name for name, kind in MODELS.configs.items() if type(config) is kind]
    if not names:
        raise ConfigError(f"no model has the settings {config_class}: a preset's class must be the Config of a model in MODELS")
    if len(names) > 1:
        raise ConfigError(
            f"the models {' and '.join(names)} share the settings {config_class}, which say of which model a preset is; "
            "give each a Config class of its own"
        )
    return names[0]

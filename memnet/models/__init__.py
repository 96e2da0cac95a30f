"""The networks, by name: the one registry of them. A new one is one file here, or a plugin (:mod:`memnet.plugins`)."""

from memnet.config import Training
from memnet.errors import ConfigError
from memnet.models.baselines import Baseline
from memnet.models.causal import CausalTransformer
from memnet.models.dmn import DMN
from memnet.models.lstm import LSTM
from memnet.models.memn2n import MemN2N
from memnet.models.memnn import MemNN
from memnet.models.mentions import Mentions
from memnet.models.network import Network, Output
from memnet.models.transformer import Transformer
from memnet.models.walk import Walk
from memnet.models.writable import WritableMemory

__all__ = [
    "DMN",
    "LSTM",
    "MODELS",
    "Baseline",
    "CausalTransformer",
    "MemN2N",
    "MemNN",
    "Mentions",
    "Network",
    "Output",
    "Transformer",
    "Walk",
    "WritableMemory",
    "model_of",
]

MODELS: dict[str, type[Network]] = {
    "memn2n": MemN2N,
    "memnn": MemNN,
    "dmn": DMN,
    "transformer": Transformer,
    "mentions": Mentions,
    "causal": CausalTransformer,
    "lstm": LSTM,
    "writable": WritableMemory,
    "walk": Walk,
    "baseline": Baseline,
}


def model_of(config: Training) -> str:
    """The kind of network that a configuration is of: every kind has a class of its own for its settings.

    Raises :class:`~memnet.errors.ConfigError` where none has, or more than one.
    """
    config_class = type(config).__name__
    names = [name for name, kind in MODELS.items() if type(config) is kind.Config]
    if not names:
        raise ConfigError(f"no model has the settings {config_class}: a preset's class must be the Config of a model in MODELS")
    if len(names) > 1:
        raise ConfigError(
            f"the models {' and '.join(names)} share the settings {config_class}, which say of which model a preset is; "
            "give each a Config class of its own"
        )
    return names[0]

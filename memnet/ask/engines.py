"""Which engine answers: numpy where it has the network, else torch, which is imported then and not before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnet.ask.engine import Engine, NumpyEngine
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import NetworkError, extra_needed
from memnet.infer.saved import open_network

if TYPE_CHECKING:
    from memnet.models import Network


def open_engine(folder: Path) -> tuple[Engine, Vocabulary, dict[str, Any]]:
    """The network in a folder, its vocabulary and its configuration. Raises :class:`~memnet.errors.NetworkError`."""
    if found := open_network(folder):
        net, vocabulary, saved = found
        return NumpyEngine(net, vocabulary, saved), vocabulary, saved
    try:
        from memnet.ask.torch_engine import TorchEngine
        from memnet.models.checkpoint import load_network
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise NetworkError(
            extra_needed(f"{folder}: a network of this model or with these settings", "torch", "train")
        ) from error
    torch_net, vocabulary, saved = load_network(folder)
    return TorchEngine(torch_net, vocabulary), vocabulary, saved


def in_torch(net: Network, vocabulary: Vocabulary) -> Engine:
    """A network in memory, R = 1, that answers."""
    from memnet.ask.torch_engine import TorchEngine

    return TorchEngine(net, vocabulary)

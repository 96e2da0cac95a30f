"""What computes a network's answers under a predictor: numpy, or torch where a model or its settings need it.

Texts come in as the network reads them, names as markers and words as they are normalised; numbers go out in numpy.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from memnet.config import Training
from memnet.config.settings import settings_of
from memnet.encode.vocabulary import Vocabulary
from memnet.infer.network import Numbers, NumpyNetwork, Output
from memnet.infer.saved import parameters

Asked = Sequence[tuple[Sequence[str], str]]  # statements, oldest first, and a question about them


class Engine(ABC):
    """One trained network that answers."""

    name: ClassVar[str]
    model: str
    title: str  # "An end-to-end memory network"
    settings: Mapping[str, Any]
    parameters: int
    keeps_stories: bool
    reads_by_word: bool

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of a {self.model} with {self.parameters:,} parameters>"

    @property
    def memory_size(self) -> int:
        """How many statements are remembered."""
        return int(self.settings["memory_size"])

    @abstractmethod
    def identity(self) -> str:
        """The same for the same settings, words and weights, also in another process."""

    @abstractmethod
    def read(self, statements: Sequence[str]) -> Any:
        """What the network makes of a story, whatever is asked; where it ``keeps_stories``."""

    @abstractmethod
    def answer(self, asked: Asked) -> Output:
        """The answers to questions."""

    @abstractmethod
    def answer_kept(self, memory: Any, statements: Sequence[str], question: str) -> Output:
        """The answer to a question about a story that was read."""


class NumpyEngine(Engine):
    """A network of :mod:`memnet.infer`."""

    name = "numpy"

    def __init__(self, net: NumpyNetwork, vocabulary: Vocabulary, saved: Mapping[str, Any]) -> None:
        self.network, self.vocabulary, self.settings = net, vocabulary, saved
        self.model, self.title = str(saved["model"]), net.title
        self.keeps_stories, self.reads_by_word = net.keeps_stories, net.reads_by_word
        self.parameters = parameters(net.shapes(saved, net.sizes))

    def identity(self) -> str:
        """See :class:`Engine`."""
        return identity(self.model, self.settings, self.vocabulary, self.network.weights.items())

    def read(self, statements: Sequence[str]) -> Any:
        """See :class:`Engine`."""
        return self.network.read(self.numbers([(statements, "")]))

    def answer(self, asked: Asked) -> Output:
        """See :class:`Engine`."""
        numbers = self.numbers(asked)
        return self.network.answer(self.network.read(numbers), numbers)

    def answer_kept(self, memory: Any, statements: Sequence[str], question: str) -> Output:
        """See :class:`Engine`."""
        numbers = self.numbers([((), question)])
        count = np.array([min(len(statements), self.memory_size)])
        return self.network.answer(memory, numbers._replace(count=count))

    def numbers(self, asked: Asked) -> Numbers:
        """As numbers."""
        return Numbers.of(asked, self.vocabulary, self.memory_size)


def identity(
    model: str, settings: Mapping[str, Any], vocabulary: Vocabulary, weights: Iterable[tuple[str, NDArray[Any]]]
) -> str:
    """A hash of a network: its model, its settings, its words and its weights (without the dimension of replicas)."""
    common = {name: settings.get(name) for name in settings_of(Training)}
    found = hashlib.sha256(repr((model, common, vocabulary.entries)).encode())
    for name, value in sorted(weights, key=lambda pair: pair[0]):
        found.update(name.encode())
        found.update(np.ascontiguousarray(value).tobytes())
    return found.hexdigest()

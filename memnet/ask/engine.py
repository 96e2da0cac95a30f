"""What computes a network's answers under a predictor: numpy, or torch where a model or its settings need it.

Texts come in as the network reads them, names as markers and words as they are normalised; numbers go out in numpy.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from memnet.config import Training
from memnet.config.settings import settings_of
from memnet.encode.vocabulary import Vocabulary
from memnet.infer.network import Numbers, NumpyNetwork, Output, merged
from memnet.infer.saved import parameters

AT_ONCE = 1024  # statements that are read at once, padding among them: what is made of them fits into a cache
Asked = Sequence[tuple[Sequence[str], str]]  # statements, oldest first, and a question about them


class Engine(ABC):
    """One trained network that answers."""

    name: ClassVar[str]
    model: str
    title: str  # "An end-to-end memory network"
    settings: Mapping[str, Any]
    parameters: int
    keeps_stories: bool
    looks_back: bool  # whether what it makes of a statement is the same whatever comes after it
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

    def read_on(self, memory: Any, statements: Sequence[str]) -> Any:
        """The memory of a story with the statements told since; where it ``looks_back``."""
        raise NotImplementedError(f"a {self.model} reads a story as a whole")

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
        self.keeps_stories, self.looks_back, self.reads_by_word = net.keeps_stories, net.looks_back, net.reads_by_word
        self.parameters = parameters(net.shapes(saved, net.sizes))

    def identity(self) -> str:
        """See :class:`Engine`."""
        return identity(self.model, self.settings, self.vocabulary, self.network.weights.items())

    def read(self, statements: Sequence[str]) -> Any:
        """See :class:`Engine`."""
        return self.network.read(self.numbers([(statements, "")]))

    def read_on(self, memory: Any, statements: Sequence[str]) -> Any:
        """See :class:`Engine`."""
        return self.network.read(self.numbers([(statements, "")]), memory)

    def answer(self, asked: Asked) -> Output:
        """See :class:`Engine`."""
        numbers = self.numbers(asked)
        return self.network.answer(self.network.read(numbers), numbers)

    def answer_kept(self, memory: Any, statements: Sequence[str], question: str) -> Output:
        """See :class:`Engine`."""
        told = min(len(statements), self.memory_size)
        return self.network.answer(memory, Numbers.of_question(question, self.vocabulary, told))

    def numbers(self, asked: Asked) -> Numbers:
        """As numbers."""
        return Numbers.of(asked, self.vocabulary, self.memory_size, self.looks_back)


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


def side_by_side(stories: Sequence[Sequence[str]], batch: int, beginnings: bool) -> Iterator[list[int]]:
    """Which stories to read at once: at most ``batch``, of similar length, not many words; equal ones stand together.

    So do those that others begin with, where ``beginnings`` says that these are read as a part of them.
    """
    whole, places = merged([tuple(story) for story in stories], beginnings)
    members: dict[int, list[int]] = {}
    for place, number in enumerate(places):
        members.setdefault(number, []).append(place)
    piece, stories_read = list[int](), 0
    for number in sorted(members, key=lambda number: len(whole[number])):
        for start in range(0, len(members[number]), batch):
            more = members[number][start : start + batch]
            if piece and (len(piece) + len(more) > batch or (stories_read + 1) * len(whole[number]) > AT_ONCE):
                yield piece
                piece, stories_read = [], 0
            piece, stories_read = piece + more, stories_read + 1
    if piece:
        yield piece

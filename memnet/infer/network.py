"""Stories and questions as numbers, what a network makes of them, and what every network in numpy is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from memnet.encode.sentences import Sentences, Sizes
from memnet.encode.vocabulary import Vocabulary
from memnet.infer.attention import Bools, Floats, Integers
from memnet.infer.layers import Shapes
from memnet.tasks.text import words

Settings = Mapping[str, Any]  # as config.json has them


class Hop(NamedTuple):
    """What one hop read of the stories of N questions."""

    weights: Floats  # (N, M) oldest first
    null: Floats | None = None  # (N,) the weight of reading nothing


class Output(NamedTuple):
    """What a network makes of N questions."""

    logits: Floats  # (N, A, V) of the words of the answer, A = 1 for one class
    hops: list[Hop]  # those that the answer comes from
    decode: Callable[[Integers], Floats] | None = None  # other answers' words, (N, K, A) -> their scores (N, K, A, V)
    beams: tuple[Integers, Floats] | None = None  # (N, K, A), (N, K) the likeliest answers and their log-probabilities
    steps: Floats | None = None  # (N,) of adaptive halting
    passes: Integers | None = None  # (N,) taken before the end, where that is learned
    heads: Sequence[Floats] = ()  # of each hop what its heads read, nothing last, (N, H, M + 1)


class Numbers(NamedTuple):
    """N questions about G stories of at most M statements: a table of distinct sentences, and one of distinct questions."""

    sentences: Sentences
    questions: Sentences
    memory: Integers  # (G, M) rows of ``sentences``, oldest first, zero after the end
    count: Integers  # (G,) memories of each story
    asked: Integers  # (N,) row of ``questions``
    story: Integers  # (N,) of each question

    @classmethod
    def of(cls, asked: Sequence[tuple[Sequence[str], str]], vocabulary: Vocabulary, memory_size: int) -> Numbers:
        """Of statements, oldest first, each with a question about them, as the network reads them; equal stories are one."""
        rows: dict[tuple[str, ...], int] = {}
        questions: dict[tuple[str, ...], int] = {}
        stories: dict[tuple[str, ...], int] = {}
        memory = list[list[int]]()
        numbers = list[tuple[int, int]]()
        for statements, question in asked:
            told = tuple(statements[-memory_size:])
            if told not in stories:
                stories[told] = len(memory)
                memory.append([rows.setdefault(words(text), len(rows)) for text in told])
            numbers.append((questions.setdefault(words(question), len(questions)), stories[told]))
        table = np.zeros((len(memory), max(1, *map(len, memory), 1)), np.int64)
        for row, told_rows in zip(table, memory, strict=True):
            row[: len(told_rows)] = told_rows
        both = np.array(numbers, np.int64).reshape(-1, 2)
        count = np.array([len(one) for one in memory], np.int64)
        return cls(Sentences.of(rows, vocabulary), Sentences.of(questions, vocabulary), table, count, both[:, 0], both[:, 1])

    @property
    def mask(self) -> Bools:
        """Where a memory is, (G, M)."""
        return np.asarray(np.arange(self.memory.shape[1]) < self.count[:, None])

    @property
    def ages(self) -> Integers:
        """How many statements came after each, (G, M), 0 for the newest and where none is."""
        return np.maximum(self.count[:, None] - 1 - np.arange(self.memory.shape[1]), 0)


class NumpyNetwork(ABC):
    """A trained network of one kind."""

    title: ClassVar[str]  # "An end-to-end memory network"
    keeps_stories: ClassVar[bool] = False  # whether it is asked again and again about what it made of a story
    reads_by_word: ClassVar[bool] = False  # whether it reads once for each word of the answer

    def __init__(self, settings: Settings, sizes: Sizes, weights: Mapping[str, Floats]) -> None:
        self.settings, self.sizes, self.weights = settings, sizes, weights

    @classmethod
    @abstractmethod
    def takes(cls, settings: Settings, sizes: Sizes) -> bool:
        """Whether it computes what these settings ask for; others are for torch."""

    @classmethod
    @abstractmethod
    def shapes(cls, settings: Settings, sizes: Sizes) -> Shapes:
        """The names and shapes of its weights, without the dimension of replicas."""

    @abstractmethod
    def read(self, numbers: Numbers) -> Any:
        """What it makes of the stories, whatever is asked."""

    @abstractmethod
    def answer(self, memory: Any, numbers: Numbers) -> Output:
        """The answers to questions about stories that were read; of the stories ``numbers`` needs the counts alone."""

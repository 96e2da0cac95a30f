"""Stories and questions as numbers, what a network makes of them, and what every network in numpy is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

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

    logits: Floats  # (N, A, V) of the answer: one class (A = 1), or its words, at least the first
    hops: list[Hop]  # those that the answer comes from
    more: Callable[[Integers, Integers], Floats] | None = None  # scores of the next word, see memnet.infer.answers.Said
    beams: tuple[Integers, Floats] | None = None  # (N, K, A), (N, K) the likeliest answers and their log-probabilities
    steps: Floats | None = None  # (N,) of adaptive halting
    passes: Integers | None = None  # (N,) taken before the end, where that is learned
    heads: Sequence[Floats] = ()  # of each hop what its heads read, nothing last, (N, H, M + 1)


class Numbers(NamedTuple):
    """N questions about G stories of at most M statements: a table of distinct sentences, and one of distinct questions."""

    sentences: Sentences
    questions: Sentences
    memory: Integers  # (G, M) rows of ``sentences``, oldest first, zero after the end
    statements: Integers  # (G,) of each story, at most M
    asked: Integers  # (N,) row of ``questions``
    story: Integers  # (N,) of each question
    told: Integers  # (N,) memories of its story that stand before each question

    @classmethod
    def of(
        cls, asked: Sequence[tuple[Sequence[str], str]], vocabulary: Vocabulary, memory_size: int, beginnings: bool = False
    ) -> Numbers:
        """Of statements, oldest first, each with a question about them, as the network reads them.

        Equal stories are one; with ``beginnings`` one that another begins with is read as a part of it.
        """
        rows: dict[tuple[str, ...], int] = {}
        questions: dict[tuple[str, ...], int] = {}
        stories = [
            tuple(rows.setdefault(words(text), len(rows)) for text in statements[-memory_size:]) for statements, _ in asked
        ]
        number = [questions.setdefault(words(question), len(questions)) for _, question in asked]
        whole, story = merged(stories, beginnings)
        count = np.array([len(one) for one in whole], np.int64)
        memory = np.zeros((len(whole), max(1, int(count.max(initial=0)))), np.int64)
        for row, told in zip(memory, whole, strict=True):
            row[: len(told)] = told
        tables = Sentences.of(rows, vocabulary), Sentences.of(questions, vocabulary)
        return cls(*tables, memory, count, np.array(number), np.array(story), np.array([len(one) for one in stories]))

    @classmethod
    def of_question(cls, question: str, vocabulary: Vocabulary, told: int) -> Numbers:
        """Of a question alone, about a story of so many statements that was read."""
        asked, first = Sentences.of([words(question)], vocabulary), np.zeros(1, np.int64)
        return cls(asked, asked, first[:, None], first, first, first, np.array([told]))

    @property
    def mask(self) -> Bools:
        """Where a memory is, (G, M)."""
        return np.asarray(np.arange(self.memory.shape[1]) < self.statements[:, None])

    @property
    def ages(self) -> Integers:
        """How many statements came after each, (G, M), 0 for the newest and where none is."""
        return np.asarray(np.maximum(self.statements[:, None] - 1 - np.arange(self.memory.shape[1]), 0))

    def before(self, memories: int) -> Bools:
        """Which of so many memories of its story stand before each question, (N, M)."""
        return np.asarray(np.arange(memories) < self.told[:, None])


Item = TypeVar("Item", int, str)


def merged(stories: Sequence[tuple[Item, ...]], beginnings: bool = False) -> tuple[list[tuple[Item, ...]], list[int]]:
    """The distinct ones of stories, and which of these each is; with ``beginnings`` also where it begins with it.

    >>> merged([(1, 2), (3,), (1, 2), (1,)]), merged([(1, 2), (3,), (1,)], beginnings=True)
    (([(1,), (1, 2), (3,)], [1, 2, 1, 0]), ([(1, 2), (3,)], [0, 1, 0]))
    """
    order = sorted(range(len(stories)), key=lambda place: stories[place])  # what others begin with stands just before them
    found, numbers = list[tuple[Item, ...]](), [0] * len(stories)
    for place in reversed(order):
        story = stories[place]
        if not found or (found[-1][: len(story)] if beginnings else found[-1]) != story:
            found.append(story)
        numbers[place] = len(found) - 1
    return found[::-1], [len(found) - 1 - number for number in numbers]


class NumpyNetwork(ABC):
    """A trained network of one kind."""

    title: ClassVar[str]  # "An end-to-end memory network"
    keeps_stories: ClassVar[bool] = False  # whether it is asked again and again about what it made of a story
    looks_back: ClassVar[bool] = False  # whether what it makes of a statement is the same whatever comes after it
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
    def read(self, numbers: Numbers, before: Any = None) -> Any:
        """What it makes of the stories, whatever is asked; where it ``looks_back``, of one that goes on after ``before``."""

    @abstractmethod
    def answer(self, memory: Any, numbers: Numbers) -> Output:
        """The answers to questions about stories that were read; of these ``numbers`` needs but :attr:`Numbers.told`."""

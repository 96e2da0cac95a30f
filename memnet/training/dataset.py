"""The questions that one network learns from, is chosen by and is tested on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memnet.config import Training
from memnet.data.examples import Examples, examples
from memnet.data.permute import Permutation
from memnet.data.vectors import Vectors
from memnet.data.vocabulary import STOP, UNKNOWN, OpenVocabulary, Vocabulary
from memnet.errors import TrainingError
from memnet.tasks import simulator
from memnet.tasks.evidence import stories_without_evidence
from memnet.tasks.published import Task
from memnet.tasks.text import answer_entry, divide
from memnet.training.stream import Stream

WORDS = 3  # epochs of a stream in everyday words, whose words are known


def one_source(tasks: Sequence[Task]) -> str:
    """Where the data of all these tasks comes from. Raises :class:`TrainingError` where it differs."""
    sources = sorted({task.source for task in tasks})
    if len(sources) > 1:
        raise TrainingError(f"{' and '.join(sources)} tasks are not mixed in one network; name one --source")
    return sources[0]


def entity_words(tasks: Sequence[Task]) -> frozenset[str]:
    """The words of these tasks that are names. Raises :class:`TrainingError` for tasks whose names are not known."""
    if unknown := [task.name for task in tasks if task.name not in simulator.PUBLISHED]:
        raise TrainingError(f"open_vocabulary: which words of {', '.join(unknown)} are names is not known")
    return simulator.entity_words()


class FactCounts(NamedTuple):
    """Of training questions, how many have supporting facts that cannot be learned from as they are listed."""

    questions: int
    used: int  # whose facts are used
    missing: int  # that list none
    many: int  # that list more than there are hops
    beyond: int  # some of whose facts are older than the memory reaches

    @classmethod
    def of(cls, data: Examples, share: float, hops: int) -> FactCounts:
        """Counted before a share of the questions is left out."""
        listed, known = (data.facts >= 0).sum(1), (data.facts >= 0).sum(1) + data.lost
        used = int((data.with_facts_of(share).facts >= 0).any(1).sum())
        counts = (int(which.sum()) for which in (known == 0, listed > hops, data.lost > 0))
        return cls(len(data), used, *counts)


@dataclass(frozen=True)
class DataSet:
    """The numbers of one or several tasks, for one network."""

    names: tuple[str, ...]
    vocabulary: Vocabulary
    train: Examples
    valid: Examples
    test: Examples
    facts: FactCounts
    vectors: Vectors | None = None  # of the words, from a file
    permutation: Permutation | None = None  # of interchangeable words, where permute=true
    stream: Stream | None = None  # of fresh stories, where stream is not 0

    @classmethod
    def of(cls, tasks: Sequence[Task], config: Training) -> DataSet:
        """Vocabulary and sizes come from the training text alone."""
        if config.questions:
            tasks = [first_questions(task, config.questions) for task in tasks]
        for task in tasks:
            check_answers(task)
        parts = [task.split(config.validation) for task in tasks]
        by_word, told = config.decoder == "words", [story for task in tasks for story in task.train]
        stream = Stream.of(tasks, config) if config.stream else None
        if stream is not None and config.phrasing:
            told += [story for epoch in range(WORDS) for stories in stream.stories(epoch) for story in stories]
        open_words = entity_words(tasks) if config.open_vocabulary else frozenset()
        vocabulary = OpenVocabulary.open(told, open_words, by_word) if config.open_vocabulary else Vocabulary.of(told, by_word)
        train, valid, test = (
            examples([vocabulary.prepare(part, number) for part in stories], vocabulary, config.memory_size)
            for number, stories in enumerate(
                (
                    [[*part[0], *stories_without_evidence(part[0], config.unanswerable)] for part in parts],
                    [part[1] for part in parts],
                    [task.test for task in tasks],
                )
            )
        )
        if not bool((valid.answer >= 0).all(1).any()):
            raise TrainingError(
                f"no validation question of {', '.join(task.name for task in tasks)} has an answer that training has; "
                "validation chooses networks, give it questions like the training's"
            )
        counts = FactCounts.of(train, config.facts, config.num_reads(vocabulary.answer))
        if config.supervision == "facts":
            if counts.used == 0:
                share = f" (of a share of {config.facts:g})" if config.facts < 1 else ""
                raise TrainingError(
                    f"no training question of {', '.join(task.name for task in tasks)}{share} lists a supporting fact that can "
                    "be learned from; give some, or train a network that learns from answers alone"
                )
            train = train.with_facts_of(config.facts)
        names = tuple(task.name for task in tasks)
        permutation = Permutation(vocabulary, [part[0] for part in parts]) if config.permute else None
        return cls(names, vocabulary, train, valid, test, counts, permutation=permutation, stream=stream)

    def held_out(self, config: Training) -> tuple[Examples, str]:
        """Questions that training never had, and what they are: validation's, or of a stream an epoch after the last."""
        if self.stream is None:
            return self.valid, "the validation questions"
        return self.stream.epoch(config.epochs, self.vocabulary), "fresh simulated questions"


def first_questions(task: Task, number: int) -> Task:
    """The task with the first so many of its training questions. Raises :class:`TrainingError`."""
    there = sum(len(story.questions) for story in task.train)
    if number > there:
        raise TrainingError(f"{task.name} has {there} training questions, not {number}; set questions={there} or fewer")
    return dataclasses.replace(task, train=divide(task.train, number)[0])


def check_answers(task: Task) -> None:
    """Refuse answers that a vocabulary cannot tell from its own marks. Raises :class:`TrainingError`."""
    for story in task.train:
        for question in story.questions:
            if {"", UNKNOWN, STOP} & set(answer_entry(question.answer).split(",")):
                raise TrainingError(
                    f"{task.name}: the answer {question.answer!r} to {question.text.strip()!r} has nothing, "
                    f"{UNKNOWN} or {STOP} between its commas; expected words"
                )

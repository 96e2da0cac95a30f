"""Test questions with what a data set says of them: their split and kind, by which results are split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from torch import Tensor

from memnet.encode.vocabulary import TEST, Vocabulary
from memnet.tasks.families import FAMILIES, Task
from memnet.tasks.scores import SCORES, Answered
from memnet.tasks.text import Question


class Asked(NamedTuple):
    """A test question: of which data set, by number, which split of it, and which story."""

    task: int
    split: str
    story: int
    question: Question  # as the network reads it


def asked_of(tasks: Sequence[Task], vocabulary: Vocabulary) -> tuple[Asked, ...]:
    """Every test question of these data sets, in the order of :func:`~memnet.encode.examples.examples`."""
    found: list[Asked] = []
    for number, task in enumerate(tasks):
        read = (question for story in vocabulary.prepare(task.test, TEST) for question in story.questions)
        story = 0
        for split, stories in task.splits.items():
            for one in stories:
                found += [Asked(number, split, story, next(read)) for _ in one.questions]
                story += 1
    return tuple(found)


def answers_of(asked: Sequence[Asked], said: Tensor, rank: Tensor | None, vocabulary: Vocabulary) -> list[Answered]:
    """What one network answered, ``said (N, A)``, with the ranks (N,) where questions have candidates."""
    ranks = [0] * len(asked) if rank is None else rank.tolist()
    texts = (vocabulary.answer_text(numbers) for numbers in said.tolist())
    return [Answered(one.story, one.question, text, place) for one, text, place in zip(asked, texts, ranks, strict=True)]


def error(score: str, answers: Iterable[Answered]) -> float:
    """Percent, by a score of that name."""
    return round(SCORES[score](answers).error, 4)


def error_by(key: Callable[[Asked], str], asked: Sequence[Asked], answers: Sequence[Answered], score: str) -> dict[str, float]:
    """The error of each split or kind, in the order in which they come; nothing where all are of one."""
    groups: dict[str, list[Answered]] = {}
    for one, answer in zip(asked, answers, strict=True):
        groups.setdefault(key(one), []).append(answer)
    return {name: error(score, group) for name, group in groups.items()} if len(groups) > 1 else {}


def by_split_and_kind(asked: Sequence[Asked], answers: Sequence[Answered], score: str) -> dict[str, dict[str, float]]:
    """Errors by split and by kind, where a data set has several."""
    parts = {
        "splits": error_by(lambda one: one.split, asked, answers, score),
        "kinds": error_by(lambda one: one.question.kind, asked, answers, score),
    }
    return {name: errors for name, errors in parts.items() if errors}


def score_of(task: Task) -> str:
    """How the answers to a data set's questions are judged."""
    return FAMILIES[task.family].score

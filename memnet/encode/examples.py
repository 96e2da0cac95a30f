"""A data set as a table of its distinct sentences and stories that are row numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from memnet.encode.sentences import EDGE, Sentences, Sizes
from memnet.encode.vocabulary import Vocabulary
from memnet.tasks.text import Story, words

__all__ = ["EDGE", "PER_QUESTION", "Examples", "Sentences", "Sizes", "examples", "numbers", "padded"]


@dataclass(frozen=True)
class Examples:
    """Questions with their memories, as numbers. ``N`` questions, at most ``M`` memories each."""

    sentences: Sentences
    questions: Sentences
    question: Tensor  # (N,)  row of ``questions``
    memory: Tensor  # (N, M)  rows of ``sentences``, oldest first, zero after the end
    count: Tensor  # (N,)  memories of each
    answer: Tensor  # (N, A)  vocabulary entries, -1 where the vocabulary has none
    facts: Tensor  # (N, F)  supporting facts as places in memory, -1 after the end
    lost: Tensor  # (N,)  supporting facts that are older than the memory reaches
    task: Tensor  # (N,)  number of the task
    story: Tensor  # (N,)  number of the story: the memories of one are the first of those of its longest question
    choice: Tensor | None = None  # (N,)  which of ``candidates``, -1 where a question has none; None where no question has
    candidates: tuple[Tensor, ...] = ()  # (C,)  vocabulary entries to choose among, -1 where the vocabulary has none
    unknown_words: int = 0  # words in these stories that the vocabulary lacks
    unknown_answers: int = 0

    def __len__(self) -> int:
        return len(self.question)

    def __repr__(self) -> str:
        distinct = f"{len(self.sentences.words):,} distinct statements"
        return f"<Examples: {len(self):,} questions, each about at most {self.memory.shape[1]} of {distinct}>"

    def sizes(self, vocabulary: Vocabulary, ngrams: int = 0) -> Sizes:
        """The sizes of a network that learns from these questions, and their n-grams, of 2 to ``ngrams`` words."""
        longest = max(self.sentences.lengths.max(), self.questions.lengths.max())
        facts = int((self.facts >= 0).sum(1).max()) if len(self) else 0
        found = {
            gram
            for table in (self.sentences, self.questions)
            for number in range(len(table.words))
            for gram in table.ngrams(number, ngrams)
        }
        grams, entities = tuple(sorted(found)), len(vocabulary.markers)
        sizes = Sizes(len(vocabulary), self.memory.shape[1], int(longest), vocabulary.answer, facts, grams, entities)
        return sizes._replace(groups=vocabulary.groups, lists=vocabulary.lists)

    def with_facts_of(self, share: float) -> Examples:
        """The same with the supporting facts of so many questions, chosen once and for all; the others list none."""
        order = torch.randperm(len(self), generator=torch.Generator().manual_seed(0))
        without = order[round(share * len(self)) :]
        return replace(self, facts=self.facts.index_fill(0, without, -1))

    def words(self) -> Tensor:
        """Of each story up to its question, (N,)."""
        there = torch.arange(self.memory.shape[1]) < self.count.unsqueeze(1)
        return (numbers(self.sentences.lengths).clamp(min=1)[self.memory] * there).sum(1)

    @property
    def per_story(self) -> float:
        """How many memories a question has on average; of a graph that is exported, how many it has room for."""
        if torch.compiler.is_exporting():
            return float(self.memory.shape[1])
        return float(self.count.float().mean()) if len(self) else 0.0

    def select(self, index: Tensor) -> Examples:
        """The questions numbered."""
        per_question = {name: getattr(self, name)[index] for name in PER_QUESTION if getattr(self, name) is not None}
        return Examples(**{**self.__dict__, **per_question})


def numbers(table: NDArray[np.int64] | Tensor) -> Tensor:
    """What :class:`Sentences` hold, in torch; in a graph that is exported they hold its inputs, which are tensors already."""
    return table if isinstance(table, Tensor) else torch.from_numpy(table)


PER_QUESTION = ("question", "memory", "count", "answer", "facts", "lost", "task", "story", "choice")


def padded(lists: Sequence[Sequence[int]], fill: int) -> Tensor:
    """Lists of numbers as a table as wide as the longest, at least one."""
    table = np.full((len(lists), max([1, *map(len, lists)])), fill, np.int64)
    for row, values in zip(table, lists, strict=True):
        row[: len(values)] = values
    return torch.from_numpy(table)


def examples(stories_of_tasks: Sequence[Sequence[Story]], vocabulary: Vocabulary, memory_size: int) -> Examples:
    """Every question of these tasks with the ``memory_size`` statements before it that are most recent."""
    sentence_rows: dict[tuple[str, ...], int] = {}
    question_rows: dict[tuple[str, ...], int] = {}
    rows: list[tuple[int, list[int], list[int], list[int], int, int, int]] = []
    choices: dict[tuple[str, ...], int] = {}
    choice: list[int] = []
    unknown, number = 0, 0
    for task, stories in enumerate(stories_of_tasks):
        for story in stories:
            told = []
            number += 1
            for text in story.statements:
                sentence = words(text)
                unknown += sum(word not in vocabulary.number for word in sentence)
                told.append(sentence_rows.setdefault(sentence, len(sentence_rows)))
            for question in story.questions:
                asked = words(question.text)
                unknown += sum(word not in vocabulary.number for word in asked)
                first = max(0, question.after - memory_size)
                listed = dict.fromkeys(question.supporting_facts)
                number += first > 0  # its memory is not the first of another's
                choice.append(choices.setdefault(question.candidates, len(choices)) if question.candidates else -1)
                reached = [fact - first for fact in listed if fact >= first]
                rows.append(
                    (
                        question_rows.setdefault(asked, len(question_rows)),
                        told[first : question.after],
                        vocabulary.answer_numbers(question.answer),
                        reached,
                        len(listed) - len(reached),
                        task,
                        number,
                    )
                )

    def column(field: int) -> Tensor:
        return torch.tensor([row[field] for row in rows], dtype=torch.long)

    return Examples(
        Sentences.of(sentence_rows, vocabulary),
        Sentences.of(question_rows, vocabulary),
        question=column(0),
        memory=padded([row[1] for row in rows], 0),
        count=torch.tensor([len(row[1]) for row in rows], dtype=torch.long),
        answer=torch.tensor([row[2] for row in rows], dtype=torch.long).view(-1, vocabulary.answer),
        facts=padded([row[3] for row in rows], -1),
        lost=column(4),
        task=column(5),
        story=column(6),
        choice=torch.tensor(choice) if choices else None,
        candidates=tuple(torch.tensor([vocabulary.answer_numbers(one)[0] for one in found]) for found in choices),
        unknown_words=unknown,
        unknown_answers=sum(-1 in row[2] for row in rows),
    )

"""Permutation augmentation: which words are interchangeable, and how they are permuted in a step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import combinations

import torch
from torch import Tensor

from memnet.data.vocabulary import Vocabulary
from memnet.errors import ConfigError
from memnet.nn.random import Random
from memnet.tasks.interchangeable import FEWEST, QUESTIONS, interchangeable_words
from memnet.tasks.text import Story


def common(groups: Sequence[Sequence[Set[str]]]) -> list[Set[str]]:
    """Words that are interchangeable in every one of several tasks."""
    met: list[Set[str]] = [frozenset(group) for group in groups[0]]
    for others in groups[1:]:
        met = [both for one in met for other in others if len(both := one & other) > 1]
    return met


class Permutation:
    """Which words of a vocabulary are permuted: those that are interchangeable in the training stories of each task.

    An answer that lists words ("apple,football") changes with them; words are not permuted where such an answer would
    become one that the vocabulary lacks. Raises :class:`~memnet.errors.ConfigError` where no words may.
    """

    def __init__(self, vocabulary: Vocabulary, tasks: Iterable[Sequence[Story]]) -> None:
        self.entries, self.number = vocabulary.entries, vocabulary.number
        self.lists = [entry.split(",") for entry in self.entries if "," in entry]
        found = common([interchangeable_words(stories) for stories in tasks])
        self.groups = [sorted(group) for group in found if self.closed(group)]
        self.stay = [
            sorted(group) for group in found if not self.closed(group)
        ]  # interchangeable, but their answers would be lacking
        moving = {word for group in self.groups for word in group}
        self.lists = [words for words in self.lists if not moving.isdisjoint(words)]
        if not self.groups:
            raise ConfigError(
                "permute=true, but no two words are interchangeable in every task, as far as its training questions tell (it "
                f"takes {QUESTIONS} without those held out, and words that {FEWEST} stories tell); set permute=false"
            )

    def describe(self) -> str:
        """The words that are permuted, and those that are not."""
        moved = "; ".join(" ".join(group) for group in self.groups)
        stay = "; ".join(" ".join(group) for group in self.stay)
        return moved + (f" (not {stay}: answers that list them would be new)" if stay else "")

    def closed(self, group: Set[str]) -> bool:
        """Whether every answer becomes one that there is, whichever two words of a group are swapped."""
        for one, other in combinations(sorted(group), 2):
            change = {one: other, other: one}
            if any(self.changed(words, change) not in self.number for words in self.lists):
                return False
        return group <= self.number.keys()

    @staticmethod
    def changed(words: Sequence[str], change: dict[str, str]) -> str:
        """The answer that lists these words after their change."""
        return ",".join(change.get(word, word) for word in words)

    def draw(self, random: Random) -> Tensor:
        """For each replica a number for every entry: that of the entry whose place it takes, (R, V)."""
        rows = torch.arange(len(self.entries)).repeat(random.replicas, 1)
        for group in self.groups:
            places = torch.tensor([self.number[word] for word in group])
            rows[:, places] = places[random.permutation(len(group))]
        for replica in rows if self.lists else ():
            change = {word: self.entries[int(replica[self.number[word]])] for group in self.groups for word in group}
            for words in self.lists:
                replica[self.number[",".join(words)]] = self.number[self.changed(words, change)]
        return rows

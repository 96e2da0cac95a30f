"""Permutation augmentation: which words are interchangeable, and how they are permuted in a step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import torch
from torch import Tensor

from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError
from memnet.nn.random import Random


class Permutation:
    """Which words of a vocabulary are permuted: groups of interchangeable ones.

    An answer that lists words ("apple,football") changes with them; words are not permuted where such an answer would
    become one that the vocabulary lacks. Raises :class:`~memnet.errors.ConfigError` where no words may.
    """

    def __init__(self, vocabulary: Vocabulary, groups: Sequence[Sequence[str]]) -> None:
        self.entries, self.number = vocabulary.entries, vocabulary.number
        self.lists = [entry.split(",") for entry in self.entries if "," in entry]
        self.groups = [sorted(group) for group in groups if self.closed(group)]
        self.stay = [sorted(group) for group in groups if not self.closed(group)]  # their answers would be lacking
        moving = {word for group in self.groups for word in group}
        self.lists = [words for words in self.lists if not moving.isdisjoint(words)]
        if not self.groups:
            raise ConfigError(
                f"permute=true, but the interchangeable words ({self.describe()}) cannot be permuted; set permute=false"
            )

    def describe(self) -> str:
        """The words that are permuted, and those that are not."""
        moved = "; ".join(" ".join(group) for group in self.groups)
        stay = "; ".join(" ".join(group) for group in self.stay)
        return moved + (f" (not {stay}: answers that list them would be new)" if stay else "")

    def closed(self, group: Sequence[str]) -> bool:
        """Whether every answer becomes one that there is, whichever two words of a group are swapped."""
        for one, other in combinations(group, 2):
            change = {one: other, other: one}
            if any(self.changed(words, change) not in self.number for words in self.lists):
                return False
        return self.number.keys() >= set(group)

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

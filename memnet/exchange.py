"""Training on stories in which words that are used alike have changed places.

A word is no more to a network than its rows of some parameters. So that words change places in all questions of a
step, these rows change places, and no story is written anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import combinations
from typing import Any

import torch
from torch import Tensor, nn

from memnet.batch import Vocabulary
from memnet.config import ConfigError
from memnet.models import Network
from memnet.replicated import Random
from memnet.tasks.alike import FEWEST, QUESTIONS, alike
from memnet.tasks.text import Story


def common(groups: Sequence[Sequence[Set[str]]]) -> list[Set[str]]:
    """Words that are alike in every one of several tasks."""
    met: list[Set[str]] = [frozenset(group) for group in groups[0]]
    for others in groups[1:]:
        met = [both for one in met for other in others if len(both := one & other) > 1]
    return met


class Exchange:
    """Which words of a vocabulary may change places: those that are used alike in the training stories of each task.

    An answer that lists words ("apple,football") changes with them; words change no places where such an answer would
    become one that the vocabulary lacks. Raises :class:`~memnet.config.ConfigError` where no words may.
    """

    def __init__(self, vocabulary: Vocabulary, tasks: Iterable[Sequence[Story]]) -> None:
        self.entries, self.number = vocabulary.entries, vocabulary.number
        self.lists = [entry.split(",") for entry in self.entries if "," in entry]
        told = common([alike(stories) for stories in tasks])
        self.groups = [sorted(group) for group in told if self.closed(group)]
        self.stay = [sorted(group) for group in told if not self.closed(group)]  # alike, but their answers would be lacking
        moving = {word for group in self.groups for word in group}
        self.lists = [words for words in self.lists if not moving.isdisjoint(words)]
        if not self.groups:
            raise ConfigError(
                "exchange=true, but no two words are used alike in every task, as far as its training questions tell (it takes "
                f"{QUESTIONS} without those held out, and words that {FEWEST} stories tell); set exchange=false"
            )

    def told(self) -> str:
        """The words that change places, and those that stay."""
        moved = "; ".join(" ".join(group) for group in self.groups)
        stay = "; ".join(" ".join(group) for group in self.stay)
        return moved + (f" (not {stay}: answers that list them would be new)" if stay else "")

    def closed(self, group: Set[str]) -> bool:
        """Whether every answer becomes one that there is, whichever two words of a group change places."""
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


class Objective(nn.Module):
    """A network's :meth:`~memnet.models.Network.objective` as a module's forward pass."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(self, *given: Any) -> Any:
        """As of the network."""
        return self.net.objective(*given)


def exchanged(net: Network, rows: Tensor) -> dict[str, Tensor]:
    """The parameters of :class:`Objective` that have a row for every word, where an entry has the row of ``rows (R, V)``."""
    changed = {}
    for name, dimension in net.word_rows.items():
        parameter = net.get_parameter(name)
        rest = torch.arange(rows.shape[1], parameter.shape[dimension]).expand(len(rows), -1)  # the ages of a MemN2N
        index = torch.cat([rows, rest], 1).to(parameter.device)
        index = index.view(len(rows), *[1] * (dimension - 1), -1, *[1] * (parameter.dim() - dimension - 1))
        changed[f"net.{name}"] = parameter.take_along_dim(index, dimension)
    return changed

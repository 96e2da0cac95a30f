"""Train the matcher of questions and entries, from logs whose lines say what they answer by themselves.

Each question is asked of all lines of its log, and each line is to say whether it tells it (binary cross-entropy). Lines
that tell it and share no word with the question teach what else may be meant: "penalty money" is what late fees are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.files import write_arrays
from memnet.memory.entrywise.ranked.lines import Log, told_of
from memnet.memory.entrywise.ranked.matching import GREATEST, NEVER, OF_A_WORD, WORD, EntryMatcher, features_of, shared
from memnet.memory.entrywise.reader import without_labels
from memnet.memory.values import Held
from memnet.tasks.world.answered_logs import AnsweredLog

TOGETHER = 8  # questions of one log for which its lines are encoded once


@dataclass(frozen=True)
class MatchingCourse:
    """How a matcher of entries is trained."""

    dim: int = 128
    hidden: int = 256  # of the layer that both sides share
    epochs: int = 5
    logs: int = 2  # of a batch, with TOGETHER questions each
    lr: float = 2e-3
    weight_decay: float = 1e-2
    dropout: float = 0.2
    clip: float = 5.0
    seed: int = 0


class Lesson(NamedTuple):
    """A log, and a question with the lines that tell it."""

    log: Log
    question: str
    telling: tuple[int, ...]


class EntryMatching(nn.Module):
    """:class:`~memnet.memory.entrywise.ranked.matching.EntryMatcher` as it learns."""

    def __init__(self, course: MatchingCourse) -> None:
        super().__init__()
        self.words = nn.Linear(WORD, course.hidden)
        self.asked, self.told = nn.Linear(WORD, course.dim), nn.Linear(WORD, course.dim)
        self.asked_more, self.told_more = (nn.Linear(course.hidden, course.dim, bias=False) for _ in range(2))
        self.gate, self.combine = nn.Linear(course.dim + OF_A_WORD, 1), nn.Linear(3, 1)
        self.same = nn.Parameter(torch.tensor([2.0, 1.0]))
        self.whole_asked, self.whole_told = (nn.Linear(course.dim, 1, bias=False) for _ in range(2))
        self.across, self.drop = nn.Linear(course.dim, course.dim, bias=False), nn.Dropout(course.dropout)
        with torch.no_grad():
            self.told.weight.copy_(self.asked.weight)  # words are near themselves at first
            self.told_more.weight.copy_(self.asked_more.weight)
            self.combine.weight.copy_(torch.tensor([[1.0, 0.1, 1.0]]))
            self.combine.bias.fill_(-4.0)  # few lines tell what is asked

    def forward(self, keys: Tensor, there: Tensor, log: Log, question: str) -> Tensor:
        """Keys of a log's words (L, W, D), and which are words -> the log-odds that each line tells what is asked (L,)."""
        asked, never = told_of(question), float(NEVER)
        features = self.drop(torch.from_numpy(features_of([asked])[0]))
        query = (self.asked(features) + self.asked_more(self.drop(self.words(features).relu())))[0]
        root = query.shape[1] ** 0.5
        same = torch.from_numpy(shared(asked, log.told, keys.shape[1]))
        scores = torch.einsum("nd,lwd->nlw", query, keys) / root + torch.tensordot(self.same, same, 1)
        best = scores.masked_fill(~there, never).amax(-1).clamp(-GREATEST, GREATEST)
        rare = torch.tensor([[log.weight(one), float(log.counts[one] > 0)] for one in asked.stems])
        gates = F.softplus(self.gate(torch.cat([query, rare], -1)))[:, 0]
        added = gates @ torch.tanh(best / 2)
        whole_asked = self.whole_asked(query)[:, 0].softmax(0) @ query
        told = self.whole_told(keys)[..., 0].masked_fill(~there, never).softmax(-1)
        whole = torch.einsum("lw,lwd->ld", told, keys) @ self.across(whole_asked) / root
        found: Tensor = self.combine(torch.stack([added, added / gates.sum() * GREATEST, whole], -1))[:, 0]
        return found

    def keys(self, log: Log) -> tuple[Tensor, Tensor]:
        """The keys of a log's words (L, W, D), and which are words (L, W)."""
        features, there = map(torch.from_numpy, features_of(log.told))
        features = self.drop(features)
        return self.told(features) + self.told_more(self.drop(self.words(features).relu())), there


def lessons(logs: Sequence[AnsweredLog]) -> Iterator[Lesson]:
    """All questions of logs, in all their wordings."""
    for each in logs:
        log = Log([Held(at, text) for at, text in enumerate(each.lines)], without_labels(each.lines))
        for asks, says in zip(each.asks, each.says, strict=True):
            yield from (Lesson(log, ask, tuple(says)) for ask in asks)


def train_matching(some: Sequence[Lesson], course: MatchingCourse) -> EntryMatcher:
    """Train one matcher."""
    torch.manual_seed(course.seed)
    random, network = Random(course.seed), EntryMatching(course)
    adam = torch.optim.AdamW(network.parameters(), lr=course.lr, weight_decay=course.weight_decay)
    steps = course.epochs * sum(1 for _ in batches(some, course, Random(0)))
    schedule = torch.optim.lr_scheduler.OneCycleLR(adam, course.lr, total_steps=steps + 1, pct_start=0.1)
    for epoch in range(course.epochs):
        total = 0.0
        for batch in batches(some, course, random):
            losses = [loss for part in batch for loss in losses_of(network, part)]
            adam.zero_grad()
            torch.stack(losses).mean().backward()
            nn.utils.clip_grad_norm_(network.parameters(), course.clip)
            adam.step()
            schedule.step()
            total += float(torch.stack(losses).detach().sum())
        print(f"epoch {epoch + 1}: loss {total / len(some):.2f} a question", flush=True)
    return EntryMatcher({name: value.detach().numpy() for name, value in network.state_dict().items()})


def batches(some: Sequence[Lesson], course: MatchingCourse, random: Random) -> Iterator[list[list[Lesson]]]:
    """Some questions of each of some logs, in another order each time."""
    by_log = dict[int, list[Lesson]]()
    for one in some:
        by_log.setdefault(id(one.log), []).append(one)
    parts = list[list[Lesson]]()
    for every in by_log.values():
        random.shuffle(every)
        parts += [every[at : at + TOGETHER] for at in range(0, len(every), TOGETHER)]
    random.shuffle(parts)
    yield from (parts[at : at + course.logs] for at in range(0, len(parts), course.logs))


def losses_of(network: EntryMatching, part: Sequence[Lesson]) -> Iterator[Tensor]:
    """The loss of each question of one log, over all its lines."""
    keys, there = network.keys(part[0].log)
    for one in part:
        tells = torch.zeros(len(one.log.texts))
        tells[list(one.telling)] = 1.0
        yield F.binary_cross_entropy_with_logits(network(keys, there, one.log, one.question), tells, reduction="sum")


def save_matching(matcher: EntryMatcher, path: Path) -> None:
    """Weights in 16 bits."""
    write_arrays(path, {name: np.asarray(value, np.float16) for name, value in matcher.weights.items()})

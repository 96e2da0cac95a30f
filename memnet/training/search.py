"""Training of a network that searches: questions beside the sentences of memories, and which of them answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from memnet.models.finder import Finder, FinderConfig
from memnet.reading.compared import FEATURES, Compared

BATCH = 32


class Asked(NamedTuple):
    """One question: what a search sees, which sentences answer it, and whether any does.

    Sentences can be wanted of a question that no sentence answers: those that look most like an answer.
    """

    features: NDArray[np.float16]  # (C, F)
    similarity: NDArray[np.float16]  # (2, C, C)
    wanted: NDArray[np.bool_]  # (C,)
    answered: bool

    @classmethod
    def of(cls, compared: Compared, wanted: Sequence[int], answered: bool) -> Asked:
        """``wanted`` are rows of what was compared."""
        rows = np.zeros(len(compared.features), bool)
        rows[list(wanted)] = True
        return cls(compared.features.astype(np.float16), compared.similarity.astype(np.float16), rows, answered)


class Batch(NamedTuple):
    """B questions, padded to C sentences."""

    features: Tensor  # (B, C, F)
    similarity: Tensor  # (B, 2, C, C)
    mask: Tensor  # (B, C)
    wanted: Tensor  # (B, C)
    answered: Tensor  # (B,)


@dataclass(frozen=True)
class SearchTraining:
    """How a network that searches is trained."""

    epochs: int = 3
    rate: float = 6e-3
    decay: float = 0.01
    drop: float = 0.1
    refusal: float = 0.5  # what the loss of refusing counts beside that of ranking
    seed: int = 0


def collate(asked: Sequence[Asked], only: NDArray[np.int64], hops: int = 2) -> Batch:
    """Questions as one batch, of the features numbered ``only``; without likeness for one hop."""
    longest = max(len(one.wanted) for one in asked)
    features = np.zeros((len(asked), longest, len(only)), np.float32)
    similarity = np.zeros((len(asked), 2, longest, longest) if hops > 1 else (len(asked), 2, 0, 0), np.float32)
    mask, wanted = np.zeros((len(asked), longest), bool), np.zeros((len(asked), longest), bool)
    for row, one in enumerate(asked):
        size = len(one.wanted)
        features[row, :size] = one.features[:, only]
        similarity[row, :, :size, :size] = one.similarity if hops > 1 else 0
        mask[row, :size], wanted[row, :size] = True, one.wanted
    answered = torch.tensor([one.answered for one in asked])
    first, second, third, fourth = map(torch.from_numpy, (features, similarity, mask, wanted))
    return Batch(first, second, third, fourth, answered)


def loss(net: Finder, batch: Batch, refusal: float) -> Tensor:
    """How unlikely each hop takes the sentences that are wanted, and what is to be refused or not, by the core's weights."""
    total = torch.zeros(())
    wanted = batch.wanted.float()
    many = wanted.sum(1)
    for trace in net(batch.features, batch.similarity, batch.mask).traces:
        assert trace.null is not None
        nothing, weights = trace.null.squeeze(1).clamp(1e-6, 1 - 1e-6), trace.weights.squeeze(1)
        share = weights / (1 - nothing).unsqueeze(1)  # of each sentence among the sentences
        ranked = -(share.clamp(min=1e-9).log() * wanted).sum(1) / many.clamp(min=1)
        total = total + ranked.sum() / (many > 0).sum().clamp(min=1)
        total = total + refusal * F.binary_cross_entropy(nothing, (~batch.answered).float())
    return total


def batches(asked: Sequence[Asked], random: Random, only: NDArray[np.int64], hops: int) -> Iterator[Batch]:
    """All questions once, in an order that is drawn."""
    order = random.sample(range(len(asked)), len(asked))
    for first in range(0, len(order), BATCH):
        yield collate([asked[place] for place in order[first : first + BATCH]], only, hops)


def chosen(groups: Callable[[str], bool] | None = None) -> NDArray[np.int64]:
    """The numbers of the features whose group is wanted, all without ``groups``."""
    return np.array([number for number, name in enumerate(FEATURES) if groups is None or groups(name.partition(":")[0])])


def train(
    asked: Sequence[Asked],
    config: FinderConfig,
    training: SearchTraining,
    only: NDArray[np.int64] | None = None,
    say: Callable[[str], None] | None = None,
) -> Finder:
    """A network trained on questions; with ``only`` it sees the features with these numbers."""
    only = chosen() if only is None else only
    torch.manual_seed(training.seed)
    random = Random(training.seed)
    net = Finder(config, [FEATURES[number] for number in only.tolist()])
    net.fit_scale(torch.from_numpy(np.concatenate([one.features[::7, only] for one in asked]).astype(np.float32)))
    net.drop.p = training.drop
    optimizer = torch.optim.AdamW(net.parameters(), training.rate, weight_decay=training.decay)
    steps = training.epochs * -(-len(asked) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, training.rate, total_steps=steps)
    net.train()
    for epoch in range(training.epochs):
        losses = list[float]()
        for batch in batches(asked, random, only, config.hops):
            found = loss(net, batch, training.refusal)
            optimizer.zero_grad()
            found.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(float(found.detach()))
        if say is not None:
            say(f"epoch {epoch + 1}: loss {np.mean(losses):.3f}")
    return net.eval()


def nothing_of(net: Finder, asked: Sequence[Asked], only: NDArray[np.int64]) -> NDArray[np.float64]:
    """The chance that no sentence answers, of each question."""
    found = list[float]()
    with torch.inference_mode():
        for first in range(0, len(asked), BATCH):
            batch = collate(asked[first : first + BATCH], only, net.config.hops)
            found += net(batch.features, batch.similarity, batch.mask).nothing.tolist()
    return np.array(found)


def refusal(nothing: NDArray[np.float64], answered: NDArray[np.bool_]) -> float:
    """The chance from which to refuse: where the shares of right refusals and of right answers add up to most."""
    cuts = np.quantile(nothing, np.linspace(0, 1, 201))
    gains = [(nothing[~answered] >= cut).mean() + (nothing[answered] < cut).mean() for cut in cuts]
    return float(cuts[int(np.argmax(gains))])


def refusal_of(net: Finder, asked: Sequence[Asked], only: NDArray[np.int64]) -> float:
    """:func:`refusal` of a network, by questions such as those that it learned from."""
    return refusal(nothing_of(net, asked, only), np.array([one.answered for one in asked]))

"""A network that says how well each sentence of a memory answers a question, from what the two have in common.

key      h_s = relu(W x_s + b), x_s what sentence s has to do with the question (C, F)
hop 1    l_s = q . h_s, n = v . [mean, greatest] of what there is; softmax over the sentences and reading nothing, n
read     what is found: r = sum_s p_s [h_s, how like s every sentence is]
hop 2    asks again: h'_s = relu(W' [x_s, r's likeness to s] + b'), l'_s = l_s + q' . h'_s, n' = n + v' . r
answer   the sentences by l', and p' of reading nothing: no sentence answers the question

Likeness is linear in what is read: the weights over the sentences times a table of how like each two are is how like each is to
what was read. Both hops are the core's (score, softmax with a null, read). The second hop is pseudo-relevance feedback (Rocchio
1971) as an attention: sentences that resemble what was found come up, whatever words the question had.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Attention, Trace, dot, softmax, weighted_sum
from memnet.encode.saved import CARD, CONFIG, MODEL
from memnet.files import write_atomically, write_json, write_tensors
from memnet.infer.finder import FARTHEST, FORMAT, LEAST, LIKENESS, NAME, FinderConfig
from memnet.infer.finder import Finder as NumpyFinder

__all__ = ["Finder", "FinderConfig", "Found"]


class Found(NamedTuple):
    """What one question, or B of them, found among C sentences."""

    logits: Tensor  # (B, C) of the last hop
    null: Tensor  # (B,) the logit of reading nothing
    nothing: Tensor  # (B,) the chance that no sentence answers
    traces: list[Trace]  # a hop each; weights (B, 1, C)


class Finder(nn.Module):
    """One network; ``features`` names what it sees of a sentence, F of them. See the module's docstring."""

    mean: Tensor
    scale: Tensor

    def __init__(self, config: FinderConfig, features: Sequence[str]) -> None:
        super().__init__()
        self.config, self.features = config, tuple(features)
        wide, hidden = len(self.features), config.hidden
        self.register_buffer("mean", torch.zeros(wide))
        self.register_buffer("scale", torch.ones(wide))
        self.key = nn.Linear(wide, hidden)
        self.query = nn.Parameter(torch.randn(hidden) * hidden**-0.5)
        self.null = nn.Linear(2 * wide, 1)
        self.attend = Attention(dot, softmax, weighted_sum)
        self.drop = nn.Dropout(0.0)  # training says how much
        if config.hops == 2:
            self.key_again = nn.Linear(wide + LIKENESS, hidden)
            self.query_again = nn.Parameter(torch.randn(hidden) * hidden**-0.5)
            self.sharp = nn.Parameter(torch.ones(1))
            self.null_again = nn.Sequential(nn.Linear(2 * hidden + wide, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def __repr__(self) -> str:
        return f"<Finder of {self.config.hops} hops that sees {len(self.features)} features>"

    def fit_scale(self, features: Tensor) -> None:
        """Take the mean and the deviation of features (N, F) for those of all there are."""
        self.mean.copy_(features.mean(0))
        self.scale.copy_(features.std(0) + LEAST)

    def forward(self, features: Tensor, similarity: Tensor, mask: Tensor) -> Found:
        """``features (B, C, F)``, ``similarity (B, 2, C, C)``; ``mask (B, C)`` is True where there is a sentence.

        One hop looks at no likeness.
        """
        x = ((features - self.mean) / self.scale).clamp(-FARTHEST, FARTHEST) * mask.unsqueeze(-1)
        many = mask.sum(1, keepdim=True).clamp(min=1)
        there = x.where(mask.unsqueeze(-1), x[:, :1])  # the first sentence again where there is none
        greatest = F.adaptive_max_pool1d(there.transpose(1, 2), 1).squeeze(-1)
        null = self.null(torch.cat([x.sum(1) / many, greatest], -1))  # (B, 1)
        key = self.drop(F.relu(self.key(x)))
        query = self.query.expand(len(x), 1, -1)
        first = self.attend(query, key, key, mask.unsqueeze(1), null)
        if self.config.hops == 1:
            return self.found([first], null)
        value = torch.cat([key, x, similarity[:, 0], similarity[:, 1]], -1)  # (B, C, H + F + 2 C)
        logits = dot(query, key)  # (B, 1, C), finite where there is no sentence, too
        sharp = self.attend(query * self.sharp, key, value, mask.unsqueeze(1))
        again, state = self.ask_again(x, mask, logits.squeeze(1), sharp)
        nothing, query = null + self.null_again(state), self.query_again.expand(len(x), 1, -1)
        second = self.attend(query, again, again, mask.unsqueeze(1), nothing, bias=logits)
        return self.found([first, second], nothing)

    def ask_again(self, x: Tensor, mask: Tensor, logits: Tensor, read: Trace) -> tuple[Tensor, Tensor]:
        """The keys of the second hop (B, C, H), and what was read as a state (B, 2 H + F), from the first hop's reading."""
        hidden, wide = self.config.hidden, len(self.features)
        weight, output = read.weights.squeeze(1), read.output.squeeze(1)
        words, vectors = output[:, hidden + wide :].chunk(2, -1)
        below = logits - (weight * logits).sum(1, keepdim=True)  # what was read has nothing above it
        like = torch.stack([below, weight, words - weight, vectors - weight, words, vectors], -1) * mask.unsqueeze(-1)
        again = self.drop(F.relu(self.key_again(torch.cat([x, like], -1))))
        taken = (weight.unsqueeze(1) @ again).squeeze(1)
        return again, torch.cat([output[:, :hidden], taken, output[:, hidden : hidden + wide]], -1)

    def found(self, traces: list[Trace], null: Tensor) -> Found:
        """What the last hop found."""
        last = traces[-1]
        assert last.null is not None
        return Found(last.logits.squeeze(1), null.squeeze(1), last.null.squeeze(1), traces)

    def save(self, folder: Path, card: str, facts: Mapping[str, object]) -> None:
        """As a folder: its configuration with ``facts`` of its training, its weights and its card."""
        folder.mkdir(parents=True, exist_ok=True)
        write_tensors(folder / MODEL, self.state_dict())
        saved = {"format": FORMAT, "model": NAME, **asdict(self.config), **facts, "features": list(self.features)}
        write_json(folder / CONFIG, saved)
        write_atomically(folder / CARD, card)

    def in_numpy(self) -> NumpyFinder:
        """With its weights as they are now, to search with."""
        weights = {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}
        return NumpyFinder(self.config, self.features, weights)

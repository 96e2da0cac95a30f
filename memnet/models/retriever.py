"""A retriever: the first hop over a memory of any size, which keeps the few sentences that are of a story.

sentence   h = relu(V [norm(sum of words x learned masks of their places), norm(sum of words x W their followers)])
score      a . h + b, the dot product with a learned query
align      sigmoid: every sentence for itself, so that other sentences change nothing (the gate of Kumar et al. 2016)
read       the sentences of which a weight is above one half, in their order
later hops ask with the names of the question, then with those of what was found, and so on; at most ``keep`` are read

It knows the words and marks around the names, and takes every word that it does not know for a name, or for whose something
is. A reader answers from what it keeps: any network that answers questions about a story.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from torch import Tensor, nn

from memnet.attention import SCORES, Attention, sigmoid, weighted_sum
from memnet.encode.saved import CARD, CONFIG, MODEL
from memnet.errors import NetworkError
from memnet.files import write_atomically, write_json, write_tensors
from memnet.infer.retriever import (
    ABSENT,
    CHUNK,
    FORMAT,
    NAME,
    OWNERS,
    PART,
    SPECIAL,
    UNKNOWN,
    RetrieverBase,
    RetrieverConfig,
    read_config,
)
from memnet.nn.modules import LayerNorm, Linear
from memnet.nn.random import Random
from memnet.packing import read_weights

__all__ = ["ABSENT", "OWNERS", "PART", "SPECIAL", "UNKNOWN", "Retriever", "RetrieverConfig"]


class Retriever(RetrieverBase, nn.Module):
    """One network (R = 1): ``embedding (1, V, D)`` of the words, four special first; ``masks (1, L, D)`` of their places."""

    def __init__(self, config: RetrieverConfig, known: Sequence[str], random: Random) -> None:
        super().__init__()
        self.config = config
        self.know(known)
        self.embedding = nn.Parameter(random.normal(len(known) + SPECIAL, config.dim, std=0.5))
        self.masks = nn.Parameter(random.normal(config.longest, config.dim, std=0.5, mean=1.0))
        self.norm = LayerNorm(config.dim, random)
        self.follow = nn.Parameter(random.normal(config.dim, config.dim, std=config.dim**-0.5))
        self.inner = Linear(2 * config.dim, config.hidden, random, std=(2 * config.dim) ** -0.5)
        self.query = nn.Parameter(random.normal(1, config.hidden, std=config.hidden**-0.5))
        self.bias = nn.Parameter(random.normal(1, std=0.0))
        self.attend = Attention(SCORES["dot"](config.hidden, config.hidden, random), sigmoid, weighted_sum)

    def numbers(self, sentences: Sequence[str]) -> Tensor:
        """The words and marks of sentences as numbers, (N, L), ABSENT after a sentence's end."""
        return torch.from_numpy(self.word_numbers(sentences))

    def forward(self, numbers: Tensor) -> Tensor:
        """The scores of sentences (N, L) -> (N,)."""
        there = (numbers >= 0).unsqueeze(2)
        number, words = numbers.clamp(min=0), self.embedding[0]
        word = words[number] * there  # (N, L, D)
        follower = (words @ self.follow[0])[number[:, 1:]] * there[:, 1:]  # (N, L - 1, D)
        sums = torch.stack([(word * self.masks[0]).sum(1), (word[:, :-1] * follower).sum(1)])
        state = self.inner(torch.cat([*self.norm(sums)], 1).unsqueeze(0)).relu()  # (1, N, H)
        memory = self.attend.prepare(state)
        return memory.score(self.query)[0, 0] + self.bias[0]

    @torch.no_grad()
    def scores(self, sentences: Sequence[str]) -> Tensor:
        """The scores of sentences, (N,); above zero is of a story."""
        parts = [self(self.numbers(sentences[start : start + CHUNK])) for start in range(0, len(sentences), CHUNK)]
        return torch.cat(parts) if parts else torch.zeros(0)

    def save(self, folder: Path, card: str, facts: Mapping[str, object]) -> None:
        """As a folder: its configuration with the words and ``facts`` of its training, its weights and its card."""
        folder.mkdir(parents=True, exist_ok=True)
        write_tensors(folder / MODEL, self.state_dict())
        saved = {"format": FORMAT, "model": NAME, **asdict(self.config), **facts, "words": list(self.number)}
        write_json(folder / CONFIG, saved)
        write_atomically(folder / CARD, card)

    @classmethod
    def load(cls, folder: Path) -> Retriever:
        """A saved one. Raises :class:`~memnet.errors.NetworkError`."""
        try:
            config, known = read_config(folder)
            found = cls(config, known, Random(0, 1, "weights"))
            found.load_state_dict({name: torch.from_numpy(value) for name, value in read_weights(folder / MODEL).items()})
        except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise NetworkError(f"{folder} holds no retriever that can be read: {error}") from error
        return found

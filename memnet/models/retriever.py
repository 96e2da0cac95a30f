"""A retriever: the first hop over a memory of any size, which keeps the few sentences that are of a story.

sentence   h = relu(V norm(sum of words x learned masks of their places)), whatever its neighbours are
score      a . h + b, the dot product with a learned query
align      sigmoid: every sentence for itself, so that what else is told changes nothing (the gate of Kumar et al. 2016)
read       the sentences of which a weight is above one half, in their order; at most ``keep`` of them, those that score highest

It knows the words around the names, and takes every word that it does not know for a name, or for whose something is. A reader
answers from what it keeps: any network that answers questions about a story.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from memnet.attention import SCORES, Attention, open_gates, sigmoid, weighted_sum
from memnet.errors import NetworkError
from memnet.files import read_tensors, write_atomically, write_json, write_tensors
from memnet.models.folder import CARD, CONFIG, MODEL
from memnet.nn.modules import LayerNorm, Linear
from memnet.nn.random import Random
from memnet.tasks.text import words

CHUNK = 8192  # sentences that are encoded at once
UNKNOWN, POSSESSIVE, ABSENT = 0, 1, -1  # the numbers of a word that is not known, of one with 's, and of no word
SPECIAL = 2  # numbers before those of the words that are known
OWNERS = ("'s", "’s")
NAME, FORMAT = "retriever", 1


@dataclass(frozen=True)
class RetrieverConfig:
    """The sizes of a retriever."""

    dim: int = 32  # width of the embeddings
    hidden: int = 32  # width of what is scored
    longest: int = 24  # words of a sentence that are read
    keep: int = 500  # the most sentences that are kept


class Retriever(nn.Module):
    """One network (R = 1): ``embedding (1, V, D)`` of the words, the first two for those not known; ``masks (1, L, D)``."""

    def __init__(self, config: RetrieverConfig, known: Sequence[str], random: Random) -> None:
        super().__init__()
        self.config = config
        self.number: Mapping[str, int] = {word: place for place, word in enumerate(known, SPECIAL)}
        self.embedding = nn.Parameter(random.normal(len(known) + SPECIAL, config.dim, std=0.5))
        self.masks = nn.Parameter(random.normal(config.longest, config.dim, std=0.5, mean=1.0))
        self.norm = LayerNorm(config.dim, random)
        self.inner = Linear(config.dim, config.hidden, random, std=config.dim**-0.5)
        self.query = nn.Parameter(random.normal(1, config.hidden, std=config.hidden**-0.5))
        self.bias = nn.Parameter(random.normal(1, std=0.0))
        self.attend = Attention(SCORES["dot"](config.hidden, config.hidden, random), sigmoid, weighted_sum)

    def __repr__(self) -> str:
        return f"<Retriever that knows {len(self.number):,} words>"

    def numbers(self, sentences: Sequence[str]) -> Tensor:
        """The words of sentences as numbers, (N, L), :data:`ABSENT` after a sentence's end."""
        found = np.full((len(sentences), self.config.longest), ABSENT, dtype=np.int64)
        for row, sentence in zip(found, sentences, strict=True):
            told = words(sentence)[: self.config.longest]
            row[: len(told)] = [self.number.get(word, POSSESSIVE if word.endswith(OWNERS) else UNKNOWN) for word in told]
        return torch.from_numpy(found)

    def forward(self, numbers: Tensor) -> Tensor:
        """The scores of sentences (N, L) -> (N,)."""
        there = (numbers >= 0).unsqueeze(2)
        placed = self.embedding[0][numbers.clamp(min=0)] * self.masks[0] * there  # (N, L, D)
        state = self.inner(self.norm(placed.sum(1).unsqueeze(0))).relu()  # (1, N, H)
        memory = self.attend.prepare(state)
        return memory.score(self.query)[0, 0] + self.bias[0]

    @torch.no_grad()
    def scores(self, sentences: Sequence[str]) -> Tensor:
        """The scores of sentences, (N,); above zero is of a story."""
        parts = [self(self.numbers(sentences[start : start + CHUNK])) for start in range(0, len(sentences), CHUNK)]
        return torch.cat(parts) if parts else torch.zeros(0)

    def kept(self, scores: Tensor) -> Tensor:
        """Which of the sentences with these scores (N,) are kept: their places, ascending."""
        return open_gates(scores, self.config.keep)

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
        path = folder / CONFIG
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            if saved["format"] != FORMAT or saved["model"] != NAME:
                raise ValueError(f"{path} is of something else")
            config = RetrieverConfig(**{field.name: saved[field.name] for field in fields(RetrieverConfig)})
            known = [str(word) for word in saved["words"]]
            found = cls(config, known, Random(0, 1, "weights"))
            found.load_state_dict(read_tensors(folder / MODEL)[0])
        except (OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
            raise NetworkError(f"{folder} holds no retriever that can be read: {error}") from error
        return found

"""A network that reads one sentence: up to two facts, each a kind and the words that play its roles.

    words (B, L, 5)  ->  windows of neighbours, layers of attention over the sentence
    slots (B, 2, D)  ->  each reads the words twice (hops); its kind; where each role's words begin and end

Every reading is an :class:`~memnet.attention.Attention` (scaled dot product, softmax, weighted sum); what points at first and
last words are its scores (pointer networks, Vinyals et al. 2015). The first word, which stands before every sentence, is the
null address: a role that points there has no words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from memnet.attention import Attention, dot, scaled_dot, softmax, weighted_sum
from memnet.facts.in_numpy import FactNetwork as NumpyFactNetwork
from memnet.facts.kinds import KINDS, ROLES, SLOTS
from memnet.facts.numbers import CAPITAL, EMBEDDING, ENDING, LONGEST, NEIGHBOURS, POSITION, ROW, FactConfig
from memnet.reading.words import EMBEDDINGS, ENDINGS


class Reading(NamedTuple):
    """What the network makes of sentences."""

    kind: Tensor  # (B, SLOTS, len(KINDS)) logits
    start: Tensor  # (B, SLOTS, len(ROLES), L) logits of the first word of each role; word 0 is none
    end: Tensor  # (B, SLOTS, len(ROLES), L) of its last word


class Block(nn.Module):
    """Attention of queries over words, and a network of two layers, both added to what was there (Vaswani et al. 2017)."""

    def __init__(self, config: FactConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.attend = Attention(scaled_dot, softmax, weighted_sum)
        self.before, self.of_words, self.between = (nn.LayerNorm(config.dim) for _ in range(3))
        self.query = nn.Linear(config.dim, config.dim, bias=False)
        self.key_value = nn.Linear(config.dim, 2 * config.dim, bias=False)
        self.out = nn.Linear(config.dim, config.dim)
        self.hidden, self.again = nn.Linear(config.dim, config.hidden), nn.Linear(config.hidden, config.dim)
        self.drop = nn.Dropout(0.0)  # training says how much

    def split(self, x: Tensor) -> Tensor:
        """(B, N, D) -> (B, H, N, D / H)."""
        heads: Tensor = x.unflatten(-1, (self.heads, -1))
        return heads.transpose(1, 2)

    def forward(self, x: Tensor, words: Tensor, there: Tensor) -> Tensor:
        """``x (B, Q, D)`` reads ``words (B, L, D)`` where ``there (B, L)``."""
        key, value = self.key_value(self.of_words(words)).chunk(2, -1)
        query = self.split(self.query(self.before(x)))
        trace = self.attend(query, self.split(key), self.split(value), mask=there[:, None, None])
        x = x + self.drop(self.out(trace.output.transpose(1, 2).flatten(2)))
        added: Tensor = self.drop(self.again(F.relu(self.hidden(self.between(x)))))
        return x + added


class FactNetwork(nn.Module):
    """Reads sentences, each for itself; see the module's docstring."""

    vectors: Tensor

    def __init__(self, config: FactConfig, vectors: NDArray[np.float32]) -> None:
        super().__init__()
        self.config = config
        dim = config.dim
        self.register_buffer("vectors", torch.from_numpy(np.array(vectors)), persistent=False)
        self.from_vector = nn.Linear(config.vectors, dim, bias=False)
        self.embedding, self.ending = nn.Embedding(EMBEDDINGS, dim), nn.Embedding(ENDINGS + 1, dim)
        self.position, self.capital = nn.Embedding(LONGEST + 2, dim), nn.Embedding(2, dim)
        self.near = nn.ModuleList(nn.Linear((2 * NEIGHBOURS + 1) * dim, dim) for _ in range(2))
        self.layers = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.slots = nn.Parameter(torch.randn(SLOTS, dim) * 0.3)
        self.hops = nn.ModuleList(Block(config) for _ in range(config.hops))
        self.norm, self.norm_words = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.point = Attention(dot, softmax, weighted_sum)
        self.kind = nn.Linear(dim, len(KINDS))
        self.point_key = nn.Linear(dim, 2 * config.pointer_dim, bias=False)
        self.point_query = nn.Linear(dim, 2 * len(ROLES) * config.pointer_dim)
        self.drop = nn.Dropout(0.0)
        for table, std in ((self.embedding, 0.4), (self.ending, 0.15), (self.position, 0.1), (self.capital, 0.15)):
            nn.init.normal_(table.weight, std=std)
        nn.init.normal_(self.from_vector.weight, std=0.07)

    def in_numpy(self) -> NumpyFactNetwork:
        """With its weights as they are now, to answer with."""
        weights = {name: value.detach().cpu().numpy() for name, value in self.named_parameters()}
        return NumpyFactNetwork(self.config, self.vectors.cpu().numpy(), weights)

    def forward(self, words: Tensor) -> Reading:
        """``words (B, L, 5)``, :data:`NO_WORD` after a sentence's end."""
        there = words[..., EMBEDDING] >= 0
        number = words.clamp(min=0)
        x = self.from_vector(F.embedding(number[..., ROW], self.vectors)) + self.embedding(number[..., EMBEDDING])
        x = x + self.ending(number[..., ENDING]) + self.position(number[..., POSITION]) + self.capital(number[..., CAPITAL])
        x = self.neighbours(self.drop(x) * there.unsqueeze(-1), there)
        for layer in self.layers:
            x = layer(x, x, there)
        slots = self.slots + x[:, :1]
        for hop in self.hops:
            slots = hop(slots, x, there)
        slots, x = self.norm(slots), self.norm_words(x)
        key = self.point_key(x).unflatten(-1, (2, -1)).transpose(1, 2)  # (B, 2, L, P)
        query = self.point_query(slots).unflatten(-1, (2, len(ROLES), -1)).transpose(1, 2).flatten(2, 3)
        points = self.point(query, key, mask=there[:, None, None]).logits  # (B, 2, SLOTS ROLES, L)
        start, end = points.unflatten(2, (SLOTS, len(ROLES))).unbind(1)
        return Reading(self.kind(slots), start, end)

    def neighbours(self, x: Tensor, there: Tensor) -> Tensor:
        """Each word sees the two on each side, twice: (B, L, D)."""
        for near in self.near:
            wide = F.pad(x, (0, 0, NEIGHBOURS, NEIGHBOURS))
            window = torch.cat([wide[:, at : at + x.shape[1]] for at in range(2 * NEIGHBOURS + 1)], -1)
            x = (x + F.relu(near(window))) * there.unsqueeze(-1)
        return x

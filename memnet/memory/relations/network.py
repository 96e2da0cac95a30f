"""The network that reads single sentences and questions for relations, and addresses facts by them.

    words       x_w: vector, embedding, ending and shape; each sees two neighbours on each side, then all words by attention
    pointers    sigmoid(p . x_w): which words are the name that a question or a fact is about, which are a fact's object
    hops        a_wh = softmax_h(x_w . s_h; null): which hop a word of a question speaks of, or none (the null address)
    query       q_h = sum_w a_wh b_w c_w, at length 1          c_w = V v_w + E e_w + U x_w, what a word means, mostly by itself
    key         k_i = sum_w (1 - o_w) b_w c_w, at length 1     of a fact's words but those of its subject and its object
    logits      l_hi = t q_h . k_i against the null logit n: nothing says so

Every address is the attention core's. One network, R = 1.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from memnet.attention import Attention, MultiHead, Trace, dot, scaled_dot, sigmoid, softmax, weighted_sum
from memnet.attention.align import Tournament
from memnet.memory.relations.sizes import HOPS, NEIGHBOURS, OBJECT, WINDOW, Sizes
from memnet.memory.relations.words import EMBEDDING, ENDING, ROW, ROWS, SHAPE, SHAPES, side_by_side
from memnet.nn.modules import LayerNorm, Linear, dropout, gather_rows
from memnet.nn.random import Random
from memnet.reading.words import ENDINGS


class Read(NamedTuple):
    """What was read of B sentences of W words (the start among them)."""

    words: Tensor  # (1, B, W, D)
    there: Tensor  # (B, W) bool
    meaning: Tensor  # (1, B, W, K) b_w c_w
    pointers: Tensor  # (B, 2, W) log-odds
    gates: Tensor  # (B, 3) log-odds


class Layer(nn.Module):
    """Attention over the words of a sentence and a network of two layers for each, both added to what was there."""

    def __init__(self, sizes: Sizes, random: Random) -> None:
        super().__init__()
        self.before, self.between = LayerNorm(sizes.dim, random), LayerNorm(sizes.dim, random)
        attention = Attention(scaled_dot, softmax, weighted_sum)
        self.attend = MultiHead(sizes.dim, sizes.heads, attention, random, max_relative_distance=sizes.distance)
        self.hidden = Linear(sizes.dim, sizes.hidden, random, std=sizes.dim**-0.5)
        self.again = Linear(sizes.hidden, sizes.dim, random, std=0.5 * sizes.hidden**-0.5)

    def forward(self, x: Tensor, mask: Tensor, position: Tensor, drop: float, random: Random | None) -> Tensor:
        """(1, B, W, D) -> (1, B, W, D); ``mask (1, B, 1, W)``, ``position (1, B, W)``."""
        seen = self.before(x)
        x = x + dropout(self.attend(seen, seen, mask=mask, position=position).output, drop, random)
        added: Tensor = self.again(self.hidden(self.between(x)).relu())
        return x + dropout(added, drop, random)


class RelationNetwork(nn.Module):
    """See the module's docstring; ``vectors (rows, 100)`` are those of :class:`~memnet.reading.words.Words`."""

    vectors: Tensor

    def __init__(self, sizes: Sizes, vectors: NDArray[np.float32], random: Random) -> None:
        super().__init__()
        self.sizes, dim, meaning = sizes, sizes.dim, sizes.meaning
        self.register_buffer("vectors", torch.from_numpy(np.array(vectors))[None], persistent=False)
        self.from_vector = Linear(sizes.vectors, dim, random, bias=False, std=0.07)
        self.embedding = nn.Parameter(random.normal(ROWS, dim, std=0.3))
        self.ending = nn.Parameter(random.normal(ENDINGS + 1, dim, std=0.15))
        self.shape = nn.Parameter(random.normal(SHAPES, dim, std=0.3))
        self.near = Linear((2 * NEIGHBOURS + 1) * dim, dim, random, std=(5 * dim) ** -0.5)
        self.layers = nn.ModuleList(Layer(sizes, random) for _ in range(sizes.layers))
        self.norm = LayerNorm(dim, random)
        self.point = Attention(dot, sigmoid, weighted_sum)
        self.pointers = nn.Parameter(random.normal(1, 2, dim, std=dim**-0.5))
        self.gate = Linear(dim, 3, random)
        self.slot = Attention(dot, softmax, weighted_sum)
        self.slots = nn.Parameter(random.normal(1, HOPS, dim, std=dim**-0.5))
        self.no_slot = Linear(dim, 1, random)
        self.own_meaning = Linear(sizes.vectors, meaning, random, bias=False, std=sizes.vectors**-0.5)
        self.word_meaning = nn.Parameter(random.normal(ROWS, meaning, std=0.1))
        self.said_meaning = Linear(dim, meaning, random, std=0.3 * dim**-0.5)
        self.weigh = Linear(dim, 1, random)
        self.scale = nn.Parameter(torch.full((1,), math.log(14.0)))
        self.nothing = nn.Parameter(torch.full((1,), 8.0))
        self.softly = Attention(dot, softmax, weighted_sum)
        worth = torch.zeros(1, 2, meaning + 1)
        worth[:, 1, -1] = sizes.newer
        self.newest = Attention(dot, Tournament(worth), weighted_sum)
        self.glance_vector = Linear(sizes.vectors, sizes.glance, random, bias=False, std=0.1)
        self.glance_embedding = nn.Parameter(random.normal(ROWS, sizes.glance, std=0.3))
        self.glance_hidden = Linear(WINDOW * sizes.glance, 32, random)
        self.glance_out = Linear(32, 1, random)

    def of_table(self, table: Tensor, number: Tensor) -> Tensor:
        """Rows of a table (1, U, D) for numbers (B, W), (1, B, W, D)."""
        return gather_rows(table, number.unsqueeze(0))

    def read(self, numbers: Tensor, there: Tensor, drop: float = 0.0, random: Random | None = None) -> Read:
        """Sentences as numbers (B, W, 4) of which ``there (B, W)`` says what is no padding; ``random`` in training."""
        vector = self.of_table(self.vectors, numbers[..., ROW])
        x = self.from_vector(vector) + self.of_table(self.embedding, numbers[..., EMBEDDING])
        x = x + self.of_table(self.ending, numbers[..., ENDING]) + self.of_table(self.shape, numbers[..., SHAPE])
        x = dropout(x * there.unsqueeze(-1), drop, random)
        wide = F.pad(x, (0, 0, NEIGHBOURS, NEIGHBOURS))
        window = torch.cat([wide[:, :, at : at + x.shape[2]] for at in range(2 * NEIGHBOURS + 1)], -1)
        x = x + self.near(window).relu()
        mask, position = there[None, :, None], there.cumsum(1).unsqueeze(0)
        for layer in self.layers:
            x = layer(x, mask, position, drop, random)
        x = self.norm(x)
        meaning = self.own_meaning(vector) + self.of_table(self.word_meaning, numbers[..., EMBEDDING])
        meaning = meaning + dropout(self.said_meaning(x), 2 * drop, random)
        meaning = self.weigh(x).sigmoid() * meaning * there.unsqueeze(-1)
        trace = self.point.prepare(x).ask(self.pointers.expand(-1, len(numbers), -1, -1))
        return Read(x, there, meaning, trace.logits[0], self.gate(x[:, :, 0])[0])

    def keys(self, read: Read) -> Tensor:
        """The keys of facts whose name is one word, (1, B, W, D) -> (B, K)."""
        rest = (-read.pointers[:, OBJECT]).sigmoid().unsqueeze(-1)
        return F.normalize((read.meaning[0] * rest).sum(1), dim=-1)

    def alignment(self, read: Read) -> tuple[Tensor, Tensor, Tensor]:
        """Which hop each word of questions speaks of: weights (B, W, H), that of none (B, W) and log-odds (B, W, 1 + H)."""
        slots = self.slots.expand(-1, read.words.shape[1], -1, -1)
        nothing = self.no_slot(read.words).squeeze(-1)
        trace = self.slot.prepare(slots).ask(read.words, null=nothing)
        assert trace.null is not None
        return trace.weights[0], trace.null[0], torch.cat([nothing.unsqueeze(-1), trace.logits], -1)[0]

    def queries(self, read: Read, weights: Tensor) -> Tensor:
        """What each hop asks, (B, W, H) -> (B, H, K)."""
        return F.normalize(weights.transpose(1, 2) @ read.meaning[0], dim=-1)

    def sharpness(self) -> Tensor:
        """What queries of length 1 are multiplied by, (1,)."""
        return self.scale.exp()

    def choose(self, query: Tensor, key: Tensor, mask: Tensor) -> Tensor:
        """To learn by: logits of queries (N, K) for facts (M, K) that they may read (N, M), and last the null: (N, M + 1)."""
        nothing = self.nothing.expand(1, 1, len(query))
        trace = self.softly.prepare(key[None, None]).ask((query * self.sharpness())[None, None], mask[None, None], nothing)
        return torch.cat([trace.logits, nothing.unsqueeze(-1)], -1)[0, 0]

    def address(self, query: Tensor, key: Tensor) -> tuple[Trace, Tensor]:
        """Of facts, the oldest first, the newest that answers: (K,), (M, K) -> the core's trace of (1, 1, 1, M), logits (M,).

        A last number of the query, 1, is what the tournament's worth of being newer is multiplied by. What answers less than
        nothing is no choice.
        """
        query = F.pad(query * self.sharpness(), (0, 1), value=1.0).view(1, 1, 1, -1)
        memory = self.newest.prepare(F.pad(key, (0, 1))[None, None])
        logits = memory.score(query)
        return memory.ask(query, logits > self.nothing, self.nothing.view(1, 1, 1)), logits[0, 0, 0]

    def glance(self, numbers: Tensor) -> Tensor:
        """By three words before a name and two after it, whether a fact may be about it: (N, 5, 4) -> (N,) log-odds."""
        x = self.glance_vector(self.of_table(self.vectors, numbers[..., ROW]))
        x = x + self.of_table(self.glance_embedding, numbers[..., EMBEDDING])
        found: Tensor = self.glance_out(self.glance_hidden(x.flatten(2)).relu())
        return found[0, :, 0]


def padded(rows: list[NDArray[np.int32]]) -> tuple[Tensor, Tensor]:
    """Sentences as numbers side by side: (B, W, 4) and which are no padding (B, W)."""
    numbers, there = side_by_side(rows)
    return torch.from_numpy(numbers), torch.from_numpy(there)

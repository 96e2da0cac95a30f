"""A reader that attends once over sentences which gates let through: all of a sentence, a part of it, or nothing.

sentence   how often each word that is known stands in it, as a vector of length one
key        its embedding; the question is embedded the same way, so that a word matches itself
bias       log sigmoid(g_i) - r a_i: how far the gate is open, and how many sentences it has let through after this one,
           a_i = sum over j > i of sigmoid(g_j), times a learned r
align      softmax; read  the weighted sum of the sentences' words; answer  a linear map of it to words

A gate at plus infinity changes nothing; one at minus infinity takes its sentence away, from the ages of others too.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import SCORES, Attention, softmax, weighted_sum
from memnet.nn.modules import Linear
from memnet.nn.random import Random
from memnet.tasks.text import words

AGEING = 0.1  # r, at first
MATCH = 4.0  # the length of an embedded word, at first: so much that a word that is asked for stands out


class GatedReader(nn.Module):
    """One network (R = 1) that knows V words, and passes over all others: ``embedding (1, V, D)``, ``ageing (1, 1)``."""

    def __init__(self, known: Sequence[str], random: Random, dim: int = 32) -> None:
        super().__init__()
        self.number = {word: place for place, word in enumerate(known)}
        self.embedding = nn.Parameter(random.normal(len(known), dim, std=MATCH * dim**-0.5))
        self.ageing = nn.Parameter(random.normal(1, std=0.0, mean=AGEING))
        self.out = Linear(len(known), len(known), random)
        self.attend = Attention(SCORES["dot"](dim, dim, random), softmax, weighted_sum)

    def __repr__(self) -> str:
        return f"<GatedReader that knows {len(self.number):,} words>"

    def bags(self, texts: Sequence[str]) -> Tensor:
        """How often each known word stands in each text, (N, V), uint8."""
        split = ((row, word) for row, text in enumerate(texts) for word in words(text))
        places = [(row, self.number[word]) for row, word in split if word in self.number]
        found = torch.zeros(len(texts), len(self.number), dtype=torch.uint8)
        index = torch.tensor(places, dtype=torch.long).view(-1, 2)
        return found.index_put_(tuple(index.T), torch.ones((), dtype=torch.uint8), accumulate=True)

    def forward(self, asked: Tensor, memories: Tensor, mask: Tensor, gates: Tensor | None = None) -> Tensor:
        """Logits of answers (B, T, V), each question read T times.

        ``asked (B, V)`` and ``memories (B, M, V)`` are bags of words; ``mask (B, T, M)`` says which sentences may be read, and
        ``gates (B, T, M)`` are g, all wide open where there are none.
        """
        embedding, readings = self.embedding[0], mask.shape[1]
        asked, memories = F.normalize(asked, dim=-1), F.normalize(memories, dim=-1)
        let_through = mask.float() if gates is None else mask * gates.sigmoid()
        age = let_through.sum(-1, keepdim=True) - let_through.cumsum(-1)  # (B, T, M)
        bias = -self.ageing[0] * age if gates is None else F.logsigmoid(gates) - self.ageing[0] * age
        query = (asked @ embedding).unsqueeze(1).expand(-1, readings, -1)  # (B, T, D)
        memory = self.attend.prepare((memories @ embedding).unsqueeze(0), memories.unsqueeze(0))
        trace = memory.ask(query.unsqueeze(0), mask.unsqueeze(0), bias=bias.unsqueeze(0))
        answers: Tensor = self.out(trace.output)
        return answers[0]

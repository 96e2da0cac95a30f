"""End-to-end memory networks (Sukhbaatar et al. 2015, arXiv 1503.08895).

sentences: position encoding + age -> memories m_i (keys), c_i (values), one pair a hop
u^1 = encoded question
p = softmax(u . m_i)          o = sum_i p_i c_i          u^{k+1} = u^k + o
answer = softmax(W u^{K+1})
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from memnet.attention import Attention, Trace, dot, hops, per_replica, weighted_sum
from memnet.batch import Batch, Examples, Sizes
from memnet.config import MemN2NConfig
from memnet.encode import Code, code, dictionary, encoded, factors, memories
from memnet.replicated import Linear, Random, Replicated


class Codes(NamedTuple):
    """The sentences and the questions of a data set, encoded as far as no parameter is needed."""

    sentences: Code
    questions: Code

    def to(self, device: torch.device | str) -> Codes:
        """On another device."""
        return Codes(self.sentences.to(device), self.questions.to(device))


class MemN2N(Replicated):
    """R networks: ``embedding (R, matrices, V + S, D)``, each matrix words first, then ages.

    An age is one more word of its sentence, the T_A(i) and T_C(i) of the paper's section 4.1.
    """

    Config = MemN2NConfig

    def __init__(self, config: MemN2NConfig, sizes: Sizes, random: Random) -> None:
        super().__init__()
        self.config, self.sizes = config, sizes
        hop = range(config.hops)
        if config.tying == "adjacent":  # A^{k+1} = C^k, B = A^1, W^T = C^K
            self.key, self.value = list(hop), [k + 1 for k in hop]
            self.question, self.answer = 0, config.hops
        else:  # layer-wise: one A and one C for every hop, B, W, and a linear map H of the state
            self.key, self.value = [0 for _ in hop], [1 for _ in hop]
            self.question, self.answer = 2, 3
        rows, std = sizes.vocabulary + sizes.ages, config.init_std
        self.embedding = nn.Parameter(random.normal(self.answer + 1, rows, config.dim, std=std))
        self.state_map = Linear(config.dim, config.dim, random, bias=False, std=std) if config.tying == "layerwise" else None
        self.linear_start = torch.zeros(random.replicas, dtype=torch.bool)
        self.factors: Tensor
        self.register_buffer("factors", factors(config.encoding, config.dim), persistent=False)

    def codes(self, data: Examples) -> Codes:
        """What :meth:`forward` needs to know of a data set, made once."""
        sizes, encoding = self.sizes, self.config.encoding
        per_story = float(data.count.float().mean()) if len(data) else 0.0
        return Codes(
            code(data.sentences, encoding, sizes.vocabulary, sizes.longest, per_story),
            code(data.questions, encoding, sizes.vocabulary, sizes.longest, per_story=0.0),
        )

    def forward(self, batch: Batch, codes: Codes) -> tuple[Tensor, list[Trace]]:
        """Logits of the answers (R, B, V) and the trace of each hop."""
        words, ages = self.embedding.split([self.sizes.vocabulary, self.sizes.ages], 2)
        if not self.config.temporal:
            ages = torch.zeros_like(ages)
        rows = dictionary(words, ages, self.factors)  # (R, matrices, C V + S, D)
        memory = memories(rows, codes.sentences, batch)
        question = encoded(rows[:, self.question], codes.questions, batch.question)  # (R, B, D)
        state, traces = hops(
            Attention(dot, per_replica(self.linear_start), weighted_sum),
            self.update,
            question.unsqueeze(2),  # (R, B, 1, D): one query a story
            [memory[matrix] for matrix in self.key],
            [memory[matrix] for matrix in self.value],
            batch.mask.unsqueeze(2),
            null=self.null(batch),
        )
        return state.squeeze(2) @ words[:, self.answer].transpose(1, 2), traces

    def update(self, state: Tensor, output: Tensor, hop: int) -> Tensor:
        """u + o (adjacent) or H u + o (layer-wise), through a ReLU in the larger network."""
        if self.state_map is not None:
            state = self.state_map(state)
        state = state + output
        return state.relu() if self.config.relu else state

    def null(self, batch: Batch) -> Tensor | None:
        """The logit of reading nothing, (R, B, 1): log of the slots that the paper's memory leaves unused."""
        if self.config.null == "none":
            return None
        return (self.sizes.ages - batch.told).clamp(min=0).log().unsqueeze(2)

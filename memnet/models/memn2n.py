"""End-to-end memory networks (Sukhbaatar et al. 2015, arXiv 1503.08895).

sentences: position encoding + age -> memories m_i (keys), c_i (values), one pair a hop
u^1 = encoded question
p = softmax(u . m_i)          o = sum_i p_i c_i          u^{k+1} = u^k + o
answer = softmax(W u^{K+1})
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn

from memnet.attention import READS, SCORES, Attention, Rows, Trace, hops
from memnet.attention.align import Scheduled
from memnet.config.memn2n import MemN2NConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.models.decoders import WordByWord, scores
from memnet.models.encoders import (
    MANY_WORDS,
    EncodedData,
    SelfAttentionPooling,
    code,
    dictionary,
    encoded,
    factors,
    memories,
    of_batch,
    redundancy,
    table_memories,
)
from memnet.models.network import Network, Output
from memnet.nn.modules import Linear
from memnet.nn.random import Random


class MemN2N(Network):
    """R networks: ``embedding (R, matrices, V + S, D)``, each matrix words first, then ages.

    An age is one more word of its sentence, the T_A(i) and T_C(i) of the paper's section 4.1.
    """

    Config = MemN2NConfig
    title = "An end-to-end memory network"
    presets = ("pe-ls-rn", "pe-ls-rn-joint")
    config: MemN2NConfig
    keeps_stories = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 2}

    def __init__(self, config: MemN2NConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        hop = range(config.hops)
        if config.tying == "adjacent":  # A^{k+1} = C^k, B = A^1, W^T = C^K
            self.key, self.value = list(hop), [k + 1 for k in hop]
            self.asked, self.word = 0, config.hops
        else:  # layer-wise: one A and one C for every hop, B, W, and a linear map H of the state
            self.key, self.value = [0 for _ in hop], [1 for _ in hop]
            self.asked, self.word = 2, 3
        rows, std = sizes.vocabulary + sizes.ages, config.init_std
        self.embedding = nn.Parameter(random.normal(self.word + 1, rows, config.dim, std=std))
        self.state_map = Linear(config.dim, config.dim, random, bias=False, std=std) if config.tying == "layerwise" else None
        query = 2 * config.dim if SCORES[config.score].context else config.dim  # [state; question]
        score = SCORES[config.score](query, config.dim, random)
        align = Scheduled(config.make_align(config.dim, random), random.replicas)
        self.attend = Attention(score, align, READS[config.read](config.dim, random))
        self.pooling: SelfAttentionPooling | None = None
        if config.encoding == "self_attention":
            self.pooling = SelfAttentionPooling(config.dim, config.attention_rows, sizes.longest, random, std)
        self.decoder = WordByWord(config.dim, random, std=config.init_std) if config.decoder == "words" else None
        self.factors: Tensor
        self.register_buffer("factors", factors(config.encoding, config.dim), persistent=False)

    def encode_data(self, data: Examples) -> EncodedData:
        """What :meth:`forward` needs to know of a data set, made once."""
        sizes, encoding = self.sizes, self.config.encoding
        return EncodedData(
            code(data.sentences, encoding, sizes.vocabulary, sizes.longest, data.per_story),
            code(data.questions, encoding, sizes.vocabulary, sizes.longest, per_story=0.0),
        )

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return self.config.align

    def num_choices(self, batch: Batch) -> int:
        """Every place of the memory, and reading nothing."""
        return batch.mask.shape[2] + (self.config.null != "none")

    def forward(
        self,
        batch: Batch,
        encoded_data: EncodedData,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers and the trace of each hop; with ``random``, hard attention draws ``samples`` addresses a question."""
        words, ages = self.words_and_ages()
        question, memory, penalty = self.encode(words, ages, batch, encoded_data)
        return self.reasoned(question, memory, batch, random, samples, given)._replace(penalty=penalty)

    def encode_story(self, batch: Batch, encoded_data: EncodedData) -> list[Tensor]:
        """The memories of stories by each matrix, (R, B, M, D) each."""
        _, memory, _ = self.encode(*self.words_and_ages(), batch, encoded_data)
        return [rows.gather() for rows in memory[: max(*self.key, *self.value) + 1]]

    def answer_from(
        self, memory: Sequence[Tensor], batch: Batch, encoded_data: EncodedData, random: Random | None = None, samples: int = 1
    ) -> Output:
        """Answers about a story that was encoded, and the trace of each hop."""
        words, ages = self.words_and_ages()
        return self.reasoned(self.questions(words, ages, batch, encoded_data), memory, batch, random, samples)

    def words_and_ages(self) -> tuple[Tensor, Tensor]:
        """The embeddings of words (R, matrices, V, D) and ages (R, matrices, S, D)."""
        words, ages = self.embedding.split([self.sizes.vocabulary, self.sizes.ages], 2)
        return words, ages if self.config.temporal else torch.zeros_like(ages)

    def reasoned(
        self,
        question: Tensor,
        memory: Sequence[Tensor | Rows],
        batch: Batch,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
    ) -> Output:
        """From encoded questions (R, B, D) and a memory for each matrix the answers, and the trace of each hop."""
        words, _ = self.words_and_ages()
        asked = question.unsqueeze(2).expand(-1, -1, samples, -1)  # (R, B, T, D)
        context = asked if SCORES[self.config.score].context else None
        null = self.null(batch)
        null = None if null is None else null.expand(-1, -1, samples)
        pairs = zip(self.key, self.value, strict=True)
        prepared = [self.attend.prepare(memory[key], memory[value], context) for key, value in pairs]
        state, traces = hops(prepared, self.update, asked, batch.mask.unsqueeze(2), null, random=random)
        answers = words[:, self.word]
        if self.decoder is None:
            logits = scores(state, answers).unsqueeze(3)
        else:
            again = None if given is None else given.unsqueeze(2).expand(-1, -1, samples, -1)
            logits = self.decoder(state, answers, self.sizes.answer, again)
        return Output(logits, traces, nulls=[null] * len(traces))

    def encode(
        self, words: Tensor, ages: Tensor, batch: Batch, encoded_data: EncodedData
    ) -> tuple[Tensor, list[Rows], Tensor | None]:
        """The questions (R, B, D), a memory for each matrix, and what redundant attention rows cost (R,)."""
        if self.pooling is None:
            if encoded_data.sentences.dense is None and self.sizes.vocabulary > MANY_WORDS:
                used, encoded_data, batch = of_batch(encoded_data, batch, self.sizes.vocabulary)
                words = self.embedding.index_select(2, used)
            rows = dictionary(words, ages, self.factors)  # (R, matrices, C V + S, D)
            question = encoded(rows[:, self.asked], encoded_data.questions, batch.question)
            return question, memories(rows, encoded_data.sentences, batch), None
        last = max(*self.key, *self.value) + 1  # the matrices after it are of no memory
        pooled = [self.pooling(matrix, encoded_data.sentences) for matrix in words[:, :last].unbind(1)]
        question, weights = self.pooled_questions(words, batch, encoded_data)
        penalty = None
        if self.config.penalty > 0:
            parts = [*(one for _, one in pooled), weights]
            penalty = self.config.penalty * torch.stack([redundancy(part).mean(1) for part in parts]).sum(0)
        return question, table_memories([table for table, _ in pooled], ages[:, :last], batch), penalty

    def pooled_questions(self, words: Tensor, batch: Batch, encoded_data: EncodedData) -> tuple[Tensor, Tensor]:
        """The questions by self-attention (R, B, D), and its weights."""
        assert self.pooling is not None
        asked, weights = self.pooling(words[:, self.asked], encoded_data.questions)
        return asked.gather(1, batch.question.unsqueeze(2).expand(-1, -1, asked.shape[2])), weights

    def questions(self, words: Tensor, ages: Tensor, batch: Batch, encoded_data: EncodedData) -> Tensor:
        """The questions alone, (R, B, D)."""
        if self.pooling is not None:
            return self.pooled_questions(words, batch, encoded_data)[0]
        rows = dictionary(words[:, self.asked], ages[:, self.asked], self.factors)
        return encoded(rows, encoded_data.questions, batch.question)

    def update(self, state: Tensor, trace: Trace, hop: int) -> Tensor:
        """u + o (adjacent) or H u + o (layer-wise), through a ReLU in the larger network."""
        if self.state_map is not None:
            state = self.state_map(state)
        state = state + trace.output
        return state.relu() if self.config.relu else state

    def null(self, batch: Batch) -> Tensor | None:
        """The logit of reading nothing, (R, B, 1): log of the slots that the paper's memory leaves unused."""
        if self.config.null == "none":
            return None
        return (self.sizes.ages - batch.num_memories).clamp(min=0).log().unsqueeze(2)

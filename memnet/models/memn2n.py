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

from memnet.attention import ALIGNS, READS, SCORES, Attention, Rows, Trace, hops, linear, phased, softmax
from memnet.attention.reinforce import entropy
from memnet.batch import Batch, Examples, Sizes
from memnet.config import MemN2NConfig
from memnet.decode import WordByWord, scores
from memnet.encode import (
    Codes,
    SelfAttentionPooling,
    code,
    dictionary,
    encoded,
    factors,
    memories,
    redundancy,
    table_memories,
)
from memnet.models.network import Output, Remembering
from memnet.replicated import Linear, Random


class MemN2N(Remembering):
    """R networks: ``embedding (R, matrices, V + S, D)``, each matrix words first, then ages.

    An age is one more word of its sentence, the T_A(i) and T_C(i) of the paper's section 4.1.
    """

    Config = MemN2NConfig
    config: MemN2NConfig
    word_rows: ClassVar[dict[str, int]] = {"embedding": 2}

    def __init__(self, config: MemN2NConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
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
        width = 2 * config.dim if config.score == "interaction" else config.dim  # there the query is [state; question]
        self.score = SCORES[config.score](width, config.dim, random)
        self.align = ALIGNS[config.align](width, random, config.window)
        self.read = READS[config.read](config.dim, random)
        self.pooling: SelfAttentionPooling | None = None
        if config.encoding == "self_attention":
            self.pooling = SelfAttentionPooling(config.dim, config.attention_rows, sizes.longest, random, std)
        self.decoder = WordByWord(config.dim, random, std=config.init_std) if config.decoder == "words" else None
        self.linear_start = torch.zeros(random.replicas, dtype=torch.bool)  # replicas in the linear phase
        self.warm_start = torch.zeros(random.replicas, dtype=torch.bool)  # replicas in the softmax phase before theirs
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

    @property
    def samples(self) -> int:  # type: ignore[override]
        """Addresses drawn for a question while training, now."""
        return self.config.samples if bool(self.drawing().any()) else 0

    @property
    def test_samples(self) -> int:  # type: ignore[override]
        """Addresses drawn for a question that is asked."""
        return self.config.test_samples

    def drawing(self) -> Tensor:
        """Which replicas draw addresses now: those of hard attention after their earlier phases, (R,) bool."""
        return ~(self.linear_start | self.warm_start) & (self.config.align == "hard")

    def phase(self, linear: Tensor, warm: Tensor) -> None:
        """Which replicas (R,) are in the linear start, which in the softmax phase before their own alignment."""
        self.linear_start, self.warm_start = linear.clone(), warm.clone()

    def phase_of(self, replica: int) -> str:
        """With which alignment a replica trains: "linear", "softmax" before another, or its own."""
        if bool(self.linear_start[replica]):
            return "linear"
        return "softmax" if bool(self.warm_start[replica]) else self.config.align

    def forward(
        self, batch: Batch, codes: Codes, random: Random | None = None, samples: int = 1, given: Tensor | None = None
    ) -> Output:
        """Answers and the trace of each hop; with ``random``, hard attention draws ``samples`` addresses a question."""
        words, ages = self.words_and_ages()
        question, memory, penalty = self.encode(words, ages, batch, codes)
        return self.reasoned(question, memory, batch, random, samples, given)._replace(penalty=penalty)

    def remember(self, batch: Batch, codes: Codes) -> list[Tensor]:
        """The memories of stories by each matrix, (R, B, M, D) each."""
        _, memory, _ = self.encode(*self.words_and_ages(), batch, codes)
        return [rows.gather() for rows in memory[: max(*self.key, *self.value) + 1]]

    def recall(
        self, memory: Sequence[Tensor], batch: Batch, codes: Codes, random: Random | None = None, samples: int = 1
    ) -> Output:
        """Answers about what was remembered, and the trace of each hop."""
        words, ages = self.words_and_ages()
        return self.reasoned(self.questions(words, ages, batch, codes), memory, batch, random, samples)

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
        own = self.align if self.config.warm_start == 0 else phased(self.warm_start, softmax, self.align)
        attend = Attention(self.score, phased(self.linear_start, linear, own), self.read)

        def attention(state: Tensor, *memory: object, **options: object) -> Trace:
            query = torch.cat([state, asked], -1) if self.config.score == "interaction" else state
            return attend(query, *memory, **options)  # type: ignore[no-any-return]

        null = self.null(batch)
        null = None if null is None else null.expand(-1, -1, samples)
        state, traces = hops(
            attention,
            self.update,
            asked,
            [memory[matrix] for matrix in self.key],
            [memory[matrix] for matrix in self.value],
            batch.mask.unsqueeze(2),
            null=null,
            random=random,
        )
        undecided = None
        if self.config.entropy > 0:
            undecided = torch.stack([entropy(trace.logits, null) for trace in traces]).sum(0)
        answers = words[:, self.answer]
        if self.decoder is None:
            logits = scores(state, answers).unsqueeze(3)
        else:
            told = None if given is None else given.unsqueeze(2).expand(-1, -1, samples, -1)
            logits = self.decoder(state, answers, self.sizes.answer, told)
        return Output(logits, traces, entropy=undecided, nulls=[null] * len(traces))

    def encode(self, words: Tensor, ages: Tensor, batch: Batch, codes: Codes) -> tuple[Tensor, list[Rows], Tensor | None]:
        """The questions (R, B, D), a memory for each matrix, and what redundant attention rows cost (R,)."""
        if self.pooling is None:
            rows = dictionary(words, ages, self.factors)  # (R, matrices, C V + S, D)
            question = encoded(rows[:, self.question], codes.questions, batch.question)
            return question, memories(rows, codes.sentences, batch), None
        last = max(*self.key, *self.value) + 1  # the matrices after it are of no memory
        pooled = [self.pooling(matrix, codes.sentences) for matrix in words[:, :last].unbind(1)]
        question, weights = self.pooled_questions(words, batch, codes)
        penalty = None
        if self.config.penalty > 0:
            parts = [*(one for _, one in pooled), weights]
            penalty = self.config.penalty * torch.stack([redundancy(part).mean(1) for part in parts]).sum(0)
        return question, table_memories([table for table, _ in pooled], ages[:, :last], batch), penalty

    def pooled_questions(self, words: Tensor, batch: Batch, codes: Codes) -> tuple[Tensor, Tensor]:
        """The questions by self-attention (R, B, D), and its weights."""
        assert self.pooling is not None
        asked, weights = self.pooling(words[:, self.question], codes.questions)
        return asked.gather(1, batch.question.unsqueeze(2).expand(-1, -1, asked.shape[2])), weights

    def questions(self, words: Tensor, ages: Tensor, batch: Batch, codes: Codes) -> Tensor:
        """The questions alone, (R, B, D)."""
        if self.pooling is not None:
            return self.pooled_questions(words, batch, codes)[0]
        rows = dictionary(words[:, self.question], ages[:, self.question], self.factors)
        return encoded(rows, codes.questions, batch.question)

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

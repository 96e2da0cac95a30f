"""Dynamic memory networks: DMN (Kumar et al. 2016, arXiv 1506.07285) and DMN+ (Xiong et al. 2016, arXiv 1603.01417).

input module     sentences -> facts f_i
question module  GRU over the question's words -> q, m^0 = q
episodic memory  pass t: gates g_i = align(gate(f_i, m^{t-1}, q)), episode e^t = read(g, f), m^t = update(m^{t-1}, e^t, q)
answer module    one class from [m; q], or a GRU that decodes words

Few distinct sentences are encoded once a step, and what the recurrences need of them is one product with that table.
"""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import READS, SCORES, Attention, Trace, hops
from memnet.attention.align import Scheduled
from memnet.attention.score import Interaction, Score
from memnet.config.dmn import DMNConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes, numbers
from memnet.encode.vectors import Vectors
from memnet.models.decoders import WordByWord, scores
from memnet.models.encoders import FEW, Code, StoryWords, batch_table, code, dictionary, factors
from memnet.models.network import Network, Output
from memnet.nn.modules import GRUCell, Linear, dropout, gather_rows
from memnet.nn.random import Random
from memnet.nn.recurrence import by_gate, last, scan

FEW_QUESTIONS = 256  # distinct questions, all of which are read at every step


class Words(NamedTuple):
    """What a dynamic memory network knows of a data set: sentences and questions as lists of words, sentences as sums too."""

    sums: Code
    sentences: Tensor  # (U, L)  words, zero after the end
    lengths: Tensor  # (U,)
    questions: Tensor  # (U', L')
    question_lengths: Tensor  # (U',)

    def to(self, device: torch.device | str) -> Words:
        """On another device."""
        return Words(self.sums.to(device), *(part.to(device) for part in self[1:]))


def glorot(d_in: int, d_out: int) -> float:
    """The standard deviation of initial weights of Glorot & Bengio 2010, eq. 16, were they normal."""
    return math.sqrt(2 / (d_in + d_out))


def whole_stories(rows: Tensor, mask: Tensor) -> tuple[Tensor | slice, Tensor | slice]:
    """Which stories are no beginning of the next question's, (K,), and which of those each question's begins, (B,).

    Of sentences ``rows (R, B, M)`` where ``mask`` is. What is made of a sentence reading forwards is the same in both.
    While a network trains it is all stories: how many begin others would depend on the replicas beside it.
    """
    if torch.is_grad_enabled() or torch.compiler.is_exporting():
        return slice(None), slice(None)
    begins = ((rows[:, :-1] == rows[:, 1:]) & mask[:, 1:]) | ~mask[:, :-1]
    whole = F.pad(~begins.all(2).all(0), (0, 1), value=True)
    return whole.nonzero().squeeze(1), whole.cumsum(0) - whole.long()


class DMN(Network):
    """R networks; ``embedding (R, V, D)`` is the semantic memory, ``answer (R, V, 2 D or D)`` the words of answers."""

    Config = DMNConfig
    title = "A dynamic memory network"
    presets = ("dmn-plus", "dmn-plus")
    config: DMNConfig
    by_length = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1, "answer": 1}

    def __init__(self, config: DMNConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, words, square = config.dim, sizes.vocabulary, glorot(config.dim, config.dim)
        self.embedding = nn.Parameter(random.symmetric(words, dim, bound=math.sqrt(3)))
        self.question = GRUCell(dim, dim, random, square)
        self.forwards = GRUCell(dim, dim, random, square)
        self.backwards = GRUCell(dim, dim, random, square) if config.input == "fusion" else None
        gate: Score = (
            Interaction(2 * dim, dim, random, config.features)
            if config.score == "interaction"
            else SCORES[config.score](2 * dim if SCORES[config.score].context else dim, dim, random)
        )
        align = Scheduled(config.make_align(dim, random), random.replicas)
        self.attend = Attention(gate, align, READS[config.read](dim, random))
        self.end = nn.Parameter(random.normal(dim, std=square)) if config.stop else None
        self.layers, self.cell = None, None
        if config.update == "gru":
            self.cell = GRUCell(dim, dim, random, square)
        else:
            wide = glorot(3 * dim, dim)
            self.layers = nn.ModuleList([Linear(3 * dim, dim, random, std=wide) for _ in range(config.passes)])
        self.decoder = WordByWord(dim, random, dim, square) if config.decoder == "words" else None
        wide = dim if self.decoder else 2 * dim
        self.answer = nn.Parameter(random.normal(words, wide, std=glorot(wide, words)))
        self.given: Tensor
        self.known: Tensor
        if config.vectors == "keep":
            self.register_buffer("given", torch.zeros(words, dim))
            self.register_buffer("known", torch.zeros(words, 1))
        self.factors: Tensor
        self.register_buffer("factors", factors("pe", dim), persistent=False)

    @torch.no_grad()
    def start_from(self, vectors: Vectors) -> None:
        """Take the words' vectors from a file, to train them or to keep them."""
        self.embedding[:, vectors.known] = vectors.values[vectors.known].to(self.embedding)
        if self.config.vectors == "keep":
            self.given.copy_(vectors.values)
            self.known.copy_(vectors.known.unsqueeze(1))

    def semantic_memory(self) -> Tensor:
        """The words' vectors, (R, V, D), those of a file as they are where they are kept."""
        return torch.where(self.known > 0, self.given, self.embedding) if self.config.vectors == "keep" else self.embedding

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return self.config.align

    def num_choices(self, batch: Batch) -> int:
        """Every place up to the longest story's last."""
        return batch.width

    @property
    def noisy(self) -> bool:
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    def encode_data(self, data: Examples) -> Words:
        """Sentences and questions as words, sentences as sums of words."""
        tables = [numbers(part) for each in (data.sentences, data.questions) for part in (each.words, each.lengths)]
        return Words(code(data.sentences, "pe", self.sizes.vocabulary, self.sizes.longest, data.per_story), *tables)

    def forward(
        self,
        batch: Batch,
        encoded_data: Words,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers and the gates of every pass."""
        width = batch.width
        mask, rows = batch.mask[..., :width], batch.rows()[..., :width]
        facts = (
            self.fused(rows, encoded_data, mask, noise)
            if self.backwards is not None
            else self.by_word(rows, encoded_data, mask)
        )
        q = self.question_module(batch, encoded_data).unsqueeze(2).expand(-1, -1, samples, -1)  # (R, B, T, D)
        state, traces, nulls, passes = self.episodic_memory(facts, q, mask.unsqueeze(2), random)
        logits = self.answer_module(state, noise, given)
        return Output(logits, traces, nulls=nulls, passes=passes if self.config.stop else None)

    def fused(self, rows: Tensor, encoded_data: Words, mask: Tensor, noise: Random | None) -> Tensor:
        """Input module of DMN+: encoded sentences, then a GRU in both directions; facts in story order, (R, M, B, D)."""
        assert self.backwards is not None
        words, rate = self.semantic_memory(), self.config.dropout
        few = len(encoded_data.lengths) <= FEW
        sentences, rows = batch_table(dictionary(words, words[:, :0], self.factors), encoded_data.sums, rows)  # (R, U, D)
        if few:
            sentences = dropout(sentences, rate, noise)
        whole, of_question = whole_stories(rows, mask)
        inputs = []
        for way, stories in ((self.forwards, rows[:, whole]), (self.backwards, rows)):
            number = stories.transpose(1, 2)  # (R, M, B)
            if few:
                inputs.append([gather_rows(part, number) for part in by_gate(sentences, way)])
            else:
                inputs.append(by_gate(dropout(gather_rows(sentences, number), rate, noise), way))
        before, after = inputs
        there = mask.transpose(1, 2).float()
        forwards = scan(before, self.forwards.hidden)[:, :, of_question]
        return forwards + scan(after, self.backwards.hidden, there, reverse=True)

    def by_word(self, rows: Tensor, encoded_data: Words, mask: Tensor) -> Tensor:
        """Input module of DMN: a GRU over all words of a story, its states where sentences end; (R, M, B, D)."""
        whole, of_question = whole_stories(rows, mask)
        story = StoryWords.of(encoded_data.sentences, encoded_data.lengths, rows[:, whole], mask[:, whole])
        products = by_gate(self.semantic_memory(), self.forwards)
        states = scan([gather_rows(part, story.words.transpose(1, 2)) for part in products], self.forwards.hidden)
        end = (story.ends - 1).clamp(min=0).transpose(1, 2).unsqueeze(3)  # (R, M, B, 1)
        return states.gather(1, end.expand(-1, -1, -1, states.shape[3]))[:, :, of_question]

    def question_module(self, batch: Batch, encoded_data: Words) -> Tensor:
        """The last state of a GRU over each question's words, (R, B, D); every one of few distinct questions is read once."""
        words, lengths, number = encoded_data.questions, encoded_data.question_lengths, batch.question
        if few := len(words) <= FEW_QUESTIONS:
            words, lengths = words.expand(self.replicas, -1, -1), lengths.expand(self.replicas, -1)
        else:
            words, lengths = words[number], lengths[number]  # (R, B, L), (R, B)
        products = by_gate(self.semantic_memory(), self.question)
        steps = [gather_rows(part, words.transpose(1, 2)) for part in products]  # (R, L, U or B, D) each
        there = torch.arange(words.shape[2], device=words.device).unsqueeze(1) < lengths.unsqueeze(1)
        states = last(steps, self.question.hidden, there.float())
        return states.gather(1, number.unsqueeze(2).expand(-1, -1, states.shape[2])) if few else states

    def episodic_memory(
        self, facts: Tensor, q: Tensor, mask: Tensor, random: Random | None
    ) -> tuple[Tensor, list[Trace], list[Tensor | None], Tensor]:
        """Passes over ``facts (R, M, B, D)`` asked by ``q (R, B, T, D)``: the last memory and the question, (R, B, T, 2 D).

        Besides, what each pass read, the logits of its end, and how many passes each question took before that, (R, B).
        """
        value = facts.transpose(1, 2)
        memory = self.attend.prepare(value.contiguous(), value, context=q)
        going = torch.ones(q.shape[:3], dtype=torch.bool, device=q.device)
        passes = torch.zeros_like(q[..., 0])
        ends: list[Tensor | None] = []

        def end(state: Tensor, number: int) -> Tensor | None:
            ends.append(None if self.end is None else self.end_logit(state, q))
            return ends[-1]

        def update(state: Tensor, trace: Trace, number: int) -> Tensor:
            nonlocal going, passes
            if trace.null is not None:
                going = going & (trace.null >= trace.weights.amax(-1)).logical_not()
            passes = passes + going.to(passes)
            if self.cell is not None:
                new = self.cell(trace.output, state)
            else:
                assert self.layers is not None
                new = self.layers[number](torch.cat([state, trace.output, q], -1)).relu()
            return new if trace.null is None else torch.where(going.unsqueeze(-1), new, state)

        state, traces = hops([memory] * self.config.passes, update, q, mask, end, random=random)
        return torch.cat([state, q], -1), traces, ends, passes.mean(2)

    def end_logit(self, memory: Tensor, q: Tensor) -> Tensor:
        """How well the end-of-passes signal, as one more fact, answers ``memory`` and ``q (R, B, T, D)``: (R, B, T)."""
        assert self.end is not None
        signal = self.end[:, None, None].expand(-1, q.shape[1], -1, -1)
        query = torch.cat([memory, q], -1) if SCORES[self.config.score].context else memory
        logit: Tensor = self.attend.score(query, signal).squeeze(3)
        return logit

    def answer_module(self, state: Tensor, noise: Random | None, given: Tensor | None) -> Tensor:
        """From memory and question (R, B, T, 2 D) the scores of one class or of words, (R, B, T, A, V)."""
        state = dropout(state, self.config.dropout, noise)
        if self.decoder is None:
            return scores(state, self.answer).unsqueeze(3)
        memory, q = state.chunk(2, -1)
        again = None if given is None else given.unsqueeze(2).expand(-1, -1, state.shape[2], -1)
        return self.decoder(memory, self.answer, self.sizes.answer, again, q)  # type: ignore[no-any-return]

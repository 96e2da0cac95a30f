"""Dynamic memory networks: DMN (Kumar et al. 2016, arXiv 1506.07285) and DMN+ (Xiong et al. 2016, arXiv 1603.01417).

input module     sentences -> facts f_i
question module  GRU over the question's words -> q, m^0 = q
episodic memory  pass t: gates g_i = align(gate(f_i, m^{t-1}, q)), episode e^t = read(g, f), m^t = update(m^{t-1}, e^t, q)
answer module    one class from [m; q], or a GRU that tells words

Every distinct sentence is encoded once a step, and what the recurrences need of it is one product with that table.
"""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import ALIGNS, Trace
from memnet.attention.align import NEVER
from memnet.attention.read import AttentionGRU, GatedGRU
from memnet.attention.score import Interaction
from memnet.batch import Batch, Examples, Sizes
from memnet.config import DMNConfig
from memnet.decode import WordByWord, scores
from memnet.encode import Code, StoryWords, code, dictionary, factors, table
from memnet.models.network import Network, Output
from memnet.recurrence import by_gate, last, scan
from memnet.replicated import GRUCell, Linear, Random, dropout, picked
from memnet.vectors import Vectors


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
    if torch.is_grad_enabled():
        return slice(None), slice(None)
    begins = ((rows[:, :-1] == rows[:, 1:]) & mask[:, 1:]) | ~mask[:, :-1]
    whole = F.pad(~begins.all(2).all(0), (0, 1), value=True)
    return whole.nonzero().squeeze(1), whole.cumsum(0) - whole.long()


class DMN(Network):
    """R networks; ``embedding (R, V, D)`` is the semantic memory, ``answer (R, V, 2 D or D)`` the words of answers."""

    Config = DMNConfig
    config: DMNConfig
    by_length = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1, "answer": 1}

    def __init__(self, config: DMNConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, words, square = config.dim, sizes.vocabulary, glorot(config.dim, config.dim)
        self.embedding = nn.Parameter(math.sqrt(3) * (2 * random.uniform(words, dim) - 1))
        self.question = GRUCell(dim, dim, random, square)
        self.forwards = GRUCell(dim, dim, random, square)
        self.backwards = GRUCell(dim, dim, random, square) if config.input == "fusion" else None
        self.gate = Interaction(2 * dim, dim, random, config.features)
        self.align = ALIGNS[config.align](2 * dim, random, 0.0)
        self.episode = (GatedGRU if config.read == "gated_gru" else AttentionGRU)(dim, random)
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
    def noisy(self) -> bool:  # type: ignore[override]
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    def codes(self, data: Examples) -> Words:
        """Sentences and questions as words, sentences as sums of words."""
        per_story = float(data.count.float().mean()) if len(data) else 0.0
        tables = [torch.from_numpy(part) for told in (data.sentences, data.questions) for part in (told.words, told.lengths)]
        return Words(code(data.sentences, "pe", self.sizes.vocabulary, self.sizes.longest, per_story), *tables)

    def forward(
        self, batch: Batch, codes: Words, random: Random | None = None, samples: int = 1, given: Tensor | None = None
    ) -> Output:
        """Answers and the gates of every pass."""
        width = batch.width
        mask, rows = batch.mask[..., :width], batch.rows()[..., :width]
        told = self.fused(rows, codes, mask, random) if self.backwards is not None else self.by_word(rows, codes, mask)
        state, traces, nulls, passes = self.episodic_memory(told, self.question_module(batch, codes), mask.unsqueeze(2))
        logits = self.answer_module(state, random, given).unsqueeze(2)
        return Output(logits, traces, nulls=nulls, passes=passes if self.config.stop else None)

    def fused(self, rows: Tensor, codes: Words, mask: Tensor, random: Random | None) -> Tensor:
        """Input module of DMN+: encoded sentences, then a GRU in both directions; facts in story order, (R, M, B, D)."""
        assert self.backwards is not None
        words = self.semantic_memory()
        sentences = dropout(
            table(dictionary(words, words[:, :0], self.factors), codes.sums), self.config.dropout, random
        )  # (R, U, D)
        whole, of_question = whole_stories(rows, mask)
        before, after = (
            [picked(part, told.transpose(1, 2)) for part in by_gate(sentences, way)]
            for way, told in ((self.forwards, rows[:, whole]), (self.backwards, rows))
        )
        there = mask.transpose(1, 2).float()
        forwards = scan(before, self.forwards.hidden)[:, :, of_question]
        return forwards + scan(after, self.backwards.hidden, there, reverse=True)

    def by_word(self, rows: Tensor, codes: Words, mask: Tensor) -> Tensor:
        """Input module of DMN: a GRU over all words of a story, its states where sentences end; (R, M, B, D)."""
        whole, of_question = whole_stories(rows, mask)
        story = StoryWords.of(codes.sentences, codes.lengths, rows[:, whole], mask[:, whole])
        products = by_gate(self.semantic_memory(), self.forwards)
        states = scan([picked(part, story.words.transpose(1, 2)) for part in products], self.forwards.hidden)
        end = (story.ends - 1).clamp(min=0).transpose(1, 2).unsqueeze(3)  # (R, M, B, 1)
        return states.gather(1, end.expand(-1, -1, -1, states.shape[3]))[:, :, of_question]

    def question_module(self, batch: Batch, codes: Words) -> Tensor:
        """The last state of a GRU over each question's words, (R, B, D); every distinct question is read once."""
        words = by_gate(self.semantic_memory(), self.question)
        products = [part[:, codes.questions.T] for part in words]  # (R, L, U, D) each
        told = torch.arange(len(codes.questions.T), device=codes.questions.device).unsqueeze(1) < codes.question_lengths
        states = last(products, self.question.hidden, told.float().expand(self.replicas, -1, -1))
        return states.gather(1, batch.question.unsqueeze(2).expand(-1, -1, states.shape[2]))

    def episodic_memory(self, told: Tensor, q: Tensor, mask: Tensor) -> tuple[Tensor, list[Trace], list[Tensor | None], Tensor]:
        """Passes over facts ``told (R, M, B, D)``: the last memory and the question, (R, B, 2 D), and what each pass read.

        Last, how many passes each question took before the end was signalled, (R, B).
        """
        facts, products = told.transpose(1, 2).contiguous(), by_gate(told, self.episode)
        beside, memory = self.gate.beside(q.unsqueeze(2), facts), q  # (R, B, 1, M, D)
        going = torch.ones(q.shape[:2], dtype=torch.bool, device=q.device)
        traces, passes = list[Trace](), torch.zeros_like(q[..., 0])
        ends: list[Tensor | None] = []
        for number in range(self.config.passes):
            asked = memory.unsqueeze(2)
            logits = self.gate.compared(beside, asked, facts).masked_fill(~mask, NEVER)  # (R, B, 1, M)
            end = None
            if self.end is not None:
                signal = self.end[:, None, None].expand(-1, q.shape[1], -1, -1)
                end = self.gate(torch.cat([memory, q], -1).unsqueeze(2), signal).squeeze(3)  # (R, B, 1)
            weights, null, _ = self.align(logits, mask, None, null=end)
            if null is not None:
                going = going & (null >= weights.amax(-1)).logical_not().squeeze(2)
            episode = last(products, self.episode.hidden, weights.squeeze(2).transpose(1, 2))
            if self.cell is not None:
                new = self.cell(episode, memory)
            else:
                assert self.layers is not None
                new = self.layers[number](torch.cat([memory, episode, q], -1)).relu()
            memory = new if null is None else torch.where(going.unsqueeze(2), new, memory)
            passes = passes + going.to(passes)
            traces.append(Trace(episode.unsqueeze(2), weights, logits, None, null))
            ends.append(end)
        return torch.cat([memory, q], -1), traces, ends, passes

    def answer_module(self, state: Tensor, random: Random | None, given: Tensor | None) -> Tensor:
        """From memory and question (R, B, 2 D) the scores of one class or of words, (R, B, A, V)."""
        state = dropout(state, self.config.dropout, random)
        if self.decoder is None:
            return scores(state, self.answer).unsqueeze(2)
        memory, q = state.chunk(2, -1)
        return self.decoder(memory, self.answer, self.sizes.answer, given, q)  # type: ignore[no-any-return]

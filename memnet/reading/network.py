"""A reader: words with vectors, a memory of words, questions that read it, answers as spans of the story.

    statements  ->  words (B, S, D), each reads the story up to the end of its own statement
    questions   ->  words (B, Q W, D), each reads its question and the story as told when it was asked; nobody reads questions
    answer      ->  one of :data:`ANSWERS`; how likely each span of the story is; which statements support it

Every layer is one :class:`~memnet.attention.Attention` (scaled dot product, softmax, weighted sum) with a bias: whether two
words are equal, how many statements lie between them and, for a question, :data:`~memnet.reading.tokens.OVERLAPS`. The last
layers are hops: the question alone reads the story that is understood by then (Sukhbaatar et al. 2015). What points at first
words, last words and evidence are attentions too (pointer networks, Vinyals et al. 2015; for answers, Wang & Jiang 2017); a
span also counts as much as its two ends go together and as its width suits the question.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from memnet.attention import Attention, scaled_dot, softmax, weighted_sum
from memnet.reading.in_numpy import Reader as NumpyReader
from memnet.reading.kinds import ANSWERS, FAR, NEIGHBOURS, NEVER, POINTERS, REASONS, WIDEST, ReaderConfig
from memnet.reading.tokens import CAPITAL, EMBEDDING, ENDING, LONGEST, MARKER, OVERLAPS, POSITION, ROW, SUMMARY
from memnet.reading.words import EMBEDDINGS, ENDINGS


class Batch(NamedTuple):
    """Stories and their questions, padded; S words, Q questions of W words in all."""

    story: Tensor  # (B, S, 6)
    statement: Tensor  # (B, S), -1 where there is no word
    weight: Tensor  # (B, S)
    questions: Tensor  # (B, W, 6) one question after another; each begins with the word ASK
    owner: Tensor  # (B, W) which question each word is of, -1 where there is no word
    present: Tensor  # (B, W) 0 no word, 1 one that the story lacks, 2 one that it has
    begin: Tensor  # (B, Q) where each question begins
    after: Tensor  # (B, Q), 0 where there is no question
    overlap: Tensor  # (B, 8, Q, S)
    summary: Tensor  # (B, Q, 4)
    markers: Tensor  # (B, N, marker_dim), a random direction for every marker, zeros for 0


class Memory(NamedTuple):
    """A story that was read: its words at every layer, and what no question changes of them."""

    layers: list[Tensor]  # (B, S, D) each; the last is what hops read and pointers point at
    batch: Batch


class Output(NamedTuple):
    """What a reader makes of questions."""

    answer: Tensor  # (B, Q, len(ANSWERS)) logits
    reason: Tensor  # (B, Q, len(REASONS)) logits
    spans: Tensor  # (B, Q, S, WIDEST) log-probabilities of spans by their first word and how many follow it
    evidence: Tensor  # (B, Q, S) log-probabilities of words


class Layer(nn.Module):
    """Attention over words and a network of two layers for each, both added to what was there (Vaswani et al. 2017)."""

    def __init__(self, config: ReaderConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.attend = Attention(scaled_dot, softmax, weighted_sum)
        self.before, self.between = nn.LayerNorm(config.dim), nn.LayerNorm(config.dim)
        self.query = nn.Linear(config.dim, config.dim, bias=False)
        self.key_value = nn.Linear(config.dim, 2 * config.dim, bias=False)
        self.out = nn.Linear(config.dim, config.dim)
        self.hidden, self.again = nn.Linear(config.dim, config.hidden), nn.Linear(config.hidden, config.dim)
        self.drop = nn.Dropout(0.0)  # training says how much
        first = torch.zeros(3, config.heads)  # equal words, the same statement, distance
        first[0, 0], first[0, -1], first[1, 1 % config.heads], first[2, -1] = 4.0, 2.5, 2.0, -0.3
        self.prefer = nn.Parameter(first)
        overlap = torch.zeros(len(OVERLAPS), config.heads)
        overlap[0, 0] = overlap[1, 0] = 2.0
        overlap[0, 2 % config.heads] = overlap[1, 2 % config.heads] = 1.0
        self.prefer_overlap = nn.Parameter(overlap)
        with torch.no_grad():
            self.out.weight *= 0.5
            self.again.weight *= 0.5

    def split(self, x: Tensor) -> Tensor:
        """(B, N, D) -> (B, H, N, D / H)."""
        heads: Tensor = x.unflatten(-1, (self.heads, -1))
        return heads.transpose(1, 2)

    def memory(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of words, (B, H, N, D / H) each."""
        key, value = self.key_value(self.before(x)).chunk(2, -1)
        return self.split(key), self.split(value)

    def forward(self, x: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> Tensor:
        """Words (B, N, D) read a memory; ``bias (B, H, N, M)``."""
        trace = self.attend(self.split(self.query(self.before(x))), key, value, bias=bias)
        x = x + self.drop(self.out(trace.output.transpose(1, 2).flatten(2)))
        added: Tensor = self.drop(self.again(F.relu(self.hidden(self.between(x)))))
        return x + added


class Reader(nn.Module):
    """A network that reads stories in ordinary English; see the module's docstring."""

    vectors: Tensor

    def __init__(self, config: ReaderConfig, vectors: NDArray[np.float32]) -> None:
        super().__init__()
        self.config = config
        dim = config.dim
        self.register_buffer("vectors", torch.from_numpy(np.array(vectors)), persistent=False)
        self.from_vector = nn.Linear(config.vectors, dim, bias=False)
        self.from_marker = nn.Linear(config.marker_dim, dim, bias=False)
        self.embedding, self.ending = nn.Embedding(EMBEDDINGS, dim), nn.Embedding(ENDINGS + 1, dim)
        self.position, self.capital = nn.Embedding(LONGEST + 1, dim), nn.Embedding(2, dim)
        self.present, self.summary = nn.Embedding(3, dim), nn.Linear(len(SUMMARY), dim)
        self.in_question = nn.Parameter(torch.zeros(dim))
        self.near = nn.ModuleList(nn.Linear((2 * NEIGHBOURS + 1) * dim, dim) for _ in range(2))
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.norm, self.drop = nn.LayerNorm(dim), nn.Dropout(0.0)
        self.point = Attention(scaled_dot, softmax, weighted_sum)
        self.point_key = nn.Linear(dim, len(POINTERS) * config.pointer_dim, bias=False)
        self.point_query = nn.Linear(dim, len(POINTERS) * config.pointer_dim)
        self.point_overlap = nn.Linear(dim, len(POINTERS) * len(OVERLAPS))
        self.phrase, self.width = nn.Linear(dim, 2 * config.phrase_dim), nn.Linear(dim, WIDEST)
        self.decide = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, len(ANSWERS) + len(REASONS)))
        self._initialise()

    def in_numpy(self) -> NumpyReader:
        """With its weights as they are now, to answer with."""
        weights = {name: value.detach().cpu().float().numpy() for name, value in self.named_parameters()}
        return NumpyReader(self.config, self.vectors.cpu().numpy(), weights)

    @torch.no_grad()
    def _initialise(self) -> None:
        for module, std in (
            (self.from_vector, 0.07),
            (self.from_marker, 0.06),
            (self.embedding, 0.5),
            (self.ending, 0.2),
            (self.position, 0.1),
            (self.capital, 0.1),
            (self.present, 0.1),
        ):
            nn.init.normal_(module.weight, std=std)
        self.ending.weight[0] = 0
        self.summary.weight *= 0.3
        self.point_overlap.weight *= 0.1
        self.point_overlap.bias.zero_()
        self.point_overlap.bias.view(len(POINTERS), -1)[:, :2] = 2.0  # statements that share words with the question
        self.point_overlap.bias.view(len(POINTERS), -1)[:2, 5] = -2.0  # but not these words themselves

    def embed(self, words: Tensor, markers: Tensor) -> Tensor:
        """Words (B, ..., 6) with markers (B, N, M) -> (B, ..., D)."""
        number = words[..., MARKER]
        marked = torch.take_along_dim(markers, number.unsqueeze(-1), 1).to(self.from_marker.weight.dtype)
        vector = F.embedding(words[..., ROW], self.vectors).to(self.from_vector.weight.dtype)
        x = self.from_vector(vector) + self.from_marker(marked) + self.embedding(words[..., EMBEDDING])
        return x + self.ending(words[..., ENDING]) + self.position(words[..., POSITION]) + self.capital(words[..., CAPITAL])  # type: ignore[no-any-return]

    def neighbours(self, x: Tensor, sentence: Tensor) -> Tensor:
        """Each word sees the two on each side in its own sentence, twice: (B, L, D), (B, L) -> (B, L, D)."""
        length = x.shape[1]
        ends = F.pad(sentence, (NEIGHBOURS, NEIGHBOURS), value=-2)
        same = [(ends[:, at : at + length] == sentence).unsqueeze(-1).to(x.dtype) for at in range(2 * NEIGHBOURS + 1)]
        for near in self.near:
            wide = F.pad(x, (0, 0, NEIGHBOURS, NEIGHBOURS))
            window = torch.cat([wide[:, at : at + length] * same[at] for at in range(2 * NEIGHBOURS + 1)], -1)
            x = x + F.relu(near(window))
        return x

    def read(self, batch: Batch) -> Memory:
        """Read stories, once for all their questions."""
        x = self.neighbours(self.drop(self.embed(batch.story, batch.markers)), batch.statement)
        at = batch.statement
        distance = at.unsqueeze(2) - at.unsqueeze(1)  # (B, S, S)
        features = torch.stack([equal(batch.story, batch), distance == 0, distance.clamp(0, FAR)], 1).to(x.dtype)
        never = NEVER * ((distance < 0) | (at < 0).unsqueeze(1)).to(x.dtype).unsqueeze(1)
        found = []
        for layer in self.layers[: -self.config.hops]:
            found.append(x)
            x = layer(x, *layer.memory(x), biases(layer.prefer, features) + never)  # type: ignore[operator, arg-type]
        return Memory([*found, x], batch)

    def forward(self, batch: Batch, memory: Memory | None = None) -> Output:
        """Answer the questions of a batch; ``memory`` is the story's where it was read before."""
        memory = self.read(batch) if memory is None else memory
        x = self.embed(batch.questions, batch.markers) + self.in_question + self.present(batch.present)
        summary = self.summary(batch.summary.to(x.dtype)) * (batch.after > 0).unsqueeze(-1)
        x = x.scatter_add(1, batch.begin.unsqueeze(-1).expand(-1, -1, x.shape[2]), summary)
        x = self.neighbours(self.drop(x), batch.owner)
        owner = batch.owner.clamp(min=0)  # (B, W)
        distance = (batch.after.unsqueeze(2) - batch.statement.unsqueeze(1)).clamp(0, FAR)  # (B, Q, S)
        unreadable = (batch.statement.unsqueeze(1) >= batch.after.unsqueeze(2)) | (batch.statement < 0).unsqueeze(1)
        same = equal(batch.questions, batch)  # (B, W, S)
        to_story = torch.stack([same, torch.zeros_like(same), of_words(distance, owner)], 1).to(x.dtype)
        never = NEVER * of_words(unreadable, owner).to(x.dtype).unsqueeze(1)
        overlap = torch.stack([of_words(each, owner) for each in batch.overlap.to(x.dtype).unbind(1)], 1)
        to_story = torch.cat([to_story, overlap], 1)  # (B, 3 + 8, W, S)
        other = NEVER * (batch.owner.unsqueeze(2) != batch.owner.unsqueeze(1)).to(x.dtype).unsqueeze(1)  # (B, 1, W, W)
        words = x
        for place, layer in enumerate(self.layers):
            assert isinstance(layer, Layer)
            understood = place - len(memory.layers) + 1
            if understood == 0:  # from here on only the first word of each question reads
                first = batch.begin.unsqueeze(-1)
                x, other = torch.take_along_dim(words, first, 1), torch.take_along_dim(other, first.unsqueeze(1), 2)
                to_story = torch.take_along_dim(to_story, first.unsqueeze(1), 2)
                never = torch.take_along_dim(never, first.unsqueeze(1), 2)
            story_key, story_value = layer.memory(memory.layers[min(place, len(memory.layers) - 1)])
            key, value = layer.memory(words)
            bias = biases(torch.cat([layer.prefer, layer.prefer_overlap]), to_story) + never
            bias = torch.cat([bias, other.expand(-1, layer.heads, -1, -1)], 3)
            x = layer(x, torch.cat([story_key, key], 2), torch.cat([story_value, value], 2), bias)
            words = x if understood < 0 else words
        return self.answer(self.norm(x), self.norm(memory.layers[-1]), batch, unreadable)

    def answer(self, x: Tensor, story: Tensor, batch: Batch, unreadable: Tensor) -> Output:
        """Point at words of the story (B, S, D) for questions (B, Q, D), and decide."""
        three = (len(POINTERS), -1)
        key = self.point_key(story).unflatten(-1, three).transpose(1, 2)  # (B, 3, S, P)
        query = self.point_query(x).unflatten(-1, three).transpose(1, 2)
        prefer = self.point_overlap(x).unflatten(-1, three)  # (B, Q, 3, 8)
        bias = torch.einsum("bqpf,bfqs->bpqs", prefer, batch.overlap.to(x.dtype)) + NEVER * unreadable.to(x.dtype).unsqueeze(1)
        value = story.unsqueeze(1).expand(-1, len(POINTERS), -1, -1)
        trace = self.point(query * 2, key, value, bias=bias)
        said = self.decide(torch.cat([x, trace.output[:, -1]], -1))
        answer, reason = said.float().split((len(ANSWERS), len(REASONS)), -1)
        start, end, evidence = trace.logits.float().unbind(1)
        fits, ends = windows(batch.statement, -2) == batch.statement.unsqueeze(-1), windows(end, NEVER)
        suits = self.phrases(story).float().unsqueeze(1) + self.width(x).float().unsqueeze(2)  # (B, Q, S, WIDEST)
        spans = (start.unsqueeze(-1) + ends + suits).masked_fill(~fits.unsqueeze(1), 2 * NEVER)
        return Output(answer, reason, spans.flatten(2).log_softmax(-1).view(spans.shape), evidence.log_softmax(-1))

    def phrases(self, story: Tensor) -> Tensor:
        """How much each word and each that follows it are the ends of one phrase, (B, S, D) -> (B, S, WIDEST)."""
        first, last = self.phrase(story).chunk(2, -1)
        ends = windows(last.transpose(1, 2), 0.0)  # (B, P, S, WIDEST)
        found: Tensor = torch.einsum("bsp,bpsw->bsw", first, ends)
        return found


def windows(x: Tensor, beyond: float) -> Tensor:
    """Of each word those from it on: (..., S) -> (..., S, WIDEST), with ``beyond`` after the last."""
    return F.pad(x, (0, WIDEST - 1), value=beyond).unfold(-1, WIDEST, 1)


def biases(prefer: Tensor, features: Tensor) -> Tensor:
    """What heads prefer: (F, H), (B, F, N, M) -> (B, H, N, M)."""
    found: Tensor = (prefer.t() @ features.flatten(2)).unflatten(2, features.shape[2:])
    return found


def equal(words: Tensor, batch: Batch) -> Tensor:
    """How much it says that words (B, N, 6) are those of the story, (B, N, S)."""
    same = words[..., MARKER].unsqueeze(2) == batch.story[..., MARKER].unsqueeze(1)
    return same * batch.weight.unsqueeze(1)


def of_words(x: Tensor, owner: Tensor) -> Tensor:
    """Of each question to each of its words, (B, Q, S), (B, W) -> (B, W, S)."""
    return torch.take_along_dim(x, owner.unsqueeze(-1), 1)

"""The Transformer (Vaswani et al. 2017, arXiv 1706.03762) over a story, plain and universal (Dehghani et al. 2019, 1807.03819).

sentences: sum of words x learned masks of their places -> a vector each; the question likewise, one element more
layer t    x = x + self-attention(norm x),  x = x + feed-forward(norm x)   with weights of its own, or (universal) the same,
           repeated with a signal of the step, so many times or until each element halts (ACT, Graves 2016, 1603.08983)
answer     source-target attention from the question to the story, one class from what it read, or words
"""

from __future__ import annotations

import math
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import ALIGNS, READS, SCORES, Attention, MultiHead, Trace
from memnet.batch import Batch, Examples, Sizes
from memnet.config import TransformerConfig
from memnet.decode import WordByWord, scores
from memnet.encode import Code, StoryWords, of_statements, placed, table
from memnet.models.network import Network, Output
from memnet.replicated import LayerNorm, Linear, Random, dropout, picked, sigmoid

SLOWEST = 100.0  # the slowest sine is so many times slower than the fastest: stories have tens of statements
BEFORE = 3.0  # what the first head of a layer likes the element before at first, in its score
HALT = 0.99  # an element halts when its halting probabilities sum to more (Graves 2016, 1 - epsilon)


class Codes(NamedTuple):
    """Sentences and questions as words in places."""

    sentences: Code
    questions: Code
    words: Tensor  # (U, L)  of the sentences

    def to(self, device: torch.device | str) -> Codes:
        """On another device."""
        return Codes(self.sentences.to(device), self.questions.to(device), self.words.to(device))


class Elements(NamedTuple):
    """What attends to itself: the story's N - 1 elements and last the question."""

    x: Tensor  # (R, B, N, D)  sums of words
    times: Tensor  # (R, B, N, D)  signals of their ages or places
    mask: Tensor  # (R, B, 1, N)  which there are
    place: Tensor  # (R, B, N)  among those, from 1
    sentence: Tensor  # (R, B, N)  the statement that each is of, or -1


class Layer(nn.Module):
    """Self-attention and a feed-forward network, each normed before and added after."""

    def __init__(self, config: TransformerConfig, random: Random) -> None:
        super().__init__()
        dim, std = config.dim, config.dim**-0.5
        self.attend_norm, self.feed_norm = LayerNorm(dim, random), LayerNorm(dim, random)
        self.attend = heads(config, random, config.reach)
        if self.attend.near is not None:
            with torch.no_grad():
                self.attend.near[:, config.reach + 1, 0] += BEFORE
        self.inner = Linear(dim, config.hidden, random, std=std)
        self.outer = Linear(config.hidden, dim, random, std=config.hidden**-0.5)
        self.rate = config.dropout

    def forward(
        self, x: Tensor, mask: Tensor, place: Tensor, random: Random | None, drawn: Random | None
    ) -> tuple[Tensor, Trace]:
        """``x (R, B, N, D)``, ``mask (R, B, 1, N)``, ``place (R, B, N)`` of each element -> the same, and what each read."""
        normed = self.attend_norm(x)
        trace: Trace = self.attend(normed, normed, mask=mask, position=place, random=drawn)
        x = x + dropout(trace.output, self.rate, random)
        inner = self.inner(self.feed_norm(x)).relu()
        return x + dropout(self.outer(inner), self.rate, random), trace


def heads(config: TransformerConfig, random: Random, reach: int = 0) -> MultiHead:
    """Attention of ``config.heads`` heads, with any score and alignment of the core."""
    width = config.dim // config.heads
    one = Attention(
        SCORES[config.score](width, width, random),
        ALIGNS[config.align](width, random, config.window),
        READS["weighted_sum"](width, random),
    )
    return MultiHead(config.dim, config.heads, one, random, std=config.dim**-0.5, reach=reach)


class Transformer(Network):
    """R networks; ``embedding (R, V, D)``, ``masks (R, L, D)`` of the words' places in a sentence, ``answer (R, V, D)``."""

    Config = TransformerConfig
    config: TransformerConfig
    by_length = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1, "answer": 1}

    def __init__(self, config: TransformerConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, words = config.dim, sizes.vocabulary
        self.embedding = nn.Parameter(random.normal(words, dim, std=1.0))
        self.masks = nn.Parameter(1 + random.normal(max(1, sizes.longest), dim, std=config.places))
        self.asked = nn.Parameter(random.normal(dim, std=1.0))  # added to the question
        self.layers = nn.ModuleList([Layer(config, random) for _ in range(1 if config.universal else config.layers)])
        self.halt = Linear(dim, 1, random, std=dim**-0.5) if config.halting == "act" else None
        if self.halt is not None and self.halt.bias is not None:
            nn.init.ones_(self.halt.bias)
        self.norm, self.query_norm, self.last_norm = (LayerNorm(dim, random) for _ in range(3))
        self.read = heads(config, random)
        self.decoder = WordByWord(dim, random, std=dim**-0.5) if config.decoder == "words" else None
        self.answer = nn.Parameter(random.normal(words, dim, std=dim**-0.5))

    @property
    def noisy(self) -> bool:  # type: ignore[override]
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    @property
    def samples(self) -> int:  # type: ignore[override]
        """Addresses drawn for a question while training."""
        return self.config.samples if self.config.align == "hard" else 0

    def lengths(self, data: Examples) -> Tensor:
        """In what attends to itself, sentences or words."""
        return data.words() if self.config.elements == "words" else data.count

    def codes(self, data: Examples) -> Codes:
        """Sentences and questions as words in places."""
        per_story = float(data.count.float().mean()) if len(data) else 0.0
        told = ((data.sentences, per_story), (data.questions, 0.0))
        sentences, questions = (placed(part, self.sizes.vocabulary, max(1, self.sizes.longest), many) for part, many in told)
        return Codes(sentences, questions, torch.from_numpy(data.sentences.words))

    def forward(
        self, batch: Batch, codes: Codes, random: Random | None = None, samples: int = 1, given: Tensor | None = None
    ) -> Output:
        """Answers; a trace a layer, of what the question read, and one of the last reading."""
        noise = random if self.config.dropout > 0 else None
        drawn = random if self.config.align == "hard" and (self.samples or samples > 1) else None
        parts = self.elements(batch, codes)
        if samples > 1:
            parts = Elements(*(part.repeat_interleave(samples, 1) for part in parts))
        mask, place, sentence = parts.mask, parts.place, parts.sentence
        x, traces, ponder, steps = self.encoder(parts, noise, drawn)
        story, question = self.norm(x[:, :, :-1]), x[:, :, -1:]
        told = mask[..., :-1]
        last: Trace = self.read(self.query_norm(question), story, mask=told, position=place[:, :, -1:], random=drawn)
        if last.log_prob is not None:
            last = last._replace(log_prob=last.log_prob.sum((2, 3)))
        traces.append(last)
        state = dropout(self.last_norm(question + dropout(last.output, self.config.dropout, noise)), self.config.dropout, noise)
        state = state.squeeze(2).unflatten(1, (-1, samples))  # (R, B, T, D)
        if self.decoder is None:
            logits = scores(state, self.answer).unsqueeze(3)
        else:
            again = None if given is None else given.unsqueeze(2).expand(-1, -1, samples, -1)
            logits = self.decoder(state, self.answer, self.sizes.answer, again)
        places = batch.mask.shape[2]
        penalty = None if ponder is None else self.config.ponder * ponder.mean(1)
        shown = [asked(trace, sentence, places, samples) for trace in traces]
        told_steps = None if steps is None else steps.unflatten(1, (-1, samples)).mean(2)
        if self.config.heads == 1 or random is not None:
            return Output(logits, shown, penalty, steps=told_steps)
        same = torch.stack([likeness(trace) for trace in traces], 2).unflatten(1, (-1, samples)).mean(2)
        heads = [by_head(trace, sentence, places).unflatten(1, (-1, samples)).mean(2) for trace in traces]
        return Output(logits, shown, penalty, steps=told_steps, alike=same, heads=heads)

    def elements(self, batch: Batch, codes: Codes) -> Elements:
        """What attends to itself."""
        rows = (self.embedding.unsqueeze(1) * self.masks.unsqueeze(2)).flatten(1, 2)  # (R, L V, D)
        width = batch.width
        memory, there, age = (part[..., :width] for part in (batch.rows(), batch.mask, batch.spread(batch.age + 1)))
        sentence = torch.arange(width, device=memory.device).expand_as(memory)
        if self.config.elements == "words":
            story = StoryWords.of(codes.words, codes.sentences.lengths, memory, there)
            told, there, sentence = picked(self.embedding, story.words), story.there, story.sentence
            age = (there.sum(2, keepdim=True) - torch.arange(told.shape[2], device=memory.device)).clamp(min=0)
        else:
            told = picked(table(rows, codes.sentences), memory)
        question = picked(table(rows, codes.questions), batch.question).unsqueeze(2) + self.asked[:, None, None]
        here = torch.arange(told.shape[2], device=memory.device).expand_as(sentence)
        count = there.sum(2, keepdim=True)
        x, place = torch.cat([told, question], 2), torch.cat([here, count], 2)
        times = torch.zeros_like(x)
        if self.config.time in ("age", "both"):
            times = times + self.signal(F.pad(age, (0, 1)))
        if self.config.time in ("absolute", "both"):
            times = times + self.signal(place)
        mask = torch.cat([there, torch.ones_like(there[..., :1])], 2)
        return Elements(x, times, mask.unsqueeze(2), place + 1, F.pad(sentence, (0, 1), value=-1))

    def signal(self, number: Tensor) -> Tensor:
        """Sines and cosines of places or steps (Vaswani et al. 2017, section 3.5, but for SLOWEST), (...) -> (..., D)."""
        half = self.config.dim // 2
        speed = torch.exp(torch.arange(half, device=number.device) * (-math.log(SLOWEST) / max(1, half - 1)))
        angle = number.unsqueeze(-1) * speed
        return F.pad(torch.cat([angle.sin(), angle.cos()], -1), (0, self.config.dim - 2 * half))

    def encoder(
        self, parts: Elements, noise: Random | None, drawn: Random | None
    ) -> tuple[Tensor, list[Trace], Tensor | None, Tensor | None]:
        """All layers or steps: the elements, a trace each, and with adaptive halting the ponder cost and the steps, (R, B).

        A universal Transformer is told the times of its elements and the step before every step, a plain one the times once.
        """
        config, traces = self.config, list[Trace]()
        mask, place, x = parts.mask, parts.place, dropout(parts.x, self.config.dropout, noise)
        there = mask.squeeze(2).to(x)  # (R, B, N)
        halted, left, steps, mixed = torch.zeros_like(there), torch.zeros_like(there), torch.zeros_like(there), x
        for number in range(config.layers):
            layer = self.layers[0 if config.universal else number]
            if number == 0 or config.universal:
                x = x + parts.times
            if config.universal:
                x = x + self.signal(torch.tensor(number, device=x.device))
            weight = None
            if self.halt is not None:  # Graves 2016, section 2; the last step takes what is left
                chance = sigmoid(self.halt(x).squeeze(3))
                running = (halted < 1).to(x)
                ends = running * ((halted + chance > HALT) | torch.tensor(number == config.layers - 1, device=x.device)).to(x)
                rest = ends * (1 - halted)
                weight = running * (1 - ends) * chance + rest
                halted, left, steps = torch.where(ends > 0, 1.0, halted + running * chance), left + rest, steps + running
            x, trace = layer(x, mask, place, noise, drawn)
            if trace.log_prob is not None:  # of the elements that are there, by all heads
                trace = trace._replace(log_prob=(trace.log_prob * there.unsqueeze(2)).sum((2, 3)))
            traces.append(of_question(trace))
            if weight is not None:
                mixed = x * weight.unsqueeze(3) if number == 0 else mixed + x * weight.unsqueeze(3)
        if self.halt is None:
            return x, traces, None, None
        number_of = there.sum(2)
        return mixed, traces, ((steps + left) * there).sum(2) / number_of, (steps * there).sum(2) / number_of


def of_question(trace: Trace) -> Trace:
    """What the last element, the question, read; what the others read, N times as much, need not be kept."""
    return trace._replace(weights=trace.weights[..., -1:, :].clone(), logits=trace.logits[..., -1:, :].clone())


def likeness(trace: Trace) -> Tensor:
    """The mean cosine between what two heads read for the question, of weights (R, B, H, Q, N): (R, B)."""
    unit = F.normalize(trace.weights[:, :, :, -1], dim=-1)
    heads = unit.shape[2]
    return (unit.sum(2).square().sum(-1) - unit.square().sum((2, 3))) / (heads * (heads - 1))


def by_head(trace: Trace, sentence: Tensor, places: int) -> Tensor:
    """What each head read of the statements for the question, as :func:`asked` tells of all, and last of itself.

    (R, B, H, places + 1)
    """
    weights = trace.weights[:, :, :, -1]
    told = sentence[..., : weights.shape[-1]]
    parts = (of_statements(weights[:, :, head], weights[:, :, head], told, places) for head in range(weights.shape[2]))
    return torch.stack([torch.cat([read, itself.unsqueeze(2)], 2) for read, _, itself in parts], 2)


def asked(trace: Trace, sentence: Tensor, places: int, samples: int) -> Trace:
    """What the question read of the statements, over all heads, as one trace with T queries a question.

    ``sentence (R, B T, N)`` says of which of ``places`` statements each element is. The logits are those of the heads'
    mean softmax, log(mean_h p); what the question read of itself is of no statement.
    """
    shape, told = (-1, samples), sentence[..., : trace.weights.shape[-1]]
    read, chance = trace.weights[:, :, :, -1].mean(2), trace.logits[:, :, :, -1].softmax(-1).mean(2)
    weights, logits, itself = (part.unflatten(1, shape) for part in of_statements(read, chance, told, places))
    log_prob = None if trace.log_prob is None else trace.log_prob.unflatten(1, shape)
    null = itself if trace.weights.shape[-1] == sentence.shape[2] else None
    return Trace(trace.output[:, :, -1].unflatten(1, shape), weights, logits, log_prob, null)

"""The Transformer (Vaswani et al. 2017, arXiv 1706.03762) over a story, plain and universal (Dehghani et al. 2019, 1807.03819).

sentences: sum of words x learned masks of their places -> a vector each; the question likewise, one element more
layer t    x = x + self-attention(norm x),  x = x + feed-forward(norm x)   with weights of its own, or (universal) the same,
           repeated with a signal of the step, so many times or until each element halts (ACT, Graves 2016, 1603.08983)
answer     source-target attention from the question to the story, one class from what it read, or words
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Trace
from memnet.attention.trace import by_head, head_similarity, last_query, of_groups
from memnet.config.transformer import TransformerConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes, numbers
from memnet.models.addressing import make_heads
from memnet.models.decoders import WordByWord, scores
from memnet.models.encoders import Code, StoryWords, batch_table, placed
from memnet.models.network import Network, Output
from memnet.nn.modules import LayerNorm, Linear, dropout, gather_rows, sigmoid, sinusoids
from memnet.nn.random import Random

SLOWEST = 100.0  # the slowest sine is so many times slower than the fastest: stories have tens of statements
PREVIOUS_BIAS = 3.0  # what the first head of a layer likes the element before at first, in its score
HALT = 0.99  # an element halts when its halting probabilities sum to more (Graves 2016, 1 - epsilon)


class EncodedData(NamedTuple):
    """Sentences and questions as words in places."""

    sentences: Code
    questions: Code
    words: Tensor  # (U, L)  of the sentences

    def to(self, device: torch.device | str) -> EncodedData:
        """On another device."""
        return EncodedData(self.sentences.to(device), self.questions.to(device), self.words.to(device))


class Elements(NamedTuple):
    """What attends to itself: the story's N - 1 elements and last the question."""

    x: Tensor  # (R, B, N, D)  sums of words
    times: Tensor  # (R, B, N, D)  signals of their ages or places
    mask: Tensor  # (R, B, 1, N)  which there are
    place: Tensor  # (R, B, N)  among those, from 1
    sentence: Tensor  # (R, B, N)  the statement that each is of, or -1
    bias: Tensor | None = None  # (R, B, H, N, N)  added to the scores of every layer
    last_bias: Tensor | None = None  # (R, B, H', 1, N - 1)  added to those of the last reading, and what is read after it
    word: Tensor | None = None  # (R, B, N)  that each says

    def repeated(self, samples: int) -> Elements:
        """Each question's so many times, (R, B T, ...)."""
        there = {name: part for name, part in self._asdict().items() if part is not None}
        return Elements(**{name: part.repeat_interleave(samples, 1) for name, part in there.items()})


class Layer(nn.Module):
    """Self-attention and a feed-forward network, each normed before and added after."""

    def __init__(self, config: TransformerConfig, random: Random) -> None:
        super().__init__()
        dim, std = config.dim, config.dim**-0.5
        self.attend_norm, self.feed_norm = LayerNorm(dim, random), LayerNorm(dim, random)
        self.attend = make_heads(config, config.dim, config.heads, random, config.max_relative_distance)
        if self.attend.relative_bias is not None:
            with torch.no_grad():
                self.attend.relative_bias[:, config.max_relative_distance + 1, 0] += PREVIOUS_BIAS
        self.inner = Linear(dim, config.hidden, random, std=std)
        self.outer = Linear(config.hidden, dim, random, std=config.hidden**-0.5)
        self.rate = config.dropout

    def forward(
        self,
        x: Tensor,
        mask: Tensor,
        place: Tensor,
        random: Random | None,
        drawn: Random | None,
        bias: Tensor | None = None,
    ) -> tuple[Tensor, Trace]:
        """``x (R, B, N, D)``, ``mask (R, B, 1, N)``, ``place (R, B, N)`` of each element -> the same, and what each read."""
        normed = self.attend_norm(x)
        trace: Trace = self.attend(normed, normed, mask=mask, position=place, random=drawn, bias=bias)
        x = x + dropout(trace.output, self.rate, random)
        inner = self.inner(self.feed_norm(x)).relu()
        return x + dropout(self.outer(inner), self.rate, random), trace


class Transformer(Network):
    """R networks; ``embedding (R, V, D)``, ``masks (R, L, D)`` of the words' places in a sentence, ``answer (R, V, D)``."""

    Config = TransformerConfig
    title = "A Transformer"
    presets = ("universal", "universal")
    config: TransformerConfig
    by_length = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1, "answer": 1}

    def __init__(self, config: TransformerConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, words = config.dim, sizes.vocabulary
        self.embedding = nn.Parameter(random.normal(words, dim, std=1.0))
        self.masks = nn.Parameter(random.normal(max(1, sizes.longest), dim, std=config.position_mask_std, mean=1.0))
        self.asked = nn.Parameter(random.normal(dim, std=1.0))  # added to the question
        self.layers = nn.ModuleList([Layer(config, random) for _ in range(1 if config.universal else config.layers)])
        self.halt = Linear(dim, 1, random, std=dim**-0.5) if config.halting == "act" else None
        if self.halt is not None and self.halt.bias is not None:
            nn.init.ones_(self.halt.bias)
        self.norm, self.query_norm, self.last_norm = (LayerNorm(dim, random) for _ in range(3))
        self.read = make_heads(config, dim, config.heads, random)
        self.decoder = WordByWord(dim, random, std=dim**-0.5) if config.decoder == "words" else None
        self.answer = nn.Parameter(random.normal(words, dim, std=dim**-0.5))

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return self.config.align

    @property
    def noisy(self) -> bool:
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    def lengths(self, data: Examples) -> Tensor:
        """In what attends to itself, sentences or words."""
        return data.words() if self.config.elements == "words" else data.count

    def encode_data(self, data: Examples) -> EncodedData:
        """Sentences and questions as words in places."""
        tables, longest = ((data.sentences, data.per_story), (data.questions, 0.0)), max(1, self.sizes.longest)
        sentences, questions = (placed(part, self.sizes.vocabulary, longest, many) for part, many in tables)
        return EncodedData(sentences, questions, numbers(data.sentences.words))

    def forward(
        self,
        batch: Batch,
        encoded_data: EncodedData,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers; a trace a layer, of what the question read, and one of the last reading."""
        config = self.config
        parts = self.elements(batch, encoded_data)
        if samples > 1:
            parts = parts.repeated(samples)
        mask, place, sentence = parts.mask, parts.place, parts.sentence
        x, traces, ponder, steps = self.encoder(parts, noise, random)
        story, question = self.norm(x[:, :, :-1]), x[:, :, -1:]
        bias = None if parts.last_bias is None else parts.last_bias[:, :, : config.heads]
        last: Trace = self.read(
            self.query_norm(question), story, mask=mask[..., :-1], position=place[:, :, -1:], random=random, bias=bias
        )
        if last.log_prob is not None:
            last = last._replace(log_prob=last.log_prob.sum((2, 3)))
        traces.append(last)
        state = dropout(self.last_norm(question + dropout(last.output, config.dropout, noise)), config.dropout, noise)
        state = state.squeeze(2).unflatten(1, (-1, samples))  # (R, B, T, D)
        if self.decoder is None:
            logits = self.entry_scores(state, story, parts, encoded_data).unsqueeze(3)
        else:
            again = None if given is None else given.unsqueeze(2).expand(-1, -1, samples, -1)
            logits = self.decoder(state, self.answer, self.sizes.answer, again)
        statements = batch.mask.shape[2]
        shown = [of_groups(trace, sentence, statements, samples) for trace in traces]
        learning = noise is not None or random is not None
        same = None
        if config.heads > 1 and (not learning or config.head_diversity > 0):
            same = torch.stack([head_similarity(trace) for trace in traces], 2).unflatten(1, (-1, samples)).mean(2)
        output = Output(logits, shown, self.penalty(ponder, same))
        if steps is not None:
            output = output._replace(steps=steps.unflatten(1, (-1, samples)).mean(2))
        if same is None or learning:
            return output
        heads = [by_head(trace, sentence, statements).unflatten(1, (-1, samples)).mean(2) for trace in traces]
        return output._replace(head_similarity=same, heads=heads)

    def entry_scores(self, state: Tensor, story: Tensor, parts: Elements, encoded_data: Any) -> Tensor:
        """Scores of answers that are one entry each, (R, B, T, V), from ``state (R, B, T, D)``."""
        return scores(state, self.answer)

    def penalty(self, ponder: Tensor | None, same: Tensor | None) -> Tensor | None:
        """What steps cost, of ``ponder (R, B T)``, and heads that read the same, of ``same (R, B, hops)``: (R,), or None."""
        cost = None if ponder is None else self.config.ponder * ponder.mean(1)
        if same is None or self.config.head_diversity == 0:
            return cost
        cost_of_heads = self.config.head_diversity * same.mean((1, 2))
        return cost_of_heads if cost is None else cost + cost_of_heads

    def elements(self, batch: Batch, encoded_data: Any) -> Elements:
        """What attends to itself."""
        rows = (self.embedding.unsqueeze(1) * self.masks.unsqueeze(2)).flatten(1, 2)  # (R, L V, D)
        width = batch.width
        memory, there, age = (part[..., :width] for part in (batch.rows(), batch.mask, batch.spread(batch.age + 1)))
        sentence = torch.arange(width, device=memory.device).expand_as(memory)
        if self.config.elements == "words":
            story = StoryWords.of(encoded_data.words, encoded_data.sentences.lengths, memory, there)
            elements, there, sentence = gather_rows(self.embedding, story.words), story.there, story.sentence
            age = (there.sum(2, keepdim=True) - torch.arange(elements.shape[2], device=memory.device)).clamp(min=0)
        else:
            elements = gather_rows(*batch_table(rows, encoded_data.sentences, memory))
        question = (
            gather_rows(*batch_table(rows, encoded_data.questions, batch.question)).unsqueeze(2) + self.asked[:, None, None]
        )
        here = torch.arange(elements.shape[2], device=memory.device).expand_as(sentence)
        count = there.sum(2, keepdim=True)
        x, place = torch.cat([elements, question], 2), torch.cat([here, count], 2)
        times = torch.zeros_like(x)
        if self.config.time in ("age", "both"):
            times = times + self.signal(F.pad(age, (0, 1)))
        if self.config.time in ("absolute", "both"):
            times = times + self.signal(place)
        mask = torch.cat([there, torch.ones_like(there[..., :1])], 2)
        return Elements(x, times, mask.unsqueeze(2), place + 1, F.pad(sentence, (0, 1), value=-1))

    def signal(self, number: Tensor) -> Tensor:
        """Sines and cosines of places or steps (Vaswani et al. 2017, section 3.5, but for SLOWEST), (...) -> (..., D)."""
        return sinusoids(number, self.config.dim, SLOWEST)

    def encoder(
        self, parts: Elements, noise: Random | None, drawn: Random | None
    ) -> tuple[Tensor, list[Trace], Tensor | None, Tensor | None]:
        """All layers or steps: the elements, a trace each, and with adaptive halting the ponder cost and the steps, (R, B).

        A universal Transformer adds the times and a signal of the step before every step, a plain one the times once.
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
            x, trace = layer(x, mask, place, noise, drawn, parts.bias)
            if trace.log_prob is not None:  # of the elements that are there, by all heads
                trace = trace._replace(log_prob=(trace.log_prob * there.unsqueeze(2)).sum((2, 3)))
            traces.append(last_query(trace))
            if weight is not None:
                mixed = x * weight.unsqueeze(3) if number == 0 else mixed + x * weight.unsqueeze(3)
        if self.halt is None:
            return x, traces, None, None
        number_of = there.sum(2)
        return mixed, traces, ((steps + left) * there).sum(2) / number_of, (steps * there).sum(2) / number_of

"""A causal Universal Transformer: a story is read once, and every question about it asks the same memories.

sentences  sums of words x learned masks of their places -> a vector each, the questions likewise
step k     x = x + place + step,  x = x + self-attention(norm x) over earlier statements,  x = x + feed-forward(norm x)
           with the same weights at every step (Dehghani et al. 2019, arXiv 1807.03819); a question reads what each step left
           of the statements before it, and is read by nobody
answer     one more reading, the evidence, then word by word, with the embeddings of the words as their scores' weights

As nobody reads a question or a later statement, a story's statements are encoded once for all its questions: training takes
a few elements a question where :class:`~memnet.models.transformer.Transformer` takes the whole story, and a story that is kept
answers at the cost of the question alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Trace
from memnet.attention.attend import HeadsMemory, causal
from memnet.attention.trace import every_query
from memnet.config.causal import CausalConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.models.addressing import make_heads
from memnet.models.decoders import WordByWord
from memnet.models.encoders import EncodedData, batch_table, chirps, placed, slotted
from memnet.models.network import Network, Output
from memnet.models.supervision import evidence_loss
from memnet.nn.modules import LayerNorm, Linear, dropout, gather_rows, most, sinusoids
from memnet.nn.random import Random

SLOWEST = 100.0  # the slowest sine of places is so many times slower than the fastest
FLATTEST, STEEPEST = 0.02, 1.6  # what a distance of one costs at first, the head that reaches far and the one that does not


class Groups(NamedTuple):
    """Questions of a batch that stand side by side and are about one story: G groups of at most Q questions."""

    group: Tensor  # (R, B)  of each question
    place: Tensor  # (R, B)  in its group
    longest: Tensor  # (R, G)  the question that is asked last, by its place in the batch
    questions: int  # Q

    @classmethod
    def of(cls, story: Tensor, count: Tensor) -> Groups:
        """From the ``story (R, B)`` and the ``count (R, B)`` of memories of each question."""
        size = story.shape[1]
        first = F.pad(story[:, 1:] != story[:, :-1], (1, 0), value=True)
        group, here = first.cumsum(1) - 1, torch.arange(size, device=story.device).expand_as(story)
        start = torch.zeros_like(here).scatter_add(1, group, here * first).gather(1, group)
        latest = count.new_full((len(story), most(group, size - 1) + 1), -1)
        latest = latest.scatter_reduce(1, group, count * size + here, "amax")  # (R, G), -1 where a replica has fewer groups
        return cls(group, here - start, latest.clamp(min=0) % size, most(here - start, size - 1) + 1)

    def spread(self, value: Tensor) -> Tensor:
        """What belongs to each question, (R, B, ...), by group, (R, G, Q, ...), zero where there is none."""
        groups = self.longest.shape[1]
        flat = value.new_zeros(len(value), groups * self.questions, *value.shape[2:])
        where = self.group * self.questions + self.place
        index = where.view(*where.shape, *[1] * (value.dim() - 2)).expand_as(value)
        return torch.unflatten(flat.scatter(1, index, value), 1, (groups, self.questions))

    def collect(self, value: Tensor) -> Tensor:
        """Back from groups (R, G, Q, ...) to questions (R, B, ...)."""
        where = self.group * self.questions + self.place
        flat = value.flatten(1, 2)
        return flat.gather(1, where.view(*where.shape, *[1] * (flat.dim() - 2)).expand(-1, -1, *flat.shape[2:]))


class CausalTransformer(Network):
    """R networks; ``embedding (R, V, D)`` of the words, ``masks (R, L, D)`` of places in a sentence, ``step (R, K, D)``.

    With an open vocabulary the markers of names have fixed codes, and a learned map ``name`` from these to vectors.
    """

    Config = CausalConfig
    title = "A causal Universal Transformer"
    presets = ("causal", "causal")
    config: CausalConfig
    codes: Tensor  # (E, C)  of the markers
    keeps_stories = True
    by_length = True
    by_story = True
    answer_traces = slice(-1, None)
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1}

    def __init__(self, config: CausalConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, std = config.dim, config.dim**-0.5
        self.embedding = nn.Parameter(random.normal(sizes.vocabulary - sizes.entities, dim, std=1.0))
        if sizes.entities:  # what is learned of one name holds for every other
            codes = chirps(sizes.entities)
            self.register_buffer("codes", torch.cat([codes, torch.full((len(codes), 1), 0.5)], 1), persistent=False)
            self.name = nn.Parameter(random.normal(self.codes.shape[1], dim, std=1.0))
        self.masks = nn.Parameter(random.normal(max(1, sizes.longest), dim, std=config.position_mask_std, mean=1.0))
        self.asked = nn.Parameter(random.normal(dim, std=1.0))  # added to a question
        self.step = nn.Parameter(random.normal(config.steps, dim, std=0.3))
        self.attend_norm, self.feed_norm, self.norm, self.last_norm = (LayerNorm(dim, random) for _ in range(4))
        self.attend = make_heads(config, dim, config.heads, random, config.max_relative_distance)
        self.evidence = make_heads(config, dim, 1, random)
        if not self.masks.is_meta:
            self.start_attending()
        self.inner = Linear(dim, config.hidden, random, std=std)
        self.outer = Linear(config.hidden, dim, random, std=config.hidden**-0.5)
        self.out = Linear(dim, dim, random, bias=False, std=std)
        self.decoder = WordByWord(dim, random, std=std)

    @torch.no_grad()
    def start_attending(self) -> None:
        """At first what speaks of the same is read, and by most heads what is near."""
        self.attend.key.weight.copy_(self.attend.query.weight)
        if self.attend.relative_bias is not None:
            far = self.config.max_relative_distance
            slopes = torch.tensor(np.geomspace(FLATTEST, STEEPEST, self.config.heads), dtype=torch.float32)
            self.attend.relative_bias.sub_(torch.arange(-far, far + 1).clamp(min=0).unsqueeze(1) * slopes)

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return self.config.align

    @property
    def noisy(self) -> bool:
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout > 0

    def encode_data(self, data: Examples) -> EncodedData:
        """Sentences and questions as words in places."""
        longest, words, entities = max(1, self.sizes.longest), self.sizes.vocabulary, self.sizes.entities
        if entities:
            return EncodedData(
                slotted(data.sentences, words, entities, longest, data.per_story),
                slotted(data.questions, words, entities, longest, 0.0),
            )
        return EncodedData(placed(data.sentences, words, longest, data.per_story), placed(data.questions, words, longest, 0.0))

    def forward(
        self,
        batch: Batch,
        encoded_data: EncodedData,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers; a trace a step, the mean of the heads, and one of the evidence."""
        groups = Groups.of(batch.of_story, batch.num_memories)
        rows = batch.rows()[..., : batch.width].gather(1, groups.longest.unsqueeze(2).expand(-1, -1, batch.width))
        memories = self.read_statements(rows, encoded_data, noise)
        return self.answer(memories, groups, batch, encoded_data, given, noise)

    def encode_story(self, batch: Batch, encoded_data: EncodedData) -> list[HeadsMemory]:
        """What each step, and last the evidence, reads of a story's statements."""
        return self.read_statements(batch.rows(), encoded_data, None)

    def answer_from(
        self, memory: list[HeadsMemory], batch: Batch, encoded_data: Any, random: Random | None = None, samples: int = 1
    ) -> Output:
        """See :class:`Network`."""
        here = torch.arange(batch.question.shape[1], device=batch.question.device).expand_as(batch.question)
        return self.answer(memory, Groups.of(here, batch.num_memories), batch, encoded_data, None, None)

    def words(self) -> Tensor:
        """A vector for each word and marker, (R, V, D)."""
        return torch.cat([self.embedding, self.codes @ self.name], 1) if self.sizes.entities else self.embedding

    def dictionary(self) -> Tensor:
        """A vector for each word in each place, (R, L V, D)."""
        return (self.words().unsqueeze(1) * self.masks.unsqueeze(2)).flatten(1, 2)

    def statement_reads(self, batch: Batch, encoded_data: EncodedData) -> list[Tensor]:
        """See :class:`Network`; a step is a layer."""
        traces: list[Trace] = []
        self.read_statements(batch.rows(), encoded_data, None, traces)
        return [trace.weights.mean(2) for trace in traces]

    def read_statements(
        self, rows: Tensor, encoded_data: EncodedData, noise: Random | None, traces: list[Trace] | None = None
    ) -> list[HeadsMemory]:
        """What each step, and last the evidence, reads of statements ``rows (R, G, M)``.

        ``traces`` gets what each step's statements read of each other.
        """
        width, rate = rows.shape[2], self.config.dropout
        x = dropout(gather_rows(*batch_table(self.dictionary(), encoded_data.sentences, rows)), rate, noise)
        place = torch.arange(1, width + 1, device=rows.device).expand(len(rows), 1, -1)
        mask = causal(width, rows.device).view(1, 1, width, width)
        found: list[HeadsMemory] = []
        for signal in self.signals(place):
            x = x + signal
            normed = self.attend_norm(x)
            memory = self.attend.prepare(normed)
            found.append(memory)
            trace = memory.ask(normed, mask, position=place)
            if traces is not None:
                traces.append(trace)
            x = x + dropout(trace.output, rate, noise)
            x = self.feed_forward(x, noise)
        return [*found, self.evidence.prepare(self.norm(x))]

    def answer(
        self,
        memories: Sequence[HeadsMemory],
        groups: Groups,
        batch: Batch,
        encoded_data: EncodedData,
        given: Tensor | None,
        noise: Random | None,
    ) -> Output:
        """Questions of groups, asked of their memories."""
        rate = self.config.dropout
        asked = gather_rows(*batch_table(self.dictionary(), encoded_data.questions, batch.question)) + self.asked.unsqueeze(1)
        x, count = groups.spread(dropout(asked, rate, noise)), groups.spread(batch.num_memories)
        mask = torch.arange(memories[0].memories, device=count.device) < count.unsqueeze(3)  # (R, G, Q, M)
        nothing = torch.zeros_like(count, dtype=x.dtype)
        traces = []
        for memory, signal in zip(memories[:-1], self.signals(count + 1), strict=True):
            x = x + signal
            trace = memory.ask(self.attend_norm(x), mask, nothing, position=count + 1)
            traces.append(trace)
            x = self.feed_forward(x + dropout(trace.output, rate, noise), noise)
        trace = memories[-1].ask(self.norm(x), mask, nothing)
        traces.append(trace)
        state = self.last_norm(x + dropout(trace.output, rate, noise))
        state = dropout(groups.collect(state), rate, noise).unsqueeze(2)  # (R, B, 1, D)
        words = self.out(self.words()) * self.config.dim**-0.5

        def decode(given: Tensor | None) -> Tensor:
            asked = state if given is None else state.expand(-1, -1, given.shape[2], -1)
            logits: Tensor = self.decoder(asked, words, self.sizes.answer, given)
            return logits

        logits = decode(None if given is None else given.unsqueeze(2))
        return Output(logits, [self.of_question(trace, groups, batch) for trace in traces], decode=decode)

    def fact_loss(self, output: Output, batch: Batch) -> Tensor:
        """The evidence is to be the supporting facts, or nothing where there is none."""
        trace = output.traces[-1]
        return evidence_loss(trace, batch.facts, torch.zeros_like(trace.logits[..., 0]))

    def feed_forward(self, x: Tensor, noise: Random | None) -> Tensor:
        """x + W relu(V norm x), (R, ..., D)."""
        return x + dropout(self.outer(self.inner(self.feed_norm(x)).relu()), self.config.dropout, noise)

    def signals(self, place: Tensor) -> list[Tensor]:
        """Sines and cosines of places (Vaswani et al. 2017, section 3.5, but SLOWEST) and each step's vector, (R, ..., D)."""
        times, ones = sinusoids(place, self.config.dim, SLOWEST), [1] * (place.dim() - 1)
        return [times + step.view(-1, *ones, self.config.dim) for step in self.step.unbind(1)]

    def of_question(self, trace: Trace, groups: Groups, batch: Batch) -> Trace:
        """What each question read, over all heads, of the batch's memories: (R, B, 1, M)."""
        whole = every_query(trace, batch.mask.shape[2])
        weights, logits = (groups.collect(part).unsqueeze(2) for part in (whole.weights, whole.logits))
        null = None if whole.null is None else groups.collect(whole.null).unsqueeze(2)
        return whole._replace(weights=weights, logits=logits, null=null)

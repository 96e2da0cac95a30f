"""A memory network that writes: sentences change the memories, and questions ask what these hold.

A story opens with the contents of named memories, then come instructions; a question is a memory's name:

    Beaker 1 has green, green. Beaker 2 has red.      memories (slots), each of A words
    pour the red chemical into the first beaker       an instruction, which rewrites them
    Beaker 1 has?  green,green,red                    the state after it, asked slot by slot

block j    [slots before instruction j; words of instruction j]
attend     every element to those of its block and of earlier ones, several layers, with learned preferences for how far
           apart two slots or two words are and how many instructions lie between them (Shaw et al. 2018, arXiv 1803.02155)
write      the k-th word of slot s is read by attention over the words of every slot of this and every earlier state and the
           words that answers had in training: it stays, is copied, moved, taken back, or is another word (the pointer of
           Vinyals et al. 2015, arXiv 1506.03134, and the words to choose from share one softmax, as in Merity et al. 2016,
           arXiv 1609.07843)

While training the state before an instruction is the true one, given by the answers; with ``own_states`` also the one that the
network wrote. Asked, it goes on from what it wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import SCORES, Attention, scaled_dot, softmax, weighted_sum
from memnet.config import BUCKETS, BelowOne, ClipPer, Decoder, Optimizer, Schedule, Selection, Share, Training, UpTo64, Width
from memnet.config.settings import OneOf
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.encode.vocabulary import Vocabulary
from memnet.models.addressing import TOURNAMENT, AttentionSettings, Dropout, Heads, Hidden, make_heads
from memnet.models.causal import Groups
from memnet.models.decoders import prediction
from memnet.models.network import Network, Output
from memnet.models.states import States, places_in
from memnet.nn.modules import LayerNorm, Linear, dropout, gather_rows
from memnet.nn.random import Random

FARTHEST, OLDEST, PLACES = 8, 5, 32  # words apart, instructions between, places of words in a sentence
STAYS = 3.0  # what a slot's own word has to begin with
EMPTY = "nothing"  # what an empty slot holds
HIDDEN = -1e9  # is added to the logit of what may not be read, once for all layers: cheaper than a mask in each
LEAST, NEVER = 1e-7, -20.0  # of a share, and the logit of a word that is never written


@dataclass(frozen=True, repr=False)
class WritableConfig(AttentionSettings):
    """A memory network whose sentences rewrite its memories."""

    epochs: int = 30
    batch: int = 280
    replacement: bool = False
    optimizer: Optimizer = "adamw"
    lr: float = 0.002
    schedule: Schedule = "cosine"
    warmup: float = 0.05
    clip: float = 1.0
    clip_per: ClipPer = "network"
    decay: float = 0.01
    selection: Selection = "validation"
    decoder: Decoder = "words"
    restore_best: bool = True
    monitor: Any = "error"
    dim: Width = 96
    hidden: Hidden = 192
    heads: Heads = 6
    layers: Annotated[UpTo64, "layers of attention between the slots and the words"] = 3
    dropout: Dropout = 0.1
    word_dropout: Annotated[BelowOne, "share of the instructions' words that are read as unknown while training"] = 0.05
    own_states: Annotated[Share, "share of the training stories that go on from the states that the network wrote"] = 0.0
    score: Annotated[str, OneOf(SCORES)] = "scaled_dot"

    default_restarts = 1
    refused: ClassVar[Mapping[str, str]] = {
        "linear": "self-attention needs weights that are normalised",
        "tournament": TOURNAMENT,
        "hard": "the questions of a story share what its instructions read, and so would share every address drawn",
    }

    def conflicts(self) -> Iterator[str]:
        """Besides: of heads, and of how it answers."""
        yield from super().conflicts()
        yield from self.heads_conflict(self.heads)
        if self.replacement:
            yield BUCKETS
        if SCORES[self.score].context:
            yield "an element asks with itself alone; its score compares with two things"
        if self.decoder == "class":
            yield "it answers word by word: decoder=words"


class Blocks(NamedTuple):
    """G stories as blocks: S slots of A words, J instructions of L words."""

    first: Tensor  # (R, G, S, A)  words of the state that a story opens with
    slots: Tensor  # (R, G, S)  bool, which there are
    words: Tensor  # (R, G, J, L)
    there: Tensor  # (R, G, J, L)  bool, which words there are
    given: Tensor  # (R, G, J, S, A)  the states after the instructions, -1 where nobody says


class WritableMemory(Network):
    """R networks; ``embedding (R, V, D)`` of the words; see the file."""

    Config = WritableConfig
    title = "A memory network that writes"
    presets = ("writable", "writable")
    config: WritableConfig
    by_length = True
    by_story = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1}

    def __init__(self, config: WritableConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, std = config.dim, config.dim**-0.5
        most = sizes.ages  # no story has more slots
        self.embedding = nn.Parameter(random.normal(sizes.vocabulary, dim, std=1.0))
        self.parts = nn.Parameter(random.normal(sizes.answer, dim, std=0.5, mean=1.0))
        self.place = nn.Parameter(random.normal(6, most + 1, dim, std=0.5))  # of slots, counted in six ways
        self.word_place = nn.Parameter(random.normal(PLACES, dim, std=0.5))
        self.step = nn.Parameter(random.normal(OLDEST, dim, std=0.5))
        self.kind = nn.Parameter(random.normal(2, dim, std=0.5))
        self.changed = nn.Parameter(random.normal(OLDEST, dim, std=0.5))  # of slots that so old an instruction rewrote
        self.apart = nn.Parameter(random.normal(2 * most + 2 * FARTHEST + 5, config.heads, std=0.1))
        self.age = nn.Parameter(random.normal(5 * OLDEST, config.heads, std=0.1))
        layers = range(config.layers)
        self.attend = nn.ModuleList(make_heads(config, dim, config.heads, random) for _ in layers)
        self.norms = nn.ModuleList(LayerNorm(dim, random) for _ in range(2 * config.layers + 1))
        self.inner = nn.ModuleList(Linear(dim, config.hidden, random, std=std) for _ in layers)
        self.outer = nn.ModuleList(Linear(config.hidden, dim, random, std=config.hidden**-0.5) for _ in layers)
        self.write = Attention(scaled_dot, softmax, weighted_sum)
        self.asks, self.holds = Linear(dim, dim, random, std=std), Linear(dim, dim, random, std=std)
        self.ask_part, self.hold_part = (nn.Parameter(random.normal(sizes.answer, dim, std=0.5)) for _ in range(2))
        self.query, self.key = Linear(dim, dim, random, std=std), Linear(dim, dim, random, std=std)
        self.word_key = Linear(dim, dim, random, std=std)
        self.copy_apart = nn.Parameter(random.normal(2 * most + 1, std=0.1))
        self.copy_part = nn.Parameter(random.normal(2 * sizes.answer - 1, std=0.1))
        self.copy_age = nn.Parameter(random.normal(2 * OLDEST, std=0.1))
        self.stays = nn.Parameter(torch.full((random.replicas, 1), STAYS))
        if not self.embedding.is_meta:
            self.start_attending()
        self.entries: Tensor  # (C,)  words that may be written, first the one of an empty slot
        self.same: Tensor  # (C, C)  each word itself
        self.register_buffer("entries", torch.tensor([gram[0] for gram in sizes.grams]), persistent=False)
        self.register_buffer("same", torch.eye(len(sizes.grams)), persistent=False)

    @torch.no_grad()
    def start_attending(self) -> None:
        """At first what speaks of the same is read."""
        for heads in self.attend:
            heads.key.weight.copy_(heads.query.weight)

    @classmethod
    def measure(cls, config: Training, data: Examples, vocabulary: Vocabulary) -> Sizes:
        """Besides: as n-grams of one word, what may be written: the word of an empty slot, then what answers had."""
        empty = vocabulary.number.get(EMPTY, 0)
        written = sorted(set(data.answer.flatten().tolist()) - {empty, -1})
        return data.sizes(vocabulary)._replace(grams=tuple((one,) for one in (empty, *written)))

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return self.config.align

    @property
    def noisy(self) -> bool:
        """Whether training draws random numbers in the forward pass."""
        return self.config.dropout + self.config.word_dropout + self.config.own_states > 0

    def encode_data(self, data: Examples) -> States:
        """Which statements are slots, and the states that the answers say."""
        return States.of(data, self.sizes.answer)

    def lengths(self, data: Examples) -> Tensor:
        """Words of the longest instruction of each question's story, (N,)."""
        lengths = torch.from_numpy(data.sentences.lengths)[data.memory]
        there = torch.arange(data.memory.shape[1]) < data.count.unsqueeze(1)
        return (lengths * there).amax(1)

    def forward(
        self,
        batch: Batch,
        encoded_data: States,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """What each slot that is asked for holds; ``given`` says that the true states stand before the instructions."""
        groups = Groups.of(batch.of_story, batch.num_memories)
        rows = batch.rows()[..., : batch.width].gather(1, groups.longest.unsqueeze(2).expand(-1, -1, batch.width))
        count = batch.num_memories.gather(1, groups.longest)
        blocks = self.blocks(rows, count, batch.of_story.gather(1, groups.longest), encoded_data)
        if given is None:
            states = self.written(blocks)
        else:
            states = torch.cat([blocks.first.unsqueeze(2), blocks.given[:, :, :-1].clamp(min=0)], 2)
            if noise is not None and self.config.own_states > 0:
                with torch.no_grad():
                    own = self.written(blocks)
                goes_on = noise.uniform(states.shape[1]) < self.config.own_states
                states = torch.where(goes_on.view(*goes_on.shape, 1, 1, 1), own, states)
        share = self.rewrite(states, blocks, noise)
        place = batch.num_memories - 1 - blocks.slots.sum(2).gather(1, groups.group)  # of the last instruction told
        slot = places_in(rows, batch, groups.group, encoded_data)
        steps, slots, parts = states.shape[2:]
        which = (groups.group * steps + place) * slots + slot  # (R, B)
        asked = gather_rows(share.flatten(1, 3).flatten(2), which).unflatten(2, (parts, -1))
        return Output(self.logits(asked).unsqueeze(2), [])

    def blocks(self, rows: Tensor, count: Tensor, story: Tensor, states: States) -> Blocks:
        """Stories ``rows (R, G, M)`` of ``count (R, G)`` statements, as blocks."""
        place = torch.arange(rows.shape[2], device=rows.device)
        is_slot = ((states.slot[rows] >= 0) & (place < count.unsqueeze(2))).long().cumprod(2).bool()
        number = is_slot.sum(2)
        slots, steps = int(number.max()), max(1, int((count - number).max()))
        told = number.unsqueeze(2) + torch.arange(steps, device=rows.device)  # (R, G, J)
        sentence = rows.gather(2, told.clamp(max=rows.shape[2] - 1))
        length = states.lengths[sentence] * (told < count.unsqueeze(2))
        longest = max(1, int(length.max()))
        there = torch.arange(longest, device=rows.device) < length.unsqueeze(3)
        words = states.words[sentence][..., :longest]
        held = states.held[rows[..., :slots]]
        return Blocks(held, is_slot[..., :slots], words, there, states.given[story][:, :, :steps, :slots])

    @torch.no_grad()
    def written(self, blocks: Blocks) -> Tensor:
        """The states before each instruction, (R, G, J, S, A), as the network writes them itself."""
        states = blocks.first.unsqueeze(2)
        for step in range(1, blocks.words.shape[2]):
            part = blocks._replace(words=blocks.words[:, :, :step], there=blocks.there[:, :, :step])
            share = self.rewrite(states, part, None)[:, :, -1]
            states = torch.cat([states, prediction(self.logits(share)).unsqueeze(2)], 2)
        return states

    def logits(self, share: Tensor) -> Tensor:
        """Of the shares of words that may be written (R, ..., C) the logits of all words, (R, ..., V)."""
        logits = share.new_full((*share.shape[:-1], self.sizes.vocabulary), NEVER)
        return logits.index_copy(-1, self.entries, (share + LEAST).log())

    def rewrite(self, states: Tensor, blocks: Blocks, noise: Random | None) -> Tensor:
        """The shares of the words that may be written, for every slot's words after each instruction, (R, G, J, S, A, C).

        ``states (R, G, J, S, A)`` are those before the instructions.
        """
        replicas, stories, steps, slots, parts = states.shape
        words, rate = blocks.words, self.config.dropout
        if noise is not None and self.config.word_dropout > 0:
            words = words * (noise.uniform(*words.shape[1:]) >= self.config.word_dropout)
        x = torch.cat([self.slots(states, blocks.slots), self.instructions(words)], 3)  # (R, G, J, S + L, D)
        step = torch.arange(steps, device=x.device).clamp(max=OLDEST - 1)
        x = dropout(x + self.step[:, step].view(replicas, 1, steps, 1, -1), rate, noise)
        width = x.shape[3]
        x = x.flatten(2, 3)
        there = torch.cat([blocks.slots.unsqueeze(2).expand(-1, -1, steps, -1), blocks.there], 3).flatten(2)
        block = torch.arange(steps, device=x.device).repeat_interleave(width)
        mask = (block.unsqueeze(1) >= block) & there.unsqueeze(2)  # (R, G, T, T)
        bias = self.distances(steps, slots, width - slots).unsqueeze(1)
        bias = torch.where(mask.unsqueeze(2), bias, bias.new_tensor(HIDDEN))  # (R, G, H, T, T)
        for layer, heads in enumerate(self.attend):
            normed = self.norms[2 * layer](x)
            trace = heads.prepare(normed).ask_heads(heads.split(heads.query, normed), None, None, bias, None, None)
            x = x + dropout(trace.output, rate, noise)
            inner = self.inner[layer](self.norms[2 * layer + 1](x)).relu()
            x = x + dropout(self.outer[layer](inner), rate, noise)
        x = self.norms[-1](x).unflatten(2, (steps, width))[:, :, :, :slots]  # (R, G, J, S, D)
        return self.pointed(x, states, blocks.slots)

    def slots(self, states: Tensor, there: Tensor) -> Tensor:
        """A vector for each slot by what it holds and where it stands, (R, G, J, S, D)."""
        held = (gather_rows(self.embedding, states) * self.parts.view(len(self.parts), 1, 1, 1, *self.parts.shape[1:])).sum(4)
        first, most = states[..., 0], self.place.shape[2]
        filled = first != self.entries[0]
        one = torch.ones_like(first)
        same = (first.unsqueeze(4) == first.unsqueeze(3)) & there[:, :, None, None, :]  # (R, G, J, S, S)
        left = same.tril(-1).sum(4), same.triu(1).sum(4)
        present = there.unsqueeze(2).long()
        counted = []
        for which in (one * present, filled * present):
            up_to = which.cumsum(3)
            counted += [up_to - which, up_to[..., -1:] - up_to]
        counted += left
        number = torch.stack(counted, 4).clamp(max=most - 1) + most * torch.arange(6, device=first.device)
        x = held + gather_rows(self.place.flatten(1, 2), number).sum(4) + self.kind[:, 0].view(len(held), 1, 1, 1, -1)
        return x + rewritten(states).to(x.dtype) @ self.changed[:, None, None]

    def instructions(self, words: Tensor) -> Tensor:
        """A vector for each word of the instructions, (R, G, J, L, D)."""
        place = torch.arange(words.shape[3], device=words.device).clamp(max=PLACES - 1)
        placed = self.word_place[:, place] + self.kind[:, 1:]
        return gather_rows(self.embedding, words) + placed.view(len(words), 1, 1, *placed.shape[1:])

    def distances(self, steps: int, slots: int, words: int) -> Tensor:
        """What each head prefers, by how far apart two elements are and in which blocks, (R, H, T, T)."""
        most, oldest = self.sizes.ages, OLDEST
        width = slots + words
        element = torch.arange(steps * width, device=self.apart.device)
        block, place = element // width, element % width
        is_word = place >= slots
        place = torch.where(is_word, place - slots, place)
        apart = place.unsqueeze(0) - place.unsqueeze(1)  # of the key from the query
        asks, holds = is_word.unsqueeze(1), is_word.unsqueeze(0)
        age = (block.unsqueeze(1) - block.unsqueeze(0)).clamp(0, oldest - 1)
        far = 2 * most + apart.clamp(-FARTHEST, FARTHEST) + FARTHEST  # of words
        other = 2 * most + 2 * FARTHEST + 1
        pair = 2 * asks + holds  # slot, slot; slot, word; word, slot; word, word
        kind = torch.where(pair == 0, apart.clamp(1 - most, most - 1) + most - 1, other + pair)
        kind = torch.where((pair == 3) & (age == 0), far, kind)
        old = torch.where((pair == 0) & (apart == 0), 4, pair) * oldest + age
        return (self.apart[:, kind] + self.age[:, old]).movedim(3, 1)

    def pointed(self, x: Tensor, states: Tensor, there: Tensor) -> Tensor:
        """The shares of the words that may be written, from slots ``x (R, G, J, S, D)``: (R, G, J, S, A, C)."""
        steps, slots, parts = states.shape[2:]
        asks = self.query((self.asks(x).unsqueeze(4) + self.ask_part[:, None, None, None]).relu()).flatten(2, 4)
        holds = self.key((self.holds(x).unsqueeze(4) + self.hold_part[:, None, None, None]).relu()).flatten(2, 4)
        classes = self.word_key(self.embedding[:, self.entries]).unsqueeze(1).expand(-1, x.shape[1], -1, -1)
        number = len(self.entries)
        value = torch.cat([(states.flatten(2).unsqueeze(3) == self.entries), self.same.expand(*x.shape[:2], -1, -1)], 2)
        cell = torch.arange(steps * slots * parts, device=x.device)
        block, slot, part = cell // (slots * parts), cell // parts % slots, cell % parts
        older = block.unsqueeze(1) >= block  # (Q, M)
        mask = older & there.unsqueeze(2).expand(-1, -1, steps, -1).repeat_interleave(parts, 3).flatten(2).unsqueeze(2)
        mask = F.pad(mask, (0, number), value=True)
        bias = F.pad(self.moves(block, slot, part), (0, number)).unsqueeze(1)
        memory = self.write.prepare(torch.cat([holds, classes], 2), value.to(x.dtype))
        share = memory.ask(asks, bias=torch.where(mask, bias, bias.new_tensor(HIDDEN))).output
        return share.unflatten(2, (steps, slots, parts))

    def moves(self, block: Tensor, slot: Tensor, part: Tensor) -> Tensor:
        """What is preferred to be copied where, by how far apart the two are, (R, Q, M)."""
        most, parts = self.sizes.ages, self.sizes.answer
        far = (slot.unsqueeze(0) - slot.unsqueeze(1)).clamp(-most, most)
        above = part.unsqueeze(0) - part.unsqueeze(1)
        age = (block.unsqueeze(1) - block.unsqueeze(0)).clamp(0, OLDEST - 1)
        stays = (far == 0) & (above == 0) & (age == 0)
        old = age + OLDEST * (far == 0)
        found = self.copy_apart[:, far + most] + self.copy_part[:, above + parts - 1] + self.copy_age[:, old]
        return found + self.stays.unsqueeze(2) * stays


def rewritten(states: Tensor) -> Tensor:
    """Which slots the latest instructions rewrote, the last one first: (R, G, J, S, A) -> bool (R, G, J, S, OLDEST)."""
    steps = states.shape[2]
    other = F.pad((states[:, :, 1:] != states[:, :, :-1]).any(4), (0, 0, OLDEST, 0))  # (R, G, J - 1 + OLDEST, S)
    return torch.stack([other[:, :, OLDEST - age : OLDEST - age + steps] for age in range(1, OLDEST + 1)], 4)

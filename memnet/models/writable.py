"""A memory network that writes: sentences change what its memories hold.

    Beaker 1 has green, green. Beaker 2 has red.      slots: named memories, each of at most A words
    pour the red chemical into the first beaker       an instruction, which rewrites them
    Beaker 1 has?  green,green,red                    the state after it, asked slot by slot

block j    [words of instruction j; slots before it]
attend     every element to those of its block and of earlier ones, several layers, with learned preferences for how far
           apart two slots or two words are and how many instructions lie between them (Shaw et al. 2018, arXiv 1803.02155)
write      every word of every slot by :class:`~memnet.models.writer.Writer`: it stays, is copied, moved, taken back from an
           earlier state, is a word of an instruction, or another that answers had in training

While training the state before an instruction is the true one, as the answers say; of a share ``own_states`` of the stories it
is the one that the network wrote. Asked, it goes on from what it wrote. Stories without slots are read as instructions, and the
question as the last one, which writes its answer: see :mod:`memnet.models.states`.
"""

from __future__ import annotations

from typing import ClassVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import MultiHead, Trace
from memnet.attention.trace import of_groups
from memnet.config import Training
from memnet.config.writable import WritableConfig
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes, numbers
from memnet.encode.vocabulary import Vocabulary
from memnet.models.addressing import make_heads
from memnet.models.causal import Groups
from memnet.models.decoders import prediction
from memnet.models.network import Network, Output
from memnet.models.states import Blocks, States, counted, lost, named_blocks, rewritten, unnamed_blocks
from memnet.models.writer import HIDDEN, Writer
from memnet.nn.modules import LayerNorm, Linear, dropout, gather_rows
from memnet.nn.random import Random

FARTHEST, OLDEST, PLACES = 8, 5, 32  # words apart, instructions between, places of words in a sentence
COUNTS = 6  # ways in which a slot's place is counted
SLOTS = 64  # places of slots that are distinct
PAIRS = 4  # slot and slot, slot and word, word and slot, word and word
EMPTY = "nothing"  # what an empty slot holds
LEAST, UNWRITTEN = 1e-7, -20.0  # of a share, and the logit of a word that is never written


class WritableMemory(Network):
    """R networks; ``embedding (R, V, D)`` of the words, ``place (R, 6, S, D)`` of slots as they are counted."""

    Config = WritableConfig
    title = "A memory network that writes"
    presets = ("writable", "writable")
    config: WritableConfig
    entries: Tensor  # (C,)  the words that may be written, first that of an empty slot
    by_length = True
    by_story = True
    word_rows: ClassVar[dict[str, int]] = {"embedding": 1}

    def __init__(self, config: WritableConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, std, layers = config.dim, config.dim**-0.5, range(config.layers)
        self.embedding = nn.Parameter(random.normal(sizes.vocabulary, dim, std=1.0))
        self.parts = nn.Parameter(random.normal(sizes.answer, dim, std=0.5, mean=1.0))
        self.place = nn.Parameter(random.normal(COUNTS, self.slots, dim, std=0.5))
        self.word_place = nn.Parameter(random.normal(PLACES, dim, std=0.5))
        self.step = nn.Parameter(random.normal(OLDEST, dim, std=0.5))
        self.kind = nn.Parameter(random.normal(2, dim, std=0.5))
        self.changed = nn.Parameter(random.normal(OLDEST, dim, std=0.5))  # of slots that so old an instruction rewrote
        distances = 2 * self.slots - 1 + 2 * FARTHEST + 1 + PAIRS  # of slots, of words, and of what is apart in other ways
        self.apart = nn.Parameter(random.normal(distances, config.heads, std=0.1))
        self.gone = nn.Parameter(random.normal(config.heads, std=0.1))  # of slots that held what is held no more
        self.age = nn.Parameter(random.normal((PAIRS + 1) * OLDEST, config.heads, std=0.1))
        self.attend = nn.ModuleList(make_heads(config, dim, config.heads, random) for _ in layers)
        self.norms = nn.ModuleList(LayerNorm(dim, random) for _ in range(2 * config.layers + 1))
        self.inner = nn.ModuleList(Linear(dim, config.hidden, random, std=std) for _ in layers)
        self.outer = nn.ModuleList(Linear(config.hidden, dim, random, std=config.hidden**-0.5) for _ in layers)
        self.write = Writer(dim, sizes.answer, self.slots, OLDEST, random)
        self.register_buffer("entries", torch.tensor([gram[0] for gram in sizes.grams]), persistent=False)
        if not self.embedding.is_meta:
            self.start_attending()

    @property
    def slots(self) -> int:
        """Places of slots that are distinct: no story has more slots than statements."""
        return min(SLOTS, self.sizes.ages)

    @torch.no_grad()
    def start_attending(self) -> None:
        """At first what speaks of the same is read."""
        for heads in self.attend:
            assert isinstance(heads, MultiHead)
            heads.key.weight.copy_(heads.query.weight)

    @classmethod
    def measure(cls, config: Training, data: Examples, vocabulary: Vocabulary) -> Sizes:
        """Besides: as n-grams of one word, what may be written: the word of an empty slot, then those that answers had."""
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
        """Statements of each question's story times the words of the longest, (N,)."""
        lengths = numbers(data.sentences.lengths)[data.memory]
        there = torch.arange(data.memory.shape[1]) < data.count.unsqueeze(1)
        return (lengths * there).amax(1) * data.count

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
        rows = batch.rows()[..., : batch.width]
        if bool(encoded_data.named):
            groups = Groups.of(batch.of_story, batch.num_memories)
            group, longest = groups.group, groups.longest
            rows = rows.gather(1, longest.unsqueeze(2).expand(-1, -1, rows.shape[2]))
            count, story = batch.num_memories.gather(1, longest), batch.of_story.gather(1, longest)
            blocks = named_blocks(rows, count, story, group, batch, encoded_data)
        else:
            group = torch.arange(rows.shape[1], device=rows.device).expand(len(rows), -1)
            blocks = unnamed_blocks(rows, batch, encoded_data, self.entries[0])
        states = self.states_before(blocks, given is not None or not bool(encoded_data.named), noise)
        share, trace = self.rewrite(states, blocks, noise)
        steps, slots, parts = states.shape[2:]
        block = group * steps + blocks.block  # (R, B)
        asked = gather_rows(share.flatten(1, 3).flatten(2), block * slots + blocks.slot).unflatten(2, (parts, -1))
        traces = []
        if given is None or self.config.supervision == "facts":  # answers alone do not teach what to read
            element = block * blocks.source.shape[3] + blocks.words.shape[3] + blocks.slot
            traces = [self.read_by(trace, element, group, blocks, batch)]
        return Output(self.logits(asked).unsqueeze(2), traces)

    def states_before(self, blocks: Blocks, given: bool, noise: Random | None) -> Tensor:
        """The states before each instruction, (R, G, J, S, A): the true ones where they are ``given``, or the network's own."""
        if not given:
            return self.written(blocks)
        states = torch.cat([blocks.first.unsqueeze(2), blocks.given[:, :, :-1].clamp(min=0)], 2)
        if noise is None or self.config.own_states == 0:
            return states
        goes_on = noise.uniform(states.shape[1]).to(states.device) < self.config.own_states
        return torch.where(goes_on.view(*goes_on.shape, 1, 1, 1), self.written(blocks), states)

    @torch.no_grad()
    def written(self, blocks: Blocks) -> Tensor:
        """The states before each instruction, (R, G, J, S, A), as the network writes them itself."""
        states = blocks.first.unsqueeze(2)
        for step in range(1, blocks.words.shape[2]):
            share, _ = self.rewrite(states, blocks.up_to(step), None)
            states = torch.cat([states, prediction(self.logits(share[:, :, -1])).unsqueeze(2)], 2)
        return states

    def logits(self, share: Tensor) -> Tensor:
        """Of the shares of words that may be written (R, ..., C) the logits of all words, (R, ..., V)."""
        logits = share.new_full((*share.shape[:-1], self.sizes.vocabulary), UNWRITTEN)
        return logits.index_copy(-1, self.entries, (share + LEAST).log())

    def rewrite(self, states: Tensor, blocks: Blocks, noise: Random | None) -> tuple[Tensor, Trace]:
        """The shares of the words that may be written, for every slot's words after each instruction, (R, G, J, S, A, C).

        ``states (R, G, J, S, A)`` are those before the instructions. And what the last layer's heads read, of all T elements.
        """
        steps, words, rate = states.shape[2], blocks.words, self.config.dropout
        longest = words.shape[3]
        if noise is not None and self.config.word_dropout > 0:
            words = words * (noise.uniform(*words.shape[1:]).to(words.device) >= self.config.word_dropout)
        x = torch.cat([self.words(words), self.holders(states, blocks.slots)], 3)  # (R, G, J, L + S, D)
        step = torch.arange(steps, device=x.device).clamp(max=OLDEST - 1)
        x = dropout(x + self.step[:, step].view(len(x), 1, steps, 1, -1), rate, noise)
        width = x.shape[3]
        there = torch.cat([blocks.there, blocks.slots], 3).flatten(2)
        block = torch.arange(steps, device=x.device).repeat_interleave(width)
        readable = (block.unsqueeze(1) >= block) & there.unsqueeze(2)  # (R, G, T, T)
        gone = F.pad(lost(states), (longest, 0))[:, :, block].flatten(3).unsqueeze(2)  # (R, G, 1, T, T)
        bias = self.distances(steps, longest, width - longest).unsqueeze(1) + self.gone[:, None, :, None, None] * gone
        bias = torch.where(readable.unsqueeze(2), bias, HIDDEN)  # (R, G, H, T, T)
        x = x.flatten(2, 3)
        for layer, heads in enumerate(self.attend):
            assert isinstance(heads, MultiHead)
            normed = self.norms[2 * layer](x)
            trace = heads.prepare(normed).ask_heads(heads.split(heads.query, normed), None, None, bias, None, None)
            x = x + dropout(trace.output, rate, noise)
            inner = self.inner[layer](self.norms[2 * layer + 1](x)).relu()
            x = x + dropout(self.outer[layer](inner), rate, noise)
        said, slots = self.norms[-1](x).unflatten(2, (steps, width)).split([longest, width - longest], 3)
        share: Tensor = self.write(slots, said, blocks, states, self.embedding[:, self.entries], self.entries)
        return share, trace

    def read_by(self, trace: Trace, element: Tensor, group: Tensor, blocks: Blocks, batch: Batch) -> Trace:
        """What the slots that are asked for, ``element (R, B)`` of all stories', read of the statements: (R, B, 1, M)."""

        def of_questions(part: Tensor) -> Tensor:  # (R, G, H, T, T) -> (R, B, H, 1, T)
            flat = part.transpose(2, 3).flatten(1, 2).flatten(2)
            found: Tensor = gather_rows(flat, element).unflatten(2, (part.shape[2], 1, -1))
            return found

        mine = trace._replace(weights=of_questions(trace.weights), logits=of_questions(trace.logits))
        source = blocks.source.flatten(2)
        source = source.gather(1, group.unsqueeze(2).expand(-1, -1, source.shape[2]))
        output = gather_rows(trace.output.flatten(1, 2), element)
        return of_groups(mine._replace(output=output.unsqueeze(2)), source, batch.mask.shape[2], 1)

    def holders(self, states: Tensor, there: Tensor) -> Tensor:
        """A vector for each slot by what it holds, where it stands and when it was rewritten, (R, G, J, S, D)."""
        parts = self.parts.view(len(self.parts), 1, 1, 1, *self.parts.shape[1:])
        x = (gather_rows(self.embedding, states) * parts).sum(4) + self.kind[:, 0].view(len(parts), 1, 1, 1, -1)
        number = counted(states, there, self.entries[0]).clamp(max=self.slots - 1)
        number = number + self.slots * torch.arange(COUNTS, device=number.device)
        x = x + gather_rows(self.place.flatten(1, 2), number).sum(4)
        return x + rewritten(states, OLDEST).to(x.dtype) @ self.changed[:, None, None]

    def words(self, words: Tensor) -> Tensor:
        """A vector for each word of the instructions, (R, G, J, L, D)."""
        place = torch.arange(words.shape[3], device=words.device).clamp(max=PLACES - 1)
        placed = self.word_place[:, place] + self.kind[:, 1:]
        return gather_rows(self.embedding, words) + placed.view(len(words), 1, 1, *placed.shape[1:])

    def distances(self, steps: int, words: int, slots: int) -> Tensor:
        """What each head prefers, by how far apart two elements are and in which blocks, (R, H, T, T)."""
        element = torch.arange(steps * (words + slots), device=self.apart.device)
        block, place = element // (words + slots), element % (words + slots)
        is_word = place < words
        place = torch.where(is_word, place, place - words)
        apart = place.unsqueeze(0) - place.unsqueeze(1)  # of the key from the query
        age = (block.unsqueeze(1) - block.unsqueeze(0)).clamp(0, OLDEST - 1)
        pair = 2 * is_word.unsqueeze(1) + is_word.unsqueeze(0)
        others = 2 * self.slots - 1  # after the distances of slots those of words come, then what is apart in other ways
        kind = others + 2 * FARTHEST + 1 + pair
        kind = torch.where(pair == 0, apart.clamp(1 - self.slots, self.slots - 1) + self.slots - 1, kind)
        kind = torch.where((pair == PAIRS - 1) & (age == 0), others + apart.clamp(-FARTHEST, FARTHEST) + FARTHEST, kind)
        old = torch.where((pair == 0) & (apart == 0), PAIRS, pair) * OLDEST + age  # a slot and itself earlier are a pair too
        return (self.apart[:, kind] + self.age[:, old]).movedim(3, 1)

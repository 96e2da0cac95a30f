"""A memory network that composes what a bot says next, word by word, and copies names out of its memories.

    statements   words (B, S, L, D) that see their neighbours; each statement is what a few learned queries read of its words
    a turn       the user's utterance asks the statements before it and the names in them, several hops (Sukhbaatar et al. 2015)
    the answer   a GRU says a word at a time: one of the vocabulary, or a name copied from where it stands (pointer-generator,
                 See et al. 2017; Mem2Seq, Madotto et al. 2018), by one softmax over both

Names are memories of keys and values (Miller et al. 2016, arXiv 1606.03126): the key is what stands around a name, who said it
and how long ago, and of a row of a knowledge base its relation and whom it is about; the value is the name itself. Every
reading is an :class:`~memnet.attention.Attention`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Attention, dot, scaled_dot, softmax, weighted_sum
from memnet.composing.examples import FEATURES, OF_ROW, Batch
from memnet.composing.lexicon import PAD

NEIGHBOURS = 2  # words on each side that a word sees, twice
OLDEST = 24  # turns; older statements are as old
KINDS = 4  # of statements
NEVER = -1e4  # log p of what cannot be said
MOST_MEMBERS = 100  # composers of an ensemble
AT_ONCE = 8  # words of answers whose chances are computed together


@dataclass(frozen=True)
class ComposerConfig:
    """Sizes of the network."""

    words: int  # that are known
    spoken: int  # words that answers are made of
    dim: int = 64
    heads: int = 4
    rows: int = 12  # queries that read the words of each statement
    hops: int = 2
    hidden: int = 128  # of the network of two layers after each hop
    decoder: int = 64  # of the GRU

    def as_dict(self) -> dict[str, Any]:
        """For config.json."""
        return asdict(self)


class Heads(nn.Module):
    """Several attentions side by side, and a network of two layers, both added to the query (Vaswani et al. 2017)."""

    def __init__(self, config: ComposerConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.attend = Attention(scaled_dot, softmax, weighted_sum)
        self.before, self.of_memory, self.between = (nn.LayerNorm(config.dim) for _ in range(3))
        self.query, self.key = (nn.Linear(config.dim, config.dim, bias=False) for _ in range(2))
        self.value, self.out = (nn.Linear(config.dim, config.dim) for _ in range(2))
        self.wide, self.narrow = nn.Linear(config.dim, config.hidden), nn.Linear(config.hidden, config.dim)
        self.drop = nn.Dropout(0.0)  # training says how much

    def split(self, x: Tensor) -> Tensor:
        """(B, N, D) -> (B, H, N, D / H)."""
        heads: Tensor = x.unflatten(-1, (self.heads, -1))
        return heads.transpose(1, 2)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        """``x (B, T, D)`` reads ``memory (B, S, D)`` where ``mask (B, T, S)``; ``bias (B, H, T, S)``; the weights as well."""
        read = self.of_memory(memory)
        query, key, value = self.query(self.before(x)), self.key(read), self.value(read)
        trace = self.attend(*map(self.split, (query, key, value)), mask=mask.unsqueeze(1), bias=bias)
        x = x + self.drop(self.out(trace.output.transpose(1, 2).flatten(2)))
        x = x + self.drop(self.narrow(F.relu(self.wide(self.between(x)))))
        return x, trace.weights


class Told(NamedTuple):
    """What the network makes of dialogs before it answers."""

    state: Tensor  # (B, T, D)
    key: Tensor  # (B, N, D) of the names
    batch: Batch
    weights: list[Tensor]  # (B, H, T, S) a hop


class Composer(nn.Module):
    """See the module's docstring."""

    networks = 1  # of an :class:`Ensemble` more
    composers: Sequence[Composer] = ()  # of an ensemble its members

    def __init__(self, config: ComposerConfig) -> None:
        super().__init__()
        self.config = config
        dim = config.dim
        self.embedding = nn.Embedding(config.words, dim, padding_idx=PAD)
        self.value, self.who = nn.Linear(1, dim, bias=False), nn.Embedding(KINDS, dim)
        self.near = nn.ModuleList(nn.Linear((2 * NEIGHBOURS + 1) * dim, dim) for _ in range(2))
        self.pool, self.pooled = nn.Parameter(torch.randn(config.rows, dim) * dim**-0.5), nn.Linear(config.rows * dim, dim)
        self.attend = Attention(dot, softmax, weighted_sum)
        self.start, self.last = nn.Linear(2 * dim, dim), nn.Parameter(torch.randn(dim) * 0.1)
        self.age = nn.Embedding((OLDEST + 1) * 2 * KINDS, config.heads)
        self.named = nn.Linear(dim, dim)
        self.hops = nn.ModuleList(Heads(config) for _ in range(config.hops))
        self.state = nn.LayerNorm(dim)
        self.said = nn.Embedding(config.spoken + 2, dim)  # the beginning and a name come last
        self.gru, self.begin = nn.GRU(dim, config.decoder, batch_first=True), nn.Linear(dim, config.decoder)
        self.speak = nn.Linear(config.decoder, config.spoken)
        self.point, self.point_key = nn.Linear(config.decoder, dim), nn.Linear(dim, dim)
        self.prefer = nn.Linear(config.decoder, FEATURES)
        self.drop = nn.Dropout(0.0)
        nn.init.normal_(self.embedding.weight, std=0.3)
        nn.init.zeros_(self.age.weight)

    def read(self, batch: Batch) -> Told:
        """Everything that no word of an answer changes."""
        there = batch.words != PAD
        x = self.embedding(batch.words) + self.value(batch.value.unsqueeze(-1)) + self.who(batch.by).unsqueeze(1)
        x = self.drop(x) * there.unsqueeze(-1)
        for near in self.near:
            wide = F.pad(x, (0, 0, NEIGHBOURS, NEIGHBOURS))
            window = torch.cat([wide[:, at : at + x.shape[1]] for at in range(2 * NEIGHBOURS + 1)], -1)
            x = (x + F.relu(near(window))) * there.unsqueeze(-1)
        pooled = self.attend(self.pool.expand(len(x), -1, -1), x, x, mask=there.unsqueeze(1)).output
        statements = F.embedding(batch.number, self.pooled(pooled.flatten(1)) + self.who(batch.by))  # (B, S, D)
        found = F.embedding(batch.place, x.flatten(0, 1))  # (B, N, D)
        asked = batch.asked.clamp(min=0)
        now, before = take(statements, asked), take(statements, (asked - 1).clamp(min=0)) * (asked > 0).unsqueeze(-1)
        state = self.start(torch.cat([now, before], -1)) + self.last
        memory, mask, bias = torch.cat([statements, self.named(found)], 1), *self.readable(batch)
        weights = []
        for hop in self.hops:
            state, read = hop(state, memory, mask, bias)
            weights.append(read)
        return Told(self.state(state), self.point_key(self.drop(found)), batch, weights)

    def readable(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Which statements and names outside of rows each turn may read, (B, T, S + N), and a bias by who said them when.

        The bias is (B, H, T, S + N).
        """
        asked = batch.asked.clamp(min=0)
        statement = torch.cat([torch.arange(batch.who.shape[1], device=asked.device).expand_as(batch.who), batch.statement], 1)
        who, turn = batch.who.gather(1, statement), batch.turn.gather(1, statement)
        there = torch.cat([batch.there, batch.name >= 0], 1) & (who != OF_ROW)
        mask = (statement.unsqueeze(1) <= asked.unsqueeze(2)) & there.unsqueeze(1)
        age = (batch.turn.gather(1, asked).unsqueeze(2) - turn.unsqueeze(1)).clamp(0, OLDEST)
        kind = who + KINDS * (torch.arange(who.shape[1], device=who.device) >= batch.who.shape[1])
        return mask, self.age(age * 2 * KINDS + kind.unsqueeze(1)).movedim(-1, 1)

    def step(self, told: Told, hidden: Tensor, said: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """One word of every answer: ``hidden (B, T, H)`` and the words before it, ``said (B, T)``.

        Gives the next hidden states, the logits of the vocabulary (B, T, spoken) and of the names (B, T, N).
        """
        first = hidden.flatten(0, 1).unsqueeze(0)
        out, after = self.gru((self.said(said) + told.state).flatten(0, 1).unsqueeze(1), first)
        speak, copy = self.words(told, out.view(*said.shape, 1, -1))
        return after.view(hidden.shape), speak.squeeze(2), copy.squeeze(2)

    def words(self, told: Told, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of words, of hidden states (B, T, A, H): (B, T, A, spoken) and (B, T, A, N)."""
        batch = told.batch
        out = self.drop(hidden)
        mask = (batch.name >= 0).unsqueeze(1) & (batch.statement.unsqueeze(1) <= batch.asked.unsqueeze(2))  # (B, T, N)
        prefer = dot(self.prefer(out), batch.features)  # by features that change from turn to turn
        memory = self.attend.prepare(told.key, told.key[..., :0])  # the weights alone are wanted
        wide = mask.unsqueeze(2).expand_as(prefer).flatten(1, 2)
        copy = memory.ask(self.point(out).flatten(1, 2), wide, bias=prefer.flatten(1, 2)).logits
        return self.speak(out), copy.view(prefer.shape).clamp(min=NEVER)

    def beginning(self, told: Told) -> tuple[Tensor, Tensor]:
        """Before the first word: hidden states (..., H) and what was said last (...)."""
        said = torch.full(told.state.shape[:-1], self.config.spoken, dtype=torch.long, device=told.state.device)
        return self.begin(told.state).tanh(), said

    def loss(self, batch: Batch) -> Tensor:
        """What the answers cost, the mean over the turns: -log p of their words, each by all the ways to say it."""
        told = self.read(batch)
        hidden, said = self.beginning(told)
        earlier = torch.where(batch.spoken >= 0, batch.spoken, self.config.spoken + 1)[:, :, :-1]
        earlier, total = torch.cat([said.unsqueeze(2), earlier], 2), hidden.new_zeros(())
        for at in range(0, earlier.shape[2], AT_ONCE):
            rows, part = longer(batch, at), slice(at, at + AT_ONCE)  # most answers are short
            now, before = take(told.state, rows), take(hidden, rows)
            joined = self.said(take(earlier[:, :, part], rows)) + now.unsqueeze(2)  # (B, K, A, D)
            out, last = self.gru(joined.flatten(0, 1), before.flatten(0, 1).unsqueeze(0))
            hidden = hidden.scatter(1, rows.unsqueeze(2).expand_as(before), last.view(before.shape))
            some = told._replace(batch=batch._replace(asked=take(batch.asked, rows), features=take(batch.features, rows)))
            words = (take(one[:, :, part], rows) for one in (batch.spoken, batch.copied))
            chance, possible = self.chances(some, out.unflatten(0, rows.shape), *words)
            total = total - chance[possible].sum()
        return total / (batch.asked >= 0).sum()

    def chances(self, told: Told, hidden: Tensor, spoken: Tensor, copied: Tensor) -> tuple[Tensor, Tensor]:
        """log p of words (B, T, A), by all the ways to say each, and whether there is one."""
        batch = told.batch
        speak, copy = self.words(told, hidden)
        right = (batch.name[:, None, None] == copied.unsqueeze(3)) & (copied >= 0).unsqueeze(3)
        one = speak.gather(3, spoken.clamp(min=0).unsqueeze(3)).masked_fill((spoken < 0).unsqueeze(3), NEVER)
        ways = torch.cat([one, copy.masked_fill(~right, NEVER)], 3)
        chance = ways.logsumexp(3) - torch.cat([speak, copy], 3).logsumexp(3)
        possible = ((spoken >= 0) | (right & (copy > NEVER)).any(3)) & (batch.asked >= 0).unsqueeze(2)
        return chance, possible

    def chance_of(self, told: Told, spoken: Tensor, copied: Tensor) -> Tensor:
        """log p of a whole answer to each turn, of the numbers of its words (B, T, A): (B, T).

        Words that are neither generated nor in the dialog before the turn have no chance.
        """
        hidden, said = self.beginning(told)
        earlier = torch.where(spoken >= 0, spoken, self.config.spoken + 1)[:, :, :-1]
        joined = self.said(torch.cat([said.unsqueeze(2), earlier], 2)) + told.state.unsqueeze(2)
        out, _ = self.gru(joined.flatten(0, 1), hidden.flatten(0, 1).unsqueeze(0))
        chance, possible = self.chances(told, out.unflatten(0, spoken.shape[:2]), spoken, copied)
        there = (spoken >= 0) | (copied >= 0)
        return chance.masked_fill(there & ~possible, NEVER).masked_fill(~there, 0).sum(2)

    def scores(self, told: Told, spoken: Tensor, copied: Tensor) -> Tensor:
        """log p of K answers (K, A) at every turn of the one dialog told, (T, K)."""
        turns, many = told.batch.asked.shape[1], len(spoken)
        batch = told.batch._replace(
            asked=told.batch.asked.repeat_interleave(many, 1), features=told.batch.features.repeat_interleave(many, 1)
        )
        told = told._replace(batch=batch, state=told.state.repeat_interleave(many, 1))
        each = (one.repeat(turns, 1).unsqueeze(0) for one in (spoken, copied))  # (1, T K, A)
        return self.chance_of(told, *each).view(turns, many)


class Ensemble(nn.Module):
    """Composers of one lexicon that answer together: chances of a word, and of a whole answer, are the means of theirs.

    They are trained apart.
    """

    def __init__(self, members: Sequence[Composer]) -> None:
        super().__init__()
        self.composers, self.members = list(members), nn.ModuleList(members)
        self.config, self.networks = members[0].config, len(members)

    def read(self, batch: Batch) -> list[Told]:
        """What each makes of dialogs before it answers."""
        return [net.read(batch) for net in self.composers]

    def beginning(self, told: Sequence[Told]) -> tuple[Tensor, Tensor]:
        """Before the first word: hidden states (M, ..., H) of M composers and what was said last (...)."""
        found = [net.beginning(one) for net, one in zip(self.composers, told, strict=True)]
        return torch.stack([hidden for hidden, _ in found]), found[0][1]

    def step(self, told: Sequence[Told], hidden: Tensor, said: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As of one composer; log p (B, T, spoken) and (B, T, N) in place of logits."""
        found = [net.step(one, each, said) for net, one, each in zip(self.composers, told, hidden, strict=True)]
        chances = mean_chance([torch.cat([speak, copy], -1).log_softmax(-1) for _, speak, copy in found])
        speak, copy = chances.split([self.config.spoken, chances.shape[-1] - self.config.spoken], -1)
        return torch.stack([after for after, _, _ in found]), speak, copy

    def chance_of(self, told: Sequence[Told], spoken: Tensor, copied: Tensor) -> Tensor:
        """log p of a whole answer to each turn, (B, T, A) -> (B, T): the mean of the chances that composers give it."""
        return mean_chance([net.chance_of(one, spoken, copied) for net, one in zip(self.composers, told, strict=True)])

    def scores(self, told: Sequence[Told], spoken: Tensor, copied: Tensor) -> Tensor:
        """log p of K answers (K, A) at every turn of the one dialog told, (T, K): the mean of the chances of whole answers."""
        return mean_chance([net.scores(one, spoken, copied) for net, one in zip(self.composers, told, strict=True)])


def mean_chance(logs: Sequence[Tensor]) -> Tensor:
    """The logarithm of the mean of chances, of their logarithms."""
    return torch.stack(list(logs)).logsumexp(0) - math.log(len(logs))


def longer(batch: Batch, words: int) -> Tensor:
    """The turns (B, K) whose answers are longer than so many words; others after them where a dialog has fewer."""
    more = ((batch.spoken >= 0) | (batch.copied >= 0))[:, :, words:].any(2)
    most = max(1, int(more.sum(1).max()))
    return (~more).long().argsort(dim=1, stable=True)[:, :most]


def take(rows: Tensor, number: Tensor) -> Tensor:
    """Rows by their number: (B, M, ...), (B, K) -> (B, K, ...)."""
    return rows[torch.arange(len(rows), device=rows.device).unsqueeze(1), number]

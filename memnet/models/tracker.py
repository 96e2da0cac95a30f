"""An entity tracker: a story is read once, sentence by sentence, into pointers between what it names.

reader   a sentence is its words by place, and its names: m_1 the last of them, m_2 the one before, and so on; in the place of
         the first that is not named stands a, whom the sentence before was about ("Then she took the milk.")
state    P (E, E): how much each points to each, a person to a place, a thing to a place or to who has it
update   P = P - t e P + t v     t whose pointers change, e what they forget, v to whom they point then: to somebody named, or
                                 to where somebody named points; t, e and v are linear in the sentence's words
ask      s_0 = what is asked about, s_{k+1} = s_k P + what of s_k points nowhere: hops along the pointers
answer   the newest time that fits, of what was there then: the end of the hops, or a name that was told

Nothing is known of moves, takes or gives, nor which names are people: that is learned from answers, and from the story itself.
Two of its regularities are learned beside the answers, and hold for stories that ask other questions:

who acts   who drops a thing, or hands it over, is whom it points to: this teaches what a gift does to it
together   where two are named in one sentence and both their places are known, how often these are one and the same place.
           Where they always are, a place that is not known is filled in with the other's.

Pointers follow EntNet's idea of a memory a thing (Henaff et al. 2017, arXiv 1612.03969) and are read by hops along them, as
key-value memories are (Miller et al. 2016, arXiv 1606.03126); a state that is written and erased is Graves et al.'s (2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnet.attention import Attention, Trace, dot, softmax, weighted_sum
from memnet.attention.align import NEVER
from memnet.attention.newest import newest
from memnet.config import ClipPer, Count, Decoder, Optimizer, Schedule, Selection, Training, UpTo64, Width, ZeroOrMore
from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sizes
from memnet.encode.vocabulary import STOP_NUMBER, Vocabulary
from memnet.models.causal import Groups
from memnet.models.decoders import decode
from memnet.models.encoders import batch_table
from memnet.models.network import Network, Output
from memnet.models.pointers import (
    NAMES,
    PARTS,
    PRONOUN,
    TINY,
    Cast,
    Step,
    Story,
    Told,
    acting_cost,
    filled,
    follow,
    one_hot,
    together_cost,
    told,
    written,
)
from memnet.nn.modules import Linear, gather_rows
from memnet.nn.random import Random
from memnet.tasks.text.english import PEOPLE_PRONOUNS

INSIDE, HELD = (0.0, 0.5, 1.0), (0.0, 1.0, 2.0, 3.0)  # shares and numbers that are told apart
WIDE = 0.2  # how far a number is from one of these, for about half of its height
EARLIER = 20.0  # how much a list's order counts before training, in the share of a story
START = 0.3  # standard deviation of weights before training
BY_HOPS, FAR, NOW = 4.0, 2.0, 2.0  # biases before training: a question reads where the last hop ends now


@dataclass(frozen=True, repr=False)
class TrackerConfig(Training):
    """An entity tracker: pointers between what a story names."""

    epochs: int = 12
    batch: int = 32
    replacement: bool = False
    optimizer: Optimizer = "adamw"
    lr: float = 0.01
    schedule: Schedule = "cosine"
    warmup: float = 0.05
    clip: float = 1.0
    clip_per: ClipPer = "network"
    decay: float = 0.1
    selection: Selection = "validation"
    memory_size: int = 300
    decoder: Decoder = "words"
    open_vocabulary: bool = True
    dim: Width = 64
    hops: Annotated[UpTo64, "how often a pointer is followed, at most"] = 3
    hops_first: Annotated[Count, "epochs of answers from pointers alone, in which changes cost nothing"] = 3
    who_acts: Annotated[ZeroOrMore, "weight of predicting who acts from the state"] = 0.3
    together: Annotated[ZeroOrMore, "weight of learning who is in one place"] = 0.5
    idle: Annotated[ZeroOrMore, "cost of each pointer that a sentence changes: what need not change stays"] = 0.05

    default_restarts = 1

    @property
    def warm_epochs(self) -> int:
        """Epochs of pointers alone."""
        return self.hops_first

    def conflicts(self) -> Iterator[str]:
        """Besides: of names and of how it answers."""
        yield from super().conflicts()
        if not self.open_vocabulary:
            yield "a tracker follows names, which are markers: set open_vocabulary=true"
        if self.decoder != "words":
            yield "it answers word by word: decoder=words"
        if self.supervision != "answers":
            yield "a tracker keeps a state and reads no statement again, so that no supporting fact can be taught"


class Encoded(NamedTuple):
    """The sentences and the questions of a data set."""

    sentences: Told
    questions: Told

    def to(self, device: torch.device | str) -> Encoded:
        """On another device."""
        return Encoded(self.sentences.to(device), self.questions.to(device))


def bumps(number: Tensor, centres: tuple[float, ...]) -> Tensor:
    """exp(-(x - c)^2 / 2 w^2) of each centre: (...) -> (..., C)."""
    return (-((number.unsqueeze(-1) - number.new_tensor(centres)) / WIDE).square() / 2).exp()


class Found(NamedTuple):
    """What a question found, (R, B, 1, ...)."""

    asked: Tensor  # (..., D)  its words
    read: Tensor  # (..., N + 1, E)  where hops end, and the names of the statement, at the time that it reads
    held: Tensor  # (..., E)  what points to whom it asks about
    had: Tensor  # (..., E)  for how much of the story each has pointed there, or did before
    seen: Tensor  # (..., C)  whether one is in the other, and how many it holds


class Tracker(Network):
    """R networks; ``embedding (R, (N + 1) V', D)`` of the V' words that are no names, one for each place in a sentence."""

    Config = TrackerConfig
    title = "An entity tracker"
    presets = ("tracker", "tracker")
    config: TrackerConfig
    by_length = True
    by_story = True

    def __init__(self, config: TrackerConfig, sizes: Sizes, random: Random) -> None:
        super().__init__(config, sizes, random)
        dim, words = config.dim, sizes.vocabulary - sizes.entities
        self.told, self.asked = (nn.Parameter(random.normal(NAMES + 1, words, dim, std=dim**-0.5)) for _ in range(2))
        self.step = Linear(dim, sum(PARTS), random, std=START)
        self.by_hops = Linear(dim, config.hops + 1, random, std=START)
        self.whom = Linear(dim, 2, random, std=START)
        self.when = Linear(dim, 3, random, std=START)
        self.fits = Linear(dim, 2 * NAMES, random, std=START)
        self.alike = Linear(dim, dim, random, bias=False, std=dim**-0.5)
        self.kind = Linear(dim, NAMES + 3, random, std=START)  # where hops end, a name that was told, what is held, or a word
        self.order = nn.Parameter(torch.full((random.replicas, 1), EARLIER))
        self.inner = Linear(dim + len(INSIDE) + len(HELD), dim, random, std=dim**-0.5)
        self.outer = Linear(dim, words, random, std=dim**-0.5)
        self.read = Attention(dot, newest, weighted_sum)
        self.early = torch.zeros(random.replicas, dtype=torch.bool)
        if not self.order.is_meta:
            self.start_from_hops()

    @torch.no_grad()
    def start_from_hops(self) -> None:
        """At first a question reads where hops end now: pointers are learned before what was told is looked up."""
        first = ((self.kind, 0, BY_HOPS), (self.by_hops, self.config.hops, FAR), (self.when, 0, NOW), (self.whom, 0, NOW))
        for linear, place, bias in first:
            assert linear.bias is not None
            linear.bias[:, place] = bias

    def set_schedule(self, linear: Tensor, softmax: Tensor) -> None:
        """Which replicas (R,) learn from pointers alone."""
        self.early = softmax.clone()

    def phase_name(self, replica: int) -> str:
        """What a replica learns from."""
        return "pointers" if bool(self.early[replica]) else "newest"

    @classmethod
    def measure(cls, config: Training, data: Examples, vocabulary: Vocabulary) -> Sizes:
        """Besides: the pronouns of people, each an n-gram of one word."""
        pronouns = sorted(vocabulary[word] for word in PEOPLE_PRONOUNS if vocabulary[word])
        return data.sizes(vocabulary)._replace(grams=tuple((number,) for number in pronouns))

    @property
    def alignment(self) -> str:
        """The name of its alignment."""
        return "newest"

    def encode_data(self, data: Examples) -> Encoded:
        """Sentences and questions as words by place, and names."""
        per_story = float(data.count.float().mean()) if len(data) else 0.0
        return Encoded(
            told(data.sentences, self.sizes, per_story, backward=True), told(data.questions, self.sizes, 0.0, backward=False)
        )

    def forward(
        self,
        batch: Batch,
        encoded_data: Encoded,
        random: Random | None = None,
        samples: int = 1,
        given: Tensor | None = None,
        noise: Random | None = None,
    ) -> Output:
        """Answers, and which statement each was read at; what is learned beside the answers is its penalty."""
        groups = Groups.of(batch.of_story, batch.num_memories)
        index = groups.longest.unsqueeze(2).expand(-1, -1, batch.width)
        count = batch.num_memories.gather(1, groups.longest)
        real = torch.arange(groups.longest.shape[1], device=count.device) <= groups.group[:, -1:]  # some replicas have fewer
        story = self.read_story(batch.rows()[..., : batch.width].gather(1, index), count * real, encoded_data.sentences)
        return self.answer(story, groups, batch, encoded_data.questions, given)._replace(penalty=story.cost)

    def words_of(self, words: Tensor, told: Told, row: Tensor) -> tuple[Tensor, Tensor]:
        """Sentences as sums of their words, a table (R, U', D), and where in it those of ``row (R, ...)`` are."""
        return batch_table(F.pad(words, (0, 0, 0, self.sizes.entities)).flatten(1, 2), told.code, row)

    def read_story(self, rows: Tensor, count: Tensor, sentences: Told) -> Story:
        """Stories of ``rows (R, G, W)``, of which the first ``count (R, G)`` are told."""
        config = self.config
        table, where = self.words_of(self.told, sentences, rows)
        steps, markers = Step.of(gather_rows(self.step(table), where)), sentences.names[rows]
        who = Cast.of(markers, self.sizes.entities)
        numbers, entities = who.number(markers), who.size
        names = one_hot(numbers, entities)  # (R, G, W, N, E)
        is_told = (torch.arange(rows.shape[2], device=rows.device) < count.unsqueeze(2)).float()
        pronoun = (numbers == PRONOUN).float().unsqueeze(4)
        moved = (torch.maximum(steps.about, steps.write) * is_told.unsqueeze(3)).unsqueeze(-1) * names
        place = 1 - moved.amax((2, 3))
        pointers, about = names.new_zeros(*rows.shape[:2], entities, entities), names.new_zeros(*rows.shape[:2], entities)
        states, costs = [pointers], []
        idle = config.idle * (~self.early).float().unsqueeze(1)
        for at in range(rows.shape[2]):
            step = steps.at(at)
            referents = names[:, :, at] + pronoun[:, :, at] * about.unsqueeze(2)
            ends = referents
            for _ in range(config.hops - 1):
                ends = follow(ends, pointers)
            there = (ends * place.unsqueeze(2)).detach()
            acting = (acting_cost(pointers, step, referents) * names[:, :, at].sum(-1)).sum(2)
            changed = (F.softplus(step.logit) * referents.sum(-1)).sum(2)  # - log of the chance that nothing changes
            beside = config.who_acts * acting + config.together * together_cost(step, there) + idle * changed
            costs.append(beside)
            pointers = written(filled(pointers, step, ends, there), step, referents)
            about = (step.about.unsqueeze(-1) * referents).sum(2).clamp(max=1)
            states.append(pointers)
        cost = (torch.stack(costs, 2) * is_told).sum((1, 2)) / is_told.sum((1, 2)).clamp(min=1)
        frames = gather_rows(table, where)
        return Story(who, torch.stack(states, 2), place, F.pad(names, (0, 0, 0, 0, 1, 0)), F.pad(frames, (0, 0, 1, 0)), cost)

    def hop(self, story: Story, asked: Tensor, subject: Tensor) -> Tensor:
        """At which places hops from a ``subject (R, G, Q, E)`` end at each time, (R, G, Q, T, E)."""
        gone = 1 - story.pointers.sum(-1)  # (R, G, T, E)
        here = subject.unsqueeze(3).expand(-1, -1, -1, story.pointers.shape[2], -1)
        share = softmax(self.by_hops(asked)).weights.unsqueeze(3).unsqueeze(4)  # (R, G, Q, 1, 1, hops + 1)
        found = share[..., 0] * here
        for hop in range(1, self.config.hops + 1):
            here = torch.einsum("rgqte,rgtef->rgqtf", here, story.pointers) + here * gone.unsqueeze(2)
            found = found + share[..., hop] * here
        return found * story.place[:, :, None, None]

    def answer(self, story: Story, groups: Groups, batch: Batch, questions: Told, given: Tensor | None) -> Output:
        """Questions of groups about their stories."""
        asked = groups.spread(gather_rows(*self.words_of(self.asked, questions, batch.question)))  # (R, G, Q, D)
        names = one_hot(story.who.number(groups.spread(questions.names[batch.question])), story.who.size)
        count, time = groups.spread(batch.num_memories).unsqueeze(3), torch.arange(story.pointers.shape[2])
        now, share = (time == count).float(), softmax(self.whom(asked)).weights.unsqueeze(4)  # (R, G, Q, 2, 1)
        subject, other = (share * names[..., :2, :]).sum(3), (share.flip(3) * names[..., :2, :]).sum(3)
        ends = self.hop(story, asked, subject)
        inside = (ends * other.unsqueeze(3)).sum(-1)  # (R, G, Q, T)
        then = F.pad(inside[..., 1:], (0, 1)) * (time < count)
        matches = torch.einsum("rgtne,rgqie->rgqtni", story.names, names[..., :2, :]).flatten(4)
        mask, wide = (time <= count).unsqueeze(3), (-1, -1, inside.shape[2], -1, -1)
        key = torch.stack([torch.ones_like(inside), inside, then], -1)
        then_there = self.read(self.when(asked).unsqueeze(3), key, ends, mask)
        key = torch.cat([matches, story.frames.unsqueeze(2).expand(wide)], -1)
        query = torch.cat([self.fits(asked), self.alike(asked)], -1).unsqueeze(3)
        trace = self.read(query, key, story.names.flatten(3).unsqueeze(2).expand(wide), mask)
        marked = story.who.marked().unsqueeze(2)  # (R, G, 1, E, markers)
        read = torch.cat([then_there.output, torch.unflatten(trace.output.squeeze(3), -1, (NAMES, -1))], 3) @ marked
        held = torch.einsum("rgtef,rgqf->rgqte", story.pointers, subject)
        had = (held * (time <= count).unsqueeze(4)).cummax(3).values.mean(3) / now.shape[3]
        held = (held * now.unsqueeze(4)).sum(3)
        seen = torch.cat([bumps((inside * now).sum(3), INSIDE), bumps(held.sum(3), HELD)], -1)
        held, had = ((one.unsqueeze(3) @ marked).squeeze(3) for one in (held, had))
        found = Found(*(groups.collect(one).unsqueeze(2) for one in (asked, read, held, had, seen)))

        def decoded(given: Tensor | None) -> Tensor:
            return self.worded(found, given)

        logits = decoded(None if given is None else given.unsqueeze(2))
        return Output(logits, [self.of_question(trace, groups, batch)], decode=decoded)

    def worded(self, found: Found, given: Tensor | None) -> Tensor:
        """The scores of an answer's words, (R, B, K, A, V): of a list one name after another, the first had first."""
        told = torch.arange(NAMES + 3, device=found.asked.device) - 1  # of kinds of answers, 0 to NAMES - 1 are names told
        never = self.early.view(-1, 1, 1, 1) & (told >= 0) & (told < NAMES)
        kind = softmax(self.kind(found.asked).masked_fill(never, NEVER)).weights
        words = softmax(self.outer(self.inner(torch.cat([found.asked, found.seen], -1)).relu())).weights
        entity = (kind[..., : NAMES + 1].unsqueeze(-1) * found.read).sum(-2)
        lists, stop = kind[..., NAMES + 1 : NAMES + 2], one_hot(torch.tensor(STOP_NUMBER), words.shape[-1])
        shape = found.held.shape if given is None else (*given.shape[:-1], found.held.shape[-1])
        order = self.order.view(-1, 1, 1, 1) * found.had

        def step(left: Tensor, word: Tensor | None) -> tuple[Tensor, Tensor]:
            if word is not None:
                left = left * (1 - one_hot(word - words.shape[-1], self.sizes.entities))
            nothing = (1 - left).clamp(0, 1).prod(-1, keepdim=True)
            listed = softmax(left.clamp(min=TINY).log() + order).weights * (1 - nothing) * lists
            if word is None:
                said = (kind[..., -1:] + lists * nothing) * words
                chance = torch.cat([said.expand(*shape[:-1], -1), entity + listed], -1)
            else:
                ended = (1 - lists + lists * nothing) * stop
                chance = torch.cat([ended.expand(*shape[:-1], -1), listed], -1)
            return chance.clamp(min=TINY).log(), left

        return decode(step, found.held.expand(shape), self.sizes.answer, given)

    def of_question(self, trace: Trace, groups: Groups, batch: Batch) -> Trace:
        """The statements after which each question read the state, (R, B, 1, M); before any is reading nothing."""
        weights, logits = (groups.collect(part.squeeze(3)).unsqueeze(2) for part in (trace.weights, trace.logits))
        missing = batch.mask.shape[2] - weights.shape[3] + 1
        return Trace(
            groups.collect(trace.output.squeeze(3)).unsqueeze(2),
            F.pad(weights[..., 1:], (0, missing)),
            F.pad(logits[..., 1:], (0, missing), value=NEVER),
            null=weights[..., 0],
        )

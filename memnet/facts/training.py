"""Train a network of facts: sentences as numbers, in the ways that people write them, the loss, and its learning rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from random import Random
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from memnet.facts.entries import of_entries
from memnet.facts.examples import Sentence, of_world, sentence, shifted
from memnet.facts.kinds import KINDS, NONE, ROLES, SLOTS
from memnet.facts.log_examples import of_logs
from memnet.facts.network import FactNetwork, Reading
from memnet.facts.numbers import LONGEST, Numbers, padded
from memnet.facts.ways import of_ways
from memnet.reading.words import Words
from memnet.tasks.text.tokens import split
from memnet.tasks.world.lexicon import table
from memnet.tasks.world.log_forms import given_names

FORGETS = 0.999  # how much of the average of weights stays at a step
NUMBER_OF = {kind: number for number, kind in enumerate(KINDS)}


@dataclass(frozen=True)
class Course:
    """How a network of facts is trained."""

    steps: int = 8000
    batch: int = 256
    lr: float = 2e-3
    warmup: int = 200
    dropout: float = 0.05
    books: float = 0.2  # share of sentences of books, which say nothing of whereabouts
    logs: float = 0.1  # share of lines of logs
    ways: float = 0.15  # share of ways to say one thing
    entries: float = 0.3  # share of entries of log books
    hide: float = 0.08  # of words: nothing but that they stand there
    swap: float = 0.15  # of words: the vector of one that is near
    seed: int = 0
    forgets: float = FORGETS
    layers: int = 0  # of the network, which is grown to so many before; 0 as many as it has
    hidden: int = 0  # features, in the same way


COURSES = (  # one after the other: the later ones have more of plain sentences again, with smaller steps
    Course(),
    Course(steps=2000, lr=6e-4, warmup=50, books=0.15, ways=0.2, entries=0.2, seed=1),
    Course(steps=700, lr=4e-4, warmup=50, books=0.15, ways=0.25, entries=0.25, seed=2, forgets=0.99),
    Course(
        steps=4500,
        lr=1.5e-3,
        dropout=0.1,
        books=0.15,
        logs=0.04,
        ways=0.4,
        entries=0.2,
        seed=7,
        forgets=0.998,
        layers=5,
        hidden=384,
    ),
)


class Batch(NamedTuple):
    """Sentences and what is right of them."""

    words: Tensor  # (B, L, 5)
    kind: Tensor  # (B, SLOTS)
    start: Tensor  # (B, SLOTS, ROLES), 0 where a role has no words
    end: Tensor  # (B, SLOTS, ROLES)


def with_asides(one: Sentence, random: Random) -> Sentence:
    """With something before or behind that says nothing, or as somebody's words."""
    asides = table("asides.toml")
    name = random.choice(given_names())
    roll = random.random()
    if roll < 0.16 or (one.asks and roll < 0.08):
        before = [name if word == "N" else word for word in split(random.choice(asides["before"]))]
        before += [","] if random.random() < 0.85 else []
        one = shifted(one, [*capital(before), *small(one.words, random)], len(before))
    elif roll < 0.26 and not one.asks:
        before = [name if word == "N" else word for word in split(random.choice(asides["said"]))]
        one = shifted(one, [*capital(before), *(one.words if random.random() < 0.5 else small(one.words, random))], len(before))
    if random.random() < 0.16 and not one.asks:
        behind = [
            name if word == "N" else word
            for word in split(random.choice(asides[random.choice(("behind", "behind", "said_behind"))]))
        ]
        one = shifted(one, [*one.words, *([","] if random.random() < 0.85 else []), *behind], 0)
    return one


def with_there(one: Sentence, random: Random) -> Sentence:
    """ "Mary picked up the milk there." says no more than without its last word."""
    kinds = {"take", "drop", "give"} if one.kinds[1] == NONE else set()
    if one.kinds[0] not in kinds or max(last for _, last in one.roles[0].values()) != len(one.words) or random.random() > 0.3:
        return one
    return replace(one, words=(*one.words, random.choice(("there", "there", "here"))))


def capital(words: list[str]) -> list[str]:
    """The first letter large."""
    return [words[0][:1].upper() + words[0][1:], *words[1:]]


def small(words: Sequence[str], random: Random) -> list[str]:
    """The first word small, if it is no name."""
    word = words[0]
    return [word.lower() if Words.load().find(word).embedding and word != "I" else word, *words[1:]]


def with_other_names(one: Sentence, random: Random) -> Sentence:
    """With things and places as an inventory names them: pump 7, bay B-12."""
    asides = table("asides.toml")
    spans = {span: role for each in one.roles for role, span in each.items() if role in ("what", "to", "source")}
    words, roles = list(one.words), [dict(each) for each in one.roles]
    for span in sorted(spans, reverse=True):
        first, last = span
        if any(a < last and first < b and (a, b) != span for each in roles for a, b in each.values()):
            continue
        if (
            words[first].lower() in ("he", "she", "it", "they", "him", "her", "them", "i", "we", "there", "me")
            or random.random() < 0.25
        ):
            continue
        noun = random.choice(asides["equipment" if spans[span] == "what" else "sites"])
        made = made_name(noun, random)
        words[first:last] = made
        by = len(made) - (last - first)
        for each in roles:
            for role, (a, b) in each.items():
                each[role] = (a, a + len(made)) if (a, b) == span else (a + by, b + by) if a >= last else (a, b)
    return replace(one, words=tuple(words), roles=tuple(roles))


def made_name(noun: str, random: Random) -> list[str]:
    """A noun with a number or a letter, or alone."""
    roll, letter = random.random(), random.choice("ABCDEFGHKLMNPQRSTUVWXYZ")
    number = str(random.choice((random.randint(1, 12), random.randint(1, 40), random.randint(100, 9999))))
    if roll < 0.5:
        return [*noun.split(), number]
    if roll < 0.65:
        return [*noun.split(), letter]
    if roll < 0.8:
        return [*noun.split(), f"{letter}-{number}" if random.random() < 0.5 else f"{letter}{number}"]
    return noun.split() if roll < 0.95 else [f"{noun.split()[0].capitalize()}-{number}"]


def collated(sentences: Sequence[Sentence], course: Course, random: Random) -> Batch:
    """Sentences as people write them: with asides, in small letters, with words that nobody has met."""
    rows, shape = [], (len(sentences), SLOTS, len(ROLES))
    kind, start, end = (
        torch.zeros(shape[:2], dtype=torch.long),
        torch.zeros(shape, dtype=torch.long),
        torch.zeros(shape, dtype=torch.long),
    )
    numbers = Numbers(course.hide, course.swap, random)
    for number, one in enumerate(sentences):
        lower = random.random() < 0.2
        if not lower and random.random() < 0.1:
            one = replace(one, words=tuple(word.lower() for word in one.words))
        rows.append(numbers.sentence(one.words, one.asks, lower))
        for slot in range(SLOTS):
            kind[number, slot] = NUMBER_OF[one.kinds[slot]]
            for role, (first, last) in one.roles[slot].items():
                if last <= LONGEST:
                    start[number, slot, ROLES.index(role)], end[number, slot, ROLES.index(role)] = first + 1, last
    return Batch(torch.from_numpy(padded(rows)), kind, start, end)


class Batches(Dataset[Batch]):
    """The batches of a training by their numbers, each the same whenever it is drawn."""

    def __init__(self, course: Course, books: Sequence[str]) -> None:
        self.course, self.books = course, books

    def __len__(self) -> int:
        return self.course.steps

    def __getitem__(self, number: int) -> Batch:
        course, random = self.course, Random(f"facts {self.course.seed} {number}")
        of_books = round(course.books * course.batch) if self.books else 0
        chosen = [sentence(split(random.choice(self.books)) or ["."], False, ()) for _ in range(of_books)]
        for draw, share in ((of_logs, course.logs), (of_ways, course.ways)):
            chosen += random.sample(_drawn(draw, course.seed, number, course.batch), round(share * course.batch))
        for one in random.sample(_drawn(of_entries, course.seed, number, course.batch), round(course.entries * course.batch)):
            chosen.append(with_other_names(one, random) if random.random() < 0.15 else one)
        for one in random.sample(_drawn(of_world, course.seed, number, course.batch), course.batch - len(chosen)):
            one = with_there(one, random)
            chosen.append(with_other_names(one, random) if random.random() < 0.3 else one)
        return collated([with_asides(one, random) for one in chosen], course, random)


KEPT = 8  # batches that draw from the same sentences of the world


@lru_cache(maxsize=8)
def _group(draw: Callable[[int], Iterator[Sentence]], seed: int, size: int) -> list[Sentence]:
    return list(islice(draw(seed), size))


def _drawn(draw: Callable[[int], Iterator[Sentence]], seed: int, number: int, batch: int) -> list[Sentence]:
    """Sentences to draw from, new ones after every few batches."""
    return _group(draw, seed * 1_000_003 + number // KEPT, 4 * batch)


def loss(found: Reading, right: Batch) -> Tensor:
    """Cross-entropies of kinds and, of each fact, of the first and the last word of every role."""
    total = F.cross_entropy(found.kind.flatten(0, 1), right.kind.flatten())
    there = (right.kind > 0).unsqueeze(-1).expand_as(right.start)
    for logits, place in ((found.start, right.start), (found.end, right.end)):
        total = total + F.cross_entropy(logits[there], place[there])
    return total


def halves(batch: Batch) -> list[Batch]:
    """The shorter half of the sentences and the longer one, each no wider than it must be."""
    lengths = (batch.words[..., 1] >= 0).sum(1)
    order = lengths.argsort()
    parts = [order[: len(order) // 2], order[len(order) // 2 :]]
    return [Batch(batch.words[part][:, : int(lengths[part[-1]])], *(one[part] for one in batch[1:])) for part in parts]


def train(network: FactNetwork, course: Course, batches: Dataset[Batch], say: Callable[[int, float], None]) -> FactNetwork:
    """Train on batches, as many as the course has steps; the average of the weights (Polyak & Juditsky 1992)."""
    torch.manual_seed(course.seed)
    for module in network.modules():
        if isinstance(module, nn.Dropout):
            module.p = course.dropout
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(course.forgets)
    )
    adam = torch.optim.AdamW(network.parameters(), lr=course.lr, weight_decay=0.01)
    loader = DataLoader(batches, batch_size=None, num_workers=1, prefetch_factor=4)
    network.train()
    recent = 0.0
    for step, batch in enumerate(loader):
        rate = course.lr * min(1.0, (step + 1) / course.warmup) * max(0.02, 0.5 * (1 + math.cos(math.pi * step / course.steps)))
        for group in adam.param_groups:
            group["lr"] = rate
        adam.zero_grad()
        value = 0.0
        for part in halves(batch):
            half = loss(network(part.words), part) / 2
            half.backward()
            value += half.item()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        adam.step()
        average.update_parameters(network)
        recent += value
        if step % 100 == 99:
            say(step + 1, recent / 100)
            recent = 0.0
    trained = average.module.eval()
    assert isinstance(trained, FactNetwork)
    return trained

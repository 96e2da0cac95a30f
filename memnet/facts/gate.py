"""A gate before the reader of facts, microseconds a sentence: what may say where somebody or something is passes.

It is a :class:`~memnet.models.retriever.Retriever` that learned another lesson: sentences that say of whereabouts, with
asides before and behind them, against sentences of books.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random as Draw

import torch
import torch.nn.functional as F

from memnet.facts.examples import Sentence, of_world
from memnet.facts.kinds import NONE
from memnet.facts.log_examples import of_logs
from memnet.facts.reader import GATE
from memnet.facts.training import with_asides, with_other_names
from memnet.facts.ways import of_ways
from memnet.models.retriever import OWNERS, Retriever, RetrieverConfig
from memnet.nn.random import Random
from memnet.tasks.text.tokens import join
from memnet.training.retrieve import Words, with_unknown

__all__ = ["GATE", "GateCourse", "said", "text_of", "train_gate"]


@dataclass(frozen=True)
class GateCourse:
    """How a gate is trained."""

    statements: int = 120_000
    steps: int = 10_000
    batch: int = 256
    lr: float = 0.003
    known: int = 5000  # words
    seldom: int = 3  # words of statements that stand outside names less often are not known
    passes: float = 0.02  # share of sentences of books, of a part that it did not learn from, that it lets through
    held_out: float = 0.1  # that part
    seed: int = 0


def said(seed: int, asides: float = 0.4) -> Iterator[Sentence]:
    """Sentences that say of whereabouts, without end: of the world, of logs, and ways to say one thing."""
    draw, sources = Draw(f"gate {seed}"), [source(1_000_000 + seed) for source in (of_world, of_logs, of_ways, of_ways)]
    while True:
        one = next(draw.choice(sources))
        if not one.asks and one.kinds[0] != NONE:
            told = with_other_names(one, draw) if draw.random() < 0.25 else one
            yield with_asides(told, draw) if draw.random() < asides else told


def outside_names(sentences: Sequence[Sentence]) -> Counter[str]:
    """How often words stand outside the phrases that name whom, what and where."""
    found = Counter[str]()
    for one in sentences:
        named = {place for roles in one.roles for first, last in roles.values() for place in range(first, last)}
        found.update(word.lower() for place, word in enumerate(one.words) if place not in named and not word.endswith(OWNERS))
    return found


def text_of(one: Sentence, draw: Draw) -> str:
    """A sentence as a text, some in small letters."""
    text = join(one.words) + draw.choice((".", ".", ".", "", "!"))
    text = text.lower() if draw.random() < 0.2 else text
    return draw.choice(('"{}"', "“{}”", "'{}'")).format(text) if draw.random() < 0.1 else text


def train_gate(books: Sequence[str], course: GateCourse, say: Callable[[int, float], None]) -> Retriever:
    """Train; the threshold lets the share ``passes`` of sentences of books through."""
    books, fresh = books[: -round(course.held_out * len(books))], books[-round(course.held_out * len(books)) :]
    draw, told = Draw(f"gate texts {course.seed}"), said(course.seed)
    sentences = [next(told) for _ in range(course.statements)]
    frequent = Words.of(draw, [], books)
    names = {*frequent.people, *frequent.things}
    of_statements = [
        word for word, count in outside_names(sentences).most_common() if count >= course.seldom and word not in names
    ]
    known = list(dict.fromkeys([*of_statements, *(word for word in frequent.frequent if word not in names)]))[: course.known]
    gate = Retriever(RetrieverConfig(), known, Random(course.seed, 1, "weights"))
    parts = [gate.numbers([text_of(one, draw) for one in sentences]), gate.numbers(list(books))]
    generator = torch.Generator().manual_seed(course.seed)
    adam = torch.optim.Adam(gate.parameters())
    for step in range(course.steps):
        adam.param_groups[0]["lr"] = course.lr * (1 - step / course.steps)
        drawn = [part[torch.randint(len(part), (course.batch,), generator=generator)] for part in parts]
        drawn[1] = with_unknown(drawn[1], len(of_statements), generator)
        wanted, unwanted = gate(torch.cat(drawn)).split(course.batch)
        loss = F.softplus(-wanted).mean() + F.softplus(unwanted).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        if step % 500 == 499:
            say(step + 1, loss.item())
    with torch.no_grad():
        scores = gate.scores(fresh)
        gate.bias.sub_(scores.kthvalue(len(scores) - round(course.passes * len(scores))).values)
    return gate

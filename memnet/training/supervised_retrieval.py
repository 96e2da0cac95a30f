"""Three ways to learn which sentences to read: from supporting facts, from answers alone, and by REINFORCE.

Stories of task 1, in published and everyday words, are scattered among sentences of books. A retriever gives each sentence a
gate g_i, which does not see the question; a :class:`~memnet.models.gated_reader.GatedReader` answers from what they let
through. At first the reader learns alone, all gates wide open: gates that learn beside a reader that cannot read yet shut on
the very sentences that mislead it, the statements, and neither ever learns more.

facts      cross-entropy of the gates, supporting facts against all else, each side a mean; no answer changes a gate
answers    gates are soft: each sentence is read as far as its gate is open, and the loss of the answer is all there is
priced     the same, and every sentence costs a little as far as it is let through
reinforce  gates are drawn, open with probability sigmoid(g_i); every sentence that is let through costs as much

In the end one rule holds for all: the threshold loses the share of fresh statements that
:func:`~memnet.training.retrieve.at_the_edge` says, and what is above it is read as if it stood alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from random import Random as Draw
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention.reinforce import leave_one_out, surrogate
from memnet.models.gated_reader import GatedReader
from memnet.models.retriever import ABSENT, Retriever, RetrieverConfig
from memnet.nn.random import Random
from memnet.tasks.babilong import Sample
from memnet.tasks.simulator import PUBLISHED_TASKS, Dials, simulate
from memnet.tasks.text import Question, Story, words
from memnet.tasks.text.background import Background
from memnet.training.retrieve import Words, at_the_edge

DIALS = Dials(phrasing=0.5)
KNOWN = 3000  # words of a retriever: of the statements, and the most frequent of the books that are no names
LEARN, EDGE, ASK = range(3)  # what stories are for: training, the threshold, questions about test novels
TIE = 1e-4  # statements with the same score stand or fall together: they stand


@dataclass(frozen=True)
class Course:
    """How long a retriever and its reader learn together, and on what."""

    steps: int = 1200
    alone: int = 400  # of these, in which the reader learns alone, all gates wide open
    batch: int = 16  # questions a step
    lr: float = 0.003  # of the retriever, falling to zero
    reader_lr: float = 0.02  # of the reader
    questions: int = 5000  # used again and again, among other sentences each time
    background: tuple[int, int] = (20, 60)  # sentences of books around a story
    samples: int = 8  # reinforce: how often all gates of a story are drawn
    price: float = 0.01  # reinforce and priced: of a sentence that is let through, in nats of the answer
    seed: int = 0


class Batch(NamedTuple):
    """Questions about texts of up to M sentences; bags of words as the reader has them, numbers as the retriever has them."""

    asked: Tensor  # (B, V)
    memories: Tensor  # (B, M, V)
    numbers: Tensor  # (B, M, L)
    mask: Tensor  # (B, M), bool
    facts: Tensor  # (B, M), bool
    answer: Tensor  # (B,)


class Learned(NamedTuple):
    """A retriever and its reader, and how many seconds they learned."""

    retriever: Retriever
    reader: GatedReader
    seconds: float


def stories_of(purpose: int, course: Course, questions: int | None = None) -> list[Story]:
    """Simulated stories, others for each purpose and seed."""
    return simulate(PUBLISHED_TASKS[0], questions or course.questions, 3 * course.seed + purpose, DIALS)


def asked_of(stories: Sequence[Story]) -> list[tuple[Story, Question]]:
    """Every question of one place: some stories in everyday words ask who is there."""
    every = ((story, question) for story in stories for question in story.questions)
    return [(story, question) for story, question in every if words(question.text)[0].startswith("where")]


def scattered(draw: Draw, story: Story, question: Question, background: Background, count: int) -> Sample:
    """The statements before a question, among ``count`` sentences that follow each other in a book from a random place."""
    slots = tuple(sorted(draw.randint(0, count) for _ in range(question.after)))
    return Sample(story, question, draw.randrange(len(background.sentences)), count, slots)


class Encoded:
    """Sentences of books and of stories as numbers, each once."""

    def __init__(self, retriever: Retriever, reader: GatedReader, books: Sequence[str], stories: Sequence[Story]) -> None:
        statements = (one for story in stories for one in story.statements)
        self.place = {one: row for row, one in enumerate(dict.fromkeys([*books, *statements]))}
        self.reader = reader
        self.numbers, self.bags = retriever.numbers(list(self.place)), reader.bags(list(self.place))

    def batch(self, samples: Sequence[Sample], background: Background, kept: Container[str] | None = None) -> Batch:
        """Texts side by side, padded at the end; of their sentences those that are ``kept``, or all."""
        texts = [[one for one in sample.text(background) if kept is None or one[0] in kept] for sample in samples]
        rows = torch.full((len(texts), max(map(len, texts))), ABSENT)
        facts = torch.zeros_like(rows, dtype=torch.bool)
        for number, (sample, text) in enumerate(zip(samples, texts, strict=True)):
            rows[number, : len(text)] = torch.tensor([self.place[sentence] for sentence, _ in text])
            facts[number, : len(text)] = torch.tensor([number in sample.question.supporting_facts for _, number in text])
        mask, row = rows >= 0, rows.clamp(min=0)
        asked = self.reader.bags([sample.question.text for sample in samples]).float()
        answer = torch.tensor([self.reader.number[sample.question.answer] for sample in samples])
        return Batch(asked, self.bags[row] * mask.unsqueeze(2).float(), self.numbers[row], mask, facts, answer)


def gates_of(retriever: Retriever, batch: Batch) -> Tensor:
    """g of every sentence, (B, M), zero where there is none."""
    return torch.zeros(batch.mask.shape).masked_scatter(batch.mask, retriever(batch.numbers[batch.mask]))


def answer_loss(reader: GatedReader, batch: Batch, mask: Tensor, gates: Tensor | None) -> Tensor:
    """-log p(answer) of each reading, (B, T): ``mask`` and ``gates`` (B, T, M)."""
    logits = reader(batch.asked, batch.memories, mask, gates)
    answers = batch.answer.unsqueeze(1).expand(logits.shape[:2])
    return F.cross_entropy(logits.flatten(0, 1), answers.flatten(), reduction="none").view(logits.shape[:2])


def from_facts(reader: GatedReader, batch: Batch, gates: Tensor, course: Course, random: Random) -> Tensor:
    """The gates learn the supporting facts; the reader learns to answer from what they let through."""
    wanted, unwanted = gates[batch.facts], gates[batch.mask & ~batch.facts]
    answers = answer_loss(reader, batch, batch.mask.unsqueeze(1), gates.detach().unsqueeze(1)).mean()
    return F.softplus(-wanted).mean() + F.softplus(unwanted).mean() + answers


def from_answers(reader: GatedReader, batch: Batch, gates: Tensor, course: Course, random: Random) -> Tensor:
    """The loss of the answer is all there is."""
    return answer_loss(reader, batch, batch.mask.unsqueeze(1), gates.unsqueeze(1)).mean()


def from_priced_answers(reader: GatedReader, batch: Batch, gates: Tensor, course: Course, random: Random) -> Tensor:
    """The loss of the answer, and what is let through at its price."""
    let_through = (batch.mask * gates.sigmoid()).sum(1).mean()
    return from_answers(reader, batch, gates, course, random) + course.price * let_through


def by_reinforce(reader: GatedReader, batch: Batch, gates: Tensor, course: Course, random: Random) -> Tensor:
    """Gates are drawn; the cost of a draw is the loss of the answer and the price of what it lets through.

    The baseline is the mean cost of the other draws for the same question (:mod:`memnet.attention.reinforce`).
    """
    chance = gates.unsqueeze(1).expand(-1, course.samples, -1)  # (B, T, M)
    there = batch.mask.unsqueeze(1)
    drawn = (random.uniform(*chance.shape)[0] < chance.sigmoid()) & there
    log_prob = (torch.where(drawn, F.logsigmoid(chance), F.logsigmoid(-chance)) * there).sum(2)
    cost = answer_loss(reader, batch, drawn, None) + course.price * drawn.sum(2)
    return surrogate(cost, log_prob, leave_one_out(cost)).mean()


Way = Callable[[GatedReader, Batch, Tensor, Course, Random], Tensor]
WAYS: Mapping[str, Way] = {
    "facts": from_facts,
    "answers": from_answers,
    "priced": from_priced_answers,
    "reinforce": by_reinforce,
}


def known_words(course: Course, background: Background) -> list[str]:
    """The words of a retriever, as :func:`~memnet.training.retrieve.train_retriever` chooses them."""
    statements = list(dict.fromkeys(one for story in stories_of(LEARN, course) for one in story.statements))
    return Words.of(Draw("known words"), statements, background.sentences).known(KNOWN)


def learned(way: str, course: Course, background: Background, known: Sequence[str]) -> Learned:
    """A retriever that knows these words and its reader, trained in one of the :data:`WAYS`; the threshold stands."""
    stories = stories_of(LEARN, course)
    texts = (text for story in stories for text in (*story.statements, *(question.text for question in story.questions)))
    of_reader = dict.fromkeys(word for text in texts for word in words(text))
    retriever = Retriever(RetrieverConfig(), known, Random(course.seed, 1, "retriever"))
    reader = GatedReader(list(of_reader), Random(course.seed, 1, "reader"))
    encoded, every = Encoded(retriever, reader, background.sentences, stories), asked_of(stories)
    draw, random = Draw(f"supervision {course.seed}"), Random(course.seed, 1, "gates")
    rates = {course.lr: retriever, course.reader_lr: reader}
    adam = torch.optim.Adam([{"params": list(one.parameters()), "lr": rate} for rate, one in rates.items()])
    falling = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, course.steps)
    started = time.perf_counter()
    for step in range(course.steps):
        chosen = draw.choices(every, k=course.batch)
        samples = [scattered(draw, *one, background, draw.randint(*course.background)) for one in chosen]
        batch = encoded.batch(samples, background)
        if step < course.alone:
            loss = answer_loss(reader, batch, batch.mask.unsqueeze(1), None).mean()
        else:
            loss = WAYS[way](reader, batch, gates_of(retriever, batch), course, random)
        adam.zero_grad()
        loss.backward()
        adam.step()
        falling.step()
    seconds = time.perf_counter() - started
    fresh = [one for story in stories_of(EDGE, course) for one in story.statements]
    at_the_edge(retriever, fresh)
    with torch.no_grad():
        retriever.bias.add_(TIE)
    return Learned(retriever, reader, seconds)

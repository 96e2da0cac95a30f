"""How the network for relations is trained: in minutes on one core, from :mod:`~memnet.memory.relations.lessons`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random as PlainRandom
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from memnet.memory.relations.lessons import OBJECT, SUBJECT, Asked, Labelled, Lessons, Relation, Told
from memnet.memory.relations.network import RelationNetwork, padded
from memnet.memory.relations.sizes import ANY_FACT, FACT, HOPS, KIND, Sizes
from memnet.memory.relations.words import (
    START_FACT,
    START_QUESTION,
    Part,
    Span,
    number,
    places,
    split,
    window,
)
from memnet.nn.random import Random
from memnet.reading.words import Words

OTHERS = (  # questions of other kinds
    "Where is [X]?",
    "Where is the [V]?",
    "Where was [X] before the [V]?",
    "What is [X] carrying?",
    "How many things is [X] carrying?",
    "Is [X] in the [V]?",
    "Is [X] in [Y]?",
    "Did [X] see [Y]?",
    "Why did [X] go to [Y]?",
    "When did [X] go to [Y]?",
    "What did [X] give to [Y]?",
    "Who gave the [V] to [X]?",
    "Who did [X] give the [V] to?",
    "How do you go from [X] to [Y]?",
    "What will [X] do next?",
    "What did [X] do after the [V]?",
    "Does [X] like [Y]?",
    "How often did [X] go to [Y]?",
    "What happened to [X]?",
    "What is [X] afraid of?",
    "Who had the [V] last?",
    "Which came first, [X] or [Y]?",
    "How long did [X] stay in [Y]?",
    "Would [X] like to visit [Y]?",
    "What happened in [Y] on Monday?",
    "How is [X] feeling?",
)
LONGEST_LINE = 20  # words of a line of a book
RAW = 0.3  # share of facts of which the name is to be found
SMALL = 0.12  # share of texts in small letters
MISSING = 0.15  # share of questions' hops to which no fact of a step answers
LIKES_FEW = (0.35, 0.3, 0.2, 0.15)  # shares of one hop, two, ...


@dataclass(frozen=True)
class Lesson:
    """How long and with how much is trained."""

    steps: int = 900
    questions: int = 28  # of a step
    extra: int = 26  # facts that no question asks for
    rate: float = 3e-3
    drop: float = 0.05
    seed: int = 0


class Sentence(NamedTuple):
    """A labelled text as words."""

    parts: list[Part]
    labels: list[int]

    @classmethod
    def of(cls, labelled: Labelled, random: PlainRandom) -> Sentence:
        """Its words, now and then in small letters."""
        text, ranges, at = labelled.text, [], 0
        for piece, label in labelled.pieces:
            ranges.append((at, at + len(piece), label))
            at += len(piece)
        if random.random() < SMALL and len(text.lower()) == len(text):
            text = text.lower()
        parts = split(text)
        return cls(parts, [next(label for _, end, label in ranges if part.start < end) for part in parts])

    def span(self, label: int) -> Span:
        """Where the words with a label stand."""
        there = [place for place, one in enumerate(self.labels) if one == label]
        return (there[0], there[-1] + 1) if there else (0, 0)

    def numbers(self, start: int, name: Span | None = None) -> tuple[NDArray[np.int32], list[int]]:
        """As numbers, and the label of each, 0 for the start."""
        shown = self.labels if name is None else [self.labels[place] for place in places(self.parts, name)]
        return number(self.parts, start, name), [0, *shown]


@dataclass
class Facts:
    """Facts of a step whose names are one word, as numbers, and what is said of them."""

    rows: list[NDArray[np.int32]] = field(default_factory=list)
    labels: list[list[int]] = field(default_factory=list)
    about: list[float] = field(default_factory=list)  # whether the name is what it is about; -1 is not asked
    relation: list[Relation | None] = field(default_factory=list)
    windows: list[NDArray[np.int32]] = field(default_factory=list)

    def add(self, sentence: Sentence, name: Span, about: float, relation: Relation | None) -> None:
        """One more."""
        rows, labels = sentence.numbers(START_FACT, name)
        self.rows.append(rows)
        self.labels.append(labels)
        self.about.append(about)
        self.relation.append(relation)
        self.windows.append(window(sentence.parts, name))


@dataclass
class Step:
    """All of one step; whole texts of which the name is to be found, then texts with their name as one word."""

    facts: Facts = field(default_factory=Facts)
    texts: list[NDArray[np.int32]] = field(default_factory=list)
    names: list[list[int]] = field(default_factory=list)
    any_fact: list[float] = field(default_factory=list)
    questions: list[NDArray[np.int32]] = field(default_factory=list)
    question_names: list[list[int]] = field(default_factory=list)
    kind: list[float] = field(default_factory=list)
    asked: list[NDArray[np.int32]] = field(default_factory=list)
    hops: list[list[int]] = field(default_factory=list)
    wanted: list[tuple[int, int, int, Relation]] = field(default_factory=list)  # question, hop, fact, relation


class Teacher:
    """Makes the steps."""

    def __init__(self, lessons: Lessons, lines: Sequence[str], lesson: Lesson) -> None:
        self.lessons, self.lines, self.lesson = lessons, lines, lesson
        self.random = PlainRandom(lesson.seed)

    def step(self) -> Step:
        """The next."""
        step, random = Step(), self.random
        for _ in range(self.lesson.questions):
            self.add_question(step, self.lessons.asked(random.choices(range(1, HOPS + 1), LIKES_FEW)[0], random))
        for _ in range(self.lesson.questions // 4):
            self.add_other(step)
        for _ in range(self.lesson.extra):
            relation = self.lessons.relation("any", random)
            names = [self.lessons.names.make(kind, random) for kind in relation.kind]
            self.add_extra(step, self.lessons.told(relation, names[0], names[1], random))
        for line in random.sample(self.lines, min(len(self.lines), self.lesson.extra // 3)):
            self.add_line(step, line)
        return step

    def add_question(self, step: Step, asked: Asked) -> None:
        """A question with the facts that it needs."""
        sentence = Sentence.of(asked.question, self.random)
        rows, labels = sentence.numbers(START_QUESTION)
        step.questions.append(rows)
        step.question_names.append(labels)
        step.kind.append(1.0)
        name = sentence.span(SUBJECT)
        rows, labels = sentence.numbers(START_QUESTION, name)
        step.asked.append(rows)
        last = len(labels) - (sentence.parts[-1].text in "?.")  # the mark at the end says nothing
        step.hops.append([max(label, 0) if place < last else 0 for place, label in enumerate(labels)])
        for hop, told in enumerate(asked.facts):
            step.wanted.append((len(step.asked) - 1, hop, len(step.facts.rows), told.relation))
            said = Sentence.of(told.sentence, self.random)
            step.facts.add(said, said.span(SUBJECT), 1.0, told.relation)
            self.add_text(step, said)

    def add_text(self, step: Step, said: Sentence) -> None:
        """A fact of which the name is to be found."""
        if self.random.random() < RAW:
            rows, labels = said.numbers(START_FACT)
            step.texts.append(rows)
            step.names.append(labels)
            step.any_fact.append(1.0)

    def add_other(self, step: Step) -> None:
        """A question of another kind."""
        random, names = self.random, self.lessons.names
        text = random.choice(OTHERS).replace("[X]", names.make("person", random)).replace("[Y]", names.make("place", random))
        text = text.replace("[V]", random.choice(self.lessons.invented.nouns))
        rows, labels = Sentence.of(Labelled(((text, 0),)), random).numbers(START_QUESTION)
        step.questions.append(rows)
        step.question_names.append([-9] * len(labels))  # not asked
        step.kind.append(0.0)

    def add_extra(self, step: Step, told: Told) -> None:
        """A fact: about a name, or one that has the name elsewhere, or one with a part of the name."""
        said, random = Sentence.of(told.sentence, self.random), self.random
        subject, obj, how = said.span(SUBJECT), said.span(OBJECT), self.random.random()
        if how < 0.35:
            step.facts.add(said, subject, 1.0, told.relation)
        elif how < 0.65:
            as_well = told.template.startswith("[Y]") and " the " not in told.template  # "Y wrote X" is about both
            step.facts.add(said, obj, -1.0 if as_well else 0.0, None)
        elif told.relation.kind[0] != "office" and (part := part_of(said, random.choice((subject, obj)), random)):
            step.facts.add(said, part, 0.0, None)
        self.add_text(step, said)

    def add_line(self, step: Step, line: str) -> None:
        """A line of a book."""
        said = Sentence.of(Labelled(((line, 0),)), self.random)
        if not 3 <= len(said.parts) <= LONGEST_LINE:
            return
        rows, labels = said.numbers(START_FACT)
        step.texts.append(rows)
        step.names.append(labels)
        step.any_fact.append(0.0)
        at = self.random.randrange(len(said.parts))
        if said.parts[at].text[0].isalpha():
            step.facts.add(said, (at, at + 1), 0.0, None)


def part_of(said: Sentence, span: Span, random: PlainRandom) -> Span | None:
    """A part of a name that another word of it, no small one, stands beside."""
    first, last = span
    words = [place for place in range(first, last) if said.parts[place].text[0].isalnum()]
    ordinary = [place for place in words if len(said.parts[place].text) > 3]
    if len(ordinary) < 2 or ordinary[-1] - ordinary[0] != len(ordinary) - 1:
        return None
    return (ordinary[0], ordinary[-1]) if random.random() < 0.5 else (ordinary[0] + 1, ordinary[-1] + 1)


def labels_of(labels: Sequence[Sequence[int]], width: int) -> Tensor:
    """Labels side by side, -9 where there is none."""
    found = np.full((len(labels), width), -9, np.int64)
    for place, row in enumerate(labels):
        found[place, : len(row)] = row
    return torch.from_numpy(found)


def mean_bce(logits: Tensor, target: Tensor, asked: Tensor) -> Tensor:
    """Binary cross-entropy of those that are asked."""
    every = F.binary_cross_entropy_with_logits(logits, target.to(logits.dtype), reduction="none")
    return (every * asked).sum() / asked.sum().clamp(min=1)


def loss_of(net: RelationNetwork, step: Step, drop: float, random: Random, plain: PlainRandom) -> Tensor:
    """What is left to learn."""
    facts, count = step.facts, len(step.facts.rows)
    numbers, there = padded(facts.rows + step.texts)
    read = net.read(numbers, there, drop, random)
    labels = labels_of(facts.labels + step.names, numbers.shape[1])
    about, any_fact = torch.tensor(facts.about), torch.tensor(step.any_fact)
    relevant = (labels > -9) & torch.cat([about == 1, torch.zeros(len(step.texts), dtype=torch.bool)]).unsqueeze(1)
    total = mean_bce(read.pointers[:, 1], labels == OBJECT, relevant)
    raw = labels[count:]
    total = total + mean_bce(read.pointers[count:, 0], raw == SUBJECT, raw > -9)
    total = total + mean_bce(read.gates[:count, FACT], about, about >= 0)
    total = total + mean_bce(read.gates[count:, ANY_FACT], any_fact, any_fact >= 0)
    glances = net.glance(torch.from_numpy(np.stack(facts.windows).astype(np.int64)))
    total = total + mean_bce(glances, about != 0, torch.ones(count))

    whole, is_word = padded(step.questions + step.asked)
    asked = net.read(whole, is_word, drop, random)
    many = len(step.questions)
    names = labels_of(step.question_names, whole.shape[1])
    total = total + mean_bce(asked.pointers[:many, 0], names == SUBJECT, names > -9)
    kind = torch.tensor(step.kind)
    total = total + mean_bce(asked.gates[:many, KIND], kind, kind >= 0)
    collapsed = asked._replace(words=asked.words[:, many:], meaning=asked.meaning[:, many:], there=is_word[many:])
    weights, _, logits = net.alignment(collapsed)
    hops = labels_of(step.hops, whole.shape[1])
    total = total + 2 * F.cross_entropy(logits.flatten(0, 1), hops.flatten(), ignore_index=-9)
    return total + address_loss(net, net.queries(collapsed, weights), net.keys(read)[:count], step, plain)


def address_loss(net: RelationNetwork, queries: Tensor, keys: Tensor, step: Step, plain: PlainRandom) -> Tensor:
    """Each hop reads its own fact among all of the step that say another thing, or nothing where its own is taken away."""
    said = [place for place, relation in enumerate(step.facts.relation) if relation is not None]
    place_of = {place: at for at, place in enumerate(said)}
    relations = [step.facts.relation[place] for place in said]
    may = np.array([[one.unlike(other) and other.unlike(one) for other in relations if other] for *_, one in step.wanted])
    target = np.empty(len(step.wanted), np.int64)
    for at, (_, _, fact, _) in enumerate(step.wanted):
        missing = plain.random() < MISSING
        target[at] = len(said) if missing else place_of[fact]
        may[at, place_of[fact]] = not missing
    query = torch.stack([queries[question, hop] for question, hop, *_ in step.wanted])
    logits = net.choose(query, keys[said], torch.from_numpy(may))
    return F.cross_entropy(logits, torch.from_numpy(target))


def new_network(seed: int = 0) -> RelationNetwork:
    """One that has learned nothing."""
    return RelationNetwork(Sizes(), Words.load().vectors, Random(seed, 1, "weights"))


def train(net: RelationNetwork, teacher: Teacher, show: Callable[[int, float], object] = lambda *_: None) -> None:
    """Have a network learn, on and on from what it knows; ``show`` gets the steps done and the loss."""
    lesson = teacher.lesson
    random, plain = Random(lesson.seed, 1), PlainRandom(lesson.seed + 1)
    learned = [weight for name, weight in net.named_parameters() if not name.startswith("newest")]
    optimizer = torch.optim.Adam(learned, lr=lesson.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, lesson.rate, total_steps=lesson.steps + 1, pct_start=0.05)
    for at in range(1, lesson.steps + 1):
        loss = loss_of(net, teacher.step(), lesson.drop, random, plain)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        schedule.step()
        if at % 20 == 0 or at == lesson.steps:
            show(at, float(loss.detach()))

"""Dyna-bAbI's mixes, answered from facts: a reader learns single sentences of the original tasks, and rules hop over its facts.

The reader is :mod:`memnet.facts`' network, trained from nothing on the statements and questions of the mix's original tasks, as
the world draws them with a record of what each says. It has word vectors (GloVe), and meets no story. The hops are
:mod:`memnet.facts.timeline`, written by hand: what they add is no generalisation of a network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from torch.utils.data import Dataset

from memnet.ask.factual import from_story
from memnet.facts.examples import Sentence, question, statements
from memnet.facts.network import FactConfig, FactNetwork
from memnet.facts.reader import FactReader
from memnet.facts.training import Batch, Course, collated, train
from memnet.reading.words import Words
from memnet.record.measurements import MixScore
from memnet.tasks.families import find
from memnet.tasks.families.dyna_regimes import TASKS
from memnet.tasks.scores import same_answer
from memnet.tasks.text import Story
from memnet.tasks.world import MIXES, draw

ALL = "all"
SENTENCES = 20_000  # of the original tasks that are learned from
BATCH, WARMUP = 64, 50
ZERO = "zero"  # as the world counts nothing; bAbI says none


def of_tasks(mix: str, seed: int) -> Iterator[Sentence]:
    """Statements and questions of a mix's original tasks with their facts, without end, the same for the same seed."""
    random = Random(f"sentences of {mix} {seed}")
    while True:
        story = draw(random, MIXES[f"qa{random.choice(TASKS[mix])}"])
        yield from statements(story)
        yield from (found for asked in story.questions if (found := question(asked)) is not None)


class Sentences(Dataset[Batch]):
    """Batches of these sentences by their numbers, as they are: no words of theirs are changed."""

    def __init__(self, mix: str, course: Course) -> None:
        self.course, self.sentences = course, list(islice(of_tasks(mix, course.seed), SENTENCES))

    def __len__(self) -> int:
        return self.course.steps

    def __getitem__(self, number: int) -> Batch:
        random = Random(f"batch {self.course.seed} {number}")
        return collated(random.choices(self.sentences, k=self.course.batch), self.course, random)


def reader_of(mix: str, steps: int, seed: int) -> FactReader:
    """A reader of the sentences of a mix's original tasks."""
    course = Course(steps=steps, batch=BATCH, warmup=WARMUP, swap=0.0, seed=seed)
    network = FactNetwork(FactConfig(), Words.load().vectors)
    return FactReader(train(network, course, Sentences(mix, course), lambda step, loss: None))


def right(reader: FactReader, stories: Sequence[Story]) -> list[bool]:
    """Which questions are answered as they should be; what is not told in the facts is not."""
    asked = [(story.statements[: one.after], one) for story in stories for one in story.questions]
    found = [(from_story(told, one.text, reader), one) for told, one in asked]
    return [answer is not None and same_answer(answer.answer.replace(ZERO, "none"), one.answer) for answer, one in found]


def mixes(chosen: Sequence[str], steps: int, seed: int) -> Iterator[MixScore]:
    """Each mix's splits, and all of them together, by a reader of its own."""
    for mix in chosen:
        reader, (task,) = reader_of(mix, steps, seed), find([f"dyna/{mix}@{seed}"])
        found = {split: right(reader, stories) for split, stories in task.splits.items()}
        found |= {ALL: [one for part in found.values() for one in part]}
        for split, answered in found.items():
            yield MixScore(mix, split, seed, steps, len(answered), round(100 * sum(answered) / len(answered), 1))

"""Dyna-bAbI's mixes, answered from facts: a reader learns single sentences of the original tasks, and rules hop over its facts.

The reader is :mod:`memnet.facts`' network, trained from nothing on the sentences of ``concat``, each with the fact that it
says: their forms are the simulator's, listed here. It has word vectors (GloVe), and meets no story and no answer. The hops
are :mod:`memnet.facts.timeline`, written by hand: what they add is no generalisation of a network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from torch.utils.data import Dataset

from memnet.ask.factual import from_story
from memnet.facts.examples import Sentence, sentence
from memnet.facts.network import FactNetwork
from memnet.facts.numbers import FactConfig
from memnet.facts.reader import FactReader
from memnet.facts.training import Batch, Course, collated, train
from memnet.reading.words import Words
from memnet.record.family_scores import MixScore
from memnet.tasks.families import find
from memnet.tasks.families.dyna_regimes import concat
from memnet.tasks.scores import same_answer
from memnet.tasks.text import Story
from memnet.tasks.text.tokens import split

ALL = "all"
QUESTIONS = 300  # of each original task: whose sentences are learned
BATCH, WARMUP = 64, 50
FORGETS = 0.98  # a short training keeps no weights from before it
ZERO = "zero"  # as the hops count nothing; bAbI says none
MOVED = "went back|went|moved|journeyed|travelled"
FORMS = tuple(  # of sentences: the kind of fact, of a question also the deed that it asks about, and the words of its roles
    (kind, deed, re.compile(form + "$"))
    for kind, deed, form in (
        ("go", "", rf"(?P<who>\w+(?: and \w+)?) (?:{MOVED}) to the (?P<to>\w+)"),
        ("take", "", r"(?P<who>\w+) (?:got|took|grabbed|picked up) the (?P<what>\w+)(?: there)?"),
        ("drop", "", r"(?P<who>\w+) (?:dropped|left|discarded|put down) the (?P<what>\w+)(?: there)?"),
        ("give", "", r"(?P<who>\w+) (?:gave|handed|passed) the (?P<what>\w+) to (?P<receiver>\w+)(?: there)?"),
        ("at", "", r"(?P<what>\w+) is in the (?P<to>\w+)"),
        ("not at", "", r"(?P<what>\w+) is not in the (?P<to>\w+)"),
        ("no longer at", "", r"(?P<what>\w+) is no longer in the (?P<to>\w+)"),
        ("either", "", r"(?P<what>\w+) is either in the (?P<to>\w+) or the (?P<other>\w+)"),
        ("where", "", r"Where is (?:the )?(?P<what>\w+)"),
        ("where before", "", r"Where was the (?P<what>\w+) before the (?P<to>\w+)"),
        ("is in", "", r"Is (?P<what>\w+) in the (?P<to>\w+)"),
        ("how many has", "", r"How many objects is (?P<who>\w+) carrying"),
        ("what has", "", r"What is (?P<who>\w+) carrying"),
        ("what did", "give", r"What did (?P<who>\w+) give to (?P<receiver>\w+)"),
        ("who did", "give", r"Who gave the (?P<what>\w+)(?: to (?P<receiver>\w+))?"),
        ("to whom", "give", r"Who received the (?P<what>\w+)"),
        ("to whom", "give", r"Who did (?P<who>\w+) give the (?P<what>\w+) to"),
    )
)


def labelled(text: str) -> Sentence:
    """A sentence of the original tasks with its fact. Raises ValueError for one of another form."""
    words = [word for word in split(text) if word not in ".?"]
    told = " ".join(words)
    for kind, deed, form in FORMS:
        if match := form.search(told):
            spans = {role: match.span(role) for role, said in match.groupdict().items() if said}
            roles = {role: (told[:first].count(" "), told[:last].count(" ") + 1) for role, (first, last) in spans.items()}
            return sentence(
                words, text.endswith("?"), [(kind, roles), *([(deed, dict[str, tuple[int, int]]())] if deed else [])]
            )
    raise ValueError(f"{text!r} is no sentence of the original tasks")


def of_tasks(mix: str, seed: int) -> list[Sentence]:
    """The distinct statements and questions of a mix's original tasks, with their facts."""
    stories = concat(mix, QUESTIONS, 2 * seed)
    texts: Iterable[str] = (
        text for story in stories for text in (*story.statements, *(question.text for question in story.questions))
    )
    return [labelled(text) for text in dict.fromkeys(texts)]


class Sentences(Dataset[Batch]):
    """Batches of these sentences by their numbers, as they are: no words of theirs are changed."""

    def __init__(self, mix: str, course: Course) -> None:
        self.course, self.sentences = course, of_tasks(mix, course.seed)

    def __len__(self) -> int:
        return self.course.steps

    def __getitem__(self, number: int) -> Batch:
        random = Random(f"batch {self.course.seed} {number}")
        return collated(random.choices(self.sentences, k=self.course.batch), self.course, random)


def reader_of(mix: str, steps: int, seed: int) -> FactReader:
    """A reader of the sentences of a mix's original tasks."""
    course = Course(steps=steps, batch=BATCH, warmup=WARMUP, swap=0.0, seed=seed, forgets=FORGETS)
    network = FactNetwork(FactConfig(), Words.load().vectors)
    return FactReader(train(network, course, Sentences(mix, course), lambda step, loss: None).in_numpy())


def right(reader: FactReader, stories: Sequence[Story]) -> list[bool]:
    """Which questions are answered as they should be; what is not told in the facts is not."""
    asked = [(story.statements[: one.after], one) for story in stories for one in story.questions]
    found = [(from_story(told, one.text, reader), one) for told, one in asked]
    return [answer is not None and same_answer(answer.answer.replace(ZERO, "none"), one.answer) for answer, one in found]


def mixes(chosen: Sequence[str], steps: int, seed: int) -> Iterator[MixScore]:
    """Each mix's splits, and all of them together, by a reader of its own."""
    for mix in chosen:
        reader, (task,) = reader_of(mix, steps, seed), find([f"dyna/{mix}@{seed}"])
        found = {name: right(reader, stories) for name, stories in task.splits.items()}
        found |= {ALL: [one for part in found.values() for one in part]}
        for name, answered in found.items():
            yield MixScore(mix, name, seed, steps, len(answered), round(100 * sum(answered) / len(answered), 1))

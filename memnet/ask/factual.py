"""Answers from facts: what :mod:`memnet.facts` finds as an :class:`~memnet.ask.answer.Answer`, and the facts of one story.

from_story(["Ann took the lamp.", "She went to the attic."], "Where is the lamp?")   ->   attic, by two hops
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import cached_property
from typing import NamedTuple

from memnet.ask.answer import Answer, Read
from memnet.facts.answers import answer
from memnet.facts.kinds import Fact
from memnet.facts.names import PRONOUNS, key_of
from memnet.facts.pronouns import resolve
from memnet.facts.reader import FactReader
from memnet.facts.results import FactAnswer
from memnet.facts.timeline import FEW_READ, Event, Timeline
from memnet.reading.speaker import for_asker
from memnet.tasks.text.tokens import split

LAST_NAMED = 4  # statements in which whom a question means by a pronoun was named


class Statement(NamedTuple):
    """A statement of a story, by its number from 0."""

    number: int
    text: str


class Told:
    """The statements of a story, as a :class:`~memnet.facts.timeline.Source`."""

    doubtful: Container[int] = ()

    def __init__(self, statements: Sequence[str]) -> None:
        self.statements = [Statement(number, text) for number, text in enumerate(statements)]

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The words of each as keys have them."""
        return [frozenset(key_of(one.text)) for one in self.statements]

    def find(self, words: Sequence[str], newest: int, first: int, last: int) -> list[Statement]:
        """Those that hold all the words; of a short story all, whose pronouns may mean them."""
        if len(self.statements) <= FEW_READ:
            return self.statements[first : last + 1]
        pairs = zip(self.statements, self.words, strict=True)
        return [one for one, said in pairs if first <= one.number <= last and said.issuperset(words)][-newest:]

    def following(self, number: int) -> Statement | None:
        """The next one."""
        return self.statements[number + 1] if number + 1 < len(self.statements) else None

    def preceding(self, number: int) -> Statement | None:
        """The one before."""
        return self.statements[number - 1] if number else None

    def newest(self, most: int) -> list[Statement]:
        """The last ones."""
        return self.statements[-most:]


def from_story(statements: Sequence[str], question: str, reader: FactReader) -> Answer | None:
    """The answer to a question about a story; ``None`` where its facts tell none, unless somebody left, or several."""
    pronoun = not PRONOUNS.isdisjoint(word.lower() for word in split(question))
    before = named_before(statements, reader) if pronoun else ()
    found = answer(Timeline(Told(statements), reader), question, before)
    left = found is not None and [event.fact.kind for event in found.evidence] == ["leave"]
    if found is None or not (found.text or left) or not found.alone:
        return None

    def read(event: Event) -> Read:
        return Read(event.number + 1, statements[event.number], event.fact.probability)

    return as_answer(found, question, statements, read)


def named_before(statements: Sequence[str], reader: FactReader) -> list[Fact]:
    """What the last statements of a story say, the last first, with what their pronouns mean."""
    named: list[Fact] = []
    for found in reader.facts(statements[-LAST_NAMED:]):
        named = [*(resolve(fact, named) for fact in found), *named]
    return named


def untold(why: str, question: str, story: Sequence[str]) -> Answer:
    """That a story whose every statement was understood does not tell it."""
    return as_answer(FactAnswer("", why=why), question, story, lambda event: Read(0, "", 0.0))


def as_answer(found: FactAnswer, question: str, story: Sequence[str], read: Callable[[Event], Read]) -> Answer:
    """As an answer; each event is a hop, of which ``read`` tells the sentence and its number in the story."""
    hops = [[read(event)] for event in found.evidence]
    return Answer(
        for_asker(found.text),
        found.probability if found.text else 0.0,
        [],
        hops,
        [0.0] * len(hops),
        {},
        0,
        unanswerable=0.0 if found.text else 1.0,
        reason=found.why,
        question=question,
        story=story,
        superseded=[read(stay.by[0]) for stay in found.superseded if stay.by],
    )

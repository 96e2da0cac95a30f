"""The answer of a memory from relations: "The capital of X is Y", over several hops."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from memnet.ask.answer import Answer, Read
from memnet.memory.fields import is_sound
from memnet.memory.order import parted
from memnet.memory.relations import HeldSentence, RelationAnswer, RelationReader
from memnet.memory.sentences import Sentences
from memnet.memory.values import Held
from memnet.memory.verbs import verbs_of
from memnet.memory.wanted import may_answer
from memnet.tasks.text.english import DETERMINERS, function_words
from memnet.tasks.text.tokens import split


@cache
def relation_reader() -> RelationReader:
    """The one of the package."""
    return RelationReader.load()


def related_of(sentences: Sentences, question: str) -> RelationAnswer | None:
    """What relations say of a question; None where that is of another kind than it asks for."""
    related = relation_reader().answer(question, lambda asked: sentences.holding(asked))
    if related is None or not is_sound(sentences, related, question) or any(is_empty(hop.subject) for hop in related.hops):
        return None
    if not related.refused and not names_the_numbers(question, [hop.held.text for hop in related.hops]):
        return None
    return related if related.refused or may_answer(question, related.text) else None


def names_the_numbers(question: str, texts: Sequence[str]) -> bool:
    """Whether texts have every number and code of a question: what was done to 2111 says nothing of 2107.

    >>> names_the_numbers("Who fixed the ramp of 2107?", ["2111: ramp fixed, Ann."]), names_the_numbers("Who?", [])
    (False, True)
    """
    has = {word.lower() for text in texts for word in split(text)}
    return all(word.lower() in has for word in split(question) if any(map(str.isdigit, word)))


def is_empty(name: str) -> bool:
    """Whether what a hop looked up says nothing, as "the", or the number of a thing alone.

    >>> is_empty("the"), is_empty("4"), is_empty("the drill"), is_empty("drill 4")
    (True, True, False, False)
    """
    return all(word.isdigit() or word.lower() in function_words() for word in split(name))


def is_plain(related: RelationAnswer) -> bool:
    """Whether what its hops read are names, and not pieces of sentences that a refusal would show: "gave Ann the"."""
    names = [hop.object for hop in related.hops]
    return not any(verbs_of(word) or word.lower() in DETERMINERS for name in names for word in split(name)[1:])


def from_relations(found: RelationAnswer, question: str) -> Answer:
    """As an answer whose story is what was read."""
    superseded, contradicting = list[Held](), list[Held]()
    for hop in reversed(found.hops):
        others = {one.held.number for one in hop.superseded}
        earlier = [(as_held(one.held), one.held.number in others) for one in reversed(hop.earlier)]
        for shown, more in zip((superseded, contradicting), parted(as_held(hop.held), earlier), strict=True):
            shown += more
    every = {held.number: held for held in (*(as_held(hop.held) for hop in found.hops), *superseded, *contradicting)}
    place = {number: at for at, number in enumerate(sorted(every), 1)}

    def read_of(held: HeldSentence, weight: float) -> Read:
        held = as_held(held)
        return Read(place[held.number], held.text, weight, held.when or "", held.source, held.line)

    return Answer(
        found.text,
        found.probability,
        [],
        [[read_of(hop.held, hop.probability)] for hop in found.hops],
        [0.0] * len(found.hops),
        {},
        0,
        question=question,
        story=[every[number].text for number in sorted(every)],
        superseded=[read_of(held, 0.0) for held in superseded],
        contradicting=[read_of(held, 0.0) for held in contradicting],
    )


def as_held(one: HeldSentence) -> Held:
    """A sentence that was read, which is one of the memory."""
    assert isinstance(one, Held)
    return one

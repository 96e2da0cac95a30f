"""Worlds of facts to measure with: thousands of them, a third of which contradict an earlier one, and questions about them.

world = World.drawn(relations, names, Random(7), facts=18_332)
world.find(["ajax"])                        the facts that hold a word, as an index of a memory finds them
world.asked(2, Random(8))                   a question of two hops: its text, its answer, its relations
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import NamedTuple

from memnet.memory.relations.lessons import SUBJECT, Labelled, Relation, fill, inner
from memnet.memory.relations.names import Names
from memnet.memory.relations.reader import RelationReader
from memnet.memory.relations.words import name_of

WORD = re.compile(r"[^\W_]+")
CHANGED = 0.36  # share of facts that contradict an earlier one
OF_KIND = 0.06  # names of each kind that there are, of the number of facts
FEW = {"country": 60, "continent": 7, "language": 40, "term": 80}
TRIES = 200


class Fact(NamedTuple):
    """A sentence of a world."""

    number: int
    text: str


class Question(NamedTuple):
    """``evidence`` are the numbers of the facts that answer it, hop by hop."""

    text: str
    answer: str
    relations: tuple[str, ...]
    evidence: tuple[int, ...]


class Score(NamedTuple):
    """Questions, those answered right, and the milliseconds of the processor that each took."""

    asked: int
    right: int
    milliseconds: list[float]


@dataclass(frozen=True)
class World:
    """Facts in the order of telling; ``final`` is the newest of each subject and relation, with its object."""

    relations: dict[str, Relation]
    facts: list[Fact]
    final: dict[tuple[str, str], tuple[int, str]]
    places: dict[str, list[int]]

    def __repr__(self) -> str:
        return f"<World of {len(self.facts):,} facts>"

    @classmethod
    def drawn(cls, relations: Sequence[Relation], names: Names, random: Random, facts: int) -> World:
        """A world of so many facts in the first wording of each relation."""
        pools: dict[str, list[str]] = {}
        for kind in sorted({kind for one in relations for kind in one.kind}):
            size = FEW.get(kind, max(8, round(facts * OF_KIND)))
            pools[kind] = different(lambda kind=kind: names.make(kind, random), size)  # type: ignore[misc]
        told: list[tuple[Relation, str]] = []
        for at in range(facts):
            if told and random.random() < CHANGED:
                told.append(told[random.randrange(at)])
            else:
                relation = random.choice(relations)
                told.append((relation, random.choice(pools[relation.kind[0]])))
        sentences, final = list[Fact](), dict[tuple[str, str], tuple[int, str]]()
        for number, (relation, subject) in enumerate(told):
            obj = random.choice(pools[relation.kind[1]])
            said = fill(relation.fact[0], 0, Labelled(((subject, 0),)), Labelled(((obj, 0),))).text
            sentences.append(Fact(number, said + ("" if said.endswith(".") else ".")))
            final[subject, relation.name] = number, obj
        places = defaultdict[str, list[int]](list)
        for fact in sentences:
            for word in set(WORD.findall(fact.text.lower())):
                places[word].append(fact.number)
        return cls({one.name: one for one in relations}, sentences, final, dict(places))

    def find(self, words: Sequence[str]) -> list[Fact]:
        """The facts that hold all words, oldest first."""
        listed = sorted((self.places.get(word, []) for word in words), key=len)
        found = set(listed[0]).intersection(*listed[1:]) if listed else set()
        return [self.facts[number] for number in sorted(found)]

    def asked(self, hops: int, random: Random) -> Question:
        """A question of so many hops, in any wording; in the end every hop has an answer. Raises ValueError for none."""
        facts_of = defaultdict[str, list[tuple[str, int, str]]](list)
        for (subject, relation), (number, obj) in self.final.items():
            facts_of[subject].append((relation, number, obj))
        starts = list(facts_of)
        for _ in range(TRIES * hops):
            subject = random.choice(starts)
            way, name = list[tuple[str, int, str]](), subject
            while len(way) < hops and facts_of.get(name):
                way.append(random.choice(facts_of[name]))
                name = way[-1][2]
            if len(way) == hops and (text := self.nested(subject, [one for one, *_ in way], random)):
                return Question(text, name, tuple(one for one, *_ in way), tuple(number for _, number, _ in way))
        raise ValueError(f"{self} has no chain of {hops} facts")

    def nested(self, subject: str, chain: Sequence[str], random: Random) -> str | None:
        """The question of a chain of relations; None where no wording of one fits."""
        phrase, owner = Labelled(((subject, SUBJECT),)), True
        for hop, name in enumerate(chain, 1):
            forms = self.relations[name].ask if hop == len(chain) else self.relations[name].inner
            fitting = [one for one in forms if owner or "[X]'s" not in one]
            if not fitting:
                return None
            template = random.choice(fitting)
            owner = owner and template.startswith("[X]'s")
            phrase = (fill if hop == len(chain) else inner)(template, hop, phrase)
        return phrase.text


def different(make: Callable[[], str], size: int) -> list[str]:
    """So many names of which none equals another."""
    found: dict[tuple[str, ...], str] = {}
    for _ in range(20 * size):
        name = make()
        found.setdefault(name_of(name), name)
        if len(found) == size:
            break
    return list(found.values())


def scored(reader: RelationReader, world: World, questions: Sequence[Question]) -> Score:
    """Ask them all; an answer is right where it is the name that is so in the end."""
    right, times = 0, list[float]()
    for question in questions:
        start = process_time()
        answer = reader.answer(question.text, world.find)
        times.append(1e3 * (process_time() - start))
        right += answer is not None and not answer.refused and name_of(answer.text) == name_of(question.answer)
    return Score(len(questions), right, times)

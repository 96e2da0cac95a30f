"""FactConsolidation (MemoryAgentBench, Hu et al. 2025, arXiv 2507.05257), drawn by a program of our own by its description.

    Here is a list of facts:
    0. The capital of Orsoneland is Brelintha.
    1. Velopir Gamilin is a citizen of Orsoneland.
    2. The capital of Orsoneland is Faulgos City.

    What is the capital of Orsoneland?                               Faulgos City: the later number wins
    What is the capital of the home country of Velopir Gamilin?      Faulgos City

A text is numbered facts in the wordings of MQuAKE (Zhong et al. 2023; ``LICENSE-MQuAKE``, MIT), of names that nothing bears.
About a third of the facts contradict an earlier one, and every question hangs on one of these. The published texts have facts
of the real world, some of them changed (:mod:`.published` reads them).

    text = draw(Random(1), "6k", half="train")     # another half: other names, other phrases in questions of several hops
    text.context, text.facts[3]                    # Fact(number, relation, subject, value, text)
    text.final[subject, relation]                  # what is so in the end
    text.questions[0]                              # Question(text, answer, relations, subject, evidence: numbers of facts)

A question of several hops names its relations from the inside out: ``("P27", "P36")`` is the capital of somebody's country.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from random import Random
from typing import NamedTuple

from ..text.lists import read_lists
from .names import Names

HEADING = "Here is a list of facts:"
LINES = {
    "6k": 455,
    "32k": 2310,
    "64k": 4580,
    "262k": 18_332,
}  # facts of a length in tokens, as many as the published texts have
HALVES = ("train", "test")
QUESTIONS = 100
HOPS = (2, 3, 4)
CHANGED = 0.36  # share of the facts that contradict an earlier one
TRIES = 4  # ways from each fact
ABOUT = 2.4  # facts of one subject, about


@dataclass(frozen=True)
class Relation:
    """Of MQuAKE: a statement with ``[X]`` and ``__``, a question with ``[X]``, and phrases with ``{}`` for longer ones."""

    name: str
    subject: str  # its kind
    object: str
    statement: str
    question: str
    phrases: dict[str, tuple[str, ...]]  # by half

    def told(self, subject: str, value: str) -> str:
        """The statement, with its full stop."""
        said = self.statement.replace("[X]", subject).replace("__", value)
        return said[:1].upper() + said[1:] + "."


class Fact(NamedTuple):
    """A numbered fact; ``text`` has no number."""

    number: int
    relation: str
    subject: str
    value: str
    text: str


@dataclass(frozen=True)
class Question:
    """``relations`` from the inside out, beginning at ``subject``; without an answer it is to be refused."""

    text: str
    answer: str | None
    relations: tuple[str, ...]
    subject: str
    evidence: tuple[int, ...] = ()

    @property
    def kind(self) -> str:
        """As tables have it."""
        if self.answer is None:
            return "never told"
        return "single hop" if len(self.relations) == 1 else f"{len(self.relations)} hops"


@dataclass(frozen=True)
class Text:
    """A text of facts and its questions; ``final`` is the newest fact of a subject's relation."""

    length: str
    facts: list[Fact]
    questions: list[Question] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Text of {len(self.facts):,} facts and {len(self.questions)} questions>"

    @property
    def lines(self) -> list[str]:
        """The numbered facts."""
        return [f"{fact.number}. {fact.text}" for fact in self.facts]

    @property
    def context(self) -> str:
        """All of it, as the published texts have it."""
        return "\n".join([HEADING, *self.lines]) + "\n"

    @property
    def final(self) -> dict[tuple[str, str], Fact]:
        """What is so in the end, by subject and relation."""
        return {(fact.subject, fact.relation): fact for fact in self.facts}


@cache
def relations() -> dict[str, Relation]:
    """All relations by their names. Those that MQuAKE says in the same words as another are left out."""
    statements, questions = (
        json.loads(resources.files(__package__).joinpath(f"{file}.json").read_text(encoding="utf-8"))
        for file in ("statements", "questions")
    )
    found = {}
    for name, listed in read_lists(__package__, "relations.txt").items():
        kinds, *phrases = (part.strip(" |").split(" | ") for part in " | ".join(listed).replace(" |  | ", "||").split("||"))
        subject, _, other = kinds[0].partition(" > ")
        halves = {half: tuple(part) for half, part in zip(HALVES, phrases, strict=True)}
        found[name] = Relation(name, subject, other, statements[name], questions[name], halves)
    return found


def facts(draw: Random, lines: int, names: Names, only: Collection[str]) -> list[Fact]:
    """So many facts, the contradicted before those that contradict them."""
    by_kind: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations().values():
        if relation.name in only:
            by_kind[relation.subject].append(relation)
    kinds = {kind for listed in by_kind.values() for one in listed for kind in (one.subject, one.object)}
    weight = {kind: 1 + 2 * len(by_kind.get(kind, ())) for kind in sorted(kinds)}
    subjects, total = lines / ABOUT, sum(weight.values())
    pool = {kind: [names.new(kind) for _ in range(max(3, round(subjects * part / total)))] for kind, part in weight.items()}
    slots = [(relation, one) for kind, listed in by_kind.items() for one in pool[kind] for relation in listed]
    draw.shuffle(slots)
    slots = slots[: round(lines * (1 - CHANGED))]
    slots += draw.choices(slots, k=lines - len(slots))
    draw.shuffle(slots)
    found, known = [], dict[tuple[str, str], set[str]]()
    for number, (relation, subject) in enumerate(slots):
        told = known.setdefault((subject, relation.name), {subject})
        others = [one for one in pool[relation.object] if one not in told] or [names.new(relation.object)]
        value = draw.choice(others)
        told.add(value)
        found.append(Fact(number, relation.name, subject, value, relation.told(subject, value)))
    return found


def asked(draw: Random, half: str, subject: str, chain: tuple[str, ...]) -> str:
    """The question of a chain: phrases inside MQuAKE's question of its last relation."""
    *inner, last = (relations()[name] for name in chain)
    said = subject
    for relation in inner:
        phrases = relation.phrases[half]
        said = draw.choice(phrases if said is subject else [one for one in phrases if one.endswith("{}")]).format(said)
    if inner and "[X]'s" in last.question:  # which would be of the last word alone
        return f"Who is {next(one for one in last.phrases[half] if one.endswith('{}')).format(said)}?"
    return last.question.replace("[X]", said)


def chains(draw: Random, text: Text, hops: int, number: int) -> list[tuple[str, tuple[Fact, ...]]]:
    """Up to so many ways of so many hops through what is so in the end, each by way of a fact that contradicts another."""
    final, leads = text.final, defaultdict[str, list[Fact]](list)
    for fact in final.values():
        leads[fact.subject].append(fact)
    often = dict.fromkeys(final, 0)
    for fact in text.facts:
        often[fact.subject, fact.relation] += 1
    found: dict[tuple[Fact, ...], None] = {}
    for first in (fact for _ in range(TRIES) for fact in draw.sample(list(final.values()), len(final))):
        way = [first]
        while len(way) < hops and (
            going_on := [one for one in leads[way[-1].value] if one.value not in {w.subject for w in way}]
        ):
            way.append(draw.choice(going_on))
        if len(way) == hops and any(often[fact.subject, fact.relation] > 1 for fact in way):
            found[tuple(way)] = None
            if len(found) == number:
                break
    return [(way[0].subject, way) for way in found]


def questions(draw: Random, text: Text, half: str, number: int, names: Names) -> list[Question]:
    """So many of one hop, so many of several, and a fifth as many that nothing answers."""
    found = []
    for hops, share in ((1, number), *((hops, number // len(HOPS) + (hops < HOPS[0] + number % len(HOPS))) for hops in HOPS)):
        for subject, way in chains(draw, text, hops, share):
            chain = tuple(fact.relation for fact in way)
            evidence = tuple(fact.number for fact in way)
            found.append(Question(asked(draw, half, subject, chain), way[-1].value, chain, subject, evidence))
    final = text.final
    used = {relation: subject for subject, relation in final}
    for place in range(number // 5):
        relation = relations()[draw.choice(sorted(used))]
        known = sorted({fact.subject for fact in text.facts if relations()[fact.relation].subject == relation.subject})
        lacking = [one for one in known if (one, relation.name) not in final]
        subject = draw.choice(lacking) if place % 2 and lacking else names.new(relation.subject)
        found.append(Question(asked(draw, half, subject, (relation.name,)), None, (relation.name,), subject))
    return found


def draw(
    random: Random, length: str = "6k", half: str = "test", number: int = QUESTIONS, only: Collection[str] | None = None
) -> Text:
    """A text of a length with up to ``number`` questions of one hop and of several; ``only`` some relations.

    Raises ValueError for another length or half.
    """
    if length not in LINES or half not in HALVES:
        raise ValueError(f"expected a length of {', '.join(LINES)} and a half of {' or '.join(HALVES)}, not {length} {half}")
    names = Names(random, half)
    text = Text(length, facts(random, LINES[length], names, relations().keys() if only is None else only))
    text.questions.extend(questions(random, text, half, number, names))
    return text

"""The world that the simulated stories share: people, places, objects, actions, and when questions are asked.

A story starts from a hidden state, never told: everybody is somewhere and every object lies somewhere.
It is told in batches of statements; after each batch one attempt is made to ask about a clause drawn
from the five most recent, and more is told where nothing can be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import NamedTuple

from ..text import Question, Story

WINDOW = 5  # clauses back from the newest that a question may be about
QUESTIONS = 5  # a story
BATCH = 2  # statements between attempts to ask


class DialError(ValueError):
    """A dial is out of its range, or contradicts another; the message says what is possible."""


@dataclass(frozen=True)
class Dials:
    """What may differ from the published stories; None leaves it as published."""

    people: int | None = None
    places: int | None = None
    objects: int | None = None
    statements: int | None = None  # told before the first question, at least
    facts: int | None = None  # tasks 1 to 3: supporting facts a question needs
    chain: int | None = None  # task 18: statements between the two sizes
    path: int | None = None  # task 19: steps; task 17: statements between the shapes; task 3: rooms before the one asked about
    kinds: int | None = None  # task 15: kinds of animals
    at_once: int | None = None  # tasks 2, 3 and 7: questions asked one after another, where one is published
    distractors: int = 0  # sentences about nothing, scattered over a story
    phrasing: float = 0.0  # share of the sentences told and asked in everyday words
    background: int = 0  # sentences of books, at most, scattered over half of the stories
    new_names: bool = False  # people of the test stories have names that training never had

    def cast(self, published: Cast, people: int = 1, places: int = 2) -> Cast:
        """A cast of the sizes asked for, at least so many; the published names come first."""
        return Cast(
            sized("people", self.people, published.people, PEOPLE, people),
            sized("places", self.places, published.places, PLACES, places),
            sized("objects", self.objects, published.objects, THINGS, 1) if published.objects else (),
        )


class Cast(NamedTuple):
    """Who and what there is; of several objects to give and people to give to, the first ones are taken."""

    people: tuple[str, ...]
    places: tuple[str, ...]
    objects: tuple[str, ...] = ()


@lru_cache
def sized(name: str, size: int | None, published: tuple[str, ...], more: tuple[str, ...], least: int) -> tuple[str, ...]:
    """The first ``size`` of the published names and more. Raises :class:`DialError`."""
    if size is None:
        return published
    every = published + tuple(other for other in more if other not in published)
    if not least <= size <= len(every):
        raise DialError(f"{name} must be {least} to {len(every)} here, not {size}")
    return every[:size]


ROOMS = ("bedroom", "kitchen", "garden", "hallway", "bathroom", "office")
OBJECTS = ("apple", "football", "milk")
HOUSE = Cast(("John", "Mary", "Sandra", "Daniel"), ROOMS, OBJECTS)
GIVERS = Cast(("Mary", "Fred", "Bill", "Jeff"), ROOMS, OBJECTS)
TOWN = Cast(("Bill", "Fred", "Mary", "Julie"), ("bedroom", "kitchen", "office", "park", "school", "cinema"))

WOMEN = ("Lucy", "Anna", "Clara", "Nina", "Helen", "Irene", "Laura", "Olga", "Paula", "Rosa", "Tessa", "Vera")
MEN = ("Peter", "Simon", "Oscar", "Hugo", "Frank", "Ivan", "Leon", "Otto", "Paul", "Ralph", "Tom", "Victor")
PEOPLE = tuple(name for pair in zip(WOMEN, MEN, strict=True) for name in pair)  # beyond the published
PLACES = (
    *("attic", "cellar", "garage", "library", "balcony", "pantry", "studio", "lobby", "terrace", "workshop"),
    *("nursery", "stable", "chapel", "market", "museum", "station", "harbour", "bakery", "theatre", "gallery"),
)
THINGS = ("lamp", "book", "coin", "key", "hat", "pen", "cup", "ring", "rope", "drum", "vase", "flag", "kite", "bell")
FEMALE = frozenset({"Mary", "Sandra", "Julie", *WOMEN})
MOVES = ("went to", "went back to", "moved to", "journeyed to", "travelled to")
GETS = ("got", "took", "grabbed", "picked up")
DROPS = ("dropped", "left", "discarded", "put down")
GIVES = ("gave", "handed", "passed")
THEN = ("Afterwards", "After that", "Following that", "Then")


class Clause(NamedTuple):
    """One thing done: ``statement`` is where it is told."""

    kind: str  # move, get, drop, give
    person: str
    thing: str  # the object, or the place moved to
    receiver: str
    statement: int


Asked = tuple[str, str, Sequence[int]] | None  # a question, its answer and its supporting facts


@dataclass
class Teller:
    """A story as it is told: statements and questions so far."""

    statements: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def tell(self, text: str) -> int:
        """Add a statement; its index."""
        self.statements.append(text)
        return len(self.statements) - 1

    def ask(self, text: str, answer: str, facts: Sequence[int]) -> None:
        """Add a question here, with its answer and supporting facts."""
        self.questions.append(Question(text, answer, tuple(facts), len(self.statements)))

    def story(self) -> Story:
        """What was told."""
        return Story(tuple(self.statements), tuple(self.questions))


def scheduled(
    draw: Random,
    teller: Teller,
    batch: Callable[[], None],
    clauses: Sequence[object],
    ask: Callable[[int], Asked],
    statements: int | None = None,
    at_once: int = 1,
) -> Story:
    """Tell batches, and after each try to ask about one of the five most recent clauses, until five questions stand.

    ``ask(number)`` is what to ask about a clause, None for nothing; nothing is asked before ``statements`` are told. With
    ``at_once`` so many are tried after a batch, one after another, until so many times five stand.
    """
    while len(teller.questions) < QUESTIONS * at_once:
        batch()
        if statements is not None and len(teller.statements) < statements:
            continue
        recent = list(range(max(0, len(clauses) - WINDOW), len(clauses)))
        for _ in range(at_once):
            draw.shuffle(recent)
            if asked := next((asked for number in recent if (asked := ask(number))), None):
                teller.ask(*asked)
    return teller.story()


def walks(draw: Random, dials: Dials, together: int, pronouns: bool = False) -> Story:
    """So many people ``together`` move; where one of them is, is asked. With ``pronouns`` every second move is told by one."""
    cast = dials.cast(HOUSE, people=together, places=together + 1)
    teller = Teller()
    place = {person: draw.choice(cast.places) for person in cast.people}
    clauses: list[tuple[str, int]] = []  # person, statement: of a sentence one for each of the people
    people: list[str] = []
    subject = ""

    def batch() -> None:
        nonlocal people, subject
        for number in range(2):
            if number == 0 or not pronouns:
                people = draw.sample(cast.people, together)
                subject = " and ".join(people)
            new = draw.choice([room for room in cast.places if room not in [place[person] for person in people]])
            fact = teller.tell(f"{subject} {draw.choice(MOVES)} the {new}.")
            place.update(dict.fromkeys(people, new))
            clauses.extend((person, fact) for person in people)
            if pronouns:
                subject = f"{draw.choice(THEN)} {'they' if together > 1 else 'she' if people[0] in FEMALE else 'he'}"

    def ask(number: int) -> Asked:
        person = clauses[number][0]
        last = max(fact for who, fact in clauses if who == person)
        return f"Where is {person}? ", place[person], [last - 1, last] if pronouns else [last]

    return scheduled(draw, teller, batch, clauses, ask, dials.statements)


class World:
    """People who move, get, drop and give, and what has been told of it."""

    def __init__(self, draw: Random, cast: Cast, kinds: Sequence[str], there: tuple[float, float] = (1.0, 0.2)) -> None:
        """``there`` are the chances that a get and a drop end in " there"."""
        self.draw, self.cast, self.kinds, self.there = draw, cast, tuple(kinds), there
        self.place = {person: draw.choice(cast.places) for person in cast.people}
        self.lies = {thing: draw.choice(cast.places) for thing in cast.objects}  # where it is free
        self.holder: dict[str, str] = {}
        self.held: dict[str, list[str]] = {person: [] for person in cast.people}
        self.teller = Teller()
        self.clauses: list[Clause] = []

    def story(self, ask: Callable[[Clause], Asked], dials: Dials) -> Story:
        """A story of two statements a batch. Raises :class:`DialError`."""
        at_once = 1 if dials.at_once is None else dials.at_once
        if not 1 <= at_once <= 20:
            raise DialError(f"at_once must be 1 to 20, not {at_once}")

        def batch() -> None:
            for _ in range(BATCH):
                self.act()

        def about(number: int) -> Asked:
            return ask(self.clauses[number])

        return scheduled(self.draw, self.teller, batch, self.clauses, about, dials.statements, at_once)

    def act(self) -> None:
        """Draw a kind until something valid comes out, do it, tell it."""
        draw = self.draw
        while True:
            kind = draw.choice(self.kinds)
            if kind == "give":
                for thing in self.cast.objects:
                    giver = self.holder.get(thing)
                    if giver is None:
                        continue
                    for other in self.cast.people:
                        if other != giver and self.place[other] == self.place[giver]:
                            return self.give(giver, thing, other)
                continue
            person = draw.choice(self.cast.people)
            if kind == "move":
                place = draw.choice(self.cast.places)
                if place != self.place[person]:
                    return self.move(person, place)
            elif kind == "get":
                here = [thing for thing, place in self.lies.items() if place == self.place[person]]
                if here:
                    return self.get(person, draw.choice(here))
            elif self.held[person]:
                return self.drop(person, draw.choice(self.held[person]))

    def add_clause(self, kind: str, person: str, thing: str, text: str, receiver: str = "") -> None:
        """Tell a clause."""
        self.clauses.append(Clause(kind, person, thing, receiver, self.teller.tell(text)))

    def move(self, person: str, place: str) -> None:
        """A person goes to another place."""
        self.place[person] = place
        self.add_clause("move", person, place, f"{person} {self.draw.choice(MOVES)} the {place}.")

    def get(self, person: str, thing: str) -> None:
        """A person takes what lies there."""
        del self.lies[thing]
        self.holder[thing] = person
        self.held[person].append(thing)
        there = " there" if self.draw.random() < self.there[0] else ""
        self.add_clause("get", person, thing, f"{person} {self.draw.choice(GETS)} the {thing}{there}.")

    def drop(self, person: str, thing: str) -> None:
        """A person leaves a thing where they are."""
        del self.holder[thing]
        self.held[person].remove(thing)
        self.lies[thing] = self.place[person]
        there = " there" if self.draw.random() < self.there[1] else ""
        self.add_clause("drop", person, thing, f"{person} {self.draw.choice(DROPS)} the {thing}{there}.")

    def give(self, person: str, thing: str, receiver: str) -> None:
        """A person hands a thing to another who is in the same place."""
        self.holder[thing] = receiver
        self.held[person].remove(thing)
        self.held[receiver].append(thing)
        text = f"{person} {self.draw.choice(GIVES)} the {thing} to {receiver}."
        self.add_clause("give", person, thing, text, receiver)

    def dealings(self, person: str) -> dict[str, list[int]]:
        """The statements of what somebody got, dropped or gave or was given, by thing, in the order of first acquisition."""
        found: dict[str, list[int]] = {}
        for clause in self.clauses:
            if clause.kind != "move" and person in (clause.person, clause.receiver):
                found.setdefault(clause.thing, []).append(clause.statement)
        return found

    def back(self, before: int | None = None) -> Iterator[Clause]:
        """The clauses before a number (all), the newest first."""
        for number in range((len(self.clauses) if before is None else before) - 1, -1, -1):
            yield self.clauses[number]

    def last_move(self, person: str, before: int | None = None) -> Clause | None:
        """A person's latest move before a clause number (now)."""
        return next((c for c in self.back(before) if c.kind == "move" and c.person == person), None)

"""What happens, drawn: people go about, take things, hand them on, put them down, and move what is too heavy to carry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import accumulate
from random import Random

from .names import Cast, Named
from .telling import Line, Manner, told

BEGIN = datetime(2024, 3, 4, 6, 0)
LONGEST_PAUSE = 40  # minutes between two lines, at most
TRICKY = 0.2  # of the lines that say nothing of whereabouts: those that speak of movements that are not told as done
SEEN = 0.3  # share of the sightings of a light thing that find it where nobody said that it was brought
HELD = 0.5  # share of the light things that somebody has, about
WALKS = 0.5  # share of the times at which somebody's way to a thing is told before he acts on it
SHARES = {"go": 5.0, "leave": 0.5, "at person": 1.5, "at thing": 1.5, "move": 6.0, "take": 6.0, "drop": 2.5, "give": 1.0}


class World:
    """Where everybody and everything is in truth; a line tells of each change, or of none."""

    def __init__(self, draw: Random, people: Cast, manner: Manner, noise: float) -> None:
        self.draw, self.cast, self.manner, self.noise = draw, people, manner, noise
        everything = (*people.people, *people.things)
        self.place: dict[Named, Named] = {one: draw.choice(people.places) for one in everything}
        self.holder: dict[Named, Named] = {}
        self.hands: dict[Named, list[Named]] = {one: [] for one in people.people}
        self.weights = list(accumulate(1 / (3 + rank) for rank in range(max(len(people.people), len(people.things)))))
        self.often_held = HELD * sum(not thing.heavy for thing in people.things)
        self.clock = BEGIN

    def one(self, part: tuple[Named, ...]) -> Named:
        """One of these; the first are drawn more often."""
        return self.draw.choices(part, cum_weights=self.weights[: len(part)])[0]

    def elsewhere(self, place: Named) -> Named:
        """Another place."""
        while (found := self.draw.choice(self.cast.places)) == place:
            pass
        return found

    def line(self, kind: str, **given: Named) -> Line:
        """A line that says so, some minutes later."""
        self.clock += timedelta(minutes=self.draw.randint(1, LONGEST_PAUSE))
        roles = {role.rstrip("_"): value for role, value in given.items()}
        return told(self.draw, self.manner, kind, roles, self.clock if self.manner.stamp else None)

    def lines(self) -> Iterator[Line]:
        """Line after line, without end."""
        ways, kinds = list(SHARES.values()), list(SHARES)
        while True:
            told = [self.nothing()] if self.draw.random() < self.noise else []
            while not told:
                kind = self.draw.choices(kinds, ways)[0]
                told = list(getattr(self, kind.replace(" ", "_"))())
            yield from told

    def nothing(self) -> Line:
        """A line that says nothing of whereabouts."""
        who, other = self.draw.sample(self.cast.people, 2)
        what, to = self.draw.choice(self.cast.things), self.draw.choice(self.cast.places)
        kind = "none, of movement" if self.draw.random() < TRICKY else "none"
        return self.line(kind, who=who, what=what, to=to, receiver=other)

    def walk(self, who: Named, place: Named) -> None:
        """Somebody is there from now on, with what he has."""
        self.place[who] = place
        for thing in self.hands[who]:
            self.place[thing] = place

    def go(self) -> Iterator[Line]:
        """Somebody goes elsewhere."""
        who = self.one(self.cast.people)
        here = self.place[who]
        self.walk(who, self.elsewhere(here))
        yield self.line("go", who=who, from_=here, to=self.place[who])

    def leave(self) -> Iterator[Line]:
        """Somebody leaves, whither is not told."""
        who = self.one(self.cast.people)
        here = self.place[who]
        self.walk(who, self.elsewhere(here))
        yield self.line("leave", who=who, from_=here)

    def at_person(self) -> Iterator[Line]:
        """Somebody is seen."""
        who = self.one(self.cast.people)
        yield self.line("at person", who=who, to=self.place[who])

    def at_thing(self) -> Iterator[Line]:
        """A thing that nobody has is seen, now and then where nobody said that it was brought."""
        what, who = self.one(self.cast.things), self.one(self.cast.people)
        if what in self.holder:
            return
        if not what.heavy and self.draw.random() < SEEN:
            self.place[what] = self.elsewhere(self.place[what])
        line = self.line("at thing", what=what, to=self.place[what], who=who)
        if line.fact.who is not None:
            self.walk(who, self.place[what])
        yield line

    def fetched(self, who: Named, place: Named) -> Iterator[Line]:
        """Somebody who acts there has come there, told or untold."""
        if self.place[who] != place:
            here = self.place[who]
            self.walk(who, place)
            if self.draw.random() < WALKS:
                yield self.line("go", who=who, from_=here, to=place)

    def move(self) -> Iterator[Line]:
        """Somebody moves a thing that nobody has."""
        who, what = self.one(self.cast.people), self.one(self.cast.things)
        if what in self.holder:
            return
        here = self.place[what]
        to = self.elsewhere(here)
        line = self.line("move", who=who, what=what, from_=here, to=to)
        if line.fact.who is not None:
            self.walk(who, to)
        self.place[what] = to
        yield line

    def take(self) -> Iterator[Line]:
        """Somebody takes a light thing."""
        who, what = self.one(self.cast.people), self.one(self.cast.things)
        if what in self.holder or what.heavy:
            return
        yield from self.fetched(who, self.place[what])
        self.holder[what] = who
        self.hands[who].append(what)
        yield self.line("take", who=who, what=what, from_=self.place[what])

    def carried(self) -> Named | None:
        """One of the things that somebody has; None the more often the fewer these are."""
        enough = self.draw.random() * self.often_held < len(self.holder)
        return self.draw.choice(list(self.holder)) if self.holder and enough else None

    def drop(self) -> Iterator[Line]:
        """Somebody puts down what he has."""
        what = self.carried()
        if what is None:
            return
        who = self.holder.pop(what)
        self.hands[who].remove(what)
        yield self.line("drop", who=who, what=what, to=self.place[what])

    def give(self) -> Iterator[Line]:
        """Somebody hands over what he has."""
        what = self.carried()
        if what is None:
            return
        who, receiver = self.holder[what], self.one(self.cast.people)
        if receiver == who:
            return
        yield from self.fetched(receiver, self.place[what])
        self.holder[what] = receiver
        self.hands[who].remove(what)
        self.hands[receiver].append(what)
        yield self.line("give", who=who, receiver=receiver, what=what)

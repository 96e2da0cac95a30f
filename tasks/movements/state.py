"""What a log lets one conclude: where and with whom everything is, and how it came there.

- Who goes somewhere takes along what he has. Who acts on a thing elsewhere than he was last said to be has walked there untold:
  from then on nothing says where he is, nor where what he already had is.
- "moved", "took it to" and the like say where a thing is then, and nothing of who has it.
- Who moves something from one place to another may have been in both, with what he has: of these places nothing is asked of it.
- A place that is told before nothing was known counts as one where the thing was ("moved from A to B" says A, too), and so it
  is with what somebody has who "went from A to B".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .telling import Fact


@dataclass(frozen=True)
class Stay:
    """A thing is in a place, None where nothing says which; ``line`` told of it."""

    place: str | None
    line: int
    kind: str  # of that line


@dataclass
class Thing:
    """What is known of a thing."""

    stays: list[Stay] = field(default_factory=list)
    holder: str | None = None
    last_holder: str | None = None
    held_since: int = -1
    perhaps: set[str] = field(default_factory=set)  # places where it may have been, too: a holder moved something there
    facts: list[tuple[int, Fact]] = field(default_factory=list)  # that speak of it

    @property
    def place(self) -> str | None:
        """Where it is."""
        return self.stays[-1].place if self.stays else None

    def comes_to(self, place: str | None, line: int, kind: str) -> None:
        """It is there now."""
        if not self.stays or self.stays[-1].place != place:
            self.stays.append(Stay(place, line, kind))


@dataclass
class Person:
    """What is known of a person: the place, None where nothing says which, and the last line that told of it."""

    place: str | None = None
    line: int = -1
    plain: bool = False  # whether the newest line with the person said where


class Known:
    """The state after the lines that were told; see the module's docstring."""

    def __init__(self) -> None:
        self.things: dict[str, Thing] = {}
        self.people: dict[str, Person] = {}
        self.hands: dict[str, dict[str, Thing]] = {}  # what each has

    def person(self, name: str) -> Person:
        """What is known of a person."""
        return self.people.setdefault(name, Person())

    def thing(self, name: str) -> Thing:
        """What is known of a thing."""
        return self.things.setdefault(name, Thing())

    def held(self, name: str) -> list[Thing]:
        """What a person has."""
        return list(self.hands.get(name, {}).values())

    def hold(self, what: str, who: str | None) -> None:
        """Somebody has a thing from now on, or nobody."""
        thing = self.thing(what)
        if thing.holder is not None:
            del self.hands[thing.holder][what]
        thing.holder = who
        if who is not None:
            self.hands.setdefault(who, {})[what] = thing

    def doubt(self, name: str, place: str | None, line: int, but: Thing) -> None:
        """A person acts in a place, None where nothing says in which."""
        person = self.person(name)
        person.plain = False
        if place is None or person.place != place:
            person.place = None
            for thing in self.held(name):
                if thing is not but:
                    thing.comes_to(None, line, "unknown")

    def tell(self, fact: Fact, line: int) -> None:
        """One line more."""
        if fact.kind == "none":
            return
        if fact.what is None:
            self.tell_person(fact, line)
            return
        thing = self.thing(fact.what)
        thing.facts.append((line, fact))
        before = thing.place
        if fact.from_ is not None:
            thing.comes_to(fact.from_, line, fact.kind)
        getattr(self, f"tell_{fact.kind}")(fact, line, thing, fact.from_ or before)

    def tell_person(self, fact: Fact, line: int) -> None:
        """Somebody goes, is or leaves."""
        assert fact.who is not None
        place = None if fact.kind == "leave" else fact.to
        self.people[fact.who] = Person(place, line, place is not None)
        for thing in self.held(fact.who):
            if fact.from_ is not None:
                thing.comes_to(fact.from_, line, fact.kind)
            thing.comes_to(place, line, fact.kind)

    def tell_at(self, fact: Fact, line: int, thing: Thing, _: str | None) -> None:
        """A thing is in a place; who saw it is where it is."""
        thing.comes_to(fact.to, line, "at")
        self.hold(str(fact.what), None)
        if fact.who is not None:
            self.doubt(fact.who, fact.to, line, thing)

    def tell_move(self, fact: Fact, line: int, thing: Thing, _: str | None) -> None:
        """A thing comes to a place."""
        self.hold(str(fact.what), None)
        thing.comes_to(fact.to, line, "move")
        if fact.who is not None:
            self.doubt(fact.who, None, line, thing)
            for held in self.held(fact.who):
                held.perhaps |= {place for place in (fact.from_, fact.to) if place is not None}

    def tell_take(self, fact: Fact, line: int, thing: Thing, place: str | None) -> None:
        """Somebody has a thing now."""
        assert fact.who is not None
        self.doubt(fact.who, place, line, thing)
        self.hold(str(fact.what), fact.who)
        thing.held_since = line

    def tell_drop(self, fact: Fact, line: int, thing: Thing, place: str | None) -> None:
        """Who had a thing has put it down, where he is or in a place that is told."""
        thing.last_holder = fact.who or thing.holder
        self.hold(str(fact.what), None)
        if fact.to is not None:
            thing.comes_to(fact.to, line, "drop")
        if fact.who is not None:
            self.doubt(fact.who, fact.to or place, line, thing)

    def tell_give(self, fact: Fact, line: int, thing: Thing, place: str | None) -> None:
        """Somebody else has a thing now."""
        assert fact.who is not None
        assert fact.receiver is not None
        for name in (fact.who, fact.receiver):
            self.doubt(name, place, line, thing)
        self.hold(str(fact.what), fact.receiver)
        thing.held_since = line

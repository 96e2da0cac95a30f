"""The state that a story tells: learns from records, one statement after another.

world.learn(Deed("give", {giver: Mary, theme: ball, receiver: John}), 0)
world.places.positions[ball]   ->   held by John
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .entities import Entity, members
from .lexicon import table
from .records import At, Being, Beside, Count, Deed, Has, Kin, More, Nobody, Record, Rule
from .senses import SENSES
from .whereabouts import Position, Whereabouts


@dataclass
class World:
    """Everything that the story has told so far."""

    places: Whereabouts = field(default_factory=Whereabouts)
    records: list[Record] = field(default_factory=list)
    deeds: dict[str, list[Deed]] = field(default_factory=dict)  # by sense
    facts: dict[str, dict[Entity, list[Being]]] = field(default_factory=dict)  # by relation and subject
    scales: dict[str, list[More]] = field(default_factory=dict)
    beside: list[Beside] = field(default_factory=list)
    kin: list[Kin] = field(default_factory=list)
    counts: dict[tuple[Entity, str], list[Count]] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)
    maybe_has: dict[Entity, tuple[tuple[Entity, ...], int]] = field(default_factory=dict)
    has_not: dict[Entity, dict[Entity, int]] = field(default_factory=dict)  # thing -> person -> statement
    not_in: dict[Entity, dict[Entity, int]] = field(default_factory=dict)  # thing -> container -> statement
    diary: dict[Entity, list[At]] = field(default_factory=dict)  # moves by their times
    empty: dict[Entity, int] = field(default_factory=dict)  # places where nobody is said to be
    by_statement: dict[int, list[Record]] = field(default_factory=dict)

    def learn(self, record: Record, number: int) -> None:
        """Take in what a statement says."""
        record.statement = number
        self.records.append(record)
        self.by_statement.setdefault(number, []).append(record)
        LEARN[type(record)](self, record)

    # ---- a way to learn each kind of record

    def _deed(self, deed: Deed) -> None:
        self.deeds.setdefault(deed.sense, []).append(deed)
        if not deed.mode and deed.tense not in ("future", "going"):
            EFFECTS[SENSES[deed.sense].does](self, deed)

    def _at(self, at: At) -> None:
        for subject in members(at.subject):
            self._at_one(subject, at)

    def _at_one(self, subject: Entity, at: At) -> None:
        places, number = self.places, at.statement
        if at.rank is not None:
            self.diary.setdefault(subject, []).append(at)
        elif at.options:
            places.learn_options(subject, at.options, number)
        elif subject.kind == "person":
            assert at.place is not None
            (places.learn_place if at.positive else places.learn_not)(subject, at.place, number)
        elif at.positive:
            assert at.place is not None
            self.settle(subject, at.place, number)
        else:
            assert at.place is not None
            self.not_in.setdefault(subject, {})[at.place] = number
            position = places.positions.get(subject)
            if position is not None and (position.by is at.place or (position.spot and position.spot.root().place is at.place)):
                del places.positions[subject]

    def settle(self, thing: Entity, place: Entity, number: int) -> None:
        """A thing is put in or said to be in a place or container."""
        self.not_in.pop(thing, None)
        self.has_not.pop(thing, None)
        self.maybe_has.pop(thing, None)
        if place.kind == "place":
            self.places.lay(thing, number, place=place)
        else:
            self.places.lay(thing, number, container=place)

    def _has(self, has: Has) -> None:
        if has.options:
            self.maybe_has[has.theme] = (has.options, has.statement)
            self.places.positions.pop(has.theme, None)
        elif not has.positive:
            assert has.holder is not None
            position = self.places.positions.get(has.theme)
            if position is not None and position.how == "held" and position.by is has.holder:
                del self.places.positions[has.theme]
            self.has_not.setdefault(has.theme, {})[has.holder] = has.statement
            options, said = self.maybe_has.get(has.theme, ((), 0))
            if has.holder in options:
                left = [one for one in options if one is not has.holder]
                self.get(left[0], has.theme, has.statement, meeting=False)
                self.places.positions[has.theme].why |= {said}
        else:
            assert has.holder is not None
            self.get(has.holder, has.theme, has.statement, carried=has.carried, meeting=False)

    def get(self, person: Entity, theme: Entity, number: int, carried: bool = True, meeting: bool = True) -> None:
        """Somebody has a thing from now on."""
        for thing in members(theme):
            self.maybe_has.pop(thing, None)
            self.has_not.pop(thing, None)
            self.not_in.pop(thing, None)
            self.places.take(person, thing, number, carried, meeting)

    def _being(self, being: Being) -> None:
        for subject in members(being.subject):
            kept = self.facts.setdefault(being.relation, {}).setdefault(subject, [])
            kept.append(being)
            if table("facts.toml")[being.relation].get("mutual"):
                turned = Being(being.relation, being.value, subject, being.positive, statement=being.statement)
                self.facts[being.relation].setdefault(being.value, []).append(turned)

    def _more(self, more: More) -> None:
        self.scales.setdefault(more.scale, []).append(more)

    def _beside(self, beside: Beside) -> None:
        self.beside.append(beside)

    def _kin(self, kin: Kin) -> None:
        self.kin.append(kin)

    def _rule(self, rule: Rule) -> None:
        self.rules.append(rule)

    def _nobody(self, nobody: Nobody) -> None:
        self.empty[nobody.place] = nobody.statement

    def nobody_new(self, place: Entity) -> bool:
        """Whether nobody was said to be in a place before."""
        return place not in self.empty

    def _count(self, count: Count) -> None:
        self.counts.setdefault((count.owner, count.noun.head), []).append(count)
        if count.other is not None and count.other.kind == "person":
            change = {"-": "+", "+": "-"}[count.change]
            given = Count(count.other, count.noun, count.number, change, count.owner, statement=count.statement)
            self.counts.setdefault((count.other, count.noun.head), []).append(given)

    # ---- corrections

    def correct(self, old: Record, new: Record, number: int) -> None:
        """A statement takes back an earlier one, and says what is so instead."""
        old.void = True
        if isinstance(old, Being):
            for subject in members(old.subject):
                self.facts[old.relation][subject].remove(old)
        elif isinstance(old, Deed):
            self.deeds[old.sense].remove(old)
        self.learn(new, number)

    def has_count(self, owner: Entity, noun: str) -> tuple[int | None, frozenset[int]]:
        """How many of a noun somebody has; ``None`` where that is not told."""
        total: int | None = None
        why: set[int] = set()
        for count in self.counts.get((owner, noun), []):
            if not count.change:
                total, why = count.number, set()
            elif total is not None:
                total += count.number if count.change == "+" else -count.number
            why.add(count.statement)
        return total, frozenset(why)


# ---- what deeds change: functions of the world and the deed, named by "does" in senses.toml


def _go(world: World, deed: Deed) -> None:
    place = deed.roles["place"]
    for mover in (*members(deed.roles["mover"]), *members_of(deed, "company")):
        world.places.go(mover, place, deed.statement)


def members_of(deed: Deed, role: str) -> tuple[Entity, ...]:
    """Who fills a role; nobody where it is not told."""
    return members(deed.roles[role]) if role in deed.roles else ()


def _leave(world: World, deed: Deed) -> None:
    for mover in (*members(deed.roles["mover"]), *members_of(deed, "company")):
        world.places.go(mover, None, deed.statement, left=deed.roles["source"])


def _take(world: World, deed: Deed) -> None:
    world.get(members(deed.roles["taker"])[0], deed.roles["theme"], deed.statement)


def _drop(world: World, deed: Deed) -> None:
    holder = deed.roles["holder"]
    for thing in members(deed.roles["theme"]):
        world.places.lay(thing, deed.statement, by=holder)


def _put(world: World, deed: Deed) -> None:
    location = deed.roles["location"]
    for thing in members(deed.roles["theme"]):
        world.settle(thing, location, deed.statement)
    if location.kind == "place":
        world.places.unsettle(deed.roles["putter"], location)


def _move(world: World, deed: Deed) -> None:
    for thing in members(deed.roles["theme"]):
        source = deed.roles.get("source")
        if source is not None and thing not in world.places.positions:
            world.settle(thing, source, deed.statement)
        world.settle(thing, deed.roles["place"], deed.statement)
    world.places.unsettle(deed.roles["mover"], deed.roles["place"])


def _carry(world: World, deed: Deed) -> None:
    _move(world, deed)
    for mover in (*members(deed.roles["mover"]), *members_of(deed, "company")):
        world.places.learn_place(mover, deed.roles["place"], deed.statement)


def _give(world: World, deed: Deed) -> None:
    giver, receiver = deed.roles.get("giver"), deed.roles["receiver"]
    if giver is not None:
        world.places.meet(giver, receiver, deed.statement)
        for thing in members(deed.roles["theme"]):
            if thing in world.places.positions and world.places.positions[thing].by is giver:
                world.places.handled.setdefault(giver, []).append(deed.statement)
            elif not members(giver)[1:]:
                world.places.take(giver, thing, deed.statement)
    world.get(receiver, deed.roles["theme"], deed.statement)


def _far(world: World, deed: Deed) -> None:
    """Sent, lent, sold or given back: the receiver has it, wherever that is."""
    giver = deed.roles.get("giver")
    if giver is not None:
        for thing in members(deed.roles["theme"]):
            world.places.held_once.add((giver, thing))
    world.get(deed.roles["receiver"], deed.roles["theme"], deed.statement, carried=False, meeting=False)


def _steal(world: World, deed: Deed) -> None:
    if "taker" in deed.roles:
        world.get(deed.roles["taker"], deed.roles["theme"], deed.statement, carried=False, meeting=False)
    else:
        world.places.positions.pop(deed.roles["theme"], None)


def _find(world: World, deed: Deed) -> None:
    for thing in members(deed.roles["theme"]):
        world.settle(thing, deed.roles["spot"], deed.statement)


def _consume(world: World, deed: Deed) -> None:
    for thing in members(deed.roles["theme"]):
        world.places.positions[thing] = Position("gone", why=frozenset({deed.statement}))


def _set(world: World, deed: Deed) -> None:
    relation, word = SENSES[deed.sense].sets
    being = Being(relation, deed.roles["theme"], SENSES[deed.sense].state(word), statement=deed.statement)
    world._being(being)


def _colour(world: World, deed: Deed) -> None:
    world._being(Being("colour", deed.roles["theme"], deed.roles["colour"], statement=deed.statement))


def _swap(world: World, deed: Deed) -> None:
    world.places.held_once.add((deed.roles["giver"], deed.roles["theme"]))
    world.places.positions.pop(deed.roles["theme"], None)
    world.has_not.setdefault(deed.roles["theme"], {})[deed.roles["giver"]] = deed.statement
    world.get(deed.roles["giver"], deed.roles["other"], deed.statement, carried=False, meeting=False)


def _none(world: World, deed: Deed) -> None:
    """A deed that changes nothing else that is asked for."""


EFFECTS: dict[str, Callable[[World, Deed], None]] = {
    "go": _go,
    "leave": _leave,
    "take": _take,
    "drop": _drop,
    "put": _put,
    "move": _move,
    "carry": _carry,
    "give": _give,
    "send": _far,
    "lend": _far,
    "return": _far,
    "sell": _far,
    "buy": _far,
    "steal": _steal,
    "find": _find,
    "lose": _find,
    "consume": _consume,
    "set": _set,
    "colour": _colour,
    "swap": _swap,
    "make": _none,
    "none": _none,
}
LEARN: dict[type[Record], Callable[..., None]] = {
    Deed: World._deed,
    At: World._at,
    Has: World._has,
    Being: World._being,
    More: World._more,
    Beside: World._beside,
    Kin: World._kin,
    Nobody: World._nobody,
    Rule: World._rule,
    Count: World._count,
}

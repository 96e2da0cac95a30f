"""Answers about who has what and who did what.

    who_has(world, ball)                                  ->   Found("span", [John], why={3})
    deed(world, "sell", {"theme": bike}, "giver")         ->   Found("span", [Ann], why={0})

``None`` stands for a question that is not to be asked, as two answers would be right.
"""

from __future__ import annotations

from collections.abc import Iterable

from .entities import Entity, members
from .found import Found, same, span, untold
from .records import Being, Deed
from .senses import SENSES
from .world import World

HANDING = ("take", "give")


LISTED = frozenset({"theme", "agent", "patient", "giver", "receiver", "maker", "mover"})


def who_has(world: World, thing: Entity) -> Found | None:
    """Who has a thing now."""
    position = world.places.positions.get(thing)
    if thing in world.maybe_has or (position is None and thing in world.facts.get("belongs", {})):
        return None
    if position is None or position.how in ("in", "at"):
        return untold("who", position.why if position is not None else ())
    if position.how == "gone":
        return None
    assert position.by is not None
    return span([position.by], position.why)


def does_have(world: World, person: Entity, thing: Entity) -> Found | None:
    """Whether somebody has a thing now."""
    if thing in world.maybe_has:
        options, said = world.maybe_has[thing]
        return Found("maybe" if person in options else "no", why=frozenset({said}))
    denied = world.has_not.get(thing, {}).get(person)
    if denied is not None:
        return Found("no", why=frozenset({denied}))
    position = world.places.positions.get(thing)
    if position is None:
        return untold("who") if thing not in world.facts.get("belongs", {}) else None
    if position.how in ("in", "at") and (person, thing) not in world.places.held_once:
        return None
    return Found("yes" if position.how == "held" and position.by is person else "no", why=position.why)


def carried(world: World, person: Entity) -> tuple[list[Entity], frozenset[int]] | None:
    """What somebody carries, where the story tells of their taking or getting something."""
    handled = world.places.handled.get(person)
    if not handled:
        return None
    things = world.places.held_by(person)
    if any(not world.places.positions[thing].carried for thing in things):
        return None
    return things, frozenset(handled)


def list_carried(world: World, person: Entity) -> Found | None:
    """What somebody carries."""
    found = carried(world, person)
    if found is None:
        return None
    things, why = found
    return span(things, why) if things else Found("nothing", why=why)


def count_carried(world: World, person: Entity) -> Found | None:
    """How many things somebody carries."""
    found = carried(world, person)
    if found is None or any(thing.plural for thing in found[0]):
        return None
    return Found("number", number=len(found[0]), why=found[1])


def holders(world: World, thing: Entity) -> list[tuple[Entity, int]]:
    """Who has had a thing, in order, and since which statement."""
    found: list[tuple[Entity, int]] = []
    for deeds in (world.deeds.get(sense, ()) for sense in HANDING):
        for deed in deeds:
            if deed.mode or thing not in members(deed.roles["theme"]):
                continue
            for role in ("giver", "taker", "receiver"):
                if role in deed.roles:
                    found.append((deed.roles[role], deed.statement))
    found.sort(key=lambda pair: pair[1])
    return [pair for number, pair in enumerate(found) if number == 0 or found[number - 1][0] is not pair[0]]


def had(world: World, thing: Entity, which: str, person: Entity | None = None) -> Found | None:
    """Who had a thing first, last, or before somebody."""
    line = holders(world, thing)
    position = world.places.positions.get(thing)
    if len(line) < 2 or position is None or any(members(one)[1:] for one, _ in line):
        return None
    if which == "first":
        return span([line[0][0]], [line[0][1]])
    if which == "last":
        return span([line[-1][0]], [line[-1][1]])
    places = [number for number, (one, _) in enumerate(line) if one is person]
    if person is None:
        places = [len(line) - 1] if position.how == "held" and position.by is line[-1][0] else []
    if len(places) != 1 or places[0] == 0:
        return None
    return span([line[places[0] - 1][0]], [line[places[0]][1], line[places[0] - 1][1]])


def matches(deed: Deed, given: dict[str, Entity]) -> bool:
    """Whether a deed is as given; Mary is one of Mary and John."""
    for role, entity in given.items():
        told = deed.roles.get(role)
        if told is None:
            return False
        if (
            not same(told, entity)
            and entity not in told.members
            and not (entity.members and set(entity.members) <= set(told.members))
        ):
            return False
    return True


def alike(one: Deed, mode: str, future: bool) -> bool:
    """Whether a deed is of a mode, and to come or not."""
    return one.mode == mode and (one.tense in ("future", "going")) == future


def deed(world: World, sense: str, given: dict[str, Entity], asked: str, mode: str = "", future: bool = False) -> Found | None:
    """Who or what fills a role of a deed."""
    told = [one for one in world.deeds.get(sense, ()) if not one.void]
    fitting = [one for one in told if alike(one, mode, future) and matches(one, given)]
    nobody = [one for one in told if one.mode == "nobody" and matches(one, given)]
    if nobody and asked == SENSES[sense].frames[0].subject:
        return None if fitting else Found("nothing", why=frozenset(one.statement for one in nobody))
    if not fitting:
        if not mode and any(one.mode or alike(one, mode, not future) for one in told if matches(one, given)):
            return None
        return untold("not so", ()) if not any(matches(one, given) for one in told) else None
    values: list[Entity] = []
    for one in fitting:
        value = one.roles.get(asked)
        if value is not None and not any(same(value, other) for other in values):
            values.append(value)
    why = frozenset(one.statement for one in fitting)
    if not values:
        return untold({"time": "when", "reason": "why", "place": "where"}.get(asked, asked), why)
    if any(asked not in one.roles for one in fitting) or (len(values) > 1 and asked not in LISTED):
        return None
    return span([one for value in values for one in members(value)], why)


def did(world: World, sense: str, given: dict[str, Entity], subject: str, ahead: bool = False) -> Found | None:
    """Whether somebody did something, or will (``ahead``)."""
    told = [one for one in world.deeds.get(sense, ()) if not one.void]
    nobody = [one for one in told if one.mode == "nobody" and matches(one, {r: e for r, e in given.items() if r != subject})]
    fitting = [one for one in told if matches(one, given) and one.mode != "nobody"]
    if nobody and not ahead:
        return None if fitting else Found("no", why=frozenset(one.statement for one in nobody))
    future = [one for one in fitting if one.tense in ("future", "going")]
    real = [one for one in fitting if not one.mode and one not in future]
    if ahead:
        return _will(fitting, future)
    if real:
        return Found("yes", why=frozenset(one.statement for one in real))
    if future:
        return None
    modes = {one.mode for one in fitting}
    why = frozenset(one.statement for one in fitting)
    if modes <= {"not", "nearly"} and modes:
        return Found("no", why=why)
    if "not" in modes:
        return None
    if modes == {"perhaps"}:
        return Found("maybe", why=why)
    if modes:
        return untold("only meant", why)
    others = [
        one
        for one in told
        if not one.mode and matches(one, {role: entity for role, entity in given.items() if role != subject})
    ]
    if SENSES[sense].once and others and subject in given and all(subject in one.roles for one in others):
        return Found("no", why=frozenset(one.statement for one in others))
    if others and subject in given:
        return None
    return untold("not so")


def _will(fitting: Iterable[Deed], future: list[Deed]) -> Found | None:
    """Whether somebody will do something."""
    if future:
        return Found("yes", why=frozenset(one.statement for one in future))
    perhaps = [one for one in fitting if one.mode in ("maybe", "condition")]
    if perhaps and len(perhaps) == len(list(fitting)):
        return Found("maybe", why=frozenset(one.statement for one in perhaps))
    return None if fitting else untold("not so")


def current(world: World, relation: str, subject: Entity, one: bool) -> list[Being]:
    """What is so of somebody now: of relations with one value the latest."""
    so: list[Being] = []
    for being in world.facts.get(relation, {}).get(subject, []):
        if being.positive:
            so = [being] if one else [*(other for other in so if not same(other.value, being.value)), being]
        else:
            so = [other for other in so if not same(other.value, being.value)]
    return so

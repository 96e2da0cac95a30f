"""Answers from the state: where somebody is, who has what, how many, who did it.

    where(world, mary)                       ->   Found("span", [kitchen], why={2})
    deed(world, "sell", {theme: bike}, "giver")   ->   Found("span", [Ann], why={0})

``None`` stands for a question that is not to be asked, as two answers would be right.
"""

from __future__ import annotations

from collections.abc import Iterable

from .entities import Entity, members
from .found import Found, same, span, untold
from .records import Being, Deed
from .senses import SENSES
from .whereabouts import Spot
from .world import World

# ---- places


def where(world: World, entity: Entity) -> Found | None:
    """Where somebody or something is now."""
    if entity.kind == "person":
        return _at_spot(world.places.spot(entity), frozenset())
    position = world.places.positions.get(entity)
    if position is None:
        return untold("where") if entity not in world.maybe_has and entity not in world.has_not else None
    if position.how == "gone":
        return None
    if position.how == "in":
        assert position.by is not None
        return span([position.by], position.why)
    if position.how == "at":
        assert position.spot is not None
        return _at_spot(position.spot.root(), position.why)
    assert position.by is not None
    spot = world.places.spot(position.by)
    if not position.carried:
        return span([position.by], position.why) if spot.place is None and not spot.options else None
    if spot.place is None and not spot.options and not spot.unsure and not spot.never:
        return span([position.by], position.why)
    return _at_spot(spot, position.why)


def _at_spot(spot: Spot, why: frozenset[int]) -> Found | None:
    if spot.unsure or spot.options:
        return None
    if spot.place is None:
        return untold("where", spot.why)
    return span([spot.place], why | spot.why)


def which_place(world: World, thing: Entity) -> Found | None:
    """In which room a thing is, through its containers."""
    spot, why = world.places.top(thing)
    return span([spot.place], why | spot.why) if spot.place is not None and not spot.unsure else None


def trail(world: World, entity: Entity) -> list[tuple[Entity, frozenset[int]]]:
    """The known places where somebody or something has been, in order; one after another differs."""
    steps: list[tuple[Entity, frozenset[int]]] = []
    if entity in world.diary:
        visits = sorted((at for at in world.diary[entity]), key=lambda at: at.rank or 0)
        return [(at.place, frozenset({at.statement})) for at in visits if at.place is not None]
    for stop, why in world.places.trails.get(entity, []):
        if isinstance(stop, Spot):
            spot = stop.root()
            if spot.place is None:
                steps.append((UNKNOWN, why))
                continue
            place, why = spot.place, why | spot.why
        else:
            place = stop
        if not steps or steps[-1][0] is not place:
            steps.append((place, why))
    return steps


UNKNOWN = Entity("place", ["unknown"])


def where_before(world: World, entity: Entity, place: Entity | None) -> Found | None:
    """Where somebody or something was before a place (its latest stay there), or before now."""
    steps = trail(world, entity)
    last = len(steps) - 1
    if place is not None:
        visits = [number for number, (stop, _) in enumerate(steps) if stop is place]
        if not visits:
            return None
        last = visits[-1]
    if last < 1 or steps[last][0] is UNKNOWN:
        return None
    before, why = steps[last - 1]
    return None if before is UNKNOWN else span([before], why | steps[last][1])


def is_in(world: World, entity: Entity, place: Entity) -> Found | None:
    """Whether somebody or something is in a place or container."""
    why: frozenset[int] = frozenset()
    at: Entity = entity
    inside = False
    while at.kind != "person":
        position = world.places.positions.get(at)
        if position is None:
            denied = world.not_in.get(at, {}).get(place)
            if denied is not None and at is entity:
                return Found("no", why=frozenset({denied}))
            return (Found("no", why=why) if inside and place.kind == "container" else untold("where", why)) if at.kind != "place" else None
        why |= position.why
        if position.how == "gone":
            return None
        if position.how == "at":
            assert position.spot is not None
            return _yes_no(position.spot.root(), place, why, inside)
        if position.how == "held" and not position.carried:
            return None
        assert position.by is not None
        if position.by is place:
            return Found("yes", why=why)
        inside, at = True, position.by
    return _yes_no(world.places.spot(at), place, why, inside)


def _yes_no(spot: Spot, place: Entity, why: frozenset[int], inside: bool) -> Found | None:
    if spot.unsure:
        return None
    why |= spot.why
    if spot.place is not None:
        if spot.place is not place and place.kind == "container" and not inside:
            return None
        return Found("yes" if spot.place is place else "no", why=why)
    if place in spot.never:
        return Found("no", why=why)
    if spot.options:
        return Found("maybe" if place in spot.options else "no", why=why)
    return Found("no", why=why) if place.kind == "container" and inside else untold("where", why)


def who_in(world: World, place: Entity) -> Found | None:
    """Who is in a place."""
    there = []
    why: frozenset[int] = frozenset()
    for person, stay in world.places.spots.items():
        spot = stay.root()
        if spot.place is place and not spot.unsure:
            there.append(person)
            why |= spot.why
        elif place in spot.options:
            return None
    if any(members(person)[1:] for person in there):
        return None
    if not there and place in world.empty:
        return Found("nothing", why=frozenset({world.empty[place]}))
    return span(there, why) if there else untold("who")


def anybody(world: World, place: Entity) -> Found | None:
    """Whether anybody is in a place."""
    found = who_in(world, place)
    if found is None or found.kind == "untold":
        return found
    return Found("yes" if found.kind == "span" else "no", why=found.why)


def people_in(world: World, place: Entity) -> Found | None:
    """How many people are in a place, as far as is told."""
    found = who_in(world, place)
    if found is None or any(one.plural for one in found.items):
        return None
    return found if found.kind == "untold" else Found("number", number=len(found.items), why=found.why)


def who_with(world: World, person: Entity) -> Found | None:
    """Who else is where somebody is."""
    here = world.places.spot(person).place
    found = who_in(world, here) if here is not None else None
    if found is None or found.kind != "span":
        return None
    others = [one for one in found.items if one is not person]
    return span(others, found.why) if others else None


def together(world: World, one: Entity, other: Entity) -> Found | None:
    """Whether two are in one place."""
    first, second = world.places.spot(one), world.places.spot(other)
    if first.unsure or second.unsure:
        return None
    if first is second or (first.place is not None and first.place is second.place):
        return Found("yes", why=first.why | second.why)
    if first.place is not None and second.place is not None:
        return Found("no", why=first.why | second.why)
    return untold("where", first.why | second.why) if first.place is None and second.place is None and not first.options and not second.options else None


def both_in(world: World, one: Entity, other: Entity, place: Entity) -> Found | None:
    """Whether two are both in a place."""
    answers = [is_in(world, one, place), is_in(world, other, place)]
    if any(answer is None for answer in answers):
        return None
    kinds = [answer.kind for answer in answers if answer is not None]
    why = frozenset().union(*(answer.why for answer in answers if answer is not None))
    if kinds == ["yes", "yes"]:
        return Found("yes", why=why)
    return Found("no", why=next(answer.why for answer in answers if answer is not None and answer.kind == "no")) if "no" in kinds else None


def where_not(world: World, person: Entity) -> Found | None:
    """Where somebody is said not to be."""
    spot = world.places.spot(person)
    return span(spot.never, spot.why) if len(spot.never) == 1 and spot.place is None and not spot.unsure else None


def went(world: World, place: Entity, which: str) -> Found | None:
    """Who went to a place first, or last."""
    visits = [one for one in world.deeds.get("go", ()) if not one.mode and one.roles["place"] is place]
    movers = [one.roles["mover"] for one in visits]
    if len(visits) < 2 or any(one.members or "company" in visit.roles or "time" in visit.roles for one, visit in zip(movers, visits, strict=True)):
        return None
    if len(set(movers)) < 2 or place in {at.place for visits in world.diary.values() for at in visits}:
        return None
    chosen = visits[0] if which == "first" else visits[-1]
    return span([chosen.roles["mover"]], [one.statement for one in visits])


def which_of(world: World, head: str, place: Entity) -> Found | None:
    """Which of several of a kind is in a place: the red box."""
    there = [one for one in world.places.positions if one.head == head]
    inside = [one for one in there if (found := is_in(world, one, place)) is not None and found.kind == "yes"]
    if len(there) < 2 or len(inside) != 1:
        return None
    answer = is_in(world, inside[0], place)
    return span(inside, answer.why) if answer is not None else None


def what_in(world: World, container: Entity) -> Found | None:
    """What is in a container."""
    things = world.places.inside(container)
    if not things:
        gone = [denied[container] for denied in world.not_in.values() if container in denied]
        if gone:
            return None
    if things:
        why = frozenset().union(*(world.places.positions[thing].why for thing in things))
        return span(things, why)
    return untold("what")


# ---- having


def who_has(world: World, thing: Entity) -> Found | None:
    """Who has a thing now."""
    position = world.places.positions.get(thing)
    if thing in world.maybe_has:
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
        return untold("who")
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


HANDING = ("take", "give")


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


# ---- deeds


def matches(deed: Deed, given: dict[str, Entity]) -> bool:
    """Whether a deed is as given; Mary is one of Mary and John."""
    for role, entity in given.items():
        told = deed.roles.get(role)
        if told is None:
            return False
        if not same(told, entity) and entity not in told.members and not (entity.members and entity.members == told.members):
            return False
    return True


def alike(one: Deed, mode: str, future: bool) -> bool:
    """Whether a deed is of a mode, and to come or not."""
    return one.mode == mode and (one.tense in ("future", "going")) == future


def deed(world: World, sense: str, given: dict[str, Entity], asked: str, mode: str = "", future: bool = False) -> Found | None:
    """Who or what fills a role of a deed."""
    told = [one for one in world.deeds.get(sense, ()) if not one.void]
    fitting = [one for one in told if alike(one, mode, future) and matches(one, given)]
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


LISTED = frozenset({"theme", "agent", "patient", "giver", "receiver", "maker", "mover"})


def did(world: World, sense: str, given: dict[str, Entity], subject: str, ahead: bool = False) -> Found | None:
    """Whether somebody did something, or will (``ahead``)."""
    told = [one for one in world.deeds.get(sense, ()) if not one.void]
    fitting = [one for one in told if matches(one, given)]
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
    others = [one for one in told if not one.mode and matches(one, {role: entity for role, entity in given.items() if role != subject})]
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


# ---- facts


def current(world: World, relation: str, subject: Entity, one: bool) -> list[Being]:
    """What is so of somebody now: of relations with one value the latest."""
    so: list[Being] = []
    for being in world.facts.get(relation, {}).get(subject, []):
        if being.positive:
            so = [being] if one else [*(other for other in so if not same(other.value, being.value)), being]
        else:
            so = [other for other in so if not same(other.value, being.value)]
    return so

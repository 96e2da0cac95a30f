"""Answers about places: where somebody or something is, was, is not; who and what is in a place.

    where(world, mary)          ->   Found("span", [kitchen], why={2})
    is_in(world, milk, fridge)  ->   Found("yes", why={1})

``None`` stands for a question that is not to be asked, as two answers would be right.
"""

from __future__ import annotations

from .entities import Entity, members
from .found import Found, span, untold
from .whereabouts import Spot
from .world import World


def where(world: World, entity: Entity) -> Found | None:
    """Where somebody or something is now."""
    if entity.kind == "person":
        return _at_spot(world.places.spot(entity), frozenset())
    position = world.places.positions.get(entity)
    if position is None and any(entity in (beside.one, beside.other) for beside in world.beside):
        return None  # it is near something
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
            return (
                (Found("no", why=why) if inside and place.kind == "container" else untold("where", why))
                if at.kind != "place"
                else None
            )
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
    return (
        untold("where", first.why | second.why)
        if first.place is None and second.place is None and not first.options and not second.options
        else None
    )


def both_in(world: World, one: Entity, other: Entity, place: Entity) -> Found | None:
    """Whether two are both in a place."""
    answers = [is_in(world, one, place), is_in(world, other, place)]
    if any(answer is None for answer in answers):
        return None
    kinds = [answer.kind for answer in answers if answer is not None]
    why = frozenset().union(*(answer.why for answer in answers if answer is not None))
    if kinds == ["yes", "yes"]:
        return Found("yes", why=why)
    return (
        Found("no", why=next(answer.why for answer in answers if answer is not None and answer.kind == "no"))
        if "no" in kinds
        else None
    )


def where_not(world: World, person: Entity) -> Found | None:
    """Where somebody is said not to be."""
    spot = world.places.spot(person)
    return span(spot.never, spot.why) if len(spot.never) == 1 and spot.place is None and not spot.unsure else None


def went(world: World, place: Entity, which: str) -> Found | None:
    """Who went to a place first, or last."""
    visits = [one for one in world.deeds.get("go", ()) if not one.mode and one.roles["place"] is place]
    movers = [one.roles["mover"] for one in visits]
    if len(visits) < 2 or any(
        one.members or "company" in visit.roles or "time" in visit.roles for one, visit in zip(movers, visits, strict=True)
    ):
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

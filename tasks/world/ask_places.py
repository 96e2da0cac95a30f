"""Questions about where people and things are and who has them.

Where is the lamp? Is Mary still in the attic? Who is with her? What is in the box? Who had the ball before John?
"""

from __future__ import annotations

from . import answers
from .asker import Asked, Asker
from .entities import Entity, group, members
from .lexicon import table
from .records import At, Has, Nobody


def of_place(asker: Asker, entity: Entity, wrong: bool) -> Asked | None:
    """Where somebody or something is."""
    person = entity.kind == "person"
    if wrong:
        entity = asker.other(entity)
    roll = asker.random.random()
    names = {"x": entity}
    if person or entity.kind == "person":
        if roll > 0.86 and not wrong and not asker.teller.dials.published:
            return _company(asker, entity)
        if roll < 0.5:
            return asker.template("where", "where_person", ("where", entity), names)
        return _is_in(asker, entity) if roll < 0.8 else _before(asker, entity)
    if asker.teller.cast.heads.get(entity.head, 0) > 1 and asker.chance(0.5) and not wrong:
        asked = _twins(asker, entity)
        if asked is not None:
            return asked
    if roll < 0.4:
        return asker.template("where_thing", "where_thing", ("where", entity), names)
    if roll < 0.5:
        found = answers.which_place(asker.teller.world, entity)
        if found is not None and found.items[0].noun in ("room", "building"):
            return asker.template(
                "which_place",
                "which_place",
                ("which_place", entity),
                names,
                "room" if found.items[0].noun == "room" else "asks",
            )
    return _is_in(asker, entity) if roll < 0.78 else _before(asker, entity)


def _company(asker: Asker, person: Entity) -> Asked | None:
    """Who is with somebody; whether two are together, or both somewhere; where somebody is not."""
    roll = asker.random.random()
    if asker.teller.world.places.spot(person).never:
        return asker.template("where_not", "where_not", ("where_not", person), {"x": person})
    other = asker.other(person)
    if other is person:
        return None
    names = {"x": person, "y": other, "g": group((person, other))}
    if roll < 0.3:
        return asker.template("who_with", "who_with", ("who_with", person), names)
    if roll < 0.7:
        return asker.template("together", "together", ("together", person, other), names)
    place = asker.teller.world.places.spot(person).place
    return (
        asker.template("both", "both", ("both_in", person, other, place), {**names, "p": place}) if place is not None else None
    )


def _twins(asker: Asker, thing: Entity) -> Asked | None:
    """Which box is in the attic?"""
    position = asker.teller.world.places.positions.get(thing)
    if position is None or asker.teller.cast.heads.get(thing.head, 0) < 2:
        return None
    spot, _ = asker.teller.world.places.top(thing)
    place = position.by if position.how == "in" else spot.place
    return (
        asker.template("which_of", "which_of", ("which_of", thing.head, place), {"x": thing, "p": place})
        if place is not None
        else None
    )


def _before(asker: Asker, entity: Entity) -> Asked | None:
    steps = answers.trail(asker.teller.world, entity)
    if len(steps) < 2:
        return None
    if entity in asker.teller.world.diary or asker.chance(0.65) or asker.teller.dials.published:
        place = asker.pick(steps[1:])[0]
        if place is answers.UNKNOWN or place.kind != "place":
            return None
        return asker.template("where_before", "where_before", ("where_before", entity, place), {"x": entity, "p": place})
    return asker.template("where_before", "where_earlier", ("where_before", entity, None), {"x": entity})


def _is_in(asker: Asker, entity: Entity) -> Asked | None:
    world = asker.teller.world
    places: list[Entity] = []
    spot, _ = world.places.top(entity)
    places += [spot.place] if spot.place is not None and asker.chance(0.6) else []
    places += spot.options + tuple(spot.never) if asker.chance(0.6) else ()
    position = world.places.positions.get(entity)
    if position is not None and position.how == "in" and position.by is not None and asker.chance(0.5):
        places.append(position.by)
    places += list(world.not_in.get(entity, ()))
    if not places or asker.chance(0.35):
        places = [*asker.teller.cast.places, *(asker.teller.cast.containers if entity.kind == "thing" else [])]
    if not places:
        return None
    place = asker.pick(places)
    return None if place is entity else asker.template("is_in", "is_in", ("is_in", entity, place), {"x": entity, "p": place})


def in_place(asker: Asker, place: Entity) -> Asked | None:
    """Questions in place."""
    if place.kind == "place":
        roll = asker.random.random()
        if asker.teller.dials.published:
            roll = 1.0
        if roll < 0.15:
            return asker.template("anybody", "nobody", ("anybody", place), {"p": place})
        if roll < 0.25:
            return asker.template("count_people", "people_in", ("people_in", place), {"p": place})
        if roll < 0.4:
            which = asker.pick(("first", "last"))
            return asker.template("went", "went_first", ("went", place, which), {"p": place}, which)
        return asker.template("who_in", "who_in", ("who_in", place), {"p": place, "x": place})
    return asker.template("what_in", "what_in", ("what_in", place), {"p": place, "x": place})


def having(asker: Asker, thing: Entity, person: Entity | None, wrong: bool) -> Asked | None:
    """Who has a thing; whether somebody has it; who had it."""
    if wrong:
        thing = asker.other(thing)
    roll = asker.random.random()
    if roll < 0.35:
        return asker.template("who_has", "who_has", ("who_has", thing), {"t": thing, "x": thing})
    if roll < 0.6:
        options = asker.teller.world.maybe_has.get(thing, ((), 0))[0]
        denied = tuple(asker.teller.world.has_not.get(thing, ()))
        who = asker.pick(options) if options and asker.chance(0.8) else asker.pick(denied) if denied else person
        if who is None or asker.chance(0.4):
            who = asker.teller.cast.person()
        return asker.template("does_have", "does_have", ("does_have", who, thing), {"x": who, "t": thing})
    if roll < 0.75 and person is not None:
        kind = "list_carried" if asker.chance(0.6) else "count_carried"
        world = asker.teller.world
        if any(owner is person for owner, _ in world.counts) or person in world.facts.get("supply", {}):
            texts = [text for text in table("asking.toml")[kind]["asks"] if "carrying" in text or "holding" in text]
            return asker.text(kind, texts, (kind, person), {"x": person})
        return asker.template(kind, kind, (kind, person), {"x": person})
    if roll < 0.85:
        which = asker.pick(("first", "last", "before"))
        return asker.template(f"had_{which}", f"had_{which}", ("had", thing, which, person), {"t": thing, "x": person or thing})
    return of_place(asker, thing, wrong)


def about_at(asker: Asker, record: At, wrong: bool) -> Asked | None:
    """Questions about a record of at."""
    subject = asker.pick(members(record.subject))
    if record.place is not None and asker.chance(0.2):
        return in_place(asker, record.place)
    if subject.kind != "person" and asker.chance(0.15):
        return having(asker, subject, None, wrong)
    return of_place(asker, subject, wrong)


def about_nobody(asker: Asker, record: Nobody, wrong: bool) -> Asked | None:
    """Questions about a record of nobody."""
    return in_place(asker, record.place)


def about_has(asker: Asker, record: Has, wrong: bool) -> Asked | None:
    """Questions about a record of has."""
    return having(asker, record.theme, record.holder, wrong)

"""The families of statements about where people and things are: moves, whereabouts, either-or, denials, diaries.

moves: Selime hurried to the bank with Tom.   either: Rex is in the attic or the shed.   denials: Ann is no longer there.
"""

from __future__ import annotations

from .entities import Entity, group, members, value
from .handling import dropping, free, known_place, loose, somewhere, taking
from .lexicon import talk
from .lines import Line
from .records import At, Has, Nobody
from .telling import Teller, Telling, said, template
from .values import DAYS


def moves(teller: Teller) -> Telling | None:
    """Mary went to the park. Afterwards she walked home with Tom."""
    published = teller.dials.published
    mover = teller.somebody(several=0 if published else 0.12)
    place = teller.cast.place()
    if not free(teller, mover) or any(known_place(teller, one) is place for one in members(mover)):
        return None
    source = None
    if not mover.members and not published and teller.chance(0.12):
        source = known_place(teller, mover)
    front = ""
    if mover is teller.focus.subject and not published and teller.chance(0.35):
        front = teller.pick(talk()["before"])
    return teller.deed("go", mover=mover, place=place, source=source, front=front)


def moves_together(teller: Teller) -> Telling | None:
    """Mary and John went to the park."""
    first = teller.cast.person()
    second = teller.cast.person(first)
    place = teller.cast.place()
    if first is second or not free(teller, first, second) or any(known_place(teller, one) is place for one in (first, second)):
        return None
    both = group((first, second))
    return teller.deed("go", mover=both, place=place)


def moves_after(teller: Teller) -> Telling | None:
    """Then they went to the cinema. After that he took the milk."""
    subject = teller.focus.subject
    if subject is None or subject.kind != "person":
        return None
    front = teller.pick(("then", "after that", "afterwards", "following that"))
    roll = 0.0 if subject.members else teller.random.random()
    if roll < 0.2:
        place = teller.cast.place()
        if any(known_place(teller, one) is place for one in members(subject)):
            return None
        telling = teller.deed("go", mover=subject, place=place, front=front)
    else:
        telling = taking(teller, subject, front) if roll < 0.55 else dropping(teller, subject, front)
    if telling is None:
        return None

    def say(line: Line) -> None:
        line.pronouns, line.focus.thing = 1.0, None  # of people alone
        told(line)

    told = telling.say
    telling.say = say
    return telling


def leaving(teller: Teller) -> Telling | None:
    """Rex left the office."""
    mover = teller.cast.person()
    if not free(teller, mover):
        return None
    place = known_place(teller, mover)
    if place is None:
        spot = teller.world.places.spot(mover)
        if spot.options or spot.never or not teller.chance(0.3):
            return None
        place = teller.cast.place()
    return teller.deed("leave", mover=mover, source=place)


def whereabouts(teller: Teller) -> Telling | None:
    """Mary is in the kitchen. There is a lamp on the desk. The tin contains the biscuits."""
    random = teller.random
    if teller.dials.published or teller.chance(0.4):
        person = teller.somebody(several=0 if teller.dials.published else 0.1)
        place = teller.cast.place()
        if not free(teller, person) or any(known_place(teller, one) is place for one in members(person)):
            return None
        texts = ("<x> be~x <p.in>",) if teller.dials.published else said("says", "at_person")
        return template(texts, At(person, place), {"x": person, "p": place}, random)
    thing, where = loose(teller), somewhere(teller)
    position = teller.world.places.positions.get(thing) if thing is not None else None
    if thing is None or (position is not None and (position.by is where or not teller.chance(0.25))):
        return None
    if where.prep in ("in", "inside") and where.kind == "container" and teller.chance(0.1):
        return template(said("says", "at_contains"), At(thing, where), {"x": thing, "p": where}, random)
    telling = template(said("says", "at_thing"), At(thing, where), {"x": thing, "p": where}, random)
    plain = telling.say

    def say(line: Line) -> None:
        plain(line)
        line.objects.append(thing)

    telling.say = say
    return telling


def containers(teller: Teller) -> Telling | None:
    """The tin is on the top shelf. My bag is in the car."""
    inner = teller.cast.container()
    if inner in teller.world.places.positions or inner.noun == "container near":
        return None
    outer = teller.cast.place() if teller.chance(0.55) or inner.noun == "container on" else teller.cast.container()
    at: Entity | None = outer
    while at is not None and at.kind == "container":
        if at is inner:
            return None
        position = teller.world.places.positions.get(at)
        at = position.by if position is not None else None
    return template(said("says", "at_thing")[:4], At(inner, outer), {"x": inner, "p": outer}, teller.random)


def either(teller: Teller) -> Telling | None:
    """Rex is either in the attic or in the shed. Either Mike or Jane has the charger."""
    random = teller.random
    if not teller.dials.published and teller.chance(0.3):
        first = teller.cast.person()
        second = teller.cast.person(first)
        thing = loose(teller)
        if (
            first is second
            or thing is None
            or thing in teller.world.maybe_has
            or thing in teller.world.places.positions
            or any(one.speaking or one.plural for one in (first, second))
        ):
            return None
        return template(
            said("says", "either_has"), Has(None, thing, options=(first, second)), {"a": first, "b": second, "t": thing}, random
        )
    person, one = teller.cast.person(), teller.cast.place()
    other = teller.cast.place(one)
    spot = teller.world.places.spot(person)
    if (
        other is one
        or not free(teller, person)
        or ((spot.place is not None or spot.options or spot.unsure or spot.never) and not teller.dials.published)
    ):
        return None
    return template(said("says", "either"), At(person, options=(one, other)), {"x": person, "a": one, "b": other}, random)


def denials(teller: Teller) -> Telling | None:
    """Mary is no longer in the office. Tom does not have the key. The wallet is not in the drawer."""
    random = teller.random
    roll = random.random()
    if roll < 0.55 or teller.dials.published:
        person = teller.cast.person()
        spot = teller.world.places.spot(person)
        place = (
            spot.place
            if spot.place is not None and teller.chance(0.6)
            else teller.pick(spot.options)
            if spot.options
            else teller.cast.place()
        )
        if (
            not free(teller, person)
            or spot.unsure
            or place in spot.never
            or (spot.place is not None and spot.place is not place)
        ):
            return None
        texts = ("<x> be~x not <p.in>", "<x> be~x no longer <p.in>") if teller.dials.published else said("says", "not_at")
        return template(texts, At(person, place, positive=False), {"x": person, "p": place}, random)
    thing = loose(teller)
    if thing is None:
        return None
    position = teller.world.places.positions.get(thing)
    if roll < 0.78:
        where = position.by if position is not None and position.how == "in" and teller.chance(0.5) else teller.cast.container()
        if where is None or (position is not None and position.by is not where):
            return None
        return template(said("says", "not_at"), At(thing, where, positive=False), {"x": thing, "p": where}, random)
    options, _ = teller.world.maybe_has.get(thing, ((), 0))
    person = teller.pick(options) if options else teller.cast.person()
    if (
        (position is not None and position.how != "held")
        or person in teller.world.has_not.get(thing, ())
        or not teller.world.places.may_meet(person, thing)
    ):
        return None
    return template(said("says", "has_not"), Has(person, thing, positive=False), {"x": person, "t": thing}, random)


SLOTS = (
    ("yesterday", "this morning", "this afternoon", "this evening"),
    ("at nine", "at eleven", "at two", "at four", "at six"),
    tuple(f"on {day}" for day in DAYS[:5]),
)


def diary(teller: Teller) -> Telling | None:
    """This evening Phil went to the bar. This afternoon Phil was in the library."""
    world, cast = teller.world, teller.cast
    person = cast.person()
    if (person in world.places.spots and world.places.spots[person].why) or world.places.held_by(person) or person.plural:
        return None
    slots = SLOTS[0] if teller.dials.published else SLOTS[teller.random.randrange(3) if not world.diary else teller.diary_slots]
    teller.diary_slots = SLOTS.index(slots)
    used = {at.rank for at in world.diary.get(person, ())}
    free = [rank for rank in range(len(slots)) if rank not in used]
    been = {at.place for at in world.diary.get(person, ())}
    place = cast.place(*[one for one in been if one is not None])
    if not free or place in been:
        return None
    rank = teller.pick(free)
    text = slots[rank]
    preposition, _, rest = text.partition(" ") if text.startswith(("at ", "on ")) else ("", "", text)
    time = value("time", rest, preposition, rank)
    record = At(person, place, rank=rank)
    if teller.chance(0.25):
        return template(
            ("<t.in> <x> was_x <p.in>", "<x> was_x <p.in> <t.in>"), record, {"x": person, "p": place, "t": time}, teller.random
        )
    return template(
        ("<t.in> <x> go^ <p.into>", "<x> go^ <p.into> <t.in>", "<x> travel^ <p.into> <t.in>", "<t.in> <x> move^ <p.into>"),
        record,
        {"x": person, "p": place, "t": time},
        teller.random,
    )


def nobody(teller: Teller) -> Telling | None:
    """There is nobody in the kitchen."""
    place = teller.cast.place()
    spots = [spot.root() for spot in teller.world.places.spots.values()]
    if (
        place.level == "world"
        or any(spot.place is place or place in spot.options or spot.unsure for spot in spots)
        or not teller.world.nobody_new(place)
    ):
        return None
    return template(said("nobody", "says"), Nobody(place), {"p": place}, teller.random)

"""The families of statements about who goes where and who has what. Each draws one statement that the state allows, or ``None``.

    moves: Selime hurried to the bank with Tom.      carrying: She picked up the lamp.      either: Rex is in the attic or the shed.
"""

from __future__ import annotations

from collections.abc import Callable

from .cast import BIG, DAYS, SMALL
from .deed_lines import place_after
from .entities import Entity, group, members, value
from .lexicon import talk
from .lines import Line
from .records import At, Deed, Has, Nobody
from .telling import Teller, Telling, said, template

Family = Callable[[Teller], Telling | None]


def _free(teller: Teller, *people: Entity) -> bool:
    """Whether nobody of them has a diary, in which statements may stand out of order."""
    return not any(person in teller.world.diary for one in people for person in members(one))


def _known_place(teller: Teller, person: Entity) -> Entity | None:
    spot = teller.world.places.spot(person)
    return None if spot.unsure else spot.place


def moves(teller: Teller) -> Telling | None:
    """Mary went to the park. Afterwards she walked home with Tom."""
    published = teller.dials.published
    mover = teller.somebody(several=0 if published else 0.12)
    place = teller.cast.place()
    if not _free(teller, mover) or any(_known_place(teller, one) is place for one in members(mover)):
        return None
    source = None
    if not mover.members and not published and teller.chance(0.12):
        source = _known_place(teller, mover)
    front = ""
    if mover is teller.focus.subject and not published and teller.chance(0.35):
        front = teller.pick(talk()["before"])
    return teller.deed("go", mover=mover, place=place, source=source, front=front)


def moves_together(teller: Teller) -> Telling | None:
    """Mary and John went to the park."""
    first = teller.cast.person()
    second = teller.cast.person(first)
    place = teller.cast.place()
    if first is second or not _free(teller, first, second) or any(_known_place(teller, one) is place for one in (first, second)):
        return None
    both = group((first, second))
    return teller.deed("go", mover=both, place=place)


def moves_after(teller: Teller) -> Telling | None:
    """Then they went to the cinema."""
    mover = teller.focus.subject
    place = teller.cast.place()
    if mover is None or mover.kind != "person" or any(_known_place(teller, one) is place for one in members(mover)):
        return None
    front = teller.pick(("then", "after that", "afterwards", "following that"))
    telling = teller.deed("go", mover=mover, place=place, front=front)
    if telling is None:
        return None

    def say(line: Line) -> None:
        line.pronouns = 1.0
        told(line)

    told = telling.say
    telling.say = say
    return telling


def leaving(teller: Teller) -> Telling | None:
    """Rex left the office."""
    mover = teller.cast.person()
    if not _free(teller, mover):
        return None
    place = _known_place(teller, mover)
    if place is None:
        spot = teller.world.places.spot(mover)
        if spot.options or spot.never or not teller.chance(0.3):
            return None
        place = teller.cast.place()
    return teller.deed("leave", mover=mover, source=place)


def _thing_in_reach(teller: Teller, person: Entity) -> Entity | None:
    """Something that a person may take by what is known."""
    thing = teller.cast.thing()
    position = teller.world.places.positions.get(thing)
    if thing.kind != "thing":
        return None
    if position is not None and (position.how == "gone" or position.how == "held"):
        return None
    return thing if teller.world.places.may_meet(person, thing) or (teller.chance(0.15) and not teller.dials.published) else None


def carrying(teller: Teller) -> Telling | None:
    """She picked up the lamp. She put the lamp down. She carried the lamp to the attic."""
    person = teller.cast.person()
    if not _free(teller, person) or (person.plural and not person.speaking):
        return None
    held = teller.world.places.held_by(person, carried_only=True)
    roll = teller.random.random()
    if held and roll < 0.45:
        return teller.deed("drop", holder=person, theme=teller.pick(held))
    if roll < 0.55 and not teller.dials.published:
        return _carry(teller, person, held)
    thing = _thing_in_reach(teller, person)
    if thing is None:
        return None
    source = None
    position = teller.world.places.positions.get(thing)
    if position is not None and not teller.dials.published and teller.chance(0.35):
        source = position.by if position.how == "in" else position.spot.root().place if position.spot is not None else None
    return teller.deed("take", taker=person, theme=thing, source=source)


def _carry(teller: Teller, person: Entity, held: list[Entity]) -> Telling | None:
    thing = teller.pick(held) if held and teller.chance(0.5) else _thing_in_reach(teller, person)
    place = teller.cast.place()
    if thing is None or _known_place(teller, person) is place:
        return None
    return teller.deed("carry", mover=person, theme=thing, place=place)


def _loose(teller: Teller, person: Entity | None = None, kind: str = "") -> Entity | None:
    """A thing that nobody but the person has."""
    thing = teller.cast.thing(kind)
    position = teller.world.places.positions.get(thing)
    if position is not None and (position.how == "gone" or (position.how == "held" and position.by is not person)):
        return None
    return thing


def _somewhere(teller: Teller) -> Entity:
    """A container, mostly, or a place."""
    return teller.cast.container() if teller.chance(0.72) else teller.cast.place()


def putting(teller: Teller) -> Telling | None:
    """Olga put the milk in the fridge and the bread in the cupboard. I keep the spare key under the mat."""
    person = teller.somebody(several=0.05)
    thing, where = _loose(teller, person), _somewhere(teller)
    if thing is None or not _free(teller, person) or (thing.head in BIG and where.head in SMALL):
        return None
    position = teller.world.places.positions.get(thing)
    if position is not None and position.by is where:
        return None
    roll = teller.random.random()
    if roll < 0.1:
        record = At(thing, where)
        return template(said("says", "keeps"), record, {"x": person, "t": thing, "p": where}, teller.random)
    if roll < 0.25:
        place = where if where.kind == "place" else teller.cast.place()
        source = None
        if position is not None and position.how in ("in", "at"):
            source = position.by if position.how == "in" else position.spot.root().place if position.spot is not None else None
        elif position is None and teller.chance(0.5):
            source = _somewhere(teller)
        if source is place or person.members or (position is not None and position.spot is not None and position.spot.root().place is place):
            return None
        return teller.deed("move", mover=person, theme=thing, source=source, place=place)
    if roll < 0.4 and not teller.dials.published:
        return _put_two(teller, person, thing, where)
    return teller.deed("put", putter=person, theme=thing, location=where)


def _put_two(teller: Teller, person: Entity, thing: Entity, where: Entity) -> Telling | None:
    """She put the milk in the fridge and the bread in the cupboard."""
    other, there = _loose(teller, person), _somewhere(teller)
    if other is None or other is thing or there is where:
        return None
    first = teller.deed("put", mode="", putter=person, theme=thing, location=where)
    if first is None or not isinstance(first.records[0], Deed) or first.records[0].mode or {"time", "reason"} & set(first.records[0].roles):
        return first
    second = Deed("put", {"putter": person, "theme": other, "location": there}, first.records[0].tense)

    def say(line: Line) -> None:
        first.say(line)
        line.put("and")
        line.noun(other, full=True)
        place_after(line, there, "", "location")
        line.objects.append(other)

    return Telling([first.records[0], second], say)


def giving(teller: Teller) -> Telling | None:
    """She handed it to him."""
    giver = teller.cast.person()
    receiver = teller.cast.person(giver)
    places = teller.world.places
    if receiver is giver or not _free(teller, giver, receiver):
        return None
    if not places.may_meet(giver, receiver) and (teller.dials.published or teller.chance(0.7)):
        return None
    held = places.held_by(giver)
    if held and teller.chance(0.85):
        thing: Entity | None = teller.pick(held)
    elif teller.dials.published:
        return None
    else:
        thing = _loose(teller, giver)
        if thing is not None and thing in places.positions and not places.may_meet(giver, thing):
            return None
    return None if thing is None else teller.deed("give", giver=giver, theme=thing, receiver=receiver)


def trading(teller: Teller) -> Telling | None:
    """Leo bought a bicycle from Mrs Chen for eighty dollars. Jenny lent me her umbrella. Somebody stole the lamp."""
    giver = teller.cast.person()
    receiver = teller.cast.person(giver)
    if receiver is giver:
        return None
    held = teller.world.places.held_by(giver)
    thing = teller.pick(held) if held and teller.chance(0.6) else _loose(teller, giver, teller.pick(("", "", "valuable")))
    if thing is None:
        return None
    roll = teller.random.random()
    if roll < 0.2:
        return teller.deed("lend", giver=giver, theme=thing, receiver=receiver)
    if roll < 0.32:
        return _give_back(teller)
    if roll < 0.52:
        price = teller.cast.price() if teller.chance(0.5) else None
        return teller.deed("sell", giver=giver, theme=thing, receiver=receiver, price=price)
    if roll < 0.67:
        if thing in teller.world.places.positions:
            return None
        return teller.deed("buy", receiver=receiver, theme=thing, price=teller.cast.price() if teller.chance(0.5) else None)
    if roll < 0.82:
        return teller.deed("send", giver=giver, theme=thing, receiver=receiver)
    if roll < 0.92:
        return teller.deed("steal", taker=receiver if teller.chance(0.7) else None, theme=thing, giver=giver if teller.chance(0.5) else None)
    other = _loose(teller, giver)
    if other is None or other is thing or thing.plural or other.plural:
        return None
    return teller.deed("swap", giver=giver, theme=thing, other=other)


def _give_back(teller: Teller) -> Telling | None:
    """Ben returned the drill to Ann."""
    loans = [deed for deed in teller.world.deeds.get("lend", ()) if not deed.mode and "giver" in deed.roles]
    for loan in reversed(loans):
        thing = loan.roles["theme"]
        position = teller.world.places.positions.get(thing)
        if position is not None and position.how == "held" and position.by is loan.roles["receiver"]:
            return teller.deed("return", giver=loan.roles["receiver"], theme=thing, receiver=loan.roles["giver"])
    return None


def finding(teller: Teller) -> Telling | None:
    """I left my umbrella on the bus. A policeman found the wallet near the fountain."""
    person = teller.cast.person()
    thing, where = _loose(teller, person), _somewhere(teller)
    if thing is None or (thing.head in BIG and where.head in SMALL):
        return None
    lost = teller.chance(0.45)
    if not lost and thing in teller.world.places.positions:
        return None
    if lost:
        return teller.deed(teller.pick(("lose", "forget")), loser=person, theme=thing, spot=where)
    return teller.deed("find", finder=person, theme=thing, spot=where)


def whereabouts(teller: Teller) -> Telling | None:
    """Mary is in the kitchen. There is a lamp on the desk. The tin contains the biscuits."""
    random = teller.random
    if teller.dials.published or teller.chance(0.4):
        person = teller.somebody(several=0 if teller.dials.published else 0.1)
        place = teller.cast.place()
        if not _free(teller, person) or any(_known_place(teller, one) is place for one in members(person)):
            return None
        texts = ("<x> be~x <p.in>",) if teller.dials.published else said("says", "at_person")
        return template(texts, At(person, place), {"x": person, "p": place}, random)
    thing, where = _loose(teller), _somewhere(teller)
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
        thing = _loose(teller)
        if first is second or thing is None or thing in teller.world.maybe_has or thing in teller.world.places.positions or any(one.speaking or one.plural for one in (first, second)):
            return None
        return template(said("says", "either_has"), Has(None, thing, options=(first, second)), {"a": first, "b": second, "t": thing}, random)
    person, one = teller.cast.person(), teller.cast.place()
    other = teller.cast.place(one)
    spot = teller.world.places.spot(person)
    if other is one or not _free(teller, person) or ((spot.place is not None or spot.options or spot.unsure or spot.never) and not teller.dials.published):
        return None
    return template(said("says", "either"), At(person, options=(one, other)), {"x": person, "a": one, "b": other}, random)


def denials(teller: Teller) -> Telling | None:
    """Mary is no longer in the office. Tom does not have the key. The wallet is not in the drawer."""
    random = teller.random
    roll = random.random()
    if roll < 0.55 or teller.dials.published:
        person = teller.cast.person()
        spot = teller.world.places.spot(person)
        place = spot.place if spot.place is not None and teller.chance(0.6) else teller.pick(spot.options) if spot.options else teller.cast.place()
        if not _free(teller, person) or spot.unsure or place in spot.never or (spot.place is not None and spot.place is not place):
            return None
        texts = ("<x> be~x not <p.in>", "<x> be~x no longer <p.in>") if teller.dials.published else said("says", "not_at")
        return template(texts, At(person, place, positive=False), {"x": person, "p": place}, random)
    thing = _loose(teller)
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
    if (position is not None and position.how != "held") or person in teller.world.has_not.get(thing, ()) or not teller.world.places.may_meet(person, thing):
        return None
    return template(said("says", "has_not"), Has(person, thing, positive=False), {"x": person, "t": thing}, random)


def holding(teller: Teller) -> Telling | None:
    """Jim has the phone. Mei is holding a camera."""
    person = teller.somebody()
    thing = _loose(teller, person)
    if thing is None or thing in teller.world.places.positions or not teller.world.places.may_meet(person, thing):
        return None
    texts = said("says", "has")
    number = int(teller.random.random() * len(texts))
    carried = "holding" in texts[number]
    return template((texts[number],), Has(person, thing, carried=carried), {"x": person, "t": thing}, teller.random)


SLOTS = (("yesterday", "this morning", "this afternoon", "this evening"), ("at nine", "at eleven", "at two", "at four", "at six"), tuple(f"on {day}" for day in DAYS[:5]))


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
        return template(("<t.in> <x> was_x <p.in>", "<x> was_x <p.in> <t.in>"), record, {"x": person, "p": place, "t": time}, teller.random)
    return template(("<t.in> <x> go^ <p.into>", "<x> go^ <p.into> <t.in>", "<x> travel^ <p.into> <t.in>", "<t.in> <x> move^ <p.into>"), record, {"x": person, "p": place, "t": time}, teller.random)


def relative(teller: Teller) -> Telling | None:
    """The book that Anna lent me is on the desk."""
    sense = teller.pick(("buy", "find", "give", "lend", "steal"))
    person = teller.cast.person()
    giver = teller.cast.person(person)
    thing, where = _loose(teller), _somewhere(teller)
    if thing is None or thing in teller.world.places.positions or thing.owner is not None or giver is person or (thing.head in BIG and where.head in SMALL):
        return None
    names = {"t": thing, "x": person, "p": where, "g": giver}
    roles = {"theme": thing, "receiver": person}
    if sense == "find":
        names["q"] = teller.cast.container()
        roles = {"theme": thing, "finder": person, "spot": names["q"]}
        if names["q"] is where:
            return None
    elif sense == "steal":
        roles = {"theme": thing, "taker": person}
    elif sense in ("give", "lend"):
        roles["giver"] = giver
        if not teller.world.places.may_meet(giver, person):
            return None
    telling = template(said("relative", sense), Deed(sense, roles), names, teller.random)
    telling.records.append(At(thing, where))
    return telling


def nobody(teller: Teller) -> Telling | None:
    """There is nobody in the kitchen."""
    place = teller.cast.place()
    spots = [spot.root() for spot in teller.world.places.spots.values()]
    if place.level == "world" or any(spot.place is place or place in spot.options or spot.unsure for spot in spots) or not teller.world.nobody_new(place):
        return None
    return template(said("nobody", "says"), Nobody(place), {"p": place}, teller.random)

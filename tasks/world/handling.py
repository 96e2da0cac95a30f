"""The families of statements about who takes, puts, gives, sells, lends, loses and finds what.

carrying: She picked up the lamp.   putting: Olga put the milk in the fridge.   trading: Leo bought a bicycle from Mrs Chen.
"""

from __future__ import annotations

from .cast import BIG, SMALL
from .clauses import place_after
from .entities import Entity, group, members
from .lines import Line
from .records import At, Deed, Has
from .telling import Teller, Telling, said, template


def free(teller: Teller, *people: Entity) -> bool:
    """Whether nobody of them has a diary, in which statements may stand out of order."""
    return not any(person in teller.world.diary for one in people for person in members(one))


def known_place(teller: Teller, person: Entity) -> Entity | None:
    """Where somebody is, where that is known."""
    spot = teller.world.places.spot(person)
    return None if spot.unsure else spot.place


def _thing_in_reach(teller: Teller, person: Entity) -> Entity | None:
    """Something that a person may take by what is known."""
    thing = teller.cast.thing()
    position = teller.world.places.positions.get(thing)
    if thing.kind != "thing":
        return None
    if position is not None and (position.how == "gone" or position.how == "held"):
        return None
    return (
        thing if teller.world.places.may_meet(person, thing) or (teller.chance(0.15) and not teller.dials.published) else None
    )


def carrying(teller: Teller) -> Telling | None:
    """She picked up the lamp. She put the lamp down. She carried the lamp to the attic."""
    person = teller.cast.person()
    if not free(teller, person) or (person.plural and not person.speaking):
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
    theme = thing
    if source is None and not teller.dials.published and teller.chance(0.15):
        other = _thing_in_reach(teller, person)
        if other is not None and other is not thing and teller.world.places.may_meet(thing, other):
            theme = group((thing, other))
    return teller.deed("take", taker=person, theme=theme, source=source)


def taking(teller: Teller, person: Entity | None = None, front: str = "") -> Telling | None:
    """John took the apple: whoever may be where something lies that nobody has."""
    person = person or teller.cast.person()
    teller.cast.thing()  # now and then a new one
    things = [thing for thing in teller.cast.things if not teller.world.places.is_held(thing)]
    things = [thing for thing in things if teller.world.places.may_meet(person, thing)]
    return (
        teller.deed("take", taker=person, theme=teller.pick(things), front=front) if things and free(teller, person) else None
    )


def dropping(teller: Teller, person: Entity | None = None, front: str = "") -> Telling | None:
    """John put down the apple: whoever carries something."""
    holders = [
        one for one in teller.cast.people if person in (None, one) and teller.world.places.held_by(one, carried_only=True)
    ]
    if not holders:
        return None
    holder = teller.pick(holders)
    thing = teller.pick(teller.world.places.held_by(holder, carried_only=True))
    return teller.deed("drop", holder=holder, theme=thing, front=front) if free(teller, holder) else None


def handing(teller: Teller) -> Telling | None:
    """John passed the apple to Jeff: whoever carries something, to whoever may be there."""
    holders = [one for one in teller.cast.people if teller.world.places.held_by(one, carried_only=True)]
    if not holders:
        return None
    giver = teller.pick(holders)
    others = [one for one in teller.cast.people if one is not giver and teller.world.places.may_meet(giver, one)]
    if not others or not free(teller, giver):
        return None
    thing = teller.pick(teller.world.places.held_by(giver, carried_only=True))
    return teller.deed("give", giver=giver, theme=thing, receiver=teller.pick(others))


def _carry(teller: Teller, person: Entity, held: list[Entity]) -> Telling | None:
    thing = teller.pick(held) if held and teller.chance(0.5) else _thing_in_reach(teller, person)
    place = teller.cast.place()
    if thing is None or known_place(teller, person) is place:
        return None
    return teller.deed("carry", mover=person, theme=thing, place=place)


def loose(teller: Teller, person: Entity | None = None, kind: str = "") -> Entity | None:
    """A thing that nobody but the person has."""
    thing = teller.cast.thing(kind)
    position = teller.world.places.positions.get(thing)
    if position is not None and (position.how == "gone" or (position.how == "held" and position.by is not person)):
        return None
    return thing


def somewhere(teller: Teller) -> Entity:
    """A container, mostly, or a place."""
    return teller.cast.container() if teller.chance(0.72) else teller.cast.place()


def putting(teller: Teller) -> Telling | None:
    """Olga put the milk in the fridge and the bread in the cupboard. I keep the spare key under the mat."""
    person = teller.somebody(several=0.05)
    thing, where = loose(teller, person), somewhere(teller)
    if thing is None or not free(teller, person) or (thing.head in BIG and where.head in SMALL):
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
            source = somewhere(teller)
        if (
            source is place
            or person.members
            or (position is not None and position.spot is not None and position.spot.root().place is place)
        ):
            return None
        return teller.deed("move", mover=person, theme=thing, source=source, place=place)
    if roll < 0.4 and not teller.dials.published:
        return _put_two(teller, person, thing, where)
    return teller.deed("put", putter=person, theme=thing, location=where)


def _put_two(teller: Teller, person: Entity, thing: Entity, where: Entity) -> Telling | None:
    """She put the milk in the fridge and the bread in the cupboard."""
    other, there = loose(teller, person), somewhere(teller)
    if other is None or other is thing or there is where:
        return None
    first = teller.deed("put", mode="", putter=person, theme=thing, location=where)
    if (
        first is None
        or not isinstance(first.records[0], Deed)
        or first.records[0].mode
        or {"time", "reason"} & set(first.records[0].roles)
    ):
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
    if receiver is giver or not free(teller, giver, receiver):
        return None
    if not places.may_meet(giver, receiver) and (teller.dials.published or teller.chance(0.7)):
        return None
    held = places.held_by(giver)
    if held and teller.chance(0.85):
        thing: Entity | None = teller.pick(held)
    elif teller.dials.published:
        return None
    else:
        thing = loose(teller, giver)
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
    thing = teller.pick(held) if held and teller.chance(0.6) else loose(teller, giver, teller.pick(("", "", "valuable")))
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
        return teller.deed(
            "steal", taker=receiver if teller.chance(0.7) else None, theme=thing, giver=giver if teller.chance(0.5) else None
        )
    other = loose(teller, giver)
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
    thing, where = loose(teller, person), somewhere(teller)
    if thing is None or (thing.head in BIG and where.head in SMALL):
        return None
    lost = teller.chance(0.45)
    if not lost and thing in teller.world.places.positions:
        return None
    if lost:
        return teller.deed(teller.pick(("lose", "forget")), loser=person, theme=thing, spot=where)
    return teller.deed("find", finder=person, theme=thing, spot=where)


def holding(teller: Teller) -> Telling | None:
    """Jim has the phone. Mei is holding a camera."""
    person = teller.somebody()
    thing = loose(teller, person)
    if thing is None or thing in teller.world.places.positions or not teller.world.places.may_meet(person, thing):
        return None
    texts = said("says", "has")
    number = int(teller.random.random() * len(texts))
    carried = "holding" in texts[number]
    return template((texts[number],), Has(person, thing, carried=carried), {"x": person, "t": thing}, teller.random)


def relative(teller: Teller) -> Telling | None:
    """The book that Anna lent me is on the desk."""
    sense = teller.pick(("buy", "find", "give", "lend", "steal"))
    person = teller.cast.person()
    giver = teller.cast.person(person)
    thing, where = loose(teller), somewhere(teller)
    if (
        thing is None
        or thing in teller.world.places.positions
        or thing.owner is not None
        or thing.det != "the"
        or giver is person
        or (thing.head in BIG and where.head in SMALL)
    ):
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

"""The families of statements about what people do: deeds of any kind, what they change, what was only meant.

deeds: Karl fixed the printer after lunch.   states: Somebody opened the window.   plans: Mary wants to go to the park.
"""

from __future__ import annotations

from functools import cache

from .cast import THINGS
from .entities import Entity, value
from .forms import plural
from .lexicon import noun_classes, nouns
from .senses import SENSES, by_effect
from .telling import UNREAL, Teller, Telling


@cache
def _ordinary() -> dict[str, tuple[str, ...]]:
    """Senses of deeds.txt by what they are done to: things of a class, any thing, people, nothing."""
    found: dict[str, list[str]] = {"things": [], "any": [], "person": [], "-": []}
    for name in SENSES:
        _, colon, kind = name.partition(":")
        if colon:
            found[kind if kind in found else "things"].append(name)
    return {kind: tuple(names) for kind, names in found.items()}


@cache
def _dealings() -> tuple[str, ...]:
    return tuple(name for name in by_effect("none") if ":" not in name)


def deeds(teller: Teller) -> Telling | None:
    """Karl fixed the printer after lunch. Olga is ironing the shirts. The fence was painted last week."""
    kind = "any" if teller.chance(teller.dials.wild) else teller.pick(("things", "things", "things", "person", "-"))
    name = teller.pick(_ordinary()[kind])
    if teller.chance(teller.dials.unreal * 0.15):
        return generic(teller, name, "nobody") if SENSES[name].frames[0].object == "theme" else None
    again = [one for one in teller.world.deeds if ":" in one]
    if again and teller.chance(0.25):
        name = teller.pick(again)
    return generic(teller, name)


def generic(teller: Teller, name: str, mode: str = "") -> Telling | None:
    """A deed whose roles are drawn by the classes of senses.toml and deeds.txt."""
    sense = SENSES[name]
    cast = teller.cast
    roles: dict[str, Entity | None] = {}
    frame = sense.frames[0]
    agent = teller.somebody(several=0.06)
    if agent.noun == "pet" and not teller.chance(0.15):
        return None
    roles[frame.subject] = agent
    for role, kind in sense.needs.items():
        if kind in ("person", "role"):
            roles[role] = cast.person(*[one for one in roles.values() if one is not None])
            patient = roles[role]
            if patient in (agent, *agent.members) or (patient is not None and patient.noun == "pet"):
                return None
        elif kind in ("amount", "price", "day", "name", "material", "purpose", "subject"):
            roles[role] = cast.value(kind)
        elif kind == "public":
            roles[role] = Entity("topic", cast.noun("public").split())
        elif kind == "body":
            roles[role] = Entity("topic", [cast.noun("body")], owner=agent)
            if agent.plural or agent.members:
                return None
        elif role == "place" and kind == "building+city":
            roles[role] = cast.place()
            if cast.scene == "home":
                return None
        elif kind in noun_classes() or kind == "any" or "+" in kind:
            roles[role] = _theme(teller, kind)
    if "amount" in roles:
        kind = teller.pick(("mass food", "drink"))
        word = cast.noun(kind)
        unit = teller.pick(nouns("unit" if kind == "mass food" else "unit of drink"))
        roles["theme"] = cast.enter(Entity("thing", word.split()))
        roles["amount"] = value("value", f"{cast.number(2, 20).words[0]} {unit}")
    if sense.does == "set" and _is_already(teller, name, roles["theme"]):
        return None
    if len({id(one) for one in roles.values()}) < len(roles):
        return None
    if (
        name == "postpone"
        and roles["past"] is not None
        and roles["date"] is not None
        and roles["past"].words == roles["date"].words
    ):
        return None
    if "contents" in roles and not teller.chance(0.4):
        del roles["contents"]
    if mode == "nobody":
        return _nobody_did(teller, name, roles)
    if "theme" in roles and sense.does == "none" and ":" in name and not agent.members and teller.chance(0.03):
        return _agentless(teller, name, roles)
    return teller.deed(name, roles=roles)


def _nobody_did(teller: Teller, name: str, roles: dict[str, Entity | None]) -> Telling:
    """Nobody ate the cake."""
    sense = SENSES[name]
    told = {role: one for role, one in roles.items() if role != sense.frames[0].subject and one is not None}
    return teller.told(sense, sense.frames[0], told, "past", "nobody")


def _agentless(teller: Teller, name: str, roles: dict[str, Entity | None]) -> Telling | None:
    """The fence was painted last week: nobody says by whom."""
    sense = SENSES[name]
    told = {role: one for role, one in roles.items() if role != sense.frames[0].subject and one is not None}
    teller.add(sense, told, "past", "")
    told = {role: one for role, one in told.items() if role in ("theme", "time", "place")}
    return teller.told(sense, sense.frames[0], told, "past")


def _theme(teller: Teller, kind: str) -> Entity:
    cast = teller.cast
    if kind in ("building", "room"):
        return cast.place(kind=kind) if cast.scene == "world" or cast.chance(0.5) else cast.place()
    if kind in ("event", "appointment", "show", "prize", "game", "event+appointment"):
        made = Entity("topic", cast.noun(cast.pick(kind.split("+"))).split())
        made.noun = kind
        return cast.enter(made)
    if kind in ("mass food", "plant"):
        kind = "mass food" if kind == "mass food" else "personal"
    if kind in THINGS and cast.chance(0.4):
        return cast.thing(kind)
    return cast.thing(kind)


def _is_already(teller: Teller, name: str, theme: Entity | None) -> bool:
    relation, word = SENSES[name].sets
    beings = teller.world.facts.get(relation, {}).get(theme, []) if theme is not None else []
    return bool(beings) and beings[-1].positive and beings[-1].value.words == (word,)


def states(teller: Teller) -> Telling | None:
    """Somebody opened the window. The printer broke. I painted the fence red."""
    name = teller.pick((*by_effect("set"), *by_effect("colour"), "eat", "drink"))
    sense = SENSES[name]
    if sense.does == "colour":
        thing = teller.cast.thing("toy+valuable+creation")
        if any(word in nouns("colour") for word in thing.words):
            return None
        return teller.deed(name, painter=teller.cast.person(), theme=thing, colour=teller.cast.value("colour"))
    if sense.does == "consume":
        thing = teller.cast.thing(sense.needs["theme"])
        position = teller.world.places.positions.get(thing)
        if position is not None and position.how == "gone":
            return None
        return teller.deed(name, roles={sense.frames[0].subject: teller.cast.person(), "theme": thing})
    return generic(teller, name)


def dealings(teller: Teller) -> Telling | None:
    """Rosa asked Dan to water the plants. Mr Patel teaches me chemistry. Tom broke his arm."""
    return generic(teller, teller.pick(_dealings()))


def plans(teller: Teller) -> Telling | None:
    """Mary wants to go to the park. Tom might sell the car. Ann forgot to call Ben."""
    mode = teller.pick(UNREAL)
    roll = teller.random.random()
    cast = teller.cast
    person = cast.person()
    if roll < 0.3:
        return teller.deed("go", mover=person, place=cast.place(), mode=mode) if person not in teller.world.diary else None
    if roll < 0.5:
        receiver = cast.person(person)
        return (
            teller.deed(
                teller.pick(("give", "sell", "lend", "send")), giver=person, theme=cast.thing(), receiver=receiver, mode=mode
            )
            if receiver is not person
            else None
        )
    if roll < 0.65:
        return teller.deed("buy", receiver=person, theme=cast.thing(), mode=mode)
    if roll < 0.75:
        return teller.deed("put", putter=person, theme=cast.thing(), location=cast.container(), mode=mode)
    if roll < 0.82:
        return teller.deed("take", taker=person, theme=cast.thing(), mode=mode)
    return deeds(teller)


def making(teller: Teller) -> Telling | None:
    """Aunt Rita knitted a scarf for Theo. Grandpa baked two pies."""
    maker = teller.somebody(several=0.08)
    if maker.noun == "pet":
        return None
    if teller.chance(0.3):
        sense = teller.pick(("make", "bake"))
        noun = teller.cast.noun("object" if sense == "make" else "bakes")
        number = teller.cast.number(2, 9)
        theme = Entity("thing", plural(noun).split(), det="", plural=True)
        return teller.deed(sense, maker=maker, theme=teller.cast.enter(theme), number=number)
    receiver = teller.cast.person(maker) if teller.chance(0.35) else None
    if receiver is maker or (receiver is not None and receiver in maker.members):
        receiver = None
    if teller.chance(0.25):
        return teller.deed("bake", maker=maker, theme=teller.cast.thing("bakes"), receiver=receiver)
    material = value("value", teller.cast.noun("material")) if teller.chance(0.2) else None
    theme = teller.cast.thing("creation" if material is None else "object")
    return teller.deed("make", maker=maker, theme=theme, receiver=receiver, material=material)

"""The families of statements about what people do and what is so: deeds, facts, kin, comparisons, directions, counts, rules.

    facts: Selime speaks Greek.   comparing: Ben is taller than Ann.   counting: Ravi had four tickets. He gave one to Simone.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .cast import FACTS, NUMBERS, THINGS
from .entities import Entity, group, value
from .fact_answers import COMPASS, KIN_WORDS, MUTUAL, OPPOSITE, related
from .forms import plural
from .lexicon import noun_classes, nouns, table
from .lines import Line
from .records import Being, Beside, Count, Kin, More, Rule
from .senses import SENSES, by_effect
from .telling import UNREAL, Teller, Telling, said, template

# ---- deeds


@cache
def _ordinary() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Senses of deeds.txt: those tied to their things, and those of any thing."""
    names = [name for name, sense in SENSES.items() if ":" in name]
    return tuple(name for name in names if not name.endswith(":any")), tuple(name for name in names if name.endswith(":any"))


@cache
def _dealings() -> tuple[str, ...]:
    return tuple(name for name in by_effect("none") if ":" not in name)


def deeds(teller: Teller) -> Telling | None:
    """Karl fixed the printer after lunch. Olga is ironing the shirts. The fence was painted last week."""
    tied, wild = _ordinary()
    name = teller.pick(wild if teller.chance(teller.dials.wild) else tied)
    again = [one for one in teller.world.deeds if ":" in one]
    if again and teller.chance(0.25):
        name = teller.pick(again)
    return generic(teller, name)


def generic(teller: Teller, name: str) -> Telling | None:
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
        elif kind in ("price", "day", "name", "material", "purpose", "subject"):
            roles[role] = cast.value(kind)
        elif kind == "public":
            roles[role] = Entity("topic", cast.noun("public").split())
        elif kind == "body":
            roles[role] = Entity("topic", [cast.noun("body")], owner=agent)
            if agent.plural or agent.members:
                return None
        elif role == "place" and kind == "building+city":
            roles[role] = cast.place()
        elif kind in noun_classes() or kind == "any" or "+" in kind:
            roles[role] = _theme(teller, kind)
    if sense.does == "set" and _is_already(teller, name, roles["theme"]):
        return None
    if len({id(one) for one in roles.values()}) < len(roles):
        return None
    if name == "postpone" and roles["past"] is not None and roles["date"] is not None and roles["past"].words == roles["date"].words:
        return None
    if "contents" in roles and not teller.chance(0.4):
        del roles["contents"]
    if "theme" in roles and sense.does == "none" and ":" in name and not agent.members and teller.chance(0.03):
        return _agentless(teller, name, roles)
    return teller.deed(name, **roles)


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
        return teller.deed(name, **{sense.frames[0].subject: teller.cast.person(), "theme": thing})
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
        return teller.deed(teller.pick(("give", "sell", "lend", "send")), giver=person, theme=cast.thing(), receiver=receiver, mode=mode) if receiver is not person else None
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


# ---- facts


@cache
def _relations(names: tuple[str, ...]) -> tuple[str, ...]:
    return names or tuple(name for name in FACTS if name not in ("working", "kind_of"))


def facts(teller: Teller) -> Telling | None:
    """Selime speaks Greek. The rent is nine hundred euros. The bakery opens at seven."""
    used = list(teller.world.facts)
    names = _relations(teller.dials.facts)
    relation = teller.pick(used) if used and teller.chance(0.55) else teller.pick(names)
    if relation not in names:
        return None
    settings = FACTS[relation]
    subject = fact_subject(teller, relation, settings["of"])
    if subject is None:
        return None
    beings = teller.world.facts.get(relation, {}).get(subject, [])
    if beings and (settings.get("one") or len(beings) > 2) and not (settings.get("poles") and teller.chance(0.3)):
        return None
    positive = not settings.get("denies") or not teller.chance(0.25)
    said_value = fact_value(teller, settings, relation, subject)
    if said_value is None or any(being.value.words == said_value.words for being in beings):
        return None
    if not positive and not settings.get("poles") and settings.get("one") and not teller.chance(0.4):
        return None
    return fact(teller, relation, settings, subject, said_value, positive)


def fact(teller: Teller, relation: str, settings: dict[str, Any], subject: Entity, said_value: Entity, positive: bool) -> Telling:
    """A fact as a statement."""
    texts = settings["says"] if positive else settings["denies"]
    telling = template(texts, Being(relation, subject, said_value, positive), {"x": subject, "v": said_value}, teller.random)
    telling.subject = subject
    plain = telling.say

    def say(line: Line) -> None:
        plain(line)
        if subject.kind != "person":
            line.objects.append(subject)

    telling.say = say
    return telling


ONE_ONLY = frozenset("age height birthday belongs job job_wish role birth_year birth_place hair eyes wears ill boss teacher_of best_friend drives".split())


def fact_subject(teller: Teller, relation: str, of: str) -> Entity | None:
    """Whom or what a fact is about."""
    cast = teller.cast
    if of in ("person", "person+building"):
        person = teller.somebody(several=0.03 if relation in ("likes", "feeling", "home") else 0)
        if (person.plural or person.members) and relation in ONE_ONLY:
            return None
        return None if person.noun == "pet" else person
    if of == "role":
        made = Entity("person", cast.noun("role").split(), gender=cast.pick("mf"), sure=False)
        return cast.enter(made)
    if of == "thing":
        thing = cast.thing()
        if relation == "belongs" and (thing.owner is not None or thing.det in ("my", "our", "your")):
            return None
        return None if relation == "colour" and any(word in nouns("colour") for word in thing.words) else thing
    if of == "storage":
        made = Entity("container", cast.noun("storage").split(), prep="in")
        return cast.enter(made)
    if of in ("number of", "code of"):
        return _number_name(teller, of)
    if of in ("travel to", "travel from"):
        city = cast.new_place("city")
        made = Entity("topic", [cast.noun("travel"), of.split()[1], *city.words])
        return cast.enter(made)
    if of in ("building", "building+city", "shop", "city+country"):
        return _place_subject(teller, of)
    if of in ("event", "event+appointment", "show"):
        return _event(teller, of)
    if of == "pet":
        made = Entity("thing", cast.noun("pet").split(), gender="n")
        made.det = cast.pick(("my", "our", "the")) if teller.dials.speakers else "the"
        made.owner = cast.pick(cast.people) if cast.people and cast.chance(0.4) else None
        if made.owner is not None and made.owner.owner is not None:
            made.owner = None
        made.noun = "pet"
        return cast.enter(made)
    thing = cast.thing(of)
    return thing


def _number_name(teller: Teller, of: str) -> Entity:
    word = teller.cast.noun(of)
    made = Entity("topic", [*word.split(), "number"]) if of == "number of" else Entity("topic", [teller.pick(("code", "password", "PIN", "combination")), "for", "the", *word.split()])
    if of == "number of" and teller.dials.speakers and teller.chance(0.5):
        made.det = "my"
    made.noun = of
    return teller.cast.enter(made)


def _place_subject(teller: Teller, of: str) -> Entity:
    kind = teller.pick(of.split("+"))
    if kind == "shop":
        made = Entity("place", teller.cast.noun("shop").split(), prep="at")
    else:
        made = teller.cast.new_place(kind)
    made.noun = kind
    return teller.cast.enter(made)


def _event(teller: Teller, of: str) -> Entity:
    kind = teller.pick(of.split("+"))
    events = [one for one in teller.cast.topics if one.noun == of]
    if events and teller.chance(0.4):
        return teller.pick(events)
    made = Entity("topic", teller.cast.noun(kind).split())
    made.noun = of
    if kind == "appointment":
        made.owner = teller.cast.person()
        if made.owner.owner is not None:
            made.owner, made.det = None, "the"
    teller.cast.topics.append(made)
    return teller.cast.enter(made)


def fact_value(teller: Teller, settings: dict[str, Any], relation: str, subject: Entity) -> Entity | None:
    """A value for a fact; now and then one that another has too."""
    if "poles" in settings:
        beings = teller.world.facts.get(relation, {}).get(subject, [])
        poles = [word for word in settings["poles"] if not beings or beings[-1].value.words != (word,)]
        return value("value", teller.pick(poles)) if poles else None
    if settings["value"] == "person":
        made = teller.cast.person(subject, *subject.members)
        if made is subject or made in subject.members or made.noun == "pet":
            return None
        return None if made.plural and not made.speaking and relation not in ("belongs", "knows", "present_for", "present_from") else made
    others = [being.value for beings in teller.world.facts.get(relation, {}).values() for being in beings]
    if others and teller.chance(0.15):
        like = teller.pick(others)
        made = Entity(like.kind, like.words, det=like.det, prep=like.prep, plural=like.plural)
        made.into = like.into
        return made
    return teller.cast.value(settings["value"])


def owning(teller: Teller) -> Telling | None:
    """The blue suitcase belongs to Nora."""
    subject = fact_subject(teller, "belongs", "thing")
    if subject is None or subject in teller.world.facts.get("belongs", {}):
        return None
    owner = teller.cast.person()
    return None if owner.plural and not owner.speaking else fact(teller, "belongs", FACTS["belongs"], subject, owner, True)


def wearing(teller: Teller) -> Telling | None:
    """Alice is wearing a red scarf."""
    person = teller.somebody()
    if person.plural or person in teller.world.facts.get("wears", {}):
        return None
    return fact(teller, "wears", FACTS["wears"], person, teller.cast.value("outfit"), True)


# ---- kin, scales, directions


def _person_by_name(teller: Teller, *others: Entity) -> Entity | None:
    people = [one for one in teller.cast.people if one.sure and one.det == "" and not one.speaking and not one.plural and one.owner is None and one not in others]
    if people and teller.chance(0.7):
        return teller.cast.recall(people)
    made = teller.cast.named()
    if " ".join(made.words) in teller.cast.used:
        return None
    teller.cast.people.append(teller.cast.enter(made))
    return made


def kin(teller: Teller) -> Telling | None:
    """Jack is Emma's father. Emma has a son called Noah."""
    tied = [one for record in teller.world.kin for one in (record.one, record.other)]
    one = teller.pick(tied) if tied and teller.chance(0.85) else _person_by_name(teller)
    if one is None:
        return None
    other = _person_by_name(teller, *tied, one)
    if other is None or other is one or other in tied:
        return None
    relation = teller.pick(("parent", "parent", "child", "sibling", "spouse"))
    if relation == "spouse" and (one.gender == other.gender or related(teller.world, "spouse", one)):
        return None
    if relation == "sibling" and (related(teller.world, "parent", one) or related(teller.world, "sibling", one)):
        return None
    if relation == "child" and (len(related(teller.world, "parent", one)) > 0 or related(teller.world, "sibling", one)):
        return None
    record = {"parent": Kin("parent", one, other), "child": Kin("parent", other, one)}.get(relation) or Kin(relation, one, other)
    if record.relation == "parent" and related(teller.world, "spouse", record.one):
        return None
    return _say_kin(teller, record)


def _say_kin(teller: Teller, record: Kin) -> Telling:
    if record.relation == "spouse" and teller.chance(0.5):
        return template(said("kin", "married"), record, {"x": record.one, "y": record.other}, teller.random)
    turned = teller.chance(0.5)
    x, y = (record.other, record.one) if turned else (record.one, record.other)
    name = "child" if turned and record.relation == "parent" else record.relation
    word = value("value", KIN_WORDS[name][x.gender == "m"])
    return template([text.replace("<r>", "<r.words>") for text in said("kin", "says")], record, {"x": x, "y": y, "r": word}, teller.random)


def comparing(teller: Teller) -> Telling | None:
    """Maya is taller than Sam. The ring fits in the box."""
    scales = table("asking.toml")["scales"]
    used = list(teller.world.scales)
    scale = teller.pick(used) if used and teller.chance(0.8) else teller.pick(list(scales))
    settings = scales[scale]
    order = _order(teller, scale)
    one = _compared(teller, settings["of"], order)
    if one is None or one in order:
        return None
    if not order:
        other = _compared(teller, settings["of"], [one])
        if other is None or other is one:
            return None
        high, low = one, other
    else:
        ends = (order[0], order[-1])
        high, low = teller.pick(((one, ends[0]), (ends[1], one)))
    record = More(scale, high, low)
    if settings.get("fits") and teller.chance(0.3):
        return template(said("comparing", "fits"), record, {"x": low, "y": high}, teller.random)
    x, y, word = (high, low, "high") if teller.chance(0.6) else (low, high, "low")
    return template(said("comparing", "says"), record, {"x": x, "y": y, "c": value("value", settings[word])}, teller.random)


def _order(teller: Teller, scale: str) -> list[Entity]:
    """What is compared on a scale so far, the highest first."""
    records = teller.world.scales.get(scale, [])
    if not records:
        return []
    order = [records[0].high, records[0].low]
    for record in records[1:]:
        if record.low is order[0]:
            order.insert(0, record.high)
        elif record.high is order[-1]:
            order.append(record.low)
    return order


def _compared(teller: Teller, of: str, others: list[Entity]) -> Entity | None:
    if of == "people":
        person = teller.cast.person(*others)
        return None if person.plural or person.members else person
    if of == "places":
        place = teller.cast.place(*others)
        return place if place not in others else None
    thing = teller.cast.container() if teller.chance(0.3) else teller.cast.thing()
    return thing if thing not in others else None


def _spread(teller: Teller, relation: str) -> Telling | None:
    """A statement that puts something new beside what is laid out already."""
    laid = list(dict.fromkeys(one for record in teller.world.beside for one in (record.one, record.other)))
    if teller.places_laid is None:
        teller.places_laid = relation in COMPASS or teller.chance(0.4)
    draw = teller.cast.place if teller.places_laid or relation in COMPASS else teller.cast.thing
    old = teller.pick(laid) if laid and teller.chance(0.9) else draw()
    new = draw()
    if new is old or new in laid or old.kind != new.kind or (laid and old not in laid):
        return None
    grid = teller.grid
    x, y = grid.setdefault(old, (0, 0))
    dx, dy = STEPS.get(relation, (0, 0))
    spot = (x + dx, y + dy)
    if (dx or dy) and spot in grid.values():
        return None
    grid[new] = spot if dx or dy else (x + 0.5 + len(grid), y + 0.5)
    record = Beside(relation, new, old)
    if relation in OPPOSITE and teller.chance(0.4):
        record = Beside(OPPOSITE[relation], old, new)
    third = [one for one in laid if one is not old and one.kind == new.kind]
    if relation in MUTUAL and third and teller.chance(0.25):
        record = Beside("between", new, old, teller.pick(third))
        assert record.third is not None
        return template(said("relations", "between"), record, {"x": new, "y": old, "z": record.third}, teller.random)
    return template(said("relations", "says"), record, {"x": record.one, "y": record.other, "r": value("value", record.relation)}, teller.random)


STEPS = {
    **{"north of": (0, 1), "south of": (0, -1), "east of": (1, 0), "west of": (-1, 0), "above": (0, 1), "below": (0, -1), "over": (0, 1)},
    **{"under": (0, -1), "to the left of": (-1, 0), "to the right of": (1, 0), "on the left of": (-1, 0), "on the right of": (1, 0)},
    **{"in front of": (0, -1), "behind": (0, 1)},
}


def directions(teller: Teller) -> Telling | None:
    """The library is north of the park."""
    return _spread(teller, teller.pick(tuple(COMPASS)))


def layout(teller: Teller) -> Telling | None:
    """The bakery is next to the bank. The lamp is to the left of the computer."""
    used = [record.relation for record in teller.world.beside if record.relation != "between"]
    pairs = table("asking.toml")["relations"]["opposites"]
    if used and teller.chance(0.75):
        relation = used[0]
        relation = teller.pick((relation, OPPOSITE.get(relation, relation)))
    else:
        relation = teller.pick((*teller.pick(pairs), teller.pick(tuple(sorted(MUTUAL)))))
    return _spread(teller, relation)


# ---- counts


def counting(teller: Teller) -> Telling | None:
    """We had six eggs. I used two of them. Ravi gave one ticket to Simone. There are three apples in the basket."""
    world, cast = teller.world, teller.cast
    known = [(owner, noun) for owner, noun in world.counts if world.has_count(owner, noun)[0] is not None]
    if not known or teller.chance(0.4):
        owner = cast.person() if teller.chance(0.7) else cast.container()
        word = teller.pick([noun for _, noun in known]) if known and teller.chance(0.5) else plural(cast.noun(teller.pick(("counted food", "counted thing", "counted thing", "counted animal") if owner.kind == "person" else ("counted food", "counted thing"))))
        if (owner, word.split()[-1]) in world.counts or (owner.kind == "person" and owner.plural and not owner.speaking):
            return None
        return _first_count(teller, owner, word)
    owner, noun = teller.pick(known)
    have, _ = world.has_count(owner, noun)
    assert have is not None
    return _change(teller, owner, noun, have)


def _first_count(teller: Teller, owner: Entity, word: str) -> Telling:
    number = teller.cast.number(2, 12)
    things = Entity("counted", word.split(), det="", plural=True)
    record = Count(owner, things, number.rank, word=number)
    names = {"x": owner, "n": number, "t": things}
    if owner.kind == "person":
        texts = ("<x> have~x <n> <t>", "<x> had <n> <t>", "<x> have~x got <n> <t>", "<x> own~x <n> <t>", "<x> had <n> <t> at first")
    else:
        texts = ("there are <n> <t> <x.in>", "there were <n> <t> <x.in>", "<x.in> there are <n> <t>")
    return template(texts, record, names, teller.random)


def _change(teller: Teller, owner: Entity, noun: str, have: int) -> Telling | None:
    cast, last = teller.cast, teller.world.counts[owner, noun][-1]
    things = Entity("counted", last.noun.words, det="", plural=True)
    less = have > 1 and teller.chance(0.65)
    number = cast.number(1, have) if less else cast.number(1, 9)
    if not less and have + number.rank > 20:
        return None
    if number.rank == 1:
        number.words = ("one",)
        one = last.noun.words[-1]
        things = Entity("counted", [*last.noun.words[:-1], _singular(one)], det="")
    names = {"x": owner, "n": number, "t": things}
    other = None
    if owner.kind == "person" and less and teller.chance(0.4):
        other = cast.person(owner)
        if other is owner or other.plural or teller.world.has_count(other, noun)[0] is None and (other, noun) in teller.world.counts:
            return None
        texts = said("counts", "given")
    elif owner.kind == "person":
        kind = next((kind for kind in COUNTED.split("+") if _singular(last.noun.words[-1]) in nouns(kind)), "counted thing")
        texts = (*said("counts", "less"), *said("counts", kind.replace("counted ", "less_"))) if less else said("counts", "more")
    else:
        texts = said("counts", "out" if less else "in")
    if other is not None or owner.kind != "person":
        names["y"] = other or cast.person()
    fresh = teller.world.records and teller.world.records[-1] is last
    texts = tuple(text for text in texts if fresh or ("them" not in text.split() and "more =>" not in text and "<t>" in text))
    if number.rank == 1:
        texts = tuple(text for text in texts if "of the <t>" not in text and "another" not in text)
    if not texts:
        return None
    text, _, question = teller.pick(texts).partition(" => ")
    record = Count(owner, Entity("counted", last.noun.words, det="", plural=True), number.rank, "-" if less else "+", other, number, question, names.get("y"))
    return template((text,), record, names, teller.random)


COUNTED = "counted food+counted thing+counted animal"


def _singular(word: str) -> str:
    for noun in nouns(COUNTED):
        if plural(noun).split()[-1] == word:
            return noun.split()[-1]
    return word


# ---- rules

RULES = {"fears": "animal", "eats": "mass food", "likes": "mass food", "lives": "room+building", "coloured": "colour", "can": "able animal"}


def rules(teller: Teller, of: str = "") -> Telling | None:
    """Cats are afraid of dogs. Whiskers is a cat. Snowball is white."""
    world, cast = teller.world, teller.cast
    kinds = list(dict.fromkeys([record.kind.head for record in world.rules if record.relation != "goes"] + [being.value.head for beings in world.facts.get("kind_of", {}).values() for being in beings]))
    roll = teller.random.random()
    if (roll < 0.4 or not kinds) and of != "colours":
        return _rule(teller, kinds, of)
    creatures = list(world.facts.get("kind_of", {}))
    if creatures and roll < 0.62 and of != "fears":
        one = teller.pick(creatures)
        if one in world.facts.get("colour", {}):
            return None
        return fact(teller, "colour", FACTS["colour"], one, cast.value("colour"), True)
    word = teller.pick(kinds) if kinds and teller.chance(0.85) else cast.noun("animal")
    made = Entity("person", [cast.noun("creature name") if not teller.dials.published else cast.named().words[0]], det="", gender=cast.pick("mf"), sure=False)
    cast.enter(made)
    kind = value("value", word)
    return fact(teller, "kind_of", FACTS["kind_of"], made, kind, True)


def rule_fears(teller: Teller) -> Telling | None:
    """Cats are afraid of dogs. Gertrude is a cat."""
    return rules(teller, "fears")


def rule_colours(teller: Teller) -> Telling | None:
    """Lily is a swan. Lily is white. Greg is a swan."""
    return rules(teller, "colours")


def _rule(teller: Teller, kinds: list[str], of: str) -> Telling | None:
    world, cast = teller.world, teller.cast
    word = teller.pick(kinds) if kinds and teller.chance(0.6) else cast.noun("animal")
    relation = "fears" if of == "fears" else teller.pick(tuple(RULES))
    if any(record.relation == relation and record.kind.head == word for record in world.rules):
        return None
    made = cast.value(RULES[relation])
    if made.head == word:
        return None
    record = Rule(relation, Entity("value", word.split(), det=""), made)
    return template(said("rules", relation), record, {"k": record.kind, "v": made}, teller.random)


def motives(teller: Teller) -> Telling | None:
    """Whoever is hungry goes to the kitchen. Tom is hungry."""
    world = teller.world
    rules_of = [record for record in world.rules if record.relation == "goes"]
    if not rules_of or teller.chance(0.3):
        feeling = teller.cast.value("feeling")
        if any(record.kind.head == feeling.head for record in rules_of):
            return None
        record = Rule("goes", feeling, teller.cast.place())
        return template(said("rules", "goes"), record, {"k": feeling, "v": record.value}, teller.random)
    person = teller.cast.person()
    if person in world.facts.get("feeling", {}) or person.plural:
        return None
    feeling = value("value", teller.pick(rules_of).kind.head)
    return fact(teller, "feeling", FACTS["feeling"], person, feeling, True)


def pair(one: Entity, other: Entity) -> Entity:
    """Two as one."""
    return group((one, other))


WORDS = NUMBERS

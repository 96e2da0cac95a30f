"""The families of statements about what is so of somebody or something: the facts of facts.toml.

facts: Selime speaks Greek. The bakery opens at seven.   owning: The suitcase is Nora's.   wearing: Alice has a red scarf on.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .cast import FACTS
from .entities import Entity, value
from .lexicon import WORDS, nouns
from .lines import Line
from .records import Being
from .telling import Teller, Telling, template
from .templates import fill


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


def fact(
    teller: Teller, relation: str, settings: dict[str, Any], subject: Entity, said_value: Entity, positive: bool
) -> Telling:
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


ONE_ONLY = frozenset(WORDS["one_only"])


def fact_subject(teller: Teller, relation: str, subject_kind: str) -> Entity | None:
    """Whom or what a fact is about."""
    cast = teller.cast
    if subject_kind in ("person", "person+building"):
        person = teller.somebody(several=0.03 if relation in ("likes", "feeling", "home") else 0)
        if (person.plural or person.members) and relation in ONE_ONLY:
            return None
        return None if person.noun == "pet" else person
    if subject_kind == "role":
        made = Entity("person", cast.noun("role").split(), gender=cast.pick("mf"), sure=False)
        return cast.enter(made)
    if subject_kind == "thing":
        thing = cast.thing()
        if relation == "belongs" and (thing.owner is not None or thing.det in ("my", "our", "your")):
            return None
        return None if relation == "colour" and any(word in nouns("colour") for word in thing.words) else thing
    if subject_kind == "storage":
        made = Entity("container", cast.noun("storage").split(), prep="in")
        return cast.enter(made)
    if subject_kind in ("number of", "code of"):
        return _number_name(teller, subject_kind)
    if subject_kind in ("travel to", "travel from"):
        city = cast.new_place("city")
        made = Entity("topic", [*cast.noun("travel").split(), subject_kind.split()[1], *city.words])
        return cast.enter(made)
    if subject_kind in ("building", "building+city", "shop", "city+country"):
        place = _place_subject(teller, subject_kind)
        return None if relation == "made_year" and place.open else place
    if subject_kind in ("event", "event+appointment", "show"):
        return _event(teller, subject_kind)
    if subject_kind == "pet":
        made = Entity("thing", cast.noun("pet").split(), gender="n")
        made.det = cast.pick(("my", "our", "the")) if teller.dials.speakers else "the"
        made.owner = cast.pick(cast.people) if cast.people and cast.chance(0.4) else None
        if made.owner is not None and made.owner.owner is not None:
            made.owner = None
        made.noun = "pet"
        return cast.enter(made)
    thing = cast.thing(subject_kind)
    return thing


def _number_name(teller: Teller, subject_kind: str) -> Entity:
    word = teller.cast.noun(subject_kind)
    made = (
        Entity("topic", [*word.split(), "number"])
        if subject_kind == "number of"
        else Entity("topic", [teller.pick(("code", "password", "PIN", "combination")), "for", "the", *word.split()])
    )
    if subject_kind == "number of" and teller.dials.speakers and teller.chance(0.5):
        made.det = "my"
    made.noun = subject_kind
    return teller.cast.enter(made)


def _place_subject(teller: Teller, subject_kind: str) -> Entity:
    kind = teller.pick(subject_kind.split("+"))
    shop = kind == "shop"
    made = Entity("place", teller.cast.noun("shop").split(), prep="at") if shop else teller.cast.new_place(kind)
    made.noun = kind
    return teller.cast.enter(made)


def _event(teller: Teller, subject_kind: str) -> Entity:
    kind = teller.pick(subject_kind.split("+"))
    events = [one for one in teller.cast.topics if one.noun == subject_kind]
    if events and teller.chance(0.4):
        return teller.pick(events)
    made = Entity("topic", teller.cast.noun(kind).split())
    made.noun = subject_kind
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
        return (
            None
            if made.plural and not made.speaking and relation not in ("belongs", "knows", "present_for", "present_from")
            else made
        )
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


NOW = (("but now", ""), ("but these days", ""), ("and now", ""), ("but today", ""))


def changes(teller: Teller) -> Telling | None:
    """Ola used to live in Cork, but now she lives in Oslo. Ola lives in Bergen now."""
    relation = teller.pick(tuple(name for name, settings in FACTS.items() if "used" in settings))
    settings = FACTS[relation]
    person = teller.cast.person()
    if person.plural or person.members or person.noun == "pet" or teller.world.facts.get(relation, {}).get(person):
        return None
    old, new = teller.cast.value(settings["value"]), teller.cast.value(settings["value"])
    if old.words == new.words:
        return None
    names = {"x": person, "v": old}
    text, but = settings["used"], teller.pick(NOW)[0]
    after = settings["says"][0]

    def say(line: Line) -> None:
        fill(line, text, names)
        line.put(*((",", *but.split()) if line.chance(0.7) else but.split()))
        fill(line, after.replace("<x>", "<x.p>").replace("<x.g>", "<x.pg>"), {"x": person, "v": new})

    return Telling([Being(relation, person, old), Being(relation, person, new)], say)

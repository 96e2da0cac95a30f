"""Questions about facts and rules: jobs, prices, colours, times, what all cats fear.

What does Selime speak? Who is wearing a red scarf? What colour is it? Is the back door open? What is Whiskers afraid of?
"""

from __future__ import annotations

from typing import Any

from . import deed_answers
from .asker import Asked, Asker
from .cast import FACTS
from .entities import Entity, members, value
from .lexicon import table
from .records import Being, Rule
from .templates import alternatives


def about_being(asker: Asker, record: Being, wrong: bool) -> Asked | None:
    """Questions about a record of being."""
    subject = asker.pick(members(record.subject))
    if record.relation in ("age", "price") and not wrong and asker.chance(0.3):
        asked = _by_value(asker, record.relation)
        if asked is not None:
            return asked
    if record.relation == "kind_of" and asker.chance(0.6):
        return about_creature(asker, subject, wrong)
    if record.relation == "wears" and record.positive and not wrong and record.value.tint is not None and asker.chance(0.4):
        return about_tint(asker, record.value, subject, record.statement)
    if record.relation == "feeling" and asker.chance(0.5):
        asked = about_motive(asker, subject)
        if asked is not None:
            return asked
    return about_fact(asker, record.relation, subject, wrong, record)


def about_fact(asker: Asker, relation: str, subject: Entity, wrong: bool, record: Being | None = None) -> Asked | None:
    """Questions about a record of fact."""
    settings = FACTS[relation]
    roll = asker.random.random()
    denied = record is not None and not record.positive and asker.chance(0.7)
    end = "_denied" if denied and "asks_denied" in settings else ""
    thing_value = record.value if record is not None else None
    if wrong:
        told = relation
        subject, relation, settings = _elsewhere(asker, subject, relation, settings)
        if relation != told:
            end = ""
            thing_value = (
                None if "poles" in settings or settings["value"] == "person" else asker.teller.cast.value(settings["value"])
            )
    if "asks_used" in settings and not wrong and asker.chance(0.35):
        return asker.text("used_to", settings["asks_used"], ("used_to", relation, subject), {"x": subject})
    if roll < 0.4 and settings["asks"]:
        query = ("fact_value", relation, settings, subject, not end)
        texts = _clear(asker, relation, settings["asks" + end], subject)
        return asker.text("fact", texts, query, {"x": subject, "v": subject})
    if thing_value is None:
        beings = asker.teller.world.facts.get(relation, {}).get(subject, [])
        thing_value = beings[-1].value if beings else None
    if thing_value is None:
        return None
    if roll < 0.65 and settings["whom"] and not wrong:
        end = "_denied" if denied and "whom_denied" in settings else ""
        if any("head>" in text or "kind>" in text for text in settings["whom"]) and subject.head != "":
            return _which(asker, relation, settings, subject, thing_value, not end)
        return asker.text(
            "fact_who",
            settings["whom" + end],
            ("fact_who", relation, settings, thing_value, not end),
            {"x": subject, "v": thing_value},
        )
    if asker.chance(0.45):
        thing_value = _other_value(asker, relation, settings, thing_value)
    if thing_value is subject:
        return None
    return asker.text(
        "fact_is", settings["checks"], ("fact_is", relation, settings, subject, thing_value), {"x": subject, "v": thing_value}
    )


def _clear(asker: Asker, relation: str, texts: list[str], subject: Entity) -> list[str]:
    """The questions that no other fact of the same answers too: "When is the match?" of its day and its hour."""
    world = asker.teller.world
    if relation in ("starts", "event_day") and all(subject in world.facts.get(other, {}) for other in ("starts", "event_day")):
        return [text for text in texts if "start" in text or "begin" in text or "day" in text]
    if relation == "supply" and (world.places.held_by(subject) or any(owner is subject for owner, _ in world.counts)):
        return [text for text in texts if "run out" in text]
    if relation == "role" and any(
        being.value is subject for facts in world.facts.values() for told in facts.values() for being in told
    ):
        return []
    return texts


def _by_value(asker: Asker, relation: str) -> Asked | None:
    """Who is older, Tom or Ann? where their ages are told."""
    known = [
        one
        for one in asker.teller.world.facts.get(relation, {})
        if deed_answers.current(asker.teller.world, relation, one, True)
    ]
    if len(known) < 2:
        return None
    one, other = asker.random.sample(known, 2)
    text = asker.pick(alternatives(asker.pick(table("asking.toml")["by_value"][relation])))
    high = "older" in text or "expensive" in text
    return asker.text("by_value", [text], ("by_value", relation, one, other, high), {"x": one, "y": other})


def _elsewhere(asker: Asker, subject: Entity, relation: str, settings: Any) -> tuple[Entity, str, Any]:
    """Another person or thing, or something else about the same: what nothing tells."""
    same_kind = [name for name, other in FACTS.items() if other["of"] == settings["of"] and other["asks"]]
    if same_kind and asker.chance(0.5):
        relation = asker.pick(same_kind)
        return subject, relation, FACTS[relation]
    if subject.kind in ("person", "thing") and settings["of"] in ("person", "thing"):
        return asker.other(subject), relation, settings
    known = list(asker.teller.world.facts.get(relation, {}))
    return (asker.pick(known) if known else subject), relation, settings


def _which(asker: Asker, relation: str, settings: Any, subject: Entity, said: Entity, positive: bool) -> Asked | None:
    """Which door is locked? where there are two doors."""
    texts = [text for text in settings["whom"] if "head>" not in text and "kind>" not in text]
    twins = [one for one in asker.teller.world.facts.get(relation, {}) if one.head == subject.head]
    if len(twins) > 1:
        texts = [text for text in settings["whom"] if "head>" in text] or texts
    return asker.text("fact_who", texts, ("fact_who", relation, settings, said, positive), {"x": subject, "v": said})


def _other_value(asker: Asker, relation: str, settings: Any, said: Entity) -> Entity:
    others = [
        being.value
        for beings in asker.teller.world.facts.get(relation, {}).values()
        for being in beings
        if being.value.words != said.words
    ]
    if "poles" in settings:
        return value("value", asker.pick([word for word in settings["poles"] if (word,) != said.words]))
    if others and asker.chance(0.7):
        return asker.pick(others)
    made = asker.teller.cast.value(settings["value"])
    return said if made.kind != said.kind else made


def about_tint(asker: Asker, entity: Entity, owner: Entity | None, said: int) -> Asked | None:
    """What colour is the scarf? of a red scarf."""
    if (
        entity.tint is None
        or asker.teller.cast.heads.get(entity.head, 0) > 1
        or asker.teller.world.facts.get("colour", {}).get(entity)
    ):
        return None
    thing = Entity(entity.kind, [entity.head], plural=entity.plural, owner=owner or entity.owner)
    if owner is None and entity.owner is None and entity.det in ("my", "our", "your"):
        thing.det = entity.det
    thing.known = True
    return asker.text("colour", FACTS["colour"]["asks"][:3], ("tint", entity, said), {"x": thing})


def about_creature(asker: Asker, creature: Entity, wrong: bool) -> Asked | None:
    """Questions about a record of creature."""
    world = asker.teller.world
    kinds = world.facts.get("kind_of", {}).get(creature, [])
    if not kinds:
        return None
    known = [rule.relation for rule in world.rules if rule.kind.head == kinds[-1].value.head and rule.relation != "goes"]
    if asker.teller.dials.published:
        known = known or ["coloured"]
    relation = (
        asker.pick(known)
        if known and not wrong and asker.chance(0.7)
        else asker.pick(("fears", "eats", "likes", "lives", "coloured", "coloured", "can"))
    )
    values = [rule.value for rule in world.rules if rule.relation == relation]
    if values and asker.chance(0.3) and not asker.teller.dials.published:
        value_asked = asker.pick(values)
        texts = table("asking.toml")["rules"][f"is_{relation}"]
        return asker.text("rule_is", texts, ("rule_is", creature, relation, value_asked), {"x": creature, "v": value_asked})
    texts = table("asking.toml")["rules"][f"ask_{relation}"]
    return asker.text("rule", texts, ("rule", creature, relation), {"x": creature})


def about_rule(asker: Asker, record: Rule, wrong: bool) -> Asked | None:
    """Questions about a record of rule."""
    world = asker.teller.world
    if record.relation == "goes":
        people = [one for one, beings in world.facts.get("feeling", {}).items() if beings[-1].value.head == record.kind.head]
        return about_motive(asker, asker.pick(people)) if people else None
    creatures = [one for one, beings in world.facts.get("kind_of", {}).items() if beings[-1].value.head == record.kind.head]
    return about_creature(asker, asker.pick(creatures), wrong) if creatures else None


def about_motive(asker: Asker, person: Entity) -> Asked | None:
    """Questions about a record of motive."""
    return asker.template("motive", "rules", ("goes", person), {"x": person}, "ask_goes")

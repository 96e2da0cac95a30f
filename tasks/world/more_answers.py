"""Answers by counting, by rules and by comparing what is told.

Ravi had four tickets. He gave one to Simone.    count_have(world, ravi, tickets)          ->   3
Cats fear dogs. Whiskers is a cat.               rule_value(world, whiskers, "fears")      ->   dogs
Tom is 30. Ann is 25.                            compare_values(world, "age", tom, ann, True)   ->   Tom
"""

from __future__ import annotations

from .deed_answers import current
from .entities import Entity
from .found import Found, same
from .world import World


def count_have(world: World, owner: Entity, noun: Entity) -> Found | None:
    """How many of a noun somebody has."""
    total, why = world.has_count(owner, noun.head)
    return None if total is None else Found("number", number=total, why=why)


def count_both(world: World, one: Entity, other: Entity, noun: Entity) -> Found | None:
    """How many two have together."""
    first, second = count_have(world, one, noun), count_have(world, other, noun)
    if first is None or second is None or one is other or first.number + second.number > 20:
        return None
    return Found("number", number=first.number + second.number, why=first.why | second.why)


def count_more(world: World, one: Entity, other: Entity, noun: Entity) -> Found | None:
    """Which of two has more."""
    first, second = count_have(world, one, noun), count_have(world, other, noun)
    if first is None or second is None or one is other or first.number == second.number:
        return None
    return Found("span", [one if first.number > second.number else other], why=first.why | second.why)


def count_unknown(world: World, owner: Entity, noun: Entity) -> Found | None:
    """How many somebody has of whom nothing is told."""
    return Found("untold", reason="how many") if (owner, noun.head) not in world.counts else None


def count_change(world: World, owner: Entity, noun: Entity, question: str, actor: Entity | None) -> Found | None:
    """How many somebody lost, sold, bought ..."""
    told = [count for count in world.counts.get((owner, noun.head), ()) if count.question == question and count.actor is actor]
    return (
        Found("span", [told[0].word], why=frozenset({told[0].statement}))
        if len(told) == 1 and told[0].word is not None
        else None
    )


def rule_value(world: World, creature: Entity, relation: str) -> Found | None:
    """What holds of a creature, by its kind."""
    kinds = world.facts.get("kind_of", {}).get(creature, [])
    if not kinds:
        return None
    kind = kinds[-1].value.head
    why = {kinds[-1].statement}
    if relation == "coloured":
        colours_of_it = current(world, "colour", creature, True)
        if colours_of_it:
            return Found("span", [colours_of_it[-1].value], why=frozenset({colours_of_it[-1].statement}))
    for rule in world.rules:
        if rule.relation == relation and rule.kind.head == kind:
            return Found("span", [rule.value], why=frozenset({*why, rule.statement}))
    if relation == "coloured":
        return _induced(world, creature, kind, why)
    return Found("untold", reason="what", why=frozenset(why))


def rule_is(world: World, creature: Entity, relation: str, value: Entity) -> Found | None:
    """Whether something holds of a creature, by its kind."""
    found = rule_value(world, creature, relation)
    if found is None or found.kind == "untold" or same(found.items[0], value):
        return found if found is None or found.kind == "untold" else Found("yes", why=found.why)
    return Found("no", why=found.why) if relation in ("coloured", "lives") else None


def _induced(world: World, creature: Entity, kind: str, why: set[int]) -> Found | None:
    """The colour of the others of its kind, where all of them have one colour."""
    colours = []
    for other, beings in world.facts.get("kind_of", {}).items():
        colours_of_it = current(world, "colour", other, True)
        if other is not creature and beings[-1].value.head == kind and colours_of_it:
            colours.append((colours_of_it[-1].value, {beings[-1].statement, colours_of_it[-1].statement}))
    if not colours:
        return Found("untold", reason="what", why=frozenset(why))
    if len({colour.words for colour, _ in colours}) > 1:
        return None
    return Found("span", [colours[-1][0]], why=frozenset(why.union(*(numbers for _, numbers in colours))))


def goes(world: World, person: Entity) -> Found | None:
    """Where somebody will go, by what they feel."""
    feelings = current(world, "feeling", person, True)
    for rule in world.rules:
        if rule.relation == "goes" and feelings and rule.kind.head == feelings[-1].value.head:
            return Found("span", [rule.value], why=frozenset({rule.statement, feelings[-1].statement}))
    return None


def compare_values(world: World, relation: str, one: Entity, other: Entity, high: bool) -> Found | None:
    """Which of two is older, or cheaper, by what is told of both."""
    first, second = (current(world, relation, each, True)[-1] for each in (one, other))
    if first.value.rank == second.value.rank or (first.value.head != second.value.head and relation == "price"):
        return None
    return Found(
        "span",
        [one if (first.value.rank > second.value.rank) == high else other],
        why=frozenset({first.statement, second.statement}),
    )


def tint_of(world: World, entity: Entity, said: int) -> Found | None:
    """The colour that a thing is named with."""
    return Found("span", [entity.tint], why=frozenset({said})) if entity.tint is not None else None

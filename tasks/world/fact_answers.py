"""Answers from facts, comparisons, layouts, kin, counts and rules.

Ben is taller than Ann. Ann is taller than Eve.     is_more(world, "tall", ben, eve)   ->   yes, by both
The lab is north of the office.                     beside(world, "south of", lab)     ->   office
Jack is Emma's father. Emma has a son, Noah.        kin(world, "grandfather", noah)    ->   Jack
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from .deed_answers import current
from .entities import Entity
from .found import Found, same, span, untold
from .lexicon import WORDS, table
from .records import Beside
from .world import World

OPPOSITE = {word: other for pair in table("asking.toml")["relations"]["opposites"] for word, other in (pair, pair[::-1])}
MUTUAL = frozenset(table("asking.toml")["relations"]["mutual"])
COMPASS = {"north of": "north", "south of": "south", "east of": "east", "west of": "west"}


# ---- facts of one person or thing


def fact_value(world: World, relation: str, settings: dict[str, Any], subject: Entity, positive: bool = True) -> Found | None:
    """What is so, or what is denied."""
    if not positive:
        denied = [being for being in world.facts.get(relation, {}).get(subject, []) if not being.positive]
        return span([being.value for being in denied], [being.statement for being in denied]) if denied else untold("what")
    so = current(world, relation, subject, settings.get("one", False))
    if so:
        return span([being.value for being in so], [being.statement for being in so])
    known = relation in world.facts and subject in world.facts[relation]
    return untold("what", (being.statement for being in world.facts[relation][subject]) if known else ())


def used_to(world: World, relation: str, subject: Entity) -> Found | None:
    """What was so before."""
    told = [being for being in world.facts.get(relation, {}).get(subject, []) if being.positive and not being.void]
    if len(told) != 2:
        return None
    return span([told[0].value], [told[0].statement])


def fact_who(world: World, relation: str, settings: dict[str, Any], value: Entity, positive: bool = True) -> Found | None:
    """Of whom something is so."""
    found, why = [], set()
    for subject, beings in world.facts.get(relation, {}).items():
        so = (
            current(world, relation, subject, settings.get("one", False))
            if positive
            else [one for one in beings if not one.positive]
        )
        for being in so:
            if same(being.value, value):
                found.append(subject)
                why.add(being.statement)
    return span(found, why) if found else untold("who")


def fact_is(world: World, relation: str, settings: dict[str, Any], subject: Entity, value: Entity) -> Found | None:
    """Whether something is so."""
    beings = world.facts.get(relation, {}).get(subject, [])
    about = [being for being in beings if same(being.value, value)]
    so = current(world, relation, subject, settings.get("one", False))
    if any(same(being.value, value) for being in so):
        return Found("yes", why=frozenset({next(being.statement for being in reversed(so) if same(being.value, value))}))
    if about and not about[-1].positive:
        return Found("no", why=frozenset({about[-1].statement}))
    if so and settings.get("one") and not settings.get("never_no"):
        return Found("no", why=frozenset({so[-1].statement}))
    if settings.get("poles") and beings and not beings[-1].positive:
        return Found("yes", why=frozenset({beings[-1].statement}))
    if beings and settings.get("one") and settings.get("never_no"):
        return None
    return untold("whether", (being.statement for being in beings))


# ---- more and less


def _higher(world: World, scale: str, start: Entity) -> dict[Entity, frozenset[int]]:
    """Everything that is above something on a scale, with the statements that say so."""
    found: dict[Entity, frozenset[int]] = {start: frozenset()}
    queue = deque([start])
    while queue:
        low = queue.popleft()
        for more in world.scales.get(scale, ()):
            if more.low is low and more.high not in found and not more.void:
                found[more.high] = found[low] | {more.statement}
                queue.append(more.high)
    del found[start]
    return found


def is_more(world: World, scale: str, one: Entity, other: Entity) -> Found | None:
    """Whether one is more than another."""
    up = _higher(world, scale, other)
    if one in up:
        return Found("yes", why=up[one])
    down = _higher(world, scale, one)
    if other in down:
        return Found("no", why=down[other])
    return untold("whether")


def which_more(world: World, scale: str, one: Entity, other: Entity, high: bool) -> Found | None:
    """Which of two is more, or less."""
    answer = is_more(world, scale, one, other)
    if answer is None or answer.kind == "untold":
        return answer
    return span([one if (answer.kind == "yes") == high else other], answer.why)


def more_than(world: World, scale: str, one: Entity, high: bool) -> Found | None:
    """Who is more, or less, than one."""
    if high:
        up = _higher(world, scale, one)
    else:
        up = {
            other: _higher(world, scale, other)[one] for other in _scaled(world, scale) if one in _higher(world, scale, other)
        }
    return span(up, frozenset().union(*up.values())) if up else untold("who")


def _scaled(world: World, scale: str) -> list[Entity]:
    return list(dict.fromkeys(one for more in world.scales.get(scale, ()) if not more.void for one in (more.high, more.low)))


def most(world: World, scale: str, high: bool) -> Found | None:
    """Which is the most, or the least, of all that are compared."""
    everyone = _scaled(world, scale)
    above = {one: _higher(world, scale, one) for one in everyone}
    for one in everyone:
        if high and all(one in above[other] for other in everyone if other is not one):
            return span([one], frozenset().union(*(above[other][one] for other in everyone if other is not one)))
        if not high and len(above[one]) == len(everyone) - 1:
            return span([one], frozenset().union(*above[one].values()))
    return None


# ---- beside and beyond


def _steps(world: World, relation: str, other: Entity) -> Iterator[tuple[Entity, int]]:
    """What is in a relation to something, by one statement."""
    for beside in world.beside:
        if beside.third is not None or beside.void:
            continue
        if beside.relation == relation and beside.other is other:
            yield beside.one, beside.statement
        elif (
            beside.relation == OPPOSITE.get(relation) or (beside.relation == relation and relation in MUTUAL)
        ) and beside.one is other:
            yield beside.other, beside.statement


def beside(world: World, relation: str, other: Entity) -> Found | None:
    """What is north of something, next to something."""
    found = list(_steps(world, relation, other))
    if not found:
        return untold("what")
    return span([one for one, _ in found], [number for _, number in found]) if len(found) == 1 else None


def of_what(world: World, one: Entity, relation: str) -> Found | None:
    """What something is north of."""
    return beside(world, OPPOSITE.get(relation, relation), one)


def is_beside(world: World, relation: str, one: Entity, other: Entity) -> Found | None:
    """Whether one is north of another, also by way of others."""
    for asked, answer in ((relation, "yes"), (OPPOSITE.get(relation, ""), "no")):
        seen = {other: frozenset[int]()}
        queue = deque([other])
        while queue and asked:
            at = queue.popleft()
            for beyond, number in _steps(world, asked, at):
                if beyond not in seen:
                    seen[beyond] = seen[at] | {number}
                    if relation not in MUTUAL:
                        queue.append(beyond)
        if one in seen and one is not other:
            return Found(answer, why=seen[one])
    return untold("whether") if not any({one, other} <= {b.one, b.other, b.third} for b in world.beside) else None


def path(world: World, start: Entity, goal: Entity) -> Found | None:
    """The directions from a place to another, where there is one shortest way."""
    ways: dict[Entity, list[tuple[tuple[str, ...], frozenset[int]]]] = {start: [((), frozenset())]}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        for relation, word in COMPASS.items():
            for beyond, number in _steps(world, relation, at):
                for steps, why in list(ways[at]):
                    longer = ((*steps, word), why | {number})
                    known = ways.setdefault(beyond, [])
                    if not known:
                        queue.append(beyond)
                    if not known or (len(known[0][0]) == len(longer[0]) and longer not in known):
                        known.append(longer)
    found = ways.get(goal, [])
    if len(found) == 1 and found[0][0]:
        return Found("path", path=found[0][0], why=found[0][1])
    return untold("how") if not found else None


def where_beside(world: World, one: Entity) -> Found | None:
    """What something is said to be beside, where one statement says so."""
    said: list[Beside] = [record for record in world.beside if record.one is one and record.third is None]
    return span([said[0].other], [said[0].statement]) if len(said) == 1 else None


# ---- kin

RELATED: dict[str, tuple[str, ...]] = {name: tuple(steps) for name, steps in WORDS["related"].items()}
KIN_WORDS: dict[str, tuple[str, ...]] = {name: tuple(words) for name, words in WORDS["kin"].items()}  # woman, man


def _relatives(world: World, step: str, person: Entity) -> Iterator[tuple[Entity, int]]:
    for kin in world.kin:
        if kin.void:
            continue
        if step == "p" and kin.relation == "parent" and kin.other is person:
            yield kin.one, kin.statement
        elif step == "c" and kin.relation == "parent" and kin.one is person:
            yield kin.other, kin.statement
        elif (step == "s" and kin.relation == "sibling" and person in (kin.one, kin.other)) or (
            step == "m" and kin.relation == "spouse" and person in (kin.one, kin.other)
        ):
            yield (kin.other if kin.one is person else kin.one), kin.statement


def related(world: World, relation: str, person: Entity) -> dict[Entity, frozenset[int]]:
    """Everybody in a relation to a person, with the statements that say so."""
    found: dict[Entity, frozenset[int]] = {}
    for steps in RELATED[relation]:
        ends: dict[Entity, frozenset[int]] = {person: frozenset()}
        for step in steps:
            ends = {other: why | {number} for one, why in ends.items() for other, number in _relatives(world, step, one)}
        for one, why in ends.items():
            if one is not person:
                found.setdefault(one, why)
    return found


def kin(world: World, relation: str, gender: str, person: Entity) -> Found | None:
    """Who is somebody's grandmother."""
    found = {one: why for one, why in related(world, relation, person).items() if one.gender == gender or relation == "cousin"}
    return span(found, frozenset().union(*found.values())) if found else untold("who")


def is_kin(world: World, relation: str, gender: str, one: Entity, person: Entity) -> Found | None:
    """Whether one is somebody's grandmother."""
    found = related(world, relation, person)
    if one in found:
        return Found("yes" if one.gender == gender else "no", why=found[one])
    for other in RELATED:
        there = related(world, other, person)
        if one in there:
            return Found("no", why=there[one])
    return untold("whether")

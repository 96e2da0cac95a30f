"""What records say, by scanning them: deeds, facts, scales, layouts, kin by definition over all people, counts and rules."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from memnet.tasks.text.tokens import join
from memnet.tasks.world.entities import Entity
from memnet.tasks.world.records import Being, Beside, Count, Deed, Kin, More, Record, Rule

SETS = {
    "break": ("working", "broken"),
    "repair": ("working", "fixed"),
    "open": ("open", "open"),
    "close": ("open", "closed"),
    "switch_on": ("on", "on"),
}
SETS |= {
    "switch_off": ("on", "off"),
    "clean": ("clean", "clean"),
    "dirty": ("clean", "dirty"),
    "fill": ("full", "full"),
    "empty": ("full", "empty"),
}


def each(entity: Entity | None) -> list[Entity]:
    return [] if entity is None else list(entity.members) or [entity]


def text(entity: Entity) -> str:
    return join(entity.words)


class Scanned:
    """Answers are those of :class:`~tests.world.oracle.Replay`."""

    def __init__(self, records: Iterable[Record]):
        self.records = [record for record in records if not record.void]

    # ---- deeds

    def fits(self, deed: Deed, given: dict[str, Entity]) -> bool:
        for role, entity in given.items():
            told = deed.roles.get(role)
            if told is None:
                return False
            alike = told is entity or (
                told.kind == entity.kind and told.kind not in ("person", "thing", "container") and text(told) == text(entity)
            )
            if not alike and not set(each(entity)) <= set(each(told)):
                return False
        return True

    def deed(self, sense: str, given: dict[str, Entity], asked: str, mode: str, future: bool) -> Any:
        found = set()
        for record in self.records:
            if (
                (
                    isinstance(record, Deed)
                    and record.sense == sense
                    and record.mode == "nobody"
                    and asked not in record.roles
                    and self.fits(record, given)
                )
                and mode == ""
                and asked in ("agent", "maker", "breaker")
            ):
                return "nothing"
            if (
                (
                    isinstance(record, Deed)
                    and record.sense == sense
                    and record.mode == mode
                    and (record.tense in ("future", "going")) == future
                )
                and self.fits(record, given)
                and asked in record.roles
            ):
                found |= {text(one) for one in each(record.roles[asked])}
        return found or "untold"

    def did(self, sense: str, given: dict[str, Entity], subject: str, ahead: bool) -> Any:
        deeds = [record for record in self.records if isinstance(record, Deed) and record.sense == sense]
        other = {role: entity for role, entity in given.items() if role != subject}
        if any(record.mode == "nobody" and self.fits(record, other) for record in deeds):
            return "no"
        fitting = [record for record in deeds if self.fits(record, given)]
        modes = {record.mode or ("future" if record.tense in ("future", "going") else "so") for record in fitting}
        if ahead:
            return "yes" if "future" in modes else "maybe" if modes & {"maybe", "condition"} else "untold"
        if "so" in modes:
            return "yes"
        if modes:
            return "no" if modes <= {"not", "nearly"} else "maybe" if modes == {"perhaps"} else "untold"
        rest = {role: entity for role, entity in given.items() if role != subject}
        return "no" if any(not record.mode and self.fits(record, rest) for record in deeds) else "untold"

    # ---- facts

    def values(self, relation: str, subject: Entity, one: bool) -> list[Entity]:
        found: list[Entity] = []
        for record in self.records:
            if isinstance(record, Deed) and not record.mode and subject is record.roles.get("theme"):
                if SETS.get(record.sense, ("", ""))[0] == relation:
                    found = [Entity("value", [SETS[record.sense][1]])]
                elif record.sense == "colour" and relation == "colour":
                    found = [record.roles["colour"]]
            if isinstance(record, Being) and record.relation == relation and subject in each(record.subject):
                rest = (
                    []
                    if one and record.positive
                    else [value for value in found if value is not record.value and text(value) != text(record.value)]
                )
                found = [*rest, record.value] if record.positive else rest
        return found

    def beings(self, relation: str, subject: Entity | None = None) -> list[Being]:
        return [
            record
            for record in self.records
            if isinstance(record, Being)
            and record.relation == relation
            and (subject is None or subject in each(record.subject))
        ]

    def fact_value(self, relation: str, settings: dict[str, Any], subject: Entity, positive: bool) -> Any:
        if relation in ("neighbour_of", "knows"):
            return None
        if not positive:
            return {text(record.value) for record in self.beings(relation, subject) if not record.positive} or "untold"
        return {text(value) for value in self.values(relation, subject, settings.get("one", False))} or "untold"

    def fact_who(self, relation: str, settings: dict[str, Any], value: Entity, positive: bool) -> Any:
        if relation in ("neighbour_of", "knows"):
            return None
        subjects = {one for record in self.beings(relation) for one in each(record.subject)}
        subjects |= {
            record.roles["theme"]
            for record in self.records
            if isinstance(record, Deed) and not record.mode and "theme" in record.roles
        }
        found = set()
        for subject in subjects:
            if positive:
                so = self.values(relation, subject, settings.get("one", False))
            else:
                so = [record.value for record in self.beings(relation, subject) if not record.positive]
            if any(one is value or (value.kind not in ("person", "thing") and text(one) == text(value)) for one in so):
                found.add(subject)
        return found or "untold"

    def fact_is(self, relation: str, settings: dict[str, Any], subject: Entity, value: Entity) -> Any:
        if relation in ("neighbour_of", "knows"):
            return None
        so = {text(one) for one in self.values(relation, subject, settings.get("one", False))}
        if text(value) in so:
            return "yes"
        said = [record for record in self.beings(relation, subject) if text(record.value) == text(value)]
        if (said and not said[-1].positive) or (so and settings.get("one")):
            return "no"
        if settings.get("poles") and any(not record.positive for record in self.beings(relation, subject)):
            return "yes"
        return "untold"

    # ---- scales, layouts, kin, counts, rules

    def above(self, scale: str) -> set[tuple[Entity, Entity]]:
        pairs = {(record.high, record.low) for record in self.records if isinstance(record, More) and record.scale == scale}
        while True:
            longer = pairs | {(a, d) for (a, b), (c, d) in product(pairs, pairs) if b is c}
            if longer == pairs:
                return pairs
            pairs = longer

    def is_more(self, scale: str, one: Entity, other: Entity) -> Any:
        pairs = self.above(scale)
        return "yes" if (one, other) in pairs else "no" if (other, one) in pairs else "untold"

    def which_more(self, scale: str, one: Entity, other: Entity, high: bool) -> Any:
        answer = self.is_more(scale, one, other)
        return answer if answer == "untold" else {one if (answer == "yes") == high else other}

    def more_than(self, scale: str, one: Entity, high: bool) -> Any:
        pairs = self.above(scale)
        return ({a for a, b in pairs if b is one} if high else {b for a, b in pairs if a is one}) or "untold"

    def most(self, scale: str, high: bool) -> Any:
        pairs = self.above(scale)
        everyone = {one for pair in pairs for one in pair}
        ends = {one for one in everyone if all(((one, other) if high else (other, one)) in pairs for other in everyone - {one})}
        return ends or None

    def beside(self, relation: str, other: Entity) -> Any:
        back = {
            "north of": "south of",
            "east of": "west of",
            "to the left of": "to the right of",
            "above": "below",
            "in front of": "behind",
        }
        back |= {"on the left of": "on the right of", "over": "under"}
        back |= {b: a for a, b in back.items()}
        found = set()
        for record in self.records:
            if isinstance(record, Beside) and record.third is None:
                if record.relation == relation and record.other is other:
                    found.add(record.one)
                if record.one is other and (
                    record.relation == back.get(relation) or (relation not in back and record.relation == relation)
                ):
                    found.add(record.other)
        return found or "untold"

    def is_beside(self, relation: str, one: Entity, other: Entity) -> Any:
        if relation in ("next to", "near", "opposite", "beside", "close to"):
            beside = self.beside(relation, other)
            return "yes" if beside != "untold" and one in beside else "untold"
        everything = {thing for record in self.records if isinstance(record, Beside) for thing in (record.one, record.other)}
        pairs = {
            (thing, base)
            for base in everything
            for found in [self.beside(relation, base)]
            if found != "untold"
            for thing in found
        }
        while True:
            longer = pairs | {(a, d) for (a, b), (c, d) in product(pairs, pairs) if b is c}
            if longer == pairs:
                break
            pairs = longer
        return "yes" if (one, other) in pairs else "no" if (other, one) in pairs else "untold"

    def kin_of(self, relation: str, person: Entity) -> set[Entity]:
        kin = [record for record in self.records if isinstance(record, Kin)]
        people = {one for record in kin for one in (record.one, record.other)}
        parent = {
            (a, b)
            for a, b in product(people, people)
            if any(r.relation == "parent" and r.one is a and r.other is b for r in kin)
        }

        def both(name: str) -> set[tuple[Entity, Entity]]:
            pairs = {(r.one, r.other) for r in kin if r.relation == name}
            return pairs | {(b, a) for a, b in pairs}

        spouse, said = both("spouse"), both("sibling")

        def join(first: set[tuple[Entity, Entity]], second: set[tuple[Entity, Entity]]) -> set[tuple[Entity, Entity]]:
            return {(a, d) for a, b in first for c, d in second if b is c}

        child = {(b, a) for a, b in parent}
        table = {  # (who, of whom)
            "parent": parent,
            "child": child,
            "sibling": said | join(child, parent),
            "spouse": spouse,
            "grandparent": join(parent, parent),
            "grandchild": join(child, child),
            "uncle": join(said, parent),
            "nephew": join(child, said),
            "in-law": join(parent, spouse),
            "cousin": join(join(child, said), parent),
            "sibling-in-law": join(said, spouse) | join(spouse, said),
        }
        return {a for a, b in table[relation] if b is person and a is not person}

    def kin(self, relation: str, gender: str, person: Entity) -> Any:
        return {one for one in self.kin_of(relation, person) if one.gender == gender or relation == "cousin"} or "untold"

    def is_kin(self, relation: str, gender: str, one: Entity, person: Entity) -> Any:
        if one in self.kin_of(relation, person):
            return "yes" if one.gender == gender else "no"
        others = (
            "parent",
            "child",
            "sibling",
            "spouse",
            "grandparent",
            "grandchild",
            "uncle",
            "nephew",
            "in-law",
            "cousin",
            "sibling-in-law",
        )
        return "no" if any(one in self.kin_of(other, person) for other in others) else "untold"

    def count_have(self, owner: Entity, noun: Entity) -> Any:
        total = None
        for record in self.records:
            if isinstance(record, Count) and record.noun.head == noun.head:
                if record.owner is owner:
                    total = (
                        record.number
                        if not record.change
                        else None
                        if total is None
                        else total + (record.number if record.change == "+" else -record.number)
                    )
                elif record.other is owner and owner.kind == "person" and total is not None:
                    total += record.number if record.change == "-" else -record.number
        return total

    def rule_is(self, creature: Entity, relation: str, value: Entity) -> Any:
        found = self.rule(creature, relation)
        return found if found == "untold" else "yes" if text(value) in found else "no"

    def rule(self, creature: Entity, relation: str) -> Any:
        kinds = self.values("kind_of", creature, True)
        colours = self.values("colour", creature, True)
        if relation == "coloured" and colours:
            return {text(colours[0])}
        found = {
            text(record.value)
            for record in self.records
            if isinstance(record, Rule) and record.relation == relation and kinds and record.kind.head == kinds[0].head
        }
        if found or relation != "coloured":
            return found or "untold"
        others = {one for record in self.beings("kind_of") for one in each(record.subject)}
        alike = {
            text(self.values("colour", one, True)[0])
            for one in others
            if self.values("kind_of", one, True)[0].head == kinds[0].head and self.values("colour", one, True)
        }
        return alike or "untold"

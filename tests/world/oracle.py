"""A second, slow reading of what statements say: replays the records of a story and answers its questions by brute force.

Nothing of it is shared with the world's own state: places are components of a graph of stays, kin is by definition over
all people, scales by the closure of all pairs, deeds and facts by scanning.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from memnet.tasks.text.tokens import join
from memnet.tasks.world.entities import Entity
from memnet.tasks.world.records import At, Being, Beside, Count, Deed, Has, Kin, More, Nobody, Record, Rule

UNSURE = "unsure"
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
FAR = {"send", "lend", "return", "sell", "buy"}


def each(entity: Entity | None) -> list[Entity]:
    return [] if entity is None else list(entity.members) or [entity]


def text(entity: Entity) -> str:
    return join(entity.words)


class Replay:
    """Stays are numbers; ``ties`` says which are one place; ``said`` what is said of each."""

    def __init__(self, records: Iterable[Record]):
        self.stays = 0
        self.ties: list[tuple[int, int]] = []
        self.said: dict[int, list[tuple[str, Any]]] = {}
        self.at: dict[Entity, int] = {}
        self.first: dict[Entity, int] = {}
        self.thing: dict[Entity, tuple[str, Any, bool]] = {}
        self.lost: dict[Entity, set[Entity]] = {}
        self.past: dict[Entity, list[Any]] = {}
        self.touched: set[Entity] = set()
        self.maybe: dict[Entity, tuple[Entity, ...]] = {}
        self.lacks: dict[Entity, set[Entity]] = {}
        self.out: dict[Entity, set[Entity]] = {}
        self.records = [record for record in records if not record.void]
        for record in self.records:
            self.replay(record)

    # ---- stays

    def stay(self, *said: tuple[str, Any]) -> int:
        self.stays += 1
        self.said[self.stays] = list(said)
        return self.stays

    def of(self, person: Entity) -> int:
        if person not in self.at:
            self.at[person] = self.first[person] = self.stay()
        return self.at[person]

    def component(self, stay: int) -> set[int]:
        found, new = set(), {stay}
        while new:
            found |= new
            new = {b for a, b in self.ties if a in found} | {a for a, b in self.ties if b in found}
            new -= found
        return found

    def known(self, stay: int) -> tuple[Entity | str | None, set[Entity], tuple[Entity, ...]]:
        """The place of a stay, where it is not, and between which it is left open."""
        place: Entity | str | None = None
        never: set[Entity] = set()
        options: tuple[Entity, ...] = ()
        for one in self.component(stay):
            for what, value in self.said[one]:
                if what == "place":
                    place = value if place != UNSURE else place
                elif what == "unsure":
                    place = UNSURE
                elif what == "never":
                    never.add(value)
                else:
                    options = value
        left = tuple(one for one in options if one not in never)
        if place is None and len(left) == 1:
            place = left[0]
        return place, never, () if place is not None else left

    def end(self, entity: Entity) -> int:
        seen = set()
        while entity.kind != "person":
            how = self.thing.get(entity)
            if how is None or how[0] == "gone" or entity in seen:
                return self.stay()
            seen.add(entity)
            if how[0] == "at":
                return how[1]
            if how[0] == "held" and not how[2]:
                return self.stay(("unsure", True))
            entity = how[1]
        return self.of(entity)

    def may_meet(self, one: int, other: int) -> bool:
        if other in self.component(one):
            return True
        (a, never_a, options_a), (b, never_b, options_b) = self.known(one), self.known(other)
        if UNSURE in (a, b) or (options_a and options_b):
            return False
        if b is not None and (b in never_a or (options_a and b not in options_a)):
            return False
        if a is not None and (a in never_b or (options_b and a not in options_b)):
            return False
        return a is None or b is None or a is b

    def meet(self, one: Entity, other: Entity) -> None:
        first, second = self.end(one), self.end(other)
        if self.may_meet(first, second):
            self.ties.append((first, second))
        else:
            for entity in (one, other):
                if entity.kind == "person":
                    self.at[entity] = self.stay(("unsure", True))

    def travel(self, person: Entity, *said: tuple[str, Any]) -> None:
        self.at[person] = self.stay(*said)
        self.past.setdefault(person, []).append(self.at[person])
        for thing, how in self.thing.items():
            if how[0] == "held" and how[1] is person and how[2]:
                self.past.setdefault(thing, []).append(self.at[person])

    def own(self, person: Entity, thing: Entity, carried: bool) -> None:
        before = self.thing.get(thing)
        if before is not None and before[0] == "held":
            self.touched.add(before[1])
        self.thing.pop(thing, None)
        self.thing[thing] = ("held", person, carried)
        self.touched.add(person)
        self.lost.setdefault(thing, set()).add(person)
        for kept in (self.maybe, self.lacks, self.out):
            kept.pop(thing, None)

    def lay(self, thing: Entity, place: Entity) -> None:
        before = self.thing.pop(thing, None)
        if before is not None and before[0] == "held":
            self.touched.add(before[1])
        for kept in (self.maybe, self.lacks, self.out):
            kept.pop(thing, None)
        if place.kind == "place":
            self.thing[thing] = ("at", self.stay(("place", place)), True)
        else:
            self.thing[thing] = ("in", place, True)

    def shift(self, person: Entity, place: Entity) -> None:
        here = self.known(self.of(person))[0]
        if here is not None and here is not place:
            self.at[person] = self.stay(("unsure", True))

    # ---- records

    def replay(self, record: Record) -> None:
        if isinstance(record, At) and record.rank is None:
            for subject in each(record.subject):
                self.replay_at(subject, record)
        elif isinstance(record, Has):
            self.replay_has(record)
        elif isinstance(record, Deed) and not record.mode and record.tense not in ("future", "going"):
            self.replay_deed(record)

    def replay_at(self, subject: Entity, record: At) -> None:
        place = record.place
        if record.options:
            self.travel(subject, ("options", record.options))
        elif subject.kind != "person":
            assert place is not None
            how = self.thing.get(subject)
            if record.positive:
                self.lay(subject, place)
                return
            self.out.setdefault(subject, set()).add(place)
            if how is not None and (how[1] is place or (how[0] == "at" and self.known(how[1])[0] is place)):
                del self.thing[subject]
        else:
            here, never, options = self.known(self.of(subject))
            if record.positive:
                if here is place:
                    return
                if here is None and place not in never and (not options or place in options):
                    self.said[self.of(subject)].append(("place", place))
                else:
                    self.travel(subject, ("place", place))
            elif here is place:
                self.travel(subject, ("never", place))
            else:
                self.said[self.of(subject)].append(("never", place))

    def replay_has(self, record: Has) -> None:
        how = self.thing.get(record.theme)
        if record.options:
            self.maybe[record.theme] = record.options
            self.thing.pop(record.theme, None)
        elif record.positive:
            assert record.holder is not None
            self.own(record.holder, record.theme, record.carried)
        else:
            assert record.holder is not None
            if how is not None and how[0] == "held" and how[1] is record.holder:
                del self.thing[record.theme]
            options = self.maybe.get(record.theme, ())
            self.lacks.setdefault(record.theme, set()).add(record.holder)
            if record.holder in options:
                self.own(next(one for one in options if one is not record.holder), record.theme, True)

    def replay_deed(self, deed: Deed) -> None:
        roles = deed.roles
        movers = [*each(roles.get("mover")), *each(roles.get("company"))]
        if deed.sense == "go":
            for mover in movers:
                self.travel(mover, ("place", roles["place"]))
        elif deed.sense == "leave":
            for mover in movers:
                self.travel(mover, ("never", roles["source"]))
        elif deed.sense == "take":
            for thing in each(roles["theme"]):
                self.meet(roles["taker"], thing)
                self.own(roles["taker"], thing, True)
        elif deed.sense == "drop":
            for thing in each(roles["theme"]):
                self.touched.add(roles["holder"])
                self.thing[thing] = ("at", self.of(roles["holder"]), True)
        elif deed.sense in ("put", "find", "lose", "forget"):
            place = roles.get("location") or roles["spot"]
            for thing in each(roles["theme"]):
                self.lay(thing, place)
            if deed.sense == "put" and place.kind == "place":
                self.shift_all(roles["putter"], place)
        elif deed.sense in ("move", "carry"):
            for thing in each(roles["theme"]):
                self.lay(thing, roles["place"])
            self.shift_all(roles["mover"], roles["place"])
            if deed.sense == "carry":
                for mover in movers:
                    self.replay_at(mover, At(mover, roles["place"]))
        elif deed.sense == "give":
            self.give(deed)
        elif deed.sense in FAR:
            for thing in each(roles["theme"]):
                if "giver" in roles:
                    self.lost.setdefault(thing, set()).add(roles["giver"])
                self.own(roles["receiver"], thing, False)
        elif deed.sense == "steal":
            if "taker" in roles:
                self.own(roles["taker"], roles["theme"], False)
            else:
                self.thing.pop(roles["theme"], None)
        elif deed.sense == "swap":
            self.lost.setdefault(roles["theme"], set()).add(roles["giver"])
            self.thing.pop(roles["theme"], None)
            self.lacks.setdefault(roles["theme"], set()).add(roles["giver"])
            self.own(roles["giver"], roles["other"], False)
        elif deed.sense in ("eat", "drink"):
            self.thing[roles["theme"]] = ("gone", None, False)

    def shift_all(self, people: Entity, place: Entity) -> None:
        if not people.members:
            self.shift(people, place)

    def give(self, deed: Deed) -> None:
        giver, receiver = deed.roles.get("giver"), deed.roles["receiver"]
        for thing in each(deed.roles["theme"]):
            if giver is not None:
                self.meet(giver, receiver)
                how = self.thing.get(thing)
                if how is None or how[1] is not giver:
                    self.meet(giver, thing)
                    self.own(giver, thing, True)
            self.touched.update(each(giver))
            self.meet(receiver, thing)
            self.own(receiver, thing, True)

    # ---- answers: sets of names, "yes", "no", "maybe", a number, or "untold"; None where it is not sure

    def where(self, entity: Entity) -> Any:
        how = self.thing.get(entity)
        if entity.kind != "person" and how is None:
            return "untold"
        if how is not None and how[0] == "gone":
            return None
        if how is not None and how[0] == "in":
            return {how[1]}
        place, never, options = self.known(
            self.of(how[1]) if how is not None and how[0] == "held" else how[1] if how is not None else self.of(entity)
        )
        if how is not None and how[0] == "held" and (not how[2] or (place is None and not never and not options)):
            return {how[1]}
        return None if place == UNSURE or options else {place} if place is not None else "untold"

    def which_place(self, entity: Entity) -> Any:
        place = self.known(self.end(entity))[0]
        return None if place in (UNSURE, None) else {place}

    def where_before(self, entity: Entity, place: Entity | None) -> Any:
        visits = [
            record for record in self.records if isinstance(record, At) and record.rank is not None and record.subject is entity
        ]
        stops: list[Any] = [record.place for record in sorted(visits, key=lambda record: record.rank or 0)]
        if not visits:
            if entity.kind != "person":
                return None
            stops = [self.known(stay)[0] for stay in self.past.get(entity, ())]
            first = self.known(self.first[entity])[0] if entity in self.first else None
            stops = (
                [first, *stops] if first is not None and (not stops or self.past[entity][0] != self.first[entity]) else stops
            )
            stops = [stop for number, stop in enumerate(stops) if number == 0 or stops[number - 1] is not stop]
        last = (
            max((number for number, stop in enumerate(stops) if stop is place), default=-1)
            if place is not None
            else len(stops) - 1
        )
        return {stops[last - 1]} if last > 0 and isinstance(stops[last - 1], Entity) else None

    def is_in(self, entity: Entity, place: Entity) -> Any:
        if place in self.out.get(entity, ()) and entity not in self.thing:
            return "no"
        around: list[Entity] = []
        at: Entity = entity
        while at.kind != "person" and at in self.thing and self.thing[at][0] in ("in", "held"):
            at = self.thing[at][1]
            around.append(at)
        if place in around:
            return "yes"
        if at.kind != "person" and (at not in self.thing or self.thing[at][0] == "gone"):
            return "no" if around and place.kind == "container" else "untold"
        here, never, options = self.known(self.end(entity))
        if here == UNSURE:
            return None
        if here is place:
            return "yes"
        if here is not None or place in never or (place.kind == "container" and around):
            return "no"
        if options:
            return "maybe" if place in options else "no"
        return "untold"

    def who_in(self, place: Entity) -> Any:
        found = {person for person in self.at if self.known(self.at[person])[0] is place}
        empty = any(isinstance(record, Nobody) and record.place is place for record in self.records)
        return found or ("nothing" if empty else "untold")

    def anybody(self, place: Entity) -> Any:
        found = self.who_in(place)
        return found if found == "untold" else "no" if found == "nothing" else "yes"

    def people_in(self, place: Entity) -> Any:
        found = self.who_in(place)
        return found if found == "untold" else 0 if found == "nothing" else len(found)

    def who_with(self, person: Entity) -> Any:
        return self.who_in(self.known(self.of(person))[0]) - {person}

    def together(self, one: Entity, other: Entity) -> Any:
        if self.of(other) in self.component(self.of(one)):
            return "yes"
        here, there = self.known(self.of(one))[0], self.known(self.of(other))[0]
        return "untold" if here is None and there is None else "yes" if here is there else "no"

    def both_in(self, one: Entity, other: Entity, place: Entity) -> Any:
        answers = {self.is_in(one, place), self.is_in(other, place)}
        return "yes" if answers == {"yes"} else "no"

    def what_in(self, container: Entity) -> Any:
        return {thing for thing, how in self.thing.items() if how[0] == "in" and how[1] is container} or "untold"

    def who_has(self, thing: Entity) -> Any:
        how = self.thing.get(thing)
        return {how[1]} if how is not None and how[0] == "held" else "untold"

    def does_have(self, person: Entity, thing: Entity) -> Any:
        if thing in self.maybe:
            return "maybe" if person in self.maybe[thing] else "no"
        if person in self.lacks.get(thing, ()):
            return "no"
        how = self.thing.get(thing)
        if how is None:
            return "untold"
        return "yes" if how[0] == "held" and how[1] is person else "no"

    def list_carried(self, person: Entity) -> Any:
        if person not in self.touched:
            return None
        return {thing for thing, how in self.thing.items() if how[0] == "held" and how[1] is person} or "nothing"

    def count_carried(self, person: Entity) -> Any:
        found = self.list_carried(person)
        return 0 if found == "nothing" else None if found is None else len(found)

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
        own = self.values("colour", creature, True)
        if relation == "coloured" and own:
            return {text(own[0])}
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

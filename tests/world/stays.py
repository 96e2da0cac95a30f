"""Where people and things are as the records of a story are replayed: places are components of a graph of stays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memnet.tasks.world.entities import Entity
from memnet.tasks.world.records import At, Deed, Has, Record
from tests.world.scanned import each

UNSURE = "unsure"
FAR = {"send", "lend", "return", "sell", "buy"}


class Stays:
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
        for record in records:
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

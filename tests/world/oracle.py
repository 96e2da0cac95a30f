"""A second, slow reading of what statements say: replays the records of a story and answers its questions by brute force.

Nothing of it is shared with the world's own state: places are components of a graph of stays, kin is by definition over
all people, scales by the closure of all pairs, deeds and facts by scanning.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memnet.tasks.world.entities import Entity
from memnet.tasks.world.records import At, Nobody, Record
from tests.world.scanned import Scanned
from tests.world.stays import UNSURE, Stays


class Replay(Stays, Scanned):
    """Answers are sets of names, "yes", "no", "maybe", a number, or "untold"; None where it is not sure."""

    def __init__(self, records: Iterable[Record]):
        Scanned.__init__(self, records)
        Stays.__init__(self, self.records)

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

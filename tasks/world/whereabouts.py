"""Where people and things are, as far as a story lets one conclude, and which statements say so.

    Fred moved to the kitchen. Fred put down the milk. John got the milk.   ->   John is in the kitchen.

A stay of somebody somewhere is a ``Spot``, whose place may be unknown yet. Who takes a thing that lies somewhere, or hands it
over, is where it is: the two spots are one from then on (union-find), and what is learned of one is known of the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .entities import Entity


class Spot:
    """A place where somebody or something stays for a while."""

    __slots__ = ("never", "options", "parent", "place", "unsure", "why")

    def __init__(self, place: Entity | None = None, why: frozenset[int] = frozenset()):
        self.place = place
        self.options: tuple[Entity, ...] = ()
        self.never: tuple[Entity, ...] = ()
        self.why = why
        self.unsure = False  # what the story says of it does not fit together: not asked about
        self.parent: Spot | None = None

    def root(self) -> Spot:
        """The spot that this one turned out to be."""
        spot = self
        while spot.parent is not None:
            spot = spot.parent
        return spot


@dataclass(slots=True)
class Position:
    """How a thing is where it is: held by somebody, in a container, or at a spot; or it is gone (eaten)."""

    how: str  # held, in, at, gone
    by: Entity | None = None
    spot: Spot | None = None
    carried: bool = True
    why: frozenset[int] = frozenset()


@dataclass(slots=True)
class Whereabouts:
    """Everybody's spot, every thing's position, and the places where each has been, in order."""

    spots: dict[Entity, Spot] = field(default_factory=dict)
    positions: dict[Entity, Position] = field(default_factory=dict)
    trails: dict[Entity, list[tuple[Spot | Entity, frozenset[int]]]] = field(default_factory=dict)
    handled: dict[Entity, list[int]] = field(default_factory=dict)  # statements in which somebody took, got or lost a thing
    held_once: set[tuple[Entity, Entity]] = field(default_factory=set)

    # ---- what is known

    def spot(self, person: Entity) -> Spot:
        """Where somebody is; unknown at first."""
        if person not in self.spots:
            self.spots[person] = Spot()
        return self.spots[person].root()

    def top(self, entity: Entity) -> tuple[Spot, frozenset[int]]:
        """The spot where a thing is in the end, through containers and who carries it, and the statements on the way."""
        why: frozenset[int] = frozenset()
        seen = set()
        while entity.kind != "person":
            position = self.positions.get(entity)
            if position is None or position.how == "gone" or entity in seen:
                return Spot(), why
            seen.add(entity)
            why |= position.why
            if position.how == "at":
                assert position.spot is not None
                return position.spot.root(), why
            if position.how == "held" and not position.carried:
                spot = Spot()
                spot.unsure = True
                return spot, why
            assert position.by is not None
            entity = position.by
        return self.spot(entity), why

    def held_by(self, person: Entity, carried_only: bool = False) -> list[Entity]:
        """What somebody has, in the order of getting it."""
        return [
            thing
            for thing, position in self.positions.items()
            if position.how == "held" and position.by is person and (position.carried or not carried_only)
        ]

    def is_held(self, thing: Entity) -> bool:
        """Whether somebody has it, or it is gone."""
        return thing in self.positions and self.positions[thing].how in ("held", "gone")

    def inside(self, container: Entity) -> list[Entity]:
        """What lies in a container."""
        return [thing for thing, position in self.positions.items() if position.how == "in" and position.by is container]

    def may_meet(self, one: Entity, other: Entity) -> bool:
        """Whether two can be in one place by what is known."""
        first, second = self.top(one)[0], self.top(other)[0]
        if first is second:
            return True
        if first.unsure or second.unsure:
            return False
        for spot, place in ((first, second.place), (second, first.place)):
            if place is not None and (place in spot.never or (spot.options and place not in spot.options)):
                return False
        if first.options and second.options:
            return False
        return first.place is None or second.place is None or first.place is second.place

    # ---- what happens

    def _went(self, entity: Entity, spot: Spot | Entity, why: frozenset[int]) -> None:
        self.trails.setdefault(entity, []).append((spot, why))

    def go(self, person: Entity, place: Entity | None, number: int, left: Entity | None = None) -> None:
        """Somebody goes to a place, or leaves one for nowhere that is told."""
        spot = Spot(place, frozenset({number}))
        if left is not None:
            spot.never = (left,)
        self.spots[person] = spot
        self._went(person, spot, frozenset({number}))
        for thing in self.held_by(person, carried_only=True):
            self._went(thing, spot, self.positions[thing].why | {number})

    def learn_place(self, entity: Entity, place: Entity, number: int) -> None:
        """Somebody is said to be in a place: a stay goes on, or there was a move that nobody told."""
        spot = self.spot(entity)
        if spot.place is place:
            return
        if spot.place is None and place not in spot.never and not spot.unsure and (not spot.options or place in spot.options):
            spot.place, spot.options, spot.why = place, (), spot.why | {number}
            if entity not in self.trails:
                self._went(entity, spot, frozenset({number}))
        else:
            self.go(entity, place, number)

    def learn_not(self, entity: Entity, place: Entity, number: int) -> None:
        """Somebody is said not to be in a place, or no longer."""
        spot = self.spot(entity)
        if spot.place is place:
            self.go(entity, None, number, left=place)
            return
        spot.never = (*spot.never, place)
        if spot.place is None:
            spot.why |= {number}
        if place in spot.options:
            spot.options = tuple(one for one in spot.options if one is not place)
            if len(spot.options) == 1:
                spot.place, spot.options = spot.options[0], ()

    def learn_options(self, entity: Entity, options: tuple[Entity, ...], number: int) -> None:
        """Somebody is in one of two places."""
        spot = Spot(None, frozenset({number}))
        spot.options = options
        self.spots[entity] = spot
        self._went(entity, spot, frozenset({number}))
        for thing in self.held_by(entity, carried_only=True):
            self._went(thing, spot, self.positions[thing].why | {number})

    def meet(self, one: Entity, other: Entity, number: int) -> None:
        """Two are in one place now: what is known of one place is known of both."""
        fits = self.may_meet(one, other)
        first, why_first = self.top(one)
        second, why_second = self.top(other)
        if first is second:
            return
        if not fits:
            for entity in (one, other):
                if entity.kind == "person":
                    self.spots[entity] = Spot()
                    self.spots[entity].unsure = True
            return
        known, unknown = (first, second) if first.place is not None else (second, first)
        if not (first.place is not None and second.place is not None):
            known.why |= unknown.why | why_first | why_second | {number}
        known.never = tuple(dict.fromkeys((*known.never, *unknown.never)))
        known.options = known.options or unknown.options
        if known.place is None and known.options:
            known.options = tuple(one for one in known.options if one not in known.never)
            if len(known.options) == 1:
                known.place, known.options = known.options[0], ()
        unknown.parent = known
        for entity in (one, other):  # a trail names the stay that was unknown until now
            if entity.kind == "person" and entity not in self.trails:
                self._went(entity, known, frozenset({number}))

    def take(self, person: Entity, thing: Entity, number: int, carried: bool = True, meeting: bool = True) -> None:
        """Somebody gets a thing."""
        if meeting:
            self.meet(person, thing, number)
        old = self.positions.get(thing)
        why = frozenset({number})
        if old is not None and old.how == "held" and old.by is not None:
            self.handled.setdefault(old.by, []).append(number)
        self.positions.pop(thing, None)
        self.positions[thing] = Position("held", person, None, carried, why)
        self.handled.setdefault(person, []).append(number)
        self.held_once.add((person, thing))
        if carried:
            spot = self.spot(person)
            if not self.trails.get(thing) or self.trails[thing][-1][0] is not spot:
                self._went(thing, spot, spot.why | why)

    def lay(
        self,
        thing: Entity,
        number: int,
        *,
        place: Entity | None = None,
        container: Entity | None = None,
        by: Entity | None = None,
    ) -> None:
        """A thing is put in a container, in a place, or where somebody is."""
        why = frozenset({number})
        old = self.positions.pop(thing, None)
        if old is not None and old.how == "held" and old.by is not None:
            self.handled.setdefault(old.by, []).append(number)
        if container is not None:
            self.positions[thing] = Position("in", container, None, True, why)
            self._went(thing, container, why)
        else:
            spot = Spot(place, why) if place is not None or by is None else self.spot(by)
            self.positions[thing] = Position("at", None, spot, True, why)
            if place is not None or by is None:
                self._went(thing, spot, why)

    def unsettle(self, person: Entity, place: Entity | None) -> None:
        """Somebody did something elsewhere than where they were said to be: where they are now is not asked."""
        spot = self.spot(person)
        if spot.place is not None and spot.place is not place:
            self.spots[person] = Spot()
            self.spots[person].unsure = True

"""Task 3, three supporting facts: where was an object before?

1 Mary got the milk.
2 Mary went to the kitchen.
3 Mary moved to the office.
4 Where was the milk before the office?         kitchen         1 3 2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import HOUSE, Asked, Clause, DialError, Dials, World

PAIRS = {2: (0.45, 0.55), 3: (0.2, 0.34, 0.46)}  # chance of each pair of visits, the oldest first
DIALS = frozenset({"people", "places", "objects", "statements", "facts", "path", "at_once"})


def story(draw: Random, dials: Dials) -> Story:
    """An object got or dropped lately, carried through two rooms or more while it was last held.

    With ``path`` it was carried through so many rooms before the one that the question names, at least.
    """
    cast = dials.cast(HOUSE)
    carried = 1 if dials.path is None else dials.path
    if not 1 <= carried <= 20:
        raise DialError(f"path must be 1 to 20 here, not {dials.path}")
    world = World(draw, cast, ["move"] * carried + ["get", "drop"], there=(0.2, 0.2))

    def ask(clause: Clause) -> Asked:
        if clause.kind == "move":
            return None
        last = next(c for c in world.back() if c.kind != "move" and c.thing == clause.thing)
        path: list[Clause] = []  # the carrier's moves, the newest first
        for other in world.back(last.statement if last.kind == "drop" else None):
            if other.kind == "move" and other.person == last.person:
                path.append(other)
            elif other.kind == "get" and other.thing == last.thing:
                break
        path.reverse()
        steps = (dials.facts or 3) - 2  # rooms back
        ends = range(max(steps, carried), len(path))
        if not ends:
            return None
        weights = PAIRS.get(len(ends), tuple(range(1, len(ends) + 1)))
        place = path[draw.choices(ends, weights)[0]].thing
        number = max(n for n in ends if path[n].thing == place)
        visits = path[number - steps : number + 1]  # the answer's first, the newest last
        befores = "".join(f" before the {visit.thing}" for visit in visits[1:])
        facts = [last.statement, *(visit.statement for visit in reversed(visits))]
        return f"Where was the {last.thing}{befores}? ", visits[0].thing, facts

    return world.story(ask, dials)

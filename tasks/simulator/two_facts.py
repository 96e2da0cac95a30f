"""Task 2, two supporting facts: where is an object that somebody carried?

1 Mary moved to the bathroom.
2 Mary got the milk there.
3 Mary went to the kitchen.
4 Where is the milk?    kitchen         2 3
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import HOUSE, Asked, Clause, Dials, World

DIALS = frozenset({"people", "places", "objects", "statements", "facts", "at_once"})


def story(draw: Random, dials: Dials) -> Story:
    """An object got or dropped lately is asked for, where the reader can know its place."""
    cast = dials.cast(HOUSE)
    world = World(draw, cast, ["move", "get", "drop"])

    def ask(clause: Clause) -> Asked:
        if clause.kind == "move":
            return None
        last = next(c for c in world.back() if c.kind != "move" and c.thing == clause.thing)
        move = world.last_move(last.person, last.statement if last.kind == "drop" else None)
        if move is None or (last.kind == "get" and move.statement < last.statement):
            return None
        return f"Where is the {last.thing}? ", move.thing, [last.statement, move.statement]

    return world.story(ask, dials)

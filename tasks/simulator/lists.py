"""Task 8, lists: what does somebody carry?

1 Mary got the milk there.
2 John moved to the bedroom.
3 What is Mary carrying?        milk    1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import HOUSE, Asked, Clause, Dials, World

DIALS = frozenset({"people", "places", "objects", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """Whoever got or dropped something lately; objects in the order in which they first came to hand."""
    cast = dials.cast(HOUSE)
    world = World(draw, cast, ["move", "get", "drop"])

    def ask(clause: Clause) -> Asked:
        if clause.kind == "move":
            return None
        dealings = world.dealings(clause.person)
        held = [thing for thing in dealings if thing in world.held[clause.person]]
        facts = [fact for group in dealings.values() for fact in group]
        return f"What is {clause.person} carrying? ", ",".join(held) or "nothing", facts

    return world.story(ask, dials)

"""Task 7, counting: how many objects does somebody carry?

1 Mary got the milk there.
2 John moved to the bedroom.
3 How many objects is Mary carrying?    one     1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from ..text.tokens import NUMBER_WORDS
from .world import HOUSE, Asked, Clause, Dials, World

NUMBERS = ("none", *NUMBER_WORDS[1:18])
DIALS = frozenset({"people", "places", "objects", "statements", "at_once"})


def story(draw: Random, dials: Dials) -> Story:
    """Whoever got, dropped or gave something lately; all their dealings are supporting facts."""
    cast = dials.cast(HOUSE, people=2)
    world = World(draw, cast, ["move", "get", "drop", "give"])

    def ask(clause: Clause) -> Asked:
        if clause.kind == "move":
            return None
        facts = sorted(fact for facts in world.dealings(clause.person).values() for fact in facts)
        return f"How many objects is {clause.person} carrying? ", NUMBERS[len(world.held[clause.person])], facts

    return world.story(ask, dials)

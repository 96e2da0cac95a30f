"""Task 1, a single supporting fact: where is somebody?

1 Mary moved to the bathroom.
2 John went to the hallway.
3 Where is Mary?        bathroom        1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import HOUSE, Asked, Clause, Dials, World

DIALS = frozenset({"people", "places", "statements", "facts"})


def story(draw: Random, dials: Dials) -> Story:
    """People move; whoever moved lately is asked for."""
    cast = dials.cast(HOUSE)
    world = World(draw, cast, ["move"])

    def ask(clause: Clause) -> Asked:
        move = world.last_move(clause.person)
        assert move is not None
        return f"Where is {move.person}? ", move.thing, [move.statement]

    return world.story(ask, dials)

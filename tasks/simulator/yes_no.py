"""Task 6, yes or no: is somebody somewhere?

1 Mary moved to the bathroom.
2 John went to the hallway.
3 Is Mary in the office?        no      1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import HOUSE, Asked, Clause, Dials, World

DIALS = frozenset({"people", "places", "objects", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """Whoever moved lately is asked for, in the right place or in another."""
    cast = dials.cast(HOUSE)
    world = World(draw, cast, ["move", "get", "drop"])

    def ask(clause: Clause) -> Asked:
        if clause.kind != "move":
            return None
        move = world.last_move(clause.person)
        assert move is not None
        yes = draw.random() < 0.5
        place = move.thing if yes else draw.choice([room for room in cast.places if room != move.thing])
        return f"Is {move.person} in the {place}? ", "yes" if yes else "no", [move.statement]

    return world.story(ask, dials)

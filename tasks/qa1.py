"""Task 1, a single supporting fact: where is somebody?

1 Mary moved to the bathroom.
2 John went to the hallway.
3 Where is Mary?        bathroom        1
"""

from __future__ import annotations

from random import Random

from memnet.tasks.text import Story
from memnet.tasks.world import HOUSE, Clause, World


def story(draw: Random) -> Story:
    """People move; whoever moved lately is asked for."""
    world = World(draw, HOUSE, ["move"])

    def ask(clause: Clause) -> bool:
        move = world.last_move(clause.person)
        assert move is not None
        world.teller.ask(f"Where is {move.person}? ", move.thing, [move.statement])
        return True

    return world.story(ask)

"""Task 5, three-argument relations: who gave what to whom?

1 Fred picked up the football there.
2 Fred gave the football to Jeff.
3 What did Fred give to Jeff?   football        2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import GIVERS, Asked, Clause, Dials, World

DIALS = frozenset({"people", "places", "objects", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """The latest giving of an object that was given lately."""
    cast = dials.cast(GIVERS, people=2)
    world = World(draw, cast, ["move", "get", "drop", "give"])

    def ask(clause: Clause) -> Asked:
        if clause.kind != "give":
            return None
        give = next(c for c in world.back() if c.kind == "give" and c.thing == clause.thing)
        giver, thing, receiver = give.person, give.thing, give.receiver
        text, answer = draw.choice(
            [
                [(f"What did {giver} give to {receiver}? ", thing)],
                [(f"Who gave the {thing}? ", giver), (f"Who gave the {thing} to {receiver}? ", giver)],
                [(f"Who received the {thing}? ", receiver), (f"Who did {giver} give the {thing} to? ", receiver)],
            ][draw.randrange(3)]
        )
        return text, answer, [give.statement]

    return world.story(ask, dials)

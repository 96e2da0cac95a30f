"""Task 3, three supporting facts: where was an object before?

1 Mary got the milk.
2 Mary went to the kitchen.
3 Mary moved to the office.
4 Where was the milk before the office?         kitchen         1 3 2
"""

from __future__ import annotations

from random import Random

from memnet.tasks.text import Story
from memnet.tasks.world import HOUSE, Clause, World

PAIRS = {2: (0.45, 0.55), 3: (0.2, 0.34, 0.46)}  # chance of each pair of visits, the oldest first


def story(draw: Random) -> Story:
    """An object got or dropped lately, carried through two rooms or more while it was last held."""
    world = World(draw, HOUSE, ["move", "get", "drop"], there=(0.2, 0.2))

    def ask(clause: Clause) -> bool:
        if clause.kind == "move":
            return False
        last = next(c for c in world.back() if c.kind != "move" and c.thing == clause.thing)
        path: list[Clause] = []  # the carrier's moves, the newest first
        for other in world.back(last.statement if last.kind == "drop" else None):
            if other.kind == "move" and other.person == last.person:
                path.append(other)
            elif other.kind == "get" and other.thing == last.thing:
                break
        path.reverse()
        if len(path) < 2:
            return False
        weights = PAIRS.get(len(path) - 1, tuple(range(1, len(path))))
        place = draw.choices(path[1:], weights)[0].thing
        number = max(n for n in range(1, len(path)) if path[n].thing == place)
        before, after = path[number - 1], path[number]
        facts = [last.statement, after.statement, before.statement]
        world.teller.ask(f"Where was the {last.thing} before the {place}? ", before.thing, facts)
        return True

    return world.story(ask)

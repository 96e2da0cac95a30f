"""Task 19, path finding: how do you go from one room to another?

1 The garden is west of the bathroom.
2 The bedroom is north of the hallway.
...
6 How do you go from the bathroom to the hallway?       w,s     1 4
"""

from __future__ import annotations

from random import Random

from memnet.tasks.qa4 import OPPOSITE
from memnet.tasks.text import Story
from memnet.tasks.world import ROOMS, Teller


def story(draw: Random) -> Story:
    """A path of two steps and three more rooms hung on its places; one question."""
    teller = Teller()
    start, middle, end, *rest = draw.sample(ROOMS, 6)
    first = draw.choice(list(OPPOSITE))
    second = draw.choice([way for way in OPPOSITE if way != OPPOSITE[first]])
    edges = [(start, first, middle), (middle, second, end)]  # from, direction, to
    taken = {(start, first), (middle, OPPOSITE[first]), (middle, second), (end, OPPOSITE[second])}
    free = [(room, way) for room in (start, middle, end) for way in OPPOSITE if (room, way) not in taken]
    edges += [(room, way, leaf) for (room, way), leaf in zip(draw.sample(free, 3), rest, strict=True)]
    order = list(range(5))
    draw.shuffle(order)
    fact = {}
    for edge in order:
        here, way, there = edges[edge]
        if draw.random() < 0.5:
            fact[edge] = teller.tell(f"The {there} is {way} of the {here}.")
        else:
            fact[edge] = teller.tell(f"The {here} is {OPPOSITE[way]} of the {there}.")
    teller.ask(f"How do you go from the {start} to the {end}?", f"{first[0]},{second[0]}", [fact[0], fact[1]])
    return teller.story()

"""Task 4, two-argument relations: what is north of what?

1 The office is north of the kitchen.
2 The garden is south of the kitchen.
3 What is north of the kitchen? office  1
"""

from __future__ import annotations

from random import Random

from memnet.tasks.text import Story
from memnet.tasks.world import ROOMS, Cast, Dials, Teller

OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
DIALS = frozenset({"places"})


def story(draw: Random, dials: Dials) -> Story:
    """Three rooms in a line, told as two relations; one question."""
    towards = draw.choice(list(OPPOSITE))
    first, middle, last = draw.sample(dials.cast(Cast((), ROOMS), people=0, places=3).places, 3)
    relations = [(first, towards), (last, OPPOSITE[towards])]  # an end and its side of the middle
    draw.shuffle(relations)
    teller = Teller()
    for end, side in relations:
        if draw.random() < 2 / 3:
            teller.tell(f"The {end} is {side} of the {middle}.")
        else:
            teller.tell(f"The {middle} is {OPPOSITE[side]} of the {end}.")
    fact = draw.randrange(2)
    end, side = relations[fact]
    named, answer = (middle, end) if draw.random() < 2 / 3 else (end, middle)
    side = side if named == middle else OPPOSITE[side]  # the answer is this side of the room named
    if draw.random() < 0.5:
        teller.ask(f"What is {side} of the {named}?", answer, [fact])
    else:
        teller.ask(f"What is the {named} {OPPOSITE[side]} of?", answer, [fact])
    return teller.story()

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
    towards = draw.choice(["north", "south", "east", "west"])
    line = draw.sample(dials.cast(Cast((), ROOMS), people=0, places=3).places, 3)  # each is ``towards`` of the next
    pairs = [(line[0], line[1]), (line[1], line[2])]
    draw.shuffle(pairs)
    teller = Teller()
    for ahead, behind in pairs:
        if draw.random() < 0.5:
            teller.tell(f"The {ahead} is {towards} of the {behind}.")
        else:
            teller.tell(f"The {behind} is {OPPOSITE[towards]} of the {ahead}.")
    fact = draw.randrange(2)
    ahead, behind = pairs[fact]
    named, answer, side = (behind, ahead, towards) if draw.random() < 0.5 else (ahead, behind, OPPOSITE[towards])
    if draw.random() < 0.5:
        teller.ask(f"What is {side} of the {named}?", answer, [fact])
    else:
        teller.ask(f"What is the {named} {OPPOSITE[side]} of?", answer, [fact])
    return teller.story()

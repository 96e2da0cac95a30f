"""Task 4, two-argument relations: what is north of what?

1 The office is north of the kitchen.
2 The garden is south of the kitchen.
3 What is north of the kitchen? office  1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import ROOMS, Cast, Dials, Teller

OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
DIALS = frozenset({"places"})


def story(draw: Random, dials: Dials) -> Story:
    """Three rooms in a line, told as two relations; one question."""
    towards = draw.choice(list(OPPOSITE))
    first, middle, last = draw.sample(dials.cast(Cast((), ROOMS), people=0, places=3).places, 3)
    relations = []  # subject, its side of the object, object
    for end, side in ((first, towards), (last, OPPOSITE[towards])):
        turned = draw.random() < 1 / 3
        relations.append((middle, OPPOSITE[side], end) if turned else (end, side, middle))
    draw.shuffle(relations)
    teller = Teller()
    for subject, side, thing in relations:
        teller.tell(f"The {subject} is {side} of the {thing}.")
    fact = draw.randrange(2)
    subject, side, thing = relations[fact]  # the answer is the subject of the statement
    if draw.random() < 0.5:
        teller.ask(f"What is {side} of the {thing}?", subject, [fact])
    else:
        teller.ask(f"What is the {thing} {OPPOSITE[side]} of?", subject, [fact])
    return teller.story()

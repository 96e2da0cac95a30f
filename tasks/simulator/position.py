"""Task 17, positional reasoning: is one shape left of another?

1 The triangle is above the pink rectangle.
2 The blue square is to the left of the triangle.
3 Is the pink rectangle to the right of the blue square?        yes     1 2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import DialError, Dials, Teller

SHAPES = ("triangle", "red square", "blue square", "yellow square", "pink rectangle", "red sphere")
STEP = {"above": (0, 1), "below": (0, -1), "to the left of": (-1, 0), "to the right of": (1, 0)}
OPPOSITE = {"above": "below", "below": "above", "to the left of": "to the right of", "to the right of": "to the left of"}
DIALS = frozenset({"path"})


def story(draw: Random, dials: Dials) -> Story:
    """Two shapes on two sides of a third, eight questions about the two."""
    if dials.path not in (None, 1, 2):
        raise DialError(f"path must be 1 or 2 here, not {dials.path}")
    teller = Teller()
    outer = draw.sample(SHAPES, 3)
    middle = outer.pop()
    sides = draw.sample(list(STEP), 2)  # where each outer shape is of the middle one
    for shape, side in zip(outer, sides, strict=True):
        if draw.random() < 2 / 3:
            teller.tell(f"The {middle} is {OPPOSITE[side]} the {shape}.")
        else:
            teller.tell(f"The {shape} is {side} the {middle}.")
    for _ in range(8):
        one, other = draw.sample((0, 1), 2)
        if dials.path == 1:
            ask_of_neighbours(draw, teller, outer[one], middle, sides[one], one)
            continue
        across = [STEP[sides[one]][axis] - STEP[sides[other]][axis] for axis in (0, 1)]
        true = [way for way, step in STEP.items() if sum(a * s for a, s in zip(across, step, strict=True)) > 0]
        yes = draw.random() < 0.5
        way = draw.choice(true if yes else [way for way in STEP if way not in true])
        teller.ask(f"Is the {outer[one]} {way} the {outer[other]}?", "yes" if yes else "no", [one, other])
    return teller.story()


def ask_of_neighbours(draw: Random, teller: Teller, outer: str, middle: str, side: str, fact: int) -> None:
    """A question about two shapes of one statement, either way around: the ``outer`` is on this ``side`` of the ``middle``."""
    names, true = ((outer, middle), side) if draw.random() < 0.5 else ((middle, outer), OPPOSITE[side])
    yes = draw.random() < 0.5
    way = true if yes else draw.choice([way for way in STEP if way != true])
    teller.ask(f"Is the {names[0]} {way} the {names[1]}?", "yes" if yes else "no", [fact])

"""Task 16, basic induction: what colour is a swan, judging by another swan?

1 Lily is a swan.
2 Lily is white.
3 Greg is a swan.
...
10 What color is Greg?  white   3 1 2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import Dials, Teller

PEOPLE = ("Lily", "Bernhard", "Greg", "Julius", "Brian")
SPECIES = ("swan", "lion", "frog", "rhino")
COLOURS = ("gray", "white", "yellow", "green")
DIALS: frozenset[str] = frozenset()


def story(draw: Random, dials: Dials) -> Story:
    """Five kinds and four colours; the fifth's colour is that of its kin named last."""
    while True:
        teller = Teller()
        species: dict[str, str] = {}
        colour: dict[str, str] = {}  # a species' present colour, drawn anew with each of its kind
        is_a: dict[str, int] = {}
        coloured: dict[str, tuple[str, int]] = {}
        while len(is_a) < 5 or len(coloured) < 4:
            person, wants_colour = draw.choice(PEOPLE), draw.random() < 0.5
            if wants_colour and len(coloured) < 4 and person in is_a and person not in coloured:
                shown = colour[species[person]]
                coloured[person] = shown, teller.tell(f"{person} is {shown}.")
            elif not wants_colour and person not in is_a:
                species[person] = draw.choice(SPECIES)
                colour[species[person]] = draw.choice(COLOURS)
                is_a[person] = teller.tell(f"{person} is a {species[person]}.")
        asked = next(person for person in PEOPLE if person not in coloured)
        kin = [person for person in PEOPLE if person != asked and species[person] == species[asked]]
        if len(kin) + 1 not in (2, 4, 5):
            continue
        like = max(kin, key=lambda person: is_a[person])
        teller.ask(f"What color is {asked}?", coloured[like][0], [is_a[asked], is_a[like], coloured[like][1]])
        return teller.story()

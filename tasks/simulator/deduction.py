"""Task 15, basic deduction: sheep are afraid of wolves, Gertrude is a sheep.

1 Sheep are afraid of wolves.
2 Gertrude is a sheep.
...
9 What is gertrude afraid of?   wolf    2 1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import PEOPLE as MORE_PEOPLE
from .world import Dials, Teller, sized

PLURAL = {"mouse": "mice", "sheep": "sheep", "wolf": "wolves", "cat": "cats"}
PEOPLE = ("Gertrude", "Winona", "Jessica", "Emily")
MORE = {"goat": "goats", "fox": "foxes", "horse": "horses", "duck": "ducks"}  # kinds beyond the published
DIALS = frozenset({"people", "kinds"})


def story(draw: Random, dials: Dials) -> Story:
    """Four fears and four people's kinds, a person's after their kind's fear, then four questions."""
    plural = PLURAL | MORE
    people = sized("people", dials.people, PEOPLE, MORE_PEOPLE, 1)
    species = list(sized("kinds", dials.kinds, tuple(PLURAL), tuple(MORE), 2))
    fears = {kind: draw.choice([other for other in species if other != kind]) for kind in species}
    teller = Teller()
    said: dict[str, int] = {}
    kind_of: dict[str, str] = {}
    slots = [*species, *people]
    while len(said) < len(slots):
        slot = draw.choice(slots)
        if slot in said:
            continue
        if slot in fears:
            said[slot] = teller.tell(f"{plural[slot].capitalize()} are afraid of {plural[fears[slot]]}.")
        elif (kind := draw.choice(species)) in said:
            kind_of[slot] = kind
            said[slot] = teller.tell(f"{slot} is a {kind}.")
    for _ in range(4):
        person = draw.choice(people)
        kind = kind_of[person]
        teller.ask(f"What is {person.lower()} afraid of?", fears[kind], [said[person], said[kind]])
    return teller.story()

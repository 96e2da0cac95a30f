"""Task 12, conjunction: two people move together.

1 Mary and Daniel went to the bathroom.
2 John and Mary moved to the garden.
3 Where is Daniel?      bathroom        1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import HOUSE, MOVES, Dials, Teller, scheduled

DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """Pairs of people move; a sentence is a clause for each of the two."""
    cast = dials.cast(HOUSE, people=2, places=3)
    teller = Teller()
    place = {person: draw.choice(cast.places) for person in cast.people}
    facts: list[tuple[str, int]] = []  # person, statement

    def batch() -> None:
        for _ in range(2):
            pair = draw.sample(cast.people, 2)
            new = draw.choice([room for room in cast.places if room not in (place[pair[0]], place[pair[1]])])
            fact = teller.tell(f"{pair[0]} and {pair[1]} {draw.choice(MOVES)} the {new}.")
            for person in pair:
                place[person] = new
                facts.append((person, fact))

    def ask(number: int) -> bool:
        person = facts[number][0]
        teller.ask(f"Where is {person}? ", place[person], [max(fact for who, fact in facts if who == person)])
        return True

    return scheduled(draw, teller, batch, facts, ask, dials.statements)

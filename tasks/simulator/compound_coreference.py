"""Task 13, compound coreference: who are "they"?

1 Mary and Daniel went to the bathroom.
2 Then they journeyed to the hallway.
3 Where is Daniel?      hallway         1 2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .coreference import THEN
from .world import HOUSE, MOVES, Dials, Teller, scheduled

DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """A pair moves by name, then by pronoun; a sentence is a clause for each of the two."""
    cast = dials.cast(HOUSE, people=2, places=3)
    teller = Teller()
    place = {person: draw.choice(cast.places) for person in cast.people}
    facts: list[tuple[str, int]] = []  # person, statement

    def batch() -> None:
        pair = draw.sample(cast.people, 2)
        subject = f"{pair[0]} and {pair[1]}"
        for _ in range(2):
            new = draw.choice([room for room in cast.places if room not in (place[pair[0]], place[pair[1]])])
            fact = teller.tell(f"{subject} {draw.choice(MOVES)} the {new}.")
            for person in pair:
                place[person] = new
                facts.append((person, fact))
            subject = f"{draw.choice(THEN)} they"

    def ask(number: int) -> bool:
        person = facts[number][0]
        last = max(fact for who, fact in facts if who == person)
        teller.ask(f"Where is {person}? ", place[person], [last - 1, last])
        return True

    return scheduled(draw, teller, batch, facts, ask, dials.statements)

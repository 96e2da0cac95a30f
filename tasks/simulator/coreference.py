"""Task 11, basic coreference: who is "he"?

1 Mary moved to the bathroom.
2 Afterwards she went to the hallway.
3 Where is Mary?        hallway         1 2
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import FEMALE, HOUSE, MOVES, Dials, Teller, scheduled

THEN = ("Afterwards", "After that", "Following that", "Then")
DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """A move by name, then one by pronoun; asked after each such pair."""
    cast = dials.cast(HOUSE)
    teller = Teller()
    place = {person: draw.choice(cast.places) for person in cast.people}
    people: list[str] = []  # who, a clause

    def batch() -> None:
        person = draw.choice(cast.people)
        subject = person
        for _ in range(2):
            place[person] = new = draw.choice([room for room in cast.places if room != place[person]])
            teller.tell(f"{subject} {draw.choice(MOVES)} the {new}.")
            people.append(person)
            subject = f"{draw.choice(THEN)} {'she' if person in FEMALE else 'he'}"

    def ask(number: int) -> bool:
        person = people[number]
        last = max(n for n, who in enumerate(people) if who == person)
        teller.ask(f"Where is {person}? ", place[person], [last - 1, last])
        return True

    return scheduled(draw, teller, batch, people, ask, dials.statements)

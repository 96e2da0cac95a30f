"""Task 9, simple negation: is somebody somewhere, said also by where they are not?

1 Mary is no longer in the bedroom.
2 Daniel moved to the hallway.
3 Is Mary in the bedroom?       no      1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import HOUSE, MOVES, Asked, Dials, Teller, scheduled

DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """Every statement is a move, told as a move, by where the person is now, or by where no longer."""
    cast = dials.cast(HOUSE)
    teller = Teller()
    place = {person: draw.choice(cast.places) for person in cast.people}
    moves: list[tuple[str, str, bool]] = []  # person, place, whether they are there

    def batch() -> None:
        for _ in range(2):
            person = draw.choice(cast.people)
            old = place[person]
            place[person] = new = draw.choice([room for room in cast.places if room != old])
            way = draw.randrange(8)
            if way < 4:
                teller.tell(f"{person} {draw.choice(MOVES)} the {new}.")
            elif way < 6:
                teller.tell(f"{person} is in the {new}.")
            else:
                teller.tell(f"{person} is {'not' if way == 6 else 'no longer'} in the {old}.")
            moves.append((person, new if way < 6 else old, way < 6))

    def ask(number: int) -> Asked:
        person = moves[number][0]
        fact = max(n for n, (who, _, _) in enumerate(moves) if who == person)
        _, where, there = moves[fact]
        yes = there and draw.random() < 0.5
        if there and not yes:
            where = draw.choice([room for room in cast.places if room != where])
        return f"Is {person} in the {where}? ", "yes" if yes else "no", [fact]

    return scheduled(draw, teller, batch, moves, ask, dials.statements)

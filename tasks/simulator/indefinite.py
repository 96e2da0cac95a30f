"""Task 10, indefinite knowledge: somebody is in one of two places.

1 Fred is either in the school or the park.
2 Mary went back to the office.
3 Is Fred in the park?          maybe   1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import MOVES, TOWN, Asked, Dials, Teller, scheduled

DIALS = frozenset({"people", "places", "statements"})


def story(draw: Random, dials: Dials) -> Story:
    """Every statement is a move, told as a move, by where the person is, or by two places, one of them true.

    The two may be the same, as in the published text.
    """
    cast = dials.cast(TOWN)
    teller = Teller()
    place = {person: draw.choice(cast.places) for person in cast.people}
    moves: list[tuple[str, str, tuple[str, ...]]] = []  # person, true place, places named

    def batch() -> None:
        for _ in range(2):
            person = draw.choice(cast.people)
            place[person] = new = draw.choice([where for where in cast.places if where != place[person]])
            way = draw.randrange(4)
            named: tuple[str, ...] = (new,)
            if way < 2:
                teller.tell(f"{person} {draw.choice(MOVES)} the {new}.")
            elif way == 2:
                teller.tell(f"{person} is in the {new}.")
            else:
                other = draw.choice(cast.places)
                named = (new, other) if draw.random() < 0.5 else (other, new)
                teller.tell(f"{person} is either in the {named[0]} or the {named[1]}.")
            moves.append((person, new, named))

    def ask(number: int) -> Asked:
        person = moves[number][0]
        fact = max(n for n, (who, _, _) in enumerate(moves) if who == person)
        _, where, named = moves[fact]
        if draw.random() < 0.5:
            where = draw.choice([other for other in cast.places if other != where])
        answer = "no" if where not in named else "yes" if len(named) == 1 else "maybe"
        return f"Is {person} in the {where}? ", answer, [fact]

    return scheduled(draw, teller, batch, moves, ask, dials.statements)

"""Task 14, time: where was somebody before, told out of order?

1 Bill went back to the cinema yesterday.
2 This morning Bill moved to the park.
3 Where was Bill before the park?       cinema  2 1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import MOVES, QUESTIONS, TOWN, WINDOW, Dials, Teller

TIMES = ("yesterday", "this morning", "this afternoon", "this evening")
DIALS = frozenset({"people", "places"})


def story(draw: Random, dials: Dials) -> Story:
    """Everybody moves once a time of the day; what is new since the last question is told in another order."""
    cast = dials.cast(TOWN, people=4)
    teller = Teller()
    events: list[tuple[str, str]] = []  # person, place, as they happened
    fact: dict[int, int] = {}  # the statement of an event
    texts: list[str] = []
    days: dict[str, list[int]] = {person: [] for person in cast.people}  # the events of each
    start = {person: draw.choice(cast.places) for person in cast.people}

    def happen() -> None:
        person = draw.choice([who for who in cast.people if len(days[who]) < len(TIMES)])
        here = events[days[person][-1]][1] if days[person] else start[person]
        place = draw.choice([where for where in cast.places if where != here])
        time = TIMES[len(days[person])]
        move = f"{person} {draw.choice(MOVES)} the {place}"
        days[person].append(len(events))
        events.append((person, place))
        texts.append(f"{move} {time}." if draw.random() < 0.5 else f"{time.capitalize()} {move}.")

    while len(teller.questions) < QUESTIONS:
        happen()
        happen()
        recent = range(max(0, len(events) - WINDOW), len(events))
        askable = [n for n in recent if days[events[n][0]][0] != n]
        if not askable:
            continue
        new = list(range(len(fact), len(events)))
        for last in range(len(new) - 1, 0, -1):  # a uniform cyclic permutation: none stays in its place
            other = draw.randrange(last)
            new[last], new[other] = new[other], new[last]
        for event in new:
            fact[event] = teller.tell(texts[event])
        person, place = events[draw.choice(askable)]
        number = max(n for n, event in enumerate(days[person]) if n and events[event][1] == place)
        after, before = days[person][number], days[person][number - 1]
        teller.ask(f"Where was {person} before the {place}? ", events[before][1], [fact[after], fact[before]])
    return teller.story()

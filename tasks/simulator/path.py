"""Task 19, path finding: how do you go from one room to another?

1 The garden is west of the bathroom.
2 The bedroom is north of the hallway.
...
6 How do you go from the bathroom to the hallway?       w,s     1 4
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .two_relations import OPPOSITE
from .world import ROOMS, Cast, DialError, Dials, Teller

DIALS = frozenset({"places", "path"})
STEPS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def story(draw: Random, dials: Dials) -> Story:
    """A path of two steps and three more rooms hung on its places; one question."""
    teller = Teller()
    steps = 2 if dials.path is None else dials.path
    leaves = 3 if dials.places is None else dials.places - steps - 1
    if not 1 <= steps <= 20 or leaves < 0:
        raise DialError(f"path must be 1 to 20 here, not {steps}, and places at least one more than path, not {dials.places}")
    rooms = draw.sample(Dials(places=steps + 1 + leaves).cast(Cast((), ROOMS), people=0).places, steps + 1 + leaves)
    path, rest = rooms[: steps + 1], rooms[steps + 1 :]
    ways: list[str] = []
    cells = [(0, 0)]
    while len(ways) < steps:  # nowhere twice
        east, north = cells[-1]
        ahead = {way: (east + step[0], north + step[1]) for way, step in STEPS.items()}
        free_ways = [way for way in OPPOSITE if ahead[way] not in cells]
        if not free_ways:
            ways, cells = [], [(0, 0)]
            continue
        ways.append(draw.choice(free_ways))
        cells.append(ahead[ways[-1]])
    edges = list(zip(path, ways, path[1:], strict=False))  # from, direction, to
    taken = {(here, way) for here, way, _ in edges} | {(there, OPPOSITE[way]) for _, way, there in edges}
    free = [(room, way) for room in path for way in OPPOSITE if (room, way) not in taken]
    if leaves > len(free):
        raise DialError(f"places must be at most {len(free) + len(path)} for a path of {steps}, not {dials.places}")
    edges += [(room, way, leaf) for (room, way), leaf in zip(draw.sample(free, leaves), rest, strict=True)]
    doors: dict[str, list[tuple[int, str]]] = {}  # of each room: number of an edge, and what is told of the room
    for number, (here, way, there) in enumerate(edges):
        doors.setdefault(there, []).append((number, f"The {there} is {way} of the {here}."))
        doors.setdefault(here, []).append((number, f"The {here} is {OPPOSITE[way]} of the {there}."))
    fact: dict[int, int] = {}
    while len(fact) < len(edges):  # any room, any of its doors: what hangs at the end of one is told early, by its name
        number, text = draw.choice(doors[draw.choice(rooms)])
        if number not in fact:
            fact[number] = teller.tell(text)
    answer = ",".join(way[0] for way in ways)
    teller.ask(f"How do you go from the {path[0]} to the {path[-1]}?", answer, [fact[edge] for edge in range(steps)])
    return teller.story()

"""Task 20, motivations: where will somebody go, and why did they?

1 Sumit is tired.
2 Where will sumit go?                  bedroom         1
3 Sumit went back to the bedroom.
4 Why did sumit go to the bedroom?      tired           1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import GETS, MOVES, Dials, Teller

ACTORS = ("Jason", "Antoine", "Sumit", "Yann")
WANTS = {
    "hungry": ("kitchen", "apple"),
    "thirsty": ("kitchen", "milk"),
    "bored": ("garden", "football"),
    "tired": ("bedroom", "pajamas"),
}
DIALS: frozenset[str] = frozenset()


def story(draw: Random, dials: Dials) -> Story:
    """Everybody feels something, goes somewhere for it, and the first there takes the thing."""
    teller = Teller()
    feels = {actor: draw.choice(list(WANTS)) for actor in ACTORS}
    stage = dict.fromkeys(ACTORS, 0)
    said: dict[str, int] = {}
    taken: set[str] = set()

    def left(actor: str) -> bool:
        return stage[actor] < 2 or (stage[actor] == 2 and WANTS[feels[actor]][1] not in taken)

    while going := [actor for actor in ACTORS if left(actor)]:
        actor = draw.choice(going)
        why, who = feels[actor], actor.lower()
        place, thing = WANTS[why]
        if stage[actor] == 0:
            said[actor] = teller.tell(f"{actor} is {why}.")
            teller.ask(f"Where will {who} go?", place, [said[actor]])
        elif stage[actor] == 1:
            teller.tell(f"{actor} {draw.choice(MOVES)} the {place}.")
            teller.ask(f"Why did {who} go to the {place}?", why, [said[actor]])
        else:
            taken.add(thing)
            teller.tell(f"{actor} {draw.choice(GETS)} the {thing} there.")
            teller.ask(f"Why did {who} get the {thing}?", why, [said[actor]])
        stage[actor] += 1
    return teller.story()

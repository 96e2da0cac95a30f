"""Task 18, size: does one thing fit inside another?

1 The box is bigger than the chocolate.
2 The chest fits inside the suitcase.
...
6 Does the chocolate fit in the chest?  yes     4 1
"""

from __future__ import annotations

from random import Random

from memnet.tasks.text import Story
from memnet.tasks.world import WINDOW, Teller

SMALL, MIDDLE = "chocolate", "box of chocolates"
LARGE = ("box", "chest", "container", "suitcase")


def story(draw: Random) -> Story:
    """Five relations at a time, then questions whose answer takes two of them."""
    teller = Teller()
    order = [SMALL, MIDDLE, *draw.sample(LARGE, 4)]  # the smallest first
    told: list[tuple[int, int]] = []  # bigger, smaller

    def chains() -> list[tuple[int, int]]:
        recent = set(told[-WINDOW:])
        pairs = set(told)
        found = {(a, b, c) for a, b in pairs for b2, c in pairs if b == b2 and ((a, b) in recent or (b, c) in recent)}
        return [(told.index((a, b)), told.index((b, c))) for a, b, c in sorted(found)]

    while len(teller.questions) < 5:
        for _ in range(5):
            small, big = sorted(draw.sample(range(6), 2))
            told.append((big, small))
            one, other = order[big], order[small]
            if draw.random() < 0.5:
                teller.tell(f"The {one} is bigger than the {other}.")
            else:
                teller.tell(f"The {other} fits inside the {one}.")
        askable = chains()
        for _ in range(5 if askable else 0):
            up, down = draw.choice(askable)
            big, small = order[told[up][0]], order[told[down][1]]
            form = draw.randrange(4)
            if form < 2:
                text = f"Is the {big} bigger than the {small}?" if form else f"Does the {small} fit in the {big}?"
                teller.ask(text, "yes", [up, down])
            else:
                text = f"Is the {small} bigger than the {big}?" if form == 2 else f"Does the {big} fit in the {small}?"
                teller.ask(text, "no", [down, up])
    return teller.story()

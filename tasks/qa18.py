"""Task 18, size: does one thing fit inside another?

1 The box is bigger than the chocolate.
2 The chest fits inside the suitcase.
...
6 Does the chocolate fit in the chest?  yes     4 1
"""

from __future__ import annotations

from random import Random

from memnet.tasks.text import Story
from memnet.tasks.world import WINDOW, DialError, Dials, Teller

SMALL, MIDDLE = "chocolate", "box of chocolates"
LARGE = ("box", "chest", "container", "suitcase")
DIALS = frozenset({"chain"})


def story(draw: Random, dials: Dials) -> Story:
    """Five relations at a time, then questions whose answer takes two of them."""
    teller = Teller()
    order = [SMALL, MIDDLE, *draw.sample(LARGE, 4)]  # the smallest first
    told: list[tuple[int, int]] = []  # bigger, smaller

    links = dials.chain or 2
    if not 1 <= links <= 5:
        raise DialError(f"chain must be 1 to 5 here, not {links}")

    def chains() -> list[tuple[int, ...]]:
        """Statements that lead from a size down to another, one of them recent; of the same told twice the first."""
        first = {pair: number for number, pair in reversed(list(enumerate(told)))}
        recent = set(told[-WINDOW:])
        found: list[tuple[tuple[int, int], ...]] = [(pair,) for pair in first]
        for _ in range(links - 1):
            found = [(*chain, pair) for chain in found for pair in first if pair[0] == chain[-1][1]]
        return [tuple(first[pair] for pair in chain) for chain in sorted(found) if recent.intersection(chain)]

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
            chain = draw.choice(askable)
            large, little = order[told[chain[0]][0]], order[told[chain[-1]][1]]
            form = draw.randrange(4)
            if form < 2:
                text = f"Is the {large} bigger than the {little}?" if form else f"Does the {little} fit in the {large}?"
                teller.ask(text, "yes", chain)
            else:
                text = f"Is the {little} bigger than the {large}?" if form == 2 else f"Does the {large} fit in the {little}?"
                teller.ask(text, "no", chain[::-1])
    return teller.story()

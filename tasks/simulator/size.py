"""Task 18, size: does one thing fit inside another?

1 The box is bigger than the chocolate.
2 The chest fits inside the suitcase.
...
6 Does the chocolate fit in the chest?  yes     4 1
"""

from __future__ import annotations

from random import Random

from ..text import Story
from .world import DialError, Dials, Teller

SMALL, MIDDLE = "chocolate", "box of chocolates"
LARGE = ("box", "chest", "container", "suitcase")
DIALS = frozenset({"chain"})
TRIES = 50  # to find a question
LATER = 0.55  # chance that of a statement told twice the later one is meant


def story(draw: Random, dials: Dials) -> Story:
    """Five relations at a time, then questions whose answer takes two of them."""
    teller = Teller()
    order = [SMALL, MIDDLE, *draw.sample(LARGE, 4)]  # the smallest first
    comparisons: list[tuple[int, int]] = []  # bigger, smaller

    links = dials.chain or 2
    if not 1 <= links <= 5:
        raise DialError(f"chain must be 1 to 5 here, not {links}")

    def chain() -> tuple[bool, list[int]] | None:
        """A statement, and what is told first of one of its two sizes; None where that does not lead on.

        With a dial, anything that leads on: of a long chain, what is told first would seldom do.
        """
        found = [draw.randrange(len(comparisons))]
        copy = next(
            (number for number in range(found[0] + 1, len(comparisons)) if comparisons[number] == comparisons[found[0]]), None
        )
        if copy is not None and draw.random() < LATER:
            found[0] = copy
        down = draw.random() < 0.5  # from the bigger to the smaller, or back
        while len(found) < links:
            end = comparisons[found[-1]][down]
            others = [(number, pair) for number, pair in enumerate(comparisons) if number not in found]
            leads = [number for number, pair in others if pair[not down] == end]
            named = [number for number, pair in others if end in pair]
            following = next(iter(named), None) if dials.chain is None else draw.choice(leads) if leads else None
            if following not in leads:
                return None
            found.append(following)
        return down, found

    while len(teller.questions) < 5:
        for _ in range(5):
            if dials.chain is None:
                small, big = sorted(draw.sample(range(6), 2))
            else:  # neighbours alone: so far as the chain is long, no shorter way leads
                small = draw.randrange(5)
                big = small + 1
            comparisons.append((big, small))
            one, other = order[big], order[small]
            if draw.random() < 0.5:
                teller.tell(f"The {one} is bigger than the {other}.")
            else:
                teller.tell(f"The {other} fits inside the {one}.")
        for _ in range(5):
            tried = next((one for one in (chain() for _ in range(TRIES)) if one is not None), None)
            if tried is None:
                continue
            down, facts = tried
            start, end = (order[comparisons[facts[0]][not down]], order[comparisons[facts[-1]][down]])
            fits = draw.random() < 0.5
            text = f"Does the {end} fit in the {start}?" if fits else f"Is the {start} bigger than the {end}?"
            teller.ask(text, "yes" if down else "no", facts)
    return teller.story()

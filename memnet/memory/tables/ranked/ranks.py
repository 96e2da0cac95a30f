"""Which ranks a question asks for: the second, the top three; without such words the first one."""

from __future__ import annotations

from collections.abc import Sequence

from memnet.tasks.text.english import of_class, singular
from memnet.tasks.text.tokens import NUMBER_WORDS

ENDS = of_class("most least best worst first last top bottom fewest highest lowest next latest earliest final")
OTHERS = of_class("other others else")  # "more than any other", "more than anybody else"
IN_WORDS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
RANKS = {word: place for place, word in enumerate(IN_WORDS, 2)}
RANKS |= {"2nd": 2, "3rd": 3} | {f"{place}th": place for place in range(4, 11)}
NO_ENDS = of_class(
    "guest forest harvest interest request contest priest honest modest protest invest suggest arrest west chest nest"
)
RUNNER_UP = of_class("runner-up runners-up")
PLACED = RUNNER_UP.union(RANKS)  # words that say a rank
COMING = of_class("comes came come coming finished finish finishes is was are ranks ranked")  # before a rank
BEHIND_RANKS = of_class("in by place placed with on for")  # behind it
OF_SEVERAL = of_class("which what the our")  # before the number of those that are asked for: "which two lines have"
BEFORE_ENDS = of_class("the are is were was")
NUMBERED = of_class("number no nr rank")
BETWEEN = 2  # words between "second" and what it is of: "the second by far biggest"
FARTHEST = 10  # the last rank that a word or figure asks for


def is_end(word: str) -> bool:
    """Whether a word is a superlative: "most", "biggest"."""
    return word in ENDS or (word.endswith("est") and len(word) > 4 and word not in NO_ENDS and word[:-1] not in NO_ENDS)


def asks_for_an_end(low: Sequence[str]) -> bool:
    """Whether a question asks for one end of an order: "biggest", "more than any other", "runner-up", "number two".

    >>> asks_for_an_end("who sold more than anyone else".split()), asks_for_an_end("who sold more than Ann".split())
    (True, False)
    """
    compares = "than" in low and not OTHERS.isdisjoint(low[low.index("than") :])
    return compares or any(map(is_end, low)) or ranks_of(low) != (1, 1)


def ranks_of(low: Sequence[str]) -> tuple[int, int]:
    """The first and the last rank that is asked for.

    >>> ranks_of("who has the second most goals".split()), ranks_of("our second-oldest boat".split()), ranks_of(("who", "won"))
    ((2, 2), (2, 2), (1, 1))
    >>> ranks_of("the three dearest ones".split()), ranks_of("top 5 by score".split()), ranks_of("at least 3".split())
    ((1, 3), (1, 5), (1, 1))
    >>> ranks_of("which two lines have the fewest stops".split()), ranks_of("which of the two is oldest".split())
    ((1, 2), (1, 1))
    >>> [ranks_of(one.split()) for one in ("runner up for price", "what came second in the vote", "no 2 by kg")]
    [(2, 2), (2, 2), (2, 2)]
    """
    for at, word in enumerate(low):
        behind, before = low[at + 1 : at + 1 + BETWEEN], low[at - 1] if at else ""
        if place := placed(word, before, behind):
            return place, place
        number = int(word) if word.isdecimal() else NUMBER_WORDS.index(word) if word in NUMBER_WORDS else 0
        if not 1 < number <= FARTHEST:
            continue
        if before in OF_SEVERAL and low[max(0, at - 2)] != "of" and has_the_end(low, at):
            return 1, number
        if before in NUMBERED or (before == "." and low[at - 2] in NUMBERED):
            if behind[:1] and behind[0] in BEHIND_RANKS:
                return number, number
        elif (is_end(before) and not (at > 1 and low[at - 2] == "at")) or any(map(is_end, behind[:1])):
            return 1, number
    return 1, 1


def has_the_end(low: Sequence[str], at: int) -> bool:
    """Whether a number is of things at an end: "two lines have the fewest stops", "the two with the most"; no "4 bed house".

    >>> has_the_end("which two lines have the fewest stops".split(), 1), has_the_end("which 4 bed house is cheapest".split(), 1)
    (True, False)
    """
    end = next((place for place in range(at + 2, len(low)) if is_end(low[place])), 0)
    plural = singular(low[at + 1]) != low[at + 1] or low[at + 1] == "with" if end else False
    return plural and low[end - 1] in BEFORE_ENDS


def placed(word: str, before: str, behind: Sequence[str]) -> int:
    """The rank that a word says, by the words beside it; 0 where it says none: "a second", "the second floor"."""
    first, mark, rest = word.partition("-")
    if word in RUNNER_UP or (word == "runner" and behind[:1] and behind[0] in ("up", "-")):
        return 2
    if word == "next" and any(map(is_end, behind)):
        return 2
    place = RANKS.get(first, 0)
    fits = is_end(rest) if mark else any(map(is_end, behind))
    comes = before in COMING and (not behind or behind[0] in BEHIND_RANKS)
    return place if fits or comes or "place" in behind[:1] else 0


__all__ = ["ENDS", "PLACED", "asks_for_an_end", "is_end", "ranks_of"]

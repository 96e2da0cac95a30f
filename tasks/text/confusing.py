"""Sentences in the words of a story that say nothing of it: hearsay, dreams, denials, and what somebody else did.

A reader that looks for the words of a story alone takes them for statements. Those that a network is trained with and those
that it is tested with are made in different ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .lists import read_lists

LISTS = read_lists(__package__, "confusing.txt")
FOR_TRAINING, FOR_TESTING, RELATED = LISTS["for training"], LISTS["for testing"], LISTS["related"]
OPENINGS = frozenset(LISTS["openings"])  # words that begin a statement and are no names


def retold(draw: Random, statement: str, ways: Sequence[str], others: Sequence[str]) -> str:
    """A statement as one that says nothing, in one of these ways; one without a name first gets none that needs it."""
    said = statement.strip().rstrip(".")
    first, _, rest = said.partition(" ")
    if first.lower() in OPENINGS:
        said = said[:1].lower() + said[1:]
        ways = [way for way in ways if "{name}" not in way]
    return draw.choice(list(ways)).format(name=first, rest=rest, said=said, other=draw.choice(others))


def confusing_lines(
    draw: Random, statements: Sequence[str], number: int, ways: Sequence[str] = FOR_TESTING, others: Sequence[str] = RELATED
) -> list[str]:
    """So many of them, each made of one of the ``statements``; ``others`` are words for who belongs to a person."""
    return [retold(draw, draw.choice(statements), ways, others) for _ in range(number)]

"""Sentences in the words of a story that say nothing of it: hearsay, dreams, denials, and what somebody else did.

A reader that looks for the words of a story alone takes them for statements. Those that a network is trained with and those
that it is tested with are made in different ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

FOR_TRAINING = (
    "{name}'s {other} {rest}.",
    "The {other} of {name} {rest}.",
    '"{said}," said the old woman, and nobody believed her.',
    "It was never true that {said}.",
    "Long ago, in another house, {said}.",
    "She dreamt that {said}.",
    "If {said}, all would have been well.",
)
FOR_TESTING = (
    "Somebody beside {name} {rest}.",
    "One who looked like {name} {rest}.",
    '"{said}?" asked the doctor.',
    "He wondered whether {said}.",
    "Nobody could have said that {said}.",
    "In the play that they saw, {said}.",
    "Had {name} not been ill, who knows whether {said}.",
)
RELATED = ("cousin", "friend", "uncle", "teacher", "twin")
OPENINGS = frozenset(  # words that begin a statement and are no names
    {"after", "afterwards", "all", "either", "following", "if", "in", "the", "then", "there", "this", "yesterday"}
)


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

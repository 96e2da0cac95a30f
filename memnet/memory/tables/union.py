"""Conditions with "or" between them: a row meets one of them or the other.

"Which tools cost more than 50 or are on shelf B?"            the dear ones, and those on shelf B
"Which lines of Skyline go to the zoo or the airport?"        of Skyline, and to one of the two
"Which tools cost more than 50 and are old or are broken?"    refused: "and" and "or" may be read in two ways
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from memnet.memory.columns import GRAMMAR
from memnet.memory.tables.table import Column


class Condition(NamedTuple):
    """A condition of a question: the first and the last place of its words, the rows that meet it, and its columns."""

    first: int
    last: int
    rows: frozenset[int]
    is_denied: bool = False
    columns: tuple[Column, ...] = ()


def ors_in(low: Sequence[str], taken: Collection[int] = ()) -> list[int]:
    """Where "or" stands between two things, in none of the places ``taken`` by cells and amounts such as "50 or more".

    >>> ors_in("which cost 50 or more or are old".split(), {2, 3, 4})
    [5]
    """
    return [at for at, word in enumerate(low) if word == "or" and at not in taken]


def alternatives(low: Sequence[str], conditions: Sequence[Condition], ors: Sequence[int]) -> list[list[Condition]] | None:
    """The conditions in groups of which a row meets one: those on both sides of "or" are a group, others are alone.

    None where nothing stands on one side of an "or", where one of the two is denied, or where "and" stands between them, too.
    """
    ordered, parts = sorted(conditions, key=lambda one: one[:2]), {at: [at] for at in range(len(conditions))}
    for place in ors:
        before = max((at for at, one in enumerate(ordered) if one.last < place), default=None)
        after = min((at for at, one in enumerate(ordered) if one.first > place), default=None)
        if before is None or after is None or ordered[before].is_denied != ordered[after].is_denied:
            return None
        if ordered[before].is_denied:
            continue  # neither the one nor the other
        begin = before
        while begin and is_comma(low[ordered[begin - 1].last + 1 : ordered[begin].first]):
            begin -= 1  # "A, B or C"
        is_one = {*low[ordered[before].last + 1 : ordered[after].first]} <= GRAMMAR | {"or", "and"}  # "on shelf A or B"
        is_one = is_one and not {*ordered[before].columns}.isdisjoint(ordered[after].columns)
        if not is_one and "and" in outside(low, ordered):
            return None
        for at in range(begin, after + 1):
            if parts[at] is not parts[begin]:
                parts[begin] += parts[at]
                for other in parts[at]:
                    parts[other] = parts[begin]
    groups = {id(some): [ordered[at] for at in some] for some in parts.values()}
    return [*groups.values()]


def outside(low: Sequence[str], ordered: Sequence[Condition]) -> list[str]:
    """The words between the first condition and the last that are of none."""
    within = {at for one in ordered for at in range(one.first, one.last + 1)}
    return [low[at] for at in range(ordered[0].first, ordered[-1].last + 1) if at not in within]


def is_comma(between: Sequence[str]) -> bool:
    """Whether only a comma stands between two conditions, and words of grammar."""
    return "," in between and all(word == "," or word in GRAMMAR for word in between)


__all__ = ["Condition", "alternatives", "ors_in"]

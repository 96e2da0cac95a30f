"""Nations by any of their words: "the Germans" and "from Germany" mean the cells "DE", "GER" and "German"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from memnet.memory.tables.cells import TEXT
from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.condition import CELL, Condition
from memnet.memory.tables.table import Column

PARTS = re.compile(r"[/,;+&]|\band\b")  # between the nations of a cell: "EN/SV"
MOSTLY = 0.6  # of the different cells of a column of nations that are one
SAME = 0.95  # strength of a nation that a cell says in another word


@cache
def nations() -> tuple[dict[str, int], dict[str, int]]:
    """The number of a nation by each of its words, in small letters, and by each of its codes, in capitals."""
    words, codes = dict[str, int](), dict[str, int]()
    lines = resources.files(__package__).joinpath("nations.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        for word in line.split() if not line.startswith("#") else ():
            if word.isupper():
                codes.setdefault(word, number)
            else:
                words[word.replace("_", " ")] = number
    return words, codes


def nations_in(cell: str) -> frozenset[int]:
    """The nations that a cell says, each in a word or a code; none where a part of it says anything else.

    >>> nations_in("DE") == nations_in("German"), len(nations_in("EN/SV")), nations_in("Leeds")
    (True, 2, frozenset())
    """
    words, codes = nations()
    found = [codes.get(part.strip(), words.get(part.strip().lower(), -1)) for part in PARTS.split(cell)]
    return frozenset() if -1 in found else frozenset(found)


def of_nations(asked: Asked) -> Iterator[Condition]:
    """The rows whose cell says a nation that the question names in another word."""
    said = named(asked.low)
    if not said:
        return
    for column in asked.table.columns:
        if column.kind != TEXT or column.is_notes:
            continue
        cells = by_nation(column)
        for places, nation in said.items():
            these = frozenset(cell for cell in column.distinct if nation in cells.get(cell, ()))
            if these:
                rows = frozenset().union(*(column.rows_with(cell) for cell in these))
                yield Condition(CELL, column, rows, places, SAME, these)


def named(low: tuple[str, ...]) -> dict[frozenset[int], int]:
    """The nations that a question names, by the places of their words; the longest names first."""
    words, found, used = nations()[0], dict[frozenset[int], int](), set[int]()
    for size in (2, 1):
        for at in range(len(low) - size + 1):
            places = frozenset(range(at, at + size))
            number = words.get(" ".join(low[at : at + size]))
            if number is not None and not used & places:
                found[places] = number
                used |= places
    return found


def by_nation(column: Column) -> dict[str, frozenset[int]]:
    """The nations of each cell of a column of nations or languages; nothing of any other."""
    found = {cell: these for cell in column.distinct if (these := nations_in(cell))}
    return found if len(found) >= MOSTLY * len(column.distinct) else {}


__all__ = ["nations_in", "of_nations"]

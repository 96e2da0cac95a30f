"""A condition: one reading of some words of a question, as what is said of the rows that it means."""

from __future__ import annotations

from dataclasses import dataclass

from memnet.memory.tables.table import Column

CELL, PART, CUT, NEARBY, DAY, BOUND, EQUAL, IS_SO, IS_NOT, EMPTY, TOLD, NOTE, MEANT = KINDS = (
    "cell", "part", "cut", "nearby", "day", "bound", "equal", "is so", "is not", "empty", "told", "note", "meant",
)  # fmt: skip
PRIOR = {
    **dict.fromkeys((CELL, DAY, BOUND), 3.0),
    **dict.fromkeys((PART, IS_SO, IS_NOT), 1.5),
    **dict.fromkeys((CUT, EQUAL), 1.0),
    **dict.fromkeys((NEARBY, NOTE), 0.8),
    EMPTY: 1.2,
    TOLD: 0.7,
    MEANT: 3.0,
}


@dataclass(frozen=True)
class Condition:
    """The rows that are meant, the column that says so, and the words of the question that were read."""

    kind: str
    column: Column
    rows: frozenset[int]
    places: frozenset[int]
    strength: float = 1.0  # how much of a cell is said, how near or likely it is, how much a question speaks of the column
    cells: frozenset[str] = frozenset()

    @property
    def prior(self) -> float:
        """How likely it is meant, before a network is asked."""
        return PRIOR[self.kind] * self.strength + len(self.places) * (self.kind != MEANT)

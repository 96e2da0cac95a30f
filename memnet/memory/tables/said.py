"""What one table says to a question, and how much of the question it knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from memnet.memory.tables.operations import told_by
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import Told, named_columns
from memnet.memory.tables.union import Condition
from memnet.memory.tables.wording import Question


@dataclass(eq=False)
class Said:
    """What a table says to a question."""

    reading: Reading
    told: Told

    @classmethod
    def of(cls, table: Table, question: Question, understood: frozenset[int] = frozenset()) -> Said:
        """What a table says, the words in the places ``understood`` being explained."""
        reading = Reading(table, question)
        reading.understood |= understood
        return cls(reading, told_by(reading))

    @property
    def table(self) -> Table:
        """The table that says it."""
        return self.reading.table

    @cached_property
    def known(self) -> frozenset[int]:
        """The places of the words that it knows: in cells, headers and conditions."""
        reading = self.reading
        known = {place for one in (*reading.whole, *reading.parts) for place in one.tokens}
        known |= {place for place, columns in reading.headers.items() if columns}
        known |= {place for one in reading.limits for place in one.places}
        return frozenset(known | {*(reading.degree.places if reading.degree else ())})

    @property
    def score(self) -> tuple[bool, int, int]:
        """By which of several tables one is chosen: whether it answers, and how much it knows."""
        return bool(self.told.parts), len(self.known), sum(len(one.tokens) for one in self.reading.whole)

    @property
    def tested(self) -> list[Column]:
        """The columns of the conditions."""
        reading = self.reading
        of_states = [column for places, _ in reading.states for at in places for column in reading.headers.get(at, ())]
        return [*named_columns(reading), *(column for one in reading.limits for column in one.columns), *of_states]

    def columns_of(self, row: int) -> list[Column]:
        """The columns of the conditions, where one of several is enough only those of the conditions that a row meets."""
        return [column for one in self.met if row in one.rows for column in one.columns] or self.tested

    @cached_property
    def met(self) -> list[Condition]:
        """The conditions of a question with "or"."""
        return self.reading.conditions() if self.reading.ors else []

    @property
    def names(self) -> list[str]:
        """The cells that the question names whole."""
        return [cells[0] for one in self.reading.whole for cells in one.cells.values()]


__all__ = ["Said"]

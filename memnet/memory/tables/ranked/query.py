"""A query of a table: rows, the column that is asked for, and what is made of them, with the cells that were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memnet.memory.tables.cells import MONEY, currencies, number_of, unlike
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import LISTED, Told, refused

LIST, COUNT, DISTINCT, SUM, MEAN, MOST, LEAST, VERDICT, GROUP, FEWEST = (
    "list", "count", "distinct", "sum", "mean", "most", "least", "verdict", "group", "fewest",
)  # fmt: skip
UNITS = {  # in the smallest one of their kind
    "mm": 1.0,
    "cm": 10.0,
    "m": 1000.0,
    "km": 1e6,
    "g": 1.0,
    "kg": 1000.0,
    "t": 1e6,
    "ml": 1.0,
    "cl": 10.0,
    "l": 1000.0,
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 1.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 60.0),
    **dict.fromkeys(("day", "days"), 1440.0),
    **dict.fromkeys(("week", "weeks"), 10080.0),
    **dict.fromkeys(("month", "months"), 43800.0),
    **dict.fromkeys(("year", "years"), 525600.0),
    "mb": 1.0,
    "gb": 1000.0,
    "tb": 1e6,
}


@dataclass(frozen=True)
class Query:
    """What is asked of which rows."""

    table: Table
    rows: tuple[int, ...]
    target: Column
    what: str = LIST
    measure: Column | None = None  # by which the most or the least is found

    def told(self) -> Told:
        """The answer."""
        if self.what == COUNT:
            return Told((str(len(self.rows)),), self.cells(self.rows))
        if self.what == DISTINCT:
            names = dict.fromkeys(self.target.cells[row] for row in self.rows if self.target.cells[row])
            return Told((str(len(names)),), self.cells(self.rows))
        if self.what in (SUM, MEAN):
            return self.of_amounts()
        if self.what in (MOST, LEAST):
            return self.of_extreme()
        if self.what in (GROUP, FEWEST):
            return self.of_groups()
        return self.of_cells(self.rows)

    def cells(self, rows: Sequence[int]) -> tuple[tuple[int, Column], ...]:
        """What is read of some rows."""
        return tuple((row, self.target) for row in rows[:LISTED])

    def of_cells(self, rows: Sequence[int]) -> Told:
        """The different cells of the column that is asked for."""
        told = [row for row in rows if self.target.cells[row]]
        names = dict.fromkeys(self.name(row) for row in told)
        if not names:
            return refused(f"the table leaves the {self.target.name} of {len(rows)} row{'s' * (len(rows) != 1)} empty")
        if len(names) > LISTED:
            return refused(f"{len(names)} different answers, too many to list")
        return Told(tuple(names), self.cells(told))

    def name(self, row: int) -> str:
        """The cell of a row, of what rows are called with the adjective that tells it from others."""
        return self.table.label(row) if self.target is self.table.thing else self.target.cells[row]

    def of_amounts(self) -> Told:
        """The sum or the mean of the column that is asked for."""
        values = [(row, value) for row in self.rows if (value := number_of(self.target.cells[row])) is not None]
        if not values:
            return refused(f"no cell of {self.target.name} is a number")
        if why := unlike([self.target.cells[row] for row, _ in values]):
            return refused(why)
        total = sum(value for _, value in values)
        amount = total if self.what == SUM else total / len(values)
        signs = currencies([self.target.cells[row] for row, _ in values])
        text = f"{amount:.2f}".removesuffix(".00") if self.target.kind == MONEY else f"{amount:.2f}".rstrip("0").rstrip(".")
        sign = signs[0] if len(signs) == 1 else ""
        return Told((f"{sign}{text}" if len(sign) == 1 else f"{text} {sign}".strip(),), self.cells([row for row, _ in values]))

    def of_extreme(self) -> Told:
        """The cell of the rows that have the most or the least of a measure."""
        assert self.measure is not None
        values = [
            (value, row) for row in self.rows if (value := order_of(self.measure, row)) is not None and self.target.cells[row]
        ]
        if not values:
            return refused(f"no cell of {self.measure.name} can be compared")
        if self.measure.kind == MONEY and (why := unlike([self.measure.cells[row] for _, row in values])):
            return refused(why)
        best = (max if self.what == MOST else min)(value for value, _ in values)
        rows = [row for value, row in values if value == best]
        names = tuple(dict.fromkeys(self.name(row) for row in rows))
        if len(names) > LISTED:
            return refused(f"{len(names)} rows are level there, too many to list")
        return Told(names, tuple((row, column) for row in rows for column in (self.target, self.measure)))

    def of_groups(self) -> Told:
        """The cell of the column that is asked for with the most rows, or the fewest."""
        counts = Counter(self.target.cells[row] for row in self.rows if self.target.cells[row])
        if not counts:
            return refused(f"the table leaves {self.target.name} empty")
        most = (min if self.what == FEWEST else max)(counts.values())
        names = tuple(name for name, number in counts.items() if number == most)
        if len(names) > LISTED:
            return refused(f"{len(names)} are level there, too many to list")
        return Told(names, self.cells([row for row in self.rows if self.target.cells[row] in names]))


def order_of(column: Column, row: int) -> tuple[float, ...] | None:
    """By what a row is before others, an amount in the smallest unit of its kind; None where its cell says nothing of that."""
    found, words = column.order_of(row), column.cells[row].split()
    if found is None or isinstance(found, tuple):
        return found if found is not None and any(found) else None
    return (found * UNITS.get(words[-1].lower().rstrip("."), 1.0) if len(words) == 2 else found,)

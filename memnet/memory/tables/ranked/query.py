"""A query of a table: rows, the column that is asked for, and what is made of them, with the cells that were read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memnet.memory.tables.cells import MONEY, currencies, number_of, unlike
from memnet.memory.tables.ranked import spans
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.told import LISTED, Told, refused

LIST, COUNT, DISTINCT, SUM, MEAN, MOST, LEAST, VERDICT = (
    "list", "count", "distinct", "sum", "mean", "most", "least", "verdict",
)  # fmt: skip
GROUP, GROUP_SUM, GROUP_MEAN = "group", "group sum", "group mean"  # of the cells of a column, by their rows
SHARE, GAP = "share", "gap"  # of all rows; between a column of two rows
HUNDREDTHS = re.compile(r"[.,]\d\d\b")  # of an amount: "£84.00"
PLACES = 9  # behind the point, to which totals are compared
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
    fewest: bool = False  # of groups: that with the least
    ranks: tuple[int, int] = (1, 1)  # which places of an order: the first to the last
    unit: str = ""  # of time, for a gap

    def told(self) -> Told:
        """The answer."""
        if self.what in (COUNT, DISTINCT, SHARE):
            return Told((self.counted(),), self.cells(self.rows))
        if self.what in (SUM, MEAN):
            return self.of_amounts()
        if self.what in (MOST, LEAST):
            return self.of_extreme()
        if self.what in (GROUP, GROUP_SUM, GROUP_MEAN):
            return self.of_groups()
        if self.what == GAP:
            return self.of_gap()
        return self.of_cells(self.rows)

    def counted(self) -> str:
        """How many rows, how many different cells, or what share of all rows."""
        if self.what == COUNT:
            return str(len(self.rows))
        if self.what == SHARE:
            return f"{100 * len(self.rows) / max(1, len(self.table)):.1f}".removesuffix(".0") + " %"
        return str(len({self.target.cells[row] for row in self.rows if self.target.cells[row]}))

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
        return Told((self.written(amount, [row for row, _ in values]),), self.cells([row for row, _ in values]))

    def written(self, amount: float, rows: Sequence[int]) -> str:
        """An amount of the column that is asked for, with the currency of some rows."""
        cells = [self.target.cells[row] for row in rows]
        signs, text = currencies(cells), f"{amount:.2f}"
        if self.target.kind != MONEY:
            text = text.rstrip("0").rstrip(".")
        elif not any(map(HUNDREDTHS.search, cells)):
            text = text.removesuffix(".00")
        sign = signs[0] if len(signs) == 1 else ""
        return f"{sign}{text}" if len(sign) == 1 else f"{text} {sign}".strip()

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
        rows = self.in_places(sorted(values, key=lambda one: one[0], reverse=self.what == MOST))
        names = tuple(dict.fromkeys(self.name(row) for row in rows))
        if not names:
            return refused(f"rows are level in {self.measure.name}, or fewer than {self.ranks[1]}")
        if len(names) > LISTED:
            return refused(f"{len(names)} rows are level there, too many to list")
        return Told(names, tuple((row, column) for row in rows for column in (self.target, self.measure)))

    def in_places(self, values: Sequence[tuple[tuple[float, ...], int]]) -> list[int]:
        """Of ordered values and their rows the rows in the places that are asked for; none where others are level."""
        first, last = self.ranks
        if len(values) < last or (first > 1 and values[first - 2][0] == values[first - 1][0]):
            return []
        level = len(values) > last and values[last - 1][0] == values[last][0]
        if first == last:
            return [row for value, row in values if value == values[first - 1][0]]
        return [] if level else [row for _, row in values[:last]]

    def of_groups(self) -> Told:
        """The cell of the column asked for that the most or fewest rows have, or whose rows come to the most or least."""
        counts = self.of_each_group()
        if not counts:
            why = unlike([self.measure.cells[row] for row in self.rows]) if self.measure is not None else ""
            return refused(why or f"the table leaves {self.target.name} empty")
        most = (min if self.fewest else max)(counts.values())
        names = tuple(name for name, number in counts.items() if number == most)
        if len(names) > LISTED:
            return refused(f"{len(names)} are level there, too many to list")
        return Told(names, self.cells([row for row in self.rows if self.target.cells[row] in names]))

    def of_each_group(self) -> Mapping[str, float]:
        """How many rows each cell has, or what a number of theirs comes to; nothing of several units."""
        rows = [row for row in self.rows if self.target.cells[row]]
        if self.measure is None:
            return Counter(self.target.cells[row] for row in rows)
        if unlike([self.measure.cells[row] for row in rows]):
            return {}
        amounts = dict[str, list[float]]()
        for row in rows:
            if (value := number_of(self.measure.cells[row])) is not None:
                amounts.setdefault(self.target.cells[row], []).append(value)
        mean = self.what == GROUP_MEAN
        return {name: round(sum(some) / (len(some) if mean else 1), PLACES) for name, some in amounts.items()}

    def of_gap(self) -> Told:
        """How far the cells of two rows are apart."""
        if len(self.rows) != 2:
            return refused(f"{len(self.rows)} rows are no two to compare")
        ends = [(row, self.target) for row in self.rows]
        first, second = (self.target.order_of(row) for row in self.rows)
        if isinstance(first, tuple) and isinstance(second, tuple):
            minutes = spans.minutes_between(first, second)
            if minutes is None:
                return refused(f"no cell of {self.target.name} says the whole day")
            return Told((spans.written(abs(minutes[0]), minutes[1], self.unit),), tuple(ends))
        if not isinstance(first, float) or not isinstance(second, float):
            return refused(f"{self.target.name} cannot be compared there")
        if why := unlike([column.cells[row] for row, column in ends]):
            return refused(why)
        return Told((self.written(abs(first - second), self.rows),), tuple(ends))


def order_of(column: Column, row: int) -> tuple[float, ...] | None:
    """By what a row is before others, an amount in the smallest unit of its kind; None where its cell says nothing of that."""
    found, words = column.order_of(row), column.cells[row].split()
    if found is None or isinstance(found, tuple):
        return found if found is not None and any(found) else None
    return (found * UNITS.get(words[-1].lower().rstrip("."), 1.0) if len(words) == 2 else found,)

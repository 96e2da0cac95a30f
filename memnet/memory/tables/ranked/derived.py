"""Columns that a table does not have and a question may ask of: the time between two of its dates, what two amounts differ by.

"How long was the van out?"   of Out and Back: 150 minutes      "What is left to pay?"   of Price and Deposit: £40
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from memnet.memory.tables.cells import DATE, MONEY, NUMBER, currencies, unlike
from memnet.memory.tables.ranked.spans import lasting, lasts, unit_in, written
from memnet.memory.tables.table import Column
from memnet.tasks.text.english import of_class

MOST_PAIRS = 6  # of dates, and of amounts
DIFFERING = of_class(
    "left remain remains remaining owe owes owed owing outstanding balance difference differ minus less profit margin gain "
    "loss lost saved saving savings short over under more gap change rest still discount markup deducted after missing"
)
TOLD = 0.3  # share of the rows that say both


@dataclass(frozen=True, eq=False)
class Derived(Column):
    """A column that is made of two: its place is that of the second."""

    second: Column


def derived(columns: Sequence[Column], low: Sequence[str]) -> list[Derived]:
    """Those that a question may ask of, by its words."""
    found: list[Derived] = []
    told = [one for one in columns if one.told]
    if lasts(low):
        dates = combinations([one for one in told if one.kind == DATE], 2)
        found += islice((made for first, second in dates if (made := time_between(first, second, unit_in(low)))), MOST_PAIRS)
    if not DIFFERING.isdisjoint(low):
        pairs = (pair for kind in (MONEY, NUMBER) for pair in combinations([one for one in told if is_amount(one, kind)], 2))
        found += islice((made for first, second in pairs if (made := difference(first, second))), MOST_PAIRS)
    return found


def is_amount(column: Column, kind: str) -> bool:
    """Whether a column has amounts of a kind."""
    return column.kind == kind and column.is_amount


def time_between(first: Column, second: Column, unit: str) -> Derived | None:
    """The time from one column to another, which is mostly later; None where few rows say both."""
    pairs = zip(first.moments, second.moments, strict=True)
    spans = [None if begin is None or end is None else lasting(begin, end) for begin, end in pairs]
    sign = 1 if sum((one[0] > 0) - (one[0] < 0) for one in spans if one is not None) >= 0 else -1
    clocked = any(one is not None and one[1] for one in spans)
    return named(first, second, ["" if one is None else written(sign * one[0], clocked, unit) for one in spans])


def difference(first: Column, second: Column) -> Derived | None:
    """What the cells of two columns differ by, of which the first is mostly more or the second; None of unlike amounts."""
    if unlike([*first.told, *second.told]):
        return None
    pairs = [(first.order_of(row), second.order_of(row)) for row in range(len(first.cells))]
    values = [one - other if isinstance(one, float) and isinstance(other, float) else None for one, other in pairs]
    sign = 1 if sum((value > 0) - (value < 0) for value in values if value is not None) >= 0 else -1
    money = currencies([*first.told, *second.told]) if first.kind == MONEY else []
    mark = money[0] if len(money) == 1 and len(money[0]) == 1 else ""
    return named(first, second, ["" if one is None else written_amount(sign * one, mark) for one in values])


def written_amount(value: float, mark: str) -> str:
    """An amount with its currency.

    >>> written_amount(-0.0, "£"), written_amount(-5.5, "£")
    ('£0', '-£5.50')
    """
    text = f"{abs(value):.2f}".removesuffix(".00")
    return f"-{mark}{text}" if value < 0 else mark + text


def named(first: Column, second: Column, cells: Sequence[str]) -> Derived | None:
    """A column by the names of two; None where few rows have a cell."""
    enough = sum(map(bool, cells)) >= TOLD * len(cells)
    return Derived(second.place, f"{first.name} {second.name}", tuple(cells), second) if enough else None


__all__ = ["Derived", "derived"]

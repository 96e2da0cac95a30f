"""Rows of two tables as one: where a cell of the first names a row of the second, that row's cells stand beside it.

tool | owner         name | street            tool | owner | street
saw | Ann Lee        Ann Lee | Elm Street     saw | Ann Lee | Elm Street

So "Which tools do people in Elm Street own?" is a question to one table. The cell between the two is a hop more of the
key-value memory (Miller et al. 2016): the value that was read first is the key that is looked up next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from memnet.memory.columns import lemmas
from memnet.memory.tables.cells import TEXT
from memnet.memory.tables.table import Column, Table
from memnet.tasks.text.english import singular

SHARE, LEAST = 0.5, 2  # of the different cells of a column how many name rows of another table, and at least so many


@dataclass(frozen=True, eq=False)
class Joined(Table):
    """The rows of one table, with the cells of another that a column of it leads to."""

    first: Table | None = None
    second: Table | None = None
    through: Column | None = None  # of the first, whose cells name rows of the second
    rows_there: tuple[int | None, ...] = ()  # of each row the row of the second, where there is one

    @cached_property
    def of_second(self) -> frozenset[Column]:
        """The columns of the second table."""
        assert self.first is not None
        return frozenset(self.columns[len(self.first.columns) :])


def row_names(table: Table) -> list[Column]:
    """The columns that name rows: the first, the key, and what a row is."""
    return list(dict.fromkeys((table.columns[0], table.key, table.thing)))


def nouns_of(table: Table) -> frozenset[str]:
    """What the rows of a table are called, by its header, and by the name of its file where that is a plural: "pupils.csv"."""
    words = PurePath(table.source).stem.lower().replace("-", " ").replace("_", " ").split()
    plurals = (word for word in words if word.isalpha() and singular(word) != word)
    return table.nouns | frozenset(lemma for word in plurals for lemma in (word, *lemmas(word)))


def joins(tables: Sequence[Table], first: Table) -> Iterator[Joined]:
    """A table joined to each other one whose rows cells of it name, by each column that does."""
    for second in tables:
        if second is not first:
            yield from joins_of(first, second)


def joins_of(first: Table, second: Table) -> tuple[Joined, ...]:
    """The joins of two tables, made once."""
    known = first.joined
    if id(second) not in known:
        known[id(second)] = second, tuple(found(first, second))
    return known[id(second)][1]  # type: ignore[return-value]


def found(first: Table, second: Table) -> Iterator[Joined]:
    """A join by each column of the first table whose cells name rows of the second."""
    for key in row_names(second):
        by_name = dict[str, int | None]()
        for row, cell in enumerate(key.cells):
            low = cell.lower()
            by_name[low] = row if low not in by_name else None  # a name of two rows leads to none
        through = [one for one in first.columns if leads(one, by_name, key)]
        yield from (joined(first, second, one, key, by_name) for one in through)
        if through:
            return


def leads(column: Column, by_name: dict[str, int | None], key: Column) -> bool:
    """Whether the cells of a column name rows; numbers do only where its header is that of the names: "Rack" and "Rack"."""
    if not (column.kind == TEXT or column.is_numbering or column.words == key.words) or column.is_notes or column.is_verdict:
        return False
    named = sum(cell.lower() in by_name for cell in column.distinct)
    return named >= max(SHARE * len(column.distinct), min(LEAST, len(column.distinct)), 1)


def joined(first: Table, second: Table, through: Column, key: Column, by_name: dict[str, int | None]) -> Joined:
    """Two tables as one, by a column of the first and one that names rows of the second."""
    there = tuple(by_name.get(cell.lower()) if cell else None for cell in through.cells)
    others = [one for one in second.columns if one is not key]
    more = [
        Column(place, one.name, tuple("" if row is None else one.cells[row] for row in there))
        for place, one in enumerate(others, len(first.columns))
    ]
    held = tuple(here if row is None else (*here, *second.held[row]) for here, row in zip(first.held, there, strict=True))
    return Joined((*first.columns, *more), held, first.source, first=first, second=second, through=through, rows_there=there)


__all__ = ["Joined", "joins", "nouns_of", "row_names"]

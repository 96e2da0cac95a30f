"""Of several things that a question names side by side, the cell of each: "What do the drill and the saw cost?"."""

from __future__ import annotations

from memnet.memory.tables.named import Named
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.table import Column
from memnet.memory.tables.told import Told, refused, refused_for_good, unexplained

JOINS = frozenset(("and", ","))
BETWEEN = JOINS | {"the", "a", "an", "of", "both"}


def side_by_side(reading: Reading) -> list[Named]:
    """The things that a question names with only "and" and commas between them; none where that are less than two."""
    names = {one.place for one in (reading.table.columns[0], reading.table.key, reading.table.thing)}
    found, low = list[Named](), reading.question.low
    for one in reading.whole:
        if names.isdisjoint(one.rows) or one in reading.denied.named:
            continue
        between = low[found[-1].tokens[-1] + 1 : one.tokens[0]] if found else ("and",)
        between = tuple(word for word in between if word not in reading.table.nouns)  # "the chess course and the yoga course"
        if not {*between} <= BETWEEN or JOINS.isdisjoint(between):
            return []
        found.append(one)
    return found if len(found) > 1 else []


def each_of(reading: Reading, column: Column) -> Told | None:
    """The cell of each of several things, such as "drill: 120"; None where a question names no several things."""
    table, several = reading.table, side_by_side(reading)
    if not several or column is table.thing or column is table.columns[0]:
        return None
    if (left := unexplained(reading, (column,), {reading.noun.place} if reading.noun is not None else ())) is not None:
        return left
    parts, read, others = list[str](), list[tuple[int, Column]](), reading.rows(but=several)
    for one in several:
        rows = sorted(frozenset().union(*reading.of_columns(one).values()) & others)
        name = next(iter(one.cells.values()))[0]
        if len(rows) != 1:
            return refused(f"{len(rows)} rows are called {name}; say which" if rows else f"no row has {name} and the rest")
        if not column.says(rows[0]):
            return refused_for_good(f"the table leaves the {column.name.rstrip('?.')} of {table.label(rows[0])} empty")
        parts.append(f"{name}: {column.cells[rows[0]]}")
        read.append((rows[0], column))
    return Told(tuple(parts), tuple(read))


__all__ = ["each_of", "side_by_side"]

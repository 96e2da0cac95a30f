"""Yes or no, and which of two: what a table says to a question that begins with "is", "has" or "does".

Is there a sink in 204?                 the cell of a column of yes and no
Has Ann Lind got a folder?              whether her row has such a cell
Is Ann Lind an alto or a soprano?       the one of two cells that the row has
Is the rate of Max lower than Bruno's?  two rows are compared
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from memnet.ask.answer import listed
from memnet.memory.columns import is_only_a_noun
from memnet.memory.tables.addressing import rows_read
from memnet.memory.tables.cells import NO, NOTHING, TEXT, YES
from memnet.memory.tables.degrees import ordered_column, sign_in
from memnet.memory.tables.most import compared
from memnet.memory.tables.named import Named
from memnet.memory.tables.reading import EMPTINESS, Reading, is_nothing
from memnet.memory.tables.suiting import suited
from memnet.memory.tables.table import Column
from memnet.memory.tables.told import Told, named_columns, nothing_says, partial_names, refused, refused_for_good, unexplained
from memnet.memory.tables.wording import JOINING
from memnet.tasks.text.english import of_class

RESERVED = of_class("spoken reserved promised claimed taken booked adopted")
ANY = of_class("any anything anyone anybody something someone somebody ever")


def verdict(reading: Reading) -> Told:
    """The answer to a question that begins with an auxiliary."""
    if (several := partial_names(reading)) is not None:
        return several
    if reading.degree is not None and not reading.degree.superlative and "than" in reading.question.low:
        return is_more(reading)
    if "or" in reading.question.low and (chosen := either(reading)) is not None:
        return chosen
    columns = whether_columns(reading)
    if (left := unexplained(reading, [*columns, *reserved(reading)])) is not None:
        return left
    if (said := by_whether(reading, columns)) is not None:
        return said
    return by_having(reading) or by_cells(reading)


def by_having(reading: Reading) -> Told | None:
    """Whether a row has any cell in a column: "Is there a phone in 103?"; None where that is not asked."""
    low = reading.question.low
    keys = {one.place for one in (reading.table.columns[0], reading.table.thing)}
    if not reading.named or any(keys.isdisjoint(one.rows) for one in reading.named):
        return None
    said = {column for at, columns in reading.headers.items() if low[at - 1] in ("a", "an", "any") for column in columns}
    if low[0] in ("do", "does", "did") and "have" in low:  # "Does A2 have pets?"
        said |= {column for column in reading.headers.get(low.index("have") + 1, ()) if column.kind == TEXT}
    if low[0] in ("is", "are", "has", "have"):  # "Is the saw lent out?"
        deeds = [at for at in reading.headers if low[at] not in JOINING and not is_only_a_noun(low[at])]
        said |= {
            column for at in deeds for column in reading.headers[at] if column.kind == TEXT and column in reading.table.people
        }
    said |= {*reserved(reading)}
    columns = [one for one in said if not one.is_verdict and one is not reading.table.thing and one.place not in keys]
    rows = sorted(rows_named(reading, reading.named))
    if len(columns) != 1 or len(rows) != 1:
        return None
    return Told(("no" if is_nothing(columns[0].cells[rows[0]]) else "yes",), ((rows[0], columns[0]),))


def reserved(reading: Reading) -> list[Column]:
    """The column of whom something is promised to, where a question asks whether it is "taken" or "spoken for"."""
    asking = [one for one in reading.question.tokens if one.low in RESERVED and one.place not in reading.used]
    columns = [one for one in reading.table.columns if one.kind == TEXT and not RESERVED.isdisjoint(one.words)]
    columns = [one for one in columns if len(one.told) < len(one.cells)]
    if not asking or len(columns) != 1 or reading.question.low[0] not in ("is", "are", "has", "have"):
        return []
    reading.understood.update(one.place for one in asking)
    return columns


def whether_columns(reading: Reading) -> list[Column]:
    """The columns of yes and no whose headers the question says, or of what suits."""
    return suited(reading) or [one for one in reading.table.columns if one.is_verdict and reading.score(one) >= 1.0]


def subjects(reading: Reading) -> list[Named]:
    """What a question names that tells rows apart: keys, things and people."""
    table = reading.table
    apart = {one.place for one in (table.columns[0], table.key, table.thing, *table.people)}
    return [one for one in reading.named if not apart.isdisjoint(one.rows)]


def by_whether(reading: Reading, columns: Sequence[Column]) -> Told | None:
    """What a cell of a column of yes and no says of the row; None where no such column is asked for."""
    if len(columns) != 1 or not reading.named:
        return None
    (column,), rows = columns, sorted(rows_named(reading, reading.named))
    cells = {column.cells[row].lower() for row in rows}
    if len(cells) != 1:
        return refused("that differs from row to row") if rows else None
    cell = cells.pop()
    if not cell:
        if column.is_ticked:
            return Told(("no",), tuple((row, column) for row in rows))
        return refused_for_good(f"the table leaves the {column.name.rstrip('?')} of {reading.table.label(rows[0])} empty")
    if cell not in YES | NO:
        return Told((column.cells[rows[0]],), tuple((row, column) for row in rows))
    return Told(("yes" if cell in YES else "no",), tuple((row, column) for row in rows))


def rows_named(reading: Reading, named: Sequence[Named]) -> frozenset[int]:
    """The rows that have all of these cells."""
    conditions = [frozenset[int]().union(*reading.of_columns(one).values()) for one in named]
    return rows_read(conditions, len(reading.table))


def by_cells(reading: Reading) -> Told:
    """Yes where a row has all that the question names, no where the row that it is about has other cells."""
    named, table = reading.named, reading.table
    if (several := of_each(reading)) is not None:
        return several
    rows = sorted(reading.rows())
    about = subjects(reading)
    if not named and not reading.limits and not reading.states:
        return refused_for_good("nothing says of which row")
    shown = [table.columns[place] for one in named for place in one.rows][:1] or [table.thing]
    whole = len(named) > 1 or bool(reading.limits) or bool(reading.states)
    if rows and (whole or reading.question.has(ANY) or "there" in reading.question.low or asks_for_some(reading)):
        return Told(("yes",), tuple((row, column) for row in rows[:40] for column in (named_columns(reading) or shown)[-1:]))
    if rows:
        return refused(nothing_says(reading))
    others = [one for one in named if one not in about[:1]]
    subject = sorted(rows_named(reading, about[:1])) if about else []
    if not subject or not (others or reading.limits or reading.states):
        return refused(f"no row has {listed([next(iter(one.cells.values()))[0] for one in named])} together")
    columns = (
        [table.columns[place] for one in others for place in one.rows]
        or [column for one in reading.limits for column in one.columns]
        or [table.thing]
    )
    told = [(row, column) for row in subject for column in columns]
    both = [(row, one) for row in subject for one in reading.limits if one.versus and one.value_of(row) is None]
    for row, one in both:
        empty = next((column.name for column in one.columns if not column.says(row)), one.column.name)
        return refused_for_good(f"the table leaves the {empty} of {table.label(row)} empty")
    if not any(column.is_notes or column.cells[row] or column in table.people for row, column in told) and not reading.states:
        return refused_for_good(f"the table leaves the {columns[0].name} of {table.label(subject[0])} empty")
    return Told(("no",), tuple(told))


def of_each(reading: Reading) -> Told | None:
    """Yes where what is asked holds of each of several cells that "and" joins; None where no two of a column are joined."""
    low, several = reading.question.low, list[Named]()
    for one, other in pairwise(reading.whole):
        if {*one.rows} & {*other.rows} and "and" in low[one.tokens[-1] + 1 : other.tokens[0]]:
            several += [part for part in (one, other) if part not in several]
    if not several:
        return None
    rest = reading.rows(but=several)
    rows = [sorted(one.every & rest) for one in several]
    if len(several) == len(reading.named) and not reading.limits and not reading.states:
        return refused(nothing_says(reading))
    if not all(rows):
        return refused(f"it is not so of each of {listed([next(iter(one.cells.values()))[0] for one in several])}")
    columns = [reading.table.columns[next(iter(one.rows))] for one in several]
    return Told(("yes",), tuple((row, column) for some, column in zip(rows, columns, strict=True) for row in some[:20]))


def asks_for_some(reading: Reading) -> bool:
    """Whether a question asks whether there are such things at all: "Do we have a kimono?"."""
    low = reading.question.low
    some = reading.question.has(("we", "you")) and reading.question.has(("have", "got", "keep", "own"))
    return some or ("got" in low and bool({"a", "an"} & {*low[low.index("got") :]}))


def either(reading: Reading) -> Told | None:
    """The one of two cells that the row has; None where the question names no two cells of a column."""
    at = reading.question.low.index("or")
    for column in reading.table.columns:
        offered = [one for one in reading.named if column.place in one.rows]
        before, after = [one for one in offered if one.tokens[-1] < at], [one for one in offered if one.tokens[0] > at]
        if not before or not after:
            continue
        rest = [one for one in reading.named if one not in (before[-1], after[0])]
        rows = sorted(rows_named(reading, rest)) if rest else []
        cells = {column.cells[row] for row in rows}
        if len(cells) == 1 and (cell := cells.pop()):
            return Told((cell,), tuple((row, column) for row in rows))
    return None


def is_more(reading: Reading) -> Told:
    """Whether one of two rows has more or less of a column than the other."""
    degree, pairs = reading.degree, compared(reading)
    assert degree is not None
    beside = [one for one in reading.question.tokens if one.place not in degree.places and one.place not in reading.used]
    by = ordered_column(reading.table, degree, beside)
    if by is None or len(pairs) != 2:
        return refused("nothing says by which column to compare" if by is None else "two rows are to be named")
    if (left := unexplained(reading, (by,))) is not None:
        return left
    rows = [[row for row in sorted(some) if by.order_of(row) is not None] for _, some in pairs]
    if any(len(some) != 1 for some in rows):
        return refused(f"the table does not say one {by.name} for each")
    first, second = (by.order_of(some[0]) for some in rows)
    more = first > second if sign_in(degree, by) > 0 else first < second  # type: ignore[operator]
    return Told(("yes" if more else "no",), tuple((some[0], by) for some in rows))


__all__ = ["EMPTINESS", "NO", "NOTHING", "verdict"]

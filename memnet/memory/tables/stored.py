"""The tables of a memory, made again of their sentences: a head, and a sentence for each field of each row."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from memnet.memory.entries.records import TIMES, first_of, words_of
from memnet.memory.entries.tables import HEAD_OF_TABLE
from memnet.memory.files import NOTE, NOTES, Extent, mapped
from memnet.memory.index import phrase
from memnet.memory.long_memory import LongMemory
from memnet.memory.tables.cells import DATE, MONEY
from memnet.memory.tables.table import Column, Table
from memnet.memory.times import moment, moment_after
from memnet.memory.values import Held

MOST_SENTENCES = 100_000  # of a table that is read whole; of a larger one its fields are looked up
HEAD = "A table by"
FIRST_NAMES, FAMILY_NAMES = ("first name", "forename", "given name", "first"), ("surname", "last name", "family name", "last")


def tables_of(memory: LongMemory) -> tuple[Table, ...]:
    """The tables of all that counts in a memory, found once."""
    extent = memory.extent()
    known = memory.tables
    if known is None or known[0] != extent:
        memory.tables = known = extent, tuple(found(memory, extent))
    tables = known[1]
    assert isinstance(tables, tuple)
    return tables


def found(memory: LongMemory, extent: Extent) -> Iterator[Table]:
    """The tables of so much of a memory, of those that were given twice the newest."""
    if not extent.sentences:
        return
    numbers = [int(one) for part in memory.index.newest_first(phrase(HEAD)) for one in part]
    heads = [one for one in memory.held(sorted(numbers)) if HEAD_OF_TABLE.fullmatch(one.text)]
    if not heads:
        return
    sources = mapped(memory.folder / NOTES, NOTE, extent.sentences)["source"]
    newest = dict[tuple[str, str], Table]()
    for head, after in zip(heads, [*(one.number for one in heads[1:]), extent.sentences], strict=True):
        same = sources[head.number + 1 : after] == sources[head.number]
        last = head.number + 1 + (int(np.append(np.flatnonzero(~same), len(same))[0]))
        rows = np.arange(head.number + 1, last)
        if 0 < len(rows) <= MOST_SENTENCES:
            alive = rows[memory.files.marks.alive(rows)].tolist()
            if (table := of_sentences(head, memory.held(alive))) is not None:
                newest.pop((table.source, head.text), None)
                newest[table.source, head.text] = table
    by_columns = dict[str, list[Table]]()
    for (_, text), table in newest.items():
        said = HEAD_OF_TABLE.fullmatch(text)
        assert said is not None
        by_columns.setdefault(said["columns"], []).append(table)
    yield from map(joined, by_columns.values())


def joined(tables: Sequence[Table]) -> Table:
    """Files of the same columns as one table: of a name that two of them have, the row of the later one."""
    if len(tables) == 1:
        return tables[0]
    tables = sorted(tables, key=lambda one: one.heads)
    firsts = [one.columns[0] for one in tables]
    names_rows = all(len(one.distinct) == len(one.cells) and one.kind not in (DATE, MONEY) for one in firsts)
    rows, begins, later = list[tuple[Table, int]](), list[int](), set[str]()
    for table in reversed(tables):
        names = table.columns[0].cells
        some = [(table, row) for row, name in enumerate(names) if not (names_rows and name in later)]
        later.update(names)
        rows[:0] = some
        begins = [0, *(one + len(some) for one in begins)]
    columns = [
        Column(one.place, one.name, tuple(table.columns[one.place].cells[row] for table, row in rows))
        for one in tables[-1].columns
    ]
    held = tuple(table.held[row] for table, row in rows)
    every = frozenset[int]().union(*(one.numbers for one in tables))
    heads = tuple(head for one in tables for head in one.heads)
    return Table(tuple(columns), held, tables[-1].source, sum(one.size for one in tables), heads, frozenset(begins), every)


def between(table: Table, since: str | None, until: str | None) -> Table | None:
    """A table's rows from a time on, or until one, which may be a day, a month or a year; None where no row has a time.

    Rows without a time stay.
    """
    times = [moment(row[0].when or "") for row in table.held]
    if not any(times):
        return None
    first, end = moment(since or ""), moment_after(until or "")
    rows = [row for row, at in enumerate(times) if at is None or ((first is None or at >= first) and (end is None or at < end))]
    columns = tuple(replace(one, cells=tuple(one.cells[row] for row in rows)) for one in table.columns)
    begins = frozenset(bisect_left(rows, begin) for begin in table.begins)
    return Table(columns, tuple(table.held[row] for row in rows), table.source, table.size, table.heads, begins, table.numbers)


def heads_in_use(memory: LongMemory, struck: Iterable[int]) -> set[int]:
    """The sentences that name the columns of tables of which some rows stay when these sentences are struck."""
    gone = {*struck}
    return {head for table in tables_of(memory) if not table.numbers <= gone for head in table.heads}


def of_sentences(head: Held, told: Sequence[Held]) -> Table | None:
    """A table of its head and the sentences of its fields, others passed over; None without a row."""
    said = HEAD_OF_TABLE.fullmatch(head.text)
    assert said is not None
    names, subject = said["columns"].split(" | "), said["subject"]
    rows, held = list[list[str]](), list[tuple[Held, ...]]()
    for _, group in groupby(told, key=lambda one: one.line):
        fields = tuple(group)
        for some in rows_in(fields, names, subject):
            rows.append(cells_of(some, names, subject) or [])
            held.append(some)
    if not rows:
        return None
    columns = [Column(place, name, tuple(row[place] for row in rows)) for place, name in enumerate(names)]
    if (whole := whole_names(columns)) is not None:
        columns.insert(0, whole)
        columns = [Column(place, one.name, one.cells) for place, one in enumerate(columns)]
    return Table(tuple(columns), tuple(held), head.source, 1 + sum(map(len, held)), (head.number,))


def whole_names(columns: Sequence[Column]) -> Column | None:
    """A column of whole names, where a table has first names and family names apart."""
    by_name = {one.name.lower().strip(): one for one in columns}
    first, last = (next((by_name[name] for name in some if name in by_name), None) for some in (FIRST_NAMES, FAMILY_NAMES))
    if first is None or last is None:
        return None
    return Column(0, "Name", tuple(" ".join(filter(None, two)) for two in zip(first.cells, last.cells, strict=True)))


def rows_in(fields: tuple[Held, ...], names: Sequence[str], subject: str) -> Iterator[tuple[Held, ...]]:
    """The rows that stand in one line: one, or in a document all of a table, a row as long as its fields are of one thing."""
    if cells_of(fields, names, subject) is not None:
        yield fields
        return
    first = 0
    for end in range(1, len(fields) + 1):
        if end == len(fields) or cells_of(fields[first : end + 1], names, subject) is None:
            if cells_of(fields[first:end], names, subject) is not None:
                yield fields[first:end]
            first = end


def cells_of(fields: Sequence[Held], names: Sequence[str], subject: str) -> list[str] | None:
    """The cells of a row; None where a sentence is no field of it.

    >>> cells_of([Held(0, "The size (m) of A 1 is 7."), Held(1, "The sink of A 1 is no.")], ["No", "Size (m)", "Sink"], "No")
    ['A 1', '7', 'no']
    """
    texts = [one.text.removesuffix(".") for one in fields]
    cells, starts = dict[str, str](), {name: f"The {words_of(name)} of " for name in names}
    alone = f"The {words_of(subject)} is "
    if len(texts) == 1 and texts[0].startswith(alone):
        cells[subject] = texts[0][len(alone) :]
    else:
        start = next((start for start in starts.values() if texts[0].startswith(start)), None)
        if start is None:
            return None
        rest = texts[0][len(start) :]
        ends = [place for place in range(len(rest)) if rest.startswith(" is ", place)]
        about = next((rest[:end] for end in ends if all(f" of {rest[:end]} is " in text for text in texts)), None)
        if about is None:
            return None
        for text in texts:
            free = [name for name, begin in starts.items() if name not in cells and text.startswith(f"{begin}{about} is ")]
            if not free:
                return None
            cells[free[0]] = text[len(f"{starts[free[0]]}{about} is ") :]
        if about != f"row {fields[0].line}":
            cells[subject] = about
    when = fields[0].when or ""
    for name in with_times(names, cells) if when else ():
        cells[name] = when
    return [cells.get(name, "") for name in names]


def with_times(names: Sequence[str], cells: dict[str, str]) -> list[str]:
    """The column whose cells are noted as the times of the sentences, where there is one that they do not say."""
    name = first_of(TIMES, dict.fromkeys(names))
    return [name] if name is not None and name not in cells else []

"""What a question makes of the rows that it is about, and what nothing says: an answer and the cells that it was read from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memnet.ask.answer import listed
from memnet.facts.names import key_of
from memnet.memory.entries.records import words_of
from memnet.memory.tables.cells import DATE
from memnet.memory.tables.reading import Reading
from memnet.memory.tables.spoken import LITTLE
from memnet.memory.tables.table import Column
from memnet.tasks.text.english import singular

LISTED = 40  # rows that are listed
SHOWN = 3  # rows that a refusal names


@dataclass(frozen=True)
class Told:
    """An answer and the cells that it was read from, by row and column; or, without ``parts``, why there is none."""

    parts: tuple[str, ...] = ()
    read: tuple[tuple[int, Column], ...] = ()
    reason: str = ""
    newest: bool = False  # of several rows of one name the last; the others are superseded
    final: bool = False  # of a refusal: no other reading is tried


def refused(reason: str) -> Told:
    """That there is no answer."""
    return Told(reason=reason)


def refused_for_good(reason: str) -> Told:
    """That there is no answer, whatever another reading says."""
    return Told(reason=reason, final=True)


def unexplained(reading: Reading, columns: Iterable[Column], but: Iterable[int] = ()) -> Told | None:
    """That words of a question are in no cell and no header; None where all are explained."""
    left = reading.left([*columns, *named_columns(reading), *(column for one in reading.limits for column in one.columns)], but)
    if not left:
        return None
    names = [one.text for one in left if one.is_name]
    if names or not reading.named:
        return refused(f"no cell and no column of the table has {listed(names or [one.text for one in left])}")
    return refused(nothing_says(reading))


def nothing_says(reading: Reading) -> str:
    """That no column is what is asked for, with the columns that there are."""
    rows, table = sorted(reading.rows()), reading.table
    about = table.label(rows[0]) if len(rows) == 1 else "these rows" if rows else listed(cells_said(reading))
    others = [words_of(one.name) for one in table.columns if one.told and one is not table.thing]
    return f"nothing says that of {about}; there is {'its' if len(rows) == 1 else 'the'} {listed(others)}"


def cells_said(reading: Reading) -> list[str]:
    """The cells that a question names, a cell a name."""
    return [next(iter(one.cells.values()))[0] for one in reading.named]


def named_columns(reading: Reading) -> list[Column]:
    """The columns of which the question names cells."""
    return [reading.table.columns[place] for one in reading.named for place in reading.of_columns(one)]


def partial_names(reading: Reading) -> Told | None:
    """That a question names part of the names of several things; None where it does not."""
    for one in reading.parts:
        words = [reading.question.tokens[at] for at in one.tokens]
        if not all(word.is_name for word in words) or not reading.dropped.isdisjoint(one.tokens):
            continue
        names = [cell for cells in one.cells.values() for cell in cells]
        if len(names) > 1 and len(one.rows) == 1:
            said = " ".join(word.text for word in words)
            if any(word.isdigit() for word in said.split()):
                continue
            some = listed(names[:SHOWN])
            return refused(f"{len(names)} rows have {said} in their name, such as {some}")
    return None


def no_row_of(reading: Reading, column: Column) -> Told | None:
    """That somebody is no row of a table of people, but only the manager of others; None where that is no doubt."""
    table = reading.table
    if table.thing not in table.people:
        return None
    for one in reading.whole:
        roles = [table.columns[place] for place in one.rows]
        end = one.tokens[-1]
        is_role_of = reading.question.tokens[end].owning and not {*roles}.isdisjoint(reading.headers.get(end + 1, ()))
        alone = reading.question.low[: one.tokens[0]] in (("who", "is"), ("who", "was")) and len(reading.left(())) == 0
        is_asked = is_role_of or (alone and not reading.question.tokens[end].owning and not any(reading.headers.values()))
        said = any(role is column or reading.score(role) >= LITTLE for role in roles)
        said = not is_asked and (said or column is table.thing)
        if table.thing not in roles and all(role in table.people for role in roles) and not said:
            name, role = next(iter(one.cells.values()))[0], roles[0]
            rows = len(one.every)
            return refused_for_good(
                f"no row is of {name}, who is the {words_of(role.name)} of {rows} row{'s' if rows != 1 else ''}"
            )
    return None


def of_what_kind(reading: Reading) -> Told | None:
    """That nothing says that the rows of a cell are what a noun calls them, such as planes; None where that is no doubt."""
    noun, table = reading.noun, reading.table
    if (
        noun is None
        or reading.denied.named
        or len(reading.named) != 1
        or len(columns := named_columns(reading)) != 1
        or columns[0] is table.thing
    ):
        return None
    rows, (value,) = sorted(reading.rows()), cells_said(reading)
    called = [row for row in rows if not noun.forms.isdisjoint(key_of(table.label(row))[-1:])]
    said = f"{value} is the {words_of(columns[0].name)} of {len(rows)} row{'s' if len(rows) != 1 else ''}"
    if not called:
        return refused(f"{said}, and nothing says what they are")
    are = "is" if len(called) == 1 else "are"
    return refused_for_good(f"{said}, of which {len(called)} {are} called {key_of(noun.text)[0]}; the others may be such, too")


def of_rows(reading: Reading, rows: Sequence[int], column: Column) -> Told:
    """The cells of a column in some rows: one, the newest of a name, or a list."""
    table, thing = reading.table, column is reading.table.thing
    told = [row for row in rows if column.says(row)]
    if not told:
        about = table.label(rows[0]) if len(rows) == 1 else f"{len(rows)} rows"
        beside = f"; its {note[0].name} say {note[1]!r}" if len(rows) == 1 and (note := note_of(reading, rows[0])) else ""
        return refused_for_good(f"the table leaves the {column.name.rstrip('?.')} of {about} empty{beside}")
    names = [table.label(row) if thing else column.cells[row] for row in told]
    year = reading.question.has(("year",)) and column.kind == "date"
    if year:
        names = [
            years[0]
            if (
                years := [
                    part
                    for part in name.replace("/", " ").replace(".", " ").replace("-", " ").split()
                    if len(part) == 4 and part.isdigit()
                ]
            )
            else name
            for name in names
        ]
    read = tuple((row, column) for row in told)
    different = dict.fromkeys(names)
    if len(different) == 1:
        return Told((names[0],), read)
    if (one := one_name(reading, told)) is not None:
        return Told((names[-1],), read, newest=True) if one else ambiguous(reading, told)
    if len(different) > LISTED:
        columns = listed([*dict.fromkeys(words_of(one.name) for one in named_columns(reading))])
        said = (
            f"{listed(cells_said(reading))} is the {columns} of {len(told)} rows" if columns else f"that fits {len(told)} rows"
        )
        return refused_for_good(f"{said}, too many to list")
    return Told(tuple(different), read)


def note_of(reading: Reading, row: int) -> tuple[Column, str] | None:
    """What notes say of a row."""
    return next(((one, one.cells[row]) for one in reading.table.columns if one.is_notes and one.cells[row]), None)


def one_name(reading: Reading, rows: Sequence[int]) -> bool | None:
    """Whether several rows are of one name that is stated anew: the last is the newest; False where they stand side by side."""
    first = reading.table.columns[0]
    noun = reading.noun
    if reading.denied.named:
        return None
    if noun is not None and singular(noun.low) != noun.low and noun.place not in reading.used:
        return None
    named = [one for one in reading.named if not {first.place, reading.table.thing.place}.isdisjoint(reading.of_columns(one))]
    if not named or (
        reading.question.has(("which", "all", "every", "each", "list"))
        and reading.noun is not None
        and reading.is_of_rows(reading.noun)
    ):
        return None
    if first.place in reading.of_columns(named[0]) and len({first.cells[row] for row in rows}) == 1:
        if first in reading.table.people and not any(one.kind == DATE for one in reading.table.columns) and len(rows) > 1:
            ends = sorted(reading.table.begins | {len(reading.table)})
            if any(sum(begin <= row < end for row in rows) > 1 for begin, end in pairwise([0, *ends])):
                return False  # two people of one name
        return not any(later == row + 1 and later not in reading.table.begins for row, later in pairwise(rows))
    plural = [reading.question.tokens[at].low for at in named[0].tokens]
    return None if any(singular(word) != word for word in plural) else False


def ambiguous(reading: Reading, rows: Sequence[int]) -> Told:
    """That several rows fit."""
    table = reading.table
    first = table.columns[0]
    if len({table.label(row) for row in rows}) == 1:
        return refused_for_good(f"{len(rows)} rows are called {table.label(rows[0])}; say which")
    told = [f"{table.label(row)} ({first.cells[row]})" if first is not table.thing else table.label(row) for row in rows]
    return refused(f"{len(rows)} rows fit, such as {listed(told[:SHOWN])}; say which")

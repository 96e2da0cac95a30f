"""What rows of a table are called by people: which column names them, which are of people, which are codes."""

from __future__ import annotations

import re

from memnet.memory.tables.cells import ORDERED, TEXT
from memnet.memory.tables.table import NUMBERING, Column, Table
from memnet.tasks.text.english import function_words

CODES = re.compile(r"(?=.*\d)[\w./-]+|[A-Z0-9]{5,}")
UNIQUE, NAMED = 0.4, 0.8  # shares of different cells of a name, and of codes in a column of them


def label_of(table: Table) -> Column:
    """The column of what rows are called by people: names that are no codes, of people where these stand first."""
    first = table.columns[0]
    if is_code(first) and not {*first.words} & NUMBERING and len(first.distinct) == len(first.told):
        return first  # "Line" of B1 and B2, "Hive"
    texts = [one for one in table.columns if one.kind == TEXT and one.told and not one.is_notes and not is_code(one)]
    texts = [one for one in texts if not function_words().issuperset(one.words)] or texts
    full = [one for one in texts if len(one.told) > NAMED * len(table)] or texts
    if not full:
        return first
    things = [one for one in full if not one.likeness_to_people]
    if not things or (full[0] not in things and (full[0] is first or is_told_apart_by(full[0], things))):
        return full[0]
    varied = [one for one in things if len(one.distinct) >= UNIQUE * len(one.told)]
    if not varied and len(first.distinct) == len(first.told) and is_code(first):
        return first
    return varied[0] if varied else max(things, key=lambda one: len(one.distinct))


def is_told_apart_by(people: Column, things: list[Column]) -> bool:
    """Whether people's names tell rows apart, and no name of a thing does: of bookings, of patients."""
    share, best = (max(len(one.distinct) / len(one.told) for one in some) for some in ([people], things))
    return share > NAMED and share > best


def is_code(column: Column) -> bool:
    """Whether a column numbers things: its cells are single words with figures."""
    codes = sum(CODES.fullmatch(cell) is not None for cell in column.distinct)
    return column.is_numbering or (column.kind not in ORDERED and codes > NAMED * len(column.distinct))


def people_of(table: Table) -> list[Column]:
    """The columns of people, in their order."""
    return [one for one in table.columns if one.likeness_to_people > 0]

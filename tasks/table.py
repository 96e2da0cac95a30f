"""Tables in CSV or TSV files: rows below a first line that names the columns."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .text import FormatError, decode


class Row(NamedTuple):
    """A row of a table: the line of the file where it begins, and its cells by column."""

    line: int
    cells: dict[str, str]


def read_table(path: Path, expected: Sequence[str]) -> tuple[list[str], list[Row]]:
    """The columns and rows of a CSV file, or of a TSV file, whose first line has a tab; semicolons do for commas.

    Columns are lower-cased, cells stripped; blank lines are left out. Raises :class:`FormatError`, which names file and line,
    where a column of ``expected`` is missing or a row is not one, and OSError.
    """
    lines = decode(path.read_bytes(), str(path)).splitlines(keepends=True)
    wanted = f"expected the columns {' and '.join(expected)}, for example '{','.join(expected)}'" if expected else ""
    wanted = wanted or "expected a first line that names the columns"
    first = lines[0] if lines else ""
    between = "\t" if "\t" in first else max(",;", key=first.count)
    reader = csv.reader(lines, delimiter=between, strict=True)
    rows: list[Row] = []
    at = 1  # the line where a row begins

    def wrong(what: str) -> FormatError:
        return FormatError(f"{path}:{at}: {what}")

    try:
        columns = [name.strip().lower() for name in next(reader, [])]
        if not columns or not set(expected) <= set(columns):
            raise wrong(f"{wanted} in the first line" if expected else wanted)
        at = reader.line_num + 1
        for row in reader:
            if row and len(row) != len(columns):
                raise wrong(f"expected {len(columns)} fields as in the first line, found {len(row)}")
            if row:
                rows.append(Row(at, dict(zip(columns, (cell.strip() for cell in row), strict=True))))
            at = reader.line_num + 1
    except csv.Error as error:
        raise wrong(f"{error}; {wanted}, a field with commas or line breaks in double quotes") from error
    return columns, rows

"""The table of a family's results: percent right by kind of question, the mean and deviation over the networks of a row."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from memnet.errors import NetworkError
from memnet.markdown import markdown_table, mean_and_deviation
from memnet.record.measurements import counted
from memnet.record.runs import Row, errors_of, read_rows
from memnet.reports.of_family import FAMILY_TABLES, FamilyTable


def table_of_family(family: str, path: Path) -> str:
    """Markdown: a table for each member that has runs, and what made them. Raises :class:`~memnet.errors.NetworkError`."""
    declared, rows = FAMILY_TABLES[family], read_rows(path)
    found = {name: declared.of_row(name, rows) for name in declared.rows}
    if not any(found.values()):
        raise NetworkError(
            f"{path} has no run of the table of {family}; 'memnet bench family {family} --results {path}' makes some"
        )
    parts = [part for member in declared.members if (part := of_member(declared, member, found))]
    every = [row for rows in found.values() for row in rows]
    code, machines = counted([row["code"] for row in every]), counted([row["machine"] for row in every])
    networks, versions = f"{len(every)} network{'s' * (len(every) > 1)}", counted([row["torch"] for row in every])
    made = f"{networks}, made by code {code} on {machines}; torch {versions}."
    return "\n\n".join([*parts, made])


def of_member(declared: FamilyTable, member: str, found: Mapping[str, Sequence[Row]]) -> str:
    """The table of one member: percent of the test questions that were answered right, by kind and of all."""
    name, lines = f"{declared.family}/{member}", []
    here = {label: [row for row in rows if row["data"] == name] for label, rows in found.items()}
    by = declared.by
    kinds = sorted({kind for rows in here.values() for row in rows for kind in right_by(row, by)}, key=in_order)
    for label, rows in here.items():
        if rows:
            cells = [mean_and_deviation([right_by(row, by)[kind] for row in rows]) for kind in kinds]
            every = mean_and_deviation([100 - float(row["test_error"]) for row in rows])
            seconds = f"{statistics.mean(float(row['seconds']) for row in rows):,.0f}"
            lines.append([label, *cells, every, str(len(rows)), seconds])
    if not lines:
        return ""
    table = markdown_table(["network", *kinds, "all", "networks", "seconds each"], lines)
    return f"`{name}`, percent right:\n\n{table}"


def right_by(row: Row, by: Literal["kind", "split"]) -> dict[str, float]:
    """Percent right by kind of question, or by split."""
    return {label.partition(", ")[2]: 100 - error for label, error in errors_of(row, by=by)}


def in_order(label: str) -> tuple[str, int, str]:
    """Labels that end with a number by that number.

    >>> sorted(["clean 10", "clean 2", "reality"], key=in_order)
    ['clean 2', 'clean 10', 'reality']
    """
    word, _, number = label.rpartition(" ")
    return (word, int(number), "") if number.isdigit() else (label, 0, "")

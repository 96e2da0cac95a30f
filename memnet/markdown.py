"""Tables in Markdown: figures as cells, tables from rows or from columns, and read again as CSV."""

from __future__ import annotations

import csv
import io
import re
import statistics
from collections.abc import Iterable, Mapping, Sequence

RULES = {"l": "---", "r": "---:"}
Columns = Sequence[tuple[str, Mapping[str, str]]]  # heads, and cells by label


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """A table with a cell for every column in each row, no line end after the last.

    ``align`` has a letter for each column: ``l`` left, ``r`` right; without it the first column stands left and the
    others right, as numbers do. Raises ValueError where a row or ``align`` has another number of columns than the head.

    >>> print(markdown_table(["task", "error"], [["lists", "0.3"], ["sizes", ""]]))
    | task | error |
    | --- | ---: |
    | lists | 0.3 |
    | sizes |  |
    """
    align = align or "l" + "r" * (len(head) - 1)
    lines = [list(head), [RULES[letter] for letter in align], *map(list, rows)]
    for cells in lines:
        if len(cells) != len(head):
            raise ValueError(f"expected {len(head)} cells, one for each of {', '.join(head)}, found {len(cells)}: {cells}")
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def tables_as_csv(markdown: str) -> str:
    """The tables of a Markdown text as CSV, without bold and code marks, an empty line between two tables."""
    blocks = [[line for line in block.splitlines() if line.startswith("| ")] for block in markdown.split("\n\n")]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for place, (head, _, *lines) in enumerate(block for block in blocks if len(block) > 1):
        text.write("\n" if place else "")
        for line in (head, *lines):
            writer.writerow(cell.strip() for cell in line[2:-2].replace("`", "").replace("**", "").split(" | "))
    return text.getvalue()


def in_order(found: Iterable[str]) -> list[str]:
    """Labels once each, their numbers counted: the second before the tenth."""

    def place(label: str) -> tuple[list[int | str], str]:
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", label)], label

    return sorted(set(found), key=place)


def splits_in_order(found: Iterable[str]) -> list[str]:
    """Labels of splits, ``a2, far``, once each: the data sets in order, the splits of one as they are found.

    >>> splits_in_order(["a10, two", "a2, two", "a10, three", "a2, four"])
    ['a2, two', 'a2, four', 'a10, two', 'a10, three']
    """
    labels = list(dict.fromkeys(found))
    sets = in_order(label.partition(", ")[0] for label in labels)
    return sorted(labels, key=lambda label: sets.index(label.partition(", ")[0]))


def one_decimal(value: float | None) -> str:
    """One decimal, or nothing."""
    return "" if value is None else f"{value:.1f}"


def decimals(errors: Mapping[str, float]) -> dict[str, str]:
    """Errors by label with one decimal."""
    return {label: one_decimal(error) for label, error in errors.items()}


def two_decimals(value: float | None) -> str:
    """Two decimals, or nothing."""
    return "" if value is None else f"{value:.2f}"


def bold(text: str) -> str:
    """Bold, where there is anything."""
    return f"**{text}**" if text else ""


def mean_and_deviation(errors: Sequence[float]) -> str:
    """Mean and standard deviation, which one restart has none of, or nothing."""
    if len(errors) < 2:
        return one_decimal(errors[0] if errors else None)
    return f"{statistics.mean(errors):.1f} ± {statistics.stdev(errors):.1f}"


def grid(columns: Columns, first: str = "task", below: Sequence[str] = (), rows: Iterable[str] = (), align: str = "") -> str:
    """A table of columns of cells by label: a row for each label in order, or for ``rows``, then those ``below``."""
    every = list(rows) or in_order(label for _, cells in columns for label in cells if label not in below)
    lines = [[label, *(cells.get(label, "") for _, cells in columns)] for label in (*every, *below)]
    return markdown_table([first, *(head for head, _ in columns)], lines, align)


def duration(seconds: float) -> str:
    """A length of time for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

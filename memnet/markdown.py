"""Tables in Markdown: written from cells, and read again as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

RULES = {"l": "---", "r": "---:"}


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

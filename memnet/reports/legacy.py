"""Rows of runs with the columns that the tables are still made from; goes with them."""

from __future__ import annotations

from pathlib import Path

from memnet.record.runs import OLD_FAMILIES, data_names
from memnet.record.runs import read_rows as read_today


def old_columns(row: dict[str, str]) -> dict[str, str]:
    """A row with its tasks, size, variant and source apart, and its hash as data."""
    names = data_names(row)
    first, *more = names[0].family.split("-")
    source = {family: source for source, family in OLD_FAMILIES.items()}.get(first, first)
    variant = next((part for part in more if part != "10k"), "own" if source == "own" else "en")
    size = "10k" if "10k" in more else "1k"
    tasks = " ".join(name.member for name in names)
    return row | {"tasks": tasks, "size": size, "variant": variant, "source": source, "data": row["hash"], "names": row["data"]}


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a file of runs."""
    return [old_columns(row) for row in read_today(path)]

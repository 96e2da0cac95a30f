"""Rows of runs as the tests write them: with tasks, size, variant and source apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from memnet.record import runs
from memnet.record.runs import OLD_COLUMNS as COLUMNS
from memnet.reports.legacy import read_rows

__all__ = ["COLUMNS", "append_rows", "read_rows"]


def append_rows(path: Path, new: Sequence[Mapping[str, str]]) -> None:
    """Add rows of old columns to a file of today's; those that were read there keep their names."""
    today = []
    for row in new:
        names = {"data": row["names"]} if "names" in row else {}
        today.append(dict(row) if "hash" in row and not names else {**runs.from_old(row), **names})
    runs.append_rows(path, today)

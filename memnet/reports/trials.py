"""The hard trials on record, ``results/trials.csv``: how many cases each had, and how many failed."""

from __future__ import annotations

import csv
from pathlib import Path

from memnet.markdown import markdown_table

COLUMNS = ("trial", "cases", "failures", "seconds", "slowest", "memory", "code")
TITLES = {
    "crashes-memn2n": "a training of MemN2N dies",
    "crashes-memnn": "a training of MemNN dies",
    "crashes-dmn": "a training of a DMN dies",
    "crashes-lstm": "a training of an LSTM dies",
    "crashes-transformer": "a training of a Transformer dies",
    "crashes-causal": "a training of a causal Transformer dies",
    "crashes-sweeps": "a sweep dies",
    "killed-sweeps": "a sweep or one of its workers is killed",
    "two-sweeps": "two sweeps of the same runs at once",
    "full-disk-simulated": "a disk is full, after any byte",
    "full-disk-mounted": "a small file system is full",
    "networks": "mutated network folders",
    "stories": "mutated story files",
    "parquet": "mutated parquet files",
    "lines": "mutated lines of a conversation",
    "requests": "odd HTTP requests",
}
APART = ("crashes-", "killed-", "two-", "full-disk-")  # whose cases run in processes of their own: not measured


def trials_table(results: Path) -> str:
    """A row a trial, in the order of :data:`TITLES`; those that it does not know come last, by their names."""
    with open(results, newline="", encoding="utf-8") as file:
        rows = {row["trial"]: row for row in csv.DictReader(file)}
    order = [*(name for name in TITLES if name in rows), *(name for name in rows if name not in TITLES)]
    head = ["test", "cases", "failures", "seconds", "slowest case, s", "most memory, MiB"]
    cells = [
        [
            TITLES.get(name, name),
            f"{int(rows[name]['cases']):,}",
            f"{int(rows[name]['failures']):,}",
            f"{float(rows[name]['seconds']):,.0f}",
            f"{float(rows[name]['slowest']):.1f}",
            "" if name.startswith(APART) else f"{int(rows[name]['memory']) / 2**20:,.0f}",
        ]
        for name in order
    ]
    return markdown_table(head, cells, "lrrrrr")

"""Which measurements on record are older than the code that makes them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import memnet.record.family_scores  # noqa: F401  its kinds are known as it is imported
from memnet.record.maker import EVERY
from memnet.record.measurements import Measurement, counted, numbers_of, read_csv


def kind_of(path: Path) -> type[Measurement] | None:
    """What the lines of a file are, by its columns; None where they are no measurements."""
    with open(path, newline="", encoding="utf-8") as file:
        columns = next(csv.reader(file), [])
    measured = [name for name in columns if name not in EVERY]
    return next((kind for kind in Measurement.__subclasses__() if [*numbers_of(kind)] == measured != columns), None)


def ages(folder: Path) -> Iterator[tuple[str, str]]:
    """Each file of measurements in a folder, and how old its lines are, see :attr:`Measurement.age`.

    Raises :class:`~memnet.errors.NetworkError` for a file that is broken.
    """
    for path in sorted(folder.glob("*.csv")):
        if (kind := kind_of(path)) is not None:
            yield path.name, counted([line.age for line in read_csv(path, kind)])

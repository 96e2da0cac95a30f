"""``results/runs.csv``: a row a trained network, each with a checksum, added to by several processes at once."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from filelock import FileLock

from memnet.errors import NetworkError
from memnet.files import leftovers, write_atomically
from memnet.record.provenance import code_name

COLUMNS = (
    "model",
    "preset",
    "settings",
    "config",
    "tasks",
    "size",
    "variant",
    "source",
    "data",
    "seed",
    "restarts",
    "replica",
    "selection",
    "chosen",
    "train_error",
    "validation_error",
    "test_error",
    "fact_precision",
    "fact_recall",
    "fact_exact",
    "fact_hops",
    "head_similarity",
    "epochs",
    "stopped",
    "seconds",
    "code",
    "memnet",
    "torch",
    "numpy",
    "python",
    "machine",
)
IDENTITY = COLUMNS[:11]  # what a run is: the same of these is never run twice
CHECK = "check"  # the last column: a checksum of the others and of the line before


def checksum(row: Mapping[str, str], before: str) -> str:
    """Of a row's fields and the checksum of the row before, empty for the first: twelve hexadecimal digits of their SHA-256."""
    return hashlib.sha256("\x1f".join([before, *(row[name] for name in COLUMNS)]).encode()).hexdigest()[:12]


def checked(rows: Iterable[Mapping[str, str]], before: str) -> Iterator[dict[str, str]]:
    """Rows with their checksums, after a row whose checksum is ``before``."""
    for row in rows:
        before = checksum(row, before)
        yield {**row, CHECK: before}


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a runs file, none where there is no file, without their checksums; equal codes have the name on record.

    Raises :class:`~memnet.checkpoint.NetworkError`, with the line, where a row was edited, cut, moved or taken out, or where
    a run has not as many rows as it had restarts. Whole runs that are cut off the end leave a shorter file of runs.
    """
    return [row | {"code": code_name(row["code"])} for row in verified(path)[0]]


def verified(path: Path) -> tuple[list[dict[str, str]], str]:
    """The rows of a runs file and the checksum of the last, see :func:`read_rows`."""
    if not path.exists():
        return [], ""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise NetworkError(f"{path} is not a file of runs: it is not UTF-8 text") from error
    reader = csv.DictReader(io.StringIO(text, newline=""))
    expected = (*COLUMNS, CHECK)
    found: list[dict[str, str]] = []
    before = ""
    last: dict[tuple[str, ...], int] = {}
    try:
        if reader.fieldnames is None or tuple(reader.fieldnames) != expected:
            raise NetworkError(f"{path}:1: not a file of runs; expected the columns {', '.join(expected)}")
        for row in reader:
            if None in row or None in row.values():
                raise NetworkError(f"{path}:{reader.line_num}: expected {len(expected)} fields; the line is cut or edited")
            written, before = row.pop(CHECK), checksum(row, before)
            if written != before:
                raise NetworkError(
                    f"{path}:{reader.line_num}: the line is not as it was written, or one was taken out or added before it: "
                    "its checksum differs"
                )
            found.append(row)
            last[tuple(row[name] for name in IDENTITY)] = reader.line_num
    except csv.Error as error:
        raise NetworkError(f"{path}:{reader.line_num}: {error}") from error
    for run, number in Counter(tuple(row[name] for name in IDENTITY) for row in found).items():
        restarts = run[IDENTITY.index("restarts")]
        if str(number) != restarts:
            raise NetworkError(
                f"{path}:{last[run]}: {number} row(s) of a run of {restarts} restarts; lines were taken out or added"
            )
    return found, before


def done(path: Path) -> set[tuple[str, ...]]:
    """The identities of the runs in a file."""
    return {tuple(row[name] for name in IDENTITY) for row in read_rows(path)}


def append_rows(path: Path, new: Sequence[dict[str, str]]) -> None:
    """Add a run's rows in one piece; several processes may, at once. A run that stands there already is left out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.DictWriter(text, (*COLUMNS, CHECK), lineterminator="\n")
    with FileLock(f"{path}.lock"):
        rows, last = verified(path)
        known = {tuple(row[name] for name in IDENTITY) for row in rows}
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if not before:
            writer.writeheader()
        elif not before.endswith("\n"):
            before += "\n"
        for part in leftovers(path):  # whoever writes it holds the lock
            part.unlink(missing_ok=True)
        added = (row for row in new if tuple(row[name] for name in IDENTITY) not in known)
        writer.writerows(checked(added, last))
        write_atomically(path, before + text.getvalue())

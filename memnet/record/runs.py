"""``results/runs.csv``: a row a trained network, each with a checksum, added to by several processes at once."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from memnet.errors import NetworkError, counted
from memnet.files import leftovers, write_atomically
from memnet.locks import locked
from memnet.record.provenance import code_name
from memnet.tasks.families.old_names import full_names

COLUMNS = (
    "model",
    "preset",
    "settings",
    "config",
    "data",
    "hash",
    "seed",
    "restarts",
    "replica",
    "selection",
    "chosen",
    "train_error",
    "validation_error",
    "test_error",
    "splits",  # by data set, errors of splits of its test questions: near=1.5;far=20; - where it has one alone
    "kinds",  # the same of kinds of questions
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
IDENTITY = COLUMNS[:8]  # what a run is: the same of these is never run twice
CHECK = "check"  # the last column: a checksum of the others and of the line before
NEW = ("splits", "kinds")
OLD_REST = tuple(name for name in COLUMNS[6:] if name not in NEW)
OLD_COLUMNS = (*COLUMNS[:4], "tasks", "size", "variant", "source", "data", *OLD_REST)  # of memnet 0.2 and before it
Row = Mapping[str, str]
KINDS = ("train_error", "validation_error", "test_error")  # a joint network has one for each of its data sets
BY = ("member", "split", "kind")  # what the errors of a table are of


def from_old(row: Mapping[str, str]) -> dict[str, str]:
    """A row of :data:`OLD_COLUMNS` in today's. It does not name the seed of simulated stories."""
    drawn = row["data"].rpartition(":")[2] if row["source"] == "resampled" else ""
    seed = int(drawn) if drawn.isdecimal() else 0
    names = full_names(row["tasks"].split(), row["size"], row["variant"], row["source"], seed)
    found = {"data": " ".join(names), "hash": row["data"]}
    return {name: found.get(name, row.get(name, "")) for name in COLUMNS}


def checksum(row: Mapping[str, str], before: str, columns: Sequence[str] = COLUMNS) -> str:
    """Of a row's fields and the checksum of the row before, empty for the first: twelve hexadecimal digits of their SHA-256."""
    return hashlib.sha256("\x1f".join([before, *(row[name] for name in columns)]).encode()).hexdigest()[:12]


def as_csv(rows: Iterable[Mapping[str, str]], before: str | None = None) -> str:
    """Rows with their checksums, below a head; without one where they follow a row whose checksum is ``before``."""
    text = io.StringIO()
    writer = csv.DictWriter(text, (*COLUMNS, CHECK), lineterminator="\n")
    if before is None:
        writer.writeheader()
    last = before or ""
    for row in rows:
        last = checksum(row, last)
        writer.writerow({**row, CHECK: last})
    return text.getvalue()


def run_of(row: Mapping[str, str]) -> tuple[str, ...]:
    """The identity of the run that a row is of."""
    return tuple(row[name] for name in IDENTITY)


Stamp = tuple[str, int, int, int]  # a file's path, number, size and time of its last change
VERIFIED: dict[Stamp, list[dict[str, str]]] = {}


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a runs file, none where there is no file, without their checksums; equal codes have the name on record.

    A file is verified once a process. One with the columns of memnet 0.2 is read as if it had today's.

    Raises :class:`~memnet.errors.NetworkError`, with the line, where a row was edited, cut, moved or taken out, or where a run
    has not as many rows as it had restarts. Whole runs that are cut off the end leave a shorter file of runs.
    """
    if not path.exists():
        return []
    about = path.stat()
    stamp = (str(path.resolve()), about.st_ino, about.st_size, about.st_mtime_ns)
    if stamp not in VERIFIED:
        VERIFIED[stamp] = [row | {"code": code_name(row["code"])} for row in verified(path)[0]]
    return [dict(row) for row in VERIFIED[stamp]]


def verified(path: Path) -> tuple[list[dict[str, str]], str | None]:
    """The rows of a runs file and the checksum of the last, None where it has another head; see :func:`read_rows`."""
    if not path.exists():
        return [], None
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise NetworkError(f"{path} is not a file of runs: it is not UTF-8 text") from error
    reader = csv.DictReader(io.StringIO(text, newline=""))
    found: list[dict[str, str]] = []
    before = ""
    last: dict[tuple[str, ...], int] = {}
    try:
        columns = tuple(reader.fieldnames or ())[:-1]
        if columns not in (COLUMNS, OLD_COLUMNS) or tuple(reader.fieldnames or ())[-1] != CHECK:
            raise NetworkError(f"{path}:1: not a file of runs; expected the columns {', '.join((*COLUMNS, CHECK))}")
        for row in reader:
            if None in row or None in row.values():
                raise NetworkError(f"{path}:{reader.line_num}: expected {len(columns) + 1} fields; the line is cut or edited")
            written, before = row.pop(CHECK), checksum(row, before, columns)
            if written != before:
                raise NetworkError(
                    f"{path}:{reader.line_num}: the line is not as it was written, or one was taken out or added before it: "
                    "its checksum differs"
                )
            found.append(from_old(row) if columns == OLD_COLUMNS else row)
            last[run_of(found[-1])] = reader.line_num
    except csv.Error as error:
        raise NetworkError(f"{path}:{reader.line_num}: {error}") from error
    for run, number in Counter(map(run_of, found)).items():
        restarts = run[IDENTITY.index("restarts")]
        if str(number) != restarts:
            raise NetworkError(
                f"{path}:{last[run]}: {counted(number, 'row')} of a run of {restarts} restarts; lines were taken out or added"
            )
    return found, before if columns == COLUMNS else None


def done(path: Path) -> set[tuple[str, ...]]:
    """The identities of the runs in a file."""
    return set(map(run_of, read_rows(path)))


def failures(results: Path) -> Path:
    """Where the errors of crashed runs are recorded, a JSON object a line."""
    return results.with_name(f"{results.stem}.failed.jsonl")


def append_rows(path: Path, new: Sequence[Mapping[str, str]]) -> None:
    """Add a run's rows in one piece; several processes may, at once. A run that stands there already is left out.

    A file with the columns of memnet 0.2 is rewritten with today's.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(Path(f"{path}.lock")):
        rows, last = verified(path)
        known = set(map(run_of, rows))
        added = [row for row in new if run_of(row) not in known]
        if last is None:
            text = as_csv([*rows, *added])
        else:
            before = path.read_text(encoding="utf-8")
            text = before + "\n" * (not before.endswith("\n")) + as_csv(added, last)
        for part in leftovers(path):  # whoever writes it holds the lock
            part.unlink(missing_ok=True)
        write_atomically(path, text)


def labels(row: Row) -> list[str]:
    """The members of a row's data sets, with their seeds: what its errors are of, in their order."""
    return [name.partition("/")[2] for name in row["data"].split()]


def errors_of(row: Row, kind: str = "test_error", by: str = "member") -> Iterator[tuple[str, float]]:
    """Labels and errors: of a row's data sets, or of the splits or kinds of their test questions. Raises ValueError."""
    cells = row[kind if by == "member" else f"{by}s"].split()
    for label, cell in zip(labels(row), cells, strict=bool(cells)):
        for part in cell.split(";") if cell != "-" else ():
            name, _, error = part.rpartition("=")
            yield (f"{label}, {name.replace('_', ' ')}" if name else label), float(error)


def families(row: Row) -> set[str]:
    """The families of a row's data sets."""
    return {name.partition("/")[0] for name in row["data"].split()}


def is_joint(row: Row) -> bool:
    """Whether a network learned several data sets."""
    return " " in row["data"]


def of_each_task(row: Row) -> Iterator[Row]:
    """The row of a network with the errors of each of its data sets alone; its seconds are those of the whole."""
    errors = {kind: row[kind].split() for kind in KINDS}
    for place, name in enumerate(row["data"].split()):
        yield {**row, "data": name, **{kind: found[place] for kind, found in errors.items() if found}}

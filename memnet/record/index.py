"""``index.csv`` in the folder of a sweep: which of its folders is which run, of which files, and how the run ended.

folder,data,hash,names,names_hash,preset,settings,seed,restarts,validation_error,test_error,error
own-moves-bow-dim=20-seed0-4c6ad75d,own/moves,0a1b2c3d4e5f,,,bow,dim=20,0,10,11.0,12.5,

``hash`` is the one of a run's card and of the results: of its stories, and of the files that it took besides. ``names`` is the
file of names, as the command had it, and ``names_hash`` is of the words in it when the run was made.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from memnet.files import leftovers, write_atomically
from memnet.locks import locked

OF_FILES = ("data", "hash", "names", "names_hash")
COLUMNS = ("folder", *OF_FILES, "preset", "settings", "seed", "restarts", "validation_error", "test_error", "error")
VARYING = ("data", "preset", "settings", "seed")  # shown where runs differ in them
ERRORS = ("validation_error", "test_error")
INDEX = "index.csv"
MOST_SHOWN = 40  # runs


def read_index(work: Path) -> dict[str, dict[str, str]]:
    """The runs in a sweep's folder by the names of their folders; none where there is no index."""
    path = work / INDEX
    if not path.is_file():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        found = [{name: row.get(name) or "" for name in COLUMNS} for row in csv.DictReader(file)]
    return {row["folder"]: row for row in found}


def add_to_index(work: Path, run: Mapping[str, str]) -> None:
    """Add a run that is over, or change its line; several processes may, at once. Raises OSError where it cannot be written."""
    work.mkdir(parents=True, exist_ok=True)
    path = work / INDEX
    with locked(Path(f"{path}.lock")):
        for part in leftovers(path):
            part.unlink(missing_ok=True)
        runs = read_index(work) | {run["folder"]: dict(run)}
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(runs[name] for name in sorted(runs))
        write_atomically(path, text.getvalue())


def shown(work: Path, runs: Sequence[Mapping[str, str]]) -> list[str]:
    """Runs as lines of a table: what they differ in, their errors in percent, and the folder of each.

    >>> a, b = ({"folder": f"x-{seed}", "seed": seed, "validation_error": "2.0", "test_error": "1.5"} for seed in "01")
    >>> for line in shown(Path("runs"), [a, b]):
    ...     print(line)
    seed  validation error %  test error %  folder
    0     2.0                 1.5           runs/x-0
    1     2.0                 1.5           runs/x-1
    """
    differing = [name for name in VARYING if len({run.get(name, "") for run in runs}) > 1]
    lines = [[*differing, *(f"{name.replace('_', ' ')} %" for name in ERRORS), "folder"]]
    for run in runs[:MOST_SHOWN]:
        errors = ("failed", "") if run.get("error") else (run[name] or "-" for name in ERRORS)
        lines.append([*(run[name] or "as it stands" for name in differing), *errors, (work / run["folder"]).as_posix()])
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    found = ["  ".join(cell.ljust(width) for cell, width in zip(line, wide, strict=True)).rstrip() for line in lines]
    return [*found, f"and {len(runs) - MOST_SHOWN} more"] if len(runs) > MOST_SHOWN else found

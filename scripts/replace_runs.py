"""Put runs that were made again in the place of those on record.

    memnet reproduce memn2n-1k --outdated --results runs/again/runs.csv
    python scripts/replace_runs.py runs/again/runs.csv results/runs.csv

Every run of the first file that the second has too takes its place there, all restarts of it. So does one that is on record
with other stories alone, as the simulator has changed since. Other runs of the first are named and left. The lines keep their
order, and get new checksums, as each rests on those before. The second file is written at once.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from memnet.errors import NetworkError
from memnet.files import write_atomically
from memnet.record.runs import IDENTITY, as_csv, run_of, verified

Row = Mapping[str, str]
Run = tuple[str, ...]


def runs_of(rows: Sequence[Row]) -> dict[Run, list[Row]]:
    """Rows by what their run is, in the order in which they stand."""
    found: dict[Run, list[Row]] = {}
    for row in rows:
        found.setdefault(run_of(row), []).append(row)
    return found


def without_data(run: Run) -> Run:
    """What a run is, whatever its stories."""
    return tuple(value for name, value in zip(IDENTITY, run, strict=True) if name != "hash")


def replaced(again: Sequence[Row], recorded: Sequence[Row]) -> tuple[list[Row], list[Run]]:
    """The rows on record with those of ``again`` in their places, and the runs of ``again`` that have none there."""
    new, old = runs_of(again), runs_of(recorded)
    place = {run: run for run in new if run in old}
    left: list[Run] = []
    for run in new.keys() - place.keys():
        others = [one for one in old.keys() - place.keys() if without_data(one) == without_data(run)]
        if len(others) == 1:
            place[others[0]] = run
        else:
            left.append(run)
    return [row for run, rows in old.items() for row in (new[place[run]] if run in place else rows)], sorted(left)


def main(again: Path, recorded: Path) -> None:
    """Replace, and say how many. Stops with one line where a file is not one of runs."""
    try:
        new, old = verified(again)[0], verified(recorded)[0]
    except NetworkError as error:
        raise SystemExit(str(error)) from error
    if not new:
        raise SystemExit(f"{again} has no runs; 'memnet reproduce TABLE --results {again}' makes them")
    rows, others = replaced(new, old)
    write_atomically(recorded, as_csv(rows))
    print(f"{len(runs_of(new)) - len(others)} runs of {recorded} replaced")
    for run in others:
        print("not on record, left out:", *run)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*map(Path, sys.argv[1:]))

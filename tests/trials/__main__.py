"""``python -m tests.trials FOLDER``: ``results/trials.csv`` from the results that ``MEMNET_TRIALS=FOLDER`` kept."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

from memnet.files import write_atomically
from memnet.reports.trials import COLUMNS, TITLES
from tests.trials.trial import Result, results_of

RECORD = Path(__file__).parents[2] / "results" / "trials.csv"


def row(trial: str, results: list[Result]) -> dict[str, object]:
    """A trial's line: seconds of all its cases and of the slowest, bytes beyond those before the first, hashes of the code."""
    return {
        "trial": trial,
        "cases": len(results),
        "failures": sum(bool(result["failure"]) for result in results),
        "seconds": f"{sum(result['seconds'] for result in results):.0f}",
        "slowest": f"{max(result['seconds'] for result in results):.1f}",
        "memory": max(result["memory"] for result in results),
        "code": " ".join(sorted({result["code"] for result in results})),
    }


def record(folder: Path, path: Path) -> None:
    """Write the line of every trial whose results are in a folder; those of other trials stay as they are."""
    rows: dict[str, dict[str, object]] = {}
    if path.exists():
        with open(path, newline="", encoding="utf-8") as file:
            rows = {each["trial"]: dict(each) for each in csv.DictReader(file)}
    rows |= {kept.stem: row(kept.stem, list(results_of(kept).values())) for kept in folder.glob("*.jsonl")}
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    names = [*TITLES, *sorted(rows.keys() - TITLES.keys())]
    writer.writerows(rows[name] for name in names if name in rows)
    write_atomically(path, text.getvalue())


if __name__ == "__main__":
    record(Path(sys.argv[1]), RECORD)
    print(RECORD)

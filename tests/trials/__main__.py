"""``python -m tests.trials FOLDER``: ``results/trials.csv`` from the results that ``MEMNET_TRIALS=FOLDER`` kept."""

import sys
from pathlib import Path

from memnet.files import write_atomically
from memnet.record.maker import MAKER, Maker
from memnet.record.measurements import Trial, read_csv, write_csv
from tests.trials.trial import Result, results_of

COMMAND = "python -m tests.trials FOLDER"  # what pytest was called with says nothing
RECORD = Path(__file__).parents[2] / "results" / "trials.csv"


def line(trial: str, results: list[Result]) -> Trial:
    """A trial's line: seconds of all its cases and of the slowest, bytes beyond those before the first, what made them."""
    seconds = [result["seconds"] for result in results]
    made = {name: " ".join(sorted({result[name] for result in results if result.get(name)})) for name in MAKER}
    maker = Maker(**{name: value for name, value in made.items() if value} | {"command": COMMAND})
    failures, memory = sum(bool(result["failure"]) for result in results), max(result["memory"] for result in results)
    return Trial(trial, len(results), failures, float(round(sum(seconds))), round(max(seconds), 1), memory, maker=maker)


def record(folder: Path, path: Path) -> None:
    """Write the line of every trial whose results are in a folder; those of other trials stay as they are."""
    lines = {one.trial: one for one in (read_csv(path, Trial) if path.exists() else ())}
    lines |= {kept.stem: line(kept.stem, list(results_of(kept).values())) for kept in sorted(folder.glob("*.jsonl"))}
    write_atomically(path, write_csv([*lines.values()]))


if __name__ == "__main__":
    record(Path(sys.argv[1]), RECORD)
    print(RECORD)

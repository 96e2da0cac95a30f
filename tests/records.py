"""Rows of runs as they stand on record, made up."""

from pathlib import Path

from memnet.papers import PRESETS
from memnet.record.runs import COLUMNS
from memnet.training.spec import config_hash

ROOT = Path(__file__).parent.parent
RUNS, PUBLISHED = ROOT / "results" / "runs.csv", ROOT / "results" / "published.csv"


def run(data: str, errors: list[float], preset: str = "pe-ls-rn", chosen: int = 0, **changed: str) -> list[dict[str, str]]:
    """A row a restart; a joint network has the same error on each of its data sets."""
    row = dict.fromkeys(COLUMNS, "") | {"preset": preset, "config": config_hash(PRESETS[preset]), "data": data, "seed": "0"}
    row |= {"restarts": str(len(errors)), "selection": "validation", "seconds": "10", "epochs": "1", "torch": "2"} | changed
    count = len(data.split())
    return [
        row | {"replica": str(place), "chosen": str(int(place == chosen)), "test_error": " ".join([f"{error:g}"] * count)}
        for place, error in enumerate(errors)
    ]

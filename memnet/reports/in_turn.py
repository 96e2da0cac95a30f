"""Networks of a study by task and seed: of presets that are tried in turn, or of a joint network its tasks apart.

In turn: of a task and seed each preset after those before it, until one makes no validation error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from memnet.papers import PRESETS
from memnet.papers.declare import Study
from memnet.reports.columns import regime_of
from memnet.training.spec import config_hash

Row = Mapping[str, str]
Cell = tuple[str, int]  # a task, by its name, and a seed

OF_TASKS = ("train_error", "validation_error", "test_error")  # a joint network has one for each task


def of_each_task(row: Row) -> Iterator[Row]:
    """The row of a network with the errors of each of its tasks alone; its seconds are those of the whole."""
    errors = {name: row[name].split() for name in OF_TASKS}
    for place, task in enumerate(row["tasks"].split()):
        yield {**row, "tasks": task, **{name: of[place] for name, of in errors.items() if of}}


def tried(rows: Iterable[Row], study: Study) -> dict[Cell, list[Row]]:
    """The network of each of the study's presets, in their order, by task and seed: as they stand, on the published text.

    None after one without a validation error.
    """
    presets, tasks = study.presets, " ".join(study.tasks)
    hashes = {preset: config_hash(PRESETS[preset]) for preset in presets}
    own = (study.size, "published", "en", "", "1")
    found: dict[Cell, dict[str, Row]] = {}
    for row in rows:
        if row["chosen"] != "1" or row["config"] != hashes.get(row["preset"]):
            continue
        same = tuple(row[name] for name in ("size", "source", "variant", "settings", "restarts")) == own
        if same and (row["tasks"] == tasks if study.joint else regime_of(dict(row)) == "single"):
            for part in of_each_task(row):
                found.setdefault((part["tasks"], int(row["seed"])), {})[row["preset"]] = part
    return {cell: until_perfect([of[preset] for preset in presets if preset in of]) for cell, of in found.items()}


def until_perfect(found: Sequence[Row]) -> list[Row]:
    """Those up to the first without a validation error."""
    perfect = next((place for place, row in enumerate(found) if float(row["validation_error"]) == 0), len(found))
    return list(found[: perfect + 1])


def next_candidate(presets: Sequence[str], found: Sequence[Row]) -> str | None:
    """The first preset that is not tried yet; None where one before it made no validation error, or all are tried."""
    by_preset = {row["preset"]: row for row in found}
    for preset in presets:
        if preset not in by_preset:
            return preset
        if float(by_preset[preset]["validation_error"]) == 0:
            return None
    return None


def choice(presets: Sequence[str], found: Sequence[Row]) -> Row:
    """The network with the least validation error; of equal ones the one that is tried first."""
    return min(found, key=lambda row: (float(row["validation_error"]), presets.index(row["preset"])))

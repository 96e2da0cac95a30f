"""Networks of a study by task and seed: presets that are tried one after another, or a joint network, its tasks apart.

In a cascade each preset follows those before it, for every task and seed, until one makes no validation error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memnet.papers.declare import Study
from memnet.record.runs import Row, labels, of_each_task
from memnet.reports.select import select

Place = tuple[str, int]  # a data set, by its label, and a seed


def tried(rows: Iterable[Row], study: Study) -> dict[Place, list[Row]]:
    """The chosen network of each of the study's presets, in their order, by task and seed; none after a perfect one."""
    found: dict[Place, dict[str, Row]] = {}
    for row in select(rows, *study.runs):
        for part in of_each_task(row) if row["chosen"] == "1" else ():
            found.setdefault((labels(part)[0], int(row["seed"])), {})[row["preset"]] = part
    return {
        place: until_perfect([networks[preset] for preset in study.presets if preset in networks])
        for place, networks in found.items()
    }


def is_perfect(row: Row) -> bool:
    """Whether a network makes no validation error."""
    return float(row["validation_error"]) == 0


def until_perfect(found: Sequence[Row]) -> list[Row]:
    """Those up to the first without a validation error."""
    perfect = next((place for place, row in enumerate(found) if is_perfect(row)), len(found))
    return list(found[: perfect + 1])


def next_candidate(presets: Sequence[str], found: Sequence[Row]) -> str | None:
    """The first preset that is not tried yet; None where one before it made no validation error, or all are tried."""
    by_preset = {row["preset"]: row for row in found}
    for preset in presets:
        if preset not in by_preset:
            return preset
        if is_perfect(by_preset[preset]):
            return None
    return None


def choice(presets: Sequence[str], found: Sequence[Row]) -> Row:
    """The network with the least validation error; of equal ones the one that is tried first."""
    return min(found, key=lambda row: (float(row["validation_error"]), presets.index(row["preset"])))

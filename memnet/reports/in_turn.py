"""Presets that are tried in turn: of a task and seed each after those before it, until one makes no validation error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memnet.papers import PRESETS
from memnet.reports.columns import regime_of
from memnet.training.spec import config_hash

Row = Mapping[str, str]
Cell = tuple[str, int]  # a task, by its name, and a seed


def tried(rows: Iterable[Row], presets: Sequence[str], size: str = "1k") -> dict[Cell, list[Row]]:
    """The chosen network of each preset, in their order, by task and seed: of presets as they stand, on the published text."""
    hashes = {preset: config_hash(PRESETS[preset]) for preset in presets}
    found: dict[Cell, dict[str, Row]] = {}
    for row in rows:
        own = tuple(row[name] for name in ("size", "source", "variant", "settings", "restarts"))
        same = own == (size, "published", "en", "", "1")
        if same and row["chosen"] == "1" and row["config"] == hashes.get(row["preset"]) and regime_of(dict(row)) == "single":
            found.setdefault((row["tasks"], int(row["seed"])), {})[row["preset"]] = row
    return {cell: [by_preset[preset] for preset in presets if preset in by_preset] for cell, by_preset in found.items()}


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
    """The network with the least validation error; of equal ones the one that is tried first, and none after a perfect one."""
    return min(found, key=lambda row: (float(row["validation_error"]), presets.index(row["preset"])))

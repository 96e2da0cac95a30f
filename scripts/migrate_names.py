"""Carry results, and the package's network, over to the settings' and presets' names of today; run once, in November 2026.

    python scripts/migrate_names.py results/runs.csv results/models.csv results/memory.csv memnet/ask/network/config.json

A row's configuration is rebuilt under today's names and hashed under the old ones: where that is the hash on record, the row
gets its new hash. Rows of presets that have changed since keep theirs, which no preset has; no table shows them, before or
after. Errors, seconds and code hashes are not touched, and the whole file is written at once. What is migrated already is left.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

from memnet.ask.predictor import Predictor
from memnet.config import Training, override, parse_settings
from memnet.files import write_atomically
from memnet.models import MODELS, model_of
from memnet.papers import PRESETS
from memnet.training.records import CHECK, COLUMNS, checked, read_rows
from memnet.training.spec import config_hash

SETTINGS = {  # old name -> today's
    "exchange": "permute",
    "capacity": "memory_size",
    "warm_start": "softmax_epochs",
    "places": "position_mask_std",
    "reach": "max_relative_distance",
    "own_picks": "scheduled_sampling",
    "watch": "monitor",
    "settled": "stop_after_perfect",
    "keep": "restore_best",
    "absent": "unanswerable",
}
OLD = {new: old for old, new in SETTINGS.items()}
NOT_THERE = {"memnn": ("align",)}  # settings that a model's configuration did not have
COLUMN = {"heads_alike": "head_similarity"}


def old_hash(config: Training) -> str:
    """The hash of a configuration under the names that it had."""
    missing = NOT_THERE.get(model_of(config), ())
    changed: dict[str, Any] = {}
    for field in fields(config):
        value = getattr(config, field.name)
        if value != field.default and field.name not in missing:
            changed[OLD.get(field.name, field.name)] = old_value(field.name, value)
    return hashlib.sha256(json.dumps(changed, sort_keys=True).encode()).hexdigest()[:8]


def old_value(name: str, value: Any) -> Any:
    """A setting's value as it was written."""
    return ("best" if value else "last") if name == "restore_best" else value


def new_setting(pair: str) -> str:
    """``name=value`` under today's name."""
    name, _, value = pair.partition("=")
    if name == "keep":
        value = str(value == "best")
    return f"{SETTINGS.get(name, name)}={value}"


def migrate_runs(path: Path) -> str:
    """Rewrite a file of runs; what was done, in a sentence."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if COLUMN.keys().isdisjoint(rows[0]):
        return f"{path}: migrated already"
    kept: Counter[str] = Counter()
    found = []
    for row in rows:
        row = {COLUMN.get(name, name): value for name, value in row.items() if name != CHECK}
        row["preset"] = row["preset"].replace("-exchange", "-permute")
        row["settings"] = " ".join(sorted(map(new_setting, row["settings"].split())))
        preset = PRESETS[row["preset"]]
        config = override(preset, parse_settings(row["settings"].split(), type(preset)))
        if old_hash(config) == row["config"]:
            row["config"] = config_hash(config)
        else:
            kept[f"{row['preset']} {row['settings']}".strip()] += 1
        found.append(row)
    text = io.StringIO()
    writer = csv.DictWriter(text, [*COLUMNS, CHECK], lineterminator="\n")
    writer.writeheader()
    writer.writerows(checked(found, ""))
    write_atomically(path, text.getvalue())
    assert len(read_rows(path)) == len(rows)
    old = ", ".join(f"{number} of {name}" for name, number in sorted(kept.items())) or "none"
    return f"{path}: {len(rows)} rows under today's names; of presets that have changed since: {old}"


def migrate_measurements(path: Path) -> str:
    """Rename the presets in a file of measurements; what was done, in a sentence."""
    text = path.read_text(encoding="utf-8")
    write_atomically(path, text.replace("-exchange", "-permute"))
    return f"{path}: {text.count('-exchange')} presets under today's names"


def migrate_network(path: Path) -> str:
    """Rewrite the configuration of a saved network; what was done, in a sentence."""
    saved = json.loads(path.read_text(encoding="utf-8"))
    if SETTINGS.keys().isdisjoint(saved):
        return f"{path}: migrated already"
    found: dict[str, Any] = {}
    for name, value in saved.items():
        found[SETTINGS.get(name, name)] = value == "best" if name == "keep" else value
    known = {field.name for field in fields(MODELS[found["model"]].Config)}
    assert known - found.keys() <= {"gradient"}, sorted(known - found.keys())
    write_atomically(path, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    Predictor.load(path.parent).save_pretrained(path.parent)  # in today's order
    return f"{path}: under today's names"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        kinds = {"config.json": migrate_network, "runs.csv": migrate_runs}
        print(kinds.get(path.name, migrate_measurements)(path))

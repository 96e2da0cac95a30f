"""Every model on equal terms: the same recipe, lines that can be trained, and what the tables say of rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from memnet.models import MODELS as KINDS
from memnet.models import model_of
from memnet.papers.declare import Runs
from memnet.papers.equal import (
    CHOSEN,
    MODELS,
    RATES,
    RECIPE,
    REGULARISED,
    SEARCHED,
    TABLES,
)
from memnet.reports.equal import best, configured, search, searched
from memnet.training.records import COLUMNS, append_rows, read_rows
from memnet.training.spec import config_hash

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "results" / "runs.csv"
EVERY = [(table, label, part) for table, (_, lines) in TABLES.items() for label, part in lines.items()]


def test_every_model_that_attends_takes_part():
    assert {model_of(config) for config in MODELS.values()} == {name for name in KINDS if name != "baseline"}


@pytest.mark.parametrize(("table", "label", "part"), EVERY, ids=lambda value: str(value)[:60])
def test_every_line_can_be_trained_by_the_same_recipe(table: str, label: tuple[str, ...], part: Runs):
    config = configured(part)
    assert label[0] == part.presets[0]
    assert {name: getattr(config, name) for name in RECIPE} == RECIPE


def test_every_model_has_the_same_search():
    assert list(MODELS) == list(REGULARISED)
    for model, strengths in REGULARISED.items():
        assert [label[1:] for label in SEARCHED if label[0] == model] == [(rate, one) for rate in RATES for one in strengths]


def rows_of(part: Runs, errors: Iterable[tuple[float, float, float]]) -> list[dict[str, str]]:
    """A row for each restart and task: training, validation and test error; the first restart is the chosen one."""
    (model,) = part.presets
    found = []
    for task in [" ".join(part.all_tasks)] if part.joint else part.all_tasks:
        for replica, kinds in enumerate(errors):
            row = dict.fromkeys(COLUMNS, "") | {"preset": model, "config": config_hash(configured(part)), "tasks": task}
            row |= {"size": part.size, "source": "published", "variant": "en", "seed": "0", "restarts": str(part.restarts)}
            row |= {"chosen": str(int(replica == 0)), "seconds": "20", "fact_precision": "0.5", "fact_recall": "0.25"}
            repeated = (" ".join([f"{error:g}"] * len(task.split())) for error in kinds)
            found.append(row | dict(zip(("train_error", "validation_error", "test_error"), repeated, strict=True)))
    return found


def test_the_search_chooses_by_validation_and_of_equal_ones_the_first(tmp_path: Path):
    assert best({("a", "x"): 3.0, ("a", "y"): 2.0, ("b", "x"): 2.0}) == ("a", "y")
    for (_, rate, strength), part in SEARCHED.items():
        validation = 5 if (rate, strength[-1]) == (RATES[2], "1") else 7
        append_rows(tmp_path / "runs.csv", rows_of(part, [(0, validation, 100 - validation)]))
    text = search(tmp_path / "runs.csv")
    assert "| LSTM with attention | `lr=0.006` | **5.0** | 7.0 |" in text
    assert "| LSTM with attention | `lr=0.002` | 7.0 | 7.0 |" in text


def test_what_is_declared_as_chosen_is_what_the_search_on_record_chose():
    rows = read_rows(RUNS)
    assert {model: best(searched(rows, model)) for model in MODELS} == CHOSEN

"""Presets tried in turn and chosen by validation: which come next, which is chosen, and the table."""

from dataclasses import replace
from pathlib import Path

import pytest

from memnet.config import override, parse_settings
from memnet.errors import NetworkError
from memnet.papers import PRESETS
from memnet.papers.declare import TASKS, Runs
from memnet.papers.ours import STEPS, STEPS_CHANGED, STEPS_PRESET, STEPS_TASKS, UNLEARNED
from memnet.papers.thousand import (
    ABLATION,
    JOINT,
    NOT_TRAINED,
    ORDERED,
    ORDERED_TASKS,
    ORDERS,
    PARTS,
    PARTS_SEED,
    PARTS_TASKS,
    READINGS,
    SEEDS,
    THOUSAND,
)
from memnet.record.runs import append_rows
from memnet.reports.cascade import choice, next_candidate, tried
from memnet.reports.procedure import of_seeds
from memnet.reports.reading import constant_errors, reading_ablation
from memnet.reports.studies import training_steps
from memnet.tasks.families import find
from memnet.training.spec import config_hash
from tests.conftest import ran, refused
from tests.records import PUBLISHED, run

CANDIDATES = THOUSAND.presets
FIRST, SECOND, THIRD = CANDIDATES


def names_of(tasks: str, family: str = "babi") -> str:
    return " ".join(f"{family}/{task}" for task in tasks.split())


def row(task: str, seed: int, preset: str, validation: float, test: float, **changed: str) -> dict[str, str]:
    [found] = run(names_of(task), [test], preset, seed=str(seed), seconds="36", hash=task, code="abc")
    return found | {"validation_error": f"{validation:g}", "test_error": f"{test:g}"} | changed


def test_each_is_tried_after_those_before_it():
    assert next_candidate(CANDIDATES, []) == FIRST
    assert next_candidate(CANDIDATES, [row("qa1", 0, FIRST, 0, 5)]) is None
    failed = row("qa1", 0, FIRST, 2, 1)
    assert next_candidate(CANDIDATES, [failed]) == SECOND
    assert next_candidate(CANDIDATES, [failed, row("qa1", 0, SECOND, 0, 3)]) is None
    assert next_candidate(CANDIDATES, [failed, row("qa1", 0, SECOND, 2, 0)]) == THIRD
    assert next_candidate(CANDIDATES, [row("qa1", 0, name, 1, 0) for name in CANDIDATES]) is None


def test_validation_chooses_and_the_test_does_not():
    one, other = row("qa1", 0, FIRST, 2, 9), row("qa1", 0, SECOND, 2, 0)
    assert choice(CANDIDATES, [one, other]) == one  # of equal ones the first
    assert choice(CANDIDATES, [one, other, row("qa1", 0, THIRD, 1, 50)])["preset"] == THIRD


def test_other_runs_are_none_of_it():
    same = row("qa1", 0, FIRST, 0, 0)
    others = [
        row("qa1", 0, SECOND, 0, 0, settings="epochs=3", config="other"),
        row("qa1", 0, SECOND, 0, 0, config="other"),
        row("qa1", 0, SECOND, 0, 0, chosen="0"),
        row("qa1", 0, SECOND, 0, 0, restarts="10"),
        row("qa1", 0, SECOND, 0, 0, data=names_of("qa1", "sim")),
        row("qa1 qa2", 0, SECOND, 0, 0),
        row("qa1", 0, "pe-ls-rn", 0, 0),
    ]
    assert tried([*others, same], THOUSAND) == {("qa1", 0): [same]}


def test_none_after_a_perfect_one():
    rows = [row("qa1", 0, SECOND, 0, 3), row("qa1", 0, FIRST, 0, 5)]
    assert tried(rows, THOUSAND) == {("qa1", 0): [rows[1]]}


def test_a_joint_network_is_a_row_for_each_task(tmp_path: Path):
    """Means over its tasks, seed by seed; the best seed is one for all tasks."""
    (preset,), tasks = JOINT.presets, " ".join(TASKS["babi"])
    joint = replace(JOINT, runs=tuple(Runs((preset,), joint=True, seed=seed, restarts=1) for seed in SEEDS))
    held_out = {seed: "1 " + ("3" if seed else "1") + " 0" * 18 for seed in SEEDS}
    test = {seed: f"{10 * seed} 0 0" + " 1" * 17 for seed in SEEDS}
    rows = [row(tasks, seed, preset, 0, 0, validation_error=held_out[seed], test_error=test[seed]) for seed in SEEDS]
    part = row("qa1 qa2", 0, preset, 0, 0, validation_error="9 9", test_error="99 99")
    found = tried([*rows, row("qa1", 0, preset, 0, 99), part], joint)
    assert [found["qa2", seed][0]["validation_error"] for seed in (0, 1)] == ["1", "3"]
    assert found["qa1", 2][0]["test_error"] == "20"
    append_rows(tmp_path / "runs.csv", rows)
    text = of_seeds(joint, tmp_path / "runs.csv", PUBLISHED)
    assert "| qa1 | **20.0** | 15.8 | 0.0 | 10.0 | 20.0 | 30.0 | 40.0 | 1.0 |" in text
    assert "| mean | **1.85** | 0.79 | 0.85 | 1.35 | 1.85 | 2.35 | 2.85 |" in text
    assert "ours, words renamed by rules, of the seeds the best by validation, of equal ones the first | **0.85** | 0 |" in text
    one_seed = of_seeds(replace(JOINT, runs=joint.runs[2:3]), tmp_path / "runs.csv", PUBLISHED)
    assert "| task | error | validation | paper, best of ten |" in one_seed
    assert "| mean | **1.85** |  | 7.8 |" in one_seed
    assert "|  | ours, words renamed by rules | **1.85** | 1 |" in one_seed
    assert f"networks trained: {len(SEEDS)}, in {len(SEEDS) * 36 / 3600:.1f} hours" in text


def rows_of(last: float = 0) -> list[dict[str, str]]:
    """Every task and seed: the seed's number percent of error, and task 3 is left to the second candidate."""
    rows = []
    for task in TASKS["babi"]:
        for seed in SEEDS:
            rows.append(row(task, seed, FIRST, 3 if task == "qa3" else 0, 20 if task == "qa3" else seed))
            rows += [row(task, seed, SECOND, last, 10)] if task == "qa3" else []
    return rows


def test_the_table(tmp_path: Path):
    append_rows(tmp_path / "runs.csv", rows_of())
    text = of_seeds(THOUSAND, tmp_path / "runs.csv", PUBLISHED)
    count = len(SEEDS)
    cells = {
        line.split(" | ")[0].strip("| "): line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")
    }
    assert cells["qa3"][1:3] == ["**10.0**", "0.0"]
    assert cells["qa3"][3 + count] == f"{SECOND} x {count}"
    mean = sum(SEEDS) / count
    assert cells["qa1"][1] == f"**{mean:.1f}**"
    assert cells["mean"][3] == f"{10 / 20:.2f}"  # seed 0
    assert cells["failed (> 5 %)"][3] == "1"
    assert f"networks tried: {count * 21}, in {count * 21 * 36 / 3600:.1f} hours" in text
    assert text.endswith(", code abc.")
    assert "6.34" in text
    assert "4.55" in text
    append_rows(tmp_path / "less.csv", rows_of(last=1))
    with pytest.raises(NetworkError, match="memnet reproduce thousand"):
        of_seeds(THOUSAND, tmp_path / "less.csv", PUBLISHED)


def test_runs_that_come_next(tmp_path: Path, published: Path):
    """What is left to do of a seed and a task, in words."""
    runs = tmp_path / "runs.csv"
    asked = ["reproduce", "thousand", "--dry-run", "--data", str(published), "--results", str(runs)]
    cells = ["--cell", "qa1", "--cell", "qa3", "--seed", "0"]

    def said(*more: str) -> str:
        return ran(*asked, *more).stdout

    first = said(*cells)
    assert f"qa1 {FIRST}" in first
    assert f"qa3 {FIRST}" in first
    assert SECOND not in first
    assert "presets are tried in turn: more may follow" in first
    found = {task: find([names_of(task)], published)[0].hash for task in ("qa1", "qa3")}
    append_rows(runs, [row(task, 0, FIRST, error, 1, hash=found[task]) for task, error in (("qa1", 0), ("qa3", 2))])
    then = said(*cells)
    assert f"qa3 {SECOND}" in then
    assert "qa1" not in then
    assert f"qa1 {SECOND}" in said("--cell", "qa1", "--seed", "0", "--preset", SECOND)  # one that is named need not wait
    assert "--seed must be 0 or 1 or 2 or 3 or 4" in refused(*asked, "--seed", 99)
    joint = ("reproduce", "thousand-joint", "--cell", "qa1", "--dry-run", "--data", published)
    assert "one network for all its tasks" in refused(*joint)


def test_what_each_part_of_the_reading_adds(tmp_path: Path):
    preset = ABLATION.presets[0]
    config, rows = PRESETS[preset], list[dict[str, str]]()
    for place, changed in enumerate(PARTS.values()):
        hashed = config_hash(override(config, parse_settings(changed, type(config))))
        rows += [
            row(task, PARTS_SEED, preset, place, 2 * place, config=hashed, settings=" ".join(changed)) for task in PARTS_TASKS
        ]
    for name in ORDERED:
        for place, changed in enumerate(ORDERS.values()):
            hashed = config_hash(override(PRESETS[name], parse_settings(changed, type(PRESETS[name]))))
            rows += [
                row(task, PARTS_SEED, name, place, 10 * place, config=hashed, settings=" ".join(changed))
                for task in ORDERED_TASKS
            ]
    lacking = [*rows]
    for name in NOT_TRAINED:
        for changed in READINGS.values():
            settings = override(PRESETS[name], parse_settings(changed, type(PRESETS[name])))
            errors = {task: 50 if not changed else 0.5 if task == "qa12" else 20 for task in TASKS["babi"]}
            rows += [
                row(task, 0, name, 0, error, config=config_hash(settings), settings=" ".join(changed))
                for task, error in errors.items()
            ]
    append_rows(tmp_path / "runs.csv", rows)
    text = reading_ablation(tmp_path / "runs.csv")
    assert f"| task | {' | '.join(PARTS)} |" in text
    assert "| qa7 | 0.0 | 2.0 | 4.0 | 6.0 | 8.0 | 10.0 | 12.0 |" in text
    assert "| mean, validation | 0.00 | 1.00 | 2.00 | 3.00 | 4.00 | 5.00 | 6.00 |" in text
    assert "| failed (> 5 %) | 0 | 0 | 0 | 18 | 18 | 18 | 18 |" in text
    assert f"| task | {' | '.join(ORDERS)} |\n| --- | ---: | ---: | ---: | ---: |\n| qa14 | 0.0 | 10.0 | 20.0 | 30.0 |" in text
    assert f"| failed (> 5 %) | 0 | {len(ORDERED_TASKS)} | {len(ORDERED_TASKS)} | {len(ORDERED_TASKS)} |" in text
    assert f"| qa12 | {' | '.join(['50.0', '0.5', '0.5', '0.5'] * 2)} |" in text
    assert constant_errors(rows) == {"qa12": 0.5}  # of qa1 and others it errs too often
    assert constant_errors(lacking) == {}
    append_rows(tmp_path / "less.csv", [*lacking[:-1], *rows[len(lacking) :]])
    with pytest.raises(NetworkError, match="1 networks of pe-ls-rn-canonical canonical=false are there instead of 2"):
        reading_ablation(tmp_path / "less.csv")


def test_errors_after_more_and_more_steps(tmp_path: Path):
    config, rows = PRESETS[STEPS_PRESET], []
    for place, changed in enumerate(STEPS.values()):
        hashed = config_hash(override(config, parse_settings(changed, type(config))))
        for task in STEPS_TASKS:
            errors = {"train_error": f"{place}", "config": hashed, "settings": " ".join(changed)}
            rows.append(row(task, 0, STEPS_PRESET, 10 * place, 20 * place, **errors))
    for place, changed in enumerate(STEPS_CHANGED.values()):
        hashed = config_hash(override(config, parse_settings(changed, type(config))))
        if place:  # the first is the network as it is, of 10,000 steps
            rows.append(row(UNLEARNED, 0, STEPS_PRESET, place, 50 + place, config=hashed, train_error="3"))
    append_rows(tmp_path / "runs.csv", rows)
    text = training_steps(tmp_path / "runs.csv", PUBLISHED)
    assert "| qa16 | 0.0 | 0.0 | 0.0 | 1.0 | 10.0 | 20.0 | 2.0 | 20.0 | 40.0 | 9.1 |" in text
    assert "| as it is | 1.0 | 10.0 | 20.0 |" in text
    assert "| places counted from the start | 3.0 | 3.0 | 53.0 |" in text
    shares = " | ".join(f"{len(STEPS_TASKS) * error / 20:.1f}" for error in (0, 0, 0, 1, 10, 20, 2, 20, 40))
    assert f"| twenty tasks, at least | {shares} |  |" in text
    assert "| task | 1,000 steps: training | validation | test | 10,000 steps: training |" in text
    assert config.epochs * (900 // config.batch) >= 100_000
    append_rows(tmp_path / "less.csv", rows[1:])
    with pytest.raises(NetworkError, match="are there instead of"):
        training_steps(tmp_path / "less.csv", PUBLISHED)

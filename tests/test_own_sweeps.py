"""Sweeps of a person's own files, and the tables of their runs."""

import dataclasses
from pathlib import Path

from memnet.config import override
from memnet.papers import PRESETS
from memnet.record.runs import failures, read_rows
from memnet.tasks.families import Task
from memnet.training.sweep import plan, record_failure, sweep
from tests.conftest import ran, refused, wander


def test_a_sweep_takes_a_file_of_names_which_is_part_of_a_runs_identity(own_folder: Path, tmp_path: Path):
    names, results = tmp_path / "names.txt", tmp_path / "runs.csv"
    files = ("--results", results, "--work", tmp_path / "work", "--jobs", 1)
    command = ("sweep", own_folder, "--preset", "bow", "--restarts", 1, "--set", "epochs=1", *files, "--names", names)
    names.write_text("mary\n", encoding="utf-8")
    assert "set open_vocabulary=true too" in refused(*command, "--dry-run")
    command = (*command, "--set", "open_vocabulary=true")
    assert "1 run to do, 0 done already" in ran(*command).stdout
    assert "0 runs to do, 1 done already" in ran(*command, "--dry-run").stdout
    names.write_text("mary\njohn\n", encoding="utf-8")
    assert "1 run to do, 0 done already" in ran(*command, "--dry-run").stdout
    assert "+" in read_rows(results)[0]["hash"]


def test_a_table_says_how_many_runs_failed_and_has_splits_in_their_order(tmp_path: Path):
    results = tmp_path / "runs.csv"
    stories = {name: wander(seed, 2) for seed, name in enumerate(("two", "three", "four"))}
    task = dataclasses.replace(Task.of("own/moves", wander(7, 12), []), splits=stories)
    jobs, _ = plan([[task]], [("bow", override(PRESETS["bow"], {"epochs": 1}))], [0], 1, results, tmp_path / "work")
    assert [isinstance(outcome, str) for _, outcome, _ in sweep(jobs, results, 1)] == [False]
    assert "failed and" not in ran("table", "--results", results).stdout
    record_failure(results, dataclasses.replace(jobs[0].spec, seed=5), "killed")
    for more in ((), ("--seeds",)):
        said = ran("table", "--results", results, "--by", "split", *more).stdout
        rows = [line.split("|")[1].strip() for line in said.splitlines() if line.startswith("| moves")]
        assert rows == ["moves, two", "moves, three", "moves, four"]
        assert f"1 run failed and in no table: see {failures(results)}" in said
    assert "The row `mean` is over the rows above it, each counted once." in said

"""Sweeps of a person's own files, and the tables of their runs."""

import dataclasses
import hashlib
import json
import re
from pathlib import Path

from memnet.config import override
from memnet.papers import PRESETS
from memnet.record.index import INDEX, read_index, shown
from memnet.record.runs import failures, read_rows
from memnet.tasks.families import Task
from memnet.tasks.families.folder import own_tasks
from memnet.training.spec import identity
from memnet.training.sweep import Job, plan, record_failure, sweep
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


def test_the_index_of_a_sweep_says_of_which_data_and_names_a_run_is(own_folder: Path, tmp_path: Path):
    """By the hash that the card and the results have, and by the file of names with a hash of its words."""
    names, results, work = tmp_path / "names.txt", tmp_path / "runs.csv", tmp_path / "work"
    files = ("--results", results, "--work", work, "--jobs", 1, "--set", "open_vocabulary=true", "--set", "epochs=1")
    command = ("sweep", own_folder, "--preset", "bow", "--restarts", 1, *files)
    ran(*command)
    for words in ("mary\n", "mary\njohn\n"):
        names.write_text(words, encoding="utf-8")
        ran(*command, "--names", names)
    by_hash = {run["hash"]: run for run in read_index(work).values()}
    plain, first, second = (by_hash[row["hash"]] for row in read_rows(results))
    assert (plain["names"], plain["names_hash"]) == ("", "")
    assert first["names"] == second["names"] == names.as_posix()
    for run in (first, second):
        assert run["hash"] == f"{plain['hash']}+{run['names_hash']}"
        assert f"hash {run['hash']}" in (work / run["folder"] / "README.md").read_text(encoding="utf-8")
    assert first["names_hash"] != second["names_hash"]


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


def test_a_sweep_says_which_folder_is_which_run(own_folder: Path, tmp_path: Path):
    """In the folders' names, in the table at the end, and in the index that grows from sweep to sweep."""
    work = tmp_path / "work"
    files = ("--results", tmp_path / "runs.csv", "--work", work, "--jobs", 1)
    command = ("sweep", own_folder, "--preset", "bow", "--restarts", 1, "--set", "epochs=1", *files)
    said = ran(*command, "--set", "dim=5", "--set", "dim=6", "--seed", 0, "--seed", 1).stdout.splitlines()
    head = next(place for place, line in enumerate(said) if line.startswith("settings"))
    assert re.split(r"  +", said[head]) == ["settings", "seed", "validation error %", "test error %", "folder"]
    index = read_index(work)
    assert {(run["settings"], run["seed"]) for run in index.values()} == {
        (f"dim={dim} epochs=1", seed) for dim in (5, 6) for seed in "01"
    }
    for line in said[head + 1 : head + 5]:
        folder = Path(line.split()[-1])
        run = index[folder.name]
        assert line.startswith(f"{run['settings']}  {run['seed']} ")
        assert f"{run['validation_error']} " in line
        config = json.loads((folder / "run.json").read_text(encoding="utf-8"))["spec"]
        assert (f"dim={config['config']['dim']} epochs=1", str(config["seed"])) == (run["settings"], run["seed"])
        assert folder.name.startswith(f"own-moves-bow-dim={config['config']['dim']}-epochs=1-")
        assert f"-seed{config['seed']}-" in folder.name
    again = ran(*command, "--set", "dim=5", "--set", "dim=7").stdout
    assert "1 run to do, 1 done already" in again
    assert f"{work / INDEX} says of each folder which run it is" in again
    assert len(read_index(work)) == 5


def test_the_index_of_a_sweep_has_the_error_of_a_run_that_failed(own_folder: Path, tmp_path: Path):
    job = plan_of_one(own_folder, tmp_path)
    bad = dataclasses.replace(job, tasks=(Task.of("own/tiny", wander(1, 1, 2, 1), wander(2, 1), "1"),))
    list(sweep([bad], tmp_path / "runs.csv", 1))
    [failed] = read_index(tmp_path / "work").values()
    assert "at least 2 are needed" in failed["error"]
    assert shown(tmp_path / "work", [failed])[1].startswith("failed ")
    list(sweep([job], tmp_path / "runs.csv", 1))
    [done] = read_index(tmp_path / "work").values()
    assert (done["error"], done["folder"]) == ("", failed["folder"])
    assert float(done["test_error"]) >= 0


def test_a_folder_named_by_digits_alone_is_gone_on_with(own_folder: Path, tmp_path: Path):
    """As memnet 0.2 named them: a sweep that was killed then loses nothing."""
    job = plan_of_one(own_folder, tmp_path)
    key = hashlib.sha256(json.dumps(identity(job.spec)).encode()).hexdigest()
    assert job.folder.name.endswith(f"-{key[:8]}")
    (tmp_path / "work" / key[:16]).mkdir(parents=True)
    assert plan_of_one(own_folder, tmp_path).folder.name == key[:16]


def test_a_long_list_of_settings_makes_no_name_that_no_file_system_takes(own_folder: Path, tmp_path: Path):
    changed = {"epochs": 1, "dim": 7, "lr": 0.0123, "clip": 17.5, "noise": 0.123, "batch": 31, "hops": 2, "init_std": 0.0987}
    job = plan_of_one(own_folder, tmp_path, **changed)
    assert len(job.folder.name) < 100
    assert "-seed0-" in job.folder.name


def plan_of_one(folder: Path, scratch: Path, **changed: object) -> Job:
    """A run of a quick network on a folder's stories."""
    config = override(PRESETS["bow"], {"epochs": 1} | changed)
    (job,), _ = plan([own_tasks(folder)], [("bow", config)], [0], 1, scratch / "runs.csv", scratch / "work")
    return job

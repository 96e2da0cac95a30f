"""Many runs: done once, recorded whole, shown beside the papers'."""

import csv
import dataclasses
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import joblib
import pytest
from filelock import FileLock
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import LokyBackend, get_active_backend

from memnet.attention import ALIGNS, READS, SCORES
from memnet.config import override
from memnet.config.settings import OneOf, settings_of
from memnet.errors import NetworkError
from memnet.markdown import tables_as_csv
from memnet.models.memn2n import MemN2NConfig
from memnet.papers import PRESETS, STUDIES, TABLES
from memnet.papers.ours import RETRIEVING
from memnet.record import runs
from memnet.record.provenance import code_name
from memnet.record.runs import COLUMNS, IDENTITY, append_rows, done, failures, read_rows
from memnet.reports.documents import titles, write_report
from memnet.reports.error_analysis import cause
from memnet.reports.studies import QUESTIONS_PRESET, questions, retrieval
from memnet.reports.tables import table_of
from memnet.tasks.families import Task
from memnet.tasks.families.folder import own_tasks
from memnet.training.process import end_with
from memnet.training.run import LOCK
from memnet.training.spec import config_hash, specify
from memnet.training.state import METRICS
from memnet.training.sweep import cluster, plan, record_failure, sweep
from tests.conftest import ran, refused, wander
from tests.records import PUBLISHED, ROOT, RUNS, run

QUICK = {"epochs": 2, "linear_start": 1}


def test_a_finished_run_is_not_run_again(own_folder: Path, tmp_path: Path):
    results, work = tmp_path / "runs.csv", tmp_path / "work"
    groups = [own_tasks(own_folder)]

    def planned(**changes: object) -> list[object]:
        config = override(PRESETS["pe-ls-rn"], QUICK | changes)
        return plan(groups, [("pe-ls-rn", config)], [0, 1], 2, results, work)[0]

    jobs = planned()
    assert len(jobs) == 2
    assert len(list(sweep(jobs, results, 1))) == 2
    rows = read_rows(results)
    assert len(rows) == 4
    assert all(row["code"] == code_name() and row["data"].startswith("own/") and row["settings"] for row in rows)
    assert sum(row["chosen"] == "1" for row in rows) == 2
    assert planned() == []
    twice = [outcome for _, outcome, _ in sweep(jobs, results, 1)]  # another sweep had planned the same
    assert len(read_rows(results)) == 4
    results.unlink()
    again = [outcome for _, outcome, _ in sweep(jobs, results, 1)]  # trained before, never recorded
    assert again == twice
    assert sorted(map(str, read_rows(results))) == sorted(map(str, rows))
    assert len(planned(hops=2)) == 2


def test_a_failing_run_does_not_stop_the_rest(own_folder: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    good = own_tasks(own_folder)
    bad = [Task.of("own/tiny", wander(1, 1, 2, 1), wander(2, 1), "1")]
    ready, _ = plan([good], [("bow", override(PRESETS["bow"], {"epochs": 1}))], [0], 1, results, tmp_path / "work")
    broken = dataclasses.replace(ready[0], tasks=tuple(bad), folder=tmp_path / "work" / "bad")
    outcomes = [outcome for _, outcome, _ in sweep([broken, *ready], results, 1)]
    assert sorted(isinstance(outcome, str) for outcome in outcomes) == [False, True]
    assert any("at least 2 are needed" in outcome for outcome in outcomes if isinstance(outcome, str))
    assert len(done(results)) == 1


def test_what_a_killed_sweep_was_writing_is_removed(tmp_path: Path):
    results = tmp_path / "runs[1].csv"
    left = [tmp_path / name for name in (".runs[1].csv.a1b2.tmp", ".runs[1].failed.jsonl.a1b2.tmp")]
    for path in [*left, tmp_path / ".runs1.csv.a1b2.tmp"]:
        path.touch()
    append_rows(results, [dict.fromkeys(runs.COLUMNS, "0") | {"restarts": "1"}])
    assert [path.exists() for path in left] == [False, True]
    tasks = [Task.of("own/moves", wander(1), wander(2), "1")]
    record_failure(results, specify(tasks, "bow", PRESETS["bow"], 0, 1), "killed")
    assert [path.name for path in tmp_path.glob(".*.tmp")] == [".runs1.csv.a1b2.tmp"]


def test_a_worker_that_is_killed_ends_the_sweep_in_a_sentence(own_folder: Path, tmp_path: Path, monkeypatch):
    """As joblib says it, whose workers take seconds to start."""

    class Killed(joblib.Parallel):
        def __call__(self, jobs: object) -> object:
            raise TerminatedWorkerError("A worker process was unexpectedly terminated, by an excessive usage of memory")

    monkeypatch.setattr(joblib, "Parallel", Killed)
    said = refused("sweep", own_folder, "--preset", "bow", "--results", tmp_path / "runs.csv", "--work", tmp_path / "work")
    assert "memnet: a worker was killed, by a person or by a system that is short of memory; what is finished is kept" in said


def test_a_run_that_another_process_is_at_is_waited_for(own_folder: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    config = override(PRESETS["bow"], {"epochs": 1})
    (job,), _ = plan([own_tasks(own_folder)], [("bow", config)], [0], 1, results, tmp_path / "work")
    job.folder.mkdir(parents=True)
    lock = FileLock(job.folder / LOCK, thread_local=False)
    lock.acquire()
    Timer(0.3, lock.release, kwargs={"force": True}).start()
    assert [isinstance(outcome, str) for _, outcome, _ in sweep([job], results, 1)] == [False]
    assert not failures(results).exists()


def test_two_writers_of_a_run(own_folder: Path, tmp_path: Path):
    """A training is refused in a sentence where another process trains; a sweep says so, and takes what that one finishes."""
    quick = ["--preset", "bow", "--set", "epochs=1", "--restarts", 1]
    where = ["--results", tmp_path / "runs.csv", "--work", tmp_path / "work", "--jobs", 1]
    config = override(PRESETS["bow"], {"epochs": 1})
    (job,), _ = plan([own_tasks(own_folder)], [("bow", config)], [0], 1, tmp_path / "runs.csv", tmp_path / "work")
    job.folder.mkdir(parents=True)
    lock = FileLock(job.folder / LOCK, thread_local=False)
    lock.acquire()
    for resumed in ([], ["--resume"]):
        said = refused("train", own_folder, *quick, "--out", job.folder, *resumed)
        assert said == f"memnet: another process is training in {job.folder}\n"
    Timer(0.5, lock.release, kwargs={"force": True}).start()
    done = ran("sweep", own_folder, *quick, *where)
    assert "1 of them another process is training now; what it finishes is not trained again" in done.stdout
    assert len(read_rows(tmp_path / "runs.csv")) == 1


def endless_sweep(folder: Path, results: Path, work: Path) -> None:
    """Two runs in two processes."""
    config = override(PRESETS["bow"], {"epochs": 1_000_000})
    jobs, _ = plan([own_tasks(folder)], [("bow", config)], [0, 1], 1, results, work)
    list(sweep(jobs, results, 2))


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_workers_end_with_a_sweep_that_is_killed(own_folder: Path, tmp_path: Path):
    """``kill -9`` of the sweep's process alone: within seconds nobody trains on, and nobody holds a run's folder."""
    work = tmp_path / "work"
    arguments = (own_folder, tmp_path / "runs.csv", work)
    sweeping = multiprocessing.get_context("spawn").Process(target=endless_sweep, args=arguments)
    sweeping.start()
    while len(list(work.glob(f"*/{METRICS}"))) < 2:
        assert sweeping.is_alive()
        time.sleep(0.05)
    sweeping.kill()
    sweeping.join()
    for metrics in work.glob(f"*/{METRICS}"):
        with FileLock(metrics.parent / LOCK, timeout=20):
            length = metrics.stat().st_size
    time.sleep(0.5)
    assert metrics.stat().st_size == length


def test_a_worker_looks_after_its_sweep_before_it_has_a_run(monkeypatch: pytest.MonkeyPatch):
    """One of a sweep that was killed while it started waited for five minutes for its first run."""
    given: dict[str, object] = {}
    monkeypatch.setattr(LokyBackend, "configure", lambda self, **more: given.update(more))
    with cluster("local", None, 2):
        backend, _ = get_active_backend()
        backend.configure(n_jobs=2)
    assert given == {"n_jobs": 2, "initializer": end_with, "initargs": (os.getpid(),)}


@pytest.mark.skipif(os.name == "nt", reason="POSIX parents")
def test_a_worker_whose_parent_has_gone_ends():
    """A process that this one did not start stands for a worker whose parent was killed before it looked."""
    code = "import sys, time; from memnet.training.process import end_with; end_with(int(sys.argv[1]), 0.01); time.sleep(60)"
    started = time.monotonic()
    assert subprocess.run([sys.executable, "-c", code, "1" if os.getpid() != 1 else "2"], timeout=60).returncode == 1
    assert time.monotonic() - started < 50


def test_a_cut_file_of_runs_is_named_by_line(tmp_path: Path):
    path = tmp_path / "runs.csv"
    once, twice = (dict.fromkeys(runs.COLUMNS, "0") | {"seed": str(n), "restarts": str(n)} for n in (1, 2))
    append_rows(path, [once])
    append_rows(path, [twice | {"replica": "0"}, twice | {"replica": "1"}])
    assert len(read_rows(path)) == 3
    path.write_text(path.read_text()[:-1])  # an editor took the last line end
    append_rows(path, [once | {"seed": "3"}])
    whole = path.read_text()
    assert len(read_rows(path)) == 4
    lines = whole.splitlines()
    for damaged, said in (
        (whole[:-4], r"runs\.csv:5: the line is not as it was written"),
        (whole[:-20], rf"runs\.csv:5: expected {len(COLUMNS) + 1} fields"),
        (whole.replace("0,1,1,0,", "0,1,1,1,", 1), r"runs\.csv:2: the line is not as it was written"),
        ("\n".join([*lines[:3], lines[4], ""]), r"runs\.csv:4: .*or one was taken out"),
        ("\n".join([lines[0], *lines[2:], ""]), r"runs\.csv:2: .*or one was taken out"),  # a whole run
        ("\n".join([*lines[:2], lines[4], *lines[2:4], ""]), r"runs\.csv:3: .*or one was taken out or added"),
        ("\n".join([*lines, lines[1], ""]), r"runs\.csv:6: .*or one was taken out or added before it"),
        ("\n".join([*lines[:3], ""]), r"runs\.csv:3: 1 row of a run of 2 restarts"),
    ):
        assert damaged != whole
        path.write_text(damaged)
        with pytest.raises(NetworkError, match=said):
            read_rows(path)
    path.write_bytes(b"\xff\x00")
    with pytest.raises(NetworkError, match="not UTF-8"):
        read_rows(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(NetworkError, match=r"runs\.csv:1: not a file of runs"):
        read_rows(path)


def test_the_sweep_and_table_commands(published: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    command = ["sweep", "qa1", "qa4", "--restarts", 2, "--preset", "bow", "--data", published, "--results", results]
    for said in ("2 runs to do, 0 done already", "0 runs to do, 2 done already"):
        assert said in ran(*command, "--work", tmp_path / "work", "--set", "epochs=1", "--jobs", 1).stdout
    table = ("table", "--results", results, "--published", PUBLISHED)
    assert "| task | bow, epochs=1 | all restarts |\n" in ran(*table).stdout  # changed settings stand beside no paper
    assert "has no run, no setting changed" in refused(*table, "--unchanged")


def test_the_table_stands_beside_the_paper(tmp_path: Path):
    path = tmp_path / "runs.csv"
    append_rows(path, [*run("babi/qa1", [1, 2]), *run("babi/qa2", [9, 7], chosen=1), *run("own/qa1", [50])])
    for data, errors in (("babi/qa1", [50]), ("babi/qa1 babi/qa2", [50, 50])):  # other protocols: columns of their own
        append_rows(path, run(data, errors))
    text = table_of(path, PUBLISHED, "babi", 0)
    assert "| qa1 | 1.0 | 1.5 ± 0.7 | 0.0 | +1.0 | 50.0 | 50.0 | 0.0 | +50.0 | 50.0 | 50.0 ± 0.0 |\n" in text
    assert "| qa2 | 7.0 | 8.0 ± 1.4 | 8.3 | -1.3 |  |  | 8.3 |  | 50.0 | 50.0 ± 0.0 |\n" in text
    assert "| mean | **4.0** | 4.8 ± 1.1 | 4.2 | -0.2 |" in text
    assert "| failed (> 5 %) | 1 |  | 1 |  |" in text
    stopped = tmp_path / "stopped.csv"  # a network that was stopped has no errors, and counts nowhere
    there, gone = run("babi/qa1", [1, 0])
    append_rows(stopped, [there, gone | {"test_error": ""}])
    assert "| qa1 | 1.0 | 1.0 | 0.0 |" in table_of(stopped, PUBLISHED, "babi", 0)
    append_rows(stopped, [row | {"test_error": "one"} for row in run("babi/qa2", [0, 0])])
    with pytest.raises(NetworkError, match="a row of pe-ls-rn is not as it was written"):
        table_of(stopped, PUBLISHED, "babi", 0)
    assert "The paper prints a mean of 13.9" in text


@pytest.mark.parametrize(
    ("training", "test", "later", "told"),
    [
        (0.0, 5.0, 50.0, "nothing: learned"),
        (4.0, 8.1, 1.0, "overfitted: training error at most half the test error; with 10,000 questions learned"),
        (5.0, 8.1, 5.1, "not found; with 10,000 questions too it is left"),
        (90.0, 91.0, None, "not found"),
    ],
)
def test_the_cause_of_a_failed_task(training: float, test: float, later: float | None, told: str):
    assert cause(training, test, later, 5.0) == told


def test_a_table_as_csv():
    text = "Words, with | a bar.\n\n| a | `b` |\n| --- | ---: |\n| 1, 2 |  |\n| **3** | 4 |\n\n| c |\n| --- |\n| 5 |\n\n- below"
    assert tables_as_csv(text) == 'a,b\n"1, 2",\n3,4\n\nc\n5\n'


def test_simulated_stories_stand_below_the_table(tmp_path: Path):
    path, name = tmp_path / "runs.csv", "universal-10k"
    append_rows(path, run("babi-10k/qa1", [1], name))
    alone = table_of(path, PUBLISHED, "babi-10k", 0)
    short = config_hash(override(PRESETS[name], {"epochs": 15}))
    append_rows(path, run("sim-10k/qa3", [44.4], name, config=short, settings="epochs=15", epochs="15", hash="def"))
    text = table_of(path, PUBLISHED, "babi-10k", 0)
    assert text.startswith(alone)  # neither its line nor the mean nor the failed tasks change
    added = text.removeprefix(alone)
    assert added.startswith("\n- `universal-10k` on **simulated** stories of qa3, whose published 10k text was not at hand")
    assert "with epochs=15: 44.4 % of simulated test questions" in added
    assert "simulated data" in added
    assert "The paper" not in added


def test_the_papers_figures():
    with open(PUBLISHED, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2597


@pytest.mark.parametrize("name", titles())
def test_committed_tables_are_what_the_runs_give(name: str, tmp_path: Path):
    for path in write_report(name, RUNS, PUBLISHED, tmp_path):
        assert (ROOT / "results" / "tables" / path.name).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_every_table_and_study_is_made():
    assert titles().keys() == TABLES.keys() | STUDIES.keys() | {"summary"}


def test_only_runs_of_the_preset_as_it_stands_are_shown(tmp_path: Path):
    rows = [row for row in read_rows(RUNS) if row["preset"] in {*RETRIEVING, QUESTIONS_PRESET}]
    for name in ("memnn-am-ng-nl", "pe-ls-rn"):
        old = next(row for row in rows if row["preset"] == name and row["chosen"] == "1" and row["fact_exact"])
        for change in ({"config": "deadbeef"}, {"restarts": "7"}):
            new = old | change | {"test_error": "66", "fact_exact": "0.111"}
            rows += [new | {"replica": str(replica)} for replica in range(int(new["restarts"]))]
    path = tmp_path / "runs.csv"
    append_rows(path, rows)
    for name, text in (("retrieval", retrieval(path)), ("questions", questions(path, PUBLISHED))):
        assert (ROOT / "results" / "tables" / f"{name}.md").read_text(encoding="utf-8").startswith(text), name


def test_runs_of_a_few_tasks_with_other_restarts_are_no_column(tmp_path: Path):
    known = table_of(RUNS, PUBLISHED, "babi", 0, ["pe-ls-rn"])
    wanted = {"preset": "pe-ls-rn", "data": "babi/qa1", "settings": "", "seed": "0", "chosen": "1"}
    wanted |= {"config": config_hash(PRESETS["pe-ls-rn"])}
    one = next(row for row in read_rows(RUNS) if wanted.items() <= row.items())
    path = tmp_path / "runs.csv"
    append_rows(path, [*read_rows(RUNS), one | {"restarts": "1", "test_error": "66"}])
    assert table_of(path, PUBLISHED, "babi", 0, ["pe-ls-rn"]) == known
    append_rows(tmp_path / "alone.csv", [one | {"restarts": "1", "test_error": "66"}])
    assert "| qa1 | 66.0 |" in table_of(tmp_path / "alone.csv", PUBLISHED, "babi", 0, ["pe-ls-rn"])


def test_the_settings_of_the_attention_are_those_of_the_core():
    for setting, registry in (("score", SCORES), ("align", ALIGNS), ("read", READS)):
        assert settings_of(MemN2NConfig)[setting].rule == OneOf(registry)


def test_the_chosen_of_the_committed_runs_has_the_lowest_training_error():
    runs: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in read_rows(RUNS):
        runs.setdefault(tuple(row[name] for name in IDENTITY), []).append(row)
    assert runs
    for rows in runs.values():
        assert len(rows) == int(rows[0]["restarts"])
        assert sorted(int(row["replica"]) for row in rows) == list(range(len(rows)))
        part = rows[0]["selection"]
        chosen = [row for row in rows if row["chosen"] == "1"]
        assert len(chosen) == 1
        trained = [[float(error) for error in row[f"{part}_error"].split()] for row in rows if row["test_error"]]
        if len(rows[0]["data"].split()) == 1:  # of a joint network the questions count, not the tasks
            assert [float(chosen[0][f"{part}_error"])] == min(trained)

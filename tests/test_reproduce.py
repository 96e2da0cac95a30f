"""Sweeps that are killed, crash or run twice at once, clusters, and tables made again from nothing."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from memnet.config import override
from memnet.errors import ConfigError
from memnet.papers import PRESETS, STUDIES, TABLES
from memnet.papers.declare import Column, Table
from memnet.record.compare import Comparison, compare, describe, reproduced, shift, why_not
from memnet.record.provenance import APART, INSTRUCTIONS, processor, versions
from memnet.record.runs import COLUMNS, append_rows, read_rows
from memnet.reports.reproduce import jobs_of, reports, states
from memnet.tasks.families.folder import own_tasks
from memnet.training.dataset import DataSet
from memnet.training.run import make_run
from memnet.training.sweep import Progress, cluster, expected_seconds, failures, plan, run, sweep
from tests.conftest import memnet, ran, refused, tell, wander

ROOT = Path(__file__).parent.parent
SETTINGS = ("--preset", "pe-ls-rn", "--restarts", "2", "--set", "linear_start=2")


@pytest.fixture
def three_tasks(tmp_path: Path) -> Path:
    """A folder with three tasks of our own."""
    for number in range(3):
        tell(tmp_path / "tasks", wander(10 * number + 1, 40), wander(10 * number + 2, 40), f"t{number}")
    return tmp_path / "tasks"


def sweeping(folder: Path, results: Path, *more: str) -> list[str]:
    command = [sys.executable, "-m", "memnet", "sweep", str(folder), *SETTINGS, "--results", str(results)]
    return [*command, "--work", str(results.parent / "work"), "--jobs", "2", *more]


def errors(results: Path) -> list[tuple[str, ...]]:
    """What the runs in a file came to, without how long they took."""
    return sorted(tuple(row[name] for name in COLUMNS if name != "seconds") for row in read_rows(results))


@pytest.mark.slow
def test_a_killed_sweep_goes_on_and_ends_as_one_that_never_was(three_tasks: Path, tmp_path: Path):
    whole, cut = tmp_path / "whole" / "runs.csv", tmp_path / "cut" / "runs.csv"
    more = ("--set", "epochs=150")
    subprocess.run(sweeping(three_tasks, whole, *more), check=True, capture_output=True, timeout=300)
    process = subprocess.Popen(
        sweeping(three_tasks, cut, *more), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    work, waited = cut.parent / "work", time.monotonic()
    while not any(work.glob("*/metrics.jsonl")):  # until a training is under way
        assert time.monotonic() - waited < 120
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert len(read_rows(cut)) < 6
    again = subprocess.run(sweeping(three_tasks, cut, *more), capture_output=True, text=True, timeout=300)
    assert again.returncode == 0, again.stderr
    assert errors(cut) == errors(whole)
    assert "0 run(s) to do, 3 done already" in ran(*sweeping(three_tasks, cut, *more)[3:]).stdout


def test_two_sweeps_at_once_write_every_run_once(three_tasks: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    both = [
        subprocess.Popen(
            [*sweeping(three_tasks, results)[:-4], "--work", str(tmp_path / f"work{n}"), "--jobs", "1", "--set", "epochs=3"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for n in range(2)
    ]
    for process in both:
        _, told = process.communicate(timeout=300)
        assert process.returncode == 0, told
    assert len(read_rows(results)) == 6


def test_a_folder_that_another_process_makes_meanwhile_is_gone_on_with(three_tasks: Path, tmp_path: Path, monkeypatch):
    """Between a sweep's look at a folder and its training: the other process is faster, here with all of it."""
    config = override(PRESETS["bow"], {"epochs": 1})
    tasks = own_tasks(three_tasks)[:1]
    (job,), _ = plan([tasks], [("bow", config)], [0], 1, tmp_path / "runs.csv", tmp_path / "work")
    before = DataSet.of

    def meanwhile(*given: Any) -> DataSet:
        monkeypatch.setattr(DataSet, "of", before)
        make_run(job.spec, job.tasks, job.folder)
        return before(*given)

    monkeypatch.setattr(DataSet, "of", meanwhile)
    _, outcome, _ = run(job)
    assert not isinstance(outcome, str), outcome
    assert (job.folder / "run.json").exists()


def test_a_crashed_run_is_recorded_with_its_error(three_tasks: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    blocked = tmp_path / "work"
    config = override(PRESETS["bow"], {"epochs": 1})
    jobs, _ = plan([[task] for task in own_tasks(three_tasks)], [("bow", config)], [0], 1, results, blocked)
    blocked.mkdir()
    jobs[1].folder.write_text("no folder")
    outcomes = list(sweep(jobs, results, 1))
    assert sum(isinstance(outcome, str) for _, outcome, _ in outcomes) == 1
    assert len(read_rows(results)) == 2
    told = [json.loads(line) for line in failures(results).read_text(encoding="utf-8").splitlines()]
    assert [line["spec"]["data"] for line in told] == [list(jobs[1].spec.data)]
    assert "is a file" in told[0]["error"]
    options = ["--preset", "bow", "--set", "epochs=1", "--restarts", 1, "--results", results, "--work", tmp_path / "other"]
    done = ran("sweep", three_tasks, *options)  # tries it again, and here nothing is in its way
    assert not failures(results).exists()
    assert "[1/1 done, 0 running, 0 failed, 0 s left]" in done.stdout


def test_the_plan_says_how_long(three_tasks: Path, tmp_path: Path):
    results = tmp_path / "runs.csv"
    done = ran(*sweeping(three_tasks, results, "--dry-run")[3:])
    assert "own/t1 pe-ls-rn linear_start=2 seed 0, 2 restarts: 60 s" in done.stdout  # nothing is known of it
    assert "about 2 min on 2 core(s)" in done.stdout or os.cpu_count() == 1
    assert not results.exists()


def test_expected_times_and_what_is_left(three_tasks: Path, tmp_path: Path):
    groups = [[task] for task in own_tasks(three_tasks)]
    configs = {name: PRESETS[name] for name in ("bow", "dmn-plus")}
    jobs, _ = plan(groups, configs.items(), [0], 2, tmp_path / "runs.csv", tmp_path)
    known = [{"preset": "bow", "data": "own/t0", "seconds": seconds} for seconds in "35"]
    expected = dict(zip([(job.spec.preset, job.spec.what) for job in jobs], expected_seconds(jobs, known), strict=True))
    assert expected["bow", "own/t0"] == 8.0  # two restarts
    assert expected["bow", "own/t1"] == pytest.approx(8.0)  # stories as long
    assert expected["dmn-plus", "own/t0"] == 60.0
    paths = [Path(name) for name in "abcd"]
    progress = Progress(dict(zip(paths, (10.0, 10.0, 20.0, 40.0), strict=True)), 2)
    assert progress.left == 40.0
    progress.started -= 5
    assert progress.over(paths[3], False).startswith("[1/4 done, 2 running, 0 failed, 5 s left]")
    assert "1 failed" in progress.over(paths[0], True)


def port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Cluster(NamedTuple):
    """A cluster on this machine: where it listens, and the processes that do its runs, which may be killed."""

    address: str
    workers: Callable[[], list[int]]


@pytest.fixture
def dask_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers, each with a nanny that starts another where it dies."""
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    address = f"tcp://127.0.0.1:{port()}"
    worker = ["dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *rest],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        for name, *rest in (["dask_scheduler", "--host", address, "--no-dashboard"], worker, worker)
    ]
    yield Cluster(address, lambda: [child for nanny in started[1:] for child in children(nanny.pid, "spawn_main")])
    for process in reversed(started):
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def ray_cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A head node with two cores."""
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    psutil = pytest.importorskip("psutil")

    def workers() -> list[int]:
        processes = psutil.Process().children(recursive=True)
        return [one.pid for one in processes if one.name().startswith("ray::run")]

    yield Cluster(ray.get_runtime_context().gcs_address, workers)
    ray.shutdown()


def children(pid: int, named: str) -> list[int]:
    """The processes that a process started, of those whose command line has a word."""
    psutil = pytest.importorskip("psutil")
    return [one.pid for one in psutil.Process(pid).children(recursive=True) if named in " ".join(one.cmdline())]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_sweep_on_a_cluster_ends_as_one_here_though_a_worker_is_killed(
    backend: str, three_tasks: Path, tmp_path: Path, request: pytest.FixtureRequest
):
    cluster: Cluster = request.getfixturevalue(f"{backend}_cluster")
    here, there = tmp_path / "here" / "runs.csv", tmp_path / "there" / "runs.csv"
    more = ("--set", "epochs=150")
    subprocess.run(sweeping(three_tasks, here, *more), check=True, capture_output=True, timeout=300)
    command = sweeping(three_tasks, there, *more, "--backend", backend, "--address", cluster.address)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        started = time.monotonic()
        while not any((there.parent / "work").glob("*/metrics.jsonl")):  # until a training is under way
            assert process.poll() is None
            assert time.monotonic() - started < 300
            time.sleep(0.02)
        os.kill(cluster.workers()[0], signal.SIGKILL)
        said, _ = process.communicate(timeout=500)
    assert process.returncode == 0, said
    assert "[3/3 done, 0 running, 0 failed, 0 s left]" in said
    assert errors(here) == errors(there)  # every run once


def test_a_cluster_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match="--backend dask needs the cluster's --address"), cluster("dask", None, 1):
        pass
    assert "--backend must be local or dask or ray" in refused("sweep", "qa1", "--backend", "slurm")


def test_every_table_names_its_runs():
    assert TABLES.keys() | STUDIES.keys() == reports().keys()
    for name, study, state in states(ROOT / "results" / "runs.csv"):
        assert state.there == state.needed or study.grows, f"{name}: {state.there} of {state.needed} runs are on record"


def test_what_is_made_again_is_compared(tmp_path: Path):
    rows = [row for row in read_rows(ROOT / "results" / "runs.csv") if row["data"] in ("babi/qa1", "babi/qa2")]
    rows = [row for row in rows if (row["preset"], row["settings"]) == ("pe-ls-rn", "")]
    assert describe(compare(rows, rows)) == ["2 of 2 cells are those on record, error for error of every restart"]
    assert describe(compare([], rows)) == ["no run of these is on record"]
    other = [row | ({"test_error": "50"} if row["data"] == "babi/qa2" else {}) for row in rows]
    told = describe(compare(other, rows))
    assert told[0].startswith("babi/qa2 pe-ls-rn: mean test error over restarts 50.00 %, on record ")
    assert told[-1].startswith("1 of 2 cells are those on record")
    assert reproduced(compare(rows, rows))
    assert not reproduced(compare(other, rows))
    assert not reproduced([])


def cell(errors: list[float], **changed: str) -> list[dict[str, str]]:
    """The rows of a run with these test errors, by default of a processor whose instruction sets are known."""
    known = dict.fromkeys(COLUMNS, "") | {"preset": "bow", "data": "babi/qa1", "restarts": str(len(errors))}
    known |= {"code": "c0de", "torch": "2", "numpy": "2", "python": "3.11", "machine": "Intel; avx2"} | changed
    return [known | {"replica": str(place), "test_error": f"{error:g}"} for place, error in enumerate(errors)]


def test_a_check_expects_the_same_bits_of_the_same_processor_alone():
    record = cell([10.0, 14.0])
    for errors, same in (([10.0, 14.0], True), ([10.0, 14.1], False)):
        found = compare(cell(errors), record)
        assert [one.elsewhere for one in found] == [()]
        assert reproduced(found) == same
    assert why_not(found) == "not reproduced: the same code, versions and processor gave other errors: babi/qa1 bow"
    for changed in ({"machine": "Intel; avx2 avx512f"}, {"machine": "AMD; avx2"}, {"code": "0ther"}, {"torch": "3"}):
        assert reproduced(compare(cell([10.0, 14.1], **changed), record))
    assert reproduced(compare(cell([10.0, 14.1], machine="Intel"), cell([10.0, 14.0], machine="Intel")))  # sets unknown


def test_a_check_elsewhere_reports_the_difference_in_units_of_the_spread():
    record = cell([10.0, 12.0, 14.0])
    found = compare(cell([13.0, 15.0, 17.0], machine="AMD; avx2"), record)
    assert describe(found) == [
        "babi/qa1 bow: mean test error over restarts 15.00 %, on record 12.00 %: +3.00 points, 1.5 times the spread of the "
        "restarts on record (2.00)",
        "made elsewhere, so equal bits are not to be expected:",
        "  processor AMD; avx2, on record Intel; avx2",
        "0 of 1 cells are those on record, error for error of every restart; of the other 1, 1 are within 2 times the spread "
        "on record or their bound (1 point, 0.75 below 1 %); mean over cells 15.00 %, on record 12.00 %",
    ]
    assert reproduced(found)
    both = [row | {"chosen": str(int(row["replica"] == "1"))} for row in cell([13.0, 15.0, 17.0], machine="AMD; avx2")]
    before = [row | {"chosen": str(int(row["replica"] == "0"))} for row in record]
    assert "+3.00 points; chosen 15.00 %, on record 10.00 %, 1.5 times" in describe(compare(both, before))[0]
    far = compare(cell([14.5, 16.1, 18.0], machine="AMD; avx2"), record)
    assert not reproduced(far)
    bound = "1 point, 0.75 below 1 %"
    assert why_not(far) == f"differs by more than 2 times the spread on record, and than {bound}: babi/qa1 bow"
    assert "2.1 times the spread" in describe(far)[0]


def test_a_check_of_several_cells_says_what_they_differ_by_in_the_mean():
    record = [row for task in ("qa1", "qa2", "qa3") for row in cell([10.0, 12.0], data=f"babi/{task}")]
    again = [
        row for task, by in (("qa1", 0), ("qa2", 1), ("qa3", 2)) for row in cell([10.0 + by, 12.0 + by], data=f"babi/{task}")
    ]
    (*_, whole) = describe(compare([row | {"machine": "AMD; avx2"} for row in again], record))
    assert whole.endswith(
        "mean over cells 12.00 %, on record 11.00 %: +1.00 ± 2.48 points (95 % interval over cells)"
    )  # 4.303 standard errors


def moved(by: list[float], errors: list[float]) -> list[Comparison]:
    """Cells of one restart with these errors on record, made elsewhere, each with so many points more."""
    record = [row for task, error in enumerate(errors) for row in cell([error], data=f"babi/{task}")]
    again = [row for task, error in enumerate(errors) for row in cell([error + by[task]], data=f"babi/{task}")]
    return compare([row | {"machine": "AMD; avx2"} for row in again], record)


def test_many_small_differences_to_one_side_are_not_what_is_on_record():
    """A point more on every cell, each of which passes alone."""
    up = moved([0.7] * 20, [0.5] * 20)
    assert all(one.holds for one in up)
    assert shift(up) == "+0.70 ± 0.00 points (99% interval over 20 cells)"
    assert not reproduced(up)
    assert why_not(up) == "all cells together differ to one side: +0.70 ± 0.00 points (99% interval over 20 cells)"
    assert not reproduced(moved([-0.3, -0.2] * 10, [2.0] * 20))  # less error is another result, too
    both_ways = moved([0.7, -0.5] * 10, [2.0] * 20)
    assert shift(both_ways) == ""
    assert reproduced(both_ways)
    assert reproduced(moved([0.7, 0.6], [2.0, 2.0]))  # the interval over two cells is wide
    assert reproduced(moved([0.0] * 20, [0.5] * 20))
    assert reproduced(moved([0.7], [0.5]))  # one cell has no interval


def test_cells_below_one_percent_have_a_bound_of_their_own():
    assert reproduced(moved([0.7], [0.9]))
    assert not reproduced(moved([0.8], [0.9]))
    assert reproduced(moved([0.8], [1.0]))
    assert reproduced(moved([1.0], [1.0]))
    assert "and than 1 point, 0.75 below 1 %: babi/0 bow" in why_not(moved([0.8], [0.9]))


def test_a_check_of_one_restart_says_that_there_is_no_spread():
    found = compare(cell([11.0], machine="AMD; avx2"), cell([10.0]))
    assert "+1.00 points; one restart on record, so no spread to hold it against" in describe(found)[0]
    assert reproduced(found)  # within a point
    far = compare(cell([11.1], machine="AMD; avx2"), cell([10.0]))
    assert not reproduced(far)
    assert why_not(far).endswith("; of one restart there is no spread, so this may be chance: babi/qa1 bow")
    same = compare(cell([0.0, 0.3], machine="AMD; avx2"), cell([0.0, 0.0]))
    assert "the restarts on record do not differ" in describe(same)[0]
    assert reproduced(same)


def test_a_row_names_the_processors_model_and_its_instruction_sets():
    model, _, sets = versions()["machine"].rpartition(APART)
    assert model == processor()
    assert set(sets.split()) & {*INSTRUCTIONS, "default", "avx512"}


def test_only_what_is_asked_for_is_planned(published: Path, tmp_path: Path):
    def planned(**options: list[str]) -> list[tuple[str, str]]:
        jobs, _ = jobs_of(reports()["memn2n-rows-1k"], tmp_path / "runs.csv", tmp_path, published, **options)  # type: ignore[arg-type]
        return sorted((job.spec.preset, job.spec.what) for job in jobs)

    assert len(planned()) == 80
    assert planned(tasks=["qa2"]) == [("bow", "babi/qa2"), ("masked", "babi/qa2"), ("pe", "babi/qa2"), ("pe-ls", "babi/qa2")]
    assert planned(tasks=["qa2"], presets=["bow"]) == [("bow", "babi/qa2")]


def test_a_table_from_nothing_and_its_check(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With a table of one quick run in place of the long ones."""
    monkeypatch.setenv("MEMNET_DATA", str(published))
    monkeypatch.setitem(PRESETS, "bow", override(PRESETS["bow"], {"epochs": 1}))
    for name, task in (("tiny", "qa1"), ("small", "qa4")):
        monkeypatch.setitem(TABLES, name, Table(name, "One run", "babi", (Column("bow", restarts=2),), tasks=(task,)))
    recorded, both = tmp_path / "recorded.csv", ("tiny", "small")

    def told(*arguments: object, names: tuple[str, ...] = ("tiny",), code: int = 0) -> str:
        done = memnet("reproduce", *names, *arguments, "--published", ROOT / "results" / "published.csv", "--jobs", 1)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    make = ("--results", recorded, "--recorded", recorded)
    assert "nothing to compare" in told(*make)
    assert (tmp_path / "tables" / "tiny.md").read_text(encoding="utf-8").count("| qa1 |") == 1
    assert (tmp_path / "tables" / "tiny.csv").read_text(encoding="utf-8").count("\nbow,single,2,1k,qa1,") == 1
    assert "1 of 1 cells are those on record" in told("--check", "--cell", "qa1", "--recorded", recorded)
    other = tmp_path / "other.csv"
    append_rows(other, [row | {"test_error": "99"} for row in read_rows(recorded)])
    assert "not reproduced" in told("--check", "--recorded", other, code=1)
    said = told(*make, names=both)
    assert "tiny: One run; 1 run(s), 1 of them done already" in said
    assert "small: One run; 1 run(s), 0 of them done already" in said
    assert (tmp_path / "tables" / "small.md").exists()
    said = told("--check", "--recorded", other, names=both, code=1)
    assert "tiny: not reproduced: the same code, versions and processor gave other errors: babi/qa1 bow" in said
    assert "small: not reproduced: no run of these is on record" in said
    old, again = tmp_path / "old.csv", tmp_path / "again.csv"
    append_rows(old, [row | {"code": "old" if row["data"] == "babi/qa4" else row["code"]} for row in read_rows(recorded)])
    outdated = ("--outdated", "--results", again, "--recorded", old)
    told(*outdated, "--dry-run", names=both)
    assert not again.exists()
    said = told(*outdated, names=both)
    assert "tiny: One run; 1 run(s), 1 of them done already" in said
    assert "small: One run; 1 run(s), 0 of them done already" in said
    assert errors(again) == errors(recorded)
    said = told("--outdated", "--results", old, "--recorded", recorded, code=1)
    assert "has runs of other code (old); name another file by --results" in said
    assert "--outdated makes runs again beside the record" in told("--outdated", "--check", "--recorded", old, code=1)
    carried_out = []

    def fails_first(*_: object) -> None:
        carried_out.append(1)
        if len(carried_out) == 1:
            raise typer.Exit(1)

    with monkeypatch.context() as patched:
        patched.setattr("memnet.cli.reproduce.carry_out", fails_first)
        assert "memnet: tiny: runs failed" in told(*make, names=both, code=1)
    assert len(carried_out) == 2
    said = told("--results", recorded, names=("tiny", "nothing"), code=2)
    assert "there is no table 'nothing'" in said
    assert "tiny:" not in said


def test_refusals():
    assert "there is no table 'nothing'; 'memnet reproduce --list' lists them" in refused("reproduce", "nothing")
    assert "there is no table 'memn2n1k'; did you mean 'memn2n-1k' or 'memn2n-10k'?" in refused("reproduce", "memn2n1k")
    assert "--cell must be" in refused("reproduce", "memn2n-1k", "--cell", "qa21")
    assert "--preset must be" in refused("reproduce", "memn2n-1k", "--preset", "memnn")
    assert "--cell must be" in refused("reproduce", "thousand", "simulator", "--cell", "qa99")
    assert "--check, --preset and --seed are for the others" in refused("reproduce", "simulator", "--seed", 9)

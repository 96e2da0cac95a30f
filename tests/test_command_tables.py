"""The commands of presets and tables, the events of a training, and limits."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memnet.cli import app
from memnet.errors import NetworkError
from memnet.papers import PAPERS
from memnet.record.runs import append_rows, read_rows
from memnet.reports.presets import preset_lines
from memnet.reports.studies import transfer
from memnet.training.metrics import read_metrics
from tests.conftest import memnet, memnet_process, ran, refused
from tests.test_command_line import RECORDED, ROOT


def test_the_errors_of_presets_are_those_of_the_tables():
    lines = {line.name: line for line in preset_lines(*RECORDED)}
    table = (ROOT / "results" / "tables" / "memn2n-1k.md").read_text(encoding="utf-8")
    assert f"| mean | **{lines['pe-ls-rn'].errors['1k']:.1f}** |" in table
    assert lines["universal-act"].errors == {}


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_says_what_each_of_its_presets_is(name: str):
    assert PAPERS[name].about.keys() == PAPERS[name].presets.keys()
    assert all(0 < len(phrase) < 70 for phrase in PAPERS[name].about.values())


def test_tables_are_listed_with_their_titles():
    done = memnet("table")
    listed = [line.split(maxsplit=1) for line in done.stdout.splitlines() if line]
    assert ["memn2n-10k", "MemN2N, 10,000 questions (table 3)"] in listed
    assert {"summary", "comparison", "transfer"} <= {name for name, *_ in listed}


def test_a_preset_of_a_plugin_is_said_to_be_missing(tmp_path: Path):
    said = refused("table", "--preset", "gated", "--results", RECORDED[0])
    assert "there is no preset 'gated'; 'memnet presets' lists them, and one of a plugin needs memnet --plugin FILE" in said
    assert "has no run of bow" in refused("table", "--preset", "bow", "--family", "babi-10k")
    rows = [row for row in read_rows(RECORDED[0]) if (row["preset"], row["data"], row["settings"]) == ("bow", "babi/qa1", "")]
    foreign = tmp_path / "runs.csv"
    append_rows(foreign, [row | {"preset": "gated"} for row in rows])
    said = refused("table", "--results", foreign)
    assert "has runs of gated alone, a preset that is not known here: one of a plugin needs memnet --plugin FILE" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["memn2n-1k", "--family", "sim"], "memn2n-1k has its own presets, family and rows; leave --family out, or the name"),
        (["equal", "--seed", "7"], "equal declares the seeds of its runs; leave --seed out"),
        (["--seed", "7"], "--seed is for a table of --preset or --results"),
        (["--preset", "bow", "--preset", "equal-memn2n", "--unchanged"], "has no run of equal-memn2n, no setting changed"),
        (["--by", "split"], "--by is for a table of --preset or --results"),
        (["--by", "splits", "--preset", "bow"], "--by must be member or split or kind, not 'splits'"),
        (["--by", "split", "--preset", "bow"], "has no such run whose test questions are of several splits"),
        (["--preset", "bow", "--preset", "bov"], "there is no preset 'bov'"),
        (["--results", "none.csv"], "there is no file none.csv; 'memnet sweep --results none.csv' makes runs in it"),
        (["--published", "none.csv", "memn2n-1k"], "none.csv is missing: it holds the papers' figures"),
    ],
)
def test_an_option_that_would_do_nothing_and_a_file_that_is_not_there_are_refused(arguments: list[str], said: str):
    assert said in refused("table", *arguments)


def test_a_table_that_is_named_is_written_alone(tmp_path: Path):
    ran("table", "equal-search", "--write", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"equal-search.md", "equal-search.csv"}


def test_a_table_is_made_of_nothing_before_its_files_are_known_to_be_right(tmp_path: Path):
    cut = tmp_path / "cut.csv"
    cut.write_bytes(RECORDED[1].read_bytes()[:5000])
    for command in (["table", "summary"], ["plot", "results", tmp_path / "figures"], ["reproduce", "baselines-1k"]):
        said = refused(*command, "--published", cut)
        assert f"{cut} is not the papers' figures: line 52 has no train_size, supervision" in said
    assert f"there is no file {tmp_path / 'x'}" in refused("reproduce", "baselines-1k", "--recorded", tmp_path / "x")
    assert "name a result table" in refused("reproduce", "--check")
    assert not (tmp_path / "figures").exists()


def test_figures_whose_numbers_are_not_there_are_left_out_and_named(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="of the extra plot")
    (tmp_path / "runs.csv").write_bytes(RECORDED[0].read_bytes())
    done = ran("plot", "results", "--results", tmp_path / "runs.csv", tmp_path / "figures")
    assert "left out, as their numbers are not beside" in done.stderr
    assert done.stderr.rstrip().endswith(": width, memory, babilong, everyday, memories, open")
    drawn = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert drawn == {"time", "errors", "restarts", "questions", "equal", "few", "thousand"}


def test_the_tables_that_are_named_are_listed():
    listed = memnet("reproduce", "--list", "equal", "seeds").stdout.splitlines()
    assert sorted(line.split()[0] for line in listed) == ["equal", "seeds"]
    assert "there is no table 'equall'" in refused("reproduce", "equall", "--list")


def test_transfer_leaves_a_task_out_that_was_not_trained_on_the_published_thousand(tmp_path: Path):
    runs = tmp_path / "runs.csv"
    append_rows(runs, [dict(row) for row in read_rows(RECORDED[0]) if not row["data"].startswith("babi/")])
    with pytest.raises(NetworkError, match="has no tasks trained on published and on two simulated sets"):
        transfer(runs)


def test_check_says_the_whole_first(published: Path):
    done = memnet("data", "check", published)
    assert re.match(r"\d+ files? as published, 0 changed, \d+ missing\n", done.stdout)


def metrics(folder: Path, rows: list[dict[str, object]]) -> Path:
    folder.mkdir(parents=True)
    (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def epoch(number: int, replica: int, loss: float | None) -> dict[str, object]:
    return {"epoch": number, "replica": replica, "lr": 0.5, "train_loss": 2.0 * number, "validation_loss": loss}


def test_metrics_become_events(tmp_path: Path):
    pytest.importorskip("tensorboard", reason="of the extra tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = metrics(tmp_path / "one", [epoch(1, 0, 3.0), epoch(1, 1, None), epoch(2, 0, 1.5), epoch(2, 1, None)])
    assert f"tensorboard --logdir {tmp_path / 'logs'}" in ran("plot", "tensorboard", run, "--out", tmp_path / "logs").stdout
    for replica, validation in ((0, [(1, 3.0), (2, 1.5)]), (1, [])):
        found = EventAccumulator(str(tmp_path / "logs" / "one" / f"replica{replica}")).Reload()
        assert [(point.step, point.value) for point in found.Scalars("loss/train")] == [(1, 2.0), (2, 4.0)]
        assert [point.value for point in found.Scalars("learning rate")] == [0.5, 0.5]
        known = "loss/validation" in found.Tags()["scalars"]
        assert [(point.step, point.value) for point in (found.Scalars("loss/validation") if known else ())] == validation
    assert "one exists already" in refused("plot", "tensorboard", run, "--out", tmp_path / "logs")


def test_metrics_that_cannot_be_read_are_refused(tmp_path: Path):
    for text, why in (("", "has no epoch yet"), ("[1]\n", "is not the metrics"), ('{"epoch": 1}\n', "is not the metrics")):
        (tmp_path / "metrics.jsonl").write_text(text, encoding="utf-8")
        with pytest.raises(NetworkError, match=why):
            read_metrics(tmp_path / "metrics.jsonl")
    with pytest.raises(NetworkError, match="is missing; expected the folder of a run"):
        read_metrics(tmp_path / "none.jsonl")


def test_without_tensorboard_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    said = refused("plot", "tensorboard", tmp_path, "--out", tmp_path / "logs")
    assert said == (
        "memnet: TensorBoard needs tensorboard, of the extra tensorboard: pip install 'memnet-qa[tensorboard]', or in a "
        "checkout '.[tensorboard]'\n"
    )


def test_the_command_is_one_object_for_the_shell_and_for_python():
    assert app.registered_callback is not None
    assert memnet_process("--version").stdout.startswith("memnet ")


@pytest.mark.skipif(os.name == "nt", reason="a limit of POSIX shells")
@pytest.mark.parametrize("kilobytes", [300_000, 600_000, 800_000, 1_200_000])  # with 800,000 it hung as libraries were loaded
def test_a_limit_on_memory_ends_in_a_sentence(kilobytes: int, own_folder: Path, tmp_path: Path):
    train = [sys.executable, "-m", "memnet", "train", str(own_folder), "--restarts", "1", "--out", str(tmp_path / "run")]
    limited = ["sh", "-c", f'ulimit -v {kilobytes} && exec "$0" "$@"', *train]
    done = subprocess.run(limited, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    (said,) = (line for line in done.stderr.splitlines() if line.startswith("memnet: "))
    assert "memory" in said
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert said.endswith("raise it: ulimit -v unlimited")

"""Whole commands about data and measurements, and streams that end."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memnet.attention import ALIGNS, READS, SCORES
from memnet.cli import app
from memnet.cli.evaluate import overall
from memnet.cli.train import spread
from memnet.record.measurements import GradientEstimate, read_csv
from tests import test_cli
from tests.conftest import memnet, memnet_process, ran, refused, tell, wander

trained = test_cli.trained


def test_several_tasks_and_joint_training(own_folder: Path, tmp_path: Path):
    for part in ("train", "test"):
        (own_folder / f"again_{part}.txt").write_bytes((own_folder / f"moves_{part}.txt").read_bytes())
    quick = ["--restarts", 1, "--set", "epochs=2", "--set", "linear_start=1", "--out", tmp_path / "runs"]
    ran("train", own_folder, *quick)
    made = sorted((tmp_path / "runs").iterdir())
    assert "exists already" in refused("train", own_folder, *quick)
    assert len(made) == 2
    shutil.rmtree(made[1])  # as if stopped before the second
    (made[0] / ".lock").unlink()
    assert "finished already" in ran("train", own_folder, *quick, "--resume").stdout
    assert made[1].exists()
    joint = memnet("train", own_folder, "--joint", *quick[:-1], tmp_path / "joint")
    assert "2 of own: error %" in joint.stdout
    report = json.loads(memnet("eval", tmp_path / "joint", own_folder, "--json").stdout)
    assert set(report["tasks"]) == {"own/again", "own/moves"}


def test_data_check_names_what_is_missing_or_changed(published: Path, tmp_path: Path):
    done = memnet("data", "check", published)
    assert "0 changed" in done.stdout
    (tmp_path / "en").mkdir()
    name = "qa1_single-supporting-fact_test.txt"
    (tmp_path / "en" / name).write_text("1 Mary went home.\n")
    said = refused("data", "check", tmp_path)
    assert f"changed  en/{name}" in said
    assert "missing  en: 39 files\n" in said
    assert len(said.splitlines()) == 10, "eight folders, one of them with a changed file"
    (tmp_path / "en" / name).unlink()
    assert "does not hold the published text; 'memnet data fetch' gets it" in memnet("data", "check", tmp_path).stdout
    assert "is no folder" in refused("data", "check", tmp_path / "no")


def test_fetch_without_a_network_says_so(tmp_path: Path):
    done = memnet_process("data", "fetch", "--to", tmp_path / "here", HF_HUB_OFFLINE="1", HF_HOME=str(tmp_path / "hf"))
    assert done.returncode == 1
    assert "nothing was kept" in done.stderr
    assert not (tmp_path / "here").exists()


def test_bench_prints_speed_and_memory(published: Path):
    done = memnet_process("bench", "train", "babi/qa1", "--seconds", 0.2, "--data", published)  # the peak is a process's
    preset, name, examples, step, _, _, peak, *batch = done.stdout.splitlines()[1].split()
    assert (preset, name, batch) == ("pe-ls-rn", "babi/qa1", ["32", "x", "10"])
    assert float(examples.replace(",", "")) == pytest.approx(320 / float(step) * 1000, rel=0.02)
    assert 0 < float(peak) < 1024


def test_bench_of_several_presets_and_of_answers():
    done = ran("bench", "train", "sim/qa1", "--seconds", 0.1, "--restarts", 1, "--model", "dmn-plus")
    assert ["dmn-plus", "sim/qa1"] in [line.split()[:2] for line in done.stdout.splitlines()]
    rows = [line.split() for line in ran("bench", "answer", 10, 100, "--seconds", 0).stdout.splitlines()[1:]]
    assert [row[0] for row in rows] == ["10", "100"]
    assert all(0 < float(row[2]) < 10_000 for row in rows)


def test_bench_draw_counts_stories_and_questions():
    head, *rows = (re.split(r"\s{2,}", line.strip()) for line in ran("bench", "draw", "--seconds", 0).stdout.splitlines())
    assert head == ["drawn", "stories/s", "questions/s"]
    assert [row[0] for row in rows] == ["one world", "written templates", "log books", "the simulator's qa1"]
    for _, *speeds in rows:
        stories, questions = (float(speed.replace(",", "")) for speed in speeds)
        assert min(stories, questions) > 0


def test_bench_attention_names_every_part():
    said = ran("bench", "attention", 3, 20, "--seconds", 0).stdout
    for name in [*SCORES, *ALIGNS, *READS, "plain matmul softmax matmul", "torch MultiheadAttention"]:
        assert name in said
    assert {line[43:].split()[0] for line in said.splitlines()[1:]} == {"3", "20"}


def test_bench_reinforce_compares_baselines(tmp_path: Path):
    done = ran("bench", "reinforce", "--number", 20, "--write", tmp_path / "reinforce.csv")
    lines = read_csv(tmp_path / "reinforce.csv", GradientEstimate)
    assert len(lines) == len(done.stdout.splitlines()) - 1 == 3 * (5 + 5 + 4)
    spread = {(one.memories, one.baseline, one.samples): one.deviation for one in lines}
    for memories in (5, 50, 500):
        assert spread[memories, "loo", 10] < spread[memories, "mean", 10] < spread[memories, "none", 10]
    assert f"{spread[500, 'loo', 20]:.2f}" in done.stdout.splitlines()[-1]


def test_a_reader_that_leaves_is_no_error():
    shell = f"{sys.executable} -m memnet data show sim/qa1 -n 500 | head -n 1"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True)
    assert done.stdout.startswith("-- sim/qa1")
    assert "Broken" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_input_is_an_empty_story(trained: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch):
    """Nobody's terminal and no pipe: ``sys.stdin`` is None."""
    command = f"{sys.executable} -m memnet ask {trained[0]} --question 'Where is Mary?' <&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 1
    assert "The story is empty" in done.stderr
    assert "Traceback" not in done.stderr
    monkeypatch.setattr(sys, "stdin", None)
    assert app(["ask", str(trained[0])], standalone_mode=False) == 1  # nothing was asked


def test_one_network_is_neither_a_range_nor_a_choice(tmp_path: Path):
    tell(tmp_path, wander(1, 20), wander(2, 10))
    done = memnet("train", tmp_path, "--restarts", 1, "--set", "epochs=1", "--out", tmp_path / "run")
    note, shared, said, *_ = done.stdout.splitlines()
    assert shared == "own/moves: 1 of the 30 test questions also stands in training, with the same statements before it"
    assert note == (
        "it trains for 21 epochs: 20 without softmax (linear start), then 1 with it; --set linear_start=0 leaves the first out"
    )
    errors = r"error % train [\d.]+, validation [\d.]+, test [\d.]+"
    assert re.fullmatch(rf".*: {errors}; one network; \d+ s", said)
    card = (tmp_path / "run" / "README.md").read_text(encoding="utf-8")
    assert "- one network was trained; the test set chose nothing\n" in card
    assert " to " not in card.partition("| task")[0].partition("- data")[2]
    assert spread([5.44, 1.0, 3.0, 4.0]) == "test over all 4: 1.0 to 5.4, median 3.5"
    assert spread([5.4]) == "no other was trained to the end"
    assert overall(3.8, 0, ["babi/qa1"]) == "error 3.80 %, not failed (<= 5 %)"
    assert overall(6, 1, ["babi/qa1"]) == "error 6.00 %, failed (> 5 %)"
    assert overall(6, 1, ["babi/qa1", "babi/qa2", "sim/qa3"]) == "mean error 6.00 %, 1 of 3 failed (> 5 %)"


def test_a_variable_that_names_no_text_is_named_where_stories_are_drawn_instead(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("MEMNET_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert "MEMNET_DATA" not in ran("data", "show", "sim/qa1").stderr
    said = ran("data", "show", "qa1")
    assert said.stdout.startswith("-- sim/qa1")
    assert f"MEMNET_DATA ({tmp_path}) has no published text" in said.stderr

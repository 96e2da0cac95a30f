"""Watching a training: what the page is told, that it changes nothing, and a browser that looks at it."""

import dataclasses
import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from memnet.cli.train import summary
from memnet.errors import ConfigError, NetworkError
from memnet.files import read_tensors
from memnet.models.checkpoint import MODEL
from memnet.papers import PRESETS
from memnet.serve.watch import READINGS, Kept, Watched, question_to_watch, serve_watched
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story
from memnet.training.run import make_run
from memnet.training.spec import specify
from tests.conftest import refused, tell, wander

BUSY = 60  # seconds


@pytest.fixture(scope="module")
def task() -> Task:
    return Task.of("own/walks", wander(1, 30), wander(2, 5))


def epochs_of(task: Task, model: str, folder: Path, **settings: Any) -> Watched:
    config = dataclasses.replace(PRESETS[model], epochs=3, **settings)
    watched, spec = Watched(), specify([task], model, config, 0, 2)
    watched.begin(spec, [task], folder)
    run, _ = make_run(spec, [task], folder, watch=watched)
    watched.choose(run["chosen"])
    return watched


def test_an_epoch_is_what_every_network_did_and_what_the_first_one_read(task: Task, tmp_path: Path):
    told = epochs_of(task, "pe-ls-rn", tmp_path / "run", linear_start=2).since(0, 0)
    assert told["about"]["networks"] == 2
    assert told["about"]["total"] == 5
    assert [entry["epoch"] for entry in told["epochs"]] == [1, 2, 3, 4, 5]
    assert [entry["rows"][0]["phase"] for entry in told["epochs"]] == ["linear", "linear", "softmax", "softmax", "softmax"]
    assert all([row["replica"] for row in entry["rows"]] == [0, 1] for entry in told["epochs"])
    metrics = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["train_loss"] for row in metrics] == [row["train_loss"] for entry in told["epochs"] for row in entry["rows"]]
    last = told["epochs"][-1]
    assert len(last["hops"]) == 3
    for hop, null in zip(last["hops"], last["null"], strict=True):
        assert sum(hop.values()) + null == pytest.approx(1, abs=0.01)
        assert len(hop) == len(told["about"]["story"])
    json.dumps(told)


def test_the_terminal_counts_replicas_from_one_as_the_page_does(task: Task, tmp_path: Path):
    spec = specify([task], "pe-ls-rn", dataclasses.replace(PRESETS["pe-ls-rn"], epochs=1, linear_start=0), 0, 2)
    run, _ = make_run(spec, [task], tmp_path / "run")
    named = f"replica {run['chosen'] + 1} of 2"
    assert named in summary(spec, run)
    assert named in (tmp_path / "run" / "README.md").read_text(encoding="utf-8")


def test_what_was_read_is_kept_and_told_again(task: Task, tmp_path: Path):
    told = epochs_of(task, "pe-ls-rn", tmp_path / "run", linear_start=2).since(0, 0)
    kept = Kept(tmp_path / "run").since(0, 0)
    assert kept["about"]["kept"] in (0, 1)
    assert kept == {**json.loads(json.dumps(told)), "ended": True}
    assert Kept(tmp_path / "run").since(1, 4)["epochs"] == kept["epochs"][4:]
    with open(tmp_path / "run" / READINGS, "a", encoding="utf-8") as file:
        file.write('{"epoch": 6, "ro')  # being written
    assert Kept(tmp_path / "run").since(0, 0) == kept


def test_a_run_that_goes_on_is_kept_from_its_beginning(task: Task, tmp_path: Path):
    spec = specify([task], "pe-ls-rn", dataclasses.replace(PRESETS["pe-ls-rn"], epochs=3, linear_start=0), 0, 1)
    for first in (1, 3):  # stopped after two epochs and in the third, which is done again
        watched = Watched()
        watched.begin(spec, [task], tmp_path)
        for epoch in (first, first + 1):
            watched.keep(tmp_path / READINGS, {"epoch": epoch})
            watched.epochs.append({"epoch": epoch})
        assert [entry["epoch"] for entry in Kept(tmp_path).since(0, 0)["epochs"]] == list(range(1, first + 2))


def test_of_a_run_that_nobody_watched_there_are_its_metrics(task: Task, tmp_path: Path):
    told = epochs_of(task, "pe-ls-rn", tmp_path / "run", linear_start=2).since(0, 0)
    (tmp_path / "run" / READINGS).unlink()
    kept = Kept(tmp_path / "run").since(0, 0)
    assert [entry["rows"] for entry in kept["epochs"]] == json.loads(json.dumps([entry["rows"] for entry in told["epochs"]]))
    assert "question" not in kept["about"]
    with pytest.raises(NetworkError, match="expected the folder of a run"):
        Kept(tmp_path)
    assert "expected the folder of a run" in refused("serve", "--watch", tmp_path)


@pytest.mark.parametrize("model", ["dmn-plus", "causal", "transformer", "lstm", "memnn"])
def test_every_kind_of_network_can_be_watched(task: Task, tmp_path: Path, model: str):
    told = epochs_of(task, model, tmp_path / "run", **({"dim": 32} if model != "memnn" else {})).since(0, 0)
    assert len(told["epochs"]) == 3
    assert told["epochs"][-1]["answer"]


def test_watching_changes_nothing(task: Task, tmp_path: Path):
    config = dataclasses.replace(PRESETS["pe-ls-rn"], epochs=2, linear_start=1, align="hard", samples=2, baseline="loo")
    spec = specify([task], "pe-ls-rn", config, 0, 2)
    watched = Watched()
    watched.begin(spec, [task])
    folders = [tmp_path / "alone", tmp_path / "watched"]
    for folder, watch in zip(folders, (None, watched), strict=True):
        make_run(spec, [task], folder, watch=watch)
    alone, seen = (read_tensors(folder / MODEL)[0] for folder in folders)
    assert len(watched.epochs) == 3
    assert alone.keys() == seen.keys()
    assert all(torch.equal(alone[name], seen[name]) for name in alone)


def test_the_question_is_one_held_out_that_needs_most_facts():
    easy, hard = Question("Easy?", "a", (0,), 2), Question("Hard?", "a", (0, 1), 2)
    long = Question("Long?", "a", (0, 1, 2), 30)
    stories = [Story(tuple(f"Line {number}." for number in range(30)), (easy, hard, long))] * 40
    statements, question = question_to_watch(Task.of("own/x", stories, []))
    assert question == hard
    assert statements == ["Line 0.", "Line 1."]


def test_a_page_gets_only_what_it_lacks():
    watched = Watched()
    watched.run, watched.epochs = 2, [{"epoch": number} for number in (1, 2, 3)]
    assert watched.since(2, 2)["epochs"] == [{"epoch": 3}]
    assert watched.since(1, 2)["epochs"] == watched.epochs  # of an earlier run
    assert watched.since(2, 99)["epochs"] == []


@pytest.fixture
def address() -> Iterator[str]:
    server = serve_watched(Watched())
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


def status(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_only_this_machine_gets_the_page_and_nothing_else_is_there(address: str):
    assert status(address) == 200
    assert status(f"{address}epochs?run=x&have=-3") == 200
    assert status(f"{address}../etc/passwd") == status(f"{address}metrics.jsonl") == 404
    assert status(address, Host="evil.example:80") == 404


def test_a_port_that_is_taken_is_refused_in_a_sentence(address: str, tmp_path: Path):
    port = int(address.rstrip("/").rpartition(":")[2])
    with pytest.raises(ConfigError, match="0 takes a free port"):
        serve_watched(Watched(), port)
    folder = tell(tmp_path, wander(1, 30), wander(2, 5))
    said = refused("train", folder, "--out", tmp_path / "run", "--watch", "--watch-port", port)
    assert said.startswith(f"memnet: --watch-port {port}: ")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_training_is_watched_in_a_browser(browser: Any, tmp_path: Path):
    from selenium.webdriver.support.ui import WebDriverWait

    folder = tell(tmp_path, wander(1, 60), wander(2, 5))
    words = ["train", str(folder), "--restarts", "2", "--set", "epochs=12", "--out", str(tmp_path / "run"), "--watch"]
    process = subprocess.Popen(
        [sys.executable, "-m", "memnet", *words, "--watch-port", "0"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        address = next(line for line in process.stdout if line.startswith("watch it at ")).split()[3]
        browser.get(address)

        def text() -> str:
            return str(browser.find_element("css selector", "body").text)

        def until(said: str) -> None:
            WebDriverWait(browser, BUSY).until(lambda _: said in text())

        until("the training has ended")
        assert "of 32" in text()  # with its linear start
        assert "It answers:" in text()
        assert "hop 3" in text()
        assert len(browser.find_elements("css selector", "#chart polyline")) == 4
        epochs = browser.execute_script("return epochs.length")
        assert "replica 1 of 2" in text()
        first = browser.execute_script(
            "by('play').click(); return [by('epoch').value, by('now').textContent, by('head').textContent]"
        )
        assert first[0] == "1", "the film begins with the first epoch"
        assert first[1].startswith("Epoch 1 of 32")
        assert "scores" in first[2], "a linear start reads no shares"
        WebDriverWait(browser, BUSY).until(lambda _: browser.execute_script("return Number(by('epoch').value)") == epochs)
        assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert "kept in" in rest
        assert "the page stays until Ctrl-C" in rest
        assert process.wait(30) == 0
        until("can still be played")
    finally:
        process.kill()
        process.wait()

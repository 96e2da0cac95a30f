"""What scripts that make a small reader have in common: a training in a folder, and what is published of it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest
import torch

from memnet.measure.reader_making import SETTINGS, Making, add_options, run
from memnet.reading.answers import TrainedReader
from memnet.reading.network import Reader
from memnet.reading.training import FILE, ReaderTraining, Settings
from memnet.reading.words import Words
from tests.small_reader import reader


def begun(given: argparse.Namespace) -> ReaderTraining:
    """A reader that no test waits for."""
    settings = Settings(seed=given.seed, steps=given.steps, words=given.words, apart=given.apart)
    return ReaderTraining(reader(Words.load()), Words.load(), settings)


def judged(found: Reader, apart: str) -> str:
    """What is right of nothing."""
    return f"nothing is right of {apart}"


def every(given: argparse.Namespace) -> int:
    """Steps between two checkpoints."""
    return 1


def ran(making: Making, *options: str) -> None:
    """As from a command line."""
    parser = argparse.ArgumentParser()
    add_options(parser, steps=2, lr=0.001, apart="some_file")
    run(making, parser, parser.parse_args(["--words", "200", *options]))


def test_a_training_goes_on_and_is_published(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    making, folder = Making(tmp_path / "package", begun, judged, every), str(tmp_path / "runs")
    with pytest.raises(SystemExit):
        ran(making, folder, "--publish")
    assert f"{folder} has no {FILE} and {SETTINGS}: train first" in capsys.readouterr().err
    ran(making, folder)
    ran(making, folder)
    log = (tmp_path / "runs" / "log.txt").read_text().splitlines()
    assert [line.split("step ")[1][0] for line in log] == ["1", "2", "2"]
    assert "nothing is right of some_file" in log[0]
    assert log[2].split(";")[0].endswith("the training is over")
    ran(making, folder, "--publish")
    saved = json.loads((tmp_path / "package" / "config.json").read_text())
    assert (saved["training"]["done"], saved["apart"]) == (2, "nothing is right of some_file")
    training = begun(argparse.Namespace(seed=1, steps=2, words=200, apart=""))
    assert training.resume(tmp_path / "runs")
    published = TrainedReader.load(tmp_path / "package").reader.weights
    for name, weight in training.average.named_parameters():
        near = torch.from_numpy(published[name].astype("float32"))
        assert torch.allclose(near, weight, atol=0.02 * float(weight.abs().max()) + 1e-6), name


def test_layers_that_no_reader_has_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        ran(Making(tmp_path, begun, judged, every), str(tmp_path), "--layers", "99")
    assert "invalid choice: 99" in capsys.readouterr().err

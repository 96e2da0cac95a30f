"""Training that starts from a trained network."""

from pathlib import Path

import pytest
import torch

from memnet.files import read_tensors
from memnet.models.checkpoint import CARD, CONFIG, MODEL
from memnet.training.start import weights_hash
from tests.conftest import ran, read_json, refused

SMALL = ["--set", "epochs=2", "--set", "dim=8", "--set", "heads=2", "--set", "hidden=8", "--set", "steps=2"]
CAUSAL = ["train", "sim/qa1", "--preset", "causal", "--restarts", 1, *SMALL]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("start") / "first"
    ran(*CAUSAL, "--out", folder)
    return folder


def test_training_goes_on_from_the_weights_of_another(first: Path, tmp_path: Path):
    still = tmp_path / "still"  # without a step the weights are those of the first
    ran(*CAUSAL, "--set", "lr=1e-12", "--set", "decay=0", "--start-from", first, "--restarts", 2, "--out", still)
    mine, before = (read_tensors(folder / MODEL)[0] for folder in (still, first))
    for name, value in before.items():
        torch.testing.assert_close(mine[name], value)
    assert read_json(still / CONFIG)["started_from"] == weights_hash(first)
    assert f"started from a trained network, weights {weights_hash(first)}" in (still / CARD).read_text()


def test_its_words_are_kept_whatever_the_stories_say(first: Path, tmp_path: Path):
    out = tmp_path / "other"
    command = ["train", "qa2", *CAUSAL[2:], "--start-from", first, "--out", out]
    ran(*command)
    words = [read_json(folder / CONFIG)["vocabulary"] for folder in (out, first)]
    assert words[0] == words[1]


def test_another_start_is_another_run(first: Path, tmp_path: Path):
    out = tmp_path / "run"
    ran(*CAUSAL, "--out", out)
    assert "holds another run" in refused(*CAUSAL, "--start-from", first, "--out", out, "--resume")


def test_what_does_not_fit_is_said(first: Path, tmp_path: Path):
    out = ["--out", tmp_path / "run"]
    assert "has another shape: step is" in refused(*CAUSAL[:-1], "steps=3", "--start-from", first, *out)
    assert "holds a causal, not a memn2n" in refused("train", "sim/qa1", "--start-from", first, *out)
    assert "holds no trained network" in refused(*CAUSAL, "--start-from", tmp_path, *out)
    assert "set the same" in refused(*CAUSAL, "--open-vocabulary", "--start-from", first, *out)

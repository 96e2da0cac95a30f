"""Graphs of ONNX: of every network whose graph allows it, and they answer as it does."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memnet.errors import NetworkError
from memnet.models import MODELS
from memnet.models.checkpoint import load_network, save_network
from memnet.models.decoders import prediction
from memnet.models.onnx import CLOSE, INPUTS, Room, description, graph_of
from memnet.tasks.families import Task
from memnet.tasks.simulator import simulate
from memnet.tasks.text import Story, words
from memnet.training.dataset import DataSet
from memnet.training.evaluate import answers
from memnet.training.loop import train_networks
from memnet.training.spec import specify
from tests.conftest import memnet, ran, refused, some
from tests.test_loader import made
from tests.training import batch_of

onnxruntime = pytest.importorskip("onnxruntime")

TINY: dict[str, Any] = {"epochs": 1, "dim": 16, "hidden": 16, "linear_start": 0, "patience": 0}
QUICK = {"memn2n", "memnn"}
NO_GRAPH = {"walk", "writable", "mentions", "baseline"}  # they read the words of a text by Python, too


def short(stories: Sequence[Story]) -> list[Story]:
    """Their first four statements and the questions about these: a graph has a step for each word that a story may have."""
    return [
        replace(one, statements=one.statements[:4], questions=tuple(q for q in one.questions if q.after <= 4))
        for one in stories
    ]


def trained(model: str, **changes: Any) -> tuple[Any, DataSet]:
    """A tiny network after an epoch, and what it learned from: a small simulated task, or its own kind of stories."""
    kind = MODELS.configs[model]
    known = {field.name for field in fields(kind)} if model != "baseline" else set()
    config = replace(kind(), **{name: value for name, value in TINY.items() if name in known}, **changes)
    data = DataSet.of([Task.of("own/moves", short(simulate("qa1", 60, 1)), short(simulate("qa1", 20, 2)), "0")], config)
    return train_networks(specify([Task.of("own/moves", [], [], "0")], model, config, 0, 1), data).net, data


def asked(session: Any, description: Mapping[str, Any], statements: Sequence[str], question: str) -> list[np.ndarray]:
    """What a graph makes of a story, as docs/onnx.md says it is asked."""
    number = {word: place for place, word in enumerate(description["vocabulary"])}
    told = statements[-description["statements"] :]
    texts = [[number.get(word, 0) for word in words(text)] for text in (*told, question)]
    table = np.zeros((description["statements"] + 1, description["words"]), np.int64)
    lengths = np.zeros(len(table), np.int64)
    for row, text in zip([*range(len(told)), -1], texts, strict=True):
        table[row, : len(text)], lengths[row] = text, len(text)
    inputs = dict(zip(INPUTS, (table[:-1], lengths[:-1], np.array(len(told)), table[-1], np.array(lengths[-1])), strict=True))
    found: list[np.ndarray] = session.run(None, {one.name: inputs[one.name] for one in session.get_inputs()})
    return found


def check_same(net: Any, data: DataSet, graph: bytes, told: Mapping[str, Any]) -> None:
    """Fail where a graph answers a test question otherwise than its network."""
    session, number = onnxruntime.InferenceSession(graph), 0
    encoded = net.encode_data(data.test)
    for story in short(simulate("qa1", 20, 2)):
        for question in story.questions:
            logits = answers(net, batch_of(net, data.test, [number]), encoded)[0][0, 0].detach()
            probabilities, said, reads = asked(session, told, story.statements[: question.after], question.text)
            assert np.abs(probabilities - logits.softmax(-1).numpy()).max() <= CLOSE
            assert said.tolist() == prediction(logits).tolist()
            assert reads.shape[1] == told["statements"]
            assert np.allclose(reads[:, question.after :], 0)
            number += 1
    assert number == len(data.test)


@pytest.mark.parametrize("model", [some(name, QUICK) for name in MODELS.data if name not in NO_GRAPH])
def test_a_graph_answers_as_its_network(model: str):
    net, data = trained(model)
    room = Room(net.sizes.ages, net.sizes.longest)
    told = description(net, data.vocabulary, {"model": model, "data": ["own/moves"]}, room)
    check_same(net, data, graph_of(net, room), told)


@pytest.mark.parametrize("model", sorted(NO_GRAPH))
def test_a_network_that_is_no_graph_says_so(model: str, tmp_path: Path):
    net, _, _ = load_network(made(tmp_path / "net", model))
    with pytest.raises(NetworkError, match="no graph of ONNX") as error:
        graph_of(net, Room(net.sizes.ages, net.sizes.longest))
    assert "\n" not in str(error.value)
    assert not re.search(r"[A-Za-z]+(Error|Exception)\b", str(error.value)), "a reason, no name of an exception"


def test_the_command_writes_a_graph_and_its_words(tmp_path: Path):
    net, data = trained("memn2n", hops=1)  # more are a longer graph
    save_network(tmp_path / "run", "memn2n", net, data.vocabulary, "card", {"data": ["own/moves"], "hash": "0"})
    file = tmp_path / "small.onnx"
    assert str(file) in ran("export", tmp_path / "run", "--onnx", file, "--statements", 6).stdout
    told = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    assert told["statements"] == 6
    again, vocabulary, _ = load_network(tmp_path / "run")
    story = Story(("Mary moved to the hallway.", "John went to the kitchen."), ())
    found = asked(onnxruntime.InferenceSession(file.read_bytes()), told, story.statements, "Where is Mary?")
    assert found[0].shape == (1, len(vocabulary))
    assert sorted(tmp_path.iterdir()) == [tmp_path / "run", file.with_suffix(".json"), file]
    assert "remembers 50 statements" in refused("export", tmp_path / "run", "--onnx", file, "--statements", 51)
    assert memnet("export", tmp_path / "none", "--onnx", file).returncode == 1
    assert again.replicas == 1

"""Which statement read which, layer by layer: from the network in the package, at a terminal and as a figure."""

from pathlib import Path

import pytest

import memnet
from memnet.ask.layers import Layers, read_layers
from memnet.ask.torch_engine import TorchEngine
from memnet.errors import AskError
from tests.conftest import ran, refused

LAPTOP = ["Bob went to the lab.", "Bob took the laptop there.", "Bob moved to the attic.", "Alice went to the garden."]
WHERE = "Where is the laptop?"


@pytest.fixture(scope="module")
def layers() -> Layers:
    return read_layers(memnet.load(), LAPTOP, WHERE)


def test_a_statement_reads_itself_and_those_before_it(layers: Layers):
    assert len(layers.reads) == 5
    for layer in layers.reads:
        assert len(layer) == len(LAPTOP) + 1
        for reader, row in enumerate(layer[:-1]):
            assert sum(row) == pytest.approx(1, abs=1e-5)
            assert all(share == 0 for share in row[reader + 1 :])
        assert sum(layer[-1]) <= 1 + 1e-5  # the question may read nothing


def test_the_layers_are_what_the_answer_was_made_of(layers: Layers):
    net = memnet.load()
    output = net.net(*batch_of(net))
    for layer, trace in zip(layers.reads, output.traces, strict=False):
        assert layer[-1] == pytest.approx(trace.weights[0, 0, 0].tolist())


def batch_of(net):
    data, batch = TorchEngine(net.net, net.vocabulary).as_batch([net.as_asked(*net.read_pair(LAPTOP, WHERE))])
    return batch, net.net.encode_data(data)


def test_what_the_page_says_of_the_laptop(layers: Layers):
    moved, question = dict(layers.of_reader(2)), dict(layers.of_reader(4))
    assert {read for read, _ in moved[2]} == {1, 2}, "Bob's move reads what Bob took, and where"
    assert question[2][0][0] == 2
    assert question[3][0][0] == 3
    walk = dict(layers.of_reader(3))
    assert all(share < 0.2 for listed in walk.values() for _, share in listed), "Alice's walk reads hardly anybody"


def test_older_statements_than_the_memory_keep_their_numbers():
    shown = Layers(["Mary left.", "John came."], "Who came?", [[[1.0, 0.0], [0.4, 0.6], [0.05, 0.9]]], first=8)
    assert str(shown).splitlines() == [
        "8 Mary left.",
        "9 John came.",
        "    layer 1 read 8 (40%)",
        "? Who came?",
        "    layer 1 read 9 (90%)",
    ]


def test_a_network_without_such_layers_says_so():
    with pytest.raises(AskError, match="of the kind memn2n statements do not read each other"):
        read_layers(memnet.load("memn2n"), ["Mary went to the kitchen."], "Where is Mary?")
    with pytest.raises(AskError, match="reader of ordinary English"):
        read_layers(memnet.load(), ["Mum poured herself some tea and drank it slowly on the porch."], "What did mum drink?")


def test_the_command_prints_and_draws(tmp_path: Path):
    file, figure = tmp_path / "story.txt", tmp_path / "layers.svg"
    file.write_text("\n".join(LAPTOP), encoding="utf-8")
    said = ran("layers", "--story", file, "--question", WHERE, "--out", figure).stdout
    assert "? Where is the laptop?" in said
    assert said.rstrip().endswith("layers.svg")
    assert "layer 5" in figure.read_text(encoding="utf-8")
    assert "add --question" in refused("layers", "--story", file)
    assert "add --question" in refused("plot", "memnet", tmp_path / "map.svg", "--story", file)
    ran("plot", "memnet", tmp_path / "map.svg", "--story", file, "--question", WHERE)
    assert "laptop" in (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert "expected a number from 1" in refused("plot", "memnet", tmp_path / "map.svg", "--question", WHERE)

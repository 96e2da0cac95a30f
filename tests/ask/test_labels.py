"""What the page calls tasks and networks."""

from __future__ import annotations

import pytest

from memnet.ask.hub import packaged
from memnet.ask.predictor import Predictor
from memnet.serve.labels import TITLES, errors_of, network_label, network_labels, task_label
from memnet.tasks.simulator import PUBLISHED


@pytest.mark.parametrize("name", packaged())
def test_tasks_are_called_by_their_titles_and_errors(name: str):
    network = Predictor.from_name(name)
    errors = errors_of(network)
    assert list(errors) == list(PUBLISHED) == list(TITLES)
    assert task_label("qa19", errors) == f"19 path finding ({100 - errors['qa19']:.3g}% right)"
    assert len(network_label(network)) < 45
    del network.metadata["errors"]  # as of an older network
    assert errors_of(network) == {}
    assert task_label("qa1", {}) == "1 single supporting fact"


def test_networks_of_one_kind_are_told_apart_by_their_names():
    one, other = Predictor.from_name("memn2n"), Predictor.from_name("memnn")
    assert network_labels({"a": one, "b": other}) == [
        ("End-to-end memory network", "a"),
        ("Strongly supervised memory network", "b"),
    ]
    assert network_labels({"a": one, "b": one}) == [
        ("End-to-end memory network (a)", "a"),
        ("End-to-end memory network (b)", "b"),
    ]

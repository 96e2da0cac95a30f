"""What the page calls tasks and networks."""

from __future__ import annotations

import pytest

from memnet.ask.hub import packaged
from memnet.ask.predictor import Predictor
from memnet.serve.labels import TITLES, card_errors, network_label, network_labels, task_label
from memnet.tasks.simulator import PUBLISHED

CARD = """
| task | train error % | test error % |
| --- | --- | --- |
| qa1 | 1.0 | 0.0 |
| qa19 | 2.0 | 13.9 |
| qa2 | 3.0 |  |
| mean | x | y |

| qa3 | only two |
"""


def test_errors_are_those_of_the_card():
    assert card_errors(CARD) == {"qa1": 0.0, "qa19": 13.9}
    assert card_errors(None) == card_errors("| qa1 | 3.0 |") == {}
    assert task_label("qa19", card_errors(CARD)) == "19 path finding (86.1% right)"


@pytest.mark.parametrize("name", packaged())
def test_the_cards_of_the_package_have_an_error_for_every_task(name: str):
    network = Predictor.from_name(name)
    assert list(card_errors(network.card)) == list(PUBLISHED) == list(TITLES)
    assert len(network_label(network)) < 45


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

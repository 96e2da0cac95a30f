"""The server under load."""

import math
from pathlib import Path

import pytest

from memnet.measure.load import PATIENCE, Waits, load, questions, waits
from memnet.serve.endpoint import parse_request
from memnet.serve.gate import ASK
from tests.conftest import memnet, refused


def test_what_was_not_answered_is_a_failure_and_has_no_time():
    assert waits(ASK, [1.0, math.nan, 3.0]) == Waits("endpoint", 3, 1, 2.0, pytest.approx(2.98))
    none = waits("", [math.nan])
    assert none[:3] == ("page", 1, 1)
    assert math.isnan(none.p99)


def test_every_network_is_asked_about_every_task():
    asked = [parse_request(body.encode()) for body in questions(["a", "b"])[ASK]]
    assert {each["network"] for each in asked} == {"a", "b"}
    assert len(asked) == 100


@pytest.mark.slow
def test_twenty_clients_are_answered_and_the_memory_stays():
    pytest.importorskip("gradio", reason="the page needs gradio")
    found = load(["memn2n"], 20, 10)
    assert [one.failures for one in found.waits] == [0, 0]
    assert all(one.questions > 100 and one.p99 < 1000 * PATIENCE for one in found.waits)
    assert math.isnan(found.before) or found.after < found.before + 50


@pytest.mark.slow
def test_the_command(tmp_path: Path):
    pytest.importorskip("gradio", reason="the page needs gradio")
    done = memnet("bench", "serve", "memn2n", "--clients", "2", "--seconds", "1")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["asked", "endpoint", "page", "memory"]
    assert "the server does not start" in refused("bench", "serve", tmp_path / "none")

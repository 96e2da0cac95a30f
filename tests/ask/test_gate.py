"""What the gate before the page refuses: with a sentence to whoever asked, a line in the log, and nothing else."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from memnet.ask.gate import LONGEST_NAME, is_served
from tests.ask.serving import STORY_TEXT, event

JOIN = "/gradio_api/queue/join"
RIGHT = {"fn_index": 0, "data": [STORY_TEXT, "Where is Mary?", "sure", "", None], "session_hash": "a"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 60000, "not JSON"),
        (b'{"fn_index": 0, "data": 1e999, "session_hash": null}', "finite numbers"),
        (b'{"fn_index": 0, "data": [NaN], "session_hash": "a"}', "finite numbers"),
        (json.dumps(RIGHT | {"data": ["\ud800"] * 5}), "Unicode text"),
        (b"[]", "no JSON object"),
        (b"null", "no JSON object"),
        (json.dumps(RIGHT | {"fn_index": 99}), "no such event"),
        (json.dumps(RIGHT | {"fn_index": True}), "no such event"),
        (json.dumps(RIGHT | {"fn_index": "x"}), "no such event"),
        (json.dumps(RIGHT | {"session_hash": ""}), "no session"),
        (json.dumps(RIGHT | {"session_hash": {}}), "no session"),
        (json.dumps(RIGHT | {"batched": True}), "kind that the page does not send"),
        (json.dumps(RIGHT | {"data": {"a": 1}}), "needs 5 values"),
        (json.dumps(RIGHT | {"data": []}), "needs 5 values"),
        (json.dumps(RIGHT | {"data": ["", "", "other", "", None]}), "Network has no such choice"),
        (json.dumps(RIGHT | {"data": ["", "", [], "", None]}), "Network has no such choice"),
    ],
)
def test_an_event_that_makes_no_sense_is_refused(
    client: Any, body: bytes | str, expected: str, caplog: pytest.LogCaptureFixture
):
    answer = client.post(JOIN, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert expected in answer.json()["error"]
    assert [(record.levelno, record.exc_info) for record in caplog.records if record.name == "memnet.ask.gate"] == [
        (logging.WARNING, None)
    ]


@pytest.mark.parametrize("path", ["cancel", "reset"])
def test_other_paths_of_the_framework_refuse_what_is_no_object(client: Any, path: str):
    for body in (b"", b"[]", b'{"event_id": 1e999}'):
        assert client.post(f"/gradio_api/{path}", content=body).status_code == 400
    assert 400 <= client.post(f"/gradio_api/{path}", json={}).status_code < 500


@pytest.mark.parametrize("folder", ["/assets/", "/static/", "/svelte/"])
def test_a_name_longer_than_a_file_may_have_is_no_page(client: Any, folder: str):
    for name in ("a" * 5000, "ä" * 200, "a/" + "b" * 256):
        assert client.get(folder + name).status_code == 404
    assert is_served(folder + "a" * LONGEST_NAME)


def test_a_path_cannot_forge_a_line_of_the_log(client: Any, caplog: pytest.LogCaptureFixture):
    client.post("/gradio_api/heartbeat/a%0Aforged", content=b"")
    assert all("\n" not in record.getMessage() for record in caplog.records if record.name == "memnet.ask.gate")


def test_odd_values_in_the_boxes_leave_no_traceback(client: Any, capfd: pytest.CaptureFixture[str]):
    for data in (
        [None] * 5,
        [{"a": 1}, 2, None, None, None],
        ["\ufffe", "\ufffe?", "sure", "plain", 7],
        ["\x00", "?", "sure", "", {}],
    ):
        assert "process_completed" in event(client, 0, data)
        assert "process_completed" in event(client, 1, data)
    assert "process_completed" in event(client, 2, [None, None, None])
    for wanted in (None, [1], {"story": ["a"], "question": {}}, {"question": "Q", "first": 3}, "x"):
        assert "process_completed" in event(client, 3, [wanted])
    assert "Traceback" not in "".join(capfd.readouterr())

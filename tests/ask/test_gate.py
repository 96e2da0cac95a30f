"""What the gate before the page refuses: with a sentence to whoever asked, a line in the log, and nothing else."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

import memnet.serve.gate
from memnet.serve.gate import EVENTS, LONGEST_PATH, MEMORIES, PARTS, SERVED, Gate, methods
from tests.ask.serving import STORY_TEXT, event

RIGHT = {"fn_index": 0, "data": [STORY_TEXT, "Where is Mary?", "sure", "", None], "session_hash": "a"}
PLACES = {
    "path": "a.js",
    "path_or_url": "etc/passwd",
    "url_path": "http://127.0.0.1",
    "action": "ask",
}  # of a route's parameters, else "1"


def routes(app: Any, before: str = "") -> Iterator[str]:
    """The path of every route, those of mounted applications and included routers too."""
    for route in app.routes:
        inner = getattr(route, "original_router", getattr(route, "app", None))
        if getattr(route, "methods", None):
            yield before + route.path
        elif hasattr(inner, "routes"):
            yield from routes(inner, before + getattr(route, "path", ""))
        else:
            raise AssertionError(f"a route of an unknown kind: {route!r}")


def test_no_route_of_the_framework_is_open_but_those_of_the_page(client: Any):
    found = {path: re.sub(r"{(\w+)(:\w+)?}", lambda part: PLACES.get(part[1], "1"), path) for path in routes(client.app)}
    assert len(found) > 50
    assert "/gradio_api/run/{api_name}" in found  # with the name "predict" the page's events go to it
    more = {"/assets/{path:path}", "/static/{path:path}", f"{MEMORIES}/{{id}}", f"{MEMORIES}/{{id}}/{{action}}"}
    assert {path for path, at in found.items() if methods(at)} == {*SERVED, *more} - {EVENTS}
    for at in found.values():
        for method in () if methods(at) else ("GET", "POST"):
            assert client.request(method, at).status_code == 404, (method, at)


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
        (json.dumps(RIGHT | {"data": {"a": 1}}), "needs 5 values"),
        (json.dumps(RIGHT | {"data": []}), "needs 5 values"),
        (json.dumps(RIGHT | {"data": ["", "", "other", "", None]}), "Network has no such choice"),
        (json.dumps(RIGHT | {"data": ["", "", [], "", None]}), "Network has no such choice"),
    ],
)
def test_an_event_that_makes_no_sense_is_refused(
    client: Any, body: bytes | str, expected: str, caplog: pytest.LogCaptureFixture
):
    answer = client.post(EVENTS, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert expected in answer.json()["error"]
    assert [(record.levelno, record.exc_info) for record in caplog.records if record.name == "memnet.serve.gate"] == [
        (logging.WARNING, None)
    ]


@pytest.mark.parametrize("folder", ["/assets/", "/static/"])
def test_a_name_that_no_file_of_the_page_has_is_no_page(client: Any, folder: str):
    names = ["a" * 5000, "ä" * 200, "a/" + "b" * 256, "a/" * 600 + "b", ""]
    for name in [*names, "../a", "a/../b", "a//b", ".a", "a%00b", "a\\b"]:
        assert client.get(folder + name).status_code == 404
    assert methods(folder + "a" * 255) == ("GET",)
    assert PARTS.fullmatch(folder + "a/" * 600 + "b")
    assert len(folder + "a/" * 600) > LONGEST_PATH


def test_a_path_cannot_forge_a_line_of_the_log(client: Any, caplog: pytest.LogCaptureFixture):
    client.post("/nowhere/a%0Aforged", content=b"")
    [record] = [record for record in caplog.records if record.name == "memnet.serve.gate"]
    assert record.getMessage() == r"POST '/nowhere/a\nforged' is refused with status 404: There is no such page."


def test_a_wrong_method_is_told_the_right_one(client: Any):
    for path in (EVENTS, "/api/ask"):
        answer = client.delete(path)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert answer.json() == {"error": "POST is the method for this page."}
    assert client.post("/").headers["allow"] == "GET, HEAD"


def test_the_framework_sees_only_what_was_looked_at(client: Any):
    odd = {"x-gradio-user": "a", "cookie": "a=b", "range": "bytes=0-,0-"}
    odd |= dict.fromkeys(["authorization", "referer", "connection"], "x")
    assert client.get("/?page=other&deep_link=../../etc&__theme=dark", headers=odd).text == client.get("/").text
    answer = client.post(
        EVENTS + "?x=1", json=RIGHT | {"event_id": "a", "batched": True, "simple_format": True, "trigger_id": []}
    )
    assert (answer.status_code, "office" in answer.text) == (200, True)


def sent_to(gate: Gate, messages: list[dict[str, Any]], path: str = "/api/ask") -> list[dict[str, Any]]:
    """What the gate answers a POST of these messages, after which nothing comes."""
    answers: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else await asyncio.Event().wait()  # type: ignore[return-value]

    async def send(message: Any) -> None:
        answers.append(message)

    asyncio.run(gate({"type": "http", "method": "POST", "path": path, "headers": []}, receive, send))
    return answers


def test_a_body_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch):
    async def nobody(*_: object) -> None:
        raise AssertionError("asked")

    monkeypatch.setattr(memnet.serve.gate, "BODY_SECONDS", 0.05)
    begin, answer = sent_to(Gate(nobody, lambda value: ""), [{"type": "http.request", "body": b"{", "more_body": True}])
    assert begin["status"] == 408
    assert b"took more than 0.05 seconds" in answer["body"]
    assert sent_to(Gate(nobody, lambda value: ""), [{"type": "http.disconnect"}]) == []


def test_a_client_that_left_is_not_answered():
    begun, ended = [], []

    async def slow(*_: object) -> None:
        begun.append(1)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append(1)
            raise

    whole = {"type": "http.request", "body": b"{}", "more_body": False}
    assert sent_to(Gate(slow, lambda value: ""), [whole, {"type": "http.disconnect"}]) == []
    assert (begun, ended) == ([1], [1])


def test_a_failure_of_the_page_is_told_and_logged(caplog: pytest.LogCaptureFixture):
    async def broken(*_: object) -> None:
        raise KeyError("secret")

    [begin, answer] = sent_to(Gate(broken, lambda value: ""), [{"type": "http.request", "body": b"{}"}])
    assert (begin["status"], b"secret" in answer["body"]) == (500, False)
    assert any(record.exc_info and record.levelno == logging.ERROR for record in caplog.records)


def test_odd_values_in_the_boxes_leave_no_traceback(client: Any, capfd: pytest.CaptureFixture[str]):
    for data in (
        [None] * 5,
        [{"a": 1}, 2, None, None, None],
        ["\ufffe", "\ufffe?", "sure", "plain", 7],
        ["\x00", "?", "sure", "", {}],
        [STORY_TEXT, "?", "sure", "", {"task": 1, "statements": [], "question": {}, "answer": None}],
    ):
        assert '"data":' in event(client, 0, data)
        assert '"data":' in event(client, 1, data)
    assert '"data":' in event(client, 2, [None, None, None])
    for wanted in (None, [1], {"story": ["a"], "question": {}}, {"question": "Q", "first": 3}, "x"):
        assert '"data":' in event(client, 3, [wanted])
    assert "Traceback" not in "".join(capfd.readouterr())

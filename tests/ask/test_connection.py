"""Connections of the server: how many there may be, and how slow."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the page needs gradio")

import uvicorn

import memnet.serve.connection
from memnet.serve.connection import LOOK_SECONDS, MAX_CONNECTIONS, Connection
from memnet.serve.endpoint import MAX_BODY, MAX_QUESTION, MAX_STATEMENTS, MAX_STORY, MAX_WORDS
from memnet.serve.gate import BODY_SECONDS
from memnet.serve.turns import MAX_ASKED, MAX_CONCURRENT, SHORT

LONG = 64 << 20  # bytes of an answer, more than any buffer holds


async def answer_slowly(scope: Any, receive: Any, send: Any) -> None:
    """Answers "/" at once, "/slow" after a while, "/long" at great length."""
    if scope["type"] != "http":
        return
    await asyncio.sleep(1 if scope["path"] == "/slow" else 0)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(LONG // 65536 if scope["path"] == "/long" else 0):
        await send({"type": "http.response.body", "body": b"a" * 65536, "more_body": True})
    await send({"type": "http.response.body", "body": b"done"})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server that looks at its connections every fifth of a second, and takes three."""
    monkeypatch.setattr(memnet.serve.connection, "LOOK_SECONDS", 0.2)
    monkeypatch.setattr(memnet.serve.connection, "MAX_CONNECTIONS", 3)
    config = uvicorn.Config(answer_slowly, http=Connection, ws="none", lifespan="off", log_level="critical")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join(10)


def connected(port: int, text: str = "") -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), timeout=10)
    one.sendall(text.encode())
    return one


def read_all(one: socket.socket) -> bytes:
    """What comes until the other side ends; nothing where it cuts off."""
    try:
        return b"".join(iter(lambda: one.recv(65536), b""))
    except ConnectionError:
        return b""


def test_the_documentation_says_the_limits():
    page = (Path(__file__).parent.parent.parent / "docs" / "web.md").read_text(encoding="utf-8")
    for said in (
        f"| {MAX_BODY // 1024} KiB, {BODY_SECONDS} seconds to arrive |",
        f"| {MAX_CONCURRENT} are answered and {MAX_ASKED - MAX_CONCURRENT} wait",
        f"of more than {SHORT // 1024} KiB {MAX_CONCURRENT - 1} is answered |",
        f"| {MAX_WORDS:,} words, for each network that is asked |",
        f"| {MAX_CONNECTIONS}; no request begun, or nothing taken of an answer, for {LOOK_SECONDS} to",
        f"| {MAX_STORY:,} characters and {MAX_STATEMENTS:,} statements, {MAX_QUESTION} characters |",
    ):
        assert said in page


GET = "GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("text", ["", "GET / HTTP/1.1\r\nHost: lo"])
def test_who_sends_no_whole_request_is_cut_off(port: int, text: str):
    with connected(port, text) as one:
        assert read_all(one) == b""


@pytest.mark.slow
def test_a_byte_now_and_then_is_too_slow(port: int):
    def dribble(one: socket.socket) -> None:
        for byte in b"GET / HTTP/1.1\r\nX: " + b"x" * 200:
            one.sendall(bytes([byte]))
            time.sleep(0.05)

    with connected(port) as one, pytest.raises(ConnectionError):
        dribble(one)


@pytest.mark.slow
def test_who_reads_no_answer_is_cut_off(port: int):
    with connected(port, GET.format("/long")) as one:
        time.sleep(3)
        assert len(read_all(one)) < LONG


def test_a_slow_answer_is_waited_for(port: int):
    with connected(port, GET.format("/slow")) as one:
        assert read_all(one).startswith(b"HTTP/1.1 200")


def test_too_many_connections_are_told_to_come_again_and_more_are_cut_off(port: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memnet.serve.connection, "LOOK_SECONDS", 30)
    first = [connected(port, GET.format("/slow")) for _ in range(3)]
    more = [connected(port) for _ in range(3)]
    with connected(port) as last:
        assert read_all(last) == b""
    for one in more:
        one.sendall(GET.format("/slow").encode())
        said = read_all(one)
        assert said.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 1" in said
        assert said.endswith(b'{"error": "There are too many connections; try again in a second."}\r\n0\r\n\r\n')
    for one in first:
        assert one.recv(65536).startswith(b"HTTP/1.1 200")
    for one in (*first, *more):
        one.close()

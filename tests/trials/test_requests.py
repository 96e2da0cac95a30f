"""Odd requests to the server: an answer, a refusal or the end of the connection; at most a line of the log, no traceback."""

import json
import os
import re
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

from tests.ask.serving import STORY_TEXT, Served
from tests.trials.test_mutated import change
from tests.trials.trial import MEMORY, mutate, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]
LINE = re.compile(r"[!-~]+ (['\"]).*\1 is refused with status \d{3}: .+")  # of the log
QUIET_SECONDS = 0.15  # after which a request that may be half a request is left alone
ASKED = {"story": STORY_TEXT, "question": "Where is Mary?", "network": "memn2n"}
EVENTS = (
    {"fn_index": 0, "data": [STORY_TEXT, "Where is Mary?", "memn2n", "", None], "session_hash": "a", "trigger_id": 1},
    {"fn_index": 1, "data": [STORY_TEXT, "Where is Mary?", "memnn", "memn2n", None], "session_hash": "a"},
    {"fn_index": 2, "data": ["qa1", "memn2n", ""], "session_hash": "a", "event_data": None},
    {"fn_index": 3, "data": [{"story": STORY_TEXT, "question": "Where?"}], "session_hash": "a"},
)
METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "get", "POSTT", "G\tT", "", "Ä")
METHODS += ("A" * 300,)
ROUTES = """
queue/join queue/data?session_hash=a cancel reset upload file=/etc/passwd proxy=http://localhost/ heartbeat/a component_server
run/predict run/update call/update stream/a info config app_id ..
"""
PLACES = """
/ // * /api/ask /api/ask/ /api/networks /assets/ /assets/../routes.py /static/%2e%2e/%2e%2e /config /?page=x&deep_link=..
http://evil.example/ /%00 /%ff /theme.css?v=1 /manifest.json /favicon.ico /login /monitoring/summary /svelte/a.js
/docs /openapi.json /api/memories /api/memories/a /api/memories/a/ask /api/memories/../a/statements /api/memories/%ff
"""
PATHS = (*PLACES.split(), *(f"/gradio_api/{name}" for name in ROUTES.split()), "/\xff", "/\x01", "")
PATHS += ("/assets/" + "a" * 5000, "/static/" + "a/" * 900, "/?" + "a" * 60_000)
HEADERS = (
    "Host: evil.example",
    "Host:",
    "Host: [::1",
    "Origin: null",
    "Origin: http://evil.example",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999999",
    "Content-Length: 1000000000",
    "Content-Length: 1e3",
    "Content-Length: 0",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Content-Encoding: gzip",
    "Content-Type: multipart/form-data; boundary=a",
    "Content-Type: text/\xff",
    "Accept-Encoding: br;q=nan, *;q=-1",
    "Expect: 100-continue",
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: a\r\nSec-WebSocket-Version: 13",
    "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings",
    "If-Modified-Since: \xff",
    "If-None-Match: " + "a," * 3000,
    "Range: bytes=0-,1-,2-",
    "X-Forwarded-Host: [",
    "X-Forwarded-Host: localhost:99999",
    "X-Forwarded-Proto: \xff, ftp",
    "X-Forwarded-For: a, 1.2.3.4:99999999",
    "Cookie: access-token-unsecure=" + "a" * 9000,
    "Authorization: Basic \xff",
    "Sec-Fetch-Site: cross-site",
    "Access-Control-Request-Method: POST\r\nOrigin: http://localhost",
    ": no name",
    "A b: c",
    "X: " + "a" * 100_000,
    "\r\n".join(f"X{number}: a" for number in range(2000)),
    " folded",
)


def request(method: str, path: str, headers: tuple[str, ...], body: bytes, version: str = "HTTP/1.1") -> bytes:
    """A request, byte by byte."""
    head = "\r\n".join((f"{method} {path} {version}".strip(), *headers)) + "\r\n\r\n"
    return head.encode("latin-1") + body


def posted(path: str, body: bytes) -> bytes:
    """A whole request after which the connection ends."""
    return request("POST", path, ("Host: localhost", f"Content-Length: {len(body)}", "Connection: close"), body)


def odd_json(value: object, draw: Random) -> bytes:
    """A JSON value with a value, or bytes, replaced."""
    for _ in range(draw.choice((1, 1, 2, 4))):
        value = change(value, draw)
    try:
        text = json.dumps(value).encode()
    except (RecursionError, ValueError):
        text = b"{}"
    return mutate(text, draw) if draw.random() < 0.3 else text


def odd_request(draw: Random) -> bytes:
    """A request of odd parts."""
    body = odd_json(draw.choice((ASKED, *EVENTS)), draw)
    if draw.random() < 0.3:
        body = mutate(b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:9], body[9:])) + b"0\r\n\r\n", draw)
    path = draw.choice(PATHS) if draw.random() < 0.8 else "/" + quote(mutate(draw.choice(PATHS).encode(), draw)[:9000])
    headers = ["Host: localhost"] * (draw.random() < 0.9) + [f"Content-Length: {len(body)}"] * (draw.random() < 0.5)
    headers += draw.sample(HEADERS, draw.choice((0, 1, 1, 2, 4))) + ["Connection: close"] * (draw.random() < 0.8)
    version = draw.choice(("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""))
    return request(draw.choice(METHODS[:4] if draw.random() < 0.7 else METHODS), path, tuple(headers), body, version)


def draw_request(draw: Random) -> tuple[bytes, bool]:
    """The bytes of a request, or of several, and whether it is a whole one that must be answered."""
    kind = draw.random()
    if kind < 0.25:
        return posted("/api/ask", odd_json(ASKED, draw)), True
    if kind < 0.5:
        return posted("/gradio_api/run/predict", odd_json(draw.choice(EVENTS), draw)), True
    if kind < 0.75:
        return odd_request(draw), False
    whole = posted("/api/ask", json.dumps(ASKED).encode()) * draw.choice((1, 1, 3))
    return mutate(whole, draw), False


class Sent:
    """A connection to the server on which bytes were sent, as far as it took them."""

    def __init__(self, port: int, data: bytes) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        with suppress(OSError):  # refused before all of it was sent
            self.socket.sendall(data)

    def answer(self, seconds: float) -> tuple[int, bytes]:
        """Status and body of an answer that begins within so many seconds; (0, b"") where none does."""
        self.socket.settimeout(seconds)
        with self.socket:
            try:
                answer = HTTPResponse(self.socket)
                answer.begin()
                self.socket.settimeout(10)
                return answer.status, answer.read()
            except (HTTPException, OSError):
                return 0, b""


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[tuple[Served, Path]]:
    """A server of two of the package's networks, and the file of its log."""
    pytest.importorskip("gradio", reason="the page needs gradio")
    path = tmp_path / "log"
    with open(path, "w", encoding="utf-8") as log, Served(["memn2n", "memnn"], tmp_path, log) as server:
        yield server, path


def memory(server: Served) -> int:
    """Bytes of memory that a server has now, where the system says it; else 0."""
    path = Path(f"/proc/{server.process.pid}/status")
    return int(path.read_text().partition("VmRSS:")[2].split()[0]) * 1024 if path.exists() else 0


def test_requests(logged: tuple[Served, Path]):
    server, path = logged
    port = int(server.address.rsplit(":", 1)[1].strip("/"))
    good = posted("/api/ask", json.dumps(ASKED).encode())
    for first in (good, *(posted("/gradio_api/run/predict", json.dumps(event).encode()) for event in EVENTS)):
        assert Sent(port, first).answer(120)[0] == 200
    before = memory(server)
    said = path.with_name("statuses")  # of every answer: cases run in a process of their own
    said.touch()
    with open(path, encoding="utf-8") as log:
        log.read()  # what libraries say when they are first used

        def case(draw: Random) -> None:
            data, is_whole = draw_request(draw)
            status, body = Sent(port, data).answer(10 if is_whole else QUIET_SECONDS)
            with open(said, "a") as file:
                file.write(f"{status}\n")
            assert status < 500, f"status {status} of {data[:300]!r}"
            assert status or not is_whole, f"no answer to {data[:300]!r}"
            assert b"Traceback" not in body
            assert draw.random() < 0.9 or Sent(port, good).answer(10)[0] == 200, f"no answer after {data[:300]!r}"
            assert memory(server) < before + MEMORY
            for line in log.read().splitlines():
                assert LINE.fullmatch(line), f"the log has {line!r} after {data[:300]!r}"

        run_trial("requests", case, seconds=25)
    statuses = Counter(map(int, said.read_text().split()))
    most = f"{before / 2**20:,.0f} MiB at first, {memory(server) / 2**20:,.0f} in the end"
    print(f"answers by status (0: none): {dict(sorted(statuses.items()))}; the server's memory: {most}")

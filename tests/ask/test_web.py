"""The application and the command that serves it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from memnet.ask.hub import packaged
from memnet.ask.predictor import Predictor
from memnet.cli.serve import networks
from memnet.errors import ConfigError
from memnet.serve.openapi import OPENAPI
from memnet.serve.page import SCRIPT, STYLES
from memnet.serve.turns import MAX_CONCURRENT
from memnet.serve.web import create_app
from tests.ask.serving import STORY_TEXT, Served, asked
from tests.conftest import refused

ROOT = Path(__file__).parent.parent.parent


def test_networks_are_listed(client: Any):
    assert client.get("/api/networks").json() == {"networks": ["sure", "plain"]}


def test_the_page_brings_its_style_and_its_script(client: Any):
    page = client.get("/").text.replace('location.origin + ""', '""')
    config = json.loads(re.search(r"window.gradio_config = (.*?);</script>", page)[1])  # type: ignore[index]
    assert SCRIPT.read_text(encoding="utf-8") in config["head"]
    assert all(style.read_text(encoding="utf-8") in config["css"] for style in STYLES)


def test_everything_that_the_page_is_made_of_is_packaged():
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    for path in (*STYLES, SCRIPT, OPENAPI):
        assert path.name in data[f"memnet.{path.parent.name}"]


def test_only_what_is_needed_is_served(client: Any):
    assert client.get("/api/ask").status_code == 405
    assert client.get("/").status_code == 200
    assert "default-src 'self'" in client.get("/").headers["content-security-policy"]
    other = "upload file=/etc/passwd file/etc/passwd proxy=http://127.0.0.1/ info openapi.json runs call/update"
    for path in [
        "/redoc",
        "/docs/oauth2-redirect",
        "/monitoring",
        "/nowhere",
        *(f"/gradio_api/{each}" for each in other.split()),
    ]:
        for answer in (client.get(path), client.post(path, files={"files": b"x"})):
            assert answer.status_code == 404, path
            assert answer.json() == {"error": "There is no such page."}
    for path in ("/static/../../../etc/passwd", "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2froutes.py"):
        assert client.get(path).status_code in (403, 404), path


def test_a_missing_gradio_is_one_sentence(runs: list[Path], networks: dict[str, Predictor], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "gradio", None)
    with pytest.raises(ConfigError, match=r"of the extra demo: pip install 'memnet-qa\[demo\]'"):
        create_app(networks)
    why = "the page needs gradio, of the extra demo: pip install 'memnet-qa[demo]', or in a checkout '.[demo]'"
    assert refused("serve", runs[0]) == f"memnet: {why}\n"


def test_bad_networks_and_addresses_are_one_sentence(runs: list[Path], tmp_path: Path):
    pytest.importorskip("gradio", reason="the page needs gradio")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        wrong = {
            (str(tmp_path / "no"),): "is no folder",
            (str(runs[0]), "--port", str(port)): f"cannot listen at 127.0.0.1, port {port}: Address already in use",
            (str(runs[0]), "--host", "no host"): "cannot listen at no host",
        }
        for arguments, expected in wrong.items():
            said = refused("serve", *arguments)
            assert expected in said
            assert len(said.splitlines()) == 1


def test_names_of_networks(runs: list[Path]):
    assert list(networks([str(run) for run in runs])) == ["sure", "plain"]
    again = f"{runs[0].parent}/plain/../sure"
    assert list(networks([])) == packaged()
    assert list(networks([str(runs[0]), again, str(runs[1])])) == [str(runs[0]), again, "plain"]


def test_the_command_serves_and_ends_quietly(served: Served, tmp_path: Path):
    import httpx

    with httpx.Client(base_url=served.address, trust_env=False, timeout=60) as client:
        assert asked(client, story=STORY_TEXT, question="Where is Mary?")[1]["answer"] == "office"
        assert served.end() == (0, "")  # with a connection that is still open
    assert list(tmp_path.iterdir()) == []


def test_a_stop_does_not_wait_for_what_waits(served: Served):
    """Sixteen questions that take a second or more each, and a stop: those that wait are refused."""
    import httpx

    story = " ".join(f"Zed{number} took the wug{number} to the dax{number}." for number in range(450))
    answers = []

    def ask() -> None:
        with (
            httpx.Client(base_url=served.address, trust_env=False, timeout=120) as client,
            suppress(httpx.HTTPError, ValueError),
        ):
            answers.append(asked(client, story=story, question="Where is the wug3?")[0])

    with httpx.Client(base_url=served.address, trust_env=False, timeout=60) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
    threads = [Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    sleep(2)
    done = answers.count(200)
    served.end()
    for thread in threads:
        thread.join()
    assert answers.count(200) <= done + MAX_CONCURRENT


SLOW = """
import socket, sys, time, uvicorn
from contextlib import suppress
from memnet.serve.connection import GRACE_SECONDS, Server
from memnet.serve.gate import Front
from memnet.serve.turns import in_turn

def compute():
    print("asked", flush=True)
    time.sleep(float(sys.argv[1]))

async def app(scope, receive, send):
    await in_turn(compute)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"kitchen"})

listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
config = uvicorn.Config(Front(app), lifespan="off", log_level="critical", timeout_graceful_shutdown=GRACE_SECONDS)
with suppress(KeyboardInterrupt):
    Server(config).run(sockets=[listening])
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    ("how", "seconds", "status", "said"),
    [
        (signal.SIGTERM, 100, 503, b'{"error": "The server is stopping."}'),
        (signal.SIGINT, 100, 503, b'{"error": "The server is stopping."}'),
        (signal.SIGTERM, 1, 200, b"kitchen"),
    ],
)
def test_a_stop_takes_at_most_five_seconds(how: signal.Signals, seconds: float, status: int, said: bytes):
    """Whatever is being computed; the answer that a client waits for is given, or refused in a sentence."""
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            client = HTTPConnection("127.0.0.1", int(process.stdout.readline()), timeout=60)
            client.request("GET", "/")
            assert process.stdout.readline() == "asked\n"
            process.send_signal(how)
            stopped = monotonic()
            answer = client.getresponse()
            assert (answer.status, answer.read()) == (status, said)
            log = process.communicate(timeout=60)[1]
            assert monotonic() - stopped < 5
            assert "Traceback" not in log
        finally:
            process.kill()


def test_the_address_that_is_printed_is_one_to_give_away(tmp_path: Path, programs: Path):
    """Nobody can type 0.0.0.0 into a browser elsewhere."""
    pytest.importorskip("gradio", reason="the page needs gradio")
    command = [programs / "memnet", "serve", "memn2n", "--host", "0.0.0.0", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[3]
        finally:
            process.kill()
    assert address.startswith("http://")
    assert "0.0.0.0" not in address

"""Behind a proxy under a path: the page, what it is made of, and the endpoint."""

import json
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urljoin

import pytest

from memnet.errors import ConfigError
from memnet.serve.gate import EVENTS
from memnet.serve.web import create_app
from tests.ask.serving import STORY_TEXT, Served
from tests.ask.test_page import WHERE, Page

SITE = "http://lab.example:{}"  # what the world calls the proxy
NGINX = """
daemon off; pid {0}/pid; error_log {0}/log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {0}/1; proxy_temp_path {0}/2; fastcgi_temp_path {0}/3; uwsgi_temp_path {0}/4; scgi_temp_path {0}/5;
  server {{ listen 127.0.0.1:{1}; location /qa/ {{ proxy_pass http://127.0.0.1:{2}; }} }}
}}
"""


@pytest.fixture(scope="module")
def behind(runs: list[Path], tmp_path_factory: pytest.TempPathFactory, programs: Path) -> Iterator[tuple[int, int]]:
    """The ports of a server and of the proxy that is to have it under /qa."""
    pytest.importorskip("gradio", reason="the page needs gradio")
    with socket.create_server(("127.0.0.1", 0)) as free:
        other = free.getsockname()[1]
    more = ("--root-path", "/qa/", "--allow-origin", SITE.format(other))
    folder = tmp_path_factory.mktemp("behind")
    with Served(runs[:1], folder, subprocess.DEVNULL, *more, programs=programs) as server:
        yield int(server.address.rsplit(":", 1)[1].strip("/")), other


@contextmanager
def proxy(port: int, other: int, keeps: bool) -> Iterator[None]:
    """A small proxy that has a server under /qa/, and takes the path off or ``keeps`` it."""

    class Passes(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.startswith("/qa/"):
                return self.send_error(404)
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            passed = {name: self.headers[name] for name in ("origin", "accept-encoding") if name in self.headers}
            inner = HTTPConnection("127.0.0.1", port, timeout=60)
            inner.request(self.command, self.path if keeps else self.path[3:], body, passed)
            answer = inner.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name in ("content-type", "content-encoding"):
                if value := answer.getheader(name):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", other), Passes) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield
        finally:
            server.shutdown()


@contextmanager
def nginx(port: int, other: int, keeps: bool, folder: Path) -> Iterator[None]:
    """The same, by a real one."""
    program = shutil.which("nginx") or next((path for path in ("/usr/sbin/nginx",) if Path(path).exists()), None)
    if program is None:
        pytest.skip("the test of a real proxy needs nginx")
    (folder / "conf").write_text(NGINX.format(folder, other, f"{port}" if keeps else f"{port}/"), encoding="utf-8")
    with subprocess.Popen([program, "-p", folder, "-e", folder / "log", "-c", folder / "conf"]) as running:
        end = time.monotonic() + 30
        while time.monotonic() < end and socket.socket().connect_ex(("127.0.0.1", other)):
            time.sleep(0.05)
        try:
            yield
        finally:
            running.terminate()


def check(port: int) -> None:
    """The page, all that it names, its events and the endpoint, as a browser at the proxy asks for them."""
    import httpx

    with httpx.Client(
        base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60, headers={"origin": SITE.format(port)}
    ) as client:
        page = client.get("/qa/").text
        assert '"root":location.origin + "/qa"' in page
        assert "memnet.invalid" not in page
        assert f":{port}" not in page, "the address of a proxy that says it is no business of the page"
        found = {urljoin("/qa/", each) for each in re.findall(r'(?:href|src)="([^"]+)"', page) if not each.startswith("http")}
        found |= {"/qa/theme.css", "/qa/static/js/iframeResizer.contentWindow.min.js"}
        assert {"/qa/manifest.json", "/qa/favicon.ico"} <= found
        for each in found:
            assert client.get(each).status_code == 200, each
        assert client.get("/qa/api/networks").json() == {"networks": ["sure"]}
        said = client.post("/qa/api/ask", content=json.dumps({"story": STORY_TEXT, "question": WHERE}))
        assert said.json()["answer"] == "office"
        event = {"fn_index": 0, "data": [STORY_TEXT, WHERE, "sure", "", None]}
        assert "<strong>office</strong>" in client.post(f"/qa{EVENTS}", json=event).text


@pytest.mark.parametrize("keeps", [False, True])
def test_behind_a_proxy_under_a_path(behind: tuple[int, int], keeps: bool):
    with proxy(*behind, keeps):
        check(behind[1])


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [False, True])
def test_behind_nginx_under_a_path(behind: tuple[int, int], keeps: bool, tmp_path: Path):
    with nginx(*behind, keeps, tmp_path):
        check(behind[1])


@pytest.mark.slow
def test_a_browser_behind_nginx(behind: tuple[int, int], browser: Any, tmp_path: Path):
    with nginx(*behind, False, tmp_path):
        page = Page(browser, f"http://lab.example:{behind[1]}/qa/")
        page.one("[data-save='png']").click()
        page.write("question", WHERE)
        page.until(lambda: page.panels()[0])
        fetched = page.run("performance.getEntriesByType('resource').map(each => each.name)")
        assert fetched
        assert all(each.startswith((page.address, "data:", "blob:")) for each in fetched)
        assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_a_path_without_its_slash_leads_to_the_page(behind: tuple[int, int]):
    import httpx

    with httpx.Client(base_url=f"http://127.0.0.1:{behind[0]}", trust_env=False, timeout=60) as client:
        answer = client.get("/qa")
        assert (answer.status_code, answer.headers["location"]) == (308, "/qa/")
        assert client.get("/qa/qa/").status_code == 404
        assert client.get("/qax/").status_code == 404


@pytest.mark.parametrize("path", ["qa", "//evil.example", "/qa b", "/qa?x", "/../..", "https://lab.example/qa"])
def test_a_path_that_is_none_is_one_sentence(path: str):
    pytest.importorskip("gradio", reason="the page needs gradio")
    with pytest.raises(ConfigError, match="expected the path that a proxy has the page under, as /qa"):
        create_app({}, root_path=path)


@pytest.mark.parametrize("order", [1, -1])
def test_a_length_said_in_two_ways_is_refused_and_ends_the_connection(behind: tuple[int, int], order: int):
    lengths = ["Content-Length: 4", "Transfer-Encoding: chunked"][::order]
    for method, path in (("POST", "/api/ask"), ("GET", "/"), ("OPTIONS", "/api/ask")):
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", *lengths, "", ""]
        with socket.create_connection(("127.0.0.1", behind[0]), timeout=30) as one:
            one.sendall("\r\n".join(head).encode() + b"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            said = b"".join(iter(lambda one=one: one.recv(65536), b""))
        assert said.startswith(b"HTTP/1.1 400")
        assert b"connection: close" in said
        assert b"Content-Length and Transfer-Encoding; send one." in said
        assert said.count(b"HTTP/1.1") == 1

"""A server that needs a token."""

import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError
from memnet.serve.origins import TOKEN, TokenCheck, read_token
from memnet.serve.web import create_app
from tests.ask.serving import STORY_TEXT, Served, asked
from tests.ask.test_page import Page
from tests.conftest import refused

SECRET = "0123456789abcdef+/:="


def basic(said: str) -> str:
    return f"Basic {b64encode(said.encode()).decode()}"


@pytest.mark.parametrize("right", [f"Bearer {SECRET}", f"bearer  {SECRET}", basic(f":{SECRET}"), basic(f"anna:{SECRET}")])
def test_who_knows_the_token_may_ask(networks: dict[str, Predictor], right: str):
    client = started(networks)
    with client:
        assert asked(client, story=STORY_TEXT, question="Where is Mary?")[0] == 401
        client.headers["authorization"] = right
        assert asked(client, story=STORY_TEXT, question="Where is Mary?")[1]["answer"] == "office"
        assert client.get("/").status_code == 200


def started(networks: dict[str, Predictor]) -> Any:
    pytest.importorskip("gradio", reason="the page needs gradio")
    from starlette.testclient import TestClient

    app = create_app(networks, origins=["https://lab.example"], token=SECRET)
    return TestClient(app, base_url="http://127.0.0.1:7860")


def test_nothing_is_told_without_it(networks: dict[str, Predictor]):
    wrong = ["", "Bearer", "Bearer ", f"Bearer {SECRET}x", f"Bearer {SECRET[:-1]}", SECRET, "Basic x", basic(SECRET), "Basic ü"]
    with started(networks) as client:
        assert client.get("/healthz").status_code == 200
        for header in wrong:
            for method, path in (("GET", "/"), ("GET", "/nowhere"), ("POST", "/api/ask"), ("GET", "/openapi.json")):
                answer = client.request(method, path, headers={b"authorization": header.encode()})
                assert answer.status_code == 401, header
                assert answer.json() == {"error": "This server needs its token: Authorization: Bearer TOKEN."}
                asks = "Bearer" if path.startswith("/api/") else 'Basic realm="memnet"'
                assert answer.headers["www-authenticate"] == asks
        elsewhere = {"origin": "https://lab.example", "access-control-request-headers": "authorization"}
        preflight = client.options("/api/ask", headers=elsewhere | {"access-control-request-method": "POST"})
        assert (preflight.status_code, "authorization" in preflight.headers["access-control-allow-headers"]) == (200, True)


def test_it_is_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch):
    compared = []
    monkeypatch.setattr("memnet.serve.origins.compare_digest", lambda *two: compared.append(two) or False)
    assert not TokenCheck(None, SECRET).knows([(b"authorization", b"Bearer a"), (b"authorization", basic("b:c").encode())])  # type: ignore[arg-type]
    assert compared == [(b"a", SECRET.encode()), (b"c", SECRET.encode())]


def test_where_it_comes_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(TOKEN, raising=False)
    assert read_token(None) == ""
    path = tmp_path / "token"
    path.write_text(f"{SECRET}\n")
    monkeypatch.setenv(TOKEN, "of-the-environment")
    assert (read_token(path), read_token(None)) == (SECRET, "of-the-environment")
    for text in ("", "short", "two words that are long enough", "ä" * 20):
        path.write_text(text)
        monkeypatch.setenv(TOKEN, text)
        for given, name in ((path, f"--token-file {path}"), (None, TOKEN)):
            with pytest.raises(ConfigError) as wrong:
                read_token(given)
            assert str(wrong.value).startswith(f"{name}: expected a token of 16 to 200 letters")
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        read_token(tmp_path / "none")
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="cannot be read: no text"):
        read_token(path)


def test_the_command_says_what_is_no_token(runs: list[Path], tmp_path: Path):
    pytest.importorskip("gradio", reason="the page needs gradio")
    said = refused("serve", runs[0], "--token-file", tmp_path / "none")
    assert said == f"memnet: --token-file {tmp_path / 'none'} cannot be read: No such file or directory\n"


@pytest.mark.slow
def test_a_browser_that_was_told_the_token_shows_the_page(runs: list[Path], browser: Any, tmp_path: Path):
    path = tmp_path / "token"
    path.write_text(SECRET.replace("/", "-").replace(":", "-"))
    with Served(runs[:1], tmp_path, subprocess.DEVNULL, "--token-file", path) as server:
        browser.get(server.address)
        assert not browser.find_elements("css selector", ".panel")
        with_token = server.address.replace("://", f"://me:{path.read_text().replace('+', '%2B').replace('=', '%3D')}@")
        browser.get(with_token)  # as if it was typed into the browser's own question
        page = Page(browser, server.address)
        page.write("question", "Where is John")
        page.one("[data-save='png']").click()
        page.until(lambda: page.panels())

"""Who may ask: a page elsewhere cannot, neither by its origin nor by a name that it points here."""

import socket
from typing import Any

import pytest

from memnet.ask.predictor import Predictor
from memnet.errors import ConfigError
from memnet.serve.origins import Allowed
from memnet.serve.web import create_app
from tests.ask.serving import STORY_TEXT, asked
from tests.conftest import refused

SITE = "https://lab.example"
HOST = "does not answer to the host"
ORIGIN = "may not ask this server"


def error(allowed: Allowed, **headers: str) -> str:
    return allowed.error([(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()])


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:7860", "127.0.0.1", "127.0.0.1:8000", "[::1]", "[::1]:7860", "lab", "lab.example:443"]
)
def test_hosts_that_are_answered(host: str):
    assert error(Allowed.of("lab", [SITE]), host=host) == ""


NO_HOSTS = "localhost:x localhost:7860:1 127.0.0.1/a 127.1 2130706433 a\b ä [::1 ::1 localhost@evil"
OTHER_HOSTS = "evil.example evil.example:7860 localhost.evil.example lab.evil 192.168.0.9"


@pytest.mark.parametrize("host", ["", "127.0.0.1 ", *NO_HOSTS.split(), *OTHER_HOSTS.split()])
def test_hosts_that_are_not_answered(host: str):
    wrong = error(Allowed.of("127.0.0.1"), host=host)
    assert HOST in wrong
    assert len(wrong) < 700
    assert error(Allowed.of("127.0.0.1"), host="localhost", x_forwarded_host=host) == wrong


def test_no_host_is_no_host():
    assert HOST in error(Allowed.of("127.0.0.1"))


@pytest.mark.parametrize("listening", ["0.0.0.0", "::", "192.168.0.7", "lab"])
def test_where_other_machines_reach_it_any_address_is_a_host_and_no_other_name(listening: str):
    allowed = Allowed.of(listening)
    for host in ("192.168.0.7:7860", "[fe80::1]", "localhost", socket.gethostname()):
        assert error(allowed, host=host) == ""
    assert HOST in error(allowed, host="evil.example")


def test_origins():
    allowed = Allowed.of("127.0.0.1", [SITE + "/"])
    for origin in ("http://localhost:7860", "https://localhost:7860", "HTTP://LOCALHOST:7860", SITE):
        assert error(allowed, host="localhost:7860", origin=origin) == ""
    for origin in ("http://localhost:3000", "http://evil.example", "null", "", "http://lab.example", "file://", SITE + ".evil"):
        assert ORIGIN in error(allowed, host="localhost:7860", origin=origin), origin
    assert error(Allowed.of("127.0.0.1", ["*"]), host="evil.example", origin="null") == ""


def test_a_page_elsewhere_may_link_here_but_not_fetch():
    allowed = Allowed.of("127.0.0.1")
    for site, mode, answered in (
        ("none", "navigate", True),
        ("same-origin", "cors", True),
        ("cross-site", "navigate", True),
        ("cross-site", "no-cors", False),
        ("same-site", "no-cors", False),
    ):
        wrong = error(allowed, host="localhost", sec_fetch_site=site, sec_fetch_mode=mode)
        assert (wrong == "") == answered, (site, mode)


@pytest.mark.parametrize(
    "origin", ["lab.example", "", "ftp://lab.example", "https://", "https://a b", "https://a/path", "null"]
)
def test_an_origin_that_is_none_is_one_sentence(origin: str):
    with pytest.raises(ConfigError, match=r"expected an address as https://example\.org"):
        Allowed.of("127.0.0.1", [origin])


def test_the_command_says_what_is_no_origin():
    pytest.importorskip("gradio", reason="the page needs gradio")
    said = refused("serve", "memn2n", "--allow-origin", "lab.example")
    assert said.startswith("memnet: --allow-origin lab.example: expected an address as https://example.org")
    assert len(said.splitlines()) == 1


def test_a_web_page_elsewhere_cannot_ask(client: Any, caplog: pytest.LogCaptureFixture):
    for headers, wrong in (({"host": "evil.example"}, HOST), ({"origin": "https://evil.example"}, ORIGIN)):
        for method, path in (("GET", "/"), ("POST", "/api/ask"), ("OPTIONS", "/api/ask"), ("GET", "/nowhere")):
            answer = client.request(method, path, headers=headers | {"access-control-request-method": "POST"})
            assert (answer.status_code, list(answer.json())) == (403, ["error"])
            assert wrong in answer.json()["error"]
            assert not [name for name in answer.headers if name.startswith("access-control")]
    assert all(record.exc_info is None for record in caplog.records)
    same = client.get("/", headers={"origin": "http://127.0.0.1:7860"})
    assert same.status_code == 200
    assert not [name for name in same.headers if name.startswith("access-control")]


def test_a_page_of_an_allowed_origin_can(networks: dict[str, Predictor]):
    pytest.importorskip("gradio", reason="the page needs gradio")
    from starlette.testclient import TestClient

    app = create_app(networks, origins=[SITE])
    with TestClient(app, base_url="http://127.0.0.1:7860", headers={"origin": SITE}) as client:
        preflight = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
        allowed = client.options("/api/ask", headers=preflight)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == SITE
        assert "POST" in allowed.headers["access-control-allow-methods"]
        assert asked(client, story=STORY_TEXT, question="Where is Mary?")[0] == 200
        for answer in (
            client.get("/api/networks"),
            client.post("/api/ask", content=b"x" * 70_000),
        ):  # a refusal can be read too
            assert answer.headers["access-control-allow-origin"] == SITE
        assert client.get("/api/networks", headers={"origin": "https://evil.example"}).status_code == 403

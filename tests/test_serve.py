"""The page and its JSON endpoint: in process, in a browser, and with odd input."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from memnet.answer import Answer, Answerer, Read
from memnet.cli import app as command
from memnet.config import ConfigError
from memnet.serve import BODY, QUESTION, STATEMENTS, STORY, RefusedError, Told, answer_html, app, example, heat_map, shown, told
from memnet.tasks.simulator import PUBLISHED
from memnet.tasks.text import short_words, words, write
from tests.conftest import wander

STORY_TOLD = "Mary went to the kitchen.\nJohn went to the garden.\nMary went to the office."
TAGS = {"section", "h3", "p", "strong", "span", "small", "div", "table", "thead", "tbody", "tr", "th", "td"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two networks trained on a task of our own, the first of which knows when there is no evidence."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "moves_train.txt").write_text(write(wander(1, 150)), encoding="utf-8")
    (folder / "moves_test.txt").write_text(write(wander(2, 50)), encoding="utf-8")
    for name, *extra in (("sure", "--set", "absent=0.3"), ("plain", "--set", "hops=1")):
        options = ["--restarts", "2", "--set", "epochs=60", *extra, "--out", str(folder / name)]
        done = CliRunner().invoke(command, ["train", str(folder), *options])
        assert done.exit_code == 0, done.output
    return [folder / "sure", folder / "plain"]


@pytest.fixture(scope="module")
def networks(runs: list[Path]) -> dict[str, Answerer]:
    return {run.name: Answerer.load(run) for run in runs}


@pytest.fixture(scope="module")
def client(networks: dict[str, Answerer]) -> Iterator[Any]:
    pytest.importorskip("gradio", reason="the page needs gradio: pip install gradio")
    from starlette.testclient import TestClient

    with TestClient(app(networks), base_url="http://127.0.0.1:7860") as client:
        yield client


def asked(client: Any, **value: object) -> tuple[int, Any]:
    """Status and JSON value of a request."""
    answer = client.post("/api/ask", content=json.dumps(value))
    return answer.status_code, answer.json()


@pytest.mark.parametrize(
    ("story", "expected"),
    [
        ("Mary went home. John did too.\n\n  It rained.  ", Told(["Mary went home.", "John did too.", "It rained."])),
        ("1 Mary went home.\n2 Where is Mary?\thome\t1\n3 John left.", Told(["Mary went home.", "John left."], 1)),
        ("1 Mary went home.\n1 John left.", Told(["John left."])),
        (["Mary went home. John did too.", "Who?"], Told(["Mary went home. John did too.", "Who?"])),
        ("", Told([])),
    ],
)
def test_what_was_typed_becomes_statements(story: str | list[str], expected: Told):
    assert told(story) == expected


def test_limits_of_a_story():
    assert len(told(["a"] * STATEMENTS).statements) == STATEMENTS
    assert told("x" * STORY).statements == ["x" * STORY]
    for story in (
        ["a"] * (STATEMENTS + 1),
        "a\n" * (STATEMENTS + 1),
        "x" * (STORY + 1),
        ["x" * STORY, "y"],
        "\ud800",
        ["\udfff"],
    ):
        with pytest.raises(RefusedError) as refused:
            told(story)
        assert refused.value.status == 422


@pytest.mark.parametrize("name", ["sure", "plain", None])
def test_the_endpoint_answers_as_ask_does(client: Any, networks: dict[str, Answerer], name: str | None):
    status, value = asked(client, story=STORY_TOLD, question="Where is Mary?", **({"network": name} if name else {}))
    assert status == 200
    assert value["answer"] == "office"
    assert value == json.loads(json.dumps(networks[name or "sure"].ask(STORY_TOLD.splitlines(), "Where is Mary?").as_json()))
    assert asked(client, story=STORY_TOLD.splitlines(), question="Where is Mary?", network=name) == (status, value)


def test_no_evidence_is_told(client: Any):
    status, value = asked(client, story="John went to the garden.\nJohn went to the office.", question="Where is Mary?")
    assert (status, value["known"]) == (200, False)
    assert value["absent"] > 0.5


def test_unknown_words_are_told(client: Any):
    status, value = asked(client, story="Mary went to the gardn.", question="Where is Mary?")
    assert (status, value["unknown"]) == (200, {"gardn": ["garden"]})


def test_networks_are_listed(client: Any):
    assert client.get("/api/networks").json() == {"networks": ["sure", "plain"]}


@pytest.mark.parametrize(
    ("body", "status", "expected"),
    [
        (b"", 400, "not JSON"),
        (b"Where is Mary?", 400, "not JSON"),
        (b"\xff\xfe", 400, "not JSON"),
        (b"[" * 60000, 400, "not JSON"),
        (b"9" * 5000, 400, "not JSON"),
        (b"[]", 400, "JSON object"),
        (b'{"story": "Mary left."}', 400, "JSON object"),
        (b'{"story": "", "question": "", "netwrok": ""}', 400, "JSON object"),
        (b'{"story": [1], "question": ""}', 400, "a text or a list"),
        (b'{"story": null, "question": ""}', 400, "a text or a list"),
        (b'{"story": "", "question": NaN}', 400, "question must be a text"),
        (b'{"story": "", "question": "", "network": {}}', 400, "network must be a name"),
        (b'{"story": "", "question": "", "network": "../secret"}', 404, "there are sure, plain"),
        (b'{"story": "", "question": "Where is Mary?"}', 422, "story is empty"),
        (b'{"story": "Mary left.", "question": "?"}', 422, "no words"),
        (b'{"story": "Mary left.", "question": "Quo vadis?"}', 422, "none of the words"),
        (b'{"story": "Mary \\ud800 left.", "question": "Where is Mary?"}', 422, "not Unicode"),
        (b'{"story": "Mary left.", "question": "\\udcff Where is Mary?"}', 422, "not Unicode"),
        (json.dumps({"story": "x" * (STORY + 1), "question": "Where is Mary?"}).encode(), 422, "at most 20,000"),
        (json.dumps({"story": "a\n" * 1001, "question": "Where is Mary?"}).encode(), 422, "at most 1,000"),
        (json.dumps({"story": "a", "question": "a" * (QUESTION + 1)}).encode(), 422, "at most 300"),
        (b" " * (BODY + 1), 413, "at most 64 KiB"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(client: Any, body: bytes, status: int, expected: str):
    answer = client.post("/api/ask", content=body)
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]
    assert expected in answer.json()["error"]


def test_a_body_of_unknown_length_is_cut_off(client: Any):
    assert client.post("/api/ask", content=(b" " * 1024 for _ in range(100))).status_code == 413


def test_only_what_is_needed_is_served(client: Any):
    assert client.get("/api/ask").status_code == 405
    assert client.get("/").status_code == 200
    assert "default-src 'self'" in client.get("/").headers["content-security-policy"]
    other = [
        "upload",
        "file=/etc/passwd",
        "file/etc/passwd",
        "proxy=http://127.0.0.1/",
        "info",
        "openapi.json",
        "runs",
        "call/update",
    ]
    for path in ["/docs", "/openapi.json", "/monitoring", "/nowhere", *(f"/gradio_api/{each}" for each in other)]:
        for answer in (client.get(path), client.post(path, files={"files": b"x"})):
            assert answer.status_code == 404, path
            assert answer.json() == {"error": "There is no such page."}
    for path in ("/static/../../../etc/passwd", "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2froutes.py"):
        assert client.get(path).status_code in (403, 404), path


def test_a_failure_shows_no_traceback(networks: dict[str, Answerer], client: Any, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(networks["plain"], "ask", fail)
    status, value = asked(client, story=STORY_TOLD, question="Where is Mary?", network="plain")
    assert (status, list(value)) == (500, ["error"])
    page = shown(networks, "plain", STORY_TOLD, "Where is Mary?")
    for said in (value["error"], page):
        assert "Something went wrong" in said
        assert "secret" not in said
        assert "Traceback" not in said


def test_many_at_once_get_the_same_answers_as_alone(networks: dict[str, Answerer]):
    pytest.importorskip("gradio", reason="the page needs gradio")
    from httpx import ASGITransport, AsyncClient

    stories = [(list(story.statements[: one.after]), one.text) for story in wander(5, 8) for one in story.questions]
    questions = [(name, *each) for name in networks for each in stories]
    alone = [networks[name].ask(*each).as_json() for name, *each in questions]

    async def everyone() -> list[Any]:
        async with AsyncClient(transport=ASGITransport(app(networks)), base_url="http://127.0.0.1", timeout=100) as client:
            keys = ("network", "story", "question")
            return await asyncio.gather(*(client.post("/api/ask", json=dict(zip(keys, each))) for each in questions))  # noqa: B905

    assert [answer.json() for answer in asyncio.run(everyone())] == json.loads(json.dumps(alone))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda each: networks[each[0]].ask(*each[1:]).as_json(), questions)) == alone


HEARD = Answer(
    "office",
    0.9,
    [("kitchen", 0.1)],
    [[Read(2, "b <i>", 0.75), Read(1, "a", 0.25)], [Read(1, "a", 0.1), Read(2, "b <i>", 0.0)]],
    [0.0, 0.9],
    {"x<b>": ["y"]},
    1,
)


class Parsed(HTMLParser):
    """The tags of HTML, and its table as rows of (text, whether it is evidence)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.marked: list[bool] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not {name for name, _ in attrs} - {"class", "style", "scope", "aria-live"}
        if tag == "tr":
            self.rows.append([])
            self.marked.append(dict(attrs).get("class") == "evidence")
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_the_heat_map_by_hand():
    seen = Parsed(heat_map(HEARD).partition("</table>")[0])
    assert seen.rows == [
        ["", "sentence", "hop 1", "hop 2"],
        ["", "1 a", "0.25", "0.10"],
        ["\N{BLACK RIGHT-POINTING TRIANGLE}", "2 b <i>", "0.75", "0.00"],
        ["", "(nothing)", "0.00", "0.90"],
    ]
    assert seen.marked == [False, False, True, False]
    assert 'style="background:rgb(255,255,255);color:#111">0.00' in heat_map(HEARD)
    assert 'style="background:rgb(70,118,169);color:#fff">0.75' in heat_map(HEARD)
    assert "no attention to show" in heat_map(Answer("a", 1.0, [], [], [], {}, 0))


def test_the_answer_in_words():
    said = answer_html(HEARD, 2)
    assert "<strong>office</strong> <span>90%</span> <small>then kitchen 10%</small>" in said
    assert "I do not know &#x27;x&lt;b&gt;&#x27; (near it: y)." in said
    assert "1 older sentence(s)" in said
    assert "2 question(s) among the statements" in said
    unsure = answer_html(Answer("office", 0.9, [], [], [], {}, 0, absent=0.8))
    assert "I have no evidence for that</strong> <span>(80%)</span> <small>if I had to answer: office 90%" in unsure


def test_what_is_typed_is_shown_as_text(networks: dict[str, Answerer]):
    nasty = "<script>alert(1)</script> <img src=x onerror=alert(1)> & \"'"
    page = shown(networks, "sure", f"Mary went to the office.\n{nasty}", f"Where is Mary {nasty}?")
    assert "&lt;script&gt;" in page
    assert Parsed(page).tags <= TAGS
    assert "&lt;b&gt;" in shown(networks | {"<b>": networks["sure"]}, "<b>", "", "Where?")
    assert "no network of that name" in shown(networks, "<b>", "", "Where?")


@pytest.mark.parametrize("task", PUBLISHED)
def test_an_example_of_every_task(task: str):
    story, question = example(task, 3)
    assert (story, question) == example(task, 3)
    assert (story, question) != example(task, 4)
    assert len(told(story).statements) == len(story.splitlines()) >= 2
    assert question.endswith("?")


def event(client: Any, number: int, data: list[object]) -> str:
    """What the page's own event answers, as its lines."""
    joined = client.post("/gradio_api/queue/join", json={"fn_index": number, "data": data, "session_hash": "tested"})
    if joined.status_code != 200:
        return str(joined.text)
    return str(client.get("/gradio_api/queue/data", params={"session_hash": "tested"}).text)


def test_the_events_of_the_page(client: Any):
    said = event(client, 0, [STORY_TOLD, "Where is Mary?", "sure", "plain"])
    assert said.count("<strong>office</strong>") == 2
    assert "process_completed" in event(client, 1, ["qa1"])
    for number, data in ((0, []), (0, ["", "Where?", "other", "none"]), (1, ["qa99"]), (0, [{"a": 1}, 2, None, []]), (77, [])):
        said = event(client, number, data)
        assert "Traceback" not in said
        assert ".py" not in said
    for body in (b"", b"[" * 60000, b"\xff", b'{"fn_index": 0, "data": 1e999, "session_hash": null}'):
        answer = client.post("/gradio_api/queue/join", content=body, headers={"content-type": "application/json"})
        assert 400 <= answer.status_code <= 500
        assert "Traceback" not in answer.text


def test_the_page_on_another_address(networks: dict[str, Answerer]):
    pytest.importorskip("gradio", reason="the page needs gradio")
    from starlette.testclient import TestClient

    with TestClient(app(networks), base_url="http://example.org") as client:
        assert client.get("/").status_code == 200
        assert "<strong>office</strong>" in event(client, 0, [STORY_TOLD, "Where is Mary?", "sure", "none"])


def test_a_missing_gradio_is_one_sentence(runs: list[Path], networks: dict[str, Answerer], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "gradio", None)
    with pytest.raises(ConfigError, match="pip install gradio"):
        app(networks)
    done = CliRunner().invoke(command, ["serve", str(runs[0])])
    assert (done.exit_code, done.output) == (1, "memnet: the page needs gradio: pip install gradio\n")


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
            done = CliRunner().invoke(command, ["serve", *arguments])
            assert done.exit_code == 1
            assert expected in done.output
            assert len(done.output.splitlines()) == 1


def test_names_of_networks(runs: list[Path]):
    from memnet.commands.serve import networks

    assert list(networks([str(run) for run in runs])) == ["sure", "plain"]
    again = f"{runs[0].parent}/plain/../sure"
    assert list(networks([str(runs[0]), again, str(runs[1])])) == [str(runs[0]), again, "plain"]


def test_help_imports_neither_torch_nor_gradio():
    for arguments in (["--help"], ["serve", "--help"]):
        done = subprocess.run([sys.executable, "-X", "importtime", "-m", "memnet", *arguments], capture_output=True, text=True)
        assert done.returncode == 0
        imported = {line.rsplit("|")[-1].strip() for line in done.stderr.splitlines()}
        assert not imported & {"torch", "gradio", "fastapi", "starlette", "uvicorn", "memnet.serve"}


class Served:
    """The command, running as a process of its own, and the address that it says."""

    def __init__(self, runs: list[Path], folder: Path) -> None:
        arguments = [sys.executable, "-m", "memnet", "serve", *map(str, runs), "--port", "0"]
        self.process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("memnet is at http://127.0.0.1:"), self.process.communicate()
        self.address = line.split()[3]

    def end(self) -> tuple[int, str]:
        """Press Ctrl-C; the exit status and what was said."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out + err


@pytest.fixture
def served(runs: list[Path], tmp_path: Path) -> Iterator[Served]:
    pytest.importorskip("gradio", reason="the page needs gradio")
    server = Served(runs, tmp_path)
    yield server
    server.process.kill()
    server.process.wait()


def test_the_command_serves_and_ends_quietly(served: Served, tmp_path: Path):
    import httpx

    with httpx.Client(base_url=served.address, trust_env=False, timeout=60) as client:
        assert asked(client, story=STORY_TOLD, question="Where is Mary?")[1]["answer"] == "office"
        with client.stream("GET", "/gradio_api/heartbeat/open"):  # a page that is still open
            assert served.end() == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_long_texts_are_not_kept():
    before = short_words.cache_info().currsize
    for number in range(101, 120):
        assert len(words("x " * number)) == number
    assert short_words.cache_info().currsize == before


def odd_texts() -> st.SearchStrategy[str]:
    """What a story or a question might be: words that are known or not, other scripts, control characters, much of it."""
    known = st.sampled_from(["Mary", "John", "went", "to", "the", "kitchen.", "garden", "Where", "is", "?", "\n", "1 ", "\t"])
    strange = st.text(st.characters(), max_size=60)
    piece = st.one_of(
        known, strange, st.sampled_from(["玛丽", "Мария", "\u202e", "\x00", "\ud800", "<script>", "${a}", "x" * 400])
    )
    joined = st.lists(piece, max_size=12).map(" ".join)
    length = st.sampled_from([250, 1000, 4000, 19_000, STORY, 25_000])
    many = st.builds(
        lambda one, length: (one * (length // len(one) + 1))[:length], st.one_of(known, joined.filter(len)), length
    )
    return st.one_of(joined, many, strange)


def odd_bodies() -> st.SearchStrategy[bytes]:
    """Bodies of requests, most of them nearly right."""
    texts = odd_texts()
    statements = st.lists(texts, max_size=5) | st.builds(lambda one, n: [one[:20]] * n, texts, st.sampled_from([10, 999, 2500]))
    anything = st.recursive(
        st.none() | st.booleans() | st.floats(allow_subnormal=False) | st.text(max_size=9),
        lambda inner: st.lists(inner, max_size=3),
    )
    wrong = st.dictionaries(st.sampled_from(["story", "question", "network", "other"]), anything | texts, max_size=4)
    network = st.sampled_from(["sure", "plain", "none", "../sure", None])
    question = texts | st.sampled_from(["Where is Mary?", "Where is John", "kitchen", "Is Mary in the kitchen?"])
    right = st.fixed_dictionaries({"story": texts | statements, "question": question}, optional={"network": network})
    return st.one_of(st.binary(max_size=200), (right | right | wrong).map(lambda value: json.dumps(value).encode()))


def peak() -> int:
    """The most memory that this process ever used, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def fuzz(client: Any, networks: dict[str, Answerer], examples: int) -> dict[int, int]:
    """So many odd requests to the endpoint and the page; how many ended with each status."""
    found: dict[int, int] = {}
    before = peak()

    @settings(max_examples=examples)
    @given(odd_bodies())
    def check(body: bytes) -> None:
        began = time.monotonic()
        answer = client.post("/api/ask", content=body)
        found[answer.status_code] = found.get(answer.status_code, 0) + 1
        assert answer.status_code in (200, 400, 404, 413, 422)
        assert (answer.status_code == 200) == ("answer" in answer.json())
        assert "Traceback" not in answer.text
        if answer.status_code in (200, 422):
            asked = json.loads(body)
            story = asked["story"] if isinstance(asked["story"], str) else "\n".join(asked["story"])
            page = shown(networks, "sure", story, asked["question"])
            assert Parsed(page).tags <= TAGS
            assert "Something went wrong" not in page
        assert time.monotonic() - began < 20

    check()
    after = peak()
    assert after == before or after < 2**30  # no more than the tests before it in this process, or below a gibibyte
    return found


def test_odd_requests_are_answered_or_refused(client: Any, networks: dict[str, Answerer]):
    fuzz(client, networks, 60)


@pytest.mark.slow
def test_thousands_of_odd_requests_are_answered_or_refused(client: Any, networks: dict[str, Answerer]):
    found = fuzz(client, networks, 2000)
    assert {200, 400, 404, 422} <= found.keys()
    assert sum(found.values()) >= 2000


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of another process is read in /proc")
def test_many_large_requests_at_once_stay_below_a_gibibyte(served: Served):
    import httpx

    strange = " ".join(f"{number:05}" for number in range(3000))
    stories = ["Mary went home.\n" * STATEMENTS, "Mary " * 4000, strange, "x" * STORY, STORY_TOLD]
    with httpx.Client(base_url=served.address, trust_env=False, timeout=300) as client, ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda i: asked(client, story=stories[i % 5], question="Where is Mary?")[0], range(200)))
    assert answers == [200] * 200
    status = Path(f"/proc/{served.process.pid}/status").read_text()
    assert int(status.partition("VmHWM:")[2].split()[0]) < 2**20  # KiB


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium that reaches nothing but this machine."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="the browser test needs selenium")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("the browser test needs chromium and chromedriver")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    quiet = ["background-networking", "component-update", "sync", "gpu", "quic", "dev-shm-usage"]
    flags = ["headless=new", "no-first-run", *(f"disable-{each}" for each in quiet), "window-size=1200,1000"]
    if os.geteuid() == 0:
        flags.append("no-sandbox")
    flags += [f"user-data-dir={tmp_path_factory.mktemp('browser')}", "host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]
    for flag in flags:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    yield started
    started.quit()


@pytest.mark.slow
def test_the_page_in_a_browser(served: Served, browser: Any):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    def found(selector: str) -> Any:
        return WebDriverWait(browser, 60).until(lambda _: browser.find_element(By.CSS_SELECTOR, selector))

    def rows(part: str = "answer") -> list[list[str]]:
        script = "return [...document.querySelectorAll(arguments[0])].map(r => [...r.cells].map(c => c.innerText.trim()))"
        return browser.execute_script(script, f"#{part} tbody tr") or []

    def until(true: Any) -> None:
        WebDriverWait(browser, 20, ignored_exceptions=[Exception]).until(lambda _: true())

    def said(part: str = "answer") -> str:
        return found(f"#{part}").text

    browser.get(served.address)
    story, question = found("#story textarea"), found("#question textarea, #question input")
    story.send_keys(f"{STORY_TOLD}\n<script>document.title = 'run'</script> ${{document.title = 'run'}}")
    question.send_keys("Where is Mary?")
    found("button#ask").click()
    until(lambda: "office" in said() and len(rows()) >= 4)
    first = rows()
    assert [row[1].split(" ", 1)[1] for row in first[:3]] == STORY_TOLD.splitlines()
    assert "<script>" in first[3][1]
    assert len(first[0]) == 2 + 3  # mark and sentence, three hops
    assert first[2][0] == "\N{BLACK RIGHT-POINTING TRIANGLE}"
    assert max(float(weight) for weight in first[2][2:]) > 0.5

    question.clear()
    question.send_keys("Where is John?")  # nothing is pressed
    until(lambda: "garden" in said() and rows() != first)
    assert float(rows()[1][2]) > float(first[1][2])

    found("#beside input").click()
    until(
        lambda: [
            each.click() for each in browser.find_elements(By.CSS_SELECTOR, "[role=option]") if each.text.endswith("plain")
        ]
    )
    until(lambda: "plain" in said("other") and rows("other"))
    assert len(rows("other")[0]) == 2 + 1
    assert "garden" in said("other")

    question.clear()
    question.send_keys("Quo vadis")
    until(lambda: "none of the words" in said())
    until(lambda: story.get_property("value"))
    found("button#example").click()
    until(lambda: "<script>" not in story.get_property("value") and question.get_property("value").endswith("?"))
    assert story.get_property("value").count("\n") > 2
    story.send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.DELETE)
    until(lambda: "story is empty" in said())

    assert browser.title == "memnet"
    assert "Traceback" not in browser.page_source
    fetched = browser.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")
    assert fetched
    assert all(each.startswith((served.address, "data:", "blob:")) for each in fetched)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert served.end() == (0, "")

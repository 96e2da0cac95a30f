"""The page: HTML, its events, and a browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from memnet.ask.answer import Answer, Read
from memnet.ask.endpoint import read_story
from memnet.ask.page import answer_html, answer_section, example_story, heat_map_html
from memnet.ask.predictor import Predictor
from memnet.ask.web import create_app
from memnet.tasks.simulator import PUBLISHED
from tests.ask.serving import STORY_TEXT, TAGS, Parsed, Served, event

HEARD = Answer(
    "office",
    0.9,
    [("kitchen", 0.1)],
    [[Read(2, "b <i>", 0.75), Read(1, "a", 0.25)], [Read(1, "a", 0.1), Read(2, "b <i>", 0.0)]],
    [0.0, 0.9],
    {"x<b>": ["y"]},
    1,
)


def test_the_heat_map_by_hand():
    seen = Parsed(heat_map_html(HEARD).partition("</table>")[0])
    assert seen.rows == [
        ["", "sentence", "hop 1", "hop 2"],
        ["", "1 a", "0.25", "0.10"],
        ["\N{BLACK RIGHT-POINTING TRIANGLE}", "2 b <i>", "0.75", "0.00"],
        ["", "(nothing)", "0.00", "0.90"],
    ]
    assert seen.marked == [False, False, True, False]
    assert 'style="background:rgb(255,255,255);color:#111">0.00' in heat_map_html(HEARD)
    assert 'style="background:rgb(70,118,169);color:#fff">0.75' in heat_map_html(HEARD)
    assert "no attention to show" in heat_map_html(Answer("a", 1.0, [], [], [], {}, 0))


def test_the_answer_in_words():
    said = answer_html(HEARD, 2)
    assert "<strong>office</strong> <span>90%</span> <small>then kitchen 10%</small>" in said
    assert "I do not know &#x27;x&lt;b&gt;&#x27; (near it: y)." in said
    assert "1 older sentence(s)" in said
    near = answer_html(Answer("a", 0.99, [("b", 0.009), ("<c>", 0.001), ("d", 0.0)], [], [], {}, 0))
    assert "<small>then b 1%; &lt;c&gt;, d below 1%</small>" in near  # as at the prompt
    assert "2 question(s) among the statements" in said
    unsure = answer_html(Answer("milk,apple", 0.9, [], [], [], {}, 0, unanswerable=0.8, reason="nobody said so"))
    assert "<strong>I cannot tell (80%): nobody said so</strong> <small>my guess: milk and apple</small>" in unsure


def test_what_is_typed_is_shown_as_text(networks: dict[str, Predictor]):
    nasty = "<script>alert(1)</script> <img src=x onerror=alert(1)> & \"'"
    page = answer_section(networks, "sure", f"Mary went to the office.\n{nasty}", f"Where is Mary {nasty}?")
    assert "&lt;script&gt;" in page
    assert Parsed(page).tags <= TAGS
    assert "&lt;b&gt;" in answer_section(networks | {"<b>": networks["sure"]}, "<b>", "", "Where?")
    assert "no network of that name" in answer_section(networks, "<b>", "", "Where?")


@pytest.mark.parametrize("task", PUBLISHED)
def test_an_example_of_every_task(task: str):
    story, question = example_story(task, 3)
    assert (story, question) == example_story(task, 3)
    assert (story, question) != example_story(task, 4)
    assert len(read_story(story).statements) == len(story.splitlines()) >= 2
    assert question.endswith("?")


def test_the_events_of_the_page(client: Any):
    said = event(client, 0, [STORY_TEXT, "Where is Mary?", "sure", "plain"])
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


def test_the_page_on_another_address(networks: dict[str, Predictor]):
    pytest.importorskip("gradio", reason="the page needs gradio")
    from starlette.testclient import TestClient

    with TestClient(create_app(networks), base_url="http://example.org") as client:
        assert client.get("/").status_code == 200
        assert "<strong>office</strong>" in event(client, 0, [STORY_TEXT, "Where is Mary?", "sure", "none"])


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
    story.send_keys(f"{STORY_TEXT}\n<script>document.title = 'run'</script> ${{document.title = 'run'}}")
    question.send_keys("Where is Mary?")
    found("button#ask").click()
    until(lambda: "office" in said() and len(rows()) >= 4)
    first = rows()
    assert [row[1].split(" ", 1)[1] for row in first[:3]] == STORY_TEXT.splitlines()
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

"""The page: HTML, its events, and a browser."""

import re
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from memnet.ask.example import Example, examples_beside
from memnet.ask.hub import packaged
from memnet.ask.predictor import Predictor
from memnet.encode.saved import EXAMPLES_FILE
from memnet.serve.labels import errors_of, network_label, network_labels, task_labels
from memnet.serve.page import Shown, another_example, answer_section, answers_html, chosen_task, first_task, link, opened
from memnet.serve.web import create_app
from memnet.tasks.families import EXAMPLES
from memnet.training.run import FILES
from tests.ask.serving import STORY, STORY_TEXT, TAGS, Parsed, Served, event

WHERE = "Where is Mary?"
ASK, CHANGE, EXAMPLE, OPEN = range(4)  # the page's events
BUSY = 90  # seconds that the page may take on a machine with other work


def test_what_is_typed_is_shown_as_text(networks: dict[str, Predictor]):
    nasty = "<script>alert(1)</script> <img src=x onerror=alert(1)> & \"'"
    shown = Shown(f"Mary went to the office.\n{nasty}", f"Where is Mary {nasty}?", "sure", "<b>")
    page = answers_html(networks | {"<b>": networks["sure"]}, shown, None)
    assert page.count("<section") == 2
    assert "&lt;b&gt;" in page
    assert Parsed(page).tags <= TAGS
    assert "no network of that name" in answer_section(networks, "<b>", "", "Where?")


def test_an_example_is_judged_until_it_is_changed(networks: dict[str, Predictor]):
    example = Example("qa1", STORY, WHERE, "office")
    shown = Shown(STORY_TEXT, WHERE, "sure", "plain")
    assert answers_html(networks, shown, example).count('<p class="verdict right">Right. <small></small></p>') == 2
    wrong = answers_html(networks, shown, example._replace(answer="kitchen"))
    assert wrong.count('<p class="verdict wrong">Wrong; the right answer is kitchen.') == 2
    for changed in (shown._replace(story=f"{STORY_TEXT}\nMary left."), shown._replace(question="Where is John?")):
        assert "verdict" not in answers_html(networks, changed, example)
    assert "verdict" not in answers_html(networks, shown, None)


def test_an_example_says_how_often_the_network_is_right(networks: dict[str, Predictor]):
    sure = networks["sure"]
    errors = [{"data": "babi/qa1", "train": 0.0, "validation": None, "test": 2.5}]
    known = {"sure": Predictor(sure.net, sure.vocabulary, sure.metadata | {"errors": errors})}
    page = answer_section(known, "sure", STORY_TEXT, WHERE, Example("qa1", STORY, WHERE, "office"))
    assert "It answers 97.5% of the test questions of task 1 right." in page


def test_the_page_opens_with_an_example_and_two_networks(networks: dict[str, Predictor]):
    shown, example = opened(networks, {})
    assert example is not None
    assert shown == Shown(example.story, example.question, "sure", "plain")
    assert (shown, example) == opened(networks, None)
    only = {"sure": networks["sure"]}
    assert opened(only, {})[0].second == ""
    networks["sure"].examples, kept = (), networks["sure"].examples
    assert opened(networks, {})[1].task == first_task(networks["sure"]) == "qa2"
    networks["sure"].examples = kept


def test_the_example_is_of_a_task_that_the_network_was_trained_on(networks: dict[str, Predictor]):
    sure = networks["sure"]
    assert first_task(Predictor(sure.net, sure.vocabulary, {"data": ["sim/qa7", "sim/qa1", "own/x"]})) == "qa1"
    assert first_task(Predictor(sure.net, sure.vocabulary, {"data": ["sim/qa7", "sim/qa2"]})) == "qa2"


def test_the_page_of_an_own_network_opens_on_a_story_whose_words_it_knows(networks: dict[str, Predictor], runs: list[Path]):
    _, example = opened(networks, {})
    assert example is not None
    assert example.task not in EXAMPLES.members
    assert networks["sure"].unknown_words(*example.statements, example.question) == {}
    assert networks["sure"].ask(list(example.statements), example.question).answerable
    kept = {one.question for one in networks["sure"].examples}
    assert {another_example(networks["sure"], None).question for _ in range(20)} <= kept
    assert another_example(networks["sure"], "qa3").task == "qa3"
    assert chosen_task(example) is None
    assert not (set(runs[0].iterdir()) - {runs[0] / name for name in (*FILES, "metrics.jsonl", ".lock")})


def test_examples_that_are_none_are_left_out(tmp_path: Path):
    assert examples_beside(tmp_path) == []
    for text in ("{", "3", '{"a": 1}', '[1, {"task": "x"}, {"task": "x", "statements": "a", "question": "?", "answer": "b"}]'):
        (tmp_path / EXAMPLES_FILE).write_text(text, encoding="utf-8")
        assert examples_beside(tmp_path) == []


def test_a_link_opens_what_it_was_made_of(networks: dict[str, Predictor]):
    shown = Shown("Mary & 玛丽 went = home.\nJohn left #1 + 2%.", 'Where is "Mary"?', "plain", "sure")
    found = dict(parse_qsl(link(shown).removeprefix("#")))
    assert opened(networks, found) == (shown, None)
    assert opened(networks, {"question": WHERE, "first": "none such", "second": 3}) == (Shown("", WHERE, "sure", "plain"), None)
    assert opened(networks, {"first": "plain"})[0][2:] == ("plain", "sure")
    assert opened(networks, {"first": "plain", "second": ""})[0][2:] == ("plain", "")
    assert f'href="{escape(link(shown))}"' in answers_html(networks, shown, None)
    assert link(Shown("\ud800", "", "a")).startswith("#story=%3F&")


def test_the_events_of_the_page(client: Any):
    said = event(client, ASK, [STORY_TEXT, WHERE, "sure", "plain", None])
    assert said.count("<strong>office</strong>") == 2
    assert "is right" not in said
    assert "Ask a question" in event(client, ASK, [STORY_TEXT, " ", "sure", "", None])
    assert "19 path finding" in event(client, CHANGE, [STORY_TEXT, WHERE, "sure", "", None])
    assert "is_generating" in event(client, EXAMPLE, ["qa1", "sure", ""])
    assert "verdict" in event(client, OPEN, [{}])
    assert "<strong>office</strong>" in event(client, OPEN, [{"story": STORY_TEXT, "question": WHERE}])
    odd = [(ASK, []), (ASK, ["", "Where?", "other", "none", None]), (EXAMPLE, ["qa99", "sure", ""]), (OPEN, [[1]]), (77, [])]
    for number, data in [*odd, (ASK, [{"a": 1}, 2, None, [], None])]:
        said = event(client, number, data)
        assert "Traceback" not in said
        assert ".py" not in said


def test_the_page_on_another_address(networks: dict[str, Predictor]):
    pytest.importorskip("gradio", reason="the page needs gradio")
    from starlette.testclient import TestClient

    with TestClient(create_app(networks, "example.org"), base_url="http://example.org") as client:
        assert client.get("/").status_code == 200
        assert "<strong>office</strong>" in event(client, ASK, [STORY_TEXT, WHERE, "sure", "", None])


@pytest.mark.parametrize("name", packaged())
def test_tasks_are_called_by_their_titles_and_errors(name: str):
    network = Predictor.from_name(name)
    errors = errors_of(network)
    assert list(errors) == list(EXAMPLES.members)
    assert task_labels(network)[18] == (f"19 path finding ({100 - errors['qa19']:.3g}% right)", "qa19")
    assert len(network_label(network)) < 45
    del network.metadata["errors"]  # as of an older network
    assert errors_of(network) == {}
    assert task_labels(network)[0] == ("1 single supporting fact", "qa1")


def test_networks_of_one_kind_are_told_apart_by_their_names():
    one, other = Predictor.from_name("memn2n"), Predictor.from_name("memnn")
    assert network_labels({"a": one, "b": other}) == [
        ("End-to-end memory network", "a"),
        ("Strongly supervised memory network", "b"),
    ]
    assert network_labels({"a": one, "b": one}) == [
        ("End-to-end memory network (a)", "a"),
        ("End-to-end memory network (b)", "b"),
    ]


class Page:
    """The page in a browser: what is done on it, and what it shows."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser, self.address = browser, address
        browser.get(address)
        self.until(lambda: self.all(".panel"))

    def all(self, selector: str) -> list[Any]:
        return list(self.browser.find_elements("css selector", selector))

    def one(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def until(self, true: Any) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, BUSY, ignored_exceptions=[Exception]).until(lambda _: true())

    def run(self, script: str) -> Any:
        return self.browser.execute_script(f"return {script}")

    def write(self, box: str, text: str) -> None:
        from selenium.webdriver.common.keys import Keys

        self.one(f"#{box} :is(textarea, input)").send_keys(Keys.CONTROL, "a", Keys.NULL, text)

    def choose(self, box: str, label: str) -> None:
        self.one(f"#{box} input").click()
        self.until(lambda: any(label in each.text for each in self.all("[role=option]")))
        next(each for each in self.all("[role=option]") if label in each.text).click()

    def panels(self) -> list[str]:
        return [each.text for each in self.all(".panel")]

    def shades(self) -> list[float]:
        """How dark the sentences of the first panel are, 0 to 1."""
        lines = "document.querySelector('.panel').querySelectorAll('[data-reads]')"
        return list(self.run(f"[...{lines}].map(line => Number(line.style.getPropertyValue('--read')))"))


@pytest.mark.slow
def test_the_page_in_a_browser(served: Served, browser: Any):
    page = Page(browser, served.address)
    assert len(page.panels()) == 2
    assert all("right answer" in panel or "Right." in panel for panel in page.panels())
    page.one("#own button").click()
    page.until(lambda: page.one("#story textarea").is_displayed())
    page.write("story", f"{STORY_TEXT}\n<script>document.title = 'run'</script> ${{document.title = 'run'}}")
    page.write("question", WHERE)  # nothing is pressed
    page.until(lambda: page.panels()[0].count("office") > 1 and "<script>" in page.panels()[0])
    assert "right answer" not in page.panels()[0]
    assert [each.text for each in page.all(".panel:first-child .line .text")][:3] == STORY_TEXT.splitlines()
    assert page.all(".panel u")  # "script" is no word of the network
    whole = page.shades()
    reads = [max(map(float, each.get_attribute("data-reads").split())) for each in page.all(".panel:first-child [data-reads]")]
    assert whole == reads
    page.one(".panel [data-step='2']").click()
    assert page.shades() == [
        float(each.get_attribute("data-reads").split()[1]) for each in page.all(".panel:first-child [data-reads]")
    ]
    assert "Hop 2 read sentence" in page.panels()[0]
    page.one(".panel .term summary").click()
    assert "How likely" in page.panels()[0]

    page.choose("beside", "no other network")
    page.until(lambda: len(page.panels()) == 1)
    page.one("a.share").click()
    page.until(lambda: "story=" in browser.current_url)
    linked = browser.current_url
    page.choose("task", "3 three supporting facts")
    page.until(lambda: page.one("#question :is(textarea, input)").get_property("value") != WHERE)
    page.until(lambda: page.all(".fold") or page.one("#example").click())  # of which the network hardly reads some
    assert "not read" in page.one(".fold summary").text or "read less than" in page.one(".fold summary").text
    browser.get("about:blank")
    again = Page(browser, linked)
    assert again.one("#question :is(textarea, input)").get_property("value") == WHERE
    assert len(again.panels()) == 1
    assert "office" in again.panels()[0]
    again.one("[data-save='png']").click()
    again.write("question", "Quo vadis")
    again.until(lambda: "none of the words" in again.panels()[0])

    assert browser.title == "memnet"
    assert "Traceback" not in browser.page_source
    fetched = again.run("performance.getEntriesByType('resource').map(each => each.name)")
    assert fetched
    assert all(each.startswith((served.address, "data:", "blob:")) for each in fetched)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert served.end() == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1400])
def test_the_page_fits_a_phone_and_a_desk_by_day_and_by_night(served: Served, browser: Any, width: int, dark: bool):
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page = Page(browser, served.address)
    assert page.run("document.documentElement.scrollWidth") <= width
    question, answer = page.one("#question").rect, page.one("#answer strong").rect
    panels = [each.rect for each in page.all(".panel")]
    if width < 500:
        assert question["y"] < answer["y"] < page.one("#network").rect["y"]
        assert answer["y"] + answer["height"] < 900, "the answer is seen without scrolling"
        assert panels[0]["y"] < panels[1]["y"]
    else:
        assert panels[0]["y"] == panels[1]["y"]
    blank = page.run("getComputedStyle(document.querySelector('.unread .text > span')).backgroundColor")
    assert blank.replace(" ", "").endswith(("/0)", ",0)")), "what was not read is as the page"
    ink = page.run("getComputedStyle(document.querySelector('.panel')).color")
    assert (min(map(int, re.findall(r"\d+", ink)[:3])) > 128) == dark

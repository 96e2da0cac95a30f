"""The lesson: its stories say what the networks do, and in a browser nothing is seen before its key is pressed."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import memnet
from memnet.cli.serve import lesson_lines, listen
from memnet.serve import lesson
from memnet.serve.lesson import lesson_html, lesson_networks, stories
from tests.ask.serving import Served

# What the words of each story rest on: the answer, or None where none is given, and the sentence that each hop reads most.
EXPECTED = [
    ("office", [3, 3, 3]),
    ("garden", [1, 3, 3]),
    ("garden", [1, 1, 3]),
    ("green", [1, 2, 3]),
    ("kitchen", [3, 2, 2]),
    ("none", [1, 3, 3]),
    ("garden", [2, 4, 4]),
    ("attic", [2]),
    (None, [3]),
]
BUSY = 60  # seconds
EVIDENCE_IN_VIEW = """(() => {
  const box = document.getElementById('story').getBoundingClientRect(), read = items.filter(each => weightOf(each) > 0);
  return read.filter(each => {
    const at = each.getBoundingClientRect(), inside = at.top >= box.top - 1 && at.bottom <= box.bottom + 1;
    const seen = document.elementFromPoint(at.left + 20, (at.top + at.bottom) / 2);
    return inside && (at.bottom > innerHeight || each.contains(seen));
  }).map(each => items.indexOf(each) + 1);
})()"""


def test_the_networks_do_what_the_lesson_says_of_them():
    networks = {name: memnet.load(name) for name in lesson_networks()}
    found = []
    for story in stories():
        answer = networks[story["network"]].ask(story["story"], story["question"])
        found.append((answer.text if answer.answerable else None, [hop[0].number for hop in answer.hops]))
    assert [answer for answer, _ in found] == [answer for answer, _ in EXPECTED]
    assert [hops for _, hops in found[:-1]] == [hops for _, hops in EXPECTED[:-1]]


def test_a_story_cannot_leave_its_script(monkeypatch: pytest.MonkeyPatch):
    nasty = "</script><script>document.title = 'run'</script>"
    monkeypatch.setattr(lesson, "stories", lambda: [{"network": "x", "story": nasty}])
    page = lesson_html({"x"}, "http://192.0.2.1/")
    assert nasty not in page
    given = re.search(r'<script type="application/json" id="lesson">(.*?)</script>', page, re.DOTALL)
    assert given is not None
    assert json.loads(given[1])["stories"][0]["story"] == nasty
    assert json.loads(given[1])["address"] == "http://192.0.2.1/"


def test_only_stories_of_networks_that_are_served_are_shown(client: Any):
    assert '"stories": []' in client.get("/lesson").text
    assert '"network": "memn2n"' in lesson_html({"memn2n"})
    assert '"network": "dmn-plus"' not in lesson_html({"memn2n"})


def test_an_own_story_is_for_the_network_that_reads_english():
    assert '"own": "memnet"' in lesson_html({"memn2n", "memnet"})
    assert '"own": ""' in lesson_html({"memn2n"}), "then the network of the story that is shown"


def test_no_title_or_question_to_the_class_gives_a_refusal_away():
    for story, (answer, _) in zip(stories(), EXPECTED, strict=True):
        said = f"{story['title']} {story['predict']}".lower()
        assert answer is not None or "nobody" not in said


@pytest.mark.parametrize(("host", "said"), [("0.0.0.0", "whoever is in your network"), ("127.0.0.1", "on this computer only")])
def test_the_addresses_are_of_the_wall_and_of_the_class(host: str, said: str):
    with listen(host, 0) as listening:
        port = listening.getsockname()[1]
        wall, page = lesson_lines(listening)
    assert f"http://127.0.0.1:{port}/lesson (" in wall
    assert said in page
    assert f":{port}/ (" in page


class Wall(Served):
    """The lesson's command, running."""

    def __init__(self, folder: Path) -> None:
        arguments = [sys.executable, "-m", "memnet", "serve", "--lesson", "--host", "127.0.0.1", "--port", "0"]
        self.process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+/lesson", self.process.stdout.readline())
        assert found, self.process.communicate()
        self.address = found[0]
        assert "for the class" in self.process.stdout.readline()


@pytest.fixture
def wall(tmp_path: Path) -> Iterator[Wall]:
    pytest.importorskip("gradio", reason="the page needs gradio")
    server = Wall(tmp_path)
    yield server
    server.process.kill()
    server.process.wait()


class Lesson:
    """The lesson in a browser."""

    def __init__(self, browser: Any, address: str) -> None:
        self.browser = browser
        browser.get(address)
        self.until("next step")
        self.ready()

    def text(self) -> str:
        return str(self.browser.find_element("css selector", "body").text)

    def until(self, said: str) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, BUSY).until(lambda _: said in self.text())

    def ready(self) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.browser, BUSY).until(lambda _: self.run("answer !== null"))

    def run(self, script: str) -> Any:
        return self.browser.execute_script(f"return {script}")

    def press(self, *names: str) -> None:
        from selenium.webdriver.common.keys import Keys

        body = self.browser.find_element("css selector", "body")
        for name in names:
            body.send_keys(getattr(Keys, name, name))

    def page(self) -> str:
        """All that is in the page but its own script and stories."""
        return str(self.run("document.querySelector('main').innerHTML"))


@pytest.mark.slow
def test_each_key_shows_a_hop_and_the_last_one_the_answer(wall: Wall, browser: Any):
    shown = Lesson(browser, wall.address)
    assert "Where is Mary?" in shown.text()
    assert "Which one will the network read?" in shown.text()
    assert "%" not in shown.page(), "what a hop read is not in the page before its key"
    shown.press("ARROW_DOWN")
    shown.ready()
    assert "Where is the football?" in shown.text()
    assert "confidence" not in shown.page()
    shown.press("ARROW_RIGHT")
    assert "Hop 1 of 3 read sentence 1 most" in shown.text()
    assert "Hop 2" not in shown.page()
    shown.press("SPACE")
    assert "Hop 2 of 3 read sentence 3 most" in shown.text()
    shown.press("ARROW_LEFT")
    assert "Hop 1 of 3" in shown.text()
    shown.press("PAGE_DOWN", "ARROW_RIGHT")
    assert "confidence" not in shown.page()
    shown.press("ARROW_RIGHT")
    assert "garden confidence 100%" in shown.text()
    assert "whom the question does not name" in shown.text()
    shown.press("ARROW_RIGHT")
    assert "3 of 9" in shown.text()

    browser.find_element("css selector", "#back").click()
    shown.ready()
    browser.find_element("css selector", "#next").click()
    assert "3 of 9" in shown.text()
    shown.press("e")
    shown.run("document.getElementById('text').value = '<b>Sandra</b> went to the park.'")
    shown.run("document.getElementById('asked').value = ' '")
    browser.find_element("css selector", "#own button").click()
    assert "The question is missing" in shown.text()
    assert "3 of 9" in shown.text()
    shown.run("document.getElementById('asked').value = 'Where is Sandra?'")
    browser.find_element("css selector", "#own button").click()
    shown.ready()
    assert shown.run("document.getElementById('network').textContent") == "memnet"
    assert "our own story" in shown.text()
    assert "<b>Sandra</b> went" in shown.text()
    assert shown.run("document.querySelectorAll('main b').length") == 0
    shown.press("ARROW_RIGHT")
    assert "Hop 1" in shown.text()
    browser.find_element("css selector", "#after").click()
    shown.ready()
    assert "What color is Lily?" in shown.text()
    shown.press("ARROW_DOWN", "ARROW_DOWN", "ARROW_DOWN")
    shown.ready()
    shown.press(*["ARROW_RIGHT"] * 4)
    assert "dmn-plus does not know the words 'bob' (near: box), 'lab', 'laptop', 'attic' and 'alice'" in shown.text()

    sizes = shown.run("parseFloat(getComputedStyle(document.querySelector('#story')).fontSize)")
    assert sizes >= 26, "it is read from the last row"
    fetched = shown.run("performance.getEntriesByType('resource').map(each => each.name)")
    assert all(each.startswith(wall.address.removesuffix("lesson")) for each in fetched)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert wall.end()[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1400])
def test_the_lesson_fits_a_phone_and_a_wall_by_day_and_by_night(wall: Wall, browser: Any, width: int, dark: bool):
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    shown = Lesson(browser, wall.address)
    for _ in range(4):
        shown.press("ARROW_RIGHT")
    assert "office" in shown.text()
    assert shown.run("document.documentElement.scrollWidth") <= width
    assert shown.run("document.querySelector('#why').getBoundingClientRect().bottom") < 900, "seen without scrolling"
    ink = shown.run("getComputedStyle(document.body).color")
    assert (min(map(int, re.findall(r"\d+", ink)[:3])) > 128) == dark


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1400, 900), (1920, 1080)])
def test_a_story_of_thirty_sentences_is_scrolled_with_its_evidence_in_view(wall: Wall, browser: Any, width: int, height: int):
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 1000}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    shown = Lesson(browser, wall.address)
    people, places = ("Mary", "John", "Sandra"), ("kitchen", "garden")
    told = [f"{people[number % 3]} went to the {places[number % 2]}." for number in range(30)]
    told[2], told[16] = "Eve took the football.", "Eve moved to the park."
    shown.press("e")
    shown.run(f"document.getElementById('text').value = {json.dumps(chr(10).join(told))}")
    shown.run("document.getElementById('asked').value = 'Where is the football?'")
    shown.run("document.querySelector('#own button').click()")
    shown.ready()
    assert shown.run("document.querySelectorAll('#story li').length") == 30
    assert shown.run("document.querySelector('#more').textContent") == "30 sentences; more below"
    shown.press(*["ARROW_RIGHT"] * 3)
    assert "park confidence" in shown.text()
    for place in ("0", "1e5", "300"):
        shown.run(f"document.getElementById('story').scrollTop = {place}")
        assert shown.run(f"new Promise(done => requestAnimationFrame(() => done({EVIDENCE_IN_VIEW})))") == [3, 17]
    before = shown.run("document.getElementById('story').scrollTop")
    shown.run("dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', shiftKey: true }))")
    assert shown.run("document.getElementById('story').scrollTop") < before
    assert "our own story" in shown.text(), "with Shift the arrows do not leave the story"
    if height >= 800:
        for part in ("why", "answer"):
            assert shown.run(f"document.getElementById('{part}').getBoundingClientRect().bottom") <= height
        assert shown.run("document.documentElement.scrollHeight") <= height
    assert shown.run("document.documentElement.scrollWidth") <= width
    letters = shown.run("parseFloat(getComputedStyle(document.querySelector('#story')).fontSize)")
    assert letters >= (26 if width > 1000 else 18)

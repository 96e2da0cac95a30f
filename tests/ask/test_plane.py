"""Words in two dimensions on the playground: names that can be read, on a phone and by keyboard."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ask.playing import Page

PLANE = Path(__file__).parents[2] / "docs" / "play" / "plane.js"
DRAWN = "Math.abs(document.querySelector('.map svg').viewBox.baseVal.width - document.querySelector('.map').clientWidth) < 2"
NAMES_THAT_MEET = """(() => {
  const shown = [...document.querySelectorAll('.map [data-word]:not(.unnamed) text')], met = [];
  const boxes = shown.map(each => each.getBoundingClientRect());
  for (const [at, a] of boxes.entries())
    for (const [other, b] of boxes.slice(0, at).entries())
      if (a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
        met.push([shown[at].textContent, shown[other].textContent]);
  return met;
})()"""


def names_placed(dots: list[dict[str, float]], wide: float, high: float) -> list[Any]:
    """Where the page puts names: their middles from their dots, None for those without room."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("the page's script is run by Node.js")
    script = f"import {{ place }} from {json.dumps(PLANE.as_uri())};"
    script += f"console.log(JSON.stringify(place({json.dumps(dots)}, {wide}, {high})))"
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.mark.parametrize("number", [1, 5, 20, 60])
def test_no_name_covers_another_or_a_dot(number: int):
    random, wide, high = np.random.default_rng(3), 360, 380
    places = random.normal([wide / 2, high / 2], 40, (number, 2)).clip(20, 340)
    dots = [{"x": x, "y": y, "wide": float(random.integers(15, 70)), "high": 16.0} for x, y in places.tolist()]
    found = names_placed(dots, wide, high)
    named = [(dot, far) for dot, far in zip(dots, found, strict=True) if far]
    assert len(named) == number if number <= 5 else len(named) > 10
    assert found == names_placed(dots, wide, high)
    boxes = [(dot["x"] + far[0], dot["y"] + far[1], dot["wide"], dot["high"]) for dot, far in named]
    for at, (x, y, width, height) in enumerate(boxes):
        assert abs(x - wide / 2) <= (wide - width) / 2 + 1e-6
        assert abs(y - high / 2) <= (high - height) / 2 + 1e-6
        other_dots = [(dot["x"], dot["y"], 5.0, 5.0) for dot in dots if dot is not named[at][0]]
        for left, top, broad, tall in [*boxes[:at], *other_dots]:
            assert abs(left - x) >= (width + broad) / 2 - 1e-6 or abs(top - y) >= (height + tall) / 2 - 1e-6


def test_names_without_room_are_those_of_the_last_dots():
    dots = [{"x": 100.0, "y": 100.0, "wide": 190.0, "high": 90.0} for _ in range(3)]
    assert [far is not None for far in names_placed(dots, 200, 200)] == [True, True, False]


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1400])
def test_in_a_browser_every_word_is_read_and_moved_by_keyboard(site: str, browser: Any, width: int):
    page = Page(browser, site)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    tables = page.run("document.querySelectorAll('.tables button').length")
    for table in range(tables):
        page.run(f"document.querySelectorAll('.tables button')[{table}].click()")
        page.run(f"new Promise(done => setInterval(() => {DRAWN} && done(), 100))")
        assert page.run(NAMES_THAT_MEET) == []
        assert page.run("document.querySelector('.map text').getBoundingClientRect().height") >= 12
        without = page.run("[...document.querySelectorAll('.map .unnamed')].map(each => each.dataset.word)")
        said = page.run("document.querySelector('#words .crowded').textContent")
        assert all(word in said for word in without)
        dots = page.run("[...document.querySelectorAll('.map [data-word]')].map(each => [each.tabIndex, each.ariaLabel])")
        assert len(dots) >= 15
        assert all(place == 0 and name for place, name in dots)
    browser.find_element("css selector", ".map [data-word=john]").send_keys("\ue012")  # left arrow
    page.run("new Promise(done => setTimeout(done, 500))")
    page.answered()
    assert f"john is moved in table {tables}" in page.run("document.querySelector('#words .changes').textContent")
    assert page.run("document.activeElement.dataset.word") == "john", "the next key moves it on"

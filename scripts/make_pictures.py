"""Make every picture of the README and the documentation: ``python scripts/make_pictures.py [--only NAME ...]``.

The screens need Chromium with its driver (``apt-get install chromium chromium-driver``) and the extras demo and test; the
figures need the extra plot. Stories are the published ones where MEMNET_DATA has them, else simulated ones.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memnet.ask.hub import BUNDLED
from memnet.cli import app
from memnet.tasks.families import EXAMPLES

ROOT = Path(__file__).resolve().parent.parent
DOCS, FIGURES = ROOT / "docs", ROOT / "results" / "figures"
LOWEST = "return Math.max(...[...document.querySelectorAll('body *')].map(one => one.getBoundingClientRect().bottom))"
WIDE, HIGH, WAIT = 1400, 720, 120  # of a screen, and seconds until it shows what it should


def command(*words: object) -> None:
    """Run a command of memnet."""
    app([str(word) for word in words], standalone_mode=False)


def results() -> None:
    """The figures of the runs on record, and learning curves."""
    command("plot", "results", FIGURES)
    command("plot", "curves", *sorted((ROOT / "results" / "curves").glob("*.jsonl")), "--out", FIGURES / "curves.svg")


def attention() -> None:
    """What the package's network read for a test question of each task, and the passes of its dynamic memory network."""
    (FIGURES / "attention").mkdir(parents=True, exist_ok=True)
    for task in EXAMPLES.members:
        command("plot", "attention", BUNDLED, FIGURES / "attention" / f"{task}.svg", "--task", task, "--question", 5)
    for task in ("qa1", "qa2", "qa3", "qa7"):
        command("plot", "attention", "dmn-plus", FIGURES / f"dmn-plus-{task}.svg", "--task", task, "--question", 5)


@contextmanager
def served(*words: object) -> Iterator[str]:
    """The address of a page that a command of memnet serves at a free port, as it prints it."""
    process = subprocess.Popen([sys.executable, "-m", "memnet", *map(str, words)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        yield next(word for line in process.stdout for word in line.split() if word.startswith("http://"))
    finally:
        process.terminate()
        process.wait()


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium without a window."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    found, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if not (found and driver):
        sys.exit("the screens need chromium and chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = found
    flags = ["headless=new", "disable-gpu", "hide-scrollbars", "force-color-profile=srgb", f"window-size={WIDE},{HIGH}"]
    for flag in [*flags, *(["no-sandbox"] if os.name != "nt" and os.geteuid() == 0 else [])]:
        options.add_argument(f"--{flag}")
    started = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield started
    finally:
        started.quit()


def screen(address: str, until: str, picture: Path, act: Callable[[Any], None] | None = None) -> None:
    """A picture of a page as soon as its text has ``until`` in it, after an ``act`` on it, as high as what it shows."""
    with browser() as page:
        page.get(address)
        patience = time.monotonic() + WAIT
        while until not in page.find_element("css selector", "body").text:
            if time.monotonic() > patience:
                sys.exit(f"{address} does not show {until!r}")
            time.sleep(0.5)
        if act is not None:
            act(page)
        time.sleep(2)  # letters and menus come to rest
        high = page.execute_script(LOWEST)
        page.set_window_size(WIDE, min(int(high) + 24 + HIGH - page.execute_script("return innerHeight"), 1100))
        time.sleep(1)
        page.save_screenshot(str(picture))


def page() -> None:
    """The page of ``memnet serve``: an example, its answer, and what each hop of two networks read."""
    with served("serve", "memn2n", "dmn-plus", "--port", 0) as address:
        screen(address, "Dynamic memory network", DOCS / "page.png")


def lesson() -> None:
    """The page of ``memnet serve --lesson``: its second story, after two hops."""

    def press(page: Any) -> None:
        from selenium.webdriver.common.keys import Keys

        for key in (Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT):
            while not page.execute_script("return answer !== null"):  # the next step is asked of the server
                time.sleep(0.5)
            page.find_element("css selector", "body").send_keys(key)
            time.sleep(1)

    with served("serve", "--lesson", "--host", "127.0.0.1", "--port", 0) as address:
        screen(address, "next step", DOCS / "lesson.png", press)


def watch() -> None:
    """The page of a training that has ended: two supporting facts, three networks."""
    with tempfile.TemporaryDirectory() as scratch:
        run = Path(scratch) / "run"
        words = ["train", "sim/qa2", "--restarts", 3, "--set", "epochs=40", "--set", "linear_start=10", "--out", run]
        with served(*words, "--watch", "--watch-port", 0):
            while not (run / "config.json").exists():
                time.sleep(1)
        with served("serve", "--watch", run, "--port", 0) as address:
            screen(address, "It answers", DOCS / "watch.png")


PICTURES = {made.__name__: made for made in (results, attention, page, lesson, watch)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", choices=PICTURES, help="make these alone; may be repeated")
    for name in parser.parse_args().only or PICTURES:
        print(name, flush=True)
        PICTURES[name]()

"""Networks that the tests of this folder share: trained once."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memnet.ask.predictor import Predictor
from memnet.memory import Entry, Memory
from memnet.prompt.conversation import Conversation, open_network
from memnet.serve.web import create_app
from tests.ask.playing import playground
from tests.ask.serving import STORY, Served
from tests.conftest import loaded, ran, tell, wander


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two networks trained on a task of our own, the first of which knows when there is no evidence."""
    folder = tell(tmp_path_factory.mktemp("served"), wander(1, 150), wander(2, 50))
    for name, setting in (("sure", "unanswerable=0.3"), ("plain", "hops=1")):
        ran("train", folder, "--restarts", 2, "--set", "epochs=60", "--set", setting, "--out", folder / name)
    return [folder / "sure", folder / "plain"]


@pytest.fixture(scope="session")
def networks(runs: list[Path]) -> dict[str, Predictor]:
    return {run.name: Predictor.load(run) for run in runs}


@pytest.fixture(scope="module")
def client(networks: dict[str, Predictor]) -> Iterator[Any]:
    pytest.importorskip("gradio", reason="the page needs gradio: pip install gradio")
    from starlette.testclient import TestClient

    with TestClient(create_app(networks), base_url="http://127.0.0.1:7860") as client:
        yield client


@contextmanager
def three_sentences(folder: Path) -> Iterator[Memory]:
    """A memory on disk with three sentences of the first days of March."""
    with Memory.open(folder / "memory") as memory:
        memory.add(Entry("Mary went to the kitchen.", "2026-03-01", "log.txt", 1))
        memory.add(Entry("Mary went to the garden.", "2026-03-02T10:00", "log.txt", 2))
        memory.add("John took the milk.", when="2026-03-03", source="chat")
        yield memory


@contextmanager
def asking(networks: dict[str, Predictor], memory: Memory) -> Iterator[Any]:
    """A client of a server that has a memory on disk."""
    pytest.importorskip("gradio", reason="the page needs gradio: pip install gradio")
    from starlette.testclient import TestClient

    with TestClient(create_app(networks, memory=memory), base_url="http://127.0.0.1:7860") as client:
        yield client


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with three_sentences(tmp_path) as memory:
        yield memory


@pytest.fixture
def rememberer(networks: dict[str, Predictor], memory: Memory) -> Iterator[Any]:
    with asking(networks, memory) as client:
        yield client


@pytest.fixture(scope="module")
def unchanged(networks: dict[str, Predictor], tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Memory]]:
    """A client of a server whose memory no test of a file changes, and that memory."""
    with three_sentences(tmp_path_factory.mktemp("unchanged")) as memory, asking(networks, memory) as client:
        yield client, memory


@pytest.fixture
def served(runs: list[Path], tmp_path: Path, programs: Path) -> Iterator[Served]:
    pytest.importorskip("gradio", reason="the page needs gradio")
    with Served(runs, tmp_path, programs=programs) as server:
        yield server


@pytest.fixture(scope="session")
def network(runs: list[Path]) -> Path:
    """The folder of a network that knows who went where, and when it does not."""
    return runs[0]


@pytest.fixture(scope="session")
def parts(network: Path) -> tuple:
    return open_network(network)


@pytest.fixture
def talk(parts: tuple) -> Conversation:
    return Conversation(*parts, STORY)


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
    names = "host-resolver-rules=MAP lab.example 127.0.0.1 , MAP lab.example 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
    flags += [f"user-data-dir={tmp_path_factory.mktemp('browser')}", names]
    for flag in flags:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    yield started
    started.quit()


@pytest.fixture(scope="session")
def making() -> ModuleType:
    """The script that makes the playground."""
    return loaded(Path(__file__).parents[2] / "scripts" / "make_playground.py")


@pytest.fixture(scope="session")
def site(making: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the playground, made anew."""
    with playground(making, tmp_path_factory.mktemp("site")) as address:
        yield address

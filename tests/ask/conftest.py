"""Networks that the tests of this folder share: trained once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memnet.ask.predictor import Predictor
from memnet.prompt.conversation import Conversation, open_network
from memnet.serve.web import create_app
from tests.ask.serving import STORY, Served
from tests.conftest import ran, tell, wander


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


@pytest.fixture
def served(runs: list[Path], tmp_path: Path) -> Iterator[Served]:
    pytest.importorskip("gradio", reason="the page needs gradio")
    server = Served(runs, tmp_path)
    yield server
    server.process.kill()
    server.process.wait()


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

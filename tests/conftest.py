"""What the tests share: small tasks of our own, and the published text where it is at hand."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
import torch
from hypothesis import settings

from memnet.tasks.published import NotAtHand, Task, find, text_folder
from memnet.tasks.text import Question, Story, write

settings.register_profile("memnet", deadline=None)  # a loaded machine is no failure
settings.load_profile("memnet")

PEOPLE, ROOMS = ("Mary", "John", "Sandra"), ("kitchen", "garden", "office")


def wander(seed: int, stories: int = 20, statements: int = 6, questions: int = 3) -> list[Story]:
    """Stories of people who move; "Where is Mary?" is answered by her last move."""
    draw = random.Random(seed)
    found = []
    for _ in range(stories):
        told: list[str] = []
        where: dict[str, tuple[str, int]] = {}
        asked = []
        for number in range(statements):
            person, room = draw.choice(PEOPLE), draw.choice(ROOMS)
            told.append(f"{person} went to the {room}.")
            where[person] = (room, number)
            if (number + 1) % (statements // questions) == 0:
                who = draw.choice(sorted(where))
                asked.append(Question(f"Where is {who}? ", where[who][0], (where[who][1],), number + 1))
        found.append(Story(tuple(told), tuple(asked)))
    return found


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    torch.set_num_threads(1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """A folder with one task of our own, 'moves'."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    (folder / "moves_train.txt").write_text(write(wander(1)), encoding="utf-8")
    (folder / "moves_test.txt").write_text(write(wander(2)), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of the published text; the test is skipped where it is not at hand."""
    folder = os.environ.get("MEMNET_DATA")
    if not folder or text_folder(Path(folder)) is None:
        pytest.skip("the published text is not at hand: set MEMNET_DATA to its folder")
    return Path(folder)


def published_task(name: str, size: str, folder: Path) -> Task:
    """A task of the published text; the test is skipped where its files are not at hand."""
    try:
        return find([name], size, data=folder)[0]
    except NotAtHand as error:
        pytest.skip(str(error))

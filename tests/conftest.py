"""What the tests share: small tasks of our own, and the published text where it is at hand."""

import gc
import importlib.util
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from filelock import FileLock
from hypothesis import settings
from typer.testing import CliRunner

from memnet import plugins
from memnet.attention import ALIGNS, READS, SCORES
from memnet.cli import app
from memnet.encode import normalizer
from memnet.models import MODELS
from memnet.papers import PRESETS
from memnet.tasks import simulator
from memnet.tasks.families import FAMILIES, NotAtHand, Task, find, simulated
from memnet.tasks.families.archive import text_folder
from memnet.tasks.text import Question, Story, write
from memnet.training.fused import compiler
from tests import forked

gc.disable()  # until all tests are imported and collected
sys.dont_write_bytecode = False  # each process that tests start would compile the package anew, and each worker all tests
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
settings.register_profile("memnet", deadline=None, max_examples=50)  # a loaded machine is no failure
settings.load_profile("memnet")

PEOPLE, ROOMS = ("Mary", "John", "Sandra"), ("kitchen", "garden", "office")


REGISTRIES = (MODELS, PRESETS, SCORES, ALIGNS, READS, FAMILIES, simulator.TASKS, simulator.FILE_TITLES, simulator.REGISTERED)

Done = subprocess.CompletedProcess[str]


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: some tests wait, for servers and for processes that are killed."""
    return (os.cpu_count() or 1) + 1


def some(name: str, quick: Container[str]) -> object:
    """A parameter of a test of all that a registry has, slow unless it is one of a few."""
    return name if name in quick else pytest.param(name, marks=pytest.mark.slow)


def memnet(*arguments: object, stdin: str | bytes = "", **environment: str) -> Done:
    """Run a whole command in this process, which saves the imports; nobody ever sees a stack trace."""
    done = CliRunner().invoke(app, list(map(str, arguments)), stdin, {"COLUMNS": "200", **environment})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert "Traceback" not in done.output
    return Done(arguments, done.exit_code, done.stdout, done.stderr)


def ran(*arguments: object, stdin: str | bytes = "", **environment: str) -> Done:
    """What a command did that ended well."""
    done = memnet(*arguments, stdin=stdin, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def refused(*arguments: object, stdin: str | bytes = "", **environment: str) -> str:
    """What a command that is refused says."""
    done = memnet(*arguments, stdin=stdin, **environment)
    assert done.returncode not in (0, None)
    return done.stdout + done.stderr


def memnet_process(*arguments: object, stdin: str = "", **environment: str) -> Done:
    """Run a whole command in a process of its own, for what hangs on one: the environment at its start, its streams."""
    command = [sys.executable, "-m", "memnet", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "200", **environment}
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env=environment, timeout=300)
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    return done


@contextmanager
def plugins_forgotten() -> Iterator[None]:
    """Registries, loaded files, modules and the search path are left as they were."""
    kept = [dict(registry) for registry in REGISTRIES]
    modules, path, loaded = set(sys.modules), list(sys.path), list(plugins.LOADED)
    yield
    for registry, before in zip(REGISTRIES, kept, strict=True):
        registry.clear()
        registry.update(before)  # type: ignore[arg-type]
    for path_of_plugin in set(plugins.LOADED) - set(loaded):
        sys.modules.pop(path_of_plugin.stem, None)
    for name in set(sys.modules) - modules:
        if name.startswith(("toy_", "broken")):
            del sys.modules[name]
    sys.path[:] = path
    plugins.LOADED[:] = loaded
    simulator.module.cache_clear()


@pytest.fixture
def no_plugins() -> Iterator[None]:
    with plugins_forgotten():
        yield


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


def frozen(value: Any) -> Any:
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def once(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function without effects, called once for equal arguments; many tests train on the same stories."""
    found: dict[object, Any] = {}

    def called(*given: Any) -> Any:
        key = frozen([*given])
        if key not in found:
            found[key] = function(*given)
        return copy(found[key])

    return called


@pytest.fixture(scope="session", autouse=True)
def _found_once() -> Iterator[None]:
    """What is drawn for a published task, and what is found in stories."""
    draw, again = simulated.simulated_task, once(simulated.simulated_task)

    def drawn(name: str, *more: object) -> tuple[list[Story], ...]:
        return tuple(map(copy, (again if name in simulator.PUBLISHED_TASKS else draw)(name, *more)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulated, "simulated_task", drawn)
        for name in ("consistent_groups", "interchangeable_words", "synonyms"):
            patch.setattr(normalizer, name, once(getattr(normalizer, name)))
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One process compiles the loop of end-to-end memory networks; the others wait, and find it on the disk."""
    if not compiler():
        yield
        return
    from memnet.training import kernel

    steps, path = kernel.steps, tmp_path_factory.getbasetemp().parent / "compiled.lock"

    def first(*given: Any) -> Any:
        kernel.steps = steps
        with FileLock(path):  # made here: a process that was forked may not use what it inherited
            return steps(*given)

    kernel.steps = first
    yield
    kernel.steps = steps


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """What is imported and collected stays: no collection of garbage looks at it, now or later."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # stories that many tests share are looked at seldom
    gc.enable()


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """One thread, and numbers that do not hang on the tests before."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def tell(folder: Path, train: list[Story], test: list[Story], name: str = "moves") -> Path:
    """Write a task into a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, stories in (("train", train), ("test", test)):
        (folder / f"{name}_{part}.txt").write_text(write(stories), encoding="utf-8")
    return folder


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def read_lines(path: Path) -> list[Any]:
    """A file with a JSON value a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """A folder with one task of our own, 'moves'."""
    return tell(tmp_path / "tasks", wander(1), wander(2))


@pytest.fixture(scope="session")
def composer(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Task]:
    """A network that composes what a bot says, and the talk about boats that it learned from."""
    from memnet.composing.making import make
    from memnet.composing.training import Course
    from tests.test_dialog import boats

    torch.set_num_threads(1)
    folder, task = tmp_path_factory.mktemp("boats") / "run", boats()
    make(task, Course(epochs=12, lr=0.006, batch=8, dim=32), folder)
    return folder, task


@pytest.fixture(scope="session")
def programs() -> Iterator[Path]:
    """A folder with ``memnet`` and ``python``, for PATH, see :mod:`tests.forked`."""
    with forked.programs() as folder:
        yield folder


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of the published text; the test is skipped where it is not at hand."""
    folder = os.environ.get("MEMNET_DATA")
    if not folder or text_folder(Path(folder)) is None:
        pytest.skip("the published text is not at hand: set MEMNET_DATA to its folder")
    return Path(folder)


def published_task(name: str, folder: Path) -> Task:
    """A task of the published text, by its full name; the test is skipped where its files are not at hand."""
    try:
        return find([name], folder)[0]
    except NotAtHand as error:
        pytest.skip(str(error))


def loaded(path: Path) -> ModuleType:
    """A module of a file that stands in no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

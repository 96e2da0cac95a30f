"""Every block of code in the README and the documentation runs as it stands there.

Python runs from top to bottom of its page; a comment behind an expression that is a value is compared with what comes out,
and one behind a ``print`` with what is printed.
Commands run one after another in a folder that has the files and networks that they name; a block with a title is a file.
Training is cut short: a few stories, one epoch, two restarts; what trains for minutes is planned with ``--dry-run``.
"""

import ast
import dataclasses
import io
import itertools
import json
import os
import re
import shlex
import shutil
import tokenize
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import memnet.api
import memnet.tasks.families
from memnet.config import Training
from memnet.tasks.families import Task, dyna
from memnet.tasks.families.archive import text_folder
from memnet.tasks.text import write
from memnet.training.spec import Spec
from tests.conftest import memnet as memnet_in_process
from tests.conftest import wander

ROOT = Path(__file__).parent.parent
RUN_WHOLE = (ROOT / "docs" / "own-data.md", ROOT / "docs" / "families.md")
TUTORIALS = [*(ROOT / "docs" / "tutorials").glob("*.md"), *RUN_WHOLE]  # tests/test_tutorials.py runs these
PAGES = [ROOT / "README.md", *sorted({*(ROOT / "docs").rglob("*.md")} - {*TUTORIALS})]
BLOCK = re.compile(r'^( *)```([\w-]*)(?: title="([\w.-]+)")?\n(.*?)^\1```$', re.DOTALL | re.MULTILINE)
DATA = ("text", "csv", "toml", "json")  # languages that nobody runs
ELSEWHERE = {  # beginning of a command -> what runs it
    "python3 -m venv": ".ci/run",
    ". .venv/bin/activate": ".ci/run",
    "pip install": ".ci/run",
    "memnet --plugin toy.py": "tests/test_docs_pages.py",
    "memnet serve": "tests/ask/test_web.py",
    "memnet train scone": "tests/test_scone.py",
    "memnet sweep scone": "tests/test_scone.py",
    "memnet table --write": "tests/test_sweep.py",
    "memnet plot results": "tests/test_figures.py",
    "python scripts/replace_runs.py": "tests/test_made.py",
    "python scripts/write_pages.py": "tests/test_pages.py",
    "mkdocs build": ".ci/run",
    "python scripts/make_playground.py": "tests/ask/test_playground.py",
    "python -m http.server": "tests/ask/test_playground.py",
}
PLANNED = ("memnet reproduce", "memnet sweep")  # these train for minutes
STORY = "Bob went to the lab.\nBob took the laptop there.\nBob moved to the attic.\n"
STORIES, QUESTIONS = 12, 4  # of a task, for training and for its test


class Block(NamedTuple):
    page: Path
    language: str
    title: str  # of the file that it is, else empty
    text: str

    @property
    def first(self) -> str:
        return self.text.strip().partition("\n")[0].removeprefix("$ ")


def blocks(page: Path) -> list[Block]:
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(page, match[2], match[3] or "", re.sub(f"^{match[1]}", "", match[4], flags=re.MULTILINE)) for match in found]


def write_files(page: Path, folder: Path) -> None:
    """The files that a page shows, which have their names as titles; what is a table without a name is ``shop.csv``."""
    for block in blocks(page):
        if block.title or block.language == "csv":
            (folder / (block.title or "shop.csv")).write_text(block.text, encoding="utf-8")


def named(pages: Sequence[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.relative_to(ROOT).as_posix())


def is_command(line: str) -> bool:
    return bool(re.match(r"(\$ )?(memnet|python3?|pip|mkdocs|cat|printf|curl|\.) ", line))


WITH_PYTHON = [page for page in PAGES if any(block.language == "python" for block in blocks(page))]
WITH_COMMANDS = [page for page in PAGES if any(block.language in ("", "sh", "console") for block in blocks(page))]


@named(PAGES)
def test_a_block_is_python_or_commands_or_says_that_it_is_data(page: Path):
    for block in blocks(page):
        assert block.language in ("python", *DATA) or is_command(block.text.strip()), block.text


def short(task: Task) -> Task:
    splits = {name: stories[:QUESTIONS] for name, stories in task.splits.items()}
    return dataclasses.replace(task, train=task.train[:STORIES], splits=splits)


def quick(config: Training) -> Training:
    """The same kind of network, narrow, of short stories and an epoch; too few words are left to be permuted."""
    less = {"epochs": 1, "softmax_epochs": 0, "linear_start": 0, "linear_until": "epochs", "questions": 0, "permute": False}
    less |= {"canonical": False, "synonyms": False, "consistent": False, "cloze": 0.0, "name_order": "near"}
    less |= {name: min(most, vars(config).get(name, 0)) for name, most in (("dim", 32), ("hidden", 32), ("memory_size", 50))}
    has = {field.name for field in dataclasses.fields(config) if config.takes(field.name)}
    return dataclasses.replace(config, **{name: value for name, value in less.items() if name in has})


READ: dict[tuple[object, ...], list[Task]] = {}  # a page that plans many runs names the same stories again and again
BOOK = "Mary went to the kitchen. The evening was long,\nand nobody in the old house spoke a word. Mary got the milk there.\n"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network for the stories of task 1, from Python."""
    folder = tmp_path_factory.mktemp("trained") / "qa1"
    memnet.api.train("sim/qa1", restarts=1, epochs=2, linear_start=0, out=folder)
    return folder


@pytest.fixture
def folder(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the pages name, where training is short."""
    for name in ("qa1", "qa2"):
        shutil.copytree(trained, tmp_path / "runs" / name)
    (tmp_path / "path" / "to" / "folder").mkdir(parents=True)
    for part, seed, stories in (("train", 1, 60), ("test", 2, 10)):
        text = write(wander(seed, stories))
        (tmp_path / "path" / "to" / "folder" / f"moves_{part}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "story.txt").write_text(STORY, encoding="utf-8")
    (tmp_path / "book.txt").write_text(BOOK, encoding="utf-8")
    (tmp_path / "names.txt").write_text("mary\njohn\nsandra\nkitchen\ngarden\noffice\n", encoding="utf-8")
    (tmp_path / "story_and_questions.txt").write_text(f"{STORY}Where is Bob?\n", encoding="utf-8")
    find, specify, default_folder = memnet.tasks.families.find, memnet.api.specify, memnet.api.default_folder
    number = itertools.count()

    def few(names: Sequence[str], data: Path | None = None, first: int | None = None) -> list[Task]:
        if any(name.partition("/")[0] not in memnet.tasks.families.FAMILIES for name in names):
            return [short(task) for task in find(names, data)]
        for name in names:
            if (name, data) not in READ:
                READ[name, data] = [short(task) for task in find([name], data)]
        return [task for name in dict.fromkeys(names) for task in READ[name, data]]

    def two(tasks: Sequence[Task], preset: str, config: Training, seed: int, restarts: Any, inputs: Any = None) -> Spec:
        return specify(tasks, preset, quick(config), seed, min(restarts or config.default_restarts, 2), inputs)

    for name in ("QUESTIONS", "OF_TASK", "FREE"):  # mixes take long to draw
        monkeypatch.setattr(dyna, name, {"train": STORIES, "valid": QUESTIONS, "test": 6 * QUESTIONS})
    for place in ("memnet.tasks.families", "memnet.api", "memnet.reports.reproduce"):
        monkeypatch.setattr(f"{place}.find", few)
    monkeypatch.setattr("memnet.api.specify", two)
    monkeypatch.setattr("memnet.api.default_folder", lambda spec: default_folder(spec) / str(next(number)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def runs_elsewhere(command: str) -> bool:
    return any(command.startswith(beginning) for beginning in ELSEWHERE)


def values(source: str) -> Iterator[tuple[str, str]]:
    """Statements of a block in order, each with the comment behind it."""
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    for node in ast.parse(source).body:
        yield ast.unparse(node), comments.get(node.end_lineno or 0, "")


def as_value(comment: str) -> Any:
    """The value that a comment is, None where it is words."""
    try:
        return ast.literal_eval(comment)
    except (SyntaxError, ValueError):
        return None


def run_python(source: str, namespace: dict[str, Any]) -> None:
    """Run a block; what it says that its expressions are or print is what they are and print, numbers to two digits."""
    for statement, comment in values(source):
        try:
            with redirect_stdout(io.StringIO()) as printed:
                value = eval(statement, namespace)
        except SyntaxError:
            exec(statement, namespace)
        else:
            expected = as_value(comment)
            if statement.startswith("print(") and comment:
                assert printed.getvalue() == f"{comment}\n"
                continue
            if expected is not None:
                assert value == approximately(expected), statement


def approximately(value: Any) -> Any:
    """A value whose numbers may differ by a hundredth."""
    if isinstance(value, tuple):
        return tuple(approximately(one) for one in value)
    return pytest.approx(value, abs=0.01) if isinstance(value, float) else value


@named([page for page in WITH_PYTHON if page.stem != "adding"])  # whose plugin runs in tests/test_docs_pages.py
def test_python_runs_and_gives_what_it_says(page: Path, folder: Path):
    namespace: dict[str, Any] = {}
    write_files(page, folder)
    for block in blocks(page):
        if block.language == "python":
            run_python(block.text, namespace)


def test_a_value_that_is_not_as_it_says_is_found():
    run_python("x = 1  # words, or 2\nx, 'a'  # 1, 'a'\nx / 3  # 0.33\nprint('to', x)  # to 1\nprint(x)\n", {})
    for wrong in ("1 + 1  # 3\n", "print(1 + 1)  # 3\n"):
        with pytest.raises(AssertionError):
            run_python(wrong, {})


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block without its comment, and the lines below it that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in text.replace("\\\n", " ").splitlines():
        if is_command(line):
            found.append((re.sub(r"\s{2,}#.*", "", line.removeprefix("$ ")).strip(), []))
        elif line.strip():
            found[-1][1].append(line)
    yield from found


def published_at_hand() -> bool:
    folder = os.environ.get("MEMNET_DATA")
    return bool(folder) and text_folder(Path(folder)) is not None


class Server:
    """What the page's endpoints answer, a page at a time; ``ID`` in an address is that of the memory made last."""

    def __init__(self, folder: Path) -> None:
        """With a new memory on disk, in ``folder``."""
        pytest.importorskip("gradio", reason="the page needs gradio: pip install gradio")
        from starlette.testclient import TestClient

        from memnet.serve.web import create_app

        app = create_app({"memnet": memnet.load()}, memory=memnet.Memory.open(folder / "served memory"))
        self.client = TestClient(app, base_url="http://127.0.0.1:7860")
        self.memory = "ID"

    def post(self, address: str, body: str) -> str:
        """The text of an answer or of a refusal."""
        answer = self.client.post(address.replace("/ID/", f"/{self.memory}/"), content=body)
        self.memory = answer.json().get("id", self.memory)
        return str(answer.text)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Makes the server when a page first posts something."""
    with ExitStack() as stack:

        @cache
        def make() -> Server:
            made = Server(tmp_path)
            stack.enter_context(made.client)
            return made

        yield make


def run_command(command: str, printed: list[str], folder: Path, server: Callable[[], Server]) -> None:
    """Run a command; what stands below it is what it prints."""
    given, pipe, last = command.rpartition(" | ")
    stdin = (folder / shlex.split(given)[1]).read_text(encoding="utf-8") if pipe else ""
    words = shlex.split(last)
    if last.startswith(PLANNED) and not {"--list", "--dry-run"} & set(words):
        words.append("--dry-run")
    if typed := [line.removeprefix("> ") for line in printed if line.startswith("> ")]:
        greeting = next(number for number, line in enumerate(printed) if line.startswith("> "))
        stdin, printed = "".join(f"{line}\n" for line in typed), printed[greeting:]
        printed = [line for line in printed if not line.startswith("> ")]
    if words[0] == "curl":
        address = next(word for word in words if word.startswith("http://127.0.0.1:7860/"))
        said = server().post(address, words[words.index("-d") + 1])
        assert printed or "error" not in json.loads(said), f"{address}: {said}"
    else:
        assert words[0] == "memnet", f"{command}: say in ELSEWHERE what runs it"
        done = memnet_in_process(*words[1:], stdin=stdin, COLUMNS="80")
        said = done.stdout
        if not published_at_hand() and (last.startswith("memnet reproduce") or "is not in the cache" in done.stderr):
            assert "Run 'memnet data fetch'" in done.stderr or "--list" in words
            return
        refused = ('"answerable": false', "I cannot tell")  # what the story here does not answer
        refusal = words[1] == "ask" and any(text in said for text in refused)
        assert done.returncode == 0 or typed or refusal, said + done.stderr
    if printed:
        assert [line.rstrip() for line in said.splitlines() if line.strip()] == [line.rstrip() for line in printed]


@named(WITH_COMMANDS)
def test_commands_run_and_print_what_they_say(page: Path, folder: Path, server: Callable[[], Server]):
    write_files(page, folder)
    for block in blocks(page):
        if block.language in ("python", *DATA) or runs_elsewhere(block.first):
            continue
        for command, printed in commands(block.text):
            if not runs_elsewhere(command):
                run_command(command, printed, folder, server)


def test_commands_with_what_they_print():
    text = "$ memnet ask a  # why\nb\n\nc\nmemnet table --x 'd  e'\n"
    assert list(commands(text)) == [("memnet ask a", ["b", "c"]), ("memnet table --x 'd  e'", [])]

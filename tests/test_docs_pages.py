"""The README and the pages in docs/: links lead somewhere, what they name is there, numbers stand in the tables they link."""

import importlib
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import fields
from functools import reduce
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from memnet.cli import app
from memnet.cli.plot import AttentionFirst
from memnet.composing.training import Course
from memnet.models import MODELS as REGISTERED
from memnet.papers import PRESETS
from memnet.papers.equal import NAMES
from memnet.reports.reproduce import reports
from memnet.tasks.families import FAMILIES, listed

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TEXTS = {page: page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *PAGES)}
MODELS = ("memn2n", "memnn", "dmn", "transformer", "lstm")
YOURS = {
    "tasks/simulator/mine.py",
    "memnet/models/mine.py",
    "memnet/config/mine.py",
    "memnet/papers/mine.py",
}  # files that a reader is to write
PLUGIN = {"gated"}  # the model that the plugin in docs/adding.md adds


def named(pages: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.relative_to(ROOT).as_posix())


def links(text: str) -> list[str]:
    """The files that a page or a part of it links, as they are written there."""
    found = re.findall(r"\]\(([^)\s]+)\)", text)
    return [target.partition("#")[0] for target in found if not re.match(r"https?:|mailto:|#", target)]


def in_code(page: Path) -> list[tuple[str, str]]:
    """Files, and names in them, of a page's tables: a name follows its file in the row."""
    found = []
    for row in page.read_text(encoding="utf-8").splitlines():
        path = ""
        for span in re.findall(r"`([^`]+)`", row) if row.startswith("|") else []:
            if re.fullmatch(r"[\w/]+\.py", span):
                path = span
                found.append((path, ""))
            elif path and re.fullmatch(r"\w+(\.\w+)*", span):
                found.append((path, span))
    return found


def module(path: str) -> ModuleType:
    parts = path.removesuffix(".py").split("/")
    return importlib.import_module(".".join(["memnet", *parts] if parts[0] == "tasks" else parts))


def section(page: Path, title: str) -> str:
    """What stands below a heading, to the next of the second level."""
    return re.split(rf"\n###? {re.escape(title)}\n", page.read_text(encoding="utf-8"))[1].split("\n## ")[0]


OTHERS = [ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "tasks/README.md")] + [*(ROOT / "results").rglob("*.md")]


def test_links_lead_to_files():
    texts = TEXTS | {page: page.read_text(encoding="utf-8") for page in OTHERS}
    found = [(page, target) for page, text in texts.items() for target in links(text)]
    assert [(page, target) for page, target in found if not (page.parent / target).resolve().exists()] == []


def test_what_tables_name_is_in_the_code():
    for page in PAGES:
        for path, name in in_code(page):
            assert (ROOT / path).exists(), (page, path)
            reduce(getattr, name.split(".") if name else [], module(path))


def test_files_tables_and_presets_that_are_named_exist():
    tables, presets = reports().keys(), PRESETS.keys() | PLUGIN
    for page, text in TEXTS.items():
        for path in re.findall(r"`((?:memnet|tasks|tests)/[\w/]+\.py)`", text):
            assert (ROOT / path).exists() or path in YOURS, (page, path)
        assert set(re.findall(r"memnet reproduce ([a-z][\w-]*)", text)) <= tables, page
        assert set(re.findall(r"--preset ([\w-]+)", text)) <= presets, page


def test_settings_that_are_named_are_those_of_a_model():
    known = {
        field.name for settings in (Course, *(model.Config for model in REGISTERED.values())) for field in fields(settings)
    }
    for page, text in TEXTS.items():
        named_there = set(re.findall(r"--set (\w+)=", text)) | set(re.findall(r"`([a-z_]+)=[\w.]*`", text))
        assert named_there <= known, (page, named_there - known)


def calls(text: str) -> Iterator[list[str]]:
    """The words of every ``memnet ...`` in code, a line of a block or a span; a span of words and dots is no call.

    A block of ``text`` is what a command prints.
    """
    text = text.replace("\\\n", " ")
    blocks = re.findall(r"^```(?!text)[^\n]*\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line.removeprefix("$ ").partition("  #")[0] for block in blocks for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
    for line in [*lines, *spans]:
        if re.match(r"memnet (?!\.\.\.)", line):
            yield shlex.split(line.rstrip("&| "))[1:]


COMMANDS = get_command(app)


def unknown(words: list[str]) -> str | None:
    """What a call names that the command line has not: a command, an option or a model."""
    command: Any = COMMANDS
    options = {name for parameter in command.params for name in parameter.opts}
    while isinstance(command, TyperGroup):
        if words and words[0] == "--plugin":
            words = words[2:]
        if not words or words[0].startswith("--") or words[0] in ("COMMAND", "..."):
            break
        if isinstance(command, AttentionFirst) and words[0] not in command.commands:
            words = ["attention", *words]  # memnet plot RUN
        if words[0] not in command.commands:
            return words[0]
        command, words = command.commands[words[0]], words[1:]
        options |= {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    wrong = [word for word in words if word.startswith("--") and word.partition("=")[0] not in {*options, "--help"}]
    models = [value for option, value in pairwise(words) if option == "--model"]
    wrong += [model for model in models if model not in {*REGISTERED, *PRESETS, *PLUGIN}]
    return wrong[0] if wrong else None


def test_commands_and_options_that_are_named_exist():
    found = [(page, words) for page, text in TEXTS.items() for words in calls(text)]
    assert [(page, words, wrong) for page, words in found if (wrong := unknown(words))] == []


def test_commands_and_options_that_do_not_exist_are_found():
    text = "`memnet train qa1 --models dmn`, `memnet serv`, `memnet data showing qa1`\n"
    text += "```\nmemnet train qa1 \\\n --model dnm\n```\n"
    assert [unknown(words) for words in calls(text)] == ["dnm", "--models", "serv", "showing"]
    text = "```text\nmemnet is at an address\n```\n```sh\nmemnet train qa1 \\\n  --modell lstm\n```\n"
    assert [unknown(words) for words in calls(text)] == ["--modell"]


@pytest.mark.skipif(os.name == "nt", reason="processes are forked")
def test_the_plugin_on_the_page_runs(tmp_path: Path, programs: Path):
    text = section(ROOT / "docs" / "adding.md", "From outside: a plugin")
    [plugin] = re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    (tmp_path / "toy.py").write_text(plugin, encoding="utf-8")
    (tmp_path / "story.txt").write_text("The lamp is red.\nThe lantern is blue.\n", encoding="utf-8")
    trains, asks = (
        [tmp_path / word if word in ("toy.py", "story.txt") or word.startswith("runs/") else word for word in words]
        for words in calls(text)
    )
    subprocess.run([programs / "memnet", *trains], check=True, capture_output=True)
    assert subprocess.run([programs / "memnet", *asks], capture_output=True, text=True).stdout.startswith("red (")


@named([ROOT / "docs" / f"{name}.md" for name in MODELS])
def test_a_networks_page_is_whole_and_in_the_index(page: Path):
    assert len([section(page, title) for title in ("Equations", "Where in the code", "Results", "Train")]) == 4
    assert len(in_code(page)) > 10
    assert "\n## Deviations from the paper" in page.read_text(encoding="utf-8")
    assert page.name in links((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))


def test_the_table_of_families_is_of_all_that_there_are():
    rows = [line for line in section(ROOT / "docs" / "families.md", "The families").splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{family.name}` | {family.title} | {listed(family.members) or '-'} | {family.licence or '-'} "
        f"| {family.fetch.address if family.fetch else '-'} |"
        for family in FAMILIES.values()
    ]


def cells(path: Path) -> dict[str, set[str]]:
    """The numbers of a table by the first word of their row, those in its words under ``""``; a task's number is its row."""
    found: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        first, *rest = line.strip("| ").split("|") if line.startswith("|") else ("", line)
        named = re.sub(r"[*`]|^qa(?=\d)", "", first).split()
        found.setdefault(named[0] if named else "", set()).update(re.findall(r"\d+\.\d+", " ".join(rest)))
    return found


def quoted_wrongly(text: str, tables: list[dict[str, set[str]]]) -> list[str]:
    """Numbers with a decimal point that no table has in the row of a mean, of a network or of a task that their part names."""
    wrong = []
    text = re.sub(r"\]\([^)]*\)|```.*?```", "", text, flags=re.DOTALL)
    for part in re.split(r"[.;:]\s", text):
        tasks = set(re.findall(r"\b\d+\b(?!\.\d)", part))
        known = {
            number
            for table in tables
            for row, numbers in table.items()
            for number in numbers
            if not row.isdigit() or row in tasks
        }
        wrong += [number for number in re.findall(r"\b\d+\.\d+\b", part) if number not in known]
    return wrong


QUOTING = [(name, "Results") for name in (*MODELS, "attention", "permutation")]
QUOTING += [("networks", "Which one"), ("thousand", "How much the order does")]


@pytest.mark.parametrize(("name", "title"), QUOTING)
def test_numbers_quoted_stand_in_the_tables_linked(name: str, title: str):
    page = ROOT / "docs" / f"{name}.md"
    part = section(page, title)
    tables = [(page.parent / target).resolve() for target in links(part) if "/tables/" in target]
    assert tables
    assert quoted_wrongly(part, [cells(path) for path in tables]) == []


NUMBER = re.compile(r"(?<![\w.,])(?<!\w-)\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")
COUNTS = {"1,000", "10,000", "10", "2"}  # training questions, statements, questions asked, the task that an answer is of


def rows_of(path: Path) -> dict[str, set[str]]:
    """The numbers of a table by its model: the row's name up to a comma, so with and without permuted words or facts."""
    found: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        first, *rest = line.strip("| ").split("|") if line.startswith("|") else ("", "")
        found.setdefault(re.sub(r"[*`]", "", first).partition(",")[0].strip(), set()).update(NUMBER.findall(" ".join(rest)))
    return found


def not_in_the_row(text: str, rows: dict[str, set[str]]) -> list[str]:
    """Numbers of a text that are not of the model that it names last before them; before any name they may be of each."""
    names = sorted((name for name in rows if name), key=len, reverse=True)
    found, model, everything = [], "", set().union(*rows.values(), COUNTS)
    for match in re.finditer("|".join([*map(re.escape, names), NUMBER.pattern]), text):
        if match[0] in rows:
            model = match[0]
        elif match[0] not in (rows[model] | COUNTS if model else everything):
            found.append(f"{model}: {match[0]}")
    return found


def test_every_number_that_compares_networks_stands_in_the_row_of_its_network():
    page = ROOT / "docs" / "networks.md"
    rows = rows_of(ROOT / "results" / "tables" / "comparison.md")
    points = re.split(r"\n(?:- |\n)", section(page, "Which one"))
    assert len(points) >= 8
    for point in points:
        paths = [(page.parent / target).resolve() for target in links(point) if "/tables/" in target]
        others = [(path, rows_of(path)) for path in paths]
        means = set().union(*(table.get("mean", set()) | table.get("ours", set()) for _, table in others))
        known = {
            name: numbers.union(means, *(columns_of(path).get(name, set()) | table.get(name, set()) for path, table in others))
            for name, numbers in rows.items()
        }
        assert not_in_the_row(re.sub(r"\[[\w-]+\.md\]|\]\([^)]*\)", "", point), known) == [], point


def columns_of(path: Path) -> dict[str, set[str]]:
    """The numbers of a table by the heads of its columns."""
    found: dict[str, set[str]] = {}
    for table in re.split(r"\n\n", path.read_text(encoding="utf-8")):
        lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
        for column in zip(*lines, strict=False):
            found.setdefault(column[0], set()).update(NUMBER.findall(" ".join(column[1:])))
    return found


def test_every_number_of_what_cannot_be_concluded_on_equal_terms_is_of_the_network_named_before_it():
    page = ROOT / "docs" / "equal-terms.md"  # the answer's: tests/test_equal_terms_page.py
    points = re.split(r"\n- ", section(page, "What cannot be concluded"))[1:]
    assert len(points) >= 10
    for point in points:
        paths = [(page.parent / target).resolve() for target in links(point) if "/tables/" in target]
        tables = [table(path) for path in paths for table in (rows_of, columns_of)]
        known = {name: set().union(*(table.get(name, set()) for table in tables)) for name in NAMES.values()}
        words = " ".join(re.sub(r"\[[\w-]+\.md\]|\]\([^)]*\)|task \d+", "", point).split())
        assert not_in_the_row(words, known if paths else {"": set()}) == [], point


def test_a_number_of_another_network_is_found():
    rows = {"": {"9"}, "MemN2N": {"13.9", "25"}, "Transformer": {"24.3"}, "Universal Transformer": {"23.0"}}
    assert not_in_the_row("MemN2N has 13.9 % in 25 s, Universal Transformer 23.0; from 1,000 questions", rows) == []
    assert not_in_the_row("MemN2N has 24.3 %, the Universal Transformer 24.3", rows) == [
        "MemN2N: 24.3",
        "Universal Transformer: 24.3",
    ]
    assert not_in_the_row("Between 9 and 24.3, not 77", rows) == [": 77"]


def test_a_number_that_is_quoted_wrongly_is_found():
    table = ROOT / "results" / "tables" / "dmn-1k.md"
    mean = cells(table)["mean"]
    of_task = next(number for number in cells(table)["17"] if number not in mean | cells(table)["18"])
    assert quoted_wrongly(f"The mean is {min(mean)} %, on task 17 {of_task}.", [cells(table)]) == []
    assert quoted_wrongly(f"On task 18 it is {of_task} %; task 17 is another.", [cells(table)]) == [of_task]
    assert quoted_wrongly("The mean is 99.94 %.", [cells(table)]) == ["99.94"]

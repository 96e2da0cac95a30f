"""The pages in docs/: links lead somewhere, what they name is in the code, numbers stand in the tables that they link."""

from __future__ import annotations

import importlib
import re
from functools import reduce
from pathlib import Path
from types import ModuleType

import pytest

from memnet.presets import PRESETS
from memnet.reproduce import REPORTS

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))
MODELS = ("memn2n", "memnn", "dmn", "transformer", "lstm")


def named(pages: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.stem)


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
    """What stands below a heading, to the next."""
    return page.read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]


@named([ROOT / "README.md", *PAGES])
def test_links_lead_to_files(page: Path):
    for target in links(page.read_text(encoding="utf-8")):
        path = (page.parent / target).resolve()
        assert path.exists(), target


@named(PAGES)
def test_what_tables_name_is_in_the_code(page: Path):
    found = in_code(page)
    assert found or page.stem == "README"
    for path, name in found:
        assert (ROOT / path).exists(), path
        reduce(getattr, name.split(".") if name else [], module(path))


@named(PAGES)
def test_files_tables_and_presets_that_are_named_exist(page: Path):
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"`((?:memnet|tasks|tests)/[\w/]+\.py)`", text):
        assert (ROOT / path).exists() or path == "tasks/mine.py" or path == "memnet/models/mine.py", path
    assert set(re.findall(r"memnet reproduce ([a-z][\w-]*)", text)) <= REPORTS.keys()
    assert set(re.findall(r"--preset ([\w-]+)", text)) <= PRESETS.keys()


@named([ROOT / "docs" / f"{name}.md" for name in MODELS])
def test_a_networks_page_is_whole_and_in_the_index(page: Path):
    assert len([section(page, title) for title in ("Equations", "Where in the code", "Results", "Train")]) == 4
    assert "\n## Deviations from the paper" in page.read_text(encoding="utf-8")
    assert page.name in links((ROOT / "docs" / "README.md").read_text(encoding="utf-8"))


@named([ROOT / "docs" / f"{name}.md" for name in (*MODELS, "attention", "exchange")])
def test_numbers_quoted_stand_in_the_tables_linked(page: Path):
    part = section(page, "Results")
    tables = [(page.parent / target).resolve() for target in links(part) if "/tables/" in target]
    shown = "".join(path.read_text(encoding="utf-8") for path in tables if path.exists())
    known = set(re.findall(r"\d+\.\d+", shown))
    assert tables
    assert set(re.findall(r"\b\d+\.\d+\b", part)) <= known

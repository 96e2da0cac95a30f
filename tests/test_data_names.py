"""What bAbI calls its data sets is known to tasks/families and memnet/papers alone: everybody else asks them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from memnet.papers import PRESETS, STUDIES, TABLES
from tests.test_core_rules import ROOT, python_files

KNOW_THEM = ("tasks/families/", "memnet/papers/")
WITHIN = re.compile(r"(?<![A-Za-z0-9])(?:qa\d+|10?k)(?![A-Za-z0-9])", re.IGNORECASE)  # members and sizes, in any text or name
WHOLE = {"qa", "en", "hn", "shuffled"}  # the beginning of a member and the languages, where a text is this and no more
ALLOWED = {  # file -> why it names members
    "tasks/world/dials.py": "the simulated world's dials for each of the twenty tasks",
    "memnet/reading/examples.py": "the tasks in whose manner the reader's stories are drawn",
    "scripts/make_pictures.py": "the tasks whose pictures stand on the pages",
    "scripts/record_film.py": "the simulated task whose training is recorded",
    "scripts/time_entries.py": "pysbd calls English en",
    "tasks/text/styles.py": "the tasks that tell who is where, beside which others may be told in the same rooms",
    "scripts/try_install.py": "types commands as a person does, where a wheel is installed and no checkout is at hand",
}
OF_PAPERS = re.compile("|".join(sorted(map(re.escape, (*PRESETS, *TABLES, *STUDIES)), key=len, reverse=True)))


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every constant text, docstrings too, and every name, with the line where it begins."""
    for node in ast.walk(tree):
        for value in (getattr(node, field, None) for field in ("value", "id", "attr", "arg", "name", "asname")):
            if isinstance(value, str):
                yield getattr(node, "lineno", 0), value


def named(source: str) -> list[tuple[int, str]]:
    """What a source names of bAbI's own; a preset, table or study is called as its paper's file calls it."""
    found = []
    for line, text in texts(ast.parse(source)):
        if text in WHOLE:
            found.append((line, text))
        elif WITHIN.search(text):  # few texts: the names of papers are many
            found += [(line, one) for one in WITHIN.findall(OF_PAPERS.sub("", text))]
    return found


def test_no_other_file_names_what_babi_calls_its_data_sets():
    found = {}
    for path in python_files("memnet", "tasks", "scripts"):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(KNOW_THEM) and (here := named(path.read_text(encoding="utf-8"))):
            found[name] = here
    assert {name: here for name, here in found.items() if name not in ALLOWED} == {}, "ask the family, or the paper"
    assert found.keys() == ALLOWED.keys(), "strike out what names none any more"


@pytest.mark.parametrize(
    ("source", "finds"),
    [
        ("x = 'qa1'", ["qa1"]),
        ("f(f'qa{number}')", ["qa"]),
        ("'''Such as ``babi-10k/qa20``.'''", ["10k", "qa20"]),
        ("def f(size_1k): return size.qa3", ["1k", "qa3"]),
        ("f(en='en', variant=variant == 'hn')", ["en", "en", "hn"]),
        ("import a as qa2", ["qa2"]),
        ("x = 'memn2n-1k', 'an en dash', '128k', 'memnet-qa', 'shuffled stories'", []),
    ],
)
def test_the_check_finds_names_of_every_form(source: str, finds: list[str]):
    assert sorted(one for _, one in named(source)) == sorted(finds)

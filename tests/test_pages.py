"""The README's size, the parts of pages that are made from results and settings, and what the site is built from."""

import csv
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from memnet.errors import ConfigError
from memnet.reports import pages
from tests.conftest import loaded
from tests.test_equal_terms_page import read_tables

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"


def test_the_readme_fits_on_a_few_screens():
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    assert [line for line in lines if len(line) > 100 and not line.startswith("|")] == []  # a table is read where it is drawn


def test_the_pages_are_as_they_would_be_made_now():
    """Where this fails: python scripts/write_pages.py."""
    for path, text in pages.pages(ROOT):
        assert path.read_text(encoding="utf-8") == text, path


def test_pages_are_written_where_a_part_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a.md").write_text("x\n<!-- one: python scripts/write_pages.py -->\nold\n<!-- end of one -->\ny\n")
    monkeypatch.setattr(pages, "parts", lambda root: {"a.md": {"one": lambda: "new"}})
    assert pages.write_pages(tmp_path) == [tmp_path / "a.md"]
    whole = "x\n<!-- one: python scripts/write_pages.py -->\n\nnew\n\n<!-- end of one -->\ny\n"
    assert (tmp_path / "a.md").read_text() == whole
    assert pages.write_pages(tmp_path) == []


def test_a_page_without_a_place_is_named():
    with pytest.raises(ConfigError, match="no place for table"):
        pages.with_part("nothing", "table", "a part")


def test_the_readmes_table_has_its_networks_from_the_runs():
    table = pages.beside_the_papers(ROOT / "results" / "runs.csv", ROOT / "results" / "published.csv")
    ((head, *lines),) = read_tables(table)
    parted = [line[0] for line in lines].index(pages.SYSTEMS)
    rows, systems = lines[:parted], lines[parted + 1 :]
    assert (len(rows), len(systems)) == (len(pages.NETWORKS), len(pages.IN_TURN))  # what reads the text, what renames it
    assert head[2:] == ["% wrong after 1,000 questions", "the paper's", "% wrong after 10,000", "the paper's"]
    [memn2n] = [row for row in rows if row[0].startswith("[MemN2N]")]
    with open(ROOT / "results" / "tables" / "memn2n-1k.csv", newline="", encoding="utf-8") as file:
        errors = [(float(row["chosen"]), float(row["paper"])) for row in csv.DictReader(file)]
    ours, printed = (sum(part) / 20 for part in zip(*errors, strict=True))
    failed = sum(error > 5 for error, _ in errors)
    assert memn2n[2:4] == [f"{ours:.1f} ({failed} fail)", f"{printed:.1f}"]
    [renamed] = [row for row in systems if "renamed" in row[0]]
    assert not [row for row in rows if "renamed" in row[0] or "hidden" in row[0]]
    with open(ROOT / "results" / "tables" / "thousand.csv", newline="", encoding="utf-8") as file:
        means = [float(row["mean"]) for row in csv.DictReader(file) if re.match(r"qa\d", row["task"])]
    assert float(renamed[2]) == pytest.approx(sum(means) / 20, abs=0.03)  # the table's are rounded


def test_every_page_is_in_the_navigation():
    listed = set(re.findall(r"([\w/-]+\.md)\b", (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]))
    assert {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} <= listed


@pytest.fixture
def hooks() -> ModuleType:
    for package in ("mkdocs", "latex2mathml"):
        pytest.importorskip(package, reason="the site needs the extra docs: pip install '.[docs]'")
    return loaded(ROOT / "scripts" / "site_hooks.py")


def test_a_notebook_is_a_page(hooks: ModuleType, tmp_path: Path):
    outputs = [
        {"output_type": "stream", "text": ["one\n", "two\n"]},
        {"output_type": "execute_result", "data": {"text/plain": ["3"]}},
        {"output_type": "display_data", "data": {"text/html": ["<b>x</b>"], "text/plain": ["x"]}},
        {"output_type": "display_data", "data": {"image/png": "AAAA\n"}},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# A title\n", "text"]},
        {"cell_type": "code", "source": ["1 + 2"], "outputs": outputs},
    ]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    parts = ["# A title\ntext", "```python\n1 + 2\n```", "```text\none\ntwo\n```", "```text\n3\n```"]
    parts += ['<div class="output"><b>x</b></div>', '<img alt="" src="data:image/png;base64,AAAA">']
    assert hooks.notebook(tmp_path / "a.ipynb") == "\n\n".join(parts) + "\n"


def test_formulas_become_mathml(hooks: ModuleType):
    text = r'<p><span class="arithmatex">\(a &lt; b\)</span> <div class="arithmatex">\[\frac{1}{2}\]</div></p>'
    made = hooks.on_page_content(text)
    assert 'display="inline"' in made
    assert 'display="block"' in made
    assert "<mfrac>" in made
    assert "arithmatex" not in made


def test_a_chart_keeps_its_size_and_a_screen_opens_in_full_size(hooks: ModuleType):
    made = hooks.on_page_content('<p><img alt="a &amp; b" src="../figures/x.svg" /></p><p><img alt="c" src="page.png" /></p>')
    assert '<div class="chart" role="group" tabindex="0" aria-label="a &amp; b"><img alt="a &amp; b"' in made
    assert '<a class="screen" href="page.png"' in made
    inline = '<p>as <img alt="c" src="page.svg" /> shows</p><p><img alt="" src="data:image/png;base64,AA" /></p>'
    assert hooks.on_page_content(inline) == inline


def test_references_of_docstrings_lose_their_marks(hooks: ModuleType):
    assert hooks.on_page_content(":class:<code>~memnet.errors.ConfigError</code>") == "<code>ConfigError</code>"


def test_links_out_of_the_documentation_lead_to_its_pages(hooks: ModuleType):
    class File:
        abs_src_path, src_uri = str(DOCS / "api" / "x.md"), "api/x.md"

    class Page:
        file = File

    text = "[a](../dmn.md#equations) [b](../../results/open.md) [c](../../memnet/ask/networks/memn2n/README.md) [d](#here)"
    made = hooks.on_page_markdown(text, Page)
    assert made == "[a](../dmn.md#equations) [b](../results/open.md) [c](../networks/memn2n.md) [d](#here)"


def test_files_that_are_linked_are_found(hooks: ModuleType):
    found = hooks.targets("[x](../results/open.md#top) [y](https://example.org) [z](nothing.md) [t](#top)", DOCS)
    assert found == [ROOT / "results" / "open.md"]

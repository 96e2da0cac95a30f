"""Our figures in tables and pages are what :mod:`tests.recompute`, which imports nothing of memnet, makes of the files."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests import recompute

ROOT = Path(__file__).parent.parent


original = recompute.page


def wrong(path: str) -> list[str]:
    return [
        f"{cell.where}: printed {cell.printed!r}, recomputed {cell.expected!r}"
        for cell in recompute.check(path)
        if not cell.right
    ]


@pytest.mark.parametrize("path", recompute.ALL_PAGES)
def test_the_cells_of_a_page_are_those_recomputed(path: str):
    assert wrong(path) == []


def test_nothing_of_memnet_is_imported():
    tree = ast.parse((ROOT / "tests" / "recompute.py").read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"__future__", "csv", "functools", "pathlib", "re", "statistics", "typing"}


def test_every_table_is_recomputed_or_named_as_measured():
    tables = {path.stem for path in (ROOT / "results" / "tables").glob("*.md")}
    recomputed = {Path(path).stem for path in recompute.ALL_PAGES if path.startswith("results/tables/")}
    assert recomputed | set(recompute.NOT_RECOMPUTED) == tables
    assert not recomputed & set(recompute.NOT_RECOMPUTED)


def test_every_cell_of_a_table_is_compared():
    for path in recompute.ALL_PAGES:
        if path.startswith("results/"):
            cells = sum(len(line) for grid in recompute.grids(recompute.page(path)) for line in grid)
            compared = recompute.compared(path, recompute.made_again(path), recompute.grids(recompute.page(path)))
            assert len(compared) == cells + len(recompute.grids(recompute.page(path))), path


def test_the_parts_of_pages_that_commands_make_are_recomputed():
    """What stands between the marks of scripts/write_pages.py; the settings page has no figures of ours.

    Long memories' are of results/supervision.csv, which has a row a seed: tests/test_supervised_retrieval.py.
    """
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    made = {
        page.relative_to(ROOT).as_posix() for page in pages if "python scripts/write_pages.py -->" in page.read_text("utf-8")
    }
    assert made - {"docs/settings.md", "docs/long-memory.md"} <= set(recompute.ALL_PAGES)
    assert not re.search(r"^\|.*\d+\.\d (?:±|\()", (ROOT / "docs" / "settings.md").read_text("utf-8"), re.MULTILINE)


@pytest.fixture
def changed_runs(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    rows = [dict(row) for row in recompute.RUNS]
    monkeypatch.setattr(recompute, "RUNS", rows)
    return rows


def of_task(rows: list[dict[str, str]], task: str) -> list[dict[str, str]]:
    own = {"preset": "pe-ls-rn", "size": "1k", "source": "published", "settings": "", "tasks": task, "seed": "0"}
    return [row for row in rows if own.items() <= row.items()]


def test_another_error_in_the_runs_is_found_and_its_cell_named(changed_runs: list[dict[str, str]]):
    [row] = [row for row in of_task(changed_runs, "qa2") if row["chosen"] == "1"]
    row["test_error"] = "66"
    found = wrong("results/tables/memn2n-1k.md")
    assert "results/tables/memn2n-1k.md: qa2, column 2 (pe-ls-rn): printed '9.8', recomputed '66.0'" in found
    assert any(line.startswith("results/tables/memn2n-1k.md: mean, column 2") for line in found)
    assert any(line.startswith("results/tables/memn2n-1k.csv: pe-ls-rn, column 6 (chosen)") for line in found)
    for path in ("README.md", "docs/results.md", "docs/permutation.md", "results/tables/comparison.md"):
        assert wrong(path), path
    assert wrong("results/tables/dmn-1k.md") == []


def test_a_choice_by_another_error_is_refused(changed_runs: list[dict[str, str]]):
    rows = of_task(changed_runs, "qa2")
    best, worst = (f(rows, key=lambda row: float(row["train_error"])) for f in (min, max))
    assert float(best["train_error"]) < float(worst["train_error"])
    for row in rows:
        row["chosen"] = str(int(row is worst))
    with pytest.raises(ValueError, match="pe-ls-rn, qa2: a restart that was not chosen has a lower train error"):
        recompute.check("results/tables/memn2n-1k.md")
    changed_runs.remove(rows[0])
    with pytest.raises(ValueError, match="pe-ls-rn, qa2: not a row for each restart"):
        recompute.check("results/tables/memn2n-1k.md")


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("results/tables/memn2n-1k.md", "| qa3 | 46.8 |", "| qa3 | 46.9 |"),
        ("results/tables/lstm-1k.md", "| lstm, one restart |", "| lstm |"),
        ("results/tables/summary.md", "14.6 ± 1.4", "14.6 ± 1.3"),
        ("results/tables/dmn-1k.md", "514 s of one core", "515 s of one core"),
        ("results/tables/dmn-10k.md", "17.7 % of simulated", "17.8 % of simulated"),
        ("results/tables/transfer.md", "18 of 20 differences", "19 of 20 differences"),
        ("results/tables/comparison.md", "| answers, facts | 5 |", "| answers | 5 |"),
        ("results/open.md", "**0.46**", "**0.47**"),
        ("README.md", "has 0.5 % error", "has 0.4 % error"),
        ("docs/baselines.md", "| 46 % |", "| 45 % |"),
    ],
)
def test_another_figure_on_a_page_is_found(path: str, before: str, after: str, monkeypatch: pytest.MonkeyPatch):
    text = recompute.page(path)
    assert before in text
    monkeypatch.setattr(recompute, "page", lambda asked: text.replace(before, after, 1) if asked == path else original(asked))
    assert wrong(path) != []

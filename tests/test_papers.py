"""What the papers' files declare: every row is in results/published.csv, every preset exists and is declared once."""

import csv
import dataclasses
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from memnet.config import override, parse_settings
from memnet.errors import ConfigError, NetworkError
from memnet.models import MODELS, model_of
from memnet.papers import COLUMNS, JOINT_PRESETS, PAPERS, PRESETS, STANDS_FOR, STUDIES, TABLES, once
from memnet.papers.declare import NOT_AT_HAND, SIMULATED, SIZES, TASKS, Column, Runs
from memnet.papers.ours import COMPARED, PERMUTED, WITH_FACTS
from memnet.record.published import Figures, paper_figures, published_figures
from memnet.reports.reproduce import reports, table_runs
from memnet.reports.select import configs_of, with_restarts

ROOT = Path(__file__).parent.parent
PUBLISHED = ROOT / "results" / "published.csv"


@cache
def published_tasks() -> dict[tuple[str, str, str], set[str]]:
    """The tasks with an error or an accuracy in results/published.csv, by model, size and regime."""
    found: dict[tuple[str, str, str], set[str]] = {}
    with open(PUBLISHED, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["metric"] in ("error", "accuracy"):
                found.setdefault((row["model"], row["train_size"], row["regime"]), set()).add(row["task"])
    return found


@pytest.mark.parametrize(("preset", "family"), [key for key, column in COLUMNS.items() if column.published])
def test_the_published_row_of_a_column_is_there(preset: str, family: str):
    column, size = COLUMNS[preset, family], SIZES[family]
    row = (str(column.published), column.published_size or size, column.regime)
    assert published_tasks().get(row), row
    if column.published_size is not None:  # as the paper does not say the size, no row says it at this size
        assert column.published_size == size or (row[0], size, row[2]) not in published_tasks()


def test_lines_that_disagree_are_refused_and_a_papers_own_are_taken(tmp_path: Path):
    """Sukhbaatar et al. quote the LSTM of Weston et al. with another error on task 11, and another mean."""
    with pytest.raises(NetworkError, match=r"two errors of LSTM, 1k, single, task 11: 28 \(Weston .*\) and 38 \(Sukhbaatar"):
        published_figures(PUBLISHED, "LSTM", "1k", "single")
    for paper, error, mean in (("Weston et al. 2015", 28, 51), ("Sukhbaatar et al. 2015", 38, 51.3)):
        found = published_figures(PUBLISHED, "LSTM", "1k", "single", paper)
        assert (len(found.errors), found.errors["qa11"], found.mean) == (20, error, mean)
    assert published_figures(PUBLISHED, "LSTM", "1k", "single", "Nobody") == Figures()
    quoted = tmp_path / "published.csv"  # lines that agree are no question, in whichever unit
    lines = ["a,m,1k,weak,single,1,accuracy,64.4,x", "b,m,1k,weak,single,1,error,35.6,x"]
    head = "paper,model,train_size,supervision,regime,task,metric,value,source"
    quoted.write_text("\n".join([head, *lines]) + "\n")
    assert published_figures(quoted, "m", "1k", "single").errors == pytest.approx({"qa1": 35.6})
    quoted.write_text("\n".join([head, *lines, "b,m,1k,strong,single,1,error,0.1,x"]) + "\n")
    for paper in (None, "b"):
        with pytest.raises(NetworkError, match="two errors of m, 1k, single, task 1"):
            published_figures(quoted, "m", "1k", "single", paper)


def test_every_column_names_the_paper_that_it_quotes_where_several_print_the_row():
    for (preset, family), column in COLUMNS.items():
        if column.published:
            found = paper_figures(PUBLISHED, preset, family)
            assert found.errors or found.mean is not None, preset


def test_a_preset_is_in_exactly_one_paper():
    declared = Counter(preset for paper in PAPERS.values() for preset in paper.presets)
    assert declared == Counter(list(PRESETS))
    for name, config in PRESETS.items():
        assert any(paper.presets.get(name) is config for paper in PAPERS.values())


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_names_presets_that_exist(name: str):
    paper = PAPERS[name]
    assert paper.presets or paper.tables or paper.studies
    for family, column in paper.columns():
        assert family in TASKS
        assert column.preset in PRESETS
        assert column.restarts is None or column.restarts > 0
        if column.stands_for is not None:
            assert family == "babi-10k"
            assert model_of(PRESETS[column.stands_for]) == model_of(PRESETS[column.preset])
        if column.simulated is not None:
            assert NOT_AT_HAND[family]
            override(PRESETS[column.preset], parse_settings(column.simulated, type(PRESETS[column.preset])))


@pytest.mark.parametrize("name", [name for name, paper in PAPERS.items() if paper.citation is not None])
def test_a_papers_citation_names_its_file(name: str):
    citation = PAPERS[name].citation
    assert citation is not None
    assert f"{citation.authors[0].split()[-1].lower()}{citation.year}" == name
    assert re.fullmatch(r"\d{4}\.\d{5}", citation.arxiv)
    assert citation.title in str(citation)
    assert citation.arxiv in str(citation)


def test_only_our_own_work_has_no_citation():
    assert [name for name, paper in PAPERS.items() if paper.citation is None] == ["ours", "thousand", "few", "equal"]


@pytest.mark.parametrize("name", [*TABLES, *STUDIES])
def test_the_runs_of_a_report_can_be_made(name: str):
    report = reports()[name]
    assert report.title
    assert report.runs
    for part in report.runs:
        assert configs_of(part).keys() == set(part.presets)
        assert set(part.all_tasks) <= set(TASKS["babi"])
        assert part.joint or not any(preset in JOINT_PRESETS for preset in part.presets)


def test_a_tables_runs_are_its_columns():
    for name, table in TABLES.items():
        runs = table_runs(table)
        restarts = {preset: part.restarts for part in runs if part.family == table.family for preset in part.presets}
        assert restarts == {column.preset: column.restarts for column in table.columns}, name
        simulated = {
            preset: part.settings for part in runs if part.family == SIMULATED[table.family] for preset in part.presets
        }
        assert simulated == {column.preset: column.simulated for column in table.columns if column.simulated is not None}


def test_a_studys_runs_have_the_restarts_of_their_columns():
    runs = [Runs(("dmn-plus", "pe-ls-rn", "dmn-plus-facts")), Runs(("dmn-plus",), restarts=7), Runs(("memnn",), "babi-10k")]
    found = [(part.presets, part.restarts) for part in with_restarts(runs)]
    assert found == [
        (("dmn-plus",), 2),
        (("pe-ls-rn",), None),
        (("dmn-plus-facts",), 1),
        (("dmn-plus",), 7),
        (("memnn",), None),
    ]


def test_what_is_compared_and_permuted_is_declared():
    for presets in (COMPARED | WITH_FACTS).values():
        assert presets.keys() <= set(TASKS)
        assert all((preset, family) in COLUMNS for family, preset in presets.items())
        if len(set(presets.values())) > 1:
            assert STANDS_FOR[presets["babi-10k"]] == presets["babi"]
    for before, after in PERMUTED:
        assert (PRESETS[before].permute, PRESETS[after].permute) == (False, True)
    for pair in (kind.presets for kind in MODELS.values()):
        assert set(pair) <= PRESETS.keys()


def test_what_is_declared_twice_is_refused():
    assert once([("a", 1), ("b", 2), ("a", 1)]) == {"a": 1, "b": 2}
    column = Column("bow", restarts=2)
    assert once([("bow", column), ("bow", column)]) == {"bow": column}
    with pytest.raises(ValueError, match="bow is declared twice, and not as the same"):
        once([("bow", column), ("bow", dataclasses.replace(column, restarts=3))])


def test_a_mistaken_setting_of_a_study_is_named():
    with pytest.raises(ConfigError, match="hop"):
        configs_of(Runs(("bow",), settings=("hop=3",)))


MINE = """
from memnet.models.memn2n import MemN2NConfig
from memnet.papers.declare import Citation, Column, Paper, Table

BOW = Column("bow", published="MemN2N BoW 3 hops")
CITATION = Citation(("Ada Toy",), 2020, "A toy", "2001.00001")
TABLE = Table("toy-1k", "A toy", "babi", (Column("toy", published="MemN2N PE 3 hops", restarts=2), BOW))
PAPER = Paper(CITATION, {"toy": MemN2NConfig(hops=1)}, (TABLE,))
"""


def test_a_paper_is_one_file(tmp_path: Path):
    """A copy of the package with one file more: its preset, its table and its runs are there."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "memnet", copy / "memnet", ignore=shutil.ignore_patterns("__pycache__", "network"))
    shutil.copytree(ROOT / "tasks", copy / "tasks", ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "memnet" / "papers" / "toy2020.py").write_text(MINE, encoding="utf-8")
    code = (
        "import memnet.papers as papers; from memnet.reports.reproduce import reports; "
        "print(papers.__file__, list(papers.PAPERS)[-1], list(papers.TABLES)[-1], papers.PRESETS['toy'].hops, "
        "sorted((part.restarts or 0, part.presets) for part in reports()['toy-1k'].runs))"
    )
    environment = os.environ | {"PYTHONPATH": str(copy)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=copy, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    expected = [str(copy / "memnet" / "papers" / "__init__.py"), "toy2020 toy-1k 1 [(0, ('bow',)), (2, ('toy',))]"]
    assert done.stdout.strip() == " ".join(expected)

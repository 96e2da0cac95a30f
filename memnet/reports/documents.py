"""The files that hold results: every table as Markdown and CSV."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from memnet.files import write_atomically
from memnet.markdown import tables_as_csv
from memnet.papers import STUDIES, TABLES
from memnet.papers.declare import Study, Table
from memnet.reports.attention import attention
from memnet.reports.comparison import comparison
from memnet.reports.equal import LABELS, on_equal_terms, search
from memnet.reports.error_analysis import error_analysis
from memnet.reports.legacy import read_rows
from memnet.reports.made import made_by
from memnet.reports.own_recipes import own_recipes
from memnet.reports.parts import parts_of_reading
from memnet.reports.studies import permutation, questions, retrieval, seeds, training_steps
from memnet.reports.tables import render, render_csv, summary
from memnet.reports.thousand import SHOWN, of_seeds
from memnet.reports.transfer import transfer

OF_SEED = ("summary", *TABLES)  # tables of runs of a seed that is asked for; the others declare theirs


def makers(results: Path, published: Path, seed: int = 0) -> dict[str, Callable[[], str]]:
    """What makes each table's Markdown, by its name."""

    def of(table: Table) -> Callable[[], str]:
        return lambda: render(results, published, table.size, seed, table.presets)

    def from_seeds(study: Study) -> Callable[[], str]:
        return lambda: of_seeds(study, results, published)

    return {name: of(table) for name, table in TABLES.items()} | {
        "summary": lambda: summary(results, published, seed),
        "transfer": lambda: transfer(results),
        "attention": lambda: attention(results),
        "questions": lambda: questions(results, published),
        "retrieval": lambda: retrieval(results),
        "error-analysis": lambda: error_analysis(results, published),
        "training-steps": lambda: training_steps(results, published),
        "seeds": lambda: seeds(results, published),
        "permutation": lambda: permutation(results, published),
        "comparison": lambda: comparison(results, published, published.parent / "models.csv", published.parent / "memory.csv"),
        **{name: partial(on_equal_terms, results, name) for name in LABELS},
        "equal-width": lambda: on_equal_terms(results, "equal-width", published.parent / "models.csv"),
        "equal-search": lambda: search(results),
        "equal-own": lambda: own_recipes(results),
        "thousand-parts": lambda: parts_of_reading(results),
        **{name: from_seeds(STUDIES[name]) for name in SHOWN},
    }


def titles() -> dict[str, str]:
    """What each table shows, in the order of :func:`makers`, by its name."""
    declared = {name: table.title for name, table in TABLES.items()} | {name: study.title for name, study in STUDIES.items()}
    declared["summary"] = "Mean errors of the presets beside the papers', a row each"
    return {name: declared[name] for name in makers(Path(), Path())}


def text_of(name: str, results: Path, published: Path, seed: int = 0) -> str:
    """A table in Markdown, a study's with what made its networks."""
    parts = (makers(results, published, seed)[name](), made_by(name, read_rows(results)))
    return "\n\n".join(part for part in parts if part)


def write_report(name: str, results: Path, published: Path, folder: Path, seed: int = 0) -> list[Path]:
    """Write a table as Markdown and as CSV; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    text, table = text_of(name, results, published, seed), TABLES.get(name)
    numbers = render_csv(results, published, table.size, seed, table.presets) if table else tables_as_csv(text)
    written = [folder / f"{name}.md", folder / f"{name}.csv"]
    for path, whole in zip(written, (text + "\n", numbers), strict=True):
        write_atomically(path, whole)
    return written

"""The files that hold results: every table as Markdown and CSV, and what code, machines and versions made its networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from memnet.files import write_atomically
from memnet.markdown import tables_as_csv
from memnet.papers import STUDIES, TABLES
from memnet.papers.declare import Study
from memnet.papers.equal import LABELS
from memnet.papers.thousand import SHOWN
from memnet.record.measurements import counted
from memnet.record.runs import Row, labels, read_rows
from memnet.reports import studies
from memnet.reports.cascade import tried
from memnet.reports.comparison import comparison
from memnet.reports.equal import on_equal_terms, own_recipes, search
from memnet.reports.error_analysis import error_analysis
from memnet.reports.few import few_questions
from memnet.reports.procedure import of_seeds
from memnet.reports.reading import reading_ablation
from memnet.reports.select import select
from memnet.reports.tables import summary, table_csv, table_of
from memnet.reports.thousands import other_thousands

OF_SEED = ("summary", *TABLES)  # tables of runs of a seed that is asked for; the others declare theirs


def makers(runs: Path, published: Path, seed: int = 0) -> dict[str, Callable[[], str]]:
    """What makes each table's Markdown, by its name."""
    costs, memory = (published.parent / name for name in ("models.csv", "memory.csv"))
    return {
        **{name: partial(table_of, runs, published, table.family, seed, table.presets) for name, table in TABLES.items()},
        "summary": partial(summary, runs, published, seed),
        "transfer": partial(studies.transfer, runs),
        "attention": partial(studies.attention, runs),
        "questions": partial(studies.questions, runs, published),
        "retrieval": partial(studies.retrieval, runs),
        "error-analysis": partial(error_analysis, runs, published),
        "training-steps": partial(studies.training_steps, runs, published),
        "seeds": partial(studies.seeds, runs, published),
        "permutation": partial(studies.permutation, runs, published),
        "comparison": partial(comparison, runs, published, costs, memory),
        **{name: partial(on_equal_terms, runs, name) for name in LABELS},
        "equal-width": partial(on_equal_terms, runs, "equal-width", costs),
        "equal-search": partial(search, runs),
        "equal-own": partial(own_recipes, runs),
        "thousand-parts": partial(reading_ablation, runs),
        "few-questions": partial(few_questions, runs),
        "other-thousands": partial(other_thousands, runs),
        **{name: partial(of_seeds, STUDIES[name], runs, published) for name in SHOWN},
    }


def titles() -> dict[str, str]:
    """What each table shows, in the order of :func:`makers`, by its name."""
    declared = {name: table.title for name, table in TABLES.items()} | {name: study.title for name, study in STUDIES.items()}
    declared["summary"] = "Mean errors of the presets beside the papers', a row each"
    return {name: declared[name] for name in makers(Path(), Path())}


def text_of(name: str, runs: Path, published: Path, seed: int = 0) -> str:
    """A table in Markdown, a study's with what made its networks."""
    parts = (makers(runs, published, seed)[name](), made_by(name, read_rows(runs)))
    return "\n\n".join(part for part in parts if part)


def write_report(name: str, runs: Path, published: Path, folder: Path, seed: int = 0) -> list[Path]:
    """Write a table as Markdown and as CSV; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    text, table = text_of(name, runs, published, seed), TABLES.get(name)
    numbers = table_csv(runs, published, table.family, seed, table.presets) if table else tables_as_csv(text)
    written = [folder / f"{name}.md", folder / f"{name}.csv"]
    for path, whole in zip(written, (text + "\n", numbers), strict=True):
        write_atomically(path, whole)
    return written


def rows_of(study: Study, rows: Sequence[Row]) -> list[Row]:
    """Those of the networks that a study declares; of presets that are tried in turn, those that were tried."""
    if study.parts:
        chosen = {id(row): row for part in study.parts for row in rows_of(part, rows)}
        return [row for row in rows if id(row) in chosen]
    found = select(rows, *study.runs)
    if not study.in_turn:
        return found
    taken = {(row["preset"], *place) for place, networks in tried(found, study).items() for row in networks}
    return [row for row in found if (row["preset"], labels(row)[0], int(row["seed"])) in taken]


def made_by(name: str, rows: Sequence[Row]) -> str:
    """The line below a study's table; nothing where there is no study of that name or no network."""
    found = rows_of(STUDIES[name], rows) if name in STUDIES else []
    if not found:
        return ""
    code = counted([row["code"] for row in found])
    machines = counted([row["machine"] or "a machine that was not recorded" for row in found])
    versions = (f"{library} {counted([row[library] for row in found])}" for library in ("torch", "numpy", "python"))
    return f"{len(found):,} networks, made by code {code} on {machines}; {', '.join(versions)}."

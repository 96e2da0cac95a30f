"""``results/published.csv``: the numbers that the papers print, a line each."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from functools import lru_cache
from math import isclose
from pathlib import Path

from memnet.errors import NetworkError
from memnet.papers import COLUMNS
from memnet.papers.declare import SIZES, task_of

NAMES = ("paper", "model", "train_size", "supervision", "regime", "task", "metric", "value")


@dataclass(frozen=True)
class Figures:
    """What is printed of one network, errors in percent."""

    errors: dict[str, float] = field(default_factory=dict)  # by task
    mean: float | None = None
    failed: str = ""  # how many tasks, as the paper counts them; empty where it does not


def published_rows(path: Path) -> list[dict[str, str]]:
    """The file's rows. Raises :class:`~memnet.errors.NetworkError` where it is missing or not such a file."""
    about = path.stat() if path.exists() else None
    return rows_as_of(path, (about.st_ino, about.st_size, about.st_mtime_ns) if about else None)


@lru_cache(maxsize=2)
def rows_as_of(path: Path, stamp: tuple[int, int, int] | None) -> list[dict[str, str]]:
    """The same, read once while its number, size and time of change stay."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing: it holds the papers' figures; run this in a checkout, or name it") from error
    except (ValueError, csv.Error) as error:
        raise NetworkError(f"{path} is not the papers' figures: {error}") from error
    for number, row in enumerate(rows or [{}], 2 if rows else 1):
        if lacking := [name for name in NAMES if row.get(name) is None]:
            raise NetworkError(f"{path} is not the papers' figures: line {number} has no {', '.join(lacking)}")
    return rows


def published_figures(
    path: Path, model: str, size: str, regime: str, paper: str | None = None, supervision: str | None = None
) -> Figures:
    """What papers print of a network, those alone whose name begins with ``paper``.

    ``supervision`` is weak (answers alone) or strong (facts), for a model that is printed with both. Papers quote each other:
    where two lines of a task disagree none is taken in silence. Raises :class:`~memnet.errors.NetworkError`, which names them.
    """
    found: dict[str, tuple[float, str]] = {}  # by task: the error, and the paper that prints it
    failed = ""
    for row in published_rows(path):
        wanted = (model, size, regime, supervision or row["supervision"])
        if (row["model"], row["train_size"], row["regime"], row["supervision"]) != wanted:
            continue
        if not row["paper"].startswith(paper or ""):
            continue
        if (row["task"], row["metric"]) == ("failed", "count"):
            failed = failed or row["value"]
        if row["metric"] not in ("error", "accuracy"):
            continue
        try:
            error = float(row["value"]) if row["metric"] == "error" else 100 - float(row["value"])
        except ValueError as wrong:
            raise NetworkError(f"{path} is not the papers' figures: {wrong}") from wrong
        known, first = found.setdefault(row["task"], (error, row["paper"]))
        if not isclose(known, error):
            raise NetworkError(
                f"{path} has two errors of {model}, {size}, {regime}, task {row['task']}: {known:g} ({first}) and "
                f"{error:g} ({row['paper']}); name the paper that is meant"
            )
    mean = found.pop("mean", None)
    return Figures({task_of(task): error for task, (error, _) in found.items()}, mean[0] if mean else None, failed)


def paper_figures(path: Path, preset: str, family: str, joint: bool | None = None) -> Figures:
    """What the paper of a preset's column prints; nothing where no row is declared, or it is of the other regime."""
    declared = COLUMNS.get((preset, family))
    if declared is None or declared.published is None or joint not in (None, declared.joint):
        return Figures()
    size = declared.published_size or SIZES[family]
    return published_figures(path, declared.published, size, declared.regime, declared.paper)


def published_questions(path: Path, model: str) -> dict[str, str]:
    """How many training questions each task needs for 95 %, as a paper prints it: a number, or ``fail``."""
    rows = (row for row in published_rows(path) if (row["model"], row["metric"]) == (model, "n_examples_for_95"))
    return {task_of(row["task"]): row["value"].lower() for row in rows}

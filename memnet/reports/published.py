"""``results/published.csv``: the numbers that the papers print, a line each."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from math import isclose
from pathlib import Path

from memnet.errors import NetworkError

NAMES = ("paper", "model", "train_size", "supervision", "regime", "task", "metric", "value")


@contextmanager
def published_rows(path: Path) -> Iterator[Iterator[dict[str, str]]]:
    """The file's rows. Raises :class:`~memnet.errors.NetworkError` where it is missing or not such a file."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows or [{}]:
            if lacking := [name for name in NAMES if row.get(name) is None]:
                raise ValueError(f"line {rows.index(row) + 2 if rows else 1} has no {', '.join(lacking)}")
        yield iter(rows)
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing: it holds the papers' figures; run this in a checkout, or name it") from error
    except (KeyError, ValueError, csv.Error) as error:
        raise NetworkError(f"{path} is not the papers' figures: {error}") from error


def published_errors(
    path: Path, model: str, size: str, regime: str, paper: str | None = None, supervision: str | None = None
) -> tuple[dict[int, float], float | None]:
    """A network's test error per task, in percent, and the mean that is printed; as the papers print it whose name begins so.

    ``supervision`` is weak (answers alone) or strong (facts), for a model that is printed with both. Papers quote each other:
    where two lines of a task disagree none is taken in silence. Raises :class:`~memnet.errors.NetworkError`, which names them.
    """
    found: dict[str, tuple[float, str]] = {}  # by task: the error, and the paper that prints it
    with published_rows(path) as rows:
        for row in rows:
            if (row["model"], row["train_size"], row["regime"]) != (model, size, regime):
                continue
            if supervision is not None and row["supervision"] != supervision:
                continue
            if row["metric"] not in ("error", "accuracy") or not row["paper"].startswith(paper or ""):
                continue
            error = float(row["value"]) if row["metric"] == "error" else 100 - float(row["value"])
            known, first = found.setdefault(row["task"], (error, row["paper"]))
            if not isclose(known, error):
                raise NetworkError(
                    f"{path} has two errors of {model}, {size}, {regime}, task {row['task']}: {known:g} ({first}) and "
                    f"{error:g} ({row['paper']}); name the paper that is meant"
                )
    errors = {int(task): error for task, (error, _) in found.items() if task != "mean"}
    return errors, found["mean"][0] if "mean" in found else None


def published_failed(
    path: Path, model: str, size: str, regime: str, paper: str | None = None, supervision: str | None = None
) -> str:
    """How many tasks a network fails, as its paper counts them, see :func:`published_errors`; nothing where it does not."""
    with published_rows(path) as rows:
        for row in rows:
            own = (model, size, regime, "failed", "count", supervision or row["supervision"])
            names = ("model", "train_size", "regime", "task", "metric", "supervision")
            if tuple(row[name] for name in names) == own and row["paper"].startswith(paper or ""):
                return row["value"]
    return ""


def published_questions(path: Path, model: str) -> dict[int, str]:
    """How many training questions each task needs for 95 %, as a paper prints it: a number, or ``fail``."""
    with published_rows(path) as rows:
        found = (row for row in rows if (row["model"], row["metric"]) == (model, "n_examples_for_95"))
        return {int(row["task"]): row["value"].lower() for row in found}

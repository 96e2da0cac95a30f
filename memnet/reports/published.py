"""``results/published.csv``: the numbers that the papers print, a line each."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memnet.errors import NetworkError


@contextmanager
def published_rows(path: Path) -> Iterator[Iterator[dict[str, str]]]:
    """The file's rows. Raises :class:`~memnet.checkpoint.NetworkError` where it is missing or not such a file."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            yield iter(csv.DictReader(file))
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing: it holds the papers' figures; run this in a checkout, or name it") from error
    except (KeyError, ValueError, csv.Error) as error:
        raise NetworkError(f"{path} is not the papers' figures: {type(error).__name__} {error}") from error


def published_errors(path: Path, model: str, size: str, regime: str) -> tuple[dict[int, float], float | None]:
    """A paper's test error per task, in percent, and the mean that it prints."""
    errors, mean = {}, None
    with published_rows(path) as rows:
        for row in rows:
            if (row["model"], row["train_size"], row["regime"]) != (model, size, regime):
                continue
            if row["metric"] not in ("error", "accuracy"):
                continue
            error = float(row["value"]) if row["metric"] == "error" else 100 - float(row["value"])
            if row["task"] == "mean":
                mean = error
            else:
                errors[int(row["task"])] = error
    return errors, mean


def published_questions(path: Path, model: str) -> dict[int, str]:
    """How many training questions each task needs for 95 %, as a paper prints it: a number, or ``fail``."""
    with published_rows(path) as rows:
        found = (row for row in rows if (row["model"], row["metric"]) == (model, "n_examples_for_95"))
        return {int(row["task"]): row["value"].lower() for row in found}

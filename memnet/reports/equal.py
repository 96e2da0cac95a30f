"""Every model on equal terms: what the search chose."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.config import Training, override, parse_settings
from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers import PRESETS
from memnet.papers.declare import Runs
from memnet.papers.equal import NAMES, RATES, REGULARISED, SEARCH_TASKS, SEARCHED
from memnet.training.records import read_rows
from memnet.training.spec import config_hash

Row = Mapping[str, str]


class Cell(NamedTuple):
    """All restarts of one line's networks, one network a task or a joint one."""

    rows: list[Row]

    def errors(self, kind: str = "test_error") -> list[float]:
        """Of the chosen networks, task by task."""
        return [float(error) for row in self.rows if row["chosen"] == "1" for error in row[kind].split()]


def configured(part: Runs) -> Training:
    """The settings of a line's runs."""
    preset = PRESETS[part.presets[0]]
    return override(preset, parse_settings(part.settings, type(preset)))


def cell(rows: Sequence[Row], part: Runs, table: str) -> Cell:
    """The networks of a line. Raises :class:`~memnet.errors.NetworkError` where a run is lacking."""
    (model,) = part.presets
    own = (model, config_hash(configured(part)), part.size, part.source, "en", str(part.seed), str(part.restarts))
    names = ("preset", "config", "size", "source", "variant", "seed", "restarts")
    tasks = [" ".join(part.all_tasks)] if part.joint else part.all_tasks
    found = [row for row in rows if tuple(row[name] for name in names) == own and row["tasks"] in tasks]
    if len(found) != (part.restarts or 1) * len(tasks):
        said = " ".join((model, *part.settings))
        raise NetworkError(f"{len(found)} networks of {said} are on record; 'memnet reproduce {table}' makes the others")
    return Cell(found)


def searched(rows: Sequence[Row], model: str) -> dict[tuple[str, str], float]:
    """The mean validation error of each pair of settings in the search for a model."""
    return {
        (rate, strength): statistics.mean(cell(rows, part, "equal-search").errors("validation_error"))
        for (name, rate, strength), part in SEARCHED.items()
        if name == model
    }


def best(found: Mapping[tuple[str, str], float]) -> tuple[str, str]:
    """The pair with the least mean validation error; of equal ones the first."""
    return min(found, key=found.__getitem__)


def search(runs: Path) -> str:
    """The table of the search."""
    rows, lines = read_rows(runs), []
    for model, strengths in REGULARISED.items():
        found = searched(rows, model)
        mark = {best(found): "**"}
        for rate in RATES:
            cells = ((mark.get((rate, strength), ""), found[rate, strength]) for strength in strengths)
            lines.append([NAMES[model], f"`{rate}`", *(f"{bold}{error:.1f}{bold}" for bold, error in cells)])
    models: dict[tuple[str, str], list[str]] = {}
    for model, strengths in REGULARISED.items():
        models.setdefault(strengths, []).append(NAMES[model])
    pairs = "; ".join(f"`{weak}` and `{strong}` ({', '.join(names)})" for (weak, strong), names in models.items())
    text = (
        f"Validation error in percent, the mean over {', '.join(SEARCH_TASKS)} with 100 questions each, one restart, seed 0, "
        "published bAbI v1.2 text (en, 1k). The table chooses the learning rate and regularisation with which each model is "
        "compared, in bold; a few percent between two cells may be chance.\n\n"
        f"- *weak* and *strong* regularisation: {pairs}."
    )
    return f"{text}\n\n{markdown_table(['model', 'learning rate', 'weak', 'strong'], lines, 'llrr')}"

"""Errors with few training questions a task: a table and a figure of the cells that are on record."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memnet.errors import NetworkError
from memnet.markdown import markdown_table, one_decimal
from memnet.papers.declare import Study
from memnet.papers.few import ALL, CASCADE, CASCADE_SEEDS, CASCADES, CELLS, FEW, NETWORKS, NUMBERS, RESTARTS, UNORDERED_CASCADE
from memnet.record.runs import Row, read_rows
from memnet.reports.pivot import Networks
from memnet.reports.procedure import chosen_networks
from memnet.reports.select import needed
from memnet.reports.templates import render

IN_A_FIGURE = {CASCADE: "words renamed, tried in turn", UNORDERED_CASCADE: "no order given, tried in turn"}


class Cell(NamedTuple):
    """The networks of one name and number of questions."""

    mean: float  # test error over the tasks of those that validation or training chose; of several seeds their mean
    of_all: float  # the mean over all restarts, or the same
    failed: int
    networks: str  # from how many one was chosen, or how many seeds there are


def cell(rows: Sequence[Row], study: Study) -> Cell | None:
    """None where a run is lacking."""
    try:
        if study.in_turn:
            found = chosen_networks(rows, study)
            mean = statistics.mean(found.means())
            return Cell(mean, mean, found.failed_on_average(), f"{len(study.seeds)} seed{'s' * (len(study.seeds) > 1)}")
        part = Networks(needed(rows, FEW.name, *study.runs))
    except NetworkError:
        return None
    return Cell(part.mean, part.mean_of_all, part.failed, f"{part.restarts} restart{'s' * (part.restarts != '1')}")


def cells(runs: Path) -> dict[tuple[str, int], Cell]:
    """Those that are on record."""
    rows = read_rows(runs)
    return {key: found for key, study in CELLS.items() if (found := cell(rows, study)) is not None}


def few_questions(runs: Path) -> str:
    """The table: a row a network, a column a number of questions. Raises :class:`~memnet.errors.NetworkError`."""
    found = cells(runs)
    numbers = [number for number in (*NUMBERS, ALL) if any(number == one for _, one in found)]
    if not numbers:
        raise NetworkError(f"{runs} has no cell of {FEW.name} with all its tasks; 'memnet reproduce {FEW.name}' makes them")

    def row(name: str, written: str) -> list[str]:
        line = [found.get((name, number)) for number in numbers]
        return [
            "" if one is None else f"{one.mean:.1f} ({one.failed})" if written == "chosen" else as_text(one) for one in line
        ]

    def as_text(one: Cell) -> str:
        return f"{one_decimal(one.of_all)} ({one.networks})"

    heads, names = ["network", *map(str, numbers)], [*NETWORKS, *CASCADES]
    lacking = [number for number in NUMBERS if any((name, number) not in found for name in names)]
    return render(
        "few-questions",
        chosen=markdown_table(heads, [[name, *row(name, "chosen")] for name in names]),
        every=markdown_table(heads, [[name, *row(name, "all")] for name in names]),
        restarts=RESTARTS,
        networks=NETWORKS,
        seeds=len(CASCADE_SEEDS),
        lacking=lacking,
    )


def lines(runs: Path) -> dict[str, list[tuple[float, float]]]:
    """The mean error of all restarts over questions a task, by network, where there are two points or more."""
    found: dict[str, list[tuple[float, float]]] = {}
    for (name, number), one in cells(runs).items():
        found.setdefault(IN_A_FIGURE.get(name, name), []).append((float(number), one.of_all))
    return {name: points for name, points in found.items() if len(points) > 1}

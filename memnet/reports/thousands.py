"""The procedure on other thousands of the published 10,000: what the draw of the training questions changes."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import bold, markdown_table, two_decimals
from memnet.papers.declare import Study
from memnet.papers.thousand import HAD, OTHER_THOUSANDS, SPREAD, THOUSAND
from memnet.record.runs import Row, read_rows
from memnet.reports.procedure import chosen_networks
from memnet.reports.templates import render


def seeds_of(rows: Sequence[Row], study: Study) -> list[float]:
    """The mean over these tasks of each seed; none where a run is lacking."""
    try:
        network = chosen_networks(rows, study).network
    except NetworkError:
        return []
    return [
        statistics.mean(
            float(row["test_error"]) for (label, one), row in network.items() if one == seed and label.partition("@")[0] in HAD
        )
        for seed in study.seeds
    ]


def other_thousands(runs: Path) -> str:
    """A row a thousand whose networks are all there, the published one first.

    Raises :class:`~memnet.errors.NetworkError` where there is no such thousand.
    """
    rows = read_rows(runs)
    found = {number: means for number, study in OTHER_THOUSANDS.items() if (means := seeds_of(rows, study))}
    first = seeds_of(rows, THOUSAND)
    if not (found or first):
        raise NetworkError(f"{runs} has no thousand with all its runs; 'memnet reproduce {SPREAD.name}' makes them")
    lines = [["the published one", *cells_of(first)]] if first else []
    lines += [[f"thousand {number} of the 10,000", *cells_of(means)] for number, means in found.items()]
    means = [statistics.mean(one) for one in found.values()]
    return render(
        "other-thousands",
        table=markdown_table(["learned from", "mean", "± sd of seeds", "seeds"], lines),
        tasks=len(HAD),
        number=len(found),
        lacking=[number for number in OTHER_THOUSANDS if number not in found],
        mean=statistics.mean(means) if means else None,
        sd=statistics.stdev(means) if len(means) > 1 else None,
        first=statistics.mean(first) if first else None,
        name=SPREAD.name,
    )


def cells_of(means: Sequence[float]) -> list[str]:
    """Mean and spread of seeds, and how many they are."""
    return [bold(two_decimals(statistics.mean(means))), two_decimals(statistics.stdev(means)), str(len(means))]

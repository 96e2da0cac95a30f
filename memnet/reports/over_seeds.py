"""Tables of one's own runs over several seeds: the chosen networks of each seed, their mean and how they differ."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import grid, in_order, mean_and_deviation, splits_in_order
from memnet.record.runs import BY, Row, families, read_rows
from memnet.reports.pivot import Networks
from memnet.reports.select import columns_of, no_run
from memnet.reports.templates import render


def over_seeds(runs: Path, presets: Sequence[str] = (), only: str | None = None, by: str = BY[0], changed: bool = True) -> str:
    """A table for each family: a row a data set, or a split or kind, a column a preset with its settings.

    A cell is the mean of the chosen networks of all seeds ± their sample standard deviation. Raises
    :class:`~memnet.errors.NetworkError` where there is no run.
    """
    rows = read_rows(runs)
    every = [only] if only else sorted({family for row in rows for family in families(row)})
    tables = [table for family in every if (table := of_family(rows, family, presets, by, changed))]
    if not tables and by != BY[0]:
        raise NetworkError(f"{runs} has no such run whose test questions are of several {by}s; leave --by out")
    if not tables:
        raise no_run(runs, rows, every, 0, presets, "" if changed else ", no setting changed")
    return "\n\n".join(tables)


def of_family(rows: Sequence[Row], family: str, presets: Sequence[str], by: str, changed: bool) -> str:
    """The table of one family; empty where nothing was run of it, or nothing that is split so."""
    found: dict[tuple[str, str], list[Networks]] = {}
    for seed in sorted({int(row["seed"]) for row in rows}):
        for group in columns_of(rows, family, seed, presets or None, changed):
            if by == BY[0] or group[0][f"{by}s"]:
                part = Networks(group, by=by)
                found.setdefault((part.head(), group[0]["data"] if part.joint else ""), []).append(part)
    columns = [(head, cells(parts)) for (head, _), parts in found.items()]
    labels = (label for parts in found.values() for part in parts for label in part.chosen)
    names = splits_in_order(labels) if by == "split" else in_order(labels)
    table = grid(columns, "data set" if by == BY[0] else f"data set, {by}", ("mean", "seeds"), names)
    return render("over-seeds", family=family, table=table) if columns else ""


def cells(parts: Sequence[Networks]) -> dict[str, str]:
    """A column: the chosen networks of several seeds, and the mean over data sets of the seeds that have all of them."""
    labels = {label for part in parts for label in part.chosen}
    every = {label: [part.chosen[label] for part in parts if label in part.chosen] for label in labels}
    whole = [part.mean for part in parts if part.chosen.keys() == labels]
    return {label: mean_and_deviation(errors) for label, errors in every.items()} | {
        "mean": mean_and_deviation(whole),
        "seeds": str(len(parts)),
    }

"""Tables of presets, ours beside the paper's, task by task; a paper's own, anybody's runs, and a summary of all."""

from __future__ import annotations

import csv
import hashlib
import io
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memnet.config import RULES
from memnet.errors import NetworkError
from memnet.markdown import bold, decimals, grid, in_order, markdown_table, mean_and_deviation, one_decimal, splits_in_order
from memnet.papers import COLUMNS, TABLES
from memnet.papers.declare import NOT_AT_HAND, SIMULATED, SIZES, Runs
from memnet.record.published import paper_figures
from memnet.record.runs import BY, Row, families, read_rows
from memnet.reports.pivot import Networks, failed_row, failing
from memnet.reports.select import columns_of, no_run, select
from memnet.reports.templates import render
from memnet.tasks.families import FAMILIES


def collect(
    runs: Path, published: Path, family: str, seed: int = 0, presets: Sequence[str] | None = None, none: bool = False
) -> list[Networks]:
    """The columns of a table of one family, see :func:`~memnet.reports.select.columns_of`, with the papers' figures.

    Raises :class:`~memnet.errors.NetworkError` where there is no run, unless ``none`` allows it.
    """
    rows = read_rows(runs)
    found = [with_paper(Networks(group), published) for group in columns_of(rows, family, seed, presets)]
    if not found and not none:
        raise no_run(runs, rows, [family], seed, presets or (), ", no setting changed")
    return found


def with_paper(part: Networks, published: Path) -> Networks:
    """Networks with what the paper of their column prints, which is of no other settings."""
    figures = paper_figures(published, part.preset, part.family, part.joint)
    return part if part.settings else replace(part, printed=figures.errors, printed_mean=figures.mean)


def table_of(runs: Path, published: Path, family: str, seed: int = 0, presets: Sequence[str] | None = None) -> str:
    """Test error in percent by data set, with the protocol of each column below it."""
    return table_of_columns(collect(runs, published, family, seed, presets), runs, seed)


def table_of_columns(parts: Sequence[Networks], runs: Path, seed: int = 0) -> str:
    """The same of columns of one family, by what their errors are of."""
    columns: list[tuple[str, Mapping[str, str]]] = []
    family, by = parts[0].family, parts[0].by
    labels = (label for part in parts for label in part.chosen)
    failed, head = failed_row(family), "task" if by == BY[0] else f"task, {by}"
    for part in parts:
        ends = {"mean": bold(one_decimal(part.mean)), failed: str(part.failed)}
        every = {label: mean_and_deviation(errors) for label, errors in part.every.items()}
        columns.append((part.head(), decimals(part.chosen) | ends))
        columns.append(("all restarts", every | {"mean": part.all_restarts}))
        columns += beside(part)
    return render(
        "errors",
        family=family,
        by=by,
        size=SIZES.get(family),
        seed=seed,
        ports=any(part.is_of_port for part in parts),
        permuted=any(part.config.permute and not part.settings for part in parts),
        table=grid(columns, head, ("mean", failed), splits_in_order(labels) if by == "split" else in_order(labels)),
        below="\n".join(protocol(part, on_simulated(runs, part, seed)) for part in parts),
    )


def beside(part: Networks) -> list[tuple[str, Mapping[str, str]]]:
    """The paper's figures beside a column, and what ours are more; nothing where no paper has any."""
    if not (part.printed or part.printed_mean):
        return []
    both = {label: (error, part.printed[label]) for label, error in part.chosen.items() if label in part.printed}
    failed = str(failing((printed for _, printed in both.values()), part.family)) if both else ""
    figures = decimals(part.printed) | {"mean": one_decimal(part.paper_mean), failed_row(part.family): failed}
    if part.paper_mean is not None:
        both["mean"] = (part.mean, part.paper_mean)
    return [
        ("port" if part.is_of_port else "paper", figures),
        ("difference", {label: f"{ours - printed:+.1f}" for label, (ours, printed) in both.items()}),
    ]


def protocol(part: Networks, simulated: Sequence[Networks] = ()) -> str:
    """How a column came to be, in one line; and one for each task of which it learned ``simulated`` stories."""
    return render(
        "protocol",
        part=part,
        simulated=simulated,
        column=COLUMNS.get((part.preset, part.family)),
        size=SIZES.get(part.family),
        rules=RULES,
        families=FAMILIES,
        digest=digest,
        values=values,
        similarity=head_similarity,
        spread=mean_and_deviation,
    )


def values(rows: Iterable[Row], name: str) -> list[str]:
    """What rows have in a column, without an empty one, in alphabetical order."""
    return sorted({row[name] for row in rows} - {""})


def digest(rows: Iterable[Row]) -> str:
    """Twelve digits of the hashes of what networks learned from."""
    return hashlib.sha256("\n".join(sorted({row["hash"] for row in rows})).encode()).hexdigest()[:12]


def head_similarity(part: Networks) -> list[tuple[str, str, str]]:
    """Of each layer of the chosen networks, then the lowest and highest; none where there are no heads."""
    cells = [cell for row in part.rows if row["chosen"] == "1" for cell in row["head_similarity"].split()]
    found = [[float(value) for value in cell.split("/")] for cell in cells if cell != "-"]
    if not found:
        return []
    layers = ", ".join(f"{statistics.mean(layer):.2f}" for layer in zip(*found, strict=True))
    return [(layers, f"{min(map(min, found)):.2f}", f"{max(map(max, found)):.2f}")]


def on_simulated(runs: Path, part: Networks, seed: int) -> list[Networks]:
    """What a column's preset did on simulated stories of the tasks that are not at hand; never in the table."""
    declared = COLUMNS.get((part.preset, part.family))
    if declared is None or declared.simulated is None or part.settings or part.by != BY[0]:
        return []
    texts: dict[tuple[str, str], list[Row]] = {}
    family, missing = SIMULATED[part.family], NOT_AT_HAND[part.family]
    again = Runs((part.preset,), family, missing, settings=declared.simulated, seed=seed, restarts=int(part.restarts))
    for row in select(read_rows(runs), again):
        texts.setdefault((row["data"], row["hash"]), []).append(row)
    return [Networks(rows) for rows in texts.values()]


def table_csv(runs: Path, published: Path, family: str, seed: int = 0, presets: Sequence[str] | None = None) -> str:
    """The numbers of :func:`table_of`, a line a preset and data set."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["preset", "regime", "restarts", "size", "task", "chosen", "mean", "sd", "paper", "difference"])
    for part in collect(runs, published, family, seed, presets):
        for label in in_order(part.chosen):
            error, every, paper = part.chosen[label], part.every[label], part.printed.get(label)
            deviation = f"{statistics.stdev(every):.4g}" if len(every) > 1 else ""
            ours = [f"{error:g}", f"{statistics.mean(every):.4g}", deviation]
            printed = ["", ""] if paper is None else [f"{paper:g}", f"{error - paper:.4g}"]
            regime = "joint" if part.joint else "single"
            writer.writerow([part.preset, regime, part.restarts, SIZES.get(family, family), label, *ours, *printed])
    return text.getvalue()


def tables_of_families(
    runs: Path,
    published: Path,
    seed: int = 0,
    presets: Sequence[str] = (),
    only: str | None = None,
    by: str = BY[0],
    changed: bool = True,
) -> str:
    """A table for each family that a file has runs of, or for one: published and simulated stories are never in one.

    With a column for each of the settings that a preset was trained with where they are ``changed``. Raises
    :class:`~memnet.errors.NetworkError` where there is no run, or none of a preset that is named.
    """
    rows = read_rows(runs)
    every = [only] if only else sorted({family for row in rows for family in families(row)})
    columns = {family: columns_of(rows, family, seed, presets or None, changed) for family in every}
    there = {group[0]["preset"] for groups in columns.values() for group in groups}
    if lacking := [preset for preset in presets if preset not in there] or ([] if there else [""]):
        raise no_run(runs, rows, every, seed, [*filter(None, lacking[:1])], "" if changed else ", no setting changed")
    if by != BY[0]:
        columns = {family: [group for group in groups if group[0][f"{by}s"]] for family, groups in columns.items()}
        if not any(columns.values()):
            raise NetworkError(f"{runs} has no such run whose test questions are of several {by}s; leave --by out")
    found = [
        [with_paper(Networks(group), published) if by == BY[0] else Networks(group, by=by) for group in groups]
        for groups in columns.values()
        if groups
    ]
    return "\n\n".join(table_of_columns(parts, runs, seed) for parts in found)


def summary(runs: Path, published: Path, seed: int = 0) -> str:
    """Every result table's columns in a line each: mean error and failed tasks, ours and the papers'."""
    lines = []
    shown: set[tuple[str, str]] = set()
    for table in TABLES.values():
        new = [preset for preset in table.presets if (preset, table.family) not in shown]
        shown.update((preset, table.family) for preset in new)
        for part in collect(runs, published, table.family, seed, new, True) if new else ():
            number, paper = len(part.chosen), part.printed_cell
            networks = f"1 for {number} tasks" if part.joint else f"{number}, one a task"
            if paper and part.chosen.keys() <= part.printed.keys():
                paper += f" ({failing((part.printed[label] for label in part.chosen), part.family)})"
            networks += f", {part.choice or f'chosen from {part.restarts}'}"
            ours = f"{one_decimal(part.mean)} ({part.failed})"
            lines.append([f"`{part.preset}`", SIZES[table.family], networks, ours, part.all_restarts, paper])
    head = ["preset", "questions", "networks", "ours", "all restarts", "paper"]
    return render("summary", table=markdown_table(head, lines, "lllrrr"))

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
from memnet.markdown import markdown_table
from memnet.papers import COLUMNS, PRESETS, TABLES
from memnet.papers.declare import NOT_AT_HAND, SIMULATED, SIZES, Runs
from memnet.record.runs import read_rows
from memnet.reports.pivot import (
    Networks,
    bold,
    failed_row,
    failing,
    grid,
    mean_and_deviation,
    one_decimal,
)
from memnet.reports.published import paper_figures
from memnet.reports.select import Row, columns_of, families, in_order, no_run, select
from memnet.reports.templates import render
from memnet.tasks.families import FAMILIES


def collect(
    runs: Path, published: Path, family: str, seed: int = 0, presets: Sequence[str] | None = None, none: bool = False
) -> list[Networks]:
    """The columns of a table of one family, see :func:`~memnet.reports.select.columns_of`, with the papers' figures.

    Raises :class:`~memnet.errors.NetworkError` where there is no run, unless ``none`` allows it.
    """
    rows = read_rows(runs)
    found = [Networks(group) for group in columns_of(rows, family, seed, presets)]
    if not found and not none:
        raise no_run(runs, rows, [family], seed, presets or ())
    return [with_paper(part, published) for part in found]


def with_paper(part: Networks, published: Path) -> Networks:
    """Networks with what the paper of their column prints."""
    figures = paper_figures(published, part.preset, part.family, part.joint)
    return replace(part, printed=figures.errors, printed_mean=figures.mean)


def table_of(runs: Path, published: Path, family: str, seed: int = 0, presets: Sequence[str] | None = None) -> str:
    """Test error in percent by data set, with the protocol of each column below it."""
    parts = collect(runs, published, family, seed, presets)
    columns: list[tuple[str, Mapping[str, str]]] = []
    failed = failed_row(family)
    for part in parts:
        errors = {label: one_decimal(error) for label, error in part.chosen.items()}
        every = {label: mean_and_deviation(found) for label, found in part.every.items()}
        columns.append((part.head(), errors | {"mean": bold(one_decimal(part.mean)), failed: str(part.failed)}))
        columns.append(("all restarts", every | {"mean": part.all_restarts}))
        columns += beside(part)
    below = [line for part in parts for line in (protocol(part), *on_simulated(runs, published, part, seed))]
    return render(
        "errors",
        family=family,
        size=SIZES.get(family),
        seed=seed,
        ports=any(part.is_of_port for part in parts),
        permuted=any(PRESETS[part.preset].permute for part in parts),
        table=grid(columns, below=("mean", failed), rows=in_order(label for part in parts for label in part.chosen)),
        below="\n".join(below),
    )


def beside(part: Networks) -> list[tuple[str, Mapping[str, str]]]:
    """The paper's figures beside a column, and what ours are more; nothing where no paper has any."""
    if not (part.printed or part.printed_mean):
        return []
    known, theirs = part.chosen, dict(part.printed)
    same = {label: theirs[label] for label in known if label in theirs}
    both = {**{label: (known[label], error) for label, error in same.items()}}
    if part.paper_mean is not None:
        both["mean"] = (part.mean, part.paper_mean)
    figures = {label: one_decimal(error) for label, error in theirs.items()} | {"mean": one_decimal(part.paper_mean)}
    figures[failed_row(part.family)] = str(failing(same.values(), part.family)) if same else ""
    return [
        ("port" if part.is_of_port else "paper", figures),
        ("difference", {label: f"{ours - paper:+.1f}" for label, (ours, paper) in both.items()}),
    ]


def protocol(part: Networks) -> str:
    """How a column came to be, in one line."""
    first, config = part.rows[0], PRESETS[part.preset]
    declared = COLUMNS.get((part.preset, part.family))
    printed = ""
    if part.printed_mean is not None:
        whose = "A re-implementation has" if part.is_of_port else "The paper prints"
        printed = f" {whose} a mean of {part.printed_mean:g}."
        if declared is not None and declared.published_size is not None:
            printed += " It does not say how many questions that was learned from."
    fewest, most = (pick(int(row["epochs"]) for row in part.rows) for pick in (min, max))
    epochs = f"{most} epochs" if fewest == most else f"{fewest} to {most} epochs"
    epochs += " after the linear start" if config.linear_epochs else ""
    trained = part.choice or f"{part.restarts} restarts, chosen by the lowest {RULES[first['selection']]} error"
    if part.choice != "fitted once":
        trained += f"; {epochs}" + (", permutation augmentation" if config.permute else "")
    hashes = hashlib.sha256("\n".join(sorted({row["hash"] for row in part.rows})).encode()).hexdigest()[:12]
    made = [f"{name} {', '.join(values(part.rows, name))}" for name in ("torch", "numpy", "python")]
    made += [f"on {', '.join(machines)}" for machines in [values(part.rows, "machine")] if machines]
    scope = "one network for all tasks" if part.joint else "one network a task"
    return (
        f"- `{part.preset}`: {scope}, {len(part.chosen)} task(s), {trained}, seed {first['seed']}; {source(part.family)} data "
        f"{hashes}; {part.seconds:,.0f} s of one core; {', '.join(made)}, code {', '.join(values(part.rows, 'code'))}."
        f"{printed}{head_similarity(part)}"
    )


def values(rows: Iterable[Row], name: str) -> list[str]:
    """What rows have in a column, without an empty one, in alphabetical order."""
    return sorted({row[name] for row in rows} - {""})


def source(family: str) -> str:
    """Where a family's stories are from, in a word."""
    return FAMILIES[family].made if family in FAMILIES else family


def head_similarity(part: Networks) -> str:
    """The head similarity of each layer of the chosen networks, in a sentence; nothing where there are no heads."""
    cells = [cell for row in part.rows if row["chosen"] == "1" for cell in row["head_similarity"].split()]
    found = [[float(value) for value in cell.split("/")] for cell in cells if cell != "-"]
    if not found:
        return ""
    layers = ", ".join(f"{statistics.mean(layer):.2f}" for layer in zip(*found, strict=True))
    lowest, highest = min(map(min, found)), max(map(max, found))
    return (
        f" Head similarity {layers} (layer by layer, the last reading last: the mean cosine between two heads' "
        f"weights for the question, mean over tasks; {lowest:.2f} to {highest:.2f})."
    )


def on_simulated(runs: Path, published: Path, part: Networks, seed: int) -> list[str]:
    """What a column's preset did on simulated stories of the tasks that are not at hand, a line each; never in the table."""
    declared = COLUMNS.get((part.preset, part.family))
    if declared is None or declared.simulated is None:
        return []
    changes, restarts = declared.simulated, int(part.restarts)
    again = Runs(
        (part.preset,), SIMULATED[part.family], NOT_AT_HAND[part.family], settings=changes, seed=seed, restarts=restarts
    )
    texts: dict[tuple[str, str], list[Row]] = {}
    for row in select(read_rows(runs), again):
        texts.setdefault((row["data"], row["hash"]), []).append(row)
    lines = []
    for rows in texts.values():
        found = Networks(rows)
        [(label, error)] = found.chosen.items()
        lines.append(
            f"- `{part.preset}` on **simulated** stories of {label}, whose published {SIZES[part.family]} text was not at hand "
            f"(not in the table, the mean or the failed tasks){', with ' * bool(changes)}{', '.join(changes)}: {error:.1f} % "
            f"of simulated test questions, all restarts {mean_and_deviation(found.every[label])}; "
            + protocol(found).removeprefix(f"- `{part.preset}`: ")
        )
    return lines


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
            theirs = ["", ""] if paper is None else [f"{paper:g}", f"{error - paper:.4g}"]
            regime = "joint" if part.joint else "single"
            writer.writerow([part.preset, regime, part.restarts, SIZES.get(family, family), label, *ours, *theirs])
    return text.getvalue()


def tables_of_families(runs: Path, published: Path, seed: int = 0, presets: Sequence[str] = (), only: str | None = None) -> str:
    """A table for each family that a file has runs of, or for one: published and simulated stories are never in one.

    Raises :class:`~memnet.errors.NetworkError` where there is no run, or none of a preset that is named.
    """
    rows = read_rows(runs)
    every = [only] if only else sorted({family for row in rows for family in families(row)})
    for preset in presets:
        if not any(columns_of(rows, family, seed, [preset]) for family in every):
            raise no_run(runs, rows, every, seed, [preset])
    found = [family for family in every if columns_of(rows, family, seed, presets or None)]
    if not found:
        raise no_run(runs, rows, every, seed, presets)
    return "\n\n".join(table_of(runs, published, family, seed, presets or None) for family in found)


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

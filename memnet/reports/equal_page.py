"""What the page on equal terms begins with: seven rows, their figure, and what two tasks carry."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.papers import equal as terms
from memnet.papers.declare import number_of
from memnet.record.compare import half_interval
from memnet.record.runs import read_rows
from memnet.reports.equal import networks, seconds
from memnet.reports.pairs import p_value, sign_p_value
from memnet.reports.pivot import Networks
from memnet.tasks.families.fidelity import holm

PLAIN, PERMUTED, FACTS = "answers", "answers, permuted", "facts"
EQUAL, OWN = "on equal terms", "by its own recipe"
Cells = Mapping[tuple[str, ...], Networks]


def cells_of(runs: Path) -> Cells:
    """The networks of every line of every table, by table, model and the line's labels."""
    rows, tables = read_rows(runs), {name: terms.TABLES[name][1] for name in terms.LABELS} | {"equal-own": terms.OWN}
    return {
        (name, terms.NAMES[model], *label): networks(rows, part, name)
        for name, parts in tables.items()
        for (model, *label), part in parts.items()
    }


def least_first(cells: Cells) -> list[str]:
    """The seven networks, that with the least error from words as they are first."""
    return sorted(terms.NAMES.values(), key=lambda name: cells["equal", name, PLAIN].mean)


def seven_rows(runs: Path) -> str:
    """A row a network: its errors in the three ways in which most can learn, the least first, and by its own recipe."""
    cells, rows = cells_of(runs), []
    for name in least_first(cells):
        ways = [f"{cells[key].mean:.1f}" if (key := ("equal", name, way)) in cells else "" for way in (PLAIN, PERMUTED, FACTS)]
        recipe = cells.get(("equal-own", name, PLAIN))
        rows.append([name, *ways, *([f"{recipe.mean_of_all:.1f}", f"{seconds(recipe):.1f}"] if recipe else ["", ""])])
    head = ["network", "words as they are", "words permuted", "facts taught", "own recipe", "its seconds"]
    return markdown_table(head, rows)


def bars(runs: Path) -> dict[str, dict[str, float]]:
    """The same errors on equal terms as bars, by way and network."""
    cells = cells_of(runs)
    names = least_first(cells)
    ways = {"words as they are": PLAIN, "words permuted": PERMUTED, "facts taught": FACTS}
    return {
        head: {name: cells["equal", name, way].mean for name in names if ("equal", name, way) in cells}
        for head, way in ways.items()
    }


def carried(runs: Path) -> str:
    """MemN2N by its own recipe less each Transformer, words as they are: p-values, corrected, and without two tasks."""
    cells = cells_of(runs)
    by_recipe, lines, values = cells["equal-own", "MemN2N", PLAIN].means, [], []
    others = {
        f"{name}, {recipe}": cells[table, name, PLAIN].means
        for table, recipe in (("equal", EQUAL), ("equal-own", OWN))
        for name in ("Transformer", "Universal Transformer", "causal Universal Transformer")
        if (table, name, PLAIN) in cells
    }
    for name, errors in others.items():
        found = {task: by_recipe[task] - errors[task] for task in by_recipe}
        rest = [by for task, by in found.items() if task not in terms.CARRYING]
        values.append(p_value([*found.values()]))
        lines.append([name, written([*found.values()]), f"{values[-1]:.3f}", f"{sign_p_value([*found.values()]):.2f}"])
        lines[-1] += [*(f"{found[task]:+.1f}" for task in terms.CARRYING), written(rest), f"{p_value(rest):.2f}"]
    for line, p in zip(lines, holm(values), strict=True):
        line.insert(3, f"{p:.2f}")
    heads = ["MemN2N, its own recipe, less", "20 tasks", "p", "after Holm", "sign test"]
    tasks = [f"task {number_of(task)}" for task in terms.CARRYING]
    return markdown_table([*heads, *tasks, "the other 18", "p"], lines)


def written(found: list[float]) -> str:
    """The mean of differences, ± half its 95 % interval."""
    return f"{statistics.mean(found):+.1f} ± {half_interval(found):.1f}"

"""Every model on equal terms: what the search chose, errors in every cell, and what time, width and alignment change."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import bold, grid, markdown_table, one_decimal
from memnet.papers import equal as terms
from memnet.papers.declare import NOT_AT_HAND, SIZES, Runs
from memnet.record.measurements import measured_by, read_costs
from memnet.record.runs import Row, read_rows
from memnet.reports.pairs import Pairs, in_pairs
from memnet.reports.pivot import Networks
from memnet.reports.select import configs_of, needed
from memnet.reports.templates import render

HEAD = ("training error", "error (failed)", "all restarts", "facts read", "s a restart")
COSTS = ("parameters", "ms an answer", "Mflop an answer")
FACTS_ALONE = " (MemNN: facts)"
Line = tuple[str, ...]


def networks(rows: Sequence[Row], part: Runs, table: str) -> Networks:
    """The networks of a line. Raises :class:`~memnet.errors.NetworkError` where a run is lacking."""
    return Networks(needed(rows, table, part))


def figures(part: Networks) -> list[str]:
    """What a table says of networks, under :data:`HEAD`."""
    errors = f"{part.mean:.1f} ({part.failed})"
    return [one_decimal(part.mean_of("train_error")), errors, part.all_restarts, part.facts_read, f"{seconds(part):.0f}"]


def seconds(part: Networks) -> float:
    """Of one core, a restart, the mean over networks."""
    return statistics.mean(float(row["seconds"]) for row in part.rows)


def width(part: Runs) -> int:
    """Of a line's networks."""
    [config] = configs_of(part).values()
    return config.dim


def against(runs: Path, table: str, measure: Callable[[Networks, Runs], float]) -> dict[str, list[tuple[float, float]]]:
    """By model the points of a figure: a measure of each line and the mean test error of all its restarts."""
    rows, (_, parts) = read_rows(runs), terms.TABLES[table]
    points: dict[str, list[tuple[float, float]]] = {}
    for (model, *_), part in parts.items():
        found = networks(rows, part, table)
        points.setdefault(terms.NAMES[model], []).append((measure(found, part), found.mean_of_all))
    return points


def searched(rows: Sequence[Row], model: str) -> dict[tuple[str, str], Networks]:
    """The networks of each pair of settings in the search for a model."""
    return {
        (rate, strength): networks(rows, part, "equal-search")
        for (name, rate, strength), part in terms.SEARCHED.items()
        if name == model
    }


def best(found: Mapping[tuple[str, str], Networks]) -> tuple[str, str]:
    """The pair with the least mean validation error; of equal ones the first."""
    return min(found, key=lambda pair: found[pair].mean_of("validation_error"))


def search(runs: Path) -> str:
    """The table of the search."""
    rows, lines, models = read_rows(runs), [], dict[tuple[str, str], list[str]]()
    for model, strengths in terms.REGULARISED.items():
        found = searched(rows, model)
        models.setdefault(strengths, []).append(terms.NAMES[model])
        for rate in terms.RATES:
            tried = {(rate, strength): found[rate, strength] for strength in strengths}
            errors = {pair: one_decimal(part.mean_of("validation_error")) for pair, part in tried.items()}
            cells = (bold(error) if pair == best(found) else error for pair, error in errors.items())
            took = sum(seconds(part) for part in tried.values()) * len(terms.SEARCH_TASKS)
            lines.append([terms.NAMES[model], f"`{rate}`", *cells, f"{took:.0f}"])
    table = markdown_table(["model", "learning rate", "weak", "strong", "seconds"], lines, "llrrr")
    return render("equal-search", tasks=terms.SEARCH_TASKS, models=models, table=table)


def on_equal_terms(runs: Path, table: str, costs: Path | None = None) -> str:
    """One of the other tables of :data:`~memnet.papers.equal.TABLES`; with the costs of an answer where a file has them."""
    return in_pairs(lambda pairs: one_table(runs, table, costs, pairs))


def one_table(runs: Path, table: str, costs: Path | None, pairs: Pairs) -> str:
    """The same, its comparisons made by ``pairs``."""
    rows, (_, parts) = read_rows(runs), terms.TABLES[table]
    cells = {line: networks(rows, part, table) for line, part in parts.items()}
    lines = [[terms.NAMES[model], *label, *figures(cells[model, *label])] for model, *label in parts]
    head, first = ["model", *terms.LABELS[table], *HEAD], next(iter(parts.values()))
    if table in terms.SUBTRACTED:
        head.append(f"minus {terms.SUBTRACTED[table]}")
        for line, (name, part) in zip(lines, cells.items(), strict=True):
            line.append("" if (other := reference(table, name)) == name else pairs.difference(part, cells[other]))
    if costs is not None:
        head += COSTS
        for line, more in zip(lines, costs_of(costs, list(parts.values())), strict=True):
            line += more
    return render(
        "equal",
        name=table,
        tasks=tasks_of(first),
        size=SIZES[first.family],
        restarts=first.restarts,
        subtracted=terms.SUBTRACTED.get(table),
        measured=measured_by(read_costs(costs).values()) if costs is not None else None,
        table=markdown_table(
            head, lines, "l" * (1 + len(terms.LABELS[table])) + "r" * (len(head) - 1 - len(terms.LABELS[table]))
        ),
        gained=gains(cells, pairs) if table == "equal" else None,
        ways=[compared(table, way, cells, pairs) for way in terms.PAIRED.get(table, ())],
        compared=len(pairs.p),
    )


def compared(table: str, way: str, cells: Mapping[Line, Networks], pairs: Pairs) -> dict[str, str]:
    """The models that learn in one way task by task, and in pairs."""
    found = {
        terms.NAMES[model]: cells[(model, terms.way_of(model, way)) if terms.LABELS[table] else (model,)]
        for model in terms.NAMES
    }
    memnn = FACTS_ALONE
    if table == "equal":
        memnn = "" if way == terms.way_of(terms.MEMNN, way) else " (MemNN: words as they are)"
    tasks = grid([(name, {task: task_cell(part, task) for task in part.chosen}) for name, part in found.items()])
    return {"way": way, "memnn": memnn, "tasks": tasks, "pairs": differences(found, pairs.difference)}


def task_cell(part: Networks, task: str) -> str:
    """The error of the chosen network, and that of all its restarts in brackets."""
    every = part.every[task]
    return f"{part.chosen[task]:.1f} ({statistics.mean(every):.1f} ± {statistics.stdev(every):.1f})"


def tasks_of(part: Runs) -> str:
    """Which tasks a table has, and which it lacks."""
    lacking = "".join(f" (the text of {task} could not be had)" for task in NOT_AT_HAND[part.family])
    return ", ".join(part.tasks or [f"{len(part.all_tasks)} tasks{lacking}"])


def reference(table: str, line: Line) -> Line:
    """The line of a table that is subtracted from another."""
    model, label = line
    return ("equal-universal", label) if table == "equal-time" else (model, terms.SUBTRACTED[table])


def costs_of(costs: Path, parts: Sequence[Runs]) -> list[list[str]]:
    """What an answer of each line's network costs. Raises :class:`~memnet.errors.NetworkError` where that was not measured."""
    measured, found = read_costs(costs), []
    for part in parts:
        network = (part.presets[0], width(part))
        if network not in measured:
            said = "{} of width {}".format(*network)
            raise NetworkError(f"{costs} has no costs of {said}; 'memnet bench models' measures its networks for task 2")
        found.append(measured[network].figures)
    return found


def gains(cells: Mapping[Line, Networks], pairs: Pairs) -> str:
    """Of each model that learns in all ways what each changes of the errors from answers."""
    first, *others = terms.WAYS
    models = [model for model in terms.NAMES if all((model, way) in cells for way in terms.WAYS)]
    lines = [
        [terms.NAMES[model], *(pairs.difference(cells[model, way], cells[model, first]) for way in others)] for model in models
    ]
    return markdown_table(["model", *others], lines)


def differences(cells: Mapping[str, Networks], written: Callable[[Networks, Networks], str]) -> str:
    """Of each pair what the row's errors are more than the column's."""
    others, lines = list(cells)[1:], []
    for place, (name, part) in enumerate(list(cells.items())[:-1]):
        lines.append([name, *("" if column < place else written(part, cells[other]) for column, other in enumerate(others))])
    return markdown_table(["row less column", *others], lines)


def own_recipes(runs: Path) -> str:
    """Each network by the recipe of our other tables, beside and less those on equal terms, and less each other."""
    return in_pairs(lambda pairs: own_table(runs, pairs))


def own_table(runs: Path, pairs: Pairs) -> str:
    """The same, its comparisons made by ``pairs``."""
    rows = read_rows(runs)
    recipes, equal = (
        {line: networks(rows, part, "equal-own") for line, part in parts.items()} for parts in (terms.OWN, terms.BESIDE)
    )
    head = ["model", "learns from", "its own recipe", "restarts", "error, own", "s a restart, own"]
    head += ["error, equal", "s a restart, equal", "own less equal"]
    lines = []
    for line, part in terms.OWN.items():
        cells = (cell for found in (recipes[line], equal[line]) for cell in (found.all_restarts, f"{seconds(found):.1f}"))
        first = (terms.NAMES[line[0]], line[1], f"`{part.presets[0]}`", str(part.restarts))
        lines.append([*first, *cells, pairs.difference_of_all(recipes[line], equal[line])])
    ways = []
    for way in terms.OWN_WAYS:
        ours, others = (
            {terms.NAMES[model]: part for (model, kind), part in cells.items() if kind == way} for cells in (recipes, equal)
        )
        across = [[name, *(pairs.difference_of_all(row, column) for column in others.values())] for name, row in ours.items()]
        table = markdown_table(["row less column", *others], across)
        among = differences(ours, pairs.difference_of_all)
        ways.append({"way": way, "across": table, "among": among})
    return render("equal-own", table=markdown_table(head, lines, "lllrrrrrr"), ways=ways, compared=len(pairs.p))

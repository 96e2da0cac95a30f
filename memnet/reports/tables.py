"""A paper's table: our errors beside the paper's, task by task, as Markdown and CSV; and a summary of all tables."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Sequence
from pathlib import Path

from memnet.config import override, parse_settings
from memnet.markdown import markdown_table
from memnet.papers import COLUMNS, PRESETS, TABLES
from memnet.papers.declare import NOT_AT_HAND
from memnet.reports.columns import (
    Results,
    all_restarts,
    collect,
    column_head,
    is_of_port,
    mean_and_deviation,
    means,
    one_decimal,
    printed_mean,
    protocol,
    restarts_in_words,
    results_of,
    task_number,
)
from memnet.reports.legacy import read_rows
from memnet.training.evaluate import FAILED
from memnet.training.spec import config_hash

PERMUTED = " Presets with `permute` in their name were trained with permutation augmentation, the papers' networks were not."


PORT = " A port is a re-implementation, where the paper prints nothing: its figure is none of the paper's."


def whose(part: Results) -> str:
    """What stands above the figures beside ours."""
    return "port" if is_of_port(part) else "paper"


def summary(runs: Path, published: Path, seed: int = 0) -> str:
    """Every result table's columns in a line each: mean error and failed tasks, ours and the papers'."""
    rows = []
    shown: set[tuple[str, str]] = set()
    for table in TABLES.values():
        new = [preset for preset in table.presets if (preset, table.size) not in shown]
        shown.update((preset, table.size) for preset in new)
        for part in collect(runs, published, table.size, seed, new, True) if new else ():
            tasks, restarts = len(part.chosen), part.rows[0]["restarts"]
            networks = f"1 for {tasks} tasks" if part.regime == "joint" else f"{tasks}, one a task"
            paper = printed_mean(part)
            if paper and part.chosen.keys() <= part.published.keys():
                paper += f" ({sum(part.published[task] > FAILED for task in part.chosen)})"
            networks += f", {restarts_in_words(part) or f'chosen from {restarts}'}"
            ours = f"{one_decimal(means(part)[0])} ({part.failed})"
            rows.append([f"`{part.preset}`", table.size, networks, ours, all_restarts(part), paper])
    text = """\
Mean test error in percent over the tasks; published bAbI v1.2 text (en). In brackets: how many tasks fail (error above 5 %).

- *ours*: of the networks that were chosen.
- *all restarts*: of all networks; ± their sample standard deviation, the mean over tasks, where there are several.
- *paper*: of the paper's network, over the same tasks; *(port)*: of a re-implementation, as the paper prints none.

""" + PERMUTED.strip()
    head = ["preset", "questions", "networks", "ours", "all restarts", "paper"]
    return f"{text}\n\n{markdown_table(head, rows, 'lllrrr')}"


def cells_of(part: Results, ours: float | None, every: str, paper: float | None) -> list[str]:
    """A column's cells of one line: the chosen network, all restarts, and where there is one the paper and the difference."""
    if not part.beside_paper:
        return [one_decimal(ours), every]
    difference = "" if ours is None or paper is None else f"{ours - paper:+.1f}"
    return [one_decimal(ours), every, one_decimal(paper), difference]


def render(runs: Path, published: Path, size: str, seed: int, presets: Sequence[str] | None = None) -> str:
    """Test error in percent per task as a Markdown table, with the protocol below it."""
    parts = collect(runs, published, size, seed, presets)
    head = ["task"]
    for part in parts:
        head += [column_head(part), "all restarts", *([whose(part), "difference"] if part.beside_paper else [])]
    rows = []
    for task in sorted({task for part in parts for task in part.chosen}):
        row = [f"qa{task}"]
        for part in parts:
            every = mean_and_deviation(part.every.get(task, []))
            row += cells_of(part, part.chosen.get(task), every, part.published.get(task))
        rows.append(row)
    averages, failed = ["mean"], ["failed (> 5 %)"]
    for part in parts:
        ours, _, paper = means(part)
        first, *rest = cells_of(part, ours, all_restarts(part), paper)
        averages += [f"**{first}**", *rest]
        same = [part.published[task] for task in part.chosen if task in part.published]
        theirs = str(sum(error > FAILED for error in same)) if same else ""
        failed += [str(part.failed), "", theirs, ""][: 1 + len(rest)]
    text = (
        f"Test error in percent, published bAbI v1.2 text (en, {size}), seed {seed}: the chosen network, the mean and the "
        "sample standard deviation over all restarts (below: the means over tasks of both), the paper, and the difference of "
        "the chosen network to it."
    )
    text += PORT if any(is_of_port(part) for part in parts) else ""
    text += PERMUTED if any(PRESETS[part.preset].permute for part in parts) else ""
    below = [line for part in parts for line in (protocol(part), *on_simulated(runs, published, part, size, seed))]
    return "\n".join([text, "", markdown_table(head, [*rows, averages, failed]), "", *below])


def on_simulated(runs: Path, published: Path, part: Results, size: str, seed: int) -> list[str]:
    """What a column's preset did on simulated stories of the tasks that are not at hand, a line each; never in the table."""
    declared = COLUMNS.get((part.preset, size))
    if declared is None or declared.simulated is None:
        return []
    lines, changes = [], declared.simulated
    config = override(PRESETS[part.preset], parse_settings(changes, type(PRESETS[part.preset])))
    changed = f", with {', '.join(changes)}" if changes else ""
    restarts = part.rows[0]["restarts"]
    for task in NOT_AT_HAND[size]:
        key = (part.preset, config_hash(config), task, size, str(seed), "simulated", " ".join(changes), restarts)
        names = ("preset", "config", "tasks", "size", "seed", "source", "settings", "restarts")
        sets: dict[str, list[dict[str, str]]] = {}  # by the stories
        for row in read_rows(runs):
            if tuple(row[name] for name in names) == key:
                sets.setdefault(row["data"], []).append(row)
        for rows in sets.values():
            its = results_of(rows, published, part.preset, size)._replace(published={}, published_mean=None)
            number = task_number(task)
            lines.append(
                f"- `{part.preset}` on **simulated** stories of {task}, whose published {size} text was not at hand (not in "
                f"the table, the mean or the failed tasks){changed}: {its.chosen[number]:.1f} % of simulated test questions, "
                f"all restarts {mean_and_deviation(its.every[number])}; " + protocol(its).removeprefix(f"- `{part.preset}`: ")
            )
    return lines


def render_csv(runs: Path, published: Path, size: str, seed: int, presets: Sequence[str] | None = None) -> str:
    """The numbers of :func:`render`, a line a preset and task."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["preset", "regime", "restarts", "size", "task", "chosen", "mean", "sd", "paper", "difference"])
    for part in collect(runs, published, size, seed, presets):
        for task, error in sorted(part.chosen.items()):
            every, paper = part.every[task], part.published.get(task)
            deviation = f"{statistics.stdev(every):.4g}" if len(every) > 1 else ""
            ours = [f"{error:g}", f"{statistics.mean(every):.4g}", deviation]
            theirs = ["", ""] if paper is None else [f"{paper:g}", f"{error - paper:.4g}"]
            writer.writerow([part.preset, part.regime, part.rows[0]["restarts"], size, f"qa{task}", *ours, *theirs])
    return text.getvalue()

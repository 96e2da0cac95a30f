"""Each network by the recipe that our other tables train it with, beside the one of the comparison on equal terms."""

from __future__ import annotations

import statistics
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.papers.equal import CELLS, NAMES, OWN
from memnet.reports.equal import Cell, cell, interval
from memnet.training.records import read_rows

WAYS = ("answers", "answers, permuted")  # those in which networks are compared in pairs
HEAD = (
    *("model", "learns from", "its own recipe", "restarts", "error", "s a restart"),
    *("error on equal terms", "s a restart", "own less equal"),
)


def own_recipes(runs: Path) -> str:
    """The table, and in two ways the networks by their own recipes less those on equal terms, and less each other."""
    rows = read_rows(runs)
    own = {line: cell(rows, part, "equal-own") for line, part in OWN.items()}
    equal = {line: cell(rows, CELLS[line], "equal-own") for line in OWN}
    lines = [
        [
            *(NAMES[line[0]], line[1], f"`{part.presets[0]}`", str(part.restarts)),
            *(of_all(own[line]), f"{own[line].seconds:.1f}"),
            *(of_all(equal[line]), f"{equal[line].seconds:.1f}"),
            interval(own[line].means, equal[line].means),
        ]
        for line, part in OWN.items()
    ]
    sections = [TEXT, markdown_table(list(HEAD), lines, "lllrrrrrr")]
    for way in WAYS:
        by_own, by_equal = (
            {NAMES[model]: found for (model, of), found in cells.items() if of == way} for cells in (own, equal)
        )
        grid = [[name, *(interval(row.means, column.means) for column in by_equal.values())] for name, row in by_own.items()]
        sections += [ACROSS.format(way=way), markdown_table(["row less column", *by_equal], grid, "l" + "r" * len(by_equal))]
        _, *others = by_own
        pairs = [
            [name, *("" if place > column else interval(row.means, by_own[other].means) for column, other in enumerate(others))]
            for place, (name, row) in enumerate(list(by_own.items())[:-1])
        ]
        sections += [AMONG.format(way=way), markdown_table(["row less column", *others], pairs, "l" + "r" * len(others))]
    return "\n\n".join(sections)


def of_all(found: Cell) -> str:
    """The mean error of all restarts, ± their standard deviation, the mean over tasks, where there are several."""
    several = [statistics.stdev(errors) for errors in found.every.values() if len(errors) > 1]
    return f"{found.mean_of_all:.1f}" + (f" ± {statistics.mean(several):.1f}" if several else "")


TEXT = """\
Test error in percent over 20 tasks, published bAbI v1.2 text (en, 1k), seed 0: of all restarts, as the two recipes choose one
of them in different ways, or have a single one.

- *its own recipe*: the preset of our other tables, which follows its paper or suits it; `memnet presets` lists them.
  *On equal terms*: [the recipe](equal.md) that is the same for all, five restarts.
- *error*: the mean of all restarts; ± their sample standard deviation, the mean over tasks, where there are several.
- *s a restart*: seconds of one core for each restart.
- *own less equal*: the difference of these errors, the mean over tasks; ± half the 95 % interval of a paired t test over the
  tasks, in bold where it leaves out zero before rounding."""
ACROSS = """\
Learned from *{way}*: every network by its own recipe, in a row, less every network on equal terms, in a column, as above. Of
25 pairs without a difference one or two would be bold by chance:"""
AMONG = """\
Learned from *{way}*: the networks by their own recipes, those of the row less those of the column, as above; their restarts,
epochs and seconds differ:"""

"""Each network by the recipe that our other tables train it with, beside the one of the comparison on equal terms."""

from __future__ import annotations

import statistics
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.papers.equal import BESIDE, NAMES, OWN, OWN_WAYS
from memnet.reports.equal import Cell, cell, difference_of_all, differences
from memnet.reports.legacy import read_rows

HEAD = (
    *("model", "learns from", "its own recipe", "restarts", "error, own", "s a restart, own"),
    *("error, equal", "s a restart, equal", "own less equal"),
)


def own_recipes(runs: Path) -> str:
    """The table, and in two ways the networks by their own recipes less those on equal terms, and less each other."""
    rows = read_rows(runs)
    own = {line: cell(rows, part, "equal-own") for line, part in OWN.items()}
    equal = {line: cell(rows, part, "equal-own") for line, part in BESIDE.items()}
    lines = [
        [
            *(NAMES[line[0]], line[1], f"`{part.presets[0]}`", str(part.restarts)),
            *(of_all(own[line]), f"{own[line].seconds:.1f}"),
            *(of_all(equal[line]), f"{equal[line].seconds:.1f}"),
            difference_of_all(own[line], equal[line]),
        ]
        for line, part in OWN.items()
    ]
    sections = [TEXT, markdown_table(list(HEAD), lines, "lllrrrrrr")]
    for way in OWN_WAYS:
        by_own, by_equal = (
            {NAMES[model]: found for (model, of), found in cells.items() if of == way} for cells in (own, equal)
        )
        grid = [[name, *(difference_of_all(row, column) for column in by_equal.values())] for name, row in by_own.items()]
        sections += [
            ACROSS.format(way=way, number=len(by_own) * len(by_equal)),
            markdown_table(["row less column", *by_equal], grid, "l" + "r" * len(by_equal)),
            AMONG.format(way=way),
            differences(by_own, difference_of_all),
        ]
    return "\n\n".join(sections)


def of_all(found: Cell) -> str:
    """The mean error of all restarts, ± their standard deviation, the mean over tasks, where there are several."""
    several = [statistics.stdev(errors) for errors in found.every.values() if len(errors) > 1]
    return f"{found.mean_of_all:.1f}" + (f" ± {statistics.mean(several):.1f}" if several else "")


TEXT = """\
Test error in percent over 20 tasks, published bAbI v1.2 text (en, 1k), seed 0: of all restarts, as the two recipes choose one
of them in different ways, or have a single one.

- *its own recipe*: the preset of our other tables, which follows its paper or suits it; `memnet presets` lists them.
  *On equal terms*: [the recipe](equal.md) that is the same for all, five restarts;
  without facts the MemNN learns by trial what to read.
- *error*: the mean of all restarts; ± their sample standard deviation, the mean over tasks, where there are several.
- *s a restart*: seconds of one core for each restart.
- *own less equal*: the difference of these errors, the mean over tasks; ± half the 95 % interval of a paired t test over the
  tasks, in bold where it leaves out zero before rounding."""
ACROSS = """\
Learned from *{way}*: every network by its own recipe, in a row, less every network on equal terms, in a column, as above. Of
{number} pairs without a difference one or two would be bold by chance:"""
AMONG = """\
Learned from *{way}*: the networks by their own recipes, those of the row less those of the column, as above; their restarts,
epochs and seconds differ:"""

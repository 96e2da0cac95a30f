"""Tables of ``docs/families/dialog.md``: what networks answer in dialogs, and figures of others."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from pathlib import Path

from memnet.markdown import markdown_table
from memnet.record.family_scores import DialogScore
from memnet.record.measurements import PrintedFigure, read_csv
from memnet.reports.templates import render

FILE, PRINTED_FILE = "dialog.csv", "dialog_published.csv"
VALIDATION = "validation"


def mean(values: Sequence[float], digits: int) -> str:
    """The mean over seeds, with the least where they differ; nothing where there is none."""
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return ""
    least, middle = (format(value, f".{digits}f") for value in (min(known), statistics.fmean(known)))
    return middle if least == middle else f"{middle} (least {least})"


def scores(results: Path) -> str:
    """A row for each data set, split and network: means over its seeds."""
    lines = read_csv(results / FILE, DialogScore)
    groups: dict[tuple[str, str, str, int], list[DialogScore]] = {}
    for one in lines:
        if one.split != VALIDATION:
            groups.setdefault((one.data, one.split, one.network, one.epochs), []).append(one)
    rows = [
        [
            data,
            split,
            network,
            str(len(found)),
            str(epochs),
            f"{statistics.fmean(one.seconds for one in found):,.0f}",
            f"{found[0].questions:,}",
            mean([one.responses for one in found], 2),
            mean([one.dialogs for one in found], 1),
            mean([one.ranked for one in found], 2),
        ]
        for (data, split, network, epochs), found in sorted(groups.items(), key=lambda item: item[0][:2])
    ]
    head = ["data set", "split", "network", "seeds", "epochs", "s", "responses", "right %", "dialogs right %", "ranked first %"]
    return render("memories", table=markdown_table(head, rows, "lll" + "r" * (len(head) - 3)), lines=lines)


def printed(results: Path) -> str:
    """Figures of others, with where they are from."""
    lines = read_csv(results / PRINTED_FILE, PrintedFigure)
    rows = [[one.system, one.task, one.length, f"{one.right:g}", one.source] for one in lines]
    return markdown_table(["system", "data set and split", "measured", "%", "from"], rows, "lllrl")

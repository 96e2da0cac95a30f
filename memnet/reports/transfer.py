"""Does a simulated story teach as much as a published one?"""

from __future__ import annotations

import statistics
from pathlib import Path

from memnet.errors import NetworkError
from memnet.markdown import markdown_table
from memnet.papers.ours import TRANSFER_PRESET
from memnet.reports.columns import regime_of, task_number
from memnet.reports.legacy import read_rows

KINDS = {"published": "published", "resampled": "published", "transfer": "simulated"}  # source -> its training stories

Sets = dict[str, dict[str, list[float]]]  # kind -> training set -> test errors of its restarts, percent


def training_sets(runs: Path, preset: str) -> dict[int, Sets]:
    """By task, the errors of networks trained on each set of 1,000 questions."""
    found: dict[int, Sets] = {}
    for row in read_rows(runs):
        same = (row["preset"], row["size"], row["variant"], row["settings"], row["seed"]) == (preset, "1k", "en", "", "0")
        if same and row["source"] in KINDS and regime_of(row) == "single" and row["test_error"]:
            sets = found.setdefault(task_number(row["tasks"]), {}).setdefault(KINDS[row["source"]], {})
            sets.setdefault(f"{row['source']} {row['data']}", []).append(float(row["test_error"]))
    return found


def transfer(runs: Path, preset: str = TRANSFER_PRESET) -> str:
    """Training on simulated stories beside training on published ones, the test set published in both.

    A training set of 1,000 questions is one draw: the published one, other thousands of the published
    10k text, and simulated ones. The difference of the means over sets is held against its standard
    error, from the spread between sets pooled over both kinds.
    """
    rows, outside = [], []
    for task, found in sorted(training_sets(runs, preset).items()):
        if not {"published", "simulated"} <= found.keys() or len(found["simulated"]) < 2:
            continue
        ours, theirs = ([statistics.mean(errors) for errors in found[kind].values()] for kind in ("simulated", "published"))
        first = next((errors for name, errors in found["published"].items() if name.startswith("published")), [])
        if len(first) < 2 or any(len(errors) < 2 for errors in found["simulated"].values()):
            continue  # other thousands of the 10k text alone, or a single restart
        free = len(ours) + len(theirs) - 2
        pooled = sum((len(part) - 1) * statistics.variance(part) for part in (ours, theirs) if len(part) > 1) / free
        two = 2 * (pooled * (1 / len(ours) + 1 / len(theirs))) ** 0.5
        difference = statistics.mean(ours) - statistics.mean(theirs)
        restarts = statistics.mean(statistics.stdev(errors) for errors in found["simulated"].values())
        if abs(difference) > two:
            outside.append(f"qa{task}")
        rows.append(
            [
                f"qa{task}",
                f"{statistics.mean(first):.1f} ± {statistics.stdev(first):.1f}",
                f"{len(theirs)} ({min(theirs):.1f} to {max(theirs):.1f})",
                f"{statistics.mean(theirs):.1f}",
                ", ".join(f"{one:.1f}" for one in ours),
                f"{statistics.mean(ours):.1f} ± {restarts:.1f}",
                f"{difference:+.1f}",
                f"{two:.1f}",
            ]
        )
    if not rows:
        raise NetworkError(f"{runs} has no tasks trained on published and on two simulated sets; 'memnet sweep' makes them")
    head = [
        "task",
        "published 1,000: mean ± sd of restarts",
        "published sets",
        "their mean",
        "simulated sets",
        "their mean ± sd of restarts",
        "difference",
        "two standard errors",
    ]
    return "\n".join(
        [
            f"Test error in percent on the published test set (bAbI v1.2, en, 1k, `{preset}`, ten restarts a set) of networks "
            "trained on 1,000 published or on 1,000 simulated questions.",
            "",
            markdown_table(head, rows),
            "",
            f"{len(rows) - len(outside)} of {len(rows)} differences are within two standard errors"
            + (f"; not {', '.join(outside)}." if outside else ".")
            + " The published sets are the published 1,000 training questions and other thousands of the 10k text (task 3: the "
            "first alone, its 10k text was not at hand).",
        ]
    )

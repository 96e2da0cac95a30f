"""Every preset in a line: its paper, what it is, and what its networks reached on record."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from memnet.models import model_of
from memnet.papers import PAPERS, PRESETS
from memnet.papers.declare import TASKS
from memnet.reports.columns import Results, collect, means
from memnet.training.sweep import duration

SIZES = ("1k", "10k")
NOTE = (
    "1k, 10k: mean test error over the published tasks after training on so many questions, of the networks chosen by each\n"
    "preset's rule. Time: of one core, for all restarts of a task; * of a network of all tasks."
)


class PresetLine(NamedTuple):
    """What is known of a preset; empty where nothing is on record."""

    name: str
    paper: str  # Sukhbaatar 2015; empty for our own and a plugin's
    model: str
    about: str  # a phrase
    errors: dict[str, float]  # size -> percent, of those on record
    time: str  # of training, of the smallest size on record


def preset_lines(runs: Path, published: Path) -> list[PresetLine]:
    """Every preset, a plugin's too, in the order of the papers. Raises :class:`~memnet.errors.NetworkError`."""
    found = {size: whole(collect(runs, published, size, 0, None, none=True), size) for size in SIZES}
    lines = []
    for name, config in PRESETS.items():
        paper = next((paper for paper in PAPERS.values() if name in paper.presets), None)
        its = {size: found[size][name] for size in SIZES if name in found[size]}
        lines.append(
            PresetLine(
                name,
                paper.citation.short if paper is not None and paper.citation is not None else "",
                model_of(config),
                "" if paper is None else paper.about.get(name, ""),
                {size: means(part)[0] for size, part in its.items()},
                training_time(next(iter(its.values()))) if its else "",
            )
        )
    return lines


def whole(parts: list[Results], size: str) -> dict[str, Results]:
    """The results on all tasks that are published at a size, by preset: of several the ones with the most networks."""
    every = [part for part in parts if len(part.chosen) == len(TASKS[size])]
    return {part.preset: part for part in sorted(every, key=lambda part: len(part.rows))}


def training_time(part: Results) -> str:
    """Of one core for all restarts: for a task, or with a star for one network of all tasks."""
    joint = part.regime == "joint"
    return duration(part.seconds / (1 if joint else len(part.chosen))) + "*" * joint


def as_text(lines: list[PresetLine]) -> str:
    """The lines in columns, and what the columns mean."""
    rows: list[tuple[str, ...]] = [("preset", "paper", "1k", "10k", "time", "what it is")]
    for line in lines:
        errors = [f"{line.errors[size]:.1f} %" if size in line.errors else "" for size in SIZES]
        about = f"{line.model}: {line.about}" if line.about else line.model
        rows.append((line.name, line.paper or "memnet", *errors, line.time, about))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    text = []
    for *cells, last in rows:
        padded = [
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        text.append("  ".join([*padded, last]))
    return "\n".join([*text, "", NOTE])

"""Every preset in a line: its paper, what it is, and what its networks reached on record."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from memnet.markdown import duration
from memnet.models import model_of
from memnet.papers import PAPERS, PRESETS
from memnet.papers.declare import SIZES, TASKS
from memnet.reports.pivot import Networks
from memnet.reports.tables import collect


class PresetLine(NamedTuple):
    """What is known of a preset; empty where nothing is on record."""

    name: str
    paper: str  # Sukhbaatar 2015; empty for our own and a plugin's
    model: str
    about: str  # a phrase
    errors: dict[str, float]  # size -> percent, of those on record
    time: str  # of training a task on one core, of the smallest size on record; with a star of one network of all tasks


def preset_lines(runs: Path, published: Path) -> list[PresetLine]:
    """Every preset, a plugin's too, in the order of the papers. Raises :class:`~memnet.errors.NetworkError`."""
    found = {size: whole(collect(runs, published, family, 0, None, none=True), family) for family, size in SIZES.items()}
    lines = []
    for name, config in PRESETS.items():
        paper = next((paper for paper in PAPERS.values() if name in paper.presets), None)
        by_size = {size: parts[name] for size, parts in found.items() if name in parts}
        first = next(iter(by_size.values()), None)
        lines.append(
            PresetLine(
                name,
                paper.citation.short if paper is not None and paper.citation is not None else "",
                model_of(config),
                "" if paper is None else paper.about.get(name, ""),
                {size: part.mean for size, part in by_size.items()},
                duration(first.seconds / (1 if first.joint else len(first.chosen))) + "*" * first.joint if first else "",
            )
        )
    return lines


def whole(parts: list[Networks], family: str) -> dict[str, Networks]:
    """The results on all tasks of a family that are published, by preset: of several the ones with the most networks."""
    every = [part for part in parts if len(part.chosen) == len(TASKS[family])]
    return {part.preset: part for part in sorted(every, key=lambda part: len(part.rows))}

"""The papers: one file each, with its citation, its rows as presets, and its tables; and one for our own work.

A module in this folder that defines ``PAPER`` is a paper; nothing else has to name it. All look-ups are made from these.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from memnet.config import Training
from memnet.papers.declare import Column, Paper, Study, Table

Key = TypeVar("Key")
Value = TypeVar("Value")
ORDER = (
    "sukhbaatar2015",
    "weston2015",
    "kumar2016",
    "xiong2016",
    "dehghani2019",
    "luong2015",
    "ours",
    "thousand",
    "few",
)  # of tables; then others


def place(name: str) -> tuple[int, str]:
    """Where a paper's tables stand among those of others."""
    return (ORDER.index(name) if name in ORDER else len(ORDER)), name


def once(declared: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """What is declared, by its key. Raises ValueError where one key is declared twice, and not as the same."""
    found: dict[Key, Value] = {}
    for key, value in declared:
        if found.setdefault(key, value) != value:
            raise ValueError(f"{key} is declared twice, and not as the same")
    return found


MODULES = sorted((module.name for module in iter_modules(__path__) if module.name != "declare"), key=place)
PAPERS: dict[str, Paper] = {name: import_module(f"{__name__}.{name}").PAPER for name in MODULES}
PRESETS: dict[str, Training] = once(item for paper in PAPERS.values() for item in paper.presets.items())
TABLES: dict[str, Table] = once((table.name, table) for paper in PAPERS.values() for table in paper.tables)
STUDIES: dict[str, Study] = once((study.name, study) for paper in PAPERS.values() for study in paper.studies)
COLUMNS: dict[tuple[str, str], Column] = once(  # by preset and family
    ((column.preset, family), column) for paper in PAPERS.values() for family, column in paper.columns()
)
JOINT_PRESETS = frozenset(preset for (preset, _), column in COLUMNS.items() if column.joint)  # for one network of all tasks
STANDS_FOR = {column.preset: column.stands_for for column in COLUMNS.values() if column.stands_for is not None}

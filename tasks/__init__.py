"""The tasks: the bAbI text format, the published data, the simulator. Knows no model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .text import FormatError, Question, Story, parse, read, words, write

if TYPE_CHECKING:
    from .families import FAMILIES, DataError, Family, Task, find
    from .families.dataset import load

OF_FAMILIES = ("FAMILIES", "DataError", "Family", "Task", "find")

__all__ = [
    "FAMILIES",
    "DataError",
    "Family",
    "FormatError",
    "Question",
    "Story",
    "Task",
    "find",
    "load",
    "parse",
    "read",
    "words",
    "write",
]


def __getattr__(name: str) -> Any:
    """The families, and ``load`` with its library ``datasets``, when they are first asked for: they are slow to import."""
    if name in OF_FAMILIES:
        return getattr(import_module(".families", __name__), name)
    if name == "load":
        try:
            from .families.dataset import load
        except ModuleNotFoundError as error:
            raise ImportError("load needs the library datasets: pip install 'memnet-qa[parquet]'") from error
        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

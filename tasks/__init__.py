"""The tasks: the bAbI text format, the published data, the simulator. Knows no model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .families import FAMILIES, DataError, Family, Task, find
from .text import FormatError, Question, Story, parse, read, words, write

if TYPE_CHECKING:
    from .families.dataset import load

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
    """``load`` brings the ``datasets`` library, slow to import, when it is first asked for."""
    if name == "load":
        try:
            from .families.dataset import load
        except ModuleNotFoundError as error:
            raise ImportError("load needs the library datasets: pip install 'memnet-qa[parquet]'") from error
        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The tasks: the bAbI text format, the published data, the simulator. Knows no model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memnet.tasks.published import DataError, Task, find
from memnet.tasks.text import FormatError, Question, Story, parse, read, words, write

if TYPE_CHECKING:
    import datasets

__all__ = ["DataError", "FormatError", "Question", "Story", "Task", "find", "load", "parse", "read", "words", "write"]


def load(
    name: str,
    size: str = "1k",
    source: str = "published",
    variant: str = "en",
    story_seed: int = 0,
    data: Path | str | None = None,
    cache: Path | str | None = None,
) -> datasets.DatasetDict:
    """A task as a ``datasets.DatasetDict`` with train, validation and test, a row a story.

    ``source`` is "published" or "simulated"; see :func:`memnet.tasks.dataset.load`, which is imported here on first use.
    """
    from memnet.tasks.dataset import load as build

    return build(name, size, source, variant, story_seed, data, cache)

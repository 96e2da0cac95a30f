"""FactConsolidation as its authors publish it, a split of their parquet file; it is fetched, never shipped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..files import DataError

REPOSITORY, SPLIT, SOURCE = "ai-hyz/MemoryAgentBench", "Conflict_Resolution", "factconsolidation_"
NUMBERED = re.compile(r"(?m)^\s*(\d+)\. +(.*\S)")


class Published(NamedTuple):
    """A text with its questions; every answer of a question's is right."""

    source: str  # such as factconsolidation_mh_6k: several hops, 6k tokens
    context: str
    questions: list[str]
    answers: list[list[str]]

    @property
    def length(self) -> str:
        """In tokens, such as 6k."""
        return self.source.rpartition("_")[2]

    @property
    def kind(self) -> str:
        """Of its questions."""
        return "several hops" if "_mh_" in self.source else "single hop"

    @property
    def facts(self) -> list[str]:
        """Without their numbers, in their order."""
        return [text for _, text in NUMBERED.findall(self.context)]


def rows_of(path: Path | None) -> Iterable[Mapping[str, Any]]:
    """The rows of the parquet file at hand, or of the hub's. Raises :class:`DataError`."""
    import datasets

    try:
        if path is None:
            return datasets.load_dataset(REPOSITORY, split=SPLIT)  # type: ignore[no-any-return]
        return datasets.Dataset.from_parquet(str(path))  # type: ignore[no-any-return]
    except Exception as error:  # the hub's, the HTTP client's, pyarrow's: whatever broke it
        reason = (str(error).strip().splitlines() or [""])[0].rstrip(". ") or type(error).__name__
        place = path or f"{REPOSITORY} on the hub"
        raise DataError(f"{place} cannot be read ({reason}): give the file of its split {SPLIT} with --published") from error


def published(path: Path | None = None) -> list[Published]:
    """Its texts, from a parquet file or the hub. Raises :class:`DataError` where these are something else."""
    found = []
    for number, row in enumerate(rows_of(path), 1):
        try:
            source = str(row["metadata"]["source"])
            answers = [list(map(str, one)) for one in row["answers"]]
            text = Published(source, str(row["context"]), list(map(str, row["questions"])), answers)
        except (KeyError, TypeError) as error:
            columns = "context, questions, answers and metadata"
            raise DataError(f"{path or REPOSITORY}: row {number} lacks {error}; expected the columns {columns}") from error
        if source.startswith(SOURCE) and len(text.questions) == len(answers):
            found.append(text)
    if not found:
        raise DataError(f"{path or REPOSITORY} has no text whose source begins with {SOURCE}; expected the split {SPLIT}")
    return found

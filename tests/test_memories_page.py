"""The page of memories, from figures made by hand."""

import math
from pathlib import Path

import pytest

from memnet.record.measurements import FACTS, LOG, TEXT, MemoryScore, PrintedFigure, write_csv
from memnet.reports.memories_page import by_kind, by_task, found_by_kind, printed, side_by_side

NAN = math.nan


def score(
    benchmark: str, name: str, system: str, kind: str, right: float, refused: float = NAN, found: float = NAN
) -> MemoryScore:
    return MemoryScore(benchmark, name, system, kind, 1000, right, 2.0, 3.0, refused, 60.0, found, found, 1.5, 12.25, 0.125)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A log asked of two memories, and two tasks in two styles."""
    lines = [
        score(LOG, "200 lines", "memnet", "all", 95.0, 99.0, 80.0),
        score(LOG, "200 lines", "memnet", "where", 97.0, NAN, 80.0),
        score(LOG, "200 lines", "memnet", "never mentioned", NAN, 99.0),
        score(LOG, "200 lines", "grep", "all", NAN, NAN, 40.0),
        score(TEXT, "128k, plain", "memnet", "qa1", 100.0),
        score(TEXT, "128k, plain", "memnet", "qa2", 98.0),
        score(TEXT, "128k, small", "memnet", "qa1", 57.0),
    ]
    (tmp_path / "memories.csv").write_text(write_csv(lines))
    figures = [PrintedFigure("BM25", "turn level", "LoCoMo", "all", 46.2, "P")]
    (tmp_path / "memories_published.csv").write_text(write_csv(figures))
    return tmp_path


def test_memories_stand_side_by_side(results: Path) -> None:
    assert side_by_side(results, LOG).splitlines()[2:4] == [
        "| 200 lines | memnet | 1,000 | 95.0 | 2.0 | 3.0 | 99.0 | 60.0 | 80.0 | 80.0 | 1.50 | 12.25 | 0.12 |",
        "| 200 lines | grep | 1,000 |  | 2.0 | 3.0 |  | 60.0 | 40.0 | 40.0 | 1.50 | 12.25 | 0.12 |",
    ]
    assert "Measured by code" in side_by_side(results, LOG)


def test_kinds_tasks_and_what_is_printed(results: Path) -> None:
    assert by_kind(results, LOG).splitlines()[2:] == ["| where | 97.0 |", "| never mentioned | 99.0 |"]
    assert found_by_kind(results, LOG).splitlines()[2] == "| all | 80.0, 80.0 | 40.0, 40.0 |"
    assert by_task(results, TEXT).splitlines()[:4] == [
        "| set | questions of each task | 1 | 2 | mean | s to take in, at most | ms an answer, at most |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        "| 128k, plain | 1,000 | 100.0 | 98.0 | 99.0 | 1.5 | 12.2 |",
        "| 128k, small | 1,000 | 57.0 |  | 57.0 | 1.5 | 12.2 |",
    ]
    assert printed(results).splitlines()[2:] == ["| LoCoMo | all | BM25 | turn level | 46.2 | P |"]


def test_before_anything_was_measured(results: Path) -> None:
    assert side_by_side(results, FACTS).endswith("Not measured yet.")
    (results / "memories.csv").unlink()
    assert by_task(results, TEXT).endswith("Not measured yet.")

"""The page of BABILong, from figures made by hand."""

from pathlib import Path

import pytest

from memnet.record.measurements import LongTextCell, PrintedFigure, ReadingCost, write_csv
from memnet.reports.babilong_page import (
    PRINTED,
    TAUGHT,
    Figures,
    beside_others,
    by_length,
    harder,
    in_short,
    lines,
)
from memnet.reports.measurements import line_by_line


def cell(task: str, length: str, right: float, names: str = "published", confusing: float = 0.0) -> LongTextCell:
    return LongTextCell(task, length, names, confusing, 100, right, 99.0, 10.0, 0.5)


def figure(system: str, task: str, right: float, length: str = "1M") -> PrintedFigure:
    return PrintedFigure(system, "fine-tuned", task, length, right, "P")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Tasks 1 to 5 at 1M 90 to 94 % right, one of them at 1k, and all with unseen names 80 %."""
    cells = [cell(task, "1M", 90.0 + place) for place, task in enumerate(PRINTED)]
    cells += [cell("qa1", "1k", 100.0), *(cell(task, "1M", 80.0, "unseen") for task in PRINTED)]
    printed = [figure("A", task, right) for task, right in zip(PRINTED, (50, 40, 30, 20, 10), strict=True)]
    printed += [figure("B", "mean", 42.5), figure("B", "mean", 99.0, "0k")]
    reading = [ReadingCost("1M", 40_000, 1.5, 12.3, 345.6)]
    for name, rows in (("", cells), ("_published", printed), ("_reading", reading)):
        (tmp_path / f"babilong{name}.csv").write_text(write_csv(rows))
    return tmp_path


def test_ours_stands_beside_others(results: Path) -> None:
    assert beside_others(results).splitlines()[3:] == [
        f"| 1M | **memnet, 0.6M parameters** | {TAUGHT} | 90.0 | 91.0 | 92.0 | 93.0 | 94.0 | 92.0 |",
        "| 1M | A | fine-tuned | 50 | 40 | 30 | 20 | 10 | 30.0 |",
        "| 1M | B | fine-tuned |  |  |  |  |  | 42.5 |",
        f"| 10M | **memnet, 0.6M parameters** | {TAUGHT} |  |  |  |  |  |  |",
    ]


def test_a_mean_is_of_all_tasks_or_missing(results: Path) -> None:
    assert by_length(results, PRINTED).splitlines()[2:] == [
        "| 1k | 100.0 |  |  |  |  |  | 99.00 | 0.50 |",
        "| 1M | 90.0 | 91.0 | 92.0 | 93.0 | 94.0 | 92.0 | 99.00 | 0.50 |",
    ]


def test_a_printed_mean_stands_before_that_of_the_tasks(results: Path) -> None:
    printed = [figure("A", task, right) for task, right in (("qa1", 50.0), ("qa2", 40.0), ("mean", 46.0))]
    for number, mean in ((3, 46.0), (2, 45.0)):
        (results / "babilong_published.csv").write_text(write_csv(printed[:number]))
        assert Figures(results).means == {"A": {"1M": mean}}


def test_what_is_harder_and_what_it_costs(results: Path) -> None:
    assert harder(results).splitlines()[2:4] == [
        "| published | none | 1M | 92.0 | 90.0 |  |",
        "| unseen | none | 1M | 80.0 | 80.0 |  |",
    ]
    reading = line_by_line("babilong-reading", results / "babilong_reading.csv", ReadingCost)
    assert reading.splitlines()[2:3] == ["| 1M | 40,000 | 1.5 | 12 | 346 |"]


def test_the_longest_texts_in_short(results: Path) -> None:
    cells = [cell(task, "10M", 97.0) for task in PRINTED]
    (results / "babilong.csv").write_text(write_csv(cells))
    printed = [figure("A", "mean", 50.0, "10M"), figure("B", "mean", 60.0, "10M")]
    (results / "babilong_published.csv").write_text(write_csv(printed))
    (results / "babilong_reading.csv").write_text(write_csv([ReadingCost("10M", 1, 8.4, 11.4, 300.0)]))
    said = " ".join(in_short(results).split())
    assert "97.0 % are answered right" in said
    assert "printed figure" not in said
    assert "learned from simulated stories which sentences are statements" in said
    assert "One core takes the text in within 8 seconds and answers in 11 ms" in said


def test_lines_leave_out_what_has_no_length(results: Path) -> None:
    assert lines(results) == {"memnet, 0.6M parameters": [(1e6, 92.0)], "A": [(1e6, 30.0)], "B": [(1e6, 42.5)]}

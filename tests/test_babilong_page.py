"""The page of BABILong, from figures made by hand."""

from pathlib import Path

import pytest

from memnet.measure.babilong import Cell
from memnet.measure.reading import Reading
from memnet.record.measurements import read_csv, write_csv
from memnet.reports.babilong_page import (
    FIRST,
    Printed,
    beside_others,
    by_length,
    cost_of_reading,
    harder,
    in_short,
    lines,
    means_of,
)


def cell(task: str, length: str, right: float, names: str = "published", confusing: float = 0.0) -> Cell:
    return Cell(task, length, names, confusing, 100, right, 99.0, 10.0, 0.5)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Tasks 1 to 5 at 1M 90 to 94 % right, one of them at 1k, and all with unseen names 80 %."""
    cells = [cell(task, "1M", 90.0 + place) for place, task in enumerate(FIRST)]
    cells += [cell("qa1", "1k", 100.0), *(cell(task, "1M", 80.0, "unseen") for task in FIRST)]
    printed = [
        Printed("A", "fine-tuned", task, "1M", right, "P") for task, right in zip(FIRST, (50, 40, 30, 20, 10), strict=True)
    ]
    printed += [Printed("B", "prompted", "mean", "1M", 42.5, "P"), Printed("B", "prompted", "mean", "0k", 99.0, "P")]
    reading = [Reading("1M", 40_000, 1.5, 12.3, 345.6)]
    for name, rows in (("", cells), ("_published", printed), ("_reading", reading)):
        (tmp_path / f"babilong{name}.csv").write_text(write_csv(rows))
    return tmp_path


def test_ours_stands_beside_others(results: Path) -> None:
    assert beside_others(results).splitlines()[3:] == [
        "| 1M | **memnet, 0.6M parameters** | 90.0 | 91.0 | 92.0 | 93.0 | 94.0 | 92.0 |",
        "| 1M | A | 50 | 40 | 30 | 20 | 10 | 30.0 |",
        "| 1M | B |  |  |  |  |  | 42.5 |",
        "| 10M | **memnet, 0.6M parameters** |  |  |  |  |  |  |",
    ]


def test_a_mean_is_of_all_tasks_or_missing(results: Path) -> None:
    assert by_length(results, FIRST).splitlines()[2:] == [
        "| 1k | 100.0 |  |  |  |  |  | 99.00 | 0.50 |",
        "| 1M | 90.0 | 91.0 | 92.0 | 93.0 | 94.0 | 92.0 | 99.00 | 0.50 |",
    ]


def test_a_printed_mean_stands_before_that_of_the_tasks(results: Path) -> None:
    printed = [
        Printed("A", "fine-tuned", task, "1M", right, "P") for task, right in (("qa1", 50.0), ("qa2", 40.0), ("mean", 46.0))
    ]
    assert means_of(printed) == {"A": {"1M": 46.0}}
    assert means_of(printed[:2]) == {"A": {"1M": 45.0}}


def test_what_is_harder_and_what_it_costs(results: Path) -> None:
    assert harder(results).splitlines()[2:] == [
        "| published | none | 1M | 92.0 | 90.0 |  |",
        "| unseen | none | 1M | 80.0 | 80.0 |  |",
    ]
    assert cost_of_reading(results).splitlines()[2:] == ["| 1M | 40,000 | 1.5 | 12 | 346 |"]


def test_the_longest_texts_in_short(results: Path) -> None:
    cells = [cell(task, "10M", 97.0) for task in FIRST]
    (results / "babilong.csv").write_text(write_csv(cells))
    printed = [Printed(system, "fine-tuned", "mean", "10M", right, "P") for system, right in (("A", 50.0), ("B", 60.0))]
    (results / "babilong_published.csv").write_text(write_csv(printed))
    (results / "babilong_reading.csv").write_text(write_csv([Reading("10M", 1, 8.4, 11.4, 300.0)]))
    said = " ".join(in_short(results).split())
    assert "97.0 % of the questions" in said
    assert "printed figure is 60.0 (B)" in said
    assert "within 8 seconds of one core, and a question is answered in 11 ms" in said


def test_lines_leave_out_what_has_no_length(results: Path) -> None:
    assert lines(results) == {"memnet, 0.6M parameters": [(1e6, 92.0)], "A": [(1e6, 30.0)], "B": [(1e6, 42.5)]}


def test_rows_come_back_as_they_were(results: Path) -> None:
    rows = read_csv(results / "babilong_reading.csv", Reading, "a command")
    assert rows == [Reading("1M", 40_000, 1.5, 12.3, 345.6)]

"""The pivot of rows into tables: three small tables by hand, and what holds of every table."""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.errors import NetworkError
from memnet.papers import PRESETS
from memnet.papers.declare import Runs
from memnet.record.runs import COLUMNS, append_rows
from memnet.reports.pivot import Networks, grid, half_interval, interval, mean_and_deviation
from memnet.reports.select import columns_of, in_order, select
from memnet.reports.tables import table_csv, table_of, tables_of_families
from memnet.training.spec import config_hash

PUBLISHED = Path(__file__).parent.parent / "results" / "published.csv"
Row = dict[str, str]


def rows_of(data: str, errors: Sequence[str], chosen: int = 0, preset: str = "lstm", **changed: str) -> list[Row]:
    """A run's rows, one a restart; of a joint network an error has a number for each data set."""
    same = {"preset": preset, "config": config_hash(PRESETS[preset]), "data": data, "hash": "h", "seed": "0"}
    same |= {"restarts": str(len(errors)), "selection": "validation", "epochs": "3", "seconds": "2", "code": "c"}
    return [
        dict.fromkeys(COLUMNS, "")
        | same
        | {"replica": str(place), "chosen": str(int(place == chosen)), "test_error": error, "train_error": error}
        | changed
        for place, error in enumerate(errors)
    ]


def table_rows(text: str) -> list[list[str]]:
    """The cells of a text's first table, without its head's rule."""
    lines = [[cell.strip() for cell in line[1:-1].split("|")] for line in text.splitlines() if line.startswith("|")]
    return [lines[0], *lines[2:]]


# By hand


def test_a_table_of_several_restarts(tmp_path: Path):
    """Of data set a 2 is chosen from 2 and 4, of b 8 from 6 and 8: the mean is 5, one fails, deviations are the root of 2."""
    path = tmp_path / "runs.csv"
    append_rows(path, rows_of("own/a", ["2", "4"]))
    append_rows(path, rows_of("own/b", ["6", "8"], chosen=1))
    assert table_rows(table_of(path, PUBLISHED, "own")) == [
        ["task", "lstm", "all restarts"],
        ["a", "2.0", "3.0 ± 1.4"],
        ["b", "8.0", "7.0 ± 1.4"],
        ["mean", "**5.0**", "5.0 ± 1.4"],
        ["failed (> 5 %)", "1", ""],
    ]
    assert table_csv(path, PUBLISHED, "own").splitlines()[1:] == [
        "lstm,single,2,own,a,2,3,1.414,,",
        "lstm,single,2,own,b,8,7,1.414,,",
    ]


def test_a_joint_network_beside_single_ones(tmp_path: Path):
    """One network has 1 and 9, others 3 and 30: means 5 and 16.5."""
    path = tmp_path / "runs.csv"
    append_rows(path, rows_of("sim/x2@1", ["3"]))
    append_rows(path, rows_of("sim/x10@1", ["30"]))
    append_rows(path, rows_of("sim/x2@1 sim/x10@1", ["1 9"]))
    assert table_rows(table_of(path, PUBLISHED, "sim")) == [
        ["task", "lstm, one restart", "all restarts", "lstm, joint, one restart", "all restarts"],
        ["x2@1", "3.0", "3.0", "1.0", "1.0"],
        ["x10@1", "30.0", "30.0", "9.0", "9.0"],
        ["mean", "**16.5**", "16.5", "**5.0**", "5.0"],
        ["failed (> 5 %)", "1", "", "1", ""],
    ]


def test_published_and_simulated_stories_are_in_tables_of_their_own(tmp_path: Path):
    path = tmp_path / "runs.csv"
    for family, error in (("babi", "1"), ("sim", "7"), ("own", "20")):
        append_rows(path, rows_of(f"{family}/qa1", [error]))
    text = tables_of_families(path, PUBLISHED)
    cells = {(line.split("|")[2].strip()) for line in text.splitlines() if line.startswith("| qa1")}
    assert cells == {"1.0", "7.0", "20.0"}
    assert text.count("| task |") == 3


def test_an_interval_by_hand():
    """Differences 1, 2, 3: their mean 2, t(0.975, 2) = 4.3027, the deviation 1: half is 4.3027 / sqrt 3 = 2.484."""
    one, other = {"a": 2.0, "b": 4.0, "c": 6.0}, {"a": 1.0, "b": 2.0, "c": 3.0}
    assert half_interval([1, 2, 3]) == pytest.approx(2.484, abs=1e-3)
    assert interval(one, other) == "+2.0 ± 2.5"
    assert interval({name: value + 9 for name, value in one.items()}, other) == "**+11.0 ± 2.5**"


def test_what_is_not_a_whole_run_is_refused():
    with pytest.raises(NetworkError, match="expected 3 rows, one a restart, found 2"):
        Networks(rows_of("own/a", ["1", "2", "3"])[:2])
    with pytest.raises(NetworkError, match="no row is chosen"):
        Networks(rows_of("own/a", ["1"], chosen=5))
    with pytest.raises(NetworkError, match="is not as it was written"):
        Networks(rows_of("own/a", ["one"]))


# Properties

ERRORS = st.lists(st.floats(0, 100).map(lambda error: round(error, 1)), min_size=1, max_size=5)
DATA = st.dictionaries(st.from_regex(r"[a-c][0-9]{1,2}", fullmatch=True), ERRORS, min_size=1, max_size=6)


def runs_of(data: Mapping[str, Sequence[float]], **changed: str) -> list[Row]:
    """As many restarts for each data set as the first has."""
    number = len(next(iter(data.values())))
    return [
        row
        for name, errors in data.items()
        for row in rows_of(f"own/{name}", [*map(str, (errors * number)[:number])], **changed)
    ]


@given(DATA, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(data: dict[str, list[float]], shuffle: random.Random):
    rows = runs_of(data)
    mixed = list(rows)
    shuffle.shuffle(mixed)
    one, other = Networks(rows), Networks(mixed)
    assert one.chosen == other.chosen
    assert one.mean == pytest.approx(other.mean)
    assert (one.failed, one.all_restarts) == (other.failed, other.all_restarts)


@given(DATA)
def test_a_mean_is_of_what_is_chosen_and_failures_are_counted(data: dict[str, list[float]]):
    found = Networks(runs_of(data))
    chosen = [errors[0] for errors in data.values()]
    assert found.mean == pytest.approx(sum(chosen) / len(chosen))
    assert found.failed == sum(error > 5 for error in chosen)
    assert min(chosen) - 1e-9 <= found.mean <= max(chosen) + 1e-9


@given(st.floats(0, 100).map(lambda error: round(error, 1)))
def test_the_mean_of_one_is_itself(error: float):
    found = Networks(rows_of("own/a", [str(error)]))
    assert found.mean == found.mean_of_all == error
    assert mean_and_deviation([error]) == f"{error:.1f}"


@given(ERRORS.filter(lambda errors: len(errors) > 1), st.floats(-50, 50))
def test_a_deviation_does_not_move_with_the_errors_and_an_interval_only_grows_with_them(errors: list[float], by: float):
    assert statistics.stdev([error + by for error in errors]) == pytest.approx(statistics.stdev(errors), abs=1e-6)
    assert half_interval([2 * error for error in errors]) == pytest.approx(2 * half_interval(errors), abs=1e-9)


@given(DATA, DATA)
def test_a_row_of_another_column_changes_nothing(data: dict[str, list[float]], more: dict[str, list[float]]):
    own = runs_of(data)
    others = [*runs_of(more, preset="bow"), *runs_of(more, seed="1"), *runs_of(more, settings="dim=3")]
    others += [row | {"data": row["data"].replace("own/", "sim/")} for row in runs_of(more)]
    assert columns_of([*others, *own], "own", 0, ["lstm"]) == columns_of(own, "own", 0, ["lstm"])


@given(DATA)
def test_a_table_has_every_label_once_in_order(data: dict[str, list[float]]):
    cells = dict.fromkeys(data, "x")
    lines = table_rows(grid([("one", cells), ("two", {"mean": "y"})], below=("mean",)))
    assert [line[0] for line in lines[1:]] == [*in_order(data), "mean"]
    assert all(line[1:] == ["x", ""] for line in lines[1:-1])


def test_the_second_stands_before_the_tenth():
    assert in_order(["x10", "x2", "x2", "a", "x10@3"]) == ["a", "x2", "x10", "x10@3"]


def test_a_declared_run_is_selected_whole_and_alone():
    part = Runs(("pe-ls-rn",), tasks=("qa1",))
    own = rows_of("babi/qa1", ["1"] * 10, preset="pe-ls-rn")
    others = [*rows_of("babi/qa2", ["1"] * 10, preset="pe-ls-rn"), *rows_of("babi/qa1", ["1"] * 3, preset="pe-ls-rn")]
    others += [
        *rows_of("babi-10k/qa1", ["1"] * 10, preset="pe-ls-rn"),
        *rows_of("babi/qa1", ["1"] * 10, preset="pe-ls-rn", seed="1"),
    ]
    assert select([*others, *own], part) == own

"""The pivot: small tables checked by hand from rows written here, and what holds of any rows."""

import statistics
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.errors import NetworkError
from memnet.markdown import in_order
from memnet.papers.declare import Runs
from memnet.record.compare import half_interval
from memnet.record.runs import append_rows
from memnet.reports.documents import titles
from memnet.reports.pairs import Pairs
from memnet.reports.pivot import Networks
from memnet.reports.select import columns_of, hash_of, needed, select
from memnet.reports.tables import table_of, tables_of_families
from memnet.tasks.families import FAMILIES
from tests.conftest import ran, refused
from tests.records import PUBLISHED, run

ROOT = Path(__file__).parent.parent
HUNDREDTHS = st.integers(0, 10_000).map(lambda error: error / 100)  # no floats: torch flushes what is next to zero
ERRORS = st.lists(HUNDREDTHS, min_size=1, max_size=5)


def test_a_table_of_one_preset_by_hand(tmp_path: Path):
    """Chosen 4 and 10: mean 7, one above 5; all restarts 4 and 6, 10 and 14: means 5 and 12, deviations 1.41 and 2.83."""
    append_rows(tmp_path / "runs.csv", [*run("babi/qa1", [4, 6]), *run("babi/qa10", [10, 14])])
    text = table_of(tmp_path / "runs.csv", PUBLISHED, "babi")
    assert [line for line in text.splitlines() if line.startswith("|")] == [
        "| task | pe-ls-rn | all restarts | paper | difference |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| qa1 | 4.0 | 5.0 ± 1.4 | 0.0 | +4.0 |",
        "| qa10 | 10.0 | 12.0 ± 2.8 | 15.1 | -5.1 |",
        "| mean | **7.0** | 8.5 ± 2.1 | 7.5 | -0.5 |",
        "| failed (> 5 %) | 1 |  | 1 |  |",
    ]
    assert "40 s of one core" in text


def test_published_and_simulated_runs_are_never_in_one_table(tmp_path: Path):
    rows = [*run("babi/qa1", [1]), *run("sim/qa1", [2]), *run("sim/qa2@3", [3]), *run("own/moves", [4])]
    append_rows(tmp_path / "runs.csv", rows)
    parts = ran("table", "--results", tmp_path / "runs.csv").stdout.split("Test error in percent")
    tables = [[line for line in part.splitlines() if line.startswith("| ")] for part in parts]
    cells = [[line.strip("| ").split(" | ")[:2] for line in table[2:]] for table in tables if table]
    assert cells == [
        [["qa1", "1.0"], ["mean", "**1.0**"], ["failed (> 5 %)", "0"]],
        [["moves", "4.0"], ["mean", "**4.0**"], ["failed (> 5 %)", "0"]],
        [["qa1", "2.0"], ["qa2@3", "3.0"], ["mean", "**2.5**"], ["failed (> 5 %)", "0"]],
    ]
    only = tables_of_families(tmp_path / "runs.csv", PUBLISHED, only="own")
    assert "moves" in only
    assert "qa1" not in only
    assert "no run, on own with seed 7" in refused("table", "--results", tmp_path / "runs.csv", "--family", "own", "--seed", 7)


def cells_of(text: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ") and "---" not in line]


def test_a_table_by_split_or_by_kind(tmp_path: Path):
    """Near 2 and 4, far 20: mean 11 of the chosen; a joint network has splits of its second data set alone."""
    (one, two), joint = run("own/moves", [11, 13]), run("own/a own/b", [3])
    rows = [one | {"splits": "very_near=2;far=20", "kinds": "who=1;where=21"}, two | {"splits": "very_near=4;far=22"}]
    append_rows(tmp_path / "runs.csv", [*rows, *({**row, "splits": "- x=2;y=4"} for row in joint), *run("own/plain", [9])])
    done = ran("table", "--results", tmp_path / "runs.csv", "--by", "split")
    assert "Each row has the test questions of one split of a data set" in done.stdout
    assert cells_of(done.stdout) == [
        ["task, split", "pe-ls-rn", "all restarts", "pe-ls-rn, joint, one restart", "all restarts"],
        ["b, x", "", "", "2.0", "2.0"],
        ["b, y", "", "", "4.0", "4.0"],
        ["moves, very near", "2.0", "3.0 ± 1.4"],
        ["moves, far", "20.0", "21.0 ± 1.4"],
        ["mean", "**11.0**", "12.0 ± 1.4", "**3.0**", "3.0"],
        ["failed (> 5 %)", "1", "", "0"],
    ]
    assert "moves, where" in ran("table", "--results", tmp_path / "runs.csv", "--by", "kind").stdout
    done = ran("table", "--results", tmp_path / "runs.csv", "--by", "member")
    assert done.stdout == ran("table", "--results", tmp_path / "runs.csv").stdout
    assert [row[0] for row in cells_of(done.stdout)][1:-2] == ["a", "b", "moves", "plain"]


def test_a_table_over_seeds_by_hand(tmp_path: Path):
    """Chosen 4 and 8 of two seeds: mean 6, deviation 2.83; a seed that lacks a data set counts in no mean over both."""
    rows = [*run("own/a", [4, 9], seed="0"), *run("own/a", [8, 9], seed="1"), *run("own/b", [1, 2], seed="0")]
    split = [{**run("own/a", [3], "bow", seed=seed)[0], "splits": f"near=1;far={far}"} for seed, far in (("0", 4), ("2", 6))]
    append_rows(tmp_path / "runs.csv", [*rows, *split])
    done = ran("table", "--results", tmp_path / "runs.csv", "--seeds")
    assert "`own` stories: the mean over seeds" in done.stdout
    assert cells_of(done.stdout) == [
        ["data set", "bow, one restart", "pe-ls-rn"],
        ["a", "3.0 ± 0.0", "6.0 ± 2.8"],
        ["b", "", "1.0"],
        ["mean", "3.0 ± 0.0", "2.5"],
        ["seeds", "2", "2"],
    ]
    assert cells_of(ran("table", "--results", tmp_path / "runs.csv", "--seeds", "--by", "split").stdout) == [
        ["data set, split", "bow, one restart"],
        ["a, near", "1.0 ± 0.0"],
        ["a, far", "5.0 ± 1.4"],
        ["mean", "3.0 ± 0.7"],
        ["seeds", "2"],
    ]
    assert "of several kinds" in refused("table", "--results", tmp_path / "runs.csv", "--seeds", "--by", "kind")
    assert "leave --seed out" in refused("table", "--results", tmp_path / "runs.csv", "--seeds", "--seed", "1")
    assert "has no run of dmn-plus" in refused("table", "--results", tmp_path / "runs.csv", "--seeds", "--preset", "dmn-plus")
    assert "leave --seeds out" in refused("table", "memn2n-1k", "--seeds")


def test_what_was_set_is_told_apart(tmp_path: Path):
    """Settings of another value, which the preset has no more, or of a configuration that has changed, are left out."""
    rows = run("babi/qa1", [1])
    for settings, error in (("dim=30", 2.0), ("dim=30 hops=2", 3.0)):
        rows += run("babi/qa1", [error], settings=settings, config=hash_of("pe-ls-rn", settings))
    rows += [*run("babi/qa1", [4], settings="dim=31"), *run("babi/qa1", [5], settings="nosuch=1")]
    append_rows(tmp_path / "runs.csv", rows)
    found = cells_of(ran("table", "--results", tmp_path / "runs.csv").stdout)
    names = ["pe-ls-rn, one restart", "pe-ls-rn, dim=30, one restart", "pe-ls-rn, dim=30 hops=2, one restart"]
    assert [head for head in found[0] if head.startswith("pe-ls-rn")] == names
    assert found[1] == ["qa1", "1.0", "1.0", "0.0", "+1.0", "2.0", "2.0", "3.0", "3.0"]
    plain = cells_of(ran("table", "--results", tmp_path / "runs.csv", "--unchanged").stdout)
    assert plain[:2] == [found[0][:5], found[1][:5]]


def test_a_family_says_above_what_its_data_sets_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(FAMILIES, "own", replace(FAMILIES["own"], fails_above=12.5))
    append_rows(tmp_path / "runs.csv", [*run("own/a", [12]), *run("own/b", [13]), *run("babi/qa1", [12])])
    text = tables_of_families(tmp_path / "runs.csv", PUBLISHED)
    assert [row[:2] for row in cells_of(text) if row[0].startswith("failed")] == [
        ["failed (> 5 %)", "1"],
        ["failed (> 12.5 %)", "1"],
    ]


def test_a_difference_by_hand():
    """Differences 1, 3, 5 and 7: mean 4, deviation 2.582, half the interval 3.182 · 2.582 / 2 = 4.108."""
    one = Networks([row for place in range(4) for row in run(f"babi/qa{place + 1}", [2.0 * place + 1, 0])])
    other = Networks([row for place in range(4) for row in run(f"babi/qa{place + 1}", [0, 1])])
    assert half_interval([1, 3, 5, 7]) == pytest.approx(4.108, abs=1e-3)
    assert Pairs().interval(one.chosen, other.chosen) == "+4.0 ± 4.1"
    assert Pairs().difference(one, other) == "+4.0 ± 4.1 (+1.5 ± 2.1)"


@given(st.lists(ERRORS, min_size=1, max_size=6), st.randoms())
def test_what_holds_of_any_networks(errors: list[list[float]], random):
    """Whatever the order of the rows: each network counts once, and means lie between the least and the greatest error."""
    length = min(map(len, errors))
    cut = [found[:length] for found in errors]
    rows = [row for place, found in enumerate(cut) for row in run(f"babi/qa{place + 1}", found)]
    whole = Networks(rows)
    mixed = Networks(random.sample(rows, len(rows)))
    assert mixed.chosen == whole.chosen == {f"qa{place + 1}": found[0] for place, found in enumerate(cut)}
    assert {label: sorted(found) for label, found in mixed.every.items()} == {
        f"qa{place + 1}": sorted(found) for place, found in enumerate(cut)
    }
    assert whole.mean == pytest.approx(statistics.mean(found[0] for found in cut))
    assert min(map(min, cut)) - 1e-9 <= whole.mean_of_all <= max(map(max, cut)) + 1e-9
    assert whole.failed == sum(found[0] > 5 for found in cut)
    assert whole.seconds == 10 * len(rows)
    if length > 1:
        with pytest.raises(NetworkError, match=r"expected \d+ rows, one a restart, found"):
            Networks(rows[:-1])


@given(st.lists(HUNDREDTHS, min_size=2, max_size=20), st.lists(HUNDREDTHS, min_size=20, max_size=20))
def test_a_difference_turned_round_is_the_same_with_another_sign(one: list[float], other: list[float]):
    first, second = ({f"qa{place}": error for place, error in enumerate(found)} for found in (one, other[: len(one)]))
    there, back = Pairs().interval(first, second).strip("*"), Pairs().interval(second, first).strip("*")
    turned = there.translate(str.maketrans("+-", "-+"))
    assert back == turned or float(there.split()[0]) == 0


@given(st.lists(st.integers(1, 300), min_size=1, unique=True))
def test_labels_are_in_the_order_of_their_numbers(numbers: list[int]):
    assert in_order(f"qa{number}" for number in numbers) == [f"qa{number}" for number in sorted(numbers)]
    assert in_order(["x4", "x04"]) == in_order(["x04", "x4"]) == ["x04", "x4"]


@given(ERRORS, ERRORS)
def test_a_selection_takes_declared_runs_alone(mine: list[float], others: list[float]):
    """A row of other settings, another family, seed or number of restarts changes nothing."""
    part = Runs(("pe-ls-rn",), tasks=("qa1",), restarts=len(mine))
    rows = run("babi/qa1", mine)
    foreign = [*run("babi/qa1", others, config="other"), *run("sim/qa1", others), *run("babi/qa1", others, seed="1")]
    foreign += [*run("babi/qa1", [0.0, *mine]), *run("babi/qa1 babi/qa2", others), *run("babi/qa1", others, "bow")]
    assert select([*foreign, *rows], part) == needed([*rows, *foreign], "x", part) == rows
    with pytest.raises(NetworkError, match=r"on record instead of"):
        needed([*rows, *rows], "x", part)
    with pytest.raises(NetworkError, match="'memnet reproduce x' makes the others"):
        needed(foreign, "x", part)


def test_a_joint_network_is_a_column_of_its_own():
    rows = [*run("babi/qa1", [1]), *run("babi/qa2", [2]), *run("babi/qa1 babi/qa2", [3])]
    assert [Networks(found).chosen for found in columns_of(rows, "babi")] == [{"qa1": 1, "qa2": 2}, {"qa1": 3, "qa2": 3}]
    assert [Networks(found).head() for found in columns_of(rows, "babi")][1] == "pe-ls-rn, joint, one restart"


def test_every_committed_table_has_a_command():
    """tests/test_sweep.py holds each against what that writes; what measurements write: tests/test_pages.py."""
    measured = {"attention-cost", "reinforce", "simulator"}
    assert {path.stem for path in (ROOT / "results" / "tables").glob("*.md")} == {*titles(), *measured}

"""What is made of the rows of a table: places of an order, groups, shares, gaps and columns that are worked out; by hand."""

from pathlib import Path

import pytest

from memnet.memory.tables.ranked.asked import Asked
from memnet.memory.tables.ranked.condition import Condition
from memnet.memory.tables.ranked.conditions import conditions
from memnet.memory.tables.ranked.derived import derived
from memnet.memory.tables.ranked.naming import label_of
from memnet.memory.tables.ranked.nations import nations_in
from memnet.memory.tables.ranked.queries import heads
from memnet.memory.tables.ranked.query import GAP, GROUP_MEAN, GROUP_SUM, LEAST, LIST, MEAN, MOST, SHARE, SUM, Query
from memnet.memory.tables.table import Column, Table
from memnet.memory.tables.wording import Question
from tests.memory.asked import table_of

RUNS = """Job,Driver,Nat,Out,Back,Day,km,Fare,Paid,Verdict
J101,Ann,DE,08:30,10:00,03/06/2024,120,£80,£80,in
J102,Bo,GB,22:30,01:00,04/06/2024,300,£150,£40,out
J103,Ann,FR,09:00,09:45,08/06/2024,45,£30,£0,in
J104,Cy,PL,14:15,16:15,15/06/2024,120,£95,£95,out
"""
ROWS = (0, 1, 2, 3)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Table:
    return table_of(RUNS, tmp_path_factory.mktemp("runs"))


def column(table: Table, name: str) -> Column:
    return next(one for one in table.columns if one.name == name)


def made(table: Table, what: str, target: str, measure: str = "", rows: tuple[int, ...] = ROWS, **more: object) -> list[str]:
    by = column(table, measure) if measure else None
    return [*Query(table, rows, column(table, target), what, by, **more).told().parts]  # type: ignore[arg-type]


def test_places_of_an_order(runs: Table):
    assert made(runs, MOST, "Job", "Fare") == ["J102"]
    assert made(runs, MOST, "Job", "Fare", ranks=(2, 2)) == ["J104"]
    assert made(runs, MOST, "Job", "Fare", ranks=(1, 3)) == ["J102", "J104", "J101"]
    assert made(runs, LEAST, "Job", "km", ranks=(2, 2)) == ["J101", "J104"], "both are second"
    assert made(runs, LEAST, "Job", "km", ranks=(1, 2)) == [], "which of the two that are level is the second?"
    assert made(runs, MOST, "Job", "Fare", ranks=(5, 5)) == []


def test_groups_by_what_their_rows_come_to(runs: Table):
    assert made(runs, GROUP_SUM, "Driver", "Fare") == ["Bo"]  # 110, 150, 95
    assert made(runs, GROUP_SUM, "Driver", "Fare", fewest=True) == ["Cy"]
    assert made(runs, GROUP_MEAN, "Driver", "Fare", fewest=True) == ["Ann"]  # 55, 150, 95


def test_shares_and_gaps(runs: Table):
    assert made(runs, SHARE, "Job", rows=(1, 3, 0)) == ["75 %"]
    assert made(runs, GAP, "Fare", rows=(0, 2)) == ["£50"]
    assert made(runs, GAP, "Day", rows=(0, 3)) == ["12 days"]
    assert made(runs, GAP, "Out", rows=(0, 2)) == made(runs, GAP, "Out", rows=(2, 0)) == ["30 minutes"]
    assert made(runs, GAP, "Fare", rows=(0, 1, 2)) == []


def test_columns_that_are_worked_out(runs: Table):
    times = derived(runs.columns, ["how", "long", "was", "it", "out"])
    assert [one.cells for one in times if one.name == "Out Back"] == [
        ("90 minutes", "150 minutes", "45 minutes", "120 minutes")
    ]
    (hours,) = [one for one in derived(runs.columns, ["how", "many", "hours", "was", "it", "out"]) if one.name == "Out Back"]
    assert hours.cells == ("1.5 hours", "2.5 hours", "0.75 hours", "2 hours")
    assert Query(runs, ROWS, hours, MEAN).told().parts == ("1.69",)  # 6.75 / 4
    assert Query(runs, ROWS, column(runs, "Job"), MOST, hours).told().parts == ("J102",)
    left = [one for one in derived(runs.columns, ["what", "is", "left", "to", "pay"]) if one.name == "Fare Paid"]
    assert [one.cells for one in left] == [("£0", "£110", "£30", "£0")]
    assert Query(runs, ROWS, left[0], SUM).told().parts == ("£140",)
    assert not derived(runs.columns, ["who", "drove"])


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("what share of the jobs were Ann's", SHARE),
        ("total km for Ann", SUM),
        ("who has driven more than anyone else", GROUP_SUM),
        ("driver with the best fare on average", GROUP_MEAN),
        ("how much dearer was J102 than J103", GAP),
        ("runner-up by km", MOST),
    ],
)
def test_what_may_be_asked_by_the_words_of_a_question(runs: Table, question: str, operation: str):
    assert operation in {one.operation for one in heads(Asked(runs, Question.of(question)))}


def meant(table: Table, question: str, name: str) -> list[Condition]:
    return [one for one in conditions(Asked(table, Question.of(question))) if one.column.name == name]


@pytest.mark.parametrize(
    ("question", "name", "rows"),
    [
        ("what did the Germans pay", "Nat", {0}),
        ("jobs for British guests", "Nat", {1}),
        ("Polish and French ones", "Nat", {3}),
        ("which left before 9", "Out", set()),  # no time of a day without more
        ("which left before 9am", "Out", {0}),
        ("which left no later than 9am", "Out", {0, 2}),
        ("jobs between June and July 2024", "Day", {0, 1, 2, 3}),
        ("which left at quarter past two", "Out", {3}),
        ("who was out later than 14:00", "Out", {1, 3}),
        ("the morning jobs", "Out", {0, 2}),
        ("jobs at the weekend", "Day", {2, 3}),
        ("jobs between 4 and 8 June", "Day", {1, 2}),
        ("jobs from 4 to 8 June", "Day", {1, 2}),
        ("jobs from the 3rd to the 5th of June", "Day", {0, 1}),
        ("who drove on the fourth", "Day", {1}),
        ("seen 15/06/2024: who", "Day", {3}),
        ("seen 15/6", "Day", {3}),
        ("driver of 104", "Job", {3}),
        ("between 100 and 200 km", "km", {0, 3}),
        ("jobs whose verdict is in", "Verdict", {0, 2}),
    ],
)
def test_conditions_in_other_forms(runs: Table, question: str, name: str, rows: set[int]):
    found = [set(one.rows) for one in meant(runs, question, name)]
    assert (rows in found) if rows else not found


def test_weekdays_are_no_range(runs: Table):
    found = [set(one.rows) for one in meant(runs, "jobs from Monday to Wednesday", "Day")]
    assert set(ROWS) not in found


def test_a_date_is_read_as_its_column_writes_dates(tmp_path: Path):
    table = table_of("Horse,Came\nIvy,02/18/2024\nFlax,05/03/2024\nBram,03/05/2024\n", tmp_path)
    assert {2} in [set(one.rows) for one in meant(table, "who came on 03/05/2024", "Came")]


def test_years_and_months_bound_a_range(tmp_path: Path):
    rows = "".join(f"House {year},{year}\n" for year in (2015, 2019, 2020, 2021, 2023))
    table = table_of(f"House,Built\n{rows}", tmp_path)
    assert {1, 2, 3} in [set(one.rows) for one in meant(table, "built between 2019 and 2021", "Built")]


def test_a_cell_of_several_nations_is_of_each():
    assert nations_in("EN/SV") == nations_in("English") | nations_in("Sweden")
    assert not nations_in("EN/later")


NAMES = ("Ann", "Bo", "Cara", "Dan", "Eve", "Fay", "Gus", "Hal")


def test_people_who_tell_rows_apart_name_them(tmp_path: Path):
    cells = "".join(f"ZK-{n},{name} Lee,{'SE' if n % 2 else 'DE'},Dorm {n % 3}\n" for n, name in enumerate(NAMES))
    table = table_of(f"Ref,Lead guest,Nat,Room\n{cells}", tmp_path)
    assert label_of(table).name == "Lead guest"


def test_a_worked_out_cell_cites_a_cell_of_its_row(runs: Table):
    (span,) = [one for one in derived(runs.columns, ["how", "long", "was", "it", "out"]) if one.name == "Out Back"]
    assert Query(runs, (1,), span, LIST).told().read == ((1, span),)
    assert span.place == column(runs, "Back").place

"""What made the networks of a table, and runs made again in the place of those on record."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from memnet.papers import STUDIES
from memnet.record import runs
from memnet.record.measurements import counted
from memnet.record.runs import COLUMNS, append_rows, read_rows
from memnet.reports.documents import made_by, rows_of
from memnet.reports.reproduce import reports

ROOT = Path(__file__).parent.parent
RECORDED = read_rows(ROOT / "results" / "runs.csv")
OLDER = {"thousand", "thousand-facts", "thousand-joint", "training-steps"}  # of one code each, another than most


def test_the_cells_of_a_table_are_made_by_one_code():
    codes = {name: {row["code"] for row in rows_of(study, RECORDED)} for name, study in reports().items()}
    for name in ("few-questions", "other-thousands"):  # which take a column from the study of the first thousand
        codes[name] -= codes["thousand"]
    assert [name for name, found in codes.items() if len(found) > 1] == []
    latest, _ = Counter(row["code"] for row in RECORDED).most_common(1)[0]
    assert {name for name, found in codes.items() if found and found != {latest}} == OLDER
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert all(f"(../results/tables/{name}.md)" in page.split("\n## Where the numbers come from\n")[1] for name in OLDER)


@pytest.mark.parametrize("name", [name for name in STUDIES if name.startswith("equal")])
def test_the_study_on_equal_terms_has_one_code_and_one_named_processor(name: str):
    rows = rows_of(STUDIES[name], RECORDED)
    assert len({(row["code"], row["machine"]) for row in rows}) == 1
    assert "avx" in rows[0]["machine"]


def test_every_network_that_a_study_declares_is_found():
    assert len(rows_of(STUDIES["equal-joint"], RECORDED)) == 7 * 2
    assert len(rows_of(STUDIES["equal-align"], RECORDED)) == 5 * 3 * 5 * 5
    assert rows_of(STUDIES["equal-joint"], []) == []


def test_of_presets_tried_in_turn_those_count_that_were_tried():
    rows = rows_of(STUDIES["ten-thousand"], RECORDED)
    first, second = STUDIES["ten-thousand"].presets
    again = {row["data"] for row in rows if row["preset"] == first and float(row["validation_error"]) > 0}
    assert {row["data"] for row in rows if row["preset"] == second} == again
    assert len(rows) == 19 + len(again) < 2 * 19


def test_a_line_says_what_made_the_networks_of_a_study():
    rows = [dict(row) for row in rows_of(STUDIES["equal-joint"], RECORDED)]
    for row in rows:
        row.update(code="aaa", machine="X", torch="2", numpy="3", python="4")
    assert made_by("equal-joint", rows) == "14 networks, made by code aaa on X; torch 2, numpy 3, python 4."
    rows[0].update(code="bbb", machine="")
    assert made_by("equal-joint", rows).startswith(
        "14 networks, made by code aaa (13), bbb (1) on X (13), a machine that was not recorded (1); torch 2,"
    )
    assert made_by("equal-joint", []) == made_by("memn2n-1k", RECORDED) == made_by("summary", RECORDED) == ""
    assert counted(["a", "b", "b"]) == "b (2), a (1)"


def run_of(preset: str, error: str, restarts: int = 2) -> list[dict[str, str]]:
    row = dict.fromkeys(COLUMNS, "") | {"preset": preset, "restarts": str(restarts)}
    return [row | {"replica": str(replica), "test_error": error} for replica in range(restarts)]


def replace_runs(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "replace_runs.py"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_runs_made_again_take_the_place_of_those_on_record(tmp_path: Path):
    again, recorded = tmp_path / "again.csv", tmp_path / "runs.csv"
    for preset in ("one", "two", "three"):
        append_rows(recorded, run_of(preset, "5"))
    for preset in ("two", "four"):
        append_rows(again, run_of(preset, "6"))
    done = replace_runs(again, recorded)
    assert done.returncode == 0, done.stderr
    assert f"1 runs of {recorded} replaced" in done.stdout
    assert "not on record, left out: " in done.stdout
    rows = runs.read_rows(recorded)  # with checksums that hold
    assert [(row["preset"], row["test_error"]) for row in rows] == [
        *[("one", "5")] * 2,
        *[("two", "6")] * 2,
        *[("three", "5")] * 2,
    ]
    assert Counter(row["preset"] for row in runs.read_rows(again)) == {"two": 2, "four": 2}


def test_a_run_of_stories_that_are_simulated_otherwise_today_takes_the_place_of_the_old_one(tmp_path: Path):
    again, recorded = tmp_path / "again.csv", tmp_path / "runs.csv"
    for data in ("old", "same"):
        append_rows(recorded, [row | {"hash": data} for row in run_of("one", "5")])
    for data in ("same", "new"):
        append_rows(again, [row | {"hash": data} for row in run_of("one", "6")])
    assert "2 runs" in replace_runs(again, recorded).stdout
    assert [(row["hash"], row["test_error"]) for row in runs.read_rows(recorded)] == [*[("new", "6")] * 2, *[("same", "6")] * 2]
    append_rows(again, [row | {"hash": "more"} for row in run_of("one", "7")])  # which it would replace is not known
    assert "not on record, left out: " in replace_runs(again, recorded).stdout
    assert {row["test_error"] for row in runs.read_rows(recorded)} == {"6"}


def test_what_is_not_a_file_of_runs_replaces_nothing(tmp_path: Path):
    again, recorded = tmp_path / "again.csv", tmp_path / "runs.csv"
    append_rows(recorded, run_of("one", "5"))
    append_rows(again, run_of("one", "6"))
    before = recorded.read_bytes()
    lines = again.read_text(encoding="utf-8").splitlines(keepends=True)
    again.write_text("".join(lines[:-1]), encoding="utf-8")  # a restart is missing
    done = replace_runs(again, recorded)
    assert done.returncode == 1
    assert "1 row of a run of 2 restarts" in done.stderr
    assert "Traceback" not in done.stderr
    assert replace_runs(tmp_path / "none.csv", recorded).returncode == 1
    assert replace_runs(again).returncode == 1
    assert recorded.read_bytes() == before

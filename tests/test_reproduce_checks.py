"""What is made again is compared with the record; tables made from nothing."""

from pathlib import Path

import pytest
import typer

from memnet.config import override
from memnet.papers import PRESETS, STUDIES, TABLES
from memnet.papers.declare import Column, Table
from memnet.record.compare import Comparison, compare, describe, reproduced, shift, why_not
from memnet.record.provenance import APART, INSTRUCTIONS, processor, versions
from memnet.record.runs import COLUMNS, append_rows, read_rows
from memnet.reports.reproduce import jobs_of, reports, states
from tests.conftest import memnet, refused
from tests.test_reproduce import errors as errors_in

ROOT = Path(__file__).parent.parent


def test_every_table_names_its_runs():
    assert TABLES.keys() | STUDIES.keys() == reports().keys()
    for name, study, state in states(ROOT / "results" / "runs.csv"):
        assert state.there == state.needed or study.grows, f"{name}: {state.there} of {state.needed} runs are on record"


def test_what_is_made_again_is_compared(tmp_path: Path):
    rows = [row for row in read_rows(ROOT / "results" / "runs.csv") if row["data"] in ("babi/qa1", "babi/qa2")]
    rows = [row for row in rows if (row["preset"], row["settings"]) == ("pe-ls-rn", "")]
    assert describe(compare(rows, rows)) == ["2 of 2 cells are those on record, error for error of every restart"]
    assert describe(compare([], rows)) == ["no run of these is on record"]
    other = [row | ({"test_error": "50"} if row["data"] == "babi/qa2" else {}) for row in rows]
    told = describe(compare(other, rows))
    assert told[0].startswith("babi/qa2 pe-ls-rn: mean test error over restarts 50.00 %, on record ")
    assert told[-1].startswith("1 of 2 cells are those on record")
    assert reproduced(compare(rows, rows))
    assert not reproduced(compare(other, rows))
    assert not reproduced([])


def cell(errors: list[float], **changed: str) -> list[dict[str, str]]:
    """The rows of a run with these test errors, by default of a processor whose instruction sets are known."""
    known = dict.fromkeys(COLUMNS, "") | {"preset": "bow", "data": "babi/qa1", "restarts": str(len(errors))}
    known |= {"code": "c0de", "torch": "2", "numpy": "2", "python": "3.11", "machine": "Intel; avx2"} | changed
    return [known | {"replica": str(place), "test_error": f"{error:g}"} for place, error in enumerate(errors)]


def test_a_check_expects_the_same_bits_of_the_same_processor_alone():
    record = cell([10.0, 14.0])
    for errors, same in (([10.0, 14.0], True), ([10.0, 14.1], False)):
        found = compare(cell(errors), record)
        assert [one.elsewhere for one in found] == [()]
        assert reproduced(found) == same
    assert why_not(found) == "not reproduced: the same code, versions and processor gave other errors: babi/qa1 bow"
    for changed in ({"machine": "Intel; avx2 avx512f"}, {"machine": "AMD; avx2"}, {"code": "0ther"}, {"torch": "3"}):
        assert reproduced(compare(cell([10.0, 14.1], **changed), record))
    assert reproduced(compare(cell([10.0, 14.1], machine="Intel"), cell([10.0, 14.0], machine="Intel")))  # sets unknown


def test_a_check_elsewhere_reports_the_difference_in_units_of_the_spread():
    record = cell([10.0, 12.0, 14.0])
    found = compare(cell([13.0, 15.0, 17.0], machine="AMD; avx2"), record)
    assert describe(found) == [
        "babi/qa1 bow: mean test error over restarts 15.00 %, on record 12.00 %: +3.00 points, 1.5 times the spread of the "
        "restarts on record (2.00)",
        "made elsewhere, so equal bits are not to be expected:",
        "  processor AMD; avx2, on record Intel; avx2",
        "0 of 1 cells are those on record, error for error of every restart; of the other 1, 1 are within their bound (1 point "
        "or 2 times the spread on record; below 1 % 0.75 points); mean over cells 15.00 %, on record 12.00 %",
    ]
    assert reproduced(found)
    both = [row | {"chosen": str(int(row["replica"] == "1"))} for row in cell([13.0, 15.0, 17.0], machine="AMD; avx2")]
    before = [row | {"chosen": str(int(row["replica"] == "0"))} for row in record]
    assert "+3.00 points; chosen 15.00 %, on record 10.00 %, 1.5 times" in describe(compare(both, before))[0]
    far = compare(cell([14.5, 16.1, 18.0], machine="AMD; avx2"), record)
    assert not reproduced(far)
    bound = "1 point or 2 times the spread on record; below 1 % 0.75 points"
    assert why_not(far) == f"differs by more than its bound ({bound}): babi/qa1 bow"
    assert "2.1 times the spread" in describe(far)[0]


def test_a_check_of_several_cells_says_what_they_differ_by_in_the_mean():
    record = [row for task in ("qa1", "qa2", "qa3") for row in cell([10.0, 12.0], data=f"babi/{task}")]
    again = [
        row for task, by in (("qa1", 0), ("qa2", 1), ("qa3", 2)) for row in cell([10.0 + by, 12.0 + by], data=f"babi/{task}")
    ]
    (*_, whole) = describe(compare([row | {"machine": "AMD; avx2"} for row in again], record))
    assert whole.endswith(
        "mean over cells 12.00 %, on record 11.00 %: +1.00 ± 2.48 points (95 % interval over cells)"
    )  # 4.303 standard errors


def moved(by: list[float], errors: list[float]) -> list[Comparison]:
    """Cells of one restart with these errors on record, made elsewhere, each with so many points more."""
    record = [row for task, error in enumerate(errors) for row in cell([error], data=f"babi/{task}")]
    again = [row for task, error in enumerate(errors) for row in cell([error + by[task]], data=f"babi/{task}")]
    return compare([row | {"machine": "AMD; avx2"} for row in again], record)


def test_many_small_differences_to_one_side_are_not_what_is_on_record():
    """A point more on every cell, each of which passes alone."""
    up = moved([0.7] * 20, [0.5] * 20)
    assert all(one.holds for one in up)
    assert shift(up) == "+0.70 ± 0.00 points (99% interval over 20 cells)"
    assert not reproduced(up)
    assert why_not(up) == "all cells together differ to one side: +0.70 ± 0.00 points (99% interval over 20 cells)"
    assert not reproduced(moved([-0.3, -0.2] * 10, [2.0] * 20))  # less error is another result, too
    both_ways = moved([0.7, -0.5] * 10, [2.0] * 20)
    assert shift(both_ways) == ""
    assert reproduced(both_ways)
    assert reproduced(moved([0.7, 0.6], [2.0, 2.0]))  # the interval over two cells is wide
    assert reproduced(moved([0.0] * 20, [0.5] * 20))
    assert reproduced(moved([0.7], [0.5]))  # one cell has no interval


def test_a_table_whose_every_cell_is_almost_a_point_worse_fails():
    """By hand: half the 99 % interval is t(0.995, 19) = 2.861 standard errors of the mean over 20 cells."""
    every = moved([0.9] * 20, [20.0] * 20)
    assert all(one.holds for one in every)
    assert why_not(every) == "all cells together differ to one side: +0.90 ± 0.00 points (99% interval over 20 cells)"
    half = moved([0.9, 0.0] * 10, [20.0] * 20)  # their sd is 0.9 sqrt(20 / 19) / 2 = 0.4617; 2.861 * 0.4617 / sqrt(20) = 0.295
    assert why_not(half) == "all cells together differ to one side: +0.45 ± 0.30 points (99% interval over 20 cells)"
    assert not reproduced(half)
    two = moved([0.9] * 2 + [0.0] * 18, [20.0] * 20)  # 0.09 ± 2.861 * 0.277 / sqrt(20) = 0.18
    assert reproduced(two)


def test_half_a_percent_that_becomes_one_and_a_half_fails_whatever_restarts_differ_by():
    for errors in ([0.5], [0.5, 0.5], [1.2, 0.1, 0.2], [0.0, 0.0, 1.5]):
        record, again = cell(errors), cell([error + 1.0 for error in errors], machine="AMD; avx2")
        assert not reproduced(compare(again, record))
    bound = "1 point or 2 times the spread on record; below 1 % 0.75 points"
    assert why_not(compare(again, record)) == f"differs by more than its bound ({bound}): babi/qa1 bow"
    assert reproduced(compare(cell([4.0, 0.0], machine="AMD; avx2"), cell([2.0, 0.0])))  # 1.0 becomes 2.0


def test_cells_below_one_percent_have_a_bound_of_their_own():
    assert reproduced(moved([0.7], [0.9]))
    assert not reproduced(moved([0.8], [0.9]))
    assert reproduced(moved([0.8], [1.0]))
    assert reproduced(moved([1.0], [1.0]))
    assert "below 1 % 0.75 points): babi/0 bow" in why_not(moved([0.8], [0.9]))


def test_a_check_of_one_restart_says_that_there_is_no_spread():
    found = compare(cell([11.0], machine="AMD; avx2"), cell([10.0]))
    assert "+1.00 points; one restart on record, so no spread to hold it against" in describe(found)[0]
    assert reproduced(found)  # within a point
    far = compare(cell([11.1], machine="AMD; avx2"), cell([10.0]))
    assert not reproduced(far)
    assert why_not(far).endswith("; of one restart there is no spread, so this may be chance: babi/qa1 bow")
    same = compare(cell([0.0, 0.3], machine="AMD; avx2"), cell([0.0, 0.0]))
    assert "the restarts on record do not differ" in describe(same)[0]
    assert reproduced(same)


def test_a_row_names_the_processors_model_and_its_instruction_sets():
    model, _, sets = versions()["machine"].rpartition(APART)
    assert model == processor()
    assert set(sets.split()) & {*INSTRUCTIONS, "default", "avx512"}


def test_only_what_is_asked_for_is_planned(published: Path, tmp_path: Path):
    def planned(**options: list[str]) -> list[tuple[str, str]]:
        jobs, _ = jobs_of(reports()["memn2n-rows-1k"], tmp_path / "runs.csv", tmp_path, published, **options)  # type: ignore[arg-type]
        return sorted((job.spec.preset, job.spec.what) for job in jobs)

    assert len(planned()) == 80
    assert planned(tasks=["qa2"]) == [("bow", "babi/qa2"), ("masked", "babi/qa2"), ("pe", "babi/qa2"), ("pe-ls", "babi/qa2")]
    assert planned(tasks=["qa2"], presets=["bow"]) == [("bow", "babi/qa2")]


def test_a_table_from_nothing_and_its_check(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With a table of one quick run in place of the long ones."""
    monkeypatch.setenv("MEMNET_DATA", str(published))
    monkeypatch.setitem(PRESETS, "bow", override(PRESETS["bow"], {"epochs": 1}))
    for name, task in (("tiny", "qa1"), ("small", "qa4")):
        monkeypatch.setitem(TABLES, name, Table(name, "One run", "babi", (Column("bow", restarts=2),), tasks=(task,)))
    recorded, both = tmp_path / "recorded.csv", ("tiny", "small")

    def told(*arguments: object, names: tuple[str, ...] = ("tiny",), code: int = 0) -> str:
        done = memnet("reproduce", *names, *arguments, "--published", ROOT / "results" / "published.csv", "--jobs", 1)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    make = ("--results", recorded, "--recorded", recorded)
    assert "nothing to compare" in told(*make)
    assert (tmp_path / "tables" / "tiny.md").read_text(encoding="utf-8").count("| qa1 |") == 1
    assert (tmp_path / "tables" / "tiny.csv").read_text(encoding="utf-8").count("\nbow,single,2,1k,qa1,") == 1
    assert "1 of 1 cells are those on record" in told("--check", "--cell", "qa1", "--recorded", recorded)
    other = tmp_path / "other.csv"
    append_rows(other, [row | {"test_error": "99"} for row in read_rows(recorded)])
    assert "not reproduced" in told("--check", "--recorded", other, code=1)
    said = told(*make, names=both)
    assert "tiny: One run; 1 run, 1 of them done already" in said
    assert "small: One run; 1 run, 0 of them done already" in said
    assert (tmp_path / "tables" / "small.md").exists()
    said = told("--check", "--recorded", other, names=both, code=1)
    assert "tiny: not reproduced: the same code, versions and processor gave other errors: babi/qa1 bow" in said
    assert "small: not reproduced: no run of these is on record" in said
    old, again = tmp_path / "old.csv", tmp_path / "again.csv"
    append_rows(old, [row | {"code": "old" if row["data"] == "babi/qa4" else row["code"]} for row in read_rows(recorded)])
    outdated = ("--outdated", "--results", again, "--recorded", old)
    told(*outdated, "--dry-run", names=both)
    assert not again.exists()
    said = told(*outdated, names=both)
    assert "tiny: One run; 1 run, 1 of them done already" in said
    assert "small: One run; 1 run, 0 of them done already" in said
    assert errors_in(again) == errors_in(recorded)
    said = told("--outdated", "--results", old, "--recorded", recorded, code=1)
    assert "has runs of other code (old); name another file by --results" in said
    assert "--outdated makes runs again beside the record" in told("--outdated", "--check", "--recorded", old, code=1)
    carried_out = []

    def fails_first(*_: object) -> None:
        carried_out.append(1)
        if len(carried_out) == 1:
            raise typer.Exit(1)

    with monkeypatch.context() as patched:
        patched.setattr("memnet.cli.reproduce.carry_out", fails_first)
        assert "memnet: tiny: runs failed" in told(*make, names=both, code=1)
    assert len(carried_out) == 2
    said = told("--results", recorded, names=("tiny", "nothing"), code=2)
    assert "there is no table 'nothing'" in said
    assert "tiny:" not in said


def test_refusals():
    assert "there is no table 'nothing'; 'memnet reproduce --list' lists them" in refused("reproduce", "nothing")
    assert "there is no table 'memn2n1k'; did you mean 'memn2n-1k' or 'memn2n-10k'?" in refused("reproduce", "memn2n1k")
    assert "--cell must be" in refused("reproduce", "memn2n-1k", "--cell", "qa21")
    assert "--preset must be" in refused("reproduce", "memn2n-1k", "--preset", "memnn")
    assert "--cell must be" in refused("reproduce", "thousand", "simulator", "--cell", "qa99")
    assert "--check, --preset and --seed are for the others" in refused("reproduce", "simulator", "--seed", 9)

"""The procedure on other thousands: which are shown, and their spread."""

from pathlib import Path

import pytest

from memnet.errors import NetworkError
from memnet.papers.declare import Study
from memnet.papers.thousand import HAD, OTHER_SEEDS, OTHER_THOUSANDS, OTHERS, SPREAD, THOUSAND
from memnet.record.runs import append_rows
from memnet.reports.reproduce import in_turns, jobs_of
from memnet.reports.thousands import other_thousands
from tests.records import run


def rows_of(study: Study, *errors: float) -> list[dict[str, str]]:
    """The first candidate of every task, without a validation error: of each seed the next test error."""
    return [
        row | {"validation_error": "0"}
        for part in study.runs
        if part.presets[0] == study.presets[0]
        for name in part.data
        for row in run(name, [errors[part.seed]], part.presets[0], seed=str(part.seed))
    ]


def test_a_thousand_is_shown_when_all_its_networks_are_there(tmp_path: Path):
    runs = tmp_path / "runs.csv"
    with pytest.raises(NetworkError, match="no thousand with all its runs; 'memnet reproduce other-thousands' makes them"):
        other_thousands(runs)
    append_rows(runs, rows_of(OTHER_THOUSANDS[1], 1, 2, 3) + rows_of(OTHER_THOUSANDS[3], 3, 4, 5))
    append_rows(runs, rows_of(OTHER_THOUSANDS[2], 1, 1, 1)[:-1])
    text = other_thousands(runs)
    assert "| thousand 1 of the 10,000 | **2.00** | 1.00 | 3 |" in text
    assert "| thousand 2" not in text
    assert "Over 2 other thousands: 3.00 ± 1.41 %." in text
    assert "Not trained yet: 2, 4, 5; `memnet reproduce other-thousands` trains what is lacking." in text
    append_rows(runs, rows_of(THOUSAND, 5, 5, 5, 5, 10))
    assert "| the published one | **6.00** | 2.24 | 5 |" in other_thousands(runs)
    assert "beside 6.00 of the published one" in other_thousands(runs)


def test_of_a_thousand_what_comes_next_is_known_by_its_stories(tmp_path: Path, published: Path):
    """A perfect network of one thousand is none of another."""
    first, second, _ = THOUSAND.presets
    total = len(OTHERS) * len(OTHER_SEEDS) * len(HAD)
    assert in_turns([], SPREAD) == (0, total)
    done = rows_of(OTHER_THOUSANDS[1], 1, 1, 1)
    assert in_turns(done, SPREAD) == (len(HAD) * len(OTHER_SEEDS), total - len(HAD) * len(OTHER_SEEDS))
    runs = tmp_path / "runs.csv"
    failed = [row | {"validation_error": "5"} for row in done if row["data"] == "resampled/qa1@1" and row["seed"] == "0"]
    append_rows(runs, [row | {"hash": "x"} for row in failed])
    jobs, _ = jobs_of(SPREAD, runs, tmp_path, published, tasks=["qa1"], seeds=[0])
    assert {(job.spec.data[0], job.spec.preset) for job in jobs} == {
        ("resampled/qa1@1", second),
        *((f"resampled/qa1@{number}", first) for number in (2, 3, 4, 5)),
    }

"""A trial that could not fail would be worth nothing."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from random import Random

import pytest

from tests.trials.trial import mutate, run_trial

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


def test_a_case_that_raises_fails_the_trial(capsys: pytest.CaptureFixture[str]):
    seen: list[float] = []

    def case(draw: Random) -> None:
        seen.append(draw.random())
        if len(seen) == 3:
            raise KeyError("traceback")

    with pytest.raises(AssertionError, match="case 2: KeyError: 'traceback'"):
        run_trial("raises", case, 5)
    assert "raises: 5 cases (0 from before), 1 failed" in capsys.readouterr().out
    assert len(set(seen)) == 5


def test_a_case_that_hangs_fails_the_trial():
    with pytest.raises(AssertionError, match="case 0: TooSlow: more than 1 s"):
        run_trial("hangs", lambda draw: time.sleep(20), 1, seconds=1)


def test_a_trial_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The same cases, each once; a failure from before is still one."""
    monkeypatch.setenv("MEMNET_TRIALS", str(tmp_path))
    drawn: list[float] = []

    def case(draw: Random) -> None:
        drawn.append(draw.random())
        if len(drawn) == 2:
            raise ValueError("odd")

    with pytest.raises(AssertionError):
        run_trial("stopped", case, 3)
    with pytest.raises(AssertionError, match="case 1: ValueError: odd"):
        run_trial("stopped", case, 5)
    assert drawn == [Random(f"stopped {number}").random() for number in range(5)]
    assert [json.loads(line)["case"] for line in (tmp_path / "stopped.jsonl").read_text().splitlines()] == list(range(5))


def test_mutations_are_the_seeds_and_change_something():
    text = b"1 Mary went home.\n2 Where is Mary?\thome\t1\n"
    assert mutate(text, Random(1)) == mutate(text, Random(1))
    changed = [mutate(text, Random(seed)) for seed in range(200)]
    assert len(set(changed)) > 150
    assert sum(one == text for one in changed) < 20
    assert mutate(b"", Random(0)) is not None

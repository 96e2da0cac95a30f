"""A trial that could not fail would be worth nothing."""

import json
import mmap
import os
import signal
import time
from pathlib import Path
from random import Random

import pytest

from tests.trials.trial import CASES, FOLDER, mutate, run_trial

LARGE = 1 << 26  # bytes

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


@pytest.fixture(autouse=True)
def _no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)


def note(path: Path, draw: Random) -> int:
    """Write down what was drawn; how many times that has been done."""
    with open(path, "a") as file:
        file.write(f"{draw.random()}\n")
    return len(path.read_text().splitlines())


def test_a_case_that_raises_fails_the_trial(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    def case(draw: Random) -> None:
        if note(tmp_path / "drawn", draw) == 3:
            raise KeyError("traceback")

    with pytest.raises(AssertionError, match="case 2: KeyError: 'traceback'"):
        run_trial("raises", case, 5)
    assert "raises: 5 cases (0 from before), 1 failed" in capsys.readouterr().out
    assert (tmp_path / "drawn").read_text().split() == [str(Random(f"raises {number}").random()) for number in range(5)]


def test_a_case_that_hangs_fails_the_trial():
    with pytest.raises(AssertionError, match="case 0: TooSlow: more than 1 s"):
        run_trial("hangs", lambda draw: time.sleep(20), 1, seconds=1)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        (lambda: os._exit(3), "case 1: the process ended with 3"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "case 1: SIGKILL"),
        (lambda: mmap.mmap(-1, LARGE).write(bytes(LARGE)), "case 1: .* bytes more than before"),
    ],
    ids=["exit", "signal", "memory"],
)
def test_a_case_that_dies_or_takes_memory_fails_the_trial_and_the_others_are_run(deed, said: str, tmp_path: Path):
    def case(draw: Random) -> None:
        if note(tmp_path / "drawn", draw) == 2:
            deed()

    with pytest.raises(AssertionError, match=said) as failed:
        run_trial("dies", case, 4, memory=LARGE // 2)
    assert str(failed.value).count("case ") == 1
    assert len((tmp_path / "drawn").read_text().split()) == 4


def test_a_trial_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The same cases, each once; what failed is tried again."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    drawn, wrong = tmp_path / "drawn", tmp_path / "wrong"
    wrong.touch()

    def case(draw: Random) -> None:
        if note(drawn, draw) == 2 and wrong.exists():
            raise ValueError("odd")

    with pytest.raises(AssertionError):
        run_trial("stopped", case, 3)
    wrong.unlink()
    monkeypatch.setenv(CASES, "5")
    run_trial("stopped", case)
    assert drawn.read_text().split() == [str(Random(f"stopped {number}").random()) for number in (0, 1, 2, 1, 3, 4)]
    results = [json.loads(line) for line in (tmp_path / "stopped.jsonl").read_text().splitlines()]
    assert [(result["case"], result["failure"]) for result in results] == [
        *((0, ""), (1, "ValueError: odd"), (2, "")),
        *((1, ""), (3, ""), (4, "")),
    ]


def test_mutations_are_the_seeds_and_change_something():
    text = b"1 Mary went home.\n2 Where is Mary?\thome\t1\n"
    assert mutate(text, Random(1)) == mutate(text, Random(1))
    changed = [mutate(text, Random(seed)) for seed in range(200)]
    assert len(set(changed)) > 150
    assert sum(one == text for one in changed) < 20
    assert mutate(b"", Random(0)) is not None

"""What a training costs is told in core-hours, by every command that makes a network of the package."""

import subprocess
import sys
from pathlib import Path

import pytest

from memnet.measure.core_hours import core_hours, processor_seconds

ROOT = Path(__file__).parent.parent
HUNDREDTH = 0.01  # of a second, in which each of the four times is told
BUSY = "import time\nwhile time.process_time() < 0.3: pass"


def test_what_this_process_and_those_that_it_started_took(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    before = processor_seconds()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    took = processor_seconds() - before
    assert took >= 0.3 - 4 * HUNDREDTH - 1e-6, "a process that it started counts once it has ended"
    seconds = iter([10.0, 5410.0])
    monkeypatch.setattr("memnet.measure.core_hours.processor_seconds", lambda: next(seconds))
    with pytest.raises(KeyboardInterrupt), core_hours():
        raise KeyboardInterrupt
    assert capsys.readouterr().out == "1.500 core-hours\n"


@pytest.mark.parametrize("name", ["facts", "network", "reader", "relations", "retriever", "search"])
def test_every_command_that_makes_a_network_tells_its_core_hours(name: str):
    assert "@core_hours()" in (ROOT / "scripts" / f"make_{name}.py").read_text(encoding="utf-8")

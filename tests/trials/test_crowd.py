"""Two hundred clients at once, some of whom ask as dear questions as the server takes: how long the others wait."""

import itertools
import json
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random

import numpy as np
import pytest

from memnet.measure.load import questions
from memnet.serve.endpoint import MAX_STORY
from memnet.serve.gate import ASK
from tests.ask.serving import Served
from tests.trials.trial import Draw, number_of_cases, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path("/proc/self").exists(), reason="every client has 127.x.x.x")]
CLIENTS, DEAR, SECONDS = 200, 20, 30
PAUSE = 5.0  # seconds that an ordinary client takes, on average, before it asks again
P99 = 2.0  # seconds
NETWORKS = ["memnet", "memn2n", "memnn"]  # three of the package


def dear(draw: Random) -> str:
    """A story as long as is taken, of words that no network knows, for one of the networks."""
    names = ("".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=3)) for _ in itertools.count())
    story = "\n".join(f"{next(names)} {next(names)} {next(names)} {next(names)}." for _ in range(980))[:MAX_STORY]
    return json.dumps({"story": story, "question": "Where is Mary?", "network": draw.choice(NETWORKS)})


def client(number: int, port: int, end: float, body: Callable[[Random], str], pause: float) -> list[tuple[int, float]]:
    """Status (0: none) and seconds of everything that one client asks; it has an address of its own."""
    draw, found = Random(number), list[tuple[int, float]]()
    connection = HTTPConnection(
        "127.0.0.1", port, timeout=120, source_address=(f"127.0.{1 + number // 250}.{1 + number % 250}", 0)
    )
    time.sleep(draw.uniform(0, pause or 1))
    while time.monotonic() < end:
        started, status = time.monotonic(), 0
        try:
            connection.request("POST", ASK, body(draw))
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (HTTPException, OSError):
            pass
        connection.close()
        found.append((status, time.monotonic() - started))
        time.sleep(draw.uniform(0, 2 * pause) if status == 200 else 1.0)
    return found


def times(process: int) -> tuple[float, float]:
    """Seconds that a process's threads computed, and that they waited for a core."""
    each = [path.read_text().split() for path in Path(f"/proc/{process}/task").glob("*/schedstat")]
    ran, waited = (sum(int(one[at]) for one in each) / 1e9 for at in (0, 1))
    return ran, waited


def said(name: str, found: Sequence[tuple[int, float]]) -> float:
    """Print how long answers took; the seconds of the slowest hundredth."""
    seconds = [each for status, each in found if status == 200]
    p50, p99 = np.percentile(seconds, (50, 99)) if seconds else (np.nan, np.nan)
    print(f"{name}: {len(seconds):,} answers, p50 {p50:.3f} s, p99 {p99:.3f} s; {len(found) - len(seconds):,} not answered")
    return float(p99)


def crowd(folder: Path) -> None:
    """Let a server answer a crowd."""
    cheap = questions(NETWORKS)[ASK]
    with Served(NETWORKS, folder, subprocess.DEVNULL) as server:
        port = int(server.address.rsplit(":", 1)[1].strip("/"))
        assert [status for status, _ in client(0, port, time.monotonic() + 10, dear, 0)][:1] == [200], "it is taken"
        before, end = times(server.process.pid), time.monotonic() + SECONDS
        with ThreadPoolExecutor(CLIENTS) as pool:
            bodies = [dear] * DEAR + [lambda draw: draw.choice(cheap)] * (CLIENTS - DEAR)
            pauses = [0.0] * DEAR + [PAUSE] * (CLIENTS - DEAR)
            asked = [pool.submit(client, at, port, end, *one) for at, one in enumerate(zip(bodies, pauses, strict=True))]
            while time.monotonic() < end:
                time.sleep(0.1)
            after = times(server.process.pid)
            found = [each.result() for each in asked]
    print(f"\n{CLIENTS} clients for {SECONDS} s, {DEAR} of them with as dear questions as are taken; {os.cpu_count()} cores")
    said("dear", [one for each in found[:DEAR] for one in each])
    others = [one for each in found[DEAR:] for one in each]
    p99, (ran, waited) = said("others", others), (now - then for now, then in zip(after, before, strict=True))
    print(f"the server computed {ran:.0f} s, and waited {waited:.0f} s for a core")
    assert {status for status, _ in others} == {200}
    assert p99 < P99, f"p99 {p99:.1f} s; the server waited {waited:.0f} s for a core to compute {ran:.0f} s"


def test_crowd(tmp_path: Path):
    pytest.importorskip("gradio", reason="the page needs gradio")

    def case(draw: Draw) -> None:
        (folder := tmp_path / f"{draw.case}").mkdir()
        crowd(folder)

    run_trial("crowd", case, max(1, number_of_cases() // 100), seconds=300)

"""The server is stopped, at any moment, with dear questions at hand and waiting: within five seconds, and in sentences."""

import json
import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random

import pytest

from memnet.serve.gate import ASK
from tests.ask.serving import Served
from tests.trials.test_crowd import NETWORKS, dear
from tests.trials.trial import Draw, number_of_cases, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]
MOST_SECONDS = 5.0  # that a stop may take


def ask(port: int, body: str) -> tuple[int, dict[str, object]]:
    """Status and JSON of an answer; 0 where the connection ended without one, as of a question that came too late."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("POST", ASK, body)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    except (HTTPException, OSError):
        return 0, {}
    finally:
        connection.close()


def stop_while_asked(draw: Random, folder: Path) -> None:
    """Ask some dear questions, and stop the server while they are computed or wait."""
    how, number, after = draw.choice((signal.SIGTERM, signal.SIGINT)), draw.choice((1, 2, 8, 16)), draw.uniform(0.3, 3)
    with Served(NETWORKS, folder, subprocess.PIPE) as server, ThreadPoolExecutor(number) as pool:
        port = int(server.address.rsplit(":", 1)[1].strip("/"))
        asked = [pool.submit(ask, port, dear(draw)) for _ in range(number)]
        time.sleep(after)
        started = time.monotonic()
        server.process.send_signal(how)
        out, log = server.process.communicate(timeout=60)
        took = time.monotonic() - started
        answers = [each.result() for each in asked]
    assert took < MOST_SECONDS, f"{took:.1f} s after {how.name}"
    assert "Traceback" not in out + log, log
    for status, said in answers:
        assert status in (200, 503), f"status {status} after {how.name} at {after:.1f} s with {number} questions"
        assert status == 200 or said["error"], said


def test_stops(tmp_path: Path) -> None:
    pytest.importorskip("gradio", reason="the page needs gradio")

    def case(draw: Draw) -> None:
        (folder := tmp_path / f"{draw.case}").mkdir()
        stop_while_asked(draw, folder)

    run_trial("stops", case, max(1, number_of_cases() // 10), seconds=180)  # the limit is of the stop, and not of the start

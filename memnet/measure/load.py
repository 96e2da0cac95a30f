"""How ``memnet serve`` stands up to many who ask at once: failures, waiting times, and the server's memory."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memnet.ask.example import example_of
from memnet.errors import ConfigError
from memnet.serve.gate import ASK, EVENTS
from memnet.serve.origins import TOKEN
from memnet.tasks.simulator import PUBLISHED_TASKS

SEEDS = 5  # simulated stories of each task
WARM_UP = 5  # questions of each client before anything is measured
PATIENCE = 60  # seconds that an answer may take


class Waits(NamedTuple):
    """Questions that were asked in one way: how many, how many were not answered, milliseconds at two quantiles."""

    way: str
    questions: int
    failures: int
    p50: float
    p99: float


class Load(NamedTuple):
    """Waiting times by the way of asking, and MiB of the server's memory before and after, NaN where nobody says."""

    waits: list[Waits]
    before: float
    after: float


class Server(NamedTuple):
    """A server in a process of its own, its port and its networks' names."""

    process: subprocess.Popen[str]
    port: int
    networks: list[str]

    @property
    def memory(self) -> float:
        """MiB that the process has now; NaN where the system does not say."""
        status = Path(f"/proc/{self.process.pid}/status")
        if status.exists():
            return int(status.read_text().partition("VmRSS:")[2].split()[0]) / 1024
        said = subprocess.run(["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, text=True, check=False)
        return int(said.stdout) / 1024 if said.stdout.strip().isdigit() else math.nan


@contextmanager
def served(runs: Sequence[str]) -> Iterator[Server]:
    """``memnet serve`` at a free port of this machine. Raises :class:`~memnet.errors.ConfigError` where it does not start."""
    command = [sys.executable, "-m", "memnet", "serve", *runs, "--port", "0"]
    known = {name: value for name, value in os.environ.items() if name != TOKEN}
    with subprocess.Popen(command, env=known, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            said = process.stdout.readline() if process.stdout is not None else ""
            if not said:
                raise ConfigError(f"the server does not start; {' '.join(['memnet serve', *runs])} says why")
            port = int(said.split()[3].rstrip("/").rsplit(":", 1)[1])
            connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("GET", "/api/networks")
            yield Server(process, port, json.loads(connection.getresponse().read())["networks"])
        finally:
            process.terminate()


def load(runs: Sequence[str], clients: int, seconds: float) -> Load:
    """Let so many clients ask for so long, each as soon as it has its answer, about simulated stories of all the tasks.

    Every second client is a program (the JSON endpoint), the others are pages. Raises :class:`~memnet.errors.ConfigError`.
    """
    ways = [(ASK, EVENTS)[number % 2] for number in range(clients)]
    with served(runs) as server, ThreadPoolExecutor(clients) as pool:
        bodies = questions(server.networks)

        def everybody(seconds: float, at_least: int) -> dict[str, list[float]]:
            each = [(way, bodies[way][number:] + bodies[way][:number]) for number, way in enumerate(ways)]
            asked = [pool.submit(ask, server.port, way, mine, seconds, at_least) for way, mine in each]
            times: dict[str, list[float]] = {}
            for way, one in zip(ways, asked, strict=True):
                times.setdefault(way, []).extend(one.result())
            return times

        everybody(0, WARM_UP)
        before = server.memory
        times = everybody(seconds, 1)
        return Load([waits(way, times[way]) for way in times], before, server.memory)


def questions(networks: Sequence[str]) -> dict[str, list[str]]:
    """Bodies of requests by the path that they go to, the networks in turn."""
    bodies: dict[str, list[str]] = {ASK: [], EVENTS: []}
    for seed, task in itertools.product(range(SEEDS), PUBLISHED_TASKS):
        example, network = example_of(task, seed), networks[seed % len(networks)]
        asked = {"story": list(example.statements), "question": example.question, "network": network}
        boxes = ["\n".join(example.statements), example.question, network, "", None]
        bodies[ASK].append(json.dumps(asked))
        bodies[EVENTS].append(json.dumps({"fn_index": 0, "data": boxes}))
    return bodies


def ask(port: int, way: str, bodies: Sequence[str], seconds: float, at_least: int) -> list[float]:
    """Milliseconds of one client's questions, one after another; NaN where one was not answered."""
    found: list[float] = []
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    end = time.perf_counter() + seconds
    for number, body in enumerate(itertools.cycle(bodies)):
        if number >= at_least and time.perf_counter() > end:
            break
        started = time.perf_counter()
        try:
            connection.request("POST", way, body)
            answer = connection.getresponse()
            answer.read()
            found.append(1000 * (time.perf_counter() - started) if answer.status == 200 else math.nan)
        except (HTTPException, OSError):
            found.append(math.nan)
            connection.close()
    connection.close()
    return found


def waits(way: str, times: Sequence[float]) -> Waits:
    """What became of questions that took so many milliseconds, NaN where one was not answered."""
    answered = [each for each in times if not math.isnan(each)]
    p50, p99 = np.percentile(answered, (50, 99)) if answered else (math.nan, math.nan)
    return Waits("endpoint" if way == ASK else "page", len(times), len(times) - len(answered), float(p50), float(p99))

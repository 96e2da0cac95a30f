"""How long a network lets a person wait: for an answer about fifty statements, and for ``memnet ask`` from its start."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from memnet.ask.predictor import Predictor
from memnet.errors import NetworkError
from memnet.tasks.simulator import PUBLISHED_TASKS, simulate
from memnet.tasks.simulator.world import Dials
from memnet.tasks.text import Story

STATEMENTS = 50
TYPED = "Mary went to the kitchen.\nWhere is Mary?\n"


class Wait(NamedTuple):
    """Milliseconds, the median: of a story's statements and a question, and of a question about a story that is known."""

    story: float
    question: float


def answer_times(predictor: Predictor, questions: int = 100, statements: int = STATEMENTS) -> Wait:
    """Ask as many stories of so many statements (task 1, simulated) one by one."""
    whole, again = [], []
    for story in long_stories(statements, questions):
        told, question = list(story.statements[:statements]), story.questions[0].text
        started = time.perf_counter()
        predictor.ask(told, question)
        whole.append(time.perf_counter() - started)
        encoded = predictor.encode_story(told)
        started = time.perf_counter()
        predictor.ask(encoded, question)
        again.append(time.perf_counter() - started)
    return Wait(1000 * statistics.median(whole), 1000 * statistics.median(again))


def long_stories(statements: int, number: int) -> list[Story]:
    """Simulated stories of task 1 with at least so many statements before their first question."""
    stories = simulate(PUBLISHED_TASKS[0], 5 * number, 2003, Dials(statements=statements))
    return stories[:number]


def start_seconds(folder: Path, times: int = 5, imports_torch: bool = False) -> float:
    """Seconds from starting ``memnet ask`` to the end of its answer, the median of so many; less those of importing torch,
    where the network needs it.

    Raises :class:`~memnet.errors.NetworkError` where the command ends with an error of its own.
    """
    command = [sys.executable, "-m", "memnet", "ask", str(folder)]
    asked, imported = [], []
    for _ in range(times):
        asked.append(seconds_of(command, TYPED))
        imported.append(seconds_of([sys.executable, "-c", "import torch"], "") if imports_torch else 0.0)
    return statistics.median(asked) - statistics.median(imported)


def seconds_of(command: list[str], typed: str) -> float:
    """Seconds of a process that is given a text. Raises :class:`~memnet.errors.NetworkError` where it fails."""
    started = time.perf_counter()
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - started
    if done.returncode not in (0, 1):  # 1: it has no answer
        raise NetworkError(f"{' '.join(command)} ended with status {done.returncode}: {done.stderr.strip()[-200:]}")
    return spent

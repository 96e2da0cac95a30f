"""What models cost, and how they fare as the memory grows: measured here, written as CSV for the comparison."""

from __future__ import annotations

import csv
import io
import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch

from memnet.ask.predictor import Predictor
from memnet.config import Training
from memnet.errors import NetworkError
from memnet.models.folder import load_network
from memnet.reports.bench import peak
from memnet.tasks.published import Task
from memnet.tasks.simulator import distracted, simulate, simulated_task
from memnet.tasks.simulator.world import Dials
from memnet.tasks.text import Story
from memnet.training.dataset import DataSet
from memnet.training.run import execute, opened
from memnet.training.spec import specify

DISTRACTORS = 5  # in a training story


class Cost(NamedTuple):
    """Of a network for task 2: its parameters, and milliseconds an answer, the median over test questions asked one by one."""

    preset: str
    parameters: int
    milliseconds: float


class ScalingPoint(NamedTuple):
    """Of questions about stories of so many statements: percent of wrong answers, ms an answer, the process's peak in MiB."""

    preset: str
    statements: int
    questions: int
    error: float
    milliseconds: float
    peak: float


def cost(run: Path, task: Task, questions: int) -> Cost:
    """Of a trained network, asked the first test questions of a task, one thread."""
    torch.set_num_threads(1)
    net, vocabulary, saved = load_network(run)
    predictor, times = Predictor(net, vocabulary), []
    asked = [(story, question) for story in task.test for question in story.questions][:questions]
    for story, question in asked:
        started = time.perf_counter()
        predictor.ask(story.statements[: question.after], question.text, reads=3)
        times.append(time.perf_counter() - started)
    number = sum(parameter.numel() for parameter in net.parameters())
    return Cost(saved["preset"], number, 1000 * sorted(times)[len(times) // 2])


def with_memory_size(config: Training, statements: int) -> Training:
    """The configuration with a memory of at least so many statements."""
    return replace(config, memory_size=max(config.memory_size, statements))


def trained(preset: str, config: Training, folder: Path) -> Path:
    """A network for task 1 with a few distractor sentences in each story, simulated; its folder."""
    stories, tests = simulated_task("qa1", seed=0, dials=Dials(distractors=DISTRACTORS))
    task = Task("qa1", stories, tests, None, "simulated", f"distractors={DISTRACTORS}")
    spec = specify([task], preset, config, "1k", "en", 0, min(3, config.default_restarts))
    with opened(folder, spec, resume=folder.exists()):
        execute(spec, DataSet.of([task], config), folder)
    return folder


def long_stories(statements: int, questions: int) -> list[Story]:
    """Stories of task 1 whose last question is asked after so many statements, most of them distractors."""
    found: list[Story] = []
    for story in simulate("qa1", 5 * questions, 1001):
        last = story.questions[-1]
        short = Story(story.statements[: last.after], (last,))
        found.append(distracted(Random(len(found)), short, max(0, statements - last.after)))
    return found[:questions]


def asked_long(run: Path, statements: int, questions: int) -> ScalingPoint:
    """A trained network asked about long stories, one thread, in this process."""
    torch.set_num_threads(1)
    net, vocabulary, saved = load_network(run)
    predictor, wrong, times = Predictor(net, vocabulary), 0, []
    stories = long_stories(statements, questions)
    for story in stories:
        question = story.questions[0]
        started = time.perf_counter()
        answer = predictor.ask(story.statements[: question.after], question.text, reads=3)
        times.append(time.perf_counter() - started)
        wrong += answer.answer != question.answer
    middle = sorted(times)[len(times) // 2]
    return ScalingPoint(saved["preset"], statements, len(stories), 100 * wrong / len(stories), 1000 * middle, peak())


def scaling(configs: Mapping[str, Training], sizes: Sequence[int], questions: int) -> Iterator[ScalingPoint]:
    """Error, time and memory of each preset by statements in the memory, each point in a process of its own.

    Of stories of more than a thousand statements a tenth as many questions are asked.
    """
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        for preset, config in configs.items():
            run = trained(preset, config, Path(folder) / preset)
            for size in sizes:
                with context.Pool(1) as pool:
                    yield pool.apply(asked_long, (run, size, questions if size <= 1000 else max(1, questions // 10)))


def write_csv(rows: Sequence[Cost] | Sequence[ScalingPoint]) -> str:
    """Measurements as CSV, a line each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0]._fields)
    writer.writerows([f"{value:.4g}" if isinstance(value, float) else value for value in row] for row in rows)
    return text.getvalue()


def read_costs(path: Path) -> dict[str, Cost]:
    """What :func:`write_csv` wrote of costs, by preset. Raises :class:`~memnet.checkpoint.NetworkError`."""
    return {row["preset"]: Cost(row["preset"], int(row["parameters"]), float(row["milliseconds"])) for row in lines(path)}


def read_scaling(path: Path) -> list[ScalingPoint]:
    """What :func:`write_csv` wrote of points. Raises :class:`~memnet.checkpoint.NetworkError`."""
    return [
        ScalingPoint(
            row["preset"],
            int(row["statements"]),
            int(row["questions"]),
            *(float(row[name]) for name in ("error", "milliseconds", "peak")),
        )
        for row in lines(path)
    ]


def lines(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file. Raises :class:`~memnet.checkpoint.NetworkError`."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing; 'memnet bench models' and 'memnet bench memory' write it") from error

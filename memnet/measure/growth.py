"""What models cost, and how they fare as the memory grows: measured here, written as CSV for the comparison."""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import torch
from torch.utils.flop_counter import FlopCounterMode

from memnet.ask.predictor import Predictor
from memnet.config import Training
from memnet.measure.speed import peak
from memnet.memory.long_memory import RETRIEVER
from memnet.models.retriever import Retriever
from memnet.record.measurements import DISTRACTORS, AnswerCost, ScalingPoint
from memnet.tasks.families import Task
from memnet.tasks.simulator import PUBLISHED_TASKS, distracted, simulate, simulated_task
from memnet.tasks.simulator.world import Dials
from memnet.tasks.text import Story
from memnet.training.dataset import DataSet
from memnet.training.run import execute, opened
from memnet.training.spec import specify


def cost(run: Path, task: Task, questions: int) -> AnswerCost:
    """Of a trained network, asked the first test questions of a task, one thread; the time is the processor's."""
    torch.set_num_threads(1)
    predictor, times, flops = Predictor.load(run), list[float](), list[int]()
    in_torch = Predictor(predictor.net, predictor.vocabulary)  # whose operations can be counted
    asked = [(story, question) for story in task.test for question in story.questions][:questions]
    for story, question in asked:
        told = story.statements[: question.after]
        started = time.process_time()
        predictor.ask(told, question.text, reads=3)
        times.append(time.process_time() - started)
        with FlopCounterMode(display=False) as counted:
            in_torch.ask(told, question.text, reads=3)
        flops.append(counted.get_total_flops())
    net, preset = predictor.net, predictor.metadata["preset"]
    number, seconds = sum(parameter.numel() for parameter in net.parameters()), statistics.median(times)
    return AnswerCost(preset, net.config.dim, number, 1000 * seconds, statistics.median(flops))


def with_memory_size(config: Training, statements: int) -> Training:
    """The configuration with a memory of at least so many statements."""
    return replace(config, memory_size=max(config.memory_size, statements))


def trained(preset: str, config: Training, folder: Path) -> Path:
    """A network for task 1 with a few distractor sentences in each story, simulated; its folder."""
    stories, tests = simulated_task(PUBLISHED_TASKS[0], seed=0, dials=Dials(distractors=DISTRACTORS))
    task = Task.of(f"sim/{PUBLISHED_TASKS[0]}", stories, tests, f"distractors={DISTRACTORS}")
    spec = specify([task], preset, config, 0, min(3, config.default_restarts))
    with opened(folder, spec, resume=None):
        execute(spec, DataSet.of([task], config), folder)
    return folder


def long_stories(statements: int, questions: int) -> list[Story]:
    """Stories of task 1 whose last question is asked after so many statements, most of them distractors."""
    found: list[Story] = []
    for story in simulate(PUBLISHED_TASKS[0], 5 * questions, 1001):
        last = story.questions[-1]
        short = Story(story.statements[: last.after], (last,))
        found.append(distracted(Random(len(found)), short, max(0, statements - last.after)))
    return found[:questions]


def asked_long(run: Path, statements: int, questions: int, retrieve: bool = False) -> ScalingPoint:
    """A trained network asked about long stories, one thread, in this process; of what a retriever finds where it is to."""
    torch.set_num_threads(1)
    predictor, wrong, times = Predictor.load(run), 0, list[float]()
    retriever = Retriever.load(RETRIEVER) if retrieve else None
    stories = long_stories(statements, questions)
    for story in stories:
        question, told = story.questions[0], story.statements[: story.questions[0].after]
        started = time.perf_counter()
        if retriever is not None:
            told = tuple(retriever.found(question.text, told))
        answer = predictor.ask(told, question.text, reads=3)
        times.append(time.perf_counter() - started)
        wrong += answer.answer != question.answer
    middle, errors = statistics.median_high(times), 100 * wrong / len(stories)
    return ScalingPoint(predictor.metadata["preset"], statements, len(stories), errors, 1000 * middle, peak())


def growing_memory(
    configs: Mapping[str, Training], sizes: Sequence[int], questions: int, retrieve: bool = False
) -> Iterator[ScalingPoint]:
    """Error, time and memory of each preset by statements in the memory, each point in a process of its own.

    Of stories of more than a thousand statements a tenth as many questions are asked, unless a retriever finds what is read.
    """
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        for preset, config in configs.items():
            run = trained(preset, config, Path(folder) / preset)
            for size in sizes:
                number = questions if retrieve or size <= 1000 else max(1, questions // 10)
                with context.Pool(1) as pool:
                    yield pool.apply(asked_long, (run, size, number, retrieve))

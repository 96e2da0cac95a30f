"""What it costs to take in a long text and to answer from it: seconds, milliseconds, memory."""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import torch

from memnet.ask.predictor import Predictor
from memnet.measure.speed import peak
from memnet.memory.long_memory import LongMemory
from memnet.record.measurements import ReadingCost
from memnet.tasks.babilong import Sample, scattered
from memnet.tasks.text import Story
from memnet.tasks.text.background import Background

ASKED = 20  # times the question


def written(sample: Sample, background: Background, path: Path) -> Path:
    """A sample's text in a file, ten sentences a line as a paragraph has."""
    with open(path, "w", encoding="utf-8") as file:
        for number, (sentence, _) in enumerate(sample.text(background), 1):
            file.write(sentence.strip() + (" " if number % 10 else "\n"))
    return path


def read_once(text: Path, question: str, network: Path, length: str) -> ReadingCost:
    """Take a text in and ask, one thread, in this process."""
    torch.set_num_threads(1)
    memory, started = LongMemory.opened(text.parent / "memory"), time.perf_counter()
    with open(text, encoding="utf-8") as lines:
        *_, sentences = memory.remember(lines)
    seconds, predictor, times = time.perf_counter() - started, Predictor.load(network), list[float]()
    for _ in range(ASKED):
        asked = time.perf_counter()
        memory.ask(predictor, question)
        times.append(time.perf_counter() - asked)
    return ReadingCost(length, sentences, seconds, 1000 * statistics.median(times), peak())


def reading(
    stories: Sequence[Story], network: Path, background: Background, lengths: dict[str, int], repeat: bool = False
) -> Iterator[ReadingCost]:
    """The first question of the stories, asked of texts of these lengths, each in a process of its own.

    Raises :class:`~memnet.tasks.text.background.BackgroundError` where there is too little background.
    """
    story, context = stories[0], multiprocessing.get_context("spawn")
    for name, length in lengths.items():
        sample = scattered(Random(0), story, story.questions[0], background, length, 0.0, repeat)
        with tempfile.TemporaryDirectory() as folder, context.Pool(1) as pool:
            text = written(sample, background, Path(folder) / "text.txt")
            yield pool.apply(read_once, (text, sample.question.text, network, name))

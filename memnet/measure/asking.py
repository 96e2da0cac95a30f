"""How long a person waits for answers: from the start, about a story that is kept or that grows, and for many at once."""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from memnet.ask.going_on import Telling
from memnet.ask.predictor import Predictor
from memnet.measure.latency import STATEMENTS, TYPED, long_stories, seconds_of
from memnet.tasks.simulator import PUBLISHED_TASKS, simulate

LONG = 1000  # statements of a story at the prompt
TIMES = 20


class Asking(NamedTuple):
    """What was done, and medians of its milliseconds: of a clock, and of the processor, which other work does not lengthen."""

    what: str
    wall: float
    processor: float


def timed(
    what: str, act: Callable[[], object], times: int = TIMES, processor: Callable[[], float] = time.process_time
) -> Asking:
    """Do something so often, after a first time that does not count; ``processor`` gives its seconds so far."""
    act()
    spent = list[tuple[float, float]]()
    for _ in range(times):
        started, before = time.perf_counter(), processor()
        act()
        spent.append((time.perf_counter() - started, processor() - before))
    return Asking(what, *(1000 * statistics.median(part) for part in zip(*spent, strict=True)))


def of_children() -> float:
    """Seconds that the processor spent on programs that this one started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def asking(folder: Path, questions: int) -> Iterator[Asking]:
    """From the start of ``memnet ask``, alone, about a story that is kept or that grows, and many at once.

    Long stories are of task 1, the many questions of the twenty tasks, all mixed and simulated. Raises
    :class:`~memnet.errors.NetworkError` where the command ends with an error of its own.
    """
    command = [sys.executable, "-m", "memnet", "ask", str(folder)]
    yield timed("a command that asks, from its start to its answer", partial(seconds_of, command, TYPED), 5, of_children)
    predictor = Predictor.load(folder)
    story = long_stories(STATEMENTS, 1)[0]
    told, question = list(story.statements[:STATEMENTS]), story.questions[0].text
    yield timed(f"{STATEMENTS} statements and a question", partial(predictor.ask, told, question))
    yield timed(f"a question about {STATEMENTS} that are kept", partial(predictor.ask, predictor.encode_story(told), question))
    yield timed(f"one statement more than about {LONG}, and a question", growing(predictor))
    stories = [story for task in PUBLISHED_TASKS for story in simulate(task, -(-questions // len(PUBLISHED_TASKS)), 2003)]
    asked = [(story.statements[: one.after], one.text) for story in stories for one in story.questions]
    asked = Random(0).sample(asked, min(questions, len(asked)))
    many = timed("", partial(predictor.ask_many, asked), 3)
    yield Asking(f"one of {len(asked):,} by ask_many", many.wall / len(asked), many.processor / len(asked))


def growing(predictor: Predictor) -> Callable[[], object]:
    """What asks, each time, about a story that has grown by a statement, as at the prompt."""
    story, telling, told = long_stories(LONG, 1)[0], Telling(), count(LONG - TIMES - 1)
    question = story.questions[0].text

    def ask() -> None:
        predictor.ask(telling.about(predictor, story.statements[: next(told)], question), question)

    return ask

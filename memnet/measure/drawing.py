"""How fast stories are drawn, one core: training a reader must not wait for them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import NamedTuple

from memnet.tasks.simulator import PUBLISHED_TASKS, simulate
from memnet.tasks.text import Story as TaskStory
from memnet.tasks.world import Story, draw
from memnet.tasks.world.log_books import draw_log
from memnet.tasks.world.told import draw_told

TASK, AT_ONCE = PUBLISHED_TASKS[0], 100  # a task of the simulator, and its questions that one call draws
DRAWERS: Mapping[str, Callable[[Random], Story | list[TaskStory]]] = {
    "one world": draw,
    "written templates": draw_told,
    "log books": draw_log,
    f"the simulator's {TASK}": lambda random: simulate(TASK, AT_ONCE, random.randrange(1 << 30)),
}


class DrawingSpeed(NamedTuple):
    """Of a kind of stories: how many are drawn in a second of the processor's time, and their questions."""

    what: str
    stories: float
    questions: float


def drawing(seconds: float) -> Iterator[DrawingSpeed]:
    """Draw each kind for so many seconds, at least two stories, after one for which words are read from files."""
    for what, draw_one in DRAWERS.items():
        random, stories, questions = Random(1), 0, 0
        draw_one(random)
        started = time.process_time()
        while stories < 2 or time.process_time() - started < seconds:
            drawn = draw_one(random)
            several = drawn if isinstance(drawn, list) else [drawn]
            stories, questions = stories + len(several), questions + sum(len(story.questions) for story in several)
        took = max(time.process_time() - started, 1e-9)
        yield DrawingSpeed(what, stories / took, questions / took)

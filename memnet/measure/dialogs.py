"""What networks answer in dialogs: percent of responses that are right, and of dialogs of which every response is."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memnet.api import preset_named
from memnet.composing.answers import accuracy
from memnet.composing.bot import Trained
from memnet.composing.making import COMPOSER, make
from memnet.composing.training import Course, course_of
from memnet.encode.examples import examples
from memnet.encode.vocabulary import TEST
from memnet.models.checkpoint import load_network
from memnet.record.measurements import DialogScore
from memnet.tasks.families import Task
from memnet.tasks.scores import SCORES
from memnet.tasks.text import Story
from memnet.training.asked import answers_of, asked_of
from memnet.training.evaluate import evaluate
from memnet.training.run import make_run
from memnet.training.spec import specify

RANKERS: Mapping[str, int] = {"memn2n": 6, "dmn-plus": 2, "universal": 2, "causal": 2}  # preset -> epochs


def splits_of(task: Task) -> dict[str, list[Story]]:
    """The validation dialogs, by which networks are chosen, and those of every test split."""
    return {"validation": task.split(0.1)[1], **task.splits}


def composer(task: Task, course: Course, folder: Path) -> Iterator[DialogScore]:
    """Train a composer in a folder, or open what was trained there; how it does on every split."""
    started = time.monotonic()
    make(task, course, folder)
    seconds, trained = time.monotonic() - started, Trained.load(folder)
    for split, stories in splits_of(task).items():
        responses, dialogs = accuracy(stories, trained.answers(stories))
        yield DialogScore(
            task.name,
            split,
            COMPOSER,
            course.seed,
            course.epochs,
            seconds,
            responses.asked,
            100 * responses.share,
            100 * dialogs.share,
        )

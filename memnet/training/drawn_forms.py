"""The forms of the sentences of simulated tasks, as a network's vocabulary sees names: which stories are such a network's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain

from memnet.config import Training
from memnet.encode.forms import Forms, complete_stories, form
from memnet.encode.vocabulary import OpenVocabulary
from memnet.tasks.families import Task
from memnet.training.stream import Stream

LEAST = 200  # times that a form stands in a task's stories of these epochs, to be one of the task's
EPOCHS = 12  # of training stories, whose forms are collected


def drawn_forms(tasks: Sequence[Task], vocabulary: OpenVocabulary, config: Training, least: int = LEAST) -> Forms:
    """Each form of the tasks' own stories, and those that are frequent in the fresh stories that training draws of them."""
    form_of = lru_cache(None)(partial(form, vocabulary))
    stories = [[*task.train, *task.test] for task in tasks]
    plain = replace(Forms.collected(stories, form_of), stories=complete_stories(stories, form_of))
    stream = Stream.of(tasks, config)
    epochs = zip(*(stream.stories(number) for number in range(EPOCHS)), strict=True)
    return plain.joined(Forms.collected((chain(*stories) for stories in epochs), form_of, least))

"""The simulator: fresh stories of the twenty tasks, drawn as the published ones were.

The same task, seed and number of questions give the same stories on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from memnet.tasks import (
    qa1,
    qa2,
    qa3,
    qa4,
    qa5,
    qa6,
    qa7,
    qa8,
    qa9,
    qa10,
    qa11,
    qa12,
    qa13,
    qa14,
    qa15,
    qa16,
    qa17,
    qa18,
    qa19,
    qa20,
)
from memnet.tasks.text import Story

STORIES: dict[str, Callable[[Random], Story]] = {
    module.__name__.rpartition(".")[2]: module.story
    for module in (
        *(qa1, qa2, qa3, qa4, qa5, qa6, qa7, qa8, qa9, qa10),
        *(qa11, qa12, qa13, qa14, qa15, qa16, qa17, qa18, qa19, qa20),
    )
}


def simulate(name: str, questions: int, seed: int) -> list[Story]:
    """Stories of a task until so many questions are asked; the last story is cut there."""
    draw = Random(f"{name} {seed}")
    told: list[Story] = []
    while questions > 0:
        story = STORIES[name](draw)
        if len(story.questions) > questions:
            asked = story.questions[:questions]
            story = replace(story, statements=story.statements[: asked[-1].after], questions=asked)
        told.append(story)
        questions -= len(story.questions)
    return told

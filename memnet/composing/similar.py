"""The training dialogs that are most like the validation dialogs: where several bots were recorded, and one is asked for.

In task 6 two thirds of the training dialogs are of a bot that no validation dialog is of: it asks "Let me confirm ..." and
says of prices what the other never does. Whoever learns from both answers half as one, half as the other.

log p(dialog, validation) - log p(dialog, training) = sum over its answers of log((v + 1) / (t V / T + 1)), naive Bayes with an
answer's words but for its names as its feature: v and t are how often it stands in V validation and T training dialogs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from memnet.tasks.text import Story


def most_similar(train: Sequence[Story], valid: Sequence[Story], share: float, frame: Callable[[str], str]) -> list[Story]:
    """So many of the training dialogs, at least one, in their order; ``frame`` leaves the names of an answer out."""
    if share >= 1:
        return list(train)
    in_train, in_valid = counted(train, frame), counted(valid, frame)
    usual = len(valid) / len(train)

    def likeness(story: Story) -> float:
        frames = (frame(question.answer) for question in story.questions)
        return sum(math.log((in_valid[one] + 1) / (in_train[one] * usual + 1)) for one in frames)

    order = sorted(range(len(train)), key=lambda number: (-likeness(train[number]), number))
    return [train[number] for number in sorted(order[: max(1, round(share * len(train)))])]


def counted(stories: Iterable[Story], frame: Callable[[str], str]) -> Counter[str]:
    """How often answers have each frame."""
    return Counter(frame(question.answer) for story in stories for question in story.questions)

"""Training on a stream of fresh simulated stories: no epoch sees a story of another, and memory stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memnet.config import Training
from memnet.data.examples import Examples, examples
from memnet.data.vocabulary import Vocabulary
from memnet.errors import TrainingError
from memnet.tasks.evidence import stories_without_evidence
from memnet.tasks.published import Task
from memnet.tasks.simulator import PUBLISHED, simulate

FIRST = 1_000_000  # seeds from here on are of streams: those below are of data sets, train and test


@dataclass(frozen=True)
class Stream:
    """So many questions of each task an epoch, which depend on the epoch and the story seed alone."""

    names: tuple[str, ...]
    questions: int
    seed: int
    vocabulary: Vocabulary
    config: Training

    @classmethod
    def of(cls, tasks: Sequence[Task], vocabulary: Vocabulary, config: Training) -> Stream:
        """Of simulated tasks. Raises :class:`TrainingError` for others."""
        for task in tasks:
            if task.name not in PUBLISHED or task.source not in ("simulated", "transfer"):
                raise TrainingError(
                    f"stream draws fresh stories of the simulator, and {task.name} is {task.source}: use --source simulated, or "
                    "transfer to test on the published text"
                )
        return cls(tuple(task.name for task in tasks), config.stream, tasks[0].story_seed, vocabulary, config)

    def epoch(self, number: int) -> Examples:
        """The questions of an epoch, from 0."""
        seed = FIRST * (1 + self.seed) + number
        told = []
        for place, name in enumerate(self.names):
            stories = simulate(name, self.questions, seed)
            stories += stories_without_evidence(stories, self.config.unanswerable)
            told.append(self.vocabulary.prepare(stories, len(self.names) * seed + place))
        return examples(told, self.vocabulary, self.config.memory_size)

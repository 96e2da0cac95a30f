"""Training on a stream of fresh simulated stories: no epoch sees a story of another, and memory stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memnet.config import Training
from memnet.data.examples import Examples, examples
from memnet.data.vocabulary import Vocabulary
from memnet.errors import TrainingError
from memnet.tasks.evidence import stories_without_evidence
from memnet.tasks.published import Task
from memnet.tasks.simulator import PUBLISHED, Dials, simulate
from memnet.tasks.text import Story

SHARES = {"qa2": 2.0, "qa3": 2.0, "qa15": 1.5, "qa17": 1.5, "qa18": 1.5, "qa19": 3.0}  # of questions: these take the longest
PUBLISHED_SIZES = (Dials(),)
VARIANTS = {  # a path of two steps is learned after paths of one
    "qa19": (Dials(path=1), Dials(), Dials()),
}
BETWEEN = 100_000  # seeds of a task's variants are so far apart
FIRST = 1_000_000  # seeds from here on are of streams: those below are of data sets, train and test


@dataclass(frozen=True)
class Stream:
    """So many questions of each task an epoch, times its share; they depend on the epoch and the story seed alone."""

    names: tuple[str, ...]
    questions: int
    seed: int
    config: Training

    @classmethod
    def of(cls, tasks: Sequence[Task], config: Training) -> Stream:
        """Of simulated tasks. Raises :class:`TrainingError` for others."""
        for task in tasks:
            if task.name not in PUBLISHED or task.source not in ("simulated", "transfer"):
                raise TrainingError(
                    f"stream draws fresh stories of the simulator, and {task.name} is {task.source}: use --source simulated, "
                    "or transfer to test on the published text"
                )
        return cls(tuple(task.name for task in tasks), config.stream, tasks[0].story_seed, config)

    def stories(self, number: int) -> list[list[Story]]:
        """The stories of an epoch, from 0, by task."""
        return [self.of_task(name, FIRST * (1 + self.seed) + number) for name in self.names]

    def of_task(self, name: str, seed: int) -> list[Story]:
        """A task's: its share of the questions, as many of each variant."""
        variants = VARIANTS.get(name, PUBLISHED_SIZES)
        each = max(1, round(SHARES.get(name, 1.0) * self.questions / len(variants)))
        dials = [replace(variant, phrasing=self.config.phrasing) for variant in variants]
        return [story for place, one in enumerate(dials) for story in simulate(name, each, seed + place * BETWEEN, one)]

    def epoch(self, number: int, vocabulary: Vocabulary) -> Examples:
        """The questions of an epoch, some of them also without their evidence."""
        prepared = []
        for place, stories in enumerate(self.stories(number)):
            without = stories_without_evidence(stories, self.config.unanswerable)
            prepared.append(vocabulary.prepare([*stories, *without], number * len(self.names) + place))
        return examples(prepared, vocabulary, self.config.memory_size)

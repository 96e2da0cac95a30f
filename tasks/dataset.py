"""The tasks as a data set of the ``datasets`` library: a row a story, in the schema of ``facebook/babi_qa``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
from datasets import ClassLabel, Features, List, Value

from . import simulator
from .folder import new_folder
from .published import DataError, Task, find
from .rows import KINDS, row
from .text import Story

FEATURES = Features(
    {
        "story": List(
            {
                "id": Value("string"),
                "type": ClassLabel(names=list(KINDS)),
                "text": Value("string"),
                "supporting_ids": List(Value("string")),
                "answer": Value("string"),
            }
        )
    }
)
PUBLISHED_VERSION = "1.2.0"  # of bAbI
VALIDATION = 0.1  # the last tenth of the training questions, as in training
SOURCES = ("published", "simulated")


@dataclass
class BabiConfig(datasets.BuilderConfig):  # type: ignore[misc]
    """Which task, how large, from where; ``story_seed`` says which simulated stories."""

    task: str = "qa1"
    size: str = "1k"
    source: str = "published"
    variant: str = "en"
    story_seed: int = 0
    data: str | None = None  # folder of the published text
    digest: str = ""  # of the stories, so that others are never taken from the cache

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise DataError(f"source must be {' or '.join(SOURCES)}, not {self.source!r}")
        if self.task not in simulator.FILES:
            raise DataError(f"no task is called {self.task!r}: expected {simulator.known_tasks()}")
        version = simulator.VERSION if self.source == "simulated" else PUBLISHED_VERSION
        self.version = datasets.Version(version)
        seed = f"-{self.story_seed}" if self.source == "simulated" else ""
        self.name = f"{self.task}-{self.size}-{self.variant}-{self.source}{seed}"

    def found(self) -> Task:
        """The task. Raises :class:`~memnet.tasks.published.DataError`."""
        folder = Path(self.data) if self.data else None
        return find([self.task], self.size, self.variant, folder, self.source, self.story_seed)[0]  # type: ignore[arg-type]


class Babi(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """Builds one task: train, validation (the last tenth of the training questions) and test."""

    BUILDER_CONFIG_CLASS = BabiConfig

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description=f"bAbI {self.config.task}, {self.config.source}: stories with questions, answers and supporting facts.",
            features=FEATURES,
            homepage="https://huggingface.co/datasets/facebook/babi_qa",
            license="CC BY 3.0",
            citation="Weston et al. 2015, arXiv 1502.05698",
        )

    def _split_generators(self, _: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        task = self.config.found()
        train, validation = task.split(VALIDATION)
        parts = {datasets.Split.TRAIN: train, datasets.Split.VALIDATION: validation, datasets.Split.TEST: task.test}
        return [datasets.SplitGenerator(name, {"stories": stories}) for name, stories in parts.items()]

    def _generate_examples(self, stories: Sequence[Story]) -> Iterator[tuple[int, dict[str, Any]]]:
        yield from enumerate(map(row, stories))


def load(
    name: str,
    size: str = "1k",
    source: str = "published",
    variant: str = "en",
    story_seed: int = 0,
    data: Path | str | None = None,
    cache: Path | str | None = None,
) -> datasets.DatasetDict:
    """A task as a ``DatasetDict`` with train, validation and test; a row a story, see :data:`FEATURES`.

    Kept in ``cache`` (the cache of ``datasets``) and made anew when the stories change. Raises
    :class:`~memnet.tasks.published.DataError` for a task, size or source that there is not, text that is not at hand, or a
    cache that cannot be written.
    """
    folder = None if data is None else str(Path(data).absolute())
    settings: dict[str, Any] = {
        "task": name,
        "size": size,
        "source": source,
        "variant": variant,
        "story_seed": story_seed,
        "data": folder,
    }
    digest = BabiConfig(**settings).found().hash
    place = Path(datasets.config.HF_DATASETS_CACHE) if cache is None else Path(cache)
    try:
        builder = Babi(cache_dir=str(place), digest=digest, **settings)
        builder.download_and_prepare()
        return builder.as_dataset()
    except OSError as error:
        reason = error.strerror or error
        raise DataError(f"{place} cannot keep {name} ({reason}); name a folder that can be written: load(cache=...)") from error


def export(tasks: Sequence[Task], out: Path) -> None:
    """Write ``NAME/train.parquet``, ``validation`` and ``test`` of each task into a new folder, all or nothing."""
    with new_folder(out) as part:
        for task in tasks:
            train, validation = task.split(VALIDATION)
            (part / task.name).mkdir()
            for name, stories in {"train": train, "validation": validation, "test": task.test}.items():
                rows = datasets.Dataset.from_list([row(one) for one in stories], features=FEATURES)
                with open(part / task.name / f"{name}.parquet", "wb") as file:
                    rows.to_parquet(file)

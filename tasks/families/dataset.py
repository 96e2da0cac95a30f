"""The tasks as a data set of the ``datasets`` library: a row a story, in the schema of ``facebook/babi_qa``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
from datasets import ClassLabel, Features, List, Value

from ..files import new_folder
from ..text import Story
from . import FAMILIES, DataError, Task, find
from .rows import KINDS, row

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
VERSION = "1.0.0"  # of this form
SPLITS = ("train", "validation", "test")
VALIDATION = 0.1  # the last tenth of the training questions, as in training


@dataclass
class StoriesConfig(datasets.BuilderConfig):  # type: ignore[misc]
    """Which data set, by its full name."""

    task: str = "babi/qa1"
    data: str | None = None  # folder of the published text
    digest: str = ""  # of the stories, so that others are never taken from the cache

    def __post_init__(self) -> None:
        self.version = datasets.Version(VERSION)
        self.name = self.task.replace("/", "-").replace("@", "-").strip(".-")

    def found(self) -> Task:
        """The data set. Raises :class:`~memnet.tasks.families.DataError`."""
        found = find([self.task], Path(self.data) if self.data else None)
        if len(found) > 1:
            raise DataError(f"{self.task} holds {len(found)} data sets; name one: {', '.join(task.name for task in found)}")
        return found[0]


class Stories(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """Builds one task: train, validation (the last tenth of the training questions) and test."""

    BUILDER_CONFIG_CLASS = StoriesConfig

    def _info(self) -> datasets.DatasetInfo:
        family = FAMILIES[self.config.found().family]
        return datasets.DatasetInfo(
            description=f"{self.config.task}, {family.title}: stories with questions, answers and supporting facts.",
            features=FEATURES,
            license=family.licence,
        )

    def _split_generators(self, _: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        task = self.config.found()
        train, validation = task.split(VALIDATION)
        parts = {
            datasets.Split.TRAIN: train,
            datasets.Split.VALIDATION: validation,
            **{named(split): told for split, told in task.splits.items()},
        }
        return [datasets.SplitGenerator(name, {"stories": stories}) for name, stories in parts.items()]

    def _generate_examples(self, stories: Sequence[Story]) -> Iterator[tuple[int, dict[str, Any]]]:
        yield from enumerate(map(row, stories))


def named(split: str) -> str:
    """A test split's name as the library allows it."""
    return re.sub(r"\W", "_", split)


def load(name: str, data: Path | str | None = None, cache: Path | str | None = None) -> datasets.DatasetDict:
    """A data set, such as "babi/qa1", as a ``DatasetDict``: train, validation and test splits, a row a story.

    Kept in ``cache`` (the cache of ``datasets``) and made anew when the stories change. Raises
    :class:`~memnet.tasks.families.DataError` for a name that there is not, text that is not at hand, or a cache that cannot be
    written.
    """
    settings: dict[str, Any] = {"task": name, "data": None if data is None else str(Path(data).absolute())}
    digest = StoriesConfig(**settings).found().hash
    place = Path(datasets.config.HF_DATASETS_CACHE) if cache is None else Path(cache)
    try:
        builder = Stories(cache_dir=str(place), digest=digest, **settings)
        builder.download_and_prepare()
        return builder.as_dataset()
    except OSError as error:
        reason = error.strerror or error
        raise DataError(f"{place} cannot keep {name} ({reason}); name a folder that can be written: load(cache=...)") from error


def export(tasks: Sequence[Task], out: Path) -> None:
    """Write ``NAME/train.parquet``, ``validation`` and each split of tests of every task into a new folder, all or nothing."""
    with new_folder(out) as part:
        for task in tasks:
            train, validation = task.split(VALIDATION)
            (part / task.member).mkdir()
            for name, stories in {"train": train, "validation": validation, **task.splits}.items():
                rows = datasets.Dataset.from_list([row(one) for one in stories], features=FEATURES)
                with open(part / task.member / f"{name if name in SPLITS else 'test_' + named(name)}.parquet", "wb") as file:
                    rows.to_parquet(file)

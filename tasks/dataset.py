"""The tasks as a data set of the ``datasets`` library: a row a story, in the schema of ``facebook/babi_qa``."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import pyarrow.parquet
from datasets import ClassLabel, Features, List, Value

from memnet.tasks import simulator
from memnet.tasks.published import DataError, Task, find
from memnet.tasks.text import FormatError, Question, Story, parse, write

KINDS = ("context", "question")
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


def row(story: Story) -> dict[str, list[dict[str, Any]]]:
    """A story as a row: its lines in order, numbered from 1, with supporting facts as the ids of lines."""
    lines: list[dict[str, Any]] = []
    ids: list[str] = []  # of the statements

    def add(kind: str, text: str, facts: Iterable[int] = (), answer: str = "") -> None:
        supporting = [ids[fact] for fact in facts]
        number = str(len(lines) + 1)
        lines.append({"id": number, "type": kind, "text": text, "supporting_ids": supporting, "answer": answer})

    questions = list(story.questions)
    for told in range(len(story.statements) + 1):
        while questions and questions[0].after == told:
            question = questions.pop(0)
            add("question", question.text, question.supporting_facts, question.answer)
        if told < len(story.statements):
            add("context", story.statements[told])
            ids.append(str(len(lines)))
    return {"story": lines}


def story(row: Mapping[str, Any]) -> Story:
    """A row as a story. Its ``story`` is a list of lines, or, as older rows of the hub are, a dict of columns.

    ``type`` is "context" / "question" or 0 / 1. Raises :class:`~memnet.tasks.text.FormatError` where it is
    no story, for what the text format does not allow too.
    """
    try:
        given = row["story"]
        if isinstance(given, Mapping):
            lengths = {len(column) for column in given.values()}
            if len(lengths) > 1:
                raise FormatError(f"a row's columns have different lengths: {sorted(lengths)}")
            given = [dict(zip(given, values, strict=True)) for values in zip(*given.values(), strict=True)]
        statements: list[str] = []
        questions: list[Question] = []
        place: dict[str, int] = {}
        for line in given:
            number, text, kind = str(line["id"]), line["text"], line["type"]
            kind = KINDS[kind] if type(kind) is int and 0 <= kind < len(KINDS) else kind
            if kind not in KINDS or not isinstance(text, str) or number in place:
                raise FormatError(
                    f"a line of a row is {dict(line)!r}; expected an id of its own, type context or question, and text"
                )
            if kind == "context":
                place[number] = len(statements)
                statements.append(text)
                continue
            if not isinstance(line["answer"], str) or not isinstance(line["supporting_ids"], list):
                raise FormatError(f"a line of a row is {dict(line)!r}; expected an answer and a list of supporting ids")
            facts = tuple(place[str(one)] for one in line["supporting_ids"])
            questions.append(Question(text, line["answer"], facts, len(statements)))
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(
            "a row is not a story: expected 'story' with id, type, text, supporting_ids and answer of each line, and ids that "
            f"name statements told before ({type(error).__name__}: {error})"
        ) from error
    found = Story(tuple(statements), tuple(questions))
    if parse(write([found]), "a row, as text") != [found]:
        raise FormatError("a row is not a story: its texts hold line ends or tabs")
    return found


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
    :class:`~memnet.tasks.published.DataError` for a task, size or source that there is not, or text that is not at hand.
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
    builder = Babi(cache_dir=None if cache is None else str(cache), digest=digest, **settings)
    builder.download_and_prepare()
    return builder.as_dataset()


def read_parquet(content: bytes, name: str) -> list[Story]:
    """The stories of a parquet file's bytes, a row each. Raises :class:`~memnet.tasks.text.FormatError` with ``name``."""
    try:
        rows = pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise FormatError(f"{name} is not a parquet file: {error}") from error
    stories = []
    for number, one in enumerate(rows):
        try:
            stories.append(story(one))
        except FormatError as error:
            raise FormatError(f"{name}, row {number}: {error}") from error
    return stories


def export(tasks: Sequence[Task], out: Path) -> None:
    """Write ``NAME/train.parquet``, ``validation`` and ``test`` of each task into a new folder, all or nothing."""
    if os.path.lexists(out):
        raise DataError(f"{out} exists already; name a folder that does not")
    out.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    try:
        for task in tasks:
            train, validation = task.split(VALIDATION)
            (part / task.name).mkdir()
            for name, stories in {"train": train, "validation": validation, "test": task.test}.items():
                rows = datasets.Dataset.from_list([row(one) for one in stories], features=FEATURES)
                with open(part / task.name / f"{name}.parquet", "wb") as file:
                    rows.to_parquet(file)
        part.chmod(0o755)
        part.rename(out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise

"""What a task is, and the tasks in a folder of one's own files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .text import Story, decode, divide, one_line, parse


class DataError(ValueError):
    """Data is missing, changed or ambiguous; the message says what to do."""


@dataclass(frozen=True)
class Task:
    """The stories of one task; ``hash`` is of the files' bytes.

    ``source`` is "published", "simulated", "transfer" (trained on simulated, tested on published stories),
    "resampled" (trained on other 1,000 questions of the published 10k text) or "own".
    """

    name: str
    train: list[Story]
    test: list[Story]
    valid: list[Story] | None
    source: str
    hash: str
    story_seed: int = 0  # which simulated or resampled stories
    files: Mapping[str, Path] = field(default_factory=dict)  # of one's own: train, test and perhaps valid

    def __repr__(self) -> str:
        train, test = (sum(len(story.questions) for story in stories) for stories in (self.train, self.test))
        return one_line(f"<Task {self.name} ({self.source}): {train:,} training and {test:,} test questions>")

    def split(self, share: float) -> tuple[list[Story], list[Story]]:
        """Training and validation stories: the task's own validation file, or the last ``share`` of the questions."""
        if self.valid is not None:
            return self.train, self.valid
        total = sum(len(story.questions) for story in self.train)
        left = total - max(1, round(total * share))
        if left < 1:
            raise DataError(f"{self.name} has {total} training question(s); at least 2 are needed, one to validate with")
        return divide(self.train, left)


PARTS = ("train", "test")
WORD = re.compile(r"(?<![a-z])(train|test|valid)(?![a-z])", re.IGNORECASE)  # as a word of its own
PART = re.compile(r"train|test|valid", re.IGNORECASE)


def part_of(name: str) -> tuple[str, str] | None:
    """What stands before ``train`` / ``test`` / ``valid`` in a file's name, and which it is; None for neither."""
    stem, dot, kind = name.rpartition(".")
    found = list(WORD.finditer(stem)) or list(PART.finditer(stem))
    if dot + kind not in (".txt", ".parquet") or not found:
        return None
    return stem[: found[-1].start()], found[-1][0].lower()


def stories_of(path: Path, content: bytes) -> list[Story]:
    """The stories of a file in the text format, or of a ``.parquet`` file."""
    if path.suffix == ".parquet":
        from .rows import read_parquet

        return read_parquet(content, str(path))
    return parse(decode(content, str(path)), str(path))


def own_tasks(folder: Path) -> list[Task]:
    """The tasks in a folder of ``*train*`` and ``*test*`` files (.txt or .parquet), paired by the part before the word."""
    groups: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        if (found := part_of(path.name)) and path.is_file():
            prefix, part = found
            parts = groups.setdefault(prefix, {})
            if part in parts:
                raise DataError(
                    f"{parts[part]} and {path} are both '{part}' of one task; "
                    "name them so that what stands before train / test differs"
                )
            parts[part] = path
    if not groups:
        raise DataError(f"{folder} has no task: expected files named *train*.txt and *test*.txt (or .parquet)")
    tasks = []
    for prefix, parts in groups.items():
        for part in PARTS:
            if part not in parts:
                have = next(iter(parts.values()))
                raise DataError(f"{have} has no {part} file beside it: expected {folder / (prefix + part)}*{have.suffix}")
        digest, stories = hashlib.sha256(), {}
        for part, path in sorted(parts.items(), reverse=True):
            content = path.read_bytes()
            digest.update(content)
            stories[part] = stories_of(path, content)
            if not any(story.questions for story in stories[part]):
                raise DataError(f"{path} has no question: expected lines such as '3 Where is Mary?<TAB>home<TAB>1'")
        name = prefix.rstrip("_-. ") or folder.resolve().name
        valid, hashed = stories.get("valid"), digest.hexdigest()[:12]
        tasks.append(Task(name, stories["train"], stories["test"], valid, "own", hashed, files=parts))
    return tasks

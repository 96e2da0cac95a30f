"""A person's own stories: a folder of text or parquet files with ``train`` and ``test`` in their names.

    stories/
      family_train.txt       what is learned from
      family_valid.txt       (or dev) what chooses a network; without it the last tenth of the training questions does
      family_test.txt        what is tested on; or several, each a split of its own:
      family_test_near.txt, family_test_far.txt
      family_candidates.txt  answers to choose among, one a line, where a question has such

``./stories`` names all that is in it. What stands before ``train`` and ``test`` names a data set, here ``own/family``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..files import DataError
from ..text import Story, decode, parse
from .family import Family, Task

PARTS = ("train", "test")
VALID = frozenset({"valid", "validation", "val", "dev", "development", "devel"})  # names of what chooses a network
WORD = re.compile(rf"(?<![a-z])(train|test|candidates|{'|'.join(VALID)})(?![a-z])", re.IGNORECASE)  # as a word of its own
PART = re.compile(r"train|test|valid", re.IGNORECASE)


def part_of(name: str) -> tuple[str, str, str] | None:
    """What stands before ``train`` / ``test`` / ``valid`` / ``candidates`` in a file's name, which it is, and what follows."""
    stem, dot, kind = name.rpartition(".")
    found = list(WORD.finditer(stem)) or list(PART.finditer(stem))
    if dot + kind not in (".txt", ".parquet") or not found:
        return None
    part = found[-1][0].lower()
    return stem[: found[-1].start()], "valid" if part in VALID else part, stem[found[-1].end() :].strip("_-. ")


def stories_of(path: Path, content: bytes) -> list[Story]:
    """The stories of a file in the text format, or of a ``.parquet`` file. Raises :class:`DataError` where nothing is asked."""
    if path.suffix == ".parquet":
        from .parquet import read_parquet

        found = read_parquet(content, str(path))
    else:
        found = parse(decode(content, str(path)), str(path))
    if not any(story.questions for story in found):
        raise DataError(f"{path} has no question: expected lines such as '3 Where is Mary?<TAB>home<TAB>1'")
    return found


def grouped(folder: Path) -> dict[str, dict[str, Path]]:
    """The files of a folder, by what stands before their part's name; test files by split, as ``test near``."""
    groups: dict[str, dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        if (found := part_of(path.name)) and path.is_file():
            before, part, after = found
            key = f"{part} {after}".strip() if part == "test" else part
            parts = groups.setdefault(before, {})
            if key in parts:
                raise DataError(
                    f"{parts[key]} and {path} are both '{key}' of one task; "
                    "name them so that what stands before train / test differs"
                )
            parts[key] = path
    return {before: parts for before, parts in groups.items() if parts.keys() - {"candidates"}}


def own_tasks(folder: Path) -> list[Task]:
    """The data sets in a folder. Raises :class:`DataError`, and FormatError with file and line."""
    groups = grouped(folder)
    if not groups:
        raise DataError(f"{folder} has no task: expected files named *train*.txt and *test*.txt (or .parquet)")
    return [own_task(folder, before, parts) for before, parts in groups.items()]


def own_task(folder: Path, before: str, files: Mapping[str, Path]) -> Task:
    """One data set of a folder's files."""
    for part in PARTS:
        if not any(key.partition(" ")[0] == part for key in files):
            have = next(iter(files.values()))
            raise DataError(f"{have} has no {part} file beside it: expected {folder / (before + part)}*{have.suffix}")
    digest, stories = hashlib.sha256(), {}
    choices: tuple[str, ...] = ()
    for key, path in sorted(files.items(), reverse=True):
        content = path.read_bytes()
        digest.update(content)
        if key == "candidates":
            choices = tuple(line.strip() for line in decode(content, str(path)).splitlines() if line.strip())
        else:
            stories[key] = stories_of(path, content)
    if choices:
        stories = {key: [with_candidates(story, choices) for story in found] for key, found in stories.items()}
    tests = sorted(key for key in stories if key.partition(" ")[0] == "test")
    splits = {(key.partition(" ")[2] or "test") if len(tests) > 1 else "test": stories[key] for key in tests}
    files = {"test" if len(tests) == 1 and key in tests else key: path for key, path in files.items()}
    name = before.rstrip("_-. ") or folder.resolve().name
    return Task(f"own/{name}", stories["train"], splits, digest.hexdigest()[:12], stories.get("valid"), files)


def with_candidates(story: Story, choices: tuple[str, ...]) -> Story:
    """The story with answers to choose among for each of its questions."""
    return replace(story, questions=tuple(replace(question, candidates=choices) for question in story.questions))


def by_name(member: str, seed: int, folder: Path | None) -> Task:
    """Own stories have no name by which they could be found. Raises :class:`DataError`, which says so."""
    raise DataError(f"own/{member} is a record's name for a folder of files; give the folder itself, such as ./stories")


FAMILIES = (Family("own", "a person's own stories", {}, by_name, "own"),)

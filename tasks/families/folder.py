"""A person's own stories: a folder of files with ``train`` and ``test`` in their names.

    stories/
      family_train.txt       what is learned from: text, .jsonl or .json, or .parquet
      family_valid.txt       (or dev) what chooses a network; without it the last tenth of the training questions does
      family_test.txt        what is tested on; or several, each a split of its own:
      family_test_near.txt, family_test_far.txt
      family_candidates.txt  answers to choose among, one a line, where a question has such

``./stories`` names all that is in it. What stands before ``train`` and ``test`` names a data set, here ``own/family``.
:mod:`~memnet.tasks.families.layout` knows the other ways to lay a folder out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..files import DataError
from ..text import FormatError, Story, decode, parse
from .choices import Reading, read_choices
from .family import Family, Task, questions_of
from .layout import KINDS, PARTS, PIECE, Groups, files_beside, grouped, meant_name, misspelled, unused
from .parlai import is_parlai, read_parlai
from .records import read_records

MOST = 3  # files that are not read, of which an error says why


def stories_of(path: Path, content: bytes, reading: Reading) -> list[Story]:
    """The stories of a file, by its ending and how it begins. Raises :class:`DataError`, and FormatError with the line."""
    kind = path.suffix.lower()
    if kind == ".parquet":
        from .parquet import read_parquet

        return read_parquet(content, str(path), reading)
    text = decode(content, str(path))
    if kind != ".txt":
        return read_records(text, str(path), reading)
    return read_parlai(text, str(path), reading) if is_parlai(text) else reading.text(parse(text, str(path)), str(path))


def own_tasks(folder: Path) -> list[Task]:
    """The data sets in a folder. Raises :class:`DataError`, and FormatError with file and line."""
    groups = grouped(folder)
    if not groups:
        others = f"{', '.join(KINDS[1:-1])} or {KINDS[-1]}"
        raise DataError(
            f"{folder} has no task: expected files named *train*.txt and *test*.txt (or {others}){others_of(folder, groups)}"
        )
    tasks = [own_task(folder, before, groups) for before in groups]
    check_names(folder, groups)
    return [replace(tasks[0], unused=tuple(unused(folder, groups))), *tasks[1:]]


def others_of(folder: Path, groups: Groups) -> str:
    """The end of a sentence: which files of a folder were not read, and why; nothing where all were."""
    return "".join(f"; {one}" for one in unused(folder, groups)[:MOST])


def otherwise_begun(before: str, part: str, groups: Groups) -> str:
    """The end of a sentence: a file of a missing part, whose name begins otherwise than those of a data set."""
    for other, files in groups.items():
        if other != before and part in {key.partition(" ")[0] for key in files} and not files.keys() >= {*PARTS}:
            path = next(paths[0] for key, paths in files.items() if key.partition(" ")[0] == part)
            return f"; {path.name} has {other or 'nothing'} before {part}, where {before or 'nothing'} is expected"
    return ""


def own_task(folder: Path, before: str, groups: Groups) -> Task:
    """One data set of a folder's files."""
    files = groups[before]
    check_parts(folder, before, groups)
    reading = Reading()
    for path in files.get("candidates", ()):
        reading.choices = read_choices(decode(path.read_bytes(), str(path)), str(path))
    digest, stories = hashlib.sha256(), dict[str, list[Story]]()
    for key, paths in sorted(files.items(), reverse=True):
        for path in paths:
            content = path.read_bytes()
            digest.update(content)
            if key != "candidates":
                stories[key] = [*stories.get(key, ()), *stories_of(path, content, reading)]
        if key in stories and not any(story.questions for story in stories[key]):
            raise DataError(f"{paths[0]} has no question: expected lines such as '3 Where is Mary?<TAB>home<TAB>1'")
    tests = sorted((key for key in stories if key.partition(" ")[0] == "test"), key=counted)
    splits = {(key.partition(" ")[2] or "test") if len(tests) > 1 else "test": stories[key] for key in tests}
    named = {"test" if len(tests) == 1 and key in tests else key: whole(paths) for key, paths in files.items()}
    name = before.rstrip("_-. ") or folder.resolve().name
    digested, doubts = digest.hexdigest()[:12], tuple(reading.remarks())
    return Task(f"own/{name}", stories["train"], splits, digested, stories.get("valid"), named, doubts=doubts)


def counted(key: str) -> list[tuple[int, str]]:
    """By what splits are put in order: the second before the tenth."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", key)]


def check_parts(folder: Path, before: str, groups: Groups) -> None:
    """Refuse a data set that lacks what is learned from or tested on. Raises :class:`DataError`."""
    files = groups[before]
    for part in PARTS:
        if not any(key.partition(" ")[0] == part for key in files):
            have = files[min(files, key=lambda key: key == "candidates")][0]
            wanted = f"{folder / (before + part)}*{have.suffix}"
            other = otherwise_begun(before, part, groups)
            raise DataError(f"{have} has no {part} file beside it: expected {wanted}{other}{others_of(folder, groups)}")


def check_names(folder: Path, groups: Groups) -> None:
    """Refuse a file of stories with questions whose name has a part misspelled: a split would be missing in the results.

    Raises :class:`DataError`.
    """
    for path in files_beside(folder, groups):
        if path.suffix.lower() in KINDS and misspelled(path) and has_questions(path):
            name = meant_name(path, min(groups))
            raise DataError(f"{path} has questions, and its name says no part; call it {name}, or take it out of {folder}")


def has_questions(path: Path) -> bool:
    """Whether a file is one of stories with questions."""
    try:
        return bool(questions_of(stories_of(path, path.read_bytes(), Reading())))
    except FormatError:
        return False


def whole(paths: Sequence[Path]) -> Path:
    """The file of a part; of one in pieces, a name for all of them."""
    return paths[0] if len(paths) == 1 else paths[0].with_stem(PIECE.sub("", paths[0].stem) + "*")


def by_name(member: str, seed: int, folder: Path | None) -> Task:
    """Own stories have no name by which they could be found. Raises :class:`DataError`, which says so."""
    raise DataError(f"own/{member} is no folder here: your own stories are named by their folder, such as ./stories or ./own")


FAMILIES = (Family("own", "a person's own stories", {}, by_name, "own"),)

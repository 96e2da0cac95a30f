"""StepGame (Shi et al. 2022, arXiv 2204.08292): where one agent is from another, after one to ten statements of where they are.

Learned from clean stories of one to five steps. The test stories have noise, statements that lead nowhere: the ``original``
ones, and those ``corrected`` by Li et al. (2024, arXiv 2401.03991). Names are single letters, which stand in brackets here, as
"a" is a word too. MIT licence; of the corrected tests none is stated, and nobody here ships any.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from ..files import DataError
from ..text import Question, Story
from .archive import places
from .family import Family, Fetch, NotAtHand, Task

ADDRESS = "https://github.com/ZhengxiangShi/StepGame"
CORRECTED = "https://github.com/Fangjun-Li/SpatialLM-StepGame"
FOLDER = Path("families") / "stepgame"
STEPS, LEARNED = range(1, 11), range(1, 6)
MEMBERS = {"clean": "one to ten steps in a plane, learned from one to five"}
NAME = re.compile(r"\b[A-Z]\b")
LINE = re.compile(r"(?P<number>\d+) (?P<text>[^\t]+)(?:\t(?P<answer>[^\t]*).*)?")


def named(text: str) -> str:
    """A text with its names in brackets.

    >>> named("X is at a 45 degree angle to Y.")
    '[X] is at a 45 degree angle to [Y].'
    """
    return NAME.sub(r"[\g<0>]", text.replace("\u2019", "'"))


def story_of(statements: list[str], question: str, answer: str) -> Story:
    """One question after all statements."""
    told = tuple(map(named, statements))
    return Story(told, (Question(named(question), answer, (), len(told)),))


def from_json(path: Path) -> Iterator[Story]:
    """The stories of a file of the authors. Raises :class:`DataError`."""
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        for number, one in saved.items():
            told, answer = one["story"], one["label"]
            if not (
                isinstance(told, list) and all(isinstance(text, str) and text for text in told) and isinstance(answer, str)
            ):
                raise ValueError(f"story {number} needs a list of statements and a label")
            yield story_of(told, one["question"], answer)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        what = f"it lacks {error}" if isinstance(error, KeyError) else error
        raise DataError(
            f"{path}: expected stories by number, each with story, question and label ({what}); get it anew"
        ) from error


def from_text(path: Path) -> Iterator[Story]:
    """The stories of a corrected file: numbered statements, a question, a tab, its answer. Raises :class:`DataError`."""
    told: list[str] = []
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is no text in UTF-8 ({error.reason} at byte {error.start}); get the file anew") from error
    for number, line in enumerate(text.splitlines(), 1):
        found = LINE.fullmatch(line)
        if found is None or (int(found["number"]) != 1 and int(found["number"]) != len(told) + 1):
            raise DataError(
                f"{path}, line {number}: expected the next number and a statement, or a question, a tab and its answer; "
                "get the file anew"
            )
        told = [] if int(found["number"]) == 1 else told
        if found["answer"] is None:
            told.append(found["text"])
        else:
            yield story_of(told, found["text"], found["answer"])
            told = []


def folder_of(data: Path | None) -> Path:
    """Where StepGame is. Raises :class:`NotAtHand`."""
    looked = [*([data] if data is not None else []), *(folder / FOLDER for _, folder in places(data))]
    for folder in looked:
        if (folder / "train").is_dir():
            return folder
    raise NotAtHand(
        f"StepGame is not here (looked in {' or '.join(map(str, looked))}): get it from {ADDRESS}, and put qa1_train.json to "
        "qa5_train.json into a folder train, those of validation into valid, the tests into original-test"
    )


def load(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """Stories of one to five steps to learn from, and each test file that is at hand as a split."""
    folder = folder_of(data)
    read: list[Path] = []

    def stories(part: str, name: str) -> list[Story]:
        path = folder / part / name
        if not path.is_file():
            return []
        read.append(path)
        return list(from_json(path) if path.suffix == ".json" else from_text(path))

    train, valid = (
        [story for steps in LEARNED for story in stories(part, f"qa{steps}_{part}.json")] for part in ("train", "valid")
    )
    splits = {f"corrected {steps}": stories("corrected", f"qa{steps}_test.txt") for steps in STEPS}
    splits |= {f"original {steps}": stories("original-test", f"qa{steps}_test.json") for steps in STEPS}
    splits = {split: found for split, found in splits.items() if found}
    if not (train and valid and splits):
        lacks = "training" if not train else "validation" if not valid else "test"
        raise NotAtHand(
            f"{folder} has no {lacks} stories of StepGame: get them from {ADDRESS}, corrected tests from {CORRECTED}"
        )
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in read)).hexdigest()[:12]
    return Task(f"stepgame/{member}", train, splits, digest, valid)


FAMILIES = (
    Family(
        "stepgame",
        "where things are from each other, one to ten steps",
        MEMBERS,
        load,
        "published",
        fetch=Fetch(ADDRESS, "24 MB", "of the files' bytes, in a run's record"),
        licence="MIT; of the corrected tests none stated",
    ),
)

"""StepGame (Shi et al. 2022, arXiv 2204.08292): where one agent is from another, after one to ten statements of where they are.

Learned from clean stories of one to five steps. The test stories have noise, statements that lead nowhere: the ``original``
ones, and those ``corrected`` by Li et al. (2024, arXiv 2401.03991). Names are single letters, which stand in brackets here, as
"a" is a word too. MIT licence; of the corrected tests none is stated, and nobody here ships any.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..files import DataError
from ..text import Question, Story
from .archive import places
from .family import Family, Fetch, NotAtHand, Task

ADDRESS = "https://github.com/ZhengxiangShi/StepGame"
CORRECTED = "https://github.com/Fangjun-Li/SpatialLM-StepGame"
FOLDER = Path("families") / "stepgame"
STEPS, LEARNED = range(1, 11), range(1, 6)
TRAIN, VALID = "train/qa{}_train.json", "valid/qa{}_valid.json"
TESTS = {"corrected": "corrected/qa{}_test.txt", "original": "original-test/qa{}_test.json"}
ANSWERS = ("above", "below", "left", "right", "upper-left", "upper-right", "lower-left", "lower-right", "overlap")
MEMBERS = {"clean": "one to ten steps in a plane, learned from one to five"}
NAME = re.compile(r"\b[A-Z]\b")
LINE = re.compile(r"(?P<number>[0-9]{1,9}) (?P<text>[^\t]+)(?:\t(?P<answer>[^\t]*).*)?")


def named(text: str) -> str:
    """A text with its names in brackets.

    >>> named("X is at a 45 degree angle to Y.")
    '[X] is at a 45 degree angle to [Y].'
    """
    return NAME.sub(r"[\g<0>]", text.replace("\u2019", "'"))


def story_of(statements: list[str], question: str, answer: str) -> Story:
    """One question after all statements. Raises ValueError, which says what is wrong."""
    if not (statements and isinstance(statements, list) and all(isinstance(text, str) and text.strip() for text in statements)):
        raise ValueError("it needs a list of statements, each with words")
    if not (isinstance(question, str) and question.strip()):
        raise ValueError("it needs a question")
    if answer not in ANSWERS:
        raise ValueError(f"its answer is {answer!r}, expected one of {', '.join(ANSWERS)}")
    told = tuple(map(named, statements))
    return Story(told, (Question(named(question), answer, (), len(told)),))


def from_json(path: Path) -> Iterator[Story]:
    """The stories of a file of the authors. Raises :class:`DataError` with file and story."""
    expected = "expected stories by number, each with story (a list of statements), question and label; get the file anew"
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is no file of JSON ({error}); {expected}") from error
    if not (isinstance(saved, dict) and saved):
        raise DataError(f"{path} has no stories; {expected}")
    for number, one in saved.items():
        try:
            story = story_of(one["story"], one["question"], one["label"])
        except (KeyError, TypeError, ValueError) as error:
            what = f"it lacks {error}" if isinstance(error, KeyError) else error
            raise DataError(f"{path}, story {number}: {what}; {expected}") from error
        yield story


def from_text(path: Path) -> Iterator[Story]:
    """The stories of a corrected file: numbered statements, a question, a tab, its answer. Raises :class:`DataError`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is no text in UTF-8 ({error.reason} at byte {error.start}); get the file anew") from error
    told: list[str] = []
    for number, line in enumerate(lines, 1):
        found = LINE.fullmatch(line)
        if found is None or int(found["number"]) != len(told) + 1:
            raise DataError(
                f"{path}, line {number}: expected {len(told) + 1} and a statement, or a question, a tab and its answer, found "
                f"{line[:40]!r}; get the file anew"
            )
        if found["answer"] is None:
            told.append(found["text"])
            continue
        try:
            story = story_of(told, found["text"], found["answer"])
        except ValueError as error:
            raise DataError(f"{path}, line {number}: the story before this question: {error}; get the file anew") from error
        yield story
        told = []
    if told or not lines:
        raise DataError(f"{path}, line {len(lines)}: the file ends without a question; get it anew from {CORRECTED}")


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


def files_of(folder: Path, form: str, needed: Sequence[int] = ()) -> dict[int, Path]:
    """The files of a part by their steps: all that are needed, or those at hand. Raises :class:`NotAtHand` for a gap."""
    found = {steps: path for steps in STEPS if (path := folder / form.format(steps)).is_file()}
    wanted = needed or range(1, max(found, default=0) + 1)
    if lacks := [form.format(steps) for steps in wanted if steps not in found]:
        raise NotAtHand(
            f"{folder} lacks {', '.join(lacks)} of StepGame: get them from {ADDRESS}, corrected tests from {CORRECTED}"
        )
    return {steps: found[steps] for steps in wanted}


def stories(path: Path) -> Iterator[Story]:
    """The stories of a file of either kind."""
    return from_json(path) if path.suffix == ".json" else from_text(path)


def training(member: str, seed: int = 0, data: Path | None = None) -> Iterator[Story]:
    """The stories to learn from, one by one."""
    return (story for path in files_of(folder_of(data), TRAIN, LEARNED).values() for story in stories(path))


def load(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """Stories of one to five steps to learn from, and each test file that is at hand as a split."""
    folder = folder_of(data)
    train, valid = (files_of(folder, form, LEARNED) for form in (TRAIN, VALID))
    tests = {f"{kind} {steps}": path for kind, form in TESTS.items() for steps, path in files_of(folder, form).items()}
    if not tests:
        raise NotAtHand(f"{folder} has no test stories of StepGame: get them from {ADDRESS}, corrected ones from {CORRECTED}")
    splits = {split: list(stories(path)) for split, path in tests.items()}
    read = [*train.values(), *valid.values(), *tests.values()]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in read)).hexdigest()[:12]
    chosen_by = [story for path in valid.values() for story in stories(path)]
    return Task(f"stepgame/{member}", list(training(member, seed, data)), splits, digest, chosen_by)


FAMILIES = (
    Family(
        "stepgame",
        "where things are from each other, one to ten steps",
        MEMBERS,
        load,
        "published",
        fetch=Fetch(ADDRESS, "24 MB", "of the files' bytes, in a run's record"),
        licence="MIT; of the corrected tests none stated",
        training=training,
    ),
)

"""What a network makes of names that it has never met: the measurements of ``memnet bench unseen-names``, as rows.

Every question goes the way of a person's, through :class:`~memnet.ask.predictor.Predictor`. A question that is refused is not
answered: it counts as an error.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.errors import AskError
from memnet.measure.everyday import EverydayStory, ask_everyday
from memnet.tasks.families import Task
from memnet.tasks.text import Story, answer_entry
from memnet.tasks.text.evidence import Kind, stories_without_evidence
from memnet.tasks.text.renaming import rename_everything, rename_people, rename_systematically

BINS = 10  # of probabilities, equally wide
CHUNK = 1024  # questions that a predictor is given at once

PUBLISHED, PEOPLE, EVERYTHING, SYSTEMATIC = "published", "people", "everything", "sys-babi"
RENAMED: dict[str, Callable[[str, Sequence[Story], int], list[Story]]] = {  # test error on the stories told with other names
    PEOPLE: rename_people,
    EVERYTHING: rename_everything,
    SYSTEMATIC: lambda task, stories, seed: rename_systematically(task, stories),
}
REFUSED, WITHOUT, WITHOUT_ONE, CALIBRATION = "refused", "refused without evidence", "refused without one fact", "calibration"
TAKEN: dict[str, Kind] = {WITHOUT: "subject", WITHOUT_ONE: "one"}  # what was taken from the stories
EVERYDAY, EVERYDAY_REFUSED = "everyday", "everyday refused"


class Row(NamedTuple):
    """A measured number ``of`` a task, such as ``qa7``: percent of the ``questions``, or in the unit that ``measure`` names."""

    measure: str
    of: str
    questions: int
    value: float


class Reply(NamedTuple):
    """What became of a question."""

    right: bool  # the best guess, refused or not
    refused: bool
    probability: float  # of the best guess, if the question is answerable


def ask_stories(predictor: Predictor, stories: Sequence[Story]) -> list[Reply]:
    """Ask every question of these stories; one of which a network understands nothing counts as refused."""
    asked = [(list(story.statements[: one.after]), one) for story in stories for one in story.questions]
    understood = [can_be_asked(predictor, one.text) for _, one in asked]
    answers = ask_all(predictor, [(told, one.text) for (told, one), ok in zip(asked, understood, strict=True) if ok])
    return [
        reply(next(answers), one.answer) if ok else Reply(False, True, 0.0)
        for (_, one), ok in zip(asked, understood, strict=True)
    ]


def can_be_asked(predictor: Predictor, question: str) -> bool:
    """Whether a network understands anything of a question."""
    try:
        predictor.read_question(question)
    except AskError:
        return False
    return True


def ask_all(predictor: Predictor, asked: Sequence[tuple[list[str], str]]) -> Iterator[Answer]:
    """The answers, in order; what was read is not kept for all of them."""
    for start in range(0, len(asked), CHUNK):
        yield from predictor.ask_many(asked[start : start + CHUNK])


def reply(answer: Answer, expected: str) -> Reply:
    """An answer beside the one that is right, compared as a vocabulary writes them."""
    right = answer_entry(answer.answer) == answer_entry(expected)
    return Reply(right, not answer.answerable, answer.probability)


def error(replies: Sequence[Reply]) -> float:
    """Percent of the questions that were not answered right: refused, or answered otherwise."""
    return 100 - 100 * statistics.fmean(one.right and not one.refused for one in replies)


def refused(replies: Sequence[Reply]) -> float:
    """Percent of the questions that were refused."""
    return 100 * statistics.fmean(one.refused for one in replies)


def calibration_error(replies: Sequence[Reply], bins: int = BINS) -> float:
    """Expected calibration error in percent: sum over bins of probability of n/N |share right - mean probability|.

    Naeini et al. 2015, Guo et al. 2017 (arXiv 1706.04599); a probability of 1 is in the last bin.
    """
    binned: dict[int, list[Reply]] = {}
    for one in replies:
        binned.setdefault(min(bins - 1, int(one.probability * bins)), []).append(one)
    gaps = (abs(sum(one.right - one.probability for one in part)) for part in binned.values())
    return 100 * sum(gaps) / len(replies)


def of_task(predictor: Predictor, task: Task, seed: int = 0) -> list[Row]:
    """Every measurement on one task; ``seed`` is of the new names.

    Stories that a renaming leaves as they are are not asked about again. Of a task without stories to take the evidence from,
    there is no such row.
    """
    published = ask_stories(predictor, task.test)
    rows = [(PUBLISHED, published, error), (REFUSED, published, refused), (CALIBRATION, published, calibration_error)]
    for measure, rename in RENAMED.items():
        stories = rename(task.member, task.test, seed)
        rows.append((measure, published if stories == list(task.test) else ask_stories(predictor, stories), error))
    for measure, kind in TAKEN.items():
        bare = stories_without_evidence(task.test, kind=kind)
        if bare:
            rows.append((measure, ask_stories(predictor, bare), refused))
    return [Row(measure, task.member, len(replies), round(value(replies), 4)) for measure, replies, value in rows]


def of_everyday(predictor: Predictor, stories: Sequence[EverydayStory]) -> list[Row]:
    """The share of stories in everyday words that are answered right, and of those refused, in percent, by kind."""
    results = ask_everyday(predictor, stories)
    rows = []
    for kind in sorted({one.kind for one in results}):
        mine = [one for one in results if one.kind == kind]
        rows += [
            Row(EVERYDAY, str(kind), len(mine), round(100 * statistics.fmean(one.right for one in mine), 4)),
            Row(EVERYDAY_REFUSED, str(kind), len(mine), round(100 * statistics.fmean(one.refused for one in mine), 4)),
        ]
    return rows

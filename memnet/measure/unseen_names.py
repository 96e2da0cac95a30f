"""What a network makes of names that it has never met: the measurements of ``memnet bench unseen-names``, as rows.

Every question goes the way of a person's, through :class:`~memnet.ask.predictor.Predictor`. A question that is refused is not
answered: it counts as an error.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.errors import AskError
from memnet.measure.everyday import EverydayStory, ask_everyday
from memnet.measure.latency import answer_times, start_seconds
from memnet.models.checkpoint import MODEL
from memnet.record.measurements import NetworkNumber
from memnet.tasks.families import Task
from memnet.tasks.families.renaming import rename_everything, rename_people, rename_systematically
from memnet.tasks.scores import same_answer
from memnet.tasks.text import Story
from memnet.tasks.text.evidence import Kind, stories_without_evidence
from memnet.training.start import weights_hash

BINS = 10  # of probabilities, equally wide
CHUNK = 1024  # questions that a predictor is given at once

RENAMED: dict[str, Callable[[str, Sequence[Story], int], list[Story]]] = {  # test error on the stories told with other names
    "people": rename_people,
    "everything": rename_everything,
    "sys-babi": lambda task, stories, seed: rename_systematically(task, stories),
}
TAKEN: dict[str, Kind] = {"refused without evidence": "subject", "refused without one fact": "one"}  # what is taken away
Number = tuple[str, str, int, float]  # measure, its subject, questions, value


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
    return Reply(same_answer(answer.answer, expected), not answer.answerable, answer.probability)


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


def of_task(predictor: Predictor, task: Task, seed: int = 0) -> list[Number]:
    """Every measurement on one task; ``seed`` is of the new names.

    Stories that a renaming leaves as they are are not asked about again. Of a task without stories to take the evidence from,
    there is no such number.
    """
    published = ask_stories(predictor, task.test)
    found = [("published", published, error), ("refused", published, refused), ("calibration", published, calibration_error)]
    for measure, rename in RENAMED.items():
        stories = rename(task.member, task.test, seed)
        found.append((measure, published if stories == list(task.test) else ask_stories(predictor, stories), error))
    for measure, kind in TAKEN.items():
        if bare := stories_without_evidence(task.test, kind=kind):
            found.append((measure, ask_stories(predictor, bare), refused))
    return [(measure, task.member, len(replies), round(value(replies), 4)) for measure, replies, value in found]


def of_everyday(predictor: Predictor, stories: Sequence[EverydayStory]) -> list[Number]:
    """The share of stories in everyday words that are answered right, and of those refused, in percent, by kind."""
    kinds: dict[int, list[tuple[bool, bool]]] = {}
    for story in stories:
        kinds.setdefault(story.kind, []).append(ask_everyday(predictor, story))
    return [
        (measure, str(kind), len(results), round(100 * statistics.fmean(share), 4))
        for kind, results in sorted(kinds.items())
        for measure, share in zip(("everyday", "everyday refused"), zip(*results, strict=True), strict=True)
    ]


def of_network(predictor: Predictor, folder: Path) -> list[Number]:
    """The size of a network and how long it lets a person wait."""
    wait = answer_times(predictor)
    values = {
        "bytes": (folder / MODEL).stat().st_size,
        "parameters": sum(parameter.numel() for parameter in predictor.net.parameters()),
        "ms story": round(wait.story, 2),
        "ms question": round(wait.question, 2),
        "s start": round(start_seconds(folder, imports_torch=predictor.engine.name == "torch"), 2),
    }
    return [(measure, "network", 1, value) for measure, value in values.items()]


def unseen_names(
    folder: Path, tasks: Sequence[Task], stories: Sequence[EverydayStory], seed: int = 0
) -> Iterator[list[NetworkNumber]]:
    """All that is measured of a network: task by task, then of stories in everyday words, and of the network itself."""
    predictor, weights = Predictor.load(folder), weights_hash(folder)
    preset, family = str(predictor.metadata["preset"]), str(predictor.metadata["data"][0]).partition("/")[0]
    parts = [partial(of_task, predictor, task, seed) for task in tasks]
    for measured in (*parts, partial(of_everyday, predictor, stories), partial(of_network, predictor, folder)):
        yield [NetworkNumber(preset, family, weights, *number) for number in measured()]

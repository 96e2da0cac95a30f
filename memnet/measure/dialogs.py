"""What networks answer in dialogs: percent of responses that are right, and of dialogs of which every response is.

A composer says its answers word by word; the other networks choose among the responses that are candidates, each a class. One
that decodes answers chooses among the responses of training, and ranks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from memnet.composing.answers import accuracy, ranks
from memnet.composing.bot import Trained
from memnet.composing.making import COMPOSER, default_folder, make
from memnet.composing.training import course_of
from memnet.config import Training
from memnet.models.checkpoint import load_network
from memnet.record.family_scores import DialogScore
from memnet.tasks.families import Task
from memnet.tasks.text import Story, divide
from memnet.training.report import predictions
from memnet.training.run import make_run
from memnet.training.spec import default_folder as folder_of_run
from memnet.training.spec import specify

NOT_RANKED = float("nan")
COMPOSERS, TRAINED, TOGETHER = "composers", 5, 2  # so many are trained, of which the best answer together
NETWORKS = (COMPOSER, "pe-ls-rn", "dmn-plus", "universal", "causal")  # the rows of the table


def splits_of(task: Task) -> dict[str, list[Story]]:
    """The validation dialogs, by which networks are chosen, and those of every test split."""
    return {"validation": task.split(0.1)[1], **task.splits}


def composed(task: Task, seed: int, folder: Path, ranked: int, several: bool = False) -> Iterator[DialogScore]:
    """A composer that is trained below a folder, or was, or several; of so many responses of each split the ranks too."""
    course, name = replace(course_of(task.name), seed=seed), COMPOSER
    place = folder / default_folder(task, course).name
    if several:
        course, name = replace(course, networks=TRAINED, together=TOGETHER), f"best {TOGETHER} of {TRAINED} {COMPOSERS}"
        place = place.with_name(f"{place.name}-{TOGETHER}-of-{TRAINED}")
    seconds, trained = make(task, course, place)["seconds"], Trained.load(place)
    for split, stories in splits_of(task).items():
        responses, dialogs = accuracy(stories, trained.answers(stories))
        first = divide(stories, ranked)[0] if ranked else []
        places = [rank for story in first for rank in ranks(trained.net, trained.lexicon, story, trained.hide)]
        hits = 100 * sum(rank == 1 for rank in places) / len(places) if places else NOT_RANKED
        yield DialogScore(
            task.name,
            split,
            name,
            seed,
            course.epochs,
            seconds,
            int(responses.asked),
            100 * responses.share,
            100 * dialogs.share,
            hits,
        )


def chosen(task: Task, preset: str, config: Training, seed: int, folder: Path) -> Iterator[DialogScore]:
    """A network of a preset with its settings, which chooses among the candidates, trained below a folder or found there."""
    longest = max(question.after for stories in (task.train, task.test) for story in stories for question in story.questions)
    config = replace(config, memory_size=longest)
    ranks_them = config.decoder == "class"
    if not ranks_them:
        task = without_candidates(task)
    spec = specify([task], preset, config, seed, 1)
    place = folder / folder_of_run(spec).name
    run, _ = make_run(spec, [task], place, resume=None)
    net, vocabulary, _ = load_network(place)
    whole = replace(task, splits=splits_of(task))
    said = iter(list(predictions(net, vocabulary, whole)))
    for split, stories in whole.splits.items():
        given = [[next(said)["answer"] for _ in story.questions] for story in stories]
        responses, dialogs = accuracy(stories, given)
        right, seconds = 100 * responses.share, run["seconds"]
        yield DialogScore(
            task.name,
            split,
            preset,
            seed,
            config.epochs,
            seconds,
            int(responses.asked),
            right,
            100 * dialogs.share,
            right if ranks_them else NOT_RANKED,
        )


def without_candidates(task: Task) -> Task:
    """The same dialogs, whose responses are to be decoded."""

    def bare(stories: list[Story]) -> list[Story]:
        return [replace(story, questions=tuple(replace(one, candidates=()) for one in story.questions)) for story in stories]

    splits = {name: bare(stories) for name, stories in task.splits.items()}
    return replace(task, train=bare(task.train), valid=task.valid and bare(task.valid), splits=splits)

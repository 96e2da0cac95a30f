"""A training of a composer as a folder: made once, gone on with where it was stopped, described by a card."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from memnet.composing.answers import accuracy, answer_all
from memnet.composing.bot import CONFIG, KIND, Trained, again_of, read_config
from memnet.composing.network import Ensemble
from memnet.composing.training import CHECKPOINT, Course, Learner, Progress, train
from memnet.errors import TrainingError
from memnet.files import write_atomically
from memnet.locks import locked
from memnet.record.provenance import code_hash, versions
from memnet.tasks.families import FAMILIES, Task

COMPOSER = KIND
CARD, LOCK = "README.md", ".lock"


def default_folder(task: Task, course: Course) -> Path:
    """``runs/dialog-task5-composer-seed0``."""
    return Path("runs") / f"{task.name.replace('/', '-').replace('@', '-')}-{KIND}-seed{course.seed}"


def make(task: Task, course: Course, folder: Path, tell: Callable[[Progress], None] | None = None) -> dict[str, Any]:
    """Train a composer in a folder, or find it finished; what config.json says.

    A training that was stopped goes on from its checkpoint. Raises :class:`~memnet.errors.TrainingError` where the folder holds
    something else, :class:`~memnet.errors.BusyError` where another process trains in it.
    """
    if folder.exists() and not folder.is_dir():
        raise TrainingError(f"{folder} is a file; choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / LOCK, f"another process is training in {folder}"):
        saved = read_config(folder)
        if saved is not None:
            if not course.is_of(saved.get("course")) or saved.get("hash") != task.hash:
                raise TrainingError(f"{folder} holds another network (its data or settings differ); choose another --out")
            return saved
        ours = {LOCK, *(CHECKPOINT if place == folder else place.name for place in places(course, folder))}
        strange = {path.name for path in folder.iterdir()} - ours
        if strange:
            raise TrainingError(f"{folder} holds other files, such as {min(strange)}; choose another --out")
        return made_in(task, course, folder, tell)


def places(course: Course, folder: Path) -> list[Path]:
    """Where each network keeps its checkpoint."""
    return [folder] if course.networks == 1 else [folder / f"network{number}" for number in range(course.networks)]


def made_in(task: Task, course: Course, folder: Path, tell: Callable[[Progress], None] | None) -> dict[str, Any]:
    """See :func:`make`."""
    started, members = time.monotonic(), list[Learner]()
    for number, (member, place) in enumerate(zip(course.members(), places(course, folder), strict=True)):
        place.mkdir(exist_ok=True)
        members.append(trained_in(task, member, place, number * course.epochs, tell))
    trained = trained_of(best_of(members, course.together), task)
    valid = task.split(0.1)[1][: course.chosen_by]
    responses, dialogs = accuracy(valid, answer_all(trained.net, trained.lexicon, valid, course.hide))
    facts = {
        "data": [task.name],
        "hash": task.hash,
        "course": course.as_dict(),
        "seconds": round(time.monotonic() - started, 1),
        "validation": {"responses": round(100 * responses.share, 3), "dialogs": round(100 * dialogs.share, 3)},
        "code": code_hash(),
        "versions": versions(),
    }
    done = Trained(trained.net, trained.lexicon, trained.again, facts)
    write_atomically(folder / CARD, card(done, task))
    done.save(folder)
    for place in places(course, folder):
        (place / CHECKPOINT).unlink(missing_ok=True)
        if place != folder:
            place.rmdir()
    return read_config(folder) or {}


def trained_in(task: Task, course: Course, place: Path, before: int, tell: Callable[[Progress], None] | None) -> Learner:
    """One network, trained to its end; ``before`` epochs of others are done."""
    learner = None
    for learner, progress in train(task, course, place):  # noqa: B007
        if tell is not None:
            tell(progress._replace(epoch=before + progress.epoch))
    if learner is None:  # it was stopped after its last epoch
        learner = Learner.of(task, course)
        learner.resume(place / CHECKPOINT)
        learner.net.load_state_dict(learner.kept)
    return learner


def best_of(members: Sequence[Learner], together: int) -> list[Learner]:
    """So many of some networks that answered most of validation rightly, in their order; all where it is 0."""
    best = sorted(range(len(members)), key=lambda at: -members[at].best)[: together or len(members)]
    return [members[at] for at in sorted(best)]


def trained_of(members: Sequence[Learner], task: Task) -> Trained:
    """The networks of trainings, which answer together where they are several."""
    lexicon, nets = members[0].lexicon, [one.net.eval() for one in members]
    return Trained(nets[0] if len(nets) == 1 else Ensemble(nets), lexicon, again_of(task.split(0.1)[0], lexicon))


def card(trained: Trained, task: Task) -> str:
    """README.md of a network's folder."""
    facts, family = trained.facts, FAMILIES[task.family]
    parameters = sum(one.numel() for one in trained.net.parameters())
    settings = ", ".join(f"{name}={value}" for name, value in facts["course"].items())
    return f"""# A network that composes answers: {task.name}

It learned what the bot says next from {family.title} ({family.licence or "licence not stated"}; {task.hash}).
It answers word by word, and copies the words that it has no meaning for from the dialog and its rows.

- validation: {facts["validation"]["responses"]:.2f} % of responses right, {facts["validation"]["dialogs"]:.1f} % of dialogs
- {parameters:,} parameters, {facts["seconds"]:.0f} s of training; {settings}
- memnet {facts["versions"]["memnet"]}, code {facts["code"]}

Talk to it: `memnet chat FOLDER`. Measure it: `memnet eval FOLDER`.
"""


__all__ = ["COMPOSER", "CONFIG", "default_folder", "make"]

"""Train a composer on dialogs: its settings, the epochs, what is kept so that a stopped training goes on."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from memnet.composing.answers import accuracy, answer_all
from memnet.composing.examples import Dialog, batch_of, dialog
from memnet.composing.lexicon import Lexicon
from memnet.composing.network import MOST_MEMBERS, Composer, ComposerConfig
from memnet.errors import ConfigError, TrainingError
from memnet.files import read_tensors, write_tensors
from memnet.tasks.dialogs import BOT, SILENCE, USER
from memnet.tasks.families import Task
from memnet.tasks.text import Story

CHECKPOINT = "checkpoint.safetensors"
WARM_UP = 0.1  # of the steps
ALIKE = 8  # batches whose dialogs are sorted by length
CLIP = 1.0  # the norm of a gradient
LONGEST_DISTRACTOR = 10  # words


@dataclass(frozen=True)
class Course:
    """How a composer is trained. ``hide`` and ``forget`` are the shares of names and of other words read as any name."""

    epochs: int = 6
    batch: int = 16  # dialogs
    lr: float = 0.003
    dim: int = 64
    hops: int = 2
    dropout: float = 0.1
    hide: float = 1.0
    forget: float = 0.02
    distractors: float = 0.0  # of the turns of every other dialog: made-up exchanges before them
    chosen_by: int = 100  # validation dialogs
    networks: int = 1  # that are trained apart
    together: int = 0  # of them that answer together, the best in validation; 0 all
    seed: int = 0

    def __post_init__(self) -> None:
        wrong = [name for name in ("epochs", "batch", "dim", "hops", "chosen_by", "networks") if getattr(self, name) < 1]
        wrong += [name for name in ("dropout", "hide", "forget", "distractors") if not 0 <= getattr(self, name) <= 1]
        wrong += ["networks"] * (self.networks > MOST_MEMBERS)
        wrong += ["together"] * (not 0 <= self.together <= self.networks)
        no_rate = not 0 < self.lr < math.inf
        if wrong or no_rate or self.dim % 4:
            raise ConfigError(
                f"{(wrong or ['lr' if no_rate else 'dim'])[0]} has an impossible value: counts are 1 or more, networks at most "
                f"{MOST_MEMBERS}, together at most as many, dim is a multiple of 4, shares are between 0 and 1, lr is above 0"
            )

    def changed(self, pairs: Sequence[str]) -> Course:
        """With settings given as ``name=value``. Raises :class:`~memnet.errors.ConfigError`."""
        kinds = {one.name: type(getattr(self, one.name)) for one in fields(self)}
        found: dict[str, Any] = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not equals or name not in kinds:
                raise ConfigError(f"a composer has no setting {pair!r}; expected one of {', '.join(kinds)} as name=value")
            try:
                found[name] = kinds[name](value)
            except ValueError as error:
                raise ConfigError(f"{name}={value} is no {'number' if kinds[name] is float else 'whole number'}") from error
        return replace(self, **found)

    def members(self) -> list[Course]:
        """The course of each network, each with a seed of its own."""
        return [replace(self, networks=1, together=0, seed=self.seed * self.networks + at) for at in range(self.networks)]

    def as_dict(self) -> dict[str, Any]:
        """For config.json."""
        return asdict(self)

    def is_of(self, saved: Any) -> bool:
        """Whether settings that were saved are these; one that is newer than they had its default value then."""
        return isinstance(saved, dict) and {**asdict(Course()), **saved} == self.as_dict()


PRESETS: Mapping[str, Course] = {  # data set -> what was chosen by its validation dialogs
    "dialog/task4": Course(epochs=12, batch=8),  # its dialogs are short
    "dialog/task6": Course(epochs=12, hide=0.3, dropout=0.3, forget=0.05),
    "dialog-naturalistic/task5": Course(epochs=8, distractors=0.2),
}


class Progress(NamedTuple):
    """After an epoch: the mean loss of a turn, and percent right of validation, per response and per dialog."""

    epoch: int
    loss: float
    responses: float
    dialogs: float


def with_distractors(story: Story, share: float, lexicon: Lexicon, draw: Random) -> Story:
    """A story with exchanges that mean nothing before so many of its turns: known words and new ones, at random."""
    known = list(lexicon.known)
    statements, questions, told = list[str](), [], 0

    def anything() -> str:
        drawn = (draw.choice(known) if draw.random() < 0.8 else f"~{draw.randrange(999)}" for _ in range(99))
        return " ".join(word for word, _ in zip(drawn, range(draw.randint(1, LONGEST_DISTRACTOR)), strict=False))

    for question in story.questions:
        statements += story.statements[told : question.after]
        told = question.after
        if question.text != SILENCE and draw.random() < share:
            statements += [f"{USER} {anything()}", f"{BOT} {anything()}"]
        questions.append(replace(question, after=len(statements)))
    return Story((*statements, *story.statements[told:]), tuple(questions))


class Learner:
    """A composer in training: the network, Adam, and where in its course it is."""

    def __init__(self, lexicon: Lexicon, course: Course, stories: Sequence[Story]) -> None:
        torch.manual_seed(course.seed)
        sizes = ComposerConfig(len(lexicon.known) + 3, len(lexicon.spoken), course.dim, hops=course.hops)
        self.net, self.lexicon, self.course, self.stories = Composer(sizes), lexicon, course, stories
        for module in self.net.modules():
            if isinstance(module, nn.Dropout):
                module.p = course.dropout
        self.adam = torch.optim.AdamW(self.net.parameters(), lr=course.lr, weight_decay=0.001)
        self.dialogs: list[Dialog] = [dialog(story, lexicon) for story in stories]
        self.steps = len(self.order(Random(0)))
        self.epoch, self.best, self.kept = 0, -1.0, dict[str, Tensor]()

    @classmethod
    def of(cls, task: Task, course: Course) -> Learner:
        """At the beginning of a training on a task. Raises :class:`~memnet.errors.TrainingError`."""
        train, valid = task.split(0.1)
        if not train or not valid:
            raise TrainingError(
                f"{task.name} has {len(train)} dialogs to learn from and {len(valid)} to choose by; both are needed"
            )
        return cls(Lexicon.of(train), course, train)

    def rate(self, step: int) -> float:
        """The learning rate rises, then falls as a cosine."""
        total = self.steps * self.course.epochs
        share = min(1.0, (step + 1) / (WARM_UP * total))
        return self.course.lr * share * (0.01 + 0.99 * 0.5 * (1 + torch.cos(torch.tensor(torch.pi * step / total)).item()))

    def run_epoch(self) -> float:
        """One epoch; the mean loss. Its random numbers are the epoch's own: a training that goes on ends the same."""
        draw, course = Random(f"{self.course.seed} {self.epoch}"), self.course
        torch.manual_seed(course.seed * 1000 + self.epoch + 1)
        order = self.order(draw)
        self.net.train()
        total = 0.0
        for step in range(self.steps):
            part = [self.drawn(number, draw) for number in order[step]]
            for group in self.adam.param_groups:
                group["lr"] = self.rate(self.epoch * self.steps + step)
            self.adam.zero_grad()
            loss = self.net.loss(batch_of(part, self.lexicon, draw, course.hide, course.forget))
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), CLIP)
            self.adam.step()
            total += loss.item()
        self.epoch += 1
        return total / self.steps

    def order(self, draw: Random) -> list[list[int]]:
        """The dialogs of each step: of about one length, for little padding, in an order that is drawn."""
        order, size = draw.sample(range(len(self.stories)), len(self.stories)), self.course.batch
        groups = [sorted(order[at : at + ALIKE * size], key=self.length) for at in range(0, len(order), ALIKE * size)]
        steps = [group[at : at + size] for group in groups for at in range(0, len(group), size)]
        return draw.sample(steps, len(steps))

    def length(self, number: int) -> int:
        """How many names a dialog has."""
        return len(self.dialogs[number].name)

    def drawn(self, number: int, draw: Random) -> Dialog:
        """A dialog, every other one with distractors where there are such."""
        if self.course.distractors and draw.random() < 0.5:
            return dialog(with_distractors(self.stories[number], self.course.distractors, self.lexicon, draw), self.lexicon)
        return self.dialogs[number]

    def judge(self, valid: Sequence[Story]) -> tuple[float, float]:
        """Percent right of validation; the best network so far is kept."""
        given = answer_all(self.net.eval(), self.lexicon, valid, self.course.hide)
        responses, dialogs = accuracy(valid, given)
        if responses.share >= self.best:
            self.best, self.kept = responses.share, {name: one.clone() for name, one in self.net.state_dict().items()}
        return 100 * responses.share, 100 * dialogs.share

    def save(self, path: Path) -> None:
        """All that a training needs to go on, whole or not at all."""
        tensors = {f"now.{name}": one for name, one in self.net.state_dict().items()}
        tensors |= {f"best.{name}": one for name, one in self.kept.items()}
        for number, state in self.adam.state_dict()["state"].items():
            tensors |= {f"adam.{number}.{name}": torch.as_tensor(one) for name, one in state.items()}
        state = {"epoch": self.epoch, "best": self.best, "course": self.course.as_dict(), "lexicon": self.lexicon.saved()}
        write_tensors(path, tensors, {"state": json.dumps(state)})

    def resume(self, path: Path) -> None:
        """Go on from a file. Raises :class:`~memnet.errors.TrainingError` where it is of another training."""
        tensors, metadata = read_tensors(path)
        state = json.loads(metadata.get("state", "{}"))
        if not self.course.is_of(state.get("course")) or state.get("lexicon") != self.lexicon.saved():
            raise TrainingError(f"{path} is of another training (its data or settings differ); choose another --out")
        part = {
            kind: {name[len(kind) + 1 :]: one for name, one in tensors.items() if name.startswith(f"{kind}.")}
            for kind in ("now", "best", "adam")
        }
        self.net.load_state_dict(part["now"])
        self.epoch, self.best, self.kept = state["epoch"], state["best"], part["best"]
        adam = self.adam.state_dict()
        for name, one in part["adam"].items():
            number, key = name.split(".", 1)
            adam["state"].setdefault(int(number), {})[key] = one
        self.adam.load_state_dict(adam)


def train(task: Task, course: Course, folder: Path | None = None) -> Iterator[tuple[Learner, Progress]]:
    """Train on a task's dialogs: the learner after each epoch, in the end with the network that is best in validation dialogs.

    With a ``folder`` a checkpoint is kept there, from which the next call goes on. Raises
    :class:`~memnet.errors.TrainingError`.
    """
    learner, valid = Learner.of(task, course), task.split(0.1)[1]
    path = None if folder is None else folder / CHECKPOINT
    if path is not None and path.exists():
        learner.resume(path)
    while learner.epoch < course.epochs:
        loss = learner.run_epoch()
        progress = Progress(learner.epoch, loss, *learner.judge(valid[: course.chosen_by]))
        if path is not None:
            learner.save(path)
        yield learner, progress
    learner.net.load_state_dict(learner.kept)


def course_of(name: str) -> Course:
    """The settings that suit a data set."""
    return PRESETS.get(name, Course())

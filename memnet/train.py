"""Training: R replicas of a network at once, each with its own data order, noise and schedule.

A run is a pure function of its spec: the same tasks, configuration and seed give the same weights,
bit for bit on the same machine, whether or not it was interrupted and resumed.
"""

from __future__ import annotations

import dataclasses
import json
import math
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.func import functional_call

import memnet
from memnet.attention.reinforce import MovingMean
from memnet.batch import STOP, UNKNOWN, Examples, Vocabulary, answer_entry, cut, examples
from memnet.checkpoint import NetworkError, read_tensors, write_tensors
from memnet.config import ConfigError, Training, model_of
from memnet.evaluate import Outcome, evaluate, retrieval
from memnet.exchange import Exchange, Objective, exchanged
from memnet.models import MODELS, Fitted, Network
from memnet.process import prepare
from memnet.replicated import Random
from memnet.tasks.evidence import stories_without_evidence
from memnet.tasks.published import Task
from memnet.tasks.text import divide
from memnet.vectors import Vectors

CHECKPOINT, METRICS = "checkpoint.safetensors", "metrics.jsonl"


class TrainingError(RuntimeError):
    """Training cannot start, go on or give a network; the message says what to do."""


class BusyError(TrainingError):
    """Another process is training in the run's folder."""


def one_source(tasks: Sequence[Task]) -> str:
    """Where the data of all these tasks comes from. Raises :class:`TrainingError` where it differs."""
    sources = sorted({task.source for task in tasks})
    if len(sources) > 1:
        raise TrainingError(f"{' and '.join(sources)} tasks are not mixed in one network; name one --source")
    return sources[0]


class FactCounts(NamedTuple):
    """Of training questions, how many have supporting facts that cannot be learned from as they are told."""

    questions: int
    told: int  # whose facts are used
    missing: int  # that list none
    many: int  # that list more than there are hops
    beyond: int  # some of whose facts are older than the memory reaches

    @classmethod
    def of(cls, data: Examples, share: float, hops: int) -> FactCounts:
        """Counted before a share of the questions is left out."""
        listed, known = (data.facts >= 0).sum(1), (data.facts >= 0).sum(1) + data.lost
        used = int((data.with_facts_of(share).facts >= 0).any(1).sum())
        counts = (int(which.sum()) for which in (known == 0, listed > hops, data.lost > 0))
        return cls(len(data), used, *counts)


def readings(config: Training, answer: int) -> int:
    """How often a network reads its memory for a question, an answer of so many words."""
    own = {"memn2n": "hops", "memnn": "hops", "dmn": "passes"}.get(model_of(config))
    if own is not None:
        return int(getattr(config, own))
    layers = getattr(config, "layers", None)
    return answer if layers is None else layers + 1


@dataclass(frozen=True)
class DataSet:
    """The numbers of one or several tasks, for one network."""

    names: tuple[str, ...]
    vocabulary: Vocabulary
    train: Examples
    valid: Examples
    test: Examples
    facts: FactCounts
    vectors: Vectors | None = None  # of the words, from a file
    exchange: Exchange | None = None  # the words that may change places, where they do

    @classmethod
    def of(cls, tasks: Sequence[Task], config: Training) -> DataSet:
        """Vocabulary and sizes come from the training text alone."""
        if config.questions:
            tasks = [first_questions(task, config.questions) for task in tasks]
        for task in tasks:
            check_answers(task)
        parts = [task.split(config.validation) for task in tasks]
        vocabulary = Vocabulary.of((story for task in tasks for story in task.train), config.decoder == "words")
        train, valid, test = (
            examples(stories, vocabulary, config.capacity)
            for stories in (
                [[*part[0], *stories_without_evidence(part[0], config.absent)] for part in parts],
                [part[1] for part in parts],
                [task.test for task in tasks],
            )
        )
        if not bool((valid.answer >= 0).all(1).any()):
            raise TrainingError(
                f"no validation question of {', '.join(task.name for task in tasks)} has an answer that training has; "
                "validation chooses networks, give it questions like the training's"
            )
        counts = FactCounts.of(train, config.facts, readings(config, vocabulary.answer))
        if config.supervision == "facts":
            if counts.told == 0:
                share = f" (of a share of {config.facts:g})" if config.facts < 1 else ""
                raise TrainingError(
                    f"no training question of {', '.join(task.name for task in tasks)}{share} lists a supporting fact that can "
                    "be learned from; give some, or train a network that learns from answers alone"
                )
            train = train.with_facts_of(config.facts)
        names = tuple(task.name for task in tasks)
        exchange = Exchange(vocabulary, [part[0] for part in parts]) if config.exchange else None
        return cls(names, vocabulary, train, valid, test, counts, exchange=exchange)


def first_questions(task: Task, number: int) -> Task:
    """The task with the first so many of its training questions. Raises :class:`TrainingError`."""
    there = sum(len(story.questions) for story in task.train)
    if number > there:
        raise TrainingError(f"{task.name} has {there} training questions, not {number}; set questions={there} or fewer")
    return dataclasses.replace(task, train=divide(task.train, number)[0])


def check_answers(task: Task) -> None:
    """Refuse answers that a vocabulary cannot tell from its own marks. Raises :class:`TrainingError`."""
    for story in task.train:
        for question in story.questions:
            if {"", UNKNOWN, STOP} & set(answer_entry(question.answer).split(",")):
                raise TrainingError(
                    f"{task.name}: the answer {question.answer!r} to {question.text.strip()!r} has nothing, "
                    f"{UNKNOWN} or {STOP} between its commas; expected words"
                )


def scales(gradients: Sequence[Tensor], config: Training) -> list[Tensor]:
    """What rescales gradients whose norm exceeds ``clip``: a matrix's (the last two dimensions), or all of a replica's."""
    if config.clip_per == "network":
        whole = torch.zeros(len(gradients[0]), device=gradients[0].device)
        for gradient in gradients:  # one by one: a sum over a stack of them rounds by how many replicas there are
            whole = whole + gradient.flatten(1).square().sum(1)
        whole = whole.sqrt()  # (R,)
        norms = [whole.view(-1, *[1] * (gradient.dim() - 1)) for gradient in gradients]
    else:
        norms = [each.norm(dim=tuple(range(max(1, each.dim() - 2), each.dim())), keepdim=True) for each in gradients]
    return [(config.clip / norm).clamp(max=1.0) for norm in norms]


@torch.no_grad()
def descend(
    net: torch.nn.Module, gradients: Sequence[Tensor], lr: Tensor, config: Training, adam: torch.optim.Adam | None = None
) -> None:
    """One step of each replica, p -= lr * g, or Adam's, with g clipped as :func:`scales` says; ``lr (R,)``, 0 for none."""
    idle = lr <= 0  # a replica that is finished: its gradient may be anything
    for parameter, gradient, scale in zip(net.parameters(), gradients, scales(gradients, config), strict=True):
        shape = (-1,) + (1,) * (gradient.dim() - 1)
        if adam is not None:
            parameter.grad = gradient * scale
            continue
        step = gradient * (lr.view(shape) * scale)
        parameter.sub_(step.masked_fill(idle.view(shape), 0.0) if bool(idle.any()) else step)
    if adam is not None:
        adam.param_groups[0]["lr"] = float(lr.max())  # the same for every replica that is not finished
        parameters = list(net.parameters()) if bool(idle.any()) else []
        before = [parameter[idle].clone() for parameter in parameters]
        adam.step()
        for parameter, old in zip(parameters, before, strict=True):
            parameter[idle] = old


def make_adam(net: torch.nn.Module, config: Training) -> torch.optim.Adam:
    """Adam (Kingma & Ba 2015, arXiv 1412.6980), elementwise, so each replica's own; its averages exist from the start.

    Or AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101), which shrinks the weights beside the step.
    """
    adam = torch.optim.Adam(net.parameters())
    if config.optimizer == "adamw":
        adam = torch.optim.AdamW(net.parameters(), weight_decay=config.decay)
    for parameter in net.parameters():
        zeros = torch.zeros_like(parameter)
        adam.state[parameter] = {"step": torch.zeros(()), "exp_avg": zeros, "exp_avg_sq": zeros.clone()}
    return adam


@dataclass
class State:
    """Where a training stands at the end of an epoch: all that it takes to go on."""

    net: Network
    random: Random
    epoch: int  # finished
    linear: Tensor  # (R,) bool: in the linear start
    soft_epochs: Tensor  # (R,) finished epochs with softmax
    falling: Tensor  # (R,) lowest validation loss of the linear start
    best: Tensor  # (R,) lowest of what is watched of the validation questions so far
    best_epoch: Tensor  # (R,) and how many epochs with softmax were finished then
    stopped: Tensor  # (R,) the epoch in which a loss was not finite, 0 for none
    flawless: Tensor  # (R,) the last so many epochs made no error of the questions held out
    mean: MovingMean  # of the losses, for hard attention's baseline
    adam: torch.optim.Adam | None = None
    kept: dict[str, Tensor] = field(default_factory=dict)  # weights at ``best``
    seconds: float = 0.0

    @classmethod
    def start(cls, net: Network, random: Random, config: Training) -> State:
        """Before the first epoch."""
        replicas = random.replicas
        endless = torch.full((replicas,), math.inf, dtype=torch.float64)
        linear = torch.full((replicas,), config.linear_epochs > 0)
        none = torch.zeros(replicas, dtype=torch.long)
        kept = {name: value.detach().clone() for name, value in net.named_parameters()} if config.keep == "best" else {}
        adam = make_adam(net, config) if config.optimizer != "sgd" else None
        return cls(
            net,
            random,
            0,
            linear,
            none,
            endless,
            endless.clone(),
            none.clone(),
            none.clone(),
            none.clone(),
            MovingMean(replicas),
            adam,
            kept,
        )

    def tensors(self) -> dict[str, Tensor]:
        """As named tensors, for a checkpoint."""
        named = {f"net.{name}": value.clone() for name, value in self.net.state_dict().items()}
        named |= {f"kept.{name}": value.clone() for name, value in self.kept.items()}
        for name in ("linear", "soft_epochs", "falling", "best", "best_epoch", "stopped", "flawless"):
            named[name] = getattr(self, name).clone()
        if self.adam is not None:
            for parameter, (name, _) in zip(self.adam.state.values(), self.net.named_parameters(), strict=True):
                named |= {f"adam.{name}.{key}": value.clone() for key, value in parameter.items()}
        return named | {"random": self.random.state(), "mean": self.mean.state.clone()}

    def load(self, tensors: dict[str, Tensor], epoch: int, seconds: float) -> None:
        """Go on from a checkpoint. Raises ValueError where it is not one of this training."""
        mine = {name: (value.shape, value.dtype) for name, value in self.tensors().items()}
        if mine != {name: (value.shape, value.dtype) for name, value in tensors.items()}:
            raise ValueError("its tensors are not those of this training")
        parts: dict[str, dict[str, Tensor]] = {"net": {}, "kept": {}, "adam": {}}
        for name, value in tensors.items():
            prefix, _, rest = name.partition(".")
            if rest:
                parts[prefix][rest] = value
            elif name == "random":
                self.random.restore(value)
            elif name == "mean":
                self.mean.state = value
            else:
                setattr(self, name, value)
        self.net.load_state_dict(parts["net"])
        device = next(self.net.parameters()).device
        self.kept = {name: value.to(device) for name, value in parts["kept"].items()}
        if self.adam is not None:
            for name, parameter in self.net.named_parameters():
                for key, value in self.adam.state[parameter].items():
                    value.copy_(parts["adam"][f"{name}.{key}"])
        self.epoch, self.seconds = epoch, seconds


class Epoch(NamedTuple):
    """What an epoch was like, (R,) each."""

    loss: Tensor  # mean over questions
    error: Tensor  # percent, of the batches as they came
    reward_variance: Tensor | None = None  # hard attention: of the loss over the addresses drawn for a question, their mean
    advantage_square: Tensor | None = None  # mean square of the loss less its baseline


def one_epoch(
    state: State, data: Examples, codes: Any, config: Training, lr: Tensor, exchange: Exchange | None = None
) -> Epoch:
    """Train every replica for an epoch."""
    net, random = state.net, state.random
    objective = Objective(net)
    parameters = list(net.parameters())
    device = parameters[0].device
    size = min(config.batch, len(data))
    steps = len(data) // size
    if config.replacement:
        picks = random.integers(len(data), steps, size)
    else:
        every = random.permutation(len(data))
        picks = (
            alike(every, net.lengths(data), size, state.epoch)
            if net.by_length
            else every[:, : steps * size].view(-1, steps, size)
        )
    replicas = random.replicas
    losses = torch.zeros(replicas, device=device)
    wrong = torch.zeros(replicas, dtype=torch.long, device=device)
    rewards: Tensor | None = None
    lr = lr.to(device)
    noise = getattr(config, "noise", 0.0)
    for batch in cut(data, picks.transpose(0, 1), net.sizes.ages, noise, random):
        moved = {} if exchange is None else exchanged(net, exchange.draw(random))
        step = functional_call(objective, moved, (batch.to(device), codes, random, state.mean))
        gradients = torch.autograd.grad(step.objective.sum(), parameters, materialize_grads=True)
        if config.l2 > 0:  # of the mean loss, and the objective is a sum
            pull = size * config.l2
            gradients = tuple(g.add(p.detach(), alpha=pull) for g, p in zip(gradients, parameters, strict=True))
        descend(net, gradients, lr, config, state.adam)
        losses += step.loss
        wrong += step.wrong
        if step.rewards is not None:
            rewards = step.rewards / steps + (0.0 if rewards is None else rewards)
    seen = steps * size
    epoch = Epoch(losses.double().cpu() / seen, 100 * wrong.double().cpu() / seen)
    if rewards is None:
        return epoch
    variance, square = rewards.double().cpu()
    return epoch._replace(reward_variance=variance if net.samples > 1 else None, advantage_square=square)


def alike(picks: Tensor, count: Tensor, size: int, epoch: int) -> Tensor:
    """Batches of questions ``picks (R, N)`` whose stories are about as long as each other, in a random order: (R, S, B).

    Each replica's questions are sorted by length, so a batch is as long in every replica; which ranks are left out
    and the order of the batches are the epoch's.
    """
    draw = torch.Generator().manual_seed(epoch)
    steps = picks.shape[1] // size
    ranks = torch.randperm(picks.shape[1], generator=draw)[: steps * size].sort().values
    ordered = picks.gather(1, count[picks].sort(dim=1, stable=True).indices)[:, ranks]
    return ordered.view(len(picks), steps, size)[:, torch.randperm(steps, generator=draw)]


def learning_rate(state: State, config: Training) -> Tensor:
    """Of each replica, (R,), after the linear start.

    ``halve`` halves ``lr`` every ``halve_every`` epochs; ``linear`` and ``cosine`` (Loshchilov & Hutter 2017, arXiv
    1608.03983, eq. 5, one period) let it fall to zero; in the share ``warmup`` of the epochs before, it rises by equal steps.
    """
    warm = round(config.warmup * config.epochs)
    past = (state.soft_epochs - warm).clamp(min=0)
    share = (past / max(1, config.epochs - warm)).float()
    falling = {
        "constant": torch.ones_like(share),
        "linear": 1 - share,
        "cosine": (1 + (math.pi * share).cos()) / 2,
        "halve": 0.5 ** (past // config.halve_every).float(),
    }[config.schedule]
    rising = (state.soft_epochs + 1) / (warm + 1)
    return config.lr * torch.where((state.soft_epochs < warm) & ~state.linear, rising, falling)


def unfinished(state: State, config: Training) -> Tensor:
    """Which replicas train on, (R,) bool."""
    waited = state.soft_epochs - state.best_epoch.clamp(min=config.warm_epochs)
    patient = waited < config.patience if config.patience else torch.ones_like(waited, dtype=torch.bool)
    settled = (state.flawless >= config.settled) if config.settled else torch.zeros_like(patient)
    return (state.stopped == 0) & (state.linear | (state.soft_epochs < config.epochs) & patient & ~settled)


def advance(state: State, data: DataSet, codes: tuple[Any, Any], config: Training) -> list[dict[str, Any]]:
    """One epoch of every replica that is not finished; the metrics of each."""
    going = unfinished(state, config)
    warm = ~state.linear & (state.soft_epochs < config.warm_epochs)
    state.net.phase(state.linear, warm)
    lr = torch.where(going, learning_rate(state, config), torch.zeros(()))
    epoch = one_epoch(state, data.train, codes[0], config, lr, data.exchange)
    loss, error = epoch.loss, epoch.error
    outcome = evaluate(state.net, data.valid, codes[1])
    told = (data.valid.answer >= 0).all(1)  # whose answers training has; of others there is no loss
    blind = not bool(told.any())
    valid_loss = outcome.loss[:, told].double().mean(1)  # (R,)
    state.epoch += 1
    finite = loss.isfinite() & torch.stack(
        [parameter.detach().flatten(1).isfinite().all(1).cpu() for parameter in state.net.parameters()]
    ).all(0)
    finite &= valid_loss.isfinite() | blind
    state.stopped = torch.where(going & ~finite, state.epoch, state.stopped)
    going = going & finite
    rows = [
        {
            "epoch": state.epoch,
            "replica": replica,
            "phase": state.net.phase_of(replica),
            "lr": round(float(lr[replica]), 9),
            "train_loss": float(loss[replica]),
            "train_error": float(error[replica]),
            "validation_loss": None if blind else float(valid_loss[replica]),
            "validation_error": float(outcome.error()[replica]),
            **{
                name: float(value[replica])
                for name, value in epoch._asdict().items()
                if name not in ("loss", "error") and value is not None
            },
        }
        for replica in going.nonzero().flatten().tolist()
    ]
    watched = valid_loss
    if config.watch == "error":  # less than one question apart, the loss decides
        watched = outcome.error() + 100 / len(data.valid) * valid_loss / (1 + valid_loss)
    better = going & ~state.linear & ~warm & ((watched < state.best) | blind)
    state.best = torch.where(better, watched, state.best)
    for name, value in state.net.named_parameters() if state.kept else ():
        own = better.view(-1, *[1] * (value.dim() - 1)).to(value.device)
        state.kept[name] = torch.where(own, value.detach(), state.kept[name])
    state.soft_epochs = state.soft_epochs + (going & ~state.linear)
    state.flawless = torch.where(going & ~state.linear & ~warm, (state.flawless + 1) * (outcome.error() == 0), state.flawless)
    state.best_epoch = torch.where(better, state.soft_epochs, state.best_epoch)
    ended = torch.full_like(going, state.epoch >= config.linear_epochs)
    if config.linear_to_validation:
        ended |= valid_loss >= state.falling
        state.falling = torch.minimum(state.falling, valid_loss)
    state.linear = state.linear & ~(going & ended)
    return rows


@dataclass(frozen=True)
class Spec:
    """All that decides a run's result."""

    tasks: tuple[str, ...]
    preset: str
    config: Training
    size: str
    variant: str
    source: str
    data_hash: str
    seed: int
    restarts: int
    model: str = "memn2n"
    story_seed: int = 0  # which simulated or resampled stories

    @property
    def what(self) -> str:
        """The task's name, or how many tasks one network learns."""
        return self.tasks[0] if len(self.tasks) == 1 else f"joint{len(self.tasks)}"

    def flat(self) -> dict[str, Any]:
        """As JSON values."""
        return {**dataclasses.asdict(self), "tasks": list(self.tasks)}


@dataclass(frozen=True)
class Result:
    """Trained replicas and what they did."""

    net: Network
    chosen: int
    rows: list[dict[str, Any]]  # one a replica
    seconds: float


def make(model: str, config: Training, data: DataSet, random: Random) -> Network:
    """Networks of a kind, as large as their training questions need."""
    kind = MODELS[model]
    return kind(config, kind.measure(config, data.train, data.vocabulary), random)


Progress = Callable[[int, int, dict[str, float]], None]


def train(
    spec: Spec,
    data: DataSet,
    folder: Path | None = None,
    resume: bool = False,
    device: str = "cpu",
    progress: Progress | None = None,
    every: float = 5.0,
) -> Result:
    """Train ``spec.restarts`` networks and evaluate them.

    With a ``folder``, metrics are written to it as they come and a checkpoint at least ``every``
    seconds (at an epoch's end); KeyboardInterrupt and SystemExit leave a checkpoint too, and
    ``resume`` goes on from it. Raises :class:`TrainingError` when no replica stays finite.
    """
    prepare()
    config = spec.config
    net = make(spec.model, config, data, Random(spec.seed, spec.restarts, "weights")).to(device)
    if data.vectors is not None:
        net.start_from(data.vectors)
    elif getattr(config, "vectors", "none") != "none":
        raise ConfigError(f"vectors={config.vectors} needs a file: name it by --vectors")  # type: ignore[attr-defined]
    state = State.start(net, Random(spec.seed, spec.restarts, "training"), config)
    codes = net.codes(data.train).to(device), net.codes(data.valid).to(device)
    if isinstance(net, Fitted):
        started = time.monotonic()
        net.fit(data.train)
        return finish(spec, data, state, codes, time.monotonic() - started)
    path = folder / CHECKPOINT if folder else None
    offset = 0
    if resume and path is not None and path.exists():
        offset = go_on(state, path)
    if folder is not None:
        with open(folder / METRICS, "ab") as metrics:
            if metrics.tell() < offset:
                raise TrainingError(f"{folder / METRICS} is shorter than when {path} was written; delete both to start over")
            metrics.truncate(offset)
    boundary: tuple[dict[str, Tensor], dict[str, str]] | None = None
    started, saved = time.monotonic() - state.seconds, time.monotonic()
    epochs = config.linear_epochs + config.epochs
    try:
        while bool(unfinished(state, config).any()):
            rows = advance(state, data, codes, config)
            state.seconds = time.monotonic() - started
            if folder is not None and path is not None:
                with open(folder / METRICS, "a", encoding="utf-8") as metrics:
                    metrics.write("".join(json.dumps(row) + "\n" for row in rows))
                    metrics.flush()
                    offset = metrics.tell()
                meta = {"epoch": str(state.epoch), "seconds": str(state.seconds), "metrics": str(offset)}
                boundary = state.tensors(), meta
                if time.monotonic() - saved >= every:
                    write_tensors(path, *boundary)
                    saved = time.monotonic()
            if progress is not None and rows:
                least = min(rows, key=lambda row: row["train_error"])
                progress(state.epoch, epochs, least)
    except (KeyboardInterrupt, SystemExit):
        if path is not None and boundary is not None:
            write_tensors(path, *boundary)
        raise
    if bool((state.stopped > 0).all()):
        weights = " or the initial weights (--set init_std=...)" if hasattr(config, "init_std") else ""
        raise TrainingError(
            f"the loss of every replica stopped being finite (epochs {state.stopped.tolist()}); lower the learning rate "
            f"(--set lr={config.lr / 2:g}){weights}, with another --out"
        )
    if state.kept:
        net.load_state_dict(state.kept, strict=False)  # the rest is the same in every epoch
    nobody = torch.zeros(spec.restarts, dtype=torch.bool)
    net.phase(nobody, nobody)
    return finish(spec, data, state, codes, time.monotonic() - started)


def go_on(state: State, path: Path) -> int:
    """Load a checkpoint; how long the metrics were. Raises :class:`TrainingError` where it is damaged."""
    try:
        tensors, metadata = read_tensors(path)
        state.load(tensors, int(metadata["epoch"]), float(metadata["seconds"]))
        return int(metadata["metrics"])
    except (NetworkError, KeyError, ValueError) as error:
        raise TrainingError(f"{path} is damaged ({error}); delete it to start this run over") from error


def finish(spec: Spec, data: DataSet, state: State, codes: tuple[Any, Any], seconds: float) -> Result:
    """Evaluate every replica once on each part and choose one, by training or validation error."""
    net = state.net
    parts = {
        "train": (data.train, evaluate(net, data.train, codes[0])),
        "validation": (data.valid, evaluate(net, data.valid, codes[1])),
        "test": (data.test, evaluate(net, data.test)),
    }
    alive = state.stopped == 0
    selected = parts[spec.config.selection][1]
    order = sorted(
        alive.nonzero().flatten().tolist(),
        key=lambda r: (float(selected.error()[r]), float(selected.loss[r].double().nanmean()), r),
    )
    rows = []
    for replica in range(spec.restarts):
        names = data.names if bool(alive[replica]) else ()
        tasks = {name: replica_errors(parts, replica, number) for number, name in enumerate(names)}
        row = {
            "replica": replica,
            "chosen": replica == order[0],
            "stopped_epoch": int(state.stopped[replica]),
            "epochs": int(state.soft_epochs[replica]),
            "tasks": tasks,
        }
        rows.append(row)
    return Result(net, order[0], rows, seconds)


def replica_errors(parts: dict[str, tuple[Examples, Outcome]], replica: int, task: int) -> dict[str, Any]:
    """What one network did with the questions of one task: errors in percent, facts found, questions asked."""
    errors: dict[str, Any] = {}
    for part, (data, outcome) in parts.items():
        wrong = outcome.wrong[replica][data.task == task]
        errors[f"{part}_error"] = round(100 * float(wrong.double().mean()), 4) if len(wrong) else None
    data, outcome = parts["test"]
    here = (data.task == task).nonzero().flatten()
    found = retrieval(outcome.read[replica][here], data.select(here)).flat()
    alike = [] if outcome.alike is None else outcome.alike[replica][here].double().mean(0).tolist()
    return errors | {"questions": len(here), **found, "heads_alike": [round(value, 4) for value in alike]}


def mean_error(row: dict[str, Any], part: str) -> float:
    """A replica's error over its tasks, of "train", "validation" or "test", in percent."""
    values = [task[f"{part}_error"] for task in row["tasks"].values()]
    return float(sum(value for value in values if value is not None) / max(1, sum(value is not None for value in values)))


def versions(device: str = "cpu") -> dict[str, str]:
    """Of what a result depends on."""
    import numpy

    return {
        "memnet": memnet.__version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": numpy.__version__,
        "machine": processor() if device == "cpu" else f"{torch.cuda.get_device_name(device)}, {processor()}",
    }


@cache
def processor() -> str:
    """The machine's kind of processor, as it names itself."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        told = ""
    named = [line.partition(":")[2].strip() for line in told.splitlines() if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def pick_device(name: str) -> str:
    """``auto`` is cuda where there is one. Raises :class:`~memnet.config.ConfigError`."""
    if name not in ("auto", "cpu", "cuda"):
        raise ConfigError(f"device must be auto, cpu or cuda, not {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device cuda is asked for, but this torch sees none; use --device cpu")
    return "cuda" if name != "cpu" and torch.cuda.is_available() else "cpu"

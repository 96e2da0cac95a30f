"""Training: R replicas of a network at once, each with its own data order, noise and schedule.

A run is a pure function of its spec: the same tasks, configuration and seed give the same weights,
bit for bit on the same machine, whether or not it was interrupted and resumed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.func import functional_call

from memnet.config import Training
from memnet.encode.batch import batches
from memnet.encode.examples import Examples
from memnet.encode.permute import Permutation
from memnet.errors import ConfigError, DivergedError, TrainingError
from memnet.files import naming, sync, write_tensors
from memnet.models import MODELS, Network
from memnet.nn.random import Random
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.fused import covers, fused_steps
from memnet.training.objective import Objective, permuted
from memnet.training.optimizer import optimizer_step
from memnet.training.process import prepare
from memnet.training.result import Result, finish
from memnet.training.spec import Spec
from memnet.training.state import CHECKPOINT, METRICS, State, go_on, learning_rate, unfinished


class Epoch(NamedTuple):
    """What an epoch was like, (R,) each."""

    loss: Tensor  # mean over questions
    error: Tensor  # percent, of the batches as they came
    reward_variance: Tensor | None = None  # hard attention: of the loss over the addresses drawn for a question, their mean
    advantage_square: Tensor | None = None  # mean square of the loss less its baseline


def one_epoch(
    state: State, data: Examples, encoded_data: Any, config: Training, lr: Tensor, permutation: Permutation | None = None
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
        lengths = net.lengths(data)
        if net.by_story:
            every, lengths = side_by_side(every, data.story), of_longest(lengths, data.story)
        picks = (
            bucket_by_length(every, lengths, size, state.epoch)
            if net.by_length
            else every[:, : steps * size].view(-1, steps, size)
        )
    replicas = random.replicas
    losses = torch.zeros(replicas, device=device)
    wrong = torch.zeros(replicas, dtype=torch.long, device=device)
    rewards: Tensor | None = None
    seen = steps * size
    if covers(net, data, permutation is not None):
        losses, wrong = fused_steps(net, data, encoded_data, picks.transpose(0, 1), lr, random)
        return Epoch(losses / seen, 100 * wrong.double() / seen)
    lr = lr.to(device)
    for batch in batches(data, picks.transpose(0, 1), net.sizes.ages, config.noise, random):
        moved = {} if permutation is None else permuted(net, permutation.draw(random))
        step = functional_call(objective, moved, (batch.to(device), encoded_data, random, state.mean))
        gradients = torch.autograd.grad(step.objective.sum(), parameters, materialize_grads=True)
        if config.l2 > 0:  # of the mean loss, and the objective is a sum
            pull = size * config.l2
            gradients = tuple(g.add(p.detach(), alpha=pull) for g, p in zip(gradients, parameters, strict=True))
        optimizer_step(net, gradients, lr, config, state.adam)
        losses += step.loss
        wrong += step.wrong
        if step.rewards is not None:
            rewards = step.rewards / steps + (0.0 if rewards is None else rewards)
    epoch = Epoch(losses.cpu().double() / seen, 100 * wrong.cpu().double() / seen)  # a GPU of Apple's has no doubles
    if rewards is None:
        return epoch
    variance, square = rewards.cpu().double()
    return epoch._replace(reward_variance=variance if net.samples > 1 else None, advantage_square=square)


def bucket_by_length(picks: Tensor, count: Tensor, size: int, epoch: int) -> Tensor:
    """Batches of questions ``picks (R, N)`` whose stories are about as long as each other, in a random order: (R, S, B).

    Each replica's questions are sorted by length, so a batch is as long in every replica; which ranks are left out
    and the order of the batches are the epoch's.
    """
    draw = torch.Generator().manual_seed(epoch)
    steps = picks.shape[1] // size
    ranks = torch.randperm(picks.shape[1], generator=draw)[: steps * size].sort().values
    ordered = picks.gather(1, count[picks].sort(dim=1, stable=True).indices)[:, ranks]
    return ordered.view(len(picks), steps, size)[:, torch.randperm(steps, generator=draw)]


def side_by_side(picks: Tensor, story: Tensor) -> Tensor:
    """Questions ``picks (R, N)`` with those of a story together, where the first of them was; ``story (N,)`` is of each."""
    there = torch.arange(picks.shape[1]).expand_as(picks)
    stories = story[picks]
    first = torch.full((len(picks), int(story.max()) + 1), picks.shape[1]).scatter_reduce(1, stories, there, "amin")
    return picks.gather(1, first.gather(1, stories).sort(dim=1, stable=True).indices)


def of_longest(lengths: Tensor, story: Tensor) -> Tensor:
    """For each question the length of its story's longest, (N,)."""
    longest = torch.zeros(int(story.max()) + 1, dtype=lengths.dtype).scatter_reduce(0, story, lengths, "amax")
    return longest[story]


class Validation(NamedTuple):
    """What R networks did with the questions held out, (R,) each."""

    error: Tensor  # percent
    loss: Tensor  # of those whose answers training has
    without_loss: bool  # whether there are none
    monitored: Tensor  # by which epochs are compared

    @classmethod
    def of(cls, net: Network, data: Examples, encoded_data: Any, config: Training) -> Validation:
        """Evaluate on held-out questions."""
        outcome = evaluate(net, data, encoded_data)
        known = (data.answer >= 0).all(1)
        error, loss = outcome.error(), outcome.loss[:, known].double().mean(1)
        monitored = loss
        if config.monitor == "error":  # less than one question apart, the loss decides
            monitored = error + 100 / len(data) * loss / (1 + loss)
        return cls(error, loss, not bool(known.any()), monitored)


def advance(state: State, data: DataSet, encoded_data: tuple[Any, Any], config: Training) -> list[dict[str, Any]]:
    """One epoch of every replica that is not finished; the metrics of each."""
    going = unfinished(state, config)
    early = ~state.linear & (state.soft_epochs < config.warm_epochs)  # softmax before their own alignment
    state.net.set_schedule(state.linear, early | torch.tensor(config.untrainable))
    lr = torch.where(going, learning_rate(state, config), torch.zeros(()))
    train, encoded_train = data.train, encoded_data[0]
    if data.stream is not None:
        train = data.stream.epoch(state.epoch, data.vocabulary)
        encoded_train = state.net.encode_data(train).to(next(state.net.parameters()).device)
    epoch = one_epoch(state, train, encoded_train, config, lr, data.permutation)
    validation = Validation.of(state.net, data.valid, encoded_data[1], config)
    state.epoch += 1
    going = stop_diverged(state, going, epoch, validation)
    rows = metrics(state, going, lr, epoch, validation)
    count_epoch(state, going, going & ~state.linear & ~early, validation)
    end_linear_start(state, going, validation, config)
    return rows


def stop_diverged(state: State, going: Tensor, epoch: Epoch, validation: Validation) -> Tensor:
    """Stop the replicas whose losses or weights are not finite; the others of those ``going``, (R,)."""
    weights = [parameter.detach().flatten(1).isfinite().all(1).cpu() for parameter in state.net.parameters()]
    finite = epoch.loss.isfinite() & torch.stack(weights).all(0) & (validation.loss.isfinite() | validation.without_loss)
    state.stopped = torch.where(going & ~finite, state.epoch, state.stopped)
    return going & finite


def metrics(state: State, going: Tensor, lr: Tensor, epoch: Epoch, validation: Validation) -> list[dict[str, Any]]:
    """A row a replica, for ``metrics.jsonl``."""
    hard = {"reward_variance": epoch.reward_variance, "advantage_square": epoch.advantage_square}
    return [
        {
            "epoch": state.epoch,
            "replica": replica,
            "phase": state.net.phase_name(replica),
            "lr": round(float(lr[replica]), 9),
            "train_loss": float(epoch.loss[replica]),
            "train_error": float(epoch.error[replica]),
            "validation_loss": None if validation.without_loss else float(validation.loss[replica]),
            "validation_error": float(validation.error[replica]),
            **{name: float(value[replica]) for name, value in hard.items() if value is not None},
        }
        for replica in going.nonzero().flatten().tolist()
    ]


def count_epoch(state: State, going: Tensor, compared: Tensor, validation: Validation) -> None:
    """Count an epoch, keep the weights of the best among those ``compared (R,)``, and count epochs without an error."""
    better = compared & ((validation.monitored < state.best) | validation.without_loss)
    state.best = torch.where(better, validation.monitored, state.best)
    for name, value in state.net.named_parameters() if state.kept else ():
        which = better.view(-1, *[1] * (value.dim() - 1)).to(value.device)
        state.kept[name] = torch.where(which, value.detach(), state.kept[name])
    state.soft_epochs = state.soft_epochs + (going & ~state.linear)
    perfect = (state.perfect_epochs + 1) * (validation.error == 0)
    state.perfect_epochs = torch.where(compared, perfect, state.perfect_epochs)
    state.best_epoch = torch.where(better, state.soft_epochs, state.best_epoch)


def end_linear_start(state: State, going: Tensor, validation: Validation, config: Training) -> None:
    """End it where it has lasted its epochs, or where the validation loss has stopped falling."""
    ended = torch.full_like(going, state.epoch >= config.linear_epochs)
    if config.linear_to_validation:
        ended |= validation.loss >= state.best_linear_loss
        state.best_linear_loss = torch.minimum(state.best_linear_loss, validation.loss)
    state.linear = state.linear & ~(going & ended)


def make_networks(model: str, config: Training, data: DataSet, random: Random) -> Network:
    """Networks of a kind, as large as their training questions need."""
    kind = MODELS[model]
    sizes = kind.measure(config, data.train, data.vocabulary) if data.start is None else data.start.net.sizes
    return kind(config, sizes, random)


Progress = Callable[[int, int, dict[str, float]], None]
Watch = Callable[[Network, DataSet, list[dict[str, Any]]], None]  # networks after an epoch, what they learn from, its metrics


class Log:
    """The metrics and the checkpoint in a run's folder, or nothing without one."""

    def __init__(self, folder: Path | None, every: float) -> None:
        self.folder, self.every = folder, every
        self.saved, self.metrics_end = time.monotonic(), 0
        self.boundary: tuple[dict[str, Tensor], dict[str, str]] | None = None  # at the last epoch's end

    def begin(self, state: State, resume: bool) -> None:
        """Go on from the checkpoint, if there is one and that is wanted, and cut off what was logged after it."""
        if self.folder is None:
            return
        path = self.folder / CHECKPOINT
        if resume and path.exists():
            self.metrics_end = go_on(state, path)
        with open(self.folder / METRICS, "ab") as metrics:
            if metrics.tell() < self.metrics_end:
                raise TrainingError(
                    f"{self.folder / METRICS} is shorter than when {path} was written; delete both to start over"
                )
            metrics.truncate(self.metrics_end)

    def add(self, state: State, rows: list[dict[str, Any]]) -> None:
        """Add an epoch, and save a checkpoint where the last is old enough."""
        if self.folder is None:
            return
        path = self.folder / METRICS
        with naming(path), open(path, "a", encoding="utf-8") as metrics:
            metrics.write("".join(json.dumps(row) + "\n" for row in rows))
            metrics.flush()
            self.metrics_end = metrics.tell()
        meta = {"epoch": str(state.epoch), "seconds": str(state.seconds), "metrics": str(self.metrics_end)}
        self.boundary = state.tensors(), meta
        if time.monotonic() - self.saved >= self.every:
            self.save()
            self.saved = time.monotonic()

    def save(self) -> None:
        """Save a checkpoint of the last epoch's end, once the metrics that it counts on are safe."""
        if self.folder is not None and self.boundary is not None:
            sync(self.folder / METRICS)
            write_tensors(self.folder / CHECKPOINT, *self.boundary)

    def end(self) -> None:
        """Make the metrics safe: a run that is finished is not gone on with."""
        if self.folder is not None:
            sync(self.folder / METRICS)


def train_networks(
    spec: Spec,
    data: DataSet,
    folder: Path | None = None,
    resume: bool = False,
    device: str = "cpu",
    progress: Progress | None = None,
    every: float = 5.0,
    watch: Watch | None = None,
) -> Result:
    """Train ``spec.restarts`` networks and evaluate them.

    With a ``folder``, metrics are written to it as they come and a checkpoint at least ``every``
    seconds (at an epoch's end); KeyboardInterrupt and SystemExit leave a checkpoint too, and
    ``resume`` goes on from it. Raises :class:`DivergedError` when no replica stays finite.
    """
    prepare()
    config = spec.config
    net = make_networks(spec.model, config, data, Random(spec.seed, spec.restarts, "weights")).to(device)
    net.know_words(data.vocabulary)
    if data.start is not None:
        data.start.load_into(net)
    if data.vectors is not None:
        net.start_from(data.vectors)
    elif config.vectors != "none":
        raise ConfigError(f"vectors={config.vectors} needs a file: name it by --vectors")
    state = State.start(net, Random(spec.seed, spec.restarts, "training"), config)
    encoded_data = net.encode_data(data.train).to(device), net.encode_data(data.valid).to(device)
    started = time.monotonic()
    if net.config.fitted:
        net.fit(data.train)
        return finish(spec, data, state, encoded_data, time.monotonic() - started)
    log = Log(folder, every)
    log.begin(state, resume)
    started -= state.seconds
    epochs = config.linear_epochs + config.epochs
    try:
        while bool(unfinished(state, config).any()):
            rows = advance(state, data, encoded_data, config)
            state.seconds = time.monotonic() - started
            log.add(state, rows)
            if progress is not None and rows:
                progress(state.epoch, epochs, min(rows, key=lambda row: row["train_error"]))
            if watch is not None:
                watch(net, data, rows)
    except (KeyboardInterrupt, SystemExit):
        log.save()
        raise
    log.end()
    if bool((state.stopped > 0).all()):
        raise DivergedError(
            f"the loss of every replica stopped being finite (epochs {state.stopped.tolist()}); {config.lower_the_loss()}"
        )
    if state.kept:
        net.load_state_dict(state.kept, strict=False)  # the rest is the same in every epoch
    nobody = torch.zeros(spec.restarts, dtype=torch.bool)
    net.set_schedule(nobody, nobody)
    return finish(spec, data, state, encoded_data, time.monotonic() - started)

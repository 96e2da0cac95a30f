"""Where a training stands, its checkpoints, and when it ends."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from memnet.attention.reinforce import MovingMean
from memnet.config import Training
from memnet.errors import NetworkError, TrainingError
from memnet.files import read_tensors
from memnet.models import Network
from memnet.nn.random import Random
from memnet.training.optimizer import make_adam

CHECKPOINT, METRICS = "checkpoint.safetensors", "metrics.jsonl"


@dataclass
class State:
    """Where a training stands at the end of an epoch: all that it takes to go on."""

    net: Network
    random: Random
    epoch: int  # finished
    linear: Tensor  # (R,) bool: in the linear start
    soft_epochs: Tensor  # (R,) finished epochs with softmax
    best_linear_loss: Tensor  # (R,) lowest validation loss of the linear start
    best: Tensor  # (R,) lowest of what is watched of the validation questions so far
    best_epoch: Tensor  # (R,) and how many epochs with softmax were finished then
    stopped: Tensor  # (R,) the epoch in which a loss was not finite, 0 for none
    perfect_epochs: Tensor  # (R,) the last so many epochs made no error of the questions held out
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
        kept = {name: value.detach().clone() for name, value in net.named_parameters()} if config.restore_best else {}
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
        for name in ("linear", "soft_epochs", "best_linear_loss", "best", "best_epoch", "stopped", "perfect_epochs"):
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
    perfect = (state.perfect_epochs >= config.stop_after_perfect) if config.stop_after_perfect else torch.zeros_like(patient)
    return (state.stopped == 0) & (state.linear | (state.soft_epochs < config.epochs) & patient & ~perfect)


def go_on(state: State, path: Path) -> int:
    """Load a checkpoint; how long the metrics were. Raises :class:`TrainingError` where it is damaged."""
    try:
        tensors, metadata = read_tensors(path)
        epoch, seconds, metrics = int(metadata["epoch"]), float(metadata["seconds"]), int(metadata["metrics"])
        if min(epoch, metrics) < 0 or not 0 <= seconds < math.inf:
            raise ValueError(f"its epoch, seconds and metrics are {epoch}, {seconds:g} and {metrics}")
        state.load(tensors, epoch, seconds)
        return metrics
    except (NetworkError, KeyError, RuntimeError, ValueError) as error:  # a generator's state that is none
        raise TrainingError(f"{path} is damaged ({error}); delete it to start this run over") from error

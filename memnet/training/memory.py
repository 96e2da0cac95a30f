"""How much memory a training takes, before it does: one step of it, on tensors that have shapes and no numbers."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.func import functional_call
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

from memnet.attention.reinforce import MovingMean
from memnet.encode.batch import batches
from memnet.nn.random import MetaInit
from memnet.training.dataset import DataSet
from memnet.training.loop import make_networks
from memnet.training.objective import Objective
from memnet.training.spec import Spec

PLACES = 1 << 20  # statements of the batch that is looked at, at most; the rest is counted like it
QUESTIONS = 128  # and its questions


class Shapes(TorchDispatchMode):
    """Computes whole numbers, and of what a network makes of them the shapes alone; ``most`` bytes of these lived at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.most = 0
        self.seen: dict[int, weakref.ref[Any]] = {}

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        meta: list[bool] = []
        tree_map_only(Tensor, lambda one: meta.append(one.is_meta), (args, kwargs))
        if any(meta):
            args, kwargs = tree_map_only(Tensor, lambda one: one.to("meta"), (args, kwargs))
            if "device" in kwargs:
                kwargs["device"] = torch.device("meta")
        made = function(*args, **kwargs)
        tree_map_only(Tensor, self.count, made)
        return made

    def count(self, made: Tensor) -> None:
        """Count the memory of a tensor, once, until nobody has it any more."""
        if not made.is_meta:
            return
        storage = made.untyped_storage()
        key, size = storage._cdata, storage.nbytes()
        known = self.seen.get(key)
        if known is not None and known() is not None:
            return
        self.seen[key] = weakref.ref(storage)
        weakref.finalize(storage, self.release, size)
        self.now += size
        self.most = max(self.most, self.now)

    def release(self, size: int) -> None:
        """Memory that nobody has any more."""
        self.now -= size


class Need(NamedTuple):
    """Bytes that a training takes: of the weights and what goes with them, and of a step."""

    weights: int
    step: int

    @property
    def total(self) -> int:
        """Both."""
        return self.weights + self.step


def needed(spec: Spec, data: DataSet) -> Need:
    """What the largest step of a training takes, of the questions with the longest stories."""
    config = spec.config
    net = make_networks(spec.model, config, data, MetaInit())
    size = min(config.batch, len(data.train))
    longest = net.lengths(data.train).argsort(descending=True, stable=True)
    some = longest[: max(1, min(size, QUESTIONS, PLACES // max(1, int(data.train.count.max()))))]
    if net.by_story:
        some = some[data.train.story[some].argsort(stable=True)]
    weights = {f"net.{name}": torch.empty_like(one, device="meta", requires_grad=True) for name, one in net.named_parameters()}
    parameters = list(weights.values())
    bytes_of = sum(one.numel() * one.element_size() for one in parameters)
    copies = 4 + 4 * (config.optimizer != "sgd") + 2 * config.restore_best  # itself, its gradient, a step; a checkpoint
    net.set_schedule(torch.zeros(1, dtype=torch.bool), torch.tensor([config.untrainable]))
    random, shapes = MetaInit(), Shapes()
    batch = next(batches(data.train, some.view(1, 1, -1), net.sizes.ages))
    encoded = net.encode_data(data.train)
    with shapes:
        step = functional_call(Objective(net), weights, (batch, encoded, random, MovingMean(1)))
        torch.autograd.grad(step.objective.sum(), parameters, materialize_grads=True)
    activations = max(0, shapes.most - bytes_of) * size // len(some)
    return Need(copies * bytes_of * spec.restarts, activations * spec.restarts)

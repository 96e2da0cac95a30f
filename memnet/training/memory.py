"""How much memory a training takes, before it does: one step of it, on tensors that have shapes and no numbers.

The largest step is taken: that of the questions with the longest stories. What the system's allocator keeps beside it from step
to step is a share of it, measured (``tests/test_memory.py``).
"""

from __future__ import annotations

import math
import os
import sys
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.func import functional_call
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

from memnet.attention.reinforce import MovingMean
from memnet.encode.batch import batches
from memnet.errors import TrainingError
from memnet.models import Network
from memnet.nn.random import MetaInit
from memnet.training.dataset import DataSet
from memnet.training.loop import make_networks
from memnet.training.objective import Objective
from memnet.training.spec import Spec

PLACES = 1 << 20  # statements of the batch that is looked at, at most; the rest is counted like it
QUESTIONS = 128  # and its questions
KEPT = 1.6  # what a step takes, over what its tensors do
LOOK, WARN = 500e6, 2e9  # bytes, by a rough count, from which a step is looked at; and from which training says what it takes
GB = 1e9


class Operations(TorchDispatchMode):
    """Sees each operation that torch does meanwhile, without torch's compiler, whose import takes seconds."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False


class Shapes(Operations):
    """Computes whole numbers, and of what a network makes of them the shapes alone; ``most`` bytes of these lived at once."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.now = self.most = 0
        self.seen: dict[int, weakref.ref[Any]] = {}

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        named, meta = dict(kwargs or {}), list[bool]()
        tree_map_only(Tensor, lambda one: meta.append(one.is_meta), (args, named))
        if any(meta):
            args, named = tree_map_only(Tensor, lambda one: one.to("meta"), (args, named))
            if "device" in named:
                named["device"] = torch.device("meta")
        made = function(*args, **named)
        tree_map_only(Tensor, self.count, made)
        return made

    def count(self, made: Tensor) -> None:
        """Count the memory of a tensor, once, until nobody has it any more."""
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

    weights: float
    step: float

    @property
    def total(self) -> float:
        """Both."""
        return self.weights + self.step


def needed(spec: Spec, data: DataSet, look: float = 0.0) -> Need:
    """What the largest step of a training takes; less than ``look`` is counted roughly."""
    config, train = spec.config, data.train
    net = make_networks(spec.model, config, data, MetaInit())
    size, lengths = min(config.batch, len(train)), net.lengths(train)
    bytes_of = sum(one.numel() * one.element_size() for one in net.parameters())
    copies = 4 + 4 * (config.optimizer != "sgd") + 2 * config.restore_best  # itself, its gradient, a step; a checkpoint
    width, reads = int(lengths.max()), max(1, config.num_reads(data.vocabulary.answer))
    rough = 4.0 * net.sizes.longest * bytes_of + 8.0 * size * (width * (width + 32 * config.dim) * reads + len(data.vocabulary))
    if (copies * bytes_of + rough) * spec.restarts < look:
        return Need(copies * bytes_of * spec.restarts, rough * spec.restarts)
    some = lengths.argsort(descending=True, stable=True)[: max(1, min(size, QUESTIONS, PLACES // max(1, width)))]
    some = some[train.story[some].argsort(stable=True)]
    step = max(0, bytes_of_step(net, data, some) - bytes_of) * size / len(some)
    return Need(copies * bytes_of * spec.restarts, KEPT * step * spec.restarts)


def bytes_of_step(net: Network, data: DataSet, questions: Tensor) -> int:
    """The most bytes that the tensors of one training step of some questions take at once, of one network without numbers."""
    weights = {f"net.{name}": torch.empty_like(one, device="meta", requires_grad=True) for name, one in net.named_parameters()}
    net.set_schedule(torch.zeros(1, dtype=torch.bool), torch.tensor([net.config.untrainable]))
    batch = next(batches(data.train, questions.view(1, 1, -1), net.sizes.ages))
    encoded, shapes = net.encode_data(data.train), Shapes()
    with shapes:
        step = functional_call(Objective(net), weights, (batch, encoded, MetaInit(), MovingMean(1)))
        torch.autograd.grad(step.objective.sum(), list(weights.values()), materialize_grads=True)
    return shapes.most


def check_memory(spec: Spec, data: DataSet, device: str = "cpu") -> str:
    """What a training takes, as a sentence where that is much. Raises :class:`TrainingError` where it is more than there is.

    ``max_memory`` among the settings says how much it may take. Nothing is said of a network whose step hangs on its numbers.
    """
    if spec.config.fitted:
        return ""
    try:
        need = needed(spec, data, LOOK)
    except (RuntimeError, NotImplementedError):  # of a plugin, say
        return ""
    width = int(data.train.count.max())
    what = (
        f"training takes about {need.total / GB:.1f} GB of memory ({spec.restarts} restarts, batches of {spec.config.batch:,}, "
        f"stories of up to {width:,} statements, width {spec.config.dim:,})"
    )
    smaller = "fewer --restarts, a smaller --set batch=, memory_size= or dim= take less"
    free = spec.config.max_memory * GB or free_memory(device)
    if free is not None and need.total > free:
        insist = math.ceil(need.total / GB)
        raise TrainingError(
            f"{spec.what}: {what}, and there are {free / GB:.1f}; {smaller}, --set max_memory={insist} trains all the same"
        )
    return f"{what}; {smaller}" if need.total > WARN else ""


def free_memory(device: str = "cpu") -> float | None:
    """Bytes that this process may still take, None where the system does not say."""
    if device.startswith("cuda"):
        try:
            return float(torch.cuda.mem_get_info()[0])
        except (RuntimeError, AssertionError):  # of a build that cannot ask
            return None
    if device != "cpu" or sys.platform == "win32":
        return None
    import resource

    found = [float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))]
    found += [1024.0 * value for value in numbers_of(Path("/proc/meminfo"), "MemAvailable:")]
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        found += [limit - 1024.0 * value for value in numbers_of(Path("/proc/self/status"), "VmSize:")]
    group = Path("/sys/fs/cgroup")
    for most, used in (("memory.max", "memory.current"), ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes")):
        cache = numbers_of(group / Path(most).parent / "memory.stat", "inactive_file")
        pairs = zip(numbers_of(group / most), numbers_of(group / used), strict=False)
        found += [float(limit - taken + sum(cache[:1])) for limit, taken in pairs]
    return max(0.0, min(found))


def numbers_of(path: Path, name: str = "") -> list[int]:
    """The whole number after a name at the start of a line of a system's file; none where there is no such file or line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    fields = (line.removeprefix(name).split() for line in lines if line.startswith(name))
    return [int(field[0]) for field in fields if field and field[0].isdigit()]

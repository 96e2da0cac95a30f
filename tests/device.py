"""A device that this machine does not have, simulated: what trains on it computes on the CPU, but is not of the CPU.

PyTorch checks that the tensors of an operation are on one device only where there are two devices. :func:`simulated_cuda`
makes ``"cuda"`` usable on a machine without one. A tensor there (:class:`Remote`) holds a CPU tensor out of reach. The CPU's
own kernels do every operation on it, so the numbers are the CPU's bit for bit; an operation that mixes devices fails as
on a GPU. What a real device adds (its kernels, its memory, its speed) is not tested here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map

from memnet.training.memory import Operations

REMOTE = torch.device("lazy", 0)  # a type that every build of PyTorch knows, and none computes on by itself
CPU = torch.device("cpu")
COPIES = {torch.ops.aten._to_copy.default, torch.ops.aten.copy_.default}  # from device to device
INDEXED = {"aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_"}  # by indices of the CPU too


class WrongDeviceError(RuntimeError):
    """Tensors of two devices in an operation, or of a type that a device does not have."""


class Remote(Tensor):
    """A tensor of the simulated device; ``held`` has its numbers."""

    held: Tensor

    @staticmethod
    def __new__(cls, held: Tensor) -> Remote:
        made: Remote = Tensor._make_wrapper_subclass(
            cls, held.size(), held.stride(), held.storage_offset(), dtype=held.dtype, layout=held.layout, device=REMOTE
        )
        made.held = held
        return made

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return f"Remote({self.held!r})"

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return dispatch(func, args, kwargs or {})


class Named(TorchFunctionMode):
    """Takes the simulated device where ``"cuda"`` is named."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = dict(kwargs or {})
        if func is torch.tensor and (is_cuda(kwargs.get("device")) or kwargs.get("device") == REMOTE):
            return torch.tensor(*args, **kwargs | {"device": CPU}).to(REMOTE)
        if func is Tensor.tolist and isinstance(args[0], Remote):
            return args[0].held.tolist()
        args = tuple(REMOTE if is_cuda(part) else part for part in args)
        return func(*args, **{name: REMOTE if is_cuda(part) else part for name, part in kwargs.items()})


def is_cuda(value: Any) -> bool:
    """Whether it is the name of a GPU, or one."""
    return (
        value in ("cuda", "cuda:0", "mps")
        if isinstance(value, str)
        else isinstance(value, torch.device) and value.type in ("cuda", "mps")
    )


class Simulated(Operations):
    """Sees what makes tensors of nothing too."""

    def __init__(self, without: tuple[torch.dtype, ...]) -> None:
        super().__init__()
        self.without = without

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = dispatch(func, args, kwargs or {})
        for leaf in tree_leaves(result):
            if isinstance(leaf, Remote) and leaf.dtype in self.without:
                raise WrongDeviceError(f"{func}: the device has no {leaf.dtype}")
        return result


def dispatch(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Do an operation on the CPU. Raises :class:`WrongDeviceError` where a GPU would not do it."""
    there = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)]
    remote = any(isinstance(leaf, Remote) for leaf in there)
    named = kwargs.get("device")
    if not remote and (named is None or torch.device(named) != REMOTE):
        return func(*args, **kwargs)
    check_devices(func, args, there, remote)
    held_args, held_kwargs = tree_map(lambda leaf: leaf.held if isinstance(leaf, Remote) else leaf, (args, kwargs))
    if named is not None:
        held_kwargs["device"] = CPU
    to_cpu = (named is not None and torch.device(named).type == "cpu") or (
        func is torch.ops.aten.copy_.default and not isinstance(args[0], Remote)
    )
    result = func(*held_args, **held_kwargs)
    if to_cpu:  # a copy, even where a CPU tensor would have stayed what it is
        return args[0] if func is torch.ops.aten.copy_.default else result
    if func._schema.is_mutable:  # the tensor that was changed, not another name of its numbers
        return kwargs["out"] if "out" in kwargs else args[0]
    return tree_map(lambda leaf: Remote(leaf) if isinstance(leaf, Tensor) else leaf, result)


def check_devices(func: Any, args: Any, there: list[Tensor], remote: bool) -> None:
    """See :func:`dispatch`: the CPU's scalars go with any device's tensors, and its indices into them."""
    if not remote or func in COPIES:
        return
    local = [leaf for leaf in there if not isinstance(leaf, Remote)]
    if torch.Tag.pointwise in func.tags or func is torch.ops.aten.where.self:
        local = [leaf for leaf in local if leaf.dim()]
    if func._schema.name in INDEXED and isinstance(args[0], Remote):
        indices = [leaf for leaf in tree_leaves(args[1]) if isinstance(leaf, Tensor)]
        local = [leaf for leaf in local if leaf.dim() and not any(leaf is index for index in indices)]
    if local:
        raise WrongDeviceError(f"{func}: tensors of the device and of the cpu, {tuple(local[0].shape)}")


@contextmanager
def simulated_cuda(without: tuple[torch.dtype, ...] = ()) -> Iterator[None]:
    """A machine with one device ``"cuda"``; ``without=(torch.float64,)`` makes it like Apple's, which has no such numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.cuda, "is_available", lambda: True)
        patch.setattr(torch.cuda, "get_device_name", lambda device=None: "simulated GPU")
        with Simulated(without), Named():
            yield

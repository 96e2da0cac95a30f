"""A step of R networks: clipping, gradient descent and Adam, each replica for itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from inspect import unwrap

import torch
from torch import Tensor

from memnet.config import Training

NOT_COMPILED = "__dynamo_disable"  # where torch keeps what it made of a function that is not to be compiled


def clip_coefficients(gradients: Sequence[Tensor], config: Training) -> list[Tensor]:
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
def optimizer_step(
    net: torch.nn.Module, gradients: Sequence[Tensor], lr: Tensor, config: Training, adam: torch.optim.Adam | None = None
) -> None:
    """One step of each replica, p -= lr * g, or Adam's, g clipped by :func:`clip_coefficients`; ``lr (R,)``, 0 for none."""
    finished = lr <= 0  # a replica that is finished: its gradient may be anything
    for parameter, gradient, scale in zip(net.parameters(), gradients, clip_coefficients(gradients, config), strict=True):
        shape = (-1,) + (1,) * (gradient.dim() - 1)
        if adam is not None:
            parameter.grad = gradient * scale
            continue
        step = gradient * (lr.view(shape) * scale)
        parameter.sub_(step.masked_fill(finished.view(shape), 0.0) if bool(finished.any()) else step)
    if adam is not None:
        adam.param_groups[0]["lr"] = float(lr.max())  # the same for every replica that is not finished
        parameters = list(net.parameters()) if bool(finished.any()) else []
        before = [parameter[finished].clone() for parameter in parameters]
        unwrap(type(adam).step)(adam)  # what wraps it imports the compiler, to find that gradients are off
        for parameter, old in zip(parameters, before, strict=True):
            parameter[finished] = old


@contextmanager
def without_compiler() -> Iterator[None]:
    """Keep torch from importing its compiler, which takes a second, only to say that making an optimizer is not compiled.

    ``add_param_group`` looks for what does not compile it where it was left before; here that is itself.
    """
    made = getattr(torch.optim.Optimizer.add_param_group, "__wrapped__", None)
    if made is None or hasattr(made, NOT_COMPILED):
        yield
        return
    setattr(made, NOT_COMPILED, made)
    try:
        yield
    finally:
        delattr(made, NOT_COMPILED)


def make_adam(net: torch.nn.Module, config: Training) -> torch.optim.Adam:
    """Adam (Kingma & Ba 2015, arXiv 1412.6980), elementwise, so each replica's own; its averages exist from the start.

    Or AdamW (Loshchilov & Hutter 2019, arXiv 1711.05101), which shrinks the weights beside the step.
    """
    with without_compiler():
        adam = torch.optim.Adam(net.parameters())
        if config.optimizer == "adamw":
            adam = torch.optim.AdamW(net.parameters(), weight_decay=config.decay)
    for parameter in net.parameters():
        zeros = torch.zeros_like(parameter)
        adam.state[parameter] = {"step": torch.zeros(()), "exp_avg": zeros, "exp_avg_sq": zeros.clone()}
    return adam

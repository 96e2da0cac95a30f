"""Alignments: from logits to the weights with which memories are read.

Every alignment takes ``logits (..., Q, M)`` that are -inf where ``mask`` (broadcast to the same
shape) is False, and gives weights that are zero there. ``null (..., Q)`` is the logit of *reading
nothing*; its weight comes back beside the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

LOWEST = torch.finfo(torch.float32).min


class Alignment(NamedTuple):
    """What an alignment gives back."""

    weights: Tensor  # (..., Q, M)
    null: Tensor | None = None  # (..., Q)  the weight of reading nothing
    log_prob: Tensor | None = None  # (..., Q)  of the sampled address


Align = Callable[..., Alignment]


def softmax(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """p_i = exp(l_i) / (exp(null) + sum_j exp(l_j)); without ``null`` its term is absent.

    A query that may read nothing (all masked, no null) has weights zero.
    """
    finite = logits.clamp(min=LOWEST)  # a row that is -inf throughout would be NaN
    if null is None:
        weights, nothing = finite.softmax(-1), None
    else:
        both = torch.cat([finite, null.unsqueeze(-1).clamp(min=LOWEST)], dim=-1).softmax(-1)  # (..., Q, M + 1)
        weights, nothing = both[..., :-1], both[..., -1]
    return Alignment(weights if mask is None else weights * mask, nothing)


def linear(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """p_i = l_i, no normalisation: the linear start of Sukhbaatar et al. 2015, section 5.

    ``null`` changes nothing: its value is zero and there is no sum to share.
    """
    return Alignment(logits if mask is None else logits.masked_fill(~mask, 0.0))


def per_replica(linear_start: Tensor) -> Align:
    """``linear`` for the replicas where ``linear_start (R,)`` is True, ``softmax`` for the others."""
    if bool(linear_start.all()):
        return linear
    if not bool(linear_start.any()):
        return softmax

    def align(logits: Tensor, mask: Tensor | None = None, *args: object, **kwargs: object) -> Alignment:
        start = linear_start.to(logits.device).view(-1, *[1] * (logits.dim() - 1))
        soft = softmax(logits, mask, *args, **kwargs)  # type: ignore[arg-type]
        return soft._replace(weights=torch.where(start, linear(logits, mask).weights, soft.weights))

    return align


ALIGNS: dict[str, Align] = {"softmax": softmax, "linear": linear}

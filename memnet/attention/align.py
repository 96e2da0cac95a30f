"""Alignments: from logits to the weights with which memories are read.

Every alignment takes ``logits (..., Q, M)`` that are -inf where ``mask`` (broadcast to the same
shape) is False, and gives weights that are zero there. ``null (..., Q)`` is the logit of *reading
nothing*; its weight comes back beside the others. One that reads a single memory says which, too.

``ALIGNS[name](query_dim, random, window)`` makes an alignment; ``window`` is the D of the local ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from memnet.config.parts import ALIGNS
from memnet.nn.modules import Linear
from memnet.nn.modules import sigmoid as sigmoid_of
from memnet.nn.random import Random

NEVER = float("-inf")


def lowest_finite(numbers: Tensor) -> float:
    """The least finite number of a tensor's precision."""
    return torch.finfo(numbers.dtype).min


def precise(numbers: Tensor) -> Tensor:
    """Numbers of 16 bits as float32, for sums and places that 16 bits cannot tell apart; others as they are."""
    return numbers.to(torch.promote_types(numbers.dtype, torch.float32))


class Alignment(NamedTuple):
    """What an alignment gives back."""

    weights: Tensor  # (..., Q, M)
    null: Tensor | None = None  # (..., Q)  the weight of reading nothing
    log_prob: Tensor | None = None  # (..., Q)  of the sampled address
    place: Tensor | None = None  # (..., Q)  of the one memory that is read, -1 for none

    def __repr__(self) -> str:
        """The weights' shape; ``alignment.weights`` are the numbers."""
        return f"<Alignment: weights {tuple(self.weights.shape)}>"


Align = Callable[..., Alignment]


def softmax(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """p_i = exp(l_i) / (exp(null) + sum_j exp(l_j)), without ``null`` its term is absent (Bahdanau et al. 2015, eq. 6).

    A query that may read nothing (all masked, no null) has weights zero.
    """
    return split(choices(logits, null).softmax(-1), mask, null)


def linear(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """p_i = l_i, no normalisation: the linear start of Sukhbaatar et al. 2015, section 5.

    ``null`` changes nothing: its value is zero and there is no sum to share.
    """
    return Alignment(logits if mask is None else logits.masked_fill(~mask, 0.0))


def sigmoid(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """p_i = 1 / (1 + exp(-l_i)), each memory for itself: the gate of Kumar et al. 2016, section 2.3."""
    refuse(null, "sigmoid")
    weights = sigmoid_of(logits)
    return Alignment(weights if mask is None else weights * mask)


def sparsemax(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """p = argmin over the simplex of |p - l|^2 = max(l - tau, 0) (Martins & Astudillo 2016, eq. 2, algorithm 1).

    tau = (sum of the k largest - 1) / k for the greatest k with 1 + k l_(k) > sum of the k largest.
    """
    all_choices = precise(choices(logits, null))
    # Only differences count, and what lies more than 1 below the largest has weight zero.
    near = (all_choices - all_choices.detach().amax(-1, keepdim=True)).clamp(min=-2.0)
    ordered = near.sort(-1, descending=True).values
    total, rank = ordered.cumsum(-1), torch.arange(1, near.shape[-1] + 1, device=near.device)
    support = (1 + rank * ordered > total).sum(-1, keepdim=True).clamp(min=1)  # k, (..., Q, 1)
    tau = (total.gather(-1, support - 1) - 1) / support
    return split((near - tau).relu().to(logits.dtype), mask, null)


def local_m(
    logits: Tensor,
    mask: Tensor | None = None,
    query: Tensor | None = None,
    null: Tensor | None = None,
    position: Tensor | None = None,
    window: float = 10.0,
    **_: object,
) -> Alignment:
    """Softmax over the memories i in [p - D, p + D] (Luong et al. 2015, section 3.2, "local-m").

    i counts readable memories, 1 for the oldest and S for the newest. ``position (..., Q)`` is p in
    the same count, the newest memory when None; ``window`` is D.
    """
    refuse(null, "local_m")
    place = positions(logits.shape[-1], mask, logits.device)
    centre = place[..., -1] if position is None else position
    return softmax(*within((place - centre.unsqueeze(-1)).abs() <= window, logits, mask))


class LocalP(nn.Module):
    """Softmax over i in [p - D, p + D] times exp(-(i - p)^2 / (2 sigma^2)) (Luong et al. 2015, eqs. 9 and 10).

    p = S sigmoid(v^T tanh(W q)) and sigma = D / 2; the product is not normalised again. i counts
    readable memories, 1 for the oldest and S for the newest. W (R, Dq, Dq), v (R, Dq, 1).
    """

    def __init__(self, query_dim: int, random: Random, window: float) -> None:
        super().__init__()
        if window <= 0:
            raise ValueError(f"local_p needs a window greater than zero, not {window}")
        self.window = window
        self.hidden = Linear(query_dim, query_dim, random, bias=False)
        self.out = Linear(query_dim, 1, random, bias=False)

    def forward(self, logits: Tensor, mask: Tensor | None, query: Tensor, null: Tensor | None = None, **_: object) -> Alignment:
        """``logits (..., Q, M)``, ``query (..., Q, Dq)``."""
        refuse(null, "local_p")
        place = positions(logits.shape[-1], mask, logits.device)
        part = precise(self.out(self.hidden(query).tanh()).squeeze(-1))  # (..., Q)
        distance = place - (place[..., -1] * sigmoid_of(part)).unsqueeze(-1)  # (..., Q, M)
        weights = softmax(*within(distance.abs() <= self.window, logits, mask)).weights
        return Alignment(weights * (-2 * (distance / self.window).square()).exp().to(weights.dtype))


def argmax(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """The one memory with the largest logit, the oldest of several: weights are one-hot and carry no gradient.

    Where nothing may be read they are zero.
    """
    all_choices = choices(logits, null)
    return chosen(all_choices, all_choices.argmax(-1), mask, null)


def hard(
    logits: Tensor,
    mask: Tensor | None = None,
    query: Tensor | None = None,
    null: Tensor | None = None,
    random: Random | None = None,
    **_: object,
) -> Alignment:
    """One memory, i ~ softmax(l), with log p_i; without ``random`` the most probable (Xu et al. 2015, section 4.1).

    The weights are one-hot and carry no gradient; ``log_prob (..., Q)`` does. Where nothing may be
    read both are zero. Every query takes one number of its replica, however many memories there are.
    """
    all_choices = choices(logits, null)
    log = all_choices.log_softmax(-1)
    there = all_choices > lowest_finite(all_choices)
    index = all_choices.argmax(-1) if random is None else random.address(precise(log.detach()).exp(), there)
    log_prob = log.gather(-1, index.unsqueeze(-1)).squeeze(-1).masked_fill(~there.any(-1), 0.0)
    return chosen(all_choices, index, mask, null)._replace(log_prob=log_prob)


class Tournament(nn.Module):
    """The memory that is left of a tournament from the oldest to the newest (Weston et al. 2014, section 3.4, algorithm 1).

    A challenger replaces the champion where its logit and v . q exceed the champion's logit: v . q is what being the newer of
    two is worth to the query. With v = 0 it is :func:`argmax`, the newest of several.

    ``order (R, 2, Dq)`` holds w and v; w . q is what being newer than the memory read before is worth, for a bias.
    """

    def __init__(self, order: Tensor) -> None:
        super().__init__()
        self.order = nn.Parameter(order)

    def worths(self, query: Tensor) -> tuple[Tensor, Tensor]:
        """w . q and v . q, (R, ..., Q, Dq) -> (R, ..., Q) each."""
        order = self.order.view(len(self.order), 2, *[1] * (query.dim() - 2), -1)
        after, newer = (order * query.unsqueeze(1)).sum(-1).unbind(1)
        return after, newer

    def forward(self, logits: Tensor, mask: Tensor | None, query: Tensor, null: Tensor | None = None, **_: object) -> Alignment:
        """``logits (..., Q, M)``, ``query (..., Q, Dq)``; nothing is read where the ``null`` exceeds the champion's logit."""
        newer, best = self.worths(query)[1], logits[..., 0]
        place = torch.zeros_like(best, dtype=torch.long)
        for challenger in range(1, logits.shape[-1]):
            score = logits[..., challenger]
            wins = score - best + newer > 0
            wins |= (best == NEVER) & (score > NEVER)
            best, place = torch.where(wins, score, best), place.masked_fill(wins, challenger)
        if null is not None:
            place = torch.where(null > best, logits.shape[-1], place)
        return chosen(choices(logits, null), place, mask, null)


class Scheduled(nn.Module):
    """The alignment of R networks, or, for the replicas in an earlier phase of their training, linear or softmax.

    A linear start is that of Sukhbaatar et al. 2015, section 5. Softmax comes before alignments that are hard to train from
    nothing, and in the place of those through which the scores do not learn.
    """

    def __init__(self, align: Align, replicas: int) -> None:
        super().__init__()
        self.own = align
        self.set_phases(*torch.zeros(2, replicas, dtype=torch.bool))

    def set_phases(self, linear: Tensor, softmax: Tensor) -> None:
        """Which replicas (R,) are in a linear start, which in the softmax phase before their own alignment."""
        self.linear, self.softmax = linear.clone(), softmax.clone()
        self.early = bool((linear | softmax).any())  # asked here, once an epoch, and not by every reading of every step

    def forward(self, logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, **options: Any) -> Alignment:
        """As the alignment of each replica's phase."""
        now = phased(self.linear, linear, phased(self.softmax, softmax, self.own)) if self.early else self.own
        return now(logits, mask, query, **options)


def phased(early: Tensor, first: Align, then: Align) -> Align:
    """``first`` for the replicas where ``early (R,)`` is True, ``then`` for the others."""
    if not bool(early.any()):
        return then
    if bool(early.all()):
        return first

    def mixed(logits: Tensor, mask: Tensor | None = None, *args: object, **kwargs: object) -> Alignment:
        which = early.to(logits.device).view(-1, *[1] * (logits.dim() - 1))
        one, other = (align(logits, mask, *args, **kwargs) for align in (first, then))
        null, log_prob = (
            either(which.squeeze(-1), early_part, later_part)
            for early_part, later_part in ((one.null, other.null), (one.log_prob, other.log_prob))
        )
        return Alignment(torch.where(which, one.weights, other.weights), null, log_prob)

    return mixed


def either(which: Tensor, one: Tensor | None, other: Tensor | None) -> Tensor | None:
    """``one`` where ``which``, else ``other``; what is missing is zero."""
    if one is None and other is None:
        return None
    return torch.where(which, 0.0 if one is None else one, 0.0 if other is None else other)


def per_replica(linear_start: Tensor, align: Align = softmax) -> Align:
    """``linear`` for the replicas where ``linear_start (R,)`` is True, ``align`` for the others."""
    return phased(linear_start, linear, align)


def choices(logits: Tensor, null: Tensor | None) -> Tensor:
    """Everything that may be read, (..., Q, M) or with the null (..., Q, M + 1), finite: a row of -inf would give NaN."""
    least = lowest_finite(logits)
    finite = logits.clamp(min=least)
    return finite if null is None else torch.cat([finite, null.to(logits.dtype).unsqueeze(-1).clamp(min=least)], dim=-1)


def chosen(all_choices: Tensor, index: Tensor, mask: Tensor | None, null: Tensor | None) -> Alignment:
    """The one-hot weights of the choice numbered ``index (..., Q)``, zero where nothing may be read."""
    there = all_choices > lowest_finite(all_choices)
    one = torch.zeros_like(all_choices).scatter_(-1, index.unsqueeze(-1), 1.0) * there
    memories = all_choices.shape[-1] - (null is not None)
    place = index.masked_fill((index >= memories) | ~there.gather(-1, index.unsqueeze(-1)).squeeze(-1), -1)
    return split(one, mask, null)._replace(place=place)


def split(weights: Tensor, mask: Tensor | None, null: Tensor | None) -> Alignment:
    """The weights of :func:`choices` as those of the memories and that of the null."""
    nothing = None
    if null is not None:
        weights, nothing = weights[..., :-1], weights[..., -1]
    return Alignment(weights if mask is None else weights * mask, nothing)


def refuse(null: Tensor | None, name: str) -> None:
    """Say that an alignment has no place for a null memory."""
    if null is not None:
        raise ValueError(f"{name} cannot read nothing; {', '.join(each for each, kind in ALIGNS.items() if kind.null)} can")


def positions(memories: int, mask: Tensor | None, device: torch.device) -> Tensor:
    """How many memories are readable up to each, (..., 1 or Q, M), or (M,) where all are."""
    if mask is None:
        return torch.arange(1, memories + 1, device=device)
    return mask.cumsum(-1)


def within(near: Tensor, logits: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Logits and mask of the memories that are ``near``."""
    seen = near if mask is None else near & mask
    return logits.masked_fill(~seen, NEVER), seen


def always(align: Align) -> Callable[[int, Random, float], Align]:
    """The factory of an alignment without parameters or window."""
    return lambda query_dim, random, window: align


make_softmax, make_linear, make_sigmoid = always(softmax), always(linear), always(sigmoid)
make_sparsemax, make_hard, make_argmax = always(sparsemax), always(hard), always(argmax)


def make_local_m(query_dim: int, random: Random, window: float) -> Align:
    """:func:`local_m` with its window."""
    if window < 0:
        raise ValueError(f"local_m needs a window of zero or more, not {window}")
    return partial(local_m, window=window)


def make_tournament(query_dim: int, random: Random, window: float) -> Align:
    """A :class:`Tournament` whose sense of time is still to be learned."""
    return Tournament(random.normal(2, query_dim, std=0.1))

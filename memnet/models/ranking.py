"""Margin ranking: what is right is to be ahead of its rivals (Weston et al. 2014, section 3.1)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.models.decoders import answer_mask
from memnet.nn.random import Random


def ranking_loss(lead: Tensor, rival: Tensor, margin: float) -> Tensor:
    """sum over rivals of max(0, margin - s(true) + s(rival)), of ``lead = s(true) - s (..., N)`` -> (...)."""
    return (margin - lead).clamp(min=0).masked_fill(~rival, 0.0).sum(-1)


def lead(logits: Tensor, stop: Tensor | None, newer: Tensor, target: Tensor) -> Tensor:
    """s_O(x, y, y') of the memory y = ``target (R, B, Q)`` against every y', of ``logits (R, B, Q, M)``: (R, B, Q, M).

    ``newer (R, B, Q)`` is what being the newer of two is worth. Where there is a logit ``stop (R, B, Q)`` of "nothing more"
    it is one of M + 1, the last, and a target of M.
    """
    memories, place = logits.shape[-1], target.unsqueeze(-1)
    places = torch.arange(memories, device=target.device)
    every = logits if stop is None else torch.cat([logits, stop.unsqueeze(-1)], -1)
    time = (place - places).sign() * (place < memories) * newer.unsqueeze(-1)
    return every.gather(-1, place) - every + (time if stop is None else F.pad(time, (0, 1)))


def answer_rivals(logits: Tensor, answer: Tensor) -> tuple[Tensor, Tensor]:
    """How far each of an answer's words (R, B, A) is ahead of every word, (R, B, A, V), and which are its rivals."""
    true = answer.unsqueeze(-1)
    rival = torch.ones_like(logits, dtype=torch.bool).scatter(-1, true, False) & answer_mask(answer).unsqueeze(-1)
    return logits.gather(-1, true) - logits, rival


def drawn(rival: Tensor, number: int, first: Tensor | int, random: Random) -> Tensor:
    """``rival (R, B, Q, N)`` with no more than ``number`` of the first ``of`` left, drawn anew; 0 leaves all."""
    if number == 0:
        return rival
    place = (random.uniform(*rival.shape[1:3], number).to(rival.device) * first).long()
    return rival & torch.zeros_like(rival).scatter_(3, place, True)


def one_hot(place: Tensor, width: int) -> Tensor:
    """(...) -> (..., width), all zero for a place of -1."""
    return torch.zeros(*place.shape, width, device=place.device).scatter_(
        -1, place.clamp(min=0).unsqueeze(-1), (place >= 0).float().unsqueeze(-1)
    )


def before(values: Tensor, first: float) -> Tensor:
    """Each hop's predecessor, ``first`` before the first: (R, B, K, ...) -> the same shape."""
    return torch.cat([torch.full_like(values[:, :, :1], first), values[:, :, :-1]], 2)

"""Learning which sentences to read from the supporting facts, for any network that gives traces."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from memnet.attention import Trace
from memnet.attention.align import choices


def evidence_loss(trace: Trace, facts: Tensor, null: Tensor) -> Tensor:
    """How far one reading is from all supporting facts, each as much: ``facts (R, B, F)`` -> (R, B, T).

    The cross-entropy with the uniform distribution over the facts; where none is listed, with reading nothing, whose logit is
    ``null (R, B, T)``.
    """
    memories, listed = trace.logits.shape[-1], facts >= 0
    place = torch.where(listed, facts, memories)
    target = torch.zeros(*facts.shape[:2], memories + 1, device=facts.device).scatter(2, place, 1.0)
    target[..., memories] = (~listed.any(2)).float()
    target = target / target.sum(2, keepdim=True)
    return -(target.unsqueeze(2) * choices(trace.logits, null).log_softmax(-1)).sum(3)


def fact_loss(traces: Sequence[Trace], facts: Tensor, nulls: Sequence[Tensor | None], passes: Tensor | None = None) -> Tensor:
    """How far the hops are from reading the supporting facts, summed over hops: ``facts (R, B, F)`` -> (R, B, T).

    ``facts`` are places in memory in the order listed, -1 after the last; a question without any costs nothing.

    - As many facts as hops or fewer: hop k is to read fact k, -log p_k, and each hop after the last fact is to
      read nothing, where it can (``nulls``, the logit (R, B, T) of each hop, -inf where no slot is left unused).
    - More facts than hops: every hop is to read one of them, -log of the sum of their p.
    - Where reading nothing ends it after ``passes (R, B)`` hops, those after the one that ended it cost nothing: they
      would see what that one saw, and be charged again for it.

    p is the softmax of a hop's logits whatever its alignment: gates that are sigmoids learn to open widest for the fact,
    and from the answers how wide that is.
    """
    listed = facts >= 0  # (R, B, F)
    number = listed.sum(2)  # (R, B)
    many = number > len(traces)
    place = facts.clamp(min=0)
    total = torch.zeros_like(traces[0].logits[..., 0])
    for hop, (trace, null) in enumerate(zip(traces, nulls, strict=True)):
        memories = trace.logits.shape[-1]
        wanted = listed & (many.unsqueeze(2) | (torch.arange(facts.shape[2], device=facts.device) == hop))
        target = torch.zeros(*facts.shape[:2], memories, device=facts.device).scatter_add_(2, place, wanted.float()) > 0
        counted = target.any(2)
        if null is not None:
            nothing = (number > 0) & (hop >= number) & ~many & null[..., 0].isfinite()
            target, counted = torch.cat([target, nothing.unsqueeze(2)], 2), counted | nothing
        counted = counted if passes is None else counted & (hop <= passes)
        log = choices(trace.logits, null).log_softmax(-1)
        hit = target.unsqueeze(2) | ~counted[:, :, None, None]
        loss = -log.masked_fill(~hit, float("-inf")).logsumexp(3)
        total = total + loss.masked_fill(~counted.unsqueeze(2), 0.0)
    return total

"""What an attention did, and how to read it: over several heads, or of groups of memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention.align import NEVER
from memnet.nn.modules import most


class Trace(NamedTuple):
    """What one attention did: its output and everything a reader or a loss may ask about it."""

    output: Tensor  # (..., Q, Dv)
    weights: Tensor  # (..., Q, M)  what was read
    logits: Tensor  # (..., Q, M)  masked scores
    log_prob: Tensor | None = None  # (..., Q)  the sampled address
    null: Tensor | None = None  # (..., Q)  the weight of reading nothing

    def __repr__(self) -> str:
        """The shapes; ``trace.weights`` are the numbers."""
        return f"<Trace: {shapes(self._asdict())}>"


def shapes(parts: Mapping[str, Any]) -> str:
    """The names and shapes of those parts that are tensors."""
    return ", ".join(f"{name} {tuple(part.shape)}" for name, part in parts.items() if isinstance(part, Tensor))


def by_group(trace: Trace, group: Tensor, groups: int) -> Trace:
    """What was read of memories that belong together, such as the words of a sentence, as of one memory a group.

    ``group (R, N, M)`` is a number below ``groups``, or -1 for what belongs to none: its weight comes back as ``null``. The
    trace's weights and logits are (R, N, M); the new logits are those whose softmax is a group's share among all groups, so
    that facts supervise which group is read, not how much of the rest is. Memories of the trace beyond ``group`` are refused.
    """
    width = max(groups, most(group, groups - 1) + 1)
    where = torch.where(group < 0, width, group)

    def total(part: Tensor) -> Tensor:
        return part.new_zeros(*part.shape[:2], width + 1).scatter_add(2, where, part)

    weights, chances = total(trace.weights), total(trace.logits)[..., :groups]
    logits = chances.clamp(min=torch.finfo(chances.dtype).tiny).log().masked_fill(chances == 0, NEVER)
    return trace._replace(weights=weights[..., :groups], logits=logits, null=weights[..., -1])


def last_query(trace: Trace) -> Trace:
    """What the last query read, copied, so that what the others read need not be kept."""
    return trace._replace(weights=trace.weights[..., -1:, :].clone(), logits=trace.logits[..., -1:, :].clone())


def head_similarity(trace: Trace) -> Tensor:
    """The similarity of the heads for the last query: the mean cosine between two heads' weights: (R, B, H, Q, M) -> (R, B).

    As a cost it is the disagreement of attended positions of Li et al. 2018 (arXiv 1810.10183, eq. 7), with a cosine of the
    weights for their product.
    """
    unit = F.normalize(trace.weights[:, :, :, -1], dim=-1)
    heads = unit.shape[2]
    return (unit.sum(2).square().sum(-1) - unit.square().sum((2, 3))) / (heads * (heads - 1))


def of_head(trace: Trace, head: int) -> Trace:
    """What one head read for the last query, chances for logits, (R, B, M)."""
    return trace._replace(weights=trace.weights[:, :, head, -1], logits=trace.logits[:, :, head, -1].softmax(-1))


def over_heads(trace: Trace) -> Trace:
    """What all heads read for the last query, (R, B, M): the means of their weights and, for logits, of their chances."""
    weights, logits = trace.weights[:, :, :, -1].mean(2), trace.logits[:, :, :, -1].softmax(-1).mean(2)
    return trace._replace(output=trace.output[:, :, -1], weights=weights, logits=logits)


def every_query(trace: Trace, memories: int) -> Trace:
    """What all heads read for every query, as :func:`over_heads`, of so many memories, the last of which the trace lacks.

    (R, B, H, Q, M') -> (R, B, Q, M); null (R, B, H, Q) -> (R, B, Q).
    """
    beyond = memories - trace.weights.shape[-1]
    weights, logits = trace.weights.mean(2), trace.logits.mean(2)
    null = None if trace.null is None else trace.null.mean(2)
    return trace._replace(weights=F.pad(weights, (0, beyond)), logits=F.pad(logits, (0, beyond), value=NEVER), null=null)


def by_head(trace: Trace, group: Tensor, groups: int) -> Tensor:
    """What each head read of each group (see :func:`by_group`) for the last query, and last of what is in none.

    (R, N, H, groups + 1).
    """
    group = group[..., : trace.weights.shape[-1]]
    parts = [by_group(of_head(trace, head), group, groups) for head in range(trace.weights.shape[2])]
    rest = (torch.zeros_like(part.weights[..., 0]) if part.null is None else part.null for part in parts)
    return torch.stack([torch.cat([part.weights, null.unsqueeze(2)], 2) for part, null in zip(parts, rest, strict=True)], 2)


def of_groups(trace: Trace, group: Tensor, groups: int, samples: int) -> Trace:
    """What the last query read of each group, over all heads, as one trace with T queries a question: (R, B, T, groups).

    ``group (R, B T, M)`` as in :func:`by_group`. Where the trace is of fewer memories than ``group``, null is no choice.
    """
    whole = by_group(over_heads(trace), group[..., : trace.weights.shape[-1]], groups)
    if trace.weights.shape[-1] < group.shape[2]:  # the last reading is of the story alone
        whole = whole._replace(null=None)
    there = {name: part for name, part in whole._asdict().items() if part is not None}
    return whole._replace(**{name: part.unflatten(1, (-1, samples)) for name, part in there.items()})


def of_words(trace: Trace, group: Tensor, groups: int) -> Trace:
    """What T queries read, (R, B, T, M), as of groups (see :func:`by_group`), the same for all queries: ``group (R, B, M)``."""
    samples = trace.weights.shape[2]
    flat = trace._replace(weights=trace.weights.flatten(1, 2), logits=trace.logits.softmax(-1).flatten(1, 2))
    grouped = by_group(flat, group.repeat_interleave(samples, 1), groups)
    assert grouped.null is not None
    weights, logits, null = (part.unflatten(1, (-1, samples)) for part in (grouped.weights, grouped.logits, grouped.null))
    return trace._replace(weights=weights, logits=logits, null=null)


def place_read(weights: Tensor) -> Tensor:
    """The memory that one-hot weights read, (..., M) -> (...), 0 where they are zero."""
    return weights.argmax(-1)


def best(trace: Trace, memories: int) -> tuple[Tensor, Tensor]:
    """The places of so many memories with the greatest logits, best first and the oldest of equals, and their logits.

    (..., Q, M) -> (..., Q, k) each, k at most M. What may not be read comes last, with a logit of -inf.
    """
    logits, places = trace.logits.sort(dim=-1, descending=True, stable=True)
    return places[..., :memories], logits[..., :memories]

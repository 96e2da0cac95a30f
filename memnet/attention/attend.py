"""Attention over a memory, and several hops of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from torch import Tensor, nn

from memnet.attention.align import Align
from memnet.attention.read import Read
from memnet.attention.rows import Rows
from memnet.attention.score import Score

NEVER = float("-inf")


class Trace(NamedTuple):
    """What one attention did: its output and everything a reader or a loss may ask about it."""

    output: Tensor  # (..., Q, Dv)
    weights: Tensor  # (..., Q, M)  what was read
    logits: Tensor  # (..., Q, M)  masked scores
    log_prob: Tensor | None = None  # (..., Q)  the sampled address
    null: Tensor | None = None  # (..., Q)  the weight of reading nothing


class Attention(nn.Module):
    """score -> mask -> align -> read.

    Any of the three may be a function or a module with parameters, whose dimension 0 is R.
    """

    def __init__(self, score: Score, align: Align, read: Read) -> None:
        super().__init__()
        self.score, self.align, self.read = score, align, read

    def forward(
        self,
        query: Tensor,
        key: Tensor | Rows,
        value: Tensor | Rows | None = None,
        mask: Tensor | None = None,
        null: Tensor | None = None,
        position: Tensor | None = None,
        random: object | None = None,
    ) -> Trace:
        """``query (..., Q, Dq)``, ``key (..., M, Dk)``, ``value (..., M, Dv)`` (the keys when None).

        ``mask`` broadcasts to (..., Q, M); ``null (..., Q)`` is the logit of reading nothing.
        """
        logits = self.score(query, key)  # (..., Q, M)
        if mask is not None:
            logits = logits.masked_fill(~mask, NEVER)
        weights, nothing, log_prob = self.align(logits, mask, query, null=null, position=position, random=random)
        return Trace(self.read(weights, key if value is None else value), weights, logits, log_prob, nothing)


def hops(
    attention: Callable[..., Trace],
    update: Callable[[Tensor, Tensor, int], Tensor],
    state: Tensor,
    keys: Sequence[Tensor | Rows],
    values: Sequence[Tensor | Rows],
    mask: Tensor | None = None,
    **options: Tensor | None,
) -> tuple[Tensor, list[Trace]]:
    """Ask a memory several times: ``state = update(state, output, hop)`` after each.

    ``keys`` and ``values`` hold one memory per hop. Returns the last state and every hop's trace.
    """
    traces = []
    for hop, (key, value) in enumerate(zip(keys, values, strict=True)):
        trace = attention(state, key, value, mask, **options)
        state = update(state, trace.output, hop)
        traces.append(trace)
    return state, traces

"""Attention over a memory, and several hops of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from memnet.attention.align import NEVER, Align, places
from memnet.attention.read import Read
from memnet.attention.rows import Rows
from memnet.attention.score import Score
from memnet.replicated import Linear, Random, picked


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
        random: Random | None = None,
        bias: Tensor | None = None,
    ) -> Trace:
        """``query (..., Q, Dq)``, ``key (..., M, Dk)``, ``value (..., M, Dv)`` (the keys when None).

        ``mask`` broadcasts to (..., Q, M); ``null (..., Q)`` is the logit of reading nothing; ``position
        (..., Q)`` is the query's place among the readable memories; without ``random`` nothing is drawn;
        ``bias (..., Q, M)`` is added to the scores.
        """
        logits = self.score(query, key)  # (..., Q, M)
        if bias is not None:
            logits = logits + bias
        if mask is not None:
            logits = logits.masked_fill(~mask, NEVER)
        weights, nothing, log_prob = self.align(logits, mask, query, null=null, position=position, random=random)
        return Trace(self.read(weights, key if value is None else value), weights, logits, log_prob, nothing)


class MultiHead(nn.Module):
    """Several attentions side by side, each over its own projection (Vaswani et al. 2017, section 3.2.2).

    head_h = attention(W_h^Q q, W_h^K k, W_h^V v), output W^O [head_1; ...; head_H], every W with a bias.
    Heads are one more leading dimension, (R, B, H, ...), and share the parameters of ``attention``,
    which is made for the width of one head: ``dim / heads``, and ``query_dim / heads`` for the queries,
    whose width is ``dim`` unless ``query_dim`` says otherwise. With a ``reach`` every head has a learned
    preference for each distance from the query's place, up to that many memories before and after it (Shaw et
    al. 2018, arXiv 1803.02155; as a bias to the score Raffel et al. 2020, 1910.10683, section 2.1).
    """

    def __init__(
        self,
        dim: int,
        heads: int,
        attention: Attention,
        random: Random,
        query_dim: int | None = None,
        std: float = 0.1,
        reach: int = 0,
    ) -> None:
        super().__init__()
        wide = dim if query_dim is None else query_dim
        if dim % heads or wide % heads:
            raise ValueError(f"{heads} heads cannot share a width of {dim if dim % heads else wide}")
        self.heads, self.attention = heads, attention
        self.query = Linear(wide, wide, random, std=std)
        self.key = Linear(dim, dim, random, std=std)
        self.value = Linear(dim, dim, random, std=std)
        self.out = Linear(dim, dim, random, std=std)
        self.near = nn.Parameter(random.normal(2 * reach + 1, heads, std=0.1)) if reach else None

    def forward(
        self,
        query: Tensor,
        key: Tensor | Rows,
        value: Tensor | Rows | None = None,
        mask: Tensor | None = None,
        null: Tensor | None = None,
        position: Tensor | None = None,
        random: Random | None = None,
    ) -> Trace:
        """As :class:`Attention`, without H; ``weights`` and ``logits`` come back as (R, B, H, Q, M).

        Where :class:`Rows` hold no memory the projections are zero instead of their bias: mask them.
        """
        trace: Trace = self.attention(
            self.split(self.query, query),
            self.split(self.key, key),
            self.split(self.value, key if value is None else value),
            mask if mask is None else mask.unsqueeze(-3),
            null if null is None else null.unsqueeze(-2).expand(*null.shape[:-1], self.heads, -1),
            position if position is None else position.unsqueeze(-2),
            random,
            None if self.near is None else self.preferred(position, key, mask),
        )
        return trace._replace(output=self.out(trace.output.transpose(2, 3).flatten(3)))

    def preferred(self, position: Tensor | None, memory: Tensor | Rows, mask: Tensor | None) -> Tensor:
        """The heads' preferences for the distances from the queries' places (R, B, Q) to the memories, (R, B, H, Q, M)."""
        if position is None or self.near is None:
            raise ValueError("preferences for distances, a reach, need the queries' places: pass position")
        reach = self.near.shape[1] // 2
        distance = (position.unsqueeze(-1) - places(memory.shape[2], mask, position.device)).clamp(-reach, reach)
        return picked(self.near, distance + reach).movedim(-1, 2)

    def split(self, linear: Linear, memory: Tensor | Rows) -> Tensor:
        """Project and give each head its part, (R, B, N, D) -> (R, B, H, N, D / H)."""
        projected: Tensor = memory.map(linear).gather() if isinstance(memory, Rows) else linear(memory)
        return projected.view(*projected.shape[:-1], self.heads, -1).transpose(2, 3)


def causal(memories: int, device: torch.device | str | None = None) -> Tensor:
    """The mask of a sequence that asks itself and may not look ahead, (M, M): query t reads memories 0 .. t."""
    return torch.ones(memories, memories, dtype=torch.bool, device=device).tril()


def hops(
    attention: Callable[..., Trace],
    update: Callable[[Tensor, Tensor, int], Tensor],
    state: Tensor,
    keys: Sequence[Tensor | Rows],
    values: Sequence[Tensor | Rows],
    mask: Tensor | None = None,
    **options: Tensor | Random | None,
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

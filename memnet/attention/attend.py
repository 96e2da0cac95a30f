"""Attention over a memory, and several hops of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor, nn

from memnet.attention.align import NEVER, Align, lowest_finite, positions
from memnet.attention.read import Read, pick_row, prepare_read, weighted_sum
from memnet.attention.rows import Rows
from memnet.attention.score import Score, prepare_score
from memnet.attention.trace import Trace
from memnet.nn.modules import Linear, gather_rows
from memnet.nn.random import Random


def part_name(part: object) -> str:
    """The name of a score, an alignment or a read: a function's, or a module's class."""
    whole = part.func if isinstance(part, partial) else part
    return str(getattr(whole, "__name__", type(whole).__name__))


class Addressed(Protocol):
    """A memory that may be asked again and again."""

    def ask(
        self,
        query: Tensor,
        mask: Tensor | None = None,
        null: Tensor | None = None,
        bias: Tensor | None = None,
        position: Tensor | None = None,
        random: Random | None = None,
    ) -> Trace:
        """See :meth:`Memory.ask`."""


class Memory(NamedTuple):
    """Keys and values with everything done that does not depend on a query."""

    score: Callable[[Tensor], Tensor]  # query (..., Q, Dq) -> logits (..., Q, M)
    align: Align
    read: Callable[[Tensor], Tensor]  # weights (..., Q, M) -> output (..., Q, Dv)
    pick: Callable[[Tensor], Tensor] | None  # places (..., Q), -1 for none -> output, where one row can be read alone

    def __repr__(self) -> str:
        return f"<Memory, read by {part_name(self.align)}: .ask(query) gives a Trace>"

    def ask(
        self,
        query: Tensor,
        mask: Tensor | None = None,
        null: Tensor | None = None,
        bias: Tensor | None = None,
        position: Tensor | None = None,
        random: Random | None = None,
    ) -> Trace:
        """``query (..., Q, Dq)``; ``mask`` and ``bias``, added to the scores, broadcast to (..., Q, M).

        A mask of floating-point numbers is added to the scores as well; see :func:`added_mask`.

        ``null (..., Q)`` is the logit of reading nothing; ``position (..., Q)`` is the query's place among the readable
        memories; without ``random`` nothing is drawn. Where one memory is read and no gradient is wanted, it alone is.
        """
        mask, bias = added_mask(mask, bias)
        logits = self.score(query)  # (..., Q, M)
        if bias is not None:
            logits = logits + bias.to(logits.dtype)
        if mask is not None:
            logits = logits.masked_fill(~mask, NEVER)
        weights, nothing, log_prob, place = self.align(logits, mask, query, null=null, position=position, random=random)
        alone = place is not None and self.pick is not None and not torch.is_grad_enabled()
        output = self.pick(place) if alone else self.read(weights)  # type: ignore[misc, arg-type]
        return Trace(output, weights, logits, log_prob, nothing)


class Attention(nn.Module):
    """score -> mask -> align -> read.

    Any of the three may be a function or a module with parameters, whose dimension 0 is R.
    """

    def __init__(self, score: Score, align: Align, read: Read) -> None:
        super().__init__()
        self.score, self.align, self.read = score, align, read

    def __repr__(self) -> str:
        return f"Attention({', '.join(map(part_name, (self.score, self.align, self.read)))})"

    def prepare(self, key: Tensor | Rows, value: Any = None, context: Tensor | None = None) -> Memory:
        """What does not depend on the query, once: ``key (..., M, Dk)``, ``value (..., M, Dv)`` (the keys when None).

        ``context (..., Q, Dc)`` is the part of a query that every question about this memory shares, for scores that
        compare with two things (:class:`~memnet.attention.score.Interaction`).
        """
        value = key if value is None else value
        pick = partial(pick_row, value) if self.read is weighted_sum else None
        return Memory(prepare_score(self.score, key, context), self.align, prepare_read(self.read, value), pick)

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
        """A memory that is asked once: :meth:`prepare`, then :meth:`Memory.ask`."""
        return self.prepare(key, value).ask(query, mask, null, bias, position, random)


class MultiHead(nn.Module):
    """Several attentions side by side, each over its own projection (Vaswani et al. 2017, section 3.2.2).

    head_h = attention(W_h^Q q, W_h^K k, W_h^V v), output W^O [head_1; ...; head_H], every W with a bias.
    Heads are one more leading dimension, (R, B, H, ...), and share the parameters of ``attention``,
    which is made for the width of one head: ``dim / heads``, and ``query_dim / heads`` for the queries,
    whose width is ``dim`` unless ``query_dim`` says otherwise. With a ``max_relative_distance`` every head has a learned
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
        max_relative_distance: int = 0,
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
        far = max_relative_distance
        self.relative_bias = nn.Parameter(random.normal(2 * far + 1, heads, std=0.1)) if far else None

    def __repr__(self) -> str:
        return f"MultiHead({self.heads} heads, {self.attention})"

    def prepare(self, key: Tensor | Rows, value: Tensor | Rows | None = None) -> HeadsMemory:
        """Project a memory (R, B, M, D) once, for all queries."""
        keys, values = self.split(self.key, key), self.split(self.value, key if value is None else value)
        return HeadsMemory(self, self.attention.prepare(keys, values), key.shape[2])

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
        """As :class:`Attention`, without H; ``weights`` and ``logits`` come back as (R, B, H, Q, M).

        Where :class:`Rows` hold no memory the projections are zero instead of their bias: mask them.
        """
        heads = self.split(self.query, query)
        return self.prepare(key, value).ask_heads(heads, mask, null, bias, position, random)

    def distance_bias(self, position: Tensor | None, memories: int, mask: Tensor | None) -> Tensor | None:
        """The heads' preferences for the distances from the queries' places (R, B, Q) to the memories, (R, B, H, Q, M)."""
        if self.relative_bias is None:
            return None
        if position is None:
            raise ValueError("preferences for distances need the queries' places: pass position")
        farthest = self.relative_bias.shape[1] // 2
        distance = (position.unsqueeze(-1) - positions(memories, mask, position.device)).clamp(-farthest, farthest)
        return gather_rows(self.relative_bias, distance + farthest).movedim(-1, 2)

    def split(self, linear: Linear, memory: Tensor | Rows) -> Tensor:
        """Project and give each head its part, (R, B, N, D) -> (R, B, H, N, D / H)."""
        projected: Tensor = memory.map(linear).gather() if isinstance(memory, Rows) else linear(memory)
        return projected.view(*projected.shape[:-1], self.heads, -1).transpose(2, 3)


class HeadsMemory(NamedTuple):
    """A memory that several heads have projected."""

    heads: MultiHead
    memory: Memory  # (R, B, H, M, D / H)
    memories: int  # M

    def __repr__(self) -> str:
        return f"<Memory of {self.memories} elements for {self.heads.heads} heads: .ask(query) gives a Trace>"

    def ask(
        self,
        query: Tensor,
        mask: Tensor | None = None,
        null: Tensor | None = None,
        bias: Tensor | None = None,
        position: Tensor | None = None,
        random: Random | None = None,
    ) -> Trace:
        """As :meth:`Memory.ask`, without H."""
        return self.ask_heads(self.heads.split(self.heads.query, query), mask, null, bias, position, random)

    def ask_heads(
        self,
        query: Tensor,
        mask: Tensor | None,
        null: Tensor | None,
        bias: Tensor | None,
        position: Tensor | None,
        random: Random | None,
    ) -> Trace:
        """The same from what each head asks, (R, B, H, Q, D / H); a ``bias`` of as many dimensions is each head's own."""
        heads = self.heads
        mask, bias = added_mask(mask, bias)
        nearness = heads.distance_bias(position, self.memories, mask)
        if bias is not None:
            of_heads = bias if bias.dim() == query.dim() else bias.unsqueeze(-3)
            nearness = of_heads if nearness is None else nearness + of_heads
        trace = self.memory.ask(
            query,
            mask if mask is None else mask.unsqueeze(-3),
            null if null is None else null.unsqueeze(-2).expand(*null.shape[:-1], heads.heads, -1),
            nearness,
            position if position is None else position.unsqueeze(-2),
            random,
        )
        return trace._replace(output=heads.out(trace.output.transpose(2, 3).flatten(3)))


def added_mask(mask: Tensor | None, bias: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """A bool mask, and what is added to the scores: a mask of floating-point numbers is added, as PyTorch's attention does.

    Where it is -inf, or the least number of its precision, a memory may not be read. Raises TypeError for whole numbers.
    """
    if mask is None or mask.dtype == torch.bool:
        return mask, bias
    if not mask.is_floating_point():
        raise TypeError(
            f"a mask is bool, True where a memory may be read, or floats that are added to scores, not {mask.dtype}"
        )
    may = mask > lowest_finite(mask)
    finite = mask.masked_fill(~may, 0.0)
    return may, finite if bias is None else bias + finite


def causal(memories: int, device: torch.device | str | None = None) -> Tensor:
    """The mask of a sequence that asks itself and may not look ahead, (M, M): query t reads memories 0 .. t."""
    return torch.ones(memories, memories, dtype=torch.bool, device=device).tril()


Option = Tensor | Callable[[Tensor, int], Tensor | None] | None


def hops(
    memories: Sequence[Addressed],
    update: Callable[[Tensor, Trace, int], Tensor],
    state: Tensor,
    mask: Option = None,
    null: Option = None,
    bias: Option = None,
    position: Option = None,
    random: Random | None = None,
) -> tuple[Tensor, list[Trace]]:
    """Ask several times, each time with what the last reading made of the state: ``state = update(state, trace, hop)``.

    ``memories`` holds a prepared memory a hop; the state is the query. ``mask``, ``null``, ``bias`` and ``position`` are the
    same for every hop, or a function of the state and the hop. Returns the last state and every hop's trace.
    """
    traces: list[Trace] = []
    for hop, memory in enumerate(memories):
        now = [option(state, hop) if callable(option) else option for option in (mask, null, bias, position)]
        trace = memory.ask(state, now[0], now[1], now[2], now[3], random)
        state = update(state, trace, hop)
        traces.append(trace)
    return state, traces

"""The attention core: address a memory with a query, ``score`` x ``align`` x ``read``.

Shapes, stated once and used everywhere. ``R`` replicas, ``B`` batch, ``H`` heads, ``Q`` queries,
``M`` memories, ``D`` width; ``...`` stands for the leading dimensions, ``(R, B)`` or ``(R, B, H)``.
Masks are bool and True means *may be read*. Memories are in story order, oldest first.

    score(query, key)                 (..., Q, Dq), (..., M, Dk) -> logits (..., Q, M)
    align(logits, mask, query, null)  -> weights (..., Q, M), null weight, log-probability
    read(weights, value)              (..., Q, M), (..., M, Dv) -> output (..., Q, Dv)

A memory is a tensor ``(..., M, D)`` or :class:`Rows`, the same memory told as rows of a table.
Whatever is masked out has logit -inf and weight 0; a query that may read nothing reads zeros.

    >>> import torch
    >>> from memnet.attention import Attention, dot, softmax, weighted_sum
    >>> attend = Attention(dot, softmax, weighted_sum)
    >>> key = torch.tensor([[[[10.0, 0.0], [0.0, 10.0]]]])    # (R, B, M, D): two memories
    >>> query = torch.tensor([[[[1.0, 0.0]]]])                # (R, B, Q, D): asks for the first
    >>> attend(query, key).weights[0, 0, 0].tolist()
    [0.9999545812606812, 4.539786823443137e-05]
"""

from memnet.attention.align import ALIGNS, linear, per_replica, phased, softmax
from memnet.attention.attend import Attention, MultiHead, Trace, causal, hops
from memnet.attention.read import READS, weighted_sum
from memnet.attention.rows import Rows
from memnet.attention.score import SCORES, dot, scaled_dot

__all__ = [
    "ALIGNS",
    "READS",
    "SCORES",
    "Attention",
    "MultiHead",
    "Rows",
    "Trace",
    "causal",
    "dot",
    "hops",
    "linear",
    "per_replica",
    "phased",
    "scaled_dot",
    "softmax",
    "weighted_sum",
]

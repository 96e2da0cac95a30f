"""The attention core: address a memory with a query, ``score`` x ``align`` x ``read``.

Shapes, stated once and used everywhere. ``R`` replicas, ``B`` batch, ``H`` heads, ``Q`` queries,
``M`` memories, ``D`` width; ``...`` stands for the leading dimensions, ``(R, B)`` or ``(R, B, H)``.
Masks are bool and True means *may be read*; a mask of floats is added to the scores, as PyTorch's attention does, with -inf for
*may not be read*. Memories are in story order, oldest first. Every part works in float32, float64, bfloat16 and float16.

    score(query, key)                 (..., Q, Dq), (..., M, Dk) -> logits (..., Q, M)
    align(logits, mask, query, null)  -> weights (..., Q, M), null weight, log-probability
    read(weights, value)              (..., Q, M), (..., M, Dv) -> output (..., Q, Dv)

    memory = Attention(score, align, read).prepare(key, value, context)   what no query changes, done once
    trace = memory.ask(query, mask, null, bias, position, random)         again and again
    Attention(...)(query, key, value, ...) = prepare(...).ask(...)
    state, traces = hops(memories, update, state, ...)                    one memory a hop

A memory is a tensor ``(..., M, D)`` or :class:`Rows`, the same memory given as rows of a table.
Whatever is masked out has logit -inf and weight 0; a query that may read nothing reads zeros.

A memory is a dictionary whose look-up is soft: it answers with every value, by how well the keys fit.

    >>> import torch
    >>> from memnet.attention import Attention, dot, scaled_dot, softmax, weighted_sum
    >>> def look_up(query, key, score=dot):
    ...     trace = Attention(score, softmax, weighted_sum)(torch.tensor([[[query]]]), torch.tensor([[key]]))
    ...     return [round(weight, 2) for weight in trace.weights.flatten().tolist()]
    >>> keys = [[4.0, 0.0], [0.0, 4.0]]                     # (M, D): two memories
    >>> look_up([1.0, 0.0], keys)                           # asks for the first
    [0.98, 0.02]
    >>> look_up([1.0, 0.0], keys, scaled_dot)               # logits over sqrt(D): softer, and as soft at any width
    [0.94, 0.06]
    >>> look_up([1.0 / 4, 0.0], keys)                       # the query over T is softmax at temperature T
    [0.73, 0.27]

The norms count. A long query is sure of itself, and a long key is read more than a short one in the
same direction, as if it were more important; a cosine would see neither.

    >>> def cosine(query, key):
    ...     return dot(*(torch.nn.functional.normalize(side, dim=-1) for side in (query, key)))
    >>> look_up([2.0, 0.0], [[1.0, 0.0], [2.0, 0.0]]), look_up([2.0, 0.0], [[1.0, 0.0], [2.0, 0.0]], cosine)
    ([0.12, 0.88], [0.5, 0.5])

Keys and values may differ: here the keys are frequent questions and the values choose their answers.

    >>> answers = {"how do I reset my password": "By the link on the first page.", "when do you open": "At nine."}
    >>> words = sorted({word for question in answers for word in question.split()})
    >>> def bag(text):
    ...     return torch.tensor([float(word in text.split()) for word in words])
    >>> keys = torch.stack([bag(question) for question in answers])[None, None]  # (R, B, M, D)
    >>> attend = Attention(dot, softmax, weighted_sum)
    >>> output = attend(bag("password reset please")[None, None, None], keys, torch.eye(2)[None, None]).output
    >>> list(answers.values())[int(output.argmax())]
    'By the link on the first page.'
"""

from memnet.attention.align import (
    argmax,
    hard,
    linear,
    local_m,
    per_replica,
    phased,
    sigmoid,
    softmax,
    sparsemax,
)
from memnet.attention.attend import Attention, Memory, MultiHead, causal, hops
from memnet.attention.read import weighted_sum
from memnet.attention.rows import Rows
from memnet.attention.score import Interaction, dot, scaled_dot
from memnet.attention.trace import Trace
from memnet.config.parts import ALIGNS, READS, SCORES, Kind

__all__ = [
    "ALIGNS",
    "READS",
    "SCORES",
    "Attention",
    "Interaction",
    "Kind",
    "Memory",
    "MultiHead",
    "Rows",
    "Trace",
    "argmax",
    "causal",
    "dot",
    "hard",
    "hops",
    "linear",
    "local_m",
    "per_replica",
    "phased",
    "scaled_dot",
    "sigmoid",
    "softmax",
    "sparsemax",
    "weighted_sum",
]

"""The rows that a question addresses, through the attention core: a row's key says which conditions it meets.

    q = (1, 1, -2)                 two conditions, and how many they are
    k = (1, 0,  1)                 a row that meets the first alone
    l = SHARP (q . k) = -SHARP     below the null memory, so that it is not read

Rows that meet all conditions share the weight; where none does, nothing is read.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memnet.infer.attention import Trace, attend, dot, softmax

SHARP = np.float32(20.0)  # the logit that a row loses with a condition that it does not meet; half of it for reading nothing


def addressed(conditions: Sequence[frozenset[int]], rows: int) -> Trace:
    """The address of the rows that meet conditions, each given as the rows that meet it."""
    key = np.zeros((rows, len(conditions) + 1), np.float32)  # (M, C + 1)
    key[:, -1] = 1
    for place, meeting in enumerate(conditions):
        key[sorted(meeting), place] = 1
    query = np.ones((1, len(conditions) + 1), np.float32) * SHARP  # (1, C + 1)
    query[0, -1] = -SHARP * len(conditions)
    return attend(query, key, key, score=dot, align=softmax, null=np.array([-SHARP / 2], np.float32))


def rows_read(conditions: Sequence[frozenset[int]], rows: int) -> frozenset[int]:
    """The rows that are read, each with more weight than reading nothing.

    >>> sorted(rows_read([frozenset({0, 2}), frozenset({1, 2})], 4)), sorted(rows_read([], 2)), rows_read([frozenset()], 2)
    ([2], [0, 1], frozenset())
    """
    trace = addressed(conditions, rows)
    assert trace.null is not None
    return frozenset(np.flatnonzero(trace.weights[0] > trace.null[0]).tolist())

"""An alignment for what changes as time goes by: the newest memory that fits is read, however many older ones fit as well.

As in geometric attention (Csordas et al. 2022, arXiv 2110.07732, eq. 5): the memories are looked at one after another, and each
is taken, or passed over, by its own logit. Whether another fits, nearer the start, changes nothing, nor does how far back.
"""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor

from memnet.attention.align import NEVER, Alignment


def newest(
    logits: Tensor, mask: Tensor | None = None, query: Tensor | None = None, null: Tensor | None = None, **_: object
) -> Alignment:
    """p_i = s(l_i) prod_{j > i} (1 - s(l_j)), s the logistic function; what is left, where none is taken, is the null's weight.

    ``null`` is not looked at: nothing is read where every memory is passed over.
    """
    if mask is not None:
        logits = logits.masked_fill(~mask, NEVER)
    passed = F.logsigmoid(-logits.clamp(min=-1e4))  # log (1 - s(l)), 0 where there is no memory
    later = passed.flip(-1).cumsum(-1).flip(-1)  # of this one and all after it
    taken = F.logsigmoid(logits.clamp(min=-1e4)) + later - passed
    weights = taken.exp()
    return Alignment(weights if mask is None else weights * mask, later[..., 0].exp())

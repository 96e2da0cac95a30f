"""Hard attention, trained by the gradient of the expected loss (Williams 1992, REINFORCE; Xu et al. 2015, section 4.1).

A network that reads one memory a hop draws its addresses a = (a_1, ..., a_K) with probability p(a).
The loss f(a) depends on the weights given the addresses, and so do the addresses:

    grad E[f] = E[ grad f(a) ] + E[ (f(a) - b) grad log p(a) ]

Both terms are estimated with T samples. A baseline b that does not depend on the sample it is
subtracted from changes no expectation, and less variance is left the nearer it is to E[f].

Small memories need no samples: E[f] = sum over every a of p(a) f(a), whose gradient is exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from memnet.attention.align import lowest_finite
from memnet.attention.trace import Trace
from memnet.nn.random import Random

DECAY = 0.9  # of the moving mean, a step


def joint_log_prob(traces: Sequence[Trace]) -> Tensor | None:
    """log p(a) of a trajectory, the sum over hops, (..., Q); None where no hop drew an address."""
    drawn = [trace.log_prob for trace in traces if trace.log_prob is not None]
    return torch.stack(drawn).sum(0) if drawn else None


def surrogate(loss: Tensor, log_prob: Tensor, baseline: Tensor | float = 0.0) -> Tensor:
    """What has the estimate as its gradient: ``loss``, ``log_prob (..., T)`` of T samples -> (...).

    ``baseline`` broadcasts to (..., T) and must not depend on the sample that it stands beside.
    """
    return (loss + (loss.detach() - baseline) * log_prob).mean(-1)


class EveryAddress(Random):
    """In place of random numbers: query t of T = C^K reads address number (t // C^k) mod C in hop k, so all are read.

    A hop with nothing to choose from has one way to go on, number 0; ``again`` says which queries go another.
    """

    def __init__(self, replicas: int, choices: int) -> None:
        super().__init__(0, replicas)
        self.choices, self.hop = choices, 0
        self.again = torch.zeros((), dtype=torch.bool)  # (R, ..., T) after the first hop

    def address(self, chances: Tensor, there: Tensor) -> Tensor:
        """Number t's address in this hop: (R, ..., T, M) -> (R, ..., T)."""
        number = torch.arange(chances.shape[-2], device=chances.device) // self.choices**self.hop % self.choices
        self.hop += 1
        self.again = self.again.to(there.device) | (~there.any(-1) & (number > 0))
        address: Tensor = number.clamp(max=chances.shape[-1] - 1).expand(chances.shape[:-1])
        return address


def expectation(loss: Tensor, log_prob: Tensor) -> Tensor:
    """E[f], the sum over every trajectory: ``loss``, ``log_prob (..., T)`` of all T -> (...), with the exact gradient."""
    return (log_prob.exp() * loss).sum(-1)


def leave_one_out(loss: Tensor) -> Tensor:
    """For each of T >= 2 samples the mean loss of the others, (..., T) (Kool et al. 2019, "Buy 4 REINFORCE samples")."""
    loss = loss.detach()
    return (loss.sum(-1, keepdim=True) - loss) / (loss.shape[-1] - 1)


class MovingMean:
    """The mean loss of the steps before this one, one a replica, older steps counting for less; 0 at the first."""

    def __init__(self, replicas: int) -> None:
        self.state = torch.zeros(replicas, 2)  # weighted sum and weight of the losses seen

    def value(self) -> Tensor:
        """(R,)"""
        total, weight = self.state.unbind(1)
        return total / weight.clamp(min=1e-12)

    def see(self, loss: Tensor, which: Tensor | None = None) -> None:
        """Take up a step's ``loss (R, ...)``, of the replicas ``which (R,)``."""
        new = torch.stack([loss.detach().flatten(1).mean(1), torch.ones(len(loss), device=loss.device)], 1)
        seen = DECAY * self.state + (1 - DECAY) * new.to(self.state)
        self.state = seen if which is None else torch.where(which.to(seen.device).unsqueeze(1), seen, self.state)


def baseline(name: str, loss: Tensor, mean: MovingMean) -> Tensor:
    """What is subtracted from ``loss (R, B, T)``: 0, the mean of earlier steps, or of the other samples."""
    if name == "loo":
        return leave_one_out(loss)
    if name == "mean":
        return mean.value().to(loss).view(-1, *[1] * (loss.dim() - 1))
    return loss.new_zeros(())


def entropy(logits: Tensor, null: Tensor | None = None) -> Tensor:
    """H = -sum_i p_i log p_i of the addresses, nats: ``logits (..., M)``, -inf where masked -> (...)."""
    if null is not None:
        logits = torch.cat([logits, null.to(logits.dtype).unsqueeze(-1)], -1)
    open_to = logits.isfinite()
    logs = logits.masked_fill(~open_to, lowest_finite(logits)).log_softmax(-1)
    return -(logs.exp() * logs).masked_fill(~open_to, 0.0).sum(-1)

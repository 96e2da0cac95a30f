"""Errors of a network, and whether it read the supporting facts."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import Trace
from memnet.batch import Batch, Examples, cut
from memnet.models import MemN2N
from memnet.models.memn2n import Codes
from memnet.replicated import Common

FAILED = 5.0  # percent: a task fails above this error (Weston et al. 2015)


class Outcome(NamedTuple):
    """What R networks did with N questions."""

    prediction: Tensor  # (R, N)  vocabulary entries
    wrong: Tensor  # (R, N)  bool
    loss: Tensor  # (R, N)  cross-entropy, nan where the vocabulary lacks the answer
    read: Tensor  # (R, N, hops)  the place in memory with the largest weight of each hop

    def error(self) -> Tensor:
        """Percent of wrong answers, (R,)."""
        return 100 * self.wrong.double().mean(1)


def mean_answer(logits: Tensor) -> Tensor:
    """One answer of T samples, by the mean of their probabilities: (R, B, T, V) -> logits (R, B, V)."""
    if logits.shape[2] == 1:
        return logits[:, :, 0]
    return logits.log_softmax(-1).logsumexp(2) - math.log(logits.shape[2])


def answers(net: MemN2N, batch: Batch, codes: Codes) -> tuple[Tensor, list[Trace]]:
    """Logits of the answers (R, B, V) and every hop's trace, as a trained network is asked.

    Hard attention reads the likeliest address, or, with ``test_samples``, as many drawn ones, the same for every question.
    """
    drawn = net.config.test_samples
    random = Common(0, [0] * len(net.embedding), "evaluation") if drawn else None
    output = net(batch, codes, random, max(1, drawn))
    return mean_answer(output.logits), output.traces


def most_read(trace: Trace) -> Tensor:
    """The place with the largest weight, over all samples; where nothing has any, that of the largest logit: (R, B)."""
    weights = trace.weights.mean(2)
    return torch.where(weights.amax(-1) > 0, weights.argmax(-1), trace.logits[:, :, 0].argmax(-1))


@torch.no_grad()
def evaluate(net: MemN2N, data: Examples, codes: Codes | None = None, batch: int = 128) -> Outcome:
    """Ask every question once. No noise, no dropout; padding and ``batch`` change nothing.

    See :func:`answers` for hard attention.
    """
    device = net.embedding.device
    codes = net.codes(data).to(device) if codes is None else codes
    replicas = len(net.embedding)
    predictions, losses, reads = [], [], []
    for index in torch.arange(len(data)).split(batch):
        one = next(cut(data, index.expand(1, replicas, -1), net.sizes.ages)).to(device)
        logits, traces = answers(net, one, codes)
        predictions.append(logits.argmax(-1))
        known = one.answer.clamp(min=0)
        loss = F.cross_entropy(logits.flatten(0, 1), known.flatten(), reduction="none").view_as(known)
        losses.append(loss.masked_fill(one.answer < 0, float("nan")))
        reads.append(torch.stack([most_read(trace) for trace in traces], -1))
    prediction = torch.cat(predictions, 1).cpu()
    return Outcome(prediction, prediction != data.answer, torch.cat(losses, 1).cpu(), torch.cat(reads, 1).cpu())


def fact_recall(read: Tensor, data: Examples) -> float | None:
    """Mean over questions of the share of supporting facts among the sentences read most by some hop.

    ``read (N, hops)`` are places in memory. A fact that is older than the memory reaches was not
    read. None where no question has supporting facts.
    """
    listed = data.facts >= 0  # (N, F)
    found = (data.facts.unsqueeze(-1) == read.unsqueeze(1)).any(-1) & listed
    facts = listed.sum(1) + data.lost
    asked = facts > 0
    if not bool(asked.any()):
        return None
    return float((found.sum(1)[asked] / facts[asked]).double().mean())

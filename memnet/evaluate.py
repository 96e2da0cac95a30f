"""Errors of a network, and whether it read the supporting facts."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.batch import Examples, cut
from memnet.models import MemN2N
from memnet.models.memn2n import Codes
from memnet.replicated import Random

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


@torch.no_grad()
def evaluate(net: MemN2N, data: Examples, codes: Codes | None = None, batch: int = 128) -> Outcome:
    """Ask every question once. No noise, no dropout; padding and ``batch`` change nothing.

    Hard attention reads the likeliest address, or as many drawn ones as ``test_samples`` says, always the same.
    """
    device = net.embedding.device
    codes = net.codes(data).to(device) if codes is None else codes
    replicas = len(net.embedding)
    predictions, losses, reads = [], [], []
    drawn = net.config.test_samples
    random = Random(0, [0] * replicas, "evaluation") if drawn else None
    for index in torch.arange(len(data)).split(batch):
        one = next(cut(data, index.expand(1, replicas, -1), net.sizes.ages)).to(device)
        output = net(one, codes, random, max(1, drawn))
        logits, traces = mean_answer(output.logits), output.traces
        predictions.append(logits.argmax(-1))
        known = one.answer.clamp(min=0)
        loss = F.cross_entropy(logits.flatten(0, 1), known.flatten(), reduction="none").view_as(known)
        losses.append(loss.masked_fill(one.answer < 0, float("nan")))
        reads.append(torch.stack([trace.logits[:, :, 0].argmax(-1) for trace in traces], -1))
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

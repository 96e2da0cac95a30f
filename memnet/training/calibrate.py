"""Temperature scaling: probabilities that are as often right as they say (Guo et al. 2017, arXiv 1706.04599, section 4.2)."""

from __future__ import annotations

import torch
from torch import Tensor

from memnet.encode.batch import batches
from memnet.encode.examples import Examples
from memnet.models.network import Network, answer_loss
from memnet.training.evaluate import answers
from memnet.training.optimizer import without_compiler

MOST = 4_000  # questions
STEPS = 100  # of the search, at most


@torch.no_grad()
def held_out_scores(net: Network, data: Examples, batch: int = 128) -> tuple[Tensor, Tensor]:
    """Scores (R, N, A, V) of the first :data:`MOST` questions whose answers are known, and the answers (N, A)."""
    known = (data.answer >= 0).all(1).nonzero().flatten()[:MOST]
    found, encoded_data = [], net.encode_data(data)
    for index in known.split(batch):
        one = next(batches(data, index.expand(1, net.replicas, -1), net.sizes.ages))
        found.append(answers(net, one, encoded_data)[0])
    return torch.cat(found, 1), data.answer[known]


def temperature(net: Network, data: Examples) -> float:
    """What the scores of one network (R = 1) are divided by, so that held-out answers are likeliest.

    The search is on a logarithm, with a normal prior of variance 1 that weighs as much as one question: where no answer is
    wrong, probabilities do not become 1.
    """
    scores, right = held_out_scores(net, data)
    scores = scores.nan_to_num().double()  # words that are never said have minus infinity
    log = torch.zeros((), dtype=torch.float64, requires_grad=True)
    with without_compiler():
        search = torch.optim.LBFGS([log], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        log.grad = None
        total = answer_loss(scores / log.exp(), right.unsqueeze(0)).sum() + log**2 / 2
        total.backward()
        return total

    search.step(loss)
    return float(log.detach().exp())

"""Relations as states that are composed: by a learned table of a few relations, or by a sum of learned vectors.

A composition has ``compose``, the state of a - m - c from those of a - m and m - c; ``certain``, how sure a state is;
``open``, the share of a state that further ways decide; and ``scores`` of answers. A state of zeros: nothing is known.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from memnet.nn.modules import Linear, sigmoid
from memnet.nn.random import Random

TINY = 1e-9
FLOOR = 1e-6  # the least chance of an answer
GUESSED = 0.01  # how much less what is unknown counts than what is known, where answers are compared
STEEP = 15.0  # of the table's logits: a cell is met in few stories, and learns as fast as the rest by it
SPREAD = 0.01  # of its weights before training
UNMET = 0.35  # of the weight of nothing before training: what was never met stays unknown, and other ways are taken


def rules(weight: Tensor) -> Tensor:
    """Logits (..., K + 1) -> chances (..., K) of which the last one, that nothing follows, is left out."""
    return (STEEP * weight).softmax(-1)[..., :-1]


def unmet(random: Random, *shape: int) -> nn.Parameter:
    """The logits of rules before training, of which nothing follows yet."""
    weight = random.normal(*shape, std=SPREAD)
    weight[..., -1] += UNMET
    return nn.Parameter(weight)


class Directed(nn.Module):
    """A relation that is read once for both directions: "his son [Bob]" says who Bob is to him, and who he is to Bob.

    ``kin`` are the chances of what is said of a and b, in whichever direction, and g = sigmoid(d(a, b) - d(b, a)) is the chance
    that it is said of a to b. With a learned table I of inverses r(a, b) = g kin + (1 - g) kin I.
    """

    def __init__(self, codes: int, random: Random) -> None:
        super().__init__()
        self.inverse = unmet(random, codes, codes + 1)

    def forward(self, read: Tensor, turned: Tensor) -> Tensor:
        """Texts seen from one of their names and from the other, logits and d (R, F, K + 2) -> chances (R, F, K)."""
        kin = (read[..., :-1] + turned[..., :-1]).softmax(-1)[..., :-1]
        gate = sigmoid(read[..., -1:] - turned[..., -1:])
        return torch.lerp(kin @ rules(self.inverse), kin, gate)


def agreed(chances: Tensor, where: tuple[Tensor, ...], shape: tuple[int, ...]) -> Tensor:
    """What texts say together of each of their places: ``chances (F, K)`` -> ``(*shape, K)``.

    As far as a text says nothing it speaks against no relation (Dempster 1967): with s_f = 1 - sum_k p_fk, the share of
    relation k is prod_f (p_fk + s_f) - prod_f s_f, over the sum of these and prod_f s_f.
    """
    silent = (1 - chances.sum(1, keepdim=True)).clamp(min=TINY)
    logs = torch.cat([chances + silent, silent], 1).log()
    total = logs.new_zeros(*shape, logs.shape[1]).index_put(where, logs, accumulate=True).exp()
    nothing = total[..., -1:]
    said = (total[..., :-1] - nothing).clamp(min=0.0)
    return said / (said.sum(-1, keepdim=True) + nothing).clamp(min=TINY)


class Table(nn.Module):
    """``T (R, K, K, K)``: the chances of the relation of a and c, of each of a - m and each of m - c.

    The first relations are the answers. A state's chances add up to how sure it is that anything is known.
    """

    symmetric = True  # both parts may be composed themselves: a - m - c in any order

    def __init__(self, codes: int, answers: int, random: Random) -> None:
        super().__init__()
        self.answers, self.width = answers, codes
        self.weight = unmet(random, codes, codes, codes + 1)

    def compose(self, left: Tensor, right: Tensor) -> Tensor:
        """(R, B, A, M, K), (R, B, M, C, K) -> (R, B, A, C, M, K)."""
        replicas, codes = left.shape[0], self.width
        rule = rules(self.weight).reshape(replicas, codes, codes * codes)
        half = (left.flatten(1, 3) @ rule).view(*left.shape[:-1], codes, codes)  # (R, B, A, M, K, K)
        return (right.unsqueeze(2) @ half).transpose(3, 4)  # (R, B, A, M, C, K) before

    def certain(self, state: Tensor) -> Tensor:
        """Minus the entropy, and the log of the chance that something is known: (..., K) -> (...)."""
        known = state.sum(-1, keepdim=True).clamp(min=1e-4)
        share = state / known
        return (share * share.clamp(min=TINY).log()).sum(-1) + known.squeeze(-1).log()

    def open(self, state: Tensor) -> Tensor:
        """The chance that nothing is known, (..., K) -> (..., 1)."""
        return (1 - state.sum(-1, keepdim=True)).clamp(min=0.0)

    def scores(self, state: Tensor) -> Tensor:
        """(R, ..., K) -> (R, ..., answers): log-probabilities. The rest of a state counts for any answer, but little."""
        known = state[..., : self.answers]
        rest = (1 - known.sum(-1, keepdim=True)).clamp(min=0.0)
        return (known + GUESSED * rest / self.answers).clamp(min=FLOOR).log()


class Sum(nn.Module):
    """Vectors that are added: the state of a - m - c is the sum of two, u + o as in a memory network's hop (R, ..., D).

    A statement is read from both its names. What it says of a and b is the difference: minus what it says of b and a.
    """

    symmetric = False  # one more statement a hop

    def __init__(self, dim: int, answers: int, random: Random) -> None:
        super().__init__()
        self.out = Linear(dim, answers, random, std=dim**-0.5)

    def compose(self, left: Tensor, right: Tensor) -> Tensor:
        """(R, B, A, M, D), (R, B, M, C, D) -> (R, B, A, C, M, D)."""
        return left.unsqueeze(3) + right.transpose(2, 3).unsqueeze(2)

    def certain(self, state: Tensor) -> Tensor:
        """Every sum is as sure as every other."""
        return torch.zeros_like(state[..., 0])

    def open(self, state: Tensor) -> Tensor:
        """A sum is whole, and the first one stays: (..., D) -> (..., 1)."""
        return (state == 0).all(-1, keepdim=True).to(state.dtype)

    def scores(self, state: Tensor) -> Tensor:
        """(R, ..., D) -> (R, ..., answers): log-probabilities."""
        found: Tensor = self.out(state)
        return found.log_softmax(-1)

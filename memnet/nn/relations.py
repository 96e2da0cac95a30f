"""Relations as states that are composed: by a learned table of a few relations, or by a sum of learned vectors.

A composition has ``compose``, the state of a - m - c from those of a - m and m - c; ``certain``, how sure a state is;
and ``scores`` of answers.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from memnet.nn.modules import Linear, sigmoid
from memnet.nn.random import Random

TINY = 1e-9
FLOOR = 1e-6  # the least chance of an answer
STEEP = 15.0  # of the table's logits: a cell is met in few stories, and learns as fast as the rest by it
SPREAD = 0.01  # of its weights before training: what was never met stays undecided, so that other ways are taken


class Directed(nn.Module):
    """A relation that is read once for both directions: "his son [Bob]" says who Bob is to him, and who he is to Bob.

    ``kin`` are the chances of what is said of a and b, in whichever direction, and g = sigmoid(d(a, b) - d(b, a)) is the chance
    that it is said of a to b. With a learned table I of inverses r(a, b) = g kin + (1 - g) kin I, times what is told of b.
    """

    def __init__(self, codes: int, about: int, random: Random) -> None:
        super().__init__()
        self.inverse = nn.Parameter(random.normal(codes, codes, std=SPREAD))
        self.about = nn.Parameter(random.normal(about, codes, std=0.1))

    def forward(self, logits: Tensor, direction: Tensor, about: Tensor) -> Tensor:
        """Logits (R, B, N, N, K) and direction (R, B, N, N) of ordered pairs, about (R, B, N, A) -> chances (R, B, N, N, K)."""
        kin = (logits + logits.transpose(2, 3)).softmax(-1)
        table = (STEEP * self.inverse).softmax(-1)
        turned = (kin.flatten(1, 3) @ table).view_as(kin)
        gate = sigmoid(direction - direction.transpose(2, 3)).unsqueeze(-1)
        said = torch.lerp(turned, kin, gate)
        alone = (about.tanh().flatten(1, 2) @ self.about).view(*about.shape[:3], 1, -1).transpose(2, 3)
        return (said.clamp(min=TINY).log() + alone).softmax(-1)


class Table(nn.Module):
    """``T (R, K, K, K)``: the chances of the relation of a and c, of each of a - m and each of m - c.

    The first relations are the answers, the last one is that nothing is known.
    """

    symmetric = True  # both parts may be composed themselves: a - m - c in any order

    def __init__(self, codes: int, answers: int, random: Random) -> None:
        super().__init__()
        self.answers, self.width = answers, codes
        self.weight = nn.Parameter(random.normal(codes, codes, codes, std=SPREAD))

    def compose(self, left: Tensor, right: Tensor) -> Tensor:
        """(R, B, A, M, K), (R, B, M, C, K) -> (R, B, A, C, M, K)."""
        replicas, codes = left.shape[0], self.width
        rule = (STEEP * self.weight).softmax(-1).view(replicas, codes, codes * codes)
        half = (left.flatten(1, 3) @ rule).view(*left.shape[:-1], codes, codes)  # (R, B, A, M, K, K)
        return (right.transpose(2, 3).unsqueeze(2).unsqueeze(-2) @ half.unsqueeze(3)).squeeze(-2)

    def certain(self, state: Tensor) -> Tensor:
        """Minus the entropy, and the log of the chance that something is known: (..., K) -> (...)."""
        entropy = (state * state.clamp(min=TINY).log()).sum(-1)
        return entropy + (1 - state[..., -1]).clamp(min=1e-4).log()

    def scores(self, state: Tensor) -> Tensor:
        """(R, ..., K) -> (R, ..., answers): log-probabilities."""
        return state[..., : self.answers].clamp(min=FLOOR).log()


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

    def scores(self, state: Tensor) -> Tensor:
        """(R, ..., D) -> (R, ..., answers): log-probabilities."""
        found: Tensor = self.out(state)
        return found.log_softmax(-1)

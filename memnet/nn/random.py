"""Random numbers of many networks in one program: one generator a replica."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor


def generator(seed: int, replica: int, stream: str) -> torch.Generator:
    """The random numbers of one replica for one purpose (``stream``: "weights", "training", ...)."""
    entropy = [seed, replica, *stream.encode()]
    return torch.Generator().manual_seed(int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0]) >> 1)


class Random:
    """One generator per replica; every draw has the replicas as its leading dimension."""

    def __init__(self, seed: int, replicas: int | Sequence[int], stream: str = "training") -> None:
        numbers = range(replicas) if isinstance(replicas, int) else replicas
        self.generators = [generator(seed, replica, stream) for replica in numbers]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, replicas: {self.replicas}>"

    @property
    def replicas(self) -> int:
        """R."""
        return len(self.generators)

    def _stack(self, draw: Callable[[torch.Generator], Tensor]) -> Tensor:
        return torch.stack([draw(one) for one in self.generators])

    def normal(self, *shape: int, std: float = 1.0, mean: float = 0.0) -> Tensor:
        """N(mean, std^2), (R, *shape)."""
        return self._stack(lambda one: torch.randn(shape, generator=one)) * std + mean

    def symmetric(self, *shape: int, bound: float) -> Tensor:
        """U[-bound, bound), (R, *shape)."""
        return bound * (2 * self.uniform(*shape) - 1)

    def uniform(self, *shape: int) -> Tensor:
        """U[0, 1), (R, *shape)."""
        return self._stack(lambda one: torch.rand(shape, generator=one))

    def integers(self, high: int, *shape: int) -> Tensor:
        """Uniform over 0 .. high - 1, (R, *shape)."""
        return self._stack(lambda one: torch.randint(high, shape, generator=one))

    def permutation(self, size: int) -> Tensor:
        """A permutation of 0 .. size - 1 each, (R, size)."""
        return self._stack(lambda one: torch.randperm(size, generator=one))

    def address(self, chances: Tensor, there: Tensor) -> Tensor:
        """One of M memories a query, by its chance: ``chances`` and ``there``, bool, (R, ..., M) -> (R, ...).

        The first whose cumulative chance exceeds a uniform number, one number a query; memory 0 where none is there.
        """
        up_to = chances.cumsum(-1).masked_fill(~there, -1.0)
        total = up_to.amax(-1, keepdim=True)
        drawn = self.uniform(*chances.shape[1:-1]).to(total).unsqueeze(-1) * total  # (..., Q, 1), less than the total
        return (up_to > drawn).byte().argmax(-1)  # the first

    def state(self) -> Tensor:
        """The state of every generator, (R, bytes), uint8."""
        return self._stack(torch.Generator.get_state)

    def restore(self, state: Tensor) -> None:
        """Go on from a :meth:`state`."""
        for one, saved in zip(self.generators, state, strict=True):
            one.set_state(saved.clone())


class SharedRandom(Random):
    """Of each draw only the last dimension is drawn, and shared by all others: the same numbers for every question.

    So what is drawn for a question does not depend on the questions beside it.
    """

    def uniform(self, *shape: int) -> Tensor:
        """U[0, 1), (R, *shape), the same but for the replica and the last dimension."""
        numbers = super().uniform(shape[-1])
        return numbers.view(self.replicas, *[1] * (len(shape) - 1), shape[-1]).expand(-1, *shape)


class MetaInit(Random):
    """Weights of one network without numbers, to be replaced by saved ones."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def normal(self, *shape: int, std: float = 1.0, mean: float = 0.0) -> Tensor:
        """No memory is taken, (1, *shape)."""
        return torch.empty(1, *shape, device="meta")

    def symmetric(self, *shape: int, bound: float) -> Tensor:
        """No memory is taken, (1, *shape)."""
        return torch.empty(1, *shape, device="meta")

    def uniform(self, *shape: int) -> Tensor:
        """No memory is taken, (1, *shape)."""
        return torch.empty(1, *shape, device="meta")

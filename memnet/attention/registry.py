"""One entry a part: how it is made, and what it can and cannot do.

The three registries, ``SCORES``, ``ALIGNS`` and ``READS``, are plain dicts; a new part is one entry, from inside the package
or from outside (:mod:`memnet.plugins`). Configurations, help texts, refusals and tests read the entries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

Part = TypeVar("Part", covariant=True)


@dataclass(frozen=True)
class Kind(Generic[Part]):
    """How a part is made: ``SCORES[name](query_dim, key_dim, random)``, ``ALIGNS[name](query_dim, random, window)``,
    ``READS[name](value_dim, random)``.
    """

    make: Callable[..., Part]
    context: bool = False  # a score that compares keys with [query; context], each as wide as a key
    null: bool = False  # an alignment that may read nothing
    window: bool = False  # an alignment of a window of memories, whose width it needs
    picks: bool = False  # an alignment that reads one memory, or nothing
    draws: bool = False  # an alignment that draws addresses while training, learned by REINFORCE or exactly
    learns: bool = True  # an alignment through which the scores learn; networks train others with softmax
    share: bool = True  # an alignment whose weights are between 0 and 1
    gates: bool = False  # a read that takes its weights as gates between 0 and 1
    in_order: bool = False  # an alignment or a read for which the order of the memories counts

    def __repr__(self) -> str:
        """Its capabilities: what is not as for most parts."""
        said = [
            f"{field.name}={getattr(self, field.name)}"
            for field in fields(self)[1:]
            if getattr(self, field.name) != field.default
        ]
        return f"Kind({', '.join(said)})"

    def __call__(self, *arguments: Any) -> Part:
        """Make it."""
        return self.make(*arguments)

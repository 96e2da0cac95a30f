"""The parts of the attention core: an entry for each, how it is made, and what it can and cannot do.

The three registries, ``SCORES``, ``ALIGNS`` and ``READS``, are plain dicts; a new part is one entry, from inside the package
or from outside (:mod:`memnet.plugins`). Configurations, help texts, refusals and tests read the entries, without torch: a part
of the package is named, and imported when one is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pkgutil import resolve_name
from typing import Any


@dataclass(frozen=True)
class Kind:
    """How a part is made: ``SCORES[name](query_dim, key_dim, random)``, ``ALIGNS[name](query_dim, random, window)``,
    ``READS[name](value_dim, random)``.
    """

    make: Callable[..., Any] | str  # or where that is in memnet.attention, such as "align:LocalP"
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

    def __call__(self, *arguments: Any) -> Any:
        """Make it."""
        make = resolve_name(f"memnet.attention.{self.make}") if isinstance(self.make, str) else self.make
        return make(*arguments)


SCORES: dict[str, Kind] = {
    "dot": Kind("score:make_dot"),
    "scaled_dot": Kind("score:make_scaled_dot"),
    "general": Kind("score:General"),
    "concat": Kind("score:Concat"),
    "interaction": Kind("score:Interaction", context=True),
}
ALIGNS: dict[str, Kind] = {
    "softmax": Kind("align:make_softmax", null=True),
    "linear": Kind("align:make_linear", share=False),
    "sigmoid": Kind("align:make_sigmoid"),
    "sparsemax": Kind("align:make_sparsemax", null=True),
    "local_m": Kind("align:make_local_m", window=True, in_order=True),
    "local_p": Kind("align:LocalP", window=True, in_order=True),
    "hard": Kind("align:make_hard", null=True, picks=True, draws=True),
    "argmax": Kind("align:make_argmax", null=True, picks=True, learns=False),
    "tournament": Kind("align:make_tournament", null=True, picks=True, learns=False, in_order=True),
}
READS: dict[str, Kind] = {
    "weighted_sum": Kind("read:plain_sum"),
    "gated_gru": Kind("read:GatedGRU", gates=True, in_order=True),
    "attention_gru": Kind("read:AttentionGRU", gates=True, in_order=True),
}
BASELINES = ("none", "mean", "loo")  # what is subtracted from the loss of a drawn address

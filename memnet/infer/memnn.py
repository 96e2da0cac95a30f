"""A strongly supervised memory network that answers; the formulas are those of :mod:`memnet.models.memnn`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from memnet.encode.sentences import Sizes
from memnet.infer.answers import Said
from memnet.infer.attention import NEVER, Bools, Floats, Integers, Tournament, attend
from memnet.infer.layers import Shapes
from memnet.infer.network import Hop, Numbers, NumpyNetwork, Output, Settings
from memnet.infer.sentences import bags


class Found(NamedTuple):
    """The memory as facts that were found: in a block common to all, and of the first ones in one of their own."""

    common: Floats  # (N, M, D)
    of_hops: list[Floats]

    def read(self, weights: Floats, hop: int) -> Floats:
        """What the facts read in one hop, ``weights (N, 1, M)``, add to the question: (N, 1, D)."""
        total = weights @ self.common
        return np.asarray(total + weights @ self.of_hops[hop] if hop < len(self.of_hops) else total)


class MemNN(NumpyNetwork):
    """One network; O compares pairs of memories by time and may stop, R scores words."""

    title = "A strongly supervised memory network"

    @classmethod
    def takes(cls, settings: Settings, sizes: Sizes) -> bool:
        """Dot products and the tournament over pairs."""
        usual = {"score": "dot", "align": "tournament", "time": "pairs"}
        return all(settings[name] == value for name, value in usual.items())

    @classmethod
    def num_hops(cls, settings: Settings, sizes: Sizes) -> int:
        """The most facts that are found."""
        return int(min(settings["hops"], sizes.listed) if settings["supervision"] == "facts" else settings["hops"])

    @classmethod
    def shapes(cls, settings: Settings, sizes: Sizes) -> Shapes:
        """See :class:`~memnet.infer.network.NumpyNetwork`."""
        features, dim = sizes.vocabulary + len(sizes.grams), settings["dim"]
        blocks = min(settings["blocks"], cls.num_hops(settings, sizes))
        found: Shapes = {"output_map": (3 + blocks, features, dim), "response_map": (2 + blocks, features, dim)}
        found |= {"words": (sizes.vocabulary, dim), "attend.align.order": (2, dim)}
        found |= {"said_words": (sizes.vocabulary, dim)} if sizes.answer > 1 else {}
        found |= {"stop": (dim,)} if settings["adaptive"] else {}
        matches = ("output_match.weight", "response_match.weight") if settings["nonlinear"] else ()
        return found | dict.fromkeys(matches, (dim, dim))

    def match(self, state: Floats, name: str) -> Floats:
        """The state as it is compared: W tanh(state) with NL."""
        return np.tanh(state) @ self.weights[f"{name}_match.weight"] if self.settings["nonlinear"] else state

    def read(self, numbers: Numbers, before: Any = None) -> Floats:
        """I and G: the features of each story's statements, (G, M, F)."""
        return bags(numbers.sentences, self.sizes.grams, self.sizes.vocabulary)[numbers.memory]

    def answer(self, memory: Floats, numbers: Numbers) -> Output:
        """O, hop by hop, each fact appended to the question; then R."""
        features = memory[numbers.story]  # (N, M, F)
        question = bags(numbers.questions, self.sizes.grams, self.sizes.vocabulary)[numbers.asked][:, None]
        asked, candidate, common, *of_hops = self.weights["output_map"]
        mask = numbers.before(features.shape[1])[:, None]
        found = Found(features @ common, [features @ block for block in of_hops])
        weights, hops = self.search(question @ asked, features @ candidate, found, mask)
        asked, common, *of_hops = self.weights["response_map"]
        found = Found(features @ common, [features @ block for block in of_hops])
        state = (question @ asked + sum(found.read(each, hop) for hop, each in enumerate(weights)))[:, 0]

        def step(state: Floats, word: Integers | None) -> Floats:
            known = word is not None and "said_words" in self.weights
            return state + self.weights["said_words"][word] if known else state

        more = Said(step, state[:, None], lambda state: self.match(state, "response") @ self.weights["words"].T)
        return Output(more.first(), hops, more)

    def search(self, state: Floats, candidates: Floats, found: Found, mask: Bools) -> tuple[list[Floats], list[Hop]]:
        """What O finds for ``state (N, 1, D)`` among ``candidates (N, M, D)``: weights (N, 1, M) and a trace a hop."""
        tournament, order = Tournament(self.weights["attend.align.order"]), np.arange(candidates.shape[1])
        free, last = mask, np.full(state.shape[:2], -1)
        going: Bools = np.ones(state.shape[:2], bool)
        weights, hops = list[Floats](), list[Hop]()
        for hop in range(self.num_hops(self.settings, self.sizes)):
            query = self.match(state, "output")
            later = (order > last[..., None]) & (last >= 0)[..., None]
            bias = tournament.worths(query)[0][..., None] * later
            stop = np.where(going, query @ self.weights["stop"], NEVER) if self.settings["adaptive"] else None
            trace = attend(query, candidates, candidates, align=tournament, mask=free & going[..., None], null=stop, bias=bias)
            going = np.asarray(trace.weights.any(-1))
            state = state + found.read(trace.weights, hop) * going[..., None]
            last = np.where(going, trace.weights.argmax(-1), last)
            free = free & (trace.weights == 0)
            weights.append(trace.weights)
            hops.append(Hop(trace.weights[:, 0], (~going[:, 0]).astype(np.float32)))
            if not going.any():
                break
        return weights, hops

"""A dynamic memory network (DMN+) that answers; the formulas are those of :mod:`memnet.models.dmn`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from memnet.encode.sentences import Sizes
from memnet.infer.attention import Floats, softmax
from memnet.infer.attention import read as read_memory
from memnet.infer.layers import GRU, Linear, Shapes, gru_shapes, linear_shapes, relu
from memnet.infer.network import Hop, Numbers, NumpyNetwork, Output, Settings
from memnet.infer.sentences import positions, there


class Facts(NamedTuple):
    """What the input module makes of stories: facts (G, M, D), and their products for the attention GRU (G, M, 2 D)."""

    facts: Floats
    products: Floats


class DMN(NumpyNetwork):
    """One network with the input, the gate, the read and the update of Xiong et al. 2016."""

    title = "A dynamic memory network"

    def __init__(self, settings: Settings, sizes: Sizes, weights: Mapping[str, Floats]) -> None:
        super().__init__(settings, sizes, weights)
        self.question, self.forwards, self.backwards, self.by_attention = (
            GRU.of(weights, name) for name in ("question", "forwards", "backwards", "attend.read")
        )
        self.hidden, self.out = Linear.of(weights, "attend.score.hidden"), Linear.of(weights, "attend.score.out")
        self.layers = [Linear.of(weights, f"layers.{number}") for number in range(settings["passes"])]

    @classmethod
    def takes(cls, settings: Settings, sizes: Sizes) -> bool:
        """DMN+ with an answer of one class, whose passes do not stop."""
        usual = {"input": "fusion", "features": "xiong", "score": "interaction", "align": "softmax", "read": "attention_gru"}
        usual |= {"update": "relu", "decoder": "class", "vectors": "none"}
        return not settings["stop"] and all(settings[name] == value for name, value in usual.items())

    @classmethod
    def shapes(cls, settings: Settings, sizes: Sizes) -> Shapes:
        """See :class:`~memnet.infer.network.NumpyNetwork`."""
        dim, words = settings["dim"], sizes.vocabulary
        found: Shapes = {"embedding": (words, dim), "answer": (words, 2 * dim)}
        for name in ("question", "forwards", "backwards"):
            found |= gru_shapes(name, dim, dim)
        found |= linear_shapes("attend.score.hidden", 4 * dim, dim) | linear_shapes("attend.score.out", dim, 1)
        for number in range(settings["passes"]):
            found |= linear_shapes(f"layers.{number}", 3 * dim, dim)
        return found | gru_shapes("attend.read", dim, dim, 2)

    def read(self, numbers: Numbers, before: Any = None) -> Facts:
        """Encoded sentences, then a GRU in both directions, added."""
        place = positions(numbers.sentences, "pe", self.settings["dim"], self.sizes.longest)
        sentences = (self.weights["embedding"][numbers.sentences.words] * place).sum(1)  # (U, D)
        before, after = (way.input(sentences)[numbers.memory] for way in (self.forwards, self.backwards))
        facts = self.forwards.scan(before) + self.backwards.scan(after, numbers.mask, reverse=True)
        return Facts(facts, self.by_attention.input(facts))

    def answer(self, memory: Facts, numbers: Numbers) -> Output:
        """Passes over the facts: g = softmax(gate), episode = attention GRU(facts, g), m' = relu(W [m; episode; q])."""
        facts, products = memory.facts[numbers.story], memory.products[numbers.story]
        mask = numbers.before(facts.shape[1])[:, None]
        words = self.question.input(self.weights["embedding"])[numbers.questions.words]
        q = self.question.scan(words, there(numbers.questions))[:, -1][numbers.asked]  # (N, D)
        episode = partial(self.episode, products)
        state, hops = q, list[Hop]()
        for layer in self.layers:
            trace = read_memory(self.gate(facts, q, state), state[:, None], episode, softmax, mask)
            state = relu(layer(np.concatenate([state, trace.output[:, 0], q], -1)))
            hops.append(Hop(trace.weights[:, 0]))
        return Output((np.concatenate([state, q], -1) @ self.weights["answer"].T)[:, None], hops)

    def gate(self, facts: Floats, q: Floats, m: Floats) -> Floats:
        """W2 tanh(W1 z + b1) + b2 with z = [c*q, c*m, |c-q|, |c-m|] (Xiong et al. 2016, eq. 8): (N, 1, M)."""
        q, m = q[:, None], m[:, None]
        z = np.concatenate([facts * q, facts * m, np.abs(facts - q), np.abs(facts - m)], -1)
        return self.out(np.tanh(self.hidden(z))).swapaxes(1, 2)

    def episode(self, products: Floats, weights: Floats) -> Floats:
        """The last state of the attention GRU over the facts, whose gates are the weights (N, 1, M): (N, 1, D)."""
        h = np.zeros((len(products), self.settings["dim"]), np.float32)
        for place in range(products.shape[1]):
            h = self.by_attention.step(products[:, place], h, weights[:, 0, place, None])
        return h[:, None]

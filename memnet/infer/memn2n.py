"""An end-to-end memory network that answers; the formulas are those of :mod:`memnet.models.memn2n`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

import numpy as np

from memnet.encode.sentences import Sentences, Sizes
from memnet.infer.attention import Align, Floats, Integers, Trace, attend, softmax
from memnet.infer.layers import Shapes, relu
from memnet.infer.network import Hop, Numbers, NumpyNetwork, Output, Settings
from memnet.infer.sentences import positions


class Step(NamedTuple):
    """One hop: what looked at the memory, the memory that it looked at, what the hop did, and what looks next."""

    query: Floats  # (N, 1, D)
    key: Floats  # (N, M, D)
    trace: Trace
    state: Floats  # (N, 1, D)


class MemN2N(NumpyNetwork):
    """One network; a story is a memory for each matrix, (G, M, D). ``align`` may be changed to see what it does."""

    title = "An end-to-end memory network"
    keeps_stories = True

    def __init__(self, settings: Settings, sizes: Sizes, weights: Mapping[str, Floats]) -> None:
        super().__init__(settings, sizes, weights)
        # in 64 bits: its scores are large, and each hop multiplies what rounding does
        self.precise = {name: cast("Floats", value.astype(np.float64)) for name, value in weights.items()}
        self.align: Align = softmax

    @classmethod
    def takes(cls, settings: Settings, sizes: Sizes) -> bool:
        """The paper's addressing, and an answer of one class."""
        usual = {"score": "dot", "align": "softmax", "read": "weighted_sum", "decoder": "class"}
        named = settings["encoding"] in ("bow", "pe", "pe_code") and settings["tying"] in ("adjacent", "layerwise")
        return named and all(settings[name] == value for name, value in usual.items())

    @classmethod
    def shapes(cls, settings: Settings, sizes: Sizes) -> Shapes:
        """See :class:`~memnet.infer.network.NumpyNetwork`."""
        dim, adjacent = settings["dim"], settings["tying"] == "adjacent"
        matrices = settings["hops"] + 1 if adjacent else 4
        return {"embedding": (matrices, sizes.vocabulary + sizes.ages, dim)} | (
            {} if adjacent else {"state_map.weight": (dim, dim)}
        )

    @property
    def matrices(self) -> tuple[list[int], list[int], int, int]:
        """Which of the embeddings is the key and the value of each hop, the question's and the answer's."""
        hop = range(self.settings["hops"])
        if self.settings["tying"] == "adjacent":  # A^{k+1} = C^k, B = A^1, W^T = C^K
            return list(hop), [k + 1 for k in hop], 0, len(hop)
        return [0 for _ in hop], [1 for _ in hop], 2, 3

    def encoded(self, sentences: Sentences, matrix: int) -> Floats:
        """The sum of each sentence's words, each times what its place makes of it: (U, D)."""
        place = positions(sentences, self.settings["encoding"], self.settings["dim"], self.sizes.longest)
        return np.asarray((self.precise["embedding"][matrix][sentences.words] * place).sum(1))

    def read(self, numbers: Numbers, before: Any = None) -> list[Floats]:
        """A memory for each matrix, each statement with its age: zeros where none is."""
        keys, values, _, _ = self.matrices
        ages: Integers = np.minimum(numbers.ages, self.sizes.ages - 1)
        found = []
        for matrix in range(max(*keys, *values) + 1):
            memory = self.encoded(numbers.sentences, matrix)[numbers.memory]
            if self.settings["temporal"]:
                memory = memory + self.precise["embedding"][matrix][self.sizes.vocabulary + ages]
            found.append(memory * numbers.mask[..., None])
        return found

    def answer(self, memory: list[Floats], numbers: Numbers) -> Output:
        """W u after the last hop."""
        steps = list(self.steps(memory, numbers))
        return Output(self.scores(steps[-1].state), [step_read(step) for step in steps])

    def steps(self, memory: list[Floats], numbers: Numbers) -> Iterator[Step]:
        """u = question; p = align(u . m_i; null), o = sum_i p_i c_i, u' = u + o or H u + o, a step a hop."""
        keys, values, asked, _ = self.matrices
        count, story = numbers.told, numbers.story
        mask = numbers.before(memory[0].shape[1])[:, None]
        null = self.null(count)
        query = self.encoded(numbers.questions, asked)[numbers.asked][:, None]
        for key, value in zip(keys, values, strict=True):
            trace = attend(query, memory[key][story], memory[value][story], align=self.align, mask=mask, null=null)
            state = query @ self.precise["state_map.weight"] if self.settings["tying"] == "layerwise" else query
            state = state + trace.output
            state = relu(state) if self.settings["relu"] else state
            yield Step(query, memory[key][story], trace, state)
            query = state

    def scores(self, state: Floats) -> Floats:
        """Of every word as the answer, (N, 1, D) -> (N, 1, V)."""
        word = self.matrices[3]
        return np.asarray(state @ self.precise["embedding"][word][: self.sizes.vocabulary].T)

    def null(self, count: Integers) -> Floats | None:
        """The logit of reading nothing, (N, 1): log of the slots that the paper's memory leaves unused."""
        if self.settings["null"] == "none":
            return None
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(self.sizes.ages - count, 0)).astype(np.float32)[:, None]


def step_read(step: Step) -> Hop:
    """What a hop read of the stories."""
    null = step.trace.null
    return Hop(step.trace.weights[:, 0], None if null is None else null[:, 0])

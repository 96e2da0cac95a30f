"""A trained network as a graph of ONNX: one question about one story, from word numbers to the chance of every answer.

    words (M, L), lengths (M,)          statements, oldest first, zero after the end of each and where there is none
    told ()                             how many statements there are, at least 1
    question (Q,), question_length ()   likewise
    -> probabilities (A, V)             of the answer's words, one where an answer is one entry
    -> answer (A,)                      its entries, 1 (stop) after the last where there are several
    -> reads (hops, M)                  how much of each statement each hop read

What a network makes of a text outside of torch, such as which n-grams a sentence has, is no part of a graph. So each graph
is asked about random stories, and refused where it differs from its network.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn

from memnet.encode.batch import Batch
from memnet.encode.examples import Examples, Sentences
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import NetworkError, extra_needed
from memnet.files import write_atomically, write_json
from memnet.models.checkpoint import load_network
from memnet.models.decoders import prediction
from memnet.models.network import Network, mean_answer

CLOSE = 1e-4  # how far a probability may be from the network's
TRIED = 12  # random stories
INPUTS = ("words", "lengths", "told", "question", "question_length")
NO_GRAPH = "this network is no graph of ONNX, as what it makes of a text hangs on more than sums of numbers"
OUTPUTS = ("probabilities", "answer", "reads")


class Room(NamedTuple):
    """The most that a graph has room for."""

    statements: int  # M
    words: int  # L and Q, of a statement and of the question


class OneQuestion(nn.Module):
    """A network, R = 1, that answers one question about one story; see the module's docstring."""

    def __init__(self, net: Network) -> None:
        super().__init__()
        self.net = net

    def forward(
        self, words: Tensor, lengths: Tensor, told: Tensor, question: Tensor, question_length: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """See the module's docstring."""
        place, one = torch.arange(len(words)), torch.zeros(1, 1, dtype=torch.long)
        statements = Sentences(cast(Any, words), cast(Any, lengths))
        asked = Sentences(cast(Any, question.unsqueeze(0)), cast(Any, question_length.view(1)))
        count, answer = told.view(1, 1), one.expand(1, self.net.sizes.answer)
        data = Examples(statements, asked, one[0], place.unsqueeze(0), count[0], answer, one - 1, one[0], one[0], one[0])
        age = (count[0] - 1 - place).clamp(0, self.net.sizes.ages - 1)
        batch = Batch(
            question=one,
            answer=answer.unsqueeze(0),
            mask=(place < count[0]).view(1, 1, -1),
            num_memories=count,
            story=torch.zeros_like(place),
            place=place,
            sentence=place,
            age=age,
            ages=self.net.sizes.ages,
            facts=(one - 1).unsqueeze(0),
            of_story=one,
        )
        output = self.net(batch, self.net.encode_data(data))
        if output.beams is not None:
            raise NetworkError("this network follows several answers at once, and a graph one; train with beam=1")
        logits = mean_answer(output.logits)[0, 0]  # (A, V)
        hops = [trace.weights[0, 0].mean(0)[: len(place)] for trace in output.traces[self.net.answer_traces]]
        reads = torch.stack(hops) if hops else torch.zeros(0, len(place))
        return logits.softmax(-1), prediction(logits), reads


def graph_of(net: Network, room: Room) -> bytes:
    """The graph of a network, R = 1, which is tried before it is given.

    Raises :class:`~memnet.errors.NetworkError` where the extra ``onnx`` is missing, and where it cannot be a graph.
    """
    if net.test_samples:
        raise NetworkError("this network answers by drawing addresses, and a graph draws none; train with test_samples=0")
    try:
        with quiet():
            import onnxruntime
            import onnxscript  # noqa: F401
    except ModuleNotFoundError as error:
        raise NetworkError(extra_needed("memnet export --onnx", str(error.name), "onnx")) from error
    asked, stories = OneQuestion(net.eval()), list(random_stories(net, room))
    try:
        with quiet(), torch.enable_grad():
            program = torch.export.export(asked, stories[0], strict=False)
            made = torch.onnx.export(
                program, stories[0], input_names=INPUTS, output_names=OUTPUTS, dynamo=True, optimize=False, verbose=False
            )
            graph = bytes(made.model_proto.SerializeToString()) if made is not None else b""
            session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
            far = max(difference(asked, session, story) for story in stories)
    except NetworkError:
        raise
    except Exception as error:
        raise NetworkError(f"{NO_GRAPH}: {why_none(error)}; ask it with memnet.load") from error
    if far > CLOSE:
        raise NetworkError(f"{NO_GRAPH}: its probabilities would differ by up to {far:.2g}; ask it with memnet.load")
    return graph


def why_none(error: Exception) -> str:
    """What kept a network from being a graph, by what its exporter raised."""
    if "FakeTensor" in str(error):
        return "it also reads words one by one, outside of torch"
    kinds = {base.__name__ for cause in (error, error.__cause__, error.__context__) for base in type(cause).__mro__}
    if kinds & {"DataDependentOutputException", "GuardOnDataDependentSymNode", "DynamicOutputShapeException"}:
        return "which sums are computed depends on the words, and a graph's are always the same"
    if "NotImplementedError" in kinds or any("Unsupported" in kind or "Dispatch" in kind for kind in kinds):
        return "it takes an operation that ONNX does not have"
    return "its computation cannot be written down once for all stories"


@contextmanager
def quiet() -> Iterator[None]:
    """Without what an exporter tells of its progress, and of the graphs that it cannot make."""
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        logging.disable()
        try:
            yield
        finally:
            logging.disable(logging.NOTSET)


def random_stories(net: Network, room: Room) -> Iterator[tuple[Tensor, ...]]:
    """Inputs of a graph: one as long as can be, then of random lengths, of random words."""
    draw, known = np.random.default_rng(0), net.sizes.vocabulary
    for number in range(TRIED):
        told = draw.integers(1, room.statements + 1) if number else room.statements
        lengths = draw.integers(1, room.words + 1, room.statements + 1) if number else np.full(room.statements + 1, room.words)
        lengths[told : room.statements] = 0
        words = draw.integers(min(1, known - 1), known, (room.statements + 1, room.words))
        words *= np.arange(room.words) < lengths[:, None]
        parts = (words[:-1], lengths[:-1], np.int64(told), words[-1], lengths[-1])
        yield tuple(torch.as_tensor(part, dtype=torch.long) for part in parts)


def difference(asked: OneQuestion, session: Any, story: tuple[Tensor, ...]) -> float:
    """The largest difference of a probability between a network and its graph."""
    with torch.no_grad():
        expected, _, _ = asked(*story)
    given = {name: part.numpy() for name, part in zip(INPUTS, story, strict=True)}
    inputs: Mapping[str, Any] = {one.name: given[one.name] for one in session.get_inputs()}
    return float(np.abs(session.run(["probabilities"], inputs)[0] - expected.numpy()).max())


def description(net: Network, vocabulary: Vocabulary, saved: Mapping[str, Any], room: Room) -> dict[str, Any]:
    """What is to be known of a graph to ask it, as JSON values: its room, its words and answers, how texts are read."""
    return {
        "format": 1,
        "model": saved["model"],
        "data": saved["data"],
        "statements": room.statements,
        "words": room.words,
        "memory_size": net.config.memory_size,
        "unknown": 0,
        "stop": vocabulary.stop,
        "no_answers": vocabulary.no_answers,
        "no_evidence": vocabulary.no_evidence,
        "markers": list(vocabulary.markers),
        "temperature": float(saved.get("temperature", 1.0)),
        **vocabulary.saved(),
    }


def export(folder: Path, file: Path, statements: int | None = None, words: int | None = None) -> Room:
    """Write the graph of the network in a folder, and what is to be known of it beside it, as ``.json``; its room.

    Without ``statements`` and ``words`` that is what training had. Raises :class:`~memnet.errors.NetworkError`.
    """
    net, vocabulary, saved = load_network(folder)
    room = Room(statements or net.sizes.ages, words or max(1, net.sizes.longest))
    if room.statements > net.config.memory_size:
        raise NetworkError(f"this network remembers {net.config.memory_size} statements; a graph has room for as many at most")
    graph = graph_of(net, room)
    write_atomically(file, graph)
    write_json(file.with_suffix(".json"), description(net, vocabulary, saved, room))
    return room

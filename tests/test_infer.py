"""Networks in numpy: the core by hand, every packaged network against torch."""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch

import memnet
from memnet.ask.engine import side_by_side
from memnet.ask.hub import BUNDLED, find_network, packaged
from memnet.ask.predictor import Predictor
from memnet.ask.torch_engine import TorchEngine
from memnet.encode.saved import CONFIG, MODEL
from memnet.encode.vocabulary import STOP_NUMBER
from memnet.errors import NetworkError
from memnet.facts.network import FactNetwork
from memnet.facts.numbers import Numbers as FactNumbers
from memnet.facts.numbers import padded
from memnet.facts.reader import GATE, FactReader
from memnet.infer.answers import beam_search
from memnet.infer.attention import Heads, Tournament, argmax, attend, log_normalized, normalized, over_heads, softmax
from memnet.infer.layers import Linear, Norm, standardized
from memnet.infer.retriever import Retriever
from memnet.infer.saved import NETWORKS, open_network
from memnet.memory.long_memory import READER, RETRIEVER
from memnet.memory.relations.network import RelationNetwork
from memnet.memory.relations.network import padded as padded_relations
from memnet.memory.relations.reader import RelationReader
from memnet.memory.relations.words import START_FACT, number, split, window
from memnet.memory.relations.words import side_by_side as numbers_side_by_side
from memnet.memory.search import Searcher
from memnet.models.finder import Finder
from memnet.models.retriever import Retriever as TrainedRetriever
from memnet.nn.random import MetaInit
from memnet.reading.answers import TrainedReader
from memnet.reading.arrays import Arrays
from memnet.reading.compared import Candidate, compare
from memnet.reading.network import Batch, Reader
from memnet.reading.tokens import encode
from memnet.reading.words import Words
from memnet.tasks.families import find
from memnet.tasks.families.archive import ENVIRONMENT
from memnet.tasks.simulator import PUBLISHED_TASKS, simulate
from memnet.tasks.text import Story
from memnet.tasks.text.tokens import split as split_words

CLOSE = 1e-5  # of probabilities
BY_TORCH = {"memn2n": 2e-5}  # what torch itself rounds: in numpy this one is computed in 64 bits
FOLDERS = [*packaged(), str(READER)]
TOLD = ["Ann took the lamp.", "She went to the attic.", "Bob sold his bike on Monday.", "The landlord of flat 3 is Mr Osei."]

# The core, by hand


def test_a_softmax_with_and_without_reading_nothing():
    logits = np.log(np.array([[1.0, 2.0, 5.0]], np.float32))
    np.testing.assert_allclose(softmax(logits, logits)[0], [[1 / 8, 2 / 8, 5 / 8]], rtol=1e-6)
    weights, nothing = softmax(logits, logits, np.log(np.array([2.0], np.float32)))
    np.testing.assert_allclose(weights, [[0.1, 0.2, 0.5]], rtol=1e-6)
    np.testing.assert_allclose(nothing, [0.2], rtol=1e-6)
    np.testing.assert_allclose(log_normalized(logits), np.log([[1 / 8, 2 / 8, 5 / 8]]), rtol=1e-6)
    assert normalized(np.full((1, 3), -np.inf, np.float32)).tolist() == [[0, 0, 0]], "who may read nothing reads zeros"
    assert np.isfinite(normalized(np.array([[1e4, -1e4]], np.float32))).all()


def test_what_is_masked_is_not_read_and_a_bias_counts():
    query, key = np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 3.0], [0.0, 4.0], [9.0, 5.0]], np.float32)
    mask, bias = np.array([True, True, False]), np.log(np.array([3.0, 1.0, 1.0], np.float32))
    trace = attend(query, key, key, mask=mask, bias=bias)
    np.testing.assert_allclose(trace.weights, [[0.75, 0.25, 0]], rtol=1e-6)
    np.testing.assert_allclose(trace.output, [[0, 0.75 * 3 + 0.25 * 4]], rtol=1e-6)
    assert trace.logits[0, 2] == -np.inf


def test_argmax_reads_the_oldest_of_equals_and_a_tournament_the_newest_that_is_nearly_as_good():
    logits = np.array([[1.0, 3.0, 3.0, -np.inf], [-np.inf] * 4], np.float32)
    assert argmax(logits, logits)[0].tolist() == [[0, 1, 0, 0], [0, 0, 0, 0]]
    query = np.array([[1.0]], np.float32)
    newer = Tournament(np.array([[0.0], [0.5]], np.float32))  # being the newer of two is worth half
    close = np.array([[2.0, 1.6, 1.0]], np.float32)
    assert newer(close, query)[0].tolist() == [[0, 1, 0]], "1.6 + 0.5 beats 2, 1 + 0.5 does not beat 1.6"
    weights, nothing = newer(close, query, np.array([1.7], np.float32))
    assert weights.tolist() == [[0, 0, 0]]
    assert nothing is not None
    assert nothing.tolist() == [1.0]


def test_heads_read_by_themselves_and_prefer_distances():
    one = np.eye(2, dtype=np.float32)
    weights = {f"{name}.weight": one for name in ("query", "key", "value", "out")}
    weights |= {f"{name}.bias": np.zeros(2, np.float32) for name in ("query", "key", "value", "out")}
    near = np.log(np.array([[1.0, 1.0], [3.0, 1.0], [1.0, 1.0]], np.float32))  # the first head prefers its own place
    heads = Heads(weights, 2, near)
    x = np.array([[[0.0, 5.0], [0.0, 0.0]]], np.float32)
    distance = np.array([[0, -1], [1, 0]])
    trace = heads.ask(x, heads.prepare(x), np.ones((2, 2), bool), bias=heads.near(distance, np.ones((2, 2), bool)))
    np.testing.assert_allclose(trace.weights[0, 0], [[0.75, 0.25], [0.25, 0.75]], rtol=1e-6)
    np.testing.assert_allclose(trace.weights[0, 1, 1], [0.5, 0.5], rtol=1e-6)
    assert over_heads(trace).weights.shape == (1, 2, 2)


# Against torch


def test_a_map_may_hold_the_weight_and_bias_of_the_norm_before_it():
    norm = Norm(np.array([2, 0.5, 1], np.float32), np.array([1, 0, -1], np.float32))
    linear = Linear(np.array([[1, 2], [3, 4], [5, 6]], np.float32), np.array([10, 20], np.float32))
    x = np.array([[1, 2, 3], [-4, 0, 7]], np.float32)
    root = np.sqrt(1.5, dtype=np.float32)  # one over the standard deviation of 1, 2, 3
    assert np.allclose(standardized(x[0]), [-root, 0, root], atol=1e-4)
    assert np.allclose(linear.after(norm)(standardized(x)), linear(norm(x)), atol=1e-4)
    assert np.allclose(Linear(linear.weight).after(norm)(standardized(x)), Linear(linear.weight)(norm(x)), atol=1e-4)


def test_a_beam_ends_where_every_answer_has_its_stop():
    first = np.log(np.array([[0.2, 0.0, 0.5, 0.3]], np.float32) + np.float32(1e-9))
    asked = []

    def more(said: np.ndarray, parent: np.ndarray) -> np.ndarray:
        asked.append(said.shape)
        return np.where(np.arange(4) == STOP_NUMBER, 0, -50).astype(np.float32) + np.zeros((*parent.shape, 1), np.float32)

    found, log = beam_search(first, more, 5, 2)
    assert found.tolist() == [[[2, *[STOP_NUMBER] * 4], [3, *[STOP_NUMBER] * 4]]]
    assert asked == [(1, 2, 1)]  # the words after the stop are not asked for
    assert np.allclose(np.exp(log), [[0.625, 0.375]], atol=1e-3)  # of the words but the stop, which no answer begins with


@cache
def both(folder: str) -> tuple[Predictor, Predictor]:
    """A network in numpy and in torch, without the reader of English: each question is the network's own."""
    found = Predictor.load(find_network(folder))
    assert found.engine.name == "numpy"
    found.english = None
    trained = Predictor(TorchEngine(found.net, found.vocabulary), found.vocabulary, found.metadata)
    return found, trained


def check_same(folder: str, asked: Sequence[tuple[Sequence[str], str]]) -> None:
    """The same answers, probabilities, evidence and reasons of both."""
    mine, trained = both(folder)
    close = BY_TORCH.get(folder, CLOSE)
    for (story, question), one, other in zip(
        asked, mine.ask_many(asked, 2, None), trained.ask_many(asked, 2, None), strict=True
    ):
        said = f"{question} about {list(story)}"
        assert one.probability == pytest.approx(other.probability, abs=close), said
        assert one.unanswerable == pytest.approx(other.unanswerable, abs=close), said
        if abs(other.probability - max([chance for _, chance in other.runners_up], default=0)) > close:  # no tie
            assert (one.answer, one.reason, one.answerable) == (other.answer, other.reason, other.answerable), said
        assert [read.number for read in one.evidence] == [read.number for read in other.evidence], said
        for hop, wanted in zip(one.hops, other.hops, strict=True):
            weights = {read.number: read.weight for read in wanted}
            assert {read.number: read.weight for read in hop} == pytest.approx(weights, abs=2 * close), said
        assert one.null_weights == pytest.approx(other.null_weights, abs=2 * close), said


def questions_of(stories: Sequence[Story]) -> Iterator[tuple[Sequence[str], str]]:
    return ((story.statements[: question.after], question.text) for story in stories for question in story.questions)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: Path(folder).name)
def test_every_packaged_network_answers_as_in_torch(folder: str):
    asked = [pair for task in PUBLISHED_TASKS for pair in [*questions_of(simulate(task, 5, 7))][:4]]
    asked += [(TOLD, "Where is Kim?"), (["Zork blicked the wug."], "Where is the wug?")]
    check_same(folder, asked)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get(ENVIRONMENT), reason="needs the published stories")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: Path(folder).name)
def test_every_published_question_is_answered_as_in_torch(folder: str):
    for task in find([f"babi/{task}" for task in PUBLISHED_TASKS]):
        check_same(folder, [*questions_of(task.test)])


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: Path(folder).name)
def test_both_are_one_network(folder: str):
    mine, trained = both(folder)
    assert mine.identity == trained.identity
    assert mine.engine.title == trained.engine.title
    assert mine.engine.parameters == trained.engine.parameters
    assert mine.engine.keeps_stories == trained.engine.keeps_stories
    story = ["Mary went to the kitchen.", "John moved to the garden."]
    kept = trained.encode_story(story)
    assert mine.ask(kept, "Where is Mary?").answer == trained.ask(kept, "Where is Mary?").answer, "kept by the other"
    assert mine.ask(mine.encode_story(story), "Where is John?").probability == pytest.approx(
        trained.ask(story, "Where is John?").probability, abs=CLOSE
    )


def in_torch(net: torch.nn.Module, weights: dict[str, np.ndarray], replicas: bool = False) -> torch.nn.Module:
    """A torch network with the weights of one in numpy."""
    state = {name: torch.from_numpy(value[None] if replicas else np.array(value)) for name, value in weights.items()}
    missing = net.load_state_dict(state, strict=False, assign=replicas)
    assert not missing.unexpected_keys
    return net.eval().requires_grad_(False)


def test_the_reader_of_english():
    reader, words = TrainedReader.load(BUNDLED / "english"), Words.load()
    net = in_torch(Reader(reader.reader.config, words.vectors), dict(reader.reader.weights))
    told = [split_words(text) for text in TOLD]
    asked = [(split_words("Where is the lamp?"), 4), (split_words("Who sold a bike, and when?"), 3)]
    encoded = [encode(told, asked, words), encode(told[:2], asked[:1], words)]
    arrays = Arrays.of(encoded, np.random.default_rng(0), reader.reader.config.marker_dim)
    output, wanted = reader.reader(arrays), net(Batch(*map(torch.from_numpy, arrays)))
    np.testing.assert_allclose(normalized(output.answer), wanted.answer.softmax(-1).numpy(), atol=CLOSE)
    np.testing.assert_allclose(np.exp(output.spans), wanted.spans.exp().numpy(), atol=CLOSE)
    np.testing.assert_allclose(np.exp(output.evidence), wanted.evidence.exp().numpy(), atol=CLOSE)
    np.testing.assert_allclose(output.reason, wanted.reason.numpy(), atol=1e-4)


def test_the_network_of_facts():
    reader = FactReader.load()
    net = in_torch(FactNetwork(reader.network.config, Words.load().vectors), dict(reader.network.weights))
    net = net.double()  # its logits are up to 300, which 32 bits know within 3e-5
    rows = padded([FactNumbers().sentence(split_words(text), False) for text in TOLD])
    output, wanted = reader.network(rows), net(torch.from_numpy(rows))
    np.testing.assert_allclose(normalized(output.kind), wanted.kind.softmax(-1).numpy(), atol=CLOSE)
    np.testing.assert_allclose(normalized(output.start), wanted.start.softmax(-1).numpy(), atol=CLOSE)
    np.testing.assert_allclose(normalized(output.end), wanted.end.softmax(-1).numpy(), atol=CLOSE)


def test_the_network_of_relations():
    mine = RelationReader.load().net
    net = RelationNetwork(mine.sizes, Words.load().vectors, MetaInit())
    in_torch(net, dict(mine.weights), replicas=True)
    rows = [number(split(text), START_FACT, (0, 1)) for text in TOLD]
    read, wanted = mine.read(*numbers_side_by_side(rows)), net.read(*padded_relations(rows))
    np.testing.assert_allclose(read.pointers, wanted.pointers.numpy(), atol=1e-4)
    np.testing.assert_allclose(read.gates, wanted.gates.numpy(), atol=1e-4)
    np.testing.assert_allclose(mine.keys(read), net.keys(wanted).numpy(), atol=CLOSE)
    np.testing.assert_allclose(mine.alignment(read), net.alignment(wanted)[0].numpy(), atol=CLOSE)
    key = mine.keys(read)
    (trace, logits), (other, scores) = mine.address(key[1], key), net.address(torch.from_numpy(key[1]), torch.from_numpy(key))
    assert trace.weights.tolist() == other.weights[0, 0].tolist()
    np.testing.assert_allclose(logits, scores.numpy(), atol=1e-4)
    windows = np.stack([window(split(text), (1, 2)) for text in TOLD])
    np.testing.assert_allclose(mine.glance(windows), net.glance(torch.from_numpy(windows).long()).numpy(), atol=1e-4)


@pytest.mark.parametrize("folder", [RETRIEVER, GATE], ids=["retriever", "gate"])
def test_what_keeps_statements(folder: Path):
    long = " ".join(f"word{number}" for number in range(60))
    told = [*TOLD, "", long, "It was the best of times.", "...", "Mary went to the kitchen", ""]
    scores, wanted = Retriever.load(folder).scores(told), TrainedRetriever.load(folder).scores(told)
    np.testing.assert_allclose(scores, wanted.numpy(), atol=1e-4)
    assert ((scores > 0) == (wanted.numpy() > 0)).all()
    assert Retriever.load(folder).scores(["", ""]).shape == (2,)


def test_what_searches():
    mine = Searcher.load().net
    net = in_torch(Finder(mine.config, mine.features), dict(mine.weights))
    compared = compare([Candidate(text) for text in TOLD], "Who is the landlord of flat 3?")
    wide = torch.from_numpy(compared.features)[None], torch.from_numpy(compared.similarity)[None]
    wanted, found = net(*wide, torch.ones(1, len(TOLD), dtype=torch.bool)), mine(compared.features, compared.similarity)
    np.testing.assert_allclose(found.logits, wanted.logits[0].numpy(), atol=1e-4)
    assert found.nothing == pytest.approx(float(wanted.nothing), abs=CLOSE)


# What is read at once


def test_stories_are_read_once_and_with_others_of_their_length():
    stories = [["a"], ["b", "c"], ["a"], ["b"], ["d"] * 900, ["e"] * 900]
    pieces = [*side_by_side(stories, 3, beginnings=True)]
    assert sorted(place for piece in pieces for place in piece) == [*range(6)]
    assert max(map(len, pieces)) <= 3
    assert [4] in pieces
    assert [5] in pieces, "two long stories are too much at once"
    assert any({1, 3} <= {*piece} for piece in pieces), "one begins with the other"
    assert [*side_by_side([["a"]] * 5, 2, beginnings=False)] == [[0, 1], [2, 3], [4]]
    assert [*side_by_side([], 2, beginnings=False)] == []


def test_many_questions_are_answered_in_their_order():
    qa = memnet.load()
    asked = [pair for task in ("qa1", "qa3", "qa2") for pair in questions_of(simulate(task, 10, 5))]
    together = qa.ask_many(asked, runners_up=3, batch=7)
    for pair, answer in zip(asked, together, strict=True):
        alone = qa.ask(*pair)
        assert (answer.answer, answer.question) == (alone.answer, alone.question)
        assert answer.probability == pytest.approx(alone.probability, abs=CLOSE)


# What is left to torch


def changed(folder: Path, **settings: object) -> Path:
    saved = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    (folder / CONFIG).write_text(json.dumps(saved | settings), encoding="utf-8")
    return folder


def test_every_model_that_is_packaged_has_its_network():
    models = {json.loads((find_network(name) / CONFIG).read_text(encoding="utf-8"))["model"] for name in FOLDERS}
    assert models <= NETWORKS.keys()


@pytest.mark.parametrize(
    "settings", [{"align": "sparsemax"}, {"lr": -1}, {"hops": 2}, {"dim": "wide"}, {"model": "lstm"}], ids=str
)
def test_unusual_and_wrong_settings_are_left_to_torch(settings: dict[str, object], tmp_path: Path):
    shutil.copytree(find_network("memn2n"), tmp_path / "net")
    assert open_network(tmp_path / "net") is not None
    folder = changed(tmp_path / "net", **settings)
    assert open_network(folder) is None
    if settings == {"align": "sparsemax"}:
        assert Predictor.load(folder).engine.name == "torch"
        assert Predictor.load(folder).ask(TOLD, "Where is Ann?").hops
    else:
        with pytest.raises(NetworkError):
            Predictor.load(folder)


def test_a_folder_that_cannot_be_read_is_refused_in_the_same_words(tmp_path: Path):
    for name in (CONFIG, MODEL):
        folder = tmp_path / name
        shutil.copytree(find_network("memn2n"), folder)
        (folder / name).unlink()
        with pytest.raises(NetworkError, match=f"{name} is missing"):
            Predictor.load(folder)


# A story that goes on


# What a plain installation lacks

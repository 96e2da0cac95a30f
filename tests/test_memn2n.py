"""MemN2N: against numpy from the paper's formulas, and what must change no answer."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from memnet.ask.predictor import Predictor
from memnet.attention.reinforce import MovingMean
from memnet.config import Training
from memnet.encode.batch import batches
from memnet.encode.examples import Examples, examples
from memnet.encode.vocabulary import Vocabulary
from memnet.measure.floor import Counted
from memnet.models import MODELS, MemN2N, Network, memn2n, model_of
from memnet.models.memn2n import MemN2NConfig
from memnet.nn.random import Random
from memnet.papers import PRESETS
from memnet.tasks.text import Question, Story
from memnet.training.evaluate import evaluate, retrieval
from tests.by_hand import softmax
from tests.conftest import wander
from tests.training import batch_of


def made(config: MemN2NConfig, replicas: int = 2, stories: list[Story] | None = None) -> tuple[MemN2N, Examples, Vocabulary]:
    net, data, vocabulary = network(config, replicas, stories)
    assert isinstance(net, MemN2N)
    return net, data, vocabulary


def network(config: Training, replicas: int = 2, stories: list[Story] | None = None) -> tuple[Network, Examples, Vocabulary]:
    """A network of any kind, with its first weights, or fitted; its stories; its vocabulary."""
    told, kind = stories or wander(1), MODELS[model_of(config)]
    vocabulary = Vocabulary.of(told, config.decoder == "words")
    data = examples([told], vocabulary, config.memory_size)
    net = kind(config, kind.measure(config, data, vocabulary), Random(3, replicas, "weights"))
    if config.fitted:
        net.fit(data)
    return net, data, vocabulary


def logits(net: Network, data: Examples, index: list[int], dense: bool | None = None) -> torch.Tensor:
    batch = batch_of(net, data, index)
    codes = net.encode_data(data)
    if dense is not None:
        assert (codes.sentences.dense is not None) or not dense
        codes = codes._replace(sentences=codes.sentences._replace(dense=codes.sentences.dense if dense else None))
    return net(batch, codes).logits[:, :, 0, 0]


@pytest.mark.parametrize("preset", [name for name, config in PRESETS.items() if model_of(config) == "memn2n"])
def test_networks_against_numpy(preset: str):
    """Every preset's forward pass, word by word, as sections 2 and 4.1 of the paper write it."""
    config = replace(PRESETS[preset], dim=6)
    net, data, vocabulary = made(config, 1)
    tables = net.embedding.detach().numpy()[0].astype(np.float64)  # (matrices, V + S, D)
    words, ages = tables[:, : len(vocabulary)], tables[:, len(vocabulary) :]
    d, longest = config.dim, net.sizes.longest

    def l_kj(j: int, length: int) -> np.ndarray:
        k = np.arange(1, d + 1)
        if config.encoding == "bow":
            return np.ones(d)
        if config.encoding == "pe":
            return (1 - j / length) - (k / d) * (1 - 2 * j / length)
        return 1 + 4 * (k - (d + 1) / 2) * (j - (longest + 1) / 2) / (d * longest)

    def encode(matrix: int, row: np.ndarray, length: int) -> np.ndarray:
        return sum(words[matrix, word] * l_kj(j, length) for j, word in enumerate(row[:length], 1))

    for number in (0, 1, 2, 17):
        table, asked = data.sentences, data.question[number]
        told = data.memory[number, : data.count[number]].tolist()
        adjacent = config.tying == "adjacent"
        state = encode(0 if adjacent else 2, data.questions.words[asked], data.questions.lengths[asked])
        for hop in range(config.hops):
            a, c = (hop, hop + 1) if adjacent else (0, 1)
            newest = len(told) - 1
            m = np.array([encode(a, table.words[r], table.lengths[r]) + ages[a, newest - i] for i, r in enumerate(told)])
            o = np.array([encode(c, table.words[r], table.lengths[r]) + ages[c, newest - i] for i, r in enumerate(told)])
            unused = net.sizes.ages - len(told) if config.null == "unused" else 0
            p = softmax(np.concatenate([m @ state, np.zeros(unused)]))[: len(told)]
            if not adjacent:
                state = state @ net.state_map.weight.detach().numpy()[0]
            state = state + p @ o
            if config.relu:
                state = np.maximum(state, 0)
        expected = words[config.hops if adjacent else 3] @ state
        np.testing.assert_allclose(logits(net, data, [number])[0, 0].detach().numpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("tying", ["adjacent", "layerwise"])
@pytest.mark.parametrize("encoding", ["bow", "pe", "pe_code"])
def test_memories_by_matrix_and_by_word_agree(encoding: str, tying: str):
    net, data, _ = made(MemN2NConfig(encoding=encoding, tying=tying))
    index = list(range(0, len(data), 3))
    by_matrix, by_word = logits(net, data, index, dense=True), logits(net, data, index, dense=False)
    torch.testing.assert_close(by_matrix, by_word, rtol=1e-4, atol=1e-5)
    (one,) = torch.autograd.grad(by_matrix.square().sum(), net.embedding)
    (two,) = torch.autograd.grad(by_word.square().sum(), net.embedding)
    torch.testing.assert_close(one, two, rtol=1e-3, atol=1e-4)


def test_every_kind_of_network_has_its_configuration_and_preset():
    assert {
        name: model_of(PRESETS[single]) for name, (single, _) in ((name, kind.presets) for name, kind in MODELS.items())
    } == {name: name for name in MODELS}


WITHOUT_NAMES = [name for name in PRESETS if model_of(PRESETS[name]) != "walk"]  # that needs names: tests/test_walk.py


@pytest.mark.parametrize("preset", WITHOUT_NAMES)
def test_padding_and_batch_size_change_no_answer(preset: str):
    net, data, _ = network(PRESETS[preset])
    index = list(range(len(data)))
    whole = logits(net, data, index)
    some = index[:12]  # of four stories, after two, four and six statements
    alone = torch.cat([logits(net, data.select(torch.tensor([i])), [0]) for i in some], 1)  # each padded to itself
    torch.testing.assert_close(whole[:, some], alone, rtol=1e-4, atol=1e-5)
    hidden = data.memory.clone()
    hidden[torch.arange(hidden.shape[1]) >= data.count.unsqueeze(1)] = 1
    filled = Examples(**{**data.__dict__, "memory": hidden})
    assert torch.equal(logits(net, filled, index), whole)
    small, large = evaluate(net, data, batch=7), evaluate(net, data, batch=1000)
    torch.testing.assert_close(small.loss, large.loss, rtol=1e-4, atol=1e-5)
    first, second = whole.detach().topk(2, -1).values.unbind(-1)  # (R, N)
    clear = first - second > 1e-5 * (1 + first.abs())  # the answer does not hang on rounding
    assert float(clear.double().mean()) > 0.9
    assert torch.equal(small.prediction[clear], large.prediction[clear])


def test_the_order_of_sentences_matters():
    """A loader that reverses stories would pass no later test of learning; this one sees it at once."""
    net, data, _ = made(MemN2NConfig())
    turned = data.memory.clone()
    for row, count in zip(turned, data.count.tolist(), strict=True):
        row[:count] = row[:count].flip(0)
    backwards = Examples(**{**data.__dict__, "memory": turned})
    assert not torch.allclose(logits(net, data, [2]), logits(net, backwards, [2]))
    ageless = made(MemN2NConfig(temporal=False))[0]
    torch.testing.assert_close(logits(ageless, data, [2]), logits(ageless, backwards, [2]))


def test_one_replica_cut_out_is_the_same_network():
    net, data, _ = made(MemN2NConfig(tying="layerwise"), replicas=3)
    whole, one = logits(net, data, [0, 5]), net.replica(1)
    torch.testing.assert_close(logits(one, data, [0, 5])[0], whole[1])
    with torch.no_grad():
        one.embedding.zero_()
    assert bool(net.embedding[1].abs().sum() > 0)


def test_replicas_start_apart_and_alike_for_any_number():
    first, second = made(MemN2NConfig(), replicas=2)[0].embedding, made(MemN2NConfig(), replicas=5)[0].embedding
    assert torch.equal(first, second[:2])
    assert not torch.equal(second[0], second[1])
    assert abs(float(second.detach().std()) - 0.1) < 0.01


def test_retrieval_by_hand():
    told = wander(1)
    data = examples([told], Vocabulary.of(told), 50).select(torch.arange(4))
    facts = torch.tensor([[0, 2], [1, -1], [-1, -1], [3, 1]])
    data = Examples(**{**data.__dict__, "facts": facts, "lost": torch.tensor([0, 1, 0, 0])})
    read = torch.tensor([[0, 0, 1], [1, 1, -1], [5, 5, 5], [1, 3, -1]])
    found = retrieval(read, data)  # the third question has no fact; the second's other fact is beyond the memory
    assert found.precision == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert found.recall == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)
    assert found.exact == pytest.approx(1 / 3)
    assert found.hops == [1.0, 1.0, 0.0]
    nothing = retrieval(torch.full((4, 2), -1), data)
    assert (nothing.precision, nothing.recall, nothing.exact, nothing.hops) == (None, 0.0, 0.0, [None, None])
    assert retrieval(read[2:3], data.select(torch.tensor([2]))).flat() == dict.fromkeys(
        ("fact_precision", "fact_recall", "fact_exact")
    ) | {"fact_hops": []}
    assert retrieval(torch.zeros(4, 0), data).recall is None  # a network without hops


@pytest.mark.parametrize("settings", [{}, {"tying": "layerwise"}, {"encoding": "bow", "temporal": False}, {"null": "none"}])
def test_what_is_remembered_answers_as_what_is_read(settings: dict[str, object], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("memnet.attention.rows.AT_ONCE", 7)  # memories are made in parts
    net, data, _ = made(MemN2NConfig(**settings))
    batch = batch_of(net, data, range(5))
    codes = net.encode_data(data)
    read, recalled = net(batch, codes), net.answer_from(net.encode_story(batch, codes), batch, codes)
    torch.testing.assert_close(read.logits, recalled.logits, rtol=1e-4, atol=1e-5)
    for one, two in zip(read.traces, recalled.traces, strict=True):
        torch.testing.assert_close(one.weights, two.weights, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("preset", ["pe-ls-rn", "masked", "dmn-plus", "memnn-am-ng-nl"])
def test_a_story_is_asked_about_again_and_again(preset: str):
    config = replace(PRESETS[preset], memory_size=6)
    net, _, vocabulary = network(config, 1)
    predictor, story = Predictor(net, vocabulary), (wander(2)[0].statements * 9)[:9]
    memory = predictor.encode_story(story)
    for question in ("Where is Mary?", "Where is John?"):
        asked, again = predictor.ask(story, question), predictor.ask(memory, question)
        assert asked.answer == again.answer
        assert asked.probability == pytest.approx(again.probability, rel=1e-4)
        assert predictor.ask(memory, question, reads=1).hops == [hop[:1] for hop in again.hops]
        assert again.truncated == 3


def test_long_memories_are_cut_like_short_ones():
    story = Story(tuple(f"Mary went to place{n}." for n in range(20_000)), (Question("Where is Mary?", "place1", (), 20_000),))
    vocabulary = Vocabulary.of([story])
    batch = next(batches(examples([[story]], vocabulary, 20_000), torch.zeros(1, 1, 1, dtype=torch.long), 50))
    assert batch.num_memories.tolist() == [[20_000]]
    assert batch.age[-52:].tolist() == [49, 49, *range(49, -1, -1)]
    assert batch.sentence.tolist() == list(range(20_000))


@pytest.mark.parametrize("preset", ["bow", "pe", "pe-ls-rn", "pe-ls-lw-joint"])
def test_of_a_large_vocabulary_only_a_batchs_words_are_looked_at(preset: str, monkeypatch: pytest.MonkeyPatch):
    net, data, _ = made(PRESETS[preset])
    batch, codes = batch_of(net, data, [0, 5, 3]), net.encode_data(data)
    codes = codes._replace(sentences=codes.sentences._replace(dense=None))

    def step() -> tuple[torch.Tensor, torch.Tensor]:
        objective = net.objective(batch, codes, Random(0, 2), MovingMean(2)).objective
        return objective.detach(), torch.autograd.grad(objective.sum(), net.embedding)[0]

    whole = step()
    monkeypatch.setattr(memn2n, "MANY_WORDS", 0)
    for one, other in zip(whole, step(), strict=True):
        assert torch.allclose(one, other, atol=1e-6)
    assert whole[1].abs().max() > 1e-3


def test_a_large_vocabulary_costs_a_step_its_answers_alone():
    config, told = replace(PRESETS["pe-ls-rn"], dim=4), wander(1)
    vocabulary = Vocabulary.of(told)
    data = examples([told], vocabulary, config.memory_size)
    rest = []
    for words in (10_000, 30_000):
        net = MemN2N(config, data.sizes(vocabulary)._replace(vocabulary=words), Random(3, 2, "weights"))
        batch, codes = batch_of(net, data, [0, 5, 3]), net.encode_data(data)
        with Counted() as counted:
            objective = net.objective(batch, codes, Random(0, 2), MovingMean(2)).objective
            torch.autograd.grad(objective.sum(), net.embedding)
        rest.append(counted.operations - 3 * 2 * 2 * 3 * words * config.dim)  # forward and twice backward, R = 2, B = 3
    assert 0 < rest[0] == rest[1]

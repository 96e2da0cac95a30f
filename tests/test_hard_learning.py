"""What hard attention learns, what a question costs that is asked, and the options beside it."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import Attention, Rows, argmax, dot, hard, weighted_sum
from memnet.attention import attend as attend_module
from memnet.attention.reinforce import MovingMean
from memnet.config import Training, override
from memnet.encode.batch import batches
from memnet.models import MODELS, dmn, encoders, model_of
from memnet.models.dmn import DMNConfig
from memnet.models.lstm import LSTMConfig
from memnet.models.memnn import MemNNConfig
from memnet.models.transformer import TransformerConfig
from memnet.nn.random import Random, SharedRandom
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from memnet.training.spec import specify
from memnet.training.state import METRICS
from tests.conftest import wander
from tests.test_hard import DRAWN, EXACT, TRAINED, brute_force, gradients, sharper, short
from tests.test_memn2n import network
from tests.training import batch_of


def who_is_where(seed: int, stories: int) -> list[Story]:
    """Two people in two of four rooms; one is asked for. To look at random is to be wrong in about four of ten."""
    draw = torch.Generator().manual_seed(seed)
    told = []
    for _ in range(stories):
        rooms = [("kitchen", "garden", "office", "attic")[int(place)] for place in torch.randperm(4, generator=draw)[:2]]
        who = int(torch.randint(2, (1,), generator=draw))
        people = ["Mary", "John"] if int(torch.randint(2, (1,), generator=draw)) else ["John", "Mary"]
        statements = tuple(f"{person} is in the {room}." for person, room in zip(people, rooms, strict=True))
        told.append(Story(statements, (Question(f"Where is {people[who]}?", rooms[who], (who,), 2),)))
    return told


LEARNERS = {
    "memnn": MemNNConfig(dim=16, hops=1, time="age", supervision="answers", epochs=25, lr=0.02, **DRAWN),
    "memnn, exactly": MemNNConfig(dim=16, hops=1, time="age", supervision="answers", epochs=25, lr=0.02, **EXACT),
    "dmn": DMNConfig(dim=16, passes=1, dropout=0.0, batch=20, epochs=25, lr=0.01, l2=0.0, patience=0, **DRAWN),
}


def trained(
    config: Training, restarts: int, train: list[Story], test: list[Story], seed: int = 0, folder: Path | None = None
) -> Any:
    task = Task.of("own/own", train, test, "0")
    spec = specify([task], MODELS[model_of(config)].presets[0], config, seed, restarts)
    return train_networks(spec, DataSet.of([task], config), folder)


@pytest.mark.parametrize("name", LEARNERS)
def test_hard_attention_learns_a_task_from_answers(name: str):
    result = trained(LEARNERS[name], 3, who_is_where(1, 160), who_is_where(2, 100))
    errors = [row["tasks"]["own/own"]["test_error"] for row in result.rows]
    assert min(errors) < 15, errors


@pytest.mark.parametrize("name", ["memn2n", "dmn", "lstm"])
def test_the_mean_over_drawn_addresses_does_not_hang_on_the_batch(name: str):
    config = TRAINED[name][0]
    if name == "lstm":
        config = override(config, {"decoder": "class"})
    net, data, _ = network(override(config, {"test_samples": 7}), 1)
    sharper(net)
    together, apart = evaluate(net, data, batch=128), evaluate(net, data, batch=7)
    torch.testing.assert_close(together.loss, apart.loss, rtol=1e-4, atol=1e-5)
    likeliest = network(config, 1)[0]
    likeliest.load_state_dict(net.state_dict())
    assert float((evaluate(likeliest, data).loss - together.loss).abs().max()) > 1e-3
    batch, codes = batch_of(net, data, [3, 8, 20]), net.encode_data(data)
    with torch.no_grad():
        drawn = net(batch, codes, SharedRandom(0, [0], "evaluation"), 7)
    mean = drawn.logits.softmax(-1).mean(2)[0, :, 0]
    wanted = -mean.gather(1, batch.answer[0]).log().squeeze(1)
    torch.testing.assert_close(together.loss[0, [3, 8, 20]], wanted, rtol=1e-4, atol=1e-4)


def rows_of(dense: bool) -> Rows:
    """Two stories of four places, three memories and two; the same as the memory's own tensor."""
    draw = torch.Generator().manual_seed(2)
    table = torch.randn(1, 6 + 3, 5, generator=draw)  # six words, three ages
    basis = torch.randint(3, (4, 6), generator=draw).float() if dense else None
    place, age = torch.tensor([0, 1, 2, 4, 5]), torch.tensor([2, 1, 0, 3 + 1, 3 + 0])
    if dense:
        return Rows(table, basis, torch.tensor([0, 3, 1, 4 + 2, 4 + 0]), None, age, place, (1, 2, 4), 3)
    words = torch.tensor([[0, 1], [2, 2], [5, 3], [6 + 4, 6 + 0], [6 + 1, 6 + 1]])
    return Rows(table, None, words, torch.rand(5, 2, generator=draw), age, place, (1, 2, 4), 3)


@pytest.mark.parametrize("align", [hard, argmax])
@pytest.mark.parametrize("kind", ["tensor", "dense rows", "listed rows"])
def test_one_row_is_the_weighted_sum_of_weights_that_are_one_hot(kind: str, align: Any):
    rows = rows_of(kind == "dense rows")
    memory = rows.gather() if kind == "tensor" else rows
    mask = torch.zeros(1, 2, 1, 4, dtype=torch.bool)
    mask[0, 0, 0, :3] = mask[0, 1, 0, :2] = True
    draw = torch.Generator().manual_seed(3)
    query, null = torch.randn(1, 2, 30, 5, generator=draw), 2 * torch.randn(1, 2, 30, generator=draw)
    prepared = Attention(dot, align, weighted_sum).prepare(memory)
    for nothing in (None, null):
        for open_to in (mask, torch.zeros_like(mask)):  # and where there is nothing to read
            with torch.no_grad():
                alone = prepared.ask(query, open_to, nothing)
            summed = prepared.ask(query, open_to, nothing)
            torch.testing.assert_close(alone.output, summed.output, rtol=1e-5, atol=1e-6)
            torch.testing.assert_close(alone.output, weighted_sum(alone.weights, rows.gather()), rtol=1e-5, atol=1e-6)
            assert torch.equal(alone.weights, summed.weights)
    read = prepared.ask(query, mask, null).weights.sum((0, 2))
    assert bool((read[0, :3] > 0).all()), "every memory is read by some query"
    assert bool((prepared.ask(query, mask, null).null == 1).any()), "and nothing by some"


@pytest.mark.parametrize("align", ["hard", "argmax"])
@pytest.mark.parametrize("name", ["memn2n", "lstm", "transformer"])
def test_a_question_that_is_asked_costs_one_row_and_no_dense_product(name: str, align: str, monkeypatch: pytest.MonkeyPatch):
    config = TRAINED[name][0]
    if align == "argmax":
        config = override(config, {"align": "argmax", "samples": 0, "baseline": "none"})
    net, data, _ = network(config, 1)
    batch, codes = batch_of(net, data, [1, 5, 9]), net.encode_data(data)
    wanted = net(batch, codes).logits.detach()

    def never(*_: object) -> Tensor:
        raise AssertionError("a product with every memory")

    monkeypatch.setattr(Rows, "mix", never)
    monkeypatch.setattr(attend_module, "prepare_read", lambda read, value: never)
    with torch.no_grad():
        torch.testing.assert_close(net(batch, codes).logits, wanted, rtol=1e-4, atol=1e-5)
    with pytest.raises(AssertionError, match="every memory"):
        net(batch, codes)


@pytest.mark.parametrize("name", ["memn2n", "lstm", "dmn"])
def test_argmax_is_trained_as_softmax_and_asked_as_argmax(name: str, tmp_path: Path):
    """The control row: the same weights as with softmax, bit for bit, read by argmax."""
    config = override(TRAINED[name][0], {"align": "argmax", "samples": 0, "baseline": "none", "epochs": 3})
    stories = wander(1, stories=12), wander(2, stories=5)
    tmp_path.mkdir(exist_ok=True)
    one = trained(config, 2, *stories, folder=tmp_path)
    other = trained(override(config, {"align": "softmax"}), 2, *stories)
    for parameter, value in other.net.state_dict().items():
        assert torch.equal(value, one.net.state_dict()[parameter]), parameter
    phases = {json.loads(line)["phase"] for line in (tmp_path / METRICS).read_text(encoding="utf-8").splitlines()}
    assert phases == {"softmax"}
    data = DataSet.of([Task.of("own/own", *stories, "0")], config).test
    hops = 0
    for net, sharp in ((one.net, True), (other.net, False)):
        with torch.no_grad():
            traces = net(batch_of(net, data, [0, 4, 8]), net.encode_data(data)).traces
        for trace in traces:
            parts = trace.weights if trace.null is None else torch.cat([trace.weights, trace.null.unsqueeze(-1)], -1)
            assert bool(((parts == 0) | (parts == 1)).all()) == sharp
            if sharp:
                assert bool((parts.sum(-1) == 1).all())
            hops += 1
    assert hops >= 2


def test_local_m_in_the_lstm_reads_the_last_words(monkeypatch: pytest.MonkeyPatch):
    """Its window is around the story's last word: five words a statement and three in the question."""
    net, data, _ = network(LSTMConfig(dim=6, dropout=0.0, align="local_m", window=4.0), 1)
    seen, ask = list[Any](), attend_module.Memory.ask

    def recorded(self: Any, query: Tensor, mask: Tensor | None = None, *rest: Any, **options: Any) -> Any:
        seen.append((ask(self, query, mask, *rest, **options), mask))
        return seen[-1][0]

    monkeypatch.setattr(attend_module.Memory, "ask", recorded)
    index = [0, 1, 2]  # after two, four and six statements
    with torch.no_grad():
        output = net(batch_of(net, data, index), net.encode_data(data))
    (trace, mask), *_ = seen
    assert mask is not None
    assert mask.sum(-1).flatten().tolist() == [13, 23, 33]
    assert bool((trace.weights[..., -8:] > 0).all())  # four words before the story's last, itself, and the question's three
    assert bool((trace.weights[..., :-8] == 0).all())
    for row, statements in enumerate([2, 4, 6]):
        weights = output.traces[0].weights[0, row, 0]
        assert weights.nonzero().flatten().tolist() == [statements - 1]
        assert 0 < float(weights.sum()) < 1


def test_a_cost_of_heads_that_read_alike_makes_them_differ():
    config = TransformerConfig(
        dim=16, hidden=16, heads=4, layers=2, dropout=0.0, epochs=8, warmup=0.0, lr=0.005, restore_best=False
    )
    stories = wander(1, stories=30), wander(2, stories=10)
    data = DataSet.of([Task.of("own/own", *stories, "0")], config).test
    alike = []
    for weight in (0.0, 10.0):
        net = trained(override(config, {"head_diversity": weight}), 3, *stories).net
        same = evaluate(net, data).head_similarity
        assert same is not None
        alike.append(same.mean((1, 2)))
    assert float((alike[0] - alike[1]).mean()) > 0.08, alike
    assert bool((alike[1] < alike[0]).all()), alike


@pytest.mark.parametrize(
    "config",
    [
        TransformerConfig(dim=8, hidden=8, heads=2, dropout=0.0),
        DMNConfig(dim=8, dropout=0.0),
        DMNConfig(dim=8, dropout=0.0, input="words", features="kumar", align="sigmoid", read="gated_gru"),
    ],
    ids=["transformer", "dmn+", "dmn"],
)
def test_the_sentences_of_a_batch_are_enough(config: Training, monkeypatch: pytest.MonkeyPatch):
    net, data, _ = network(config, 2)
    codes = net.encode_data(data)
    index = torch.tensor([[[3, 17, 40], [8, 1, 22]]])
    batch = next(batches(data, index, net.sizes.ages))
    wanted, tables = net(batch, codes), list[int]()
    table = encoders.table
    monkeypatch.setattr(encoders, "table", lambda words, code: tables.append(len(code.row)) or table(words, code))
    monkeypatch.setattr(encoders, "FEW", 0)
    monkeypatch.setattr(dmn, "FEW", 0)
    got = net(batch, codes)
    torch.testing.assert_close(got.logits, wanted.logits, rtol=1e-4, atol=1e-5)
    for one, other in zip(got.traces, wanted.traces, strict=True):
        torch.testing.assert_close(one.weights, other.weights, rtol=1e-4, atol=1e-5)
    mine, expected = (
        gradients(net, F.cross_entropy(each.logits.flatten(0, 3), batch.answer.flatten())) for each in (got, wanted)
    )
    for name, part in expected.items():
        torch.testing.assert_close(mine[name], part, rtol=1e-3, atol=1e-5, msg=name)
    if getattr(config, "input", "fusion") == "fusion":
        assert tables, "a table was made"
        assert max(tables) < len(data.sentences.lengths), "of fewer sentences than there are"


def test_hops_that_a_memnn_never_takes_count_once():
    """With facts it takes no more hops than a training question lists, here one of three."""
    config = MemNNConfig(dim=5, hops=3, time="age", supervision="facts", **EXACT)
    net, data, _ = network(config, 1, short())
    sharper(net)
    truth = brute_force(net, data, [0, 1, 2], 1)
    step = net.objective(batch_of(net, data, [0, 1, 2]), net.encode_data(data), Random(0, 1), MovingMean(1))
    torch.testing.assert_close(step.loss.sum(), truth.detach(), rtol=1e-4, atol=1e-4)
    assert float(step.objective.detach().sum()) > float(step.loss.sum()), "and the facts cost something"

"""Hard attention in every model: its exact gradient, what a question costs that is asked, and the options beside it."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import Attention, Rows, argmax, dot, hard, weighted_sum
from memnet.attention import attend as attend_module
from memnet.attention.align import Alignment
from memnet.attention.reinforce import MovingMean
from memnet.config import Training, override
from memnet.encode.batch import batches
from memnet.encode.examples import Examples
from memnet.errors import ConfigError
from memnet.models import MODELS, Network, dmn, encoders, model_of
from memnet.models.dmn import DMNConfig
from memnet.models.lstm import LSTMConfig
from memnet.models.memn2n import MemN2NConfig
from memnet.models.memnn import MemNNConfig
from memnet.models.transformer import TransformerConfig
from memnet.nn.random import Random, SharedRandom
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from memnet.training.optimizer import make_adam, optimizer_step
from memnet.training.spec import specify
from memnet.training.state import METRICS
from tests.conftest import ran, refused, wander
from tests.test_memn2n import network
from tests.training import batch_of

EXACT = {"align": "hard", "gradient": "exact"}
DRAWN = {"align": "hard", "samples": 5, "baseline": "loo"}
EXACT_CONFIGS: dict[str, tuple[Training, int]] = {  # with the number of hops
    "memn2n": (MemN2NConfig(dim=5, hops=2, **EXACT), 2),
    "memn2n without null": (MemN2NConfig(dim=5, hops=2, null="none", **EXACT), 2),
    "dmn": (DMNConfig(dim=5, passes=2, dropout=0.0, **EXACT), 2),
    "memnn": (MemNNConfig(dim=5, hops=2, time="age", supervision="answers", **EXACT), 2),
    "memnn that may stop": (MemNNConfig(dim=5, hops=2, time="age", supervision="answers", adaptive=True, **EXACT), 2),
    "memnn that may stop, more hops": (
        MemNNConfig(dim=5, hops=3, time="age", supervision="answers", adaptive=True, **EXACT),
        3,
    ),
}


class Forced:
    """In place of an alignment: reads the address that it is told in each hop, and says how likely that was."""

    def __init__(self, addresses: tuple[int, ...], ends: bool) -> None:
        self.addresses, self.ends = list(addresses), ends
        self.chance = torch.ones(())
        self.over, self.possible = False, True

    def __call__(self, logits: Tensor, mask: Tensor, query: Tensor, null: Tensor | None = None, **_: object) -> Alignment:
        assert logits.shape[:3] == (1, 1, 1), "one question, read once"
        scores = logits.flatten()
        every = scores if null is None else torch.cat([scores, null.flatten()])
        address, one_hot = self.addresses.pop(0), torch.zeros(len(every))
        if self.over or not bool(every.isfinite().any()):  # there is no choice: one way counts, that of address 0
            self.possible &= address == 0
        elif bool(every[address].isfinite()):
            powers = torch.where(every.isfinite(), (every - every.max().detach()).exp(), torch.zeros(()))
            self.chance = self.chance * powers[address] / powers.sum()
            one_hot[address] = 1.0
        else:
            self.possible = False
        self.over |= self.ends and null is not None and address == len(scores)
        weights = one_hot[: len(scores)].view_as(logits)
        return Alignment(weights, None if null is None else one_hot[-1].view_as(null))


def sequences(choices: int, number: int) -> Iterator[tuple[int, ...]]:
    if number == 0:
        yield ()
        return
    for rest in sequences(choices, number - 1):
        for first in range(choices):
            yield (first, *rest)


def brute_force(net: Network, data: Examples, index: list[int], hops: int) -> Tensor:
    """E[f], summed over questions and address sequences, each read by itself."""
    total, attend, own = torch.zeros(()), net.attend, net.attend.align
    codes = net.encode_data(data)
    for number in index:
        batch, mass = batch_of(net, data, [number]), 0.0
        for addresses in sequences(net.num_choices(batch), hops):
            forced = Forced(addresses, ends=type(net).__name__ == "MemNN")
            del attend.align
            attend.align = forced
            output = net(batch, codes, given=batch.answer)
            if forced.possible and not any(forced.addresses):  # of hops that were not taken, too, one way counts
                loss = net.loss(output.logits, batch.answer.unsqueeze(2)).sum()
                total, mass = total + forced.chance * loss, mass + float(forced.chance.detach())
        assert mass == pytest.approx(1.0, abs=1e-5)
    del attend.align
    attend.align = own
    return total


def short(seed: int = 1) -> list[Story]:
    """Stories of one to three statements."""
    return [
        replace(one, statements=one.statements[: 1 + number % 3], questions=(replace(one.questions[0], after=1 + number % 3),))
        for number, one in enumerate(wander(seed, stories=6, statements=3, questions=3))
    ]


def gradients(net: Network, value: Tensor) -> dict[str, Tensor]:
    names, parameters = zip(*net.named_parameters(), strict=True)
    parts = torch.autograd.grad(value, parameters, allow_unused=True, materialize_grads=True)
    return dict(zip(names, parts, strict=True))


def sharper(net: Network) -> None:
    """Larger weights: chances that differ from each other."""
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.mul_(3.0)


BARE = Story((), (Question("Where is Mary?", "kitchen", (), 0),))


@pytest.mark.parametrize(
    ("name", "stories", "index"),
    [
        *((name, short(), [0, 1, 2, 4]) for name in EXACT_CONFIGS),
        *((name, [BARE, *short()], [0, 3]) for name in ("memn2n without null", "dmn")),  # nothing to read: one way counts
    ],
)
def test_the_exact_gradient_is_the_sum_over_every_sequence_of_addresses(name: str, stories: list[Story], index: list[int]):
    config, hops = EXACT_CONFIGS[name]
    net, data, _ = network(config, 1, stories)
    sharper(net)
    truth = brute_force(net, data, index, hops)
    step = net.objective(batch_of(net, data, index), net.encode_data(data), Random(0, 1), MovingMean(1))
    torch.testing.assert_close(step.objective.sum(), truth, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(step.loss.sum(), truth.detach(), rtol=1e-4, atol=1e-4)
    mine, its = gradients(net, step.objective.sum()), gradients(net, truth)
    scale = max(float(part.abs().max()) for part in its.values())
    for parameter, part in its.items():
        torch.testing.assert_close(mine[parameter], part, rtol=1e-3, atol=1e-4 * scale, msg=parameter)


@pytest.mark.parametrize("name", ["memn2n", "dmn", "memnn that may stop"])
def test_the_mean_of_many_estimates_tends_to_the_exact_gradient(name: str):
    """Along the exact gradient of every parameter: within 5 standard errors of 40 estimates, and far from nothing."""
    config, _ = EXACT_CONFIGS[name]
    many = 40
    one, data, _ = network(config, 1, short())
    sharper(one)
    index = [0, 2, 4]
    truth = one.objective(batch_of(one, data, index), one.encode_data(data), Random(0, 1), MovingMean(1)).objective.sum()
    exact = gradients(one, truth)
    net, _, _ = network(override(config, {"gradient": "reinforce", "samples": 300, "baseline": "loo"}), many, short())
    net.load_state_dict(
        {key: value.expand(many, *value.shape[1:]) if key in exact else value for key, value in one.state_dict().items()}
    )
    step = net.objective(batch_of(net, data, index), net.encode_data(data), Random(5, many), MovingMean(many))
    found, far = gradients(net, step.objective.sum()), []
    for parameter, part in exact.items():
        length = float(part.norm())
        if length > 1e-4:
            along = (found[parameter] * part).flatten(1).sum(1).double() / length
            error = float(along.std()) / math.sqrt(many)
            assert abs(float(along.mean()) - length) < 5 * error + 1e-4 * length, parameter
            far.append(length / max(error, 1e-9))
    assert sorted(far)[len(far) // 2] > 10


def test_a_sum_over_too_many_sequences_is_refused():
    net, data, _ = network(MemN2NConfig(dim=4, hops=5, **EXACT), 1, wander(1))  # (6 + 1)^5
    with pytest.raises(ConfigError, match="16,807; at most 4,096"):
        net.objective(batch_of(net, data, [0]), net.encode_data(data), Random(0, 1), MovingMean(1))
    fewer, data, _ = network(MemN2NConfig(dim=4, hops=4, **EXACT), 1, wander(1))  # 2,401
    assert fewer.objective(batch_of(fewer, data, [0]), fewer.encode_data(data), Random(0, 1), MovingMean(1)).loss.isfinite()


def test_a_sum_over_too_many_sequences_is_refused_before_the_first_epoch(own_folder: Path, tmp_path: Path):
    """Not after the linear start, and with no folder left behind."""
    settings = ("--align", "hard", "--set", "gradient=exact", "--set", "linear_start=2", "--set", "epochs=1")
    out = ("--restarts", 1, "--out", tmp_path / "run")
    assert "16,807; at most 4,096" in refused("train", own_folder, *settings, "--set", "hops=5", *out)  # (6 + 1)^5
    assert not (tmp_path / "run").exists()
    ran("train", own_folder, *settings, "--set", "hops=2", *out)


@pytest.mark.parametrize("kind", [LSTMConfig, TransformerConfig])
def test_networks_that_read_too_much_refuse_the_exact_gradient(kind: type[Training]):
    with pytest.raises(ConfigError, match="gradient=exact"):
        kind(**EXACT)


TRAINED: dict[str, tuple[Training, str]] = {  # with a parameter that only scores use: it learns through log p(a) alone
    "memn2n": (MemN2NConfig(dim=6, score="general", **DRAWN), "attend.score.bilinear.weight"),
    "dmn": (DMNConfig(dim=6, dropout=0.0, **DRAWN), "attend.score.hidden.weight"),
    "lstm": (LSTMConfig(dim=6, dropout=0.0, score="general", **DRAWN), "attend.score.bilinear.weight"),
    "memnn": (MemNNConfig(dim=6, hops=2, time="age", supervision="answers", **DRAWN), "age"),
    "transformer": (
        TransformerConfig(dim=8, hidden=8, heads=2, dropout=0.0, score="general", **DRAWN),
        "read.attention.score.bilinear.weight",
    ),
}


@pytest.mark.parametrize("name", TRAINED)
def test_a_step_of_hard_attention_changes_the_scores(name: str):
    config, parameter = TRAINED[name]
    net, data, _ = network(config, 2)
    before = dict(net.named_parameters())[parameter].detach().clone()
    batch, codes = batch_of(net, data, list(range(12))), net.encode_data(data)
    step = net.objective(batch, codes, Random(1, 2), MovingMean(2))
    assert step.rewards is not None
    assert bool((step.rewards[0] > 0).all()), "what is drawn makes a difference"
    parts = gradients(net, step.objective.sum())
    adam = make_adam(net, config) if config.optimizer != "sgd" else None
    optimizer_step(net, list(parts.values()), torch.full((2,), config.lr), config, adam)
    changed = (dict(net.named_parameters())[parameter].detach() - before).flatten(1).abs().amax(1)
    assert bool((changed > 1e-7).all())


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
    mine, its = (gradients(net, F.cross_entropy(each.logits.flatten(0, 3), batch.answer.flatten())) for each in (got, wanted))
    for name, part in its.items():
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

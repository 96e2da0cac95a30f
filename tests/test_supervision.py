"""Supporting facts as a supervision: values by hand, and a network that learns to read them."""

import dataclasses
import json
import math
import random
from pathlib import Path

import pytest
import torch

from memnet.attention import Trace
from memnet.encode.batch import batches
from memnet.encode.examples import examples
from memnet.encode.vocabulary import Vocabulary
from memnet.models import MODELS
from memnet.models.supervision import fact_loss
from memnet.papers import PRESETS
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from tests.conftest import memnet, ran, some, tell, wander
from tests.training import a_spec


def traces(*logits: list[float]) -> list[Trace]:
    """Hops with these logits, R = B = T = 1."""
    made = [torch.tensor(one).view(1, 1, 1, -1).requires_grad_() for one in logits]
    return [Trace(one, one, one) for one in made]


def cost(hops: list[Trace], facts: list[int], null: float | None = None) -> float:
    nothing = None if null is None else torch.full((1, 1, 1), null)
    return float(fact_loss(hops, torch.tensor([[facts]]), [nothing] * len(hops)).detach())


def test_each_hop_reads_its_fact():
    hops = traces([0.0, math.log(3)], [0.0, math.log(3)])
    assert cost(hops, [1, 0]) == pytest.approx(-math.log(0.75) - math.log(0.25))
    assert cost(hops, [0, 1]) == pytest.approx(-math.log(0.25) - math.log(0.75))


def test_after_the_last_fact_nothing_is_read():
    hops = traces([0.0, 0.0], [0.0, 0.0])
    assert cost(hops, [1, -1]) == pytest.approx(math.log(2))  # no null memory: the second hop is free
    assert cost(hops, [1, -1], null=0.0) == pytest.approx(2 * math.log(3))
    assert cost(hops, [1, -1], null=-math.inf) == pytest.approx(math.log(2))  # it cannot
    assert cost(hops, [1, -1], null=math.log(2)) == pytest.approx(math.log(4) + math.log(2))


def test_hops_after_the_end_cost_nothing():
    hops, nothing = traces([0.0, 0.0], [0.0, 0.0], [0.0, 0.0]), [torch.zeros(1, 1, 1)] * 3
    for passes, counted in ((0, 1), (1, 2), (2, 3), (3, 3)):
        loss = fact_loss(hops, torch.tensor([[[1, -1]]]), nothing, torch.full((1, 1), float(passes)))
        assert float(loss.detach()) == pytest.approx(counted * math.log(3))


def test_more_facts_than_hops_are_a_set():
    assert cost(traces([0.0, 0.0, 0.0, 0.0]), [0, 2, 3]) == pytest.approx(-math.log(0.75))


def test_what_may_not_be_read_costs_nothing_and_gives_finite_gradients():
    hops = traces([0.0, -math.inf, 1.0], [-math.inf, -math.inf, -math.inf])
    loss = fact_loss(hops, torch.tensor([[[2, -1]]]), [None, None])
    loss.sum().backward()
    assert bool(loss.isfinite().all())
    assert all(bool(hop.logits.grad.isfinite().all()) for hop in hops if hop.logits.grad is not None)
    assert cost(traces([0.0, 3.0]), [-1, -1]) == 0.0
    assert cost(traces([0.0, 3.0]), [-1, -1], null=0.0) == 0.0


def test_a_network_learns_to_read_the_facts(tmp_path: Path):
    tell(tmp_path, wander(1, 150), wander(2, 50))
    recall = {}
    for supervision in ("answers", "facts"):
        options = ["--supervision", supervision, "--restarts", 2, "--set", "epochs=2", "--set", "linear_start=0"]
        ran("train", tmp_path, *options, "--out", tmp_path / supervision)
        report = json.loads(memnet("eval", tmp_path / supervision, tmp_path, "--json").stdout)
        recall[supervision] = report["tasks"]["own/moves"]["fact_recall"]
    assert recall["facts"] > recall["answers"] + 0.05, recall
    (tmp_path / "moves_train.txt").write_text(
        "1 Mary sat.\n2 Ann sat.\n3 Who sat?\tMary\t1\n4 Who did?\tAnn\t1 2\n5 Who?\tAnn\t\n"
    )
    (tmp_path / "moves_test.txt").write_text("1 Mary sat.\n2 Who sat?\tMary\t1\n")
    options = ["--supervision", "facts", "--set", "hops=1", "--set", "validation=0.3", "--restarts", 1, "--set", "epochs=1"]
    said = memnet("train", tmp_path, *options, "--out", tmp_path / "few").stdout
    assert "of 2 training questions: 0 list none, 1 more than there are hops (each hop may read any of them)" in said
    refused = memnet("train", tmp_path, "--facts", 0.5, "--out", tmp_path / "no")
    assert "only supervision=facts uses" in refused.stderr


def test_facts_of_a_tenth_are_the_same_tenth_always():
    data = examples([wander(1, 50)], Vocabulary.of(wander(1, 50)), 50)
    some = data.with_facts_of(0.1)
    assert int((some.facts[:, 0] >= 0).sum()) == round(0.1 * len(data))
    assert torch.equal(some.facts, data.with_facts_of(0.1).facts)
    assert torch.equal(data.with_facts_of(1.0).facts, data.facts)


OFTEN = {"memn2n", "memnn", "dmn", "lstm", "transformer"}  # the others are slow
QUICK = {
    "memn2n": {"epochs": 20, "linear_start": 5},
    "memnn": {"epochs": 15},
    "dmn": {"epochs": 15, "batch": 32, "lr": 0.008, "dim": 32},
    "transformer": {"epochs": 30, "dim": 32, "lr": 0.006},
    "lstm": {"epochs": 12, "dim": 32, "lr": 0.01, "align": "softmax", "score": "general"},
    "writable": {
        "epochs": 30,
        "batch": 32,
        "dim": 32,
        "hidden": 64,
        "heads": 2,
        "lr": 0.005,
        "dropout": 0.0,
        "word_dropout": 0.0,
    },
    "causal": {"epochs": 25, "batch": 32, "dim": 32, "hidden": 64, "heads": 2, "lr": 0.005},
    "mentions": {  # there are too few questions to find what is interchangeable
        **dict.fromkeys(("phrases", "consistent", "synonyms", "canonical"), False),
        "name_order": "near",
        "stop_after_perfect": 0,
        "epochs": 30,
        "batch": 50,
        "dim": 32,
        "lr": 0.006,
    },
}


def carry(seed: int, stories: int) -> list[Story]:
    """Mary and John take things and move; "Where is the milk?" has two facts, who took it and where they went then."""
    draw, told = random.Random(seed), []
    for _ in range(stories):
        people, things, rooms = ["Mary", "John"], ["milk", "ball"], ["kitchen", "garden", "office"]
        draw.shuffle(people)
        draw.shuffle(things)
        takes = [f"{who} took the {thing}." for who, thing in zip(people, things, strict=True)]
        went = {who: draw.choice(rooms) for who in people}
        moves = [f"{who} went to the {went[who]}." for who in draw.sample(people, 2)]
        who, thing = draw.choice(list(zip(people, things, strict=True)))
        statements = (*takes, *moves)
        facts = (statements.index(f"{who} took the {thing}."), statements.index(f"{who} went to the {went[who]}."))
        told.append(Story(statements, (Question(f"Where is the {thing}?", went[who], facts, 4),)))
    return told


@pytest.mark.parametrize(
    "name", [some(name, OFTEN) for name, kind in MODELS.items() if not kind.Config.fitted and name != "walk"]
)  # which takes no order in time
def test_every_network_takes_facts_as_supervision(name: str):
    """Told the facts of the training questions, the better of two restarts reads those of the test questions, in order.

    An LSTM reads words, most of them of the question; facts supervise which of the statements it looks at.
    """
    base = PRESETS[MODELS[name].presets[0]]
    config = dataclasses.replace(base, supervision="facts", **QUICK.get(name, {}))
    task = Task.of("own/carry", carry(1, 200 if name in ("dmn", "memn2n") else 300), carry(2, 60), "0")
    spec, data = a_spec([task], config, 2)
    result = train_networks(spec, data)
    found = [row["tasks"]["own/carry"] for row in result.rows]
    read = evaluate(result.net, data.test).read  # (R, N, hops)
    if read.shape[2] == 1:  # one reading, of two facts either
        index = torch.arange(len(data.test)).expand(1, 2, -1)
        batch = next(batches(data.test, index, result.net.sizes.ages))
        with torch.no_grad():
            [trace] = result.net(batch, result.net.encode_data(data.test)).traces
        likeliest = trace.logits.squeeze(2).argmax(-1, keepdim=True)  # (R, N, 1)
        assert bool(((likeliest == batch.facts).any(-1).double().mean(1) >= 0.9).all())
        return
    if result.net.answer_traces != slice(None):  # the last reading is of all facts
        index = torch.arange(len(data.test)).expand(1, 2, -1)
        batch = next(batches(data.test, index, result.net.sizes.ages))
        with torch.no_grad():
            *_, trace = result.net(batch, result.net.encode_data(data.test)).traces
        both = trace.logits.squeeze(2).topk(2).indices.sort(2).values == batch.facts[:, :, :2].sort(2).values
        assert float(both.all(2).double().mean(1).max()) >= 0.9
        return
    assert max(each["fact_recall"] for each in found) >= 0.9
    right = (read[:, :, :2] == data.test.facts[:, :2]).double().mean(1)  # (R, 2)
    assert float(right.amin(1).max()) >= 0.9

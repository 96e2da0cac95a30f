"""Hard attention in every model: its exact gradient."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from memnet.attention.align import Alignment
from memnet.attention.reinforce import MovingMean
from memnet.config import Training, override
from memnet.encode.examples import Examples
from memnet.errors import ConfigError
from memnet.models import Network
from memnet.models.dmn import DMNConfig
from memnet.models.lstm import LSTMConfig
from memnet.models.memn2n import MemN2NConfig
from memnet.models.memnn import MemNNConfig
from memnet.models.transformer import TransformerConfig
from memnet.nn.random import Random
from memnet.tasks.text import Question, Story
from memnet.training.optimizer import make_adam, optimizer_step
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
    total, attend, align = torch.zeros(()), net.attend, net.attend.align
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
    attend.align = align
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
    mine, expected = gradients(net, step.objective.sum()), gradients(net, truth)
    scale = max(float(part.abs().max()) for part in expected.values())
    for parameter, part in expected.items():
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

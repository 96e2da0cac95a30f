"""The gradient of hard attention against the exact one, summed over all addresses."""

import itertools
import json
import math
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.attention import ALIGNS, Attention, dot, hops, weighted_sum
from memnet.attention.reinforce import MovingMean, baseline, entropy, joint_log_prob, leave_one_out, surrogate
from memnet.config.parts import BASELINES
from memnet.nn.random import Random
from tests.conftest import memnet, ran, read_lines

MEMORIES, WIDTH, CLASSES = 4, 3, 5


def problem(questions: int = 1, replicas: int = 1) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The same for every replica: query (R, B, 1, D), memory (R, B, M, D), output matrix (R, 1, D, V), and what is added to
    each question's loss (B, 1).
    """
    draw = torch.Generator().manual_seed(3)
    query, memory, out = (
        torch.randn(1, *shape, generator=draw, dtype=torch.float64).repeat(replicas, 1, 1, 1)
        for shape in ((questions, 1, WIDTH), (questions, MEMORIES, WIDTH), (1, WIDTH, CLASSES))
    )
    return query, memory, out, 6.0 * torch.arange(questions, dtype=torch.float64).unsqueeze(1)


def losses(state: Tensor, out: Tensor, added: Tensor) -> Tensor:
    """f of each sample, (R, B, T)."""
    logits = state @ out
    target = torch.zeros(logits.shape[:-1], dtype=torch.long)
    return F.cross_entropy(logits.flatten(0, -2), target.flatten(), reduction="none").view(target.shape) + added


def exact(number: int) -> list[Tensor]:
    """The gradient of the expected loss of one question in every parameter, each (1, ...)."""
    query, memory, out, _ = (each.requires_grad_() for each in problem())
    total = torch.zeros((), dtype=torch.float64)
    for addresses in itertools.product(range(MEMORIES), repeat=number):
        state, chance = query[0, 0, 0], torch.ones((), dtype=torch.float64)
        for address in addresses:
            chance = chance * (memory[0, 0] @ state).softmax(0)[address]
            state = state + memory[0, 0, address]
        total = total + chance * F.cross_entropy(state @ out[0, 0], torch.tensor(0))
    return list(torch.autograd.grad(total, [query, memory, out]))


def drawn(number: int, samples: int, name: str, random: Random, mean: MovingMean, questions: int = 1) -> list[Tensor]:
    """As many estimates as there are replicas, each (R, ...), of the gradient of the batch's mean expected loss."""
    query, memory, out, added = problem(questions, random.replicas)
    parts = [query.requires_grad_(), memory.requires_grad_(), out.requires_grad_()]
    attend = Attention(dot, ALIGNS["hard"](WIDTH, random, 0.0), weighted_sum)
    state, traces = hops(
        [attend.prepare(memory)] * number,
        lambda u, trace, _: u + trace.output,
        query.expand(-1, -1, samples, -1),
        torch.ones(random.replicas, questions, 1, MEMORIES, dtype=torch.bool),
        random=random,
    )
    loss = losses(state, out, added)
    log_prob = joint_log_prob(traces)
    assert log_prob is not None
    assert log_prob.shape == loss.shape == (random.replicas, questions, samples)
    objective = surrogate(loss, log_prob, baseline(name, loss, mean)).mean(1)
    mean.see(loss)
    return list(torch.autograd.grad(objective.sum(), parts))


def estimates(number: int, name: str) -> list[Tensor]:
    """1500 estimates of each gradient: five steps, one after another, of 300 replicas."""
    random, mean = Random(1, 300, "addresses"), MovingMean(300)
    steps = [drawn(number, 5, name, random, mean) for _ in range(5)]
    return [torch.cat(draws) for draws in zip(*steps, strict=True)]


def test_the_moving_mean_is_that_of_xu_divided_by_its_weight():
    """Of a loss that stays the same theirs, from zero, is less by 0.9^k of it."""
    mean, mean_by_hand, loss = MovingMean(1), 0.0, 2.5
    assert mean.value().item() == 0
    for step in range(1, 40):
        mean.see(torch.full((1, 3), loss))
        mean_by_hand = 0.9 * mean_by_hand + 0.1 * loss
        assert mean.value().item() == pytest.approx(loss, rel=1e-5)
        assert loss - mean_by_hand == pytest.approx(0.9**step * loss)
    assert (1 - mean_by_hand / loss) == pytest.approx(0.016, abs=0.001)


def off(draws: Tensor, truth: Tensor) -> Tensor:
    """How far the mean of ``draws (N, ...)`` is from the truth, in its standard errors."""
    error = draws.std(0) / math.sqrt(len(draws))
    return ((draws.mean(0) - truth.squeeze(0)).abs() / error.clamp(min=1e-9)).flatten()


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("name", BASELINES)
def test_the_estimate_is_unbiased(number: int, name: str):
    for draws, truth in zip(estimates(number, name), exact(number), strict=True):
        assert draws.shape[0] == 1500
        apart = off(draws, truth)
        assert float(apart.max()) < 4.5  # of up to 15 numbers
        assert float((apart < 2).double().mean()) > 0.75


def test_without_either_term_it_would_be_biased():
    pathwise = torch.zeros(1, 1, MEMORIES, WIDTH, dtype=torch.float64)
    query, memory, out, _ = problem()
    memory.requires_grad_()
    for address, chance in enumerate((memory[0, 0] @ query[0, 0, 0]).softmax(0).detach()):
        loss = F.cross_entropy((query[0, 0, 0] + memory[0, 0, address]) @ out[0, 0], torch.tensor(0))
        pathwise += chance * torch.autograd.grad(loss, memory)[0]
    draws = estimates(1, "loo")[1]
    assert float(off(draws, pathwise).max()) > 10
    assert float(off(draws, exact(1)[1] - pathwise).max()) > 10


def test_the_entropy_of_later_hops_is_part_of_the_reward():
    """Its gradient too is the exact one: what is read first decides how undecided the second hop is."""
    query, memory, _, _ = (each.requires_grad_() for each in problem())
    exact_entropy = torch.zeros((), dtype=torch.float64)
    first = (memory[0, 0] @ query[0, 0, 0]).softmax(0)
    for address in range(MEMORIES):
        second = memory[0, 0] @ (query[0, 0, 0] + memory[0, 0, address])
        exact_entropy = exact_entropy + first[address] * entropy(second)
    exact_entropy = exact_entropy + entropy(memory[0, 0] @ query[0, 0, 0])
    (truth,) = torch.autograd.grad(exact_entropy, memory)
    random, found = Random(5, 300, "addresses"), []
    attend = Attention(dot, ALIGNS["hard"](WIDTH, random, 0.0), weighted_sum)
    for _ in range(5):
        query, memory, _, _ = (each.requires_grad_() for each in problem(replicas=300))
        wide = query.expand(-1, -1, 5, -1)
        _, traces = hops([attend.prepare(memory)] * 2, lambda u, trace, _: u + trace.output, wide, random=random)
        cost = torch.stack([entropy(trace.logits) for trace in traces]).sum(0)
        log_prob = joint_log_prob(traces)
        objective = surrogate(cost, log_prob, leave_one_out(cost))
        found.append(torch.autograd.grad(objective.sum(), memory)[0])
    assert float(off(torch.cat(found), truth).max()) < 4.5


def test_leave_one_out_varies_least_where_expected_losses_differ():
    spread = {}
    for name in BASELINES:
        random, mean = Random(2, 40, "addresses"), MovingMean(40)
        for _ in range(50):  # the moving means settle
            drawn(1, 5, name, random, mean, questions=6)
        draws = torch.cat([drawn(1, 5, name, random, mean, questions=6)[1] for _ in range(10)])
        spread[name] = float(draws.var(0).sum())
    assert spread["loo"] < 0.5 * spread["mean"] < 0.5 * spread["none"]


def test_baselines_by_hand():
    loss = torch.tensor([[[1.0, 2.0, 6.0]]])
    assert leave_one_out(loss).tolist() == [[[4.0, 3.5, 1.5]]]
    mean = MovingMean(2)
    assert mean.value().tolist() == [0.0, 0.0]
    mean.see(torch.tensor([[4.0], [1.0]]))
    assert mean.value().tolist() == [4.0, 1.0]
    mean.see(torch.tensor([[2.0], [9.0]]), torch.tensor([True, False]))
    assert mean.value().tolist() == pytest.approx([(0.9 * 0.1 * 4 + 0.1 * 2) / 0.19, 1.0])
    assert baseline("none", loss, mean).tolist() == 0.0


def test_entropy():
    assert float(entropy(torch.zeros(4))) == pytest.approx(math.log(4))
    assert float(entropy(torch.tensor([0.0, -math.inf, 0.0]))) == pytest.approx(math.log(2))
    assert float(entropy(torch.zeros(3), torch.tensor(0.0))) == pytest.approx(math.log(4))
    logits = torch.tensor([1.0, -math.inf], requires_grad=True)
    entropy(logits).backward()
    assert bool(logits.grad.isfinite().all())


def test_a_network_with_hard_attention_trains_and_resumes_the_same(own_folder: Path, tmp_path: Path):
    options = ["--align", "hard", "--samples", 3, "--set", "epochs=3", "--set", "linear_start=1", "--set", "softmax_epochs=1"]
    ran("train", own_folder, *options, "--restarts", 2, "--baseline", "mean", "--out", tmp_path / "run")
    lines = read_lines(tmp_path / "run" / "metrics.jsonl")
    assert [line["phase"] for line in lines if line["replica"] == 0] == ["linear", "softmax", "hard", "hard"]
    assert all(("reward_variance" in line) == ("advantage_square" in line) == (line["phase"] == "hard") for line in lines)
    assert all(line["reward_variance"] >= 0 for line in lines if line["phase"] == "hard")
    answer = json.loads(
        memnet("ask", tmp_path / "run", "--question", "Where is Mary?", "--json", stdin="Mary went home.\n").stdout
    )
    assert set(answer["null_weights"]) <= {0.0, 1.0}
    ran("eval", tmp_path / "run", own_folder, "--json")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--align", "hard", "--samples", 1, "--baseline", "loo"], "baseline=loo is the mean over the other samples"),
        (["--samples", 5], "only align=hard draws addresses"),
        (["--baseline", "mean"], "only align=hard draws addresses"),
        (["--window", 3], "window is for local_m and local_p"),
        (["--set", "align=local_p", "--set", "null=none"], "needs a window"),
        (["--set", "align=sigmoid"], "cannot read nothing"),
        (["--set", "align=hard"], "set samples=1 or more"),
        (["--set", "read=attention_gru"], "gates between 0 and 1"),
        (["--align", "linear", "--read", "gated_gru"], "gates between 0 and 1"),
        (["--set", "softmax_epochs=3"], "softmax_epochs is softmax before another alignment"),
        (["--set", "encoding=self_attention"], "go together"),
        (["--set", "penalty=1"], "penalty is for encoding=self_attention"),
        (["--align", "hard", "--set", "linear_until=validation"], "align=hard needs epochs"),
        (["--align", "hard", "--set", "softmax_epochs=100"], "would never be trained"),
        (["--set", "linear_start=0", "--set", "linear_until=validation"], "linear_start=0 has none"),
        (["--set", "align=linear"], "cannot read nothing"),
        (["--score", "dot", "--set", "score=concat"], "score is given twice"),
        (["--score", "cosine"], "score must be dot or"),
        (["--align", "local_p", "--window", -2], "window must be"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(options: list[str], said: str, own_folder: Path, tmp_path: Path):
    done = memnet("train", own_folder, *options, "--out", tmp_path / "run")
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "run").exists()

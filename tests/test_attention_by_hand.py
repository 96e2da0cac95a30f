"""Alignments, scores and reads of the core against their formulas."""

import math
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import Tensor, nn

from memnet.attention import (
    ALIGNS,
    READS,
    SCORES,
    Attention,
    Interaction,
    MultiHead,
    Rows,
    dot,
    hard,
    per_replica,
    scaled_dot,
    sigmoid,
    softmax,
    sparsemax,
    weighted_sum,
)
from memnet.nn.random import Random
from tests.by_hand import sigmoid as sigmoid_of
from tests.test_attention import CLOSE, WIDTH, case, memory, there, told


@pytest.mark.parametrize("read", READS)
@given(told())
def test_reads_take_rows(read: str, pair: tuple[Rows, Rows]):
    replicas, batch, count = pair[0].shape
    weights, mixed = torch.rand(replicas, batch, 2, count), READS[read](3, Random(0, replicas))
    for rows in pair:
        torch.testing.assert_close(mixed(weights, rows), mixed(weights, rows.gather()), **CLOSE)


@given(told())
def test_multihead_takes_rows(pair: tuple[Rows, Rows]):
    replicas = len(pair[0].table)
    attend = MultiHead(3, 3, Attention(scaled_dot, softmax, weighted_sum), Random(0, replicas))
    for linear_map in (attend.key, attend.value):
        linear_map.bias.data.normal_()
    query = torch.randn(*pair[0].shape[:2], 2, 3)
    for rows in pair:
        mask = there(rows)
        ours, same = attend(query, rows, mask=mask), attend(query, rows.gather(), mask=mask)
        torch.testing.assert_close(ours.output, same.output, **CLOSE)
        torch.testing.assert_close(ours.weights, same.weights, **CLOSE)


def test_a_wide_local_m_is_softmax():
    query, key, _, mask = memory((2, 3))
    logits = dot(query, key).masked_fill(~mask, -math.inf)
    wide = ALIGNS["local_m"](WIDTH, Random(0, 2), 5.0)
    assert torch.equal(wide(logits, mask, query).weights, softmax(logits, mask).weights)
    assert torch.equal(wide(logits, mask, query, position=torch.full((2, 3, 2), 2)).weights, softmax(logits, mask).weights)


def test_local_m_reads_a_window_of_readable_memories():
    mask = torch.tensor([True, True, False, True, True, False]).view(1, 1, 1, 6)  # i = 1, 2, -, 3, 4, -
    logits = torch.zeros(1, 1, 2, 6).masked_fill(~mask, -math.inf)
    near = ALIGNS["local_m"](WIDTH, Random(0, 1), 1.0)
    assert near(logits, mask).weights[0, 0, 0].tolist() == [0, 0, 0, 0.5, 0.5, 0]  # from the newest
    placed = near(logits, mask, position=torch.tensor([[[1, 3]]])).weights[0, 0]
    torch.testing.assert_close(placed, torch.tensor([[0.5, 0.5, 0, 0, 0, 0], [0, 1 / 3, 0, 1 / 3, 1 / 3, 0]]))
    assert near(logits, mask, position=torch.tensor([[[9, 9]]])).weights.abs().sum() == 0  # nothing there


def test_local_p_is_its_formula():
    with pytest.raises(ValueError, match="window"):
        ALIGNS["local_p"](WIDTH, Random(0, 2), 0.0)
    query, key, _, mask = memory((2, 3))
    window, align = 1.5, ALIGNS["local_p"](WIDTH, Random(3, 2), 1.5)
    align.out.weight.data.mul_(30.0)
    logits = dot(query, key).masked_fill(~mask, -math.inf)
    ours = align(logits, mask, query).weights.detach().numpy()
    for r, b, q in np.ndindex(2, 3, 2):
        readable = [i for i in range(5) if mask[r, b, 0, i]]
        w, v = align.hidden.weight[r].detach().numpy(), align.out.weight[r, :, 0].detach().numpy()
        centre = len(readable) / (1 + np.exp(-v @ np.tanh(query[r, b, q].numpy() @ w)))
        near = {i: n - centre for n, i in enumerate(readable, start=1) if abs(n - centre) <= window}
        total = sum(np.exp(float(logits[r, b, q, i])) for i in near)
        expected = np.zeros(5)
        for i, distance in near.items():
            expected[i] = np.exp(float(logits[r, b, q, i])) / total * np.exp(-(distance**2) / (2 * (window / 2) ** 2))
        np.testing.assert_allclose(ours[r, b, q], expected, rtol=1e-4, atol=1e-6)


CLOSE_OR_FAR = st.integers(-100, 100).map(lambda hundredths: hundredths / 100) | st.floats(-20, 20, allow_subnormal=False)


@example([0.0, -0.95], 0)
@given(st.lists(CLOSE_OR_FAR, min_size=1, max_size=8), st.integers(0, 8))
def test_sparsemax_is_the_projection_onto_the_simplex(numbers: list[float], masked: int):
    logits = torch.tensor(numbers, dtype=torch.float64).view(1, 1, 1, -1)
    mask = (torch.arange(len(numbers)) >= masked).view(1, 1, 1, -1)
    ours = sparsemax(logits.masked_fill(~mask, -math.inf), mask).weights.flatten().numpy()
    z = np.array(numbers[masked:])
    if not len(z):
        assert not ours.any()
        return
    low, high = z.min() - 1, z.max()  # sum max(z - tau, 0) = 1 by bisection
    for _ in range(80):
        tau = (low + high) / 2
        low, high = (tau, high) if np.maximum(z - tau, 0).sum() > 1 else (low, tau)
    np.testing.assert_allclose(ours[masked:], np.maximum(z - low, 0), atol=1e-9)
    assert not ours[:masked].any()


def test_sparsemax_gradient():
    logits = torch.tensor([[[[0.3, 0.1, -0.2, -3.0]]]], dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(lambda z: sparsemax(z).weights, logits)


def test_sigmoid_is_each_for_itself():
    logits = torch.randn(1, 2, 1, 4)
    torch.testing.assert_close(sigmoid(logits).weights, 1 / (1 + (-logits).exp()))


def test_hard_draws_with_the_probabilities_of_softmax():
    draws, mask = 4000, torch.tensor([True, True, False, True])
    logits = torch.tensor([[0.5, -1.0, 3.0, 1.5], [0.0, 0.0, 9.0, 0.0]]).view(2, 1, 1, 4).masked_fill(~mask, -math.inf)
    many = logits.expand(2, draws, 1, 4)
    found = hard(many, mask, random=Random(0, 2))
    assert torch.equal(found.weights.sum(-1), torch.ones(2, draws, 1))
    counts, expected = found.weights.sum((1, 2)), draws * logits.softmax(-1).view(2, 4)
    surprise = ((counts - expected)[:, mask] ** 2 / expected[:, mask]).sum(-1)
    assert bool((counts[:, 2] == 0).all())
    assert bool((surprise < 9.21).all())  # chi squared, two degrees of freedom, 1 %
    torch.testing.assert_close(found.log_prob, (many.log_softmax(-1).nan_to_num(neginf=0.0) * found.weights).sum(-1))


def test_sparsemax_of_what_is_not_a_number_is_none_either_and_no_error():
    logits = torch.randn(2, 3, 1, 4)
    logits[0, 1] = float("nan")
    weights = sparsemax(logits).weights
    assert bool(weights[0, 1].isnan().any())
    torch.testing.assert_close(weights[1], sparsemax(logits[1:]).weights[0])


def test_hard_takes_the_best_in_evaluation():
    logits = torch.randn(2, 3, 2, 5, requires_grad=True)
    found = hard(logits)
    assert torch.equal(found.weights.argmax(-1), logits.argmax(-1))
    torch.testing.assert_close(found.log_prob, logits.log_softmax(-1).amax(-1))
    (ours,) = torch.autograd.grad(found.log_prob.sum(), logits)
    torch.testing.assert_close(ours, found.weights - logits.softmax(-1))  # of log softmax


class Edge(Random):
    """Draws the largest number below one."""

    def uniform(self, *shape: int) -> Tensor:
        return torch.full((self.replicas, *shape), 1 - 2.0**-24)


def test_hard_never_draws_what_is_masked():
    torch.manual_seed(0)
    logits, mask = torch.randn(1, 500, 1, 50), torch.rand(1, 500, 1, 50) < 0.5
    mask[:, 0], mask[..., -1] = False, False
    found = hard(logits.masked_fill(~mask, -math.inf), mask, random=Edge(0, 1))
    assert not bool(found.weights[~mask].any())
    assert torch.equal(found.weights.sum(-1), mask.any(-1).float())
    assert bool(found.log_prob.isfinite().all())


@pytest.mark.parametrize("start", [[True, False], [False, True], [False, False]])
def test_hard_draws_for_every_replica_in_a_linear_start(start: list[bool]):
    logits, random, same = torch.randn(2, 3, 1, 4), Random(0, 2), Random(0, 2)
    mixed, drawn = per_replica(torch.tensor(start), hard)(logits, random=random), hard(logits, random=same)
    assert torch.equal(random.state(), same.state())
    expected = torch.where(torch.tensor(start).view(2, 1, 1, 1), logits, drawn.weights)
    assert torch.equal(mixed.weights, expected)
    assert bool((mixed.log_prob[torch.tensor(start)] == 0).all())


def numbers(module: nn.Module, replica: int) -> dict[str, np.ndarray]:
    """The parameters of one replica, in numpy."""
    return {name: parameter[replica].detach().double().numpy() for name, parameter in module.named_parameters()}


def randomised(module: nn.Module) -> nn.Module:
    """The same with every parameter drawn, the biases too."""
    for parameter in module.parameters():
        parameter.data.normal_(std=0.5)
    return module


def test_general_is_its_formula():
    query, key, _, _ = memory((2, 3))
    score = SCORES["general"](4, WIDTH, Random(0, 2))
    expected = torch.einsum("rbqd,rde,rbme->rbqm", query[..., :4], score.bilinear.weight, key)
    torch.testing.assert_close(score(query[..., :4], key), expected)


def test_concat_is_its_formula():
    query, key, _, _ = memory((2, 3))
    score = randomised(SCORES["concat"](4, WIDTH, Random(0, 2)))
    ours = score(query[..., :4], key).detach().numpy()
    for r, b, q, m in np.ndindex(2, 3, 2, 5):
        w = numbers(score, r)
        hidden = query[r, b, q, :4].numpy() @ w["query.weight"] + key[r, b, m].numpy() @ w["key.weight"] + w["key.bias"]
        np.testing.assert_allclose(ours[r, b, q, m], np.tanh(hidden) @ w["out.weight"][:, 0], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("features", ["kumar", "xiong"])
def test_interaction_is_its_formula(features: str):
    both, key, _, _ = memory((2, 3), width=8)
    key = key[..., :4]
    score = randomised(Interaction(8, 4, Random(0, 2), features=features))
    ours = score(both, key).detach().numpy()
    for r, b, i, j in np.ndindex(2, 3, 2, 5):
        w = numbers(score, r)
        m, q, c = both[r, b, i, :4].double().numpy(), both[r, b, i, 4:].double().numpy(), key[r, b, j].double().numpy()
        z = [c * q, c * m, abs(c - q), abs(c - m)]
        if features == "kumar":
            bilinear = w["bilinear.weight"].T  # W of c^T W q
            z = [c, m, q, *z, [c @ bilinear @ q], [c @ bilinear @ m]]
        gate = np.tanh(np.concatenate(z) @ w["hidden.weight"] + w["hidden.bias"]) @ w["out.weight"] + w["out.bias"]
        np.testing.assert_allclose(ours[r, b, i, j], gate[0], rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="features"):
        Interaction(8, 4, Random(0, 2), features="luong")


@pytest.mark.parametrize("features", ["kumar", "xiong"])
def test_the_gradients_of_the_interaction_by_finite_differences(features: str):
    score = randomised(Interaction(6, 3, Random(0, 2), features=features)).double()
    draw = torch.Generator().manual_seed(1)
    asked = torch.randn(2, 2, 1, 6, generator=draw, dtype=torch.float64).requires_grad_()
    facts = torch.randn(2, 2, 4, 3, generator=draw, dtype=torch.float64).requires_grad_()
    named = dict(score.named_parameters())

    def logits(query: torch.Tensor, key: torch.Tensor, *values: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(score, dict(zip(named, values, strict=True)), (query, key))

    assert torch.autograd.gradcheck(logits, (asked, facts, *named.values()))


@pytest.mark.parametrize("read", ["gated_gru", "attention_gru"])
def test_gru_reads_are_their_formulas(read: str):
    _, _, value, mask = memory((2, 3))
    weights = torch.rand(2, 3, 2, 5) * mask
    module = randomised(READS[read](WIDTH, Random(0, 2)))
    ours = module(weights, value).detach().numpy()
    gates = 3 if read == "gated_gru" else 2
    for r, b, q in np.ndindex(2, 3, 2):
        w, h = numbers(module, r), np.zeros(WIDTH)
        for c, g in zip(value[r, b].double().numpy(), weights[r, b, q].double().numpy(), strict=True):
            x = np.split(c @ w["input.weight"] + w["input.bias"], gates)
            u = np.split(h @ w["hidden.weight"] + w["hidden.bias"], gates)
            new = np.tanh(x[-1] + sigmoid_of(x[0] + u[0]) * u[-1])
            if read == "gated_gru":
                z = sigmoid_of(x[1] + u[1])
                new = (1 - z) * new + z * h
            h = g * new + (1 - g) * h
        np.testing.assert_allclose(ours[r, b, q], h, rtol=1e-4, atol=1e-5)


def test_multihead_is_pytorchs():
    query, key, value, mask = memory((2, 3))
    ours = randomised(MultiHead(WIDTH, 3, Attention(scaled_dot, softmax, weighted_sum), Random(0, 2)))
    trace = ours(query, key, value, mask)
    for r in range(2):
        torchs = nn.MultiheadAttention(WIDTH, 3, batch_first=True)
        parts = (ours.query, ours.key, ours.value)
        torchs.in_proj_weight.data = torch.cat([part.weight[r].detach().T for part in parts])
        torchs.in_proj_bias.data = torch.cat([part.bias[r].detach() for part in parts])
        torchs.out_proj.weight.data, torchs.out_proj.bias.data = ours.out.weight[r].detach().T, ours.out.bias[r].detach()
        output, weights = torchs(query[r], key[r], value[r], key_padding_mask=~mask[r, :, 0], average_attn_weights=False)
        torch.testing.assert_close(trace.output[r], output, **CLOSE)
        torch.testing.assert_close(trace.weights[r], weights, **CLOSE)


@pytest.mark.parametrize("score", SCORES)
def test_one_head_with_identity_projections_is_no_heads(score: str):
    for align, read in product(ALIGNS, READS):
        plain, query, key, value, mask = case(score, align, read)
        one = MultiHead(WIDTH, 1, plain.attend, Random(0, 2), query_dim=query.shape[-1])
        for projection in (one.query, one.key, one.value, one.out):
            projection.weight.data = torch.eye(projection.weight.shape[-1]).repeat(2, 1, 1)
        options = {"position": torch.tensor([1, 2]).expand(2, 3, 2)}
        if align in ("softmax", "linear", "sparsemax", "hard"):
            options["null"] = torch.randn(2, 3, 2)
        without = plain(query, key, value, mask, **options, random=Random(1, 2))
        trace = one(query, key, value, mask, **options, random=Random(1, 2))
        torch.testing.assert_close(trace.output, without.output)
        for ours, headless in zip(trace[1:], without[1:], strict=True):
            assert (ours is None) == (headless is None)
            if ours is not None:
                torch.testing.assert_close(ours.squeeze(2), headless)


def test_preferences_for_distances_by_hand():
    attend = MultiHead(4, 2, Attention(scaled_dot, softmax, weighted_sum), Random(0, 1), max_relative_distance=2)
    attend.query.weight.data.zero_()
    attend.query.bias.data.zero_()  # all scores are zero but for the preferences
    attend.relative_bias.data = torch.tensor(
        [[[0.0, 5.0], [1.0, 4.0], [2.0, 3.0], [3.0, 2.0], [4.0, 1.0]]]
    )  # 2 after it .. 2 before it
    memory, mask = torch.randn(1, 1, 5, 4), torch.tensor([True, True, False, True, True])[None, None, None]
    trace = attend(memory[:, :, :1], memory, mask=mask, position=torch.tensor([[[3]]]))
    # the third of those that are there: places 1, 2, (not there), 3, 4 and distances 2, 1, 0, -1
    expected = torch.tensor([[4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0]])
    logits = trace.logits[0, 0, :, 0][:, [0, 1, 3, 4]]
    torch.testing.assert_close(logits, expected)
    torch.testing.assert_close(trace.weights[0, 0, :, 0][:, [0, 1, 3, 4]], expected.softmax(-1))
    far = attend(memory[:, :, :1], memory, mask=mask, position=torch.tensor([[[9]]]))
    torch.testing.assert_close(far.logits[0, 0, 0, 0, [0, 1, 3, 4]], torch.full((4,), 4.0))  # all are 2 before it or more
    with pytest.raises(ValueError, match="position"):
        attend(memory[:, :, :1], memory, mask=mask)


def test_heads_that_do_not_fit():
    with pytest.raises(ValueError, match="4 heads"):
        MultiHead(6, 4, Attention(dot, softmax, weighted_sum), Random(0, 1))

"""The attention core in bfloat16 and float16: every score, alignment and read, near what float32 gives."""

import math
from itertools import product

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from memnet.attention import ALIGNS, READS, SCORES, Attention, Rows, Trace, dot, hops, scaled_dot, softmax, weighted_sum
from memnet.attention.reinforce import entropy
from memnet.nn.random import Random
from tests.test_attention import Net, backward, case

HALVES = [torch.bfloat16, torch.float16]
WAYS = ["plain", "multihead"]


def halved(dtype: torch.dtype, *tensors: Tensor) -> list[Tensor]:
    return [tensor.to(dtype).requires_grad_() for tensor in tensors]


def both(score: str, align: str, read: str, way: str, dtype: torch.dtype, null: bool = False) -> tuple[Trace, Trace, Net, list]:
    """The traces of one attention in float32 and in 16 bits, of the same numbers; that one's network and its inputs."""
    attend, query, key, value, mask = case(score, align, read, way)
    mask[0, 1] = False  # one question may read nothing
    for parameter in attend.parameters():
        parameter.data = (parameter.data / 4).to(dtype).float()
    given = halved(dtype, query, key, value)
    nothing = torch.linspace(-1, 1, 12).view(2, 3, 2).to(dtype) if null else None
    with torch.no_grad():
        whole = attend(*(part.float() for part in given), mask, None if nothing is None else nothing.float())
    return whole, attend.to(dtype)(*given, mask, nothing), attend, given


def close(half: Tensor | None, whole: Tensor | None, dtype: torch.dtype) -> None:
    """Fail where numbers in 16 bits are further from those of float32 than some roundings, each a share of the largest."""
    assert half is not None
    assert whole is not None
    assert torch.equal(half.isfinite(), whole.isfinite())
    there = whole.isfinite()
    largest = max(1.0, float(whole[there].abs().max()))
    assert float((half.detach().float() - whole)[there].abs().max()) <= 8 * torch.finfo(dtype).eps * largest


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("score", SCORES)
def test_every_combination_works_in_16_bits(score: str, way: str, dtype: torch.dtype):
    for align, read in product(ALIGNS, READS):
        whole, half, attend, given = both(score, align, read, way, dtype)
        assert half.output.dtype == half.weights.dtype == half.logits.dtype == dtype
        assert bool(half.output.isfinite().all() and half.weights.isfinite().all())
        assert bool((half.weights[0, 1] == 0).all() and (half.output[0, 1] == 0).all())
        close(half.logits, whole.logits, dtype)
        if not ALIGNS[align].picks:
            close(half.weights, whole.weights, dtype)
            close(half.output, whole.output, dtype)
        backward(half)
        for part in (*attend.parameters(), *given):
            assert part.grad is None or (part.grad.dtype == dtype and bool(part.grad.isfinite().all()))
        assert (given[0].grad is not None) is ALIGNS[align].learns


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("align", [name for name, kind in ALIGNS.items() if kind.null])
def test_a_null_memory_in_16_bits(align: str, way: str, dtype: torch.dtype):
    whole, half, _, _ = both("dot", align, "weighted_sum", way, dtype, null=True)
    assert half.null is not None
    assert half.null.dtype == dtype
    assert bool((half.null[0, 1] == 1).all())  # where nothing else may be read
    close(half.null, whole.null, dtype)
    close(half.weights, whole.weights, dtype)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_hops_in_16_bits(dtype: torch.dtype):
    attend, query, key, value, mask = case("scaled_dot", "softmax", "weighted_sum")
    given = halved(dtype, query, key, value)
    memories = [attend.attend.prepare(*given[1:])] * 3
    state, traces = hops(memories, lambda state, trace, hop: state + trace.output, given[0], mask)
    memories = [attend.attend.prepare(*(part.detach().float() for part in given[1:]))] * 3
    expected, _ = hops(memories, lambda state, trace, hop: state + trace.output, given[0].detach().float(), mask)
    close(state, expected, dtype)
    state.square().mean().backward()
    assert all(part.grad is not None and bool(part.grad.isfinite().all()) for part in given)
    assert bool(entropy(traces[0].logits).isfinite().all())


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("by_word", [False, True])
def test_rows_of_a_table_in_16_bits(by_word: bool, dtype: torch.dtype):
    table, basis = torch.randn(1, 7, 6).to(dtype), torch.tensor([[1, 1, 0, 0, 0], [0, 0, 1, 0, 1]]).to(dtype)
    sentence = torch.tensor([[0, 1], [2, 4], [0, 1]]) if by_word else torch.tensor([0, 1, 0])
    coefficient = torch.ones(3, 2, dtype=dtype) if by_word else None
    ages, place = torch.tensor([1, 0, 1]), torch.tensor([0, 1, 2])
    rows = Rows(table, None if by_word else basis, sentence, coefficient, ages, place, (1, 1, 3), 2)
    dense = (basis[[0, 1, 0]].float() @ table[0, :5].float() + table[0, 5:][ages].float()).view(1, 1, 3, 6)
    close(rows.gather(), dense, dtype)
    query, attend = torch.randn(1, 1, 2, 6).to(dtype), Attention(dot, softmax, weighted_sum)
    close(attend(query, rows).output, attend(query.float(), dense).output, dtype)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_long_memories_in_16_bits(dtype: torch.dtype):
    """More memories than 16 bits can count: their places, cumulative chances and the support of sparsemax stay right."""
    logits = torch.zeros(1, 1, 1, 5000, dtype=dtype)
    near = ALIGNS["local_m"](6, Random(0, 1), 2.0)(logits, position=torch.tensor([[[4001]]])).weights
    assert near.nonzero()[:, 3].tolist() == [*range(3998, 4003)]
    local = ALIGNS["local_p"](6, Random(0, 1), 2.0).to(dtype)
    assert int((local(logits, None, torch.zeros(1, 1, 1, 6, dtype=dtype)).weights > 0).sum()) == 5  # around 2500
    drawn = ALIGNS["hard"](6, Random(0, 1), 2.0)(logits.expand(1, 1, 400, -1), random=Random(1, 1)).place
    assert int((drawn > 2500).sum()) in range(150, 250)
    one = logits.clone()
    one[..., 4321] = 3.0
    assert ALIGNS["sparsemax"](6, Random(0, 1), 2.0)(one).weights[..., 4321].item() == 1.0


@pytest.mark.parametrize("way", ["plain", "heads", "multihead"])
@pytest.mark.parametrize("dtype", [torch.float32, *HALVES], ids=str)
def test_a_mask_of_floats_is_added_to_the_scores(dtype: torch.dtype, way: str):
    attend, query, key, value, mask = case("dot", "softmax", "weighted_sum", way)
    attend, query, key, value = attend.to(dtype), query.to(dtype), key.to(dtype), value.to(dtype)
    bias = torch.linspace(-1, 1, 5).to(dtype).expand(mask.shape)
    expected = attend(query, key, value, mask, bias=bias)
    for never in (-math.inf, torch.finfo(dtype).min):
        trace = attend(query, key, value, bias.masked_fill(~mask, never))
        assert torch.equal(trace.output, expected.output)
        assert torch.equal(trace.weights, expected.weights)
    twice = attend(query, key, value, bias.masked_fill(~mask, -math.inf), bias=bias)
    assert torch.equal(twice.output, attend(query, key, value, mask, bias=bias + bias).output)
    for number in (torch.int64, torch.uint8):
        with pytest.raises(TypeError, match="a mask is bool, True where a memory may be read, or floats"):
            attend(query, key, value, mask.to(number))


def test_a_mask_of_floats_is_pytorchs():
    _, query, key, value, mask = case("dot", "softmax", "weighted_sum")
    added = torch.randn(2, 3, 2, 5).masked_fill(~mask, -math.inf)
    ours = Attention(scaled_dot, softmax, weighted_sum)(query, key, value, added).output
    torch.testing.assert_close(ours, scaled_dot_product_attention(query, key, value, added))

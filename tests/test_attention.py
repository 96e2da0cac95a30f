"""The attention core: registry-wide properties, limits, and parity with independent code."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from memnet.attention import ALIGNS, READS, SCORES, Attention, Rows, dot, hops, linear, per_replica, softmax, weighted_sum

SHAPES = [(2, 3), (2, 3, 4)]  # (R, B) and (R, B, H)
PARTS = [(s, a, r) for s in SCORES for a in ALIGNS for r in READS]


def memory(lead: tuple[int, ...], queries: int = 2, memories: int = 5, width: int = 6) -> tuple[torch.Tensor, ...]:
    torch.manual_seed(0)
    mask = torch.rand(*lead, 1, memories) < 0.7
    mask[..., 0] = True
    return torch.randn(*lead, queries, width), torch.randn(*lead, memories, width), torch.randn(*lead, memories, width), mask


@pytest.mark.parametrize("lead", SHAPES)
@pytest.mark.parametrize(("score", "align", "read"), PARTS)
def test_every_combination_is_masked_and_trains(score: str, align: str, read: str, lead: tuple[int, ...]):
    attend = Attention(SCORES[score], ALIGNS[align], READS[read])
    query, key, value, mask = memory(lead)
    query.requires_grad_()
    trace = attend(query, key, value, mask)
    assert trace.output.shape == query.shape
    assert trace.weights.shape == trace.logits.shape == (*lead, 2, 5)
    assert bool((trace.weights[~mask.expand_as(trace.weights)] == 0).all())
    assert bool((trace.logits[~mask.expand_as(trace.logits)] == -math.inf).all())
    trace.output.square().sum().backward()
    assert bool(query.grad.isfinite().all())
    hidden = ~mask.transpose(-1, -2)
    again = attend(query, key.masked_fill(hidden, 1e6), value.masked_fill(hidden, -1e6), mask)
    assert torch.equal(again.output, trace.output)  # what is masked changes nothing


@pytest.mark.parametrize(("score", "align", "read"), PARTS)
def test_a_row_that_may_read_nothing_reads_zeros(score: str, align: str, read: str):
    query, key, value, mask = memory((2, 3))
    mask[0, 1] = False
    query.requires_grad_()
    trace = Attention(SCORES[score], ALIGNS[align], READS[read])(query, key, value, mask)
    assert bool((trace.output[0, 1] == 0).all())
    trace.output.sum().backward()
    assert bool(query.grad.isfinite().all())


@pytest.mark.parametrize(("score", "align", "read"), PARTS)
def test_permuting_memories_permutes_weights(score: str, align: str, read: str):
    query, key, value, mask = memory((2, 3))
    order = torch.tensor([3, 0, 4, 2, 1])
    attend = Attention(SCORES[score], ALIGNS[align], READS[read])
    one, two = attend(query, key, value, mask), attend(query, key[..., order, :], value[..., order, :], mask[..., order])
    torch.testing.assert_close(one.weights[..., order], two.weights)
    torch.testing.assert_close(one.output, two.output)


def test_softmax_attention_is_pytorchs():
    query, key, value, mask = memory((2, 3))
    ours = Attention(dot, softmax, weighted_sum)(query, key, value, mask).output
    theirs = torch.nn.functional.scaled_dot_product_attention(query, key, value, mask, scale=1.0)
    torch.testing.assert_close(ours, theirs)


def test_values_are_the_keys_when_not_given():
    query, key, _, mask = memory((2, 3))
    attend = Attention(dot, softmax, weighted_sum)
    assert torch.equal(attend(query, key, mask=mask).output, attend(query, key, key, mask).output)


def test_the_null_memory_is_one_more_with_value_zero():
    query, key, value, mask = memory((2, 3))
    null = torch.randn(2, 3, 2)
    trace = Attention(dot, softmax, weighted_sum)(query, key, value, mask, null)
    logits = torch.cat([(query @ key.transpose(-1, -2)).masked_fill(~mask, -math.inf), null.unsqueeze(-1)], -1)
    expected = logits.softmax(-1)
    torch.testing.assert_close(trace.weights, expected[..., :-1])
    torch.testing.assert_close(trace.null, expected[..., -1])
    torch.testing.assert_close(trace.output, expected[..., :-1] @ value)


def test_a_null_of_log_n_is_n_unmasked_zeros():
    logits, zeros = torch.tensor([[[[1.0, -2.0]]]]), torch.zeros(1, 1, 1, 3)
    with_null = softmax(logits, null=torch.full((1, 1, 1), math.log(3)))
    torch.testing.assert_close(with_null.weights, torch.cat([logits, zeros], -1).softmax(-1)[..., :2])
    none = softmax(logits, null=torch.full((1, 1, 1), -math.inf))
    torch.testing.assert_close(none.weights, logits.softmax(-1))
    assert float(none.null) == 0


def test_only_the_null_left():
    null = softmax(torch.full((1, 1, 1, 2), -math.inf), torch.zeros(1, 1, 1, 2, dtype=torch.bool), null=torch.zeros(1, 1, 1))
    assert float(null.null) == 1
    assert null.weights.tolist() == [[[[0.0, 0.0]]]]


def test_linear_reads_the_scores_themselves():
    query, key, value, mask = memory((2, 3))
    trace = Attention(dot, linear, weighted_sum)(query, key, value, mask)
    torch.testing.assert_close(trace.output, (query @ key.transpose(-1, -2) * mask) @ value)


def test_each_replica_has_its_own_phase():
    logits, mask = torch.randn(3, 2, 1, 4), torch.ones(3, 2, 1, 4, dtype=torch.bool)
    start = torch.tensor([True, False, True])
    mixed = per_replica(start)(logits, mask).weights
    assert torch.equal(mixed[1], softmax(logits, mask).weights[1])
    assert torch.equal(mixed[[0, 2]], logits[[0, 2]])
    assert per_replica(start | True) is linear
    assert per_replica(start & False) is softmax


def test_hops_ask_again_with_the_updated_state():
    query, key, value, mask = memory((2, 3))
    attend = Attention(dot, softmax, weighted_sum)
    state, traces = hops(attend, lambda u, o, hop: u + (hop + 1) * o, query, [key, value], [value, key], mask)
    first = attend(query, key, value, mask)
    second = attend(query + first.output, value, key, mask)
    torch.testing.assert_close(state, query + first.output + 2 * second.output)
    assert len(traces) == 2
    assert torch.equal(traces[1].weights, second.weights)


@st.composite
def told(draw: st.DrawFn) -> tuple[Rows, Rows]:
    """The same random memories twice: with a basis of distinct sentences, and word by word."""
    replicas, batch, memories = (draw(st.integers(1, 3)) for _ in range(3))
    words, ages, width, distinct, length = 5, draw(st.integers(1, 4)), 3, draw(st.integers(1, 4)), draw(st.integers(1, 3))
    torch.manual_seed(draw(st.integers(0, 10**6)))
    table = torch.randn(replicas, words + ages, width)
    row, coefficient = torch.randint(words, (distinct, length)), torch.randn(distinct, length)
    basis = torch.zeros(distinct, words).scatter_add_(1, row, coefficient)
    place = (torch.rand(replicas, batch, memories) < 0.7).flatten().nonzero().squeeze(1)
    story, sentence = place // memories, torch.randint(distinct, place.shape)
    age = story * ages + torch.randint(ages, place.shape)
    shape = (replicas, batch, memories)
    dense = Rows(table, basis, story * distinct + sentence, None, age, place, shape, ages)
    sparse = Rows(table, None, (story * words).unsqueeze(1) + row[sentence], coefficient[sentence], age, place, shape, ages)
    return dense, sparse


@given(told(), st.integers(1, 3))
def test_rows_are_the_memories_they_tell(pair: tuple[Rows, Rows], queries: int):
    memories = pair[0].gather()
    replicas, batch, count = pair[0].shape
    query, weights = torch.randn(replicas, batch, queries, 3), torch.randn(replicas, batch, queries, count)
    there = torch.zeros(replicas * batch * count).index_fill_(0, pair[0].place, 1).view(replicas, batch, 1, count)
    for rows in pair:
        close = {"rtol": 1e-4, "atol": 1e-5}
        torch.testing.assert_close(rows.gather(), memories, **close)
        torch.testing.assert_close(rows.inner(query), query @ memories.transpose(-1, -2) * there, **close)
        torch.testing.assert_close(rows.mix(weights), weights @ memories, **close)
        weight = torch.randn(replicas, 3, 2)
        torch.testing.assert_close(rows.map(weight).gather(), memories @ weight.unsqueeze(1), **close)

"""The attention core: registry-wide properties, limits, rows, and parity with PyTorch."""

import math
from functools import cache
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from memnet.attention import (
    ALIGNS,
    READS,
    SCORES,
    Attention,
    MultiHead,
    Rows,
    Trace,
    causal,
    dot,
    hops,
    linear,
    per_replica,
    scaled_dot,
    softmax,
    sparsemax,
    weighted_sum,
)
from memnet.nn.modules import Linear, Replicated
from memnet.nn.random import Random

IN_ORDER = {name for registry in (ALIGNS, READS) for name, kind in registry.items() if kind.in_order}
WAYS = ["plain", "heads", "multihead"]  # (R, B), (R, B, H), and MultiHead over (R, B)
WIDTH, CLOSE = 6, {"rtol": 1e-4, "atol": 1e-5}


@cache
def query_width(score: str, width: int) -> int:
    """The width of the queries that a score takes: as the keys, or twice that."""
    try:
        SCORES[score](width, width, Random(0, 1))
    except ValueError:
        return 2 * width
    return width


class Net(Replicated):
    """An attention, so that one replica can be cut out of it."""

    def __init__(self, score: str, align: str, read: str, heads: int = 0, replicas: int = 2, window: float = 2.0):
        super().__init__()
        random, width = Random(5, replicas, "weights"), WIDTH // max(heads, 1)
        asked = query_width(score, width)
        self.attend: nn.Module = Attention(
            SCORES[score](asked, width, random), ALIGNS[align](asked, random, window), READS[read](width, random)
        )
        if heads:
            self.attend = MultiHead(WIDTH, heads, self.attend, random, query_dim=asked * heads)
        for parameter in self.parameters():
            parameter.data.mul_(4.0)

    def forward(self, *args: Tensor, **options: object) -> Trace:
        return self.attend(*args, **options)


def case(score: str, align: str, read: str, way: str = "plain") -> tuple[Net, Tensor, Tensor, Tensor, Tensor]:
    """A network, queries, keys, values and a mask."""
    lead = (2, 3, 2) if way == "heads" else (2, 3)
    _, key, value, mask = memory(lead)
    query = torch.randn(*lead, 2, query_width(score, WIDTH))
    return Net(score, align, read, heads=2 if way == "multihead" else 0), query, key, value, mask


def memory(lead: tuple[int, ...], queries: int = 2, memories: int = 5, width: int = WIDTH) -> tuple[Tensor, ...]:
    torch.manual_seed(0)
    mask = torch.rand(*lead, 1, memories) < 0.7
    mask[..., 0], mask[..., -1] = True, False
    return torch.randn(*lead, queries, width), torch.randn(*lead, memories, width), torch.randn(*lead, memories, width), mask


def backward(trace: Trace) -> None:
    """Through everything that carries gradient."""
    loss = trace.output.square().sum()
    (loss if trace.log_prob is None else loss + trace.log_prob.sum()).backward()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("score", SCORES)
def test_every_combination_is_masked_and_trains(score: str, way: str):
    for align, read in product(ALIGNS, READS):
        attend, query, key, value, mask = case(score, align, read, way)
        for tensor in (query, key, value):
            tensor.requires_grad_()
        trace = attend(query, key, value, mask, random=Random(1, 2))
        assert trace.output.shape == (*query.shape[:-1], WIDTH)
        assert trace.weights.shape == trace.logits.shape == ((2, 3, 2, 2, 5) if way == "multihead" else (*query.shape[:-1], 5))
        masked = ~(mask.unsqueeze(2) if way == "multihead" else mask).expand_as(trace.weights)
        assert bool((trace.weights[masked] == 0).all())
        assert bool((trace.logits[masked] == -math.inf).all())
        backward(trace)
        for parameter in attend.parameters():
            assert parameter.shape[0] == 2
            assert (parameter.grad is not None) or not ALIGNS[align].learns
            assert parameter.grad is None or bool(parameter.grad.isfinite().all())
        assert (query.grad is not None) is ALIGNS[align].learns
        assert query.grad is None or bool(query.grad.isfinite().all())
        hidden = ~mask.transpose(-1, -2).expand_as(key)
        assert all(tensor.grad is None or bool((tensor.grad[hidden] == 0).all()) for tensor in (key, value))
        again = attend(query, key.masked_fill(hidden, 1e6), value.masked_fill(hidden, -1e6), mask, random=Random(1, 2))
        assert torch.equal(again.output, trace.output)  # what is masked changes nothing


@pytest.mark.parametrize(("questions", "memories"), [(3, 0), (0, 5)])
@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("score", SCORES)
def test_no_memories_and_no_questions(score: str, read: str, questions: int, memories: int):
    query = torch.randn(2, questions, 1, query_width(score, WIDTH), requires_grad=True)
    value = torch.randn(2, questions, memories, WIDTH)
    mask = torch.ones(2, questions, 1, memories, dtype=torch.bool)
    trace = Net(score, "softmax", read)(query, value, value, mask, random=Random(1, 2))
    assert trace.weights.shape == (2, questions, 1, memories)
    assert torch.equal(trace.output, torch.zeros(2, questions, 1, WIDTH))
    backward(trace)
    assert bool(query.grad.isfinite().all())


@pytest.mark.parametrize("way", ["plain", "multihead"])
@pytest.mark.parametrize("score", SCORES)
def test_a_row_that_may_read_nothing_reads_zeros(score: str, way: str):
    for align, read in product(ALIGNS, READS):
        attend, query, key, value, mask = case(score, align, read, way)
        mask[0, 1] = False
        query.requires_grad_()
        trace = attend(query, key, value, mask, random=Random(1, 2))
        assert bool((trace.output[0, 1] == 0).all())
        assert bool((trace.weights[0, 1] == 0).all())
        assert trace.log_prob is None or bool((trace.log_prob[0, 1] == 0).all())
        if ALIGNS[align].learns or trace.output.requires_grad:
            backward(trace)
        assert (query.grad is not None) is ALIGNS[align].learns
        assert query.grad is None or bool(query.grad.isfinite().all() and (query.grad[0, 1] == 0).all())
        found = [parameter.grad for parameter in attend.parameters() if ALIGNS[align].learns or parameter.grad is not None]
        assert all(bool(gradient.isfinite().all()) for gradient in found)


@pytest.mark.parametrize("way", ["plain", "multihead"])
@pytest.mark.parametrize("score", SCORES)
def test_a_replica_does_not_depend_on_the_others(score: str, way: str):
    for align, read in product(ALIGNS, READS):
        attend, query, key, value, mask = case(score, align, read, way)
        together = attend(query, key, value, mask, random=Random(1, 2))
        for number in range(2):
            one = slice(number, number + 1)
            alone = attend.replica(number)(query[one], key[one], value[one], mask[one], random=Random(1, [number]))
            torch.testing.assert_close(alone.output, together.output[one], **CLOSE)
            torch.testing.assert_close(alone.weights, together.weights[one], **CLOSE)


@pytest.mark.parametrize("way", ["plain", "multihead"])
@pytest.mark.parametrize("score", SCORES)
def test_permuting_memories_permutes_weights(score: str, way: str):
    for align, read in product(ALIGNS, READS):
        attend, query, key, value, mask = case(score, align, read, way)
        order = torch.tensor([3, 0, 4, 2, 1])
        one, two = attend(query, key, value, mask), attend(query, key[..., order, :], value[..., order, :], mask[..., order])
        torch.testing.assert_close(one.logits[..., order], two.logits)
        if align not in IN_ORDER:
            torch.testing.assert_close(one.weights[..., order], two.weights)
            if read not in IN_ORDER:
                torch.testing.assert_close(one.output, two.output)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("score", SCORES)
def test_a_keys_logit_ignores_the_other_keys(score: str, way: str):
    attend, query, key, value, _ = case(score, "softmax", "weighted_sum", way)
    others = torch.randn_like(key).index_copy_(-2, torch.tensor([3]), key[..., 3:4, :])
    torch.testing.assert_close(attend(query, others, value).logits[..., 3], attend(query, key, value).logits[..., 3])


@pytest.mark.parametrize("align", ALIGNS)
def test_without_a_mask_everything_is_readable(align: str):
    attend, query, key, value, _ = case("dot", align, "weighted_sum")
    everything = torch.ones(2, 3, 1, 5, dtype=torch.bool)
    one, two = attend(query, key, value), attend(query, key, value, everything)
    assert torch.equal(one.weights, two.weights)
    assert torch.equal(one.output, two.output)


@pytest.mark.parametrize(("score", "message"), [("dot", "as wide as"), ("scaled_dot", "as wide as"), ("interaction", "twice")])
def test_widths_that_do_not_fit(score: str, message: str):
    with pytest.raises(ValueError, match=message):
        SCORES[score](3, 4, Random(0, 1))


def test_softmax_attention_is_pytorchs():
    query, key, value, mask = memory((2, 3))
    for score, scale in ((dot, 1.0), (scaled_dot, None)):
        ours = Attention(score, softmax, weighted_sum)(query, key, value, mask).output
        torch.testing.assert_close(ours, scaled_dot_product_attention(query, key, value, mask, scale=scale))


def test_self_attention_and_causal_masks_are_arguments():
    _, x, _, _ = memory((2, 3))
    for attend in (Attention(scaled_dot, softmax, weighted_sum), Net("dot", "softmax", "weighted_sum", heads=2)):
        trace = attend(x, x, mask=causal(5))
        assert bool((trace.weights.triu(1) == 0).all())
        cut = attend(x[..., :3, :], x[..., :3, :], mask=causal(3))
        torch.testing.assert_close(cut.output, trace.output[..., :3, :])  # what comes later changes nothing
    ours = Attention(scaled_dot, softmax, weighted_sum)(x, x, mask=causal(5)).output
    torch.testing.assert_close(ours, scaled_dot_product_attention(x, x, x, is_causal=True))


def test_values_are_the_keys_when_not_given():
    query, key, _, mask = memory((2, 3))
    attend = Attention(dot, softmax, weighted_sum)
    assert torch.equal(attend(query, key, mask=mask).output, attend(query, key, key, mask).output)


@pytest.mark.parametrize("align", ["softmax", "sparsemax", "hard"])
@pytest.mark.parametrize("drawn", [False, True])
def test_the_null_memory_is_one_more_with_value_zero(align: str, drawn: bool):
    query, key, value, mask = memory((2, 3))
    logits, null = dot(query, key), torch.randn(2, 3, 2)
    mask[0, 0] = False  # leaves only the null
    one, two = (Random(4, 2), Random(4, 2)) if drawn else (None, None)
    attend = ALIGNS[align](WIDTH, Random(0, 2), 2.0)
    trace = Attention(dot, attend, weighted_sum)(query, key, value, mask, null, random=one)
    all_logits = torch.cat([logits, null.unsqueeze(-1)], -1)
    all_mask = torch.cat([mask, torch.ones(2, 3, 1, 1, dtype=torch.bool)], -1)
    expected = attend(all_logits.masked_fill(~all_mask, -math.inf), all_mask, random=two)
    torch.testing.assert_close(trace.weights, expected.weights[..., :-1])
    torch.testing.assert_close(trace.null, expected.weights[..., -1])
    torch.testing.assert_close(
        trace.output, weighted_sum(expected.weights, torch.cat([value, torch.zeros(2, 3, 1, WIDTH)], -2))
    )
    assert bool((trace.null[0, 0] == 1).all())
    if align == "hard":
        torch.testing.assert_close(trace.log_prob, expected.log_prob)


@pytest.mark.parametrize("align", ["sigmoid", "local_m", "local_p"])
def test_these_cannot_read_nothing(align: str):
    attend, query, key, value, mask = case("dot", align, "weighted_sum")
    with pytest.raises(ValueError, match="cannot read nothing"):
        attend(query, key, value, mask, null=torch.zeros(2, 3, 2))


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
    assert per_replica(start & False, sparsemax) is sparsemax
    other = per_replica(start, sparsemax)(logits, mask, null=torch.zeros(3, 2, 1))
    assert torch.equal(other.weights[1], sparsemax(logits, mask, null=torch.zeros(3, 2, 1)).weights[1])
    assert torch.equal(other.weights[[0, 2]], logits[[0, 2]])
    assert bool((other.null[start] == 0).all())


def test_hops_ask_again_with_the_updated_state():
    query, key, value, mask = memory((2, 3))
    attend = Attention(dot, softmax, weighted_sum)
    memories = [attend.prepare(key, value), attend.prepare(value, key)]
    state, traces = hops(memories, lambda u, trace, hop: u + (hop + 1) * trace.output, query, mask)
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


def there(rows: Rows) -> Tensor:
    """Where a memory is, (R, B, 1, M)."""
    replicas, batch, count = rows.shape
    return torch.zeros(replicas * batch * count).index_fill_(0, rows.place, 1).view(replicas, batch, 1, count).bool()


@given(told(), st.integers(1, 3))
def test_rows_are_the_memories_they_tell(pair: tuple[Rows, Rows], queries: int):
    memories = pair[0].gather()
    replicas, batch, count = pair[0].shape
    query, weights = torch.randn(replicas, batch, queries, 3), torch.randn(replicas, batch, queries, count)
    here = there(pair[0])
    mapped = Linear(3, 2, Random(0, replicas))
    mapped.bias.data.normal_()
    for rows in pair:
        torch.testing.assert_close(rows.gather(), memories, **CLOSE)
        torch.testing.assert_close(rows.inner(query), query @ memories.transpose(-1, -2) * here, **CLOSE)
        torch.testing.assert_close(rows.mix(weights), weights @ memories, **CLOSE)
        torch.testing.assert_close(rows.map(mapped).gather(), mapped(memories) * here.transpose(2, 3), **CLOSE)


@pytest.mark.parametrize("score", SCORES)
@given(told())
def test_scores_take_rows(score: str, pair: tuple[Rows, Rows]):
    query = torch.randn(*pair[0].shape[:2], 2, query_width(score, 3))
    attend = SCORES[score](query.shape[-1], 3, Random(0, len(query)))
    for rows in pair:
        torch.testing.assert_close(attend(query, rows), attend(query, rows.gather()), **CLOSE)

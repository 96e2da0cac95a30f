"""The Transformer: against PyTorch's own layers and numpy, halting by hand, and what must change no answer."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from memnet.attention import ALIGNS
from memnet.attention.reinforce import MovingMean
from memnet.config import override
from memnet.encode.batch import batches
from memnet.encode.examples import examples
from memnet.errors import ConfigError
from memnet.models.encoders import StoryWords
from memnet.models.transformer import Layer, Transformer, TransformerConfig
from memnet.nn.modules import LayerNorm, dropout
from memnet.nn.random import Random
from memnet.tasks.text import Question, Story
from tests.test_memn2n import network
from tests.training import batch_of

SMALL = TransformerConfig(dim=8, hidden=12, heads=2, dropout=0.0)


def made(config: TransformerConfig, replicas: int = 2, stories: list[Story] | None = None):
    net, data, vocabulary = network(config, replicas, stories)
    assert isinstance(net, Transformer)
    return net, data, vocabulary


def output(net: Transformer, data, index: list[int], **options):
    batch = batch_of(net, data, index)
    return net(batch, net.encode_data(data), **options), batch


def test_a_layer_is_pytorchs():
    layer = Layer(SMALL, Random(0, 2))
    for part in (layer.attend_norm, layer.feed_norm):
        nn.init.normal_(part.weight)
        nn.init.normal_(part.bias)
    x, mask = torch.randn(2, 3, 5, 8), torch.rand(2, 3, 1, 5) < 0.7
    mask[..., -1] = True
    ours, trace = layer(x, mask, torch.zeros(2, 3, 5), None, None)
    for replica in range(2):
        torchs = nn.TransformerEncoderLayer(8, 2, 12, dropout=0.0, norm_first=True, batch_first=True)
        with torch.no_grad():
            parts = [getattr(layer.attend, name) for name in ("query", "key", "value")]
            torchs.self_attn.in_proj_weight.copy_(torch.cat([part.weight[replica].T for part in parts]))
            torchs.self_attn.in_proj_bias.copy_(torch.cat([part.bias[replica] for part in parts]))
            pairs = [
                (torchs.self_attn.out_proj, layer.attend.out),
                (torchs.linear1, layer.inner),
                (torchs.linear2, layer.outer),
                (torchs.norm1, layer.attend_norm),
                (torchs.norm2, layer.feed_norm),
            ]
            for weights, mine in pairs:
                weights.weight.copy_(mine.weight[replica].mT if mine.weight.dim() == 3 else mine.weight[replica])
                weights.bias.copy_(mine.bias[replica])
        expected = torchs(x[replica], src_key_padding_mask=~mask[replica, :, 0])
        torch.testing.assert_close(ours[replica], expected, rtol=1e-4, atol=1e-5)
    assert trace.weights.shape == (2, 3, 2, 5, 5)


def test_the_question_and_its_story_by_hand():
    """A question and two sentences as sums of words x places, with their ages as sines and cosines."""
    net, data, _ = made(replace(SMALL, time="age"))
    nn.init.normal_(net.masks)
    number = int((data.count >= 2).nonzero()[0])
    batch = batch_of(net, data, [number])
    parts = net.elements(batch, net.encode_data(data))
    x, mask, place = parts.x + parts.times, parts.mask, parts.place
    told = int(data.count[number])
    embedding, masks = net.embedding.detach().numpy(), net.masks.detach().numpy()

    def signal(place: int) -> np.ndarray:
        speed = 100.0 ** (-np.arange(4) / 3)
        return np.concatenate([np.sin(place * speed), np.cos(place * speed)])

    def encoded(row: np.ndarray, length: int) -> np.ndarray:
        return sum(embedding[1, word] * masks[1, j] for j, word in enumerate(row[:length]))

    for i, row in enumerate(data.memory[number, :told].tolist()):
        expected = encoded(data.sentences.words[row], data.sentences.lengths[row]) + signal(told - i)
        np.testing.assert_allclose(x[1, 0, i].detach().numpy(), expected, rtol=1e-4, atol=1e-5)
    asked = int(data.question[number])
    expected = encoded(data.questions.words[asked], data.questions.lengths[asked]) + net.asked[1].detach().numpy() + signal(0)
    np.testing.assert_allclose(x[1, 0, -1].detach().numpy(), expected, rtol=1e-4, atol=1e-5)
    assert mask[1, 0, 0].tolist() == [True] * told + [False] * (x.shape[2] - 1 - told) + [True]
    assert place[1, 0].tolist() == [*range(1, x.shape[2]), told + 1]


def test_universal_layers_are_one_layer_with_a_signal_of_the_step():
    universal, data, _ = made(replace(SMALL, layers=3))
    plain, _, _ = made(replace(SMALL, layers=3, universal=False))
    assert len(universal.layers) == 1
    assert len(plain.layers) == 3
    batch = batch_of(universal, data, [4, 5])
    parts = universal.elements(batch, universal.encode_data(data))
    mask, place = parts.mask, parts.place
    expected = parts.x
    for number in range(3):
        before = expected + parts.times + universal.signal(torch.tensor(number))
        expected, _ = universal.layers[0](before, mask, place, None, None)
    torch.testing.assert_close(universal.encoder(parts, None, None)[0], expected)
    for layer in plain.layers:
        layer.load_state_dict(universal.layers[0].state_dict())
    expected = parts.x + parts.times
    for layer in plain.layers:
        expected, _ = layer(expected, mask, place, None, None)
    torch.testing.assert_close(plain.encoder(parts, None, None)[0], expected)


def test_adaptive_halting_by_hand():
    net, data, _ = made(replace(SMALL, layers=5, halting="act"), 1)
    assert net.halt is not None
    torch.manual_seed(0)
    nn.init.normal_(net.halt.weight, std=10.0)
    nn.init.constant_(net.halt.bias, -0.5)
    batch = batch_of(net, data, [3, 9, 14])
    parts = net.elements(batch, net.encode_data(data))
    x, mask, place = parts.x, parts.mask, parts.place
    mixed, traces, ponder, steps = net.encoder(parts, None, None)
    states, chances = [], []
    for number in range(5):
        x = x + parts.times + net.signal(torch.tensor(number))
        chances.append(net.halt(x).sigmoid().squeeze(3).detach())
        x, _ = net.layers[0](x, mask, place, None, None)
        states.append(x.detach())
    spent = []
    for question in range(3):
        costs, numbers = [], []
        for element in mask[0, question, 0].nonzero().flatten().tolist():
            total, result, number = 0.0, 0.0, 0
            while True:
                chance = float(chances[number][0, question, element])
                last = total + chance > 0.99 or number == 4
                share = 1 - total if last else chance
                result = result + share * states[number][0, question, element]
                total, number = total + chance, number + 1
                if last:
                    break
            torch.testing.assert_close(mixed[0, question, element].detach(), result, rtol=1e-4, atol=1e-5)
            costs.append(number + share)
            numbers.append(number)
        assert float(ponder[0, question].detach()) == pytest.approx(np.mean(costs), rel=1e-4)
        assert float(steps[0, question]) == pytest.approx(np.mean(numbers), rel=1e-5)
        spent += numbers
    assert len(set(spent)) > 1  # they halt at different steps
    assert len(traces) == 5


def test_ponder_is_a_cost():
    net, data, _ = made(replace(SMALL, layers=4, halting="act", ponder=0.5))
    out, _ = output(net, data, [1, 2])
    assert out.penalty is not None
    assert out.steps is not None
    assert bool((out.penalty > 0.5).all())  # a step at least, and what was left
    (gradient,) = torch.autograd.grad(out.penalty.sum(), net.halt.weight)
    assert bool(gradient.isfinite().all())
    assert float(gradient.abs().sum()) > 0


@pytest.mark.parametrize("elements", ["sentences", "words"])
@pytest.mark.parametrize(("halting", "max_relative_distance"), [("fixed", 0), ("act", 0), ("fixed", 2)])
def test_longer_stories_beside_it_change_no_answer(elements: str, halting: str, max_relative_distance: int):
    net, data, _ = made(
        replace(SMALL, elements=elements, halting=halting, time="both", max_relative_distance=max_relative_distance)
    )
    order = data.count.argsort()
    short, long = int(order[0]), int(order[-1])
    alone, _ = output(net, data, [short])
    beside, _ = output(net, data, [short, long])
    torch.testing.assert_close(alone.logits[:, 0], beside.logits[:, 0], rtol=1e-4, atol=1e-5)
    told = int(data.count[short])
    for one, two in zip(alone.traces, beside.traces, strict=True):
        torch.testing.assert_close(one.weights[:, 0, :, :told], two.weights[:, 0, :, :told], rtol=1e-4, atol=1e-5)
        assert float(two.weights[:, 0, :, told:].abs().sum()) == 0.0


def test_the_first_head_starts_at_the_element_before():
    layer = Layer(replace(SMALL, max_relative_distance=3), Random(0, 2))
    layer.attend.query.weight.data.zero_()
    layer.attend.query.bias.data.zero_()
    place = torch.arange(1, 6).expand(2, 1, 5)
    _, trace = layer(torch.randn(2, 1, 5, 8), torch.ones(2, 1, 1, 5, dtype=torch.bool), place, None, None)
    read = trace.weights[:, 0].argmax(-1)  # (R, H, Q)
    assert read[:, 0, 1:].tolist() == [[0, 1, 2, 3]] * 2
    assert float(trace.weights[:, 0, 0, 1:].amax(-1).min()) > 0.6 > float(trace.weights[:, 0, 1].max())


def test_masks_of_places_start_as_far_apart_as_said():
    net, _, _ = made(replace(SMALL, dim=512, position_mask_std=0.5), replicas=1)
    assert abs(float(net.masks.detach().mean()) - 1) < 0.05
    assert abs(float(net.masks.detach().std()) - 0.5) < 0.05
    alike, _, _ = made(SMALL)
    assert bool((alike.masks == 1).all())


def test_what_is_read_sums_to_one_with_the_question_itself():
    for elements in ("sentences", "words"):
        net, data, _ = made(replace(SMALL, elements=elements))
        out, _ = output(net, data, [0, 7, 11])
        *layers, last = out.traces
        assert len(layers) == net.config.layers
        for trace in layers:
            torch.testing.assert_close(trace.weights.sum(3) + trace.null, torch.ones(2, 3, 1))
        torch.testing.assert_close(last.weights.sum(3), torch.ones(2, 3, 1))
        for trace in out.traces:  # the logits of one softmax, for supervision by facts
            weights = trace.weights if trace.null is None else trace.weights / (1 - trace.null.unsqueeze(3))
            torch.testing.assert_close(trace.logits.softmax(-1), weights, rtol=1e-4, atol=1e-5)


def test_stories_as_words():
    words = torch.tensor([[5, 6, 7], [8, 9, 0]])
    rows = torch.tensor([[[1, 0, 0], [0, 0, 0]]])
    mask = torch.tensor([[[True, True, False], [True, False, False]]])
    story = StoryWords.of(words, torch.tensor([3, 2]), rows, mask)
    assert story.words.tolist() == [[[8, 9, 5, 6, 7], [5, 6, 7, 0, 0]]]
    assert story.sentence.tolist() == [[[0, 0, 1, 1, 1], [0, 0, 0, 0, 0]]]
    assert story.ends.tolist() == [[[2, 5, 5], [3, 3, 3]]]
    assert story.there.tolist() == [[[True] * 5, [True] * 3 + [False] * 2]]


@pytest.mark.parametrize("align", [name for name in ALIGNS if name not in TransformerConfig.refused])
@pytest.mark.parametrize("score", ["dot", "scaled_dot", "general", "concat"])
def test_every_score_and_alignment_of_the_core_learns(score: str, align: str):
    options = {"window": 3.0} if align.startswith("local") else {"samples": 3, "baseline": "loo"} if align == "hard" else {}
    net, data, _ = made(replace(SMALL, score=score, align=align, **options))
    batch = batch_of(net, data, range(6))
    none = torch.zeros(2, dtype=torch.bool)
    net.set_schedule(none, none | (not ALIGNS[align].learns))  # softmax trains in the place of what does not learn
    step = net.objective(batch, net.encode_data(data), Random(0, 2), MovingMean(2))
    named = dict(net.named_parameters())
    gradients = torch.autograd.grad(step.objective.sum(), list(named.values()))
    for name, gradient in zip(named, gradients, strict=True):
        assert bool(gradient.isfinite().all())
        assert bool((gradient.flatten(1).abs().amax(1) > 0).all()), name


def test_memory_age_is_capped_at_the_oldest_of_training():
    net, _, vocabulary = made(replace(SMALL, time="age"))
    longer = Story(("Mary went home.",) * (net.sizes.ages + 5), (Question("Where is Mary?", "home", (), net.sizes.ages + 5),))
    more = examples([[longer]], vocabulary, 1000)
    batch = next(batches(more, torch.zeros(1, 2, 1, dtype=torch.long), net.sizes.ages))
    parts = net.elements(batch, net.encode_data(more))
    x = parts.x + parts.times
    torch.testing.assert_close(x[:, :, 0], x[:, :, 5])
    assert not torch.equal(x[:, :, 5], x[:, :, 6])


def test_layer_norm_is_pytorchs():
    norm = LayerNorm(6, Random(0, 3))
    nn.init.normal_(norm.weight)
    nn.init.normal_(norm.bias)
    x = torch.randn(3, 4, 5, 6)
    for replica in range(3):
        expected = torch.nn.functional.layer_norm(x[replica], (6,), norm.weight[replica], norm.bias[replica])
        torch.testing.assert_close(norm(x)[replica], expected)


def test_dropout_keeps_the_mean_and_is_each_replicas_own():
    x = torch.ones(2, 200, 50)
    dropped = dropout(x, 0.3, Random(0, 2))
    assert dropped.unique().tolist() == pytest.approx([0.0, 1 / 0.7])
    assert float(dropped.mean()) == pytest.approx(1.0, abs=0.02)
    assert torch.equal(dropped[:1], dropout(x[:1], 0.3, Random(0, 1)))
    assert dropout(x, 0.3, None) is x


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dim": 10, "heads": 4}, r"a multiple of 8 \(heads=4\)"),
        ({"halting": "act", "universal": False}, "needs universal=true"),
        ({"noise": 0.1, "time": "absolute"}, "needs time=age"),
        ({"align": "hard"}, "samples=1 or more"),
        ({"replacement": True}, "set replacement=false"),
        ({"align": "local_m"}, "needs a window"),
        ({"warmup": 1.0}, "below 1"),
        ({"optimizer": "adam"}, "decay is for optimizer=adamw"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str):
    with pytest.raises(ConfigError, match=message):
        TransformerConfig(**settings)


@pytest.mark.parametrize("name", ["test_samples", "entropy"])
def test_settings_of_memn2n_alone(name: str):
    with pytest.raises(ConfigError, match=f"{name}: "):
        override(TransformerConfig(align="hard", samples=2), {name: 2})

"""The causal Transformer: a story is read once for all its questions, and nothing looks ahead."""

import dataclasses

import pytest
import torch

from memnet.encode.batch import batches
from memnet.encode.examples import examples
from memnet.errors import ConfigError
from memnet.models.causal import CausalConfig, CausalTransformer, Groups
from memnet.models.encoders import chirps
from memnet.nn.random import Random
from memnet.tasks.families import Task
from memnet.tasks.simulator import simulate
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.loop import of_longest, side_by_side, train_networks
from memnet.training.spec import specify

SMALL = CausalConfig(epochs=2, batch=20, dim=16, heads=2, hidden=16, steps=2)


def a_network(replicas: int = 2) -> tuple[CausalTransformer, DataSet]:
    task = Task.of("sim/qa2", simulate("qa2", 100, 0), simulate("qa2", 40, 1), "0")
    data = DataSet.of([task], SMALL)
    net = CausalTransformer(
        SMALL, CausalTransformer.measure(SMALL, data.train, data.vocabulary), Random(0, replicas, "weights")
    )
    return net, data


def test_questions_are_grouped_by_hand():
    story = torch.tensor([[4, 4, 4, 7, 9, 9], [1, 2, 2, 2, 2, 2]])
    count = torch.tensor([[2, 6, 4, 3, 1, 5], [3, 1, 2, 3, 4, 5]])
    groups = Groups.of(story, count)
    assert groups.group.tolist() == [[0, 0, 0, 1, 2, 2], [0, 1, 1, 1, 1, 1]]
    assert groups.place.tolist() == [[0, 1, 2, 0, 0, 1], [0, 0, 1, 2, 3, 4]]
    assert groups.longest[0].tolist() == [1, 3, 5]
    assert groups.longest[1, :2].tolist() == [0, 5]
    assert groups.questions == 5
    value = torch.arange(24.0).view(2, 6, 2)
    assert torch.equal(groups.collect(groups.spread(value)), value)


def test_a_question_is_answered_alone_as_beside_the_others_of_its_story():
    net, data = a_network()
    together = evaluate(net, data.test, batch=40).loss
    alone = torch.cat([evaluate(net, data.test.select(torch.tensor([n]))).loss for n in range(len(data.test))], 1)
    torch.testing.assert_close(together, alone)
    mixed = torch.randperm(len(data.test), generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(evaluate(net, data.test.select(mixed)).loss, together[:, mixed])


def test_what_is_told_later_changes_no_answer():
    """A question before the story's end, and the same question where the story ends there."""
    net, data = a_network()
    story = simulate("qa2", 5, 3)[0]
    cut = [dataclasses.replace(story, statements=story.statements[: q.after], questions=(q,)) for q in story.questions]
    whole, parts = (examples([one], data.vocabulary, 50) for one in ([story], cut))
    assert len(set(whole.story.tolist())) == 1
    assert len(set(parts.story.tolist())) == 5
    torch.testing.assert_close(evaluate(net, whole).loss, evaluate(net, parts).loss)


def test_a_kept_story_answers_as_one_read_anew():
    net, data = a_network(1)
    part = data.test.select(torch.tensor([4]))
    batch, codes = next(batches(part, torch.zeros(1, 1, 1, dtype=torch.long), net.sizes.ages)), net.encode_data(part)
    with torch.no_grad():
        kept = net.answer_from(net.encode_story(batch, codes), batch, codes)
        anew = net(batch, codes)
    torch.testing.assert_close(kept.logits, anew.logits)
    torch.testing.assert_close(kept.traces[-1].weights, anew.traces[-1].weights)


def test_codes_of_names_are_nearly_orthogonal():
    codes = chirps(40)
    products = codes @ codes.T - torch.eye(40)
    torch.testing.assert_close(codes.square().sum(1), torch.ones(40))
    assert products.abs().max() <= 13**-0.5 + 1e-6
    torch.testing.assert_close(products[:13, :13], torch.zeros(13, 13), atol=1e-6, rtol=0)
    assert len(chirps(169)) == 169
    with pytest.raises(ValueError, match="at most 169"):
        chirps(170)


def test_questions_of_a_story_stand_side_by_side():
    story = torch.tensor([0, 0, 1, 1, 2, 2, 2])
    picks = torch.tensor([[6, 0, 2, 1, 5, 3, 4]])
    assert side_by_side(picks, story).tolist() == [[6, 5, 4, 0, 1, 2, 3]]
    assert of_longest(torch.tensor([2, 5, 1, 3, 4, 4, 9]), story).tolist() == [5, 5, 3, 3, 9, 9, 9]


def test_it_learns_which_facts_prove_an_answer():
    config = dataclasses.replace(SMALL, epochs=10, dim=32, lr=0.01, supervision="facts")
    task = Task.of("sim/qa1", simulate("qa1", 300, 0), simulate("qa1", 100, 1), "0")
    data = DataSet.of([task], config)
    result = train_networks(specify([task], "causal", config, 0, 1), data)
    (row,) = result.rows
    assert row["tasks"]["sim/qa1"]["test_error"] < 20
    read = evaluate(result.net, data.test).read[0, :, -1]
    assert float((read == data.test.facts[:, 0]).double().mean()) > 0.8


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decoder": "class"}, "decoder=words"),
        ({"dim": 30, "heads": 4}, "dim"),
        ({"align": "hard", "samples": 2}, "share what"),
        ({"steps": 0}, "steps"),
    ],
)
def test_settings_are_refused_in_a_sentence(changes: dict[str, object], message: str):
    with pytest.raises(ConfigError, match=message):
        dataclasses.replace(SMALL, **changes)

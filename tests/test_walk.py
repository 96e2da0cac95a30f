"""Networks that walk from name to name: forms of statements, both compositions, and more steps than trained."""

import dataclasses
from random import Random as Draw

import pytest
import torch

from memnet.encode.batch import Batch, batches
from memnet.encode.examples import examples
from memnet.encode.pairs import pairs_of
from memnet.errors import ConfigError
from memnet.models.walk import Walk, WalkConfig
from memnet.nn.random import Random
from memnet.nn.relations import Sum, Table, agreed
from memnet.papers import PRESETS
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story
from memnet.tasks.text.entities import bracketed_names, bracketed_units
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from tests.training import a_spec

PLACES = {"left": -1, "right": 1}


def line(draw: Draw, steps: int) -> Story:
    """So many things in a line of places, told in any order and either way round, and where the first is from the last."""
    names = draw.sample([f"thing{number}" for number in range(90)], steps + 1)
    sides = [draw.choice(("left", "right")) for _ in range(steps)]
    told = []
    for one, other, side in zip(names, names[1:], sides, strict=False):
        turned = draw.random() < 0.5
        first, second = (other, one) if turned else (one, other)
        said = {"left": "right", "right": "left"}[side] if turned else side
        told.append(f"[{first}] is to the {said} of [{second}].")
    draw.shuffle(told)
    total = sum(PLACES[side] for side in sides)
    answer = "left" if total < 0 else "right" if total > 0 else "same"
    return Story(tuple(told), (Question(f"Where is [{names[0]}] from [{names[-1]}]?", answer, (), steps),))


def lines(seed: int, number: int, steps: tuple[int, ...]) -> list[Story]:
    draw = Draw(seed)
    return [line(draw, draw.choice(steps)) for _ in range(number)]


def task_of(longest: int = 3, train: int = 600) -> Task:
    splits = {"near": lines(2, 60, (1, 2)), "far": lines(3, 60, (longest,))}
    return Task("own/lines", lines(1, train, (1, 2, 3)), splits, "0")


def net_of(config: WalkConfig, task: Task, replicas: int = 2) -> tuple[Walk, DataSet]:
    data = DataSet.of([task], config)
    sizes = Walk.measure(config, data.train, data.vocabulary)
    return Walk(config, sizes, Random(0, replicas)), data


def one_batch(net: Walk, data: DataSet, questions: int) -> Batch:
    index = torch.arange(questions).expand(1, net.replicas, -1)
    return next(batches(data.train, index, net.sizes.ages))


def test_names_in_brackets_are_the_only_names():
    units = bracketed_units("[A] is at a corner of [Red Box].")
    assert [(unit.text, unit.is_entity) for unit in units][:2] == [("a", True), ("is", False)]
    assert units[-1] == ("red box", True, "Red Box")
    assert bracketed_names(["[A] and [Ann Lee] met.", "no"]) == {"ann", "lee"}


def test_statements_alike_but_for_names_have_the_same_two_forms():
    told = ("[Ann] met [Bob].", "[Cid] met [Dee].", "[Dee] slept.")
    story = Story(told, (Question("Who is [Ann] to [Dee]?", "friend", (), 3),))
    task = Task.of("own/met", [story] * 8, [story])
    config = WalkConfig(unanswerable=0.0)
    data = DataSet.of([task], config)
    sizes = (len(data.vocabulary), len(data.vocabulary.markers))
    alone, joined = (pairs_of(data.train, *sizes, span) for span in (1, 2))
    assert len(alone.words) == 2
    facts = alone.single.form.sort(1).values
    assert {tuple(row) for row in facts.tolist()} == {(0, 1), (-1, -1)}, "the third statement names one alone"
    assert len(alone.neighbours) == 0
    assert int((joined.joined.form >= 0).sum()) == 0, (
        "of Cid and Dee met, Dee slept: both name Dee, and Cid and Dee are told of already"
    )


def test_a_form_reaches_to_the_last_time_that_its_names_are_said():
    said = "The object [A] and [B] are there. The object [B] is above and slightly to the left of the object [A]."
    task = Task.of("own/far", [Story((said,), (Question("Where is [A] from [B]?", "below", (), 1),))] * 8, [])
    data = DataSet.of([task], WalkConfig(unanswerable=0.0))
    pairs = pairs_of(data.train, len(data.vocabulary), len(data.vocabulary.markers), 1)
    words = [data.vocabulary.entries[word] for word in pairs.words[0].tolist()]
    assert words[:3] == ["the", "object", data.vocabulary.markers[0]]
    assert words[-1] == data.vocabulary.markers[0]
    assert {"above", "left"} <= set(words)


def test_a_table_and_a_sum_compose_as_by_hand():
    random = Random(0, 1)
    table = Table(3, 2, random)
    with torch.no_grad():
        table.weight.zero_()
        table.weight[0, 1, 1, 0] = 10.0  # relation 1 of relation 1 is 0
        table.weight[0, 2, 2, 3] = 10.0  # nothing is known of relation 2 of relation 2
    one, two = (torch.eye(3).view(1, 1, 1, 3, 3)[:, :, :, code : code + 1] for code in (1, 2))  # one source, one name between
    both = table.compose(one, one).detach()
    assert both.shape == (1, 1, 1, 1, 1, 3)
    torch.testing.assert_close(both.flatten(), torch.tensor([1.0, 0.0, 0.0]))
    torch.testing.assert_close(table.compose(two, two).detach().flatten(), torch.zeros(3))
    assert float(table.certain(both)) > float(table.certain(torch.full((3,), 1 / 3))) > float(table.certain(both / 9))
    torch.testing.assert_close(table.open(torch.tensor([0.5, 0.2, 0.0])), torch.tensor([0.3]))
    added = Sum(4, 2, random)
    one, other = torch.randn(1, 1, 1, 2, 4), torch.randn(1, 1, 2, 3, 4)
    torch.testing.assert_close(added.compose(one, other)[0, 0, 0, 2, 1], one[0, 0, 0, 1] + other[0, 0, 1, 2])


def test_what_texts_say_of_two_names_agrees_and_silence_speaks_against_nothing():
    said = torch.tensor([[0.8, 0.2], [0.0, 0.0], [0.5, 0.1], [0.6, 0.0]])
    where = torch.tensor([0, 0, 1, 1]), torch.tensor([1, 1, 0, 0])
    found = agreed(said, where, (2, 2))
    torch.testing.assert_close(found[0, 1], torch.tensor([0.8, 0.2]), atol=1e-5, rtol=0)  # the second text is silent
    first, second, nothing = 0.9 * 1.0 - 0.16, 0.5 * 0.4 - 0.16, 0.16  # by hand: s is 0.4 in both
    torch.testing.assert_close(found[1, 0], torch.tensor([first, second]) / (first + second + nothing), atol=1e-5, rtol=0)
    assert not found[0, 0].any(), "nobody says anything of them"


@pytest.mark.parametrize("preset", ["walk", "walk-sum"])
def test_what_names_are_called_and_what_stands_beside_changes_nothing(preset: str):
    config = dataclasses.replace(PRESETS[preset], dropout=0.0)
    net, data = net_of(config, task_of())
    index = torch.arange(12)
    codes = net.encode_data(data.train)
    together = net(one_batch(net, data, 12), codes).logits
    renamed = data.vocabulary.prepare(task_of().train[:12], 77)
    assert renamed[0].statements != data.vocabulary.prepare(task_of().train[:12], 0)[0].statements
    other = examples([renamed], data.vocabulary, config.memory_size)
    alone = torch.cat(
        [net(next(batches(other, torch.tensor([[[n], [n]]]), net.sizes.ages)), net.encode_data(other)).logits for n in index], 1
    )
    torch.testing.assert_close(together, alone, rtol=1e-4, atol=1e-5)


def test_evidence_is_what_lies_on_the_way():
    net, data = net_of(PRESETS["walk-sum"], task_of())
    told = ("[a1] is to the left of [b1].", "[x1] is to the left of [y1].", "[b1] is to the left of [c1].")
    story = Story(told, (Question("Where is [a1] from [c1]?", "left", (), 3),))
    asked = examples([data.vocabulary.prepare([story], 0)], data.vocabulary, 100)
    [trace] = net(next(batches(asked, torch.tensor([[[0], [0]]]), 3)), net.encode_data(asked)).traces
    torch.testing.assert_close(trace.weights[0, 0, 0], torch.tensor([0.5, 0.0, 0.5]), atol=1e-4, rtol=0)


def test_a_sum_learned_from_two_steps_holds_at_seven():
    config = dataclasses.replace(PRESETS["walk-sum"], epochs=12, lr=0.01, dim=16, states=4, batch=32)
    spec, data = a_spec([task_of(7, 800)], config, 1)
    result = train_networks(spec, data)
    wrong = evaluate(result.net, data.test).wrong[0]
    assert float(wrong[:60].double().mean()) <= 0.02
    assert float(wrong[60:].double().mean()) <= 0.1


KIN = {("mother", "mother"): "grandmother", ("brother", "mother"): "mother", ("brother", "brother"): "brother"}


def kin(draw: Draw, steps: int, again: int = 0) -> Story:
    """Brothers, and a mother at the end of them: who she is to the first. So many statements are said again."""
    names = draw.sample([f"person{number}" for number in range(90)], steps + 1)
    kinds = ["brother"] * (steps - 1) + [draw.choice(("brother", "mother"))]
    told = [f"[{b}] is the {kind} of [{a}]." for a, b, kind in zip(names, names[1:], kinds, strict=False)]
    told += draw.sample(told, again)
    draw.shuffle(told)
    return Story(tuple(told), (Question(f"How is [{names[-1]}] related to [{names[0]}]?", kinds[-1], (), len(told)),))


def test_a_table_learned_from_two_steps_holds_at_six_also_where_much_is_said_twice():
    draw = Draw(5)
    train = [kin(draw, draw.choice((2, 3))) for _ in range(300)]
    task = Task("own/kin", train, {"far": [kin(draw, 6, again) for again in (0, 3) for _ in range(40)]}, "0")
    config = dataclasses.replace(PRESETS["walk"], epochs=8, lr=0.01, batch=32, dim=16, span=1, dropout=0.0)
    spec, data = a_spec([task], config, 1)
    assert float(evaluate(train_networks(spec, data).net, data.test).wrong.double().mean()) <= 0.05


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"open_vocabulary": False}, "only an open vocabulary"),
        ({"decoder": "words"}, "decoder=class"),
        ({"score": "general"}, "score=dot"),
        ({"align": "linear"}, "share what is read"),
    ],
)
def test_what_it_cannot_do_is_refused(changed: dict[str, object], said: str):
    with pytest.raises(ConfigError, match=said):
        WalkConfig(**changed)

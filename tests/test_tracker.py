"""The entity tracker: its alignment, its state, and that it learns to follow pointers."""

import pytest
import torch

from memnet.attention.newest import newest
from memnet.config import override
from memnet.encode.batch import batches
from memnet.errors import ConfigError
from memnet.models.decoders import prediction
from memnet.models.pointers import NAMES, PARTS, Cast, Step, filled, follow, written
from memnet.models.tracker import TrackerConfig
from memnet.nn.random import Random
from memnet.tasks.families import Task
from memnet.tasks.simulator import simulate
from memnet.training.dataset import DataSet
from memnet.training.loop import make_networks

KITCHEN, MARY, MILK, JOHN = range(4)


def test_newest_reads_the_last_that_fits():
    logits = torch.tensor([[9.0, 9.0, -9.0, 9.0]])
    mask = torch.tensor([[True, True, True, False]])
    found = newest(logits, mask)
    assert found.weights[0].argmax() == 1
    assert found.weights[0, 3] == 0
    assert found.null is not None
    assert found.weights.sum() + found.null.sum() == pytest.approx(1, abs=1e-5)
    assert newest(torch.full((1, 3), -20.0)).null[0] == pytest.approx(1, abs=1e-4)


def step_of(**values: list[float]) -> Step:
    """A step of large logits where something is named."""
    parts = dict(zip(("about", "write", "forget", "value", "together", "acts"), PARTS, strict=True))
    return Step.of(torch.cat([torch.tensor(values.get(name, [-20.0] * size)) for name, size in parts.items()]).view(1, 1, -1))


def referents(*numbers: int) -> torch.Tensor:
    """Names of a sentence, the last first."""
    one = torch.zeros(1, 1, NAMES, 4)
    for place, number in enumerate(numbers):
        one[0, 0, place, number] = 1
    return one


def test_a_thing_that_is_taken_goes_where_its_holder_goes():
    low, high = -20.0, 20.0
    moves = step_of(write=[low, high, low], forget=[high, low, low, low], value=[high, low, low, low, low, low, low])
    takes = step_of(write=[high, low, low], forget=[high, low, low, low], value=[low, high, low, low, low, low, low])
    pointers = torch.zeros(1, 1, 4, 4)
    pointers = written(pointers, takes, referents(MILK, MARY))
    assert follow(referents(MILK), pointers)[0, 0, 0, MARY] == pytest.approx(1, abs=1e-4)
    pointers = written(pointers, moves, referents(KITCHEN, MARY))
    ends = follow(follow(referents(MILK, MARY), pointers), pointers)
    assert ends[0, 0, :2, KITCHEN].tolist() == pytest.approx([1, 1], abs=1e-4)
    assert pointers.sum(-1).max() <= 1 + 1e-5


def test_an_unknown_place_is_filled_in_of_those_that_are_together():
    together = [-20.0] * NAMES**2
    together[0 * NAMES + 1] = 20.0  # the first is always where the second is
    pointers = torch.zeros(1, 1, 4, 4)
    pointers[0, 0, MARY, KITCHEN] = 1
    ends = follow(referents(JOHN, MARY), pointers)
    places = torch.tensor([1.0, 0, 0, 0])
    found = filled(pointers, step_of(together=together), ends, ends * places)
    assert found[0, 0, JOHN, KITCHEN] == pytest.approx(1, abs=1e-4)
    assert torch.equal(filled(pointers, step_of(), ends, ends * places), pointers)


def test_a_story_numbers_the_names_that_it_has():
    markers = torch.tensor([[[[7, 2, -1], [2, -2, -1]]]])
    who = Cast.of(markers, 9)
    assert who.size == 2
    assert who.number(markers).tolist() == [[[[1, 0, -1], [0, -2, -1]]]]
    assert who.marked()[0, 0].argmax(1).tolist() == [2, 7]


@pytest.mark.parametrize("changed", [{"open_vocabulary": False}, {"decoder": "class"}, {"supervision": "facts"}])
def test_it_refuses_what_it_cannot_do(changed: dict[str, object]):
    with pytest.raises(ConfigError):
        override(TrackerConfig(), changed)


def test_it_learns_to_answer_from_pointers():
    train, test = simulate("qa1", 200, 0), simulate("qa1", 50, 1)
    config = TrackerConfig(batch=16)
    data = DataSet.of([Task.of("sim/qa1", train, test)], config)
    net = make_networks("tracker", config, data, Random(0, 1, "weights"))
    encoded, adam = net.encode_data(data.train), torch.optim.Adam(net.parameters(), 0.02)
    for epoch in range(6):
        order = torch.randperm(9, generator=torch.Generator().manual_seed(epoch))
        for batch in batches(data.train, torch.arange(180).view(9, 1, 20)[order], 20):
            adam.zero_grad()
            net.objective(batch, encoded, Random(0, 1, "noise"), None).objective.sum().backward()  # type: ignore[arg-type]
            adam.step()
    (batch,) = batches(data.test, torch.arange(len(data.test)).view(1, 1, -1), 20)
    answers = prediction(net(batch, net.encode_data(data.test)).logits[:, :, 0])
    assert (answers == batch.answer).float().mean() > 0.9

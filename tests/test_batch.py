"""From stories to batches: order kept, padding inert, random empty memories as described."""

import math
from collections import Counter
from itertools import combinations

import pytest
import torch
from torch.utils._pytree import tree_map_only

from memnet.encode import batch as batch_module
from memnet.encode.batch import batches, empty_memories, passed
from memnet.encode.examples import Examples, examples
from memnet.encode.vocabulary import UNKNOWN, Vocabulary
from memnet.nn.random import Random
from memnet.tasks.text import parse
from memnet.training.memory import Operations
from tests.conftest import wander

STORY = """\
1 Mary went home.
2 John went out.
3 Mary went out.
4 Where is Mary? \tout\t3
5 John went home.
6 What has John?\tapple,milk\t5 2
"""


def test_the_vocabulary_is_the_training_text_and_its_answers():
    vocabulary = Vocabulary.of(parse(STORY))
    assert vocabulary.entries == (UNKNOWN, "apple,milk", "has", "home", "is", "john", "mary", "out", "went", "what", "where")
    assert vocabulary["sandra"] == 0


def test_sentences_stand_in_story_order():
    stories = parse(STORY)
    vocabulary = Vocabulary.of(stories)
    data = examples([stories], vocabulary, 50)

    def told(question: int) -> list[str]:
        rows = data.memory[question, : data.count[question]].tolist()
        return [" ".join(vocabulary.entries[word] for word in data.sentences.words[row] if word) for row in rows]

    assert told(0) == ["mary went home", "john went out", "mary went out"]
    assert told(1) == ["mary went home", "john went out", "mary went out", "john went home"]
    assert data.facts.tolist() == [[2, -1], [3, 1]]
    batch = next(batches(data, torch.tensor([[[0, 1]]]), ages=4))
    assert batch.age.tolist() == [2, 1, 0, 3, 2, 1, 0]  # the newest has age 0
    assert batch.mask.tolist() == [[[True, True, True, False], [True, True, True, True]]]


def test_the_memory_holds_the_most_recent():
    stories = parse(STORY)
    data = examples([stories], Vocabulary.of(stories), 2)
    full = examples([stories], Vocabulary.of(stories), 50)
    assert data.memory[1].tolist() == full.memory[1, 2:4].tolist()
    assert data.facts.tolist() == [[1], [1]]
    assert data.lost.tolist() == [0, 1]  # fact 2 of the second question is out of reach


def test_what_training_never_had_is_counted():
    vocabulary = Vocabulary.of(parse(STORY))
    test = parse("1 Sandra went home quickly.\n2 Where is Sandra?\tmoon\t1\n")
    data = examples([test], vocabulary, 50)
    assert (data.unknown_words, data.unknown_answers) == (3, 1)
    assert data.answer.tolist() == [[-1]]


def test_random_empty_memories_are_a_uniform_subset():
    count = torch.full((4000, 2, 1), 12)  # 12 statements: 0 to 2 empty memories
    empty = empty_memories(count, 12, 0.1, Random(0, 2))
    assert empty.shape == (4000, 2, 1, 2)
    seen = Counter(tuple(place for place in row if place < 14) for row in empty.view(-1, 2).tolist())
    expected = [()] + [(a,) for a in range(13)] + list(combinations(range(14), 2))
    assert set(seen) == set(expected)
    chance = {0: 1 / 3, 1: 1 / 3 / 13, 2: 1 / 3 / 91}
    chi2 = sum((seen[places] - 8000 * chance[len(places)]) ** 2 / (8000 * chance[len(places)]) for places in expected)
    assert chi2 < 155  # 104 degrees of freedom, p = 0.001


def test_empty_memories_stretch_time(monkeypatch: pytest.MonkeyPatch):
    stories = parse("\n".join(f"{n} Statement {n} here." for n in range(1, 6)) + "\n6 Which?\tnone\t1\n")
    data = examples([stories], Vocabulary.of(stories), 50)
    places = torch.tensor([1, 4, 99]).view(1, 1, 1, 3)  # second newest, and the fifth of what is then seven
    monkeypatch.setattr("memnet.encode.batch.empty_memories", lambda *_: places)
    batch = next(batches(data, torch.zeros(1, 1, 1, dtype=torch.long), 10, noise=0.1, random=Random(0, 1)))
    assert batch.age.tolist() == [6, 5, 3, 2, 0]
    short = next(batches(data, torch.zeros(1, 1, 1, dtype=torch.long), 5, noise=0.1, random=Random(0, 1)))
    assert short.age.tolist() == [4, 4, 3, 2, 0]  # ages past the last share its vector


def test_batches_do_not_depend_on_the_chunk():
    data = examples([wander(1)], Vocabulary.of(wander(1)), 50)
    picks = Random(0, 2).integers(len(data), 7, 5).transpose(0, 1)
    whole, parts = list(batches(data, picks, 6)), list(batches(data, picks, 6, chunk=2))
    assert len(whole) == len(parts) == 7
    for one, two in zip(whole, parts, strict=True):
        assert all(torch.equal(torch.as_tensor(a), torch.as_tensor(b)) for a, b in zip(one, two, strict=True))


def one_by_one(count: torch.Tensor, longest: int, share: float, random: Random) -> torch.Tensor:
    """Floyd's sampling by comparing each place with every earlier one."""
    steps, _, size = count.shape
    widest, beyond = math.ceil(longest * share), longest + math.ceil(longest * share)
    draws = random.uniform(widest + 1, steps, size).permute(1, 2, 0, 3)
    number = (draws[0] * ((count.float() * share).ceil().long() + 1)).long()
    taken: list[torch.Tensor] = []
    for i in range(widest):
        place = (draws[i + 1] * (count + i + 1)).long()
        for earlier in taken:
            place = torch.where(earlier == place, count + i, place)
        taken.append(torch.where(i < number, place, beyond + i))
    return torch.stack(taken, -1).sort(-1).values


@pytest.mark.parametrize("at_once", [1, 1 << 21])
def test_empty_memories_are_those_of_comparing_each_with_every_earlier_one(at_once: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(batch_module, "AT_ONCE", at_once)
    count = torch.randint(0, 31, (5, 2, 8), generator=torch.Generator().manual_seed(0))
    found = empty_memories(count, 30, 0.6, Random(3, 2))
    assert torch.equal(found, one_by_one(count, 30, 0.6, Random(3, 2)))
    age = torch.arange(30).view(30, 1)
    reach = (found - torch.arange(found.shape[-1])).unsqueeze(-2)
    assert torch.equal(passed(found, 30), (reach <= age).sum(-1))


class Numbers(Operations):
    """Counts the numbers that operators make."""

    def __init__(self) -> None:
        super().__init__()
        self.made = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        if not function._schema.is_mutable:  # which writes into some of what is there
            tree_map_only(torch.Tensor, self.count, made)
        return made

    def count(self, one: torch.Tensor) -> None:
        self.made += 0 if one._is_view() else one.numel()


def long_stories(statements: int) -> Examples:
    """Four questions about stories of so many statements."""
    told = "".join(f"{number} Mary went home.\n" for number in range(1, statements + 1))
    stories = parse((told + f"{statements + 1} Where is Mary?\thome\t1\n") * 4)
    return examples([stories], Vocabulary.of(stories), statements)


def test_what_noise_costs_grows_as_the_story_does():
    made = []
    for statements in (200, 800):
        data = long_stories(statements)
        with Numbers() as numbers:
            for _ in batches(data, torch.arange(4).view(1, 1, 4), statements, 0.5, Random(0, 1)):
                pass
        made.append(numbers.made)
    assert made[1] < 5 * made[0]


def test_as_many_steps_are_made_at_once_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch):
    data = long_stories(20)
    picks = torch.arange(4).repeat(6).view(6, 1, 4)
    whole = list(batches(data, picks, 20, 0.5, Random(0, 1)))
    monkeypatch.setattr(batch_module, "AT_ONCE", 160)
    for one, other in zip(whole, batches(data, picks, 20, 0.5, Random(0, 1)), strict=True):
        assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True) if isinstance(a, torch.Tensor))

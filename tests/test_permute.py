"""Words that are used alike, and networks that learn from stories in which they change places."""

import dataclasses
import math
import random
from itertools import permutations
from pathlib import Path

import pytest
import torch

from memnet.attention.reinforce import MovingMean
from memnet.encode.batch import batches
from memnet.encode.examples import examples
from memnet.encode.normalizer import common
from memnet.encode.permute import Permutation
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError
from memnet.models import MODELS, model_of
from memnet.models.dmn import DMNConfig
from memnet.models.memnn import MemNNConfig
from memnet.nn.random import Random
from memnet.papers import PRESETS
from memnet.tasks.families import Task, find
from memnet.tasks.text import Question, Story
from memnet.tasks.text.interchangeable import Uses, interchangeable_words
from memnet.tasks.text.renaming import rename_story
from memnet.training.dataset import DataSet, first_questions
from memnet.training.loop import make_networks, train_networks
from memnet.training.objective import Objective, permuted
from tests.conftest import PEOPLE, ROOMS, wander
from tests.training import a_spec, batch_of, check_same_weights

MANY = wander(0, 300)
KINDS = [{name.lower() for name in PEOPLE}, set(ROOMS)]
THINGS = ("milk", "apple", "football")
BY_WORDS = [name for name, kind in MODELS.items() if kind.word_rows]


def test_people_are_alike_and_so_are_places():
    assert sorted(interchangeable_words(MANY), key=sorted) == sorted(KINDS, key=sorted)
    assert interchangeable_words(wander(0, 150)) == []  # 450 questions are too few to tell
    assert interchangeable_words([]) == []


def test_one_who_is_answered_otherwise_is_not_like_the_others():
    home, *others = sorted(KINDS[0])
    odd = [
        dataclasses.replace(
            story,
            questions=tuple(
                dataclasses.replace(asked, answer=ROOMS[0]) if home in asked.text.lower() else asked
                for asked in story.questions
            ),
        )
        for story in MANY
    ]
    found = interchangeable_words(odd)
    assert set(others) in found
    assert {home, ROOMS[0]}.isdisjoint(set().union(*found))  # nor is the place that is answered like other places


def test_a_difference_by_hand():
    """8 of 10 stories tell "a x" and 2 "a y", 4 tell "b x" and 6 "b y": shares .8 and .4, together .6."""
    told = [f"a {word}." for word in "xxxxxxxxyy"] + [f"b {word}." for word in "xxxxyyyyyy"]
    uses = Uses([Story((text,), ()) for text in told])
    assert uses.difference("a", "b") == pytest.approx(0.4 / math.sqrt(0.6 * 0.4 * (1 / 10 + 1 / 10)))
    assert uses.difference("b", "a") == uses.difference("a", "b")
    assert uses.difference("a", "a") == 0
    asked = Uses([Story(("a x.", "b x."), (Question("Where is a? ", "x", (0,), 2),))])
    assert math.isinf(asked.difference("a", "b"))


def test_each_is_the_other_in_the_others_place():
    """Two who always meet are alike, though each meets the other and not itself."""
    uses = Uses([Story((f"{one} met {other}.",), ()) for one, other in [("a", "b"), ("b", "a")] * 50])
    assert uses.difference("a", "b") == 0
    assert uses.difference("a", "met") > 5


PLACES = "bathroom bedroom garden hallway kitchen office"
GONE, TAKEN, LEFT = "journeyed moved travelled", "got grabbed took", "discarded dropped left"


@pytest.mark.parametrize(
    ("number", "groups"),
    [
        (2, ["apple football milk", PLACES, "daniel john mary sandra", LEFT, TAKEN, GONE]),
        (3, ["apple football milk", PLACES, "daniel john mary sandra", LEFT, TAKEN, GONE]),
        (4, [PLACES, "east west", "north south"]),
        (11, ["after following", "afterwards then", PLACES, "daniel john", GONE, "mary sandra"]),  # he and she
        (15, ["emily gertrude jessica winona"]),  # wolf and wolves are two words
        (16, ["bernhard brian greg julius lily", "frog lion rhino swan", "gray green white yellow"]),
        (19, [PLACES]),  # who goes north goes "n"
        (20, ["antoine jason sumit yann"]),  # who is hungry goes to the kitchen
    ],
)
def test_in_published_stories(published: Path, number: int, groups: list[str]):
    [task] = find([f"qa{number}"], data=published)
    assert [" ".join(sorted(group)) for group in interchangeable_words(task.split(0.1)[0])] == groups


@pytest.mark.parametrize(
    ("name", "apart"),
    [
        pytest.param("qa3", (LEFT, TAKEN), marks=pytest.mark.slow),
        ("qa14", ("afternoon", "evening")),
        ("qa19", ("east", "north")),
    ],
)
def test_in_simulated_stories(name: str, apart: tuple[str, str]):
    """What would spoil a task is told apart in other stories of it too, and in fewer."""
    (task,) = find([f"sim/{name}@5"])
    for questions in (1000, 600):
        groups = interchangeable_words(first_questions(task, questions).split(0.1)[0])
        assert set(PLACES.split()) in groups or name == "qa14"
        one, other = (set(words.split()) for words in apart)
        assert not any(group & one and group & other for group in groups)


def test_answers_are_words_as_the_vocabulary_writes_them():
    """A place and the place with a full stop are two entries, and only one of them would change places."""
    dotted = [
        dataclasses.replace(
            story, questions=tuple(dataclasses.replace(asked, answer=f"{asked.answer}.") for asked in story.questions)
        )
        for story in MANY
    ]
    vocabulary = Vocabulary.of(dotted)
    assert ROOMS[0] in vocabulary.number
    assert f"{ROOMS[0]}." in vocabulary.number
    moved = {
        word for group in Permutation(vocabulary, sorted(map(sorted, interchangeable_words(dotted)))).groups for word in group
    }
    assert moved == KINDS[0]


def test_words_that_no_question_names_count_where_they_serve_an_answer():
    """ "x" and "y" are told as often and beside the same, but only x is answered with "yes"."""
    told = [(f"It is {word}.", "yes" if (word == "x") == rule else "no") for rule in (True, True) for word in "xy" * 150]
    known = [Story((text,), (Question("So? ", answer, (0,), 1),)) for text, answer in told]
    assert interchangeable_words(known) == []
    free = [
        Story((text,), (Question("So? ", "yes" if number % 4 < 2 else "no", (0,), 1),)) for number, (text, _) in enumerate(told)
    ]
    assert interchangeable_words(free) == [{"x", "y"}]
    elsewhere = [*free, Story(("It is y.",), (Question("So? ", "x", (0,), 1),))]  # y stands for an answer that is a word told
    assert interchangeable_words(elsewhere) == []


def test_what_is_alike_in_every_task():
    first, second = [{"a", "b", "c"}, {"x", "y"}], [{"b", "c", "d"}, {"x", "z"}]
    assert common([first]) == first
    assert common([first, second]) == [{"b", "c"}]
    many = [[{f"{kind}{n}" for n in range(3)} for kind in "abcdef"] for _ in range(20)]
    assert common(many) == many[0]
    assert common([*many, [{"x", "y"}]]) == []


def lists(answers: list[str]) -> list[Story]:
    draw = random.Random(0)
    told = [(f"Mary took the {draw.choice(THINGS)}.", Question("What? ", draw.choice(THINGS), (0,), 1)) for _ in range(600)]
    return [Story((text,), (asked,)) for text, asked in told] + [
        Story((), (Question("What? ", one, (), 0),)) for one in answers
    ]


def test_answers_change_with_their_words():
    every = [",".join(pair) for pair in permutations(THINGS, 2)]
    vocabulary = Vocabulary.of(lists(every))
    drawn = Permutation(vocabulary, [THINGS]).draw(Random(0, 20))
    for rows in drawn.tolist():
        assert sorted(rows) == list(range(len(vocabulary)))
        told = {entry: vocabulary.entries[rows[number]] for number, entry in enumerate(vocabulary.entries)}
        assert told["milk,apple"] == f"{told['milk']},{told['apple']}"
        assert all(told[word] == word for word in ("mary", "took", "the", "what", "<unk>"))
    assert len({tuple(rows) for rows in drawn.tolist()}) == 6
    with pytest.raises(ConfigError, match="cannot be permuted"):  # "apple,milk" would have no entry
        Permutation(Vocabulary.of(lists(["milk,apple", "milk,football"])), [THINGS])


@pytest.mark.parametrize("model", BY_WORDS)
@torch.no_grad()
def test_a_network_reads_as_if_the_story_were_written_so(model: str):
    """With rows exchanged, a story is answered as the exchanged story is without."""
    config = PRESETS[MODELS[model].presets[0]]
    task = Task.of("own/moves", MANY, wander(2), "0")
    data = DataSet.of([task], dataclasses.replace(config, permute=True))
    net, entries = make_networks(model, config, data, Random(0, 2, "weights")), data.vocabulary.entries
    assert data.permutation is not None
    rows = data.permutation.draw(Random(3, 1)).expand(2, -1)  # the same for both replicas
    told = {entry: entries[int(rows[0, number])] for number, entry in enumerate(entries)}
    assert any(entry != other for entry, other in told.items())

    stories = task.test[:5]
    others = [rename_story(story, told) for story in stories]
    found = []
    for text, moved in ((stories, permuted(net, rows)), (others, {})):
        part = examples([text], data.vocabulary, config.memory_size)
        batch = batch_of(net, part, range(len(part)))
        there = Objective(net)
        there.forward = lambda batch, codes: net(batch, codes, given=None).logits  # type: ignore[method-assign]
        found.append(torch.func.functional_call(there, moved, (batch, net.encode_data(part))))
    index = rows.view(2, 1, 1, 1, -1).expand_as(found[1])
    torch.testing.assert_close(found[0], found[1].gather(-1, index))


@pytest.mark.parametrize("model", BY_WORDS)
def test_gradients_go_to_the_rows_that_were_read(model: str):
    """The gradient is that of the story written so."""
    config = dataclasses.replace(PRESETS[MODELS[model].presets[0]], permute=True)
    data = DataSet.of([Task.of("own/moves", MANY, wander(2), "0")], config)
    net = make_networks(model, config, data, Random(0, 1, "weights"))
    there, gone = ROOMS[:2]
    rows = torch.arange(len(data.vocabulary)).unsqueeze(0)
    rows[0, [data.vocabulary[there], data.vocabulary[gone]]] = torch.tensor([data.vocabulary[gone], data.vocabulary[there]])
    found = []
    for place, moved in ((there, permuted(net, rows)), (gone, {})):
        asked = Question("Where is Mary? ", place, (0,), 1)
        part = examples([[Story((f"Mary went to the {place}.",), (asked,))]], data.vocabulary, config.memory_size)
        [batch] = batches(part, torch.zeros(1, 1, 1, dtype=torch.long), net.sizes.ages)
        given = (batch, net.encode_data(part), Random(0, 1), MovingMean(1))
        step = torch.func.functional_call(Objective(net), moved, given)
        found.append(torch.autograd.grad(step.objective.sum(), [net.get_parameter(name) for name in net.word_rows]))
    for here, as_written in zip(*found, strict=True):
        torch.testing.assert_close(here, as_written)
        assert bool(here.any())


@pytest.mark.parametrize("model", ["memn2n", "transformer"])
def test_training_is_repeatable_and_each_replica_its_own(model: str):
    short = {"epochs": 2, "linear_start": 1} if model == "memn2n" else {"epochs": 2}
    config = dataclasses.replace(PRESETS[MODELS[model].presets[0]], permute=True, **short)
    task = Task.of("own/moves", MANY[:190], wander(2), "0")
    many, few, other = (
        train_networks(*a_spec([task], dataclasses.replace(config, permute=permute), number)).net
        for permute, number in ((True, 3), (True, 1), (False, 1))
    )
    check_same_weights(few, many)
    assert not all(torch.equal(value, other.state_dict()[name]) for name, value in few.state_dict().items())


def test_who_cannot_exchange_says_so():
    with pytest.raises(ConfigError, match="a MemNN knows n-grams"):
        MemNNConfig(permute=True)
    with pytest.raises(ConfigError, match="set one of them"):
        DMNConfig(permute=True, vectors="keep")
    assert {name for name, kind in MODELS.items() if not kind.word_rows} == {"memnn", "walk", "mentions", "baseline"}
    few = Task.of("own/moves", wander(0, 5), wander(2), "0")
    config = dataclasses.replace(PRESETS["pe-ls-rn"], permute=True)
    with pytest.raises(ConfigError, match="no two words are interchangeable"):
        DataSet.of([few], config)
    assert model_of(config) == "memn2n"

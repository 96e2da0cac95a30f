"""Stories without the evidence for a question, and networks that learn to say so."""

from pathlib import Path

import pytest
import torch

from memnet import load
from memnet.ask.hub import BUNDLED
from memnet.ask.predictor import Predictor
from memnet.config import override
from memnet.encode.examples import examples
from memnet.encode.vocabulary import UNKNOWN, Vocabulary
from memnet.errors import ConfigError
from memnet.models.dmn import DMNConfig
from memnet.models.lstm import LSTMConfig
from memnet.models.memn2n import MemN2NConfig
from memnet.models.memnn import MemNNConfig
from memnet.papers import PRESETS
from memnet.tasks.families import Task, find
from memnet.tasks.text import Question, Story
from memnet.tasks.text.evidence import NOTHING, stories_of_facts, stories_without_evidence, without_evidence, without_one
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.run import execute, opened
from memnet.training.spec import specify
from tests.conftest import wander

TOLD = ("Mary got the milk.", "John went home.", "Mary went to the kitchen.", "John took the apple.", "Sandra sat down.")


def test_the_facts_go_and_what_speaks_of_the_same():
    where = Question("Where is Mary? ", "kitchen", (2,), 4)
    bare = without_evidence(Story(TOLD, (where,)), where)
    assert bare == Story(("John went home.", "John took the apple."), (Question("Where is Mary? ", NOTHING, (), 2),))
    milk = Question("Where is the milk? ", "kitchen", (0, 2), 5)  # Mary is not in the question: another story of hers may stay
    left = without_evidence(Story(TOLD, (milk,)), milk)
    assert left is not None
    assert left.statements == ("John went home.", "John took the apple.", "Sandra sat down.")
    assert without_evidence(Story(TOLD, ()), Question("Why? ", "so", (), 3)) is None


def test_one_fact_of_several_goes_with_what_links_it():
    milk = Question("Where is the milk? ", "kitchen", (0, 2), 5)
    story = Story((*TOLD[:4], "Mary sat down."), (milk,))
    first, second = (without_one(story, milk, which) for which in (0, 1))
    assert first is not None
    assert first.statements == ("Mary went to the kitchen.", "John took the apple.")  # "went" too is a word of the other fact
    assert second is not None
    assert second.statements == ("Mary got the milk.", "John went home.", "John took the apple.")
    many = Question("How many objects is Mary carrying? ", "two", (0, 1), 2)  # the other fact alone would answer: one
    assert without_one(Story(("Mary got the milk.", "Mary took the apple."), (many,)), many, 0) is None
    he = Question("Where is John? ", "garden", (0, 1), 2)
    assert without_one(Story(("John went home.", "Then he went to the garden."), (he,)), he, 1) is None
    assert without_one(story, Question("Where is Mary? ", "kitchen", (2,), 4), 0) is None


def test_words_of_asking_are_no_subject():
    told = ("Wolves are afraid of mice.", "Gertrude is a wolf.", "Sheep are afraid of wolves.", "Emily is a sheep.")
    asked = tuple(
        Question(f"What is {who} afraid of? ", "mouse", facts, 4) for who, facts in (("Gertrude", (1, 0)), ("Emily", (3, 2)))
    )
    first, second = stories_without_evidence([Story(told, asked)])
    assert first.statements == (told[2], told[3])
    assert second.statements == (told[0], told[1])


def test_a_share_is_chosen_once_and_stories_without_a_statement_are_left_out():
    stories = wander(1, 40)
    half = stories_without_evidence(stories, 0.5)
    assert half == stories_without_evidence(stories, 0.5)
    every = stories_without_evidence(stories)
    assert all(story in every for story in half)
    assert 0 < len(half) < len(every) < 120
    assert all(story.statements for story in every)
    one = Question("Where is Mary? ", "office", (0,), 1)
    assert stories_without_evidence([Story(("Mary went to the office.",), (one,))]) == []


def test_no_evidence_is_the_unknown_word():
    assert NOTHING == UNKNOWN
    vocabulary = Vocabulary([UNKNOWN, "kitchen"])
    assert vocabulary.answer_numbers(NOTHING) == [0]
    assert vocabulary.answer_numbers("garden") == [-1]


@pytest.mark.parametrize("settings", [{"decoder": "words"}, {"supervision": "facts"}], ids=str)
def test_where_no_evidence_cannot_be_learned(settings: dict[str, object]):
    with pytest.raises(ConfigError, match="unanswerable needs decoder=class and supervision=answers"):
        MemN2NConfig(unanswerable=0.5, **settings)  # type: ignore[arg-type]
    for other in (LSTMConfig, MemNNConfig):
        with pytest.raises(ConfigError, match="unanswerable needs"):
            other(unanswerable=0.5)
    assert DMNConfig(unanswerable=0.5).unanswerable == 0.5
    with pytest.raises(ConfigError, match="unanswerable must be 0 to 1"):
        MemN2NConfig(unanswerable=2.0)


def test_a_network_learns_when_it_knows_nothing(tmp_path: Path):
    torch.set_num_threads(1)
    task = Task.of("own/moves", wander(1, 150), wander(2, 50), "1")
    config = override(PRESETS["pe-ls-rn"], {"epochs": 25, "linear_start": 5, "unanswerable": 0.5})
    spec = specify([task], "pe-ls-rn", config, 0, 3)
    data = DataSet.of([task], config)
    plain = DataSet.of([task], override(config, {"unanswerable": 0.0}))
    assert len(data.train) > len(plain.train)
    assert int((data.train.answer == 0).sum()) == len(data.train) - len(plain.train)
    assert len(data.valid) == len(plain.valid)
    with opened(tmp_path / "run", spec, False):
        execute(spec, data, tmp_path / "run")
    network = Predictor.load(tmp_path / "run")
    story = ["Mary went to the kitchen.", "John went to the garden."]
    known, unknown = network.ask(story, "Where is Mary?"), network.ask(story, "Where is Sandra?")
    assert (known.answer, known.answerable) == ("kitchen", True)
    assert [read.number for read in known.evidence] == [1]
    assert not unknown.answerable
    assert unknown.unanswerable > 0.5
    assert unknown.as_json()["answerable"] is False
    assert known.as_json()["evidence"] == [{"number": 1, "sentence": story[0], "weight": known.evidence[0].weight}]


def test_the_packages_own_network_knows_when_it_has_no_evidence(published: Path):
    assert sum(path.stat().st_size for path in BUNDLED.iterdir()) < 2_000_000
    network = load()
    silent, intact = [], []
    for task in find(["qa1", "qa6", "qa15"], data=published):
        stories = task.test[:40]
        for part, counts in ((stories, intact), (stories_without_evidence(stories), silent)):
            told = network.vocabulary.prepare(part, 0)
            outcome = evaluate(network.net, examples([told], network.vocabulary, network.net.config.memory_size))
            counts += (outcome.prediction[0, :, 0] == network.vocabulary.no_evidence).tolist()
    assert sum(silent) >= 0.8 * len(silent) > 0
    assert sum(intact) <= 0.05 * len(intact)


def test_without_the_facts_alone():
    where = Question("Where is Mary? ", "kitchen", (2,), 4)
    (bare,) = stories_without_evidence([Story(TOLD, (where,))], kind="facts")
    assert bare.statements == (TOLD[0], TOLD[1], TOLD[3])


def test_bill_is_somebody():
    """A list of function words that has "bill" would leave older statements about Bill, which answer the question."""
    told = ("Bill went to the park.", "Mary went to the school.", "Bill went to the office.")
    asked = Story(told, (Question("Where is Bill?", "office", (2,), 3),))
    assert without_evidence(asked, asked.questions[0]).statements == ("Mary went to the school.",)


def test_facts_alone_are_asked_of():
    """A person's story is short: the facts answer the question without the rest."""
    told = ("Mary took the milk.", "John left.", "Mary went to the hall.", "Sandra slept.")
    story = Story(told, (Question("Where is the milk?", "hall", (2, 0), 4), Question("Who sang?", "nobody", (), 4)))
    (alone,) = stories_of_facts([story], 1.0)
    assert alone.statements == ("Mary took the milk.", "Mary went to the hall.")
    assert alone.questions == (Question("Where is the milk?", "hall", (1, 0), 2),)
    assert stories_of_facts([story], 0.0) == []

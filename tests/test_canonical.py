"""Phrases, synonyms, words named in order, masked words: found in the text, and the same when asked."""

import json
import random
import re
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import memnet
from memnet.ask.predictor import Predictor
from memnet.cli.reading import most_frequent_error
from memnet.config import override
from memnet.encode.normalizer import PLAIN, Normalizer
from memnet.encode.normalizers import Normalizers
from memnet.encode.vocabulary import Vocabulary
from memnet.errors import ConfigError, NetworkError
from memnet.models.lstm import LSTMConfig
from memnet.models.memn2n import MemN2NConfig
from memnet.papers import PRESETS
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story, words
from memnet.tasks.text.canonical import Naming, Questions, consistent_groups, met_in_order, named_stories, synonyms
from memnet.tasks.text.phrases import NO_PHRASES, Phrases
from memnet.tasks.text.renaming import rename_story
from memnet.training.dataset import DataSet
from memnet.training.evaluate import evaluate
from memnet.training.loop import train_networks
from memnet.training.spec import specify
from memnet.training.stream import MASKED
from tests.conftest import PEOPLE, ROOMS, ran, read_json, wander

MANY = wander(0, 300)


def left_or_right(number: int) -> list[Story]:
    """Two things and how they stand: "the red box is to the left of the bag"; answered without a word of it."""
    draw = random.Random(0)
    things, sides = ["red box", "bag", "cup", "red pen"], {"to the left of": "to the right of", "above": "below"}
    sides |= {other: side for side, other in sides.items()}
    stories = []
    for _ in range(number):
        (one, other), side, asked = draw.sample(things, 2), draw.choice([*sides]), draw.choice([*sides])
        answer = "yes" if asked == sides[side] else "no"
        question = Question(f"Is the {other} {asked} the {one}?", answer, (0,), 1)
        stories.append(Story((f"The {one} is {side} the {other}.",), (question,)))
    return stories


def test_words_that_never_part_are_one():
    phrases = Phrases.learned(left_or_right(200))
    assert phrases.describe() == "above the; below the; red box; red pen; to the left of the; to the right of the"
    assert phrases.read("The red box is to the left of the bag.") == "the red-box is to-the-left-of-the bag"
    assert phrases.read(phrases.read("The red pen is above the cup!")) == "the red-pen is above-the cup"
    story = left_or_right(1)[0]
    read = phrases.read_story(story)
    assert [question.answer for question in read.questions] == [question.answer for question in story.questions]


def test_an_answer_stays_a_word():
    """Else the text would have another word than the answer."""
    stories = [Story(("It is dark green.",), (Question("Which?", "green", (0,), 1),)) for _ in range(50)]
    assert Phrases.learned(stories).describe() == "it is dark"
    assert Phrases.learned([]) == NO_PHRASES
    assert Phrases.learned(stories[:19]) == NO_PHRASES  # so few may be chance


@given(
    st.lists(st.sampled_from("abc"), max_size=12),
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), max_size=3),
)
def test_reading_phrases_loses_no_word(sentence: list[str], pairs: list[tuple[str, str]]):
    read = Phrases(tuple(dict.fromkeys(pairs))).read(" ".join(sentence))
    assert read.replace("-", " ").split() == sentence


def test_names_in_the_order_in_which_a_question_and_its_story_have_them():
    story = [words(text) for text in ("john went kitchen", "mary went garden", "mary took milk")]
    names = {"john", "mary", "kitchen", "garden", "milk"}
    assert met_in_order(story, ["where", "milk"], names) == ["milk", "mary", "garden", "john", "kitchen"]
    naming = Naming.of(story, ["where", "milk"], [["john", "mary"], ["garden", "hall", "kitchen"]])
    assert naming.asked("John and Mary, kitchen, garden, hall, milk") == "mary and john hall garden kitchen milk"
    assert naming.names(naming.answered("kitchen,mary")) == "kitchen,mary"


@given(st.permutations(PEOPLE), st.permutations(ROOMS), st.integers(0, len(MANY) - 1))
def test_swapped_names_make_the_same_question(people: list[str], rooms: list[str], number: int):
    story = MANY[number]
    other = rename_story(story, dict(zip([*PEOPLE, *ROOMS], [*people, *rooms], strict=True)))
    groups = [sorted(map(str.lower, PEOPLE)), sorted(map(str.lower, ROOMS))]
    plain, swapped = (
        [(one.statements, one.questions[0].text, one.questions[0].answer) for one in named_stories(each, groups)]
        for each in (story, other)
    )
    assert plain == swapped


def test_groups_give_equal_questions_equal_answers():
    """Counting takes all four sides for one another; two of them may change places only with their opposites."""
    phrases = Phrases.learned(stories := left_or_right(900))
    read = [phrases.read_story(story) for story in stories]
    found = [" ".join(sorted(group)) for group in consistent_groups(read)]
    assert "bag cup red-box red-pen" in found
    sides = [sorted(group) for group in consistent_groups(read) if "above-the" in group]
    everything = [["above-the", "below-the", "to-the-left-of-the", "to-the-right-of-the"], ["bag", "cup", "red-box", "red-pen"]]
    assert sides in [[["above-the", other]] for other in ("below-the", "to-the-left-of-the", "to-the-right-of-the")]
    assert Questions(read).classes(everything).answers_differ
    assert not Questions(read).classes(list(map(sorted, consistent_groups(read)))).answers_differ


def moved(verbs: list[str], number: int, again: bool = False) -> list[Story]:
    """Walks, each step with a verb drawn anew, or with the verb of the same person before."""
    draw, stories = random.Random(1), []
    for _ in range(number):
        verb_of = {person: draw.choice(verbs) for person in PEOPLE}
        steps = [(draw.choice(PEOPLE), draw.choice(ROOMS)) for _ in range(6)]
        told = tuple(f"{who} {verb_of[who] if again else draw.choice(verbs)} to {where}." for who, where in steps)
        stories.append(Story(told, (Question(f"Where is {steps[-1][0]}?", steps[-1][1], (5,), 6),)))
    return stories


def test_words_chosen_anew_are_synonyms():
    verbs = ["ran", "walked", "went"]
    groups = [verbs, sorted(map(str.lower, PEOPLE)), sorted(map(str.lower, ROOMS))]
    assert synonyms(moved(verbs, 200), groups) == [verbs]
    assert synonyms(moved(verbs, 200, again=True), groups) == []  # each person has a verb of his own
    assert synonyms(moved(verbs, 1), groups) == []  # too little is known


def small(**settings: object) -> MemN2NConfig:
    return override(MemN2NConfig(epochs=15, selection="validation"), settings)


@pytest.fixture(scope="module")
def task() -> Task:
    verbs = ["ran", "walked", "went"]
    return Task.of("own/walks", moved(verbs, 600), moved(verbs, 640)[600:], "0")


def test_a_reading_is_saved_with_its_vocabulary(task: Task):
    config = small(phrases=True, synonyms=True, canonical=True)
    normalizer = Normalizer.learned([task.split(0.1)[0]], config)
    assert normalizer.same == (("ran-to", "walked-to", "went-to"),)
    assert normalizer.groups == (tuple(sorted(map(str.lower, ROOMS))), tuple(sorted(map(str.lower, PEOPLE))))
    assert normalizer.normalize(f"{PEOPLE[0]} walked to {ROOMS[0]}.") == f"{PEOPLE[0]} ran-to {ROOMS[0]}".lower()
    assert Normalizer.of_saved(normalizer.saved()) == normalizer
    assert PLAIN.saved() == {}
    vocabulary = Vocabulary.of(task.train, normalizer=normalizer)
    assert "walked-to" not in vocabulary.number
    assert vocabulary.saved().items() >= normalizer.saved().items()
    for saved in ({"phrase_pairs": [["a"]]}, {"synonyms_of": "a"}, {"interchangeable": [["a", "b"], ["b", "c"]]}):
        with pytest.raises(ValueError, match=r"phrase_pairs|one group"):
            Normalizer.of_saved(saved)


def check_asked(asking: Predictor, task: Task, error: float) -> None:
    """Fail where a network does not answer, or not as many of a task's test questions as it did when it was tested."""
    asked = [(list(story.statements), story.questions[0].text) for story in task.test]
    answers = asking.ask_many(asked)
    wrong = [one.answer != story.questions[0].answer.lower() for one, story in zip(answers, task.test, strict=True)]
    assert 100 * sum(wrong) / len(wrong) == pytest.approx(error)
    assert all(answer.answerable for answer in answers)
    assert asking.ask(*asked[0]).answer == answers[0].answer


def test_asked_as_it_was_tested(task: Task, tmp_path: Path):
    """A network that reads words by other names answers a text as it answered the test questions."""
    config = small(phrases=True, synonyms=True, canonical=True)
    data = DataSet.of([task], config)
    result = train_networks(specify([task], "pe-ls-rn", config, 0, 1), data)
    error = result.rows[0]["tasks"]["own/walks"]["test_error"]
    facts = {"data": ["own/walks"], "hash": "0"}
    predictor = Predictor(result.net, data.vocabulary, facts, "# a card")
    predictor.save_pretrained(tmp_path / "walks")
    told, where = [f"{PEOPLE[0]} walked to {ROOMS[1]}.", f"{PEOPLE[1]} ran to {ROOMS[0]}."], f"Where is {PEOPLE[0]}?"
    for asking in (predictor, memnet.load(tmp_path / "walks")):
        check_asked(asking, task, error)
        assert asking.ask(asking.encode_story(told), where).answer == asking.ask(told, where).answer
    assert "hopped" in predictor.unknown_words(f"{PEOPLE[0]} hopped to {ROOMS[0]}.")
    assert PEOPLE[0].lower() not in predictor.unknown_words(f"{PEOPLE[0]} walked to {ROOMS[0]}.")


def test_a_network_of_several_tasks_reads_each_kind_of_text_in_its_own_way(task: Task, tmp_path: Path):
    sides = Task.of("own/sides", left_or_right(700), left_or_right(740)[700:], "1")
    config = small(phrases=True, synonyms=True, consistent=True, canonical=True, epochs=5)
    normalizers = Normalizers.learned([one.split(0.1)[0] for one in (task, sides)], config)
    assert Normalizers.of_saved(json.loads(json.dumps(normalizers.saved()))) == normalizers
    for number, one in enumerate((task, sides)):
        assert {normalizers.kind(story.statements, story.questions[0].text) for story in one.test} == {number}
        assert normalizers.of_kind[number] == Normalizer.learned([one.split(0.1)[0]], config)
    data = DataSet.of([task, sides], config)
    result = train_networks(specify([task, sides], "pe-ls-rn", config, 0, 1), data)
    facts = {"data": ["own/walks", "own/sides"], "hash": "0"}
    Predictor(result.net, data.vocabulary, facts, "# a card").save_pretrained(tmp_path / "both")
    asking = memnet.load(tmp_path / "both")
    for one in (task, sides):
        check_asked(asking, one, result.rows[0]["tasks"][one.name]["test_error"])
    assert {*asking.unknown_words("The red box is below the cup.", f"{PEOPLE[0]} hopped to {ROOMS[0]}.")} == {"hopped", "to"}
    told = [f"{PEOPLE[0]} ran to {ROOMS[0]}.", f"Cup ran to {ROOMS[1]}."]  # a word of the other task alone
    assert asking.ask(told, f"Where is {PEOPLE[0]}?").unknown_words == {"cup": []}
    assert asking.ask(["The bag is above the cup."], "Is the cup below the bag?").unknown_words == {}
    for reading in (1, {"counts": {}, "questions": 0}, {"counts": {"a": 2}, "questions": 1}):
        with pytest.raises(ValueError, match="reading"):
            Normalizers.of_saved({"readings": [reading]})
    file = tmp_path / "both" / "config.json"
    good = read_json(file)
    for change, said in (
        ({"readings": good["readings"][:1]}, "one for each of the 2 data sets"),
        ({"readings": [{**kind, "interchangeable": []} for kind in good["readings"]]}, "no words are named in order"),
        ({"readings": [{**kind, "interchangeable": [["x", "y"]]} for kind in good["readings"]]}, "it lacks 'x'"),
    ):
        file.write_text(json.dumps({**good, **change}))
        with pytest.raises(NetworkError, match=said):
            memnet.load(tmp_path / "both")
    file.write_text(json.dumps({name: value for name, value in good.items() if name != "readings"}))
    with pytest.raises(NetworkError, match="readings is lacking"):
        memnet.load(tmp_path / "both")
    with pytest.raises(ConfigError, match="cloze masks"):
        DataSet.of([task, sides], override(config, {"cloze": 1.0}))
    few = [one.split(0.1)[0][:5] for one in (task, sides)]  # too few to find words that are interchangeable
    of_one = Normalizers.learned([task.split(0.1)[0], few[1]], config).of_kind
    assert [bool(normalizer.groups) for normalizer in of_one] == [True, False]
    with pytest.raises(ConfigError, match="no task has interchangeable words"):
        Normalizers.learned(few, config)


def test_what_the_most_frequent_answer_does_by_itself(published: Path):
    def told(person: str, place: str) -> Story:
        return Story((f"{person} went to the {place}.",), (Question(f"Where is {person}?", place, (0,), 1),))

    learned = [told("Mary", "kitchen"), told("John", "garden"), told("Mary", "kitchen")]
    asked = [told("John", "kitchen"), told("Mary", "garden"), told("John", "garden")]
    assert most_frequent_error(PLAIN, learned, asked) == pytest.approx(100 * 2 / 3)
    assert most_frequent_error(Normalizer(groups=(("garden", "kitchen"),)), learned, asked) == 0  # each place is the first
    said = ran("data", "reading", "qa1", "qa17", "--data", published).stdout
    shares = re.findall(r"is wrong for ([\d.]+) % of the test questions so read, ([\d.]+) % as written", said)
    assert shares == [("0.0", "84.6"), ("48.0", "48.0")]


def test_how_well_one_network_tells_its_tasks_apart(published: Path):
    said = ran("data", "reading", "qa6", "qa9", "qa15", "--joint", "--data", published).stdout
    shares = re.findall(r"([\d,]+) of 1,000 test questions are read as its own", said)
    right = [int(share.replace(",", "")) for share in shares]
    assert len(right) == 3
    assert right[2] == 1000  # other words altogether
    assert right[0] < 1000  # the same words
    assert f"all: {sum(right):,} of 3,000, {sum(right) / 30:.1f} %" in said


def test_other_names_change_no_answer(task: Task):
    config = small(canonical=True, epochs=3)
    data = DataSet.of([task], config)
    net = train_networks(specify([task], "pe-ls-rn", config, 0, 1), data).net
    swapped = {PEOPLE[0]: PEOPLE[1], PEOPLE[1]: PEOPLE[0]}
    stories = [rename_story(story, swapped) for story in task.test]
    others = DataSet.of([Task.of("own/walks", task.train, stories, "0")], config).test
    first, second = (evaluate(net, test, net.encode_data(test)) for test in (data.test, others))
    assert torch.equal(first.error(), second.error())
    assert torch.allclose(first.loss, second.loss)


def test_masked_words(task: Task):
    config = override(LSTMConfig(), {"permute": True, "cloze": 2.0, "epochs": 1})
    data = DataSet.of([task], config)
    learned = task.split(config.validation)[0]
    first, second, again = (data.stream.epoch(number, data.vocabulary) for number in (0, 1, 0))
    assert len(first) == 3 * sum(len(story.questions) for story in learned)
    blank = data.vocabulary.number[MASKED]
    has_blank = (torch.from_numpy(first.questions.words) == blank).any(1)[first.question]
    assert int(has_blank.sum()) == 2 * (len(first) // 3)
    assert torch.equal(first.answer, again.answer)
    assert not torch.equal(first.answer, second.answer)
    assert bool((first.answer >= 0).all())
    assert {data.vocabulary.entries[int(one)] for one in first.answer[has_blank].flatten()} <= set(
        map(str.lower, [*PEOPLE, *ROOMS])
    )
    result = train_networks(specify([task], "lstm-attention", config, 0, 1), data)
    assert result.rows[0]["epochs"] == 1


def test_masked_words_whose_names_no_question_has_are_left_out():
    """Questions ask for the first two met; a masked word may be the third."""
    draw, stories = random.Random(0), []
    for _ in range(700):
        one, other, third = draw.sample(PEOPLE, 3)
        question = Question(f"Who met {one}?", other, (0,), 1)
        stories.append(Story((f"{one} met {other}.", f"{one} saw {third}."), (question,)))
    config = override(LSTMConfig(), {"canonical": True, "cloze": 5.0, "epochs": 1})
    data = DataSet.of([Task.of("own/met", stories[:650], stories[650:], "0")], config)
    epoch = data.stream.epoch(0, data.vocabulary)
    assert bool((epoch.answer >= 0).all())
    questions = sum(len(story.questions) for story in data.stream.stories)
    assert questions < len(epoch) < 6 * questions


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"permute": True, "canonical": True}, "choose one"),
        ({"consistent": True}, "of interchangeable words"),
        ({"cloze": 1.0}, "of interchangeable words"),
        ({"canonical": True, "open_vocabulary": True}, "choose one"),
        ({"canonical": True, "cloze": 1.0, "supervision": "facts"}, "no supporting facts"),
        ({"canonical": True, "cloze": -1.0}, "cloze must be"),
    ],
)
def test_settings_that_do_not_go_together(settings: dict[str, object], message: str):
    with pytest.raises(ConfigError, match=message):
        override(PRESETS["pe-ls-rn"], settings)


def test_no_names_to_order():
    few = [Story(("Mary went home.",), (Question("Where?", "home", (0,), 1),)) for _ in range(20)]
    with pytest.raises(ConfigError, match="canonical=true, but no two words"):
        DataSet.of([Task.of("own/few", few, few, "0")], small(canonical=True))

"""Ordinary English beside the twenty tasks: forms, the reader's answers, how sure, and scores by hand."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import torch

import memnet
from memnet.ask.answer import Answer
from memnet.ask.english import LEAST_SURE, English, Form, Forms
from memnet.ask.untold import why_none, why_untold
from memnet.errors import AskError, NetworkError
from memnet.files import write_json
from memnet.measure.english import FIVE, Asked, Outcome, own_words, same_words, score, when_sure, with_small_talk
from memnet.measure.everyday import is_right
from memnet.reading.answers import AGAIN, TrainedReader, related, unmentioned
from memnet.reading.kinds import ReaderConfig
from memnet.reading.network import Reader
from memnet.reading.words import Words
from memnet.tasks.text import Question, Story
from memnet.tasks.text.placed_sentences import sentences
from memnet.tasks.text.tokens import split

SMALL = ReaderConfig(dim=16, heads=2, layers=2, hidden=16, marker_dim=8, pointer_dim=8)
STORY = ["Ann took the lamp.", "She went to the attic. Bob stayed!", "Mr. Osei is at 8 a.m. in Rome"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("english")
    words = Words.load()
    TrainedReader(Reader(SMALL, words.vectors).in_numpy(), words, {"calibrated_on": "nothing"}).save(path)
    write_json(path / "forms.json", {"statements": {"@ went": 1}, "questions": {"where": 1}, "most_names": 1})
    return path


def test_words_of_no_letters_are_found_or_unknown():
    words = Words.load()
    assert words.find("").row == words.find("\u00b2").row == 0
    assert words.find("\u0663").row == words.find("three").row, "an Arabic digit"


def test_sentences_know_where_they_stand():
    found = sentences(STORY)
    assert [(" ".join(one.words), one.statement) for one in found] == [
        ("Ann took the lamp", 0),
        ("She went to the attic", 1),
        ("Bob stayed", 1),
        ("Mr Osei is at 8 a m in Rome", 2),
    ]
    assert found[1].quote(3, 4) == "the attic"
    assert [one.words[0] for one in sentences(["He hadn't. She did; , so there"])] == ["He", "She", "so"]
    assert sentences(["...", "", "!"]) == []


def test_a_reader_is_saved_and_opened_and_answers_the_same(folder: Path):
    reader = TrainedReader.load(folder)
    again = TrainedReader.load(folder)
    reply = reader.answer(STORY, "Where is the lamp?")
    assert reply == again.answer(STORY, "Where is the lamp?")
    assert len(reply.reads) == len(STORY)
    assert sum(reply.reads) == pytest.approx(1, abs=1e-3)
    with pytest.raises(NetworkError, match="no reader"):
        TrainedReader.load(folder.parent / "missing")


def test_of_a_long_story_what_has_most_to_do_with_the_question_is_read():
    told = sentences([f"Kim put box{number} in room{number}." for number in range(100)] + ["Then she moved box7 to the attic."])
    chosen = related(told, split("Where is box7?"), Words.load(), 24)
    assert len(chosen) == 24
    assert {7, 99, 100} <= set(chosen)
    assert related(told[:5], ["Where"], Words.load(), 24) == [0, 1, 2, 3, 4]


def as_form(text: str) -> Form:
    """Capital letters are names."""
    return Form(re.sub("[A-Z]", "@", text), frozenset(re.findall("[A-Z]", text)))


def test_of_many_sentences_those_that_were_read_most_are_read_again():
    network = memnet.load()
    assert network.english is not None
    quiet = ("square", "park", "pier", "port", "hall", "gate", "pond", "mill")
    story = ["Kofi is fond of jazz.", *[f"The {one} of the town was quiet." for one in quiet]]
    story += [f"It rained on the {one} all day." for one in ("roof", "road", "lawn", "tent", "yard", "path", "wall", "deck")]
    reply = network.english.reader.answer(story, "What is Kofi fond of?")
    assert reply.text == "jazz"
    assert len(reply.reads) == len(story)
    assert sum(weight > 0 for weight in reply.reads) == AGAIN


def test_forms_are_of_one_task():
    stories = [
        [Story(("A went", "B went"), (Question("where is A", "x", (), 2),))],
        [Story(("A took C", "B went"), (Question("who", "x", (), 2),))],
    ]
    forms = Forms.collected(stories, as_form)
    assert (forms.statements, forms.most_names) == ({"@ went": 3, "@ took @": 2}, 3)

    both = forms.joined(Forms({"@ went": 4, "@ ran": 1}, {"who": 1}, 9))
    assert both == Forms({"@ went": 7, "@ took @": 2, "@ ran": 1}, {"where is @": 1, "who": 3}, 9)
    assert Forms.collected(stories, as_form, least=2).statements == {"@ went": 1}

    def is_task(question: str, *statements: str) -> bool:
        return forms.of_one_task([as_form(text) for text in statements], as_form(question))

    assert is_task("who", "X went", "X took Y")
    assert not is_task("where is X", "X took Y")
    assert not is_task("where is X", "X went", "X flew")
    assert is_task("who", "A went", "B went", "C went")
    assert not is_task("who", "A went", "B went", "C went", "D went")

    def is_of_no_other(question: str, *statements: str) -> bool:
        return forms.of_no_other([as_form(text) for text in statements], as_form(question))

    assert is_of_no_other("where is X", "X went", "X took Y")
    assert not is_of_no_other("where is X", "X took Y")
    assert not is_of_no_other("where is X", "X went", "X flew")
    assert not both.of_no_other([as_form("A went")], as_form("who"))


@pytest.mark.parametrize("runners_up", [0, 3])
def test_an_answer_of_the_reader_is_an_answer(folder: Path, runners_up: int):
    english = English(folder, as_form, lambda _: False)
    answer = english.answer(STORY, "Where is the lamp?", runners_up, 2)
    reply = english.reader.answer(STORY, "Where is the lamp?")
    assert answer.answerable == (reply.kind != "untold" and reply.probability >= LEAST_SURE)
    assert answer.answerable or reply.kind == "untold" or answer.refusal.startswith(f"I am not sure: {reply.text} (")
    assert len(answer.hops) == 1
    assert len(answer.hops[0]) == 2
    assert len(answer.runners_up) <= runners_up
    assert 0 <= answer.unanswerable <= 1
    assert 0 <= answer.probability <= 1
    assert answer.as_json()["calibrated_on"] == "nothing"


def test_stories_of_the_forms_of_mixes_are_answered_from_their_facts(folder: Path, tmp_path: Path):
    shutil.copytree(folder, tmp_path / "english")
    story, asked = ["Ann took the lamp.", "She went to the attic."], "Where is the lamp?"
    statements, questions = {as_form(text).text: 1 for text in story}, {as_form(asked).text: 1}
    write_json(tmp_path / "english" / "mixes.json", {"statements": statements, "questions": questions, "most_names": 9})
    english = English(tmp_path / "english", as_form, lambda _: False)
    answer = english.answer(story, asked, 1, 2)
    assert answer.answer == "attic"
    assert [hop[0].sentence for hop in answer.hops] == story
    assert english.answer(story, "Why did she go?", 1, 2) == english.read(story, "Why did she go?", 1, 2)
    assert english.answer(story, "Who has the lamp?", 1, 2).hops[0][0].sentence == story[0]
    assert English(folder, as_form, lambda _: False).forms_of_mixes is None


@pytest.mark.parametrize(
    ("story", "question", "answer"),
    [
        ("Kofi grabbed the lamp. Kofi fetched the rope. Kofi set down the lamp.", "How many things does Kofi have?", "one"),
        ("Kofi grabbed the lamp. Kofi fetched the rope. Kofi walked to the pier.", "What does Kofi have now?", "lamp,rope"),
        ("Kofi handed Lena the rope. Lena strolled to the pier. Kofi went home.", "Where's the rope?", "pier"),
        ("Kofi and Lena strolled to the pier. Then they went to the park. Kofi went home.", "Is Lena in the park?", "yes"),
        ("Kofi grabbed the rope. Kofi strolled to the pier. Kofi left the rope. Kofi went home.", "Where is the rope?", "pier"),
        (
            "Kofi strolled to the pier. Kofi grabbed the rope. Kofi left the rope. Lena got the rope.",
            "Who has the rope?",
            "Lena",
        ),
        ("Kofi handed Lena the rope. Lena strolled to the pier. Kofi went home.", "Who gave the rope to Lena?", "Kofi"),
        ("Kofi put the rope in the box. Kofi put the box in the shed. Lena went home.", "Is the rope in the shed?", "yes"),
        (
            "Kofi and Lena strolled to the pier. Ravi walked to the park. Kofi went to the park.",
            "Who is in the park?",
            "Ravi,Kofi",
        ),
        ("Ann went to the pier. Bob went to the pier. They went to the park.", "Where is Ann?", "park"),
        ("Ann and Bob went to the pier. Carl walked to the lab. They went to the park.", "Where is Carl?", "lab"),
        ("Ann gave the lamp to Bob. He went to the park.", "Where is the lamp?", "park"),
        ("Ann and Bob went to the park. Then they went to the lab. Then they went to the pier.", "Where is Ann?", "pier"),
    ],
)
def test_ordinary_stories_of_whereabouts_alone_are_answered_from_their_facts(story: str, question: str, answer: str):
    statements = story.replace(". ", ".|").split("|")
    network = memnet.load()
    assert network.english is not None
    assert network.english.has_facts(statements, question)
    assert not network.english.has_facts([*statements, "Kofi is fond of jazz."], question)
    assert network.ask(statements, question).answer == answer


def test_what_facts_alone_do_not_tell_is_refused():
    network = memnet.load()
    story = ["Kofi grabbed the rope.", "Lena strolled to the pier.", "Lena fetched the rope."]
    answer = network.ask(story, "Is Kofi in the park?")
    assert not answer.answerable
    assert answer.reason == "nothing says whether Kofi is in the park"


def test_most_statements_are_enough_where_the_others_do_not_name_what_is_asked_for():
    network = memnet.load()
    things = ("saw", "axe", "hoe", "drill", "file", "rope", "hammer", "vice", "bucket")
    story = [f"Kofi put the {thing} in the shed." for thing in things]
    assert network.english is not None
    share = network.english.share_of_facts
    assert share((*story, "The rake pleases Lena."), "Where is the hoe?") == ("where", pytest.approx(0.9))
    assert share((*story, "The hoe pleases Lena."), "Where is the hoe?") == ("where", 0)
    assert share((*story, "The rake pleases Lena."), "Why is the hoe in the shed?") == ("", 0)


def test_a_long_story_of_whereabouts_is_answered_from_its_facts():
    moves = [f"{who} strolled to the {where}." for where in ("pier", "park", "quay") for who in ("Kofi", "Lena", "Ravi")]
    story = ["Kofi grabbed the rope.", *moves * 40, "Lena and Ravi went to the mill.", "Then they drove to the inn."]
    network = memnet.load()
    assert network.ask(story, "Where is the rope?").answer == "quay"
    assert network.ask(story, "Is Lena in the inn?").answer == "yes"
    assert [hop[0].number for hop in network.ask(story, "Where is Ravi?").hops] == [len(story)]


def test_a_question_that_one_task_alone_has_is_that_tasks_among_statements_of_others():
    network = memnet.load()
    story = ["Tom is hungry.", "Lucy is in the hallway."]
    assert network.english is not None
    assert network.english.is_task(story, "Where will Tom go?")
    assert not network.english.is_task([*story, "Lucy plays the harp."], "Where will Tom go?")


def test_names_that_the_story_lacks_are_said():
    def why(question: str) -> str:
        return why_none(unmentioned(STORY, question, Words.load()), question)

    assert why("Where is Dave Miller?") == "the story does not mention Dave Miller"
    assert why("Did Ann and Dave meet Zoe?") == "the story does not mention Dave and Zoe"
    assert why("Where is the hammer?") == "nothing says where the hammer is"


def test_a_question_becomes_a_clause():
    assert why_untold("Why did the old man sell the car?") == "nothing says why the old man sold the car"
    assert why_untold("Who is Ann married to?") == "nothing says who Ann is married to"


def test_an_answer_that_is_not_sure_enough_is_not_given():
    told = "Mary went to the kitchen.", "Where is Mary?"
    sure, unsure = memnet.load().ask(*told), memnet.load(sure=1.0).ask(*told)
    assert sure.answerable
    assert sure.chance < 1
    assert not unsure.answerable
    assert unsure.refusal.startswith("I am not sure: kitchen (")
    assert unsure.as_json()["sure"] == 1.0
    assert not unsure.refusal.startswith("I am not sure: kitchen (100%")
    for none in (2, -1, "x", None):
        with pytest.raises(AskError, match=f"0 to 1, not {none!r}"):
            memnet.load(sure=none)


def test_a_score_by_hand():
    outcomes = [
        Outcome(True, False, True, 0.95),
        Outcome(False, False, True, 0.95),
        Outcome(False, True, True, 0.0),
        Outcome(True, True, False, 0.0),
        Outcome(False, False, False, 0.55),
    ]
    found = score("x", outcomes)
    assert (found.questions, found.right, found.wrong, found.refused, found.wrong_and_sure) == (5, 40, 40, 20, 20)
    assert (found.unanswerable_refused, found.answerable_refused) == (50, 33.33)
    assert found.calibration == pytest.approx(100 * (abs(2 * 0.95 - 1) + 0.55) / 3, abs=0.01)


def test_an_answer_that_is_not_sure_is_a_refusal():
    unsure = Outcome(True, False, True, 0.4)
    assert when_sure(unsure, 0.5) == Outcome(False, True, True, 0.4)
    assert when_sure(unsure, 0.4) == unsure
    assert when_sure(Outcome(False, False, False, 0.1), 0.5).right


def test_none_is_zero():
    assert is_right("none", ("zero",))
    assert not is_right("none", ("1",))


def test_stories_of_one_form_have_the_last_that_was_told_as_answer():
    for kind in FIVE:
        for asked in same_words(kind, 80, 0, stories=5):
            about = asked.question.removeprefix("Where is ").removeprefix("Who has ").removesuffix("?").removeprefix("the ")
            last = [one for one in asked.statements if re.search(rf"\b{re.escape(about)}\b", one.split(" to ")[0])]
            assert asked.answers[0] in last[-1]
            assert len(asked.statements) == 80


def test_small_talk_leaves_a_story_in_order():
    asked = Asked(("a", "b"), "?", ("x",))
    (found,) = with_small_talk([asked], 5)
    assert len(found.statements) == 7
    assert [one for one in found.statements if one in "ab"] == ["a", "b"]


def test_own_words_name_a_line_that_is_not_of_the_form(tmp_path: Path):
    path = tmp_path / "stories.txt"
    path.write_text("# kind: x\nAnn left.\n? Who left? -> Ann | she\n? Why? -> not told\n", encoding="utf-8")
    assert own_words(path) == [
        Asked(("Ann left.",), "Who left?", ("Ann", "she")),
        Asked(("Ann left.",), "Why?", ("not told",)),
    ]
    path.write_text("# kind: x\nAnn left.\n? Who left?\n", encoding="utf-8")
    with pytest.raises(NetworkError, match="line 3"):
        own_words(path)


def test_an_answer_says_how_likely_it_is_that_it_is_right():
    answer = Answer("x", 0.8, [], [[]], [0.0], {}, 0, unanswerable=0.25)
    assert answer.chance == pytest.approx(0.6)


def test_sentences_of_an_item_are_taken_apart_and_a_set_has_no_order():
    network = memnet.load()
    assert network.ask(["Mary went to the kitchen.John moved to the garden."], "Where is Mary?").answer == "kitchen"
    with pytest.raises(AskError, match="no order"):
        network.ask({"Mary went to the kitchen.", "John left."}, "Where is Mary?")


def test_a_word_that_nobody_knows_is_read_as_the_one_of_the_story_that_is_a_letter_from_it():
    network = memnet.load()
    answer = network.ask("My passport is in the drawer.", "Where is my Pasport?")
    assert (answer.text, answer.answerable, answer.unknown_words) == ("drawer", True, {"pasport": ["passport"]})
    assert not network.ask("My passport is in the drawer.", "Where is my passport?").unknown_words
    assert not network.ask("Ann told Anne of Zork. Ann met Zorg.", "Who met Zorkk?").unknown_words.get("ann")


def test_names_with_titles_and_questions_in_capitals_lack_nothing():
    words = Words.load()
    assert unmentioned(["May planted roses."], "When did Aunt May plant roses?", words) == []
    assert unmentioned(["My car is red."], "WHAT COLOUR IS MY CAR?", words) == []
    assert unmentioned(["John Smith left."], "Where is John Miller?", words) == ["Miller"]

"""The package's networks of facts: plain questions about small stories in ordinary words, and sentences of prose."""

import pytest

import memnet
from memnet.ask.factual import from_story
from memnet.facts.gate import GATE
from memnet.facts.reader import FactReader
from memnet.models.retriever import Retriever

STORIES = [
    (["Helen walked to the library.", "Tom went to the garden."], "Where is Helen?", "library", [1]),
    (
        ["Oscar picked up the umbrella.", "Tom left the office.", "Oscar went to the kitchen."],
        "Where is the umbrella?",
        "kitchen",
        [1, 3],
    ),
    (["Anna took the letter.", "Anna gave the letter to Peter."], "Who has the letter?", "Peter", [2]),
    (["The crate was moved from the garage to the cellar."], "Where was the crate before the cellar?", "garage", [1]),
    (["Julia went to the office.", "Julia went to the bathroom."], "Where was Julia before the bathroom?", "office", [1, 2]),
    (["Paul put the hammer in the drawer.", "It was a warm day."], "Where is the hammer?", "drawer", [1]),
    (
        ["Nina took the apple.", "Nina went to the park.", "Nina put down the apple.", "Nina went to the school."],
        "Where is the apple?",
        "park",
        [2],
    ),
    (["Martin is in the bedroom."], "Is Martin in the bedroom?", "yes", [1]),
    (["Martin is in the bedroom."], "Is Martin in the kitchen?", "no", [1]),
    (["Laura took the book.", "Laura took the lamp."], "What is Laura carrying?", "book,lamp", [1, 2]),
    (["Anna handed the key to Peter."], "Who gave the key to Peter?", "Anna", [1]),
    (["Sam got the ball.", "Sam passed the ball to Eva."], "Who had the ball before Eva?", "Sam", [1]),
]
PLAIN = [
    "Helen walked to the library.",
    "Oscar picked up the umbrella.",
    "The crate was moved to the cellar by Tom.",
    "Anna is in the office.",
]
PROSE = [
    "The report was finished yesterday.",
    "He thought for a long time about the meaning of her words.",
    "It was one of those evenings on which nobody wished to speak.",
    "Her pride was greater than her sorrow.",
]


@pytest.fixture(scope="module")
def reader() -> FactReader:
    return FactReader.load()


@pytest.mark.parametrize(("story", "question", "right", "read"), STORIES, ids=[question for _, question, *_ in STORIES])
def test_a_plain_question_is_answered_with_its_evidence(
    reader: FactReader, story: list[str], question: str, right: str, read: list[int]
):
    answer = from_story(story, question, reader)
    assert answer is not None
    assert answer.answer == right
    assert answer.probability > 0.5
    assert {one.number for one in answer.evidence} >= set(read)


def test_small_letters_and_an_aside_change_no_answer(reader: FactReader):
    story = ["as far as i know, helen walked to the library", "tom went to the garden"]
    answer = from_story(story, "where is helen?", reader)
    assert answer is not None
    assert answer.answer == "library"


@pytest.mark.parametrize(
    "text",
    [
        "Helen wants to go to the station.",
        "Tom did not take the hammer.",
        "We will move the piano to the hall tomorrow.",
        "Nobody went to the harbour.",
        *PROSE,
    ],
)
def test_what_is_wished_denied_or_planned_is_no_fact(reader: FactReader, text: str):
    assert reader.facts([text]) == [[]]


@pytest.mark.parametrize(
    ("story", "question"),
    [
        (["Helen walked to the library."], "Where is Tom?"),
        (["Helen walked to the library."], "Why did Helen go to the library?"),
        (["Helen wants to go to the station."], "Where is Helen?"),
        (["Somebody took the hammer.", "Helen walked to the library."], "Who took the hammer?"),
        (["Helen walked to the library.", "Tom went to the library."], "Who went to the library?"),
    ],
)
def test_what_no_fact_tells_is_left_to_others(reader: FactReader, story: list[str], question: str):
    assert from_story(story, question, reader) is None


def test_the_gate_of_the_package_opens_for_whereabouts_alone():
    gate = Retriever.load(GATE)
    assert (gate.scores(PLAIN) > 0).tolist() == [True] * len(PLAIN)
    assert (gate.scores(PROSE[1:]) > 0).tolist() == [False] * len(PROSE[1:])


def test_a_reason_or_a_time_is_no_yes(reader: FactReader):
    assert reader.question("Is Helen in the library?")[0].kind == "is in"
    assert {reader.question(f"{word} is Helen in the library?")[0].kind for word in ("Why", "When", "how")} == {"none"}


def test_what_nobody_has_any_more_and_who_left_are_no_answers():
    qa = memnet.load()
    assert qa.ask(["Daniel picked up the milk.", "Daniel dropped the milk."], "Who has the milk?").text == "nobody"
    assert qa.ask(["Daniel picked up the milk.", "Daniel gave the milk to Ann."], "Who has the milk?").text == "Ann"
    left = qa.ask(["Mary went to the kitchen.", "Mary left the kitchen."], "Where is Mary?")
    assert not left.answerable
    assert left.reason == "nothing says where Mary is now"

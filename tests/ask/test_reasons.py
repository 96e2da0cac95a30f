"""What the words alone say of a question: which answers suit it, why it has none, and what looks like a typing error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.ask.answer import Answer, in_words, typing_note
from memnet.ask.reasons import (
    SHORTEST_EDITED,
    NearWords,
    edited,
    likely_errors,
    may_answer,
    out_of_story,
    swaps,
    typing_errors,
    why_none,
)
from memnet.encode.vocabulary import NAME, NO_EVIDENCE, STOP, UNKNOWN, OpenVocabulary, Vocabulary
from memnet.tasks.text import Question, Story
from memnet.tasks.text.entities import EntityReader
from memnet.tasks.text.questions import kinds_of

KNOWN = ("the", "is", "went", "to", "where", "in", "with", "and")
KINDS = {"where": frozenset({NAME, "kitchen"}), "whether": frozenset({"yes", "no"})}
MARKERS = tuple(f"entity{number}" for number in range(1, 4))
OPEN = OpenVocabulary([UNKNOWN, STOP, NO_EVIDENCE, *KNOWN, "yes", "no", "kitchen", *MARKERS], 2, 3, ["kitchen"], KINDS)


def told(*statements: str):
    binding = OPEN.bind()
    for text in statements:
        binding.replaced(text)
    return binding


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Where is Mary?", ("where",)),
        ("Do you know where Mary is?", ("where",)),
        ("Is Mary where John is?", ("whether",)),
        ("The kitchen is south of what", ("what",)),
        ("Which way is it from the den to the hall?", ("which way", "which")),
        ("How many things does Mary have?", ("how many", "how")),
        ("From whom did he get it?", ("whom",)),
        ("Could you tell me who has the milk?", ("who",)),
        ("Does anybody know where Mary is?", ("where",)),
        ("Mary?", ()),
        ("?", ()),
    ],
)
def test_kinds_of_questions(question: str, kinds: tuple[str, ...]):
    assert kinds_of(question) == kinds


def test_answers_are_of_the_kind_that_training_had():
    stories = [
        Story(("Mary went home.",), (Question("Where is Mary?", "home", (0,), 1), Question("Is Mary home?", "yes", (0,), 1))),
        Story(("Mary has 2 hats.",), (Question("How many hats has Mary?", "two", (0,), 1),)),
    ]
    vocabulary = Vocabulary.of(stories)
    said = {question: vocabulary.answers_to(question) for question in ("Where's Mary?", "Is it?", "How is it?", "Why?")}
    assert {q: {vocabulary.entries[n] for n in found} if found else None for q, found in said.items()} == {
        "Where's Mary?": {"home"},
        "Is it?": {"yes"},
        "How is it?": {"two"},
        "Why?": None,
    }


def test_no_is_no_answer_to_where_and_nobody_answers_who_was_not_told():
    binding = told("Alice went to the lab.")
    allowed = may_answer(OPEN, "Where is Alice?", binding)
    entries = {OPEN.entries[number] for number in allowed.nonzero()[0].tolist()}
    assert entries == {UNKNOWN, STOP, NO_EVIDENCE, "kitchen", "entity2"}  # the lab, not Alice
    allowed = may_answer(OPEN, "Is Alice in the lab?", binding)
    assert {"yes", "no"} <= {OPEN.entries[number] for number in allowed.nonzero()[0].tolist()}
    assert not allowed[OPEN.number["entity1"]]
    assert not may_answer(OPEN, "Where is the lab?", binding)[OPEN.number["entity2"]]
    assert may_answer(OPEN, "Where is the den?", binding)[OPEN.number["entity2"]]
    assert may_answer(OPEN, "Where is Alice, in the den or in the lab?", binding)[OPEN.number["entity2"]]


def test_a_kind_whose_answers_cannot_be_said_restricts_nothing():
    names = OpenVocabulary(OPEN.entries, 2, 3, ["kitchen"], {"who": frozenset({NAME})})
    assert may_answer(names, "Who is it?", None)[names.number["yes"]]


@pytest.mark.parametrize(
    ("statements", "question", "reason"),
    [
        (("Alice went to the lab.",), "Where is Bob?", "the story does not mention Bob"),
        (("Alice zorped to the lab.",), "Where is Alice?", "I do not know the word 'zorped'"),
        (("Alice is with the cat.",), "Where is Alice?", "nothing in the story says so"),
        (("Alice ate the cake.",), "Where is Alice eat?", "I do not know the word 'eat'"),
        (("Alice went to the lab.",), f"Where is {'x' * 99}?", f"the story does not mention {'x' * 39}…"),
        (
            ("Alice went to the lab.", "Bob went to the den."),  # a name more than markers
            "Where is Bob?",
            "nothing in the story says so, of the 3 names that I can keep apart",
        ),
    ],
)
def test_why_there_is_no_answer(statements: tuple[str, ...], question: str, reason: str):
    assert why_none(OPEN, statements, question, told(*statements)) == reason


@pytest.mark.parametrize(
    "vocabulary", [OPEN, Vocabulary([UNKNOWN, "the", "key", "where", "is", "bob"])], ids=["open", "closed"]
)
def test_what_is_beyond_the_memory_is_not_called_unmentioned(vocabulary: Vocabulary):
    older, held = ["Bob took the key."], ["Alice went to the lab."] * 50
    binding = told(*held) if vocabulary is OPEN else None
    said = why_none(vocabulary, held, "Where is the key?", binding, ["key"], older)
    assert said == "key was last mentioned before the 50 statements that my memory holds"
    assert why_none(vocabulary, held, "Where is Bob's key?", binding, (), older).startswith("key was")
    again = why_none(vocabulary, [*held, *older], "Where is the key?", binding and told(*held, *older), (), older)
    assert "that my memory holds" not in again
    assert why_none(vocabulary, held, "Where is the pen?", binding, ["pen"], older) == "the story does not mention pen"


def test_names_with_a_capital_must_be_told():
    binding = told("Alice went to the lab.")
    assert out_of_story(OPEN, ["Alice went to the lab."], "Where is Bob?", binding) == ["Bob"]
    assert out_of_story(OPEN, ["Alice went to the lab."], "Where is the den?", binding) == []


def test_typing_errors_are_offered():
    texts = ["Alice wnet to the garden.", "Where is teh gardn?"]
    assert typing_errors(OPEN, texts) == {"wnet": ["went"], "teh": ["the"], "gardn": ["garden"]}
    assert typing_errors(OPEN, ["Teh", "the hat is in the den", "Whit is in the ins"]) == {}
    assert typing_errors(Vocabulary([UNKNOWN, "the"]), ["teh"]) == {}
    assert (
        typing_note({"teh": ["the"], "wnet": ["went", "west"]})
        == "teh -> the? wnet -> went or west? They were taken for names."
    )
    assert typing_note({}) == ""


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("Teh cat is in the lab.", {"Teh": ["the"]}),
        ("whre is Alice", {"whre": ["where"]}),
        ("Wehre is Alice?", {"Wehre": ["where"]}),
        ("nad is in the lab.", {}),  # somebody, who does something
        ("Nad went to the lab.", {}),
        ("with witk", {}),
        ("x" * 100_000, {}),
    ],
)
def test_names_at_the_beginning_are_no_errors_and_noise_is(text: str, errors: dict[str, list[str]]):
    assert likely_errors(OPEN.reader, text) == errors


def test_names_told_before_are_no_errors_and_may_be_meant():
    assert typing_errors(OPEN, ["Where is nad"], ["nad went to the lab"]) == {}
    assert typing_errors(OPEN, ["Where is nad"]) == {"nad": ["and"]}
    assert typing_errors(OPEN, ["the libary"], ["Alice is in the library"]) == {"libary": ["library"]}
    assert typing_errors(OPEN, ["in the kitchn"]) == {"kitchn": ["kitchen"]}  # which answers


def test_one_error_is_one():
    assert "went" in swaps("wnet")
    assert "went" not in swaps("went")
    assert not edited("kitchen", "kitchen")
    assert not edited("abcde", "abxye")
    assert edited("kitchxn", "kitchen")
    assert likely_errors(EntityReader(frozenset({"where"})), "wheer is it") == {"wheer": ["where"]}


def test_answers_in_words_and_one_percentage_in_a_refusal():
    assert in_words("n") == "north"
    assert in_words("n,w,w") == "north, then west, then west"
    assert in_words("apple,football,milk") == "apple, football and milk"
    unsure = Answer("a", 0.6, [], [], [], {}, 0, unanswerable=0.97, reason="nobody said so")
    assert unsure.refusal == "I cannot tell (97%): nobody said so"
    assert unsure.as_json()["text"] == "a"


@given(st.lists(st.text("abc", min_size=3, max_size=8), max_size=30), st.text("abc", min_size=5, max_size=8))
def test_near_words_are_those_that_every_comparison_finds(listed: list[str], word: str):
    near = NearWords(listed[:10])
    near.add(listed[10:])
    assert near.to(word) == {other for other in listed if len(other) >= SHORTEST_EDITED and edited(word, other)}

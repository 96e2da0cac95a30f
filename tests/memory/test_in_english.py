"""Entries that are read twice: which of two answers is given, and what the reader of ordinary English gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from memnet.ask.answer import Answer, Read
from memnet.errors import AskError
from memnet.memory import Entry, Memory
from memnet.memory.in_english import (
    are_all_facts,
    day_of,
    entry_of,
    has_many,
    has_unread,
    nouns_of,
    read_of,
    was_never_there,
)
from memnet.memory.long_memory import LongMemory
from memnet.memory.sentences import Sentences
from memnet.memory.unmentioned import is_nowhere
from memnet.memory.values import Held
from memnet.memory.weighing import echoes, is_contrary, is_of_another, is_of_what_is_not, says_the_deed, weighed

QUESTION = "Where is the lamp?"


def said(text: str, probability: float, sentence: str = "The lamp is there.") -> Answer:
    """An answer with the sentence behind it."""
    return Answer(text, probability, [], [[Read(1, sentence, 1.0)]], [0.0], {}, 0, question=QUESTION, story=[sentence])


NONE = Answer("", 0.0, [], [], [], {}, 0, unanswerable=1.0, reason="nothing says so", question=QUESTION)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (NONE, None, ""),
        (NONE, said("attic", 0.55), "attic"),
        (NONE, said("attic", 0.4), ""),  # less than the reader must be sure of
        (NONE, said("lamp", 0.9), ""),  # says only what the question does
        (NONE, said("yes", 0.9), ""),  # of another kind than asked for
        (said("shed", 0.9), None, "shed"),
        (said("shed", 0.9), NONE, "shed"),
        (said("shed", 0.9), said("attic", 0.73), "attic"),
        (said("shed", 0.9), said("attic", 0.71), "shed"),
        (said("shed", 0.55), said("attic", 0.3), ""),  # they differ, and neither is sure
        (said("the shed", 0.55), said("shed", 0.4), "the shed"),
        (said("shed", 0.9), said("attic", 0.9, "It went to the attic."), "shed"),  # names less of what is asked
        (said("lamp", 0.99), said("attic", 0.6), "attic"),
    ],
)
def test_the_surer_of_two_answers_is_given(first: Answer, second: Answer | None, expected: str):
    found = weighed(first, second, QUESTION)
    assert (found.answer if found.answerable else "") == expected


def test_what_says_the_contrary_is_no_answer():
    on = said("2026-03-01", 0.9, "Ann turned pump 3 on.")
    assert is_contrary(on, "When was pump 3 turned off?")
    assert not is_contrary(on, "When was pump 3 turned on?")
    assert not weighed(NONE, on, "When was pump 3 turned off?").answerable


def test_of_a_deed_a_sentence_that_names_the_thing_was_read_by_rules():
    question = "When was the light fitted?"
    assert says_the_deed(said("2 May", 0.9, "Fitted today."), question)
    assert says_the_deed(said("2 May", 0.9, "The light was fitted."), question)
    assert not says_the_deed(said("2 May", 0.9, "Ballast came."), question)
    assert not says_the_deed(None, question)
    assert not says_the_deed(said("2 May", 0.8, "The light was fitted."), question)


def test_the_words_of_a_question():
    assert nouns_of("Who had the spare key before Lena?") == ["spare", "key", "lena"]
    assert echoes(said("the lamp", 0.9), "Where is the lamp?")
    assert not echoes(said("yes", 0.9), "Is it a yes?")
    assert not echoes(said("attic", 0.9), "Is it in the attic or in the shed?")


def test_a_day_stands_before_an_entry_as_the_reader_learned_it():
    told = Held(0, "Ann left.")
    assert day_of(told._replace(when="2024-02-16T20:05")) == "16 February"
    assert day_of(told._replace(when="Mon 25 March 10:15")) == "Mon 25 March"
    assert day_of(told._replace(when="10:15")) == "10:15"
    assert day_of(told) == ""


LOG = (
    Entry("Ann took the tent.", "2024-06-07", "log.txt", 1),
    Entry("Pole straightened, tent dry.", "2024-06-21", "log.txt", 2),
    Entry("It hangs in the loft.", "2024-06-21", "log.txt", 2),
    Entry("Dentist on Thursday.", "2024-06-22", "log.txt", 3),
)


@pytest.fixture
def sentences(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add(LOG)
    return Sentences(LongMemory.opened(tmp_path / "memory"))


def test_whole_entries_are_read_in_the_order_of_time(sentences: Sentences):
    told = [one.text for one in read_of(sentences, "Where is the tent?")]
    assert told[:3] == ["Ann took the tent.", "Pole straightened, tent dry.", "It hangs in the loft."]
    (pole,) = (one for one in read_of(sentences, "Where is the tent?") if one.text.startswith("Pole"))
    assert [one.number for one in entry_of(sentences, pole)] == [1, 2]


def test_a_long_line_is_no_entry(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(f"Ann went to room {number}.", None, "book.txt", 1) for number in range(40)])
    told = Sentences(LongMemory.opened(tmp_path / "memory"))
    read = [one.text for one in read_of(told, "Where is Ann?")]
    assert read[-1] == "Ann went to room 39."
    assert len(read) <= 18
    assert [one.number for one in entry_of(told, told.one(20))] == [20]


def test_more_than_the_reader_gets_is_for_facts(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(f"The tent went to room {number}.", f"2024-06-{number:02}") for number in range(1, 13)])
    many = Sentences(LongMemory.opened(tmp_path / "memory"))
    assert has_many(many, "Where is the tent?")
    assert not has_many(many, "Where is room 4?")


def test_what_was_before_a_place_where_it_never_was_is_not_told(sentences: Sentences):
    assert was_never_there(sentences, "Where was the tent before Thursday?")
    assert not was_never_there(sentences, "Who had the tent before Ann?")
    assert not was_never_there(sentences, "Where was the tent before?")
    assert not was_never_there(sentences, "Where is the tent?")


def test_when_something_came_where_no_entry_has_both_is_not_told(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        told = ["Ann moved the big lamp to the shed", "the old lamp went to depot A", "pump 7 went to the boiler room"]
        memory.add([Entry(text, f"2024-06-0{day}") for day, text in enumerate(told, 1)])
    sentences = Sentences(LongMemory.opened(tmp_path / "memory"))
    assert not was_never_there(sentences, "When was the big lamp moved to the shed?")
    assert was_never_there(sentences, "When was the big lamp moved to depot A?")  # the old one was
    assert was_never_there(sentences, "Where was the big lamp before depot A?")
    assert not was_never_there(sentences, "When was the lamp moved to depot A?")  # a short name
    assert was_never_there(sentences, "When did pump 7 come to depot A?")
    assert not was_never_there(sentences, "When did pump 7 come to the boiler room?")


@pytest.mark.parametrize(
    ("question", "right", "other", "expected"),
    [
        ("Who moved pump 7 last?", "Ann moved pump 7.", "Bob moved pump 17.", True),
        ("Who moved the red pump last?", "Ann moved the red pump.", "Bob moved the black pump.", True),
        ("Who moved the red pump last?", "Ann moved the red pump.", "Bob then moved the red pump.", False),
        ("Who moved the red pump last?", "Ann moved the red pump.", "Bob moved it last.", False),  # perhaps that
        ("Who moved the red pump last?", "Ann moved the pump.", "Bob moved the black pump.", False),
        ("Who moved the red pump last?", "Ann moved the red pump.", "The van was moved to the yard by Bob.", True),
    ],
)
def test_what_another_thing_did_is_no_answer(question: str, right: str, other: str, expected: bool):
    first, second = said("Ann", 0.99, right), said("Bob", 0.9, other)
    assert is_of_another(second, first, question) == expected
    if expected:
        assert weighed(first, second, question) is first


@pytest.mark.parametrize(
    ("question", "sentence", "answer", "expected"),
    [
        ("Where is the lamp?", "The lamp will be moved to the shed next week.", "shed", True),
        ("Where is the lamp?", "Ann forgot to take the lamp to the shed.", "shed", True),
        ("Where is the lamp?", "If it rains, the lamp goes to the shed.", "shed", True),
        ("Where is the lamp?", "The lamp went to the shed.", "shed", False),
        ("Where will the lamp be?", "The lamp will be moved to the shed next week.", "shed", False),
        ("What is wrong with Rex?", "Rex will not eat his food.", "will not eat", False),
    ],
)
def test_what_is_planned_or_denied_is_not_so(question: str, sentence: str, answer: str, expected: bool):
    assert is_of_what_is_not(said(answer, 0.9, sentence), question) == expected
    assert bool(weighed(NONE, said(answer, 0.9, sentence), question).text) != expected


def test_what_is_planned_does_not_stand_against_facts_where_yes_or_no_is_asked():
    first, second = said("no", 0.7, "The lamp went to the lab."), said("yes", 0.98, "The lamp will go to the shed next week.")
    assert weighed(first, second, "Is the lamp in the shed?") is first
    assert weighed(first, second, "Will the lamp go to the shed?") is second
    assert weighed(NONE, second, "Is the lamp in the shed?") is second


def test_facts_that_are_sure_of_when_something_came_stand():
    first, second = (
        said("2024-03-04", 0.95, "Ann moved the lamp to the shed."),
        said("2024-03-09", 0.95, "The lamp is in the shed."),
    )
    assert weighed(first, second, "When was the lamp moved to the shed?") is first


def test_facts_of_a_thing_stand_where_all_that_names_it_was_read(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry("Ann took the lamp.", "2024-06-01"), Entry("Lovely weather, and tea.", "2024-06-02")])
    read = list(Sentences(LongMemory.opened(tmp_path / "memory")).holding([]) or Memory.open(tmp_path / "memory"))
    assert are_all_facts(read, "Who has the lamp?", thing=True)
    assert not are_all_facts(read, "Who has the lamp?")
    assert not are_all_facts(read, "Who has the drill?", thing=True)


def test_what_facts_that_are_read_surely_do_not_say_is_not_told(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Mary went to the kitchen. John took the milk.")
        assert memory.ask("Where is Mary?").text == "kitchen"
        assert not memory.ask("Where is the milk?").answerable
        with pytest.raises(AskError, match="at most 2,000"):
            memory.ask("Where is the " + "big " * 600 + "drill?")


def test_an_answer_of_several_hops_stands_where_the_reader_gets_but_one(tmp_path: Path):
    moves = [
        f"{name} went to the {room}." for name in ("Eve", "Ben", "Kim", "Lou", "Pat") for room in ("hall", "yard", "attic")
    ]
    told = ["Ann took the milk.", *moves, "Ann went to the cellar.", *moves, "Nobody slept well."]
    with Memory.open(tmp_path / "memory") as memory:
        memory.add([Entry(text, None, "notes.txt", line) for line, text in enumerate(told, 1)])
        answer = memory.ask("Where is the milk?")
    assert answer.text == "cellar"
    sentences = Sentences(LongMemory.opened(tmp_path / "memory"))
    read = read_of(sentences, "Where is the milk?")
    assert has_unread(read, answer)
    assert not has_unread(read, said("Ann", 0.9, "Ann took the milk."))


def test_the_newest_of_a_log_that_begins_with_it():
    def at(text: str, sentence: str, when: str, line: int) -> Answer:
        return Answer(text, 0.95, [], [[Read(1, sentence, 1.0, when, "log.txt", line)]], [0.0], {}, 0, question=QUESTION)

    shed, attic = at("shed", "Lamp to the shed.", "2024-06-09", 1), at("attic", "Lamp to the attic.", "2024-06-02", 8)
    assert weighed(shed, attic, QUESTION).text == "shed"
    assert weighed(attic, shed, QUESTION).text == "shed"


def test_a_noun_that_no_entry_has_is_nowhere(sentences: Sentences):
    assert is_nowhere(sentences, ["submarine"])
    assert is_nowhere(sentences, ["tent 4"])
    assert not is_nowhere(sentences, ["tent pole"])
    assert not is_nowhere(sentences, ["moment"])  # "at the moment" names nothing

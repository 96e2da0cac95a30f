"""What can answer a question of an entry, and which of two answers about a log is given."""

from dataclasses import replace

import pytest

from memnet.ask.answer import Answer, Read
from memnet.memory.entrywise.reader import COUNTED, NO, NOTHING, TIME, YES, EntryReading
from memnet.memory.entrywise.suiting import Suiting
from memnet.memory.wanted import AMOUNT, ANY, kind_of
from memnet.memory.weighing import (
    BY_RULE,
    OF_ENTRIES,
    OF_ENTRIES_ALONE,
    OF_ENTRIES_BESIDE,
    UNLIKE,
    UNSUPPORTED,
    names_its_thing,
    of_its_kind,
    of_its_thing,
    refusal,
    with_entries,
)

ENTRY = "Defibrillator DF-02 issued to HDU, signed for by Tom Reyes."
QUESTION = "Who has DF-02 signed out?"


@pytest.mark.parametrize(
    ("question", "answer", "suits"),
    [
        (QUESTION, "Tom Reyes", True),
        (QUESTION, "HDU", False),  # an abbreviation is no person
        (QUESTION, "DF-02", False),
        (QUESTION, "JB", True),  # initials
        ("Who has DF-02, Tom or Ann?", "Tom", True),
        ("When will DF-02 be issued?", "Friday", True),
        (QUESTION, NOTHING, True),
        (QUESTION, YES, False),
        (QUESTION, TIME, False),
        ("When was DF-02 issued?", TIME, True),
        ("When was DF-02 issued?", "Tom Reyes", False),
        ("Is DF-02 back?", NO, True),
        ("Is DF-02 back?", "HDU", False),
        ("How often was DF-02 issued?", COUNTED, True),
        ("How many hours did it run?", "12 hours", True),
        ("How many hours did it run?", "twelve", True),
        ("How many hours did it run?", "Tom Reyes", False),
        ("Where is DF-02?", "HDU", True),
        ("What was its last temperature?", "38.2", True),
        ("What was its last temperature?", "200 mg", False),  # a unit in which it is never measured
        ("What is its pressure now?", "54 psi", True),
        ("How big was the last dose?", "2 units", True),
        ("How big was the last dose?", "Tom Reyes", False),
        ("What percentage of it is oxygen?", "Tom Reyes", False),
    ],
)
def test_an_answer_is_of_the_kind_that_is_asked_for(question: str, answer: str, suits: bool):
    assert Suiting.of(question, [ENTRY]).holds(answer, ENTRY) == suits


def test_a_place_is_nobody_who_does_things_there():
    told = ["Gordon Baird took BL-06 to the Workshop.", "Cleaned by Gordon Baird.", "Left at Castle Square."]
    suiting = Suiting.of("Where is BL-06?", told)
    assert not suiting.holds("Gordon Baird", told[0])
    assert suiting.holds("the Workshop", told[0])
    assert suiting.holds("Workshop", told[0])
    assert suiting.holds("Castle Square", told[2])


def test_an_entry_is_less_relevant_where_little_of_it_suits():
    suiting = Suiting.of(QUESTION, [ENTRY])
    found = suiting.suited(ENTRY, EntryReading(0.8, (("HDU", 0.8), ("Tom Reyes", 0.2))))
    assert found.answers == (("Tom Reyes", 1.0),)
    assert found.relevance == pytest.approx(0.8 * 0.2 / 0.5)
    most = suiting.suited(ENTRY, EntryReading(0.8, (("Tom Reyes", 0.6), ("HDU", 0.4))))
    assert (most.relevance, most.answers) == (0.8, (("Tom Reyes", 1.0),))
    none = suiting.suited(ENTRY, EntryReading(0.8, (("HDU", 1.0),)))
    assert none.relevance == 0.0


def said(text: str, probability: float, day: int, sentence: str = "Ann took pump 7.") -> Answer:
    """An answer that was read from an entry of a day of March."""
    read = Read(1, sentence, 1.0, f"2026-03-{day:02}", "log.txt", day)
    return Answer(text, probability, [], [[read]], [0.0], {}, 0, question="Who has pump 7?", story=[sentence])


ASKED = "Who has pump 7?"


@pytest.mark.parametrize(
    ("first", "second", "known", "given"),
    [
        (said("Ann", 0.8, 3), said("Bo", OF_ENTRIES, 4), False, "Bo"),  # a later entry
        (said("Ann", 0.8, 3), said("Bo", OF_ENTRIES - 0.01, 4), False, "Ann"),
        (said("Ann", 0.99, 3), said("Bo", OF_ENTRIES, 4), True, "Bo"),
        (said("Ann", 0.8, 3), said("Bo", 1.0, 2), False, "Ann"),  # an earlier one
        (said("Ann", 0.8, 3), said("Bo", OF_ENTRIES_BESIDE, 3), False, "Bo"),  # the same
        (said("Ann", 0.8, 3), said("Bo", OF_ENTRIES_BESIDE, 3), True, "Ann"),
        (said("Ann", BY_RULE, 3), said("Bo", 1.0, 3), False, "Ann"),
        (refusal(ASKED), said("Bo", OF_ENTRIES_ALONE, 4), False, "Bo"),
        (refusal(ASKED), said("Bo", OF_ENTRIES_ALONE - 0.01, 4), False, ""),
        (refusal(ASKED), said("Bo", 1.0, 4), True, ""),
        (refusal(ASKED, missing=["Zoe"]), said("Bo", 1.0, 4), False, ""),  # a name that no sentence has
        (refusal(ASKED, missing=["customer"]), said("Bo", 0.85, 4), False, "Bo"),  # a noun that others may call otherwise
        (refusal(ASKED, missing=["stock-take"]), said("Bo", 0.85, 4), False, "Bo"),
    ],
)
def test_of_two_answers_the_one_of_later_entries_is_given(first: Answer, second: Answer, known: bool, given: str):
    found = with_entries(first, second, ASKED, known)
    assert (found.text if found.answerable else "") == given


def test_what_has_no_time_is_not_earlier():
    untimed = Answer(
        "Bo", 1.0, [], [[Read(1, "Bo took pump 7.", 1.0)]], [0.0], {}, 0, question=ASKED, story=["Bo took pump 7."]
    )
    assert with_entries(said("Ann", 0.8, 3), untimed, ASKED).text == "Bo"
    assert with_entries(untimed, said("Ann", 0.69, 3), ASKED).text == "Bo"


def test_a_choice_is_answered_by_one_of_its_codes():
    heavier = said("pump 7", 0.8, 3, "Pump 7 weighs 20 kg.")
    assert of_its_thing(heavier, "Which is heavier, pump 7 or pump 8?").answerable


def test_a_count_of_deeds_is_no_amount():
    first, second = said("2", BY_RULE, 3), said("466", 0.95, 4, "Pump 7 took 40 litres.")
    assert with_entries(first, second, "How many litres has pump 7 had altogether?").text == "466"
    assert with_entries(first, second, "How often was pump 7 filled?").text == "2"


def test_an_answer_was_read_of_the_thing_that_is_asked_about():
    of_another = said("Second", 0.8, 3, "C-2506 ironed, grade Second, Carys.")
    asked = "What grade did C-2509 get?"
    assert not of_its_thing(of_another, asked).answerable
    assert of_its_thing(replace(of_another, hops=[[Read(1, "C-2509 ironed, grade Second.", 1.0)]]), asked).answerable
    assert of_its_thing(replace(of_another, hops=[[Read(1, "It was graded Second.", 1.0)]]), asked).answerable
    fault = said("a fault on pump 7: leaks", 0.8, 3, "Ann reported a fault on pump 7: leaks.")
    assert of_its_thing(fault, "What is wrong with pump 7?").text == "leaks"
    deed = said("Bo borrowed pump 7 from Ann", 0.8, 3, "Bo borrowed pump 7 from Ann.")
    assert not of_its_thing(deed, ASKED).answerable


def test_what_was_read_of_another_name_gives_way():
    of_another, of_it = "Mocha had her meloxicam from Dr Okafor.", "Gave Minx 0.8 ml meloxicam (Gwen)."
    asked = "Who was the last to give Minx meloxicam?"
    first, second = said("Mocha", 0.96, 3, of_another), said("Gwen", OF_ENTRIES_ALONE, 2, of_it)
    assert with_entries(first, second, asked, known=True).text == "Gwen"
    assert with_entries(first, replace(second, probability=OF_ENTRIES_ALONE - 0.01), asked, known=True).text == "Mocha"
    assert with_entries(said("Gwen", 0.96, 3, of_it), said("Mocha", 1.0, 2, of_another), asked, known=True).text == "Gwen"


def test_what_somebody_put_down_is_no_answer_about_a_thing_that_is_not_named():
    asked = "Where will I find the fox?"
    assert names_its_thing(said("shed", 0.99, 3, "Ann put the fox in the shed."), asked)
    assert not names_its_thing(said("shed", 0.99, 3, "Ann set it down in the shed."), asked)
    assert names_its_thing(said("shed", 0.99, 3, "Ann set it down in the shed."), "Where is it?")
    assert names_its_thing(
        said("shed", 0.99, 3, "Ann set it down in the shed."), "Where did Ann put the fox?"
    )  # one name is enough


def test_a_weight_is_no_time_and_a_temperature_no_dose():
    assert not of_its_kind(said("2025-04-16 13:19", 0.6, 3), "How heavy was Tansy when last put on the scales?").answerable
    assert not of_its_kind(said("200 mg", 0.6, 3), "What was Domino's last temperature?").answerable
    assert of_its_kind(said("38.2 C", 0.6, 3), "What was Domino's last temperature?").answerable
    assert of_its_kind(said("200 mg", 0.6, 3), "How much did Domino get?").answerable
    for amount, asked in (
        ("40 litres", "How much hot water did Ann add?"),
        ("30 min", "How long was the pressure test of pump 7?"),
        ("40 litres", "How many litres of cold water did Ann put in TK-2?"),
        ("£40", "How much was the temp probe TP-1?"),
        ("vaccines", "What is stored at room temperature?"),
        ("leaking seal", "What is wrong with the pressure?"),
    ):
        assert of_its_kind(said(amount, 0.6, 3), asked).answerable, asked
        assert kind_of(asked) == (AMOUNT if "much" in asked or "many" in asked else ANY), asked


def test_what_entries_in_other_words_say_has_to_be_likelier():
    asked = "Which device broke down?"
    in_other_words, in_the_same = "The blood warmer failed.", "The blood warmer broke down, poor device."
    for sentence, least in ((in_other_words, UNLIKE), (in_the_same, UNSUPPORTED)):
        assert with_entries(said("the blood warmer", least, 3, sentence), None, asked).answerable
        assert not with_entries(said("the blood warmer", least - 0.01, 3, sentence), None, asked).answerable


@pytest.mark.parametrize(
    ("chance", "second", "known", "given"),
    [
        (UNSUPPORTED, None, False, "Ann"),
        (UNSUPPORTED - 0.01, None, False, ""),
        (UNSUPPORTED - 0.01, None, True, "Ann"),
        (UNSUPPORTED - 0.01, said("Ann", 0.3, 2), False, "Ann"),  # an entry says the same
        (UNSUPPORTED - 0.01, said("Ann Lee", 0.3, 2), False, "Ann"),  # and more
        (UNSUPPORTED - 0.01, said("Bo", 0.3, 2), False, ""),
        (UNSUPPORTED - 0.01, said("Bo", OF_ENTRIES, 4), False, "Bo"),
    ],
)
def test_what_is_hardly_likely_stands_where_an_entry_says_so(chance: float, second: Answer | None, known: bool, given: str):
    found = with_entries(said("Ann", chance, 3), second, ASKED, known)
    assert (found.text if found.answerable else "") == given

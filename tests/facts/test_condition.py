"""The condition of things and what people have, by hand: the facts of each sentence are given."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memnet.ask.factual import Told
from memnet.facts.answers import answer
from memnet.facts.kinds import Fact, Phrase
from memnet.facts.meant import together
from memnet.facts.results import FactAnswer
from memnet.facts.timeline import Timeline
from memnet.tasks.text.tokens import WORD


def fact(kind: str, **roles: str) -> Fact:
    """A fact whose roles are these words."""
    return Fact(kind, {role: Phrase(0, 1, text) for role, text in roles.items()})


SAID = {
    "The hose leaks on the pump.": [fact("fault", what="pump", other="The hose leaks")],
    "The pump is out of order.": [fact("fault", what="pump")],
    "Ann mended the pump.": [fact("mended", who="Ann", what="pump")],
    "Bob looked over the pump.": [fact("checked", who="Bob", what="pump")],
    "Bob looked over the saw.": [fact("checked", who="Bob", what="saw")],
    "The pump has vanished.": [fact("missing", what="pump")],
    "The pump is in the shed.": [fact("at", what="pump", to="shed")],
    "Ann lent Bob the pump.": [fact("give", who="Ann", what="pump", receiver="Bob")],
    "Ann took the saw.": [fact("take", who="Ann", what="saw")],
    "Ann brought the saw back.": [fact("drop", who="Ann", what="saw")],
    "The club took the cart.": [fact("take", who="club", what="cart")],
    "The pump went to the club.": [fact("go", who="pump", to="club")],
    "The pump went to the shed.": [fact("put", what="pump", to="shed")],
}
ASKED = {
    "What is wrong with the pump?": (fact("what is wrong", what="pump"), "none"),
    "What was wrong with the pump?": (fact("what is wrong", what="pump"), "none"),
    "Does the pump work?": (fact("does work", what="pump"), "none"),
    "Is the pump broken?": (fact("does work", what="pump"), "none"),
    "Can I use the pump, or is it broken?": (fact("does work", what="pump"), "none"),
    "Who fixed the pump?": (fact("who did", what="pump"), "mended"),
    "How often has the pump gone missing?": (fact("how often", what="pump"), "missing"),
    "Where is the pump?": (fact("where", what="pump"), "none"),
    "Who has the pump?": (fact("who has", what="pump"), "none"),
    "What is out?": (fact("what is out"), "none"),
}


def asked(question: str, *statements: str) -> FactAnswer | None:
    """The answer, with sentences read as :data:`SAID` and :data:`ASKED` have them."""
    reader = SimpleNamespace(facts=lambda texts: [SAID.get(text, []) for text in texts], question=lambda text: ASKED[text])
    return answer(Timeline(Told(statements), reader), question)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "one", "other", "whole"),
    [
        ("Pump 3 and pump 4 left.", (0, 2), (3, 5), "Pump 3 and pump 4"),
        ("Pump 3, pump 4 and pump 5 left.", (0, 2), (6, 8), "Pump 3, pump 4 and pump 5"),
        ("Ann left and Bob left.", (0, 1), (3, 4), ""),
        ("Ann left, Bob stayed and Cid left.", (0, 1), (6, 7), ""),
    ],
)
def test_what_and_joins_is_one_fact(text: str, one: tuple[int, int], other: tuple[int, int], whole: str):
    words = [(mark.start(), mark.end()) for mark in WORD.finditer(text)]
    told = [Phrase(*span, text[words[span[0]][0] : words[span[1] - 1][1]]) for span in (one, other)]
    found = together([Fact("at", {"what": phrase, "to": Phrase(8, 9, "bay")}) for phrase in told], text)
    assert [fact.text("what") for fact in found] == ([whole] if whole else [phrase.text for phrase in told])


LEAKS, BROKEN, MENDED = "The hose leaks on the pump.", "The pump is out of order.", "Ann mended the pump."


@pytest.mark.parametrize(
    ("question", "statements", "text"),
    [
        ("What is wrong with the pump?", [LEAKS], "The hose leaks"),
        ("What is wrong with the pump?", [LEAKS, BROKEN], "The hose leaks"),
        ("What is wrong with the pump?", [LEAKS, MENDED], "nothing"),
        ("What was wrong with the pump?", [LEAKS, MENDED], "The hose leaks"),
        ("Does the pump work?", [LEAKS], "no"),
        ("Does the pump work?", [LEAKS, MENDED], "yes"),
        ("Does the pump work?", [MENDED, BROKEN], "no"),
        ("Does the pump work?", ["Bob looked over the pump."], "yes"),
        ("Is the pump broken?", [LEAKS], "yes"),
        ("Is the pump broken?", [LEAKS, MENDED], "no"),
        ("Can I use the pump, or is it broken?", [LEAKS], "no"),
        ("Who fixed the pump?", [LEAKS, MENDED, "Bob looked over the pump."], "Ann"),
        (
            "How often has the pump gone missing?",
            ["The pump has vanished.", "The pump is in the shed.", "The pump has vanished."],
            "2",
        ),
    ],
)
def test_the_condition_of_a_thing(question: str, statements: list[str], text: str):
    found = asked(question, *statements)
    assert found is not None
    assert found.text == text


@pytest.mark.parametrize("question", ["What is wrong with the pump?", "Does the pump work?", "Who fixed the pump?"])
def test_of_another_thing_nothing_is_said(question: str):
    assert asked(question, "Bob looked over the saw.") is None


def test_what_is_missing_is_in_no_place_and_nobody_has_it_for_sure():
    found = asked("Where is the pump?", "The pump is in the shed.", "The pump has vanished.")
    assert found is not None
    assert not found.text
    assert found.why == "nothing says where pump is now"
    held = asked("Who has the pump?", "Ann lent Bob the pump.", "The pump has vanished.")
    assert held is not None
    assert not held.text
    assert held.why == "pump is missing"


@pytest.mark.parametrize(
    ("statements", "text"),
    [
        (["Ann lent Bob the pump.", "Ann took the saw."], "pump,saw"),
        (["Ann lent Bob the pump.", "Ann took the saw.", "Ann brought the saw back."], "pump"),
        (["Ann took the saw.", "Ann brought the saw back."], "nothing"),
    ],
)
def test_what_people_have(statements: list[str], text: str):
    found = asked("What is out?", *statements)
    assert found is not None
    assert found.text == text


@pytest.mark.parametrize(
    ("statements", "text"),
    [
        (["Ann lent Bob the pump.", "The club took the cart.", "The pump went to the club."], "club"),
        (["Ann lent Bob the pump.", "The club took the cart.", "The pump went to the shed."], "nobody"),
        (["Ann lent Bob the pump.", "The pump went to the club."], "Bob"),
    ],
)
def test_a_place_that_takes_things_as_people_do_has_what_goes_there(statements: list[str], text: str):
    found = asked("Who has the pump?", *statements)
    assert found is not None
    assert found.text == text


CALLED = {
    "Ann took the chip scanner.": [fact("take", who="Ann", what="chip scanner")],
    "Bob took the scanner.": [fact("take", who="Bob", what="scanner")],
    "Cid took the page scanner.": [fact("take", who="Cid", what="page scanner")],
    "Bob handed the scanner to us.": [fact("give", who="Bob", what="scanner", receiver="us")],
}


def holder(*statements: str) -> str:
    """Who has the chip scanner, of a log."""
    reader = SimpleNamespace(
        facts=lambda texts: [CALLED[text] for text in texts],
        question=lambda text: (fact("who has", what="chip scanner"), "none"),
    )
    found = answer(Timeline(Told(statements), reader, of_times=True), "Who has the chip scanner?")  # type: ignore[arg-type]
    return "" if found is None else found.text


@pytest.mark.parametrize(
    ("statements", "text"),
    [
        (["Ann took the chip scanner.", "Bob took the scanner."], "Bob"),
        (["Ann took the chip scanner.", "Cid took the page scanner.", "Bob took the scanner."], "Ann"),
        (["Cid took the page scanner.", "Ann took the chip scanner.", "Bob took the scanner."], "Bob"),
        (["Ann took the chip scanner.", "Bob handed the scanner to us."], "nobody"),
    ],
)
def test_a_log_calls_a_thing_by_its_last_word_once_it_is_clear_which(statements: list[str], text: str):
    assert holder(*statements) == text

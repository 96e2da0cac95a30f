"""Questions that give two states to choose from."""

from pathlib import Path

import pytest

from memnet.ask.answer import Answer
from memnet.memory.either import choice_of, either
from memnet.memory.memory import Memory
from memnet.memory.weighing import refusal

ASKED = "Is the gate open or locked now?"
OPEN, LOCKED = "Is the gate open now?", "Is the gate locked now?"


def said(text: str) -> Answer:
    """An answer, or a refusal."""
    return Answer(text, 0.9, [], [], [], {}, 0, question=ASKED, story=[]) if text else refusal(ASKED)


@pytest.mark.parametrize(
    ("of_open", "of_locked", "given"),
    [
        ("yes", "no", "open"),
        ("no", "yes", "locked"),
        ("yes", "", "open"),
        ("", "yes", "locked"),
        ("no", "", "locked"),  # it is one of the two
        ("", "no", "open"),
        ("yes", "yes", ""),
        ("no", "no", ""),
        ("", "", ""),
    ],
)
def test_of_two_states_the_one_that_is_so_is_the_answer(of_open: str, of_locked: str, given: str):
    found = either(ASKED, {OPEN: said(of_open), LOCKED: said(of_locked)}.__getitem__)
    assert (found.text if found is not None else "") == given
    assert found is None or found.question == ASKED


@pytest.mark.parametrize(
    "question",
    [
        "Is it with Ann or Bo?",
        "Is it in the shed or the yard?",
        "Who has it, Ann or Bo?",
        "Is the gate open?",
        "Is the gate open, closed or locked?",
        "Is the gate not open or locked?",
        "Is there paint or oil?",
    ],
)
def test_names_and_places_are_no_states(question: str):
    assert choice_of(question) is None


def test_a_log_says_which_of_two_states_is_so(tmp_path: Path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.add("Ann locked the yard gate.", when="2026-03-01")
        memory.add("The pump is broken.", when="2026-03-01")
        memory.add("The yard gate is open.", when="2026-03-02")
        assert memory.ask("Is the yard gate open or locked?").text == "open"

"""Answers in the form that a question asks for."""

from __future__ import annotations

import pytest

import memnet


@pytest.mark.parametrize(
    ("story", "question", "text"),
    [
        ("It costs 3,500 dollars.", "How much does it cost?", "3,500 dollars"),
        ("The variable is called s.", "What is the variable called?", "s"),
        ("Anna lives in the US.", "Where does Anna live?", "in the US"),
        ("The soup burned while we talked on the phone. Dad opened the window.", "What happened to the soup?", "it burned"),
        ("A pipe burst at noon. The plumber came at two.", "What happened at noon?", "pipe burst"),
        ("The keys are on top of the wardrobe. Ann is out.", "Where are the keys?", "on top of the wardrobe"),
        ("We whispered so the dog would stay asleep.", "Why did we whisper?", "so the dog would stay asleep"),
        ("The seminar takes place in room B12. Ann teaches it.", "Where does the seminar take place?", "room B12"),
        ("Send me the draft by Friday, 23:59. Ann reads it.", "When do I have to send the draft?", "by Friday, 23:59"),
        (
            "We packed tents, sleeping bags, a stove and two torches.",
            "What did we pack?",
            "tents, sleeping bags, a stove and two torches",
        ),
        ("Kim took ham, a hammer and rope.", "What did Kim take?", "ham, hammer and rope"),
        ("Tom is my uncle. He lives in Leeds.", "Whose uncle is Tom?", "yours"),
        ("Crew A has the saw. The hammer is with crew B.", "Who has the hammer?", "crew B"),
    ],
)
def test_an_answer_is_said_as_it_stands(story: str, question: str, text: str):
    assert memnet.load().ask(story, question).text == text

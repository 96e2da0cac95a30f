"""On which side of a place something is, what is denied, and whom a pronoun in a question means."""

import pytest

import memnet
from memnet.facts.reader import FactReader


@pytest.mark.parametrize(
    ("story", "question", "answer"),
    [
        ("The cat is under the bed.", "Is the cat in the bed?", "no"),
        ("The cat is under the bed.", "Is the cat under the bed?", "yes"),
        ("The cat is under the bed.", "Where is the cat?", "under the bed"),
        ("Tom is outside the house.", "Is Tom in the house?", "no"),
        ("Tom is next to the car.", "Is Tom in the car?", "no"),
        ("Tom is in the car.", "Is Tom in the car?", "yes"),
        ("Tom is in the car.", "Where is Tom?", "car"),
        ("The key is in the box. The box is under the bed. The bed is in the attic.", "Is the key in the attic?", "yes"),
        ("Mary went to the kitchen.", "Where is she?", "kitchen"),
        ("Mary went to the kitchen.", "Is she in the kitchen?", "yes"),
        ("Mary went to the kitchen. John went to the garden.", "Where is he?", "garden"),
        ("Mary went to the kitchen. John went to the garden.", "Where is she?", "kitchen"),
        ("Mary went to the hall. Mary went to the attic.", "Has Mary been in the hall?", "yes"),
        ("Mary went to the hall. Mary went to the attic.", "Has Mary ever been in the garden?", "no"),
        ("Mary went to the hall. Mary went to the attic.", "Is Mary in the hall?", "no"),
        ("Fatima bought a car. She parked it behind the station.", "Where is the car?", "behind the station"),
    ],
)
def test_where_something_is_told_and_asked(story: str, question: str, answer: str):
    said = memnet.load().ask(story, question)
    assert said.answerable
    assert said.text == answer


@pytest.mark.parametrize(
    "text", ["Mary never went to the kitchen.", "Mary did not go to the kitchen.", "Mary didn't take the milk."]
)
def test_what_is_denied_is_no_fact(text: str):
    (found,) = FactReader.load().facts([text])
    assert not [fact for fact in found if fact.kind in ("go", "take", "at", "carry", "put")]


def test_what_is_denied_gives_no_place():
    said = memnet.load().ask("Mary never went to the kitchen. Mary is in the hall.", "Where is Mary?")
    assert said.text == "hall"


@pytest.mark.parametrize(
    "question", ["Is Ann in Rome or in Oslo?", "Where isn't Ann?", "Who is not in Rome?", "Where was Ann after the lab?"]
)
def test_choices_and_denials_are_no_questions_of_facts(question: str):
    assert FactReader.load().question(question)[0].kind == "none"


def test_what_was_bought_stays_whose_it_is_when_it_is_put_away():
    said = memnet.load().ask("Tom sold his guitar to Ann. Ann put it in the attic.", "Who has the guitar?")
    assert said.text != "nobody"

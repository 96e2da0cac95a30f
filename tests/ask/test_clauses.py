"""Statements of several facts, taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.ask.clauses import LONGEST, single_facts
from memnet.ask.parser import parse_story
from memnet.tasks.simulator import PUBLISHED_TASKS, Dials, simulate


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Mary went home and took the milk.", ["Mary went home.", "Mary took the milk."]),
        ("Mary went to the den, took it and then left.", ["Mary went to the den.", "Mary took it.", "Mary left."]),
        ("Mary went home and she took the milk", ["Mary went home", "Mary took the milk"]),
        ("Mary gave Bob a pen and he left.", ["Mary gave Bob a pen.", "he left."]),
        ("Mary went home, and the cat was there", ["Mary went home", "the cat was there"]),
        (
            "The cat and the dog ran off and took a bone",
            ["The cat and the dog ran off", "The cat took a bone", "the dog took a bone"],
        ),
        (
            "Mary picked up the milk and the red pen there!",
            ["Mary picked up the milk there!", "Mary picked up the red pen there!"],
        ),
        ("Mary gave John the milk and a pen.", ["Mary gave John the milk.", "Mary gave John a pen."]),
        ("Mary gave the milk and a pen to John.", ["Mary gave the milk to John.", "Mary gave a pen to John."]),
        (
            "Bob and Ann took the milk and a pen.",
            ["Bob took the milk.", "Ann took the milk.", "Bob took a pen.", "Ann took a pen."],
        ),
        ("Bob, Ann Lee and Tom are at home.", ["Bob is at home.", "Ann Lee is at home.", "Tom is at home."]),
        ("bob and ann and tom went home", ["bob went home", "ann went home", "tom went home"]),
    ],
)
def test_a_fact_each(text: str, facts: list[str]):
    assert single_facts(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "Mary and John went home.",
        "Mary is hungry and tired.",
        "John, who is hungry, went home and slept.",
        "Mary did not go home and took nothing.",
        "The den is to the left and right of it.",
        "Mary took milk and bread.",
        "Mary took the milk and",
        "and took the milk",
        "",
    ],
)
def test_what_says_one_thing_stays(text: str):
    assert single_facts(text) == [text]


def test_long_sentences_stay():
    fact = "Mary went home and took the "
    assert len(single_facts(fact + "x" * (LONGEST - len(fact)))) == 2
    assert len(single_facts(fact + "x" * (LONGEST - len(fact) + 1))) == 1


@pytest.mark.parametrize("task", PUBLISHED_TASKS)
def test_no_simulated_statement_is_taken_apart(task: str):
    for phrasing in (0.0, 1.0):
        for story in simulate(task, 20, 5, Dials(phrasing=phrasing)):
            assert [text for text in story.statements if single_facts(text) != [text]] == []


@given(st.lists(st.sampled_from(["Mary", "took", "the", "a", "and", "and,", "milk,", "went", "is", ",", "to", "then"])))
def test_no_word_is_lost(parts: list[str]):
    text = " ".join(parts)
    said = {word.strip(",").lower() for fact in single_facts(text) for word in fact.split()}
    joins = {"and", "then", ""}
    assert {word.strip(",").lower() for word in parts} <= said | joins


def test_facts_of_a_story_and_its_questions():
    story = parse_story("Mary went home and took the milk. Who went home and took the milk?")
    assert story.statements == ["Mary went home.", "Mary took the milk."]
    assert story.questions == ["Who went home and took the milk?"]

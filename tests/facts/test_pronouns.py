"""Whom the pronouns of facts mean."""

import pytest

import memnet
from memnet.facts.kinds import Fact, Phrase
from memnet.facts.pronouns import resolve, side


def fact(kind: str, **roles: str) -> Fact:
    return Fact(kind, {role: Phrase(0, 1, text) for role, text in roles.items()})


GAVE = fact("give", who="Ann", what="lamp", receiver="Bob")


@pytest.mark.parametrize(
    ("role", "pronoun", "before", "meant"),
    [
        ("who", "She", [GAVE], "Ann"),
        ("who", "he", [GAVE], "Bob"),
        ("receiver", "him", [GAVE], "Bob"),
        ("what", "it", [GAVE], "lamp"),
        ("who", "they", [GAVE], "Ann and Bob"),
        ("who", "they", [fact("go", who="Carl"), fact("go", who="Eve", to="pier")], "Carl and Eve"),
        ("who", "they", [fact("go", who="Carl"), fact("go", who="Ann and Bob")], "Ann and Bob"),
        ("who", "they", [fact("go", who="Ann", company="Bob")], "Ann and Bob"),
        ("who", "she", [fact("go", who="John"), fact("at", what="Mary", to="hall")], "Mary"),
        ("who", "he", [fact("take", who="Xyzzor", what="lamp"), fact("go", who="Mary")], "Xyzzor"),
        ("who", "she", [fact("go", who="John")], "John"),
        ("who", "he", [], "he"),
        ("to", "there", [fact("go", who="Ann", to="pier")], "pier"),
        ("what", "them", [fact("take", who="Ann", what="skates")], "skates"),
    ],
)
def test_a_pronoun_means_whom_it_can_mean_and_who_was_named_last(role: str, pronoun: str, before: list[Fact], meant: str):
    assert resolve(fact("go", **{role: pronoun}), before).text(role) == meant


def test_nobody_gives_to_oneself():
    assert (
        resolve(fact("give", who="Bob", what="rope", receiver="him"), [fact("go", who="Bob"), GAVE]).text("receiver") != "Bob"
    )


def test_a_fact_without_pronouns_stays():
    assert resolve(GAVE, [fact("go", who="Eve")]) is GAVE


def test_names_go_with_one_pronoun_where_their_vectors_say_so():
    assert [side(name) for name in ("Sandra", "Daniel", "Qwxyz", "table", "")] == [1, -1, 0, 0, 0]


@pytest.mark.parametrize(
    ("story", "question", "answer"),
    [
        ("Ann went to the pier. Bob went to the pier. They went to the park.", "Where is Ann?", "park"),
        ("Ann and Bob went to the pier. Carl walked to the lab. They went to the park.", "Where is Carl?", "lab"),
        ("Ann gave the lamp to Bob. He went to the park.", "Where is the lamp?", "park"),
        (
            "Fred and Julie went to the park. After that they went to the lab. Then they went to the pier.",
            "Where is Fred?",
            "pier",
        ),
    ],
)
def test_stories_of_several_pronouns(story: str, question: str, answer: str):
    assert memnet.load().ask(story.replace(". ", ".|").split("|"), question).answer == answer

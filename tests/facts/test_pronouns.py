"""Whom the pronouns of facts mean."""

import pytest

from memnet.facts.kinds import Fact, Phrase
from memnet.facts.pronouns import resolve, side
from memnet.tasks.world.lexicon import names


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


@pytest.mark.parametrize(("kind", "wrong"), [("woman", -1), ("man", 1)])
def test_few_names_are_on_the_wrong_side(kind: str, wrong: int):
    sides = [side(name) for group in names(kind) for name in group]
    assert sides.count(-wrong) > 300
    assert sides.count(wrong) < 0.05 * sides.count(-wrong)

"""Hops over facts, by hand: each sentence's facts are given, so that only what follows from them is tested."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memnet.ask.factual import Told
from memnet.facts.answers import answer
from memnet.facts.kinds import Fact, Phrase
from memnet.facts.names import OTHER, PART, SAME, key_of, keys_of, match
from memnet.facts.results import FactAnswer
from memnet.facts.timeline import Stay, Timeline
from memnet.tasks.text.english import leans


def fact(kind: str, **roles: str) -> Fact:
    """A fact whose roles are these words."""
    return Fact(kind, {role: Phrase(0, 1, text) for role, text in roles.items()})


SAID = {
    "Ann went to the attic.": fact("go", who="Ann", to="attic"),
    "Ann went to the cellar.": fact("go", who="Ann", to="cellar"),
    "Bob went to the yard.": fact("go", who="Bob", to="yard"),
    "Ann and Bob went to the hall.": fact("go", who="Ann and Bob", to="hall"),
    "Ann took the lamp.": fact("take", who="Ann", what="lamp"),
    "She took the lamp there.": fact("carry", who="She", what="lamp", to="there"),
    "Ann took the lamp from the shelf.": fact("take", who="Ann", what="lamp", source="shelf"),
    "Ann gave Bob the lamp.": fact("give", who="Ann", what="lamp", receiver="Bob"),
    "Bob put the lamp down.": fact("drop", who="Bob", what="lamp"),
    "Bob took the lamp.": fact("take", who="Bob", what="lamp"),
    "Bob gave Ann the lamp.": fact("give", who="Bob", what="lamp", receiver="Ann"),
    "Ann is no longer in the hall.": fact("no longer at", what="Ann", to="hall"),
    "Ann put the lamp down.": fact("drop", who="Ann", what="lamp"),
    "The lamp was moved from the bay to the shed.": fact("put", what="lamp", source="bay", to="shed"),
    "The old lamp is in the loft.": fact("at", what="old lamp", to="loft"),
    "Ann left the attic.": fact("leave", who="Ann", source="attic"),
    "Ann is not in the attic.": fact("not at", what="Ann", to="attic"),
    "Ann is no longer in the attic.": fact("no longer at", what="Ann", to="attic"),
    "Ann is in the attic or the cellar.": fact("either", what="Ann", to="attic", other="cellar"),
    "Ann is not in the cellar.": fact("not at", what="Ann", to="cellar"),
    "Then she went to the cellar.": fact("go", who="she", to="cellar"),
    "Bob moved the lamp to the coach.": fact("give", who="Bob", what="lamp", receiver="coach"),
    "Bob moved the lamp to Ann.": fact("give", who="Bob", what="lamp", receiver="Ann"),
}
ASKED = {
    "Where is Ann?": (fact("where", what="Ann"), "none"),
    "Where is the lamp?": (fact("where", what="lamp"), "none"),
    "Where was the lamp before the yard?": (fact("where before", what="lamp", to="yard"), "none"),
    "Where was the lamp before the shed?": (fact("where before", what="lamp", to="shed"), "none"),
    "Where was Ann before?": (fact("where before", what="Ann"), "none"),
    "Who has the lamp?": (fact("who has", what="lamp"), "none"),
    "Who had the lamp first?": (fact("had first", what="lamp"), "none"),
    "Who had the lamp last?": (fact("had last", what="lamp"), "none"),
    "Who had the lamp before Bob?": (fact("had before", what="lamp", who="Bob"), "none"),
    "Where is Bob?": (fact("where", what="Bob"), "none"),
    "Where was the lamp before the attic?": (fact("where before", what="lamp", to="attic"), "none"),
    "Is Ann in the attic?": (fact("is in", what="Ann", to="attic"), "none"),
    "Is Ann in the yard?": (fact("is in", what="Ann", to="yard"), "none"),
    "Who is in the hall?": (fact("who is in", to="hall"), "none"),
    "What does Ann have?": (fact("what has", who="Ann"), "none"),
    "How many things does Ann have?": (fact("how many has", who="Ann"), "none"),
    "Does Bob have the lamp?": (fact("does have", who="Bob", what="lamp"), "none"),
    "How often was the lamp moved?": (fact("how often", what="lamp"), "put"),
    "Who gave the lamp to Bob?": (fact("who did", what="lamp", receiver="Bob"), "give"),
    "When did Ann go to the cellar?": (fact("when", who="Ann", to="cellar"), "go"),
    "Why?": (fact("none"), "none"),
}


def asked(question: str, *statements: str) -> FactAnswer | None:
    """The answer, with sentences read as :data:`SAID` and :data:`ASKED` have them."""
    reader = SimpleNamespace(
        facts=lambda texts: [[SAID[text]] if text in SAID else [] for text in texts], question=lambda text: ASKED[text]
    )
    return answer(Timeline(Told(statements), reader), question)  # type: ignore[arg-type]


def text(question: str, *statements: str) -> str | None:
    """The answer's text."""
    found = asked(question, *statements)
    return None if found is None else found.text


def test_the_last_place_wins_and_the_older_is_superseded():
    found = asked("Where is Ann?", "Ann went to the attic.", "It rained.", "Ann went to the cellar.")
    assert found is not None
    assert found.text == "cellar"
    assert [event.number for event in found.evidence] == [2]
    assert [stay.place for stay in found.superseded] == ["attic"]


@pytest.mark.parametrize(
    ("statements", "place"),
    [
        (["Ann went to the attic.", "Ann took the lamp.", "Ann went to the cellar."], "cellar"),
        (["Ann took the lamp.", "Ann went to the cellar.", "Ann put the lamp down.", "Ann went to the attic."], "cellar"),
        (["Ann took the lamp.", "Bob went to the yard.", "Ann gave Bob the lamp."], "yard"),
        (["Ann went to the attic.", "Ann took the lamp.", "Ann gave Bob the lamp.", "Bob went to the yard."], "yard"),
        (["The lamp was moved from the bay to the shed."], "shed"),
        (["The old lamp is in the loft."], "loft"),
        (["The old lamp is in the loft.", "Bob moved the lamp to the coach."], "coach"),
        (["Ann went to the attic.", "Bob moved the lamp to Ann."], "attic"),
        (["Ann went to the attic.", "She took the lamp there.", "Then she went to the cellar."], "cellar"),
    ],
)
def test_a_thing_is_where_who_has_it_is(statements: list[str], place: str):
    assert text("Where is the lamp?", *statements) == place


def test_each_hop_is_evidence():
    found = asked("Where is the lamp?", "Ann took the lamp.", "Bob went to the yard.", "Ann went to the attic.")
    assert found is not None
    assert [event.number for event in found.evidence] == [0, 2]


def test_the_place_before():
    story = ["Ann went to the attic.", "Ann took the lamp.", "Ann gave Bob the lamp.", "Bob went to the yard."]
    assert text("Where was the lamp before the yard?", *story) == "attic"
    assert text("Where was the lamp before the shed?", "The lamp was moved from the bay to the shed.") == "bay"
    assert text("Where was Ann before?", "Ann went to the attic.", "Ann went to the cellar.") == "attic"
    nothing = asked("Where was the lamp before the yard?", "Ann went to the attic.", "Ann took the lamp.")
    assert nothing is not None
    assert (nothing.text, nothing.why) == ("", "nothing says where lamp was before")


def test_who_has_and_had_it():
    story = ["Ann took the lamp.", "Ann gave Bob the lamp."]
    assert text("Who has the lamp?", *story) == "Bob"
    assert text("Who had the lamp first?", *story) == "Ann"
    assert text("Who had the lamp before Bob?", *story) == "Ann"
    assert text("Who has the lamp?", *story, "Bob put the lamp down.") == "nobody"
    assert text("Who had the lamp last?", *story, "Bob put the lamp down.") == "Bob"
    assert text("Does Bob have the lamp?", *story) == "yes"
    assert text("What does Ann have?", *story) == "nothing"
    assert text("What does Ann have?", *story[:1]) == "lamp"
    assert text("How many things does Ann have?", *story[:1]) == "one"
    assert text("Who gave the lamp to Bob?", *story) == "Ann"


def test_what_is_unsure():
    either = ["Ann is in the attic or the cellar."]
    assert text("Is Ann in the attic?", *either) == "maybe"
    assert text("Is Ann in the yard?", *either) == "no"
    assert text("Where is Ann?", *either) == ""
    assert text("Where is Ann?", *either, "Ann is not in the cellar.") == "attic"
    assert text("Is Ann in the attic?", "Ann is not in the attic.") == "no"
    assert text("Is Ann in the yard?", "Ann is not in the attic.") is None
    assert text("Where is Ann?", "Ann went to the attic.", "Ann left the attic.") == ""
    assert text("Where is Ann?", "Ann went to the cellar.", "Ann left the attic.") == "cellar"
    assert text("Where was Ann before?", "Ann is no longer in the attic.", "Ann went to the cellar.") == "attic"


def test_who_takes_a_thing_is_where_it_lies():
    story = [
        "Ann went to the attic.",
        "Ann took the lamp.",
        "Ann put the lamp down.",
        "Ann went to the cellar.",
        "Bob took the lamp.",
    ]
    found = asked("Where is Bob?", *story)
    assert found is not None
    assert found.text == "attic"
    assert [event.number for event in found.evidence] == [4, 1, 0]
    assert text("Where is Bob?", "Bob went to the yard.", *story) == "yard"  # what is told counts more
    assert text("Where is Bob?", *story[1:]) is None


def test_who_gets_a_thing_is_with_who_gives_it():
    assert text("Where is Bob?", "Ann went to the attic.", "Ann took the lamp.", "Ann gave Bob the lamp.") == "attic"
    assert text("Where is Ann?", "Bob went to the yard.", "Ann gave Bob the lamp.") == "yard"
    assert text("Where is Ann?", "Bob gave Ann the lamp.", "Ann gave Bob the lamp.", "Bob gave Ann the lamp.") is None


def test_either_or_is_settled_by_no_longer():
    either = "Ann is in the attic or the cellar."
    assert text("Where is Ann?", either, "Ann is no longer in the attic.") == "cellar"
    assert text("Where is Ann?", either, "Ann is no longer in the hall.") == ""


def test_the_place_before_is_another_one():
    story = [
        "Ann went to the cellar.",
        "Ann took the lamp.",
        "Ann went to the attic.",
        "Ann left the attic.",
        "Ann went to the attic.",
    ]
    assert text("Where was the lamp before the attic?", *story) == "cellar"


def test_several_are_named_together():
    assert text("Where is Ann?", "Ann and Bob went to the hall.") == "hall"
    assert text("Who is in the hall?", "Ann and Bob went to the hall.", "Ann went to the attic.") == "Bob"


def test_what_happened_is_counted_and_dated():
    moved = "The lamp was moved from the bay to the shed."
    assert text("How often was the lamp moved?", moved, "It rained.", moved) == "2"
    found = asked("When did Ann go to the cellar?", "Ann went to the attic.", "Ann went to the cellar.")
    assert found is not None
    assert found.number == 1


def test_other_questions_and_other_names_are_left_to_others():
    assert asked("Why?", "Ann went to the attic.") is None
    assert asked("Where is the lamp?", "Ann went to the attic.") is None


def test_i_am_who_speaks():
    SAID["Ann: I took the lamp"] = fact("take", who="I", what="lamp")
    SAID["I took the lamp"] = SAID["Ann: I took the lamp"]
    assert text("Who has the lamp?", "Ann: I took the lamp") == "Ann"
    assert text("Where is the lamp?", "Ann: I took the lamp", "Ann went to the attic.") == "attic"
    assert text("Who has the lamp?", "I took the lamp") == "I"


def test_who_has_each_other_ends():
    SAID["The lamp has Ann."] = fact("has", who="lamp", what="Ann")
    SAID["Ann has the lamp."] = fact("has", who="Ann", what="lamp")
    assert asked("Where is the lamp?", "The lamp has Ann.", "Ann has the lamp.") is None


def test_keys():
    assert match(key_of("the pump 7"), key_of("Pump 7")) == SAME
    assert match(key_of("lamp"), key_of("the old lamp")) == PART
    assert match(key_of("pump 7"), key_of("pump 17")) == OTHER
    assert keys_of("Ann, Bob and Cid")[1:] == (("ann",), ("bob",), ("cid",))
    assert leans("Then she went home.")
    assert not leans("Ann went home.")
    assert Stay("", (0, 0), ()).options == ()

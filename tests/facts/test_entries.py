"""Entries of log books: what a form says is what its sentence says, with names in place of slots."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from memnet.facts.entries import Filling, entry_of, of_entries
from memnet.facts.examples import Sentence
from memnet.facts.kinds import FACTS, NONE, QUESTIONS, ROLES
from memnet.tasks.world.log_forms import Form, all_forms, asked_of, fact_of, read_forms

FILE = """# a remark
{who} handed in {what} and {who2} took it. | drop who what; take who=who2 what
{what} is no longer in {to}. | not at what to
{who} wants {what}. |
--- questions
Who got {what} going again? | who did:mended what
Where is {who}? | where who
What did {what} cost? |
--- lists
[who]
Ann
the drama club
[what]
the blue pump
[fault]
the hose leaks
"""


def said(one: Sentence) -> list[tuple[str, dict[str, str]]]:
    """The facts of a sentence with their words."""
    pairs = [pair for pair in zip(one.kinds, one.roles, strict=True) if pair[0] != NONE]
    return [(kind, {role: " ".join(one.words[slice(*span)]) for role, span in roles.items()}) for kind, roles in pairs]


def test_a_file_of_forms_is_read():
    forms = read_forms(FILE)
    assert [form.facts for form in forms.told] == [
        [("drop", {"who": "who", "what": "what"}), ("take", {"who": "who2", "what": "what"})],
        [("not at", {"what": "what", "to": "to"})],
        [],
    ]
    assert [form.facts for form in forms.asked] == [
        [("who did", {"what": "what"}), ("mended", {})],
        [("where", {"what": "who"})],
        [],
    ]
    assert forms.lists == {"who": ["Ann", "the drama club"], "what": ["the blue pump"], "fault": ["the hose leaks"]}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("give what receiver=who2 who", ("give", {"what": "what", "receiver": "who2", "who": "who"})),
        ("at who to", ("at", {"what": "who", "to": "to"})),
        ("not at what to=from", ("not at", {"what": "what", "to": "from"})),
        ("leave who from=to", ("leave", {"who": "who", "source": "to"})),
        ("fault what other=flaw", ("fault", {"what": "what", "other": "flaw"})),
    ],
)
def test_a_fact_names_the_slot_of_each_role(text: str, fact: tuple[str, dict[str, str]]):
    assert fact_of(text) == fact


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("what has who", [("what has", {"who": "who"})]),
        ("where before what to", [("where before", {"what": "what", "to": "to"})]),
        ("what is out", [("what is out", {})]),
        ("had before what who", [("had before", {"what": "what", "who": "who"})]),
        ("to whom:give what", [("to whom", {"what": "what"}), ("give", {})]),
        ("", []),
    ],
)
def test_a_question_names_its_kind_and_the_deed(text: str, asked: list[tuple[str, dict[str, str]]]):
    assert asked_of(text) == asked


def test_names_stand_where_their_slots_were_and_without_articles():
    filling = Filling(Random(0), {"who": ["the drama club"], "what": ["Pump 7"], "fault": ["the hose leaks"]})
    filling.name = lambda slot: {"who": "the drama club", "who2": "Ann", "what": "pump 7", "fault": "the hose leaks"}[slot]  # type: ignore[method-assign]
    form = Form(
        "{who} lent {what} to {who2}: {fault}, so {who} says.",
        [fact_of("give who what receiver=who2"), fact_of("fault what other=fault")],
    )
    found = entry_of(form, False, filling)
    assert found is not None
    assert found.words[0] == "The", "a sentence begins with a capital"
    assert said(found) == [
        ("give", {"who": "drama club", "what": "pump 7", "receiver": "Ann"}),
        ("fault", {"what": "pump 7", "other": "the hose leaks"}),
    ]


def test_two_that_are_named_together_are_one_fact():
    filling = Filling(Random(0), {})
    filling.name = lambda slot: {"what": "the pump", "what2": "the saw", "who": "Ann", "to": "bay 2"}[slot]  # type: ignore[method-assign]
    facts = [fact_of("put what to"), fact_of("put what=what2 to")]
    together = entry_of(Form("{what} and {what2} went to {to}.", facts), False, filling)
    apart = entry_of(Form("{what} went to {to}, so did {what2}.", facts), False, filling)
    assert together is not None
    assert apart is not None
    assert said(together) == [("put", {"what": "pump and the saw", "to": "bay 2"})]
    assert said(apart) == [("put", {"what": "pump", "to": "bay 2"}), ("put", {"what": "saw", "to": "bay 2"})]


def test_what_has_ended_is_no_longer_so():
    filling = Filling(Random(0), {})
    found = [
        entry_of(Form(text, [fact_of("not at what to")]), False, filling)
        for text in ("{what} is not in {to}.", "{what} is no longer in {to}.")
    ]
    assert [one.kinds[0] for one in found if one is not None] == ["not at", "no longer at"]


def test_every_form_of_the_package_says_what_is_known():
    counted = Counter[str]()
    for forms in all_forms():
        filling = Filling(Random(3), forms.lists)
        assert forms.asked
        assert {"who", "what", "to"} <= forms.lists.keys() <= {"who", "what", "to", "fault", "flaw"}
        for form in (*forms.told, *forms.asked):
            asks = form in forms.asked
            for at, (kind, slots) in enumerate(form.facts):
                assert kind in (QUESTIONS if asks and not at else FACTS), form
                assert slots.keys() <= set(ROLES), form
                assert all(f"{{{slot}}}" in form.text for slot in slots.values()), form
                counted[kind] += 1
            if (found := entry_of(form, asks, filling)) is not None:
                assert (
                    [kind for kind, _ in said(found)] == [told for kind, _ in form.facts[:2] for told in [kind] if told != NONE]
                    or "not at" in dict(form.facts)
                    or len({*dict(form.facts)}) == 1
                ), form
    assert {"fault", "mended", "checked", "missing", "what is wrong", "does work", "what is out"} <= counted.keys()
    assert len({form.text for forms in all_forms() for form in forms.told}) > 7000


def test_the_same_seed_draws_the_same_entries():
    assert [*islice(of_entries(4), 50)] == [*islice(of_entries(4), 50)]
    assert [*islice(of_entries(4), 50)] != [*islice(of_entries(5), 50)]

"""Forms of whole stories: which a task has, and that it is asked no other."""

from __future__ import annotations

import re
from dataclasses import replace

import memnet
from memnet.encode.forms import Form, Forms, complete_stories, whole_story
from memnet.tasks.families import find
from memnet.tasks.text import Question, Story


def as_form(text: str) -> Form:
    """Capital letters are names."""
    order = tuple(re.findall("[A-Z]", text))
    return Form(re.sub("[A-Z]", "@", text), frozenset(order), order)


def story(question: str, *statements: str) -> Story:
    return Story(statements, (Question(question, "x", (), len(statements)),))


OPPOSITE = [
    story("what is B west of", "A is east of B", "C is west of B"),
    story("what is G west of", "D is east of G", "Z is west of G"),
]


def test_names_of_a_whole_story_are_numbers():
    assert whole_story([as_form("B is east of A"), as_form("C is east of B")], as_form("what is C east of")) == (
        "#0 is east of #1 / #2 is east of #0 / what is #2 east of"
    )
    assert whole_story([Form("mail ann @ home", frozenset())], Form("where", frozenset())) == "mail ann @ home / where"


def test_stories_are_complete_where_none_was_seen_once_alone():
    once = [story("what is A east of", "A is east of B")]
    assert complete_stories([OPPOSITE], as_form) == {"#0 is east of #1 / #2 is west of #1 / what is #1 west of": 1}
    assert complete_stories([once], as_form) == {}
    assert set(complete_stories([once, OPPOSITE], as_form).values()) == {2}
    assert complete_stories([[story("where is A", *["A went"] * 4)] * 9], as_form) == {}


def test_a_task_is_asked_what_its_whole_stories_ask():
    plain = Forms.collected([[*OPPOSITE, story("who", "A is east of B")], [story("who", "A sat")]], as_form)
    forms = replace(plain, stories=complete_stories([OPPOSITE, []], as_form))
    asked_so = [as_form("X is east of Y"), as_form("Z is west of Y")]
    never = [as_form("X is east of Y"), as_form("Y is west of Z")]
    question = as_form("what is Y west of")
    for some in (plain, forms):
        assert some.of_one_task(asked_so, question)
        assert some.of_one_task(asked_so[:1], as_form("who"))  # no sentence of a whole story
    for asks in (Forms.of_one_task, Forms.of_no_other):
        assert asks(plain, never, question)
        assert not asks(forms, never, question)
    assert plain.joined(forms).stories == forms.stories
    assert set(forms.joined(replace(plain, stories=dict.fromkeys(forms.stories, 2))).stories.values()) == {3}


def test_task_4_has_64_and_a_reader_answers_what_it_never_asks():
    qa = memnet.load()
    assert qa.english is not None
    forms = qa.english.forms.stories
    assert len(forms) == 64
    for seed in (7, 8):
        for told in find([f"sim/qa4@{seed}"])[0].train[:200]:
            for one in told.questions:
                assert whole_story([qa.english.form(text) for text in told.statements], qa.english.form(one.text)) in forms
    chain = ["The lab is east of the inn.", "The inn is east of the bar."]
    assert not qa.english.is_task(chain, "What is the inn east of?")
    assert qa.ask(chain, "What is the inn east of?").answer == "bar"

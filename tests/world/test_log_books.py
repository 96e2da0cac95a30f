"""Log books that are drawn: what a state says after each entry, and that answers stand in the entries."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.tasks.text.tokens import split
from memnet.tasks.world.log_answers import Log, answer_to
from memnet.tasks.world.log_books import asked_forms, draw_log, told_forms
from memnet.tasks.world.log_state import State
from memnet.tasks.world.moved_things import draw_moved
from memnet.tasks.world.stamps import stamped, stamps
from memnet.tasks.world.texts import Statement
from memnet.tasks.world.told import parse

BOOK = (
    ("2 May: Ann took the red drill home", "take", {"who": "Ann", "what": "the red drill"}),
    ("3 May: red drill back from Ann, shelf B", "drop", {"who": "Ann", "what": "the red drill", "to": "shelf B"}),
    ("4 May: the drill squeaks", "fault", {"what": "the red drill", "other": "squeaks"}),
    ("5 May: Ben mended the drill and put it in the cage", "mended", {"who": "Ben", "what": "the red drill"}),
    ("", "put", {"who": "Ben", "what": "the red drill", "to": "the cage"}),
    (
        "6 May: Cleo got the red drill from Ben, and the saw",
        "give",
        {"who": "Ben", "what": "the red drill", "receiver": "Cleo"},
    ),
    ("", "take", {"who": "Cleo", "what": "the saw"}),
)


def log(entries: int = len(BOOK)) -> Log:
    """What the first entries tell."""
    state, statements, days = State(), list[Statement](), dict[int, str]()
    for text, kind, roles in BOOK[:entries]:
        if text:
            statements.append(Statement(tuple(text.replace(":", " :").replace(",", " ,").split()), text))
            days[len(statements) - 1] = text.partition(":")[0]
        state.apply(kind, roles, (len(statements) - 1,))
    names = {"who": ["Ann", "Ben", "Cleo"], "what": ["the red drill", "the saw"], "to": ["shelf B", "the cage"]}
    return Log(state, statements, days, names, {"the red drill": "drill"})


DRILL = {"what": "the red drill"}


@pytest.mark.parametrize(
    ("asked", "entries", "expected"),
    [
        ([("who has", DRILL)], 1, "Ann"),
        ([("who has", DRILL)], 2, "nothing"),
        ([("who has", DRILL)], 7, "Cleo"),
        ([("where", DRILL)], 1, "Ann"),
        ([("where", DRILL)], 2, "shelf B"),
        ([("where", DRILL)], 5, "cage"),
        ([("where before", DRILL)], 5, "shelf B"),
        ([("where before", DRILL | {"to": "shelf B"})], 5, ""),
        ([("is in", DRILL | {"to": "the cage"})], 5, "yes"),
        ([("is in", DRILL | {"to": "the cage"})], 7, "no"),
        ([("what is in", {"to": "the cage"})], 5, "red drill"),
        ([("what is in", {"to": "the cage"})], 7, "nothing"),
        ([("what has", {"who": "Cleo"})], 7, "red drill, saw"),
        ([("what has", {"who": "Ann"})], 7, "nothing"),
        ([("how many has", {"who": "Cleo"})], 7, "2"),
        ([("does have", DRILL | {"who": "Ann"})], 7, "no"),
        ([("does have", {"who": "Ann", "what": "the saw"})], 2, ""),
        ([("had first", DRILL)], 7, "Ann"),
        ([("had last", DRILL)], 5, "Ann"),
        ([("had before", DRILL | {"who": "Cleo"})], 7, "Ben"),
        ([("had before", DRILL)], 7, "Ben"),
        ([("what is out", {})], 7, "red drill, saw"),
        ([("what is out", {})], 2, "nothing"),
        ([("what is wrong", DRILL)], 3, "squeaks"),
        ([("what is wrong", DRILL)], 4, "nothing"),
        ([("what is wrong", {"what": "the saw"})], 7, ""),
        ([("does work", DRILL)], 3, "no"),
        ([("does work", DRILL)], 4, "yes"),
        ([("who did", DRILL), ("mended", {})], 7, "Ben"),
        ([("who did", DRILL), ("checked", {})], 7, ""),
        ([("to whom", DRILL), ("give", {})], 7, "Cleo"),
        ([("how often", DRILL), ("take", {})], 7, "2"),
        ([("when", DRILL), ("mended", {})], 7, "5 May"),
        ([("when", DRILL), ("missing", {})], 7, ""),
        ([], 7, ""),
    ],
)
def test_what_a_log_book_answers(asked: list[tuple[str, dict[str, str]]], entries: int, expected: str):
    told = log(entries)
    found = answer_to(told, asked, "Which ?")
    assert found is not None
    answer, evidence = found
    assert answer.text.lower() == expected.lower()
    assert (answer.kind == "untold") == (not expected)
    assert all(number < len(told.statements) for number in evidence)
    for spans in answer.mentions:
        words = {" ".join(told.statements[at].words[first:last]).lower() for at, first, last in spans}
        assert any(word in (*expected.lower().split(", "), "drill") for word in words)


def test_what_is_not_clear_is_not_asked():
    told = log()
    told.state.apply("take", {"who": "Ann", "what": "the saw"}, (0,))
    assert answer_to(told, [("who did", {"what": "the saw"}), ("take", {})], "Who took the saw ?") is None
    found = answer_to(told, [("who did", {"what": "the saw"}), ("take", {})], "Who took the saw last ?")
    assert found is not None
    assert found[0].text == "Ann"
    assert answer_to(told, [("does work", DRILL)], "Is the red drill broken ?") is None
    told.state.apply("has", {"who": "Ann", "what": "the red drill"}, (0,))
    assert answer_to(told, [("had before", DRILL | {"who": "Ann"})], "Who had it before Ann ?") is None  # twice


def test_only_what_can_follow_is_told():
    state = log(5).state
    assert not state.allows("put", DRILL | {"to": "the cage"})
    assert state.allows("put", DRILL | {"to": "shelf B"})
    assert not state.allows("take", DRILL | {"who": "Ann", "source": "shelf B"})
    assert state.allows("take", DRILL | {"who": "Ann", "source": "the cage"})
    state.apply("take", DRILL | {"who": "Ann"}, (9,))
    assert not state.allows("give", DRILL | {"who": "Ben", "receiver": "Cleo"})
    assert not state.allows("drop", DRILL | {"who": "Ben"})
    assert state.allows("drop", DRILL | {"who": "Ann"})
    state.apply("missing", DRILL, (9,))
    assert not state.allows("drop", DRILL | {"who": "Ann"})
    state.apply("fault", DRILL | {"other": "a crack"}, (9,))
    assert not state.allows("fault", DRILL | {"other": "a leak"})


@given(st.integers(0, 10**6))
def test_answers_stand_in_the_entries_that_were_told(seed: int):
    story = draw_log(Random(seed))
    assert story == draw_log(Random(seed))
    for question in story.questions:
        assert 0 < question.after <= len(story.statements)
        assert all(number < question.after for number in question.evidence)
        named = [one.removeprefix("the ") for one in question.answer.text.lower().split(", ")]
        for name, spans in zip(named, question.answer.mentions, strict=False):
            assert spans
            last = split(name)[-1]
            for at, first, end in spans:
                assert at < question.after
                assert question.answer.kind == "span"
                assert last in " ".join(story.statements[at].words[first:end]).lower()


def test_all_kinds_of_answers_are_drawn():
    kinds = {question.answer.kind for seed in range(60) for question in draw_log(Random(seed)).questions}
    assert kinds == {"span", "yes", "no", "nothing", "number", "untold"}
    assert sum(len(told) for _, told in told_forms()) > 6000
    assert {"where", "who has", "does work", "when:mended", "else"} <= asked_forms().keys()


@pytest.mark.parametrize("with_days", [True, False])
def test_a_thing_of_a_log_of_movements(with_days: bool):
    kinds = set[str]()
    for seed in range(40):
        story = draw_moved(Random(seed), with_days)
        assert story == draw_moved(Random(seed), with_days)
        for question in story.questions:
            kinds.add(question.answer.kind)
            assert all(number < len(story.statements) for number in question.evidence)
            if question.text.startswith(("When", "On what")):
                assert with_days or question.answer.kind == "untold"
            for at, first, end in question.answer.spans:
                told = split(question.answer.text.removeprefix("the "))
                assert [*story.statements[at].words[first:end]] == told
    assert {"span", "untold", "number"} <= kinds


def test_days_stand_before_the_entries():
    for seed in range(20):
        days = [*islice(stamps(Random(seed)), 5)]
        assert all(any(sign.isdigit() for sign in day) for day in days)
    (template,) = parse(
        "# kind: x\nAnn left\n? Where is Ann? -> not told\n? When did Ann leave? -> not told\n? Who left? -> Ann\n"
    )
    told = stamped(template, Random(1))
    assert told.lines[0].text.endswith(": Ann left")
    assert [line.text for line in told.lines[1:]] == ["Where is Ann?", "Who left?"]

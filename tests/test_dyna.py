"""Dyna-bAbI's regimes: what their stories are, and that their answers follow from them."""

import re
from pathlib import Path
from random import Random

import pytest

from memnet.measure.mixes import labelled, of_tasks
from memnet.reports.of_family import FAMILY_TABLES
from memnet.tasks.families import FAMILIES, dyna, dyna_regimes, find
from memnet.tasks.families.dyna_regimes import PLACES, THINGS, Known, concat, with_more_questions
from memnet.tasks.text import Question, Story
from tests.conftest import memnet, ran

FEW = {"train": 3, "valid": 2}
MIXED = re.compile(r"\b(gave|handed|passed) [A-Z]|(picked|put) the|isn't|there\.$|things")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dyna, "QUESTIONS", {"train": 6, "test": 12})
    monkeypatch.setattr(dyna, "OF_TASK", FEW)
    monkeypatch.setattr(dyna, "FREE", FEW)
    dyna.tests.cache_clear()
    yield
    dyna.tests.cache_clear()


@pytest.mark.parametrize("mix", ["T7", "T12"])
def test_regimes_share_a_test_and_have_stories_of_their_own_to_choose_by(mix: str, few: None):
    mixed, *regimes = find([f"dyna/{mix}", *(f"dyna/{mix}-{regime}" for regime in ("concat", "inject"))])
    for task in regimes:
        assert task.splits == mixed.splits
        assert task.valid
        assert not {story.statements for story in task.valid} & {story.statements for story in task.train}
    concat_questions, inject_questions = (sum(len(story.questions) for story in task.train) for task in regimes)
    assert concat_questions == 3 * len(dyna_regimes.TASKS[mix]) < inject_questions
    for split, stories in mixed.splits.items():
        for story in stories:
            assert not any(MIXED.search(text) for text in (*story.statements, story.questions[0].text)), story
            if split.startswith("where_before"):
                assert story.questions[0].text.split()[3] in THINGS


def test_stories_drawn_freely_have_a_question_after_twenty_statements(few: None):
    (task,) = find(["dyna/T7-diverse"])
    assert {len(story.statements) for story in task.train} == {20}
    assert all(len(story.questions) == 1 for story in task.train)
    assert not any(
        "gave" in text for story in task.train if story.questions[0].kind == "where_before" for text in story.statements
    )


def test_a_look_at_some_stories_draws_no_others(few: None, monkeypatch: pytest.MonkeyPatch):
    names = [f"dyna/{member}" for member in ("T7", "T7-concat", "T12-inject", "T7-diverse")]
    whole = {task.name: task.train for task in find(names)}
    drawn: list[object] = []
    worded = dyna.as_text
    with monkeypatch.context() as patch:
        patch.setattr(dyna, "tests", None)  # a look needs none of them
        patch.setattr(dyna, "as_text", lambda *given: drawn.append(given) or worded(*given))
        assert {task.name: task.train for task in find(names, None, 2)} == {name: told[:2] for name, told in whole.items()}
        drawn.clear()
        assert ran("data", "show", "dyna/T7-diverse", "-n", 2).stdout.count("-- dyna/T7-diverse") == 2
        assert len(drawn) == 2


def test_concat_tells_the_original_tasks_with_the_mixes_people():
    stories = list(concat("T7", 40, 0))
    told = {word for story in stories for text in story.statements for word in re.findall(r"\w+", text)}
    assert {"Julie", "park", "cinema", "school", "Fred"} <= told
    for story in stories:
        for question in story.questions:
            assert question.answer.lower() in dyna_regimes.NAMES


@pytest.mark.parametrize(
    ("told", "where"),
    [
        (("fred moved to the kitchen", "fred put down the milk", "john got the milk"), {"john": "kitchen", "milk": "kitchen"}),
        (("fred took the milk", "fred gave the milk to john", "john went to the park"), {"milk": "park", "fred": ""}),
        (("fred is in the park", "fred is no longer in the park"), {"fred": ""}),
    ],
)
def test_added_questions_are_answered_by_what_can_be_concluded(told: tuple[str, ...], where: dict[str, str]):
    known = Known()
    for statement in told:
        known.told(statement)
    assert {name: known.of(name) for name in where} == where


def test_questions_are_added_where_one_is_asked():
    story = Story(("Fred moved to the park.", "Fred took the milk."), (Question("Where is the milk?", "park", (0, 1), 2),))
    asked = with_more_questions(story, ("where", "where_thing"), Random(0)).questions
    assert [(one.text, one.answer, one.after) for one in asked[1:]] == [
        ("Where is Fred?", "park", 2),
        ("Where is the milk?", "park", 2),
    ]


def test_names_are_known_as_names():
    names = FAMILIES["dyna"].names
    assert names is not None
    assert {"julie", "milk", *PLACES} <= names()


def test_sentences_of_the_original_tasks_have_their_facts():
    one = labelled("After that Mary and John went back to the kitchen.")
    assert one.kinds[0] == "go"
    assert {role: one.words[first:last] for role, (first, last) in one.roles[0].items()} == {
        "who": ("Mary", "and", "John"),
        "to": ("kitchen",),
    }
    asked = labelled("Who did Mary give the milk to?")
    assert (asked.asks, asked.kinds) == (True, ("to whom", "give"))
    kinds = {one.kinds[0] for one in of_tasks("T12", 0)}
    assert {"go", "take", "give", "drop", "where", "where before", "either", "not at", "is in"} <= kinds
    with pytest.raises(ValueError, match="no sentence of the original tasks"):
        labelled("It rained.")


def test_bench_mixes_writes_every_split(few: None, tmp_path: Path):
    done = memnet("bench", "mixes", "--mix", "T7", "--steps", 2, "--write", tmp_path / "mixes.csv")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "mixes.csv").read_text().splitlines()
    assert len(lines) == 1 + len(dyna.SHARES["T7"]) + 1
    assert memnet("bench", "mixes", "--mix", "T9").returncode != 0


def test_the_networks_that_learn_from_answers_are_declared_as_one_table(few: None, tmp_path: Path):
    said = ran("bench", "family", "dyna", "--member", "T7-concat", "--dry-run", "--results", tmp_path / "dyna.csv").stdout
    assert said.startswith("20 runs, 0 of them done already")
    assert list(FAMILY_TABLES["dyna"].rows) == ["MemN2N", "DMN+", "Universal Transformer", "causal reader"]
    assert set(FAMILY_TABLES["clutrr"].members) >= {"06b8f2a1", "523348e6", "d83ecc3e"}  # those with noise

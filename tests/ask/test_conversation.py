"""The conversation in this process and through a pipe."""

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memnet.ask.answer import Answer, in_words
from memnet.ask.example import example_of, verdict
from memnet.ask.predictor import Predictor
from memnet.ask.story_file import MAX_FILE, MAX_LINE
from memnet.prompt.conversation import Conversation
from memnet.prompt.line_editing import completions
from memnet.serve.endpoint import read_story
from memnet.show.terminal import Layout
from memnet.tasks.text import write
from tests.ask.serving import STORY
from tests.conftest import wander


def test_a_question_gets_an_answer_and_the_story_with_bars(talk: Conversation):
    said = talk.respond("Where is Mary?").splitlines()
    assert said[0].startswith("office (")
    assert "then " in said[0]
    assert said[1].split() == ["1", "2", "3", "hop"]
    marked = [line for line in said if line.startswith("*")]
    assert any("3 █" in line and line.endswith("Mary went to the office.") for line in marked)
    assert "\x1b" not in "\n".join(said)
    assert talk.story == STORY


def test_each_answer_of_a_line_stands_below_its_question(talk: Conversation):
    said = talk.respond("Where is Mary and where is John?").splitlines()
    first, second = said.index("Where is Mary?"), said.index("Where is John?")
    assert first == 0
    assert said[first + 1].startswith("office (")
    assert said[second + 1].startswith(talk.predictor.ask(STORY, "Where is John?").text)
    assert not talk.respond("Where is Mary?").startswith("Where"), "one question is not said again"


def test_colours_are_of_lines_that_were_relied_on(talk: Conversation):
    talk.layout = Layout(80, colour=True)
    said = talk.respond("Where is Mary?")
    assert said.startswith("\x1b[1moffice\x1b[0m (")
    assert any(line.startswith("\x1b[32m* 3") and line.endswith("\x1b[0m") for line in said.splitlines())


def test_questions_without_a_mark_and_names_that_look_like_them(talk: Conversation):
    assert talk.respond("where is mary").startswith("office")
    assert talk.respond("where's mary") == talk.respond("where is mary")
    assert talk.respond("Will went to the garden.") == "I do not know the word 'will'."
    assert talk.story[-1] == "Will went to the garden."
    talk.typed = False
    (reply,) = talk.handle_line("where is mary")
    assert reply.to_question
    assert talk.story[-1] == "Will went to the garden."


def test_what_it_does_not_know(talk: Conversation):
    assert talk.respond("Jon went to the gardn.") == "I do not know the words 'jon' (near: john) and 'gardn' (near: garden)."
    assert "'marry' (near: mary" in talk.respond("Where is Marry?")
    assert "I know none of the words" in talk.respond("Quo vadis?")
    said = talk.respond("/load " + __file__)
    assert "more." in said


@pytest.mark.parametrize("network", ["memnet", "memn2n"])  # an open vocabulary, and a closed one
def test_a_question_is_looked_up_once(network: str, monkeypatch: pytest.MonkeyPatch):
    talk = Conversation.with_network(network, STORY)
    looked_up = []
    for name in ("unknown_words", "typing_errors", "errors_after", "read_question"):
        search = getattr(Predictor, name)

        def counted(self: Predictor, *texts: Any, name: str = name, search: Any = search, **options: Any) -> Any:
            looked_up.extend((name, text) for text in texts if isinstance(text, str) and "Where" in text)
            return search(self, *texts, **options)

        monkeypatch.setattr(Predictor, name, counted)
    said = talk.respond("Where is teh kitchn?")
    assert "kitchn" in said
    expected = ["errors_after", "read_question", "unknown_words"]
    assert sorted(name for name, _ in looked_up) == (expected if network == "memnet" else sorted([*expected, "typing_errors"]))


def test_no_evidence_is_said_first(talk: Conversation):
    said = talk.respond("Where is Sandra?").splitlines()
    assert said[0].startswith("I cannot tell (")
    assert not any(line.startswith("My guess") for line in said)  # it is sure that nothing says so
    assert not any(line.startswith("*") for line in said)
    assert "I cannot tell (" in talk.respond("/why")


def test_story_undo_and_reset(talk: Conversation):
    assert talk.respond("/story") == "1 Mary went to the kitchen.\n2 John went to the garden.\n3 Mary went to the office."
    assert talk.respond("/undo") == "Dropped: Mary went to the office."
    assert talk.respond("Where is Mary?").startswith("kitchen")
    assert "forgotten" in talk.respond("/reset")
    assert talk.respond("/story") == "The story is empty."
    assert "The story is empty" in talk.respond("Where is Mary?")
    assert talk.respond("/undo") == "The story before is back, 2 statements."
    assert talk.story == STORY[:2]
    for _ in range(2):
        talk.respond("/undo")
    assert talk.respond("/undo") == "There is nothing to undo: the story is empty."


def test_what_was_replaced_can_be_had_back_until_more_is_told(talk: Conversation):
    talk.respond("/reset")
    talk.respond("Sandra went to the office.")
    assert talk.respond("/undo") == "Dropped: Sandra went to the office."
    assert talk.story == []


def test_load(talk: Conversation, tmp_path: Path):
    file = tmp_path / "my story.txt"
    file.write_text("Mary went to the garden.\nWhere is Mary?\n", encoding="utf-8")
    assert f"1 statement of {file}; 1 question left out." in talk.respond(f"/load {file}").replace("\n", " ")
    assert talk.story == ["Mary went to the garden."]
    file.write_text(write(wander(3, 2)), encoding="utf-8")
    assert "the last of its 2 stories" in talk.respond(f"/load {file}").replace("\n", " ")
    assert tuple(talk.story) == wander(3, 2)[1].statements


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "there is no file"),
        (b"", "has no statements"),
        (b"Where is Mary?\n", "has no statements"),
        (b"x" * (MAX_FILE + 1), "bytes, more than the 1,000,000"),
        (b"x" * (MAX_LINE + 1), "has a line of"),
        (b"Mary\xff went.\n", "is not UTF-8"),
        (b"Mary\0 went.\n", "is no text"),
    ],
)
def test_a_file_that_is_no_story_is_refused(talk: Conversation, content: bytes | None, expected: str, tmp_path: Path):
    talk.layout = Layout(1000)
    if content is not None:
        (tmp_path / "story").write_bytes(content)
    said = talk.respond(f"/load {tmp_path / 'story'}")
    assert expected in said
    assert "\n" not in said
    assert talk.story == STORY


@pytest.mark.parametrize("name", ["/", "/dev/zero", "\0", "x" * 5000, "~nobody/x", "nowhere/\x1b[2J"])
def test_names_that_are_no_files(talk: Conversation, name: str):
    for command in ("load", "save", "model"):
        said = talk.respond(f"/{command} {name}" + ("/" if command == "save" else ""))
        assert said
        assert "\x1b" not in said


def test_a_pipe_is_no_file(talk: Conversation, tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert "is no file" in talk.respond(f"/load {tmp_path / 'pipe'}").replace("\n", " ")


@pytest.mark.parametrize("number", range(1, 21))
def test_an_example_of_every_task(talk: Conversation, number: int):
    example = example_of(f"qa{number}", 3)
    assert example == example_of(f"qa{number}", 3) != example_of(f"qa{number}", 4)
    assert example.answer
    assert read_story(example.story).statements == example.statements
    said = talk.respond(f"/task {number}")
    assert f"\n> {talk.example_question}\n" in said.replace("\n  ", " ") + "\n"
    assert talk.example_question.endswith("?")
    assert 1 <= len(talk.story) <= 120
    assert f"not trained on qa{number}" in said
    assert completions(talk, "") == [(talk.example_question, 0)]
    assert talk.respond("/undo").startswith("The story before is back, 3")


def test_an_example_is_asked_and_judged(talk: Conversation):
    said = talk.respond("/task 1").splitlines()
    assert said[0].endswith(talk.story[0])
    place = said.index(f"> {talk.example_question}")
    assert place == len(talk.story)
    judged = [
        line for line in said[place:] if re.match(r"Right\.|Wrong; the right answer is|Not answered; the right answer is", line)
    ]
    assert len(judged) == 1
    asked = [line for line in talk.respond(talk.example_question).splitlines() if not line.startswith("I do not know")]
    assert said[place + 1 : place + 1 + len(asked)] == asked


@pytest.mark.parametrize(
    ("given", "expected", "said"),
    [
        ("Football", "football", "Right."),
        ("football,milk", "milk,football", "Right."),
        ("football", "milk,football", "Wrong; the right answer is milk and football."),
        ("n,w", "n,w", "Right."),
        ("w,n", "n,w", "Wrong; the right answer is north, then west."),
    ],
)
def test_an_answer_is_right_or_wrong(given: str, expected: str, said: str):
    answer = Answer(given, 0.9, [], [], [], {}, 0)
    assert verdict(answer, expected) == said
    right = in_words(expected)
    assert verdict(None, expected) == f"Not answered; the right answer is {right}."
    assert verdict(replace(answer, unanswerable=1.0), expected) == verdict(None, expected)


def test_examples_differ_and_others_are_refused(talk: Conversation):
    talk.respond("/task 1")
    first = list(talk.story)
    talk.respond("/task qa1")
    assert talk.story != first
    for odd in ("0", "21", "x", "-1", "1.5", "²"):
        assert "they are 1 to 20" in talk.respond(f"/task {odd}")


def test_model_tells_and_changes(talk: Conversation, network: Path, tmp_path: Path):
    talk.layout = Layout(1000)
    assert talk.respond("/model") == (
        f"{network}: memn2n, 3 hops, trained on own/moves (own); 12 words and answers; holds 50 statements; "
        "says when it has no evidence; its percentages are calibrated on the validation questions."
    )
    talk.respond("Where is Mary?")
    shutil.copytree(network, tmp_path / "other")
    assert talk.respond(f"/model {tmp_path / 'other'}").startswith(f"{tmp_path / 'other'}: memn2n")
    assert talk.story == STORY
    assert "ask something first" in talk.respond("/why")
    assert talk.respond("Where is Mary?").startswith("office")
    assert "is no folder" in talk.respond(f"/model {tmp_path / 'third'}")
    assert talk.respond("Where is Mary?").startswith("office")


def test_why(talk: Conversation):
    assert "ask something first" in talk.respond("/why")
    talk.respond("where is Mary")
    said = talk.respond("/why").splitlines()
    assert said[0].startswith("where is Mary? office (")
    assert said[1].split() == ["1", "2", "3", "hop"]
    (best,) = [line for line in said if "Mary went to the office" in line]
    assert best.startswith("* 3 ")
    assert talk.last_answered is not None
    weights = [read.weight for hop in talk.last_answered[1].hops for read in hop if read.number == 3]
    for weight in weights:
        assert f"{round(100 * weight):>3}" in best or weight < 0.005


def test_save(talk: Conversation, tmp_path: Path):
    file = tmp_path / "story.txt"
    assert "3 statements in" in talk.respond(f"/save {file}")
    assert file.read_text() == "".join(one + "\n" for one in STORY)
    assert "is there already" in talk.respond(f"/save {file}").replace("\n", " ")
    assert "There is no folder" in talk.respond(f"/save {tmp_path / 'no' / 'story'}")
    assert "ask something first" in talk.respond(f"/save {tmp_path / 'map.svg'}")
    talk.respond("$Mary \x07 玛丽 went $home$.")
    talk.respond("Where is Mary?")
    for suffix in ("png", "svg", "pdf"):
        assert "The heat map is in" in talk.respond(f"/save {tmp_path / 'map'}.{suffix}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map.pdf", "map.png", "map.svg", "story.txt"]
    os.symlink(tmp_path / "nowhere", tmp_path / "link")
    assert "is there already" in talk.respond(f"/save {tmp_path / 'link'}").replace("\n", " ")
    talk.respond("/reset")
    assert "nothing to save" in talk.respond(f"/save {tmp_path / 'empty'}")


def test_a_forgotten_story_has_no_answer_to_show_again(talk: Conversation):
    talk.respond("Where is Mary?")
    assert "Mary went to the office." in talk.respond("/why")
    talk.respond("/reset")
    assert talk.respond("/why") == "Nothing was answered yet: ask something first."


def test_a_list_of_answers_is_no_spelling():
    assert not any("," in near for near in Predictor.from_name("memn2n").suggest("ann"))

"""``memnet ask`` through a pipe and in one call: what the prompt prints, without colours and as wide as asked."""

import json
from pathlib import Path

import pytest

from memnet.prompt.conversation import Conversation
from memnet.show.terminal import Layout
from tests.ask.serving import STORY, STORY_TEXT
from tests.conftest import memnet, memnet_process, ran


@pytest.mark.parametrize("columns", [None, 40])
def test_a_pipe_prints_what_the_prompt_does(network: Path, talk: Conversation, columns: int | None):
    talk.layout = Layout(columns or 80)
    expected = talk.respond("Where is Mary?") + "\n"
    width = str(columns or "")
    assert memnet("ask", network, stdin=f"{STORY_TEXT}\nWhere is Mary?\n", COLUMNS=width).stdout == expected
    assert memnet("ask", network, "--question", "Where is Mary?", stdin=STORY_TEXT, COLUMNS=width).stdout == expected
    assert expected.splitlines()[0].startswith("office (")
    assert any(line.startswith("* 3 ") for line in expected.splitlines())
    assert " 0%" not in expected


def test_letters_that_the_output_lacks_are_escaped(network: Path):
    story = f"{STORY_TEXT}\nMary met Zoë 玛丽.\nWhere is Mary?\n"
    done = memnet_process("ask", network, stdin=story, PYTHONIOENCODING="iso8859-5")
    assert done.returncode == 1  # so many words that it does not know: it cannot tell
    assert r"Zo\xeb \u739b\u4e3d" in done.stdout
    assert "#####" in done.stdout


@pytest.mark.parametrize(
    "talk",
    [
        "Mary went to the kitchen. Where is Mary?\n",
        "mary went to the kitchen\nwhere is mary\n",
        "MARY WENT TO THE KITCHEN. WHERE IS MARY.\n",
        "Mary went to the kitchen.Where is Mary?",
        "Mary went to the kitchen, where is Mary?\n",
        "hello\nMary went to the kitchen\nhistory\nexit\nWhere's Mary\n",
    ],
)
def test_as_a_new_user_types(network: Path, talk: str):
    done = ran("ask", network, stdin=talk)
    assert done.stdout.startswith("kitchen (")
    told = [line for line in done.stdout.splitlines() if line.startswith("* ")]
    assert [line.split()[1] for line in told] == ["1"]  # the one statement: nothing else was remembered
    assert done.stderr.count("is no sentence") == sum(word in talk for word in ("exit", "history"))
    assert ("Hello." in done.stderr) == ("hello" in talk)


def test_a_question_in_a_statement_belongs_to_it(tmp_path: Path):
    told = 'Mary said "where is my hat?" and left.\nIs it cold? asked Tom.\nEva asked: where is my charger?\nWho left?\n'
    done = ran("ask", "--json", stdin=told)
    (answer,) = map(json.loads, done.stdout.splitlines())
    assert [read["sentence"] for read in sorted(answer["hops"][0], key=lambda read: read["number"])] == told.splitlines()[:3]
    story = tmp_path / "story.txt"
    story.write_text("".join(told.splitlines(True)[:3]), encoding="utf-8")
    assert ran("ask", "--story", story, "--question", "Who left?").stderr == ""


@pytest.mark.parametrize("said", ["Mary is home.", "mary is home", "I took the milk!", 'Mary said "where is it?"'])
def test_a_statement_in_place_of_the_question_is_none(said: str):
    done = memnet("ask", "--question", said, stdin="Mary went home.\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "is a statement, not a question." in done.stderr
    done = memnet("ask", "--json", "--question", said, stdin="Mary went home.\n")
    assert "is a statement, not a question." in json.loads(done.stdout)["error"]


@pytest.mark.parametrize(
    "question", ["where is mary", "wheres mary", "mary is where", "Tell me where Mary is.", "the place of Mary"]
)
def test_a_question_needs_no_question_mark(question: str):
    assert ran("ask", "--question", question, stdin="Mary went home.\n").stdout.startswith("home")


@pytest.mark.parametrize(("line", "code"), [("/quit", 0), ("/exit", 0), ("/clear", 1), ("/foo", 1)])
def test_a_command_in_a_pipe_is_obeyed_or_fails(network: Path, line: str, code: int):
    done = memnet("ask", network, stdin=f"{STORY_TEXT}\nWhere is Mary?\n{line}\nWhere is Mary?\n")
    assert done.returncode == code
    assert done.stdout.count("office (") == 1 + (line == "/foo")
    assert ("there is no command" in done.stderr) == (line == "/foo")


@pytest.mark.parametrize("content", [b"Mary is \0home.\nWhere is Mary?\n", b"Mary is home.\nWhere is\0 Mary?\n"])
def test_a_nul_byte_stands_in_no_text(network: Path, tmp_path: Path, content: bytes):
    (tmp_path / "story").write_bytes(content)
    for done in (
        memnet("ask", network, stdin=content),
        memnet("ask", network, "--story", tmp_path / "story", "--question", "Where is Mary?"),
    ):
        assert (done.returncode, done.stdout) == (1, "")
        assert "is no text: line" in done.stderr
        assert "has a byte 0" in done.stderr


def test_one_call_answers_each_of_its_questions(network: Path):
    said = memnet(
        "ask", network, "--json", "--question", f"{STORY_TEXT} Where is Mary? Mary went to the garden. Where is Mary?"
    )
    assert [json.loads(line)["answer"] for line in said.stdout.splitlines()] == ["office", "garden"]
    said = memnet("ask", network, "--json", "--question", f"Where is Mary? {STORY_TEXT} Where is Mary?")
    assert said.returncode == 1  # the first of them has no answer
    assert ["error" in json.loads(line) for line in said.stdout.splitlines()] == [True, False]


def test_a_pipe_that_asks_nothing_says_so(network: Path):
    done = memnet("ask", network, stdin="Mary went to the kitchen where is mary\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Nothing was asked" in done.stderr
    for nothing in ("", "\n", "/reset\n"):
        done = memnet("ask", network, stdin=nothing)
        assert (done.returncode, done.stdout) == (1, "")
        assert "Nothing was asked" in done.stderr


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_a_refusal_is_no_answer(network: Path, as_json: tuple[str, ...]):
    sure = ("ask", network, "--sure", "1", *as_json)
    asked = f"{STORY_TEXT}\nWhere is Mary?\n"
    for done in (memnet(*sure, stdin=asked), memnet(*sure, "--question", "Where is Mary?", stdin=STORY_TEXT)):
        assert done.returncode == 1
        assert "I am not sure" in done.stdout or '"answerable": false' in done.stdout
    assert ran("ask", network, *as_json, stdin=asked).returncode == 0


def test_statements_before_a_question_in_one_call_are_told(network: Path):
    asked = "John went to the office. Where is John?"
    answer = json.loads(memnet("ask", network, "--json", "--question", asked, stdin=STORY_TEXT).stdout)
    assert answer["answer"] == "office"
    assert {read["number"] for read in answer["hops"][0]} == set(range(1, len(STORY) + 2))


def test_an_error_in_json_is_one_sentence(network: Path):
    done = memnet("ask", network, "--json", stdin="Where is Mary?\n")
    assert done.returncode == 1
    assert set(json.loads(done.stdout)) == {"error"}
    assert "\n" not in json.loads(done.stdout)["error"]


@pytest.mark.parametrize(("said", "reply"), [("hi", "Hello. Tell me a story"), ("thank you", "You are welcome.")])
def test_what_is_said_to_the_program_as_the_question_has_a_reply(said: str, reply: str, tmp_path: Path):
    story = tmp_path / "story.txt"
    story.write_text("Mary went home.\n")
    done = memnet("ask", "--story", story, "--question", said)
    assert done.stderr.startswith(reply)
    assert done.returncode == 1

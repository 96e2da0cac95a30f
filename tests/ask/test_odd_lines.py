"""Lines of a conversation that are long, pasted, numbered or odd."""

import resource
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnet.ask.story_file import MAX_LINE
from memnet.prompt.commands import COMMANDS
from memnet.prompt.conversation import MAX_SENTENCE, Conversation, Quit
from memnet.show.terminal import Layout
from memnet.tasks.text import visible
from tests.ask.serving import STORY
from tests.conftest import memnet


def test_help_quit_and_commands_that_are_none(talk: Conversation):
    said = talk.respond("/help")
    assert all(f"\n/{name}" in said for name in COMMANDS)
    with pytest.raises(Quit):
        talk.respond(" /quit ")
    assert talk.respond("/strory") == "There is no command /strory; did you mean /story?"
    assert talk.respond("/") == "There is no command /; /help lists them."
    assert talk.respond("/story now") == "/story takes nothing after it."
    assert talk.respond("/load") == "/load what? Type /load FILE."
    assert "/quit" in talk.respond("quit")
    for typed, command in (("exit", "quit"), ("quit()", "quit"), ("History", "story"), ("?", "help"), ("help!", "help")):
        assert f"/{command}" in talk.respond(typed)
    for noise in ("????", "...", "- - -"):
        assert talk.respond(noise) == "That has no words."
    assert talk.respond("  ") == ""
    assert talk.respond("thank you") == "You are welcome."
    for greeting in ("hello", "Hi there!", "good morning"):
        assert talk.respond(greeting).startswith("Hello. Tell me a story")
    assert "/undo" in talk.respond("no, that's wrong")
    assert talk.respond("who are you?") == talk.respond("/model")
    assert talk.respond("/history") == talk.respond("/story")
    assert talk.respond("/?") == said
    with pytest.raises(Quit):
        talk.respond("/exit")
    assert talk.story == STORY


def test_lines_that_are_pasted_or_numbered(talk: Conversation):
    said = talk.respond("1 John went to the office.\n2 Mary went to the garden.\nWhere is John?\r\nWhere is Mary?")
    assert said.splitlines()[0].startswith("office")
    assert "\ngarden (" in said
    assert "begins a new story" in talk.respond("1 Mary went to the kitchen.")
    assert talk.story == ["Mary went to the kitchen."]


def test_what_is_too_long_is_left_out(talk: Conversation):
    assert f"more than {MAX_LINE:,}" in talk.respond("x" * (MAX_LINE + 1))
    assert f"more than {MAX_SENTENCE:,}" in talk.respond("x" * (MAX_SENTENCE + 1))
    assert f"more than {MAX_SENTENCE:,}" in talk.respond("x" * (MAX_SENTENCE + 1) + "?")
    assert talk.story == STORY


KNOWN = "mary john went to the kitchen where is ? . / 1 2"


PIECES = [*KNOWN.split(), "\t", "\n", "\r", "\x1b", "\u202e"]


LINES = ["", " ", "?", "/", "//", "/ why", "\x1b[2J", "\ud800?", "玛丽去了厨房。", "Мария пошла.", "1 ", "1 \t", "?" * 300]


REPEATED = st.sampled_from(["x", "ab ", "Mary went. ", "\n", "?", "é", "where "])


ODD = st.one_of(
    st.text(max_size=200),
    st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=0x9F), max_size=60),
    st.sampled_from(LINES),
    st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join),
    st.sampled_from(sorted(COMMANDS.keys() - {"quit", "save", "load", "model", "task"})).map("/{}".format),
    st.integers(-1, 22).map("/task {}".format),
    *(st.text(max_size=30).map(f"/{name} no such/folder/{{}}".format) for name in ("load", "save", "model")),
    st.builds(lambda part, times: (part * times)[: MAX_LINE + 1], REPEATED, st.integers(0, 120_000)),
)


def hold(talk: Conversation, line: str, most: float) -> None:
    """What is said is printable, and soon."""
    start = time.monotonic()
    said = talk.respond(line)
    assert time.monotonic() - start < most
    assert visible(said.replace("\n", "")) == said.replace("\n", "")
    said.encode()


@settings(max_examples=60)
@given(st.lists(ODD, max_size=4), st.integers(1, 120))
def test_odd_input_is_answered_or_refused(parts: tuple, lines: list[str], width: int):
    talk = Conversation(*parts, STORY)
    talk.layout = Layout(width)
    for line in [*lines, "Where is Mary?", "/why", "/story"]:
        hold(talk, line, 20)


@pytest.mark.slow
def test_two_thousand_odd_inputs_in_little_memory(parts: tuple):
    talk = Conversation(*parts)

    @settings(max_examples=2000, database=None)
    @given(ODD, st.integers(1, 200))
    def one(line: str, width: int) -> None:
        talk.layout = Layout(width)
        hold(talk, line, 20)

    one()
    talk.respond("/reset")
    talk.respond("\n".join(f"Mary went to the kitchen{i}." for i in range(3000)))
    hold(talk, "Where is Mary?", 20)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1 << 20  # KiB


@settings(max_examples=20)
@given(st.lists(st.sampled_from(STORY), min_size=1, max_size=30))
def test_a_story_saved_is_the_story_loaded(parts: tuple, tmp_path_factory: pytest.TempPathFactory, story: list[str]):
    file = tmp_path_factory.mktemp("saved") / "story"
    Conversation(*parts, story).respond(f"/save {file}")
    again = Conversation(*parts)
    again.respond(f"/load {file}")
    assert again.story == story


def test_a_network_is_needed_and_a_pipe_has_no_other_commands(network: Path, tmp_path: Path):
    done = memnet("ask", network, stdin=f"/save {tmp_path / 'x'}\nMary went to the kitchen.\nWhere is Mary?\n")
    assert "there is no command /save in a pipe; /reset forgets the story" in done.stderr
    assert done.stdout.startswith("kitchen")
    assert "\x1b" not in done.stdout + done.stderr
    assert not (tmp_path / "x").exists()
    done = memnet("ask", "no/such", stdin="", HF_HUB_OFFLINE="1")
    assert done.returncode == 1
    assert done.stderr.startswith("memnet: no/such is no")

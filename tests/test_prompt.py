"""The prompt: a conversation in this process, through odd input, and in a real terminal (tmux)."""

from __future__ import annotations

import io
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnet.answer import Answer, Read
from memnet.prompt import COMMANDS, FILE, LINE, SENTENCE, Conversation, Quit, opened
from memnet.screen import Look, bar, bars, columns, fold, heat, shortened, told, visible
from memnet.tasks.text import write
from memnet.terminal import completions, history, history_file, look
from tests.conftest import wander
from tests.test_cli import memnet

STORY = ["Mary went to the kitchen.", "John went to the garden.", "Mary went to the office."]


@pytest.fixture(scope="session")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that knows who went where, and when it does not."""
    folder = tmp_path_factory.mktemp("moves")
    (folder / "moves_train.txt").write_text(write(wander(1, 150)), encoding="utf-8")
    (folder / "moves_test.txt").write_text(write(wander(2, 50)), encoding="utf-8")
    done = memnet("train", folder, "--restarts", 2, "--set", "epochs=60", "--set", "absent=0.3", "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture(scope="session")
def parts(network: Path) -> tuple:
    return opened(network)


@pytest.fixture
def talk(parts: tuple) -> Conversation:
    return Conversation(*parts, STORY)


def test_a_question_gets_an_answer_and_the_story_with_bars(talk: Conversation):
    said = talk.hear("Where is Mary?").splitlines()
    assert said[0].startswith("office (")
    assert "then " in said[0]
    assert said[1].split() == ["1", "2", "3", "hop"]
    marked = [line for line in said if line.startswith("*")]
    assert any("3 █" in line and line.endswith("Mary went to the office.") for line in marked)
    assert "\x1b" not in "\n".join(said)
    assert talk.story == STORY


def test_colours_are_of_lines_that_were_relied_on(talk: Conversation):
    talk.look = Look(80, colour=True)
    said = talk.hear("Where is Mary?")
    assert said.startswith("\x1b[1moffice\x1b[0m (")
    assert any(line.startswith("\x1b[32m* 3") and line.endswith("\x1b[0m") for line in said.splitlines())


def test_questions_without_a_mark_and_names_that_look_like_them(talk: Conversation):
    assert talk.hear("where is mary").startswith("office")
    assert talk.hear("Will went to the garden.") == "I do not know the word 'will'."
    assert talk.story[-1] == "Will went to the garden."
    talk.typed = False
    assert [*talk.listen("where is mary")] == []
    assert talk.story[-1] == "where is mary"


def test_what_it_does_not_know(talk: Conversation):
    assert talk.hear("Jon went to the gardn.") == "I do not know the words 'jon' (near: john) and 'gardn' (near: garden)."
    assert "'marry' (near: mary" in talk.hear("Where is Marry?")
    assert "I know none of the words" in talk.hear("Quo vadis?")
    said = talk.hear("/load " + __file__)
    assert "more." in said


def test_no_evidence_is_said_first(talk: Conversation):
    said = talk.hear("Where is Sandra?").splitlines()
    assert said[0].startswith("I have no evidence for that (")
    assert said[1].startswith("If I had to answer: ")
    assert not any(line.startswith("*") for line in said)
    assert "I have no evidence for that." in talk.hear("/why")


def test_story_undo_and_reset(talk: Conversation):
    assert talk.hear("/story") == "1 Mary went to the kitchen.\n2 John went to the garden.\n3 Mary went to the office."
    assert talk.hear("/undo") == "Dropped: Mary went to the office."
    assert talk.hear("Where is Mary?").startswith("kitchen")
    assert "forgotten" in talk.hear("/reset")
    assert talk.hear("/story") == "The story is empty."
    assert "The story is empty" in talk.hear("Where is Mary?")
    assert talk.hear("/undo") == "The story before is back, 2 statements."
    assert talk.story == STORY[:2]
    for _ in range(2):
        talk.hear("/undo")
    assert talk.hear("/undo") == "There is nothing to undo: the story is empty."


def test_what_was_replaced_can_be_had_back_until_more_is_told(talk: Conversation):
    talk.hear("/reset")
    talk.hear("Sandra went to the office.")
    assert talk.hear("/undo") == "Dropped: Sandra went to the office."
    assert talk.story == []


def test_load(talk: Conversation, tmp_path: Path):
    file = tmp_path / "my story.txt"
    file.write_text("Mary went to the garden.\nWhere is Mary?\n", encoding="utf-8")
    assert f"1 statement of {file}; 1 question left out." in talk.hear(f"/load {file}").replace("\n", " ")
    assert talk.story == ["Mary went to the garden."]
    file.write_text(write(wander(3, 2)), encoding="utf-8")
    assert "the last of its 2 stories" in talk.hear(f"/load {file}").replace("\n", " ")
    assert tuple(talk.story) == wander(3, 2)[1].statements


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "There is no file"),
        (b"", "has no statements"),
        (b"Where is Mary?\n", "has no statements"),
        (b"x" * (FILE + 1), "bytes, more than the 1,000,000"),
        (b"x" * (LINE + 1), "has a line of"),
        (b"Mary\xff went.\n", "is not UTF-8"),
        (b"Mary\0 went.\n", "is no text"),
    ],
)
def test_a_file_that_is_no_story_is_refused(talk: Conversation, content: bytes | None, expected: str, tmp_path: Path):
    talk.look = Look(1000)
    if content is not None:
        (tmp_path / "story").write_bytes(content)
    said = talk.hear(f"/load {tmp_path / 'story'}")
    assert expected in said
    assert "\n" not in said
    assert talk.story == STORY


@pytest.mark.parametrize("name", ["/", "/dev/zero", "\0", "x" * 5000, "~nobody/x", "nowhere/\x1b[2J"])
def test_names_that_are_no_files(talk: Conversation, name: str):
    for command in ("load", "save", "model"):
        said = talk.hear(f"/{command} {name}" + ("/" if command == "save" else ""))
        assert said
        assert "\x1b" not in said


def test_a_pipe_is_no_file(talk: Conversation, tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    assert "is no file" in talk.hear(f"/load {tmp_path / 'pipe'}").replace("\n", " ")


@pytest.mark.parametrize("number", range(1, 21))
def test_an_example_of_every_task(talk: Conversation, number: int):
    said = talk.hear(f"/task {number}")
    assert "Try: " in said
    assert talk.example.endswith("?")
    assert 1 <= len(talk.story) <= 120
    assert f"not trained on qa{number}" in said
    assert completions(talk, "") == [(talk.example, 0)]
    assert talk.hear("/undo").startswith("The story before is back, 3")


def test_examples_differ_and_others_are_refused(talk: Conversation):
    talk.hear("/task 1")
    first = list(talk.story)
    talk.hear("/task qa1")
    assert talk.story != first
    for odd in ("0", "21", "x", "-1", "1.5", "²"):
        assert "they are 1 to 20" in talk.hear(f"/task {odd}")


def test_model_tells_and_changes(talk: Conversation, network: Path, tmp_path: Path):
    talk.look = Look(1000)
    assert talk.hear("/model") == (
        f"{network}: memn2n, 3 hops, trained on moves (own); 12 words and answers; remembers 50 statements; "
        "says when it has no evidence."
    )
    talk.hear("Where is Mary?")
    shutil.copytree(network, tmp_path / "other")
    assert talk.hear(f"/model {tmp_path / 'other'}").startswith(f"{tmp_path / 'other'}: memn2n")
    assert talk.story == STORY
    assert "ask something first" in talk.hear("/why")
    assert talk.hear("Where is Mary?").startswith("office")
    assert "is no folder" in talk.hear(f"/model {tmp_path / 'third'}")
    assert talk.hear("Where is Mary?").startswith("office")


def test_why(talk: Conversation):
    assert "ask something first" in talk.hear("/why")
    talk.hear("where is Mary")
    said = talk.hear("/why").splitlines()
    assert said[0].startswith("where is Mary? office (")
    assert said[1].split() == ["1", "2", "3", "hop"]
    (best,) = [line for line in said if "Mary went to the office" in line]
    assert best.startswith("* 3 ")
    assert talk.asked is not None
    weights = [read.weight for hop in talk.asked[1].hops for read in hop if read.number == 3]
    for weight in weights:
        assert f"{round(100 * weight):>3}" in best or weight < 0.005


def test_save(talk: Conversation, tmp_path: Path):
    file = tmp_path / "story.txt"
    assert "3 statements in" in talk.hear(f"/save {file}")
    assert file.read_text() == "".join(one + "\n" for one in STORY)
    assert "is there already" in talk.hear(f"/save {file}").replace("\n", " ")
    assert "There is no folder" in talk.hear(f"/save {tmp_path / 'no' / 'story'}")
    assert "ask something first" in talk.hear(f"/save {tmp_path / 'map.svg'}")
    talk.hear("$Mary \x07 玛丽 went $home$.")
    talk.hear("Where is Mary?")
    for suffix in ("png", "svg", "pdf"):
        assert "The heat map is in" in talk.hear(f"/save {tmp_path / 'map'}.{suffix}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["map.pdf", "map.png", "map.svg", "story.txt"]
    os.symlink(tmp_path / "nowhere", tmp_path / "link")
    assert "is there already" in talk.hear(f"/save {tmp_path / 'link'}").replace("\n", " ")
    talk.hear("/reset")
    assert "nothing to save" in talk.hear(f"/save {tmp_path / 'empty'}")


def test_help_quit_and_commands_that_are_none(talk: Conversation):
    said = talk.hear("/help")
    assert all(f"\n/{name}" in said for name in COMMANDS)
    with pytest.raises(Quit):
        talk.hear(" /quit ")
    assert talk.hear("/strory") == "There is no command /strory; did you mean /story?"
    assert talk.hear("/") == "There is no command /; /help lists them."
    assert talk.hear("/story now") == "/story takes nothing after it."
    assert talk.hear("/load") == "/load what? Type /load FILE."
    assert talk.hear("quit") == "To quit, type /quit."
    assert talk.story == STORY


def test_lines_that_are_pasted_or_numbered(talk: Conversation):
    said = talk.hear("1 John went to the office.\n2 Mary went to the garden.\nWhere is John?\r\nWhere is Mary?")
    assert said.splitlines()[0].startswith("office")
    assert "\ngarden (" in said
    assert "begins a new story" in talk.hear("1 Mary went to the kitchen.")
    assert talk.story == ["Mary went to the kitchen."]


def test_what_is_too_long_is_left_out(talk: Conversation):
    assert f"more than {LINE:,}" in talk.hear("x" * (LINE + 1))
    assert f"more than {SENTENCE:,}" in talk.hear("x" * (SENTENCE + 1))
    assert f"more than {SENTENCE:,}" in talk.hear("x" * (SENTENCE + 1) + "?")
    assert talk.story == STORY


def answered(weights: list[list[float]], sentence: str = "Mary went to the kitchen.", **more: object) -> Answer:
    """An answer whose hops read so much of each statement."""
    hops = [
        sorted((Read(i + 1, sentence, weight) for i, weight in enumerate(hop)), key=lambda read: -read.weight)
        for hop in weights
    ]
    return Answer("kitchen", 0.9, [("garden", 0.09), ("office", 0.001)], hops, [0.0] * len(hops), {}, 0, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [20, 40, 200])
@pytest.mark.parametrize("hops", [1, 3, 7, 64])
@pytest.mark.parametrize("blocks", [True, False])
def test_no_line_is_wider_than_the_terminal(width: int, hops: int, blocks: bool):
    answer = answered(
        [[0.9 if i == h % 30 else 0.1 / 29 for i in range(30)] for h in range(hops)], "Mary 玛丽 went to the kitchen."
    )
    shown = Look(width, blocks=blocks)
    for text in (told(answer, shown), heat(answer, "Where is Mary?", shown)):
        assert max(map(columns, text.splitlines())) <= width
        assert blocks or text.replace("玛丽", "").isascii()
        assert any(line.startswith("*") for line in text.splitlines())
    assert 12 <= len(bars(answer, shown).splitlines()) <= 16


def test_bars_say_how_much_was_read():
    shown = Look(80)
    assert [bar(weight, 1, shown) for weight in (0, 0.001, 0.01, 0.5, 1.0)] == [" ", " ", "▁", "▄", "█"]
    assert [bar(weight, 2, shown) for weight in (0.0, 0.01, 0.5, 1.0, -1.0, 3.0)] == ["  ", "▏ ", "█ ", "██", "██", "██"]
    assert bar(0.5, 4, Look(80, blocks=False)) == "##  "
    assert bar(float("nan"), 2, shown) == "  "


def test_a_long_story_shows_what_was_read_most_in_order():
    weights = [0.001] * 100
    weights[3], weights[70], weights[99] = 0.5, 0.3, 0.1
    lines = bars(answered([weights]), Look(80)).splitlines()
    numbers = [int(line.lstrip("* ").split()[0]) for line in lines[1:-1]]
    assert len(numbers) == 12
    assert numbers == sorted(numbers)
    assert {4, 71, 100} <= set(numbers)
    assert lines[-1].strip() == "(88 other statements were read less)"


@given(st.text(), st.integers(1, 100))
def test_text_is_cut_and_folded_to_a_width(text: str, width: int):
    shown = visible(text)
    assert all(one.isprintable() or not one.isascii() for one in shown)
    assert columns(shortened(shown, Look(width), width)) <= width
    lines = fold(shown, width, "  ").split("\n")
    assert max(map(columns, lines)) <= max(width, 2)
    assert "".join(lines).replace(" ", "") == shown.replace(" ", "")


ODD = st.one_of(
    st.text(max_size=200),
    st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=0x9F), max_size=60),
    st.sampled_from(
        [
            "",
            " ",
            "?",
            "/",
            "//",
            "/ why",
            "\x1b[2J",
            "\ud800?",
            "玛丽去了厨房。",
            "Мария пошла в сад.",
            "1 ",
            "1 \t",
            "?" * 300,
        ]
    ),
    st.lists(
        st.sampled_from(
            [
                "mary",
                "john",
                "went",
                "to",
                "the",
                "kitchen",
                "where",
                "is",
                "?",
                ".",
                "/",
                "1",
                "2",
                "\t",
                "\n",
                "\r",
                "\x1b",
                "\u202e",
            ]
        ),
        max_size=40,
    ).map(" ".join),
    st.sampled_from(sorted(COMMANDS.keys() - {"quit", "save", "load", "model", "task"})).map("/{}".format),
    st.integers(-1, 22).map("/task {}".format),
    st.text(max_size=30).map("/load no such folder/{}".format),
    st.text(max_size=30).map("/save no such folder/x{}".format),
    st.text(max_size=30).map("/model no such/folder/{}".format),
    st.tuples(st.sampled_from(["x", "ab ", "Mary went. ", "\n", "?", "é", "where "]), st.integers(0, 120_000)).map(
        lambda part: (part[0] * part[1])[: LINE + 1]
    ),
)


def hold(talk: Conversation, line: str, most: float) -> None:
    """What is said is printable, and soon."""
    start = time.monotonic()
    said = talk.hear(line)
    assert time.monotonic() - start < most
    assert visible(said.replace("\n", "")) == said.replace("\n", "")
    said.encode()


@settings(max_examples=60)
@given(st.lists(ODD, max_size=4), st.integers(1, 120))
def test_odd_input_is_answered_or_refused(parts: tuple, lines: list[str], width: int):
    talk = Conversation(*parts, STORY)
    talk.look = Look(width)
    for line in [*lines, "Where is Mary?", "/why", "/story"]:
        hold(talk, line, 20)


@pytest.mark.slow
def test_two_thousand_odd_inputs_in_little_memory(parts: tuple):
    talk = Conversation(*parts)

    @settings(max_examples=2000, database=None)
    @given(ODD, st.integers(1, 200))
    def one(line: str, width: int) -> None:
        talk.look = Look(width)
        hold(talk, line, 20)

    one()
    talk.hear("/reset")
    talk.hear("\n".join(f"Mary went to the kitchen{i}." for i in range(3000)))
    hold(talk, "Where is Mary?", 20)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1 << 20  # KiB


@settings(max_examples=20)
@given(st.lists(st.sampled_from(STORY), min_size=1, max_size=30))
def test_a_story_saved_is_the_story_loaded(parts: tuple, tmp_path_factory: pytest.TempPathFactory, story: list[str]):
    file = tmp_path_factory.mktemp("saved") / "story"
    Conversation(*parts, story).hear(f"/save {file}")
    again = Conversation(*parts)
    again.hear(f"/load {file}")
    assert again.story == story


def test_completions(talk: Conversation):
    assert completions(talk, "/st") == [("/story", 3)]
    assert completions(talk, "/lo") == [("/load ", 3)]
    assert [text for text, _ in completions(talk, "/task 1")] == ["1", *map(str, range(10, 20))]
    assert completions(talk, "Mary went to the kit") == [("kitchen", 3)]
    assert completions(talk, "Mar") == [("Mary", 3)]
    assert completions(talk, "Mary ") == []
    assert completions(talk, "") == []
    assert completions(talk, "\x1b") == []


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colours_and_blocks_are_for_terminals_that_have_them():
    xterm = {"TERM": "xterm-256color"}
    assert look(Terminal(), xterm).colour
    assert not look(io.StringIO(), xterm).colour
    assert not look(Terminal(), xterm | {"NO_COLOR": "1"}).colour
    assert not look(Terminal(), {"TERM": "dumb"}).colour
    assert not look(Terminal(), {}).colour
    plain = Terminal()
    plain.encoding = "ascii"
    assert not look(plain, xterm).blocks


def test_history_is_kept_and_never_in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_file() == tmp_path / "memnet" / "history"
    kept = history(history_file())
    kept.store_string("Where is Mary?")
    assert list(history(history_file()).load_history_strings()) == ["Where is Mary?"]
    assert history_file().stat().st_mode & 0o077 == 0
    for number in range(2500):
        kept.store_string(str(number))
    assert list(history(history_file()).load_history_strings()) == [str(number) for number in range(2499, 1499, -1)]
    (tmp_path / "file").write_text("")
    nowhere = history(tmp_path / "file" / "history")
    nowhere.store_string("x")
    assert list(nowhere.load_history_strings()) == []


def test_a_network_is_needed_and_a_pipe_has_no_other_commands(network: Path, tmp_path: Path):
    done = memnet("ask", network, stdin=f"/save {tmp_path / 'x'}\nMary went to the kitchen.\nWhere is Mary?\n")
    assert "no such command in a pipe" in done.stderr
    assert done.stdout.startswith("kitchen")
    assert "\x1b" not in done.stdout + done.stderr
    assert not (tmp_path / "x").exists()
    done = memnet("ask", "no/such", stdin="", HF_HUB_OFFLINE="1")
    assert done.returncode == 1
    assert done.stderr.startswith("memnet: no/such is no")


TMUX = shutil.which("tmux")


@pytest.fixture
def screen(network: Path, tmp_path: Path) -> Iterator[Callable[..., object]]:
    """A terminal of a size in which ``memnet ask`` runs: types keys and waits until the screen shows a text."""
    if TMUX is None:
        pytest.skip("tmux is not installed")
    own = [TMUX, "-L", f"memnet-{os.getpid()}-{time.monotonic_ns()}", "-f", os.devnull]  # a server of its own

    def start(width: int, height: int, **environment: str) -> tuple[Callable[..., None], Callable[[str], str]]:
        environment = {"XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", **environment}
        sets = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
        command = f"cd {shlex.quote(str(tmp_path))}; ln -sfn {shlex.quote(str(network))} net; "
        command += f"{sets} {shlex.quote(sys.executable)} -m memnet ask net; echo left with $?; sleep 600"
        subprocess.run(
            [*own, "-u", "new-session", "-d", "-x", str(width), "-y", str(height), command],
            check=True,
            env={**os.environ, "PYTHONPATH": os.getcwd()},
        )

        def keys(*names: str, text: str = "") -> None:
            ready()
            if text:
                subprocess.run([*own, "send-keys", "-l", text], check=True)
            if names:
                subprocess.run([*own, "send-keys", *names], check=True)

        def ready() -> None:
            """Wait for the prompt: what is typed before it is echoed elsewhere."""
            until = time.monotonic() + 60
            while time.monotonic() < until:
                got = subprocess.run([*own, "capture-pane", "-p"], capture_output=True, text=True).stdout
                if got.rstrip().splitlines()[-1:] and got.rstrip().splitlines()[-1].startswith(">"):
                    time.sleep(0.1)
                    return
                time.sleep(0.05)
            raise AssertionError(f"there is no prompt:\n{got}")

        def shows(text: str) -> str:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                got = subprocess.run([*own, "capture-pane", "-p", "-e"], capture_output=True, text=True).stdout
                if text in got:
                    return got
                time.sleep(0.1)
            raise AssertionError(f"{text!r} is not on the screen:\n{got}")

        return keys, shows

    yield start
    subprocess.run([*own, "kill-server"], capture_output=True)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(60, 24), (30, 20)])
@pytest.mark.parametrize("environment", [{"TERM": "screen-256color"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_in_a_real_terminal(screen: Callable[..., tuple], width: int, height: int, environment: dict[str, str]):
    keys, shows = screen(width, height, **environment)
    edited = environment.get("TERM") != "dumb"
    shows("Ctrl-D")
    for line in STORY:
        keys("Enter", text=line)
    shows("> Mary went to the office.")
    if edited:
        keys("Tab", text="/st")
        shows("> /story")
        keys("C-c")
        keys("Tab", text="Mary went to the kit")
        shows("> Mary went to the kitchen")
        keys("C-c")
    keys("Enter", text="where is Mary")
    got = shows("%;")
    assert "office" in got.partition("where is Mary")[2]
    assert "█" in got
    assert ("\x1b[32m" in got) == ("TERM" in environment and edited)
    keys("Enter", text="/why")
    got = shows("where is Mary? office")
    assert "███" in got.replace(" ", "")
    assert "Traceback" not in got
    keys("C-c", text="half a line" if edited else "")
    keys("C-c")
    shows("Ctrl-D or /quit leaves.")
    if edited:
        keys("Up", "Up")
        shows("> where is Mary")
        keys("C-c")
    keys("C-d")
    shows("left with 0")


@pytest.mark.slow
def test_a_terminal_that_is_quit_and_asked_again(screen: Callable[..., tuple], tmp_path: Path):
    keys, shows = screen(60, 24)
    shows("Ctrl-D")
    keys("Enter", text="/task 1")
    shows("Try: ")
    keys("Tab")
    keys("Enter")
    shows("not know the words")
    keys("Enter", text="/save story.txt")
    shows("in story.txt.")
    keys("Enter", text="/qiut")
    shows("did you mean /quit?")
    keys("Enter", text="/quit")
    shows("left with 0")
    assert (tmp_path / "story.txt").is_file()
    assert "/qiut" in (tmp_path / "state" / "memnet" / "history").read_text()

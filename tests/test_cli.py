"""Whole commands, run as a person would."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import memnet, memnet_process, ran, read_json, refused, tell, wander

QUICK = ["--restarts", 3, "--set", "epochs=30", "--set", "linear_start=5"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A network trained by the command on a task of our own, and the task's folder."""
    folder = tell(tmp_path_factory.mktemp("own"), wander(1, 150), wander(2, 50))
    said = ran("train", folder, *QUICK, "--out", folder / "run").stdout
    assert "own/moves: error % train" in said
    assert "test over all 3" in said
    return folder / "run", folder


IMPORTING = """
import contextlib, io, sys
from memnet.cli import main
for words in sys.argv[1].split(", "):
    sys.argv[1:] = words.split()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            main()
    except SystemExit as end:
        assert not end.code, words
    print(words, *sys.modules, sep=",")
"""


def imported_by(*commands: str) -> dict[str, set[str]]:
    """The modules that each of some commands, one after another in a process, has imported or found imported; all end well."""
    command = [sys.executable, "-c", IMPORTING, ", ".join(commands)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]
    found = {words: set(modules) for words, *modules in (line.split(",") for line in done.stdout.splitlines())}
    assert list(found) == list(commands)
    assert all("memnet.cli" in modules for modules in found.values())
    return found


def test_what_needs_no_network_does_not_import_torch():
    helped = ("train --help", "sweep --help", "table --help")
    listed = ("table", "table memn2n-1k", "presets", "settings", "settings dmn", "settings dmn-plus")
    for words, imported in imported_by(*helped, *listed).items():
        assert not imported & {"torch", "scipy", "sklearn", "joblib"}, words


def test_help_imports_nothing_that_is_slow():
    for words, imported in imported_by("--help", "bench --help", "serve --help").items():
        assert not imported & {"torch", "numpy", "huggingface_hub", "joblib", "prompt_toolkit"}, words
        assert not imported & {"memnet.prompt.conversation", "memnet.serve.web"}, words
        assert not imported & {"gradio", "fastapi", "starlette", "uvicorn"}, words


def test_eval(trained: tuple[Path, Path]):
    run, folder = trained
    report = json.loads(memnet("eval", run, folder, "--json").stdout)
    assert set(report) == {"tasks", "mean_error", "failed", "made"}
    assert set(report["tasks"]["own/moves"]) == {
        "test_error",
        "questions",
        *(f"fact_{part}" for part in ("precision", "recall", "exact", "hops")),
    }
    assert report["made"] == "own"
    assert report["tasks"]["own/moves"]["questions"] == 150
    saved = read_json(run / "run.json")
    chosen = saved["replicas"][saved["chosen"]]["tasks"]["own/moves"]
    assert report["mean_error"] == pytest.approx(chosen["test_error"], abs=1e-3)
    assert report["tasks"]["own/moves"]["fact_recall"] >= 0.9
    said = memnet("eval", run, folder).stdout.splitlines()[-1]
    failed = "failed (> 5 %)" if report["mean_error"] > 5 else "not failed (<= 5 %)"
    assert said.startswith(f"error {report['mean_error']:.2f} %, {failed}, ")
    assert "name their folder" in refused("eval", run)


def test_ask_from_a_file(trained: tuple[Path, Path], tmp_path: Path):
    run, _ = trained
    story = tmp_path / "story.txt"
    story.write_text("Mary went to the kitchen.\nJohn went to the garden.\nMary went to the office.\n")
    answer = json.loads(memnet("ask", run, "--story", story, "--question", "Where is Mary?", "--json").stdout)
    assert answer["answer"] == "office"
    assert 0.5 < answer["probability"] <= 1
    assert len(answer["hops"]) == 3
    assert answer["hops"][0][0]["sentence"] == "Mary went to the office."
    assert answer["hops"][0][0]["number"] == 3
    total = sum(read["weight"] for read in answer["hops"][0]) + answer["null_weights"][0]
    assert total == pytest.approx(1, abs=1e-4)
    assert answer["runners_up"][0][1] <= answer["probability"]
    assert answer["unknown_words"] == {}


def test_ask_through_a_pipe(trained: tuple[Path, Path]):
    run, _ = trained
    talk = "Mary went to the kitchen.\nJohn went to the gardn.\nWhere is Mary?\n/reset\nWhere is Mary?\n\n"
    talk += "John went to the garden.\nWhere is John?\n"
    done = memnet("ask", run, stdin=talk)
    assert done.returncode == 1  # the question after /reset has no answer
    assert done.stdout.startswith("kitchen")
    assert "* 1 █" in done.stdout
    assert "'gardn' (near: garden" in done.stdout
    assert "The story is empty" in done.stderr
    assert "\ngarden" in done.stdout


def test_a_line_of_a_pipe_is_read_from_left_to_right(trained: tuple[Path, Path]):
    """A question is asked of what stands before it, with or without its mark; of several each stands above its answer."""
    done = memnet("ask", trained[0], stdin="Mary went to the kitchen. Where is Mary? Mary went to the garden. where is mary\n")
    assert (done.returncode, done.stderr) == (0, "")
    first = [line.split()[0] for line in done.stdout.splitlines() if line[0] not in " *"]
    assert first == [
        "Where",
        "kitchen",
        "where",
        "garden",
    ]


@pytest.mark.parametrize(
    ("story", "question", "expected"),
    [
        ("", "Where is Mary?", "The story is empty"),
        ("?!\n", "Where is Mary?", "The story is empty"),
        ("Mary went to the kitchen.\n", "?", "it has no words"),
        ("Mary went to the kitchen.\n", "Quo vadis?", "none of the words"),
    ],
)
def test_a_question_without_an_answer_gets_a_reason(trained: tuple[Path, Path], story: str, question: str, expected: str):
    assert expected in refused("ask", trained[0], "--question", question, stdin=story)


def test_a_long_story_is_remembered_as_far_as_the_memory_reaches(trained: tuple[Path, Path]):
    story = "Mary went to the kitchen.\n" * 10 + "John went to the garden.\n" * 50
    answer = json.loads(memnet("ask", trained[0], "--question", "Where is John?", "--json", stdin=story).stdout)
    assert (answer["answer"], answer["truncated"]) == ("garden", 10)
    assert min(read["number"] for read in answer["hops"][0]) == 11


BABI = "1 Mary went to the kitchen.\n2 John went to the garden.\n3 Where is Mary? \tgarden\t1\n1 John went to the office.\n"


def test_lines_of_the_text_format_lose_numbers_and_answers(trained: tuple[Path, Path], tmp_path: Path):
    done = memnet("ask", trained[0], "--json", stdin=BABI)
    answer = json.loads(done.stdout)
    assert (answer["answer"], answer["unknown_words"]) == ("kitchen", {})
    two = json.loads(memnet("ask", trained[0], "--json", stdin=BABI + "2 Where is John?\toffice\t1\n").stdout.splitlines()[-1])
    assert [read["sentence"] for read in two["hops"][0]] == ["John went to the office."]  # number 1 begins a new story
    assert {read["sentence"] for read in answer["hops"][0]} == {"Mary went to the kitchen.", "John went to the garden."}
    (tmp_path / "story.txt").write_text(BABI)
    done = memnet("ask", trained[0], "--story", tmp_path / "story.txt", "--question", "Where is John?", "--json")
    assert "left out: 1 question among the statements" in done.stderr
    assert json.loads(done.stdout)["answer"] == "office"


def test_bytes_that_are_no_text_lose_one_line(trained: tuple[Path, Path]):
    talk = b"Mary went to the kitchen.\nJ\xffhn went home.\nWhere is Mary?\n"
    for extra in ([], ["--question", "Where is Mary?"]):
        done = ran("ask", trained[0], *extra, stdin=talk)
        assert done.stdout.startswith("kitchen")
        assert "memnet: line 2 of what is piped in is left out, it is not UTF-8 text: b'J" in done.stderr
        assert "more line" not in done.stderr
    many = ran("ask", trained[0], stdin=talk + b"Sandr\xe9 left.\n" * 9 + b"Where is Mary?\n").stderr
    assert many.count("UTF-8") == 1
    assert "memnet: 9 more lines of what is piped in are left out\n" in many


def test_bytes_of_no_text_are_refused(trained: tuple[Path, Path], tmp_path: Path):
    content = b"Mary went to the kitchen.\n" + random.Random(1).randbytes(20_000)
    (tmp_path / "bin.dat").write_bytes(content)
    for command, name in (((), "what is piped in"), (("--story", tmp_path / "bin.dat"), f"{tmp_path / 'bin.dat'}")):
        said = refused("ask", trained[0], *command, "--question", "Where is Mary?", stdin=content)
        assert said.startswith(f"memnet: {name} is no text: line 2 has a byte ")
        assert said.count("\n") == 1
    assert "is no text: line 2 has" in refused("ask", trained[0], stdin=content)


def test_text_is_utf8_whatever_the_locale_says():
    """Under a locale that knows ASCII alone, without Python's UTF-8 mode, which would look after it."""
    ascii_alone = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = memnet_process("ask", "--json", "--question", "märy went to the garden. Where is märy?", **ascii_alone)
    answer = json.loads(done.stdout)
    assert (answer["answer"], answer["unknown_words"]) == ("garden", {})
    assert {read["sentence"] for read in answer["hops"][0]} == {"märy went to the garden."}
    for command in (["ask"], ["faq", "pairs.csv"]):
        done = memnet(*command, "--question", "Where is m\udce4ry?")  # how Python hands on a byte 0xe4
        assert done.returncode == 2
        assert "this is not UTF-8 text" in done.stderr


def test_odd_input_is_answered_or_refused(trained: tuple[Path, Path]):
    odd = "\x1b\x07\n" + "Мария пошла. 玛丽?\n" + "x" * 20000 + "\n" + "?" * 50 + "\nWhere is Mary?\n"
    done = memnet("ask", trained[0], stdin=odd)
    assert done.returncode == 1  # not every question is answered
    assert "none of the words" in done.stderr


def test_a_run_folder_is_never_overwritten_silently(trained: tuple[Path, Path], tmp_path: Path):
    run, folder = trained
    before = (run / "model.safetensors").read_bytes()
    options = [*QUICK, "--out", run]
    assert "holds a run already" in refused("train", folder, *options)
    assert "holds another run" in refused("train", folder, "--seed", 5, *options, "--resume")
    assert "finished already" in memnet("train", folder, *options, "--resume").stdout
    assert (run / "model.safetensors").read_bytes() == before
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("x")
    (tmp_path / "notes" / ".mine.tmp").write_text("x")
    assert "holds other files" in refused("train", folder, "--out", tmp_path / "notes")
    assert sorted(path.name for path in (tmp_path / "notes").iterdir()) == [".mine.tmp", "mine.txt"]
    assert "nothing to resume" in refused("train", folder, "--out", tmp_path / "new", "--resume")


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_broken_network_is_refused_in_one_sentence(trained: tuple[Path, Path], name: str, tmp_path: Path):
    """What may be wrong with it: tests/test_loader.py."""
    shutil.copytree(trained[0], tmp_path / "net")
    (tmp_path / "net" / name).write_text("{")
    said = refused("ask", tmp_path / "net", "--question", "Mary went home. Where is Mary?")
    assert said.startswith("memnet: ")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nowhere"], "no data set is called 'nowhere'"),
        (["qa1", "--data", "/nonexistent"], "memnet data fetch"),
        (["babi/qa1"], "memnet data fetch"),
        (["babi-2k/qa1"], "no data set is called 'babi-2k/qa1'"),
        (["sim/qa21"], "sim has no 'qa21': expected qa1 to qa20"),
        (["qa1", "--model", "gpt"], "--model must be memn2n"),
        (["qa1", "--preset", "best"], "there is no preset 'best'; 'memnet presets' lists them, and one of a plugin needs"),
        (["qa1", "--set", "hops=none"], "hops must be a whole number"),
        (["qa1", "--set", "hop=3"], "there is no setting 'hop'; did you mean 'hops'? 'memnet settings MODEL' lists them"),
        (["qa1", "--set", "banana=3"], "there is no setting 'banana'; 'memnet settings MODEL' lists them"),
        (["qa1", "--set", "learning_rate=1"], "there is no setting 'learning_rate'; did you mean 'lr'?"),
        (["qa1", "--set", "dim=20", "--set", "dim=50"], "dim is given twice; give one value, or both to memnet sweep, which"),
        (["qa1", "--device", "tpu"], "device must be auto, cpu, cuda or mps"),
        (["qa1", "--restarts", "0"], "restarts"),
        (["qa1", "--set", f"epochs={10**30}"], "epochs must be 0 to 1000000"),
    ],
)
def test_bad_options_are_one_sentence(arguments: list[str], expected: str, tmp_path: Path):
    done = memnet("train", *arguments, "--out", tmp_path / "run", MEMNET_DATA="")
    assert done.returncode in (1, 2)
    assert expected in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_malformed_task_is_one_sentence(tmp_path: Path):
    (tmp_path / "train.txt").write_text("1 Mary went home.\n2 Where is Mary?\n")
    (tmp_path / "test.txt").write_text("1 Mary went home.\n2 Where is Mary?\thome\t1\n")
    why = "a question needs a tab, its answer, a tab and the numbers of its supporting lines"
    assert refused("train", tmp_path) == f"memnet: {tmp_path}/train.txt:2: {why}\n"


def test_words_that_training_lacks_are_reported(own_folder: Path, tmp_path: Path):
    test = own_folder / "moves_test.txt"
    test.write_text(test.read_text().replace("kitchen", "cellar"))
    done = memnet("train", own_folder, "--restarts", 1, "--set", "epochs=1", "--out", tmp_path / "run")
    assert "answer training never had (counted as errors)" in done.stdout

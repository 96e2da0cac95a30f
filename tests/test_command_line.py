"""Help, completion, settings, configuration files and presets: what is around training and asking."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import memnet as package
from memnet.api import choose_config
from memnet.cli import ENTRIES, app
from memnet.config import taken
from memnet.config.settings import written
from memnet.errors import ConfigError, hint
from memnet.models import MODELS
from memnet.papers import PRESETS
from memnet.reports.presets import preset_lines
from memnet.training.settings_file import read_settings
from tests.conftest import memnet, ran, read_json, read_lines, refused

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "results" / "runs.csv", ROOT / "results" / "published.csv"
SLOW_TO_IMPORT = {
    *("huggingface_hub", "httpx", "datasets", "pyarrow", "sklearn", "scipy", "joblib", "matplotlib", "gradio", "fastapi"),
    *("prompt_toolkit", "tensorboard", "distributed", "ray", "IPython", "pandas"),
}

OF_OTHERS = {"torch", "statistics", *(f"memnet.{name}" for name in ("tasks.families", "tasks.simulator", "facts.reader"))}

# Start


def imported_by(*arguments: str) -> set[str]:
    """The modules that a command imports."""
    code = f"import sys; from memnet.cli import app; app({list(arguments)}, standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def test_a_question_is_answered_without_the_packages_of_other_commands():
    """What is imported decides how long a single question takes."""
    found = imported_by("ask", "--question", "Mary went to the kitchen. Where is Mary?")
    assert {"numpy", "memnet.ask.predictor"} <= found
    assert sorted(found & (SLOW_TO_IMPORT | OF_OTHERS)) == []
    assert {name for name in found if name.startswith("memnet.cli.")} == {"memnet.cli.ask", "memnet.cli.common"}


# Help


def test_every_command_has_help_and_stands_in_a_group():
    text = memnet("--help").stdout
    headings = list(dict.fromkeys(entry.panel for entry in ENTRIES.values()))
    places = [text.index(f"─ {heading} ") for heading in headings]
    assert places == sorted(places)
    for name, entry in ENTRIES.items():
        told = re.search(rf"^│ {name} +(\S.*)│$", text, re.MULTILINE)
        assert told, name
        assert text.index(f"─ {entry.panel} ") < told.start()
        done = memnet(name, "--help")
        assert (done.returncode, "Usage:" in done.stdout) == (0, True)


def test_a_command_that_there_is_not_has_a_neighbour():
    assert "No such command 'trian'. Did you mean 'train'?" in refused("trian")


def test_the_options_of_train_are_grouped():
    text = memnet("train", "--help").stdout
    groups = {}
    for line in text.splitlines():
        if heading := re.match(r"╭─ (.*?) ─+╮", line):
            options = groups.setdefault(heading[1], [])
        elif option := re.match(r"│ \*? *(--[a-z-]+)", line):
            options.append(option[1])
    assert groups["The network"] == ["--model", "--preset", "--joint", "--config", "--set"]
    assert groups["Stories"] == ["--data"]
    assert groups["The run"] == ["--out", "--resume", "--device", "--watch", "--watch-port"]
    assert groups["Options"] == ["--help"]


@pytest.fixture
def completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a shell is told that asks for completion, in its environment."""

    def complete(how: str, words: str = "") -> str:
        asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
        asked |= {"_MEMNET_COMPLETE": how, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
        for name, value in asked.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            app(prog_name="memnet")
        assert ended.value.code in (0, None)
        return capsys.readouterr().out

    return complete


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_of_completion_can_be_had(shell: str, completed: Callable[..., str]):
    assert "_MEMNET_COMPLETE=complete_" in completed(f"source_{shell}")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", {"ask", "train", "table", "settings"}),
        ("pre", {"presets"}),
        ("ask --q", {"--question"}),
        ("plot t", {"tensorboard"}),
    ],
)
def test_completion_names_commands_and_their_options(words: str, found: set[str], completed: Callable[..., str]):
    told = set(completed("complete_bash", f"memnet {words}").split())
    assert found <= told
    assert words != "pre" or told == found


# Settings


@pytest.mark.parametrize("model", MODELS)
def test_settings_are_listed_with_value_and_meaning(model: str):
    """Of a model, or of the preset of its name."""
    text = memnet("settings", model, COLUMNS="500").stdout
    config = PRESETS.get(model, MODELS[model].Config())
    for setting in taken(MODELS[model].Config):
        value = written(getattr(config, setting.name))
        [line] = [line for line in text.splitlines() if line.startswith(f"  {setting.name}={value} ")]
        assert line.endswith(f"  {setting.help}")


def test_a_preset_has_values_of_its_own():
    assert "  noise=0.1 " in memnet("settings", "pe-ls-rn").stdout
    assert "  noise=0 " in memnet("settings", "memn2n").stdout
    assert "there is no model and no preset 'pe-ls-rm'; did you mean 'pe-ls-rn' or 'pe-ls'?" in refused("settings", "pe-ls-rm")
    assert set(MODELS) <= set(memnet("settings").stdout.split())


def test_settings_fold_at_the_width_of_the_terminal():
    lines = memnet("settings", "transformer", COLUMNS="60").stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert [line for line in lines if line and not line.startswith(" ")] == ["Network", "Attention", "Training"]


def test_the_nearest_name_or_what_else_helps():
    assert hint("hop", ["hops", "dim"], "there are two") == "did you mean 'hops'?"
    assert hint("zzz", ["hops", "dim"], "there are two") == "there are two"


@pytest.mark.parametrize(
    "command",
    [
        ("ask", "--question", "Where is Mary?", "--story"),
        ("layers", "--question", "Where is Mary?", "--story"),
        ("remember",),
        ("faq", "--question", "Where is Mary?"),
        ("chat", "none", "--rows"),
    ],
    ids=lambda command: command[0],
)
def test_a_file_that_is_not_there_is_said_in_the_same_words(command: tuple[str, ...], tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(*command, "none.txt") == "memnet: there is no file none.txt\n"
    assert refused(*command, ".") == "memnet: . is no file\n"
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("command", ["chat", "layers"])
def test_the_help_offers_no_network_that_is_refused(command: str):
    said = " ".join(memnet(command, "--help").stdout.split())
    assert "such as memn2n" not in said
    assert "The folder of a" in said


def test_several_values_of_a_setting_are_a_grid(own_folder: Path, tmp_path: Path):
    sets = ["dim=20", "hops=2", "dim=50", "epochs=1", "hops=3", "dim=20"]
    command = ["sweep", own_folder, "--preset", "bow", "--restarts", 1, "--results", tmp_path / "runs.csv", "--dry-run"]
    said = ran(*command, *(part for pair in sets for part in ("--set", pair))).stdout
    assert said.startswith("4 runs to do, 0 done already")
    listed = {tuple(re.findall(r"(?:dim|hops)=\d+", line)) for line in said.splitlines() if "restart" in line}
    assert listed == {(), ("dim=50",), ("hops=2",), ("dim=50", "hops=2")}  # a preset's own values are not said
    assert "dim must be 1 to 4096, not 0" in refused(*command, "--set", "dim=20", "--set", "dim=0")


# A file of settings


def config_file(folder: Path, text: str) -> Path:
    path = folder / "run.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_sets_and_set_is_on_top(tmp_path: Path):
    path = config_file(tmp_path, 'preset = "pe-ls"\nepochs = 7\nlr = 1\nrelu = true\nalign = "sparsemax"\nhops = 2\n')
    name, config = choose_config(None, None, False, ["hops=4"], {"align": "hard", "samples": 3}, file=read_settings(path))
    assert (name, config.epochs, config.lr, config.hops) == ("pe-ls", 7, 1.0, 4)
    assert (vars(config)["relu"], vars(config)["align"], config.samples) == (True, "hard", 3)
    assert type(config.lr) is float
    assert choose_config(None, "bow", False, [], file=read_settings(path))[0] == "bow"  # the option is taken in its place
    assert choose_config("memn2n", None, True, [], file=read_settings(path))[0] == "pe-ls-rn-joint"
    with pytest.raises(ConfigError, match="given twice"):
        choose_config(None, None, False, ["hops=4"], {"hops": 3}, file=read_settings(path))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hop = 3", r"run\.toml: there is no setting 'hop'; did you mean 'hops'\?"),
        ("hops = 2.5", r"run\.toml: hops must be a whole number, not '2\.5'"),
        ('relu = "yes"', r"run\.toml: relu must be true or false, not 'yes'"),
        ("epochs = -1", r"run\.toml: epochs must be 0 to 1000000, not -1"),
        ("[training]\nepochs = 3", r"run\.toml: take the line \[training\] away; settings stand in no section, as in epochs"),
        ("hops = [3]", r"run\.toml: hops must be a number, true or false, or a word, not \[3\]"),
        ("epochs 3", r"run\.toml is not TOML: .*line 1.*; expected lines such as epochs = 20"),
        ('preset = "bov"', r"run\.toml: there is no preset 'bov'; did you mean 'bow'\?"),
        ("preset = 3", r"run\.toml: preset must be a name in quotes, not 3"),
        ('model = "dmn"\npreset = "bow"', r"run\.toml: the preset 'bow' is of the model memn2n, not dmn"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_file_and_key(text: str, expected: str, tmp_path: Path):
    said = refused("train", "qa1", "--config", config_file(tmp_path, text), "--out", tmp_path / "run")
    assert re.search(expected, said)
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_a_file_that_is_not_there(tmp_path: Path):
    assert "none.toml is missing; --config names a TOML file" in refused("train", "qa1", "--config", tmp_path / "none.toml")


def test_training_and_a_sweep_take_a_file(own_folder: Path, tmp_path: Path):
    path = config_file(tmp_path, 'preset = "bow"\nepochs = 1\n')
    quick = (own_folder, "--config", path, "--restarts", 1)
    ran("train", *quick, "--out", tmp_path / "run")
    saved = read_json(tmp_path / "run" / "config.json")
    assert (saved["preset"], saved["epochs"]) == ("bow", 1)
    said = ran("sweep", *quick, "--dry-run", "--results", tmp_path / "runs.csv").stdout
    assert "1 run to do" in said
    assert "moves bow" in said


def test_python_takes_a_file_too(own_folder: Path, tmp_path: Path):
    path = config_file(tmp_path, 'preset = "bow"\nepochs = 3\nhops = 1\n')
    trained = package.train(own_folder, config=path, restarts=1, epochs=1)
    assert (trained.spec.preset, trained.spec.config.epochs, vars(trained.spec.config)["hops"]) == ("bow", 1, 1)


# Epochs


def test_the_linear_start_is_said_where_epochs_are_asked_for(own_folder: Path, tmp_path: Path):
    quick = ("train", own_folder, "--restarts", 1, "--set", "epochs=1")
    said = ran(*quick, "--set", "linear_start=2", "--out", tmp_path / "two").stdout
    assert said.startswith("it trains for 3 epochs: 2 without softmax (linear start), then 1 with it; --set linear_start=0")
    assert "linear start" not in ran(*quick, "--set", "linear_start=0", "--out", tmp_path / "none").stdout
    assert [len(read_lines(tmp_path / name / "metrics.jsonl")) for name in ("two", "none")] == [3, 1]


# Presets


def test_presets_have_a_line_each_with_paper_error_and_time():
    lines = {line.name: line for line in preset_lines(*RECORDED)}
    assert list(lines) == list(PRESETS)
    text = memnet("presets").stdout
    for name, line in lines.items():
        [shown] = [row for row in text.splitlines() if row.split() and row.split()[0] == name]
        assert line.paper in shown
        assert shown.endswith(line.about)
        assert len(shown) <= 130
        for error in line.errors.values():
            assert f"{error:.1f} %" in shown
    assert (lines["pe-ls-rn"].paper, lines["pe-ls-rn"].model) == ("Sukhbaatar 2015", "memn2n")
    assert lines["pe-ls-joint"].time.endswith("*")


# Tables


# TensorBoard


@pytest.mark.parametrize(
    ("words", "ignored"),
    [
        (("ask", "memn2n", "--memory", "m", "--question", "Where is Mary?"), "the network memn2n has no use beside --memory"),
        (("serve", "memn2n", "--watch", "run"), "a RUN has no use beside --watch"),
        (("serve", "--host", "0.0.0.0", "--watch", "run"), "--host has no use beside --watch"),
        (("serve", "--token-file", "token", "--watch", "run"), "--token-file has no use beside --watch"),
        (("train", "qa1", "--watch-port", 7862), "--watch-port 7862 is the port of the page of --watch"),
    ],
)
def test_what_a_command_would_ignore_is_refused(words: tuple[object, ...], ignored: str):
    assert ignored in refused(*words)


def test_a_file_to_train_on_belongs_into_a_folder(tmp_path: Path):
    (tmp_path / "t.txt").write_text("1 Mary went home.\n2 Where is Mary?\thome\t1\n", encoding="utf-8")
    said = refused("train", tmp_path / "t.txt")
    assert "t.txt is a file; expected a folder of files with train or test in their names" in said
    assert said.count("\n") == 1

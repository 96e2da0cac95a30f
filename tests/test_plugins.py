"""Models, scores, alignments and tasks from outside: a file that no file inside knows, and an installed package."""

import importlib.metadata
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import memnet as package
from memnet import plugins
from memnet.attention import ALIGNS, SCORES
from memnet.config import Training, override
from memnet.errors import ConfigError
from memnet.models import MODELS, Baseline, model_of
from memnet.papers import PRESETS
from memnet.record.runs import read_rows
from memnet.tasks import simulator
from memnet.tasks.families import find
from memnet.training.spec import specify
from memnet.training.sweep import Job, run_elsewhere
from tests.conftest import memnet, plugins_forgotten, ran, read_json, refused

TOY = '''
"""A model, a score, an alignment and a task of our own."""

from dataclasses import dataclass
from random import Random as Draw

import torch
from torch import nn

from memnet.attention import ALIGNS, SCORES, Attention, dot, softmax, weighted_sum
from memnet.attention import Kind
from memnet.config import Training
from memnet.models import MODELS, Network, Output
from memnet.models.decoders import scores
from memnet.models.encoders import EncodedData, code, encoded, memories
from memnet.papers import PRESETS
from memnet.record.runs import read_rows
from memnet.tasks.simulator import register
from memnet.tasks.text import Question, Story


@dataclass(frozen=True)
class ToyConfig(Training):
    """One look at the memory."""

    dim: int = 12
    default_restarts = 2

    def num_reads(self, answer):
        return 1


class Toy(Network):
    """Bags of words, one hop; embedding (R, V + S, D)."""

    Config = ToyConfig
    title = "A toy"
    presets = ("toy", "toy")

    def __init__(self, config, sizes, random):
        super().__init__(config, sizes, random)
        self.embedding = nn.Parameter(random.normal(sizes.vocabulary + sizes.ages, config.dim, std=0.1))
        self.answer = nn.Parameter(random.normal(sizes.vocabulary, config.dim, std=0.1))
        self.attend = Attention(dot, softmax, weighted_sum)

    def encode_data(self, data):
        many = float(data.count.float().mean()) if len(data) else 0.0
        tables = ((data.sentences, many), (data.questions, 0.0))
        return EncodedData(*(code(part, "bow", self.sizes.vocabulary, self.sizes.longest, each) for part, each in tables))

    def forward(self, batch, codes, random=None, samples=1, given=None, noise=None):
        (memory,) = memories(self.embedding.unsqueeze(1), codes.sentences, batch)
        question = encoded(self.embedding, codes.questions, batch.question).unsqueeze(2)
        trace = self.attend.prepare(memory).ask(question, batch.mask.unsqueeze(2))
        return Output(scores(question + trace.output, self.answer).unsqueeze(3), [trace])


def toy_score(query, key):
    """Half a dot."""
    return dot(query, key) / 2


def toy_align(logits, mask=None, query=None, null=None, **options):
    """A softmax that is twice as sure."""
    return softmax(2 * logits, mask, query, None if null is None else 2 * null)


class toy_task:
    """1 The box is red. 2 Which colour is the box? red 1"""

    DIALS = frozenset()

    @staticmethod
    def story(draw: Draw, dials) -> Story:
        colours = [draw.choice(["red", "blue", "green"]) for _ in range(2)]
        told = tuple(f"The {thing} is {colour}." for thing, colour in zip(["box", "ball"], colours))
        which = draw.randrange(2)
        return Story(told, (Question(f"Which colour is the {['box', 'ball'][which]}? ", colours[which], (which,), 2),))


MODELS["toy"] = Toy
PRESETS["toy"] = ToyConfig()
SCORES["toyscore"] = Kind(lambda query_dim, key_dim, random: toy_score)
ALIGNS["toyalign"] = Kind(lambda query_dim, random, window: toy_align, null=True)
register("toytask", toy_task, "colours")
'''
QUICK = ("--set", "questions=60", "--restarts", 1)
pytestmark = pytest.mark.usefixtures("no_plugins")


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    path = tmp_path / "toy_plugin.py"
    path.write_text(TOY, encoding="utf-8")
    return path


def test_nothing_inside_knows_the_toys(toy: Path):
    for registry, name in ((MODELS, "toy"), (PRESETS, "toy"), (SCORES, "toyscore"), (ALIGNS, "toyalign")):
        assert name not in registry
    assert "toytask" not in simulator.FILE_TITLES
    assert "toy" in refused("train", "toytask", "--model", "toy")
    plugins.load(toy)
    plugins.load(toy)  # twice is once
    assert MODELS["toy"].title == "A toy"
    assert [toy] == plugins.LOADED


def test_a_model_and_a_task_from_outside_are_trained_evaluated_and_asked(toy: Path, tmp_path: Path):
    run, more = tmp_path / "run", ("--set", "epochs=30", "--set", "lr=0.02", "--set", "optimizer=adam", "--restarts", 1)
    done = ran("--plugin", toy, "train", "toytask", "--model", "toy", *more, "--out", run)
    assert "sim/toytask" in done.stdout
    saved = read_json(run / "config.json")
    assert (saved["model"], saved["preset"], saved["data"], saved["dim"]) == ("toy", "toy", ["sim/toytask"], 12)
    assert "A toy that answers questions" in (run / "README.md").read_text(encoding="utf-8")
    report = json.loads(memnet("--plugin", toy, "eval", run, "--json").stdout)
    assert report["tasks"]["sim/toytask"]["questions"] == 1000
    assert report["mean_error"] < 40  # to guess is to be wrong in two of three
    asked = memnet("--plugin", toy, "ask", run, "--question", "Which colour is the box?", "--json", stdin="The box is red.\n")
    answer = json.loads(asked.stdout)
    assert answer["answer"] in ("red", "blue", "green")


def test_a_saved_toy_needs_its_plugin(toy: Path, tmp_path: Path):
    run, ask = tmp_path / "run", ("ask", tmp_path / "run", "--question", "Which colour is the box?")
    with plugins_forgotten():
        ran("--plugin", toy, "train", "toytask", "--model", "toy", *QUICK, "--set", "epochs=1", "--out", run)
    assert "model is 'toy', expected one of memn2n" in refused(*ask)
    ran("--plugin", toy, *ask, stdin="The box is red.\n")


@pytest.mark.parametrize(("option", "name"), [("--score", "toyscore"), ("--align", "toyalign")])
def test_a_score_and_an_alignment_from_outside_are_a_memn2ns(option: str, name: str, toy: Path, tmp_path: Path):
    run = tmp_path / "run"
    command = ("train", "toytask", "--model", "memn2n", option, name, *QUICK, "--set", "epochs=2", "--set", "linear_start=0")
    assert f"not '{name}'" in refused("train", "qa1", *command[2:], "--out", run)
    ran("--plugin", toy, *command, "--out", run)
    assert read_json(run / "config.json")[option[2:]] == name
    ran("eval", run)
    del (SCORES if option == "--score" else ALIGNS)[name]
    assert "one of a plugin needs memnet --plugin FILE" in refused("eval", run)


def test_a_memnn_takes_an_alignment_from_outside_that_picks_one_memory(toy: Path, tmp_path: Path):
    command = ("--plugin", toy, "train", "toytask", "--model", "memnn", *QUICK, "--set", "epochs=1", "--out", tmp_path / "run")
    assert "toyalign: a MemNN picks one memory a hop" in refused(*command, "--align", "toyalign")
    ALIGNS["toypick"] = ALIGNS["argmax"]
    ran(*command, "--align", "toypick")


def test_a_model_is_known_by_settings_of_its_own():
    """Else a preset of one would train the other, and nobody would be told."""
    assert model_of(PRESETS["pe-ls-rn"]) == "memn2n"
    MODELS["toy"] = MODELS["memn2n"]
    with pytest.raises(ConfigError, match="memn2n and toy share the settings MemN2NConfig"):
        model_of(PRESETS["pe-ls-rn"])
    with pytest.raises(ConfigError, match="no model has the settings Training"):
        model_of(Training())


def test_a_networks_numbers_are_its_toys(toy: Path, tmp_path: Path):
    """The score that is named is the one that is used: half a dot product is not a dot product."""
    runs = {}
    for score in ("toyscore", "dot"):
        settings = ("--score", score, *QUICK, "--set", "epochs=3", "--set", "linear_start=0", "--out", tmp_path / score)
        ran("--plugin", toy, "train", "toytask", "--model", "memn2n", *settings)
        runs[score] = (tmp_path / score / "model.safetensors").read_bytes()
    assert runs["toyscore"] != runs["dot"]


def test_a_sweeps_worker_processes_know_the_toys(toy: Path, tmp_path: Path):
    """A score and a task, where each worker is as new as one of another machine; a model: the next test."""
    what = ("--model", "memn2n", "--score", "toyscore", "--set", "linear_start=0", *QUICK, "--set", "epochs=1")
    files = ("--results", tmp_path / "runs.csv", "--work", tmp_path / "work")
    done = ran("--plugin", toy, "sweep", "toytask", *what, "--seed", 0, "--seed", 1, "--jobs", 2, *files)
    assert "failed:" not in done.stdout, done.stdout
    assert sorted((row["model"], row["seed"]) for row in read_rows(tmp_path / "runs.csv")) == [("memn2n", "0"), ("memn2n", "1")]


def test_a_worker_loads_the_plugins_before_it_takes_the_job(toy: Path, tmp_path: Path):
    """So that a worker that was started before, or elsewhere, knows what the job is of."""
    with plugins_forgotten():
        plugins.load(toy)
        task = find(["toytask"])
        config = override(PRESETS["toy"], {"epochs": 1, "questions": 60})
        job = pickle.dumps(Job(specify(task, "toy", config, 0, 1), tuple(task), tmp_path / "run"))
    with pytest.raises(ModuleNotFoundError):
        pickle.loads(job)
    spec, outcome, _ = run_elsewhere([toy], job)
    assert spec.model == "toy"
    assert not isinstance(outcome, str), outcome


def test_a_fitted_model_from_outside_has_no_steps_to_measure():
    """Whether a network is fitted in one piece is asked of its class, not of its name."""

    class OwnConfig(Baseline.Config):
        pass

    class Own(Baseline):
        Config, title, presets = OwnConfig, "A toy", ("toy", "toy")

    MODELS["toy"], PRESETS["toy"] = Own, OwnConfig()
    assert "toy is fitted in one piece" in refused("bench", "train", "sim/qa1", "--preset", "toy")


def test_help_names_what_a_plugin_adds(toy: Path):
    before, after = memnet("train", "--help").stdout, memnet("--plugin", toy, "train", "--help").stdout
    for name in ("toyscore", "toyalign", "toy 2"):
        assert name not in before
        assert name in after


TWIN = """
from memnet.models import MODELS, MemN2N
from memnet.models.memn2n import MemN2NConfig

class Own(MemN2NConfig):
    pass

class Toy(MemN2N):
    Config, title, presets = {config}, "A toy", ("{presets}", "{presets}")

MODELS["toy"] = Toy
"""
BROKEN = {
    "missing.py": (None, "is missing"),
    "toy_notes.txt": ("MODELS = 1", "is no plugin"),
    "toy-model.py": ("", "is no plugin"),
    "broken_zero.py": ("1 / 0", "ZeroDivisionError"),
    "broken_syntax.py": ("def (", "SyntaxError"),
    "broken_import.py": ("import no_such_module_anywhere", "no_such_module_anywhere"),
    "json.py": ("", "name of another module"),
    "memnet.py": ("", "name of another module"),
    "broken_exit.py": ("import sys; sys.exit(3)", "SystemExit: 3"),
    "broken_entry.py": (
        "from memnet.attention import ALIGNS, softmax\nALIGNS['toyalign'] = softmax",
        "ALIGNS['toyalign'] must be a Kind",
    ),
    "broken_class.py": (
        "from memnet.models import MODELS\nMODELS['toy'] = 3",
        "MODELS['toy'] must be a class that extends Network",
    ),
    "broken_preset.py": (TWIN.format(config="Own", presets="toy"), "names the preset 'toy', which PRESETS lacks"),
    "broken_twin.py": (
        TWIN.format(config="MemN2NConfig", presets="pe"),
        "the models memn2n and toy share the settings MemN2NConfig",
    ),
    "broken_task.py": (
        "from memnet.tasks.simulator import register\nregister('toytask', object(), 'colours')",
        "'toytask' needs a function story",
    ),
    "broken_orphan.py": (
        "from memnet.models.memn2n import MemN2NConfig\nfrom memnet.papers import PRESETS\n"
        "class Own(MemN2NConfig): pass\nPRESETS['toy'] = Own()",
        "PRESETS['toy'] must be the settings of a model in MODELS, not Own",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_no_plugin_is_refused_in_one_sentence(name: str, tmp_path: Path):
    content, why = BROKEN[name]
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    done, path = memnet("--plugin", tmp_path / name, "presets"), list(sys.path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("memnet: ")
    assert len(done.stderr.splitlines()) == 1
    assert name in done.stderr
    assert why in done.stderr
    assert plugins.LOADED == []
    assert str(tmp_path) not in path


class Point:
    """An entry point as importlib.metadata gives it."""

    name, value = "toys", "toys.registry"

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def load(self) -> None:
        if self.error:
            raise self.error
        SCORES["toyscore"] = SCORES["dot"]


def install(point: Point, monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> list[Point]:
        return [point] if group == "memnet.plugins" else []

    monkeypatch.setattr(plugins, "entry_points", entry_points)
    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)


@pytest.mark.parametrize("use", [lambda: ran("presets"), lambda: ran("train", "--help"), package.load])
def test_an_installed_package_adds_to_the_registries(use: Callable[[], object], monkeypatch: pytest.MonkeyPatch):
    """Every command looks for what is installed, and so does Python."""
    assert "toyscore" not in SCORES
    install(Point(), monkeypatch)
    use()
    assert "toyscore" in SCORES
    assert "toyscore" in ran("train", "--help").stdout


def test_an_installed_package_that_fails_is_named(monkeypatch: pytest.MonkeyPatch):
    install(Point(RuntimeError("no luck")), monkeypatch)
    with pytest.raises(ConfigError, match=r"the plugin toys \(toys.registry\) cannot be loaded: no luck"):
        package.load()
    said = refused("presets")
    assert "the plugin toys (toys.registry) cannot be loaded" in said
    assert len(said.splitlines()) == 1

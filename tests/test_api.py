"""``memnet.train`` and ``memnet.load``: what the command line does, from Python."""

import json
from pathlib import Path
from typing import Any

import pytest

import memnet as package
from memnet.api import Trained
from memnet.errors import AskError, ConfigError, NetworkError, TrainingError
from memnet.tasks.families import DataError
from memnet.training.report import report_on
from tests.conftest import memnet, ran, read_json, refused, tell, wander

QUICK: dict[str, Any] = {"epochs": 2, "linear_start": 1, "restarts": 2}
OPTIONS = ("--set", "epochs=2", "--set", "linear_start=1", "--restarts", 2)
STORY = ["Mary went to the kitchen.", "John went to the garden.", "Mary went to the office."]


@pytest.fixture
def moves(own_folder: Path) -> str:
    return str(own_folder)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """Networks trained on people who move, for what changes nothing about them."""
    return package.train(tell(tmp_path_factory.mktemp("api") / "tasks", wander(1), wander(2)), **QUICK)


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_what_is_trained_is_asked_evaluated_saved_and_loaded(trained: Trained, tmp_path: Path):
    answer = trained.ask(STORY, "Where is Mary?")
    assert answer.answer in ("kitchen", "garden", "office")
    assert trained.ask(" ".join(STORY), "Where is Mary?") == answer, "a text is its sentences"
    assert trained.ask(trained.predictor.encode_story(STORY), "Where is Mary?") == answer
    report = trained.evaluate()
    assert list(report["tasks"]) == ["own/moves"]
    assert report["tasks"]["own/moves"]["questions"] == 60
    assert report["mean_error"] == pytest.approx(trained.errors["test"], abs=1e-3)
    trained.save(tmp_path / "kept")
    again = package.load(tmp_path / "kept")
    assert again.ask(STORY, "Where is Mary?") == answer
    assert again.ask(STORY, "Where is John?") == trained.ask(STORY, "Where is John?")
    assert report_on(again.net, again.vocabulary, trained.tasks) == report
    told = memnet("ask", tmp_path / "kept", "--question", "Where is Mary?", "--json", stdin="\n".join(STORY))
    assert json.loads(told.stdout) == json.loads(json.dumps(answer.as_json()))


def test_the_chosen_networks_errors_are_those_of_the_run(trained: Trained):
    assert len(trained.run["replicas"]) == 2
    chosen = trained.run["replicas"][trained.run["chosen"]]
    assert chosen["chosen"]
    assert trained.errors["test"] == chosen["tasks"]["own/moves"]["test_error"]
    assert trained.errors.keys() == {"train", "validation", "test"}


def test_other_tasks_are_evaluated_too(trained: Trained):
    report = trained.evaluate("sim/qa1", evidence=True)
    assert list(report["tasks"]) == ["sim/qa1"]
    assert report["made"] == "simulated"
    assert 0 <= report["tasks"]["sim/qa1"]["no_evidence"] <= 1
    with pytest.raises(DataError):
        trained.evaluate("qa21")
    with pytest.raises(AskError):
        trained.ask([], "Where is Mary?")


def test_with_a_folder_it_is_the_command_bit_for_bit(moves: str, tmp_path: Path):
    trained = package.train(moves, out=tmp_path / "python", seed=3, **QUICK)
    ran("train", moves, "--out", tmp_path / "command", "--seed", 3, *OPTIONS)
    assert files(tmp_path / "python") == files(tmp_path / "command")
    for name in ("model.safetensors", "config.json", "README.md", "metrics.jsonl"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes(), name
    written = read_json(tmp_path / "python" / "run.json")
    assert trained.run == written
    assert package.load(tmp_path / "command").ask(STORY, "Where is Mary?") == trained.ask(STORY, "Where is Mary?")
    other = package.train(moves, seed=4, **QUICK)
    assert other.ask(STORY, "Where is Mary?") != trained.ask(STORY, "Where is Mary?"), "another seed is another network"


def test_a_saved_network_is_the_runs(moves: str, tmp_path: Path):
    trained = package.train(moves, out=tmp_path / "run", **QUICK)
    trained.save(tmp_path / "kept")
    for name in ("model.safetensors", "config.json", "README.md"):
        assert (tmp_path / "kept" / name).read_bytes() == (tmp_path / "run" / name).read_bytes(), name


def test_without_a_folder_nothing_is_left(moves: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    scratch, work = tmp_path / "scratch", tmp_path / "work"
    scratch.mkdir()
    work.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    monkeypatch.chdir(work)
    before = files(tmp_path)
    trained = package.train(moves, **QUICK)
    assert files(tmp_path) == before
    assert trained.ask(STORY, "Where is Mary?").answer


def test_several_tasks_are_one_joint_network(moves: str, tmp_path: Path):
    other = tell(tmp_path / "more", wander(5), wander(6, stories=5), "others")
    trained = package.train(moves, str(other), **QUICK)
    assert trained.spec.data == ("own/moves", "own/others")
    assert trained.spec.preset == "pe-ls-rn-joint"
    assert "2 of own" in repr(trained)
    report = trained.evaluate()
    assert {name: row["questions"] for name, row in report["tasks"].items()} == {"own/moves": 60, "own/others": 15}
    ran("train", moves, other, "--joint", "--out", tmp_path / "joint", *OPTIONS)
    assert package.load(tmp_path / "joint").ask(STORY, "Where is Mary?") == trained.ask(STORY, "Where is Mary?")


def test_a_folder_of_several_tasks_is_one_joint_network(moves: str):
    trained = package.train(tell(Path(moves), wander(5), wander(6), "others"), **QUICK)
    assert trained.spec.data == ("own/moves", "own/others")
    assert trained.spec.preset == "pe-ls-rn-joint"


def test_other_stories_are_named_as_for_training(trained: Trained, moves: str):
    same, other = (trained.evaluate(name) for name in ("sim/qa1", "sim/qa1@1"))
    assert trained.evaluate("sim/qa1@0") == same
    assert list(same["tasks"].values()) != list(other["tasks"].values())
    assert trained.evaluate(Path(moves)) == trained.evaluate()


def test_word_vectors_are_kept_from_python_too(moves: str, tmp_path: Path):
    """``vectors`` is the file here, so that what becomes of it has a name of its own."""
    file, quick = tmp_path / "glove.txt", {"model": "dmn", "dim": 4, "epochs": 2, "restarts": 1}
    file.write_text("mary 1 2 3 4\nkitchen 4 3 2 1\n", encoding="utf-8")
    kept, free = (package.train(moves, vectors=file, keep_vectors=keep, **quick) for keep in (True, False))
    assert (kept.spec.config.vectors, free.spec.config.vectors) == ("keep", "train")
    with pytest.raises(ConfigError, match="keep_vectors is of word vectors from a file"):
        package.train(moves, keep_vectors=True, **quick)


def test_a_run_is_taken_up_again(moves: str, tmp_path: Path):
    first = package.train(moves, out=tmp_path / "run", **QUICK)
    with pytest.raises(TrainingError, match="holds a run already"):
        package.train(moves, out=tmp_path / "run", **QUICK)
    again = package.train(moves, out=tmp_path / "run", resume=True, **QUICK)
    assert again.run == first.run
    with pytest.raises(TrainingError, match="holds another run"):
        package.train(moves, out=tmp_path / "run", resume=True, seed=1, **QUICK)


def test_progress_is_told(moves: str):
    seen = list[tuple[int, int]]()
    package.train(moves, progress=lambda epoch, epochs, row: seen.append((epoch, epochs)), **QUICK)
    assert seen == [(1, 3), (2, 3), (3, 3)]


WRONG: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {  # options here, and on the command line
    "unknown setting": ({"epoch": 3}, ("--set", "epoch=3")),
    "impossible value": ({"epochs": -1}, ("--set", "epochs=-1")),
    "of another type": ({"relu": "maybe"}, ("--set", "relu=maybe")),
    "of another model": ({"passes": 3}, ("--set", "passes=3")),
    "that do not go together": ({"decay": 0.1}, ("--set", "decay=0.1")),
    "unknown preset": ({"preset": "pe-lss"}, ("--preset", "pe-lss")),
    "preset of another model": ({"model": "dmn", "preset": "pe-ls-rn"}, ("--model", "dmn", "--preset", "pe-ls-rn")),
    "vectors for none": ({"vectors": "glove.txt"}, ("--vectors", "glove.txt")),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_are_those_of_the_command_line(name: str, moves: str, tmp_path: Path):
    options, command = WRONG[name]
    with pytest.raises(ConfigError) as error:
        package.train(moves, **options)
    said = refused("train", moves, *command, "--out", tmp_path / "run")
    assert len(said.splitlines()) == 1
    if name != "of another type":  # text is not yet a value there
        assert said.strip() == f"memnet: {error.value}"
    assert not (tmp_path / "run").exists()


def test_an_option_brings_what_it_needs_as_on_the_command_line(moves: str, tmp_path: Path):
    trained = package.train(moves, align="hard", epochs=1, linear_start=0, restarts=1, out=tmp_path / "python")
    settings = ("--set", "epochs=1", "--set", "linear_start=0", "--restarts", 1, "--out", tmp_path / "command")
    ran("train", moves, "--align", "hard", *settings)
    assert (trained.spec.config.samples, trained.spec.config.baseline) == (5, "loo")
    for name in ("model.safetensors", "config.json"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()


def test_no_task_and_no_network_are_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match="name a data set"):
        package.train()
    with pytest.raises(DataError):
        package.train("qa99")
    with pytest.raises(NetworkError):
        package.load(tmp_path)


@pytest.mark.parametrize("restarts", [0, -1, 1001, "3", 2.0, True])
def test_an_impossible_number_of_restarts_is_refused(restarts: Any, moves: str):
    with pytest.raises(ConfigError, match="restarts must be 1 to 1000, not"):
        package.train(moves, epochs=1, restarts=restarts)


@pytest.mark.parametrize("seed", [-1, "x", 1.5, None])
def test_an_impossible_seed_is_refused(seed: Any, moves: str):
    with pytest.raises(ConfigError, match="seed must be a whole number, 0 or more, not"):
        package.train(moves, epochs=1, restarts=1, seed=seed)


@pytest.mark.parametrize("task", [["qa1", "qa2"], None, 1])
def test_what_is_no_name_of_a_task_is_refused(task: Any):
    with pytest.raises(ConfigError, match="name a data set, such as babi/qa1"):
        package.train(task)


def test_a_run_that_is_taken_up_again_has_a_folder(moves: str):
    with pytest.raises(ConfigError, match="name it by out"):
        package.train(moves, resume=True)


def test_every_kind_of_network_is_trained_from_python(moves: str):
    for model, settings in {"baseline": {}, "lstm": {"dim": 8}, "memnn": {"dim": 8}}.items():
        quick = {} if model == "baseline" else {"epochs": 1, "restarts": 1}
        trained = package.train(moves, model=model, **quick, **settings)
        assert trained.spec.model == model
        assert trained.ask(STORY, "Where is Mary?").answer


def test_the_command_needs_no_setting(moves: str, tmp_path: Path):
    """A preset that is fitted at once, as it is: nothing is set by --set."""
    ran("train", moves, "--preset", "frequent", "--out", tmp_path / "run")
    trained = package.train(moves, preset="frequent", out=tmp_path / "python")
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == (tmp_path / "python" / "model.safetensors").read_bytes()
    assert trained.spec.model == "baseline"

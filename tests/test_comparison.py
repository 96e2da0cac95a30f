"""The models beside each other, and the figures of the runs on record."""

from pathlib import Path

import pytest

from memnet import load
from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.figures import canvas
from memnet.measure.growth import cost, long_stories
from memnet.models.checkpoint import load_network
from memnet.record.maker import Maker
from memnet.record.measurements import ScalingPoint, read_costs, read_csv
from memnet.record.runs import COLUMNS, append_rows
from memnet.reports.comparison import by_questions
from memnet.tasks.families import Task
from memnet.tasks.simulator import simulated_task
from memnet.tasks.text import words
from memnet.training.memory import Operations
from tests.conftest import ran, refused

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("statements", [10, 100, 1000])
def test_long_stories_are_as_long_as_asked_and_keep_their_facts(statements: int):
    stories = long_stories(statements, 20)
    assert len(stories) == 20
    for story in stories:
        (question,) = story.questions
        assert question.after <= len(story.statements) == max(statements, question.after)
        (fact,) = question.supporting_facts
        assert {*words(question.text)} & {*words(story.statements[fact])} > set()
        assert words(question.answer)[0] in words(story.statements[fact])
    assert long_stories(statements, 20) == stories


class MatrixProducts(Operations):
    """Counts two operations for each number that a matrix product reads of its first matrix and column of its second."""

    operations = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        if name in ("mm", "bmm", "addmm", "baddbmm"):
            first, second = args[-2:]
            self.operations += 2 * first.numel() * second.shape[-1]
        return function(*args, **(kwargs or {}))


def test_error_against_the_number_of_questions(tmp_path: Path):
    base = dict.fromkeys(COLUMNS, "") | {"preset": "pe", "seed": "0", "restarts": "1"}
    runs = tmp_path / "runs.csv"
    for family, changes, error in (
        ("babi", "", 4.0),
        ("babi-10k", "", 1.0),
        ("babi", "questions=100", 20.0),
        ("babi", "dim=7", 99.0),
    ):
        rows = [base | {"settings": changes, "data": f"{family}/qa{n}", "test_error": str(error + n)} for n in range(1, 13)]
        append_rows(runs, [row | {"chosen": "1"} for row in rows])
    assert by_questions(runs) == {"pe (12 tasks)": [(1000, 10.5), (10_000, 7.5), (100, 26.5)]}


def test_the_commands(tmp_path: Path):
    options = ("--preset", "bow", "--set", "epochs=2", "--questions", 10, "--write", tmp_path / "memory.csv")
    ran("bench", "memory", 10, 40, *options)
    points = read_csv(tmp_path / "memory.csv", ScalingPoint)
    assert [(point.preset, point.statements, point.questions) for point in points] == [("bow", 10, 10), ("bow", 40, 10)]
    assert all(0 <= point.error <= 100 and point.milliseconds > 0 and point.peak > 50 for point in points)
    run = tmp_path / "run"
    options = ["--restarts", 1, "--set", "epochs=1", "--preset", "bow"]
    ran("train", "qa1", *options, "--out", run)
    ran("bench", "models", run, "--questions", 5, "--write", tmp_path / "models.csv")
    of_bow = read_costs(tmp_path / "models.csv")["bow", 20]
    assert of_bow.maker == points[0].maker == Maker.here()  # another process asked about long stories
    assert of_bow.parameters > 1000
    assert of_bow.milliseconds > 0
    stories, tests = simulated_task("qa1", seed=0)
    task, net = Task.of("sim/qa1", stories, tests, ""), load_network(run)
    with MatrixProducts() as counted:
        Predictor(net[0], net[1]).ask(tests[0].statements[: tests[0].questions[0].after], tests[0].questions[0].text, reads=3)
    assert cost(run, task, 1).flops == counted.operations > 1_000
    other = tmp_path / "other"
    ran("train", "qa2", *options, "--out", other)
    assert "expected networks of one task" in refused("bench", "models", run, other)
    assert "there is no folder" in refused("bench", "models", run, "--write", tmp_path / "nowhere" / "x.csv")
    assert "setting 'hops'" in refused("bench", "memory", 10, "--preset", "bow", "--preset", "lstm", "--set", "hops=2")
    assert "memory_size=5 is set" in refused("bench", "memory", 10, "--preset", "bow", "--set", "memory_size=5")
    ran("plot", "curves", run, "--out", tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "bad.jsonl").write_text('{"epoch": "x"}\n')
    assert "is not the metrics of a run" in refused("plot", "curves", tmp_path / "bad.jsonl", "--out", tmp_path / "c.png")
    story = tmp_path / "story.txt"
    story.write_text("1 Mary went to the kitchen.\n2 John went home.\n3 Where is Mary?\tkitchen\t1\n")
    ran("plot", run, tmp_path / "map.svg", "--story", story)
    text = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    story.write_text("Mary went to the kitchen.\n")
    assert "asks nothing" in refused("plot", run, tmp_path / "map.svg", "--story", story)
    assert "leave --task out" in refused("plot", run, "map.svg", "--story", story, "--task", "qa2")


@pytest.mark.parametrize("asked", [("--story", "story.txt"), ("--task", "sim/qa15")])
def test_a_figure_has_the_calibrated_probability(asked: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    drawn: list[Answer] = []
    monkeypatch.setattr("memnet.show.figure.attention_map", lambda answer, *_: drawn.append(answer) or canvas(1, 1))
    monkeypatch.chdir(tmp_path)
    Path("story.txt").write_text("Mary went to the kitchen.\nJohn moved to the hallway.\nWhere is Mary?\n")
    ran("plot", "attention", "memnet", "map.svg", *asked)
    network = load()
    assert drawn[0].calibrated_on == network.metadata["calibrated_on"] != ""
    assert drawn[0].probability == network.ask(drawn[0].story, drawn[0].question).probability

"""The models beside each other, and the figures of the runs on record."""

from __future__ import annotations

from pathlib import Path

import pytest
from torch.utils._python_dispatch import TorchDispatchMode

from memnet.ask.predictor import Predictor
from memnet.errors import NetworkError
from memnet.measure.growth import Cost, ScalingPoint, cost, long_stories, measured_by, read_costs, read_scaling
from memnet.models.checkpoint import load_network
from memnet.record.measurements import write_csv
from memnet.record.provenance import code_hash, machine
from memnet.record.runs import COLUMNS, append_rows
from memnet.reports.comparison import by_questions
from memnet.tasks.families import Task
from memnet.tasks.simulator import simulated_task
from memnet.tasks.text import words
from tests.test_cli import memnet, refused

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


class MatrixProducts(TorchDispatchMode):
    """Counts two operations for each number that a matrix product reads of its first matrix and column of its second."""

    operations = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        if name in ("mm", "bmm", "addmm", "baddbmm"):
            first, second = args[-2:]
            self.operations += 2 * first.numel() * second.shape[-1]
        return function(*args, **(kwargs or {}))


def test_what_is_measured_is_read_as_it_was_written(tmp_path: Path):
    costs = [Cost("bow", 20, 1234, 1.5, 5e4)]
    points = [ScalingPoint("bow", 10, 20, 5.0, 1.25, 300.0), ScalingPoint("bow", 100, 20, 50.0, 2.5, 310.0)]
    (tmp_path / "models.csv").write_text(write_csv(costs))
    (tmp_path / "memory.csv").write_text(write_csv(points))
    assert read_costs(tmp_path / "models.csv") == {("bow", 20): costs[0]}
    assert read_scaling(tmp_path / "memory.csv") == points
    (tmp_path / "models.csv").write_text("preset,width,parameters,milliseconds,flops\nbow,20,1234,1.5,5e4\n")
    assert read_costs(tmp_path / "models.csv") == {("bow", 20): costs[0]}  # of a file from before code and machine were kept
    with pytest.raises(NetworkError, match=r"bench models --write. writes it"):
        read_costs(tmp_path / "nothing.csv")


def test_a_table_says_what_measured_it():
    points = [ScalingPoint("bow", size, 20, 5.0, 1.25, 300.0, "c0de", "AMD; avx2") for size in (10, 100)]
    assert measured_by(points) == "measured by code c0de on AMD; avx2"
    assert measured_by([*points, Cost("bow", 20, 1234, 1.5, 5e4)]) == (
        "measured by code c0de (2), that was not recorded (1) on AMD; avx2 (2), a machine that was not recorded (1)"
    )


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
    done = memnet(
        "bench",
        "memory",
        10,
        40,
        "--preset",
        "bow",
        "--set",
        "epochs=20",
        "--questions",
        10,
        "--write",
        tmp_path / "memory.csv",
    )
    assert done.returncode == 0, done.stderr
    points = read_scaling(tmp_path / "memory.csv")
    assert [(point.preset, point.statements, point.questions) for point in points] == [("bow", 10, 10), ("bow", 40, 10)]
    assert all(0 <= point.error <= 100 and point.milliseconds > 0 and point.peak > 50 for point in points)
    run = tmp_path / "run"
    options = ["--restarts", 1, "--set", "epochs=1", "--preset", "bow"]
    assert memnet("train", "qa1", *options, "--out", run).returncode == 0
    done = memnet("bench", "models", run, "--questions", 5, "--write", tmp_path / "models.csv")
    assert done.returncode == 0, done.stderr
    of_bow = read_costs(tmp_path / "models.csv")["bow", 20]
    assert (of_bow.code, of_bow.machine) == (points[0].code, points[0].machine) == (code_hash(), machine())
    assert of_bow.parameters > 1000
    assert of_bow.milliseconds > 0
    stories, tests = simulated_task("qa1", seed=0)
    task, net = Task.of("sim/qa1", stories, tests, ""), load_network(run)
    with MatrixProducts() as counted:
        Predictor(net[0], net[1]).ask(tests[0].statements[: tests[0].questions[0].after], tests[0].questions[0].text, reads=3)
    assert cost(run, task, 1).flops == counted.operations > 1_000
    other = tmp_path / "other"
    assert memnet("train", "qa2", *options, "--out", other).returncode == 0
    assert "expected networks of one task" in refused("bench", "models", run, other)
    assert "there is no folder" in refused("bench", "models", run, "--write", tmp_path / "nowhere" / "x.csv")
    assert "setting 'hops'" in refused("bench", "memory", 10, "--preset", "bow", "--preset", "lstm", "--set", "hops=2")
    assert "memory_size=5 is set" in refused("bench", "memory", 10, "--preset", "bow", "--set", "memory_size=5")
    done = memnet("plot", "curves", run, "--out", tmp_path / "curves.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "bad.jsonl").write_text('{"epoch": "x"}\n')
    assert "is not a training's metrics" in refused("plot", "curves", tmp_path / "bad.jsonl", "--out", tmp_path / "c.png")
    story = tmp_path / "story.txt"
    story.write_text("1 Mary went to the kitchen.\n2 John went home.\n3 Where is Mary?\tkitchen\t1\n")
    done = memnet("plot", run, tmp_path / "map.svg", "--story", story)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    story.write_text("Mary went to the kitchen.\n")
    assert "asks nothing" in refused("plot", run, tmp_path / "map.svg", "--story", story)
    assert "leave --task and --question out" in refused("plot", run, "map.svg", "--story", story, "--question", 2)

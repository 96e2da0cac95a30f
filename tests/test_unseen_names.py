"""``memnet bench unseen-names``: questions with other names, refusals, calibration, everyday stories, and their page."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import memnet as package
from memnet.ask.answer import Answer
from memnet.ask.predictor import Predictor
from memnet.errors import NetworkError
from memnet.measure import latency, unseen_names
from memnet.measure.everyday import EverydayStory, ask_everyday, is_right, parts_of, read_everyday
from memnet.measure.latency import Wait, answer_times, seconds_of
from memnet.measure.unseen_names import Reply, ask_stories, calibration_error, error, of_everyday, of_task, refused
from memnet.record.measurements import NetworkNumber, read_csv, write_csv
from memnet.reports.unseen_names_page import ERRORS, OTHERS, Numbers, in_the_package, tables
from memnet.tasks.families import Task
from memnet.tasks.text import Question, Story, words
from tests.conftest import ran, wander
from tests.conftest import refused as refused_command

ROOT = Path(__file__).parent.parent
PAPERS = ROOT / "results" / "published.csv"
FEW = 40  # of the 250 stories of a test set
ABOUT = ("open-joint", "sim", "0123456789ab")


class Oracle:
    """In place of a predictor: says where somebody went last, refuses who is not told of, and does not know Zoe."""

    def __init__(self, sure: float = 0.9) -> None:
        self.sure, self.asked = sure, 0

    def read_question(self, question: str) -> None:
        if "Zoe" in question:
            raise package.errors.AskError("I know none of the words of that question.")

    def ask_many(self, asked: Sequence[tuple[Sequence[str], str]]) -> list[Answer]:
        return [self.ask(story, question) for story, question in asked]

    def ask(self, story: Sequence[str], question: str, **_: Any) -> Answer:
        self.read_question(question)
        self.asked += 1
        who = words(question)[-1]
        places = [words(text)[-1] for text in story if words(text)[0] == who]
        return Answer(
            places[-1].upper() if places else "nowhere", self.sure, [], [], [], {}, 0, unanswerable=0.0 if places else 0.9
        )


def predictor(oracle: Oracle) -> Predictor:
    return oracle  # type: ignore[return-value]


STORY = Story(
    ("Mary went to the kitchen.", "John went to the garden.", "Mary went to the office."),
    (
        Question("Where is Mary?", "kitchen", (0,), 1),
        Question("Where is Mary?", "office", (2,), 3),
        Question("Where is John?", "attic", (1,), 3),
        Question("Where is Fred?", "nowhere", (), 3),
        Question("Where is Zoe?", "attic", (), 3),
    ),
)


def test_questions_are_asked_of_what_was_told_before_them():
    replies = ask_stories(predictor(Oracle()), [STORY])
    assert replies == [
        Reply(True, False, 0.9),
        Reply(True, False, 0.9),
        Reply(False, False, 0.9),
        Reply(True, True, 0.9),  # a guess that is right, and yet refused
        Reply(False, True, 0.0),  # not understood
    ]
    assert error(replies) == pytest.approx(60)  # what is refused is no answer
    assert refused(replies) == pytest.approx(40)


def test_questions_are_asked_in_parts(monkeypatch: pytest.MonkeyPatch):
    whole = ask_stories(predictor(Oracle()), [STORY] * 3)
    monkeypatch.setattr(unseen_names, "CHUNK", 2)
    assert ask_stories(predictor(Oracle()), [STORY] * 3) == whole


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([Reply(True, False, 1.0)] * 4, 0.0),
        ([Reply(False, False, 1.0)] * 4, 100.0),
        ([Reply(True, False, 0.95), Reply(False, False, 0.95)], 45.0),
        ([Reply(True, False, 0.75), Reply(False, True, 0.25)], 25.0),  # two bins, each 0.25 off
        ([Reply(True, False, 0.55), Reply(True, False, 0.55), Reply(False, False, 0.05), Reply(False, False, 0.05)], 25.0),
    ],
)
def test_the_expected_calibration_error(replies: list[Reply], expected: float):
    assert calibration_error(replies) == pytest.approx(expected)
    assert calibration_error(replies[::-1] * 2) == pytest.approx(expected)


def test_a_wide_bin_lets_errors_cancel():
    replies = [Reply(True, False, 0.75), Reply(False, True, 0.25)]
    assert calibration_error(replies, bins=1) == pytest.approx(0)


def test_every_measure_of_a_task():
    stories = wander(3)
    task = Task.of("babi/qa1", stories, stories, "x")
    rows = of_task(predictor(Oracle()), task)
    values = {measure: value for measure, _, _, value in rows}
    assert values == {
        "published": 0.0,
        "refused": 0.0,
        "calibration": pytest.approx(10),  # always right, said with 0.9
        "people": 0.0,  # an oracle reads any name
        "everything": pytest.approx(values["everything"]),
        "sys-babi": 0.0,
        "refused without evidence": 100.0,
    }
    assert 0 < values["everything"] < 100  # it reads the last word of a place alone: "tennis court"
    assert {row[1:3] for row in rows if row[0] == "published"} == {("qa1", 60)}
    assert {row[1] for row in rows} == {"qa1"}


def test_stories_that_no_renaming_changes_are_asked_about_once():
    stories = [Story(("Fluff went to the kitchen.",), (Question("Where is Fluff?", "kitchen", (0,), 1),))]
    oracle = Oracle()
    rows = of_task(predictor(oracle), Task.of("babi/qa4", stories, stories, "x"))
    assert oracle.asked == 2  # as published, and with another kitchen
    assert [value for measure, _, _, value in rows if measure in ("people", "sys-babi")] == [0.0, 0.0]


EVERYDAY = """\
# kind 1
Mary went to the kitchen. John came to the hall!
and now? Where is Mary\tkitchen | the galley

# kind 8
Tom went to the shop.
Where is Tom?\tshop

# kind 8
It rained.
Where is Zoe?\train
"""


def test_everyday_stories_are_read_as_they_are_typed(tmp_path: Path):
    path = tmp_path / "stories.txt"
    path.write_text(EVERYDAY, encoding="utf-8")
    stories = read_everyday(path)
    assert stories[0] == EverydayStory(
        1, ("Mary went to the kitchen.", "John came to the hall!"), "Where is Mary", ("kitchen", "the galley")
    )
    assert [story.kind for story in stories] == [1, 8, 8]
    assert [ask_everyday(predictor(Oracle()), story) for story in stories] == [(True, False), (True, False), (False, True)]
    assert of_everyday(predictor(Oracle()), stories) == [
        ("everyday", "1", 1, 100.0),
        ("everyday refused", "1", 1, 0.0),
        ("everyday", "8", 2, 50.0),
        ("everyday refused", "8", 2, 50.0),
    ]


@pytest.mark.parametrize("text", ["Mary left.\nWho left?\tmary", "# kind 1\nMary left.\nWho left?", "# kind 1\nWho?\tmary", ""])
def test_what_is_no_everyday_story_is_named_by_its_number_alone(text: str, tmp_path: Path):
    path = tmp_path / "stories.txt"
    path.write_text(EVERYDAY + "\n" + text if text else text, encoding="utf-8")
    with pytest.raises(NetworkError, match=r"stories.txt: story \d is not of the form") as raised:
        read_everyday(path)
    assert "Mary" not in str(raised.value)
    with pytest.raises(NetworkError, match="cannot be read"):
        read_everyday(tmp_path / "none.txt")


def test_the_everyday_stories_of_the_project_are_of_the_form():
    assert len(read_everyday(ROOT / "tests" / "everyday_stories.txt")) == 200


@pytest.mark.parametrize(
    ("said", "answers", "right"),
    [
        ("Kitchen", ["the kitchen"], True),
        ("football,milk", ["the milk and a football"], True),
        ("apple, milk and football", ["milk,football,apple"], True),
        ("milk", ["milk and football"], False),
        ("milk,milk", ["milk"], False),
        ("lab", ["cafeteria", "lab"], True),
        ("e,s", ["east, then south"], True),
        ("s,e", ["east, then south"], False),
        ("then", ["the n"], False),
        ("band", ["band"], True),
        ("", [""], True),
    ],
)
def test_answers_that_are_the_same_in_other_words(said: str, answers: list[str], right: bool):
    assert is_right(said, answers) == right
    assert is_right(said, [said])


def test_an_answer_with_and_inside_a_word_is_one_part():
    assert parts_of("a bandana") == ["bandana"]


def test_the_wait_is_the_median_of_whole_stories_and_of_questions_about_a_known_one(monkeypatch: pytest.MonkeyPatch):
    now, asked = [0.0], []
    spent = iter([3.0, 0.5, 1.0, 0.25, 2.0, 0.125])  # seconds of each question: a whole story, then the same one encoded

    class Slow:
        def ask(self, story: object, question: str) -> None:
            asked.append(story)
            now[0] += next(spent)

        def encode_story(self, statements: list[str]) -> str:
            now[0] += 100  # not counted
            return f"encoded {len(statements)}"

    monkeypatch.setattr(latency, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    wait = answer_times(cast("Predictor", Slow()), questions=3, statements=50)
    assert wait == (2000.0, 250.0)
    assert [isinstance(story, list) and len(story) for story in asked[::2]] == [50, 50, 50]
    assert asked[1::2] == ["encoded 50"] * 3
    assert all(len(story.statements) >= 50 for story in latency.long_stories(50, 3))


def test_a_command_that_fails_is_no_measurement():
    assert seconds_of(["true"], "") > 0
    with pytest.raises(NetworkError, match="ended with status 7"):
        seconds_of(["sh", "-c", "exit 7"], "")


def test_the_start_is_the_command_s_time_less_that_of_torch(monkeypatch: pytest.MonkeyPatch):
    spent = iter([5.0, 2.0, 4.0, 3.0, 9.0, 2.5])
    monkeypatch.setattr(latency, "seconds_of", lambda command, typed: next(spent))
    assert latency.start_seconds(Path("x"), 3, True) == 2.5  # the medians of 5, 4, 9 and of 2, 3, 2.5
    spent = iter([5.0, 4.0, 9.0])
    assert latency.start_seconds(Path("x"), 3) == 5


def lines_of(value: Callable[[str, int], float], *others: tuple[str, str, int, float]) -> list[NetworkNumber]:
    measures = ("published", *ERRORS, "refused", "refused without evidence", "calibration")
    numbers = [(measure, f"qa{task}", 1000, value(measure, task)) for measure in measures for task in range(1, 21)]
    return [NetworkNumber(*ABOUT, *number) for number in [*numbers, *others]]


def page(lines: list[NetworkNumber]) -> str:
    return "\n".join(tables(lines, PAPERS))


def test_the_page_has_the_means_the_failed_tasks_and_the_gap_beside_the_papers():
    def value(measure: str, task: int) -> float:
        if measure == "sys-babi" and task in (1, 5):
            return 6.5
        return 0.5 if measure in ("published", "sys-babi") else 1.0

    text = page(lines_of(value))
    assert "| qa1 | 0.5 | 0.0 | 0.0 | 0.0 | 1.0 | 1.0 | 6.5 | 1.0 | 1.0 |  | 1.0 |" in text
    assert "| mean | **0.50** | 0.29 | 1.12 | 7.50 | **1.00** | **1.00** | **1.10** | **1.00** | **1.00** |  |" in text
    assert "| failed (> 5 %) | 0 | 0 | 1 | 6 | 0 | 0 | 2 |" in text
    assert "| ours, `open-joint` | the 12 of the papers | 0.50 | 1.00 | 0.50 |" in text  # task 5 is not in their mean
    assert "| ours, `open-joint` | the 13 that change | 0.50 | 1.42 | 0.92 |" in text
    assert "| ours, `open-joint` | all 20 | 0.50 | 1.10 | 0.60 |" in text
    assert "| FWM + AID | the 12 of the papers | 0.45 | 1.21 | 0.76 |" in text
    assert "trained on `sim`; weights `0123456789ab`; measured by code" in text
    assert "answered right" not in text


def test_a_part_of_the_tasks_has_no_means_over_all():
    text = page([line for line in lines_of(lambda *_: 1.0) if line.subject != "qa4"])
    assert "the 13 that change" in text
    assert "all 20" not in text


def test_the_page_shows_everyday_stories_size_and_speed():
    others = [("everyday", "1", 10, 90.0), ("everyday", "2", 10, 95.0)]
    others += [("everyday refused", "1", 10, 10.0), ("everyday refused", "2", 10, 0.0)]
    others += [("bytes", "network", 1, 1234567.0), ("ms question", "network", 1, 1.75)]
    text = page(lines_of(lambda *_: 0.0, *others))
    assert "| all | **92.5** | **5.0** |" in text
    assert "of 20 stories" in text
    assert "| file of weights, bytes | 1,234,567 |" in text
    assert "that are known, ms | 1.75 |" in text


def test_one_command_measures_a_network(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(unseen_names, "start_seconds", lambda folder, **_: 1.5)
    monkeypatch.setattr(unseen_names, "answer_times", lambda predictor: Wait(20.0, 2.0))
    monkeypatch.setattr(unseen_names, "ask_stories", lambda predictor, told: ask_stories(predictor, told[:FEW]))
    stories, out = tmp_path / "stories.txt", tmp_path / "open.csv"
    stories.write_text(EVERYDAY, encoding="utf-8")
    options = ("--task", "qa15", "--stories", stories, "--write", out, "--data", published, "--published", PAPERS)
    done = ran("bench", "unseen-names", *options)
    lines = read_csv(out, NetworkNumber)
    assert done.stdout == "\n\n".join(tables(lines, PAPERS)) + "\n"
    numbers = Numbers(lines)
    assert numbers.values("published")["qa15"] < 5
    assert {line.questions for line in lines if line.measure == "published"} == {4 * FEW}
    assert numbers.values("ms story") == {"network": 20.0}
    assert numbers.values("bytes") == {"network": (package.ask.hub.BUNDLED / "model.safetensors").stat().st_size}
    size_and_speed = {"parameters", "bytes", "ms story", "ms question", "s start"}
    assert {line.measure for line in lines} == {"published", *ERRORS, *OTHERS, "everyday", "everyday refused", *size_and_speed}
    assert "qa15: published" in done.stderr
    assert "there is no folder" in refused_command("bench", "unseen-names", "--write", tmp_path / "no" / "open.csv")


def test_the_sentence_about_the_network_in_the_package(tmp_path: Path):
    out = tmp_path / "open.csv"
    errors = {"qa1": 0.0, "qa2": 6.0, "qa3": 7.3}
    out.write_text(write_csv([NetworkNumber(*ABOUT, "published", task, 1000, value) for task, value in errors.items()]))
    assert "4.4 % of the published test questions are answered wrong, and 2 tasks fail" in " ".join(in_the_package(out).split())
    out.write_text(write_csv([NetworkNumber(*ABOUT, "people", "qa1", 1000, 0.0)]))
    with pytest.raises(NetworkError, match="no errors on the published test sets"):
        in_the_package(out)


def test_what_is_measured_is_what_asking_says():
    network = package.load()
    story = Story(
        ("Mary went to the kitchen.", "John went to the garden."),
        (
            Question("Where is Mary?", "kitchen", (0,), 2),
            Question("Where is John?", "kitchen", (1,), 2),
            Question("Where is Sandra?", "kitchen", (), 2),
        ),
    )
    for one, question in zip(ask_stories(network, [story]), story.questions, strict=True):
        answer = network.ask(list(story.statements), question.text)
        assert (one.right, one.refused) == (answer.answer == question.answer, not answer.answerable)
        assert one.probability == pytest.approx(answer.probability, abs=1e-5)

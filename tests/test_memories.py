"""Memories side by side: what the baselines find, how outcomes are counted, and the benchmarks' own data."""

import json
import math
import os
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from memnet.cli.bench_memory import app as bench
from memnet.errors import ConfigError
from memnet.measure.memories import BASELINES, Remembering, share, system
from memnet.measure.remembered import Asked, Tally
from memnet.measure.remembering import conversations as measure
from memnet.measure.remembering import facts, logs, refused
from memnet.record.measurements import MemoryScore, read_csv, write_csv
from memnet.tasks.families import NotAtHand
from memnet.tasks.families.locomo import KINDS, conversations

LOCOMO = Path(os.environ.get("MEMNET_DATA", "")) / "families" / "locomo"

LINES = ["Ann moved pump 7 to bay 3.\n", "Bill took the drill.\n", "Ann moved pump 7 to the attic.\n", *["It rained.\n"] * 4]


@pytest.mark.parametrize("name", BASELINES)
def test_what_a_baseline_finds(name, tmp_path):
    memory = BASELINES[name](tmp_path / "memory")
    memory.remember(LINES)
    assert set(memory.search("Where is pump 7?")) == {0, 2}
    assert memory.search("Who took the drill?", 1) == [1]
    assert memory.search("Where is the submarine?") in ([], [1, 2])  # "the" is a word like another where words are counted
    assert memory.search("?") == []
    assert memory.ask("Where is pump 7?") is None
    assert not memory.answers


def test_grep_finds_the_newest_line_first(tmp_path):
    memory = BASELINES["grep"](tmp_path / "memory")
    memory.remember(LINES)
    assert memory.search("Where is pump 7 now?") == [2, 0]
    assert memory.search("Where is pump 70?") == []


def test_another_memory():
    with pytest.raises(ConfigError, match="expected memnet, bm25, fts5, grep"):
        system("mem0")


class ByHand:
    """Answers by a table, and finds what it is told to."""

    answers = True
    said = {"a": "1", "b": "2", "c": None, "d": None, "e": "3"}  # noqa: RUF012

    def __init__(self, folder):
        folder.mkdir()
        (folder / "file").write_text("x" * 1000)

    def remember(self, entries):
        self.told = list(entries)

    def ask(self, question):
        return self.said[question]

    def search(self, question, k=10):
        return [9, 8, 7, 6, 5, 1][:k]


def test_outcomes_are_counted():
    def one(text: str, answer: str | None, *evidence: int, seen: tuple[str, ...] = ()) -> Asked:
        return Asked(text, "x" if answer else "y", (lambda said: said == answer), answer is not None, evidence, seen)

    memory: type[Remembering] = ByHand
    tally = Tally("benchmark", "set", "by hand")
    lines = [*LINES, "", "", "the box is in bay 9"]
    tally.add(
        lines,
        [
            one("a", "1", 9, seen=("Bay 9.",)),
            one("b", "5", 1, 2),
            one("c", "7", seen=("bay 8",)),
            one("d", None),
            one("e", None),
        ],
        memory,
    )
    whole, x, y = tally.rows()
    assert (whole.questions, whole.right, whole.wrong, whole.refused) == (5, 33.33, 33.33, 33.33)
    assert (whole.rightly_refused, whole.found_5, whole.found_10) == (50, 50, 75)
    assert whole.in_first == 50
    assert whole.megabytes == 0.001
    assert (x.kind, x.questions, x.right) == ("x", 3, 33.33)
    assert math.isnan(x.rightly_refused)
    assert (y.questions, y.rightly_refused) == (2, 50)
    assert math.isnan(y.right)
    assert math.isnan(y.found_5)


def test_scores_are_written_and_read(tmp_path):
    tally = Tally("benchmark", "set", "grep")
    tally.add(LINES, [Asked("Where is pump 7?", "where", refused, False, (2,))], BASELINES["grep"])
    path = tmp_path / "memory.csv"
    path.write_text(write_csv([*tally.rows()]))
    read = read_csv(path, MemoryScore)
    assert [row.place for row in read] == [("benchmark", "set", "grep", kind) for kind in ("all", "where")]
    assert math.isnan(read[0].rightly_refused)
    assert read[0].found_5 == 100


def test_share():
    assert share([3, 1], (1, 2)) == 0.5
    assert share([], ()) == 1.0


@pytest.mark.parametrize("name", ["bm25", "fts5", "grep"])
def test_a_log_and_facts_by_a_baseline(name):
    (whole, *_) = logs({name: BASELINES[name]}, [60], [True], number=2)
    assert whole.set == "60 lines, dates"
    assert whole.found_10 > 40
    (facts_found, *kinds) = facts({name: BASELINES[name]}, ["6k"], number=10)
    assert [row.kind for row in kinds] == ["single hop", "2 hops", "3 hops", "4 hops", "never told"]
    assert facts_found.found_10 > 10
    assert kinds[0].found_10 >= kinds[3].found_10


def saved() -> dict[str, object]:
    turns = [
        {"speaker": "Ann", "dia_id": f"D1:{n}", "text": text} for n, text in enumerate(("Hi, Bob!", "I adopted a\n cat."), 1)
    ]
    asked = [
        {"question": "What did Ann adopt?", "answer": "a cat", "evidence": ["D1:2"], "category": 4},
        {"question": "What did Bob adopt?", "adversarial_answer": "a cat", "evidence": ["D:1:2; D9:9"], "category": 5},
        {"question": "Why?", "answer": 7, "evidence": [], "category": 3},
    ]
    return {"session_1_date_time": "1 May, 2023", "session_1": turns, "qa": asked}


@pytest.mark.parametrize("zipped", [True, False])
def test_conversations_are_read(zipped, tmp_path):
    if zipped:
        path = tmp_path / "locomo10.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("folder/26.json", json.dumps(saved()))
    else:
        path = tmp_path / "locomo10.json"
        qa = saved()
        path.write_text(json.dumps([{"sample_id": "26", "qa": qa.pop("qa"), "conversation": qa}]))
    (one,) = conversations(tmp_path)
    assert one.name == "26"
    assert [turn.line for turn in one.turns] == ["Ann: Hi, Bob!", "Ann: I adopted a cat."]
    assert one.turns[1].when == "1 May, 2023"
    assert [(asked.kind, asked.answer, asked.evidence) for asked in one.questions] == [
        ("single hop", "a cat", (1,)),
        ("adversarial", None, (1,)),
        ("open domain", "7", ()),
    ]
    whole, single, adversarial = measure({"grep": BASELINES["grep"]}, [one])
    assert (whole.questions, single.kind, adversarial.kind) == (2, "single hop", "adversarial")


def test_conversations_that_are_not_there(tmp_path):
    with pytest.raises(NotAtHand, match=r"get data/locomo10\.json from"):
        conversations(tmp_path)
    (tmp_path / "locomo10.json").write_text('[{"qa": []}]')
    with pytest.raises(NotAtHand, match="is not LoCoMo's file"):
        conversations(tmp_path)


@pytest.mark.skipif(not LOCOMO.is_dir(), reason="LoCoMo is not here")
def test_bm25_finds_as_many_turns_as_is_printed():
    told = conversations(LOCOMO)
    assert sum(len(one.questions) for one in told) == 1986
    rows = {row.kind: row for row in measure({"bm25": BASELINES["bm25"]}, told)}
    assert set(rows) == {"all", *KINDS.values()}
    found = [rows["all"].found_5, rows["all"].found_10, rows["several hops"].found_5, rows["several hops"].found_10]
    assert found == pytest.approx([46.2, 54.1, 14.3, 21.2], abs=0.5)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["memory-log", "--system", "mem0"], "there is no memory called 'mem0'; expected memnet, bm25, fts5, grep"),
        (["memory-facts", "--length", "7k"], "7k"),
        (["memory-facts", "--published", "nowhere.parquet", "--system", "grep"], "nowhere.parquet cannot be read"),
        (["memory-conversations", "--conversations", "nowhere"], "LoCoMo is not here"),
        (["memory-texts", "--style", "loud"], "loud"),
        (["memory-texts", "--length", "7k"], "7k"),
    ],
)
def test_what_cannot_be_measured_is_said(typed, said):
    result = CliRunner().invoke(bench, typed)
    assert result.exit_code in (1, 2)
    assert said in " ".join(result.output.split())


def test_a_benchmark_is_written_and_added_to(tmp_path):
    path = tmp_path / "memories.csv"
    for lines in ("30", "40"):
        typed = ["memory-log", "--lines", lines, "--questions", "1", "--system", "grep", "--write", str(path)]
        result = CliRunner().invoke(bench, typed)
        assert result.exit_code == 0, result.output
    assert {row.set for row in read_csv(path, MemoryScore)} == {"30 lines, dates", "40 lines, dates"}

"""The comparison of simulated and published stories finds what differs, and nothing where nothing does."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from memnet.tasks.families import NotAtHand, Task, fidelity
from memnet.tasks.families.fidelity import (
    alone,
    area,
    check,
    chi_squared,
    facts,
    holm,
    p_values,
    published_stories,
    template,
)
from memnet.tasks.simulator import simulate
from memnet.tasks.text import parse
from tests.conftest import memnet


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]


def test_chi_squared():
    assert chi_squared(["a"] * 50, ["a"] * 70) == 1.0
    assert chi_squared(["a"] * 50 + ["b"] * 50, ["a"] * 50 + ["b"] * 50) == 1.0
    assert chi_squared(["a"] * 80 + ["b"] * 20, ["a"] * 50 + ["b"] * 50) < 1e-4
    assert chi_squared(["a"] * 50 + list(range(3)), ["a"] * 50) > 0.05  # three rare ones are one value


def test_what_one_side_lacks_must_have_been_expected_there():
    assert alone(Counter(a=90, b=10), Counter(a=100)) == ["b"]
    assert alone(Counter(a=91, b=9), Counter(a=100)) == []
    assert alone(Counter(a=900, b=100), Counter(a=10)) == []
    assert alone(Counter(a=100), Counter(a=90, c=10)) == ["c"]


def test_templates_and_facts():
    assert template("Mary went to the kitchen.") == template("John went to the park.") == "PERSON went to the PLACE"
    text = "1 Mary got the milk.\n2 John sat.\n3 Mary left.\n4 Where is it? \thome\t3 1\n5 John ran.\n6 Who? \tJohn\t5\n"
    two = {facts(parse(text)[0], Random(seed)) for seed in range(20)}
    assert {(f.length, f.questions, f.first_gap, f.later_gap) for f in two} == {(4, 2, 3, 1)}
    assert {(f.answer, f.number_of_facts, f.order_of_facts, f.newest_fact, f.oldest_fact) for f in two} == {
        ("home", 2, "1 0", 1, 3),
        ("John", 1, "0", 1, 1),
    }


def test_a_classifier_tells_other_stories_apart_and_not_the_same():
    first, second, other = simulate("qa1", 600, 1), simulate("qa1", 600, 2), simulate("qa12", 600, 1)
    assert area(first, second, 0) < 0.65
    assert area(first, other, 0) > 0.95
    assert min(p_values(first, second, 0).values()) > 0.001
    assert min(p_values(simulate("qa2", 600, 1), first, 0).values()) < 1e-6


def test_simulated_stories_are_as_the_published_ones(published: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fidelity, "SIDE", 60)
    table, wrong = check(["qa17", "qa20"], published, splits=1, draws=1)
    assert [each for each in wrong if "classifier" not in each] == []  # one split bounds nothing
    assert "| qa17 | 1250 | 0, 0, 0 |" in table
    assert "10000 of 10000" in table


class AtHand:
    """A family of one task, or of none."""

    def __init__(self, task: Task | None) -> None:
        self.found = task

    def task(self, name: str, seed: int, data: Path | None) -> Task:
        if self.found is None:
            raise NotAtHand(name)
        return self.found


def test_the_simulator_is_never_held_against_a_test_set(monkeypatch: pytest.MonkeyPatch):
    few, many, asked = (simulate("qa1", 30, seed) for seed in range(3))
    thousand = AtHand(Task("babi/qa3", few, {"test": asked}, ""))
    monkeypatch.setattr(fidelity, "FAMILIES", {"babi": thousand, "babi-10k": AtHand(None)})
    assert published_stories("qa3", None) == few
    whole = AtHand(Task("babi-10k/qa3", many, {"test": asked}, ""))
    monkeypatch.setattr(fidelity, "FAMILIES", {"babi": thousand, "babi-10k": whole})
    assert published_stories("qa3", None) == many


def test_data_check_without_what_it_needs_is_one_sentence(tmp_path: Path):
    for arguments, said in [
        ((), "name a folder"),
        (("--simulator", "--task", "qa1", "--data", tmp_path), "is not in --data"),
        (("--simulator", "--task", "qa99"), "babi has no 'qa99'"),
    ]:
        done = memnet("data", "check", *arguments)
        assert done.returncode != 0
        assert said in done.stderr
        assert "Traceback" not in done.stderr

"""What a plugin's family loads: a fault of it is refused in one sentence, before anything is trained."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memnet.tasks.families import DataError, Family, Task
from memnet.tasks.text import Question, Story
from tests.conftest import refused

ASKED = Question("Which pot is full?", "red", (1,), 2, ("red", "blue"), "one")
TOLD = Story(("The blue pot is dry.", "The red pot is full."), (ASKED,))
GOOD = Task("pots/two", [TOLD], {"near": [TOLD], "far": [TOLD]}, "pots0", [TOLD])
pytestmark = pytest.mark.usefixtures("no_plugins")


def family(load: Callable[..., Any]) -> Family:
    """A family of one member, which ``load`` gives."""
    return Family("pots", "Pots", {"two": "two pots"}, load, "drawn", seeds=range(3))


def asking(**changed: Any) -> Task:
    """The data set with another question in its last split, in the second story."""
    return replace(GOOD, splits={**GOOD.splits, "far": [TOLD, replace(TOLD, questions=(replace(ASKED, **changed),))]})


def test_what_is_right_is_loaded():
    assert family(lambda *_: GOOD).task("two") is GOOD
    assert family(lambda *_: asking(answer="green", also=("Blue",))).task("two")  # another answer that is right is one of them
    assert family(lambda *_: asking(candidates=(), supporting_facts=(), kind="")).task("two")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (([TOLD], {"test": [TOLD]}), "load gives ([<Story of 2 statements"),
        (None, "load gives None; expected a Task"),
        (replace(GOOD, name="jars/two"), "its Task is named 'jars/two'; expected 'pots/two'"),
        (replace(GOOD, name="pots"), "its Task is named 'pots'; expected 'pots/two'"),
        (replace(GOOD, hash=7), "its hash is 7; expected a word"),
        (replace(GOOD, splits={}), "its splits are {}; expected test stories by name"),
        (replace(GOOD, splits=[TOLD]), "its splits are [<Story"),
        (replace(GOOD, splits={"near": [TOLD], "far": []}), "the split 'far' of its test stories have no question"),
        (replace(GOOD, train=[]), "training stories have no question"),
        (replace(GOOD, valid=[]), "validation stories have no question"),
        (replace(GOOD, train=["1 The pot is dry."]), "training stories are ['1 The pot is dry.']; expected a list of Story"),
        (replace(GOOD, train=[replace(TOLD, statements="The pot")]), "has the statements 'The pot'; expected a tuple"),
        (replace(GOOD, train=[replace(TOLD, questions=("Which?",))]), "training story 1, 'Which?': expected a Question"),
        (asking(text=" "), "its text is ' '; expected words"),
        (asking(answer=3), "its answer is 3; expected words"),
        (asking(answer="green"), "its answer 'green' is none of its 2 candidates (red, blue)"),
        (asking(candidates=("red", "blue", "Red")), "'red' is twice among its candidates"),
        (asking(candidates=["red", "blue"]), "its candidates are ['red', 'blue']; expected a tuple of answers"),
        (asking(after=3), "after=3; expected 0 to 2, so many statements the story has"),
        (asking(after=1), "its supporting fact 1 is none of the 1 statements before it, which are counted from 0"),
        (asking(supporting_facts=(2,)), "its supporting fact 2 is none of the 2 statements before it"),
        (asking(supporting_facts=("1",)), "its supporting fact '1' is none"),
        (asking(supporting_facts=1), "its supporting facts are 1; expected a tuple of numbers"),
        (asking(kind=None), "its kind is None; expected a word"),
    ],
)
def test_what_is_wrong_is_refused_in_a_sentence(found: Any, said: str):
    with pytest.raises(DataError, match=re.escape(said)) as error:
        family(lambda *_: found).task("two")
    assert str(error.value).startswith("the family 'pots' loads 'two' wrongly: ")
    if found == asking(answer="green"):
        assert "the split 'far' of its test story 2, 'Which pot is full?'" in str(error.value)


def test_a_seed_is_part_of_the_name():
    with pytest.raises(DataError, match="is named 'pots/two'; expected 'pots/two@2'"):
        family(lambda *_: GOOD).task("two", 2)


PLUGIN = """
from memnet.tasks.families import FAMILIES, Family
FAMILIES["pots"] = Family("pots", "Pots", {"two": "two pots"}, lambda member, seed, folder: {}[member], "drawn")
"""


@pytest.mark.parametrize("command", [("train",), ("sweep",), ("data", "show")])
def test_an_error_of_a_plugins_load_is_one_sentence_that_names_its_line(command: tuple[str, ...], tmp_path: Path):
    (plugin := tmp_path / "pots_plugin.py").write_text(PLUGIN, encoding="utf-8")
    said = refused("--plugin", plugin, *command, "pots/two")
    assert said == f"memnet: the family 'pots' cannot load 'two': KeyError: 'two' ({plugin}:3)\n"

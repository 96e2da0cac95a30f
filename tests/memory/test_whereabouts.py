"""Which sentences of a memory are read for a question of whereabouts: of a book those that pass the gate, of a log all."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.whereabouts import FEW, LITTLE, Sentences, unquoted

WHO = ("The old man", "Dorothea", "Her brother", "The widow", "Nobody in the family")
DOES = ("was weary of", "had never forgiven", "remembered with a sigh", "could not bear the thought of", "was proud of")
WHAT = ("such a marriage", "those long summers", "the honour of the house", "her own happiness")
PROSE = [f"{who} {does} {what}." for who, does, what in product(WHO, DOES, WHAT)]  # made up
LOG = [
    f"{what} was moved from the {first} to the {last} by {who}."
    for what, (first, last), who in product(
        ("Pump 7", "The ladder", "Crate 12", "The drill"),
        (("office", "shed"), ("shed", "cellar"), ("cellar", "yard")),
        ("Helen", "Tom", "Oscar"),
    )
]
MOVED = Entry("Dorothea went to the library.", source="book", line=41)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory") as memory:
        yield memory


def told(memory: Memory, *parts: list[str] | list[Entry]) -> Sentences:
    for part in parts:
        memory.add(part)
    return Sentences(memory.long)


def test_of_a_book_what_passes_the_gate_is_read(memory: Memory):
    sentences = told(memory, PROSE, [MOVED], PROSE)
    assert sentences.gated is True
    found = sentences.find(["dorothea"], 50)
    assert [one.text for one in found if one.number not in sentences.doubtful] == [MOVED.text]
    assert len(sentences.holding(["dorothea"])) == 1 + 2 * sum("Dorothea" in text for text in PROSE)
    assert memory.ask("Where is Dorothea?").answer != "library"
    assert Sentences(memory.long).following(0) is None


def test_a_book_is_crowded_by_a_name_that_many_sentences_have(memory: Memory):
    sentences = told(memory, PROSE * 30, [MOVED])
    many = sum("Dorothea" in text for text in PROSE * 30) + 1
    assert many > FEW
    assert sentences.crowded(["dorothea"]) is True
    assert sentences.crowded(["library"]) is False
    memory.add([f"Dorothea moved crate {number} to the shed." for number in range(2 * len(PROSE) * 30)])
    assert Sentences(memory.long).crowded(["dorothea"]) is False  # no book any more


def test_of_a_crowded_book_a_story_of_a_task_is_read_by_its_network(memory: Memory):
    story = ["Mary went to the kitchen.", "Mary got the football there.", "Mary travelled to the garden."]
    others = [text.replace("Dorothea", "Mary") for text in PROSE]
    memory.add([*others * 30, *story, *others * 30])
    assert Sentences(memory.long).crowded(["mary"]) is True
    answer = memory.ask("Where is the football?")
    assert answer.answer == "garden"
    assert {read.sentence for hop in answer.hops for read in hop} <= {*story}


def test_quotation_marks_are_left_out():
    assert unquoted('"Ann went to the hall."') == unquoted("“Ann went to the hall.”") == "Ann went to the hall."

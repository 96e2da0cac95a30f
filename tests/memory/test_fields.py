"""What a memory answers from a table without a template: the row that a question names, and the column that it asks for."""

from pathlib import Path

import pytest

from memnet.ask.answer import Answer
from memnet.memory import Entry, Memory
from memnet.memory.entries import Reading, entries

STOCK = "part;store;qty\nleft rotor;amber;3\nleft rotor 2;North;40\nmain seal;ochre;7\nleft rotor;Hall 2;1\n"
STAFF = "full_name,department,line_manager,office,assigned_to,start_date\n"
STAFF += "Ada Novak,R&D,Hugo Sato,Graz,line 4,2012-03-18\nHugo Sato,Sales,Ada Novak,Oslo,line 5,2020-07-01\n"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("fields")
    memory = Memory.open(folder / "memory")
    for name, text in (("stock.csv", STOCK), ("staff.csv", STAFF)):
        (folder / name).write_text(text, encoding="utf-8")
        memory.add(Entry(*one) for one in entries(folder / name, Reading()))
    return memory


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which store has the left rotor?", "Hall 2"),  # the newest row
        ("Where is the left rotor?", "Hall 2"),
        ("Where is the left rotor 2 stored?", "North"),
        ("How many are there of the main seal?", "7"),
        ("What is the qty of the main seal?", "7"),
        ("Which department is Ada Novak in?", "R&D"),
        ("Who is Ada Novak's manager?", "Hugo Sato"),
        ("Who is the manager of Hugo Sato?", "Ada Novak"),
        ("Where is Ada Novak?", "Graz"),
        ("When did Hugo Sato start?", "2020-07-01"),
        ("What is Hugo Sato assigned to?", "line 5"),
    ],
)
def test_a_row_and_a_column_are_an_answer(memory: Memory, question: str, right: str):
    answer = memory.ask(question)
    assert answer.answerable
    assert answer.answer == right


def refused(answer: Answer) -> str:
    assert not answer.answerable
    return answer.reason


def test_what_is_no_column_is_refused_and_the_columns_are_named(memory: Memory):
    assert "its department, line manager, office" in refused(memory.ask("What is the salary of Ada Novak?"))
    assert refused(memory.ask("Where is the lower rotor?"))


def test_an_older_row_is_superseded_and_the_evidence_has_its_line(memory: Memory):
    answer = memory.ask("Which store has the left rotor?")
    assert [(Path(read.source).name, read.line) for read in answer.evidence] == [("stock.csv", 5)]
    assert [read.sentence for read in answer.superseded] == ["The store of left rotor is amber."]


def test_a_later_sentence_goes_before_an_older_row(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    memory.add(["The room of drill is shed.", "The color of drill is red."])
    assert memory.ask("Where is the drill?").answer == "shed"
    memory.add("Ann moved the drill to the attic.")
    assert memory.ask("Where is the drill?").answer == "attic"
    assert memory.ask("What color is the drill?").answer == "red"


def test_what_somebody_carries_is_no_place(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    memory.add("Dorothea took the key.")
    assert refused(memory.ask("Where is Dorothea?")) == "nothing says where Dorothea is"
    memory.add("Dorothea went to the attic.")
    assert memory.ask("Where is the key?").answer == "attic"

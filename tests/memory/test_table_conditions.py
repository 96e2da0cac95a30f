"""Questions about tables whose conditions are denied, of numbers, of empty cells, or of several files and a text."""

from functools import cache
from pathlib import Path

import pytest

from memnet.ask.answer import Answer
from memnet.memory import Memory
from tests.memory.asked import refuses, says, take_in

TOOLS, STAFF, ASSETS, FLATS, AGES = "tools", "staff", "assets", "flats", "ages"
TABLES = {
    TOOLS: (
        "Item,Owner,Place,Price,Notes\ndrill,Ann,shed,120,max 100 kg\nsaw,Bob Reed,cellar,80,\n"
        "ladder,Ann,shed,150,needs a step\nhammer,,,20,old\nvice,Zoe,cellar,90,not used\n"
    ),
    STAFF: (
        "Name,City,Manager,Remote,Salary\nAnn Lee,Graz,Zoe,yes,61000\nBob Reed,Linz,Max,yes,52000\n"
        "Cara Dunn,Graz,Zoe,no,48000\nDan Frey,Wien,Max,,55000\nEva Holt,Linz,,no,70000\n"
    ),
    ASSETS: (
        'Asset,Serial number,Price,Weight\nlathe,1024,"750,5",12\nmill,2048,"1200,0",n/a\n'
        'lamp,4096,-,3\npress,512,"99,9",?\nsaw,77,n/a,7\n'
    ),
    AGES: "Name,Age,Manager,Salary\nAnn,31,Zoe,61000\nBob,40,Zoe,52000\nAnn,52,Max,48000\nCid,20,Zoe,30000\n",
    FLATS: (
        "Flat,Pets,Balcony,Tenant,Rent\nA1,dog,yes,Ann,£500\nA2,no,no,Bob,€600\nA3,none,yes,Ann,£700\n"
        "A4,cat,n,Zoe,$300\nA5,,yes,Max,£100\n"
    ),
}


def add(memory: Memory, folder: Path, name: str, text: str) -> None:
    """A table as a file of this name in a memory."""
    path = folder / f"{name}.csv"
    path.write_text(text, encoding="utf-8")
    take_in(memory, path)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory):
    @cache
    def memory(name: str) -> Memory:
        folder = tmp_path_factory.mktemp("memory")
        found = Memory.open(folder / "memory")
        add(found, folder, name, TABLES[name])
        return found

    def asked(name: str, question: str) -> Answer:
        return memory(name).ask(question)

    return asked


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (TOOLS, "Which items are not in the shed?", "saw and vice"),
        (TOOLS, "How many items are not in the shed?", "2"),  # the place of the hammer is empty
        (TOOLS, "Which items does Ann not own?", "saw and vice"),
        (TOOLS, "Who does not own a saw?", "Ann and Zoe"),
        (TOOLS, "Is the drill not in the shed?", "no"),
        (TOOLS, "Is there no saw in the cellar?", "no"),
        (STAFF, "Who does not work in Graz?", "Bob Reed, Dan Frey and Eva Holt"),
        (STAFF, "Who is not managed by Zoe?", "Bob Reed and Dan Frey"),
        (STAFF, "Who is not in Graz or Linz?", "Dan Frey"),
        (STAFF, "Which people are not in Graz and not in Linz?", "Dan Frey"),
        (STAFF, "Is Bob Reed not remote?", "no"),
        (STAFF, "Isn't Bob Reed remote?", "yes"),
        (STAFF, "Is nobody remote?", "no"),
        (STAFF, "Does Bob Reed not work in Graz?", "yes"),
        (STAFF, "Does anyone not work in Graz?", "yes"),
    ],
)
def test_a_cell_is_denied(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (TOOLS, "Which items are not old?"),  # notes do not say what is not so
        (TOOLS, "What does the drill not cost?"),
        (STAFF, "Who is not in Graz and Linz?"),  # not in both, or in neither
    ],
)
def test_what_not_denies_is_to_be_clear(ask, table: str, question: str):
    answer = ask(table, question)
    assert not answer.answerable, answer.text
    assert "'not'" in answer.reason


def test_what_is_forgotten_about_a_column_leaves_the_table(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    add(memory, tmp_path, TOOLS, TABLES[TOOLS])
    memory.forget(about="owner")
    assert memory.ask("Which items are in the cellar?").text == "saw and vice"
    assert not memory.ask("Who owns the saw?").answerable


def test_columns_are_forgotten_with_the_last_row(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    add(memory, tmp_path, "owners", "Item,Owner\nsaw,Ann\ndrill,Zoe\n")
    memory.forget(about="owner")
    extent = memory.long.extent()
    assert extent.struck == extent.sentences


def test_files_of_the_same_columns_are_one_table(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    add(memory, tmp_path, "first", "Item,Place,Price\ndrill,shed,120\nsaw,cellar,80\nladder,shed,150\n")
    add(memory, tmp_path, "second", "Item,Place,Price\nvice,shed,90\nrope,attic,15\ndrill,attic,60\n")
    assert memory.ask("How many items are there?").text == "5"
    assert memory.ask("Which items are in the shed?").text == "ladder and vice"
    assert memory.ask("What is the most expensive item?").text == "ladder"
    assert memory.ask("What is the price of the saw?").text == "80"
    assert memory.ask("What is the price of the drill?").text == "60"  # the newest row of a name
    assert memory.ask("What is the total price?").text == "395"


def test_a_name_that_two_files_repeat_is_answered_by_the_newest(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    add(memory, tmp_path, "first", "Item,Place,Price\nsaw,cellar,80\nsaw,cellar,80\ndrill,shed,120\n")
    add(memory, tmp_path, "second", "Item,Place,Price\ndrill,attic,60\nvice,shed,90\n")
    assert memory.ask("What is the price of the drill?").text == "60"


def test_a_word_that_only_the_text_beside_a_table_has_is_no_condition_to_leave_out(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    add(memory, tmp_path, TOOLS, TABLES[TOOLS])
    assert "attic" in memory.ask("Which items are in the attic?").reason
    assert "attic" in memory.ask("How many items are in the attic?").reason
    assert not memory.ask("Which items in the shed are broken?").answerable
    memory.add("Mary went to the attic. The broken kettle is in the attic.")
    assert memory.ask("Which items are in the attic?").text == "broken kettle"
    assert memory.ask("Which items are in the shed?").text == "drill and ladder"
    assert not memory.ask("Which items in the shed are broken?").answerable


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (TOOLS, "Which items cost more than 100?", "drill and ladder"),  # "100" is in a note, too
        (TOOLS, "Which items cost less than 100?", "saw, hammer and vice"),
        (TOOLS, "How many items cost more than 100?", "2"),
        (TOOLS, "Which item has a price of 120?", "drill"),
        (TOOLS, "Which item costs 120?", "drill"),
        (STAFF, "Who has a salary of 61000?", "Ann Lee"),
    ],
)
def test_a_number_is_one_of_its_column(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (ASSETS, "Which asset is the most expensive?", "mill"),
        (ASSETS, "Which asset is the lightest?", "lamp"),
        (ASSETS, "What is the total price?", "2050,40"),
        (ASSETS, "What is the total weight?", "22"),
        (ASSETS, "Which assets weigh more than 5?", "lathe and saw"),
        (ASSETS, "What has serial number 1024?", "lathe"),
        (FLATS, "How much rent does Ann pay altogether?", "£1200"),
    ],
)
def test_cells_without_a_number_are_passed_over(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "why"),
    [
        (ASSETS, "What is the price of the lamp?", "the table leaves the Price of lamp empty"),
        (FLATS, "What is the total rent?", "these amounts are in several currencies, £, € and $"),
        (FLATS, "Which flat has the highest rent?", "these amounts are in several currencies, £, € and $"),
    ],
)
def test_amounts_that_are_not_there_or_not_of_one_currency_are_refused(ask, table: str, question: str, why: str):
    refuses(ask(table, question), why)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which flats have pets?", "A1 and A4"),
        ("Which flats have no pets?", "A2 and A3"),  # of A5 nothing is said
        ("Which flats do not have pets?", "A2 and A3"),
        ("How many flats have pets?", "2"),
        ("Does A3 have pets?", "no"),
        ("Does A4 have pets?", "yes"),
    ],
)
def test_cells_that_say_no_are_of_rows_that_do_not_have_it(ask, question: str, right: str):
    answer = ask(FLATS, question)
    assert answer.answerable, answer.reason
    assert answer.text == right


@pytest.mark.parametrize(
    ("table", "question", "sentences"),
    [
        (TOOLS, "Which items are in the cellar?", ["The place of saw is cellar.", "The place of vice is cellar."]),
        (TOOLS, "Which items cost more than 130?", ["The price of ladder is 150."]),
        (FLATS, "Which flats have no balcony?", ["The balcony of A2 is no.", "The balcony of A4 is n."]),
    ],
)
def test_evidence_is_the_cell_that_was_tested(ask, table: str, question: str, sentences: list[str]):
    assert [one.sentence for one in ask(table, question).evidence] == sentences


@pytest.mark.parametrize(
    ("table", "question", "why"),
    [
        (AGES, "What is Zoe's salary?", "no row is of Zoe, who is the manager of 3 rows"),
        (AGES, "How old is Max?", "no row is of Max, who is the manager of 1 row"),
        (AGES, "Who is Zoe?", "no row is of Zoe, who is the manager of 3 rows"),
        (STAFF, "Who is Zoe's manager?", "no row is of Zoe, who is the manager of 2 rows"),
        (AGES, "How old is Ann?", "2 rows are called Ann; say which"),
    ],
)
def test_people_without_a_row_and_two_of_one_name_are_told_apart(ask, table: str, question: str, why: str):
    refuses(ask(table, question), why)


def test_whom_a_person_manages_is_still_found(ask):
    assert ask(AGES, "Who does Zoe manage?").text == "Ann, Bob and Cid"
    assert ask(AGES, "Who is Bob's manager?").text == "Zoe"

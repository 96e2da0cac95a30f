"""Which column, which rows and which kind of answer a question about a table asks for; none of another kind is given."""

from itertools import product
from pathlib import Path

import pytest

from memnet.memory import Entry, Memory
from memnet.memory.columns import chosen, is_of
from memnet.memory.entries import Reading, entries
from memnet.memory.tables.cells import date_of

BOATS = [f"{first} {last}" for first, last in product(("Grey", "Swift", "Merry"), ("Heron", "Otter", "Tern", "Seal"))]
QUAYS, OWNERS, STATES = ("north quay", "dry dock"), ("Edda Falk", "Juho Rinne", "Carla Mendes"), ("sound", "leaking")
HEAD = "boat,quay,owner,price,built,hull,supplier\n"


def row(place: int) -> str:
    boat, quay, owner = BOATS[place], QUAYS[place % 2], OWNERS[place % 3]
    return f"{boat},{quay},{owner},{1000 + place},19{80 + place}-04-1{place % 10},{STATES[place // 2 % 2]},Norvik\n"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    folder = tmp_path_factory.mktemp("tables")
    tools = "".join(f"saw {number},shed,{OWNERS[number % 3]}\n" for number in range(50))
    memory = Memory.open(folder / "memory")
    for name, text in (("boats.csv", HEAD + "".join(map(row, range(12)))), ("tools.csv", "tool,room,keeper\n" + tools)):
        (folder / name).write_text(text, encoding="utf-8")
        memory.add(Entry(*one) for one in entries(folder / name, Reading()))
    return memory


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Whose boat is Grey Heron?", "Edda Falk"),
        ("Whose is Grey Otter?", "Juho Rinne"),
        ("Who owns Grey Tern?", "Carla Mendes"),
        ("Who does Grey Heron belong to?", "Edda Falk"),
        ("How expensive was Grey Seal?", "1003"),
        ("What is Grey Seal worth?", "1003"),
        ("When did we build Swift Heron?", "1984-04-14"),
        ("In what year was Swift Heron built?", "1984"),
        ("What quay is Swift Otter kept in?", "dry dock"),
        ("Where is Swift Otter kept?", "dry dock"),
        ("Who supplied Merry Seal?", "Norvik"),
        ("Can you tell me the price of Grey Heron?", "1000"),
        ("Is Grey Tern leaking?", "yes"),
        ("Is Grey Heron leaking?", "no"),
        ("Does Edda Falk own Grey Heron?", "yes"),
        ("Does Edda Falk own Grey Otter?", "no"),
    ],
)
def test_words_find_their_column(memory: Memory, question: str, right: str):
    answer = memory.ask(question)
    assert answer.answerable, answer.reason
    assert answer.text == right


@pytest.mark.parametrize(
    "question",
    [
        "When was Grey Heron sold?",  # no date of it, though sold is near built and bought
        "When did Grey Heron last sink?",
        "Who painted Grey Heron?",
        "Where was Grey Heron made?",
        "How long is Grey Heron?",
        "What is the length of Grey Heron?",
        "Has Grey Heron been painted?",
        "Is Grey Heron fast?",
        "Did Edda Falk paint Grey Heron?",
        "Where is Edda Falk?",
    ],
)
def test_what_no_column_says_is_refused_without_pieces_of_the_data(memory: Memory, question: str):
    answer = memory.ask(question)
    assert not answer.answerable, answer.text
    assert answer.reason.startswith("nothing says that of ")
    assert "Norvik" not in answer.reason


def test_all_rows_of_a_value_are_listed_or_counted(memory: Memory):
    in_dock = memory.ask("What is in the dry dock?")
    assert in_dock.answer.split(",") == [boat for place, boat in enumerate(BOATS) if place % 2]
    assert len(in_dock.evidence) == 6
    otters = memory.ask("Which otters does Juho Rinne own?")
    assert otters.reason == "Juho Rinne is the owner of 4 rows, of which 1 is called otter; the others may be such, too"
    assert memory.ask("How many saws are in the shed?").answer == "50"
    assert memory.ask("What is in the shed?").reason == "shed is the room of 50 rows, too many to list"


def test_part_of_the_names_of_several_rows_is_refused(memory: Memory):
    why = memory.ask("Where is the Swift?").reason
    assert why == "4 rows have Swift in their name, such as Swift Heron, Swift Otter and Swift Tern"


def test_of_a_log_whether_is_answered_by_yes_or_no_and_when_by_a_time(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    memory.add("Marta greased the winch.", when="2026-03-01")
    memory.add("Copper wire arrived from Delft.", when="2026-03-05")
    memory.add("Lina will repaint the gate.", when="2026-03-07")
    assert memory.ask("Has the winch been greased?").answer == "yes"
    assert memory.ask("When did copper wire last arrive?").answer == "2026-03-05"
    assert not memory.ask("Has the gate been repainted?").answerable


def test_words_of_one_stem_or_meaning_are_the_same_and_opposites_are_not():
    assert all(is_of(*two) for two in [("owns", "owner"), ("purchased", "buy"), ("weigh", "weight"), ("lent", "lender")])
    assert not any(is_of(*two) for two in [("sold", "buy"), ("roof", "room"), ("width", "height"), ("story", "store")])


def test_of_two_columns_that_are_about_as_like_none_is_chosen():
    columns = {("height",): "12", ("price",): "30"}
    assert chosen(columns, ["how", "tall", "is", "?"]) == ("height",)
    assert chosen(columns, ["how", "high", "is", "?"]) is None


def test_what_is_asked_of_a_column_s_value_is_not_the_value():
    director, office = ("director",), ("office",)
    assert chosen({director: "Edda Falk"}, ["who", "is", "the", "director"]) == director
    assert chosen({director: "Edda Falk"}, ["who", "is", "the", "director", "married", "to"]) is None
    assert chosen({office: "room 4", director: "Edda Falk"}, ["which", "office", "is", "kept"]) == office


def test_a_header_that_is_no_more_than_a_sign_of_a_number(tmp_path: Path):
    """A column called No has no other word by which a question's noun may be its."""
    (tmp_path / "matches.csv").write_text(
        "No,Home,Away\n1,Ashdown,Thornhill\n2,Rovers,United\n3,Leigh,Hythe\n", encoding="utf-8"
    )
    memory = Memory.open(tmp_path / "memory")
    memory.add(entries(tmp_path / "matches.csv", Reading()))
    assert memory.ask("what number is Rovers").text == "2"
    assert memory.ask("Which numbers are United's?").text in ("2", "")


BELOW = "J1,Bell / 2,4.5,yes\nJ2,Horse,3,no\nJ3,Otter,7.25,no\n"


@pytest.mark.parametrize(
    "head",
    ["Job No.,Title / ed.,Net wt (kg),Paid?", "Job,Title,The weight in all.,Paid?"],
    ids=["a mark between words", "sentences over numbers"],
)
def test_a_first_row_names_columns(tmp_path: Path, head: str):
    (tmp_path / "jobs.csv").write_text(f"{head}\n{BELOW}", encoding="utf-8")
    memory, reading = Memory.open(tmp_path / "memory"), Reading()
    memory.add(entries(tmp_path / "jobs.csv", reading))
    assert not any("names no columns" in note for note in reading.count.notes)
    assert memory.ask("What is the weight of J2?").text == "3"


@pytest.mark.parametrize("first", ["J0,Fox / 1.,2.5,yes", "J0,Ann left the shop.,light,yes"])
def test_a_first_row_of_cells_names_none(tmp_path: Path, first: str):
    (tmp_path / "jobs.csv").write_text(f"{first}\n{BELOW}", encoding="utf-8")
    memory, reading = Memory.open(tmp_path / "memory"), Reading()
    memory.add(entries(tmp_path / "jobs.csv", reading))
    assert any("names no columns" in note for note in reading.count.notes)


def test_how_many_asks_for_no_sum_of_money_and_for_no_days(tmp_path: Path):
    rows = (
        ("Ann", "19-Jan-25", "45.00"),
        ("Bo", "22-Jan-25", "150.00"),
        ("Cy", "11-Feb-25", "63.00"),
        ("Di", "03-Mar-25", "600.00"),
    )
    text = "Name,Due,Price\n" + "".join(f"{','.join(row)}\n" for row in rows)
    (tmp_path / "jobs.csv").write_text(text, encoding="utf-8")
    memory = Memory.open(tmp_path / "memory")
    memory.add(entries(tmp_path / "jobs.csv", Reading()))
    assert memory.ask("When is Cy due?").text == "11-Feb-25"
    for question in ("How many are due in January?", "How many are due after 2025-02-01?"):
        assert memory.ask(question).text in ("2", ""), question


def test_a_day_of_no_month_is_no_day():
    assert date_of("31-Jan-25") == (2025, 1, 31, 0, 0)
    assert date_of("99-Jan-25") is None

"""Questions in people's words about small tables of several fields, each kind of question that a table is asked."""

from functools import cache
from pathlib import Path

import pytest

from memnet.ask.answer import Answer
from memnet.memory import Memory
from tests.memory.asked import says, take_in

TABLES = Path(__file__).parent / "tables"
KENNEL, CLINIC, BAKERY, CHOIR, HIRE, LIBRARY = "kennel", "clinic", "bakery", "choir", "hire", "library"
GRAVES, STAFF, HALL, SEEDS, HIVES = "graves", "staff", "hall", "seeds", "hives"
NURSERY, ORCHARD, GUESTHOUSE = "nursery", "orchard", "guesthouse"
BOATS, HORSES = "boats", "horses"

MISREAD = pytest.mark.xfail(strict=True, reason="the scorer takes another column since it learned from more tables")


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory):
    @cache
    def memory(name: str) -> Memory:
        found = Memory.open(tmp_path_factory.mktemp("memory") / name)
        take_in(found, TABLES / f"{name}.csv")
        return found

    def asked(name: str, question: str) -> Answer:
        return memory(name).ask(question)

    return asked


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (CLINIC, "Which room is Dr Krol in?", "203"),
        (CLINIC, "What's room 104 used for?", "plaster room"),
        (CLINIC, "What extension do I ring for minor surgery?", "226"),
        (CLINIC, "Who's in charge of the recovery rooms?", "Sister Maeve Doyle"),
        (CLINIC, "What's wrong in 202?", "light flickers"),
        (BAKERY, "When is Dan Whitlock picking his cake up?", "Wed 11 June"),
        (BAKERY, "How much is Priti Shah's cake?", "£29.00"),
        (BAKERY, "What is order 4109?", "chocolate fudge"),
        (CHOIR, "What does Edgar Pym sing?", "tenor"),  # by the vectors of the cells
        (CHOIR, "Who has folder 9?", "Edgar Pym"),
        (HIRE, "How many people does the people carrier seat?", "7"),
        (HIRE, "Where is the tail-lift van kept?", "Canal Wharf"),
        (HIRE, "What does the wheelchair taxi cost a day?", "£70"),
        (LIBRARY, "Who wrote Night Ferry?", "Colm Daly"),
        (LIBRARY, "Who has borrowed Birds of the Fens?", "Wen Li"),
        (KENNEL, "When does Duchess go home?", "28/07/2025"),
        (KENNEL, "Whose dog is Bruno?", "Fitz Hale"),
        (KENNEL, "What does Pip eat?", "dry"),
        (GRAVES, "Who is buried in G005?", "Rev. Silas Marsh"),
        (GRAVES, "How old was Martha Penn when she died?", "97"),
        (STAFF, "What does Marta Ferro do?", "cleaner"),
        (HALL, "What time does the folk dance start?", "19:30"),
        (HIVES, "What year is the queen of H2 from?", "2024"),
        (SEEDS, "Who looks after the squash?", "Karim"),
        (NURSERY, "What is Adah Finn allergic to?", "nuts"),
        (ORCHARD, "How many kilos did we get from T09?", "33"),
        (GUESTHOUSE, "How many nights is Clover booked for?", "4"),
    ],
)
def test_a_cell_is_asked_for_by_its_kind_and_by_words_like_its_header(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (CLINIC, "Which rooms have no window?", ["102", "105", "203", "206", "303", "305"]),
        (CLINIC, "Which rooms were cleaned in March?", ["101", "103", "201", "202", "203"]),
        (CLINIC, "Which rooms have more than two beds?", ["204", "301", "302"]),
        (CHOIR, "Who joined before 2010?", ["Carys Moon", "Gil Navarro", "Juno Castle"]),
        (CHOIR, "Which singers have a solo?", ["Bertil Sand", "Carys Moon", "Gil Navarro", "Juno Castle"]),
        (CHOIR, "Who hasn't got a folder?", ["Dilys Moone", "Hattie Orr"]),
        (HIRE, "Which vehicles don't have a driver?", ["minibus Duke", "grey van", "electric runabout"]),
        (HIRE, "Which vehicles at Canal Wharf are in use?", ["tail-lift van", "wheelchair taxi"]),
        (KENNEL, "Which kennels are free?", ["4", "8"]),
        (KENNEL, "Which dogs are fed wet food?", ["Max", "Olive", "Pippin"]),
        (KENNEL, "Which dogs arrive after 14 July?", ["Maxie", "Bruno"]),
        (STAFF, "Who does Dev Anand manage?", ["Lotte Achterberg", "Henri Dufour", "Ngozi Okafor"]),
        (ORCHARD, "Which trees are taller than 6 metres?", ["T02", "T03", "T12"]),
        (GUESTHOUSE, "Who pays cash?", ["Ingrid Solheim", "Ingrid Sorensen"]),
        (SEEDS, "Which packets have fewer than 10 seeds left?", ["P07", "P13", "P14", "P16"]),
    ],
)
def test_rows_that_fit_all_conditions_are_a_list_in_parts(ask, table: str, question: str, right: list[str]):
    answer = ask(table, question)
    assert answer.answerable, answer.reason
    assert [*answer.parts] == right
    assert len(answer.evidence) == len(right)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (CLINIC, "How many consulting rooms are there?", "3"),
        (CLINIC, "How many beds have we got altogether?", "22"),
        (CHOIR, "How many altos are there?", "3"),
        (CHOIR, "How many people live in Corby?", "3"),
        (CHOIR, "What's the total of the subs?", "645"),
        (STAFF, "How many nurses are on Rowan?", "2"),
        (BAKERY, "How much do the two chocolate fudge cakes come to altogether?", "£84.00"),
        (CLINIC, "Which room has the most beds?", "301"),
        (CLINIC, "Which room was cleaned longest ago?", "303"),
        (BAKERY, "Which is the dearest cake?", "fruit cake"),
        (HIRE, "Which vehicle has done the most miles?", "white van"),
        (HIRE, "Which is cheaper, the grey van or the tipper?", "grey van"),
        (LIBRARY, "Which book has to come back first?", "Birds of the Fens"),
        (KENNEL, "Which dog costs the most?", "Duchess"),
        (ORCHARD, "Which tree is the oldest?", "T12"),
        (NURSERY, "Who has been with us longest?", "Gwen Marsh"),
        (STAFF, "Who started last?", "Marta Ferro"),
        (SEEDS, "Which variety has to be sown deepest?", "Blue Lake and Borlotti Lingua"),
    ],
)
def test_rows_are_counted_summed_and_compared(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (CLINIC, "Does room 203 have a window?", "no"),
        (CLINIC, "Has 302 got more beds than 301?", "no"),
        (CLINIC, "Is there a phone in 103?", "no"),
        (CHOIR, "Does Edgar Pym have a solo?", "no"),
        (CHOIR, "Is Alma Ridley an alto or a soprano?", "alto"),
        (HIRE, "Is minibus Duke in use?", "no"),
        (LIBRARY, "Has Mrs Petty got a book out?", "yes"),
        (KENNEL, "Is Bruno afraid of thunder?", "yes"),
        (KENNEL, "Is Duchess's rate higher than Bruno's?", "yes"),
        (SEEDS, "Is the chard from Thorn & Daughter?", "no"),
        (STAFF, "Does Ngozi Okafor work more hours than Shivani Burks?", "yes"),
    ],
)
def test_yes_or_no_is_said_by_a_cell(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "why"),
    [
        (CLINIC, "Who has 205?", "the table leaves the Doctor of 205 empty; its Remarks say 'empty since January'"),
        (GRAVES, "When was Josiah Peck born?", "the table leaves the Born of G003 empty"),
        (BAKERY, "Who ordered the croquembouche?", "no cell and no column of the table has croquembouche"),
        (CHOIR, "When did Rupert join?", "no cell and no column of the table has Rupert"),
        (BAKERY, "What's Gwen Pryce's phone number?", "nothing says that of 4110"),
        (BAKERY, "Who baked the tiramisu?", "nothing says that of 4111"),
        (STAFF, "What's Irma Coyle's salary?", "nothing says that of Irma Coyle"),
        (HIRE, "What colour is the tipper?", "nothing says that of tipper"),
        (GRAVES, "What did Josiah Peck die of?", "nothing says that of G003"),
        (LIBRARY, "Who illustrated Le Pain?", "nothing says that of Le Pain"),
        (GUESTHOUSE, "What's Mrs Abbott's first name?", "nothing says that of Bracken"),
        (KENNEL, "How old is Bruno?", "nothing says that of Bruno"),
        (KENNEL, "Where's Rex?", "Rex"),
        (STAFF, "Where is Burke?", ""),
    ],
)
def test_what_no_cell_says_is_refused_with_its_reason(ask, table: str, question: str, why: str):
    answer = ask(table, question)
    assert not answer.answerable, answer.text
    assert why in answer.reason


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (BOATS, "I've never sailed before, is Kestrel OK for me?", "no"),
        (BOATS, "What day of the week does Dunlin go?", "Friday"),
        (HORSES, "When did Dot arrive?", "02/18/2024"),
        pytest.param(HORSES, "Who's the newest arrival?", "Bramley", marks=MISREAD),
        (BOATS, "Which boat was surveyed most recently?", "Petrel"),
        (BOATS, "Which boat has its maiden trip before all the others?", "Kestrel"),
        (BOATS, "When does Osprey sail, what date?", "30 Apr"),
        (BOATS, "What could I do on a Wednesday for less than $50?", "Kestrel"),
    ],
)
def test_times_and_what_is_said_before_a_question(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (HORSES, "Is Cobalt all right with learners?", "with a leader only"),
        (HORSES, "Is Dot a girl?", "yes"),
        (HORSES, "Is Bramley already spoken for?", "yes"),
        (HORSES, "Is Flax taken?", "no"),
        (HORSES, "Is there a shire that is fine with both novices and goats?", "yes"),
        (HORSES, "We have a goat. Could Cobalt live with us?", "no"),
        (BOATS, "Could I bring two big horses on Osprey?", "foals only"),
        (BOATS, "Is there still room on Petrel?", "no"),
        (BOATS, "Are there any places on Heron?", "yes"),
        (BOATS, "Is Dunlin full?", "no"),
        (BOATS, "Is there room for nine on Dunlin?", "no"),
    ],
)
def test_what_suits_and_what_is_left(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (BOATS, "Which boats are full?", "Kestrel and Petrel"),
        (BOATS, "We are a party of twenty. Which boat is big enough?", "Osprey"),
        (BOATS, "How many people can travel on Kestrel?", "8"),
        (BOATS, "Which boat has gone longest without a survey?", "Kestrel"),
        (BOATS, "When was Petrel last looked at?", "2 Apr 2024"),
        (BOATS, "Where does Osprey lie?", "Inner Basin"),
        (HORSES, "How many females are there?", "3"),
        (HORSES, "How old is Flax?", "4"),
        (HORSES, "Which horses are not yet a year old?", "Bramley and Ember"),
        (HORSES, "Which horses are more than six years old?", "Amber and Cobalt"),
        (BOATS, "How far is Dunlin from the buoy?", "0.8"),
    ],
)
def test_rooms_ages_and_last_times(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


def test_what_is_near_by_its_vector_alone_is_not_asked_of_the_table(ask):
    assert not ask(HORSES, "Is Dot all right with sheep?").answerable
    assert not ask(BOATS, "How much did we buy Heron for?").answerable
    assert not ask(BOATS, "When was Petrel last painted?").answerable
    assert not ask(HORSES, "How many people can Flax carry?").answerable


@MISREAD
def test_a_deed_that_no_column_has_is_not_asked_of_the_table(ask):
    assert not ask(BOATS, "How many people can steer Heron?").answerable


def test_names_that_look_alike_are_told_apart(ask):
    assert ask(BAKERY, "Has Mrs Abernathy paid?").text == "yes"
    assert ask(BAKERY, "Has Mrs Abernethy paid?").text == "no"
    assert ask(LIBRARY, "Which shelf is The Salt Road on?").text == "F2"
    assert ask(LIBRARY, "Who is the author of The Salt Roads?").text == "A. Okonjo"
    assert ask(KENNEL, "What breed is Max?").text == "labrador"


def test_a_text_beside_a_table_is_read_as_before_and_goes_first_where_it_is_later(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    take_in(memory, TABLES / "hire.csv")
    assert memory.ask("Where is the grey van kept?").text == "Station Road"
    memory.add("Mary went to the kitchen. Tom moved the grey van to the depot.")
    assert memory.ask("Where is Mary?").text == "kitchen"
    assert memory.ask("Where is the grey van?").text == "depot"
    assert memory.ask("Who drives the white van?").text == "Vikram Rao"


def test_rows_that_are_struck_are_read_no_more(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    take_in(memory, TABLES / "choir.csv")
    assert memory.ask("How many altos are there?").text == "3"
    memory.forget(about="Fiona Tate")
    assert memory.ask("How many altos are there?").text == "2"
    assert not memory.ask("When did Fiona Tate join?").answerable


def test_a_table_in_a_page_is_asked_as_one_of_its_own(tmp_path: Path):
    table = "| Well | Depth (m) | Owner |\n| --- | --- | --- |\n| W1 | 12 | Ann |\n| W2 | 30 | Bo |\n"
    (tmp_path / "page.md").write_text(f"# Wells\n\n{table}")
    memory = Memory.open(tmp_path / "memory")
    take_in(memory, tmp_path / "page.md")
    assert memory.ask("Which well is the deepest?").text == "W2"
    assert memory.ask("How deep is W1?").text == "12"

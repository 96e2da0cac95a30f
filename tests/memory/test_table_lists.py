"""Questions about a table that ask for several rows: so many at an end, those of one condition or another, each of some."""

from pathlib import Path

import pytest

from memnet.memory import Memory
from tests.memory.asked import refuses, says, take_in

PLANTS = (
    "Plant,Height (cm),Price,Supplier,Bed,Flowers in,In stock\nlavender,60,4.50,Greenleaf,A,July,34\n"
    "hosta,45,6.90,Nordflor,C,July,18\npeony,90,12.50,Nordflor,B,May,7\nfern,70,5.50,Mossbank,C,,40\n"
    "tulip,40,1.50,Bulbco,D,April,200\niris,75,3.90,Nordflor,B,June,22\nsage,50,2.80,Greenleaf,E,June,0\n"
    "mint,40,2.20,Greenleaf,E,August,70\n"
)
LINES = (
    "Line,From,To,Length (km),Stops,Operator,First bus,Maker\nB1,Central,Harbour,7.5,14,Norrbus,05:30,Volvo\n"
    "B2,Central,Airport,18.2,9,Skyline,04:15,MAN\nB3,Market,Zoo,5.1,11,Norrbus,06:00,Volvo\n"
    "B4,Harbour,Market,9.8,19,Citylink,05:45,Scania\nB5,Zoo,Airport,21.6,13,Skyline,08:05,MAN\n"
)
HIRED = (
    "instrument,maker,borrower,kept in\ncello,Hofner,Ida Berg,Room 2\nflute,Yamaha,Mara Quist,Room 4\n"
    "tuba,Gewa,,Cellar\nharp,Salvi,Eva Roth,Hall\noboe,Buffet,Nina Falk,Room 4\n"
)


@pytest.fixture(scope="module")
def memories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Memory]:
    found = dict[str, Memory]()
    for name, text in (("plants", PLANTS), ("lines", LINES), ("hired", HIRED)):
        folder: Path = tmp_path_factory.mktemp(name)
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        found[name] = Memory.open(folder / "memory")
        take_in(found[name], folder / f"{name}.csv")
    return found


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        ("plants", "What are the two highest prices?", "12.50 and 6.90"),
        ("plants", "the three cheapest plants", "tulip, mint and sage"),
        ("plants", "Name the two tallest plants.", "peony and iris"),
        ("plants", "What is the second most expensive plant?", "hosta"),
        ("plants", "What is the third highest price?", "5.50"),
        ("lines", "Which two lines have the fewest stops?", "B2 and B3"),
        ("lines", "What are the two lines with the most stops?", "B4 and B1"),
        ("lines", "What is the operator of the longest line?", "Skyline"),
        ("lines", "How many stops does the longest line have?", "13"),
        ("lines", "Which operator runs the most lines with more than 10 stops?", "Norrbus"),
        ("lines", "What is the operator of the line with the fewest stops?", "Skyline"),
    ],
)
def test_so_many_rows_at_an_end(memories: dict[str, Memory], table: str, question: str, right: str):
    says(memories[table].ask(question), right)


def test_rows_at_an_end_that_are_not_clear_are_refused(memories: dict[str, Memory]):
    why = "40 is the Height (cm) of several rows, so that nothing says which are the 1"
    answer = memories["plants"].ask("Which is the shortest plant?")
    says(answer, "tulip and mint")  # both, as there are not many
    refuses(
        memories["plants"].ask("What is the second shortest plant?"),
        why.replace("nothing says which are the 1", "none is the second"),
    )
    refuses(memories["lines"].ask("What is the colour of the longest line?"), "no cell and no column of the table has colour")


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        ("plants", "Which plants are out of stock?", "sage"),
        ("plants", "Which plants cost more than 6 or are in bed E?", "hosta, peony, sage and mint"),
        ("plants", "Which plants cost less than 2 or more than 6?", "hosta, peony and tulip"),
        ("plants", "Which plants flower in May or in April?", "peony and tulip"),
        ("plants", "Which plants in bed B or C cost more than 6?", "hosta and peony"),
        ("plants", "Which plants cost more than 6 and are in bed B or C?", "hosta and peony"),
        ("plants", "Which plants are not in bed B or C?", "lavender, tulip, sage and mint"),
        ("plants", "How many plants cost 5.50 or more?", "3"),
        ("lines", "Which lines are run by Norrbus or Citylink?", "B1, B3 and B4"),
        ("lines", "Which lines have more than 18 stops or are longer than 20 km?", "B4 and B5"),
        ("lines", "Which lines have 11 stops or fewer?", "B2 and B3"),
        ("lines", "How many lines do Norrbus and Skyline operate?", "4"),
        ("plants", "Which plants are in beds B and E?", "peony, iris, sage and mint"),
        ("plants", "Which plants are not from Greenleaf or Nordflor?", "fern and tulip"),
        ("hired", "Which instruments other than the tuba are in the cellar or in Room 2?", "cello"),
        ("lines", "Which Skyline lines have more than 10 stops or are shorter than 6 km?", "B5"),
    ],
)
def test_conditions_with_or_between_them_are_a_union(memories: dict[str, Memory], table: str, question: str, right: str):
    says(memories[table].ask(question), right)


def test_and_with_or_that_may_be_read_in_two_ways_is_refused(memories: dict[str, Memory]):
    why = "nothing says what 'or' stands between in it"
    refuses(memories["plants"].ask("Which plants cost more than 3 and are in bed B or flower in July?"), why)
    refuses(memories["plants"].ask("Which plants are in bed B or pretty?"), why)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        ("plants", "What do the iris and the fern cost?", "iris: 3.90 and fern: 5.50"),
        ("plants", "What do the iris, the fern and the sage cost?", "iris: 3.90, fern: 5.50 and sage: 2.80"),
        ("plants", "What do the iris and the fern cost together?", "9.40"),
        ("lines", "How long are B1 and B5?", "B1: 7.5 and B5: 21.6"),
        ("lines", "How many stops do B1 and B2 have?", "B1: 14 and B2: 9"),
        ("lines", "How many stops do B1 and B2 have together?", "23"),
        ("hired", "Who has the cello and the flute?", "cello: Ida Berg and flute: Mara Quist"),
    ],
)
def test_of_several_things_each_has_its_cell(memories: dict[str, Memory], table: str, question: str, right: str):
    says(memories[table].ask(question), right)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        ("hired", "Are the flute and the oboe in Room 4?", "yes"),
        ("hired", "Does Mara Quist have a flute?", "yes"),
        ("lines", "Do B2 and B5 go to the airport?", "yes"),
    ],
)
def test_what_holds_of_each_is_so(memories: dict[str, Memory], table: str, question: str, right: str):
    says(memories[table].ask(question), right)


def test_what_holds_of_some_alone_is_no_answer(memories: dict[str, Memory]):
    refuses(memories["hired"].ask("Are the flute and the cello in Room 4?"), "it is not so of each of flute and cello")


def test_of_several_things_one_with_an_empty_cell_is_named(memories: dict[str, Memory]):
    refuses(memories["hired"].ask("Who has the cello and the tuba?"), "the table leaves the borrower of tuba empty")


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        ("plants", "How much does the fern cost?", "5.50"),  # "4.50" is no time of a day, and a stock no price
        ("plants", "How many tulips are in stock?", "200"),
        ("plants", "How many ferns have we got?", "40"),
        ("plants", "What flowers in May?", "peony"),
        ("lines", "Which lines go from Market to the zoo?", "B3"),
        ("lines", "Which lines start at Central?", "B1 and B2"),
        ("lines", "Which lines arrive in Market?", "B4"),
        ("lines", "What is the operator of the line to the harbour?", "Norrbus"),
        ("lines", "How many stops does the line from Harbour to Market have?", "19"),
        ("lines", "Which lines have between 11 and 14 stops?", "B1, B3 and B5"),
        ("hired", "Who has the flute?", "Mara Quist"),  # who borrowed it, and not who made it
        ("hired", "How many rooms are there?", "2"),
    ],
)
def test_the_column_and_the_rows_that_are_meant(memories: dict[str, Memory], table: str, question: str, right: str):
    says(memories[table].ask(question), right)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("plants", "Which plants are full?"),
        ("hired", "Who has the tuba?"),
        ("hired", "Who has no instrument?"),
        ("lines", "Which operators have no lines?"),
        ("lines", "How long does the B1 take?"),
        ("lines", "How many stops are left on B1?"),
    ],
)
def test_what_nothing_says_lists_no_rows_and_takes_no_other_column(memories: dict[str, Memory], table: str, question: str):
    assert not memories[table].ask(question).answerable

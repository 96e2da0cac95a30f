"""Questions over two tables, or over one twice: what the first says is looked up in the second."""

from pathlib import Path

import pytest

from memnet.ask.answer import Answer
from memnet.memory import Memory
from memnet.memory.tables import stored
from tests.memory.asked import refuses, says, take_in

TABLES = {
    "tools": (
        "tool,owner,shelf,price,bought\njigsaw,Ann Lee,A,45,2021-03-02\nsander,Bob Reed,B,80,2019-05-11\n"
        "drill,Ann Lee,B,120,2022-07-30\nsaw,Cara Dunn,A,25,2018-01-15\nrouter,Dan Frey,C,150,2023-02-20\n"
        "plane,,C,60,2017-09-09\nchisel,Bob Reed,A,12,2020-11-01\nlathe,Cy Marsh,D,900,2015-04-04\n"
    ),
    "people": (
        "name,phone,street,manager\nAnn Lee,555-1,Elm Street,Eva Holt\nBob Reed,555-2,Oak Road,Ann Lee\n"
        "Cara Dunn,555-3,Elm Street,Eva Holt\nDan Frey,,Birch Lane,Bob Reed\nEva Holt,555-5,Oak Road,\n"
    ),
    "classes": (
        "Code,Class,Room,Day,Fee\nK1,pottery,Studio,Monday,95\nK2,chess,R1,Friday,30\nK3,yoga,Gym,Tuesday,60\n"
        "K4,sewing,Studio,Friday,90\n"
    ),
    "rooms": "Room,Building,Floor,Projector?\nR1,Main House,1,yes\nStudio,Annex,0,no\nGym,Sports Hall,2,no\n",
    "bikes": (
        "bike,owner,borrower,rack,price\nred racer,Ann Lee,Bob Reed,1,300\nold tandem,Bob Reed,Cy Marsh,2,450\n"
        "cargo bike,Cy Marsh,,1,900\nblue city,Ann Lee,Cy Marsh,3,250\nkids bike,Dee Fox,,3,80\n"
    ),
    "racks": "rack,location,locked\n1,yard,yes\n2,cellar,no\n3,street,no\n",
    "members": (
        "member,email,street\nAnn Lee,ann@x.org,Elm Street\nBob Reed,bob@x.org,Oak Road\nCy Marsh,cy@x.org,Elm Street\n"
        "Dee Fox,dee@x.org,Birch Lane\nDee Fox,dee2@x.org,Oak Road\n"
    ),
    "log": (
        "date,tool,place,borrower\n2025-01-10,drill,shed,Ann\n2025-02-10,drill,attic,Bob\n2025-01-15,saw,shed,Bob\n"
        "2025-03-20,saw,garage,Ann\n2025-02-20,vice,shed,Ann\n"
    ),
}


def remembered(folder: Path, *names: str) -> Memory:
    """A memory of some of the tables."""
    memory = Memory.open(folder / "memory")
    for name in names:
        (folder / f"{name}.csv").write_text(TABLES[name], encoding="utf-8")
        take_in(memory, folder / f"{name}.csv")
    return memory


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return remembered(tmp_path_factory.mktemp("tools"), "tools", "people")


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return remembered(tmp_path_factory.mktemp("classes"), "classes", "rooms")


@pytest.fixture(scope="module")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return remembered(tmp_path_factory.mktemp("bikes"), "bikes", "racks", "members")


@pytest.mark.parametrize(
    ("question", "right", "evidence"),
    [
        ("What is the phone of the owner of the jigsaw?", "555-1", ["owner of jigsaw is Ann Lee", "phone of Ann Lee is 555-1"]),
        ("the jigsaw's owner's phone", "555-1", ["owner of jigsaw is Ann Lee", "phone of Ann Lee is 555-1"]),
        (
            "On which street does the owner of the sander live?",
            "Oak Road",
            ["owner of sander is Bob Reed", "street of Bob Reed is Oak Road"],
        ),
        (
            "What is the phone of the manager of Bob Reed?",  # over one table
            "555-1",
            ["manager of Bob Reed is Ann Lee", "phone of Ann Lee is 555-1"],
        ),
    ],
)
def test_a_question_within_another_is_read_first_and_each_is_a_hop(
    tools: Memory, question: str, right: str, evidence: list[str]
):
    answer = tools.ask(question)
    says(answer, right)
    assert [[f"The {text}."] for text in evidence] == [[read.sentence for read in hop] for hop in answer.hops]


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("What is the sander owner's phone?", "555-2"),
        ("What is the phone of the person who owns the drill?", "555-1"),
        ("Where does the owner of the sander live?", "Oak Road"),
        ("Who is the manager of the owner of the sander?", "Ann Lee"),
        ("What is the phone of the manager of the owner of the sander?", "555-1"),
        ("Which tools does the owner of the jigsaw have?", "jigsaw and drill"),
        ("Who is the owner of the jigsaw?", "Ann Lee"),
        ("Is Bob Reed the owner of the jigsaw?", "no"),
        ("Who is the owner of the cheapest tool?", "Bob Reed"),
        ("What is the phone of the owner of the most expensive tool on shelf B?", "555-1"),
    ],
)
def test_questions_within_others_in_other_words(tools: Memory, question: str, right: str):
    says(tools.ask(question), right)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("What is the phone of the owner of the plane?", "the table leaves the owner of plane empty"),
        ("What is the phone of the owner of the router?", "nothing says that of Dan Frey, the owner in it"),
        ("What is the phone of the owner of the lathe?", "nothing says that of Cy Marsh, the owner in it"),
        ("What is the shoe size of the owner of the jigsaw?", "nothing says that of Ann Lee, the owner in it"),
        ("What is the phone of the owner of the cello?", "no cell and no column of the table has cello"),
        ("What is the phone of the drill?", "nothing says that of these rows, but of the owner of each"),  # a drill has none
    ],
)
def test_where_a_hop_is_not_clear_nothing_is_answered(tools: Memory, question: str, why: str):
    refuses(tools.ask(question), why)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which tools do people in Elm Street own?", "jigsaw, drill and saw"),
        ("How many tools do people in Elm Street own?", "3"),
        ("Which tools of people in Elm Street cost more than 50?", "drill"),
        ("Which tools do people managed by Eva Holt own?", "jigsaw, drill and saw"),
        ("Which tools do people outside Elm Street own?", "sander, router and chisel"),
        ("What is the total price of the tools of people in Elm Street?", "190"),
        ("Who lives in Elm Street?", "Ann Lee and Cara Dunn"),
    ],
)
def test_conditions_that_hold_in_another_table(tools: Memory, question: str, right: str):
    says(tools.ask(question), right)


def test_nothing_is_listed_where_the_other_table_says_no_such_thing(tools: Memory):
    assert not tools.ask("Which tools do people in Paris own?").answerable
    assert not tools.ask("Which tools in Elm Street cost more than 50?").answerable  # a tool is not where its owner lives


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("In which building is the pottery class?", "Annex"),
        ("On which floor is the yoga class?", "2"),
        ("Which classes are in the Annex?", "pottery and sewing"),
        ("Which classes are in rooms with a projector?", "chess"),
        ("Is there a projector in the room of the sewing class?", "no"),
        ("What is the floor of the room of chess?", "1"),
        ("Which rooms have a projector?", "R1"),
    ],
)
def test_a_cell_that_names_a_row_leads_to_its_cells(classes: Memory, question: str, right: str):
    says(classes.ask(question), right)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which bikes are in the yard?", "red racer and cargo bike"),  # over a number that both tables call the rack
        ("Which bikes are in the cellar or cost more than 400?", "old tandem and cargo bike"),
        ("Whose bike is in the yard?", "Ann Lee and Cy Marsh"),
        ("Which is the cheapest of the bikes in the yard?", "red racer"),
        ("Which bikes do people in Elm Street own?", "red racer, cargo bike and blue city"),
        ("Which bikes do people in Elm Street borrow?", "old tandem and blue city"),
        ("What is the email of the borrower of the red racer?", "bob@x.org"),
    ],
)
def test_of_two_columns_that_lead_to_a_table_the_question_says_which(bikes: Memory, question: str, right: str):
    says(bikes.ask(question), right)


def test_where_a_name_or_a_column_is_one_of_two_nothing_is_answered(bikes: Memory):
    refuses(bikes.ask("What is the email of the owner of the kids bike?"), "nothing says that of Dee Fox, the owner in it")
    refuses(
        bikes.ask("What is the average price of bikes of people in Elm Street?"),
        "nothing says whether it is of the owner or the borrower",
    )


def test_rows_with_a_time_are_limited_by_it(tmp_path: Path):
    memory = remembered(tmp_path, "log")

    def asked(question: str, since: str | None = None, until: str | None = None) -> Answer:
        return memory.ask(question, since=since, until=until)

    says(asked("Which tools are in the shed?", since="2025-02"), "vice")
    says(asked("Where is the drill?", until="2025-01-31"), "shed")
    says(asked("Where is the drill?", until="2025-02"), "attic")
    says(asked("How many tools did Ann borrow?", until="2025-02"), "2")
    assert not asked("Where is the saw?", since="2030").answerable


def test_the_sentence_that_names_columns_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stored, "MOST_SENTENCES", 5)  # as of a table that is too large to be read whole
    memory = remembered(tmp_path, "classes")
    for question in ("What is the fee of a class?", "What is the table by?", "Where are the columns?", "Is there a table?"):
        assert not memory.ask(question).answerable, question
    says(memory.ask("What is the fee of K1?"), "95")

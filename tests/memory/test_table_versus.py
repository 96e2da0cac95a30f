"""Two columns of a row that a question compares: "Which boats weigh more than their trailers carry?"."""

from functools import cache
from pathlib import Path

import pytest

from memnet.memory import Memory
from tests.memory.asked import refuses, says, take_in

SHOP, LEAGUE, BUDGET, LIBRARY, STAFF, ROOMS, BOATS = "shop", "league", "budget", "library", "staff", "rooms", "boats"
TABLES = {
    SHOP: (
        "Item,Price (£),Cost (£),In stock,Minimum stock,Supplier\nHammer,12.50,8.00,5,10,Bolt Ltd\n"
        "Saw,18.00,19.50,12,4,Timber Co\nDrill,65.00,41.00,3,3,Bolt Ltd\nRasp,7.20,7.90,0,6,Timber Co\n"
        "Vice,30.00,22.00,8,2,Bolt Ltd\n"
    ),
    LEAGUE: (
        "Team,Goals for,Goals against,Home wins,Away wins\nReds,30,22,8,3\nBlues,18,25,4,6\nGreens,21,21,5,5\n"
        "Whites,40,12,9,7\n"
    ),
    BUDGET: (
        "Project,Manager,Budget,Actual cost,Planned hours,Actual hours\nRoof,Ann,£5000,£5600,40,52\n"
        "Fence,Bo,£1200,£900,16,12\nPond,Cy,£800,£800,10,14\nShed,Di,£3000,£3500,60,50\n"
    ),
    LIBRARY: (
        "Title,Borrower,Due,Returned\nRiver atlas,Ann Holt,2026-03-01,2026-02-27\n"
        "Bird guide,Bo Lind,2026-03-05,2026-03-09\nOld maps,Cy Marsh,2026-03-07,2026-03-07\n"
        "Tide tables,Di Quist,2026-03-02,2026-03-20\nKnots,Ed Frost,2026-03-12,\n"
    ),
    STAFF: (
        "Name,Wage,Bonus,Holidays taken,Holidays allowed,Started,Certificate expires\n"
        "Ann Holt,2400,200,12,20,2019-02-01,2026-05-01\nBo Lind,1900,2100,22,20,2021-03-15,2025-12-01\n"
        "Cy Marsh,3000,3000,20,20,2015-07-01,2027-01-01\nDi Quist,2700,400,25,24,2018-01-10,2026-02-01\n"
    ),
    ROOMS: (
        "Room,Length (m),Width (m),Height (m),Seats,Booked seats,Max temp,Temp now\nA1,8,5,3,40,38,24,22\n"
        "B2,6,6.5,2.8,30,30,23,25\nC3,10,12,4,100,120,25,25\nD4,5,4,4.5,20,10,,21\n"
    ),
    BOATS: (
        "Boat,Length (m),Weight (kg),Trailer capacity (kg),Owner\nOsprey,5.2,450,500,Ann\nHeron,6.1,720,700,Bo\n"
        "Gull,4.4,300,350,Cy\nTern,7.0,900,850,Di\nCoot,3.9,180,,Ed\n"
    ),
}
FLEET = {
    "fleet": "Boat,Weight (kg),Trailer,Owner\nOsprey,450,T1,Ann\nHeron,720,T2,Bo\nGull,300,T3,Cy\nTern,900,T4,Di\n",
    "trailers": "Trailer,Carries (kg),Colour\nT1,500,red\nT2,700,blue\nT3,350,red\nT4,850,grey\n",
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory):
    @cache
    def memory(name: str) -> Memory:
        folder = tmp_path_factory.mktemp("memory")
        found = Memory.open(folder / "memory")
        add(found, folder, {name: TABLES[name]} if name else FLEET)
        return found

    return lambda name, question: memory(name).ask(question)


def add(memory: Memory, folder: Path, files: dict[str, str]) -> None:
    """Tables as files of these names in a memory."""
    for name, text in files.items():
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        take_in(memory, path)


@pytest.mark.parametrize(
    ("table", "question", "right"),
    [
        (SHOP, "Which items cost more than they sell for?", "Saw and Rasp"),
        (SHOP, "Where is the price higher than the cost?", "Hammer, Drill and Vice"),
        (SHOP, "For which items is the cost above the price?", "Saw and Rasp"),
        (SHOP, "Which items have less in stock than their minimum stock?", "Hammer and Rasp"),
        (SHOP, "Which items are in stock below the minimum?", "Hammer and Rasp"),
        (SHOP, "How many items have a price lower than the cost?", "2"),
        (SHOP, "Is the price of the saw higher than its cost?", "no"),
        (SHOP, "Does the saw cost more than its price?", "yes"),
        (SHOP, "Which suppliers have items whose cost is higher than the price?", "Timber Co"),
        (SHOP, "Which items have the same stock as the minimum stock?", "Drill"),
        (SHOP, "Which items do not have a cost higher than the price?", "Hammer, Drill and Vice"),
        (SHOP, "Is any price lower than its cost?", "yes"),
        (BOATS, "Which boats weigh more than their trailers carry?", "Heron and Tern"),
        (BOATS, "Which boats are heavier than their trailer's capacity?", "Heron and Tern"),
        (BOATS, "Which boats weigh less than their trailer can carry?", "Osprey and Gull"),
        (BOATS, "Which boat's weight exceeds its trailer capacity?", "Heron and Tern"),
        (BOATS, "Whose boat weighs more than its trailer capacity?", "Bo and Di"),
        (LIBRARY, "Which titles were returned after they were due?", "Bird guide and Tide tables"),
        (LIBRARY, "Who returned a title later than it was due?", "Bo Lind and Di Quist"),
        (LIBRARY, "Which titles came back later than the due date?", "Bird guide and Tide tables"),
        (LIBRARY, "Which titles were returned earlier than due?", "River atlas"),
        (LIBRARY, "Were the tide tables returned after they were due?", "yes"),
        (LEAGUE, "Which teams have more goals for than goals against?", "Reds and Whites"),
        (LEAGUE, "Which teams have as many home wins as away wins?", "Greens"),
        (LEAGUE, "Which teams have fewer goals for than against?", "Blues"),
        (LEAGUE, "How many teams have more home wins than away wins?", "2"),
        (BUDGET, "Which projects went over budget?", "Roof and Shed"),
        (BUDGET, "Which projects took more hours than planned?", "Roof and Pond"),
        (BUDGET, "Which projects took longer than planned?", "Roof and Pond"),
        (BUDGET, "Whose project cost more than the budget?", "Ann and Di"),
        (BUDGET, "Which projects cost exactly their budget?", "Pond"),
        (STAFF, "Who took more holidays than they are allowed?", "Bo Lind and Di Quist"),
        (STAFF, "Whose bonus is not higher than their wage?", "Ann Holt, Cy Marsh and Di Quist"),
        (STAFF, "Is Ann Holt's bonus bigger than her wage?", "no"),
        (STAFF, "Whose wage equals their bonus?", "Cy Marsh"),
        (ROOMS, "Which rooms are wider than they are long?", "B2 and C3"),
        (ROOMS, "Which rooms are higher than they are wide?", "D4"),
        (ROOMS, "Which rooms with more than 25 seats are wider than they are long?", "B2 and C3"),
        (ROOMS, "Which rooms are longer than 7 m and wider than they are long?", "C3"),
        (ROOMS, "Which rooms are longer than 7 m?", "A1 and C3"),
        (ROOMS, "Which rooms have more than 25 seats?", "A1, B2 and C3"),
        ("", "Which boats weigh more than their trailers carry?", "Heron and Tern"),  # of two tables
        ("", "Is Heron heavier than its trailer carries?", "yes"),
    ],
)
def test_two_columns_of_a_row_are_compared(ask, table: str, question: str, right: str):
    says(ask(table, question), right)


@pytest.mark.parametrize(
    ("table", "question", "why"),
    [
        (
            SHOP,
            "Which items cost more than twice their price?",
            "nothing says which column is meant by 'more than twice their price'",
        ),
        (
            SHOP,
            "Which items have a price higher than the average price?",
            "nothing says which column is meant by 'higher than the average price'",
        ),
        (BOATS, "Which boats weigh more than their owners?", "nothing says which column is meant by 'more than their owners'"),
        (
            BOATS,
            "Which boats are longer than they are wide?",
            "nothing says which column is meant by 'longer than they are wide'",
        ),
        (BOATS, "Is Coot heavier than its trailer capacity?", "the table leaves the Trailer capacity (kg) of Coot empty"),
        (LIBRARY, "Was Knots returned after it was due?", "the table leaves the Returned of Knots empty"),
        (
            LEAGUE,
            "Which teams scored more goals than they conceded?",
            "nothing says which column is meant by 'more than they conceded'",
        ),
        (
            "",
            "Which boats weigh more than their trailers weigh?",
            "nothing says which column is meant by 'more than their trailers weigh'",
        ),
    ],
)
def test_a_comparison_whose_sides_are_not_clear_is_refused(ask, table: str, question: str, why: str):
    refuses(ask(table, question), why)


def test_both_cells_are_evidence(ask):
    read = [read.sentence for hop in ask("", "Is Heron heavier than its trailer carries?").hops for read in hop]
    assert read == ["The trailer of Heron is T2.", "The carries (kg) of T2 is 700."]


def test_amounts_of_two_currencies_are_not_compared(tmp_path: Path):
    memory = Memory.open(tmp_path / "memory")
    add(memory, tmp_path, {"prices": "Item,Price,Cost\nsaw,£20,€25\nvice,£40,€30\n"})
    assert not memory.ask("Which items have a cost higher than the price?").answerable

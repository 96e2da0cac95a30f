"""The answer on equal terms: each claim is what cells say. The ten sentences below it are written by a template."""

from itertools import pairwise
from pathlib import Path

from memnet.papers.equal import NAMES

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "results" / "tables"
PERMUTED, FACTS = "answers, permuted", "facts"
UT, CAUSAL, MEMN2N, MEMNN = "Universal Transformer", "causal Universal Transformer", "MemN2N", "MemNN"
LSTM, TRANSFORMER, DMN = "LSTM with attention", "Transformer", "DMN+"


def read_tables(text: str) -> list[list[list[str]]]:
    """The tables of a text, rows of cells without the line below the head."""
    found = [[row[1:-1].split("|") for row in part.splitlines() if row.startswith("|")] for part in text.split("\n\n")]
    return [[[cell.strip() for cell in row] for row in [rows[0], *rows[2:]]] for rows in found if rows]


def grids(table: str) -> list[list[list[str]]]:
    """The tables of a page, rows of cells."""
    return read_tables((TABLES / f"{table}.md").read_text(encoding="utf-8"))


def line(table: str, *first: str) -> dict[str, str]:
    """A line of a page's first table by what its cells begin with, its cells by their heads."""
    head, *rows = grids(table)[0]
    (found,) = [row for row in rows if tuple(row[: len(first)]) == first]
    return dict(zip(head, found, strict=True))


def level(table: str, *first: str) -> str:
    """The error of the chosen networks, and in brackets that of all restarts."""
    cells = line(table, *first)
    return f"{cells['error (failed)'].split()[0]} ({cells['all restarts']})"


def turned(cell: str) -> str:
    """A difference the other way round."""
    return cell.translate(str.maketrans("+-", "-+"))


def less(table: str, way: str, row: str, column: str, place: int = 0) -> str:
    """A cell of the pairs that learn in a way, of the row's network less the column's; of several such tables, of one."""
    parts = (TABLES / f"{table}.md").read_text(encoding="utf-8").split("\n\n")
    tables = [read_tables(after)[0] for before, after in pairwise(parts) if f"earned from *{way}*" in before]
    head, *rows = [found for found in tables if found[0][0] == "row less column"][place]
    cells = {(first, name): cell for first, *rest in rows for name, cell in zip(head[1:], rest, strict=True) if cell}
    return cells.get((row, column)) or turned(cells[column, row])


def mean(cell: str) -> float:
    """Of a level or a difference: the first number of the chosen networks."""
    return float(cell.strip("*").split()[0])


def sure(cell: str) -> tuple[bool, bool]:
    """Whether a difference is in bold: of the chosen networks, and of all restarts."""
    chosen, every = cell.split(" (")
    return chosen.startswith("**"), every.startswith("**")


def least(table: str, label: tuple[str, ...], names: list[str]) -> str:
    """Which of several has the least error of the chosen networks."""
    return min(names, key=lambda name: mean(level(table, name, *label)))


def test_what_the_answer_says_in_words_is_what_the_cells_say():
    from_answers = [name for name in NAMES.values() if name != MEMNN]
    transformers = (TRANSFORMER, UT, CAUSAL)
    for other in transformers:  # MemN2N by its own recipe has surely less error than any Transformer, in an eighth of the time
        assert less("equal-own", "answers", MEMN2N, other).startswith("**-")
    for other in (TRANSFORMER, UT):
        assert less("equal-own", "answers", MEMN2N, other, place=1).startswith("**-")
        cells = line("equal-own", other, "answers")
        fastest = min(float(cells["s a restart, own"]), float(cells["s a restart, equal"]))
        assert round(float(line("equal-own", MEMN2N, "answers")["s a restart, own"]) / fastest, 2) <= 0.13
    plain = less("equal", "answers", MEMN2N, UT)  # by the common recipe surely more over all restarts, not as chosen
    assert sure(plain) == (False, True)
    assert mean(plain) > 0
    assert sure(less("equal", PERMUTED, MEMN2N, UT)) == (False, True)  # with permuted words so, and of DMN+ neither is sure
    assert sure(less("equal", PERMUTED, DMN, UT)) == (False, False)
    own = {name: float(line("equal-own", name, PERMUTED)["error, own"].split()[0]) for name in from_answers if name != CAUSAL}
    assert min(own, key=own.__getitem__) == UT  # by its own recipe the lowest error, not surely less than of three
    assert round(float(line("equal-own", UT, PERMUTED)["s a restart, own"])) == 48
    assert [less("equal-own", PERMUTED, name, UT, place=1).startswith("**") for name in (MEMN2N, DMN, TRANSFORMER)] == [
        False
    ] * 3
    assert least("equal-10k", (), from_answers) == least("equal-joint", (), from_answers) == UT
    assert sure(less("equal-10k", PERMUTED, DMN, UT)) == (False, True)
    assert sure(less("equal-joint", "answers", DMN, UT)) == (True, True)
    assert less("equal", FACTS, MEMNN, UT).startswith("**-")  # with facts the MemNN surely less, DMN+ less, not surely
    assert sure(less("equal", FACTS, DMN, UT)) == (False, False)
    assert mean(less("equal", FACTS, DMN, UT)) < 0

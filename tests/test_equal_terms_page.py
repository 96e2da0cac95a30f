"""The ten sentences on equal terms: each figure is a whole cell, of its network, way and pair; each claim is what cells say."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from memnet.papers.equal import NAMES

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "results" / "tables"
PERMUTED, FACTS = "answers, permuted", "facts"
LONGEST_FIRST = sorted(NAMES.values(), key=len, reverse=True)
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


def of_task(way: str, task: str, name: str) -> str:
    """A cell of the errors task by task of those that learn in a way."""
    text = (TABLES / "equal.md").read_text(encoding="utf-8").split(f"learned from\n*{way}*")[1]
    head, *rows = read_tables(text)[0]
    return dict(zip(head, next(row for row in rows if row[0] == task), strict=True))[name]


def pairs(table: str, way: str, column: str, *rows: str) -> Iterator[str]:
    return (f"{row} less {column} {less(table, way, row, column)}" for row in rows)


def gained(name: str) -> str:
    """What facts alone and permuted words alone change."""
    head, *rows = grids("equal")[1]
    cells = dict(zip(head, next(row for row in rows if row[0] == name), strict=True))
    return f"{name} {cells[FACTS]} and {cells[PERMUTED]}"


def own(name: str, way: str) -> str:
    cells = line("equal-own", name, way)
    seconds = " seconds" if name == MEMN2N else ""
    return f"{name} {cells['error, own']} in {cells['s a restart, own']}{seconds}"


def at(name: str, time: str) -> str:
    return f"{name} {level('equal-time', name, time)} in {line('equal-time', name, time)['s a restart']}"


def cost(name: str) -> str:
    cells = line("equal-width", name, "as it is")
    return f"{cells['Mflop an answer']} and {cells['ms an answer']} ms"


def widths(name: str) -> str:
    half, double = (line("equal-width", name, width)["minus as it is"] for width in ("half", "double"))
    return f"{name} by {half} and {double}"


def own_and_equal(way: str) -> Iterator[str]:
    """MemN2N by its own recipe, less the Universal Transformer on equal terms and by its own."""
    yield f"so trained less {UT} on equal terms {less('equal-own', way, MEMN2N, UT)}"
    yield less("equal-own", way, MEMN2N, UT, place=1)


QUOTED = {  # sentence -> what it quotes, with the words about it
    1: (
        *pairs("equal", "answers", UT, DMN, MEMN2N, TRANSFORMER),
        *(f"{name} {level('equal', name, 'answers')}" for name in LONGEST_FIRST),
    ),
    2: (
        *pairs("equal", PERMUTED, UT, MEMN2N, DMN, TRANSFORMER),
        *(f"{name} {level('equal', name, PERMUTED)}" for name in LONGEST_FIRST if name != MEMNN),
    ),
    3: (
        *pairs("equal", FACTS, UT, MEMNN, DMN, MEMN2N),
        f"{MEMNN} less {DMN} {less('equal', 'facts, permuted', MEMNN, DMN)}",
        f"{MEMNN} less {UT} {less('equal', 'facts, permuted', MEMNN, UT)}",
        *(f"{name} {level('equal', name, 'facts, permuted')}" for name in (DMN, UT)),
        *(f"{name} {level('equal', name, FACTS)}" for name in LONGEST_FIRST),
    ),
    4: tuple(gained(name) for name in LONGEST_FIRST if name != MEMNN),
    5: (
        *own_and_equal("answers"),
        *own_and_equal(PERMUTED),
        f"in {line('equal-own', UT, 'answers')['s a restart, own']} seconds",
        *(f"{own(name, PERMUTED)}" for name in (UT, TRANSFORMER, MEMN2N, DMN)),
        own(MEMN2N, "answers").removeprefix(f"{MEMN2N} "),
    ),
    6: (
        *(f"{MEMN2N} less {UT} {line('equal-time', MEMN2N, time)['minus ' + UT]}" for time in ("a ninth", "three times")),
        *(at(name, time) for time in ("a ninth", "three times") for name in (MEMN2N, UT)),
    ),
    7: (
        *(f"{name} {of_task(PERMUTED, 'qa2', name)}" for name in (UT, MEMN2N, DMN)),
        *(f"{UT} {of_task(PERMUTED, task, UT)}" for task in ("qa17", "qa19")),
        *(f"{MEMNN}, from facts, {of_task(FACTS, task, MEMNN)}" for task in ("qa17", "qa19")),
    ),
    8: tuple(
        f"{name} by {line('equal-align', name, align)['minus softmax']}"
        for align in ("argmax", "REINFORCE")
        for name in (LSTM, UT, TRANSFORMER, MEMN2N, DMN)
    ),
    9: (
        *(widths(name) for name in (UT, MEMN2N, MEMNN, DMN)),
        *(f"{name} {cost(name)}" for name in (LSTM, UT, TRANSFORMER, MEMNN, DMN)),
        f"{CAUSAL}, which would read story but once for many questions, {cost(CAUSAL)}",
        "{} million operations of matrix products and {} ms".format(*re.findall(r"[\d.]+", cost(MEMN2N))),
    ),
    10: (
        *pairs("equal-10k", PERMUTED, UT, DMN, MEMN2N),
        *pairs("equal-joint", "answers", UT, DMN, MEMN2N),
        *(f"{name} {level(table, name)}" for name in LONGEST_FIRST if name != MEMNN for table in ("equal-10k", "equal-joint")),
    ),
}


def sentences() -> list[str]:
    """The ten of the page, without the words that tie a figure to its network."""
    text = (ROOT / "docs" / "equal-terms.md").read_text(encoding="utf-8").split("\n## The answer\n")[1].split("\n## ")[0]
    found = []
    for point in re.split(r"\n\d+\. ", text)[1:]:
        words = " ".join(re.sub(r"\(\[.*?\]\([^)]*\)\)", "", point, flags=re.DOTALL).split())
        found.append(re.sub(r"\b(?:the|has|is) | %|(?<=MemNN), which learns by trial what to read,", "", words))
    return found


def unsaid(sentence: str, quoted: tuple[str, ...]) -> list[str]:
    """What a sentence does not quote of what it should, and the figures that it has besides."""
    lacking = []
    for part in quoted:
        if part not in sentence:
            lacking.append(part)
        sentence = sentence.replace(part, "", 1)
    return lacking + re.findall(r"\d+\.\d+", sentence)


@pytest.mark.parametrize("number", QUOTED)
def test_a_sentence_quotes_whole_cells_of_the_networks_and_ways_it_names(number: int):
    points = sentences()
    assert len(points) == 10
    assert re.findall(r"[.;:?!] [A-Z]", points[number - 1]) == []
    assert unsaid(points[number - 1], QUOTED[number]) == []


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


@pytest.mark.parametrize(
    ("number", "right", "wrong"),
    [
        (1, "+3.6 ± 4.0", "-3.6 ± 4.0"),  # a sign
        (1, "**+7.6 ± 5.6**", "+7.6 ± 5.6"),  # sure
        (1, "MemN2N 26.4", "MemN2N 6.4"),  # a part of a cell
        (2, "13.4 (15.5 ± 2.1)", "7.3 (8.3 ± 1.0)"),  # another way's row
        (2, "MemN2N less", "DMN+ less"),  # another pair
        (6, "in 2,", "in 1,"),  # seconds
    ],
)
def test_a_figure_that_is_not_of_its_sentence_is_found(number: int, right: str, wrong: str):
    sentence = sentences()[number - 1]
    assert right in sentence
    assert unsaid(sentence.replace(right, wrong, 1), QUOTED[number]) != []

"""The answer on equal terms: each claim is what cells say; its tables are made."""

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


def shown(part: str) -> dict[str, list[str]]:
    """A table of the page by the first cell of its rows, its head among them."""
    text = (ROOT / "docs" / "equal-terms.md").read_text(encoding="utf-8")
    ((head, *rows),) = read_tables(text.partition(f"<!-- {part}: ")[2].partition(f"<!-- end of {part} -->")[0])
    return {first: rest for first, *rest in [head, *rows]}


def test_the_table_of_seven_rows_has_the_cells_of_the_tables():
    rows = shown("seven rows")
    assert rows.keys() == {"network", *NAMES.values()}
    assert len(rows) == 8
    for name in NAMES.values():
        plain, permuted, taught, recipe, _ = rows[name]
        assert plain == level("equal", name, "answers").split()[0]
        assert taught == level("equal", name, FACTS).split()[0]
        if name != MEMNN:
            assert permuted == level("equal", name, PERMUTED).split()[0]
        if recipe:
            assert recipe == line("equal-own", name, "answers")["error, own"].split()[0]


def test_each_of_the_five_sentences_is_what_the_cells_say():
    from_answers = [name for name in NAMES.values() if name != MEMNN]
    five = [name for name in from_answers if name != LSTM]
    plain = [mean(level("equal", name, "answers")) for name in five]
    assert (min(plain), max(plain)) == (22.8, 26.4)  # 1
    for place, one in enumerate(five):
        for other in five[place + 1 :]:
            assert sure(less("equal", "answers", one, other)) == (False, False)
    first = {UT, MEMN2N, DMN}  # 2
    assert set(sorted(from_answers, key=lambda name: mean(level("equal", name, PERMUTED)))[:3]) == first
    for one, other in ((MEMN2N, UT), (DMN, UT), (DMN, MEMN2N)):
        assert sure(less("equal", PERMUTED, one, other)) == (False, False)
    taught = {MEMNN, DMN, UT}  # 3
    assert set(sorted(NAMES.values(), key=lambda name: mean(level("equal", name, FACTS)))[:3]) == taught
    for one, other in ((MEMNN, UT), (DMN, UT), (MEMNN, DMN)):
        assert sure(less("equal", FACTS, one, other)) == (False, False)
    recipe = line("equal-own", MEMN2N, "answers")["s a restart, own"]  # 4
    for other in (TRANSFORMER, UT, CAUSAL):
        assert less("equal-own", "answers", MEMN2N, other).startswith("-")
        assert 6 * float(recipe) < float(line("equal", other, "answers")["s a restart"])
    for other in (TRANSFORMER, UT):
        assert less("equal-own", "answers", MEMN2N, other, place=1).startswith("-")


def test_two_tasks_carry_the_lead_of_memn2n_and_no_correction_leaves_it():
    rows = shown("two tasks")
    head = rows.pop("MemN2N, its own recipe, less")
    assert head[:4] == ["20 tasks", "p", "after Holm", "sign test"]
    assert len(rows) == 5
    for _, p, corrected, sign, two, sixteen, rest, of_rest in rows.values():
        assert float(p) < 0.05 < float(corrected)
        assert float(sign) > 0.05
        assert max(float(two), float(sixteen)) < -50
        assert -6 < float(rest.split()[0]) < 0
        assert float(of_rest) >= 0.05


def plain(cell: str) -> str:
    """A difference without the marks of the sure: another page corrects over other comparisons."""
    return cell.replace("*", "")


def test_the_appendix_has_the_cells_of_the_tables():
    text = (ROOT / "docs" / "equal-terms.md").read_text(encoding="utf-8")
    part = text.partition("<!-- appendix: ")[2].partition("<!-- end of appendix -->")[0]
    errors, pairs, taught, gains, alone, alone_less, times, tasks, aligned, costs = read_tables(part)
    ways = ("answers", PERMUTED, FACTS, "facts, permuted")
    for name, *row in errors[1:]:
        for way, cell in zip(ways, row, strict=False):
            assert not cell or cell == level("equal", name, way)
        assert row[4:] == (["", ""] if name == MEMNN else [level("equal-10k", name), level("equal-joint", name)])
    assert [name for name, *_ in pairs[1:]] == [MEMN2N, DMN, TRANSFORMER, MEMNN]
    for name, *row in pairs[1:]:
        for way, cell in zip(ways, row, strict=False):
            assert not cell or plain(cell) == plain(less("equal", way, name, UT))
    assert [plain(row[5]) for row in pairs[1:4]] == [
        plain(less("equal-10k", PERMUTED, name, UT)) for name in (MEMN2N, DMN, TRANSFORMER)
    ]
    assert [row[0] for row in taught[1:]] == [DMN, UT]
    for name, facts, permuted in gains[1:]:
        (there,) = [row for row in grids("equal")[1] if row[0] == name]
        assert {plain(facts), plain(permuted)} <= {plain(cell) for cell in there}
    for name, error, took, *_ in alone[1:]:
        cells = line("equal-own", name, "answers")
        assert (error, took) == (cells["error, own"], cells["s a restart, own"])
    assert [len(row) for row in alone_less] == [3] * 3
    for time, memn2n, _, universal, _, _ in times[1:]:
        assert (memn2n, universal) == (level("equal-time", MEMN2N, time), level("equal-time", UT, time))
    assert [row[0] for row in tasks[1:]] == [MEMN2N, DMN, UT, MEMNN]
    for name, argmax, _ in aligned[1:]:
        assert plain(argmax) == plain(line("equal-align", name, "argmax")["minus softmax"])
    for name, operations, took, half, _ in costs[1:]:
        cells = line("equal-width", name, "as it is")
        assert (operations, took) == (cells["Mflop an answer"], cells["ms an answer"])
        assert plain(half) == plain(line("equal-width", name, "half")["minus as it is"])

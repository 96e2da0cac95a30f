"""What people have becomes entries: lines, prose, diaries, logs, as they were made up here, odd ones too."""

from pathlib import Path

import pytest

from memnet.memory.entries import Entry, Reading, entries, entries_of_text
from memnet.tasks.text import FormatError

MOVES = "Mary went to the kitchen\nJohn moved to the garden\nAnn took the milk\n"
TOLD = MOVES.splitlines()


def told(text: str, name: str = "it", **options: object) -> list[tuple[str, str | None]]:
    """The entries of a text, and their times."""
    return [(one.text, one.when) for one in entries_of_text([text], name, Reading(**options))]  # type: ignore[arg-type]


def texts(text: str, name: str = "it", **options: object) -> list[str]:
    """The entries of a text."""
    return [one for one, _ in told(text, name, **options)]


def counted(text: str, name: str = "it", **options: object) -> list[str]:
    """What is said of a text that was taken in."""
    reading = Reading(**options)  # type: ignore[arg-type]
    list(entries_of_text([text], name, reading))
    return reading.count.lines()


# Plain text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The wind was cold. Élodie went home.", ["The wind was cold.", "Élodie went home."]),
        ("“Go.” Élodie left. ‘Yes.’ Émile stayed.", ["“Go.”", "Élodie left.", "‘Yes.’", "Émile stayed."]),
        ("Mary saw Dr. Smith of the U.S. Navy. Dr. Smith left.", ["Mary saw Dr. Smith of the U.S. Navy.", "Dr. Smith left."]),
        ("He left. Mrs. Lee came. J. K. Rowe saw it.", ["He left.", "Mrs. Lee came.", "J. K. Rowe saw it."]),
        ("mary left the cat. john saw st. ives, etc. and so on.", ["mary left the cat.", "john saw st. ives, etc. and so on."]),
        ("She came in. Mary left. No. 7 is empty.", ["She came in.", "Mary left.", "No. 7 is empty."]),
        ("Ten came. 10 men went home.", ["Ten came.", "10 men went home."]),
        ("Wait… Øystein left... Ása stayed?! Ça va.", ["Wait…", "Øystein left...", "Ása stayed?!", "Ça va."]),
        ("See note B.--Élodie left. Mary stayed.", ["See note B.--Élodie left.", "Mary stayed."]),
    ],
)
def test_a_sentence_ends_where_a_reader_sees_its_end(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_lines_that_look_like_entries_are_entries() -> None:
    found = list(entries_of_text([MOVES], "moves"))
    assert found == [Entry(text, None, "moves", line) for line, text in enumerate(TOLD, 1)]
    assert texts(MOVES.lower()) == MOVES.lower().splitlines()
    assert texts(MOVES.replace("\n", ".\n")) == [f"{one}." for one in TOLD]


WRAPPED = (
    "It was the year in which old Mr. Harding of Wells, who had seen the whole\n"
    "of the town leave for the sea, met Mary in the garden. She went back to\n"
    "the kitchen with him, and John, whom nobody had asked, was there before\n"
    "Mary. He left.\n"
)
SENTENCES = [
    "It was the year in which old Mr. Harding of Wells, who had seen the whole of the town leave for the sea, met Mary in the "
    "garden.",
    "She went back to the kitchen with him, and John, whom nobody had asked, was there before Mary.",
    "He left.",
]


def test_prose_that_wraps_at_a_margin_is_not_cut_at_its_lines() -> None:
    found = list(entries_of_text([WRAPPED], "book"))
    assert [one.text for one in found] == SENTENCES
    assert [one.line for one in found] == [1, 2, 4]
    assert texts(WRAPPED.lower()) == [one.lower() for one in SENTENCES]
    assert len(texts(WRAPPED, kind="lines")) > len(SENTENCES)
    assert texts(MOVES, kind="prose") == [" ".join(TOLD)]


def test_a_list_and_prose_stand_in_one_text() -> None:
    text = (
        f"{WRAPPED}\n{MOVES}\n{WRAPPED}\nShopping:\n- buy milk\n- take the drill to the shed\n\n1. Mary left.\n2. John left.\n"
    )
    assert texts(text) == [
        *SENTENCES,
        *TOLD,
        *SENTENCES,
        "Shopping:",
        "buy milk",
        "take the drill to the shed",
        "Mary left.",
        "John left.",
    ]
    hanging = "Mary took the drill to the\n  shed and left it\nJohn went home\nAnn bought milk and\n  bread\n"
    assert texts(hanging) == ["Mary took the drill to the shed and left it", "John went home", "Ann bought milk and bread"]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_parts_of_any_size_give_the_same_entries(size: int) -> None:
    for text in (MOVES, f"{WRAPPED}\n{WRAPPED}", "2024-03-01 09:12 Mary left\n2024-03-01 09:13 John left\n"):
        parts = [text[place : place + size] for place in range(0, len(text), size)]
        assert list(entries_of_text(parts, "it")) == list(entries_of_text([text], "it"))


def test_a_diary_dates_what_follows_its_headings() -> None:
    text = "Monday, 4 March 2024\n\nMary took the drill. It rained.\n\n5 March 2024\n\nJohn came home.\n"
    assert told(text) == [
        ("Mary took the drill.", "2024-03-04"),
        ("It rained.", "2024-03-04"),
        ("John came home.", "2024-03-05"),
    ]
    assert told("Mary left.\n", when="2024-03-01") == [("Mary left.", "2024-03-01")]


# Logs


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("2024-03-01 09:12:33,123 {}", "2024-03-01T09:12:33.123"),
        ("2024-03-01T09:12:33Z {}", "2024-03-01T09:12:33+00:00"),
        ("2024-03-01T09:12:33.5+0100 INFO {}", "2024-03-01T09:12:33.5+01:00"),
        ("[01/Mar/2024:09:12:33 +0000] {}", "2024-03-01T09:12:33+00:00"),
        ("Mar  1 09:12:33 host1 shop[4711]: {}", "Mar 1 09:12:33"),
        ("09:12 {}", "09:12"),
        ("9:12 pm - {}", "21:12"),
        ("12.03.2024 {}", "2024-03-12"),
        ("March 3rd, 2024, {}", "2024-03-03"),
        ("Fri, 01 Mar 2024 09:12:33 +0000 {}", "2024-03-01T09:12:33+00:00"),
        ("Fri Mar  1 09:12:33 2024 {}", "2024-03-01T09:12:33"),
        ("1709284353 {}", "2024-03-01T09:12:33+00:00"),
        ("1709284353.250 | {}", "2024-03-01T09:12:33.250+00:00"),
        ("20240301T091233Z {}", "2024-03-01T09:12:33+00:00"),
        ("2024-03-01 09:12:33,123 - shop.stock - WARNING - {}", "2024-03-01T09:12:33.123"),
        ("2024-03-01 09:12:33.123  INFO 1234 --- [main] c.e.Stock : {}", "2024-03-01T09:12:33.123"),
        ("2024-03-01 09:12:33 [worker-1] ERROR com.shop.Stock - {}", "2024-03-01T09:12:33"),
        ("I0301 09:12:33.123456 1234 stock.cc:12] {}", "03-01 09:12:33.123456"),
        ("INFO:root:{}", None),
        ("ERROR 2024-03-01 09:12:33 {}", "2024-03-01T09:12:33"),
    ],
)
def test_times_levels_and_names_before_a_line_are_taken_off(line: str, when: str | None) -> None:
    lines = [line.format(text) for text in ("Mary took the drill to the shed", "It rained. John left.")]
    expected = [("Mary took the drill to the shed", when), ("It rained.", when), ("John left.", when)]
    assert told("\n".join(lines)) == expected


@pytest.mark.parametrize(
    "line", ["25:00 Mary left", "2024-13-01 Mary left", "May I come in", "1884 was a year", "3 apples fell"]
)
def test_what_is_no_time_stays(line: str) -> None:
    assert told(f"{line}\n") == [(line, None)]


@pytest.mark.parametrize(
    ("line", "when", "in_2024"),
    [
        ("2 Mar 10:52 {}", "2 Mar 10:52", "2024-03-02T10:52"),
        ("12 March {}", "12 March", "2024-03-12"),
        ("1st of May: {}", "1st of May", "2024-05-01"),
        ("Fri 1 March: {}", "Fri 1 March", "2024-03-01"),
        ("Mon 12 Mar 14.05 {}", "Mon 12 Mar 14.05", "2024-03-12T14:05"),
        ("March 12 - {}", "March 12", "2024-03-12"),
        ("12-Mar {}", "12-Mar", "2024-03-12"),
        ("12-Mar-24 {}", "2024-03-12", "2024-03-12"),
        ("13/05 {}", "13/05", "2024-05-13"),
        ("13/5 9:30 {}", "13/5 9:30", "2024-05-13T09:30"),
        ("13.5. {}", "13.5.", "2024-05-13"),
        ("12 March, 9 am {}", "12 March, 9 am", "2024-03-12T09:00"),
        ("Mon 14:00 {}", "Mon 14:00", "Mon 14:00"),
    ],
)
def test_a_date_without_a_year_stands_as_it_is_until_a_year_is_given(line: str, when: str, in_2024: str) -> None:
    lines = "\n".join(line.format(text) for text in ("Mary took the drill to the shed", "John left"))
    assert told(lines) == [("Mary took the drill to the shed", when), ("John left", when)]
    assert [time for _, time in told(lines, when="2024-01-01")] == [in_2024] * 2


@pytest.mark.parametrize(
    "line",
    ["2 pumps came", "12 may come", "3/4 cup of milk", "1.2 Scope", "Mon petit chou", "32 March was no day", "12/13 25:00"],
)
def test_what_is_no_date_without_a_year_stays(line: str) -> None:
    assert told(f"{line}\n") == [(line, None)]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("Back on its shelf. Gus", "Gus: Back on its shelf."),
        ("taking the drill home, Bram", "Bram: taking the drill home"),
        ("I have the saw - Ines", "Ines: I have the saw"),
        ("Lent the drill to Bram, Ines", "Lent the drill to Bram, Ines"),
        ("It is in the shed. Done", "It is in the shed."),
        ("The saw went to Bram", "The saw went to Bram"),
    ],
)
def test_who_signs_a_line_of_a_log_says_it(line: str, entry: str) -> None:
    assert texts(f"2024-03-01 {line}\n2024-03-02 John left\n")[0] == entry


def test_the_order_of_day_and_month_is_decided_by_all_of_a_file(tmp_path: Path) -> None:
    line = "{} it was moved\n"
    day = "".join(map(line.format, ["03/04/2024", "04/04/2024", "13/04/2024"]))
    assert [when for _, when in told(day)] == ["2024-04-03", "2024-04-04", "2024-04-13"]
    month = "".join(map(line.format, ["03/04/2024", "03/05/2024", "03/13/2024"]))
    assert [when for _, when in told(month)] == ["2024-03-04", "2024-03-05", "2024-03-13"]
    forward = "".join(map(line.format, ["01/02/2024", "01/03/2024", "05/03/2024", "02/04/2024"]))
    assert [when for _, when in told(forward)] == ["2024-02-01", "2024-03-01", "2024-03-05", "2024-04-02"]
    unclear = line.format("03/04/2024")
    assert [when for _, when in told(unclear)] == ["2024-03-04"]
    assert "03/04/2024 are read with the month first; --day-first or --month-first decides" in counted(unclear)[-1]
    assert told(unclear, day_first=True)[0][1] == "2024-04-03"
    assert len(counted(unclear, day_first=True)) == 1
    (tmp_path / "long.log").write_text(unclear * 9000 + line.format("13/04/2024"), encoding="utf-8")  # far behind the beginning
    assert next(iter(entries(tmp_path / "long.log"))).when == "2024-04-03"


def test_a_year_and_a_date_that_lines_lack_are_those_that_are_given() -> None:
    text = "Dec 31 23:59:59 host a[1]: Mary left\nJan  1 00:00:01 host a[1]: John left\n"
    assert [when for _, when in told(text, when="2023-06-01")] == ["2023-12-31T23:59:59", "2024-01-01T00:00:01"]
    assert told("2024-03-01\n09:12 Mary left\n09:20 John left\n") == [
        ("Mary left", "2024-03-01T09:12"),
        ("John left", "2024-03-01T09:20"),
    ]


def test_lines_of_a_trace_have_the_time_of_the_line_before() -> None:
    text = "2024-03-01 09:12:33 ERROR It failed\nTraceback:\n  File x\n2024-03-01 09:12:34 INFO Mary left\n"
    assert [when for _, when in told(text)] == [*["2024-03-01T09:12:33"] * 3, "2024-03-01T09:12:34"]


def test_lines_of_json_and_of_key_value() -> None:
    text = '{"ts": 1709284353, "level": "info", "msg": "Mary took the drill", "pid": 7}\n'
    text += '{"ts": "2024-03-01T09:12:34Z", "event": "moved", "item": "drill", "to": "shed"}\n'
    assert told(text) == [
        ("Mary took the drill", "2024-03-01T09:12:33+00:00"),
        ("moved (item: drill, to: shed)", "2024-03-01T09:12:34+00:00"),
    ]
    pairs = 'time=2024-03-01T09:12:33Z level=info msg="Mary took the drill"\ntime=2024-03-01 level=info item=drill place=shed\n'
    assert told(pairs) == [("Mary took the drill", "2024-03-01T09:12:33+00:00"), ("The place of drill is shed.", "2024-03-01")]
    with pytest.raises(FormatError, match=r"^it:2: expected a line of JSON"):
        texts('{"a": 1}\n{"b"\n', kind="jsonl")


# Pages and documents


# Chats


# Tables


# What is odd, and what is no text

"""Entries of documents, chats, mail and tables, in every encoding."""

import codecs
import json
from pathlib import Path

import pytest

from memnet.errors import ConfigError
from memnet.memory.entries import Count, Entry, Reading, batches, entries, entries_of_text
from memnet.tasks.text import FormatError
from tests.memory.test_entries import MOVES, TOLD, counted, texts, told


def test_markdown() -> None:
    text = "---\ntitle: x\n---\n# Tools\n\nThe *drill* is in the [shed](http://x).\nIt is `old`.\n"
    text += "\n## 2024-03-01\n\n- Mary took it\n\n| item | place |\n| --- | --- |\n| saw | attic |\n"
    text += "\n```py\nx = 1\n```\n\n> Quoted, by Ann.\n"
    assert told(text) == [
        ("Tools", None),
        ("The drill is in the shed.", None),
        ("It is old.", None),
        ("Mary took it", "2024-03-01"),
        ("A table by item with the columns item | place.", None),
        ("The place of saw is attic.", "2024-03-01"),
        ("Quoted, by Ann.", "2024-03-01"),
    ]
    assert [one.line for one in entries_of_text([text], "it.md")] == [4, 6, 7, 11, 15, 15, 21]
    assert "lines of code (1)" in counted(text)[1]


PAGE = (
    "<!doctype html><title>t</title><style>p {}</style><script>var garden = 'p html';</script><nav>Home</nav><h1>Tools</h1>"
    "<p>Mary went to the <b>garden</b>.<p>John &amp; Ann left. Élodie came."
    "<table><tr><th>item<th>place<tr><td>drill<td>shed</table><ul><li>Mary took the saw</ul><footer>Imprint</footer>"
)


def test_html() -> None:
    pytest.importorskip("selectolax", reason="of the extra long")
    expected = ["Tools", "Mary went to the garden.", "John & Ann left.", "Élodie came."]
    in_table = ["A table by item with the columns item | place.", "The place of drill is shed."]
    assert texts(PAGE) == texts(PAGE, "it.html") == [*expected, *in_table, "Mary took the saw"]
    assert "<script> (1)" in counted(PAGE)[1]


def test_documents(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx", reason="of the extra documents")
    document = docx.Document()
    document.add_paragraph("Mary went to the kitchen. Élodie left.")
    table = document.add_table(2, 2)
    for place, text in enumerate(("item", "place", "drill", "shed")):
        table.cell(place // 2, place % 2).text = text
    document.save(str(tmp_path / "a.docx"))
    found = [(one.text, one.line) for one in entries(tmp_path / "a.docx")]
    in_table = [("A table by item with the columns item | place.", 2), ("The place of drill is shed.", 2)]
    assert found == [("Mary went to the kitchen.", 1), ("Élodie left.", 1), *in_table]


def a_pdf(*lines: str) -> bytes:
    """A PDF of one page with these lines."""
    shown = b"BT /F1 12 Tf 72 720 Td 14 TL " + b" ".join(b"(" + line.encode() + b") Tj T*" for line in lines) + b" ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length " + str(len(shown)).encode() + b" >>\nstream\n" + shown + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    content, places = b"%PDF-1.4\n", list[int]()
    for number, one in enumerate(objects, 1):
        places.append(len(content))
        content += str(number).encode() + b" 0 obj\n" + one + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n" + str(len(content)).encode() + b"\n%%EOF\n"
    return content + b"xref\n0 6\n0000000000 65535 f \n" + table + end


def test_pdf(tmp_path: Path) -> None:
    pytest.importorskip("pypdf", reason="of the extra documents")
    (tmp_path / "a.pdf").write_bytes(
        a_pdf("Mary took the old drill out of the shed and brought it to the gar-", "den. She left it there.")
    )
    found = [(one.text, one.line) for one in entries(tmp_path / "a.pdf")]
    assert found == [("Mary took the old drill out of the shed and brought it to the garden.", 1), ("She left it there.", 1)]
    (tmp_path / "b.pdf").write_bytes(a_pdf(""))
    with pytest.raises(FormatError, match="has no text on its 1 pages"):
        list(entries(tmp_path / "b.pdf"))
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.4\nnothing")
    with pytest.raises(FormatError, match="cannot be read as PDF"):
        list(entries(tmp_path / "c.pdf"))


@pytest.mark.parametrize(
    ("name", "content", "package"), [("a.pdf", b"%PDF-1.4", "pypdf"), ("a.docx", b"PK\x03\x04word/", "docx")]
)
def test_without_its_package_a_document_says_what_to_install(
    name: str, content: bytes, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=r"pip install 'memnet-qa\[documents\]'"):
        list(entries(tmp_path / name))


def test_chats_say_who_speaks_in_every_sentence() -> None:
    said = ["Ann: I moved the bike to the shed.", "Ann: It is dry.", "Bob: ok thanks"]
    ios = "[12/03/2024, 09:12:33] Ann: I moved the bike to the shed. It is dry.\n[13/03/2024, 09:13:33] Bob: ok\nthanks\n"
    assert told(ios) == list(zip(said, ["2024-03-12T09:12:33", "2024-03-12T09:12:33", "2024-03-13T09:13:33"], strict=True))
    android = "3/12/24, 9:12\u202fPM - Messages and calls are end-to-end encrypted. No one else\n"
    android += (
        "3/12/24, 9:12\u202fPM - Ann: I moved the bike to the shed. It is dry.\n3/13/24, 9:12\u202fPM - Bob: ok\nthanks\n"
    )
    android += "3/13/24, 9:13\u202fPM - Ann: <Media omitted>\n"
    assert told(android) == list(zip(said, ["2024-03-12T21:12", "2024-03-12T21:12", "2024-03-13T21:12"], strict=True))
    assert counted(android)[1] == "left out: messages without words (2)"
    assert texts("Ann: I moved the bike to the shed. It is dry.\nBob: ok thanks\nAnn: yes\n") == [*said, "Ann: yes"]


def test_messages_under_a_weekday_have_it_in_their_time() -> None:
    shifts = "--- Monday ---\n[08:10] Ann: The van is in the yard.\n[09:30] Bob: It is dry.\n"
    shifts += "--- Tuesday, week 2 ---\n[08:05] Ann: The van is away.\n"
    assert told(shifts) == [
        ("Ann: The van is in the yard.", "Monday 08:10"),
        ("Bob: It is dry.", "Monday 09:30"),
        ("Ann: The van is away.", "Tuesday, week 2 08:05"),
    ]
    assert counted(shifts)[1] == "left out: lines of a date alone (2)"
    many = "Monday\n[08:10] Ann: The van is in the yard.\n## Tuesday\n[08:05] Ann: The van is away.\n"
    many += "--- 12 March 2024 ---\n[09:00] Bob: It is dry.\nWednesday\nCem: The pump runs.\n"
    assert [when for _, when in told(many)] == ["Monday 08:10", "Tuesday 08:05", "2024-03-12T09:00", "Wednesday"]


def test_chats_in_json() -> None:
    slack = [
        {"type": "message", "user": "U1", "text": "I moved it, <@U2>, see <http://x|here>.", "ts": "1709284353.0002"},
        {"type": "message", "user": "U2", "text": "ok &amp; fine", "ts": "1709284354", "user_profile": {"real_name": "Bob"}},
    ]
    slack[0]["user_profile"] = {"display_name": "Ann"}
    times = ["2024-03-01T09:12:33+00:00", "2024-03-01T09:12:34+00:00"]
    assert told(json.dumps(slack)) == list(zip(["Ann: I moved it, Bob, see here.", "Bob: ok & fine"], times, strict=True))
    message = {
        "id": 1,
        "date": "2024-03-01T09:12:33",
        "date_unixtime": "1",
        "from": "Ann",
        "text": ["I moved ", {"text": "it"}],
    }
    assert told(json.dumps({"name": "Ann", "messages": [message]}, indent=1)) == [("Ann: I moved it", "2024-03-01T09:12:33")]
    session = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [{"speaker": "Ann", "text": "Hey. I moved it."}]}
    session |= {"session_10": [{"speaker": "Cy", "text": "Hm"}], "session_2": [{"speaker": "Bob", "text": "Oh"}]}
    found = told(json.dumps([{"qa": [{"question": "Where?"}], "conversation": session}]))
    assert found == [
        ("Ann: Hey.", "2023-05-08T13:56"),
        ("Ann: I moved it.", "2023-05-08T13:56"),
        ("Bob: Oh", None),
        ("Cy: Hm", None),
    ]
    with pytest.raises(FormatError, match=r"^it is not JSON"):
        texts('[{"a":\n', kind="json")


def test_mail(tmp_path: Path) -> None:
    head = "From: Ann <a@b.c>\nTo: x@y\nDate: Mon, 4 Mar 2024 09:12:33 +0000\nSubject: bike\n"
    letter = f"{head}\nI moved the bike. It is dry.\n\n> quoted\n-- \nAnn\n"
    page = f"{head}Content-Type: text/html\n\n<p>The bike is <b>gone</b>.</p>\n"
    (tmp_path / "a.mbox").write_text(f"From a@b Mon Mar  4 09:12:33 2024\n{letter}\nFrom a@b Mon Mar  4 2024\n{page}")
    (tmp_path / "a.eml").write_text(letter)
    when = "2024-03-04T09:12:33+00:00"
    expected = [("Ann: I moved the bike.", when, 1), ("Ann: It is dry.", when, 1), ("Ann: The bike is gone.", when, 2)]
    assert [(one.text, one.when, one.line) for one in entries(tmp_path / "a.mbox")] == expected
    assert [(one.text, one.when, one.line) for one in entries(tmp_path / "a.eml")] == expected[:2]


def test_tables() -> None:
    text = "item;storage_place;date\ndrill;shed;13.03.2024\nsaw;attic;02.03.2024\n"
    assert told(text) == [
        ("A table by item with the columns item | storage_place | date.", None),
        ("The storage place of drill is shed.", "2024-03-13"),
        ("The storage place of saw is attic.", "2024-03-02"),
    ]
    assert texts(text, template="{item} is in the {Storage_Place}.") == ["drill is in the shed.", "saw is in the attic."]
    assert texts("who\twhere\tn\nMary\thall\t3\n", "a.tsv")[1:] == ["The where of Mary is hall.", "The n of Mary is 3."]
    quoted = 'item,note\n"drill, big","said ""hi""\nand left"\nsaw,\n'
    assert texts(quoted, "a.csv")[1:] == ['The note of drill, big is said "hi" and left.', "The item is saw."]
    assert texts("from,text\nAnn,I moved it. It is dry.\n", "a.csv") == ["Ann: I moved it.", "Ann: It is dry."]
    assert counted("a,b\n1,2,3\nx,y\n", "a.csv")[1] == "left out: rows of more fields than the first (1, first a.csv:2)"
    for template in ("{item} {other}", "{item.__class__}", "{item!r:>{n}}", "{"):
        with pytest.raises(ConfigError, match=r"does not fit .*\{item\}"):
            texts(text, template=template)
    with pytest.raises(ConfigError, match="--template is for records"):
        texts(MOVES, template="{item}")
    with pytest.raises(FormatError, match=r"a\.csv:2: a quotation mark that opens a field is not closed"):
        texts('a,b\n"x,y\n' + "u,v\n" * 300, "a.csv")
    assert texts("Mary came, John left\nAnn stayed, Bob went\nEve sat, Cy stood\n") != texts("a,b\nc,d\ne,f\n")


PARTS = "date,part,room\n2026-03-01,drill,shed\n"


@pytest.mark.parametrize(
    ("rows", "taken_in", "said"),
    [
        (",saw,\n", 1, "left out: rows with an empty cell that --template names (1, first a.csv:3)"),
        ("2026-03-02,saw\n", 1, "left out: rows with an empty cell that --template names (1, first a.csv:3)"),
        ("2026-03-02,saw\n", 1, "taken as empty: the last cells of rows of fewer fields than the first (1, first a.csv:3)"),
        ("2026-13-45,saw,hall\n", 2, "csv: 2 entries, 1 with a time, 1 with one that is no date (first a.csv:3 '2026-13-45')"),
        (",saw,hall\n", 2, "csv: 2 entries, 1 with a time"),
    ],
)
def test_what_a_table_lacks_is_counted_with_its_line(rows: str, taken_in: int, said: str) -> None:
    reading = Reading("csv", template="The {part} is in the {room}.")
    found = [one.text for one in entries_of_text([PARTS + rows], "a.csv", reading)]
    assert found == ["The drill is in the shed.", "The saw is in the hall."][:taken_in]
    assert said in reading.count.lines()


@pytest.mark.parametrize("rows", ['2026-03-02,"saw,attic\n2026-03-03,pan,hall\n', '2026-03-02,saw,"attic\n'])
def test_a_quotation_mark_that_is_open_at_the_end_is_refused(rows: str) -> None:
    with pytest.raises(FormatError, match=r"a\.csv:3: a quotation mark that opens a field is not closed"):
        texts(PARTS + rows, "a.csv")
    assert len(texts(PARTS + '2026-03-02,5" saw,attic\n2026-03-03,"a ""b""\n",hall\n', "a.csv")[1:]) == 3


def test_a_template_without_a_column_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"'Hello' names no column, .*; there are \{date\}, \{part\}, \{room\}"):
        texts(PARTS, "a.csv", template="Hello")


@pytest.mark.parametrize(
    ("part", "room", "said"),
    [
        ("drill", '"the\nshed"', "The drill is in the shed."),
        ("my saw", "Bob's shed", "My saw is in Bob's shed."),
        ("pump 7", "bay 3", "Pump 7 is in bay 3."),
        ("blue drill", "Dock A", "The blue drill is in Dock A."),
        ("A bit", "test bench", "A bit is in the test bench."),
        ("0", "hall", "The 0 is in the hall."),
    ],
)
def test_an_article_of_a_template_gives_way_to_what_a_cell_brings(part: str, room: str, said: str) -> None:
    assert texts(f"part,room\n{part},{room}\n", "a.csv", template="The {part} is in the {room}.") == [said]


ENCODED = {
    "carriage returns": MOVES.replace("\n", "\r").encode(),
    "Windows": MOVES.replace("\n", "\r\n").encode(),
    "mark": codecs.BOM_UTF8 + MOVES.encode(),
    "UTF-16": MOVES.encode("utf-16"),
    "UTF-16 without a mark": MOVES.encode("utf-16-le"),
    "UTF-16, big": MOVES.encode("utf-16-be"),
    "UTF-32": MOVES.encode("utf-32"),
}


@pytest.mark.parametrize("content", ENCODED.values(), ids=ENCODED.keys())
def test_encodings_and_line_ends(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    assert [(one.text, one.line) for one in entries(tmp_path / "a.txt")] == list(zip(TOLD, (1, 2, 3), strict=True))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (MOVES.encode() + b"Ren\xe9 left\nEve left\n", "is not UTF-8 text: invalid continuation byte in line 4"),
        (MOVES.encode() + b"Eve\0left\n", "a character 0 in line 4"),
        (MOVES.encode() + b"Eve \xe2\x82", "unexpected end of data in line 4"),
        (MOVES.encode() * 9000 + b"\xff", "invalid start byte in line 27001"),
    ],
)
def test_what_comes_before_a_fault_is_taken_in(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    found = list[Entry]()
    with pytest.raises(FormatError, match=said) as caught:
        found.extend(entries(tmp_path / "a.txt"))  # takes what comes one by one
    assert [one.text for one in found][: content.count(b"Mary") * 3] == TOLD * content.count(b"Mary")
    taken = list[list[Entry]]()
    with pytest.raises(FormatError, match=said):
        taken.extend(batches(entries(tmp_path / "a.txt")))
    assert [one for batch in taken for one in batch] == found
    assert str(caught.value).startswith(str(tmp_path / "a.txt"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty: line 1 has no word"),
        (b" \n\t\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "is no text: line 1 begins as a picture"),
        (b"PK\x03\x04abc", "a ZIP archive: unpack it"),
        (b"\x1f\x8b\x08\0", "unpack it with gunzip"),
        (b"{\\rtf1 Mary}", "RTF: save it as DOCX"),
        (bytes(range(1, 250)) * 20, "is no text: line 1 has a byte 1"),
    ],
)
def test_what_is_no_text_is_refused_in_a_sentence(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(FormatError, match=said):
        list(entries(tmp_path / "a.txt"))
    with pytest.raises(FormatError, match="there is no file"):
        list(entries(tmp_path / "other.txt"))


def test_very_long_lines_come_in_several_entries() -> None:
    assert " ".join(texts("word " * 500_000)).split() == ["word"] * 500_000
    assert "".join(texts("x" * 3_000_000)) == "x" * 3_000_000


def test_a_count_says_what_was_understood() -> None:
    count = Count()
    for text in (MOVES, "2024-03-01 09:12 Mary left\n2024-03-01 09:13 John left\n"):
        list(entries_of_text([text], "it", Reading(count=count)))
    assert count.lines() == ["text: 3 entries, 0 with a time", "log: 2 entries, 2 with a time"]


def test_a_dash_within_a_line_is_no_bullet():
    told = ["Shopping:\n", "Ann - the boss - has the keys\n", "Bob — the guard — left\n"]
    found = [one.text for one in entries_of_text(told, "it", Reading("lines"))]
    assert found == ["Shopping:", "Ann - the boss - has the keys", "Bob — the guard — left"]

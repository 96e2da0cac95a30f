"""Properties of what is taken in, and whole commands: nothing is lost, and `memnet remember` says what it understood."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnet.memory.entries import Count, Reading, entries, entries_of_text
from memnet.memory.entries.layout import paragraphs
from memnet.memory.entries.sentences import of_paragraphs, sentences
from memnet.memory.entries.when import Clock, Order, stamp
from memnet.memory.files import TEXT
from tests.conftest import ran, refused

PROSE = st.text(st.sampled_from("abAEéÉß.!?…,;:\"'“”‘’()_-— \n\t\u2028\u3000"), max_size=300)
ANY = st.text(max_size=300)


def words(text: str) -> list[str]:
    """The words of a text."""
    return re.findall(r"\w+", text)


@given(PROSE, st.sampled_from(["text", "prose", "lines"]))
def test_every_word_of_a_plain_text_stands_in_some_entry_in_order(text: str, kind: str) -> None:
    if text.strip():
        found = list(entries_of_text([text], "it", Reading(kind)))
        assert words(" ".join(one.text for one in found)) == words(text)
        assert all(one.text == " ".join(one.text.split()) != "" for one in found)
        assert [one.line for one in found] == sorted(one.line for one in found)


def test_a_last_line_of_spaces_is_nothing() -> None:
    assert [one.text for one in entries_of_text(["Mary went home\n "], "it", Reading("text"))] == ["Mary went home"]


def test_no_sentence_ends_inside_of_a_word() -> None:
    assert sentences("A._A: b") == ["A._A: b"]
    assert sentences("Mary went home._ Bob left. A._A") == ["Mary went home._", "Bob left.", "A._A"]


@given(PROSE)
def test_an_entry_stands_in_its_line(text: str) -> None:
    lines = text.replace("\u2028", " ").split("\n")
    for one in entries_of_text([text], "it", Reading("text")) if text.strip() else ():
        assert one.text[0] in lines[one.line - 1], (one, lines)


@given(ANY)
def test_any_text_is_split_into_what_it_has(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
    assert words(" ".join(one for _, one in paragraphs(text))) == words(text)


@given(st.lists(st.text(st.sampled_from('aAé. "”!B'), min_size=1).map(lambda text: " ".join(text.split())).filter(bool)))
def test_paragraphs_are_split_together_as_each_alone(texts: list[str]) -> None:
    if texts and len({text.islower() for text in texts}) == 1:
        found = list(of_paragraphs(texts))
        assert len(found) == len(texts)
        assert ["".join(one).replace(" ", "") for one in found] == [text.replace(" ", "") for text in texts]


@given(ANY)
def test_no_beginning_of_a_line_breaks_the_search_for_a_time(text: str) -> None:
    if found := stamp(text):
        assert 0 < found.end <= len(text)
        assert Clock(Order()).when(found)


@given(
    st.datetimes(),
    st.sampled_from(["%Y-%m-%d %H:%M:%S,%f", "%d.%m.%Y %H:%M", "%d/%b/%Y:%H:%M:%S", "%B %d, %Y", "%a %b %d %H:%M:%S %Y"]),
)
def test_a_time_is_found_as_it_was_written(at, form: str) -> None:
    at = at.replace(year=1000 + at.year % 9000)
    found = stamp(f"{at.strftime(form)} Mary left")
    assert found is not None
    assert Clock(Order(day_first=True)).when(found).startswith(at.date().isoformat())
    if "%M" in form:
        assert f"T{at:%H:%M}" in Clock(Order(day_first=True)).when(found)


# Whole commands


def test_a_log_is_taken_in_and_the_count_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("2024-03-01 09:12 INFO Mary went to the kitchen.\n2024-03-01 09:13 INFO John went out.\n")
    (tmp_path / "b.csv").write_text("item;place\ndrill;shed\n")
    done = ran(
        "remember",
        tmp_path / "a.log",
        tmp_path / "b.csv",
        "--out",
        tmp_path / "m",
        "--template",
        "The {item} is in the {place}.",
    )
    assert "log: 2 entries, 2 with a time\ncsv: 1 entry, 0 with a time\n" in done.stderr
    assert (tmp_path / "m" / TEXT).read_text().splitlines() == [
        "Mary went to the kitchen.",
        "John went out.",
        "The drill is in the shed.",
    ]
    answer = ran("ask", "--memory", tmp_path / "m", "--question", "Where is Mary?", "--json").stdout
    assert json.loads(answer)["answer"] == "kitchen"


def test_lines_without_full_stops_and_pages_are_answered_from(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mary went to the kitchen\nJohn moved to the garden\nMary went to the office\n")
    ran("remember", tmp_path / "a.txt", "--out", tmp_path / "m")
    assert (tmp_path / "m" / TEXT).read_text().splitlines() == (tmp_path / "a.txt").read_text().splitlines()
    ran("remember", "--out", tmp_path / "p", "--as", "html", stdin="<p>Mary went to the garden.</p><p>John went home.</p>")
    answer = ran("ask", "--memory", tmp_path / "p", "--question", "Where is Mary?", "--json").stdout
    assert json.loads(answer)["answer"] == "garden"


def test_what_comes_before_a_fault_is_remembered_and_the_mended_file_goes_on(tmp_path: Path) -> None:
    moves = "Mary went to the kitchen\nJohn moved to the garden\nAnn took the milk\n"
    (tmp_path / "a.txt").write_bytes(moves.encode() + b"Ren\xe9 went home\n")
    said = refused("remember", tmp_path / "a.txt", "--out", tmp_path / "m")
    assert "a.txt is not UTF-8 text: invalid continuation byte in line 4" in said
    assert "3 sentences are remembered" in said
    (tmp_path / "a.txt").write_text(f"{moves}René went home\n", encoding="utf-8")
    for other in ("--when", "2024-03-01"), ("--source", "b.txt"):
        said = refused("remember", tmp_path / "a.txt", "--out", tmp_path / "m", *other)
        assert f"'Mary went to the kitchen' was noted with no time and {tmp_path / 'a.txt'}, and has " in said
        assert "give the same --when and --source to go on" in said
    again = ran("remember", tmp_path / "a.txt", "--out", tmp_path / "m")
    assert "goes on after the 3 sentences of it that are remembered" in again.stderr
    assert "remembers 4 sentences, 1 of them new" in again.stdout


def test_texts_of_which_nothing_can_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_text("From: a@b.c\nSubject: x\nContent-Type: application/octet-stream\n\nAAEC\n")
    assert "nothing is remembered" in refused("remember", tmp_path / "a.eml", "--out", tmp_path / "m")
    (tmp_path / "b.txt").write_text("Mary went home.\n")
    beside = ran("remember", tmp_path / "b.txt", tmp_path / "a.eml", "--out", tmp_path / "m")
    assert "remembers 1 sentence" in beside.stdout


def test_options_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mary went home.\n")
    out = ("--out", tmp_path / "m")
    assert "--as yaml is no format; there are auto, text" in refused("remember", tmp_path / "a.txt", *out, "--as", "yaml")
    assert "--when 'soon' is no date" in refused("remember", tmp_path / "a.txt", *out, "--when", "soon")
    assert "--template is for records" in refused("remember", tmp_path / "a.txt", *out, "--template", "{x}")
    assert "is read from a file" in refused("remember", *out, "--as", "pdf", stdin="x")
    assert "is empty" in refused("remember", *out, stdin="\n")


def test_the_date_of_a_file_is_the_time_of_what_has_none(tmp_path: Path) -> None:
    import os

    from memnet.cli.remember import told

    (tmp_path / "a.txt").write_text("Mary went home.\n")
    os.utime(tmp_path / "a.txt", (1709284353, 1709284353))
    (found,) = [list(one) for one in told([tmp_path / "a.txt"], Reading(when="file", source="notes"))]
    assert found == [("Mary went home.", "2024-03-01", "notes", 1)]


def test_entries_need_no_torch() -> None:
    code = (
        "import sys, memnet.memory.entries\nassert not {'torch', 'blingfire', 'selectolax', 'docx', 'pypdf'} & {*sys.modules}"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_memory_of_the_process_does_not_grow_with_the_text(tmp_path: Path) -> None:
    import tracemalloc

    line = "2024-03-01 09:12:33 INFO Mary took the drill to the shed, where John had left the saw.\n"
    peaks = []
    for count in (2_000, 8_000):
        (tmp_path / "a.log").write_text(line * count)
        tracemalloc.start()
        counted = Count()
        assert sum(1 for _ in entries(tmp_path / "a.log", Reading(count=counted))) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


@pytest.mark.parametrize(
    "text", ["Mary went home", "2024-03-01", "a,b\n", "{", "[", "#", "<", "- ", "Ann:", "=", "|", "x=1 y=2"]
)
def test_the_least_of_a_format_is_taken_in_or_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    for kind in ("auto", "text", "lines", "log", "jsonl", "json", "chat", "csv", "markdown", "html"):
        found = list[str]()
        try:
            found = [one.text for one in entries(tmp_path / "a.txt", Reading(kind))]
        except ValueError as error:
            found = [str(error)]
        assert all(found), kind


def heeds_ctrl_c() -> None:
    """Stop at SIGINT, which who is started in the background of a shell ignores."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_text_that_is_stopped_says_what_is_kept_and_how_to_go_on(how: signal.Signals, status: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "memnet", "remember", "--out", str(tmp_path / "m"), "--as", "lines"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes, text=True, preexec_fn=heeds_ctrl_c) as process:
        try:
            assert process.stdin is not None
            while not (tmp_path / "m" / TEXT).exists() or not (tmp_path / "m" / TEXT).stat().st_size:
                assert process.poll() is None
                process.stdin.write("Mary went to the kitchen\n")
                process.stdin.flush()
                time.sleep(0.05)
            process.send_signal(how)
            process.wait(timeout=60)  # its input stays open until it has stopped
            assert process.stderr is not None
            said = process.stderr.read()
        finally:
            process.kill()
    assert process.returncode == status
    assert "Traceback" not in said
    assert re.search(r"memnet: stopped; [\d,]+ sentences are remembered; the same command goes on after them", said), said


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (["04/03/2024", "05/03/2024", "06/03/2024"], "2024-03-04"),  # three days in a row, or the fourth to sixth month
        (["03/04/2024", "03/05/2024", "03/06/2024"], "2024-03-04"),
        (["06/03/2024"], "2024-06-03"),
        (["05/03/2024", "04/04/2024", "02/05/2024"], "2024-03-05"),  # forward in time by one of them alone
    ],
)
def test_dates_of_a_log_are_read_in_the_order_that_keeps_them_near(dates: list[str], expected: str):
    order = Order()
    for text in dates:
        found = stamp(f"{text} something was done")
        assert found is not None
        order.learn(found)
    first = stamp(f"{dates[0]} something was done")
    assert first is not None
    assert Clock(order).day_of(first).isoformat() == expected

"""A memory on disk: taken in piece by piece, cut off, appended to, asked."""

import json
import os
from pathlib import Path

import pytest
from filelock import FileLock

from memnet.ask.long_memory import LongMemory, pieces
from memnet.ask.memory_folder import ENDS, HEAD, LOCK, SCORES, TEXT
from memnet.errors import AskError, BusyError, NetworkError
from memnet.models.retriever import Retriever, RetrieverConfig
from memnet.nn.random import Random
from memnet.record.measurements import LongTextCell, ReadingCost, read_csv
from memnet.tasks.text.background import sentences
from tests.conftest import memnet, refused

TOLD = ["Mary went to the kitchen.\n", "It rained the whole day and nobody went out. John went\n", "to the garden.\n"]
KEPT = [(0, "Mary went to the kitchen."), (2, "John went to the garden.")]


class ByWord(Retriever):
    """Keeps sentences with the word "to"."""

    def __init__(self) -> None:
        super().__init__(RetrieverConfig(), ["to", "went", "the", "where", "is"], Random(0, 1, "weights"))

    def forward(self, numbers):
        return (numbers == self.number["to"]).any(1).float() - 0.5


@pytest.fixture
def memory(tmp_path: Path) -> LongMemory:
    return LongMemory(tmp_path / "memory", ByWord(), "by word")


def test_what_was_told_is_there_and_what_the_retriever_keeps_comes_in_order(memory: LongMemory) -> None:
    assert list(memory.remember(TOLD)) == [3]
    assert memory.extent().sentences == 3
    assert memory.kept() == KEPT
    assert memory.about("Where is Mary?") == KEPT[:1]


@pytest.mark.parametrize("size", [1, 10, 60, 10_000])
def test_pieces_of_any_size_have_the_same_sentences(size: int) -> None:
    assert [one for piece in pieces(TOLD, size) for one in piece] == sentences(" ".join(TOLD))


def test_more_is_told_later_and_the_files_are_those_of_one_telling(memory: LongMemory, tmp_path: Path) -> None:
    for line in ("Mary went to the kitchen.", "Nobody knew.", "John went to the garden."):
        list(memory.remember([line]))
    whole = LongMemory(tmp_path / "whole", ByWord(), "by word")
    list(whole.remember(["Mary went to the kitchen. Nobody knew. John went to the garden."]))
    for name in (HEAD, TEXT, ENDS, SCORES):
        assert (memory.folder / name).read_bytes() == (whole.folder / name).read_bytes()


def test_what_a_killed_process_wrote_is_cut_off(memory: LongMemory) -> None:
    list(memory.remember(TOLD))
    before = {name: (memory.folder / name).read_bytes() for name in (TEXT, ENDS, SCORES)}
    for name in (TEXT, ENDS, SCORES):
        with open(memory.folder / name, "ab") as file:
            file.write(b"half a sent")
    assert memory.kept() == KEPT
    said: list[str] = []
    assert list(again(memory, said).remember([])) == []
    assert said == [f"{memory.folder}: what was not written to its end is cut off; 3 sentences are remembered"]
    assert before == {name: (memory.folder / name).read_bytes() for name in (TEXT, ENDS, SCORES)}


def test_an_empty_memory_keeps_nothing_and_answers_nothing(memory: LongMemory) -> None:
    list(memory.remember([]))
    assert memory.kept() == []
    with pytest.raises(AskError, match="no statement to answer from"):
        memory.ask(None, "Where is Mary?")  # type: ignore[arg-type]


def test_two_do_not_tell_it_at_once(memory: LongMemory) -> None:
    list(memory.remember(TOLD))
    with FileLock(memory.folder / LOCK), pytest.raises(BusyError, match="another process"):
        list(memory.remember(TOLD))
    assert memory.extent().sentences == 3


def test_what_comes_slowly_is_taken_in_and_text_without_an_end_is_cut() -> None:
    slow = list(pieces(["Mary went to the kitchen. ", "John went to the garden. ", "Nobody knew."], seconds=-1))
    assert slow[0] == ["Mary went to the kitchen."]
    assert [one for piece in slow for one in piece] == ["Mary went to the kitchen.", "John went to the garden.", "Nobody knew."]
    assert [len(piece) for piece in pieces(["word " * 100] * 3, size=200, longest=200)] == [1, 1, 1]


def test_an_empty_line_ends_a_sentence() -> None:
    assert [one for piece in pieces(["CHAPTER I\n\nMary went\nto the kitchen.\n"]) for one in piece] == [
        "CHAPTER I",
        "Mary went to the kitchen.",
    ]


def test_a_name_that_nothing_kept_has_is_looked_for_in_the_rest(memory: LongMemory) -> None:
    list(memory.remember(["Mary went to the kitchen. Anna stayed at home. Annabel knew. Nobody else came."]))
    assert memory.about("Where is Anna?") == [(1, "Anna stayed at home.")]
    assert memory.about("Where is Mary?") == [(0, "Mary went to the kitchen.")]
    assert memory.about("Where is Bob?") == [(0, "Mary went to the kitchen.")]


NUMBERS = (-1, 1e400, 2.7, "11", True, None, 10**30)
OLD = ("format", "retriever", "sentences", "bytes")  # what a head said before it had checksums


def again(memory: LongMemory, said: list[str] | None = None) -> LongMemory:
    """The memory of the folder, opened by another process."""
    return LongMemory(memory.folder, ByWord(), "by word", (said if said is not None else []).append)


def write_head(memory: LongMemory, **content: object) -> None:
    """Change what the head says."""
    path = memory.folder / HEAD
    path.write_text(json.dumps(json.loads(path.read_text()) | content))


def make_old(memory: LongMemory) -> None:
    """A memory as the first format has it."""
    saved = json.loads((memory.folder / HEAD).read_text()) | {"format": 1}
    (memory.folder / HEAD).write_text(json.dumps({name: saved[name] for name in OLD}))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (HEAD, b'{"format": 99}', "format"),
        (HEAD, b"\xff\x00", "not the head"),
        (SCORES, None, "missing"),
        (ENDS, b"\xff" * 24, "does not fit"),
        *((HEAD, {"sentences": value}, "it was changed") for value in NUMBERS),
        (HEAD, {"statements": 3}, "it was changed"),
        (HEAD, {"format": 1}, "expected format"),
    ],
)
def test_a_broken_memory_is_one_sentence(memory: LongMemory, name: str, content, said: str) -> None:
    list(memory.remember(TOLD))
    path = memory.folder / name
    if content is None:
        path.unlink()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        write_head(memory, **content)
    with pytest.raises(NetworkError, match=said):
        memory.kept()


@pytest.mark.parametrize("name", [TEXT, ENDS, SCORES])
def test_a_changed_bit_is_noticed(memory: LongMemory, name: str) -> None:
    list(memory.remember(TOLD))
    path = memory.folder / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(NetworkError, match=rf"{name} does not fit memory\.json"):
        again(memory).kept()


def test_a_memory_of_the_first_format_opens_and_has_checksums_from_the_next_text_on(memory: LongMemory) -> None:
    list(memory.remember(TOLD))
    new = (memory.folder / HEAD).read_bytes()
    make_old(memory)
    assert again(memory).kept() == KEPT
    list(again(memory).remember([]))
    assert (memory.folder / HEAD).read_bytes() == new
    for value in NUMBERS:
        make_old(memory)
        write_head(memory, sentences=value)
        with pytest.raises(NetworkError, match="expected numbers"):
            again(memory).kept()


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize(("name", "left", "sentences"), [(TEXT, 60, 1), (ENDS, 17, 2), (SCORES, 8, 2), (TEXT, 0, 0)])
def test_a_file_that_lost_its_end_counts_as_far_as_it_goes(memory: LongMemory, old, name: str, left, sentences) -> None:
    list(memory.remember(TOLD))
    if old:
        make_old(memory)
    with open(memory.folder / name, "r+b") as file:
        file.truncate(left)
    said: list[str] = []
    asked = again(memory, said)
    assert asked.kept() == [one for one in KEPT if one[0] < sentences]
    assert said == [f"{memory.folder / name} lacks its end; {sentences} of 3 sentences are remembered"]
    list(again(memory).remember(["Anna went to the hall."]))
    assert again(memory, said).kept() == [*(one for one in KEPT if one[0] < sentences), (sentences, "Anna went to the hall.")]
    assert len(said) == 1


def test_a_process_killed_in_its_first_moments_leaves_a_folder_that_is_taken(memory: LongMemory) -> None:
    memory.folder.mkdir()
    (memory.folder / f".{HEAD}.a1b2c3.tmp").write_text('{"form')
    (memory.folder / TEXT).touch()
    list(memory.remember(TOLD))
    assert memory.kept() == KEPT
    assert not list(memory.folder.glob("*.tmp"))


def test_a_text_of_ones_own_is_not_taken_for_a_memory(memory: LongMemory) -> None:
    memory.folder.mkdir()
    (memory.folder / TEXT).write_text("My own sentences.")
    with pytest.raises(NetworkError, match=r"holds other files, such as 'sentences\.txt'"):
        list(memory.remember(TOLD))
    assert (memory.folder / TEXT).read_text() == "My own sentences."


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
@pytest.mark.parametrize("name", [HEAD, TEXT, ENDS, SCORES])
@pytest.mark.parametrize("new", [True, False])
def test_no_link_is_followed_and_no_pipe_waited_for(memory: LongMemory, tmp_path: Path, name: str, new: bool) -> None:
    target, path = tmp_path / "target", memory.folder / name
    target.write_text("Dear Mary")
    memory.folder.mkdir()
    if not new:
        list(memory.remember(TOLD))
        path.unlink()
    path.symlink_to(target)
    with pytest.raises(NetworkError, match="other files" if new and name != HEAD else "is a link"):
        list(again(memory).remember(TOLD))
    assert target.read_text() == "Dear Mary"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(NetworkError, match="other files" if new and name != HEAD else "no plain file"):
        list(again(memory).remember(TOLD))


MOVES = [f"{name} went to the {place}." for name in ("Mary", "John", "Anna", "Bob") for place in ("hall", "garden", "attic")]


def interrupted(memory: LongMemory, after: int) -> None:
    """Take in some pieces of a text, and no more."""
    told = memory.remember(*([one] for one in MOVES))
    for _ in range(after):
        next(told)
    told.close()


@pytest.mark.parametrize("after", [1, 5, 12])
def test_a_text_that_was_interrupted_goes_on_where_it_stopped(memory: LongMemory, tmp_path: Path, after: int) -> None:
    whole = LongMemory(tmp_path / "whole", ByWord(), "by word")
    for one in (memory, whole):
        list(one.remember(TOLD))
    list(whole.remember([" ".join(MOVES)]))
    interrupted(memory, after)
    assert memory.extent().sentences == 3 + after
    list(again(memory).remember([]))
    said: list[str] = []
    list(again(memory, said).remember([" ".join(MOVES)]))
    assert said == [f"goes on after the {after} sentences of it that are remembered"]
    for name in (HEAD, TEXT, ENDS, SCORES):
        assert (memory.folder / name).read_bytes() == (whole.folder / name).read_bytes()


@pytest.mark.parametrize("other", [MOVES[:2], [*MOVES[:3], "Nobody knew.", *MOVES], ["Nobody knew."]])
def test_another_text_after_one_that_was_interrupted_is_taken_in_whole(memory: LongMemory, other: list[str]) -> None:
    interrupted(memory, 5)
    said: list[str] = []
    list(again(memory, said).remember([" ".join(other)]))
    assert said == ["the last text was not taken in to its end; this one is another, and follows its 5 sentences"]
    assert (memory.folder / TEXT).read_text().splitlines() == [*MOVES[:5], *other]
    assert again(memory).extent().whole == 5 + len(other)


def test_the_statements_are_counted_as_they_come(memory: LongMemory) -> None:
    list(memory.remember(TOLD, ["Bob went to the attic. Nobody knew."]))
    assert memory.extent().statements == len(memory.kept()) == 3
    make_old(memory)
    assert again(memory).extent().statements == 3


def test_scores_of_another_retriever_and_folders_of_something_else_are_refused(memory: LongMemory, tmp_path: Path) -> None:
    list(memory.remember(TOLD))
    with pytest.raises(NetworkError, match="another retriever"):
        LongMemory(memory.folder, ByWord(), "other").kept()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("Dear Mary")
    with pytest.raises(NetworkError, match=r"letter\.txt"):
        list(LongMemory(tmp_path / "full", ByWord(), "by word").remember(TOLD))
    assert (tmp_path / "full" / "letter.txt").read_text() == "Dear Mary"


def test_the_command_takes_in_files_and_pipes_and_answers_are_of_what_was_told(tmp_path: Path) -> None:
    book, out = tmp_path / "book.txt", tmp_path / "memory"
    book.write_text(
        "Mary went to the kitchen. The evening was long, and nobody in the old house spoke a word.", encoding="utf-8"
    )
    assert "1 of them are statements" in memnet("remember", book, "--out", out).stdout
    more = memnet("remember", "--out", out, stdin="Mary went to the garden.\n").stdout
    assert more == f"{out} remembers 3 sentences, 1 of them new; 2 of them are statements to answer from\n"
    answer = json.loads(memnet("ask", "--memory", out, "--question", "Where is Mary?", "--json").stdout)
    assert answer["answer"] == "garden"
    (tmp_path / "bad.txt").write_bytes(b"Ren\xe9 went to the kitchen.\n")
    assert "bad.txt is not UTF-8 text" in refused("remember", tmp_path / "bad.txt", "--out", out)
    assert "3 sentences are remembered" in refused("remember", tmp_path / "bad.txt", "--out", out)
    assert refused("remember", tmp_path / "none.txt", "--out", out) == f"memnet: {tmp_path / 'none.txt'} is no file\n"
    with open(out / TEXT, "ab") as file:
        file.write(b"half a sent")
    assert "not written to its end is cut off; 3 sentences are remembered" in memnet("remember", book, "--out", out).stderr
    assert "'memnet remember' makes a memory" in refused("ask", "--memory", tmp_path / "other", "--question", "Where is Mary?")


def test_what_it_costs_to_take_in_a_text(tmp_path: Path, published: Path) -> None:
    out = tmp_path / "reading.csv"
    (tmp_path / "one.txt").write_text("This sentence of the only book has more than ten tokens in it. " * 200, encoding="utf-8")
    memnet("bench", "reading", "--background", tmp_path, "--length", "1k", "--data", published, "--write", out)
    (row,) = read_csv(out, ReadingCost)
    assert row.length == "1k"
    assert 40 < row.sentences < 110
    assert min(row.seconds, row.milliseconds, row.peak) > 0


def test_the_bench_measures_a_cell_and_the_data_command_writes_its_samples(tmp_path: Path, published: Path) -> None:
    books, out = tmp_path / "books", tmp_path / "cells.csv"
    books.mkdir()
    (books / "one.txt").write_text("This sentence of the only book has more than ten tokens in it. " * 200, encoding="utf-8")
    options = ("--background", books, "--questions", 5, "--data", published)
    for length in ("0k", "1k", "1k"):
        memnet("bench", "babilong", "--task", "qa1", "--length", length, *options, "--write", out)
    cells = read_csv(out, LongTextCell)
    assert [(cell.task, cell.length, cell.questions, cell.facts_kept) for cell in cells] == [
        ("qa1", "0k", 5, 100.0),
        ("qa1", "1k", 5, 100.0),
    ]
    memnet("data", "babilong", "qa1", "--length", "1k", *options, "--out", tmp_path / "samples.jsonl")
    lines = (tmp_path / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    assert [set(json.loads(line)) for line in lines] == [{"input", "question", "target"}] * 5
    asked = memnet("bench", "babilong", "--samples", tmp_path / "samples.jsonl").stdout
    assert asked == f"{tmp_path / 'samples.jsonl'}: 100.0 % of 5 right\n"
    (tmp_path / "samples.jsonl").write_text('\n{"input": "Mary went to the hall.", "question": "hm", "target": "hall"}\n\n')
    assert memnet("bench", "babilong", "--samples", tmp_path / "samples.jsonl").stdout.endswith(": 0.0 % of 1 right\n")
    (tmp_path / "samples.jsonl").write_text("\n")
    assert "has no sample" in refused("bench", "babilong", "--samples", tmp_path / "samples.jsonl")
    (tmp_path / "samples.jsonl").write_text('{"input": "Mary went home."}\n')
    assert "samples.jsonl:1: expected" in refused("bench", "babilong", "--samples", tmp_path / "samples.jsonl")
    for name, value in (("input", ["Mary went home."]), ("question", None), ("target", 3), ("target", ["hall"]), ("input", {})):
        sample = {"input": "Mary went home.", "question": "Where is Mary?", "target": "home"} | {name: value}
        (tmp_path / "samples.jsonl").write_text(json.dumps(sample) + "\n")
        said = refused("bench", "babilong", "--samples", tmp_path / "samples.jsonl")
        assert "samples.jsonl:1: expected" in said
        assert f"({name} is no text)" in said
    assert "asked for, and there are" in refused("bench", "babilong", "--task", "qa1", "--length", "1M", *options)
    assert "--background is missing" in refused("bench", "babilong")
    assert "--length must be 0k" in refused("bench", "babilong", "--length", "3k")

"""A memory on disk: taken in piece by piece, cut off, appended to, asked."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from memnet.errors import AskError, BusyError, NetworkError
from memnet.memory import Entry
from memnet.memory.files import ENDS, HEAD, LOCK, SCORES, TEXT, checksum
from memnet.memory.long_memory import LongMemory, pieces
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


def again(memory: LongMemory, said: list[str] | None = None) -> LongMemory:
    """The memory of the folder, opened by another process."""
    return LongMemory(memory.folder, ByWord(), "by word", (said if said is not None else []).append)


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


def test_scores_of_another_retriever_and_folders_of_something_else_are_refused(memory: LongMemory, tmp_path: Path) -> None:
    list(memory.remember(TOLD))
    with pytest.raises(NetworkError, match="another retriever"):
        LongMemory(memory.folder, ByWord(), "other").kept()
    changed = json.loads((head := memory.folder / HEAD).read_text()) | {"retriever": "\x1b[2J\u202e" * 999}
    head.write_text(json.dumps(changed | {"head_crc32": checksum(changed)}))
    with pytest.raises(NetworkError, match="another retriever") as caught:
        memory.kept()
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)
    assert len(str(caught.value)) < 300
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
    assert memnet("remember", book, "--out", out).stdout == f"{out} remembers 2 sentences\n"
    more = memnet("remember", "--out", out, stdin="Mary went to the garden.\n").stdout
    assert more == f"{out} remembers 3 sentences, 1 of them new\n"
    answer = json.loads(memnet("ask", "--memory", out, "--question", "Where is Mary?", "--json").stdout)
    assert answer["answer"] == "garden"
    in_a_loop = memnet("ask", "--memory", out, "--question", "Where is Mary?", "--json", stdin="Mary went to the office.\n")
    assert json.loads(in_a_loop.stdout)["answer"] == "garden"  # what is piped in are the questions of 'while read', not a story
    (tmp_path / "bad.txt").write_bytes(b"Ren\xe9 went to the kitchen.\n")
    assert "bad.txt is not UTF-8 text" in refused("remember", tmp_path / "bad.txt", "--out", out)
    assert "3 sentences are remembered" in refused("remember", tmp_path / "bad.txt", "--out", out)
    assert "--source is empty; name a source" in refused("remember", book, "--out", out, "--source", " ")
    with open(out / TEXT, "ab") as file:
        file.write(b"half a sent")
    assert "not written to its end is cut off; 3 sentences are remembered" in memnet("remember", book, "--out", out).stderr
    assert "holds no memory; 'memnet remember' makes one" in refused(
        "ask", "--memory", tmp_path / "other", "--question", "Where is Mary?"
    )


def test_what_is_no_text_leaves_no_memory(tmp_path: Path) -> None:
    (tmp_path / "bin.dat").write_bytes(bytes(range(256)) * 40)
    assert "bin.dat is no text" in refused("remember", tmp_path / "bin.dat", "--out", tmp_path / "memory")
    assert not (tmp_path / "memory").exists()


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


@pytest.mark.parametrize(
    "lines",
    [
        ["Mary left.\n", "John came.\n", "Sandra we"],  # the last is not whole
        [Entry("Mary left."), Entry("John came.")],
    ],
)
def test_what_came_before_it_was_stopped_is_kept(lines: list[str] | list[Entry], tmp_path: Path):
    def typed() -> Iterator[str | Entry]:
        yield from lines
        raise KeyboardInterrupt

    memory = LongMemory(tmp_path / "memory", ByWord(), "by word")
    with pytest.raises(KeyboardInterrupt):
        list(memory.remember(typed()))
    assert memory.extent().sentences == 2
    assert [one.text for one in memory.held([0, 1])] == ["Mary left.", "John came."]

"""The files of a memory: broken, changed, cut off, interrupted, or something else."""

import json
import os
from pathlib import Path

import pytest

from memnet.errors import NetworkError
from memnet.memory.files import DATA, ENDS, HEAD, SCORES, STRUCK, TEXT
from memnet.memory.long_memory import LongMemory
from tests.conftest import memnet
from tests.memory.test_long_memory import KEPT, TOLD, ByWord, again


@pytest.fixture
def memory(tmp_path: Path) -> LongMemory:
    return LongMemory(tmp_path / "memory", ByWord(), "by word")


NUMBERS = (-1, 1e400, 2.7, "11", True, None, 10**30)
OLD = ("format", "retriever", "sentences", "bytes")  # what a head said before it had checksums


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
    restores = "" if old or name == TEXT else "; 'memnet remember' restores what sentences.txt has"
    assert said == [f"{memory.folder / name} lacks its end; {sentences} of 3 sentences are remembered{restores}"]
    list(again(memory).remember(["Anna went to the hall."]))
    left = 3 if restores else sentences
    assert again(memory, said).kept() == [*(one for one in KEPT if one[0] < left), (left, "Anna went to the hall.")]
    assert len(said) == 1


@pytest.mark.parametrize("name", [ENDS, SCORES])
def test_what_a_file_lacks_is_made_again_from_the_text(memory: LongMemory, name: str) -> None:
    list(memory.remember(TOLD))
    whole = {path.name: path.read_bytes() for path in memory.folder.iterdir() if path.name in (HEAD, *DATA)}
    (memory.folder / name).write_bytes(b"abc")
    said: list[str] = []
    list(again(memory, said).remember([]))
    assert {one: (memory.folder / one).read_bytes() for one in whole} == whole
    assert said == [f"{memory.folder}: {name} lacked the end; 3 of 3 sentences are kept, as sentences.txt has them"]


def test_nothing_is_made_again_from_a_text_that_was_changed(memory: LongMemory) -> None:
    list(memory.remember(TOLD))
    (memory.folder / SCORES).write_bytes(b"")
    text = (memory.folder / TEXT).read_bytes()
    (memory.folder / TEXT).write_bytes(text.replace(b"kitchen", b"chicken"))
    with pytest.raises(NetworkError, match=r"sentences\.txt does not fit memory\.json, it was changed"):
        list(again(memory).remember(["Anna went to the hall."]))


@pytest.mark.parametrize("name", DATA)
def test_the_command_counts_right_after_a_file_was_damaged(tmp_path: Path, name: str) -> None:
    text, out = tmp_path / "t.txt", tmp_path / "memory"
    text.write_text("Ann gave the lamp to Bob. Bob moved the lamp to the cellar.")
    memnet("remember", text, "--when", "2026-03-01", "--out", out)
    (out / name).write_bytes(b"abc")
    said = memnet("remember", text, "--when", "2026-03-01", "--out", out)
    new = "2 sentences" if name == TEXT else "4 sentences, 2 of them new"
    assert said.stdout == f"{out} remembers {new}\n"
    assert ("0 of 2 sentences are remembered" if name == TEXT else "2 of 2 sentences are kept") in said.stderr or name == STRUCK
    assert "cellar" in memnet("ask", "--memory", out, "--question", "Where is the lamp?").stdout


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


def test_the_command_reads_no_statement_to_count_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(LongMemory, "kept")
    told = memnet("remember", "--out", tmp_path / "memory", stdin="Mary went to the garden. It rained the whole day.")
    assert told.stdout == f"{tmp_path / 'memory'} remembers 2 sentences\n"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("{}", "it has no 'format'"),
        ('{"format": 3}', "it has no 'head_crc32'"),
        ("[]", "expected an object of JSON"),
        ("null", "expected an object of JSON"),
    ],
)
def test_what_a_head_lacks_is_named(memory: LongMemory, head: str, said: str) -> None:
    list(memory.remember(TOLD))
    (memory.folder / HEAD).write_text(head)
    with pytest.raises(NetworkError, match=f"is not the head of a memory: {said}$"):
        again(memory).kept()


def test_one_sentence_is_one(tmp_path: Path) -> None:
    text, broken, out = tmp_path / "t.txt", tmp_path / "e.pdf", tmp_path / "memory"
    text.write_text("Ann went home.")
    broken.write_bytes(b"%PDF-1.4\nbroken")
    assert memnet("remember", text, "--out", out).stdout == f"{out} remembers 1 sentence\n"
    said = memnet("remember", broken, "--out", out)
    assert said.stderr.startswith(f"memnet: {broken}: its beginning cannot be read as PDF")
    assert said.stderr.endswith("; 1 sentence is remembered\n")
    assert said.stderr.count("\n") == 1
    text.write_text("Ann went home.\nWhere is Ann?\n")
    asked = memnet("ask", "--story", text, "--question", "Where is Ann?")
    assert "left out: 1 question among the statements" in asked.stderr

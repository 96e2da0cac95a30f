"""The index of a memory's words: what it finds, and that nothing that happens to its file changes that."""

import os
import shutil
import threading
from pathlib import Path
from random import Random

import pytest
from filelock import FileLock

from memnet.memory import index as module
from memnet.memory.files import HEAD, INDEX, LOCK, TEXT
from memnet.memory.folder import MemoryFolder
from memnet.memory.long_memory import LongMemory
from memnet.tasks.text import words
from tests.memory.test_long_memory import ByWord, again

TOLD = [
    "Mary went to the kitchen.",
    "Élodie stayed at home at 7 o'clock.",
    "MARY's cat sat on the merry-go-round.",
    "玛丽去了厨房 with Mary and a 🏠.",
    "Nobody said merry or go.",
]


@pytest.fixture
def memory(tmp_path: Path) -> LongMemory:
    memory = LongMemory(tmp_path / "memory", ByWord(), "by word")
    list(memory.remember([f"{one}\n\n" for one in TOLD]))
    assert [one for piece in memory.files.text(0, 5) for one in piece] == TOLD
    return memory


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        (["mary"], [0, 2, 3]),
        (["MARY", "Kitchen"], [0]),
        (["elodie"], [1]),
        (["élodie"], [1]),
        (["ELODIE", "home"], [1]),
        (["o'clock"], [1]),
        (["clock"], [1]),
        (["merry-go-round"], [2]),
        (["merry", "go"], [2, 4]),
        (["厨"], [3]),
        (["厨房"], [3]),
        (["🏠"], [3]),
        (["kitch"], []),
        (["bob"], []),
        ([], []),
        (["?!"], []),
        (["?!", "kitchen"], [0]),
        (['"kitchen" OR "home"'], []),
        (["kitchen*"], [0]),
        (["NOT"], []),
        (["7"], [1]),
        (["the\0kitchen"], [0]),
    ],
)
def test_sentences_are_found_by_all_their_words(memory: LongMemory, asked: list[str], found: list[int]) -> None:
    assert memory.index.find(asked) == found


def test_the_newest_are_found_as_far_as_they_are_wanted(memory: LongMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    for first in (1, 2, 256):
        monkeypatch.setattr(module, "FIRST", first)
        assert [memory.index.find(["mary"], newest) for newest in (0, 1, 2, 3, 9)] == [[], [3], [2, 3], [0, 2, 3], [0, 2, 3]]


def test_what_is_told_later_is_found_and_what_is_struck_is_not(memory: LongMemory) -> None:
    assert memory.index.find(["mary"]) == [0, 2, 3]
    list(again(memory).remember(["Mary came back."]))
    assert memory.index.find(["mary"]) == [0, 2, 3, 5]
    with memory.files.held():
        memory.files.strike(memory.files.entered(), [2, 5])
    for one in (memory, again(memory)):
        assert one.index.find(["mary"]) == [0, 3]
        assert one.index.find(["mary"], 1) == [3]
        assert [number for number, _ in one.index.rank(["mary"])] == [0, 3]


def test_ranked_are_rarer_words_first_and_of_equals_the_newest(memory: LongMemory) -> None:
    ranked = memory.index.rank(["Kitchen", "mary"])
    assert [number for number, _ in ranked] == [0, 3, 2] or [number for number, _ in ranked] == [0, 2, 3]
    assert ranked[0][1] > ranked[1][1] >= ranked[2][1] > 0
    assert memory.index.rank(["mary"], 1) == memory.index.rank(["mary"])[:1]
    assert memory.index.rank(["bob"]) == memory.index.rank([]) == memory.index.rank(["mary"], 0) == []
    list(memory.remember(["Bob left. Bob left."]))
    assert [number for number, _ in memory.index.rank(["bob"])] == [6, 5]


def test_a_word_of_very_many_sentences_counts_only_where_all_are_such(
    memory: LongMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEAST", 1)
    list(memory.remember([f"The house number {number}. " for number in range(60)]))
    assert {number for number, _ in memory.index.rank(["the", "kitchen"], 99)} == {0}
    assert len(memory.index.rank(["the", "house"], 99)) > 60


def test_random_texts_are_found_as_a_scan_finds_them(tmp_path: Path) -> None:
    draw, known = Random(0), ["mary", "john", "garden", "kitchen", "went", "to", "o'clock", "élan", "家"]
    memory = LongMemory(tmp_path / "memory", ByWord(), "by word")
    told = [" ".join(draw.choices(known, k=4)).capitalize() + "." for _ in range(300)]
    for start in range(0, 300, 75):
        list(memory.remember([f"{one}\n\n" for one in told[start : start + 75]]))
        for _ in range(20):
            asked = draw.sample(known, draw.choice((1, 2)))
            expected = [place for place, one in enumerate(told[: start + 75]) if {*asked} <= {*words(one)}]
            assert memory.index.find(asked) == expected
            assert memory.index.find(asked, 3) == expected[-3:]


# Its file


@pytest.fixture
def saved(memory: LongMemory, monkeypatch: pytest.MonkeyPatch) -> LongMemory:
    """A memory whose index has a file."""
    monkeypatch.setattr(module, "LEAST", 1)
    memory.index.find(["mary"])
    assert (memory.folder / INDEX).exists()
    return memory


def taken_in(memory: LongMemory, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many sentences are indexed where a memory is opened and asked."""
    seen, text = list[int](), MemoryFolder.text

    def counted(self, first, last):
        seen.append(last - first)
        return text(self, first, last)

    with monkeypatch.context() as patched:
        patched.setattr(MemoryFolder, "text", counted)
        assert again(memory).index.find(["mary"])[:3] == [0, 2, 3]
    return seen


def test_the_file_saves_making_the_index_again(saved: LongMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    assert taken_in(saved, monkeypatch) == []
    monkeypatch.setattr(module, "LEAST", 100)
    list(saved.remember(["Mary came back."]))
    assert taken_in(saved, monkeypatch) == [1]
    (saved.folder / INDEX).unlink()
    assert taken_in(saved, monkeypatch) == [6]


def test_taking_in_much_text_writes_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 3)
    monkeypatch.setattr("memnet.memory.long_memory.LEAST", 3)
    memory = LongMemory(tmp_path / "memory", ByWord(), "by word")
    list(memory.remember(["Mary went out. Mary came in."]))
    assert not (memory.folder / INDEX).exists()
    list(memory.remember(["Nobody knew. Mary slept. Bob woke."]))
    assert (memory.folder / INDEX).exists()
    monkeypatch.setattr(MemoryFolder, "text", None)
    assert again(memory).index.find(["mary"]) == [0, 1, 3]


def test_a_changed_index_is_made_again(saved: LongMemory, tmp_path: Path) -> None:
    path, whole = saved.folder / INDEX, (saved.folder / INDEX).read_bytes()
    draw = Random(1)
    for place in [*range(0, 100, 3), *(draw.randrange(len(whole)) for _ in range(60))]:
        changed = bytearray(whole)
        changed[place] ^= 1 << draw.randrange(8)
        path.write_bytes(changed)
        assert again(saved).index.find(["mary"]) == [0, 2, 3], place
    for content in (b"", b"SQLite format 3\0", whole[:-1], whole + b"\0", whole[: len(whole) // 2], b"\xff" * 200):
        path.write_bytes(content)
        assert again(saved).index.find(["mary"]) == [0, 2, 3]
        assert path.read_bytes() != content


def test_an_index_of_another_text_is_not_used(saved: LongMemory, tmp_path: Path) -> None:
    other = LongMemory(tmp_path / "other", ByWord(), "by word")
    list(other.remember([f"{one.replace('Mary', 'Anna').replace('MARY', 'ANNA')}\n\n" for one in TOLD]))
    shutil.copy(saved.folder / INDEX, other.folder / INDEX)
    assert other.index.find(["mary"]) == []
    assert other.index.find(["anna"]) == [0, 2, 3]


@pytest.mark.skipif(os.name == "nt", reason="POSIX files")
def test_no_link_is_followed_and_no_pipe_waited_for(saved: LongMemory, tmp_path: Path) -> None:
    path, target = saved.folder / INDEX, tmp_path / "target"
    shutil.copy(path, target)
    list(saved.remember(["Mary came back."]))
    whole = target.read_bytes()
    for make in (lambda: path.symlink_to(target), lambda: os.mkfifo(path)):
        path.unlink()
        make()
        assert again(saved).index.find(["mary"]) == [0, 2, 3, 5]
        assert path.is_file()
        assert not path.is_symlink()
    assert target.read_bytes() == whole


def test_where_another_process_writes_the_index_stays_in_memory(memory: LongMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 1)
    with FileLock(memory.folder / LOCK):
        assert memory.index.find(["mary"]) == [0, 2, 3]
        assert not (memory.folder / INDEX).exists()
    assert again(memory).index.find(["mary"]) == [0, 2, 3]
    assert (memory.folder / INDEX).exists()


def test_a_text_that_lost_its_end_and_goes_on_otherwise_is_indexed_anew(saved: LongMemory) -> None:
    (saved.folder / TEXT).write_bytes(b"".join((saved.folder / TEXT).read_bytes().splitlines(keepends=True)[:2]))
    list(again(saved).remember(["Anna came. Anna left. Anna slept."]))
    for one in (saved, again(saved)):
        assert one.index.find(["anna"]) == [2, 3, 4]
        assert one.index.find(["mary"]) == [0]


def test_threads_ask_while_text_is_taken_in(memory: LongMemory) -> None:
    failed, done = list[BaseException](), threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                found = memory.index.find(["mary"])
                assert found[:3] == [0, 2, 3]
                assert found[3:] == list(range(5, 5 + len(found) - 3))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        list(memory.remember(["Mary came back."]))
    done.set()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(memory.index.find(["mary"])) == 23
    assert (memory.folder / HEAD).exists()

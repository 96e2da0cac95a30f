"""Times, sources and lines of a memory's sentences, and sentences that are struck: on the disk, cut off, upgraded, changed."""

import json
from pathlib import Path

import numpy as np
import pytest

from memnet.errors import BusyError, ConfigError, NetworkError
from memnet.memory import Entry, Held
from memnet.memory.files import DATA, ENDS, HEAD, INDEX, NOTES, SCORES, SOURCES, STRUCK, TEXT, TIMES, checksum
from memnet.memory.folder import MemoryFolder
from memnet.memory.long_memory import LongMemory
from tests.memory.test_folder import make_old
from tests.memory.test_long_memory import TOLD, ByWord, again

LOG = [
    Entry("Mary went to the kitchen.", "2026-03-01", "log.txt", 1),
    Entry("Nobody knew.", "2026-03-01", "log.txt", 2),
    Entry("John went to the garden.", "2026-03-02T12:30", "other log.txt", 7),
    Entry("Bob went to the attic."),
    Entry("Anna went to the hall.", None, "log.txt", 9),
]


def held(memory: LongMemory) -> list[Held]:
    """All sentences, with what is noted, and those that are struck."""
    return memory.held(range(memory.extent().sentences))


def strike(memory: LongMemory, *numbers: int, wipe: bool = False) -> None:
    with memory.files.held():
        memory.files.strike(memory.files.entered(), numbers, wipe)


@pytest.fixture
def memory(tmp_path: Path) -> LongMemory:
    memory = LongMemory(tmp_path / "memory", ByWord(), "by word")
    list(memory.remember(LOG[:3]))
    list(again(memory).remember(LOG[3:]))
    return memory


def test_what_is_noted_of_a_sentence_comes_back(memory: LongMemory) -> None:
    assert held(memory) == held(again(memory)) == [Held(number, *one) for number, one in enumerate(LOG)]


def test_a_time_that_goes_on_and_a_source_are_written_once(memory: LongMemory) -> None:
    assert (memory.folder / TIMES).read_text().splitlines() == ["2026-03-01", "2026-03-02T12:30"]
    assert (memory.folder / SOURCES).read_text().splitlines() == ["log.txt", "other log.txt"]


def test_entries_are_sentences_on_one_line_and_empty_ones_are_none(tmp_path: Path) -> None:
    memory = LongMemory(tmp_path / "memory", ByWord(), "by word")
    list(memory.remember([Entry(" Mary\nwent \t home. "), Entry(" \n"), Entry("Bob left.", "at\nnoon", "a\nb", 1 << 40)]))
    assert held(memory) == [Held(0, "Mary went home."), Held(1, "Bob left.", "at noon", "a b", (1 << 32) - 1)]
    with pytest.raises(ConfigError, match="no text"):
        list(memory.remember([Entry("\ud800")]))
    list(memory.remember([Entry("Eve left.", source="a b")]))
    assert held(memory)[2:] == [Held(2, "Eve left.", None, "a b", 0)]


def test_a_text_that_was_interrupted_goes_on_with_what_is_noted(tmp_path: Path) -> None:
    memory, whole = (LongMemory(tmp_path / name, ByWord(), "by word") for name in ("memory", "whole"))
    list(whole.remember(LOG))
    told = memory.remember(*([one] for one in LOG))
    assert [next(told), next(told)] == [1, 2]
    told.close()
    said: list[str] = []
    list(again(memory, said).remember(LOG))
    assert said == ["goes on after the 2 sentences of it that are remembered"]
    for name in (HEAD, *DATA):
        assert (memory.folder / name).read_bytes() == (whole.folder / name).read_bytes(), name
    told = memory.remember(*([one] for one in LOG))
    next(told)
    told.close()
    list(again(memory).remember([LOG[0], LOG[4]]))
    assert [one.line for one in held(memory)][5:] == [1, 9]


def broken_off(memory: LongMemory, number: int = 2) -> None:
    """Take in the first sentences of the log, and no more."""
    told = memory.remember(*([one] for one in LOG))
    for _ in range(number):
        next(told)
    told.close()


OTHERS = {
    "source": ([one._replace(source="b.txt") for one in LOG], "has 2026-03-01 and b.txt now"),
    "time": ([one._replace(when="2027") for one in LOG], "has 2027 and log.txt now"),
    "none": ([Entry(one.text) for one in LOG], "has no time and no source now"),
    "second": (
        [LOG[0], *(one._replace(when="2027") for one in LOG[1:])],
        "'Nobody knew.' was noted with 2026-03-01 and log.txt",
    ),
}


@pytest.mark.parametrize(("other", "why"), OTHERS.values(), ids=OTHERS)
def test_a_text_that_was_interrupted_is_not_mixed_with_one_of_other_notes(other: list[Entry], why: str, tmp_path: Path) -> None:
    memory, said = LongMemory(tmp_path / "memory", ByWord(), "by word"), list[str]()
    broken_off(memory)
    before = (memory.folder / HEAD).read_bytes()
    with pytest.raises(ConfigError, match=why) as refused:
        list(again(memory).remember(other, same_notes=True))
    assert "interrupted after 2 sentences" in str(refused.value)
    assert (memory.folder / HEAD).read_bytes() == before
    list(again(memory, said).remember(other))
    assert why in said[0]
    assert said[0].endswith(", and follows its 2 sentences")
    assert [one[1:] for one in held(memory)] == [*LOG[:2], *other]


def test_a_text_that_was_interrupted_and_struck_is_taken_in_again(tmp_path: Path) -> None:
    memory, said = LongMemory(tmp_path / "memory", ByWord(), "by word"), list[str]()
    broken_off(memory)
    strike(memory, 0)
    list(again(memory, said).remember(LOG[:2], same_notes=True))
    assert said == ["goes on after the 2 sentences of it that are remembered"]
    memory = LongMemory(tmp_path / "other", ByWord(), "by word")
    broken_off(memory)
    strike(memory, 0, 1)
    list(again(memory).remember(LOG, same_notes=True))
    assert [one[1:] for one in held(memory)] == [*LOG[:2], *LOG]


def test_older_formats_have_no_notes_and_are_made_new_by_the_next_text(tmp_path: Path) -> None:
    memory = LongMemory(tmp_path / "memory", ByWord(), "by word")
    list(memory.remember(TOLD))
    new = {name: (memory.folder / name).read_bytes() for name in (HEAD, *DATA)}
    second = json.loads(new[HEAD])
    second = {name: second[name] for name in ("retriever", "sentences", "bytes", "statements", "whole")}
    second |= {"format": 2, "crc32": json.loads(new[HEAD])["crc32"][:3]}

    def make_second(memory: LongMemory) -> None:
        (memory.folder / HEAD).write_text(json.dumps(second | {"head_crc32": checksum(second)}))

    for make in (make_old, make_second):
        make(memory)
        for name in DATA[3:]:
            (memory.folder / name).unlink()
        asked = again(memory)
        assert held(asked) == [Held(number, text) for number, text in enumerate(next(asked.files.text(0, 3)))]
        assert len(asked.kept()) == asked.extent().statements == 2
        assert asked.index.find(["garden"]) == [2]
        assert not (memory.folder / NOTES).exists()
        (memory.folder / NOTES).write_bytes(b"half a note")  # of a process that was killed while it made the memory new
        list(again(memory).remember([]))
        assert {name: (memory.folder / name).read_bytes() for name in (HEAD, *DATA)} == new
    make_second(memory)
    content = bytearray(new[TEXT])
    content[3] ^= 1
    (memory.folder / TEXT).write_bytes(content)
    with pytest.raises(NetworkError, match="it was changed"):
        again(memory).extent()


# Sentences that are struck


def test_what_is_struck_is_kept_no_more_and_nothing_else_changes(memory: LongMemory) -> None:
    before = held(memory)
    strike(memory, 2, 1)
    for one in (memory, again(memory)):
        assert [number for number, _ in one.kept()] == [0, 3, 4]
        assert one.extent().statements == 3
        assert one.about("Where is John?") == one.kept()
        assert held(one) == before
    strike(memory, 2)
    assert memory.extent().struck == 2
    list(memory.remember(["John went to the cellar."]))
    for one in (memory, again(memory)):
        assert [number for number, _ in one.kept()] == [0, 3, 4, 5]
        assert one.about("Where is John?") == [(5, "John went to the cellar.")]
        assert one.extent().statements == 4


def test_wiped_text_is_gone_from_the_disk(memory: LongMemory) -> None:
    strike(memory, 4)
    memory.index.find(["garden"])
    with memory.files.held():
        memory.index.save(memory.index.current())
    strike(memory, 2, 4, wipe=True)
    content = (memory.folder / TEXT).read_bytes()
    assert b"garden" not in content
    assert b"Anna" not in content
    assert not (memory.folder / INDEX).exists()
    assert content.count(b"\n") == 5
    for one in (memory, again(memory)):
        assert [number for number, _ in one.kept()] == [0, 3]
        assert one.index.find(["garden"]) == []
        assert one.index.find(["mary"]) == [0]
        assert one.extent().statements == 2
        assert [held.text.strip() for held in held(one)] == [LOG[0].text, LOG[1].text, "", LOG[3].text, ""]
    list(again(memory).remember(["John went to the cellar."]))
    assert [number for number, _ in memory.kept()] == [0, 3, 5]


def test_a_wipe_that_was_cut_short_is_done_by_the_next_who_writes(memory: LongMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(MemoryFolder, "make_blank", lambda self: None)
        strike(memory, 2, wipe=True)
    assert b"garden" in (memory.folder / TEXT).read_bytes()
    assert "garden" not in "".join(next(memory.files.text(0, 5)))
    assert again(memory).index.find(["garden"]) == []
    list(again(memory).remember([]))
    assert b"garden" not in (memory.folder / TEXT).read_bytes()
    assert [number for number, _ in again(memory).kept()] == [0, 3, 4]


def test_a_process_that_reads_while_another_wipes_sees_one_or_the_other(memory: LongMemory) -> None:
    reader = again(memory)
    assert reader.index.find(["garden"]) == [2]
    strike(memory, 2, wipe=True)
    list(memory.remember(["Eve went to the garden."]))
    assert reader.index.find(["garden"]) == [5]
    assert [number for number, _ in reader.kept()] == [0, 3, 4, 5]


# Files that are broken


@pytest.mark.parametrize("name", DATA)
def test_a_changed_bit_is_noticed(memory: LongMemory, name: str) -> None:
    strike(memory, 1)
    path = memory.folder / name
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(NetworkError, match=rf"{name} does not fit memory\.json"):
        again(memory).kept()


@pytest.mark.parametrize(
    ("name", "left", "sentences", "lost"),
    [
        (NOTES, 40, 2, ""),
        (TIMES, 20, 2, ""),
        (TIMES, 5, 0, ""),
        (SOURCES, 9, 2, ""),
        (STRUCK, 8, 5, ", and 1 of 2 deletions are lost"),
        (TEXT, 60, 2, ""),
        (SCORES, 13, 3, ""),
        (ENDS, 0, 0, ""),
    ],
)
def test_a_file_that_lost_its_end_counts_as_far_as_it_goes(memory: LongMemory, name: str, left, sentences, lost: str) -> None:
    strike(memory, 1, 4)
    with open(memory.folder / name, "r+b") as file:
        file.truncate(left)
    said: list[str] = []
    asked, alive = again(memory, said), [0, 2, 3] if not lost else [0, 2, 3, 4]
    assert [number for number, _ in asked.kept()] == [number for number in alive if number < sentences]
    restores = "" if name in (TEXT, STRUCK) else "; 'memnet remember' restores what sentences.txt has"
    assert said == [f"{memory.folder / name} lacks its end; {sentences} of 5 sentences are remembered{lost}{restores}"]
    assert held(asked) == [Held(number, *one) for number, one in enumerate(LOG[:sentences])]
    sentences = 5 if restores else sentences
    new = [Entry(f"{one} went to the quay.", "2026-04-01", "log.txt", 3) for one in ("Eve", "Ada", "Ida", "Una", "Mia")]
    list(again(memory).remember(new))
    for one in (asked, again(memory, said)):
        assert held(one)[sentences:] == [Held(sentences + number, *one) for number, one in enumerate(new)]
        assert [number for number, _ in one.kept()][-5:] == list(range(sentences, sentences + 5))
        assert one.index.find(["quay"]) == list(range(sentences, sentences + 5))
    assert len(said) == 1


@pytest.mark.parametrize(
    ("name", "left", "undated", "unsourced", "unnoted"),
    [
        (NOTES, 40, [2, 3, 4], [2, 3, 4], 3),
        (TIMES, 20, [2], [], 1),
        (TIMES, 5, [0, 1, 2], [], 3),
        (SOURCES, 9, [], [2], 1),
        (SCORES, 13, [], [], 0),
        (ENDS, 0, [], [], 0),
    ],
)
def test_what_is_noted_is_kept_as_far_as_it_is_known(memory: LongMemory, name: str, left, undated, unsourced, unnoted) -> None:
    strike(memory, 1, 4, wipe=True)
    before = held(memory)
    with open(memory.folder / name, "r+b") as file:
        file.truncate(left)
    said: list[str] = []
    list(again(memory, said).remember([]))
    now = held(again(memory, said))
    assert [one.text for one in now] == [one.text for one in before]
    assert [one.when for one in now] == [None if one.number in undated else one.when for one in before]
    assert [one.source for one in now] == ["" if one.number in unsourced else one.source for one in before]
    assert (f"lost: what was noted of {unnoted} of them" in said[0]) == bool(unnoted)
    assert again(memory).extent().struck == 2


def test_who_writes_holds_the_memory(memory: LongMemory) -> None:
    with memory.files.held(), pytest.raises(BusyError, match="another process"):
        strike(again(memory), 1)
    assert memory.extent().struck == 0
    assert np.array_equal(memory.files.marks.struck, [])

"""A memory that a power cut meets at any change of its files, or whose files are mutated: nothing is lost or unnoticed."""

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from memnet.errors import NetworkError
from memnet.memory import Entry, Held, long_memory
from memnet.memory import index as index_module
from memnet.memory.files import DATA, HEAD, INDEX, STRUCK, TEXT
from memnet.memory.long_memory import RETRIEVER, LongMemory
from memnet.models.retriever import Retriever
from tests.trials.test_crashes import run_crashes
from tests.trials.test_mutated import change
from tests.trials.trial import Draw, mutate, number_of_cases, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX processes")]
FIRST = ["Mary went to the kitchen. Nobody knew it. ", "John took the milk. It was a dark night."]
SECOND = [f"{name} went to the {place}. The evening was long. " for name in ("Anna", "Bob") for place in ("hall", "attic")]
LOG = [
    Entry(f"{name} went to the {place}.", f"2026-03-0{day}", source, day)
    for day, name in enumerate(("Eve", "Ida", "Una"), 1)
    for place, source in (("quay", "a.txt"), ("barn", "b.txt"))
]
ASKED = "Where is Anna?"
ENTRY = "Eve went to the cellar."


def opened(folder: Path, retriever: Retriever, said: list[str]) -> LongMemory:
    """The memory of a folder, as another process opens it."""
    return LongMemory(folder, retriever, "trial", said.append)


def strike(memory: LongMemory, numbers: Sequence[int], wipe: bool) -> None:
    """Strike sentences, which this process holds meanwhile."""
    with memory.files.held():
        memory.files.strike(memory.files.entered(), numbers, wipe)


def struck_in(files: dict[str, bytes]) -> bool:
    """Whether sentences of a memory are struck, so that some of its text is blank."""
    return bool(files[STRUCK])


def test_power_cuts(tmp_path: Path):
    """All that was acknowledged is there, no memory is refused, and the same text goes on to the same files."""
    retriever, acknowledged = Retriever.load(RETRIEVER), tmp_path / "acknowledged"

    def take(texts: dict[int, list[str] | list[Entry]], folder: Path) -> None:
        """Texts, and how many sentences there are after each."""
        acknowledged.write_text("0")
        with mock.patch.object(long_memory, "entries", partial(long_memory.entries, size=40)):
            for number, text in texts.items():
                memory = opened(folder, retriever, [])
                if not (folder / HEAD).exists() or memory.extent().whole < number:
                    for count in memory.remember(text):
                        acknowledged.write_text(str(count))

    def forget(folder: Path) -> None:
        """A text of which some sentences are struck, and then the text of some is wiped."""
        take({6: LOG}, folder)
        for numbers, wipe in (([4, 1], False), ([1, 3], True)):
            memory = opened(folder, retriever, [])
            strike(memory, numbers, wipe)
            acknowledged.write_text(f"6 {' '.join(map(str, numbers))}")

    def check(folder: Path, whole: dict[str, bytes]) -> None:
        number, *gone = map(int, acknowledged.read_text().split())
        if number or (folder / HEAD).exists():
            memory = opened(folder, retriever, [])
            extent, marks = memory.extent(), memory.files.marks
            assert extent.sentences >= number
            assert {*gone} <= {*marks.struck.tolist()}
            whole_text = [" ".join(one.text for one in LOG)] if struck_in(whole) else [whole[TEXT].decode()]
            told = long_memory.paragraphs(" ".join(" ".join(whole_text).split()))
            for place, one in enumerate(memory.files.texts(range(extent.sentences))):
                assert one == told[place] or place in marks.wiped
            assert len(memory.kept()) == extent.statements
            if 3 in gone:
                assert b"Ida went to the barn" not in (folder / TEXT).read_bytes()

    works = {"a new memory": partial(take, {8: SECOND}), "a second text": partial(take, {4: FIRST, 12: SECOND})}
    works |= {"a log": partial(take, {4: FIRST, 10: LOG}), "deletions": forget}
    run_crashes("memories", works, check, tmp_path)


def test_mutated_memories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Every mutation is noticed, or changes nothing of what is kept and found, also after more was told."""
    for module in (index_module, long_memory):
        monkeypatch.setattr(module, "LEAST", 4)  # so that the index has a file
    retriever, whole, folder = Retriever.load(RETRIEVER), tmp_path / "whole", tmp_path / "memory"
    list(opened(whole, retriever, []).remember(FIRST, SECOND, LOG))
    strike(opened(whole, retriever, []), [4], False)
    strike(opened(whole, retriever, []), [13], True)

    def seen(memory: LongMemory) -> tuple[list[Held], list[tuple[int, str]], list[int], list[tuple[int, float]]]:
        """What is kept, with what is noted of it, and what is found."""
        held = memory.held([number for number, _ in memory.kept()])
        return held, memory.about(ASKED), memory.index.find(["went", "quay"]), memory.index.rank(["barn", "anna"], 20)

    before = seen(opened(whole, retriever, []))
    assert (whole / INDEX).exists()

    def case(draw: Draw) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        path = folder / draw.choice((HEAD, *DATA, INDEX))
        if path.name == HEAD and draw.random() < 0.5:
            path.write_text(json.dumps(change(json.loads(path.read_text()), draw)))
        else:
            path.write_bytes(mutate(path.read_bytes(), draw))
        said: list[str] = []
        with suppress(NetworkError):
            now = seen(opened(folder, retriever, said))
            assert now == before or said, path.name
            list(opened(folder, retriever, said).remember([ENTRY]))
            later = opened(folder, retriever, [])
            assert seen(later)[0] == [*before[0], Held(18, ENTRY)] or said, path.name
            assert later.index.find(["cellar"]) == [later.extent().sentences - 1], path.name

    run_trial("memories", case, number_of_cases(1000))

"""A memory that a power cut meets at any change of its files, or whose files are mutated: nothing is lost or unnoticed."""

import json
import os
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from memnet.errors import NetworkError
from memnet.memory import long_memory
from memnet.memory.files import DATA, HEAD, TEXT
from memnet.memory.long_memory import RETRIEVER, LongMemory
from memnet.models.retriever import Retriever
from tests.trials.test_crashes import run_crashes
from tests.trials.test_mutated import change
from tests.trials.trial import Draw, mutate, number_of_cases, run_trial

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX processes")]
FIRST = ["Mary went to the kitchen. Nobody knew it. ", "John took the milk. It was a dark night."]
SECOND = [f"{name} went to the {place}. The evening was long. " for name in ("Anna", "Bob") for place in ("hall", "attic")]
ASKED = "Where is Anna?"


def opened(folder: Path, retriever: Retriever, said: list[str]) -> LongMemory:
    """The memory of a folder, as another process opens it."""
    return LongMemory(folder, retriever, "trial", said.append)


def test_power_cuts(tmp_path: Path):
    """All that was acknowledged is there, no memory is refused, and the same text goes on to the same files."""
    retriever, acknowledged = Retriever.load(RETRIEVER), tmp_path / "acknowledged"

    def take(texts: dict[int, list[str]], folder: Path) -> None:
        """Texts, and how many sentences there are after each."""
        acknowledged.write_text("0")
        with mock.patch.object(long_memory, "pieces", partial(long_memory.pieces, size=40)):
            for number, text in texts.items():
                memory = opened(folder, retriever, [])
                if not (folder / HEAD).exists() or memory.extent().whole < number:
                    for count in memory.remember(text):
                        acknowledged.write_text(str(count))

    def check(folder: Path, whole: dict[str, bytes]) -> None:
        number = int(acknowledged.read_text())
        if number or (folder / HEAD).exists():
            memory = opened(folder, retriever, [])
            extent = memory.extent()
            assert extent.sentences >= number
            assert whole[TEXT].startswith((folder / TEXT).read_bytes()[: extent.bytes])
            assert len(memory.kept()) == extent.statements

    works = {"a new memory": partial(take, {8: SECOND}), "a second text": partial(take, {4: FIRST, 12: SECOND})}
    run_crashes("memories", works, check, tmp_path)


def test_mutated_memories(tmp_path: Path):
    """Every mutation is noticed, or changes nothing of what is kept and found, also after more was told."""
    retriever, whole, folder = Retriever.load(RETRIEVER), tmp_path / "whole", tmp_path / "memory"
    list(opened(whole, retriever, []).remember(FIRST, SECOND))
    kept, found = opened(whole, retriever, []).kept(), opened(whole, retriever, []).about(ASKED)

    def case(draw: Draw) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(whole, folder)
        path = folder / draw.choice((HEAD, *DATA))
        if path.name == HEAD and draw.random() < 0.5:
            path.write_text(json.dumps(change(json.loads(path.read_text()), draw)))
        else:
            path.write_bytes(mutate(path.read_bytes(), draw))
        said: list[str] = []
        with suppress(NetworkError):
            memory = opened(folder, retriever, said)
            now = memory.kept(), memory.about(ASKED)
            assert now == (kept, found) or said, path.name
            list(opened(folder, retriever, said).remember(["Eve went to the cellar."]))
            later = opened(folder, retriever, []).kept()
            assert later == [*kept, (12, "Eve went to the cellar.")] or said, path.name

    run_trial("memories", case, number_of_cases(1000))

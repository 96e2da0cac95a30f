"""A small reader as what differs from the one that it began with."""

import json
from pathlib import Path

import numpy as np
import pytest

from memnet.errors import ConfigError, NetworkError
from memnet.files import write_arrays
from memnet.memory.entrywise.ranked.relevance import NETWORK as RANKED
from memnet.memory.entrywise.reader import FOLDER as ENTRIES
from memnet.memory.tables.ranked.column_reader import FOLDER as COLUMNS
from memnet.packing import packed
from memnet.reading.answers import TrainedReader
from memnet.reading.differences import BASE, begun_with, check_free, checksum, whole_weights, write_difference, write_whole
from memnet.reading.kinds import CONFIG, MODEL
from memnet.reading.widening import shortened
from memnet.reading.words import Words
from tests.small_reader import reader


def saved(folder: Path, layers: tuple[int, ...]) -> dict[str, np.ndarray]:
    """A reader in ``large``, and in ``small`` one of some of its layers, whose weights moved a little; they come back."""
    words = Words.load()
    large = reader(words)
    TrainedReader(large.in_numpy(), words).save(folder / "large")
    small = shortened(large, len(layers)).in_numpy()
    before = begun_with(TrainedReader.load(folder / "large").reader.weights, layers)
    draw = np.random.default_rng(0)
    moved = {name: before[name] + 0.02 * draw.standard_normal(before[name].shape, np.float32) for name in small.weights}
    TrainedReader(small, words, {"apart": "nothing"}).save(folder / "small")
    write_arrays(folder / "small" / MODEL, moved)
    return moved


def test_a_reader_is_the_one_that_it_began_with_and_what_differs(tmp_path: Path):
    moved = saved(tmp_path, (0, 2))
    write_difference(tmp_path / "small", "../large", (0, 2), 7)
    known = json.loads((tmp_path / "small" / CONFIG).read_text(encoding="utf-8"))
    assert known[BASE] == {"folder": "../large", "layers": [0, 2], "crc32": checksum(tmp_path / "large")}
    again = TrainedReader.load(tmp_path / "small")
    assert again.metadata["apart"] == "nothing"
    assert BASE not in again.metadata  # what is saved from here is whole
    before = begun_with(TrainedReader.load(tmp_path / "large").reader.weights, (0, 2))
    for name, weight in moved.items():
        step = np.abs(weight - before[name]).max() / 7
        assert np.abs(again.reader.weights[name] - weight).max() <= 0.51 * step + 1e-3, name
    assert not np.array_equal(again.reader.weights["layers.1.hidden.weight"], moved["layers.1.hidden.weight"])


def test_a_difference_from_a_difference_is_read(tmp_path: Path):
    moved = saved(tmp_path, (0, 2))
    write_difference(tmp_path / "small", "../large", (0, 2), 127)
    TrainedReader.load(tmp_path / "small").save(tmp_path / "last")
    write_difference(tmp_path / "last", "../small", (0, 1), 127)
    found = whole_weights(tmp_path / "last", json.loads((tmp_path / "last" / CONFIG).read_text(encoding="utf-8")))
    for name, weight in moved.items():
        assert np.abs(found[name] - weight).max() < 0.1 * np.abs(weight).max() + 1e-3, name


def test_another_reader_in_its_place_is_refused_with_what_to_do(tmp_path: Path):
    saved(tmp_path, (0, 2))
    write_difference(tmp_path / "small", "../large", (0, 2), 7)
    words = Words.load()
    TrainedReader(reader(words, seed=1).in_numpy(), words).save(tmp_path / "large")
    with pytest.raises(NetworkError, match=r"another one is now. Put that one back, and run 'python scripts/pack_readers.py"):
        TrainedReader.load(tmp_path / "small")
    (tmp_path / "large" / MODEL).unlink()
    with pytest.raises(NetworkError, match=r"model.safetensors cannot be read"):
        TrainedReader.load(tmp_path / "small")


def test_a_reader_is_written_whole_again_and_then_depends_on_none(tmp_path: Path):
    saved(tmp_path, (0, 2))
    write_difference(tmp_path / "small", "../large", (0, 2), 7)
    before = TrainedReader.load(tmp_path / "small").reader.weights
    write_whole(tmp_path / "small")
    (tmp_path / "large" / MODEL).unlink()
    after = TrainedReader.load(tmp_path / "small").reader.weights
    for name, weight in before.items():
        np.testing.assert_allclose(after[name], weight, rtol=1e-3, atol=1e-4)


def test_a_reader_that_others_began_with_is_not_replaced():
    with pytest.raises(
        ConfigError, match=r"holds what differs from the reader in .*run 'python scripts/pack_readers.py --whole' first"
    ):
        check_free(ENTRIES)
    check_free(RANKED)  # nothing began with it


@pytest.mark.parametrize("folder", [ENTRIES, RANKED, COLUMNS], ids=["entries", "ranked", "columns"])
def test_the_small_readers_of_the_package_are_differences(folder: Path):
    assert BASE in json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    assert TrainedReader.load(folder).reader.config.layers == 4


def test_bytes_of_few_levels_have_few_values():
    weights = {"matrix": np.random.default_rng(0).standard_normal((9, 40), np.float32)}
    found = packed(weights, levels=3)["matrix"]
    assert set(found.flatten().tolist()) <= {*range(-3, 4)}
    assert (np.abs(found).max(1) == 3).all()
    with pytest.raises(ValueError, match="levels=0"):
        packed(weights, levels=0)

"""Files are there whole or not at all, and errors name the file that was asked for."""

from pathlib import Path

import pytest

from memnet.files import write_atomically
from tests.conftest import refused


def test_an_error_names_the_file_that_was_asked_for_not_a_temporary_one(tmp_path: Path):
    with pytest.raises(FileNotFoundError) as found:
        write_atomically(tmp_path / "none" / "x.txt", "text")
    assert found.value.filename == str(tmp_path / "none" / "x.txt")
    write_atomically(tmp_path / "x.txt", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["x.txt"]


def test_a_graph_without_a_folder_is_refused_before_it_is_made(tmp_path: Path):
    assert "there is no folder" in refused("export", "memn2n", "--onnx", tmp_path / "none" / "a.onnx")

"""Figures: what they show is what was read, and a file is whole or not there."""

from pathlib import Path

import pytest

from memnet.ask.answer import Answer, Read
from memnet.errors import ConfigError
from memnet.figures import save
from memnet.markdown import in_order
from memnet.record.measurements import NetworkNumber, read_csv
from memnet.reports.overview import of_unseen_names
from memnet.show.figure import attention_map
from tests.conftest import ran, refused

ROOT = Path(__file__).parent.parent
STORY = ["Mary took the milk.", "John sat.", "Mary went home."]


def answered(hops: list[list[float]], nothing: list[float]) -> Answer:
    told = [[Read(i + 1, STORY[i], weight) for i, weight in enumerate(hop)] for hop in hops]
    return Answer("home", 0.75, [], told, nothing, {}, 0)


def test_a_map_has_a_cell_for_every_sentence_and_hop():
    figure = attention_map(answered([[0.5, 0.0, 0.25], [0.0, 0.0, 1.0]], [0.25, 0.0]), "Where?", (0, 2), "home")
    axes = figure.axes[0]
    shown = axes.images[0].get_array()
    assert shown.tolist() == [[0.5, 0.0], [0.0, 0.0], [0.25, 1.0], [0.25, 0.0]]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["1 Mary took the milk. *", "2 John sat.", "3 Mary went home. *", "(nothing)"]
    assert axes.get_title() == "Where? home (75%), expected home"
    assert sorted(text.get_text() for text in axes.texts) == ["0.25", "0.25", "0.50", "1.00"]


def test_dollars_are_no_formulas():
    said = Answer("five", 0.5, [], [[Read(1, "It costs $5^_$ now.", 1.0)]], [0.0], {}, 0)
    figure = attention_map(said, "How many $?", (), "five")
    figure.canvas.draw()
    assert figure.axes[0].get_yticklabels()[0].get_text() == r"1 It costs \$5^_\$ now."


def test_a_network_that_reads_nothing_has_no_map():
    with pytest.raises(ConfigError, match="no attention"):
        attention_map(answered([], []), "Where?", (), "home")


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_same_figure_is_the_same_bytes(tmp_path: Path, suffix: str):
    for name in ("one", "two"):
        save(attention_map(answered([[1.0, 0.0, 0.0]], [0.0]), "Where?", (0,), "home"), tmp_path / (name + suffix))
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()
    with pytest.raises(ConfigError, match="ends in"):
        save(attention_map(answered([[1.0]], [0.0]), "Where?", (), "home"), tmp_path / "figure.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"one{suffix}", f"two{suffix}"]


@pytest.mark.usefixtures("published")
def test_from_a_trained_network(tmp_path: Path):
    ran("plot", "attention", "memn2n", tmp_path / "map.png", "--question", 2)
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")
    said = refused("plot", "attention", "memn2n", tmp_path / "map.png", "--question", 2000)
    assert "there is no question 2000" in said
    assert "ends in .png" in refused("plot", "attention", "memn2n", tmp_path / "map.gif")
    assert "is no folder" in refused("plot", "attention", tmp_path / "nothing", tmp_path / "map.png")


def test_heads_of_layers_and_no_evidence():
    told = [[Read(3, STORY[2], 0.5), Read(2, STORY[1], 0.25)]]
    both = Answer(
        "home", 0.75, [], told, [0.0], {}, 1, head_weights=[[[0.125, 0.5], [0.375, 0.5]]], head_null_weights=[[0.375, 0.125]]
    )
    axes = attention_map(both, "Where?", ()).axes[0]
    assert axes.images[0].get_array().tolist() == [[0.125, 0.375], [0.5, 0.5], [0.375, 0.125]]
    assert axes.get_yticklabels()[2].get_text() == "(nothing)"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1.1", "1.2"]
    none = attention_map(Answer("home", 0.75, [], told, [0.0], {}, 1, unanswerable=0.9), "Where?", ())
    assert none.axes[0].get_title() == "Where? I cannot tell"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(ConfigError, match="there is no folder"):
        save(attention_map(answered([[1.0, 0.0, 0.0]], [0.0]), "Where?", (0,), "home"), tmp_path / "nowhere" / "map.png")


def test_the_figure_of_unseen_names_has_our_errors_and_the_papers(tmp_path: Path):
    drawn = of_unseen_names(ROOT / "results", ROOT / "results" / "published.csv")["open"]
    axes = drawn.axes[0]
    assert len(axes.get_xticklabels()) == 5
    numbers = read_csv(ROOT / "results" / "open.csv", NetworkNumber)
    measured = {number.subject: number.value for number in numbers if number.measure == "everything"}
    second = [text.get_text() for text in axes.texts if text.get_position()[0] == 1]
    assert second == [f"{measured[task]:.0f}" for task in in_order(measured)]
    assert of_unseen_names(tmp_path, ROOT / "results" / "published.csv") == {}

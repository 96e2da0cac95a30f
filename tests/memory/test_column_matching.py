"""The matcher of a question's words and a table's columns: by hand, in numpy as in torch, and that it learns."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from memnet.errors import ConfigError
from memnet.measure.column_training import (
    MatcherCourse,
    Matching,
    asking,
    first_of,
    read_columns,
    save_matcher,
    train_matcher,
    words,
)
from memnet.memory.tables.ranked.matching import ANY, CELL, COLUMN, NAMED, Matcher, cell_features, column_features, row_of
from memnet.memory.tables.table import Column

PRICE, OWNER = Column(0, "Price", ("£4", "£5", "")), Column(1, "Owner", ("Ann Lund", "Bo Ek", ""))
STATE = Column(2, "State", ("open", "closed"))
COLUMNS = [
    {"about": "tools", "column": "Price", "cells": ["£4", "£9"], "asks": ["how much is {row}", "cost of {row}"], "filters": []},
    {
        "about": "tools",
        "column": "Owner",
        "cells": ["Ann Lund", "Bo Ek", ""],
        "asks": ["who has {row}", "whose is {row}"],
        "filters": [["", ["nobody has"]], [ANY, ["that somebody has"]]],
    },
    {
        "about": "shops",
        "column": "State",
        "cells": ["open", "closed"],
        "asks": ["is {row} open"],
        "filters": [["open", ["we can go to"]], ["closed", ["that have shut"]]],
    },
]


def of_random(seed: int = 3) -> tuple[Matching, Matcher]:
    """A network of random weights in torch, and the same in numpy."""
    torch.manual_seed(seed)
    net = Matching(MatcherCourse(dim=8, hidden=16)).eval()
    return net, Matcher({name: value.numpy() for name, value in net.state_dict().items()})


def test_a_match_by_hand():
    """D = 1: the first word's score is larger by log 3, its weight three times the second's: r = 3/4 * 4, r w = 3."""
    matcher = Matcher({"words.bias": np.zeros(2, np.float32)})
    keys_and_values = np.array([[[1.0, 4.0], [0.0, 0.0]]], np.float32)
    matcher.words = lambda questions: keys_and_values
    matcher.side = lambda name, features: np.array([[np.log(3.0), 1.0]], np.float32)
    match, weights = matcher.trace(np.array([[5, 6]]), "column", np.zeros((1, COLUMN), np.float32))
    assert match == pytest.approx(np.array([[3.0]]))
    assert weights == pytest.approx(np.array([[[0.75, 0.25]]]))


def test_numpy_and_torch_match_alike():
    net, matcher = of_random()
    said = [words("what did {row} cost us then"), words("who has {row}")]
    for side, features, of_net in (
        ("column", np.stack([column_features(one) for one in (PRICE, OWNER, STATE)]), net.column),
        ("cell", np.stack([cell_features(OWNER, ""), cell_features(OWNER, ANY), cell_features(STATE, "open")]), net.cell),
    ):
        with torch.no_grad():
            both = net(said, of_net, torch.from_numpy(features)).numpy()
        for one, expected in zip(said, both, strict=True):  # the shorter one is padded in torch, and not in numpy
            assert matcher.match(np.array([one]), side, features)[0] == pytest.approx(expected, abs=1e-4)


def test_names_are_read_as_any_name():
    assert words("who has {row}") == words("who has {who}")
    assert words("{row} is whose") == [NAMED, row_of("is"), row_of("whose")]


def test_features_of_cells():
    assert column_features(PRICE).shape == (COLUMN,)
    assert cell_features(PRICE, "").shape == (CELL,)
    empty, some, told = (cell_features(OWNER, cell)[COLUMN + 100 :].tolist() for cell in ("", ANY, "Ann Lund"))
    assert (empty, some, told) == ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0])
    assert cell_features(Column(0, "Paid", ("yes", "no")), "yes")[-2:].tolist() == [1, 0]


def test_it_learns_from_what_people_ask(tmp_path: Path):
    path = tmp_path / "tools.jsonl"
    path.write_text("\n".join(map(json.dumps, COLUMNS)) + "\n", encoding="utf-8")
    columns = read_columns(path)
    assert [len(one.asks) for one in columns] == [2, 2, 1]
    matcher = train_matcher(columns, MatcherCourse(epochs=60, batch=4, dropout=0.0))
    save_matcher(matcher, tmp_path / "matcher.safetensors")
    again = Matcher.load(tmp_path / "matcher.safetensors")
    assert first_of(again, columns, 2) == (1.0, 1.0)
    (asked,) = again.asked(np.array([words("how much is {row}")]), (PRICE, OWNER, STATE))
    assert asked[0] > max(asked[1:])


@pytest.mark.parametrize("line", ["[]", "{", '{"column": "Price"}', '{"column": 3, "cells": [], "asks": [], "filters": []}'])
def test_a_line_that_is_no_column_is_named(line: str):
    with pytest.raises(ConfigError, match=r"columns\.jsonl:7: expected a column"):
        asking(line, "columns.jsonl:7")


def test_other_words_of_the_packages_matcher():
    """Words that no header of the table has."""
    bike, bought = Column(0, "Bike", ("Trek 520", "Brompton")), Column(3, "Bought", ("2021-05-03",))
    asked = {"how much did {row} set you back": 1, "whose is {row}": 2, "since when have we had {row}": 3}
    for question, place in asked.items():
        match = Matcher.load().asked(np.array([words(question)]), (bike, PRICE, OWNER, bought))[0]
        assert int(match.argmax()) == place

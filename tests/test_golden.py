"""Today's code learns what the code on record did, and its hash says what code it is, not how it is written."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from memnet.errors import TrainingError
from memnet.record import provenance
from memnet.record.provenance import code_hash, code_name, declare_equal, equal_codes, hash_of
from memnet.record.runs import read_rows
from memnet.training.golden import FILE, cases, golden, read_golden, short, write_golden
from tests.training import first_of_each_kind

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "golden"
ON_FILE = read_golden(FOLDER)


@pytest.mark.parametrize("case", first_of_each_kind({case: short(case) for case in cases()}))
def test_a_preset_learns_what_it_did(case: str):
    found = golden(case, FOLDER)
    assert not ON_FILE[case].differs(found), f"{found} is not {ON_FILE[case]}: see scripts/declare_code.py"


def test_todays_code_is_the_one_whose_weights_are_on_file():
    assert {code_name(one.code) for one in ON_FILE.values()} == {code_name()}, "run python scripts/declare_code.py"
    assert ON_FILE.keys() == set(cases())


def test_weights_are_held_against_each_other_bit_for_bit_on_one_processor_and_by_their_sums_elsewhere():
    one = ON_FILE["bow"]
    assert not one.differs(one)
    assert one.differs(replace(one, digest="0"))
    elsewhere = replace(one, digest="0", machine="other")
    assert not one.differs(elsewhere)
    assert not one.differs(replace(elsewhere, loss=one.loss * 1.001))
    for name in ("size", "angle", "loss"):
        assert one.differs(replace(elsewhere, **{name: getattr(one, name) + 0.02})), name
    assert one.differs(replace(elsewhere, loss=math.nan))


def test_what_a_solver_found_is_held_against_sums_alone():
    """Logistic regression stops within a tolerance; two AMD processors of one name stopped at other weights."""
    one = ON_FILE["ngram"]
    assert not one.differs(replace(one, digest="0", loss=one.loss * 1.002))
    assert one.differs(replace(one, loss=one.loss * 1.02))


def test_other_stories_are_refused(tmp_path: Path):
    (tmp_path / "few").mkdir()
    (tmp_path / "few" / "a_train.txt").write_text("1 Mary went home.\n")
    write_golden([ON_FILE["pe"], replace(ON_FILE["pe"], machine="other")], tmp_path)
    assert read_golden(tmp_path) == {"pe": ON_FILE["pe"]}
    (tmp_path / "few" / "a_train.txt").write_text("1 Mary went away.\n")
    with pytest.raises(TrainingError, match=f"are not those that {FILE} was made of"):
        read_golden(tmp_path)


SOURCE = '''"""A module."""
import torch.nn.functional as F
from memnet.encode.batch import batches
from .words import words


class Net:
    """A network."""

    width: int = 3  # units

    def forward(self, x: Tensor) -> Tensor:
        """Numbers, in and out."""
        return F.relu(x) * 0.5  # half


def half(x):
    from memnet.nn.modules import dropout

    return dropout(x, f"{x:<{x}}")
'''
ALIKE = {
    "a comma in a docstring": ("A network.", "A network, of words."),
    "no docstring": ('        """Numbers, in and out."""\n', ""),
    "comments and blank lines": ("  # half", "\n\n    # a half\n"),
    "annotations": ("x: Tensor) -> Tensor", 'x: "Array")'),
    "a module moved": ("memnet.encode.batch", "memnet.encode.batches"),
    "a module moved within a function": ("from memnet.nn.modules import dropout\n\n    ", ""),
    "a relative import": ("from .words import words", "from memnet.tasks.text.words import words, split"),
}
OTHERWISE = {
    "a number": ("0.5", "0.25"),
    "a default": ("= 3", "= 4"),
    "a name": ("return dropout(", "return drop("),
    "another function under the name": ("import batches", "import other as batches"),
    "another library's": ("torch.nn.functional as F", "torch.nn as F"),
    "a base": ("class Net:", "class Net(Base):"),
}


@pytest.mark.parametrize("change", ALIKE)
def test_what_decides_nothing_does_not_change_the_hash(change: str):
    changed = SOURCE.replace(*ALIKE[change])
    assert changed != SOURCE
    assert hash_of([changed]) == hash_of([SOURCE])


@pytest.mark.parametrize("change", OTHERWISE)
def test_what_may_decide_something_changes_the_hash(change: str):
    changed = SOURCE.replace(*OTHERWISE[change])
    assert changed != SOURCE
    assert hash_of([changed]) != hash_of([SOURCE])


def test_a_function_may_move_to_another_module():
    net, half = SOURCE.split("\n\n\ndef half")
    assert hash_of([f"def half{half}", net]) == hash_of([SOURCE])
    assert hash_of([SOURCE]) == "be03bba380d4"  # of every version of Python


def test_the_hash_is_of_the_files_that_decide_what_is_learned():
    assert len(code_hash()) == 12
    for name in provenance.LEARNING:
        assert (ROOT / "memnet" / name).exists() or (ROOT / name).exists(), name


def test_equal_codes_have_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(provenance, "codes_file", lambda: tmp_path / "codes.csv")
    equal_codes.cache_clear()
    try:
        assert code_name() == code_hash()
        declare_equal("abc")
        assert (code_name(), code_name(code_hash()), code_name("abc"), code_name("other")) == ("abc", "abc", "abc", "other")
        assert provenance.machine() in (tmp_path / "codes.csv").read_text(encoding="utf-8")
    finally:
        equal_codes.cache_clear()


def test_a_declared_code_has_a_name_that_is_on_record():
    assert set(equal_codes().values()) <= {row["code"] for row in read_rows(ROOT / "results" / "runs.csv")}

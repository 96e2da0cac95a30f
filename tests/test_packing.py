"""A reader's weights in two to eight bits each."""

from pathlib import Path

import numpy as np
import pytest

from memnet.files import write_arrays
from memnet.packing import pack, packed, read_weights, unpacked, weight_shapes


def test_weights_take_eight_bits_and_stay_within_half_a_step_of_their_row():
    draw, scales = np.random.default_rng(0), np.array([[1e-3], [1.0], [0.0], [30.0], [2.0]], np.float32)
    weights = {"matrix": draw.standard_normal((5, 40), np.float32) * scales, "vector": draw.standard_normal(7, np.float32)}
    saved = packed(weights)
    assert saved["matrix"].dtype == np.int8
    again = unpacked(saved)
    assert again.keys() == weights.keys()
    step = np.abs(weights["matrix"]).max(1, keepdims=True) / 127
    assert (np.abs(again["matrix"] - weights["matrix"]) <= 0.51 * step + 1e-6).all()
    np.testing.assert_allclose(again["vector"], weights["vector"], rtol=1e-3, atol=1e-3)
    halves = {name: weight.astype(np.float16) for name, weight in weights.items()}  # as earlier versions wrote them
    np.testing.assert_allclose(unpacked(halves)["matrix"], weights["matrix"], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("bits", range(2, 8))
def test_weights_in_fewer_bits_stay_within_half_a_step_of_their_part(bits: int):
    draw = np.random.default_rng(bits)
    weights = {"matrix": draw.standard_normal((7, 128), np.float32), "odd": draw.standard_normal((7, 100), np.float32)}
    weights["matrix"][3, :64] *= 100  # its scale is that of the first part alone
    saved = packed(weights, bits)
    assert saved["matrix"].nbytes == 7 * 128 * bits // 8
    assert (saved["matrix.scale"].shape, saved["odd"].dtype) == ((7, 2), np.int8)
    again = unpacked(saved)["matrix"].reshape(7, 2, 64)
    parts = weights["matrix"].reshape(7, 2, 64)
    step = np.abs(parts).max(-1, keepdims=True) / (2 ** (bits - 1) - 1)
    assert (np.abs(again - parts) <= 0.51 * step).all()
    assert np.abs(again - parts)[3, 1].max() < np.abs(again - parts)[3, 0].max()


def test_numbers_of_five_bits_lie_in_bytes_lowest_first():
    row = np.zeros((1, 64), np.float32)
    row[0, :3] = 15, -15, 1  # with a scale of 1: 30, 0 and 16, others 15
    saved = packed({"matrix": row}, bits=5)
    number = 30 | 0 << 5 | 16 << 10 | sum(15 << 5 * place for place in range(3, 8))
    assert saved["matrix"][0, :5].tolist() == list(number.to_bytes(5, "little"))
    np.testing.assert_array_equal(unpacked(saved)["matrix"], row)


def test_a_file_is_packed_where_it_is_and_its_header_says_what_it_stands_for(tmp_path: Path):
    weights = {"matrix": np.arange(1200, dtype=np.float32).reshape(1, 30, 40), "row": np.ones((1, 5), np.float32)}
    write_arrays(tmp_path / "weights", weights)
    plain = weight_shapes(tmp_path / "weights")
    assert plain == {"matrix": ("F32", (1, 30, 40)), "row": ("F32", (1, 5))}
    size = (tmp_path / "weights").stat().st_size
    pack(tmp_path / "weights")
    assert (tmp_path / "weights").stat().st_size < size
    assert weight_shapes(tmp_path / "weights") == plain
    again = read_weights(tmp_path / "weights")
    np.testing.assert_allclose(again["matrix"], weights["matrix"], atol=1199 / 254)
    np.testing.assert_array_equal(again["row"], weights["row"])


def test_whole_numbers_without_their_scales_are_no_weights(tmp_path: Path):
    write_arrays(tmp_path / "weights", {"matrix": np.ones((3, 4), np.int8), "other": np.ones((2, 2), np.int8)})
    assert {kind for kind, _ in weight_shapes(tmp_path / "weights").values()} == {"I8"}
    write_arrays(tmp_path / "weights", {"matrix": np.ones((3, 4), np.int8), "matrix.scale": np.ones((2, 1), np.float16)})
    assert weight_shapes(tmp_path / "weights")["matrix"][0] == "I8"


def test_a_weight_may_be_called_scale(tmp_path: Path):
    weights = {"gate.scale": np.full((2, 3), 0.5, np.float32), "gate.mean": np.ones(3, np.float32)}
    write_arrays(tmp_path / "weights", weights)
    assert read_weights(tmp_path / "weights").keys() == weights.keys()
    pack(tmp_path / "weights")
    again = read_weights(tmp_path / "weights")
    np.testing.assert_allclose(again["gate.scale"], weights["gate.scale"], atol=0.01)
    with pytest.raises(ValueError, match=r"gate.scale is a weight, and would be the name of the scales of gate"):
        packed({"gate": np.ones((2, 3), np.float32), "gate.scale": np.ones(3, np.float32)})


def test_what_is_exact_stays_as_it_is(tmp_path: Path):
    weights = {"member 0.mean": np.array([1e7, 1e-7], np.float32), "member 0.first.weight": np.ones((2, 2), np.float32) / 3}
    write_arrays(tmp_path / "weights", weights)
    pack(tmp_path / "weights", exact=("mean",))
    again = read_weights(tmp_path / "weights")
    np.testing.assert_array_equal(again["member 0.mean"], weights["member 0.mean"])
    assert not np.array_equal(again["member 0.first.weight"], weights["member 0.first.weight"])
    np.testing.assert_allclose(again["member 0.first.weight"], weights["member 0.first.weight"], rtol=1e-3)


@pytest.mark.parametrize("value", [1e6, np.inf, np.nan])
def test_numbers_that_do_not_fit_are_named_and_nothing_is_written(value: float, tmp_path: Path):
    write_arrays(tmp_path / "weights", {"fits": np.ones(3, np.float32), "large": np.array([1, value], np.float32)})
    before = (tmp_path / "weights").read_bytes()
    with pytest.raises(ValueError, match="large holds numbers of 65,000 or more"):
        pack(tmp_path / "weights")
    assert (tmp_path / "weights").read_bytes() == before
    assert packed({"none": np.zeros((0, 5), np.float32)})["none"].shape == (0, 5)


@pytest.mark.parametrize("bits", [0, 1, 9])
def test_other_numbers_of_bits_are_refused(bits: int):
    with pytest.raises(ValueError, match="2 to 8"):
        packed({}, bits)

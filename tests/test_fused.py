"""The compiled loop computes what the core does, within rounding; without numba, and where it does not cover, the core does."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from memnet.config import Training
from memnet.models.encoders import EncodedData
from memnet.nn.random import Random
from memnet.papers import PRESETS
from memnet.tasks.families import find
from memnet.training import fused, loop
from memnet.training.dataset import DataSet
from memnet.training.fused import behind, compiler, shortcut
from memnet.training.golden import golden, read_golden
from memnet.training.loop import Epoch, make_networks, one_epoch
from memnet.training.state import State

FOLDER = Path(__file__).parent / "golden"
needs_numba = pytest.mark.skipif(not compiler(), reason="the compiled loop needs numba: pip install 'memnet-qa[fast]'")
COVERED: dict[str, tuple[str, dict[str, Any]]] = {
    "bag of words": ("bow", {}),
    "position encoding": ("pe", {"batch": 7, "lr": 0.003}),
    "the printed encoding, no null, noise": ("masked", {}),
    "noise, a short memory": ("pe-ls-rn", {"noise": 0.5, "memory_size": 4}),
    "width 100, relu": ("pe-ls-rn-large", {"lr": 0.02}),
    "layer-wise": ("pe-ls-lw-joint", {"noise": 0.1, "relu": True}),
    "no ages, each question once": ("pe-ls", {"temporal": False, "replacement": False}),
    "clipped by matrix": ("pe-ls-rn", {"clip": 0.5}),
    "clipped by network": ("pe-ls-lw-joint", {"clip": 0.5, "clip_per": "network"}),
    "one hop": ("pe-ls-joint-1hop", {"init_std": 0.5}),
}
NOT_COVERED: dict[str, tuple[str, dict[str, Any]]] = {
    "off": ("pe-ls-rn", {"fused": False}),
    "facts": ("pe-ls-rn-facts", {}),
    "adam": ("pe-ls-rn", {"optimizer": "adam"}),
    "a penalty": ("pe-ls-rn", {"l2": 0.1}),
    "words": ("pe-ls-rn", {"decoder": "words"}),
    "another score": ("pe-ls-rn", {"null": "none", "score": "general"}),
    "another alignment": ("pe-ls-rn", {"null": "none", "align": "sparsemax"}),
    "gates": ("pe", {"read": "gated_gru", "null": "none"}),
    "another network": ("dmn-plus", {}),
}


def epochs(config: Training, how: str, replicas: int = 3) -> tuple[State, list[Epoch]]:
    """Two epochs, by the core, in ``double`` precision too, or as ``installed``.

    Some replicas are in the linear start, the last is finished.
    """
    data = DataSet.of(find([str(FOLDER / "few")]), config)
    net = make_networks("memn2n", config, data, Random(0, replicas, "weights"))
    state, lr = State.start(net, Random(0, replicas), config), torch.full((replicas,), config.lr)
    lr[-1] = 0
    encoded = net.encode_data(data.train)
    if how == "double":
        net.double()
        encoded = EncodedData(*(code._replace(coefficient=code.coefficient.double(), dense=None) for code in encoded))
    found = []
    for linear in ([True] * replicas, [False, True, False, True][:replicas]):
        net.set_schedule(torch.tensor(linear), torch.zeros(replicas, dtype=torch.bool))
        with pytest.MonkeyPatch.context() as patch:
            if how != "installed":
                patch.setattr(loop, "covers", lambda *given: False)
            found.append(one_epoch(state, data.train, encoded, config, lr))
    return state, found


@needs_numba
@pytest.mark.parametrize("case", COVERED)
def test_it_is_the_core_within_rounding(case: str):
    preset, changes = COVERED[case]
    config = replace(PRESETS[preset], **changes)
    assert config.fusible
    (core, before), (quick, after), (double, _) = (epochs(config, how) for how in ("core", "installed", "double"))
    start = make_networks("memn2n", config, DataSet.of(find([str(FOLDER / "few")]), config), Random(0, 3, "weights"))
    for name, one in core.net.named_parameters():
        other, first, right = (net.get_parameter(name).detach() for net in (quick.net, start, double.net))
        largest = float(right.abs().max())
        off, of_core = (float((weights - right).abs().max()) / largest for weights in (other, one.detach()))
        assert off < max(4 * of_core, 1e-6), f"{name}: {off:.1e}, the core {of_core:.1e}"
        assert (one - first).detach().abs().max() > 1e-4 * largest, f"{name} has learned nothing"
        assert torch.equal(other[-1], first[-1]), "a replica that is finished"
    for one, other in zip(before, after, strict=True):
        assert torch.allclose(one.loss[:-1], other.loss[:-1], rtol=1e-5)
        assert torch.allclose(one.error[:-1], other.error[:-1], atol=2.1), "more than one question, of two answers as likely"
    assert torch.equal(core.random.state(), quick.random.state())


@needs_numba
def test_a_network_does_not_depend_on_those_beside_it():
    config = PRESETS["pe-ls-rn"]
    alone, beside = (epochs(config, "installed", replicas)[0].net.embedding[0] for replicas in (2, 4))
    assert torch.equal(alone, beside)


@needs_numba
@pytest.mark.parametrize("case", ["bow", "pe-ls-rn", "masked", "pe-ls-lw-joint"])
def test_it_learns_what_is_on_file_of_the_core(case: str, monkeypatch: pytest.MonkeyPatch):
    used = []
    monkeypatch.setattr(loop, "fused_steps", lambda *given: used.append(case) or fused.fused_steps(*given))
    found = replace(golden(f"{case} fused=true", FOLDER), machine="rounds otherwise")
    assert used
    assert not read_golden(FOLDER)[case].differs(found)


@pytest.mark.parametrize("case", NOT_COVERED)
def test_what_it_does_not_cover_is_the_cores(case: str):
    preset, changes = NOT_COVERED[case]
    assert not replace(PRESETS[preset], **changes).fusible


def test_the_core_trains_permuted_words_other_devices_and_without_numba(monkeypatch: pytest.MonkeyPatch):
    config = PRESETS["pe-ls-rn"]
    assert shortcut(config, "cpu", permuted=False) == compiler()
    assert shortcut(config, "cpu", permuted=True) == shortcut(config, "cuda", permuted=False) == ""
    monkeypatch.setitem(sys.modules, "numba", None)
    compiler.cache_clear()
    try:
        assert compiler() == ""
        assert importlib.import_module("memnet.training.loop")
        state, found = epochs(config, "installed")
        core, expected = epochs(config, "core")
        assert torch.equal(state.net.embedding, core.net.embedding)
        assert torch.equal(found[0].loss, expected[0].loss)
    finally:
        compiler.cache_clear()


@pytest.mark.parametrize("raised", [KeyboardInterrupt, SystemExit])
def test_what_a_signal_raised_is_found_behind_numbas_errors(raised: type[BaseException]):
    """numba hands it on as the cause of errors of its own, one behind the other."""
    signal, first, second = raised(), SystemError("of the loop"), SystemError("of the cache")
    first.__cause__, second.__cause__ = signal, first
    assert behind(second) is signal
    assert behind(alone := SystemError("of its own")) is alone

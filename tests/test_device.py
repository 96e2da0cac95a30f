"""Every model trains, is resumed, evaluated and asked on another device: simulated where this machine has none.

What is computed there is the CPU's numbers, bit for bit; see tests/device.py.
"""

import re
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import torch

from memnet.config import Training, override
from memnet.errors import ConfigError
from memnet.papers import PRESETS
from memnet.record.provenance import pick_device
from memnet.tasks.families import Task
from memnet.training.run import make_run
from memnet.training.spec import specify
from tests.conftest import refused, wander
from tests.device import WrongDeviceError, simulated_cuda

DEVICES = {"cuda": (), "mps": (torch.float64,)}  # and the numbers that each has not


def test_the_simulated_device_is_apart_from_the_cpu():
    with simulated_cuda():
        there, here = torch.ones(2, 3).to("cuda"), torch.ones(3)
        assert there.device != here.device
        assert (there * torch.tensor(2.0)).sum().item() == 12
        for mixed in (
            lambda: there * here,
            lambda: torch.cat([there, here.view(1, 3)]),
            lambda: there.index_select(0, torch.zeros(1, dtype=torch.long)),
            lambda: here[torch.zeros(1, dtype=torch.long, device="cuda")],
            lambda: there.masked_fill(here > 0, 0.0),
            lambda: there.numpy(),
        ):
            with pytest.raises((WrongDeviceError, RuntimeError, TypeError)):
                mixed()
    with simulated_cuda(without=(torch.float64,)), pytest.raises(WrongDeviceError, match="float64"):
        torch.ones(2, device="mps").double()


SMALL = {
    "epochs": 2,
    "batch": 16,
    "dim": 8,
    "hidden": 8,
    "linear_start": 1,
    "softmax_epochs": 1,
    "stream": 0,
    "facts_alone": 0.0,
    "phrasing": 0.0,
}


def small(config: Training, **changes: Any) -> Training:
    """A network and a training of the same kind that take a moment."""
    if config.fitted:
        return config
    there = {field.name for field in fields(config) if getattr(config, field.name)}
    less = {name: value for name, value in SMALL.items() if name in there}
    return override(config, less | changes)


def made(preset: str, config: Training, folder: Path, device: str = "cpu") -> dict[str, Any]:
    """A run that is stopped after its first epoch and gone on with; what ``run.json`` says of its networks."""
    tasks = [own_task()]
    spec = specify(tasks, preset, config, 0, 1 if config.fitted else 2)

    def stop(epoch: int, *_: object) -> None:
        if epoch == 1:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        make_run(spec, tasks, folder, device=device, progress=stop)
    run, _ = make_run(spec, tasks, folder, resume=True, device=device)
    return dict(run)


def own_task() -> Task:
    """People who move."""
    return Task.of("own/moves", wander(1, 8), wander(2, 4), "0" * 12)


def check(preset: str, folder: Path, device: str = "cuda", **changes: Any) -> None:
    """Made here and on the simulated device, the networks are the same, bit for bit, and so are their errors."""
    config = small(PRESETS[preset], **changes)
    here = made(preset, config, folder / "here")
    with simulated_cuda(without=DEVICES[device]):
        there = made(preset, config, folder / "there", device)
        assert there["versions"]["machine"] != here["versions"]["machine"] or device == "mps"
    assert there["replicas"] == here["replicas"]
    for name in ("model.safetensors", "config.json"):
        assert (folder / "here" / name).read_bytes() == (folder / "there" / name).read_bytes(), name


def test_a_network_trains_on_another_device_as_on_the_cpu(tmp_path: Path):
    check("pe-ls-rn", tmp_path, fused=False)  # the compiled loop is for processors alone


def test_a_device_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    for device in DEVICES:
        for command in (["train", "qa1"], ["sweep", "qa1", "--results", tmp_path / "runs.csv"], ["reproduce", "memn2n-1k"]):
            said = refused(*command, "--device", device)
            assert said.endswith(f"device {device} is asked for, but this torch sees none; use --device cpu\n")
            assert re.search("device must be auto(,| or) cpu", refused(*command[:2], "--device", "tpu"))
    assert list(tmp_path.iterdir()) == []
    assert pick_device("auto") == "cpu"
    with pytest.raises(ConfigError, match="device must be auto, cpu, cuda or mps, not 'tpu'"):
        pick_device("tpu")


@pytest.mark.slow
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_trains_on_another_device_as_on_the_cpu(preset: str, device: str, tmp_path: Path):
    check(preset, tmp_path, device)


OTHERS = {  # settings that no preset has
    "pe-ls-rn": (
        {"align": "hard", "samples": 2, "baseline": "mean", "null": "none"},
        {"align": "hard", "gradient": "exact", "null": "none"},
        {"align": "local_p", "window": 2.0, "null": "none"},
        {"align": "sparsemax", "score": "concat", "null": "none"},
        {"decoder": "words"},
        {"permute": True, "optimizer": "adamw", "decay": 0.1, "l2": 0.01, "clip_per": "network", "schedule": "cosine"},
    ),
    "dmn-plus": ({"align": "hard", "samples": 2}, {"decoder": "words"}, {"supervision": "facts", "unanswerable": 0.0}),
    "lstm-attention": ({"align": "local_m", "window": 2.0}, {"supervision": "facts"}, {"decoder": "words"}),
    "universal": ({"supervision": "facts"}, {"decoder": "words"}),
    "causal": ({"open_vocabulary": True, "unanswerable": 0.5}, {"supervision": "facts"}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "changes"), [(preset, each) for preset, sets in OTHERS.items() for each in sets])
def test_other_settings_train_on_another_device_as_on_the_cpu(preset: str, changes: dict[str, Any], tmp_path: Path):
    check(preset, tmp_path, "mps", **changes)

"""Trainings that tests make, in this process: small, whole or stopped, and what must hold of each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from memnet.config import Training
from memnet.encode.batch import Batch, batches
from memnet.encode.examples import Examples
from memnet.models import MODELS, Network, model_of
from memnet.tasks.families import Task
from memnet.training.dataset import DataSet
from memnet.training.loop import train_networks
from memnet.training.result import Result
from memnet.training.run import execute, opened
from memnet.training.spec import Spec, specify
from memnet.training.state import METRICS
from tests.conftest import read_lines, wander


def a_run(config: Training, restarts: int = 2, seed: int = 0, stories: int = 20) -> tuple[Spec, DataSet]:
    """People who move, and the training of a few networks on them."""
    return a_spec([Task.of("own/moves", wander(1, stories), wander(2), "0")], config, restarts, seed)


def a_spec(tasks: list[Task], config: Training, restarts: int, seed: int = 0) -> tuple[Spec, DataSet]:
    preset = MODELS[model_of(config)].presets[0]
    return specify(tasks, preset, config, seed, restarts), DataSet.of(tasks, config)


def run_in(folder: Path, spec: Spec, data: DataSet, resume: bool = False, **options: object) -> dict[str, Any]:
    with opened(folder, spec, resume) as finished:
        assert finished is None
        return execute(spec, data, folder, **options)


def first_of_each_kind(configs: Mapping[str, Training]) -> list[Any]:
    """Their names as cases of a test, slow but for the first with a network, how it aligns and answers, and what it reads."""
    seen, cases = set[object](), list[Any]()
    for name, config in configs.items():
        network = (type(config), *(getattr(config, setting, None) for setting in ("align", "decoder")))
        reads = {(setting, getattr(config, setting, None)) for setting in ("permute", "canonical", "open_vocabulary")}
        cases.append(pytest.param(name, marks=[pytest.mark.slow] if seen >= {network, *reads} else []))
        seen |= {network, *reads}
    return cases


def metrics_of(folder: Path, **wanted: object) -> list[dict[str, Any]]:
    """The lines of a run's metrics, of those that have these values."""
    return [line for line in read_lines(folder / METRICS) if wanted.items() <= line.items()]


def batch_of(net: Network, data: Examples, index: Iterable[int]) -> Batch:
    """The same questions for each replica."""
    return next(batches(data, torch.tensor([*index]).expand(1, net.replicas, -1), net.sizes.ages))


def interrupted_at(*epochs: int) -> Callable[..., None]:
    def progress(epoch: int, total: int, row: dict[str, float]) -> None:
        if epoch in epochs:
            raise KeyboardInterrupt

    return progress


def check_same_weights(few: nn.Module, many: nn.Module) -> None:
    """Fail where the replicas of one network are not the first ones of another, bit for bit."""
    for name, value in few.state_dict().items():
        assert torch.equal(value, many.state_dict()[name][: len(value)]), name


def check_alone_as_among_others(tasks: list[Task], config: Training, numbers: Sequence[int] = (3, 1)) -> None:
    """Fail where a network that is trained beside others is not the one that is trained with fewer."""
    many, *others = (train_networks(*a_spec(tasks, config, number)).net for number in numbers)
    for few in others:
        check_same_weights(few, many)


def check_goes_on(make: Callable[[], tuple[Spec, DataSet]], folder: Path, epoch: int = 2) -> Result:
    """Fail where a training that is stopped after an epoch and gone on with does not end as one never stopped."""
    whole = train_networks(*make())
    with pytest.raises(KeyboardInterrupt):
        train_networks(*make(), folder, progress=interrupted_at(epoch))
    again = train_networks(*make(), folder, resume=True)
    check_same_weights(whole.net, again.net)
    assert again.rows == whole.rows
    return again

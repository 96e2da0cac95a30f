"""A run's metrics, read again: as learning curves, and as TensorBoard's event files (the extra ``tensorboard``)."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memnet.errors import ConfigError, NetworkError, extra_needed
from memnet.figures import lines_of
from memnet.training.state import METRICS

TAGS = {  # a value of metrics.jsonl -> the chart that shows it
    "train_loss": "loss/train",
    "validation_loss": "loss/validation",
    "train_error": "error/train",
    "validation_error": "error/validation",
    "lr": "learning rate",
    "reward_variance": "hard attention/reward variance",
    "advantage_square": "hard attention/squared advantage",
}


class Point(NamedTuple):
    """A network after an epoch."""

    replica: int
    epoch: int
    values: dict[str, float]  # by chart


def write_events(runs: Sequence[Path], out: Path) -> list[Path]:
    """The metrics of run folders, or of their ``metrics.jsonl``, as event files: a folder a network, ``out/RUN/replica0``.

    Raises :class:`~memnet.errors.ConfigError` without tensorboard or where ``out`` has events of a run already, and
    :class:`~memnet.errors.NetworkError` where there are no metrics.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise ConfigError(extra_needed("TensorBoard", "tensorboard", "tensorboard")) from error

    found = {run_name(run): read_metrics(run) for run in runs}
    if len(found) < len(runs):
        raise ConfigError("two of these runs have one name; write them into folders of their own by --out")
    folders = {name: out / name for name in found}
    for folder in folders.values():
        if folder.exists():
            raise ConfigError(f"{folder} exists already; choose another --out, or remove it")
    for name, points in found.items():
        for replica in sorted({point.replica for point in points}):
            with SummaryWriter(str(folders[name] / f"replica{replica}")) as writer:
                for point in points:
                    for tag, value in point.values.items() if point.replica == replica else ():
                        writer.add_scalar(tag, value, point.epoch)
    return list(folders.values())


def run_name(run: Path) -> str:
    """The folder's name of a run or of its ``metrics.jsonl``; another file's name without its ending."""
    run = run.resolve()
    return run.name if run.is_dir() else run.parent.name if run.name == METRICS else run.stem


def read_metrics(path: Path) -> list[Point]:
    """The rows of a run folder's metrics, or of such a file. Raises :class:`~memnet.errors.NetworkError`."""
    path, points = path / METRICS if path.is_dir() else path, []
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            values = {tag: float(row[name]) for name, tag in TAGS.items() if row.get(name) is not None}
            points.append(Point(int(row["replica"]), int(row["epoch"]), values))
    except FileNotFoundError as error:
        raise NetworkError(f"{path} is missing; expected the folder of a run that 'memnet train' made") from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NetworkError(f"{path} is not the metrics of a run: {error}") from error
    if not points:
        raise NetworkError(f"{path} has no epoch yet")
    return points


def learning_curves(runs: Sequence[Path]) -> Any:
    """A figure of the mean over networks of training and validation error, epoch by epoch, of run folders or their metrics."""
    lines = {}
    for run in runs:
        points = read_metrics(run)
        for part, tag in (("training", TAGS["train_error"]), ("validation", TAGS["validation_error"])):
            errors: dict[int, list[float]] = {}
            for point in points:
                if tag in point.values:
                    errors.setdefault(point.epoch, []).append(point.values[tag])
            lines[f"{run_name(run)}, {part}"] = [(float(epoch), statistics.fmean(found)) for epoch, found in errors.items()]
    if not all(lines.values()):
        raise NetworkError(f"{' '.join(map(str, runs))}: metrics without errors; expected those that 'memnet train' writes")
    return lines_of(lines, "epoch", "error, %")

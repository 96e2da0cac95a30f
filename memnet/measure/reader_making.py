"""What scripts that make a small reader have in common: options, processes that learn together, checkpoints and publishing."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

import torch
from torch.multiprocessing.spawn import start_processes

from memnet.errors import ConfigError, NetworkError
from memnet.files import write_json
from memnet.reading.answers import TrainedReader
from memnet.reading.differences import check_free
from memnet.reading.examples import WORDS_A_BATCH
from memnet.reading.network import Reader
from memnet.reading.training import FILE, ReaderTraining

SETTINGS, LAYERS = "settings.json", 4  # two that understand and two hops


@dataclass(frozen=True)
class Making:
    """How one small reader is made; functions of a module, so that other processes find them."""

    folder: Path  # in the package
    begun: Callable[[argparse.Namespace], ReaderTraining]  # the training at its beginning
    judged: Callable[[Reader, str], str]  # what is right of the files apart
    every: Callable[[argparse.Namespace], int]  # steps between two checkpoints


def add_options(parser: argparse.ArgumentParser, steps: int, lr: float, apart: str) -> None:
    """The options that all have, with some defaults."""
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=steps, help="steps, over which the learning rate falls")
    parser.add_argument("--minutes", type=float, default=0.0, help="so long at most; the learning rate falls over them")
    parser.add_argument("--half", action="store_true", help="forward and backward in bfloat16, where the processor has it")
    parser.add_argument(
        "--layers", type=int, choices=range(3, 10), default=LAYERS, help="layers to begin with, hops among them"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--lr", type=float, default=lr, help="AdamW's learning rate")
    parser.add_argument("--words", type=int, default=WORDS_A_BATCH, help="words of a batch")
    parser.add_argument("--processes", type=int, default=1, help="processes that learn together, a batch each")
    parser.add_argument("--apart", default=apart, help="what it does not learn from")
    parser.add_argument("--publish", action="store_true", help="write the average of the weights into the package")


def run(making: Making, parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """Train or publish, as the options say; what is wrong is said by the parser."""
    try:
        if given.publish:
            publish(making, given)
        elif given.processes == 1:
            train(0, making, given, "")
        else:
            with tempfile.TemporaryDirectory() as folder:
                each = partial(train, making=making, given=given, meet=f"file://{folder}/met")
                start_processes(each, nprocs=given.processes)
    except (ConfigError, NetworkError) as error:
        parser.error(str(error))


def train(process: int, making: Making, given: argparse.Namespace, meet: str) -> None:
    """Learn in one of several processes, which agree after each step."""
    torch.set_num_threads(1)
    if meet:
        torch.distributed.init_process_group("gloo", init_method=meet, rank=process, world_size=given.processes)
    training = making.begun(given)
    training.resume(given.folder)

    def log(line: str) -> None:
        line = f"{datetime.now():%Y-%m-%d %H:%M}  {line}; {making.judged(training.average, given.apart)}"
        print(line, flush=True)
        with (given.folder / "log.txt").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    given.folder.mkdir(parents=True, exist_ok=True)
    if process == 0:
        write_json(given.folder / SETTINGS, asdict(training.settings))
    training.run(given.folder, log, every=making.every(given))
    if meet:
        torch.distributed.destroy_process_group()


def publish(making: Making, given: argparse.Namespace) -> None:
    """Write what the package needs.

    Raises :class:`~memnet.errors.ConfigError` where nothing was trained, or others are what differs from this one.
    """
    check_free(making.folder)
    training = making.begun(given)
    if not (given.folder / SETTINGS).exists() or not training.resume(given.folder):
        raise ConfigError(f"{given.folder} has no {FILE} and {SETTINGS}: train first")
    learned = json.loads((given.folder / SETTINGS).read_text(encoding="utf-8"))
    facts = {"training": {**learned, "done": training.steps}, "apart": making.judged(training.average, learned["apart"])}
    TrainedReader(training.average.in_numpy(), training.words, facts).save(making.folder)
    print(making.folder, facts["apart"])

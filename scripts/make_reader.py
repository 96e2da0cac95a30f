"""Train the reader of ordinary English from nothing, or go on where its training stopped.

    python scripts/make_reader.py runs/reader [--steps 20000] [--seed 1] [--half]

draws stories of the world (``memnet.tasks.world``) as they are wanted, writes a checkpoint and a line of ``log.txt`` every 500
steps, and goes on from the checkpoint when it is called again. ``--half`` computes in bfloat16.
"""

from __future__ import annotations

import argparse
from datetime import datetime
from pathlib import Path

import torch

from memnet.reading.network import Reader, ReaderConfig
from memnet.reading.training import ReaderTraining, Settings
from memnet.reading.words import Words


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=Settings.steps)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw stories")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    words = Words.load()
    settings = Settings(seed=given.seed, steps=given.steps, half=given.half)
    training = ReaderTraining(Reader(ReaderConfig(), words.vectors), words, settings)
    training.resume(given.folder)
    given.folder.mkdir(parents=True, exist_ok=True)

    def log(line: str) -> None:
        line = f"{datetime.now():%Y-%m-%d %H:%M}  {line}"
        print(line, flush=True)
        with (given.folder / "log.txt").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    training.run(given.folder, log, workers=given.workers)


if __name__ == "__main__":
    main()

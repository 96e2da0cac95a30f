"""Train the network that reads facts out of single sentences, and put it into the package.

    python scripts/make_facts.py --background FOLDER [--out FOLDER] [--steps 3600]

draws sentences of the world (``memnet.tasks.world``) with their facts, lines of logs, ways to say one thing, and sentences of
the books of a folder, which say nothing of whereabouts; half an hour on one core.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

import torch

from memnet.facts.network import FactConfig, FactNetwork
from memnet.facts.reader import FOLDER, FactReader
from memnet.facts.training import Course, train
from memnet.reading.words import Words
from memnet.tasks.text.background import Background


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--background", type=Path, required=True, help="a folder of books, none of them to be tested with")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--steps", type=int, default=Course.steps)
    given = parser.parse_args()
    torch.set_num_threads(1)
    course = Course(steps=given.steps)
    books = Background.read(given.background, shortest=0).sentences
    network = FactNetwork(FactConfig(), Words.load().vectors)

    def say(step: int, loss: float) -> None:
        print(f"{step:>6}  {loss:.4f}", flush=True)

    trained = train(network, course, books, say)
    FactReader(trained, {"training": asdict(course)}).save(given.out)
    print(given.out)


if __name__ == "__main__":
    main()

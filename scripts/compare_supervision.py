"""Compare ways to learn what to read: from supporting facts, from answers alone, and by REINFORCE.

    python scripts/compare_supervision.py --background FOLDER --test FOLDER --write results/supervision.csv

trains a retriever and its reader in each way on stories among sentences of the first folder's books, and asks about fresh
stories among those of the second, in a quarter of an hour on one core. No choice is made on the second.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from memnet.files import write_atomically
from memnet.measure.supervision import compare_supervision
from memnet.record.measurements import write_csv
from memnet.tasks.text.background import Background
from memnet.training.supervised_retrieval import Course

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--background", type=Path, required=True, help="a folder of books to learn from")
    parser.add_argument("--test", type=Path, required=True, help="a folder of other books, to ask among")
    parser.add_argument("--steps", type=int, default=Course.steps)
    parser.add_argument("--alone", type=int, default=Course.alone, help="of these, in which the reader learns alone")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--write", type=Path, help="a file for the numbers, as CSV")
    given = parser.parse_args()
    torch.set_num_threads(1)
    books, others = Background.read(given.background), Background.read(given.test)
    found = []
    for row in compare_supervision(Course(steps=given.steps, alone=given.alone), range(given.seeds), books, others):
        print(row, flush=True)
        found.append(row)
    if given.write:
        write_atomically(given.write, write_csv(found))
        print(given.write)

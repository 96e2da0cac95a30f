"""Train the scorer of queries of tables, and put it into the package.

    python scripts/make_tables.py FOLDER ... [--out FILE] [--parts 5]

A folder has tables, each with its questions beside it, as `memnet bench memory-files` asks them: the package's learned from
tasks/spreadsheets, tests/own_files/sixth and tests/own_files/eighth. With ``--parts`` nothing is saved: it is said how many
questions are right about tables that were not learned from, the tables being parted so.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import torch

from memnet.measure.core_hours import core_hours
from memnet.measure.query_training import Course, across_tables, examples, save, score, train
from memnet.memory.tables.ranked.answering import SURE
from memnet.memory.tables.ranked.scorer import WEIGHTS

HOW = ("right", "wrong", "refused")


@core_hours()
def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--parts", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(1)
    course = Course()
    some = [one for folder in given.folders for one in examples(folder, course)]
    asked = [one for one in some if not one.drawn]
    answers = [one for one in asked if one.answerable]
    reached = sum(one.weight == 1.0 for one in answers) / max(1, len(answers))
    print(f"{len(asked):,} questions, {reached:.1%} of the answers within reach; {len(some) - len(asked):,} drawn", flush=True)
    if given.parts:
        counts = across_tables(some, replace(course, members=1), given.parts, SURE)
    else:
        scorer = train(some, course)
        save(scorer, given.out)
        counts = score(scorer, asked, SURE)
        print(given.out)
    shares = [f"{name} {count / len(asked):.1%}" for name, count in zip(HOW, counts, strict=True)]
    print(f"{', '.join(shares)}, where an answer must be {SURE:.0%} sure")


if __name__ == "__main__":
    main()

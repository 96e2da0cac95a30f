"""Train what reads questions about tables, and put it into the package.

    python scripts/make_tables.py --columns tasks/spreadsheets/columns [--apart FILE]
    python scripts/make_tables.py FOLDER ... [--parts 5]

The first trains the matcher of words and columns, from how people ask for columns. With ``--apart`` nothing is saved: it is
said how often the right column of that file is before thirteen others, learned from the other files.

The second trains the scorer of queries, which uses the matcher. A folder has tables, each with its questions beside it, as
`memnet bench memory-files` asks them: the package's learned from tasks/spreadsheets, tests/own_files/sixth and
tests/own_files/eighth. With ``--parts`` nothing is saved: it is said how many questions are right about tables that were not
learned from, the tables being parted so.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from memnet.measure.column_training import MatcherCourse, first_of, read_columns, save_matcher, train_matcher
from memnet.measure.core_hours import core_hours
from memnet.measure.query_training import Course, across_tables, examples, save, score, train
from memnet.memory.tables.ranked.answering import SURE
from memnet.memory.tables.ranked.matching import WEIGHTS as MATCHER
from memnet.memory.tables.ranked.scorer import EXACT
from memnet.memory.tables.ranked.scorer import WEIGHTS as SCORER
from memnet.packing import pack

OTHERS = 13  # columns beside the right one
HOW = ("right", "wrong", "refused")


@core_hours()
def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--columns", type=Path, metavar="FOLDER")
    parser.add_argument("--apart", metavar="FILE")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--parts", type=int, default=0)
    given = parser.parse_args()
    if bool(given.folders) == bool(given.columns):
        parser.error("give folders of tables, or --columns with a folder of columns")
    if (given.apart and not given.columns) or (given.parts and given.columns):
        parser.error("--apart belongs to --columns, --parts to folders of tables")
    if given.columns and not (given.columns / (given.apart or ".")).exists():
        parser.error(f"{given.columns / (given.apart or '.')} is not there")
    torch.set_num_threads(1)
    if given.columns:
        of_columns(given.columns, given.apart, given.out or MATCHER)
    else:
        of_queries(given.folders, given.parts, given.out or SCORER)


def of_columns(folder: Path, apart: str | None, out: Path) -> None:
    """Train the matcher, or say how good it is about the columns of a file that it did not learn from."""
    paths = sorted(folder.glob("*.jsonl"))
    learned = [one for path in paths if path.name != apart for one in read_columns(path)]
    print(f"{len(learned):,} columns, {sum(len(one.asks) for one in learned):,} ways to ask for them", flush=True)
    matcher = train_matcher(learned, MatcherCourse())
    if apart is None:
        save_matcher(matcher, out)
        pack(out)
        print(out)
    else:
        columns, cells = first_of(matcher, read_columns(folder / apart), OTHERS)
        print(f"{apart}: of {OTHERS + 1} columns the right one is first for {columns:.1%}, of cells for {cells:.1%}")


def of_queries(folders: Sequence[Path], parts: int, out: Path) -> None:
    """Train the scorer, or say how good it is about tables that it did not learn from."""
    course = Course()
    some = [one for folder in folders for one in examples(folder, course)]
    asked = [one for one in some if not one.drawn]
    answers = [one for one in asked if one.answerable]
    reached = sum(one.weight == 1.0 for one in answers) / max(1, len(answers))
    print(f"{len(asked):,} questions, {reached:.1%} of the answers within reach; {len(some) - len(asked):,} drawn", flush=True)
    if parts:
        counts = across_tables(some, replace(course, members=1), parts, SURE)
    else:
        scorer = train(some, course)
        save(scorer, out)
        pack(out, exact=EXACT)
        counts = score(scorer, asked, SURE)
        print(out)
    shares = [f"{name} {count / len(asked):.1%}" for name, count in zip(HOW, counts, strict=True)]
    print(f"{', '.join(shares)}, where an answer must be {SURE:.0%} sure")


if __name__ == "__main__":
    main()

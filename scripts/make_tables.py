"""Train what reads questions about tables, and put it into the package.

    python scripts/make_tables.py --columns tasks/spreadsheets/columns [--apart FILE]

trains the matcher of words and columns, from how people ask for columns. With ``--apart`` nothing is saved: it is
said how often the right column of that file is before thirteen others, learned from the other files.

    python scripts/make_tables.py FOLDER ... --asked FILE

writes which column each question asks for, as the package finds by its answer, for ``scripts/make_column_reader.py --asked``.

    python scripts/make_tables.py FOLDER ... [--parts 5] [--readers FOLDER FOLDER]

trains the scorer of queries, which uses the matcher and the reader of columns. A folder has tables, each with its questions
beside it, as `memnet bench memory-files` asks them: the package's learned from tasks/spreadsheets, tests/own_files/sixth and
tests/own_files/eighth. With ``--parts`` nothing is saved: it is said how many questions are right about tables that were not
learned from, the tables being parted so. With ``--readers`` each half of the tables is read by the reader of columns that
learned from the other half: the first learned with ``make_column_reader.py --half-of 0``, the second with ``--half-of 1``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from memnet.measure.asked_columns import asked_tables, half_of, write_asked
from memnet.measure.column_training import MatcherCourse, first_of, read_columns, save_matcher, train_matcher
from memnet.measure.core_hours import core_hours
from memnet.measure.own_files import files_of
from memnet.measure.query_training import Course, Example, across_tables, examples_of, save, score, train
from memnet.memory.tables.ranked.answering import SURE
from memnet.memory.tables.ranked.column_reader import FOLDER, ColumnReader
from memnet.memory.tables.ranked.matching import WEIGHTS as MATCHER
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
    parser.add_argument("--asked", type=Path, metavar="FILE")
    parser.add_argument("--readers", type=Path, nargs=2, metavar="FOLDER")
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
    elif given.asked:
        count = write_asked(given.asked, (table for folder in given.folders for table in asked_tables(folder)))
        print(f"{count:,} questions of which it is clear what they ask for: {given.asked}")
    else:
        of_queries(given.folders, given.parts, given.out or SCORER, given.readers)


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


def of_queries(folders: Sequence[Path], parts: int, out: Path, readers: Sequence[Path] | None) -> None:
    """Train the scorer, or say how good it is about tables that it did not learn from."""
    course, some = Course(), list[Example]()
    for path, questions in (both for folder in folders for both in files_of(folder)):
        ColumnReader.folder = readers[1 - half_of(path.name)] if readers else FOLDER
        some += examples_of(path, questions, course)
    ColumnReader.folder = FOLDER
    asked = [one for one in some if not one.drawn]
    answers = [one for one in asked if one.answerable]
    reached = sum(one.weight == 1.0 for one in answers) / max(1, len(answers))
    print(f"{len(asked):,} questions, {reached:.1%} of the answers within reach; {len(some) - len(asked):,} drawn", flush=True)
    if parts:
        counts = across_tables(some, replace(course, members=1), parts, SURE)
    else:
        scorer = train(some, course)
        save(scorer, out)
        counts = score(scorer, asked, SURE)
        print(out)
    shares = [f"{name} {count / len(asked):.1%}" for name, count in zip(HOW, counts, strict=True)]
    print(f"{', '.join(shares)}, where an answer must be {SURE:.0%} sure")


if __name__ == "__main__":
    main()

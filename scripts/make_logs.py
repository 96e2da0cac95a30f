"""Train what answers questions about logs, and put it into the package.

    python scripts/make_logs.py --matcher
    python scripts/make_logs.py [--parts 3]

The first trains the matcher of questions and entries from the logs of ``tasks/world/lexicon/answered``, whose lines say
what they answer by themselves; but for the file of ``--apart``, of which it is said how often a line that tells it comes
first.

The second trains what says how likely an entry tells it, and what scores candidates, from the logs of ``tasks/logs`` and of
``--own``, folders of logs with questions as `memnet bench memory-files` asks them. The matcher and the reader of entries
did not learn from these. With ``--parts`` nothing is saved: it is said how many questions are right about logs that were
not learned from.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from memnet.measure.core_hours import core_hours
from memnet.measure.entry_matching import Lesson, MatchingCourse, lessons, save_matching, train_matching
from memnet.measure.log_training import (
    OF_CANDIDATES,
    OF_ENTRIES,
    across_logs,
    all_asked,
    chances_of,
    example,
    read_own,
    train_candidates,
    train_entries,
    with_chances,
)
from memnet.measure.query_training import save, score
from memnet.memory.entrywise.ranked.answering import RELEVANCE, SCORER, SHIFT, SLOPE
from memnet.memory.entrywise.ranked.matching import WEIGHTS, EntryMatcher
from memnet.memory.tables.ranked.scorer import EXACT
from memnet.packing import pack
from memnet.tasks.world.answered_logs import answered_logs

LOGS = Path(__file__).parents[1] / "tasks" / "logs"
HOW = ("right", "wrong", "refused")
OWN = 3  # times that questions about logs of --own count
LEAST = 1 / (1 + math.exp(SHIFT / SLOPE))  # the share of the probability from which on an answer is given
PARTS = 4  # in which logs are read, each by networks that did not learn from it


@core_hours()
def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matcher", action="store_true", help="train the matcher of questions and entries")
    parser.add_argument(
        "--apart", default="signals_orchestra_salmon", metavar="FILE", help="what the matcher does not learn from"
    )
    parser.add_argument(
        "--own", nargs="*", type=Path, default=[], metavar="FOLDER", help="logs with questions, to learn from too"
    )
    parser.add_argument("--parts", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the folder of the weights; the package's, where it is not given")
    given = parser.parse_args()
    if given.matcher and (given.own or given.parts):
        parser.error("--matcher learns from tasks/world/lexicon/answered alone; leave --own and --parts out")
    torch.set_num_threads(1)
    if given.matcher:
        of_entries(given.apart, (given.out or WEIGHTS.parent) / WEIGHTS.name)
    else:
        of_candidates(given.own, given.parts, given.out or SCORER.parent)


def of_entries(apart: str, out: Path) -> None:
    """Train the matcher, and say how good it is about the logs of a file that it did not learn from."""
    every = answered_logs()
    matcher = train_matching([*lessons([log for log in every if log.file != apart])], MatchingCourse())
    save_matching(matcher, out)
    pack(out)
    print(first_of(matcher, [*lessons([log for log in every if log.file == apart])], apart))
    print(out)


def first_of(matcher: EntryMatcher, asked: Sequence[Lesson], name: str) -> str:
    """How often a line that tells it comes first, and is among the first 20."""
    ranks = [np.argsort(-matcher.match(one.log, one.question), kind="stable").tolist() for one in asked if one.telling]
    telling = [{*one.telling} for one in asked if one.telling]
    first = sum(rank[0] in tells for rank, tells in zip(ranks, telling, strict=True))
    among = sum(len(tells.intersection(rank[:20])) for rank, tells in zip(ranks, telling, strict=True))
    every = sum(map(len, telling))
    return f"{name}: the first line tells it for {first / len(ranks):.1%}; of all that do {among / every:.1%} are among 20"


def of_candidates(folders: Sequence[Path], parts: int, out: Path) -> None:
    """Train both, or say how good they are about logs that they did not learn from."""
    asked = [*all_asked(LOGS)]
    print(f"{len(asked):,} questions about {len({one.log for one in asked})} logs", flush=True)
    some = [example(one, chances, OF_CANDIDATES) for one, chances in with_chances(asked, OF_ENTRIES, PARTS)]
    entries = train_entries(asked, OF_ENTRIES)
    developed = [one for folder in folders for one in read_own(folder)]
    some += OWN * [example(one, chances_of(entries, one.readings.x), OF_CANDIDATES) for one in developed]
    reached = sum(one.weight == 1.0 for one in some if one.answerable) / max(1, sum(one.answerable for one in some))
    print(f"{reached:.1%} of the answers are within reach", flush=True)
    if parts:
        counts = sum(
            (np.array(score(found, apart, LEAST)) for found, apart in across_logs(some, OF_CANDIDATES, parts)), np.zeros(3)
        )
    else:
        found = train_candidates(some, OF_CANDIDATES)
        save(entries, out / RELEVANCE.name)
        pack(out / RELEVANCE.name, exact=EXACT)
        save(found, out / SCORER.name)
        pack(out / SCORER.name, exact=EXACT)
        counts = np.array(score(found, some, LEAST))
        print(out)
    shares = [f"{name} {count / len(some):.1%}" for name, count in zip(HOW, counts.tolist(), strict=True)]
    print(f"{', '.join(shares)}, where an answer must have {LEAST:.0%} of the probability")


if __name__ == "__main__":
    main()

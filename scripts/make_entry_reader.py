"""Train the small reader that sees one entry of a log and a question, and put it into the package.

    python scripts/make_entry_reader.py runs/entries [--steps 800] [--processes 2]

begins with the first layers and the hops of the package's reader of ordinary English, or with ``--more`` the reader of entries
that the package's rules use, or with ``--again`` the package's reader of ``--for``. It learns from lines of the books of
``tasks/world/lexicon/events`` and of the logs of ``tasks/world/lexicon/answered``, with questions that a line tells or does
not tell. A checkpoint and a line of ``log.txt`` are written now and then, with what is right of the files of ``--apart``, which
it does not learn from; the same command goes on.

    python scripts/make_entry_reader.py runs/entries --publish

writes the average of the weights into ``memnet/memory/entrywise/ranked/network``, or with ``--for rules`` into
``memnet/memory/entrywise/network``; with ``--judge`` it is said how much that reader has right of the files of ``--apart``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random

import numpy as np
import torch

from memnet.ask.english import FOLDER as ENGLISH
from memnet.ask.hub import BUNDLED
from memnet.measure.core_hours import core_hours
from memnet.measure.reader_making import Making, add_options, run
from memnet.memory.entrywise.ranked.relevance import NETWORK
from memnet.memory.entrywise.reader import FOLDER
from memnet.reading.collate import collate
from memnet.reading.examples import WORDS_A_BATCH, Targets, example
from memnet.reading.kinds import ANSWERS, SPANS, WIDEST
from memnet.reading.network import Reader
from memnet.reading.training import ReaderTraining, Settings
from memnet.reading.widening import grown, opened, shortened
from memnet.reading.words import Words
from memnet.tasks.world.answered_logs import answered_logs, draw_line
from memnet.tasks.world.event_books import books, draw_entry
from memnet.tasks.world.texts import Story

EVERY = 100  # steps of usual batches between two checkpoints
JUDGED, TOGETHER = 300, 100  # lines of the books apart, so many at once
UNTOLD = ANSWERS.index("untold")
FOLDERS = {"ranking": NETWORK, "rules": FOLDER}


def stories_of(name: str, random: Random) -> Iterator[Story]:
    """Lines of the books or the logs of a file."""
    in_books, in_logs = (tuple(one for one in every if one.file == name) for every in (books(), answered_logs()))
    for _ in range(JUDGED):
        yield draw_entry(random, in_books) if in_books else draw_line(random, in_logs)


@torch.no_grad()
def judged(reader: Reader, name: str) -> str:
    """What is right of lines of a file: classes, untold ones answered, told ones refused, spans."""
    drawn = [one for one in (example(story, Words.load()) for story in stories_of(name, Random("apart"))) if one is not None]
    counts = dict.fromkeys(("asked", "right", "untold", "answered", "refused", "spans", "found"), 0)
    for first in range(0, len(drawn), TOGETHER):
        part = drawn[first : first + TOGETHER]
        batch = collate([one.encoded for one in part], np.random.default_rng(0), reader.config.marker_dim)
        target, output = Targets(part, batch.after.shape[1], batch.story.shape[1]), reader(batch)
        asked, said = target.answer >= 0, output.answer.argmax(-1)
        untold, spans = asked & (target.answer == UNTOLD), asked & (target.answer < len(SPANS))
        place = target.first[:, :, 0, 0] * WIDEST + target.last[:, :, 0, 0] - target.first[:, :, 0, 0]
        for key, which in (
            ("asked", asked),
            ("right", asked & (said == target.answer)),
            ("untold", untold),
            ("answered", untold & (said != UNTOLD)),
            ("refused", asked & ~untold & (said == UNTOLD)),
            ("spans", spans),
            ("found", spans & (output.spans.flatten(2).argmax(-1) == place)),
        ):
            counts[key] += int(which.sum())
    told = counts["asked"] - counts["untold"]
    return (
        f"of {counts['asked']} questions of {name}: classes {counts['right'] / counts['asked']:.1%} right; "
        f"{counts['answered'] / counts['untold']:.1%} of the untold answered, "
        f"{counts['refused'] / told:.1%} of the told refused; spans {counts['found'] / counts['spans']:.1%} right"
    )


def all_judged(reader: Reader, names: str) -> str:
    """The same of several files, whose names have commas between them."""
    return "; ".join(judged(reader, name) for name in names.split(","))


def begun(given: argparse.Namespace) -> ReaderTraining:
    """The training at its beginning."""
    torch.manual_seed(given.seed)
    settings = Settings(
        seed=given.seed,
        steps=given.steps,
        muon=given.muon,
        lr=given.lr,
        words=given.words,
        dropout=given.dropout,
        reason=0.0,  # why a line does not tell it is not asked
        apart=given.apart,
        entries=1.0,
        minutes=given.minutes,
        half=given.half,
    )
    if given.more or given.again:
        now = opened(FOLDERS[given.use] if given.again else FOLDER)
        begin = grown(now, max(now.config.layers, given.layers))
    else:
        begin = shortened(opened(BUNDLED / ENGLISH), given.layers)
    return ReaderTraining(begin, Words.load(), settings)


def every(given: argparse.Namespace) -> int:
    """Steps between two checkpoints."""
    return max(1, EVERY * WORDS_A_BATCH // given.words)


@core_hours()
def main() -> None:
    """Read the arguments, and train or publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, steps=800, lr=0.0006, apart="airfield_garage_support,signals_orchestra_salmon")
    parser.add_argument("--muon", type=float, default=0.006, help="the learning rate of matrices; 0: AdamW learns them, too")
    parser.add_argument("--for", dest="use", choices=[*FOLDERS], default="ranking", help="what uses the reader")
    begin = parser.add_mutually_exclusive_group()
    more = "begin with the reader of entries that rules use, with --layers at least"
    begin.add_argument("--more", action="store_true", help=more)
    again = "begin with the package's reader of --for, with --layers at least"
    begin.add_argument("--again", action="store_true", help=again)
    parser.add_argument("--judge", action="store_true", help="print what is right of --apart by the package's reader, no more")
    given = parser.parse_args()
    known = {one.file for every_one in (books(), answered_logs()) for one in every_one}
    if unknown := set(given.apart.split(",")) - known:
        parser.error(f"--apart {min(unknown)}: expected some of {', '.join(sorted(known))}, with commas between them")
    if given.judge:
        print(all_judged(opened(FOLDERS[given.use]).eval(), given.apart))
        return
    run(Making(FOLDERS[given.use], begun, all_judged, every), parser, given)


if __name__ == "__main__":
    main()

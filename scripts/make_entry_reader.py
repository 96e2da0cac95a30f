"""Train the small reader that sees one entry of a log and a question, and put it into the package.

    python scripts/make_entry_reader.py runs/entries [--steps 800] [--processes 2]

begins with the first layers and the hops of the package's reader of ordinary English, or with ``--more`` the package's reader
of entries, and learns from lines of the books of
``tasks/world/lexicon/events``, with questions that a line tells or does not tell. A checkpoint and a line of ``log.txt`` are
written now and then, with what is right of the books of ``--apart``, which it does not learn from; the same command goes on.

    python scripts/make_entry_reader.py runs/entries --publish

writes the average of the weights into ``memnet/memory/entrywise/network``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import torch

from memnet.ask.english import FOLDER as ENGLISH
from memnet.ask.hub import BUNDLED
from memnet.errors import ConfigError, NetworkError
from memnet.files import write_json
from memnet.measure.core_hours import core_hours
from memnet.memory.entrywise.reader import FOLDER
from memnet.reading.answers import TrainedReader
from memnet.reading.collate import collate
from memnet.reading.examples import WORDS_A_BATCH, Targets, example
from memnet.reading.kinds import ANSWERS, SPANS, WIDEST
from memnet.reading.network import Reader
from memnet.reading.training import FILE, ReaderTraining, Settings
from memnet.reading.widening import grown, opened, shortened
from memnet.reading.words import Words
from memnet.tasks.world.event_books import books, draw_entry

LAYERS = 4  # two that understand and two hops
EVERY = 100  # steps of usual batches between two checkpoints
JUDGED, TOGETHER = 300, 100  # lines of the books apart, so many at once
UNTOLD, SETTINGS = ANSWERS.index("untold"), "settings.json"


@torch.no_grad()
def judged(reader: Reader, name: str) -> str:
    """What is right of lines of the books of a file: classes, untold ones answered, told ones refused, spans."""
    apart, random = tuple(one for one in books() if one.file == name), Random("apart")
    drawn = [one for one in (example(draw_entry(random, apart), Words.load()) for _ in range(JUDGED)) if one is not None]
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


def train(process: int, given: argparse.Namespace, meet: str) -> None:
    """Learn in one of several processes, which agree after each step."""
    torch.set_num_threads(1)
    if meet:
        torch.distributed.init_process_group("gloo", init_method=meet, rank=process, world_size=given.processes)
    training = begun(given)
    training.resume(given.folder)

    def log(line: str) -> None:
        line = f"{datetime.now():%Y-%m-%d %H:%M}  {line}; {judged(training.average, given.apart)}"
        print(line, flush=True)
        with (given.folder / "log.txt").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    given.folder.mkdir(parents=True, exist_ok=True)
    if process == 0:
        write_json(given.folder / SETTINGS, asdict(training.settings))
    training.run(given.folder, log, every=max(1, EVERY * WORDS_A_BATCH // given.words))
    if meet:
        torch.distributed.destroy_process_group()


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
    now = opened(FOLDER)
    begin = (
        grown(now, max(now.config.layers, given.layers)) if given.more else shortened(opened(BUNDLED / ENGLISH), given.layers)
    )
    return ReaderTraining(begin, Words.load(), settings)


def publish(given: argparse.Namespace) -> None:
    """Write what the package needs."""
    training = begun(given)
    if not training.resume(given.folder):
        raise ConfigError(f"{given.folder} has no {FILE}: train first")
    learned = json.loads((given.folder / SETTINGS).read_text(encoding="utf-8"))
    facts = {"training": {**learned, "done": training.steps}, "apart": judged(training.average, learned["apart"])}
    TrainedReader(training.average.in_numpy(), training.words, facts).save(FOLDER)
    print(FOLDER, facts["apart"])


@core_hours()
def main() -> None:
    """Read the arguments, and train or publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=800, help="steps, over which the learning rate falls")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--muon", type=float, default=0.006, help="the learning rate of matrices; 0: AdamW learns them, too")
    parser.add_argument("--lr", type=float, default=0.0006, help="AdamW's learning rate")
    parser.add_argument("--words", type=int, default=WORDS_A_BATCH, help="words of a batch")
    parser.add_argument("--half", action="store_true", help="forward and backward in bfloat16, where the processor has it")
    parser.add_argument("--minutes", type=float, default=0.0, help="so long at most; the learning rate falls over them")
    parser.add_argument(
        "--layers",
        type=int,
        choices=range(3, 10),
        default=LAYERS,
        help="layers to begin with, the hops among them; with --more as many at least",
    )
    parser.add_argument("--more", action="store_true", help="begin with the reader of entries in the package")
    parser.add_argument("--processes", type=int, default=1, help="processes that learn together, a batch each")
    parser.add_argument("--apart", default="airfield_garage_support", help="a file of books that it does not learn from")
    parser.add_argument("--publish", action="store_true")
    given = parser.parse_args()
    try:
        if given.apart not in {one.file for one in books()}:
            parser.error(f"--apart {given.apart}: expected one of {', '.join(sorted({one.file for one in books()}))}")
        if given.publish:
            publish(given)
        elif given.processes == 1:
            train(0, given, "")
        else:
            with tempfile.TemporaryDirectory() as folder:
                run = partial(train, given=given, meet=f"file://{folder}/met")
                torch.multiprocessing.spawn(run, (), given.processes)
    except (ConfigError, NetworkError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()

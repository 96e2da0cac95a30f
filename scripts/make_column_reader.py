"""Train the small reader that says which column of a table a question asks for, and put it into the package.

    python scripts/make_column_reader.py runs/columns [--minutes 30] [--processes 2]

begins with the first layers and the hops of the package's reader of ordinary English, and learns from how people ask for the
columns of ``tasks/spreadsheets/columns``. A checkpoint and a line of ``log.txt`` are written now and then, with what is right
of the columns of ``--apart``, which it does not learn from; the same command goes on.

    python scripts/make_column_reader.py runs/columns --publish

writes the average of the weights into ``memnet/memory/tables/ranked/network``.
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
from memnet.measure.column_questions import Tables, draw_questions, read_asked, tables_of
from memnet.measure.core_hours import core_hours
from memnet.memory.tables.ranked.column_reader import FOLDER
from memnet.reading.answers import UNTOLD, TrainedReader
from memnet.reading.collate import collate
from memnet.reading.examples import GROUP, WORDS_A_BATCH, Example, Targets, example, parted
from memnet.reading.network import Reader
from memnet.reading.training import Batches, ReaderTraining, Settings
from memnet.reading.widening import opened, shortened
from memnet.reading.words import Words

COLUMNS = Path(__file__).parent.parent / "tasks" / "spreadsheets" / "columns"
EVERY = 200  # steps between two checkpoints
JUDGED, TOGETHER = 400, 50  # tables of the file apart, so many at once
HIDDEN = 0.03  # of words, of which training shows only that they are equal
SETTINGS = "settings.json"


class ColumnBatches(Batches):
    """Batches of questions that ask for columns; several are drawn together, of examples of about one length."""

    drawn: tuple[int, list[list[Example]]] = (-1, [])

    def examples(self, number: int) -> list[Example]:
        """The examples of a batch."""
        group = number // GROUP
        if self.drawn[0] != group:
            random, tables = Random(f"{self.seed} {group}"), tables_of(COLUMNS, self.settings.apart)

            def one() -> Example | None:
                return example(draw_questions(random, tables), self.words, random, HIDDEN)

            self.drawn = group, parted(one, self.settings.words, random)
        return self.drawn[1][number % GROUP]


@torch.no_grad()
def judged(reader: Reader, name: str) -> str:
    """What is right of questions about the columns of a file: columns, none where there is none."""
    random, words = Random("apart"), Words.load()
    tables = Tables(read_asked(COLUMNS / f"{name}.jsonl"))
    drawn = [one for one in (example(draw_questions(random, tables), words) for _ in range(JUDGED)) if one is not None]
    asked = right = told = untold = refused = lost = 0
    for first in range(0, len(drawn), TOGETHER):
        part = drawn[first : first + TOGETHER]
        batch = collate([one.encoded for one in part], np.random.default_rng(0), reader.config.marker_dim)
        target, output = Targets(part, batch.after.shape[1], batch.story.shape[1]), reader(batch)
        there, said = target.answer >= 0, output.answer.argmax(-1)
        is_untold = there & (target.answer == UNTOLD)
        best = torch.stack(
            [
                output.evidence.exp().masked_fill((batch.statement != at).unsqueeze(1), 0.0).sum(-1)
                for at in range(int(batch.statement.max()) + 1)
            ],
            -1,
        ).argmax(-1)
        found = target.evidence.gather(2, (batch.statement.unsqueeze(1) == best.unsqueeze(-1)).int().argmax(-1, keepdim=True))
        asked += int(there.sum())
        told += int((there & ~is_untold).sum())
        untold += int(is_untold.sum())
        right += int((there & ~is_untold & found.squeeze(-1)).sum())
        refused += int((is_untold & (said == UNTOLD)).sum())
        lost += int((there & ~is_untold & (said == UNTOLD)).sum())
    return (
        f"of {asked} questions of {name}: columns {right / max(1, told):.1%} right, {lost / max(1, told):.1%} of them refused; "
        f"{refused / max(1, untold):.1%} refused where no column is asked for"
    )


def all_judged(reader: Reader, names: str) -> str:
    """The same of several files, whose names have commas between them."""
    return "; ".join(judged(reader, name) for name in names.split(","))


def train(process: int, given: argparse.Namespace, meet: str) -> None:
    """Learn in one of several processes, which agree after each step."""
    torch.set_num_threads(1)
    if meet:
        torch.distributed.init_process_group("gloo", init_method=meet, rank=process, world_size=given.processes)
    training = begun(given)
    training.resume(given.folder)

    def log(line: str) -> None:
        line = f"{datetime.now():%Y-%m-%d %H:%M}  {line}; {all_judged(training.average, given.apart)}"
        print(line, flush=True)
        with (given.folder / "log.txt").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    given.folder.mkdir(parents=True, exist_ok=True)
    if process == 0:
        write_json(given.folder / SETTINGS, asdict(training.settings))
    training.run(given.folder, log, every=EVERY)
    if meet:
        torch.distributed.destroy_process_group()


def begun(given: argparse.Namespace) -> ReaderTraining:
    """The training at its beginning."""
    torch.manual_seed(given.seed)
    settings = Settings(
        seed=given.seed,
        steps=given.steps,
        minutes=given.minutes,
        muon=0.0,
        lr=given.lr,
        words=given.words,
        half=given.half,
        dropout=given.dropout,
        reason=0.0,
        evidence=1.0,
        apart=given.apart,
    )
    return ReaderTraining(shortened(opened(BUNDLED / ENGLISH), given.layers), Words.load(), settings, ColumnBatches)


def publish(given: argparse.Namespace) -> None:
    """Write what the package needs."""
    training = begun(given)
    if not training.resume(given.folder):
        raise ConfigError(f"{given.folder} has no checkpoint: train first")
    learned = json.loads((given.folder / SETTINGS).read_text(encoding="utf-8"))
    facts = {"training": {**learned, "done": training.steps}, "apart": all_judged(training.average, learned["apart"])}
    TrainedReader(training.average.in_numpy(), training.words, facts).save(FOLDER)
    print(FOLDER, facts["apart"])


@core_hours()
def main() -> None:
    """Read the arguments, and train or publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=6000, help="steps, over which the learning rate falls")
    parser.add_argument("--minutes", type=float, default=0.0, help="so long at most; the learning rate falls over them")
    parser.add_argument("--half", action="store_true", help="forward and backward in bfloat16, where the processor has it")
    parser.add_argument("--layers", type=int, choices=range(3, 10), default=4, help="layers to begin with, the hops among them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--lr", type=float, default=0.0007)
    parser.add_argument("--words", type=int, default=WORDS_A_BATCH, help="words of a batch")
    parser.add_argument("--processes", type=int, default=1, help="processes that learn together, a batch each")
    parser.add_argument("--apart", default="workshops,pumps_rescue", help="files that it does not learn from")
    parser.add_argument("--publish", action="store_true")
    given = parser.parse_args()
    try:
        if missing := [name for name in given.apart.split(",") if not (COLUMNS / f"{name}.jsonl").exists()]:
            parser.error(f"--apart {missing[0]}: {COLUMNS} has no such file")
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

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
from pathlib import Path
from random import Random

import numpy as np
import torch

from memnet.ask.english import FOLDER as ENGLISH
from memnet.ask.hub import BUNDLED
from memnet.measure.column_questions import Tables, draw_questions, read_asked, tables_of
from memnet.measure.core_hours import core_hours
from memnet.measure.reader_making import Making, add_options, run
from memnet.memory.tables.ranked.column_reader import FOLDER
from memnet.reading.answers import UNTOLD
from memnet.reading.collate import collate
from memnet.reading.examples import GROUP, Example, Targets, example, parted
from memnet.reading.network import Reader
from memnet.reading.training import Batches, ReaderTraining, Settings
from memnet.reading.widening import opened, shortened
from memnet.reading.words import Words

COLUMNS = Path(__file__).parent.parent / "tasks" / "spreadsheets" / "columns"
EVERY = 200  # steps between two checkpoints
JUDGED, TOGETHER = 400, 50  # tables of the file apart, so many at once
HIDDEN = 0.03  # of words, of which training shows only that they are equal


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


def every(given: argparse.Namespace) -> int:
    """Steps between two checkpoints."""
    return EVERY


@core_hours()
def main() -> None:
    """Read the arguments, and train or publish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, steps=6000, lr=0.0007, apart="workshops,pumps_rescue")
    given = parser.parse_args()
    if missing := [name for name in given.apart.split(",") if not (COLUMNS / f"{name}.jsonl").exists()]:
        parser.error(f"--apart {missing[0]}: {COLUMNS} has no such file")
    run(Making(FOLDER, begun, all_judged, every), parser, given)


if __name__ == "__main__":
    main()

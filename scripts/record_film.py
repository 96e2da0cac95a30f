"""Record a small training for the playground's film: what a MemN2N reads of one story, epoch by epoch, as it learns task 1.

    python scripts/record_film.py

It writes what the page of ``memnet train --watch`` is told to docs/play/film/epochs; the film is that page.
"""

from __future__ import annotations

import dataclasses
import json
import tempfile
from pathlib import Path

from memnet.files import write_atomically
from memnet.papers import PRESETS
from memnet.serve.watch import Watched
from memnet.tasks.families import find
from memnet.training.held_out import before, held_out
from memnet.training.run import make_run
from memnet.training.spec import specify

PLACE = Path(__file__).resolve().parent.parent / "docs" / "play" / "film" / "epochs"
TASK, PRESET, EPOCHS = "sim/qa1@1", "pe", 40  # no linear start: what it reads are shares from the beginning
STATEMENTS = 8  # of the story that is watched


def recorded() -> dict[str, object]:
    """What the page is told of the training when it has ended."""
    config = dataclasses.replace(PRESETS[PRESET], epochs=EPOCHS)
    [task] = find([TASK])
    spec, watched = specify([task], PRESET, config, 0, 1), Watched()
    watched.begin(spec, [task])
    story, question = next(one for one in held_out(task) if one[1].after == STATEMENTS)
    watched.statements, watched.question = before(story, question), question.text.strip()
    watched.about |= {"story": watched.statements, "question": watched.question, "expected": question.answer}
    with tempfile.TemporaryDirectory() as folder:
        make_run(spec, [task], Path(folder) / "run", watch=watched)
    watched.ended = True
    return {**watched.since(0, 0), "recorded": True}


if __name__ == "__main__":
    write_atomically(PLACE, json.dumps(recorded(), separators=(",", ":")))

"""Make the networks that come with the package: `memnet ask` takes the first, `memnet ask NAME` any of them.

    python scripts/make_network.py [NAME ...] [--runs FOLDER] [--device cuda]

trains each in a folder of FOLDER, by default runs/networks, and puts weights, configuration and card into
``memnet/ask/networks/NAME``; of "reader", which answers from long memories, into ``memnet/ask/reader``. A training that was
interrupted goes on where it stopped. "memnet" takes hours on one core, "reader" a third as long; they are trained on simulated
stories alone and tested on the published text (MEMNET_DATA, or 'memnet data fetch').
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from memnet.ask.hub import NETWORKS
from memnet.ask.predictor import Predictor
from memnet.files import write_atomically
from memnet.measure.core_hours import core_hours
from memnet.measure.latency import STATEMENTS, answer_times
from memnet.memory.long_memory import READER
from memnet.models.checkpoint import CARD, CONFIG, MODEL
from memnet.packing import pack
from memnet.record.provenance import processor
from memnet.training.run import RUN

TRAIN_ON_SIMULATED, TRAIN_ON_PUBLISHED = "train transfer/all --joint", "train babi/all --joint"
LICENSE = "License: MIT, as memnet. The published bAbI text (Weston et al. 2015) is under CC BY 3.0."
EXACT = ("memn2n",)  # whose numbers lessons show
ROUNDED = "\nThe errors above are of its weights before they were rounded to 8 bits."
OPEN = f"{TRAIN_ON_SIMULATED} --preset open-joint"
TRAINED_BY = {  # each training starts from the network of the one before
    "memnet": (OPEN, f"{OPEN} --set epochs=60 --set lr=0.001", f"{OPEN} --set epochs=108 --set lr=0.002"),
    "reader": (f"{OPEN} --set background=12 --set epochs=50 --set lr=0.001 --start-from memnet",),
    "memn2n": (
        f"{TRAIN_ON_PUBLISHED} --preset pe-ls-rn-joint --restarts 5 "
        "--set restore_best=true --set selection=validation --set unanswerable=0.3",
    ),
    "dmn-plus": (f"{TRAIN_ON_SIMULATED} --preset dmn-plus-facts --restarts 1 --set epochs=40",),
    "memnn": (f"{TRAIN_ON_SIMULATED} --preset memnn-am-nl --restarts 1 --set epochs=8",),
}


@core_hours()
def make(name: str, runs: Path, device: str) -> None:
    """Train a network, or go on with its training, and keep what a network is."""
    run, out = runs / name, {READER.name: READER}.get(name, NETWORKS / name)
    earlier = [runs / f"{name}-{number}" for number, _ in enumerate(TRAINED_BY[name][1:], 1)]
    start: list[str] = []
    for arguments, folder in zip(TRAINED_BY[name], [*earlier, run], strict=True):
        resume = ["--resume"] if (folder / RUN).exists() else []
        command = [*arguments.split(), *start, "--out", str(folder), "--device", device, *resume]
        subprocess.run([sys.executable, "-m", "memnet", *command], check=True)
        start = ["--start-from", str(folder)]
    out.mkdir(parents=True, exist_ok=True)
    for part in (MODEL, CONFIG):
        shutil.copyfile(run / part, out / part)
    if name not in EXACT:
        pack(out / MODEL)
    card = (run / CARD).read_text(encoding="utf-8").replace("library_name:", "license: mit\nlibrary_name:", 1)
    write_atomically(out / CARD, f"{card}\n{size_and_speed(out)}{'' if name in EXACT else ROUNDED}\n\n{LICENSE}\n")
    print(out)


def size_and_speed(folder: Path) -> str:
    """A network's file and the time of its answers, in a sentence for its card."""
    predictor, size = Predictor.load(folder), (folder / MODEL).stat().st_size
    wait = answer_times(predictor)
    return (
        f"Size: {size / 1000:,.0f} KB. Speed: a story of {STATEMENTS} statements and a question about it {wait.story:.1f} ms, "
        f"another question {wait.question:.1f} ms (medians, one core, {processor()})."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TRAINED_BY))
    parser.add_argument("--runs", type=Path, default=Path("runs/networks"))
    parser.add_argument("--device", default="auto")
    given = parser.parse_args()
    if unknown := set(given.names) - TRAINED_BY.keys():
        parser.error(f"no network is called {', '.join(sorted(unknown))}; there are {', '.join(TRAINED_BY)}")
    for one in given.names or TRAINED_BY:
        make(one, given.runs, given.device)

"""Train the networks that read facts out of single sentences, and put them into the package.

    python scripts/make_facts.py reader --background FOLDER [--out FOLDER] [--steps 10000]
    python scripts/make_facts.py gate --background FOLDER [--out FOLDER]
    python scripts/make_facts.py forms

"reader" draws sentences of the world (``memnet.tasks.world``) with their facts, lines of logs, ways to say one thing, entries
of log books, and sentences of the books of a folder, which say nothing of whereabouts; an hour on one core. "gate" learns in
minutes which sentences of a long text to read at all. "forms" collects the forms of the mixes of Dyna-bAbI, whose stories are
answered from their facts.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path

import torch

from memnet.ask.english import FOLDER, MIXES
from memnet.ask.hub import BUNDLED
from memnet.encode.vocabulary import OpenVocabulary
from memnet.facts.gate import GATE, GateCourse, train_gate
from memnet.facts.growing import grown
from memnet.facts.network import FactNetwork
from memnet.facts.numbers import FactConfig
from memnet.facts.reader import READER, FactReader
from memnet.facts.training import COURSES, Batches, Course, train
from memnet.files import write_atomically, write_json
from memnet.measure.core_hours import core_hours
from memnet.models.checkpoint import CARD, MODEL, load_network
from memnet.packing import SEVEN_BITS, pack
from memnet.reading.words import Words
from memnet.tasks.families import find
from memnet.tasks.text.background import Background
from memnet.training.drawn_forms import drawn_forms

ANY_NUMBER = 1_000_000  # of names: facts are read sentence by sentence

HEAD = """---
library_name: memnet
license: mit
---

"""
READER_CARD = """# The reader of facts

Reads what a single sentence says of where people and things are, who has what and what is wrong with it, and what a question
asks of that: up to two facts, each a kind and the words that play its roles. {size:,} parameters in 6 bits, beside the word
vectors of memnet/reading/words.npz (GloVe, public domain).

Trained in {steps:,} steps of {batch} sentences: of stories that memnet.tasks.world draws, of logs (the half of
memnet.tasks.movements to learn from), of ways to say one thing and entries of log books that a language model wrote
(tasks/world/lexicon/ways and entries), and of {books:,} sentences of novels, which say nothing of whereabouts.
`python scripts/make_facts.py reader` makes it.

It reads English, sentences of up to 40 words, each for itself. It knows whereabouts and the condition of things alone. It
should decide nothing about people.
"""
SIX_BITS = 31  # levels either way
GATE_CARD = """# A gate before the reader of facts

Lets {passes:.0%} of the sentences of novels pass that it did not learn from, and what says where somebody or something is.
Trained in {steps:,} steps on {statements:,} such sentences and {books:,} of novels. `python scripts/make_facts.py gate` makes
it.
"""


def say(step: int, loss: float) -> None:
    """A line of the log."""
    print(f"{step:>6}  {loss:.4f}", flush=True)


def make_reader(books: list[str], out: Path, steps: int | None) -> None:
    """Train the reader."""
    courses = COURSES if steps is None else (Course(steps=steps),)
    network = FactNetwork(FactConfig(), Words.load().vectors)
    for course in courses:
        if course.layers or course.hidden:
            torch.manual_seed(course.seed)
            network = grown(network, course.layers or network.config.layers, course.hidden or network.config.hidden)
        network = train(network, course, Batches(course, books), say)
    FactReader(network.in_numpy(), {"training": [asdict(course) for course in courses]}).save(out, SIX_BITS)
    size, taken = sum(weight.numel() for weight in network.parameters()), sum(course.steps for course in courses)
    card = READER_CARD.format(size=size, steps=taken, batch=courses[0].batch, books=len(books))
    write_atomically(out / CARD, HEAD + card)


def make_gate(books: list[str], out: Path, steps: int | None) -> None:
    """Train the gate."""
    course = GateCourse() if steps is None else GateCourse(steps=steps)
    card = HEAD + GATE_CARD.format(books=len(books), **asdict(course))
    train_gate(books, course, say).save(out, card, {"steps": course.steps, "seed": course.seed})
    pack(out / MODEL, SEVEN_BITS)


def make_forms() -> None:
    """Collect the forms of the mixes as the package's network sees names."""
    net, vocabulary, _ = load_network(BUNDLED)
    assert isinstance(vocabulary, OpenVocabulary)
    forms = drawn_forms(find(["dyna/T7", "dyna/T12"]), vocabulary, net.config)
    write_json(BUNDLED / FOLDER / MIXES, asdict(replace(forms, most_names=ANY_NUMBER)))


@core_hours()
def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("reader", "gate", "forms"))
    parser.add_argument("--background", type=Path, help="a folder of books, none of them to be tested with")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--steps", type=int)
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.part == "forms":
        make_forms()
        return
    if given.background is None:
        parser.error("--background: a folder of books is wanted")
    books = Background.read(given.background, shortest=0).sentences
    make, folder = {"reader": (make_reader, READER), "gate": (make_gate, GATE)}[given.part]
    make(books, given.out or folder, given.steps)
    print(given.out or folder)


if __name__ == "__main__":
    main()

"""Make the reader of relations of the package.

    python scripts/make_relations.py --background FOLDER [--out FOLDER] [--hold-out]

trains it in some minutes on one core, from relations with made-up names; the lines of books in the folder are no facts. First
a quarter of MQuAKE's relations are left out; with ``--hold-out`` that is all, to see what it makes of relations that it never
met. Then it learns all of them.

    python scripts/make_relations.py --measure [--out FOLDER] [--facts 18332]

asks a reader about worlds of facts that were drawn with seeds of their own, and prints how often it is right.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random
from statistics import median, quantiles

import torch
from tqdm import tqdm

from memnet.measure.core_hours import core_hours
from memnet.memory.relations.lessons import HELD_OUT, MQUAKE, Invented, Lessons, Relation, held_out, phrases, words_of
from memnet.memory.relations.names import Names
from memnet.memory.relations.network import RelationNetwork
from memnet.memory.relations.reader import FOLDER, RelationReader
from memnet.memory.relations.saved import MODEL, relations_card, save
from memnet.memory.relations.sizes import HOPS
from memnet.memory.relations.training import Lesson, Teacher, new_network, train
from memnet.memory.relations.worlds import Question, World, scored
from memnet.packing import SEVEN_BITS, pack
from memnet.reading.words import Words
from memnet.tasks.text.background import Background

SEED = 90_000  # of what is measured; trainings begin at 0
LINES = 20_000
MORE_STEPS = 1100


@core_hours()
def learn(net: RelationNetwork, lines: list[str], lesson: Lesson, out: list[Relation]) -> None:
    """Have a network learn all relations but those left ``out``, and a bar meanwhile."""
    words, every = Words.load(), phrases()
    kept = [one for one in every if one not in out]
    lessons = Lessons(kept, Invented(words, words_of(out) - words_of(kept)), Names(words))
    with tqdm(total=lesson.steps, unit="step") as bar:

        def show(step: int, loss: float) -> None:
            """Move the bar."""
            bar.update(step - bar.n)
            bar.set_postfix(loss=f"{loss:.3f}")

        train(net, Teacher(lessons, lines, lesson), show)


def line(name: str, reader: RelationReader, world: World, questions: list[Question]) -> str:
    """A row of a table."""
    score = scored(reader, world, questions)
    slowest = quantiles(score.milliseconds, n=20)[-1]
    share, typical = 100 * score.right / score.asked, median(score.milliseconds)
    return f"| {name} | {score.asked} | {share:.1f} | {typical:.1f} | {slowest:.1f} |"


def measured(reader: RelationReader, facts: int, number: int) -> list[str]:
    """How often it is right: by hops, with the relations of :func:`held_out` and without."""
    relations = [one for one in phrases() if one.name.startswith(MQUAKE)]
    out = {one.name for one in held_out(relations)}
    world = World.drawn(relations, Names(Words.load()), Random(SEED), facts)
    rows = ["| questions | asked | right, % | median, ms | 95th percentile, ms |", "| --- | ---: | ---: | ---: | ---: |"]
    for hops in range(1, HOPS + 1):
        questions = [world.asked(hops, Random(f"{SEED} {hops} {at}")) for at in range(number)]
        parted = [[one for one in questions if out.isdisjoint(one.relations) == seen] for seen in (True, False)]
        for part, what in zip(parted, ("", f", one of every {HELD_OUT}th relation among them"), strict=True):
            rows.append(line(f"{hops} hop{'s' * (hops > 1)}{what}", reader, world, part))
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--background", type=Path, help="a folder of books, none of them to be tested with")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--hold-out", action="store_true", help="leave out every fourth relation of MQuAKE")
    parser.add_argument("--measure", action="store_true", help="ask the reader that is in the folder")
    parser.add_argument("--facts", type=int, default=18_332, help="of the world that is asked about: 262k tokens")
    parser.add_argument("--questions", type=int, default=400, help="of each number of hops")
    parser.add_argument("--steps", type=int, default=Lesson.steps, help="without the relations that are left out")
    parser.add_argument("--more-steps", type=int, default=MORE_STEPS, help="with all of them")
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.measure:
        print("\n".join(measured(RelationReader.load(given.out), given.facts, given.questions)))
    elif given.background is None:
        parser.error("give a folder of books with --background, or --measure")
    else:
        books = Background.read(given.background, shortest=0).sentences
        lines = Random(0).sample(list(books), min(LINES, len(books)))
        net, out = new_network(), held_out(phrases())
        learn(net, lines, Lesson(steps=given.steps), out)
        if not given.hold_out:
            learn(net, lines, Lesson(steps=given.more_steps, seed=1), [])
        left_out = [one.name for one in out] if given.hold_out else []
        steps = given.steps + (0 if given.hold_out else given.more_steps)
        save(net, given.out, relations_card(steps, left_out), {"steps": steps, "left_out": left_out})
        pack(given.out / MODEL, SEVEN_BITS)
        print(given.out)

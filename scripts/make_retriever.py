"""Make the retriever of the package, which finds the statements of a story in a text of any length.

    python scripts/make_retriever.py --background FOLDER [--out FOLDER]

learns from simulated statements and from the books of a folder, in minutes on one core.

    python scripts/make_retriever.py --background FOLDER --lines [FILE]

writes down the sentences of the books that are most like statements, which the simulator scatters over stories: of each half
of the books those that score highest with a retriever of the other half, as those of a book score that it has not seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from tqdm import tqdm

import memnet.tasks.simulator
from memnet.encode.saved import MODEL
from memnet.files import write_atomically
from memnet.measure.core_hours import core_hours
from memnet.memory.long_memory import RETRIEVER
from memnet.models.retriever import Retriever, RetrieverConfig
from memnet.packing import SEVEN_BITS, pack
from memnet.tasks.text.background import Background
from memnet.training.retrieve import Lesson, most_like_statements, retriever_card, train_retriever

BOOK_LINES = Path(memnet.tasks.simulator.__file__).with_name("book_lines.txt")
LINES = 4000


@core_hours()
def trained(books: Sequence[str], lesson: Lesson) -> Retriever:
    """A retriever that learned from these sentences of books, and a bar meanwhile."""
    with tqdm(total=lesson.steps, unit="step") as bar:

        def show(step: int, loss: float) -> None:
            """Move the bar."""
            bar.update(step - bar.n)
            bar.set_postfix(loss=f"{loss:.5f}")

        return train_retriever(books, lesson, RetrieverConfig(), show)


def lines_like_statements(folder: Path, lesson: Lesson) -> list[str]:
    """Of each half of the books the sentences that score highest with a retriever of the other half, in alphabetical order."""
    every, long = Background.read(folder, shortest=0).books, Background.read(folder).books
    halves = [[one for book in every[half::2] for one in book] for half in (0, 1)]
    told = [[one for book in long[half::2] for one in book] for half in (1, 0)]
    found = [most_like_statements(trained(books, lesson), lines, LINES // 2) for books, lines in zip(halves, told, strict=True)]
    return sorted(dict.fromkeys(line for part in found for line in part))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--background", type=Path, required=True, help="a folder of books, none of them to be tested with")
    parser.add_argument("--out", type=Path, default=RETRIEVER)
    parser.add_argument("--lines", type=Path, nargs="?", const=BOOK_LINES, help="write these instead")
    parser.add_argument("--steps", type=int, default=Lesson.steps)
    given = parser.parse_args()
    torch.set_num_threads(1)
    lesson = Lesson(steps=given.steps)
    if given.lines:
        write_atomically(given.lines, "".join(f"{line}\n" for line in lines_like_statements(given.background, lesson)))
        print(given.lines)
    else:
        books = Background.read(given.background, shortest=0).sentences
        card = retriever_card(lesson, len(books))
        trained(books, lesson).save(given.out, card, {"steps": lesson.steps, "seed": lesson.seed})
        pack(given.out / MODEL, SEVEN_BITS)
        print(given.out)

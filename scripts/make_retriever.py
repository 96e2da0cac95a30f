"""Make the retriever of the package, which finds the statements of a story in a text of any length.

    python scripts/make_retriever.py --background FOLDER [--out FOLDER]

learns from simulated statements and from the books of a folder, in minutes on one core, and writes down the sentences of the
books that are most like statements, which the simulator scatters over stories.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from tqdm import tqdm

import memnet.tasks.simulator
from memnet.ask.long_memory import RETRIEVER
from memnet.files import write_atomically
from memnet.models.retriever import RetrieverConfig
from memnet.tasks.background import Background
from memnet.training.retrieve import Lesson, most_like_statements, retriever_card, train_retriever

BOOK_LINES = Path(memnet.tasks.simulator.__file__).with_name("book_lines.txt")
LINES = 2000

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--background", type=Path, required=True, help="a folder of books, none of them to be tested with")
    parser.add_argument("--out", type=Path, default=RETRIEVER)
    parser.add_argument(
        "--lines", type=Path, default=BOOK_LINES, help="the sentences of the books that are most like statements"
    )
    parser.add_argument("--steps", type=int, default=Lesson.steps)
    given = parser.parse_args()
    torch.set_num_threads(1)
    books, lesson = Background.read(given.background, shortest=0), Lesson(steps=given.steps)
    with tqdm(total=lesson.steps, unit="step") as bar:

        def show(step: int, loss: float) -> None:
            """Move the bar."""
            bar.update(step - bar.n)
            bar.set_postfix(loss=f"{loss:.5f}")

        retriever = train_retriever(books.sentences, lesson, RetrieverConfig(), show)
    retriever.save(given.out, retriever_card(lesson, len(books.sentences)), {"steps": lesson.steps, "seed": lesson.seed})
    write_atomically(given.lines, "".join(f"{line}\n" for line in most_like_statements(retriever, books.sentences, LINES)))
    print(given.out, given.lines)

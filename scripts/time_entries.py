"""Time how fast texts are taken apart into entries, and the splitters of sentences: ours, blingfire, pysbd if it is there.

    python scripts/time_entries.py --background FOLDER

prints the seconds of one core for 10 million tokens of the books of a folder, a line each; pysbd is given a part of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from memnet.memory.entries import Reading, entries
from memnet.memory.entries.sentences import sentences, splitter
from memnet.tasks.text.background import tokens

ASKED = 10_000_000  # tokens
PYSBD = 20_000  # characters; it needs seconds for them


def timed(name: str, size: float, work: Callable[[], int]) -> None:
    """Print what a work of so many tokens takes, for as many as are asked."""
    started = time.process_time()
    count = work()
    seconds = (time.process_time() - started) * ASKED / size
    print(f"{name}: {seconds:,.1f} s for {ASKED / 1e6:.0f}M tokens ({count:,} sentences of {size:,.0f} tokens)", flush=True)


def main() -> None:
    """Read the books, and time them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--background", type=Path, required=True, metavar="FOLDER", help="books as .txt files")
    paths = sorted(parser.parse_args().background.glob("*.txt"))
    texts = [" ".join(path.read_text(encoding="utf-8").split()) for path in paths]
    size, alone, some = sum(map(tokens, texts)), splitter(), texts[0][:PYSBD]
    timed("files to entries", size, lambda: sum(1 for path in paths for _ in entries(path, Reading())))
    timed("sentences", size, lambda: sum(len(sentences(text)) for text in texts))
    timed("blingfire alone", size, lambda: sum(alone(text).count("\n") + 1 for text in texts))
    try:
        from pysbd import Segmenter
    except ImportError:
        print("pysbd is not installed")
    else:
        timed("pysbd", tokens(some), lambda: len(Segmenter(language="en", clean=False).segment(some)))


if __name__ == "__main__":
    main()

"""Make the search of the package, and measure it.

    python scripts/make_search.py make [--questions 4000] [--out FOLDER]
    python scripts/make_search.py locomo --data FOLDER             each conversation by a search trained on the nine others
    python scripts/make_search.py locomo --data FOLDER --ablation  the same with more and more of what it sees
    python scripts/make_search.py stories                          stories that trained nothing, 200 sentences a memory
    python scripts/make_search.py speed                            milliseconds for 200 sentences on one core

The search that ships learns from stories of the package alone; LoCoMo's licence lets nobody ship what it trained. Each
conversation is asked of a search that was trained without it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import torch

from memnet.measure import locomo
from memnet.measure.core_hours import core_hours
from memnet.measure.search import lessons, plain, searched, stories, summary, trained_on_the_others
from memnet.memory.search import FOLDER, Searcher
from memnet.models.finder import FinderConfig
from memnet.training.search import SearchTraining, chosen, refusal_of, train
from memnet.training.search_examples import examples, memory

STEPS: dict[str, tuple[tuple[str, ...], int]] = {  # what is added: the groups of features, and hops
    "words: forms, rarity, question": (("words", "form", "question"), 1),
    "+ vectors": (("words", "form", "question", "vectors"), 1),
    "+ neighbours": (("words", "form", "question", "vectors", "neighbours"), 1),
    "+ speaker, date": (("words", "form", "question", "vectors", "neighbours", "speaker", "time"), 1),
    "+ second hop": (("words", "form", "question", "vectors", "neighbours", "speaker", "time"), 2),
}
CARD = """# A search over a memory's sentences

Ranks sentences for a question in ordinary English, and says the chance that none answers it: `memnet.memory.search`.

| | |
| --- | --- |
| made by | `python scripts/make_search.py make --questions {questions} --seed {seed}` |
| trained on | {questions} questions about stories of the package, told one among others: `memnet/training/search_examples.py` |
| numbers | {numbers:,} in two hops of `memnet.models.finder` |
| sees | what `memnet.reading.compared` compares: words, vectors, neighbours, speaker, date, form |
| refuses | from a chance of {refuses:.3f} that nothing answers, chosen on the same stories |
| measured | `python scripts/make_search.py stories` and `... locomo --data FOLDER`; see `docs/search.md` |

Nothing of LoCoMo, or of any other data set that may not be passed on, was used. English only. A sentence that shares no word,
no form of one and no word of near meaning with the question is found by its neighbours or by the second hop, or not at all.
"""


@core_hours()
def make(given: argparse.Namespace) -> None:
    """Train the search that ships."""
    asked = list(examples(Random(given.seed), given.questions))
    print(f"{len(asked)} questions", file=sys.stderr)
    net = train(asked, FinderConfig(), SearchTraining(), say=lambda line: print(line, file=sys.stderr))
    refuses = refusal_of(net, asked, chosen())
    numbers = sum(one.numel() for one in net.parameters())
    card = CARD.format(questions=given.questions, seed=given.seed, numbers=numbers, refuses=refuses)
    net.save(given.out, card, {"refuses_from": refuses, "questions": given.questions, "seed": given.seed})


def of_locomo(given: argparse.Namespace) -> None:
    """Tables of LoCoMo."""
    told = locomo.read(given.data)
    print("BM25:", summary([one for each in told for one in plain(each)]).line(), flush=True)
    if not given.ablation:
        shipped = Searcher.load()
        print("search that ships:", summary([one for each in told for one in searched(each, shipped)]).line(), flush=True)
    asked = [lessons(each) for each in told]
    for name, (groups, hops) in STEPS.items():
        if given.ablation or hops == 2:
            one_of: Callable[[str], bool] = set(groups).__contains__
            trained = trained_on_the_others(told, asked, FinderConfig(hops=hops), one_of)
            print(f"{name}:", summary([one for each, by in trained for one in searched(each, by)]).line(), flush=True)


def of_stories(given: argparse.Namespace) -> None:
    """How often all that answers is among the first ten."""
    found = stories(Searcher.load(), given.seed, given.memories)
    print(f"{found.questions} questions: all in the first ten {found.searched:.1f}, BM25 {found.bm25:.1f}")
    print(f"{found.several} that take several sentences: {found.several_searched:.1f}, BM25 {found.several_bm25:.1f}")
    print(f"refusal AUC {found.auc:.1f}")


def speed(given: argparse.Namespace) -> None:
    """Milliseconds of the processor for one question."""
    torch.set_num_threads(1)
    searcher, drawn, spent = Searcher.load(), memory(Random(given.seed), 200, "test"), list[float]()
    for text, _, _ in drawn.questions * 5:
        begin = time.process_time()
        searcher.rank(drawn.told[:200], text)
        spent.append(1000 * (time.process_time() - begin))
    many = len(drawn.told[:200])
    print(f"{many} sentences: {np.median(spent):.1f} ms a question, the median of {len(spent)}; the first {spent[0]:.1f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "locomo", "stories", "speed"))
    parser.add_argument("--data", type=Path, help="the folder that holds families/locomo, or LoCoMo's file; else MEMNET_DATA")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--questions", type=int, default=4000)
    parser.add_argument("--memories", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FOLDER)
    given = parser.parse_args()
    torch.set_num_threads(1)
    {"make": make, "locomo": of_locomo, "stories": of_stories, "speed": speed}[given.what](given)

"""Training of a retriever: simulated statements, whatever their names, against sentences of books and confusing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random as Draw
from typing import NamedTuple

import torch
import torch.nn.functional as F

from memnet.errors import TrainingError
from memnet.models.retriever import Retriever, RetrieverConfig
from memnet.nn.random import Random
from memnet.tasks.confusing import FOR_TRAINING, confusing_lines
from memnet.tasks.simulator import PUBLISHED, Dials, entity_words, simulate
from memnet.tasks.text import words

QUESTIONS = 1000  # of each task, as published and in everyday words, whose stories' statements are learned
DIALS = (Dials(), Dials(phrasing=0.5))
CONFUSING = 50_000  # lines that are told of somebody else, and as many with words around them
GRAMMAR = 200  # the most frequent words of books are no names
FRAGMENT = (1, 5)  # words
LOST = 5e-4  # share of statements that a retriever may lose: it keeps as few other sentences as that allows


@dataclass(frozen=True)
class Lesson:
    """How long a retriever is trained, and on what."""

    steps: int = 8000
    batch: int = 256  # statements a step, as many sentences of books, and a fourth as many confusing ones
    lr: float = 0.003
    known: int = 8000  # the most frequent words of the books, besides those of the statements, that it knows
    seed: int = 0


def statements(seed: int) -> list[str]:
    """The statements of simulated stories of all tasks, as often as they are told."""
    stories = (simulate(name, QUESTIONS, seed, dials) for name in PUBLISHED for dials in DIALS)
    return [one for told in stories for story in told for one in story.statements]


class Words(NamedTuple):
    """Words of statements and of books, the most frequent first."""

    of_statements: list[str]  # names apart
    frequent: list[str]  # of books, the most frequent of which make grammar
    fragments: list[str]  # a few words that follow each other in a book

    @classmethod
    def of(cls, draw: Draw, told: Sequence[str], books: Sequence[str]) -> Words:
        """Count them."""
        names, split = entity_words(), [words(sentence) for sentence in books]
        own = dict.fromkeys(word for sentence in told for word in words(sentence) if word not in names)
        counted = Counter(word for sentence in split for word in sentence).most_common()
        starts = [(sentence, draw.randrange(len(sentence)), draw.randint(*FRAGMENT)) for sentence in split if sentence]
        fragments = [" ".join(sentence[start : start + length]) for sentence, start, length in starts]
        return cls(list(own), [word for word, _ in counted if word not in names], fragments)

    def known(self, most: int) -> list[str]:
        """Those that a retriever knows: of the statements all, of the books so many."""
        return list(dict.fromkeys([*self.of_statements, *self.frequent[:most]]))

    def names(self, draw: Draw) -> list[str]:
        """Those that may stand for a name: none of the statements, nor the most frequent; half of them as often as in books."""
        few = {*self.of_statements, *self.frequent[:GRAMMAR]}
        kinds = [word for word in self.frequent if word not in few]
        told = [word for fragment in self.fragments for word in fragment.split() if word not in few]
        return kinds + draw.sample(told, min(len(kinds), len(told)))


def with_other_names(draw: Draw, told: Sequence[str], others: Sequence[str]) -> list[str]:
    """Statements whose names are ``others``; things have one word, two, or one of another: "lamp", "pocket knife"."""
    names, ways = entity_words(), ("{}", "{}", "{} {}", "{} of {}")
    found = []
    for sentence in told:
        first, *rest = words(sentence)
        named = [draw.choice(ways).format(draw.choice(others), draw.choice(others)) if word in names else word for word in rest]
        found.append(" ".join([draw.choice(others) if first in names else first, *named]))
    return found


def wrapped(draw: Draw, told: Sequence[str], fragments: Sequence[str], number: int) -> list[str]:
    """So many statements with words of a book before them, behind them or both, which say something else."""
    ways = ("{before} {told}", "{told} {after}", "{before} {told} {after}")
    return [
        draw.choice(ways).format(
            told=draw.choice(told).rstrip("."), before=draw.choice(fragments), after=draw.choice(fragments)
        )
        for _ in range(number)
    ]


def train_retriever(
    books: Sequence[str], lesson: Lesson, config: RetrieverConfig, progress: Callable[[int, float], None] = lambda *_: None
) -> Retriever:
    """A retriever that tells statements from sentences of ``books``; ``progress`` is told the step and the loss.

    Raises :class:`~memnet.errors.TrainingError` where the books are too short.
    """
    told, draw = statements(lesson.seed), Draw(f"retriever {lesson.seed}")
    found = Words.of(draw, told, books)
    others = found.names(draw)
    if not others:
        raise TrainingError(f"the books have too few different words, {len(found.frequent)}; give whole books")
    retriever = Retriever(config, found.known(lesson.known), Random(lesson.seed, 1, "weights"))
    of_stories = [*told, *with_other_names(draw, told, others)]
    confusing = [
        *confusing_lines(draw, of_stories, CONFUSING, FOR_TRAINING, others),
        *wrapped(draw, of_stories, found.fragments, CONFUSING),
    ]
    parts = [retriever.numbers(part) for part in (of_stories, books, confusing)]
    sizes = (lesson.batch, lesson.batch, lesson.batch // 4)
    generator = torch.Generator().manual_seed(lesson.seed)
    adam = torch.optim.Adam(retriever.parameters())
    for step in range(lesson.steps):
        adam.param_groups[0]["lr"] = lesson.lr * (1 - step / lesson.steps)
        drawn = [part[torch.randint(len(part), (size,), generator=generator)] for part, size in zip(parts, sizes, strict=True)]
        wanted, *unwanted = retriever(torch.cat(drawn)).split(sizes)
        loss = F.softplus(-wanted).mean() + F.softplus(torch.cat(unwanted)).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        if step % 100 == 99:
            progress(step + 1, loss.item())
    fresh = statements(lesson.seed + 1)
    return at_the_edge(retriever, [*fresh, *with_other_names(draw, fresh, others)])


@torch.no_grad()
def at_the_edge(retriever: Retriever, fresh: Sequence[str]) -> Retriever:
    """The retriever with its bias such that it loses the share :data:`LOST` of ``fresh`` statements."""
    scores = retriever.scores(fresh)
    retriever.bias.sub_(scores.kthvalue(max(1, round(LOST * len(scores)))).values)
    return retriever


def most_like_statements(retriever: Retriever, books: Sequence[str], number: int) -> list[str]:
    """So many different sentences of books, those that score highest, in alphabetical order."""
    scores = retriever.scores(books)
    ranked = dict.fromkeys(books[place] for place in scores.argsort(descending=True, stable=True).tolist())
    return sorted(list(ranked)[:number])


def retriever_card(lesson: Lesson, books: int) -> str:
    """What a retriever is, and what it learned from."""
    return f"""---
library_name: memnet
license: mit
---

# A retriever for long memories

Finds the statements of stories of the twenty bAbI tasks, whatever their names, among the sentences of a text of any length. It
gives each sentence a score by its words and their places; above zero it is kept.

Trained in {lesson.steps:,} steps on simulated statements (published phrasing and everyday words), {books:,} sentences of books
and {2 * CONFUSING:,} confusing ones; the bias is such that it loses {LOST:.2%} of fresh statements.
"""

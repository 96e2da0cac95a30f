"""Training of a retriever: simulated statements, whatever their names, against sentences of books and confusing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random as Draw
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnet.errors import TrainingError
from memnet.models.retriever import OWNERS, PART, SPECIAL, UNKNOWN, Retriever, RetrieverConfig
from memnet.nn.random import Random
from memnet.tasks.simulator import PUBLISHED_TASKS, Dials, entity_words, simulate
from memnet.tasks.text import written_words
from memnet.tasks.text.confusing import FOR_TRAINING, RELATED, confusing_lines
from memnet.tasks.text.english import DETERMINERS, singular

QUESTIONS = 1000  # of each task, as published and in everyday words, whose stories' statements are learned
STATEMENTS = 8000  # of each of these, drawn with replacement
DIALS = (Dials(), Dials(phrasing=0.5))
CONFUSING = 50_000  # lines about somebody else, and as many with words around them
GRAMMAR, NOUN = 200, 0.3  # the most frequent words of books are no names, but those so often after a determiner: "house"
PERSON, THING = 0.8, 0.05  # a name is so often in capitals where no sentence begins, and a thing's so often after a determiner
STRANGE = 0.3  # of the known words of books that no statement has are taken for unknown
FRAGMENT = (1, 5)  # words
LOST = 5e-4  # share of statements that a retriever may lose: it keeps as few other sentences as that allows


@dataclass(frozen=True)
class Lesson:
    """How long a retriever is trained, and on what."""

    steps: int = 20_000
    batch: int = 256  # statements a step, as many sentences of books, and a fourth as many confusing ones
    lr: float = 0.003
    known: int = 3000  # words of the statements, and the most frequent of the books that are no names
    seed: int = 0


def statements(seed: int) -> list[str]:
    """Statements of simulated stories, as many of every task."""
    stories = (simulate(name, QUESTIONS, seed, dials) for name in PUBLISHED_TASKS for dials in DIALS)
    by_task, draw = ([one for story in part for one in story.statements] for part in stories), Draw(f"statements {seed}")
    return [one for part in by_task for one in draw.choices(part, k=STATEMENTS)]


class Words(NamedTuple):
    """Words of statements and of books, the most frequent first."""

    of_statements: list[str]  # and marks, names apart
    frequent: list[str]  # of books, and marks
    people: list[str]  # of books: written with a capital wherever they stand
    things: list[str]  # of books: often after "the" or "a"
    fragments: list[str]  # a few words that follow each other in a book

    @classmethod
    def of(cls, draw: Draw, examples: Sequence[str], books: Sequence[str]) -> Words:
        """Count them."""
        names, split = entity_words(), [PART.findall(sentence) for sentence in books]
        parts = dict.fromkeys(word.lower() for sentence in examples for word in PART.findall(sentence))
        of_statements = [word for word in parts if word not in names and not word.endswith(OWNERS)]
        counted = Counter(word.lower() for sentence in split for word in sentence)
        capital = Counter(word.lower() for sentence in split for word in sentence[1:] if word[0].isupper())
        first = Counter(sentence[0].lower() for sentence in split if sentence)
        after = Counter(
            word.lower() for sentence in split for before, word in pairwise(sentence) if before.lower() in DETERMINERS
        )
        frequent = [word for word, _ in counted.most_common()]
        often = [word for word in frequent[:GRAMMAR] if after[word] <= NOUN * counted[word]]
        grammar = {*of_statements, *often}
        kinds = [word for word in frequent if word not in grammar and word[0].isalpha()]
        people = [word for word in kinds if capital[word] > PERSON * (counted[word] - first[word]) and capital[word]]
        named = {word for word in kinds if after[word] > THING * counted[word]}
        things = [word for word in kinds if not named.isdisjoint((word, singular(word))) and word not in set(people)]
        starts = [(sentence, draw.randrange(len(sentence)), draw.randint(*FRAGMENT)) for sentence in split if sentence]
        fragments = [" ".join(sentence[start : start + length]) for sentence, start, length in starts]
        return cls(of_statements, [word for word in frequent if word not in names], people, things, fragments)

    def known(self, most: int) -> list[str]:
        """Those that a retriever knows: of the statements all, of the books so many that are no names."""
        names = {*self.people, *self.things}
        return list(dict.fromkeys([*self.of_statements, *(word for word in self.frequent if word not in names)][:most]))


def with_other_names(draw: Draw, examples: Sequence[str], found: Words) -> list[str]:
    """Statements with names of books; things have one word, two, or one of another: "lamp", "pocket knife", "box of eggs"."""
    names, ways = entity_words(), ("{}", "{}", "{}", "{} {}", "{} {} {}", "{} of {}")
    split = [written_words(sentence) for sentence in examples]
    small = {word for sentence in split for word in sentence if word in names}

    def other(word: str) -> str:
        if word.lower() not in names:
            return word
        if word.lower() not in small:
            return draw.choice(found.people).capitalize()
        return draw.choice(ways).format(*draw.choices(found.things, k=3))

    return [text[:1].upper() + text[1:] for text in (" ".join(map(other, sentence)) for sentence in split)]


def wrapped(draw: Draw, examples: Sequence[str], fragments: Sequence[str], number: int) -> list[str]:
    """So many statements with words of a book before them, behind them or both, which say something else."""
    ways = ("{before} {statement}", "{statement} {after}", "{before} {statement} {after}")
    return [
        draw.choice(ways).format(
            statement=draw.choice(examples).rstrip("."), before=draw.choice(fragments), after=draw.choice(fragments)
        )
        for _ in range(number)
    ]


def train_retriever(
    books: Sequence[str], lesson: Lesson, config: RetrieverConfig, progress: Callable[[int, float], None] = lambda *_: None
) -> Retriever:
    """A retriever that separates statements from sentences of ``books``; ``progress`` gets the step and the loss.

    Raises :class:`~memnet.errors.TrainingError` where the books are too short.
    """
    examples, draw = statements(lesson.seed), Draw(f"retriever {lesson.seed}")
    found = Words.of(draw, examples, books)
    if not found.people or not found.things:
        raise TrainingError(f"the books have too few different words, {len(found.frequent)}; give whole books")
    retriever = Retriever(config, found.known(lesson.known), Random(lesson.seed, 1, "weights"))
    of_stories = [*examples, *with_other_names(draw, examples, found)]
    confusing = [
        *confusing_lines(draw, of_stories, CONFUSING, FOR_TRAINING, [*RELATED, *found.things]),
        *wrapped(draw, of_stories, found.fragments, CONFUSING),
    ]
    parts = [retriever.numbers(part) for part in (of_stories, books, confusing)]
    sizes = (lesson.batch, lesson.batch, lesson.batch // 4)
    generator = torch.Generator().manual_seed(lesson.seed)
    adam = torch.optim.Adam(retriever.parameters())
    for step in range(lesson.steps):
        adam.param_groups[0]["lr"] = lesson.lr * (1 - step / lesson.steps)
        drawn = [part[torch.randint(len(part), (size,), generator=generator)] for part, size in zip(parts, sizes, strict=True)]
        drawn[1] = with_unknown(drawn[1], len(found.of_statements), generator)
        wanted, *unwanted = retriever(torch.cat(drawn)).split(sizes)
        loss = F.softplus(-wanted).mean() + F.softplus(torch.cat(unwanted)).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        if step % 100 == 99:
            progress(step + 1, loss.item())
    fresh = statements(lesson.seed + 1)
    return at_the_edge(retriever, [*fresh, *with_other_names(draw, fresh, found)])


def with_unknown(numbers: Tensor, of_statements: int, generator: torch.Generator) -> Tensor:
    """Sentences of books some of whose words are unknown, as in books that nobody has met; those of statements stay."""
    others = numbers >= SPECIAL + of_statements
    return numbers.masked_fill(others & (torch.rand(numbers.shape, generator=generator) < STRANGE), UNKNOWN)


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

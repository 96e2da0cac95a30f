"""Three ways to learn what to read, measured on novels that no way has seen: answers, facts kept, other sentences kept."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random as Draw
from typing import NamedTuple

import torch

from memnet.markdown import markdown_table
from memnet.record.measurements import read_csv
from memnet.tasks.text.background import Background
from memnet.training.supervised_retrieval import (
    ASK,
    WAYS,
    Course,
    Encoded,
    Learned,
    asked_of,
    known_words,
    learned,
    scattered,
    stories_of,
)

LENGTHS = (40, 400, 4000)  # sentences of novels around a story
QUESTIONS = 300
AT_ONCE = 20  # questions
TITLES = {
    "facts": "supporting facts",
    "answers": "answers alone",
    "priced": "answers, and a price of what is read",
    "reinforce": "REINFORCE, and the same price",
}


class Measured(NamedTuple):
    """Of a way, a seed and so many sentences of novels: percent of questions answered right, and what is kept."""

    way: str
    seed: int
    steps: int
    seconds: float  # of training
    sentences: int
    questions: int
    right: float  # percent
    facts_kept: float  # percent
    others_kept: float  # of 1,000 sentences of the novels


@torch.no_grad()
def measured(way: str, course: Course, found: Learned, background: Background, questions: int) -> Iterator[Measured]:
    """Ask fresh stories among sentences of ``background``, some more each time.

    A sentence's gate does not depend on the others, so the books are scored once.
    """
    books, stories = background.sentences, stories_of(ASK, course, 2 * questions)
    told = list(dict.fromkeys(one for story in stories for one in story.statements))
    scores = found.retriever.scores(books) > 0
    of_books = [books[place] for place in scores.nonzero().flatten().tolist()]
    of_stories = [one for one, score in zip(told, found.retriever.scores(told).tolist(), strict=True) if score > 0]
    kept, others = {*of_books, *of_stories}, 1000 * scores.float().mean().item()
    encoded = Encoded(found.retriever, found.reader, of_books, stories)
    asked = asked_of(stories)[:questions]
    for count in LENGTHS:
        draw, right, facts = Draw(f"asked {course.seed} {count}"), list[bool](), list[bool]()
        samples = [scattered(draw, story, question, background, count) for story, question in asked]
        for start in range(0, len(samples), AT_ONCE):
            batch = encoded.batch(samples[start : start + AT_ONCE], background, kept)
            answers = found.reader(batch.asked, batch.memories, batch.mask.unsqueeze(1))[:, 0]
            right += (answers.max(1).indices == batch.answer).tolist()
            facts += (batch.facts.sum(1) > 0).tolist()
        answered, fact = (100 * statistics.fmean(part) for part in (right, facts))
        yield Measured(way, course.seed, course.steps, found.seconds, count, len(asked), answered, fact, others)


def compare_supervision(
    course: Course, seeds: Sequence[int], books: Background, others: Background, questions: int = QUESTIONS
) -> Iterator[Measured]:
    """Every way with every seed: trained on ``books``, measured on ``others``; the ways of a seed have the same data."""
    known = known_words(course, books)
    for seed in seeds:
        for way in WAYS:
            its = replace(course, seed=seed)
            yield from measured(way, its, learned(way, its, books, known), others, questions)


def spread(found: Sequence[float], digits: int = 1) -> str:
    """The mean over seeds, and the least and the largest: "97.0 (96.2 to 97.4)"."""
    mean, least, most = (f"{one:,.{digits}f}" for one in (statistics.fmean(found), min(found), max(found)))
    return mean if least == most else f"{mean} ({least} to {most})"


def supervision_table(path: Path) -> str:
    """A line a way: percent right by sentences of novels around a story, facts kept, others kept, seconds."""
    rows = read_csv(path, Measured, "'python scripts/compare_supervision.py'")
    lengths, seeds = sorted({one.sentences for one in rows}), {one.seed for one in rows}
    longest = lengths[-1]
    table = []
    for way, title in TITLES.items():
        mine = [one for one in rows if one.way == way]
        right = [spread([one.right for one in mine if one.sentences == length]) for length in lengths]
        whole = [one for one in mine if one.sentences == longest]
        facts, others = spread([one.facts_kept for one in whole]), spread([one.others_kept for one in whole], 2)
        table.append([title, *right, facts, others, f"{statistics.fmean(one.seconds for one in whole):.0f}"])
    head = ["learns from", *(f"right, {length:,}" for length in lengths), "facts kept", "others kept", "seconds"]
    below = (
        f"Means over {len(seeds)} seeds, in brackets the least and the largest: percent of {rows[0].questions:,} questions "
        f"that are answered right among so many sentences of novels, percent of their supporting facts that are kept, "
        f"sentences kept of 1,000 of the novels, and seconds of training on one core, {rows[0].steps:,} steps."
    )
    return f"{markdown_table(head, table)}\n\n{below}"

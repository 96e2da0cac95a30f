"""Three ways to learn what to read, measured on novels that no way has seen: answers, facts kept, other sentences kept."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random as Draw

import torch

from memnet.record.measurements import WayToLearn
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


@torch.no_grad()
def measured(way: str, course: Course, found: Learned, background: Background, questions: int) -> Iterator[WayToLearn]:
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
        yield WayToLearn(way, course.seed, course.steps, found.seconds, count, len(asked), answered, fact, others)


def compare_supervision(
    course: Course, seeds: Sequence[int], books: Background, others: Background, questions: int = QUESTIONS
) -> Iterator[WayToLearn]:
    """Every way with every seed: trained on ``books``, measured on ``others``; the ways of a seed have the same data."""
    known = known_words(course, books)
    for seed in seeds:
        for way in WAYS:
            seeded = replace(course, seed=seed)
            yield from measured(way, seeded, learned(way, seeded, books, known), others, questions)

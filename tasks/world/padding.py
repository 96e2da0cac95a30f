"""Stories with more lines in them, which change no answer: small talk, or statements of another story.

padded(story, small_talk(random, 20), random)   ->   the same questions and answers, spans and evidence moved along
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from ..text.tokens import join, split
from .lexicon import talk
from .texts import Answer, Question, Span, Statement, Story


def small_talk(random: Random, count: int) -> list[Statement]:
    """Lines that mean nothing."""
    lines = [split(random.choice(talk()["idle"])) for _ in range(count)]
    return [Statement(tuple(words), join(words) + ".", idle=True) for words in lines]


def padded(story: Story, lines: Sequence[Statement], random: Random) -> Story:
    """A story with lines put among its statements, in order, none of them between a pronoun and what it stands for."""
    free = [place for place in range(len(story.statements) + 1) if place not in story.leaning]
    places = sorted(random.choice(free) for _ in lines)
    statements: list[Statement] = []
    moved: list[int] = []  # where each statement stands now
    rest = list(lines)
    for number, statement in enumerate(story.statements):
        while places and places[0] == number:
            places.pop(0)
            statements.append(rest.pop(0))
        moved.append(len(statements))
        statements.append(statement)
    statements += rest
    questions = tuple(_moved(question, moved) for question in story.questions)
    return Story(tuple(statements), questions, (), frozenset(moved[number] for number in story.leaning))


def _moved(question: Question, moved: list[int]) -> Question:
    def span(old: Span) -> Span:
        return (moved[old[0]], old[1], old[2])

    answer: Answer = replace(
        question.answer,
        spans=tuple(map(span, question.answer.spans)),
        mentions=tuple(tuple(map(span, spans)) for spans in question.answer.mentions),
        also=tuple(map(span, question.answer.also)),
    )
    return replace(
        question,
        answer=answer,
        evidence=tuple(moved[number] for number in question.evidence),
        after=moved[question.after - 1] + 1,
        query=(),
    )


DEEP = 4  # supporting facts; questions that take more are of one group


def balanced(story: Story, random: Random, most: int) -> Story:
    """A story with so many of its questions, of every kind and number of supporting facts as evenly as there are such."""
    groups: dict[tuple[str, int], list[Question]] = {}
    for question in random.sample(story.questions, len(story.questions)):
        groups.setdefault((question.kind, min(DEEP, len(question.evidence))), []).append(question)
    kept: set[int] = set()
    while len(kept) < min(most, len(story.questions)):
        for group in groups.values():
            if group and len(kept) < most:
                kept.add(id(group.pop()))
    return replace(story, questions=tuple(question for question in story.questions if id(question) in kept))

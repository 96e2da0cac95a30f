"""Stories with more lines in them, which change no answer: small talk, or statements of another story.

padded(story, small_talk(random, 20), random)   ->   the same questions and answers, spans and evidence moved along
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from ..text.english import of_class
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


SPEAKERS = of_class("i me my mine myself we us our ours")
OTHERS = of_class("he she it they him her them his hers its their theirs this that there then one")
HOLLOW = of_class(
    "who what where when why which whose how many much long old is are was were am be been do does did done have has had can "
    "could will would shall should may might must a an the and or but not no in on at to of for with from by into out up down "
    "off over "
    "about before after first last now still get got go went gone there any all both either you your some time kind sort "
    "place people person thing things called name as than more most"
)


def joined(one: Story, other: Story, random: Random) -> Story:
    """A story told in the middle of another, and the questions of both that only one of them can mean.

    It is ``one`` alone where both are told by a speaker or have a name in common.
    """
    sides = (one, other)
    said = [{word.lower() for statement in story.statements for word in statement.words} for story in sides]
    names = [{word for line in story.statements for word in line.words[1:] if word[:1].isupper()} for story in sides]
    if names[0] & names[1] or all(SPEAKERS & words for words in said):
        return one
    stems = [{stem(word) for word in words} for words in said]
    free = [place for place, line in enumerate(one.statements) if not OTHERS & {word.lower() for word in line.words}]
    place = random.choice([*free, len(one.statements)])
    count = len(other.statements)
    moved = [number if number < place else number + count for number in range(len(one.statements))]
    inside = [place + number for number in range(count)]
    whole = len(moved) + count
    questions = [_moved(question, moved) for question in one.questions if only_here(question, stems[1])]
    questions += [_moved(question, inside) for question in other.questions if only_here(question, stems[0])]
    last = {moved[-1] + 1, inside[-1] + 1}
    questions = [replace(each, after=whole) if each.after in last and random.random() < 0.7 else each for each in questions]
    if not questions:
        return one
    statements = (*one.statements[:place], *other.statements, *one.statements[place:])
    return Story(statements, tuple(sorted(questions, key=lambda each: each.after)))


def only_here(question: Question, elsewhere: set[str]) -> bool:
    """Whether a question has no word that tells something elsewhere, and no pronoun that could mean somebody there."""
    words = [word.lower() for word in question.words]
    telling = {stem(word) for word in words if word not in HOLLOW and word[0].isalnum()}
    return bool(telling) and not telling & elsewhere and not OTHERS & set(words)


def stem(word: str) -> str:
    """A word without its ending.

    >>> stem("boxes"), stem("moved"), stem("moving")
    ('box', 'mov', 'mov')
    """
    low = word.lower()
    for ending in ("ing", "ed", "es", "s", "e"):
        if low.endswith(ending) and len(low) > len(ending) + 2:
            return low[: -len(ending)]
    return low

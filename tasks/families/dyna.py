"""Mixes of bAbI's statements in one story (Tamari et al. 2022, arXiv 2112.00086), drawn by a program of our own.

    Fred and Jeff moved to the garden. Then they went to the school. John passed the apple to Jeff. Where is the apple?

``dyna/T7``: moves of one or two people, pronouns, takes, drops and gives; ``dyna/T12``: also negation, either-or, yes and no,
counting and lists. Every question has a story of its own. Its splits are by kind of question; those of T7 also by number of
supporting facts, in the paper's proportions. The authors' program draws other stories of the same kinds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from ..text import Question, Story, write
from .family import Family, Name, Task

if TYPE_CHECKING:
    from ..world import Question as Asked
    from ..world import Story as Told

MEMBERS = {
    "T7": "moves, pairs, pronouns, takes, drops and gives mixed",
    "T12": "the same with negation, either-or, counts and lists",
}
STATEMENTS = {"T7": (20, 20), "T12": (8, 20)}
QUESTIONS = {"train": 1000, "test": 1000}
SHARES = {  # of kinds of question, in T7 with their supporting facts
    "T7": {
        "where_before 3": 0.334,
        "where_thing 2": 0.167,
        "where_thing 3": 0.167,
        "where 1": 0.111,
        "where 2": 0.111,
        "where 3": 0.11,
    },
    "T12": dict.fromkeys(("where", "where_thing", "where_before", "is_in", "count_carried", "list_carried"), 1 / 6),
}
TRIED = 24  # questions of a story, of which one is kept
EMPTY = 0.3  # of the questions after what nobody carries: those that are kept


def split_of(member: str, question: Asked) -> str:
    """The split that a question is of."""
    exact = any(" " in split for split in SHARES[member])
    return f"{question.kind} {len(question.evidence)}" if exact else question.kind


def as_text(story: Told, asked: Asked, kind: str) -> Story:
    """A story of the world with one of its questions, as the text format has it."""
    statements = tuple(statement.text for statement in story.statements[: asked.after])
    answer = "none" if asked.answer.text == "zero" else asked.answer.text  # as bAbI counts
    if asked.answer.spans:
        answer = ",".join(" ".join(story.statements[at].words[first:last]) for at, first, last in asked.answer.spans)
    return Story(statements, (Question(asked.text, answer, asked.evidence, asked.after, kind=kind),))


def drawn(member: str, part: str, seed: int) -> Iterator[tuple[str, Story]]:
    """As many stories of each split as its share asks for, with the split's name, in any order."""
    from ..world import MIXES, draw  # its lexicon takes a while to open

    missing = {split: round(share * QUESTIONS[part]) for split, share in SHARES[member].items()}
    number = 0
    while any(missing.values()):
        random = Random(f"{member} {part} {seed} {number}")
        count = random.randint(*STATEMENTS[member])
        dials = replace(MIXES[member], statements=(count, count), asked_from=count, questions=TRIED)
        story = draw(random, dials)
        number += 1
        questions = [one for one in story.questions if one.answer.text not in ("nothing", "zero") or random.random() < EMPTY]
        wanted = [(split, asked) for asked in questions if missing.get(split := split_of(member, asked))]
        if wanted:
            split, asked = max(wanted, key=lambda one: missing[one[0]])
            missing[split] -= 1
            yield split, as_text(story, asked, split)


def fresh(member: str, questions: int, seed: int) -> list[Story]:
    """Stories to learn from, of every length up to the mix's, with about eight questions each, of all kinds alike."""
    from ..world import MIXES, balanced, draw

    found: list[Story] = []
    asked = number = 0
    while asked < questions:
        random = Random(f"{member} fresh {seed} {number}")
        number += 1
        count = random.randint(*random.choice(((4, 12), STATEMENTS[member])))
        dials = replace(MIXES[member], statements=(count, count), questions=3.0)
        ends = draw(random, replace(dials, asked_from=count, questions=TRIED)) if random.random() < 0.5 else draw(random, dials)
        story = balanced(ends, random, 8)
        parts = [as_text(story, one, split_of(member, one)).questions[0] for one in story.questions]
        found.append(Story(tuple(statement.text for statement in story.statements), tuple(parts)))
        asked += len(parts)
    return found


def load(member: str, seed: int = 0, data: object = None) -> Task:
    """Stories to learn from and, of another stream of chance, to test on."""
    train = [story for _, story in drawn(member, "train", seed)]
    splits: dict[str, list[Story]] = {split: [] for split in SHARES[member]}
    for split, story in drawn(member, "test", seed):
        splits[split].append(story)
    text = write(train) + "".join(write(stories) for stories in splits.values())
    return Task(str(Name("dyna", member, seed)), train, splits, hashlib.sha256(text.encode()).hexdigest()[:12])


FAMILIES = (
    Family(
        "dyna",
        "bAbI's statements mixed, in the manner of Dyna-bAbI",
        MEMBERS,
        load,
        "simulated",
        seeds=range(1_000_000),
        fresh=fresh,
    ),
)

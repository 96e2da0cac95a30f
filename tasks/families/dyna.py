"""Mixes of bAbI's statements in one story (Tamari et al. 2022, arXiv 2112.00086), drawn by a program of our own.

    Fred and Jeff moved to the garden. Then they went to the school. John passed the apple to Jeff. Where is the apple?

``dyna/T7``: moves of one or two people, pronouns, takes, drops and gives; ``dyna/T12``: also negation, either-or, yes and no,
counting and lists. Every question has a story of its own. Its splits are by kind of question; those of T7 also by number of
supporting facts, in the paper's proportions. The authors' program draws other stories of the same kinds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from ..text import Question, Story, write
from .dyna_regimes import NAMES, REGIMES, Group, concat, diverse
from .family import Family, Name, Task

if TYPE_CHECKING:
    from ..world import Question as Asked
    from ..world import Story as Told

MIXED = {
    "T7": "moves, pairs, pronouns, takes, drops and gives mixed",
    "T12": "the same with negation, either-or, counts and lists",
}
MEMBERS = MIXED | {f"{mix}-{regime}": f"{mix}, {title}" for mix in MIXED for regime, title in REGIMES.items()}
STATEMENTS = (20, 20)
SHORTER = {"T7": (20, 20), "T12": (8, 20)}  # of fresh stories
QUESTIONS = {"train": 1000, "test": 1000}
OF_TASK = {"train": 1000, "valid": 100}  # of each original task in a regime
FREE = {"train": 300, "valid": 50}  # the same, of stories drawn freely: they take long to draw
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
AS_PUBLISHED = (  # the world's ways to say a thing -> that of the original tasks
    (r"(gave|handed|passed) (\w+) the (\w+)", r"\1 the \3 to \2"),
    (r"(picked|put) the (\w+) (up|down)", r"\1 \3 the \2"),
    (r"isn't in", "is not in"),
    (r"is (?:either )?in the (\w+) or (?:in )?the", r"is either in the \1 or the"),
    (r"How many things is", "How many objects is"),
)
FROM_ONE = 3  # questions of a story that is drawn freely, at most
TRIED = 24  # questions of a story, of which one is kept
EMPTY = 0.3  # of the questions after what nobody carries: those that are kept


def split_of(member: str, question: Asked) -> str:
    """The split that a question is of."""
    exact = any(" " in split for split in SHARES[member])
    return f"{question.kind} {len(question.evidence)}" if exact else question.kind


def is_asked(question: Asked) -> bool:
    """Whether a mix asks it: where something was before, but not where somebody was."""
    about = question.query[1] if question.kind == "where_before" else None
    return getattr(about, "kind", "thing") == "thing"


def tells_there(story: Told) -> bool:
    """Whether somebody moves "there", which no original task says."""
    return any(statement.text.endswith(" there.") for statement in story.statements)


def published(text: str) -> str:
    """A statement or question as the original tasks word it.

    >>> published("John handed Daniel the milk.")
    'John handed the milk to Daniel.'
    """
    for pattern, said in AS_PUBLISHED:
        text = re.sub(pattern, said, text)
    return text


def as_text(story: Told, asked: Asked, kind: str) -> Story:
    """A story of the world with one of its questions, as the text format has it."""
    statements = tuple(published(statement.text) for statement in story.statements[: asked.after])
    answer = "none" if asked.answer.text == "zero" else asked.answer.text  # as bAbI counts
    if asked.answer.spans:
        answer = ",".join(" ".join(story.statements[at].words[first:last]) for at, first, last in asked.answer.spans)
    return Story(statements, (Question(published(asked.text), answer, asked.evidence, asked.after, kind=kind),))


def drawn(member: str, part: str, seed: int) -> Iterator[tuple[str, Story]]:
    """As many stories of each split as its share asks for, with the split's name, in any order."""
    from ..world import MIXES, draw  # its lexicon takes a while to open

    missing = {split: round(share * QUESTIONS[part]) for split, share in SHARES[member].items()}
    number = 0
    while any(missing.values()):
        random = Random(f"{member} {part} {seed} {number}")
        dials = replace(MIXES[member], statements=STATEMENTS, asked_from=STATEMENTS[1], questions=TRIED)
        story = draw(random, dials)
        number += 1
        if tells_there(story):
            continue
        asked_of = [one for one in story.questions if is_asked(one)]
        questions = [one for one in asked_of if one.answer.text not in ("nothing", "zero") or random.random() < EMPTY]
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
        count = random.randint(*random.choice(((4, 12), SHORTER[member])))
        dials = replace(MIXES[member], statements=(count, count), questions=3.0)
        ends = draw(random, replace(dials, asked_from=count, questions=TRIED)) if random.random() < 0.5 else draw(random, dials)
        story = balanced(ends, random, 8)
        parts = [as_text(story, one, split_of(member, one)).questions[0] for one in story.questions]
        found.append(Story(tuple(statement.text for statement in story.statements), tuple(parts)))
        asked += len(parts)
    return found


def told(mix: str, random: Random, group: Group) -> Iterator[Story]:
    """Stories without end of some kinds of statements, each with a question of one kind."""
    from ..world import MIXES, draw

    kinds, kind, facts, _ = group
    things = MIXES[mix].things if "taking" in kinds else (0, 0)
    dials = replace(MIXES[mix], families=kinds, asks=(kind,), things=things, statements=STATEMENTS)
    while True:
        story = draw(random, replace(dials, asked_from=STATEMENTS[1], questions=TRIED))
        found = [one for one in story.questions if is_asked(one) and len(one.evidence) in facts and not tells_there(story)]
        for asked in random.sample(found, min(FROM_ONE, len(found))):
            yield as_text(story, asked, kind)


@lru_cache(maxsize=2)
def tests(mix: str, seed: int) -> dict[str, list[Story]]:
    """The test stories of a mix, by split: of all its regimes the same."""
    splits: dict[str, list[Story]] = {split: [] for split in SHARES[mix]}
    for split, story in drawn(mix, "test", seed):
        splits[split].append(story)
    return splits


def learned(mix: str, regime: str, part: str, seed: int) -> Iterator[Story]:
    """Stories of a regime to learn from, or to choose by, neither of them of the mix; without a regime, of the mix."""
    stream = 2 * seed + (part == "valid")
    if not regime:
        return (story for _, story in drawn(mix, part, seed))
    if regime == "diverse":
        return diverse(mix, FREE[part], stream, lambda random, group: told(mix, random, group))
    return concat(mix, OF_TASK[part], stream, regime == "inject")


def training(member: str, seed: int = 0, data: object = None) -> Iterator[Story]:
    """The stories to learn from, drawn one by one: all of a mix, with those of its tests, take a minute."""
    mix, _, regime = member.partition("-")
    return learned(mix, regime, "train", seed)


def load(member: str, seed: int = 0, data: object = None) -> Task:
    """Stories to learn from and, of another stream of chance, to test on; those of a regime have some to choose by, too."""
    mix, _, regime = member.partition("-")
    splits, train = tests(mix, seed), list(training(member, seed))
    valid = list(learned(mix, regime, "valid", seed)) if regime else None
    text = write(train) + write(valid or []) + "".join(write(stories) for stories in splits.values())
    return Task(str(Name("dyna", member, seed)), train, splits, hashlib.sha256(text.encode()).hexdigest()[:12], valid)


FAMILIES = (
    Family(
        "dyna",
        "bAbI's statements mixed, in the manner of Dyna-bAbI",
        MEMBERS,
        load,
        "simulated",
        seeds=range(1_000_000),
        fresh=fresh,
        training=training,
        names=lambda: NAMES,
    ),
)

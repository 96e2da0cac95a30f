"""The twenty tasks of bAbI (Weston et al. 2015, arXiv 1502.05698), as published: version 1.2, in English and in Hindi.

    1 Mary moved to the bathroom.
    2 John went to the hallway.
    3 Where is Mary? <TAB>bathroom<TAB>1

``babi`` has 1,000 training questions a task and ``babi-10k`` ten times as many; ``hn`` is in Hindi, and in ``shuffled`` every
letter is another. ``resampled/qa1@3`` is trained on another thousand of the ten: what does the draw alone change?
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache, partial
from pathlib import Path

from ..files import DataError
from ..simulator import entity_words
from ..text import Story, decode, divide, parse
from .archive import ARCHIVE_FILE, ARCHIVE_REPO, ENVIRONMENT, manifest, places, text_folder
from .family import Family, Fetch, NotAtHand, Task

TITLES = {
    "qa1": "single supporting fact",
    "qa2": "two supporting facts",
    "qa3": "three supporting facts",
    "qa4": "two-argument relations",
    "qa5": "three-argument relations",
    "qa6": "yes/no questions",
    "qa7": "counting",
    "qa8": "lists and sets",
    "qa9": "simple negation",
    "qa10": "indefinite knowledge",
    "qa11": "basic coreference",
    "qa12": "conjunction",
    "qa13": "compound coreference",
    "qa14": "time reasoning",
    "qa15": "basic deduction",
    "qa16": "basic induction",
    "qa17": "positional reasoning",
    "qa18": "size reasoning",
    "qa19": "path finding",
    "qa20": "agents' motivations",
}
LAYOUTS = {  # family -> folder of the archive, and what it is
    "babi": ("en", "1,000 training questions a task"),
    "babi-10k": ("en-10k", "10,000 training questions a task"),
    "babi-hn": ("hn", "1,000 training questions a task, in Hindi"),
    "babi-hn-10k": ("hn-10k", "10,000 training questions a task, in Hindi"),
    "babi-shuffled": ("shuffled", "1,000 training questions a task, letters shuffled"),
    "babi-shuffled-10k": ("shuffled-10k", "10,000 training questions a task, letters shuffled"),
}
THOUSAND = 1000
FETCH = Fetch(f"https://huggingface.co/datasets/{ARCHIVE_REPO}, {ARCHIVE_FILE}", "12 MB", "of each file, in manifest.csv")


@lru_cache(maxsize=40)
def parsed(content: bytes, name: str) -> tuple[Story, ...]:
    """The stories of a file, read once a process: a table's runs ask for the same twenty tasks again and again."""
    return tuple(parse(decode(content, name), name))


def published(family: str, member: str, seed: int = 0, data: Path | None = None) -> Task:
    """A published task. Raises :class:`NotAtHand` where it is nowhere, :class:`DataError` where it is changed."""
    layout = LAYOUTS[family][0]
    parts = ("train", "test")
    names = {part: next(file for file in manifest() if re.match(rf"{layout}/{member}_.*{part}\.txt$", file)) for part in parts}
    looked = []
    for place, folder in places(data):
        root = text_folder(folder)
        if root is None or any(not (root / name).is_file() for name in names.values()):
            looked.append(f"{place} ({folder})")
            continue
        digest, stories = hashlib.sha256(), {}
        for part, name in names.items():
            content = (root / name).read_bytes()
            if not manifest()[name].matches(content):
                raise DataError(
                    f"{root / name} differs from the published text (checksum). Run 'memnet data check {root}'; "
                    "to train on a text of your own, give its folder in place of the task's name."
                )
            digest.update(content)
            stories[part] = [*parsed(content, str(root / name))]
        return Task(f"{family}/{member}", stories["train"], {"test": stories["test"]}, digest.hexdigest()[:12])
    raise NotAtHand(
        f"{family}/{member} is not in {' or '.join(looked)}. Run 'memnet data fetch', or point --data or "
        f"{ENVIRONMENT} at a folder that holds {names['train']} and its test file."
    )


def resampled(member: str, seed: int = 1, data: Path | None = None) -> Task:
    """Another thousand of a task's published 10,000 training questions, and its test set."""
    task = published("babi-10k", member, 0, data)
    train = divide(divide(task.train, seed * THOUSAND)[1], THOUSAND)[0]
    return Task(f"resampled/{member}@{seed}", train, task.splits, f"{task.hash}:{seed}")


BABI = partial(Family, members=TITLES, names=entity_words, fetch=FETCH, licence="CC BY 3.0")

FAMILIES = (
    *(
        BABI(name, f"bAbI v1.2, {title}", load=partial(published, name), made="published")
        for name, (_, title) in LAYOUTS.items()
    ),
    BABI("resampled", "bAbI v1.2, another thousand of the 10,000", load=resampled, made="resampled", seeds=range(1, 10)),
)

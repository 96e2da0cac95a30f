"""ToM-bAbI, "easy" (Nematzadeh et al. 2018, arXiv 1808.09352): beliefs true, false, and false about another's.

    Jack entered the lounge. Emma entered the lounge. The corn is in the red_box. Emma exited the lounge.
    Jack moved the corn to the green_crate. Where does Jack think that Emma searches for the corn? (red_box)

Its authors state no licence: it is read where somebody has it, and shipped by nobody here. ``$MEMNET_DATA/families/tom-babi``
or ``--data`` holds ``tom_easy.zip`` and ``tom_easy_train_noise.zip`` as their repository has them. Splits are by story, kinds
by question and whether what is believed is so. Noise is a statement that says nothing ("Phone rang.").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ..text import Story
from .beliefs import FALSE, FIRST, MEMORY, REALITY, SECOND, SECOND_FALSE, TRUE, Files, find_files, order_of, without_second
from .family import Family, Fetch, Name, Task

FETCH = Fetch(
    "https://github.com/kayburns/tom-qa-dataset, data/tom_easy.zip",
    "5 MB with tom_easy_train_noise.zip",
    "SHA-256 b6f37cdae4531e9d01c7b6655cb10e2cd043657195a7fd50accb31f826faddc6, and "
    "b78e85c7d6e6c9515d94fa410df52ea5b639ab0183c7f4ed345fd2e60bde3ba8",
)
MEMBERS = {
    "easy": "what people believe, in stories without noise",
    "noise": "the same with noise",
    "noise-at-test": "learned without noise, tested with noise",
    "order-1": "easy, learned without questions of what others believe",
}
CLEAN, NOISE = "world_large_nex_1000_0", "world_large_nex_1000_10"
WORLDS = {  # the archive of each member and the folder in it
    "easy": ("tom_easy.zip", CLEAN),
    "noise": ("tom_easy_train_noise.zip", NOISE),
    "noise-at-test": ("tom_easy.zip", NOISE),
    "order-1": ("tom_easy.zip", CLEAN),
}
TRAIN = "qa21_task_AB_train.txt"
STORIES = {"tb": TRUE, "fb": FALSE, "sofb": SECOND_FALSE}
QUESTIONS = {"memory": MEMORY, "reality": REALITY, "search": FIRST, "belief": SECOND}


def with_kinds(stories: Iterable[Story]) -> Iterator[Story]:
    """The stories, their questions with a kind: a belief is true where the thing is where somebody moved it last."""
    for story in stories:
        moved = [text.rstrip(".").rpartition(" ")[2] for text in story.statements if " moved the " in text]
        asked = ((one, order_of(one), TRUE if one.answer in moved[-1:] else FALSE) for one in story.questions)
        kinds = ((one, f"{order}, {belief}" if order in (FIRST, SECOND) else order) for one, order, belief in asked)
        yield replace(story, questions=tuple(replace(one, kind=kind) for one, kind in kinds))


def part_of(files: Files, story: str, part: str) -> list[Story]:
    """Stories of a kind, to choose by ("val") or to test on."""
    return [told for question in QUESTIONS for told in with_kinds(files.stories(f"{story}_{question}_{part}_test.txt"))]


def load(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """Its own parts to learn from, to choose by and to test on."""
    archive, world = WORLDS[member]
    tests = [f"{story}_{question}_{part}_test.txt" for story in STORIES for question in QUESTIONS for part in ("val", "test")]
    files = find_files([TRAIN, *tests], f"tom_easy/{world}", archive, "tom-babi", "ToM-bAbI", FETCH.address, data)
    train = list(with_kinds(files.stories(TRAIN)))
    valid = [told for story in STORIES for told in part_of(files, story, "val")]
    if member == "order-1":
        train, valid = without_second(train), without_second(valid)
    splits = {split: part_of(files, story, "test") for story, split in STORIES.items()}
    return Task(str(Name("tom-babi", member)), train, splits, files.hash, valid)


FAMILIES = (Family("tom-babi", "what people believe, easy", MEMBERS, load, "published", fetch=FETCH, licence="none stated"),)

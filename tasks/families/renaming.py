"""The published tasks told with other names, to measure what a network makes of names that it has never met.

1 Mary moved to the bathroom.       ->   1 Priya moved to the tennis court.
2 Where is Mary?      bathroom           2 Where is Priya?      tennis court

Statements, questions and answers are renamed together, every story with names of its own, drawn from a seed. A name stays in
its kind: women stay women ("she"), one animal's plural becomes another's, and a red square is a maroon hexagon where a red
sphere is a maroon cylinder. The verbs, the directions, and what people feel ("hungry") are no names. In task 20 the rooms keep
theirs: that the hungry go to the kitchen is knowledge of the world, which no story tells; its things are renamed to others of
their kind, food to food.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from ..text import Story, words
from ..text.english import plural
from ..text.lists import read_lists
from ..text.renaming import rename_story

PEOPLE, THINGS = ("women", "men"), ("places", "objects", "colours", "shapes", "containers")
WANTED = {"apple": "food", "milk": "drink", "football": "toys", "pajamas": "bedding"}  # of task 20

SYSTEMATIC = {"Daniel": "Bill", "John": "Fred", "Sandra": "Julie"}
SYSTEMATIC_TASKS = tuple(f"qa{number}" for number in (1, 2, 3, 6, 7, 8, 9, 11, 12, 13))  # in which they change so
REVERSED_TASKS = ("qa5", "qa10", "qa14")  # and in which they change back
IN_THE_PAPERS = tuple(task for task in (*SYSTEMATIC_TASKS, *REVERSED_TASKS) if task != "qa5")  # by their code


@cache
def names_of() -> dict[str, tuple[str, ...]]:
    """The lists of ``new_names.txt``: new names by their kind, and the published ones."""
    return read_lists(__package__, "new_names.txt")


def drawn(draw: Random, kinds: Sequence[str]) -> dict[str, str]:
    """A new name for every published one of these kinds."""
    pairs = ((names_of()[f"published {kind}"], names_of()[kind]) for kind in kinds)
    return {old: new for olds, news in pairs for old, new in zip(olds, draw.sample(news, len(olds)), strict=True)}


def draw_names(draw: Random, task: str) -> dict[str, str]:
    """A new name for every person, place, thing, animal, colour, shape and container of a task."""
    names, lists = drawn(draw, PEOPLE), names_of()
    if task == "qa20":
        return names | {old: draw.choice(lists[kind]) for old, kind in WANTED.items()}
    names |= drawn(draw, THINGS)
    animals = lists["published animals"]
    for one, many, new in zip(animals, lists["published plurals"], draw.sample(lists["animals"], len(animals)), strict=True):
        names |= {one: new, many: plural(new)}
    sweet = draw.choice(lists["sweets"])
    many_sweets = dict(zip(lists["sweets"], lists["containers of sweets"], strict=True))[sweet]
    sheep = draw.choice(lists["animals whose plural is their singular"])
    return names | {"sheep": sheep, "chocolate": sweet, "box of chocolates": many_sweets}


def rename_people(task: str, stories: Sequence[Story], seed: int = 0) -> list[Story]:
    """The stories of a task with people that nobody has met, others in every story."""
    draw = Random(f"people {task} {seed}")
    return [rename_story(story, drawn(draw, PEOPLE)) for story in stories]


def rename_everything(task: str, stories: Sequence[Story], seed: int = 0) -> list[Story]:
    """The stories of a task with new names for everybody and everything, others in every story."""
    draw = Random(f"everything {task} {seed}")
    return [rename_story(story, draw_names(draw, task)) for story in stories]


def rename_systematically(task: str, stories: Sequence[Story]) -> list[Story]:
    """The stories of sys-bAbI (Park, Choi, Lee 2024, arXiv 2406.01012): people do what training has only others do.

    In tasks 1-3, 6-9 and 11-13 Daniel, John and Sandra are Bill, Fred and Julie, in tasks 5, 10 and 14 the reverse; the other
    tasks stay as they are.
    """
    if task in SYSTEMATIC_TASKS:
        return [rename_story(story, SYSTEMATIC) for story in stories]
    if task in REVERSED_TASKS:
        return [rename_story(story, {new: old for old, new in SYSTEMATIC.items()}) for story in stories]
    return list(stories)


def new_words() -> frozenset[str]:
    """Every word of the new names in small letters, but "of"; no published and no simulated story has them."""
    names = [name for kind, names in names_of().items() if not kind.startswith("published") for name in names]
    names += map(plural, names_of()["animals"])
    return frozenset(word for name in names for word in words(name)) - {"of"}

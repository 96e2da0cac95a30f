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

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from . import Story, words

Names = Mapping[str, str]

WOMEN = (
    *("Priya", "Yuki", "Ingrid", "Beatrice", "Camille", "Fatima", "Gwen", "Harriet", "Isabel", "Katya"),
    *("Leila", "Noor", "Petra", "Renata", "Svetlana", "Tamara", "Ulrike", "Wanda", "Zainab", "Brigitte"),
)
MEN = (
    *("Ahmed", "Boris", "Carlos", "Dmitri", "Enrique", "Farid", "Gustav", "Hiroshi", "Igor", "Jamal"),
    *("Kenji", "Luca", "Mateo", "Nikolai", "Omar", "Pavel", "Rashid", "Stefan", "Tariq", "Wolfgang"),
)
PLACES = (
    *("classroom", "hospital", "supermarket", "church", "castle", "restaurant", "barn", "courtyard", "cafeteria"),
    *("laboratory", "greenhouse", "tavern", "courthouse", "pharmacy", "gym", "bank", "forest", "beach"),
    *("tennis court", "swimming pool", "coffee shop", "parking lot", "lecture hall", "hair salon"),
)
OBJECTS = (
    *("laptop", "umbrella", "wallet", "guitar", "camera", "notebook", "bottle", "backpack", "violin", "candle"),
    *("hammer", "bucket", "sandwich", "newspaper", "scarf", "pocket knife", "tennis racket", "pair of scissors"),
    *("bag of flour", "sleeping bag"),
)
FOOD = ("sandwich", "pear", "pizza", "slice of toast", "banana", "cheese roll", "pretzel", "omelette")
DRINK = ("lemonade", "cider", "mineral water", "glass of juice", "cocoa", "coffee", "soda", "smoothie")
TOY = ("frisbee", "skateboard", "trampoline", "tennis racket", "deck of cards", "puzzle", "bicycle", "yoyo")
BEDDING = ("blanket", "pillow", "slippers", "hot water bottle", "quilt", "mattress", "nightgown", "sleeping bag")
ANIMALS = {  # one, many
    "hamster": "hamsters",
    "badger": "badgers",
    "donkey": "donkeys",
    "pony": "ponies",
    "goose": "geese",
    "rabbit": "rabbits",
    "leopard": "leopards",
    "turkey": "turkeys",
    "butterfly": "butterflies",
    "crocodile": "crocodiles",
    "walrus": "walruses",
    "polar bear": "polar bears",
    "guinea pig": "guinea pigs",
}
UNCHANGED = ("deer", "moose", "bison", "salmon")  # animals whose plural is their singular
COLOURS = ("purple", "brown", "black", "maroon", "violet", "turquoise", "crimson", "beige", "scarlet", "dark teal")
SHAPES = ("hexagon", "pentagon", "cylinder", "cone", "pyramid", "prism", "octagon", "diamond", "trapezoid", "spiral")
SWEETS = {  # one, and several of them in something
    "marble": "bag of marbles",
    "biscuit": "tin of biscuits",
    "cookie": "jar of cookies",
    "potato": "sack of potatoes",
    "pencil": "packet of pencils",
    "sardine": "tray of sardines",
    "brick": "pile of bricks",
}
CONTAINERS = (
    *("crate", "drawer", "wardrobe", "trunk", "barrel", "basket", "rucksack", "briefcase", "cupboard", "freezer"),
    *("shopping cart", "filing cabinet"),
)

PUBLISHED_WOMEN = ("Mary", "Sandra", "Julie", "Gertrude", "Winona", "Jessica", "Emily", "Lily")
PUBLISHED_MEN = (
    *("John", "Daniel", "Bill", "Fred", "Jeff", "Bernhard", "Greg", "Julius", "Brian"),
    *("Jason", "Antoine", "Sumit", "Yann"),
)
PUBLISHED_PLACES = ("bedroom", "kitchen", "garden", "hallway", "bathroom", "office", "park", "school", "cinema")
PUBLISHED_ANIMALS = {  # one, many
    "mouse": "mice",
    "wolf": "wolves",
    "cat": "cats",
    "swan": "swans",
    "lion": "lions",
    "frog": "frogs",
    "rhino": "rhinos",
}
PEOPLE: tuple[tuple[Sequence[str], Sequence[str]], ...] = ((PUBLISHED_WOMEN, WOMEN), (PUBLISHED_MEN, MEN))
THINGS: tuple[tuple[Sequence[str], Sequence[str]], ...] = (
    (PUBLISHED_PLACES, PLACES),
    (("apple", "football", "milk"), OBJECTS),
    (("gray", "white", "yellow", "green", "red", "blue", "pink"), COLOURS),
    (("triangle", "square", "rectangle", "sphere"), SHAPES),
    (("box", "chest", "container", "suitcase"), CONTAINERS),
)
WANTED = (("apple", FOOD), ("milk", DRINK), ("football", TOY), ("pajamas", BEDDING))  # of task 20

SYSTEMATIC = {"Daniel": "Bill", "John": "Fred", "Sandra": "Julie"}
SYSTEMATIC_TASKS = tuple(f"qa{number}" for number in (1, 2, 3, 6, 7, 8, 9, 11, 12, 13))  # in which they change so
REVERSED_TASKS = ("qa5", "qa10", "qa14")  # and in which they change back


@lru_cache
def pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of these names, whole, the longest first ("box of chocolates" before "box")."""
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b", re.IGNORECASE)


def rename_text(text: str, names: Names) -> str:
    """A text with other names: ``names`` has the new one by the old one in small letters. A capital stays a capital.

    >>> rename_text("Mice are afraid of cats.", {"mice": "polar bears", "cats": "geese"})
    'Polar bears are afraid of geese.'
    """

    def other(match: re.Match[str]) -> str:
        new = names[match[0].lower()]
        return new[0].upper() + new[1:] if match[0][0].isupper() else new[0].lower() + new[1:]

    return pattern(tuple(names)).sub(other, text) if names else text


def rename_story(story: Story, names: Names) -> Story:
    """A story with other names in its statements, questions and answers, those of lists ("milk,football") too."""
    small = {old.lower(): new for old, new in names.items()}
    questions = tuple(
        replace(one, text=rename_text(one.text, small), answer=rename_text(one.answer, small)) for one in story.questions
    )
    return Story(tuple(rename_text(text, small) for text in story.statements), questions)


def draw_people(draw: Random) -> dict[str, str]:
    """A new name for every published person, of the same gender."""
    return {old: new for olds, news in PEOPLE for old, new in zip(olds, draw.sample(news, len(olds)), strict=True)}


def draw_names(draw: Random, task: str) -> dict[str, str]:
    """A new name for every person, place, thing, animal, colour, shape and container of a task."""
    names = draw_people(draw)
    if task == "qa20":
        return names | {old: draw.choice(news) for old, news in WANTED}
    for olds, news in THINGS:
        names |= zip(olds, draw.sample(news, len(olds)), strict=True)
    for (one, many), new in zip(PUBLISHED_ANIMALS.items(), draw.sample(list(ANIMALS), len(PUBLISHED_ANIMALS)), strict=True):
        names |= {one: new, many: ANIMALS[new]}
    sweet = draw.choice(list(SWEETS))
    return names | {"sheep": draw.choice(UNCHANGED), "chocolate": sweet, "box of chocolates": SWEETS[sweet]}


def rename_people(task: str, stories: Sequence[Story], seed: int = 0) -> list[Story]:
    """The stories of a task with people that nobody has met, others in every story."""
    draw = Random(f"people {task} {seed}")
    return [rename_story(story, draw_people(draw)) for story in stories]


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
    names = [*WOMEN, *MEN, *PLACES, *OBJECTS, *FOOD, *DRINK, *TOY, *BEDDING, *COLOURS, *SHAPES, *CONTAINERS]
    names += [*ANIMALS, *ANIMALS.values(), *UNCHANGED, *SWEETS, *SWEETS.values()]
    return frozenset(word for name in names for word in words(name)) - {"of"}

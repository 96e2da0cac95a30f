"""Who, what and where a log is about, drawn from one half of the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from ..text.lists import read_lists

WORDS = read_lists(__package__, "words.txt")
HALVES = ("train", "test")
PARTS = (*HALVES, "develop", "others")  # of the forms and words; the last two were written by others, who had seen neither half
LETTERS = "ABCDEFGHJKLM"
SPREAD = 20  # numbers, of which a word gets about three before higher ones
FEW = 24  # people who have first names, titles or are teams; of more each has a first name and a surname


@dataclass(frozen=True)
class Named:
    """Somebody, something or a place; ``name`` has no article, and ``the`` says whether a text puts one before it."""

    name: str
    the: bool = False
    heavy: bool = False  # a thing that is moved, and that nobody has in his hands

    @property
    def text(self) -> str:
        """The name as a sentence has it."""
        return f"the {self.name}" if self.the else self.name

    @classmethod
    def read(cls, text: str, the: bool = False, heavy: bool = False) -> Named:
        """Of a text that may begin with an article."""
        return cls(text.removeprefix("the "), the or text.startswith("the "), heavy)


@dataclass(frozen=True)
class Cast:
    """All that a log may speak of; ``strangers`` and ``never`` are asked about and never mentioned."""

    people: tuple[Named, ...]
    things: tuple[Named, ...]
    places: tuple[Named, ...]
    never: tuple[Named, ...]
    strangers: tuple[Named, ...]


def people(draw: Random, half: str, number: int) -> list[Named]:
    """So many people and teams; no name is part of another."""
    first, last = list(WORDS[f"{half} people"]), list(WORDS[f"{half} surnames"])
    draw.shuffle(first)
    draw.shuffle(last)
    if number > FEW:
        pairs = [f"{one} {other}" for one in first for other in last]
        return [Named(name) for name in draw.sample(pairs, number)]
    teams = [Named.read(team) for team in draw.sample(WORDS[f"{half} teams"], max(1, number // 8))]
    titled = [Named(f"{draw.choice(('Dr', 'Ms', 'Mr'))} {name}") for name in last[: number // 6]]
    return [*teams, *titled, *map(Named, first)][:number]


def numbered(draw: Random, words: Sequence[str]) -> Iterator[str]:
    """Words with numbers, the same word again and again: "pump 7", "pump 12"."""
    for least in count(1, SPREAD):
        yield from draw.sample(
            [f"{word} {number}" for word in words for number in range(least, least + SPREAD)], 3 * len(words)
        )


def things(draw: Random, half: str, number: int) -> list[Named]:
    """So many things, half of them too heavy to be in somebody's hands."""
    found: dict[str, Named] = {}
    for kind in ("heavy", "light"):
        wanted, nouns = len(found) + (number + 1) // 2, list(WORDS[f"{half} {kind}"])
        draw.shuffle(nouns)
        coloured, counted = nouns[: len(nouns) // 2], nouns[len(nouns) // 2 :]
        colours = [Named(f"{colour} {noun}", True, kind == "heavy") for noun in coloured for colour in WORDS[f"{half} colours"]]
        names = [*draw.sample(colours, min(len(colours), number // 5 + 1))]
        names += [Named(name, True) for name in draw.sample(WORDS[f"{half} single"], min(6, number // 8))] * (kind == "light")
        names += [Named(name, False, kind == "heavy") for name in islice(numbered(draw, counted), number)]
        for one in names:
            if len(found) < wanted:
                found.setdefault(one.name, one)
    return list(found.values())


def places(draw: Random, half: str, number: int) -> list[Named]:
    """So many places: rooms, and what has a number or a letter."""
    rooms = [
        Named(room, True) for room in draw.sample(WORDS[f"{half} rooms"], min(len(WORDS[f"{half} rooms"]), number // 3 + 1))
    ]
    words = list(WORDS[f"{half} places"])
    draw.shuffle(words)
    lettered = [Named(f"{word} {letter}") for letter in LETTERS for word in words[:3]]
    counted = (Named(name) for name in numbered(draw, words[3:]))
    half_left = (number - len(rooms)) // 2
    found = [*rooms, *lettered[:half_left]]
    return [*found, *islice(counted, number - len(found))]


def cast(draw: Random, half: str, number: tuple[int, int, int]) -> Cast:
    """A cast of so many people, things and places of one part. Raises ValueError for another part."""
    if half not in PARTS:
        raise ValueError(f"there is no part {half!r} of the words; expected {', '.join(PARTS[:-1])} or {PARTS[-1]}")
    found = people(draw, half, number[0]), things(draw, half, number[1]), places(draw, half, number[2])
    used = {one.name for one in found[1]}
    never = [Named(name, True) for name in WORDS["never"]]
    missing = (f"{one.rsplit(' ', 1)[0]} {extra}" for extra in range(900, 990, 7) for one in sorted(used) if one[-1].isdigit())
    never += [Named(name) for name in islice((one for one in missing if one not in used), len(never))]
    for part in found:
        draw.shuffle(part)
    first, second, third = map(tuple, found)
    return Cast(first, second, third, tuple(never), tuple(map(Named, WORDS["strangers"])))

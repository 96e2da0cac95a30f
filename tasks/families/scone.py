"""SCONE (Long, Pasupat and Liang 2016, arXiv 1606.05378): five instructions written by people, the state after each of them.

    Beaker 1 has green, green. Beaker 2 has nothing. ... Beaker 7 has red.
    pour the red chemical into the first beaker
    Beaker 1 has? <TAB> green,green,red

A story opens with a statement for every place of the world, then come the instructions. After each of them every place is asked
for, so that the answers after the last are the final state, and the family's score is how many of these are right as a whole;
by kind of question, which is the number of instructions before it, it is the same of the states in between.
A place has up to four units of liquid, the lowest first (``alchemy``), a person's shirt and hat (``scene``), or a shape
(``tangrams``). No licence is stated: the files are read where somebody has them, and shipped by nobody here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..files import DataError
from ..text import Question, Story
from .archive import places
from .family import Family, Fetch, NotAtHand, Task

ADDRESS = "https://github.com/lil-lab/scone"
FOLDER = Path("families") / "scone"
FILES = {"train": "train_sequences.json", "valid": "dev_sequences.json", "test": "test_sequences.json"}
COLOURS = {"b": "brown", "g": "green", "o": "orange", "p": "purple", "r": "red", "y": "yellow"}
NOTHING, EMPTY = "nothing", "_"
INSTRUCTIONS = 5  # of a sequence
CELL = re.compile(r"(\d+):(\S+)")


class World(NamedTuple):
    """What a member's states are made of."""

    title: str
    place: str  # what a place is called
    number: int  # of places
    most: int  # letters of a place
    words: Mapping[str, str]  # letter -> word
    symmetric: tuple[str, ...]  # words that the world treats alike: any may be swapped with any other
    closes_up: bool = False  # whether the last places are not written where what stood there has moved up


SHAPES = {letter: f"shape-{letter.lower()}" for letter in "ABCDE"}
MIXABLE = ("green", "orange", "purple", "red", "yellow")  # brown is what mixing makes
WORLDS = {
    "alchemy": World("seven beakers of coloured liquids", "Beaker", 7, 4, COLOURS, MIXABLE),
    "scene": World("people in shirts and hats on ten places", "Place", 10, 2, COLOURS | {"b": "blue"}, ("blue", *MIXABLE)),
    "tangrams": World("five shapes in a row", "Position", 5, 1, SHAPES, tuple(SHAPES.values()), closes_up=True),
}


def contents(state: str, world: World) -> list[str]:
    """What each place holds, as an answer, of a state as the files write it. Raises ValueError, which says what is wrong.

    >>> contents("1:gg 2:_ 3:r", WORLDS["alchemy"]._replace(number=3))
    ['green,green', 'nothing', 'red']
    """
    found: list[str] = []
    for number, cell in enumerate(state.split(), 1):
        match = CELL.fullmatch(cell)
        if match is None or int(match[1]) != number:
            raise ValueError(f"expected place {number} as '{number}:{next(iter(world.words))}', found {cell!r}")
        letters = match[2].replace(EMPTY, "")
        strange = [letter for letter in letters if letter not in world.words]
        if strange:
            raise ValueError(f"place {number} has {strange[0]!r}, expected one of {' '.join(world.words)} or {EMPTY}")
        if len(letters) > world.most:
            raise ValueError(f"place {number} has {len(letters)} letters, expected at most {world.most}")
        if match[2].startswith(EMPTY) and letters:
            raise ValueError(f"place {number} is {match[2]!r}: what is empty comes after what is not")
        found.append(",".join(world.words[letter] for letter in letters) or NOTHING)
    if len(found) > world.number or (len(found) < world.number and not world.closes_up):
        raise ValueError(f"it has {len(found)} places, expected {world.number}")
    return [*found, *[NOTHING] * (world.number - len(found))]


def story_of(saved: Mapping[str, Any], world: World) -> Story:
    """A sequence of the files as a story. Raises KeyError, TypeError or ValueError where it is none."""
    names = [f"{world.place} {number}" for number in range(1, world.number + 1)]
    places, first = len(saved["initial_env"].split()), contents(saved["initial_env"], world)
    if places != world.number:
        raise ValueError(f"its first state has {places} places, expected {world.number}")
    if len(saved["utterances"]) != INSTRUCTIONS:
        raise ValueError(f"it has {len(saved['utterances'])} instructions, expected {INSTRUCTIONS}")
    told = [f"{name} has {', '.join(held.split(','))}." for name, held in zip(names, first, strict=True)]
    questions: list[Question] = []
    for number, step in enumerate(saved["utterances"], 1):
        told.append(" ".join(step["instruction"].split()))
        if not told[-1]:
            raise ValueError(f"instruction {number} is empty")
        before, places, held = places, len(step["after_env"].split()), contents(step["after_env"], world)
        if abs(places - before) > 1:
            raise ValueError(f"the state after instruction {number} has {places} places, expected about {before}")
        asked = zip(names, held, strict=True)
        questions += [Question(f"{name} has?", one, (), len(told), kind=f"after {number}") for name, one in asked]
    return Story(tuple(told), tuple(questions))


def stories_of(content: bytes, path: Path, world: World) -> list[Story]:
    """The stories of a file. Raises :class:`DataError`, which names the file, the sequence and what was expected."""
    try:
        sequences = json.loads(content)
        if not isinstance(sequences, list) or not sequences:
            raise ValueError("expected a list of sequences")
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is not a file of SCONE ({error}); get it from {ADDRESS}") from error
    found = []
    for number, saved in enumerate(sequences, 1):
        try:
            found.append(story_of(saved, world))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            name = saved.get("identifier", number) if isinstance(saved, dict) else number
            raise DataError(
                f"{path}, sequence {name}: {what}; expected initial_env, and {INSTRUCTIONS} utterances with instruction and "
                f"after_env; get the file anew from {ADDRESS}"
            ) from error
    return found


def load(member: str, seed: int = 0, data: Path | None = None) -> Task:
    """One of the three. Raises :class:`NotAtHand` where its files are nowhere, :class:`DataError` where one is changed."""
    looked = [place for _, folder in places(data) for place in (folder / FOLDER / member, folder / member, folder)]
    folder = next((one for one in looked if all((one / file).is_file() for file in FILES.values())), None)
    if folder is None:
        raise NotAtHand(
            f"scone/{member} is not here (looked in {' or '.join(map(str, looked))}): get {', '.join(FILES.values())} "
            f"of data/{member} from {ADDRESS} and put them into the first of these folders"
        )
    digest, parts = hashlib.sha256(), {}
    for part, file in FILES.items():
        content = (folder / file).read_bytes()
        digest.update(content)
        parts[part] = stories_of(content, folder / file, WORLDS[member])
    return Task(f"scone/{member}", parts["train"], {"test": parts["test"]}, digest.hexdigest()[:12], parts["valid"])


FAMILIES = (
    Family(
        "scone",
        "SCONE: what people's instructions do to a small world",
        {name: world.title for name, world in WORLDS.items()},
        load,
        "published",
        score="state",
        fails_above=50.0,
        symmetric={name: (world.symmetric,) for name, world in WORLDS.items()},
        fetch=Fetch(f"{ADDRESS}, data", "10 MB", "none is published"),
        licence="none stated: do not redistribute",
    ),
)

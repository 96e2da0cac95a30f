"""Several numbered things that are named together, as a reader sees them one by one.

    Pumps 3 and 4 were serviced.      is read as   Pump 3 and pump 4 were serviced.
    Valves 21 to 23 leak.             is read as   Valve 21, valve 22 and valve 23 leak.
    Both pumps were tested.           is read as   Pump 3 and pump 4 were tested.        where these are meant

"Both pumps" are the two that were named together last before, or else the only two that are known. "The pumps" are those that
were named together last before, or else all; "all pumps" are all that are known.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memnet.ask.answer import listed
from memnet.tasks.text.english import function_words, kinds_of_word, plurals, singular

MOST = 20  # things of one range
ONE = r"(?:\d{1,4}[A-Za-z]?|[A-HJ-Z])"
AND = r"\s*,?\s*(?:and|&|or)\s+"
FEW = rf"(?P<few>{ONE}(?:\s*,\s*{ONE})*{AND}{ONE})"
RANGE = r"(?P<first>\d{1,4})\s*(?:to|through|[-–])\s*(?P<last>\d{1,4})"
LIST = re.compile(rf"(?<![\w-])(?P<noun>[^\W\d_]{{3,}})\s+(?:{FEW}|{RANGE})(?![\w-]|[.:,/]\d)")
AFTER = re.compile(  # what may follow a list behind a singular: "pump 3 and 4 were", but not "page 3 and 4 people"
    r"\s*(?:[.,;:!?)]|$)|\s+(?:is|are|was|were|has|have|had|in|on|at|to|from|by|with|for|again|did|do|does)\b"
)
OF_PLURALS = ("both", "both of the", "all", "all the", "all of the", "the", "the two")
EVERY = (*OF_PLURALS, "every", "each")
OTHERS = r"(?!\s+(?:\d|[A-Z]\b|(?:of|that|which|who)\b))"  # "the pumps of hall 4" are others


def spread(text: str) -> str:
    """A text in which numbered things that are named together are named one by one.

    >>> spread("Pumps 3 and 4 run."), spread("Valves 1-3 leak."), spread("Ann moved pump 3 and 4 to bay 7.")
    ('Pump 3 and pump 4 run.', 'Valve 1, valve 2 and valve 3 leak.', 'Ann moved pump 3 and pump 4 to bay 7.')
    >>> spread("Feed pumps 3 and 4 run."), spread("Ann opened sluice gates 1 and 2.")
    ('Feed pump 3 and feed pump 4 run.', 'Ann opened sluice gate 1 and sluice gate 2.')
    >>> spread("It rained for 3 and 4 days."), spread("See page 3 and 4 people.")
    ('It rained for 3 and 4 days.', 'See page 3 and 4 people.')
    """
    return LIST.sub(one_by_one, text)


def one_by_one(found: re.Match[str]) -> str:
    """What stands for a list of numbers behind a noun; the same where it may be no list."""
    noun, low, numbers = found["noun"], found["noun"].lower(), numbers_of(found)
    one = singular_of(low)
    if len(numbers) < 2 or (one == low and not (is_noun(low) and AFTER.match(found.string, found.end()))):
        return found[0]
    before = "".join(f"{word} " for word in modifiers(found.string[: found.start()]))
    told = named(f"{before}{one}", numbers, not before and noun[0].isupper())
    return told[len(before) :] if before else told


def modifiers(before: str) -> list[str]:
    """The nouns of a compound that a text ends with, in small letters: "sluice" before "gates 1 and 2", at most two."""
    words = list[str]()
    for word in reversed(before.lower().split()[-2:]):
        if not word.isalpha() or not (is_noun(word) or word.endswith("ing")):
            break
        words.insert(0, word)
    return words


def named(noun: str, numbers: Sequence[str], capital: bool) -> str:
    """Things one by one, the first with a capital where the sentence begins with it."""
    told = listed([f"{noun} {number}" for number in numbers])
    return told[:1].upper() + told[1:] if capital else told


def numbers_of(found: re.Match[str]) -> list[str]:
    """The numbers of a list or of a range; none of a range of too many."""
    if found["few"]:
        return re.findall(ONE, re.sub(r"\b(?:and|or)\b", " ", found["few"]))
    first, last = int(found["first"]), int(found["last"])
    return [*map(str, range(first, last + 1))] if first < last < first + MOST else []


def is_noun(low: str) -> bool:
    """Whether a word may be a noun whose things have numbers."""
    return low not in function_words() and "NOUN" in kinds_of_word(low)


@lru_cache(maxsize=1 << 12)
def singular_of(low: str) -> str:
    """The singular of a noun in small letters."""
    return singular(low)


class Groups:
    """The things of a noun that have numbers, as sentences name them; ``told`` are places and texts, ascending."""

    def __init__(self, noun: str, told: Iterable[tuple[int, str]]) -> None:
        *before, head = noun.split()
        forms = "|".join(re.escape(" ".join([*before, form])) for form in sorted({head, *plurals(head)}))
        self.noun, self.one = noun, re.compile(rf"\b(?:{forms})\s+({ONE})(?![\w-])", re.IGNORECASE)
        self.several = re.compile(
            rf"\b({'|'.join(sorted(EVERY, key=len, reverse=True))})\s+(?:{forms})\b{OTHERS}", re.IGNORECASE
        )
        named = [(place, [*dict.fromkeys(self.one.findall(text))]) for place, text in told]
        self.known = sorted({number for _, numbers in named for number in numbers}, key=lambda one: (len(one), one))
        self.together = [(place, numbers) for place, numbers in named if len(numbers) > 1]

    def read(self, text: str, place: int) -> str:
        """A text at a place with the things one by one that "both", "all" or "the" means; the same where that is not known."""

        def told(found: re.Match[str]) -> str:
            numbers = self.meant(found[1].lower(), place)
            return named(self.noun, numbers, found[0][0].isupper()) if len(numbers) > 1 else found[0]

        return self.several.sub(told, text)

    def meant(self, word: str, place: int) -> list[str]:
        """The numbers of the things that a word means at a place."""
        at, two = bisect_left(self.together, (place, [])), word.startswith("both") or word.endswith("two")
        before = self.together[at - 1][1] if at else []
        if word.startswith(("all", "every", "each")):
            return self.known
        if two and len(before) != 2:
            return self.known if len(self.known) == 2 else []
        return before or self.known


def noun_of(key: Sequence[str]) -> str:
    """The noun of a numbered thing, with one before it; nothing where the key is no such thing.

    >>> noun_of(("seal", "of", "pump", "7")), noun_of(("sluice", "gate", "2")), noun_of(("ann",))
    ('pump', 'sluice gate', '')
    """
    if len(key) < 2 or not (key[-1][0].isdigit() or len(key[-1]) == 1) or not key[-2].isalpha():
        return ""
    before = [word for word in key[-3:-2] if word.isalpha() and word not in function_words()]
    return " ".join([*before, key[-2]])

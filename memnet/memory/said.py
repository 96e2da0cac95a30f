"""What a sentence says was done: whether its verb is a deed that is asked for, of the same names, and by whom.

What is denied, wished, planned or asked is no deed. Written by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import and_
from typing import NamedTuple

from memnet.facts.names import DETERMINERS, INDEFINITE, NAMELESS, SEVERAL, SPEAKERS, Key, key_of, speaker_of
from memnet.memory.clauses import BE, BEFORE_NAMES, HAVE, LINKS, UNREAL, before, behind, in_words
from memnet.memory.dates import A_DATE
from memnet.memory.verbs import is_verb, verbs_of
from memnet.tasks.text.english import kinds_of_word, of_class
from memnet.tasks.text.tokens import NUMBER_WORDS, join, split

TIMES = {"once": 1, "twice": 2}
PARTICLES = of_class("down out off away back")  # "checked out" is no check
OPEN_ENDED = of_class("on in")  # particles only where a sentence ends with them
ATTACHED = of_class("to onto into")  # "fixed to the wall" is no repair
LONGEST_NAME = 8  # words of who did it


class Deed(NamedTuple):
    """What a question asks of: who does it and what it is done to, where it names them, and what else it says of it."""

    verb: str  # "" where only verbs count that say the same
    subject: Key
    objects: tuple[Key, ...]
    passive: bool
    same: frozenset[str] = frozenset()  # verbs that say the same
    particle: str = ""  # "off" of "turned off"


def says(text: str, deed: Deed) -> bool:
    """Whether a sentence says that it was done.

    >>> ben = Deed("repair", ("ben",), (("pump", "7"),), False)
    >>> says("Pump 7 was repaired by Ben.", ben), says("Ben has not repaired pump 7.", ben)
    (True, False)
    """
    return next(told(text, deed), None) is not None


def doer(text: str, deed: Deed) -> str:
    """Who did it, as a sentence says; empty where it does not name anybody.

    >>> repair = Deed("repair", (), (("pump", "7"),), False)
    >>> doer("Pump 7 was repaired by Ben on Monday.", repair), doer("Ann and Bob repaired pump 7.", repair)
    ('Ben', 'Ann and Bob')
    """
    return next((one for words, at, passive in told(text, deed) if (one := agent(words, at, passive))), "")


def told(text: str, deed: Deed) -> Iterator[tuple[list[str], int, bool]]:
    """The words of a sentence, where in it a verb says the deed, and whether in the passive."""
    speaker, words = speaker_of(text), in_words(text)
    if text.rstrip().endswith("?"):
        return
    if speaker:
        words = [speaker if word.lower() in SPEAKERS else word for word in words[len(split(speaker)) :]]
    for at, word in enumerate(words):
        verbs = verbs_of(word.lower())
        if not verbs.isdisjoint({deed.verb} if deed.verb else deed.same):
            passive = is_done(words, at, deed, key_of(speaker))
            if passive is not None:
                yield words, at, passive


def is_helped(near: Sequence[str]) -> bool:
    """Whether a verb behind these words is a passive: "was", "was quickly"."""
    helped = next((number for number in range(len(near), 0, -1) if near[number - 1] in BE), 0)
    return helped > 0 and all(word in LINKS | BE or word.endswith("ly") for word in near[helped:])


def is_bare(after: Sequence[str]) -> bool:
    """Whether a verb has no object behind it: "Pump 7 repaired by Ben"."""
    told = [word.lower() for word in after if word.lower() not in LINKS]
    return not told or told[0] in BEFORE_NAMES or told[0].endswith("ly")


def is_done(words: Sequence[str], at: int, deed: Deed, speaker: Key) -> bool | None:
    """Whether the verb at a place of a sentence says this deed, of its names, in the passive; None where it says another."""
    lead, every = before(words, at), {word.lower() for word in words[:at]}
    near = [word.lower() for word in lead[-4:]]
    if not UNREAL.isdisjoint(near) or not {"if", "unless", "until", "whether"}.isdisjoint(every):
        return None
    after = without_particle(behind(words, at), deed.particle)
    if after is None or not (deed.verb or ATTACHED.isdisjoint(map(str.lower, after))):
        return None
    helped = is_helped(near)
    bare = not helped and HAVE.isdisjoint(near) and is_bare(after)
    patient, agent = (deed.subject, by_whom(deed)) if deed.passive else (deed.objects[0] if deed.objects else (), deed.subject)
    more = [one for one in deed.objects[1:] if not (deed.passive and one[:1] == ("by",))]
    rest = key_of(" ".join(words[at + 1 :]))
    if not all(holds(rest, one) for one in more):
        return None
    if patient and (helped or bare) and ends_with(lead, patient):
        return True if not agent or holds(rest, ("by", *agent)) else None
    if helped or (not agent and not patient):
        return None
    by = not agent or ends_with(lead, agent) or (agent == speaker and not every)
    return False if by and (not patient or begins_with(after, patient)) else None


def without_particle(after: Sequence[str], particle: str) -> list[str] | None:
    """What stands behind a verb without its particle; None where it has another: "turned on" is not "turned off"."""
    low = [word.lower() for word in after]
    if particle:
        place = low.index(particle) if particle in low else -1
        return [*after[:place], *after[place + 1 :]] if place >= 0 else None
    has_one = bool(low) and (low[0] in PARTICLES or low[-1] in PARTICLES | OPEN_ENDED)
    return None if has_one else [*after]


def agent(words: Sequence[str], at: int, passive: bool) -> str:
    """Who did what the verb at a place says; empty where the words before it or behind "by" are no name."""
    low = [word.lower() for word in words]
    if passive:
        if "by" not in low[at:]:
            return ""
        name = list[str]()
        for word in words[low.index("by", at) + 1 :]:
            if word.lower() in BEFORE_NAMES | LINKS - {"and"} or word in ",;:()" or is_verb(word):
                break
            name.append(word)
    else:
        lead = before(words, at)
        first = next((place for place, word in enumerate(lead) if place and is_verb(word)), len(lead))
        name = [word for word in lead[:first] if word.lower() not in LINKS - {"and"} | HAVE and not low_adverb(word)]
    if dated := A_DATE.match(join(name)):
        name = split(join(name)[dated.end() :])
    while name and name[-1].lower() in ("and", ",", "then"):
        name.pop()
    while name and name[0] == ",":
        name = name[1:]
    shown = name[1:] if name and name[0].lower() in DETERMINERS else name
    named = bool(shown) and len(shown) <= LONGEST_NAME and shown[0].lower() not in NAMELESS | INDEFINITE
    said = ",".join(SEVERAL.split(join(shown))) if "," in shown else join(shown)  # a list, as answers have it
    return said if named and BEFORE_NAMES.isdisjoint(word.lower() for word in shown[:1]) else ""


def low_adverb(word: str) -> bool:
    """Whether a word is an adverb such as "quickly", and no name."""
    return word.islower() and word.endswith("ly") and "NOUN" not in kinds_of_word(word)


def by_whom(deed: Deed) -> Key:
    """Who does it, of a deed in the passive; nobody where the question does not say."""
    return next((one[1:] for one in deed.objects if one[:1] == ("by",)), ())


def holds(key: Key, part: Key) -> bool:
    """Whether words have others side by side."""
    return any(key[first : first + len(part)] == part for first in range(len(key) - len(part) + 1))


def ends_with(words: Sequence[str], name: Key) -> bool:
    """Whether what stands before a verb is its subject: this name, and others beside it."""
    shown = [(place, word) for place, word in enumerate(words) if word.lower() not in DETERMINERS]
    keys = [key_of(word) for _, word in shown]
    for first in range(len(shown) - len(name), -1, -1):
        if tuple(part for key in keys[first : first + len(name)] for part in key) != name:
            continue
        start = shown[first][0] if name else len(words)
        prior = before_list([word for word in words[:start] if word.lower() not in DETERMINERS])
        end = shown[first + len(name) - 1][0] + 1 if first + len(name) else 0
        between = [word for word in words[end:] if word.lower() not in BE | HAVE]
        if prior in BEFORE_NAMES or (between and (between[0].lower() in ("'s", "’s") or between[0][0].isdigit())):
            continue
        links = [word for word in between if not (word.lower() in LINKS or word == "," or word.lower().endswith("ly"))]
        shared = bool(between) and between[-1].lower() in LINKS  # "Ann called Bob and repaired it"
        if not links or (shared and any(map(is_verb, links))) or is_list(links):
            return True
    return False


def is_list(words: Sequence[str]) -> bool:
    """Whether words are names beside another: "Bob", "pump 4 pump 5"."""
    numbers = [word[0].isdigit() or len(word) == 1 for word in words]
    numbered = numbers[-1] and not any(map(is_verb, words)) and not any(map(and_, numbers, numbers[1:]))
    return all(word[0].isupper() for word in words) or numbered


def before_list(words: Sequence[str]) -> str:
    """The word before the list of names that words end with, in small letters: "of" for "the seals of pump 3 and"."""
    left = [*words]
    while left and left[-1].lower() in ("and", ","):
        while left and left[-1].lower() in ("and", ","):
            left.pop()
        while left and left[-1].lower() not in ("and", ",", *BEFORE_NAMES) and not is_verb(left[-1]):
            left.pop()
    return left[-1].lower() if left else ""


def begins_with(words: Sequence[str], name: Key) -> bool:
    """Whether what stands after a verb is its object: this name, and others beside it."""
    told: list[str] = []
    for place, word in enumerate(words):
        adjective = place == 0 or words[place - 1].lower() in DETERMINERS  # "mended the torn belt"
        if (is_verb(word) and not adjective) or (word.lower() in BEFORE_NAMES and told and word.lower() not in name):
            break
        told.append(word)
    shown = [(place, word) for place, word in enumerate(told) if word.lower() not in DETERMINERS]
    keys = [key_of(word) for _, word in shown]
    for first in range(len(shown) - len(name) + 1):
        end = first + len(name)
        if tuple(part for key in keys[first:end] for part in key) == name and name:
            return not goes_on(told[shown[end - 1][0] + 1 :])
    return not name


def goes_on(rest: Sequence[str]) -> bool:
    """Whether a name goes on with these words: "the pump" with "cover", not with "this morning"."""
    if not rest or rest[0].lower() in DETERMINERS | NAMELESS | {"and", "or", ","}:
        return False
    kinds, listed = kinds_of_word(rest[0].lower()), len(rest) > 1 and rest[1][0].isdigit()
    return not listed and (rest[0][0].isdigit() or ("NOUN" in kinds and "ADV" not in kinds))


def times(text: str) -> int:
    """How often a sentence says that it was done: "twice", "three times"."""
    words = [word.lower() for word in split(text)]
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word in TIMES:
            return TIMES[word]
        if after == "times" and (word.isdigit() or word in NUMBER_WORDS):
            return int(word) if word.isdigit() else NUMBER_WORDS.index(word)
    return 1

"""Two names of one thing in a log: "belt loader 6 (BL-06)" says that BL-06 is belt loader 6, also where it stands alone.

So does a line that says what else it is called (:mod:`~memnet.memory.called`).

Sentences are read with the name that a question has. What a code stands behind in several places ends with its name; where it
stands behind one, the name is what begins there: "Opening check: belt loader 6 (BL-06) is on stand 4."
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from memnet.facts.names import Key, key_of
from memnet.memory.called import groups_of, lines_that_say
from memnet.memory.files import Extent
from memnet.memory.long_memory import LongMemory
from memnet.memory.numbering import Numbering
from memnet.tasks.text.english import function_words, in_dictionary, kinds_of_word

CODE = re.compile(r" \((?P<code>[A-Z]{1,6}[- ]?\d{1,5})\)")
MARKS = re.compile(r"[(),;:.]")
BEFORE = 80  # characters before a code in which its name stands
SHORT_CODE = re.compile(r"[a-z]{1,5}-?\d{1,5}[a-z]?", re.IGNORECASE)
OF_A_CODE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w-]+")
LONGEST = 4  # words of a name
OF_NAMES = re.compile(
    r"\b(?:call|called|names?|named|nicknames?|means?|known)\b|^(?:what|who)(?:'s| is| are) \S+(?: \S+){0,3}$", re.I
)
NAMED = "Names."  # how a line is read that says what else a thing is called, where that is not asked
SHORT = 12  # words of a line that says no more
LOOKED_AT = 3000  # entries of a memory in which things may have two names, the newest, and a quarter as many of the oldest


class Alias(NamedTuple):
    """A name and the code that is written behind it."""

    name: str
    code: str


class Rewriting(NamedTuple):
    """How a thing of a question is read: everywhere by the name that the question has."""

    asked: str
    pattern: re.Pattern[str]  # its names in a text
    key: Key  # of the name asked
    others: tuple[Key, ...]
    says_so: frozenset[str] = frozenset()  # lines that say what else it is called, and no more

    def read(self, text: str) -> str:
        """A text with the name that is asked for.

        >>> Rewriting.of(Alias("belt loader 6", "BL-06"), "Where is BL-06?").read("Belt loader 6 (BL-06) towed, BL-06 is back.")
        'BL-06 towed, BL-06 is back.'
        """

        def named(found: re.Match[str]) -> str:
            return self.asked[:1].upper() + self.asked[1:] if found.start() == 0 else self.asked

        return NAMED if text in self.says_so else self.pattern.sub(named, text)

    def of_the_others(self, words: Sequence[str]) -> list[Key]:
        """The words of a key with each of the other names; none where they do not name the thing.

        >>> Rewriting.of(Alias("belt loader 6", "BL-06"), "Where is belt loader 6?").of_the_others(("loader", "6"))
        [('bl-06',)]
        """
        core = self.key[-2:] if self.key[-1:] and self.key[-1].isdigit() else self.key
        if not {*core} <= {*words}:
            return []
        return [(*(word for word in words if word not in self.key), *other) for other in self.others]

    @classmethod
    def of(cls, alias: Alias, question: str) -> Rewriting | None:
        """How the thing is read for a question; None where it is not named."""
        name, code = (pattern_of(one) for one in alias)
        found = re.search(code, question) or re.search(name, question, re.IGNORECASE)
        if found is None:
            return None
        other = alias.name if found[0] == alias.code else alias.code
        pattern = re.compile(rf"{name} \({re.escape(alias.code)}\)|{name}|{code}", re.IGNORECASE)
        return cls(found[0], pattern, key_of(found[0]), (key_of(other),))

    @classmethod
    def among(cls, names: Sequence[str], question: str) -> Rewriting | None:
        """The same of a thing with several names, by the longest of them that a question has.

        >>> Rewriting.among(("big wrench", "goliath", "tw-2"), "Who has Goliath?").read("Ann took TW-2, no big wrench")
        'Ann took Goliath, no Goliath'
        >>> Rewriting.among(("big wrench", "tw-2", "wrench"), "Where is the big wrench?").read("the big wrench or TW-2")
        'the big wrench or big wrench'
        """
        for name in sorted(names, key=len, reverse=True):
            if found := re.search(pattern_of(name), question, re.IGNORECASE):
                pattern = re.compile("|".join(map(pattern_of, sorted(names, key=len, reverse=True))), re.IGNORECASE)
                return cls(found[0], pattern, key_of(found[0]), tuple(key_of(one) for one in names if one != name))
        return None


def pattern_of(name: str) -> str:
    """A name as it stands in a text, not inside another, with articles within it or without."""
    words = r"\s(?:(?:the|an?)\s)?".join(map(re.escape, name.split()))
    return rf"(?<![\w-]){words}(?![\w-]|\s\d)"


def aliases_in(texts: Iterable[str]) -> tuple[Alias, ...]:
    """The things with two names.

    >>> aliases_in(["Ann took tug 1 (TUG-01) out.", "Bo washed tug 1 (TUG-01).", "Check: the water truck (WTR-1) is in."])
    (Alias(name='tug 1', code='TUG-01'), Alias(name='water truck', code='WTR-1'))
    >>> aliases_in(["Job J24 (SP-03) was opened.", "Bo closed job J24 (SP-03).", "Bogie 32 passed its test (Joe T.)."])
    ()
    """
    before = defaultdict[str, dict[tuple[str, ...], bool]](dict)
    for text in texts:
        for found in CODE.finditer(text):
            first = max(0, found.start() - BEFORE)
            first = max([first, *(mark.end() for mark in MARKS.finditer(text, first, found.start()))])
            words, prior = tuple(text[first : found.start()].lower().split()), text[:first].rstrip()
            longest = LONGEST if prior.endswith(":") else 0 if prior else LONGEST - 1  # "Ann took tug 1" has four
            before[found["code"]][words[-LONGEST - 1 :]] = len(words) <= longest
    every = [Alias(name, code) for code, behind in before.items() if (name := name_of(behind))]
    times = Counter(one.name for one in every)
    return tuple(sorted(one for one in every if times[one.name] == 1))


def may_name(word: str) -> bool:
    """Whether a word may be of a thing's name: no "the", no "took"."""
    kinds = kinds_of_word(word)
    return word not in function_words() and (not kinds.isdisjoint(("NOUN", "ADJ")) or not (kinds or in_dictionary(word)))


def name_of(behind: dict[tuple[str, ...], bool]) -> str:
    """The name that all of the words before a code end with; of one place those that begin there."""
    every = [*behind]
    if len(every) == 1 and not behind[every[0]]:
        return ""
    common = list[str]()
    for words in zip(*(one[::-1] for one in every), strict=False):
        if len({*words}) > 1:
            break
        common.insert(0, words[0])
    last = max((place for place, word in enumerate(common) if not may_name(word)), default=-1)
    common = common[last + 1 :]
    return "" if not common or len(common) > LONGEST or OF_A_CODE.fullmatch(common[-1]) else " ".join(common)


def code_among(names: Sequence[str]) -> str:
    """The name that a thing has in lists: its code in capitals, else the first of its names with a figure, else the first.

    >>> code_among(("goliath", "tw-2")), code_among(("giraffe", "ladder 3")), code_among(("coal", "black bean"))
    ('TW-2', 'ladder 3', 'coal')
    """
    code = next((name for name in names if SHORT_CODE.fullmatch(name)), None)
    return code.upper() if code else next((name for name in names if any(map(str.isdigit, name))), names[0])


class Coded(NamedTuple):
    """How texts are read in which things with several names have their codes alone."""

    pattern: re.Pattern[str] | None
    codes: dict[str, str]  # by their names

    @classmethod
    def of(cls, aliases: Sequence[Alias], called: Sequence[Sequence[str]] = ()) -> Coded:
        """Of names with a code, and of the names of each thing; the longest name first: "water truck" is no truck."""
        codes = {name: code for names in called for code in [code_among(names)] for name in names if name != code.lower()}
        codes |= {one.name: one.code for one in aliases}
        names = sorted(map(pattern_of, codes), key=len, reverse=True)
        pattern = re.compile(rf"(?P<name>{'|'.join(names)})(?: \((?P<code>[^()]+)\))?", re.IGNORECASE) if names else None
        return cls(pattern, codes)

    def read(self, text: str) -> str:
        """A text with codes.

        >>> coded = Coded.of([Alias("tug 1", "TUG-01"), Alias("truck", "TR-1"), Alias("water truck", "WTR-1")])
        >>> coded.read("Tug 1 (TUG-01) towed the water truck (Ann) to tug 12.")
        'TUG-01 towed the WTR-1 (Ann) to tug 12.'
        """

        def named(found: re.Match[str]) -> str:
            code = self.codes.get(found["name"].lower(), found["name"])  # some letters have two small forms
            return code if found["code"] in (None, code) else code + found[0][len(found["name"]) :]

        return text if self.pattern is None else self.pattern.sub(named, text)


class Known(NamedTuple):
    """The things of a memory that have several names: with a code, with what else they are called, with a number."""

    extent: Extent
    aliases: tuple[Alias, ...]
    called: tuple[tuple[str, ...], ...]
    says_so: frozenset[str]  # lines that say what else a thing is called, and no more
    numbering: Numbering


KNOWN = WeakKeyDictionary[LongMemory, Known]()


def aliases_of(memory: LongMemory) -> tuple[Alias, ...]:
    """The things with a name and a code behind it in a memory."""
    return known_of(memory).aliases


def coded_of(memory: LongMemory) -> Coded:
    """How the texts of a memory are read with codes."""
    known = known_of(memory)
    return Coded.of(known.aliases, known.called)


def known_of(memory: LongMemory) -> Known:
    """The things with several names in a memory."""
    extent = memory.extent()
    known = KNOWN.get(memory)
    if known is None or known.extent != extent:
        last = max(extent.sentences - LOOKED_AT, 0)
        numbers = np.array(sorted({*range(min(LOOKED_AT // 4, extent.sentences)), *range(last, extent.sentences)}), np.int64)
        told = memory.files.texts(numbers[memory.files.marks.alive(numbers)].tolist())
        aliases = aliases_in(told)
        of_codes = {(*sorted((one.name.lower(), one.code.lower())),) for one in aliases}
        said = lines_that_say(told) if extent.times else []  # a book says "called" of many who are no thing of a log
        groups = groups_of([*(names for names, _ in said), *sorted(of_codes)])
        called = [one for one in groups if one not in of_codes]
        says_so = frozenset(text for _, text in said if len(text.split()) <= SHORT)
        KNOWN[memory] = known = Known(extent, aliases, tuple(called), says_so, Numbering.of(told))
    return known


def rewritings(memory: LongMemory, question: str) -> tuple[Rewriting, ...]:
    """How the things of a question are read that have two names in a memory."""
    _, aliases, called, says_so, numbering = known_of(memory)
    found = [one for alias in aliases if (one := Rewriting.of(alias, question))]
    unread = frozenset[str]() if OF_NAMES.search(question.strip(" ?")) else says_so
    found += [one._replace(says_so=unread) for names in called if (one := Rewriting.among(names, question))]
    named = {one.key for one in found}
    for asked, others in numbering.names_in(question):
        key = key_of(asked)
        if key not in named:
            pattern = re.compile("|".join(map(pattern_of, (asked, *others))), re.IGNORECASE)
            found.append(Rewriting(asked, pattern, key, tuple(key_of(one) for one in others)))
    return tuple(found)

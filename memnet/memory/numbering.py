"""Numbered things that a log calls in several ways: "keg 115" is K-115, "cylinder 106" is C106 or "cyl 106".

Heads, nouns and prefixes of codes, name the same things where half of the numbers of one are those of the other, and one is a
short form of the other, "cyl"; also nouns of which that is so for seven of ten numbers, all of three digits: "tank 106".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from memnet.memory.dates import MONTHS
from memnet.tasks.text.english import function_words, in_dictionary, kinds_of_word, singular

NUMBERED = re.compile(r"(?<![\w-])(?:(?P<noun>[A-Za-z]{2,}) |(?P<prefix>[A-Z]{1,3})-?)(?P<number>\d{1,5})(?![\w%°]|[.,:/-]\d)")
SHORT = 3  # letters of a short form that is no prefix of a code
COMMON, SHARE = 4, 0.5  # numbers that heads have in common, and of those of the head that has fewer
OF_THREE_DIGITS = 3  # they may be fewer where all have three digits
LONG, MANY, MOST = 100, 8, 0.7  # the same of nouns that are no beginning of each other, whose numbers are so great


class Numbering(NamedTuple):
    """The names of numbered things, by head and number, and which heads name the same things."""

    names: dict[str, dict[int, set[str]]]  # of heads with several numbers
    same: dict[str, set[str]]
    heads: frozenset[str]  # that stand before any number

    @classmethod
    def of(cls, texts: Iterable[str]) -> Numbering:
        """Those of a log.

        >>> told = ["Keg 115 washed.", "K-115 filled.", "K-116 and keg 117 out.", "Keg 116 in.", "K-117 lost.", "On tap 9 now."]
        >>> Numbering.of(told).names_in("Where is keg 116?")
        [('keg 116', ['K-116'])]
        """
        names = defaultdict[str, dict[int, set[str]]](lambda: defaultdict(set))
        for text in texts:
            for found in NUMBERED.finditer(text):
                if head := head_of(found):
                    names[head][int(found["number"])].add(found[0].lower() if found["noun"] else found[0])
        several = {head: numbers for head, numbers in names.items() if len(numbers) >= OF_THREE_DIGITS}
        return cls(several, same_heads(several), frozenset(names))

    def names_in(self, question: str) -> list[tuple[str, list[str]]]:
        """The numbered things of a question, each with its other names."""
        found = list[tuple[str, list[str]]]()
        for one in NUMBERED.finditer(question):
            head, number = head_of(one), int(one["number"])
            heads = self.heads_of(head)
            others = {name for each in heads for name in self.names[each].get(number, ())} - {one[0], one[0].lower()}
            if others:
                found.append((one[0], sorted(others)))
        return found

    def heads_of(self, head: str) -> set[str]:
        """The heads that name what a head names, which the log may not have: "cylinder" of C106 and "cyl 106"."""
        if head in self.same:
            return self.same[head]
        if not head or head in self.heads:
            return set()
        like = [self.same.get(one, {one}) for one in self.names if is_short_for(one, head)]
        return like[0] if like and all(one == like[0] for one in like) else set()


def head_of(found: re.Match[str]) -> str:
    """The noun in the singular, in small letters, or the prefix; empty where it is no name."""
    if found["prefix"]:
        return str(found["prefix"])
    noun = found["noun"].lower()
    if noun in function_words() or noun in MONTHS:
        return ""
    kinds = kinds_of_word(singular(noun))
    return singular(noun) if "NOUN" in kinds or not (kinds or in_dictionary(noun)) else ""


def is_short_for(short: str, long: str) -> bool:
    """Whether a head is the beginning of a noun: a letter or three of them, or a short form of three or more."""
    if short.isupper():
        return not long.isupper() and long.startswith(short.lower())
    both_words = in_dictionary(short) and in_dictionary(long)  # a tank is no tanker
    return not (long.isupper() or both_words) and SHORT <= len(short) < len(long) and long.startswith(short)


def same_heads(names: dict[str, dict[int, set[str]]]) -> dict[str, set[str]]:
    """For each head those that name the same things. A prefix is of the one noun whose numbers it shares most."""
    groups = {head: {head} for head in names}
    best = dict[str, tuple[int, str]]()
    joined = list[tuple[str, str]]()
    for one, other in combinations(sorted(names), 2):
        both, fewer = names[one].keys() & names[other].keys(), min(len(names[one]), len(names[other]))
        common, are_long = len(both), bool(both) and min(both) >= LONG
        for short, long in ((one, other), (other, one)):
            least = OF_THREE_DIGITS if are_long else COMMON
            if is_short_for(short, long) and common >= max(least, SHARE * fewer):
                best[short] = max(best.get(short, (0, "")), (common, long))
        nouns = not one.isupper() and not other.isupper()
        if nouns and are_long and common >= max(MANY, MOST * fewer):
            joined.append((one, other))
    for one, other in [*joined, *((short, long) for short, (_, long) in best.items())]:
        together = groups[one] | groups[other]
        groups.update(dict.fromkeys(together, together))
    return {head: group for head, group in groups.items() if len(group) > 1}

"""Which entries of a memory a question may be about: those that name what it names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from memnet.facts.names import Key, key_of
from memnet.memory.fields import FIELD
from memnet.memory.sentences import Sentences
from memnet.memory.unmentioned import is_noun
from memnet.memory.values import Held
from memnet.memory.wanted import is_of_time
from memnet.tasks.text.english import function_words, of_class
from memnet.tasks.text.tokens import split

NAMELESS = of_class(  # nouns that name nothing by themselves
    "time times moment moments day days now present find got way place lot thing things one ones last first turn end look show "
    "job word use need kind sort bit people person somebody anybody"
)
MOST = 120  # entries that are read for a question, the newest
LOOKED_AT = 4  # times as many sentences are looked at, some of which have the words of a key, but not side by side
OF_A_CODE = 3  # digits of a number that tells a thing without its noun: "tram 2112" is 2112
BESIDE = 3  # sentences before and after one that may be of the same entry
OF_THE_MEMORY = 2500  # entries of a whole log that are read


def about(sentences: Sentences, question: str, most: int = MOST) -> list[Held]:
    """The newest entries that name what a question names, the newest first.

    By a code, "PJ-03", or a noun with its number, "pump 7", where the question has one; else by names and two nouns side by
    side; else by its names, or by its nouns.
    """
    coded, beside, single = keys_of(question)
    for keys in (coded,) if coded else (coded, beside):
        found = {one.number: one for key in keys for one in named(sentences, key, most)}
        if found or coded:
            return whole(sentences, sorted(found.values(), reverse=True)[:most])
    return whole(sentences, having_most(sentences, single, names_of(question), most))


def having_most(sentences: Sentences, keys: Sequence[Key], names: Sequence[frozenset[str]], most: int) -> list[Held]:
    """The entries with most of some keys, rare ones counting more, the newest first; those with a name, if some have one."""
    of_names = frozenset().union(*names)
    there = [(key, found) for key in dict.fromkeys(keys) if (found := named(sentences, key, most))]
    there = [each for each in there if NAMELESS.isdisjoint(each[0])] or there
    weights, every, with_name = dict[int, float](), dict[int, Held](), set[int]()
    for key, found in there:
        with_name |= set() if of_names.isdisjoint(key) else {one.number for one in found}
        for one in found:
            weights[one.number] = weights.get(one.number, 0.0) + 1 / math.sqrt(len(found))
            every[one.number] = one
    best = sorted(with_name or every, key=lambda number: (-weights[number], -number))[:most]
    return [every[number] for number in sorted(best, reverse=True)]


def with_names(found: Sequence[Held], question: str) -> list[Held]:
    """The entries that have a word of each name of a question, but for names that none of them has.

    >>> [one.text for one in with_names([Held(1, "Bo left Radford Green."), Held(2, "Bo left.")], "Who left Radford Green?")]
    ['Bo left Radford Green.']
    """
    left = list(found)
    for name in names_of(question):
        having = [one for one in left if not name.isdisjoint(key_of(one.text))]
        left = having or left
    return left


def names_of(question: str) -> list[frozenset[str]]:
    """The words of each name of a question, but for days and months: words with a capital side by side, after the first.

    >>> [sorted(one) for one in names_of("What does Ann Lee owe Railway Arms since June?")]
    [['ann', 'lee'], ['arm', 'railway']]
    """
    found, run = list[frozenset[str]](), list[str]()
    for word in [*split(question)[1:], ""]:
        if word[:1].isupper() and word.isalpha() and len(word) > 1 and not is_of_time(word):
            run.append(word)
        elif run:
            found.append(frozenset(key_of(" ".join(run))))
            run = []
    return [one for one in found if one]


def named(sentences: Sentences, key: Key, most: int) -> list[Held]:
    """The newest entries with the words of a key side by side, ascending, but for cells of tables."""
    found = sentences.naming(key, LOOKED_AT * most)
    return [one for one in found if has(key_of(one.text), key) and not FIELD.fullmatch(one.text)][-most:]


def has(words: Key, key: Key) -> bool:
    """Whether the words of a key stand side by side in another.

    >>> has(("belt", "loader", "3", "on", "stand", "2"), ("loader", "2")), has(("loader", "2"), ("loader", "2"))
    (False, True)
    """
    return any(words[at : at + len(key)] == key for at in range(len(words) - len(key) + 1))


def keys_of(question: str) -> tuple[list[Key], list[Key], list[Key]]:
    """What entries may be sought by: codes and numbered things; nouns and names side by side; each noun and name.

    >>> keys_of("Who has pump 7?")[0], keys_of("Who fixed PJ-03?")[0], keys_of("Where is the water truck?")[1]
    ([('pump', '7')], [('pj-03',)], [('water', 'truck')])
    """
    words = split(question)
    coded, nouns = list[Key](), list[int]()
    for at, word in enumerate(words):
        if any(map(str.isdigit, word)):
            has_noun = at > 1 and word.isdigit() and len(word) < OF_A_CODE and words[at - 1].lower() not in function_words()
            coded.append((*(key_of(words[at - 1]) if has_noun else ()), *key_of(word)))
        elif at and key_of(word) and word.lower() not in function_words() and may_name(word):
            nouns.append(at)
    beside = [(*key_of(words[at]), *key_of(words[after])) for at, after in pairwise(nouns) if after == at + 1]
    return [key for key in coded if key], beside, [key_of(words[at]) for at in nouns]


def may_name(word: str) -> bool:
    """Whether a word may be a noun or a name."""
    return word[0].isupper() or (word[0].isalpha() and is_noun(word.lower()))


def newest(sentences: Sentences, most: int = OF_THE_MEMORY) -> list[Held]:
    """The newest entries of a memory that were said in time, the newest first, but for cells of tables."""
    if sentences.since or sentences.until:
        places = sentences.order.places_of(sentences.numbers_in_time())
        sentences.fetch(sorted(places.tolist())[-most:])
        found = [sentences.read[place] for place in sorted(places.tolist())[-most:] if place in sentences.read]
    else:
        found = sentences.newest(most)
    return whole(sentences, (one for one in reversed(found) if not FIELD.fullmatch(one.text)))


def whole(sentences: Sentences, found: Iterable[Held]) -> list[Held]:
    """The entries that sentences are of, each once: of a line of several sentences the text of all."""
    found = list(found)
    sentences.fetch(number for one in found if one.line for number in range(one.number - BESIDE, one.number + BESIDE + 1))
    entries = dict[object, Held]()
    for one in found:
        parts = parts_of(sentences, one)
        entries.setdefault(parts[0].number, one._replace(text=" ".join(part.text for part in parts)))
        if len(parts) > 1:
            original = " ".join(sentences.as_told.get(part.text, part.text) for part in parts)
            sentences.noted(original, entries[parts[0].number].text)
    return [*entries.values()]


def parts_of(sentences: Sentences, one: Held) -> list[Held]:
    """The sentences of the line that a sentence is of, in order; itself alone in a longer text."""
    found = [one]
    for step in (-1, 1) if one.line else ():
        for away in range(1, BESIDE + 1):
            beside = sentences.read.get(one.number + step * away)
            if beside is None or (beside.source, beside.line, beside.when) != (one.source, one.line, one.when):
                break
            if away == BESIDE:
                return [one]
            found.append(beside)
    return sorted(found)

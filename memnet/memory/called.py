"""Lines of a log that say what else a thing is called: "Goliath is our name for TW-2", "the long ladder = LD4".

What joins the two names is one of a few phrases. The names are the longest phrases beside it that stand in other lines, too:
so what a line begins or ends with, "for the new ones:", "around here", needs no list. Names that share one are of one thing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from memnet.memory.dates import MONTHS, WEEKDAYS
from memnet.memory.entrywise.amounts import is_amount
from memnet.tasks.text.english import function_words, of_class
from memnet.tasks.text.tokens import split

WE = r"(?:we|they|people|everybody|everyone|all|(?:the|our) \w+(?: \w+)?)"
SURELY = (  # phrases that stand between two names of one thing
    r"alias|aka|a\.k\.a\.?",
    r"(?:(?:is|are) |, )(?:also |better |otherwise )?(?:known as|called)|(?:also |better |otherwise )?known as",
    r"gets called|goes by(?: the)?(?: name)?(?: of)?|answers to",
    rf"(?:, )?(?:is|are|that is|that's) (?:what|how) {WE} (?:all )?calls?(?: it)?",
    r"is (?:our|the|their|another|a|my) (?:\w+ )?(?:name|nickname) for|nickname (?:of|for)|is short for",
    r"(?:, )?(?:and )?(?:we|you|they|I|it|that) means?|and mean",
    rf"but {WE} calls? it",
)
PERHAPS = ("=", "means", "stands for")  # only between what looks like names
JOINS = re.compile(rf"(?<!\w)(?:(?P<surely>{'|'.join(SURELY)})|{'|'.join(PERHAPS)})(?!\w)", re.IGNORECASE)
HEARD = re.compile(r"\b(?:if|when|whenever|where) .*?\b(?:hear|read|see|says?|writes?)\b", re.IGNORECASE)
THAT = re.compile(r",? (?:it's|it is|that is|that's) ", re.IGNORECASE)
SAME = re.compile(
    r"(?P<one>.+?)(?: and |\s*[/&+]\s*)(?P<other>[^:,]+?)(?:[:,]| are| is| mean|) (?:the )?same(?: thing| one)?\W*$"
    r"|\bsame thing:? (?!for\b|as\b|with\b|again\b)(?P<first>.+?)(?: and |\s*[/&+]\s*)(?P<second>.+)",
    re.IGNORECASE,
)
SAMENESS = ("same thing", "same one", "mean the same")
CALLS = re.compile(r"(?<!what )(?<!how )\b(?:we|they|people|everybody) call (?!it\b)", re.IGNORECASE)
ENDS = re.compile(r"(?<=[\w)])(?<!\.\w)(?=[.;!?](?:\s|$))[.;!]?")
BREAK = re.compile(r"\s+[-–—/&+|]+\s*|[,;:()\[\]<>\"*]+|\.\.+|[.?!](?=\s|$)")  # between words
MARK = re.compile(r"\W+")
NUMBER = re.compile(r"[\d.,]+")
ARTICLES = of_class("the a an our my")
OTHERWISE = of_class(
    "not n't never no longer instead meant misread correction corrected wrong typo update updated should sorry"
)
SAID = of_class("say says said hear read write writes means mean call wonders somebody someone people ones notes")  # in no name
AFTER = of_class("in around round for here on aboard by as from to please because now")  # may follow the second name
LONGEST = 5  # words of a name
LINE, BESIDE, JOINED = 300, 80, 3  # characters of a line that is read, and of it beside a phrase; phrases of a line
MOST = 6  # names of one thing


class Names(NamedTuple):
    """Two names of one thing, as a line says."""

    one: str
    other: str


class Side(NamedTuple):
    """What stands on one side of a phrase: its words, and how they are written."""

    words: tuple[str, ...]
    text: str
    begins: bool  # it begins the line

    def names(self, last: bool) -> list[tuple[str, ...]]:
        """What may be the name: words at its end, or at its beginning, the longest first."""
        every = (self.words[-length:] if last else self.words[:length] for length in range(LONGEST, 0, -1))
        return [one for one in dict.fromkeys(every) if one and may_be_name(one)]

    def is_one_of_many(self, name: Sequence[str]) -> bool:
        """Whether "a" or "an" stands before it: "a man, called Peter" gives no other name for every man."""
        return re.search(rf"\ban? {re.escape(name[0])}\b", self.text, re.IGNORECASE) is not None

    def looks_like_a_name(self, name: Sequence[str], other: Sequence[str]) -> bool:
        """Whether it has a figure, an article, a capital or several words; a capital that begins a line is none by itself."""
        clear = any(map(has_digit, other)) or len(other) > 1
        capital = name[0] not in self.text.split() and (not self.begins or clear)
        return len(name) > 1 or any(map(has_digit, name)) or capital


class Pair(NamedTuple):
    """What stands before a phrase and behind it, and whether it surely joins two names."""

    before: Side
    behind: Side
    surely: bool


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without marks and articles.

    >>> words_of("The DL-3 (Gus) = the big dolly.")
    ['dl-3', 'gus', 'big', 'dolly']
    """
    return [low for word in split(text) if (low := word.lower()) not in ARTICLES and not MARK.fullmatch(low)]


def has_digit(word: str) -> bool:
    """Whether a word has a figure."""
    return any(map(str.isdigit, word))


def may_be_name(words: Sequence[str]) -> bool:
    """Whether words may name something: no amount or time, no genitive, no phrase that begins or ends with a small word.

    >>> [may_be_name(words) for words in (["dl-3"], ["11.6", "v"], ["in", "tint"], ["2532"], ["n't"], ["monday"])]
    [True, False, False, False, False, False]
    """
    text = " ".join(words)
    small = function_words() | OTHERWISE | SAID
    letters = sum(map(str.isalnum, text)) > 1 and any(map(str.isalpha, text))
    strange = any("'" in word or word in MONTHS or word in WEEKDAYS for word in words)
    of_small = words[0] in small or words[-1] in small
    return letters and not (strange or of_small or NUMBER.fullmatch(words[0]) or is_amount(text))


def side(text: str, last: bool) -> Side:
    """Of a text the part up to its first mark between words, or with ``last`` behind the last one.

    >>> side(" the long Dolly /Gus", last=False).words, side("Note: DL-3, ", last=True).words
    (('long', 'dolly'), ('dl-3',))
    """
    near = text[-BESIDE:] if last else text[:BESIDE]
    parts = [part for part in BREAK.split(near) if words_of(part)]
    part = parts[-1 if last else 0] if parts else ""
    return Side(tuple(words_of(part)), part, last and text.strip().startswith(part.strip()))


def pairs_in(text: str) -> Iterator[Pair]:
    """What stands before and behind each phrase that may join two names.

    >>> [(one.before.text, one.behind.text) for one in pairs_in("For the new ones: Goliath is what we call TW-2, mind")]
    [(' Goliath ', ' TW-2')]
    """
    for part in ENDS.split(text[:LINE]) if len(text) <= LINE else ():
        asks = text[text.find(part) + len(part) :].startswith("?") and not part.lower().lstrip().startswith("why")
        if asks or not OTHERWISE.isdisjoint(words_of(part)):
            continue
        for piece in part.split(", ") if part.count("=") > 1 else (part,):
            if any(each in piece.lower() for each in SAMENESS):
                if found := SAME.search(piece):
                    one, other = found["one"] or found["first"], found["other"] or found["second"]
                    yield Pair(side(one, True), side(other, False), True)
            elif (heard := HEARD.search(piece)) and (that := THAT.search(piece, heard.end())):
                yield Pair(side(piece[: that.start()], True), side(piece[that.end() :], False), True)
            else:
                for join in islice(JOINS.finditer(piece), JOINED):
                    surely = join["surely"] is not None
                    yield Pair(side(piece[: join.start()], True), side(piece[join.end() :], False), surely)
                yield from calls_in(piece)


def calls_in(text: str) -> Iterator[Pair]:
    """Of "we call the nitrogen flask NF-8" the two names, in whatever way they are parted."""
    for call in islice(CALLS.finditer(text), 1):
        words = side(text[call.end() :], last=False)
        for at in range(1, min(len(words.words), LONGEST + 1)):
            one, other = words.words[:at], words.words[at:]
            yield Pair(words._replace(words=one), words._replace(words=other), any(map(has_digit, (*one, *other))))


def lines_with(phrases: Collection[tuple[str, ...]], texts: Sequence[str]) -> Counter[tuple[str, ...]]:
    """In how many lines each of some phrases stands."""
    found, lengths = Counter[tuple[str, ...]](), sorted({*map(len, phrases)})
    for text in texts if phrases else ():
        words = words_of(text)
        there = {tuple(words[at : at + length]) for length in lengths for at in range(len(words) - length + 1)}
        found.update(there & {*phrases} if len(there) > len(phrases) else [one for one in there if one in phrases])
    return found


def called_in(texts: Sequence[str]) -> list[Names]:
    """The pairs of names that lines give one thing.

    >>> told = ["Goliath is our name for TW-2.", "Ann took TW-2", "Goliath back in the rack", "RT5 = 12.3 V", "RT5 to town"]
    >>> called_in(told)
    [Names(one='goliath', other='tw-2')]
    """
    return list(dict.fromkeys(names for names, _ in lines_that_say(texts)))


def lines_that_say(texts: Sequence[str]) -> list[tuple[Names, str]]:
    """The same, each with the line that says so."""
    every = [(pair, text) for text in texts for pair in pairs_in(text)]
    phrases = {name for one, _ in every for names in (one.before.names(True), one.behind.names(False)) for name in names}
    lines, found = lines_with(phrases, texts), list[tuple[Names, bool, str]]()
    for pair, text in every:
        one = next((name for name in pair.before.names(True) if lines[name] > 1), ())
        other = next((name for name in pair.behind.names(False) if lines[name] > 1), ())
        if one and other and is_said(pair, one, other):
            found.append((Names(" ".join(one), " ".join(other)), pair.surely, text))
    partners = defaultdict[str, set[str]](set)
    for names, surely, _ in found:
        if not surely:
            partners[names.one].add(names.other)
            partners[names.other].add(names.one)
    return [(names, text) for names, surely, text in found if surely or max(len(partners[one]) for one in names) == 1]


def is_said(pair: Pair, one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a line says that two phrases name one thing: nothing follows the second, and neither is part of the other."""
    rest = pair.behind.words[len(other) :]
    if (rest and rest[0] not in AFTER) or {*one} <= {*other} or {*other} <= {*one}:
        return False
    if pair.before.is_one_of_many(one) or pair.behind.is_one_of_many(other):
        return False
    return pair.surely or (pair.before.looks_like_a_name(one, other) and pair.behind.looks_like_a_name(other, one))


def groups_of(pairs: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """The names of each thing, of pairs that share one; none of things with more than MOST names or two numbers of a kind.

    >>> groups_of([("goliath", "tw-2"), ("tw-2", "big wrench"), ("ann", "al"), ("bertha", "crane 1"), ("bertha", "crane 2")])
    [('big wrench', 'goliath', 'tw-2'), ('al', 'ann')]
    """
    known = dict[str, set[str]]()
    for one, other in pairs:
        together = known.get(one, {one}) | known.get(other, {other})
        known.update(dict.fromkeys(together, together))
    groups = list(dict.fromkeys(tuple(sorted(group)) for group in known.values()))
    return [group for group in groups if len(group) <= MOST and not has_two_numbers(group)]


def has_two_numbers(names: Sequence[str]) -> bool:
    """Whether two names differ in their figures alone: "crane 1" and "crane 2" are not one."""
    heads = [re.sub(r"\d+", "#", name) for name in names if has_digit(name)]
    return len({*heads}) < len(heads)

"""What later words take back or put right: "Scratch that.", "That should read bay 9.", "No, bay 4, not bay 3."

    Pump 7 was moved to bay 3.  That should read bay 9.       is read as    Pump 7 was moved to bay 9.
    Ann has the key.            Scratch that, Bob has it.     is read as                        Bob has it.
    Pump 7 is not in bay 3 but in bay 4.                      is read as    Pump 7 is in bay 4.

A correction is of the sentence before it in the same source, in a chat of the last one that the same person said. This is
written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from memnet.facts.names import DETERMINERS, SPEAKER, is_pronoun
from memnet.facts.reader import FactReader
from memnet.memory.files import Extent
from memnet.memory.long_memory import LongMemory
from memnet.memory.values import Held
from memnet.tasks.text.english import kinds_of_word, leans
from memnet.tasks.text.tokens import join, split

LAST = r"(?:that|this|it|the above|(?:the|my) (?:last|previous|above) (?:entry|line|message|statement|note|sentence|remark))"
BACK = rf"(?:please )?(?:scratch|strike|ignore|disregard|delete|cancel|forget|retract) {LAST}(?: (?:out|again))?"
BACK += rf"|i take {LAST} back|{LAST} (?:was|is) (?:wrong|a mistake|an error|not true|untrue|false|incorrect|not right)"
BACK = rf"(?:{BACK})(?=\s*(?:[.,:;!—-]|$))"
WRONG = r"correction|erratum|corrigendum|i stand corrected|i misspoke|my (?:mistake|bad|error)"
WRONG += r"|(?:i was|i am|i'm) (?:wrong|mistaken)"
MILD = r"no,? wait|wait,? no|no|nope|sorry|oops|wait|edit|update|or rather|rather"
OPENER = re.compile(
    rf"\s*(?:(?P<back>{BACK})|(?P<wrong>(?:{WRONG})\b(?: (?:to|of|on|for) (?:the |my )?(?:last|previous|"
    rf"above|earlier) (?:line|entry|message|note|remark|one))?)|(?P<mild>actually\b|"
    rf"(?:{MILD})\b(?=\s*[,:;.!—-])))[\s,:;.!—-]*",
    re.I,
)
WHERE = r"(?:in|at|on|to|into|under|behind|beside|inside|near|with|by)"
INSTEAD = r"(?:\s*,?\s*(?:instead of|rather than|(?:and )?not)\s+(?P<old>.+?))?"
SHOULD = r"(?:should|ought to) (?:read|say|have read|have said)"
BEEN = rf"(?:should|ought to) (?:be|have been) (?!{WHERE}\b)"  # "it should be in the shed" puts nothing right
REPLACES = [
    re.compile(rf"{LAST} (?:{SHOULD} |{BEEN})(?P<new>.+?){INSTEAD}\W*", re.I),
    re.compile(rf"(?:i|we) (?:meant|mean|meant to say|should have said) (?P<new>.+?){INSTEAD}\W*", re.I),
    re.compile(rf"make that (?P<new>.+?){INSTEAD}\W*", re.I),
    re.compile(r"for (?P<old>.+?),? read (?P<new>.+?)\W*", re.I),
    re.compile(rf"(?P<old>.+?) {SHOULD} (?P<new>.+?)\W*", re.I),
]
FRAGMENT = [re.compile(r"not (?P<old>.+?),? but (?P<new>.+?)\W*", re.I), re.compile(rf"(?P<new>.+?){INSTEAD}\W*", re.I)]
LONGEST = 6  # words of what is put instead
VERBS = re.compile(r"\b(?:is|was|are|were|has|had|have|did|does|do|will|went|moved|took|gave|left|put|got)\b|'s\b|'re\b", re.I)
IS = r"(?P<is>is|was|are|were)"
NOT, THEY_ARE = r"(?: not|n't|n’t)", r"(?:it|he|she|they)(?: is| was| are| were|'s|’s|'re)"
CONTRASTS = [  # a denied place, holder or doer beside the right one
    (
        rf"(?P<who>[^,]+?) {IS}{NOT} (?P<did>\w+ (?=to ))?{WHERE} [^,;]+?,? but (?:rather )?(?P<to>{WHERE} .+)",
        r"\g<who> \g<is> {did}\g<to>",
    ),
    (rf"(?P<who>[^,]+?) {IS}{NOT} {WHERE} [^,;]+[,;—-]+ ?(?:but )?{THEY_ARE} (?P<to>{WHERE} .+)", r"\g<who> \g<is> \g<to>"),
    (rf"it (?:was|is){NOT} .+? but (?P<who>[^,]+?),? (?:who|that) (?P<did>.+)", r"\g<who> \g<did>"),
    (r"it (?:was|is) (?P<who>[^,]+?), not [^,]+?,? (?:who|that) (?P<did>.+)", r"\g<who> \g<did>"),
    (r"(?P<who>[^,]+?), (?:and )?not [^,]{1,40}, (?P<did>.+)", r"\g<who> \g<did>"),
    (r"(?P<who>.+?), (?:and )?not (?P<not>[^,.;]{1,40})(?P<did>[.!]?)", r"\g<who>\g<did>"),
]
ASKED_FOR = (
    *("correction", "erratum", "corrigendum", "scratch", "strike", "ignore", "disregard", "delete", "cancel", "retract"),
    *("forget that", "take that back", "take it back", "was wrong", "is wrong", "a mistake", "an error", "incorrect", "untrue"),
    *("not true", "i am wrong", "mistaken", "stand corrected", "misspoke", "my mistake", "my bad", "my error"),
    *("should read", "should say", "should be", "should have", "ought to", "i meant", "we meant", "make that"),
)
FIRST = [
    "for",
    "actually",
    "no",
    "nope",
    "sorry",
    "oops",
    "wait",
    "edit",
    "update",
    "or",
    "rather",
]  # words that a sentence begins with
MOST, MOST_FIRST = 2000, 500  # sentences that may be corrections, the newest, by their words and by their first word
REACH = 6  # sentences of a chat, back to what the same person said


class Correction(NamedTuple):
    """Whether a sentence takes back the one before it, what else it says, and which words of that one it replaces by which."""

    takes_back: bool
    rest: str
    old: str = ""
    new: str = ""


def correction(text: str) -> Correction | None:
    """What a sentence puts right; None where it is no correction.

    >>> correction("Scratch that, pump 7 is in bay 4."), correction("Sorry, I meant bay 9.").new, correction("Ann left.")
    (Correction(takes_back=True, rest='pump 7 is in bay 4.', old='', new=''), 'bay 9', None)
    """
    said, opened = text[len(before_speech(text)) :], list[re.Match[str]]()
    while (opener := OPENER.match(said)) is not None:
        opened.append(opener)
        said = said[opener.end() :]
    for form in [*REPLACES, *FRAGMENT[: 2 * bool(opened)]]:
        if (found := form.fullmatch(said)) and is_name(found["new"]) and is_name(found["old"] or found["new"]):
            return Correction(False, "", found["old"] or "", found["new"])
    if not opened:
        return None
    back = any(opener["back"] for opener in opened)
    unmarked = said and opened[-1][0].lower() == "actually "  # what has a mark behind it is read as well with it
    return Correction(back and not leans(said), said) if back or unmarked else None


def before_speech(text: str) -> str:
    """The name and the colon of who says a sentence; nothing where nobody is named."""
    found = SPEAKER.match(text)
    return "" if found is None or OPENER.match(text) else found[0]


def is_name(text: str) -> bool:
    """Whether words may be a place, a thing or somebody, and are no statement."""
    return 0 < len(text.split()) <= LONGEST and not VERBS.search(text) and not any(map(is_past, text.split()))


def is_past(word: str) -> bool:
    """Whether a word is the past of a verb and can be no noun: "update: Ann grabbed the key" is a statement."""
    from lemminflect import getLemma

    low = word.strip(".,;:!")
    lemmas = getLemma(low, "VERB", lemmatize_oov=False) if low.islower() else ()
    return bool(lemmas) and low not in lemmas and "NOUN" not in kinds_of_word(low)


def without_contrast(text: str) -> str:
    """A statement without what it says is not so.

    >>> without_contrast("Pump 7 is not in bay 3 but in bay 4."), without_contrast("Ann, not Bob, took the key.")
    ('Pump 7 is in bay 4.', 'Ann took the key.')
    """
    speaker = before_speech(text)
    said = text[len(speaker) :]
    if (
        (opener := OPENER.match(said)) is not None
        and opener["wrong"]
        and re.match(r"it (?:was|is)\b", said[opener.end() :], re.I)
    ):
        said = said[opener.end() :]
    for form, plain in CONTRASTS if "not " in said or "n't" in said or "n’t" in said else ():
        if (found := re.fullmatch(form, said, re.IGNORECASE)) is not None and not VERBS.search(
            found.groupdict().get("not") or ""
        ):
            return speaker + found.expand(plain.replace("{did}", found.groupdict().get("did") or ""))
    return text


class Corrections:
    """What sentences of a memory say when later ones have put them right, by their numbers; nothing where it is taken back."""

    def __init__(self, texts: Mapping[int, str], changed: Mapping[int, int], told: Mapping[int, str]) -> None:
        """``changed`` says which sentence each correction changed, ``told`` what stands there and what was put instead."""
        self.texts, self.changed, self.told = texts, changed, told

    @classmethod
    def of(cls, memory: LongMemory, extent: Extent) -> Corrections:
        """What is put right in so much of a memory, found once."""
        known = memory.corrections
        if known is None or known[0] != extent:
            memory.corrections = known = extent, cls.among(memory, extent)
        found = known[1]
        assert isinstance(found, Corrections)
        return found

    @classmethod
    def among(cls, memory: LongMemory, extent: Extent) -> Corrections:
        """Of a memory."""
        queries = [(f'"{one}"' for one in ASKED_FOR), (f'^"{one}"' for one in FIRST)]
        numbers = set[int]()
        for some, most in zip(map(" OR ".join, queries), (MOST, MOST_FIRST), strict=True):
            newest = memory.index.newest_first(some, most, below=extent.sentences) if extent.sentences else iter(())
            numbers.update(next(newest, np.zeros(0, np.int64)).tolist())
        told = sorted(numbers)
        found = {number: one for number, text in zip(told, memory.files.texts(told), strict=True) if (one := correction(text))}
        texts, changed, shown = dict[int, str](), dict[int, int](), dict[int, str]()
        for number, one in found.items():
            texts[number] = one.rest
            before = said_before(memory, number, texts)
            if before is None:
                continue
            text = texts.get(before.number, before.text)
            if one.takes_back and (one.rest or not leans_on(memory, number, extent)):
                texts[before.number] = ""
            elif one.new:
                texts[before.number] = replaced(text, one.old, one.new)
                changed[number] = before.number
                shown[before.number] = f"{shown.get(before.number, before.text)} {memory.files.texts([number])[0]}"
        return cls(texts, changed, shown)

    def corrected(self, one: Held) -> Held:
        """A sentence as it is to be read."""
        return one._replace(text=without_contrast(self.texts.get(one.number, one.text)))


def leans_on(memory: LongMemory, number: int, extent: Extent) -> bool:
    """Whether the sentence after one goes on with "it", "he" or "she": "Scratch that. It is in bay 4." """
    if number + 1 == extent.sentences or not leans(text := memory.files.texts([number + 1])[0]):
        return False
    return any(is_pronoun(fact.text(role)) for fact in FactReader.load().facts([text])[0] for role in ("who", "what"))


def said_before(memory: LongMemory, number: int, texts: Mapping[int, str]) -> Held | None:
    """The sentence that a correction is of; None where it is the first of its source."""
    numbers = np.arange(max(0, number - REACH), number + 1)
    *before, one = memory.held(numbers[memory.files.marks.alive(numbers)].tolist())
    speaker = before_speech(one.text)
    for prior in reversed(before):
        if prior.source != one.source:
            return None
        if before_speech(prior.text) == speaker and texts.get(prior.number, prior.text):
            return prior
    return None


def replaced(text: str, old: str, new: str) -> str:
    """A sentence with other words for some of it: for those that are named, else for the name that is likest in it.

    >>> replaced("Pump 7 was moved to bay 3.", "", "bay 9"), replaced("Ann took the key.", "Ann", "Bob")
    ('Pump 7 was moved to bay 9.', 'Bob took the key.')
    """
    old, new = name_alone(old), name_alone(new)
    if not old:
        facts = [fact for fact in FactReader.load().facts([text])[0] if fact.roles]
        roles = [(role, phrase.text) for fact in facts for role, phrase in fact.roles.items()]
        words = {word.lower() for word in split(new)}
        likest = max(roles, key=lambda one: len(words & {word.lower() for word in split(one[1])}), default=("", ""))
        if words.isdisjoint(word.lower() for word in split(likest[1])):
            wanted = ("receiver", "who") if new[:1].isupper() else () if new[:1].isdigit() else ("to", "what")
            likest = next((one for role in wanted for one in roles if one[0] == role), ("", ""))
        old = likest[1] or likest_part(text, new)
    if not old:
        return text
    *more, _ = split(new)  # "store room C" stands for all of "store room B", of which the name may be only "room B"
    for end in range(len(more), 0, -1):
        if re.search(rf"(?<!\w){re.escape(longer := f'{join(more[:end])} {old}')}(?!\w)", text, re.IGNORECASE):
            old = longer
            break
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text, count=1, flags=re.IGNORECASE)


def likest_part(text: str, new: str) -> str:
    """The only part of a sentence that differs from words in some of them; for a number the only number; else nothing.

    >>> likest_part("Ann oiled motor 2 of hall 5.", "motor 1"), likest_part("It is at 71 °C.", "78 °C")
    ('motor 2', '71 °C')
    """
    told, words = [word.strip(".,;:!?") for word in text.split()], new.split()
    found = set[str]()
    for at in range(len(told) - len(words) + 1):
        pairs = [*zip(told[at : at + len(words)], words, strict=True)]
        others = [(one, other) for one, other in pairs if one.lower() != other.lower()]
        numbers = all(one[:1].isdigit() == other[:1].isdigit() for one, other in others)
        if others and numbers and (len(others) < len(words) or (len(words) == 1 and new[:1].isdigit())):
            found.add(" ".join(one for one, _ in pairs))
    return next(iter(found)) if len(found) == 1 else ""


def name_alone(text: str) -> str:
    """A name without the preposition and the article before it, and without quotation marks."""
    words = text.strip("\"'“”‘’ ").split()
    while len(words) > 1 and (words[0].lower() in DETERMINERS or re.fullmatch(WHERE, words[0], re.IGNORECASE)):
        words = words[1:]
    return " ".join(words)

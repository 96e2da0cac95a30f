"""When and how often something was done, read off the sentences that have its verb: "When was pump 7 repaired?"

    "Ben has repaired pump 7."   "Pump 7 was repaired by Ben."   "Pump 7 repaired."   "Ben: I repaired pump 7."

are one deed: a verb, who does it, and what it is done to. Written by hand, for verbs that say nothing of whereabouts; those are
read by the network of facts. What is denied, wished, planned or asked is no deed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from memnet.ask.answer import Answer, Read
from memnet.facts.names import INDEFINITE, SPEAKERS, Key, key_of, speaker_of
from memnet.memory.values import Held
from memnet.memory.whereabouts import Sentences
from memnet.tasks.text.english import DETERMINERS, kinds_of_word, of_class
from memnet.tasks.text.tokens import NUMBER_WORDS, split
from memnet.tasks.world.lexicon import table

ASKED = re.compile(
    r"\s*(?P<asks>when|how often|how many times|(?:on |at )?(?:what|which) (?:day|date|time))\s+"
    r"(?:(?:was|is) (?:it|the (?P<end>last|first) time)(?: that)?\s+)?"
    r"(?:(?P<aux>did|was|were|has|have|had)\s+)?(?P<said>.+?)\s*\?*\s*$",
    re.IGNORECASE,
)
OWN_TIME = re.compile(
    r"\b(?:in (?:\w+ )?[12]\d{3}|(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z]\w+ [12]\d{3}|[12]\d{3}-\d\d-\d\d)\b"
)
SOON = re.compile(
    r"\b(?:(?:on|last|this) (?:\w+day|week|month|year|morning|evening|night|afternoon)|yesterday|today|at \d{1,2}[:.]\d\d)\b",
    re.I,
)
BE, HAVE = of_class("is are was were be been being 's got gets"), of_class("has have had 've")
UNREAL = of_class("not n't n’t never will would shall should must may might can could to 'll if unless until whether being")
LINKS = of_class("and then also again just already finally later immediately quickly first last now once twice")
BEFORE_NAMES = of_class("of in on at to from with without for by near under behind beside after before about than like")
TIMES = {"once": 1, "twice": 2}
ENDS = ("last", "first")
MOVING = of_class("go leave take drop put move carry buy steal find lose forget give send lend return sell")  # in senses.toml
MOST = 5000  # sentences of one name that are looked at
LONGEST = 24  # words of a question


class Deed(NamedTuple):
    """What a question asks of: who does it and what it is done to, where it names them, and what else it says of it."""

    verb: str
    subject: Key
    objects: tuple[Key, ...]
    passive: bool


def from_deeds(sentences: Sentences, question: str) -> Answer | None:
    """The answer to when or how often something was done; None where it is asked for something else, or nobody says so."""
    found = ASKED.match(question)
    if found is None or len(split(question)) > LONGEST:
        return None
    every = [[one for one in named(sentences, deed) if says(one.text, deed)] for deed in deeds(found["aux"], found["said"])]
    done = max(every, key=len, default=[])
    if not done:
        return None
    if asks_how_often(question):
        return answered(question, str(sum(times(one.text) for one in done)), done)
    first = "first" in (found["end"] or "", *split(found["said"].lower()))
    one = done[0] if first else done[-1]
    return answered(question, time_of(one), [one])


def asks_how_often(question: str) -> bool:
    """Whether it asks how often something was done."""
    found = ASKED.match(question)
    return found is not None and found["asks"].lower().startswith("how")


def is_of_a_deed(question: str) -> bool:
    """Whether a question asks when or how often something was done that says nothing of whereabouts."""
    found = ASKED.match(question)
    verbs = {deed.verb for deed in deeds(found["aux"], found["said"])} if found else set()
    return bool(verbs) and verbs.isdisjoint(moving())


@cache
def moving() -> frozenset[str]:
    """Verbs of whereabouts, by their first words."""
    frames = (frame for name in MOVING for frame in table("senses.toml")[name]["frames"])
    return frozenset(verb.split()[0] for frame in frames for verb in re.split(r"[,/]\s*", frame.split("|")[1].strip()) if verb)


def deeds(aux: str | None, said: str) -> Iterator[Deed]:
    """What a question may ask of, by each of its words that may be the verb."""
    words = [word for word in split(said) if word.lower() not in (*ENDS, "ever", "actually")]
    low = [word.lower() for word in words]
    passive = (aux or "").lower() in ("was", "were") or not BE.isdisjoint(low)
    base = (aux or "").lower() == "did"
    for at in range(1, len(words)):
        told = [word for word in words[:at] if word.lower() not in BE | HAVE]
        subject = [word for word in told if word.lower() not in INDEFINITE]
        if not told or low[at - 1] in DETERMINERS or low[at] in BE | HAVE:
            continue
        for verb in verbs_of(low[at], base):
            yield Deed(verb, key_of(" ".join(subject)), parts(words[at + 1 :]), passive)


def parts(words: Sequence[str]) -> tuple[Key, ...]:
    """What stands after a verb: its object, "" where it has none, and then each phrase with its preposition."""
    found: list[list[str]] = [[]]
    for word in words:
        if word.lower() in BEFORE_NAMES - {"of"}:
            found.append([])
        found[-1].append(word)
    return tuple(key_of(" ".join(one)) for one in found)


@lru_cache(maxsize=1 << 14)
def verbs_of(word: str, base: bool = False) -> frozenset[str]:
    """The verbs of which a word is the past, the participle or, where ``base`` says so, the plain form.

    >>> sorted(verbs_of("repaired")), sorted(verbs_of("found")), sorted(verbs_of("valve")), sorted(verbs_of("call", True))
    (['repair'], ['find'], [], ['call'])
    """
    from lemminflect import getInflection, getLemma

    if base:
        return frozenset([word] if "VERB" in kinds_of_word(word) else ())
    lemmas = getLemma(word, "VERB", lemmatize_oov=False)
    return frozenset(one for one in lemmas if any(word in getInflection(one, tag) for tag in ("VBD", "VBN")))


def named(sentences: Sentences, deed: Deed) -> list[Held]:
    """The sentences that hold the names of a deed, ascending."""
    longest = max((deed.subject, *deed.objects[:1]), key=len)
    return sentences.naming(longest, MOST)


def says(text: str, deed: Deed) -> bool:
    """Whether a sentence says that it was done.

    >>> ben = Deed("repair", ("ben",), (("pump", "7"),), False)
    >>> says("Pump 7 was repaired by Ben.", ben), says("Ben has not repaired pump 7.", ben)
    (True, False)
    """
    speaker, words = speaker_of(text), split(text)
    if text.rstrip().endswith("?"):
        return False
    if speaker:
        words = [speaker if word.lower() in SPEAKERS else word for word in words[len(split(speaker)) :]]
    return any(
        is_done(words, at, deed, key_of(speaker)) for at, word in enumerate(words) if deed.verb in verbs_of(word.lower())
    )


def is_done(words: Sequence[str], at: int, deed: Deed, speaker: Key) -> bool:
    """Whether the verb at a place of a sentence is this deed, of its names."""
    before = [word.lower() for word in words[:at]]
    near = before[-4:]
    if not UNREAL.isdisjoint(near) or not {"if", "unless", "until", "whether"}.isdisjoint(before):
        return False
    helped = next((number for number in range(len(near), 0, -1) if near[number - 1] in BE), 0)
    is_passive = helped > 0 and all(word in LINKS | BE or word.endswith("ly") for word in near[helped:])
    after = words[at + 1 :]
    bare = (
        not is_passive and HAVE.isdisjoint(near) and (not after or after[0].lower() in BEFORE_NAMES or after[0].endswith("ly"))
    )
    patient, agent = (deed.subject, by_whom(deed)) if deed.passive else (deed.objects[0] if deed.objects else (), deed.subject)
    more = [one for one in deed.objects[1:] if not (deed.passive and one[:1] == ("by",))]
    rest = key_of(" ".join(after))
    if not all(holds(rest, one) for one in more):
        return False
    if patient and (is_passive or bare) and ends_with(words[:at], patient):
        return not agent or holds(rest, ("by", *agent))
    if is_passive or (not agent and not patient):
        return False
    return (not agent or ends_with(words[:at], agent) or (agent == speaker and not before)) and (
        not patient or begins_with(after, patient)
    )


def by_whom(deed: Deed) -> Key:
    """Who does it, of a deed in the passive; nobody where the question does not say."""
    return next((one[1:] for one in deed.objects if one[:1] == ("by",)), ())


def holds(key: Key, part: Key) -> bool:
    """Whether words have others side by side."""
    return any(key[first : first + len(part)] == part for first in range(len(key) - len(part) + 1))


def is_verb(word: str) -> bool:
    """Whether a word is the past of a verb, and not what a name may be of."""
    low = word.lower()
    return bool(verbs_of(low)) and low == word and "NOUN" not in kinds_of_word(low)


def ends_with(words: Sequence[str], name: Key) -> bool:
    """Whether what stands before a verb is its subject: this name, and others beside it."""
    shown = [(place, word) for place, word in enumerate(words) if word.lower() not in DETERMINERS]
    keys = [key_of(word) for _, word in shown]
    for first in range(len(shown) - len(name), -1, -1):
        if tuple(part for key in keys[first : first + len(name)] for part in key) != name:
            continue
        start = shown[first][0]
        prior = next((word.lower() for word in reversed(words[:start]) if word.lower() not in DETERMINERS), "")
        between = [word for word in words[shown[first + len(name) - 1][0] + 1 :] if word.lower() not in BE | HAVE]
        if prior in BEFORE_NAMES or (between and (between[0].lower() in ("'s", "’s") or between[0][0].isdigit())):
            continue
        links = [word for word in between if not (word.lower() in LINKS or word.lower().endswith("ly"))]
        shared = bool(between) and between[-1].lower() in LINKS  # "Ann called Bob and repaired it"
        if not links or (shared and any(map(is_verb, links))) or all(word[0].isupper() for word in links):
            return True
    return False


def begins_with(words: Sequence[str], name: Key) -> bool:
    """Whether what stands after a verb is its object: this name, and others beside it."""
    told: list[str] = []
    for word in words:
        if is_verb(word) or (word.lower() in BEFORE_NAMES and told and word.lower() not in name):
            break
        told.append(word)
    shown = [word for word in told if word.lower() not in DETERMINERS]
    keys = [key_of(word) for word in shown]
    for first in range(len(shown) - len(name) + 1):
        if tuple(part for key in keys[first : first + len(name)] for part in key) == name:
            rest = [word for word in shown[first + len(name) :] if word.lower() not in ("and", "or")]
            return not rest or not (rest[0][0].isdigit() or kinds_of_word(rest[0].lower()) == {"NOUN"})
    return False


def times(text: str) -> int:
    """How often a sentence says that it was done: "twice", "three times"."""
    words = [word.lower() for word in split(text)]
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word in TIMES:
            return TIMES[word]
        if after == "times" and (word.isdigit() or word in NUMBER_WORDS):
            return int(word) if word.isdigit() else NUMBER_WORDS.index(word)
    return 1


def time_of(one: Held) -> str:
    """When a sentence says that it was: the date that it names, the time that stands with it, or else its own words."""
    if named := OWN_TIME.search(one.text):
        return named[0]
    soon = SOON.search(one.text)
    return (one.when or "").replace("T", " ") or (soon[0] if soon else "")


def answered(question: str, text: str, read: Sequence[Held]) -> Answer:
    """An answer from sentences, of which each is a hop."""
    hops = [[Read(place, one.text, 1.0, one.when or "", one.source, one.line)] for place, one in enumerate(read, 1)]
    sure = 1.0 if text else 0.0
    return Answer(
        text,
        sure,
        [],
        hops,
        [0.0] * len(hops),
        {},
        0,
        unanswerable=1.0 - sure,
        reason="" if text else "nothing says when",
        question=question,
        story=[one.text for one in read],
    )

"""When, by whom, how often and to which things something was done: "When was pump 7 repaired?", "Which pumps were serviced?"

    "Ben has repaired pump 7."   "Pump 7 was fixed by Ben."   "Pump 7 repaired."   "Ben: I repaired pumps 7 and 8."

are one deed: a verb or one that says the same (:mod:`~memnet.memory.verbs`), who does it, and what it is done to
(:mod:`~memnet.memory.said`). Written by hand; verbs of whereabouts are read by the network of facts first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memnet.ask.answer import Answer, Read, spaced
from memnet.facts.names import INDEFINITE, Key, key_of
from memnet.memory.clauses import BE, BEFORE_NAMES, HAVE, UNREAL
from memnet.memory.said import OPEN_ENDED, PARTICLES, Deed, doer, says, times
from memnet.memory.sentences import Sentences
from memnet.memory.several import LIST, OTHERS, numbers_of, singular_of
from memnet.memory.values import Held
from memnet.memory.verbs import is_far, moving, same_as, verbs_of
from memnet.tasks.text.english import DETERMINERS
from memnet.tasks.text.tokens import split

WHEN, OFTEN, WHO, WHICH = "when", "how often", "who", "which"
NOUN = r"[^\W\d_]{3,}"
SAID = r"(?P<said>.+?)\s*\?*\s*$"
FORMS = {
    "": re.compile(
        r"\s*(?P<asks>when|how often|how many times|(?:on |at )?(?:what|which) (?:day|date|time))\s+"
        r"(?:(?:was|is) (?:it|the (?P<end>last|first) time)(?: that)?\s+)?"
        rf"(?:(?P<aux>did|was|were|has|have|had)\s+)?{SAID}",
        re.IGNORECASE,
    ),
    WHO: re.compile(
        r"\s*(?:by whom|who)\s+(?:was it (?:who|that)\s+)?(?:(?P<end>last|first)\s+)?"
        r"(?:(?P<aux>was|were|has|have|had)\s+)?(?P<said>.+?)(?:\s+by)?\s*\?*\s*$",
        re.IGNORECASE,
    ),
    WHICH: re.compile(
        rf"\s*(?:which|what)\s+(?:(?P<noun>(?:{NOUN}\s+)?{NOUN})\s+(?P<aux>did|was|were|has|have|had)|(?P<one>{NOUN}))\s+{SAID}",
        re.IGNORECASE,
    ),
}
MANY = [  # "the pumps", "both sluice gates"
    re.compile(rf"\b(?P<word>both|all|the)\s+(?:of\s+)?(?:the\s+)?(?P<noun>{noun})\b{OTHERS}", re.IGNORECASE)
    for noun in (NOUN, rf"{NOUN}\s+{NOUN}")
]
OWN_TIME = re.compile(
    r"\b(?:in (?:\w+ )?[12]\d{3}|(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)?(?: of)? [A-Z]\w+ [12]\d{3}|[12]\d{3}-\d\d-\d\d)\b"
)
SOON = re.compile(
    r"\b(?:(?:on|last|this) (?:\w+day|week|month|year|morning|evening|night|afternoon)|yesterday|today|at \d{1,2}[:.]\d\d)\b",
    re.I,
)
CHANGES_PLACE = re.compile(r"\bchang(?:e|es|ed|ing)\s+(?:\w+\s+)?(?:place|position|location)s?\b", re.I)  # is to be moved
ENDS = ("last", "first")
MOST = 5000  # sentences of one name that are looked at
LONGEST = 24  # words of a question


class Asked(NamedTuple):
    """A question about a deed: what it asks for, its auxiliary and the words of the deed, and whether for the first time."""

    asks: str
    aux: str
    said: str
    first: bool
    of_all: bool  # whether it counts them, or asks for the first or the last of all
    noun: str = ""  # of "which pumps"

    @property
    def names_doer(self) -> bool:
        """Whether the words of the deed begin with who did it, or what it was done to."""
        return self.asks != WHO or self.aux in ("was", "were")


def asked_of(question: str) -> Asked | None:
    """What a question asks of a deed; None where it asks for something else."""
    asks, found = next(((asks, found) for asks, form in FORMS.items() if (found := form.match(question))), ("", None))
    if found is None or len(split(question)) > LONGEST:
        return None
    more = found.groupdict()
    said, end, aux = found["said"], more.get("end") or "", (found["aux"] or "").lower()
    if not asks:
        asks = OFTEN if found["asks"].lower().startswith("how") else WHEN
    ends = {end.lower(), *split(said.lower())}
    one = Asked(
        asks, aux, said, "first" in ends, asks == OFTEN or not ends.isdisjoint(ENDS), more.get("noun") or more.get("one") or ""
    )
    return one if one.names_doer else one._replace(said=f"somebody {said}")


def from_deeds(sentences: Sentences, question: str) -> Answer | None:
    """The answer to when, how often, by whom or to which things something was done.

    None where it is asked for something else, or nobody says so.
    """
    asked = asked_of(question)
    if asked is None:
        return None
    if asked.asks == WHICH:
        return which_things(sentences, question, asked)
    every = [done(sentences, one) for one in one_by_one(sentences, asked)]
    if not every or not all(every):
        return None
    common = {one.number for one, _ in every[0]}.intersection(*({one.number for one, _ in each} for each in every[1:]))
    if common:  # sentences that speak of all at once
        every = [[each for each in every[0] if each[0].number in common]]
    if asked.asks == OFTEN:
        each_once = {one.number: one for each in every for one, _ in each}
        return answered(question, str(sum(times(one.text) for one in each_once.values())), [*each_once.values()])
    if asked.asks == WHO:
        every = [[one for one in each if doer(one[0].text, one[1])] for each in every]
    if not all(every):
        return None
    chosen = [each[0 if asked.first else -1] for each in every]
    texts = [doer(one.text, deed) if asked.asks == WHO else time_of(one) for one, deed in chosen]
    return answered(question, ",".join(dict.fromkeys(texts)), [one for one, _ in chosen])


def done(sentences: Sentences, asked: Asked) -> list[tuple[Held, Deed]]:
    """The sentences that say what is asked of, ascending, each with the deed that it says.

    Those with the question's own verb; where none has it, or all are asked for, those with a verb that says the same.
    """
    every = [*deeds(asked.aux, asked.said)]
    same = [deed._replace(verb="") for deed in every if asked.of_all or len(deed.same) > 1]
    for readings in [] if asked.of_all else every, same:
        told = ([(one, deed) for one in named(sentences, deed) if says(one.text, deed)] for deed in readings)
        if most := max(told, key=len, default=[]):
            return most
    return []


def one_by_one(sentences: Sentences, asked: Asked) -> list[Asked]:
    """The same question of each thing, where it names several: "pumps 3 and 4", "both pumps"."""
    found, numbers = LIST.search(asked.said), list[str]()
    if found is not None:
        numbers = numbers_of(found)
    else:
        named_so = (form.search(asked.said) for form in MANY)
        found = next((one for one in named_so if one is not None and is_plural(one["noun"])), None)
    if found is not None and not numbers:
        numbers = sentences.numbered(one_of(found["noun"])).meant(found["word"].lower(), sentences.told)
    if found is None or len(numbers) < 2:
        return [asked]
    begin, end, noun = asked.said[: found.start()], asked.said[found.end() :], one_of(found["noun"])
    return [asked._replace(said=f"{begin}{noun} {number}{end}") for number in numbers]


def is_plural(noun: str) -> bool:
    """Whether the last word of a noun is a plural."""
    return one_of(noun) != noun.lower()


def one_of(noun: str) -> str:
    """The singular of a noun of one or more words, in small letters."""
    *before, last = noun.lower().split()
    return " ".join([*before, singular_of(last)])


def which_things(sentences: Sentences, question: str, asked: Asked) -> Answer | None:
    """The answer to which numbered things of a kind something was done to, or what they did."""
    read, things, noun = dict[int, Held](), list[str](), one_of(asked.noun)
    for number in sentences.numbered(noun).known:
        thing = f"{noun} {number}"
        said = with_object(asked.said, thing) if asked.aux == "did" else f"{thing} {asked.said}"
        if told := done(sentences, asked._replace(said=said)):
            things.append(thing)
            read[told[-1][0].number] = told[-1][0]
    return answered(question, ",".join(things), [read[number] for number in sorted(read)]) if things else None


def with_object(said: str, thing: str) -> str:
    """What somebody did, with a thing before its first preposition."""
    words = said.split()
    place = next((at for at, word in enumerate(words) if at > 1 and word.lower() in BEFORE_NAMES), len(words))
    return " ".join([*words[:place], thing, *words[place:]])


def asks_how_often(question: str) -> bool:
    """Whether it asks how often something was done."""
    asked = asked_of(question)
    return asked is not None and asked.asks == OFTEN


def is_of_a_deed(question: str) -> bool:
    """Whether a question asks when or how often something was done that says nothing of whereabouts."""
    asked = asked_of(question)
    return asked is not None and asked.asks in (WHEN, OFTEN) and asks_of_a_deed(question)


def asks_of_a_deed(question: str) -> bool:
    """Whether a question is of something that was done and says nothing of whereabouts."""
    asked = None if CHANGES_PLACE.search(question) else asked_of(question)
    said = f"something {asked.said}" if asked and asked.asks == WHICH else asked.said if asked else ""
    verbs = {deed.verb for deed in deeds(asked.aux, said)} if asked else set()
    return bool(verbs) and verbs.isdisjoint(moving())


def may_say(question: str, texts: Sequence[str]) -> bool:
    """Whether sentences may say the deed that a question is of: not if all say others, or that it is denied or planned."""
    asked = asked_of(question)
    verbs = {deed.verb for deed in deeds(asked.aux, asked.said)} if asked and asked.asks in (WHO, WHEN) else set()
    if not verbs.isdisjoint(moving()) or not verbs or UNREAL & {word.lower() for word in split(question)}:
        return True
    for text in texts:
        low = [word.lower() for word in split(text)]
        told = [(verb, at) for at, word in enumerate(low) for verb in verbs_of(word) - {"be", "do", "have"}]
        real = (verb for verb, at in told if UNREAL.isdisjoint(low[max(0, at - 4) : at]))
        if (not told and UNREAL.isdisjoint({*low} - {"to"})) or any(not is_far(verb, one) for verb in real for one in verbs):
            return True
    return False


def deeds(aux: str, said: str) -> Iterator[Deed]:
    """What a question may ask of, by each of its words that may be the verb."""
    words = [word for word in split(said) if word.lower() not in (*ENDS, "ever", "actually")]
    low = [word.lower() for word in words]
    passive = aux in ("was", "were") or not BE.isdisjoint(low)
    for at in range(1, len(words)):
        told = [word for word in words[:at] if word.lower() not in BE | HAVE]
        subject = [word for word in told if word.lower() not in INDEFINITE]
        if not told or low[at - 1] in DETERMINERS or low[at] in BE | HAVE:
            continue
        for verb in verbs_of(low[at], aux == "did"):
            after = words[at + 1 :]
            for particle in particles(after):
                rest = [word for word in after if word.lower() != particle]
                objects, patient = parts(rest), subject if passive else object_of(rest)
                same = same_as(verb, patient, subject) if not particle else frozenset({verb})
                yield Deed(verb, key_of(" ".join(subject)), objects, passive, same, particle)


def particles(after: Sequence[str]) -> Iterator[str]:
    """The particles that a verb may have, of which "" is none: "off" of "off" and of "the pump off"."""
    low = [word.lower() for word in after]
    ends = {*low[:1], *low[-1:]}
    if ends.isdisjoint(PARTICLES) and not (low and low[-1] in OPEN_ENDED):
        yield ""
    yield from sorted(ends & (PARTICLES | OPEN_ENDED))


def object_of(after: Sequence[str]) -> list[str]:
    """What stands behind a verb up to a phrase with a preposition other than "of"."""
    end = next((place for place, word in enumerate(after) if word.lower() in BEFORE_NAMES - {"of"}), len(after))
    return [*after[:end]]


def parts(words: Sequence[str]) -> tuple[Key, ...]:
    """What stands after a verb: its object, "" where it has none, and then each phrase with its preposition."""
    found: list[list[str]] = [[]]
    for word in words:
        if word.lower() in BEFORE_NAMES - {"of"}:
            found.append([])
        found[-1].append(word)
    return tuple(key_of(" ".join(one)) for one in found)


def named(sentences: Sentences, deed: Deed) -> list[Held]:
    """The sentences that hold the names of a deed, ascending."""
    longest = max((deed.subject, *deed.objects[:1]), key=len)
    return sentences.naming(longest, MOST)


def time_of(one: Held) -> str:
    """When a sentence says that it was: the date that it names, the time that stands with it, or else its own words."""
    if named := OWN_TIME.search(one.text):
        return named[0]
    soon = SOON.search(one.text)
    return spaced(one.when or "") or (soon[0] if soon else "")


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

"""What the words alone say of a question: which answers suit it, why it has none, and what looks like a typing error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from memnet.ask.answer import listed
from memnet.encode.vocabulary import OpenVocabulary, Vocabulary
from memnet.infer.attention import Bools
from memnet.tasks.text import one_line, words
from memnet.tasks.text.english import DETERMINERS, of_class
from memnet.tasks.text.entities import Binding, EntityReader, Unit, names_in
from memnet.tasks.text.evidence import content
from memnet.tasks.text.remembered import remembered

SHORTEST, SHORTEST_EDITED = 3, 5  # letters of a word of which two may be swapped, and of one that may have another error
ENDINGS = ("s", "d", "ed", "r", "n", "ing", "ly")  # that make another word of a word
LONGEST, LONGEST_SHOWN = 30, 40  # letters of a word that is compared with others, and of one that is said
LENGTHS = range(SHORTEST_EDITED, 2 * LONGEST + 1)  # of a word that others are compared with
FEW = 40  # words, each of which is compared
BEFORE_NAMES = of_class("to and with from many")  # people stand after these: "to harry" is not "to carry"
QUESTIONS = of_class("where what which whose")
NOT_SAID = "nothing in the story says so"


def swaps(word: str) -> set[str]:
    """What becomes of a word when two different neighbouring letters are swapped.

    >>> sorted(swaps("teh")), swaps("oo")
    (['eth', 'the'], set())
    """
    pairs = range(len(word) - 1)
    return {word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in pairs if word[n] != word[n + 1]}


def edited(word: str, other: str) -> bool:
    """Whether the words differ by one letter that is left out, put in or another one; endings make other words, no errors.

    >>> edited("kitchn", "kitchen"), edited("walked", "talked"), edited("rooms", "room"), edited("garden", "harder")
    (True, True, False, False)
    """
    short, long = sorted((word, other), key=len)
    if any(long == short + ending for ending in ENDINGS):
        return False
    start = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    rest = short[start:] if len(short) < len(long) else short[start + 1 :]
    return word != other and len(long) - len(short) <= 1 and long[start + 1 :] == rest


def asks(text: str) -> bool:
    """Whether a text is a question, or may be meant as one: it ends like no statement."""
    return not text.rstrip().endswith((".", "!"))


def likely_errors(reader: EntityReader, text: str, names: NearWords | None = None) -> dict[str, list[str]]:
    """Words of a text that look like typing errors of known words, or of ``names`` that came before, and what may be meant.

    Words with a capital letter are names as they are, but for one that begins a sentence before a noun ("Teh cat"). So is a
    word that begins a sentence before what somebody does ("amy went"), unless it may be meant to ask ("whre is Amy").

    >>> likely_errors(EntityReader(frozenset({"the", "to", "went"})), "Mary wnet to teh garden")
    {'wnet': ['went'], 'teh': ['the']}
    """
    found: dict[str, list[str]] = {}
    names = names or NearWords()
    for word in suspects(reader, text):
        if word.small not in names:
            near = word.near | names.to(word.written) if word.is_like_names else word.near
            if word.begins:
                near = near & QUESTIONS if asks(text) else frozenset()
            if near:
                found[word.written] = sorted(near)
    return found


class Suspect(NamedTuple):
    """A word of a text that may be a typing error, whatever names there are."""

    written: str
    small: str  # in small letters, where its capital begins a sentence
    near: frozenset[str]  # known words that may be meant
    is_like_names: bool  # whether names may be meant
    begins: bool  # a sentence, before what somebody does


@remembered(1 << 14)
def suspects(reader: EntityReader, text: str) -> tuple[Suspect, ...]:
    """The words of a text that :func:`likely_errors` asks about."""
    found, units = list[Suspect](), reader.units(text)
    for place, unit in enumerate(units):
        before = units[place - 1].text if place > 0 else ""
        parts = unit.written.split() if unit.is_entity else []
        for number, word in enumerate(parts):
            begins = place == number == 0
            capital = begins and word.istitle() and (parts[1].islower() if parts[1:] else "?" in text)
            small = word.lower() if capital else word
            if not small.islower() or not SHORTEST <= len(word) <= LONGEST:
                continue
            near = {other for other in swaps(small) if other in reader.known}
            is_like_names = len(word) >= SHORTEST_EDITED and not capital
            if is_like_names and not (before in DETERMINERS or before in BEFORE_NAMES):
                near |= known_words(reader.known).to(word)
            begins = begins and len(parts) == 1 and len(units) > 1 and not units[1].is_entity
            if begins:
                near |= {other for other in QUESTIONS if edited(small, other)}
            found.append(Suspect(word, small, frozenset(near), is_like_names, begins))
    return tuple(found)


class NearWords:
    """Words, and those of them that are one letter from a word: many are found by what is left of each without a letter."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.words = set(words)
        self.without: dict[str, list[str]] = {}
        self.indexed: set[str] = set()

    def __contains__(self, word: str) -> bool:
        return word in self.words

    def add(self, words: Iterable[str]) -> None:
        """Take in more of them."""
        self.words.update(words)

    def to(self, word: str) -> set[str]:
        """Those that :func:`edited` takes for the word."""
        if len(self.words) <= FEW:
            first, last = word[0], word[-1]  # one of which stays
            return {
                other
                for other in self.words
                if (other[0] == first or other[-1] == last) and len(other) in LENGTHS and edited(word, other)
            }
        for new in self.words - self.indexed:
            for part in shorter(new) if len(new) in LENGTHS else ():
                self.without.setdefault(part, []).append(new)
        self.indexed |= self.words
        near = {other for part in shorter(word) for other in self.without.get(part, ())}
        return {other for other in near if edited(word, other)}


@lru_cache(maxsize=4)
def known_words(known: frozenset[str]) -> NearWords:
    """The known words of a vocabulary, indexed once."""
    return NearWords(known)


@lru_cache(maxsize=1 << 14)
def shorter(word: str) -> frozenset[str]:
    """A word, and what is left of it without each of its letters."""
    return frozenset({word, *(word[:place] + word[place + 1 :] for place in range(len(word)))})


def strange_words(units: Sequence[Unit]) -> list[str]:
    """Names of a sentence that stand like verbs: in small letters, with nothing like "the" before them."""
    return [
        unit.written
        for place, unit in enumerate(units)
        if unit.is_entity and unit.written.islower() and place > 0 and units[place - 1].text not in DETERMINERS
    ]


def strangers(reader: EntityReader, statements: Sequence[str], question: str, binding: Binding | None) -> list[Unit]:
    """Names in a question that the story does not mention: neither are they names of the story nor parts of such."""
    names = [unit for unit in reader.units(question) if unit.is_entity]
    found = [unit for unit in names if binding is None or not binding.marker_of(unit)]
    return [unit for unit in found if not mentioned_in(unit, statements)] if binding and binding.is_full else found


def mentioned_in(unit: Unit, statements: Sequence[str]) -> bool:
    """Whether a text has the words of a name, one after the other."""
    name = f" {' '.join(words(unit.text))} "
    return any(name in f" {' '.join(words(text))} " for text in statements)


def typing_errors(
    vocabulary: Vocabulary, texts: Iterable[str], story: Iterable[str] = (), names: Iterable[str] = ()
) -> dict[str, list[str]]:
    """Words of texts that look like typing errors of known words, of ``names``, those of the ``story`` or of texts before.

    None where the vocabulary is not open: there such words are unknown.
    """
    found = dict[str, list[str]]()
    if not isinstance(vocabulary, OpenVocabulary):
        return found
    known = NearWords([*vocabulary.names, *names_in(vocabulary.reader, story), *names])
    for text in dict.fromkeys(texts):
        found |= likely_errors(vocabulary.reader, text, known)
        known.add(vocabulary.reader.names(text))
    return found


def out_of_story(
    vocabulary: Vocabulary,
    statements: Sequence[str],
    question: str,
    binding: Binding | None,
    always_told: Set[str] = frozenset(),
) -> list[str]:
    """What a question asks about that neither the vocabulary nor the story has; of an open one, names with a capital.

    So are words that the story lacks where every story had them in training, ``always_told``.
    """
    if isinstance(vocabulary, OpenVocabulary):
        unknown_names = strangers(vocabulary.reader, statements, question, binding)
        return [unit.written for unit in unknown_names if not unit.written.islower()]
    normalizer = vocabulary.normalizer.about(statements, question)
    unknown = normalizer.unknown(question, vocabulary.number)
    about = set(always_told).intersection(words(question)) | (content(" ".join(unknown)) if unknown else set())
    missing = sorted(about.difference(*map(words, statements))) if about else []
    return as_typed(missing, question)


def as_typed(small: Sequence[str], question: str) -> list[str]:
    """Words of a question, in the letters in which it writes them."""
    typed = {word.lower(): word for word in re.findall(r"[\w'’-]+", question)} if small else {}
    return [typed.get(word, word) for word in small]


def only_before(older: Sequence[str], statements: Sequence[str], question: str) -> list[str]:
    """What a question asks about that ``older`` statements mention, and the later ones do not.

    >>> only_before(["Mary took the Key."], ["John left."], "Where is the key?")
    ['key']
    """
    asked = content(question) if older else set[str]()
    before = asked.intersection(word for text in older for word in words(text))
    return as_typed(sorted(before.difference(*map(words, statements))), question)


def why_none(
    vocabulary: Vocabulary,
    statements: Sequence[str],
    question: str,
    binding: Binding | None,
    unknown: Sequence[str] = (),
    older: Sequence[str] = (),
) -> str:
    """Why nothing answers a question, as the clause of a sentence; ``unknown`` is what :func:`out_of_story` found.

    ``statements`` are those that the memory holds, ``older`` those that it does not.
    """
    if before := only_before(older, statements, question):
        told = "was" if len(before) == 1 else "were"
        return f"{listed(before)} {told} last mentioned before the {len(statements):,} statements that my memory holds"
    if not isinstance(vocabulary, OpenVocabulary):
        return f"the story does not mention {listed(unknown)}" if unknown else NOT_SAID
    reader = vocabulary.reader
    unmentioned, units = strangers(reader, statements, question, binding), reader.units(question)
    verbs = [b for a, b in pairwise(units) if a.is_entity and b in unmentioned and b.written.islower()]  # "did Kate eat"
    if unmentioned and unmentioned != verbs:
        names = [one_line(unit.written, LONGEST_SHOWN) for unit in unmentioned if unit not in verbs]
        return f"the story does not mention {listed(names)}"
    if verbs:
        return f"I do not know the word {one_line(verbs[0].written, LONGEST_SHOWN)!r}"
    asked = {unit.text for unit in units if unit.is_entity}
    of_these = (units for units in map(reader.units, statements) if not asked.isdisjoint(unit.text for unit in units))
    verb = next((word for units in of_these for word in strange_words(units) if word not in asked), None)
    if verb:
        return f"I do not know the word {verb!r}"
    return f"{NOT_SAID}, of the {len(binding.free)} names that I can keep apart" if binding and binding.is_full else NOT_SAID


def may_answer(vocabulary: Vocabulary, question: str, binding: Binding | None) -> Bools:
    """Which entries may answer, (V,): those that answer such questions, and the story's names but those that it asks about.

    Nothing is where it is, and nobody gives to himself: "Where is the gym?" is not answered by "gym". A question with "or"
    ("Who is taller, Mary or John?") names its answers.
    """
    allowed = np.ones(len(vocabulary), bool)
    if vocabulary.markers:
        allowed[-len(vocabulary.markers) :] = False
        named = set(binding.marker.values()) if binding else set[str]()
        units = binding.reader.units(question) if binding and "or" not in words(question) else ()
        asked = {binding.marker_of(unit) for unit in units if unit.is_entity} if binding else set()
        allowed[[vocabulary.number[marker] for marker in named - asked]] = True
    kind = vocabulary.answers_to(question)
    if kind is None:
        return allowed
    of_kind = np.zeros_like(allowed)
    of_kind[list(kind)] = True
    if not (allowed & of_kind).any():
        return allowed
    of_kind[vocabulary.no_answers] = True
    return allowed & of_kind

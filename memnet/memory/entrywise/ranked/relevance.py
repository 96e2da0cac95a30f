"""How likely an entry tells what a question asks, among all entries of a log: a small network over what is known of both.

The reader of entries sees one entry alone. Here its reading stands beside how rare the words are that both share, whose
codes and names stand there, and how much more other entries fit. The network is that of the scorer, of two classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.facts.meant import without_thanks
from memnet.facts.names import key_of, lemma_of
from memnet.memory.clauses import IF, IS_NOT, PLANNED
from memnet.memory.entrywise.candidates import has, keys_of, names_of
from memnet.memory.entrywise.content import LIGHT
from memnet.memory.entrywise.operations import BEFORE, COUNT, EVERY, FIRST, LEAST, LISTED, MOST, NEWEST, SUM, operation_of
from memnet.memory.entrywise.ranked.lines import Log, asked_words
from memnet.memory.entrywise.ranked.matching import EntryMatcher
from memnet.memory.entrywise.reader import COUNTED, NO, NOTHING, TIME, YES, EntryReader, EntryReading
from memnet.memory.entrywise.suiting import Suiting
from memnet.memory.values import Held
from memnet.memory.wanted import AMOUNT, ANY, PERSON, PLACE, WHETHER, kind_of
from memnet.memory.wanted import TIME as WHEN
from memnet.tasks.text.english import QUESTION_WORDS, function_words, kinds_of_word
from memnet.tasks.text.tokens import split

Array = NDArray[np.float32]
NETWORK = Path(__file__).with_name("network")  # a reader of entries, made by scripts/make_entry_reader.py
READ = 240  # entries that the reader reads for a question: those that share most with it
KINDS = (WHEN, PLACE, PERSON, WHETHER, AMOUNT, ANY)
OPERATIONS = (NEWEST, FIRST, COUNT, SUM, MOST, LEAST, BEFORE, LISTED, EVERY)
CLASSES = (YES, NO, NOTHING, TIME, COUNTED)
OF_WORDS = (
    *("exact", "exact known", "near", "near names", "near verbs", "near nouns", "rarest", "weakest", "words"),
    *("codes", "all codes", "other code", "has codes", "names", "has names", "another of its kind"),
)
OF_THE_TEXT = ("length", "planned", "not", "if", "asks", "number")
OF_READING = ("log odds", "suits", "chance", *(f"is {one[1:]}" for one in CLASSES), "span")
AMONG = ("odds behind", "odds rank", "near behind", "near rank", "match", "match behind", "match rank")
OF_CODES = 4.0  # log-odds that all codes of a question add, where it is decided which entries are read
FEATURES = (
    *OF_WORDS,
    *OF_THE_TEXT,
    *OF_READING,
    *AMONG,
    *(f"kind {kind}" for kind in KINDS),
    *(f"operation {one}" for one in OPERATIONS),
)
AT = {name: at for at, name in enumerate(FEATURES)}
MISSING = ("unknown", "unknown code", "unknown name")  # what of a question no entry has: its words by weight, a code, a name


class Readings(NamedTuple):
    """Entries that may tell what a question asks, and what is known of each; the oldest first."""

    held: Sequence[Held]
    texts: Sequence[str]  # without labels
    readings: Sequence[EntryReading]  # of answers that suit
    x: Array  # (R, FEATURES)
    missing: Array  # (MISSING,)


def words_of(log: Log, question: str) -> Array:
    """What entries share with a question (L, OF_WORDS)."""
    words, count = asked_words(question), len(log.texts)
    x = np.zeros((count, len(OF_WORDS)), np.float32)
    put = {name: x[:, at] for at, name in enumerate(OF_WORDS)}
    if words:
        weights = np.array([log.weight(word.stem) for word in words], np.float32)
        known = np.array([log.counts[word.stem] > 0 for word in words])
        exact = log.exact(words)
        near = np.maximum(exact, log.near(words))
        put["exact"][:] = weights @ exact / weights.sum()
        put["exact known"][:] = (weights * known) @ exact / max(1e-6, float((weights * known).sum()))
        put["near"][:] = weights @ near / weights.sum()
        for name, which in (
            ("near names", [word.is_name or word.has_digit for word in words]),
            ("near verbs", [word.is_verb for word in words]),
            ("near nouns", [not (word.is_verb or word.is_name or word.has_digit) for word in words]),
        ):
            some = weights * np.array(which)
            put[name][:] = some @ near / some.sum() if some.sum() else -1.0
        put["rarest"][:] = (weights[:, None] * exact).max(0) / weights.max()
        put["weakest"][:] = near.min(0)
        put["words"][:] = len(words)
    codes, names = keys_of(question)[0], names_of(question)
    put["has codes"][:], put["has names"][:] = len(codes), len(names)
    nouns = {key[-2] for key in codes if len(key) > 1}
    for at, text in enumerate(log.texts):
        key = key_of(text)
        found = sum(has(key, code) or (len(code) > 1 and has(key, code[-1:])) for code in codes)
        put["codes"][at] = found / max(1, len(codes))
        put["all codes"][at] = found == len(codes)
        put["other code"][at] = (
            not found and bool(codes) and any(one in nouns and after[:1].isdigit() for one, after in pairwise(key))
        )
        put["names"][at] = sum(not name.isdisjoint(key) for name in names) / max(1, len(names))
    asked = adjacent_words(question)
    put["another of its kind"][:] = [names_another(asked, text) for text in log.texts]
    return x


@lru_cache(maxsize=1 << 14)
def adjacent_words(text: str) -> tuple[tuple[str, str], ...]:
    """The nouns and adjectives of a text that stand side by side, by lemma: "long" and "saw" of "the long saw".

    >>> adjacent_words("Who oiled the long saw now?"), adjacent_words("Ann oiled saws")
    ((('long', 'saw'),), ())
    """
    pairs = ((one, other) for one, other in pairwise(split(text)) if part_of_a_name(one) and part_of_a_name(other))
    return tuple((lemma_of(one).lower(), lemma_of(other).lower()) for one, other in pairs)


@lru_cache(maxsize=1 << 14)
def part_of_a_name(word: str) -> bool:
    """Whether a word may be part of what names a thing: no verb, no small word, no number.

    >>> [part_of_a_name(word) for word in ("long", "saw", "oiled", "the", "4", "now")]
    [True, True, False, False, False, False]
    """
    low = word.lower()
    if not word[0].isalpha() or low in function_words() | QUESTION_WORDS or lemma_of(low) in LIGHT:
        return False
    kinds = kinds_of_word(lemma_of(low))
    is_form_of_verb = "VERB" in kinds and low != lemma_of(low) and low != f"{lemma_of(low)}s"
    return not is_form_of_verb and (not kinds or not kinds.isdisjoint(("NOUN", "ADJ")))


def names_another(asked: Sequence[tuple[str, str]], text: str) -> bool:
    """Whether a text has the second of two adjacent words behind another than the first: the short saw, not the long one.

    >>> told = "Ann took the short saw", "a saw", "the long saw", "Ann oiled saw 4"
    >>> [names_another([("long", "saw")], text) for text in told]
    [True, False, False, False]
    """
    there = adjacent_words(text)
    behind, before = {last for _, last in there}, {first for first, _ in there}
    return any(last in behind and first not in before for first, last in asked)


def texts_of(texts: Sequence[str]) -> Array:
    """What is known of entries alone (L, OF_THE_TEXT)."""
    rows = []
    for text in texts:
        words = {*text.lower().replace("n't", " not").split()}
        rows.append(
            (
                np.log1p(len(text.split())),
                not words.isdisjoint(PLANNED),
                not words.isdisjoint(IS_NOT),
                not words.isdisjoint(IF),
                "?" in text,
                any(map(str.isdigit, text)),
            )
        )
    return np.array(rows, np.float32).reshape(len(texts), len(OF_THE_TEXT))


def reading_row(reading: EntryReading) -> tuple[float, ...]:
    """What the reader makes of an entry (OF_READING)."""
    chances = dict(reading.answers)
    best = reading.answers[0][1] if reading.answers else 0.0
    classes = [chances.get(one, 0.0) for one in CLASSES]
    return reading.log_odds, reading.relevance, best, *classes, max(0.0, 1.0 - sum(classes))


def behind(values: Array) -> tuple[Array, Array]:
    """How much less each value is than the greatest, and the log of its rank."""
    rank = np.empty(len(values), np.float32)
    rank[np.argsort(-values, kind="stable")] = np.log1p(np.arange(len(values)))
    return values.max(initial=0.0) - values, rank


def readings_of(log: Log, question: str, asked: str = "") -> Readings:
    """What is known of the entries that share most with a question; the reader is asked ``asked`` of them, if that is given."""
    if not log.texts:
        return Readings([], [], [], np.zeros((0, len(FEATURES)), np.float32), np.zeros(len(MISSING), np.float32))
    shared, match = words_of(log, question), EntryMatcher.load().match(log, question)
    has_codes = shared[:, OF_WORDS.index("all codes")] * (shared[:, OF_WORDS.index("has codes")] > 0)
    score = match + shared[:, OF_WORDS.index("exact known")] + OF_CODES * has_codes
    places = np.sort(np.argsort(-score, kind="stable")[:READ])
    texts = [without_thanks(log.texts[place]) for place in places.tolist()]
    suiting = Suiting.of(question, texts)
    raw = EntryReader.load(NETWORK).read(texts, asked or question)
    suited = [suiting.suited(text, one) for text, one in zip(texts, raw, strict=True)]
    x = np.zeros((len(places), len(FEATURES)), np.float32)
    x[:, : len(OF_WORDS)] = shared[places]
    x[:, len(OF_WORDS) : len(OF_WORDS) + len(OF_THE_TEXT)] = texts_of(texts)
    first = AT["log odds"]
    x[:, first : first + len(OF_READING)] = np.array([reading_row(one) for one in suited], np.float32).reshape(
        len(places), len(OF_READING)
    )
    x[:, AT["odds behind"]], x[:, AT["odds rank"]] = behind(x[:, AT["log odds"]])
    x[:, AT["near behind"]], x[:, AT["near rank"]] = behind(x[:, AT["near"]])
    x[:, AT["match"]] = match[places]
    x[:, AT["match behind"]], x[:, AT["match rank"]] = behind(match[places])
    x[:, AT[f"kind {kind_of(question)}"]] = 1.0
    x[:, AT[f"operation {operation_of(question).kind}"]] = 1.0
    some = places.tolist()
    held, told = [log.held[place] for place in some], [log.texts[place] for place in some]
    return Readings(held, told, suited, x, missing_of(log, question))


def missing_of(log: Log, question: str) -> Array:
    """What of a question no entry has (MISSING,)."""
    weights = [(log.weight(word.stem), log.counts[word.stem] > 0) for word in asked_words(question)]
    told = {lemma for one in log.told for lemma in one.lemmas}
    away = sum(weight for weight, is_there in weights if not is_there) / max(1e-6, sum(weight for weight, _ in weights))
    codes = any(not {*key[-1:]} <= told for key in keys_of(question)[0])
    return np.array([away, codes, any(name.isdisjoint(told) for name in names_of(question))], np.float32)

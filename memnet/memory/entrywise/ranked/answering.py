"""The likeliest answer of a log to a question: of its entries, of facts and stories, or that there is none."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnet.ask.answer import Answer
from memnet.facts.names import key_of
from memnet.memory.entrywise.answers import SHOWN, answered, by_codes, from_entrywise
from memnet.memory.entrywise.candidates import about, newest
from memnet.memory.entrywise.operations import EVERY, LISTED, operation_of
from memnet.memory.entrywise.ranked.candidates import Candidate, candidates_of, said
from memnet.memory.entrywise.ranked.features import Known, features_of
from memnet.memory.entrywise.ranked.lines import Log
from memnet.memory.entrywise.ranked.plain import is_plain
from memnet.memory.entrywise.ranked.relevance import Readings, readings_of
from memnet.memory.sentences import Sentences
from memnet.memory.tables.ranked.scorer import Scorer, score
from memnet.memory.weighing import agree, facts_know, last_read, refusal, with_entries

Array = NDArray[np.float32]
Gathered = list[tuple[Sentences, str, Known]]
GATHERED: ContextVar[Gathered | None] = ContextVar("gathered", default=None)  # questions to learn from are not ranked
RELEVANCE = Path(__file__).with_name("relevance.safetensors")  # both made by scripts/make_logs.py
SCORER = Path(__file__).with_name("scorer.safetensors")
SURE = 0.5  # how likely an answer must be
SLOPE, SHIFT = 0.71, 0.6  # of log-odds, so that an answer is right as often as it says; of logs to develop with, by parts
TINY = 1e-6
BOUND = 30.0  # of log-odds


class Asked(NamedTuple):
    """A question about a log, its candidates and what is known of them."""

    readings: Readings
    candidates: list[Candidate]
    x: Array  # (candidates + 2, FEATURES): the last two are what is known otherwise, and a refusal


def chances_of(scorer: Scorer, x: Array) -> Array:
    """How likely each entry tells it: the mean of several networks, (R, FEATURES) -> (R,)."""
    every = [1 / (1 + np.exp(-np.clip(score(member, x), -BOUND, BOUND))) for member in scorer.members]
    found: Array = np.mean(every, axis=0, dtype=np.float32)
    return found


def read_for(sentences: Sentences, asked: str) -> Readings:
    """The entries of a log that may answer, with what is known of them: of the newest, and of those that name a thing."""
    every, operation = {one.number: one for one in (*about(sentences, asked), *newest(sentences))}, operation_of(asked)
    found = [every[number] for number in sorted(every)]
    if operation.kind in (LISTED, EVERY):
        found = by_codes(sentences, found)
    return readings_of(Log.of(found), asked, operation.asked)


def asked_of(readings: Readings, chances: Array, known: Known, asked: str) -> Asked:
    """All candidates."""
    every = candidates_of(readings, chances, asked)
    return Asked(readings, every, features_of(readings, chances, every, known, asked))


def known_otherwise(sentences: Sentences, asked: str, question: str, found: Answer, sure: float) -> Known:
    """What is known before candidates are ranked: by facts and stories, ``found``, or by entries and rules."""
    surely = facts_know(found, sentences, asked)
    may_be_later = found.answerable or not surely
    second = from_entrywise(sentences, asked, last_read(found) if surely else None) if may_be_later else None
    answer = with_entries(found, second and replace(second, sure=sure), question, surely)
    return Known(answer, surely and answer is found, answer is not found and answer.answerable)


def ranked(sentences: Sentences, asked: str, question: str, given: Known, least: float) -> Answer:
    """The likeliest answer: of a candidate, what is known otherwise, or a refusal. Of a plain log what is known stands.

    An answer that is less likely than ``least`` is no answer, nor is one below SURE; it is said what it would be where
    something was known otherwise.
    """
    known, gathered = given.answer, GATHERED.get()
    if gathered is not None:
        gathered.append((sentences, asked, given))
        return known
    if is_plain(sentences.memory):
        return known
    readings = read_for(sentences, asked)
    if not len(readings.x):
        return known
    every = asked_of(readings, chances_of(Scorer.load(RELEVANCE), readings.x), given, asked)
    probability = Scorer.load(SCORER).probabilities(every.x)
    shares, best = shares_of(every.candidates, probability, known, question)
    key = max(shares, key=lambda one: shares[one], default=())
    sure = calibrated(shares.get(key, 0.0))
    if not key or (sure < SURE and not known.answerable):
        return known if not known.answerable else refusal(question)
    least = max(least, SURE)
    if (one := best[key]) is None:
        return replace(known, probability=sure, unanswerable=0.0, sure=least)
    behind = [readings.held[at] for at in one.behind[:SHOWN]]
    return replace(answered(said(one, question), sure, behind, question), sure=least)


def calibrated(share: float) -> float:
    """How often an answer is right that has such a share of the probability.

    >>> round(calibrated(0.0), 2), round(calibrated(0.3), 2), round(calibrated(0.5), 2)
    (0.0, 0.5, 0.65)
    """
    inside = min(1 - TINY, max(TINY, share))
    return 1 / (1 + math.exp(-SHIFT - SLOPE * math.log(inside / (1 - inside))))


def shares_of(
    every: list[Candidate], probability: Array, known: Answer, question: str
) -> tuple[dict[tuple[str, ...], float], dict[tuple[str, ...], Candidate | None]]:
    """The probability of each answer, of all candidates that have it, and the likeliest of these; None is what is known."""
    shares, best = defaultdict[tuple[str, ...], float](float), dict[tuple[str, ...], tuple[float, Candidate | None]]()
    options: list[tuple[tuple[str, ...], Candidate | None]] = [(said(one, question), one) for one in every]
    if parts := parts_known(known):
        options.append((parts, None))
    chances = [*probability[: len(every)].tolist(), float(probability[-2])]
    for (parts, one), chance in zip(options, chances, strict=False):
        key = key_of_parts(parts)
        same = next((other for other in shares if is_same(other, key, question)), key)
        shares[same] += chance
        best[same] = max(best.get(same, (-1.0, None)), (chance, one), key=lambda each: each[0])
    return shares, {key: one for key, (_, one) in best.items()}


def parts_known(known: Answer) -> tuple[str, ...]:
    """The parts of an answer that is known; none where it is a refusal."""
    return (known.parts or (known.text,)) if known.answerable else ()


def key_of_parts(parts: Sequence[str]) -> tuple[str, ...]:
    """The words of each part of an answer, as keys have them.

    >>> key_of_parts(("The big saw", "?"))
    ('big saw', '?')
    """
    return tuple(" ".join(key_of(part)) or part for part in parts)


def is_same(one: tuple[str, ...], other: tuple[str, ...], question: str) -> bool:
    """Whether two answers say the same; lists, in whatever order."""
    return sorted(one) == sorted(other) or (len(one) == len(other) == 1 and agree(one[0], other[0], question))
